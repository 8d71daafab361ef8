package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var testNow = time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)

func testStore(t *testing.T) *store {
	t.Helper()
	s, err := openStore(ordersJSON, func() time.Time { return testNow })
	require.NoError(t, err)
	return s
}

func TestOpenStore(t *testing.T) {
	const order = `{"id":"1","state":"paid","lines":[{"sku":"A","quantity":1,"price_cents":5}]`
	for _, test := range []struct{ name, data, want string }{
		{"not JSON", `[`, "orders: "},
		{"two of one id", `[` + order + `},` + order + `}]`, `order "1": there are two`},
		{"state", `[{"id":"1","state":"lost"}]`, `order "1": unknown state "lost"`},
		{"no lines", `[{"id":"1","state":"paid"}]`, `order "1": no lines`},
		{"refunds", `[` + order + `,"paid_cents":5,"refunds":[{"amount_cents":6}]}]`,
			`order "1": more was refunded than paid`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := openStore([]byte(test.data), time.Now)
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestFind(t *testing.T) {
	s := testStore(t)
	for _, test := range []struct {
		name string
		q    query
		want []string
	}{
		{"part of a name, any case", query{customer: "LINDQ"}, []string{"1011", "1002"}},
		{"part of an email", query{customer: "@mail."}, []string{"1011", "1007", "1002", "1001"}},
		{"state", query{state: StatePlaced}, []string{"1012", "1010"}},
		{"age", query{within: 48 * time.Hour}, []string{"1012", "1011"}},
		{"all three", query{"brandt", StatePaid, 240 * time.Hour}, []string{"1008"}},
		{"none", query{customer: "nobody"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, o := range s.find(test.q) {
				got = append(got, o.ID)
			}
			require.Equal(t, test.want, got)
		})
	}
	require.Len(t, s.find(query{}), 12)
}

func TestMoney(t *testing.T) {
	o, err := testStore(t).order("1003")
	require.NoError(t, err)
	require.EqualValues(t, 6*3200, o.TotalCents())
	require.EqualValues(t, 6*(3200-1100), o.MarginCents())
	require.EqualValues(t, 5*3200, o.RefundableCents())
}

func TestSetAddress(t *testing.T) {
	s := testStore(t)
	to := Address{Name: "Ada Brandt", Street: "Am Deich 61", City: "Bremen", PostalCode: "28199",
		Country: "DE"}
	o, err := s.setAddress("1008", to, "Ring twice.")
	require.NoError(t, err)
	require.Equal(t, to, o.ShipTo)
	o, err = s.setAddress("1008", to, "")
	require.NoError(t, err)
	require.Empty(t, o.CarrierNote)

	for id, want := range map[string]error{
		"1002": errGone, "1005": errGone, "1004": errCancelled, "1999": errNoOrder,
	} {
		_, err := s.setAddress(id, to, "")
		require.ErrorIs(t, err, want, "order %s", id)
	}
}

func TestHold(t *testing.T) {
	for _, test := range []struct {
		name string
		wait time.Duration
		want error
	}{
		{"a week", 7 * 24 * time.Hour, nil},
		{"the longest", maxHold, nil},
		{"too long", maxHold + time.Second, errHold},
		{"now", 0, errHold},
		{"the past", -time.Hour, errHold},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := testStore(t)
			_, err := s.hold("1008", testNow.Add(test.wait))
			require.ErrorIs(t, err, test.want)
			o, err := s.order("1008")
			require.NoError(t, err)
			require.Equal(t, test.want == nil, o.HoldUntil != nil)
		})
	}
}

func TestCancel(t *testing.T) {
	s := testStore(t)
	_, err := s.hold("1008", testNow.Add(time.Hour))
	require.NoError(t, err)
	o, err := s.cancel("1008", "customer_request")
	require.NoError(t, err)
	require.Equal(t, StateCancelled, o.State)
	require.Nil(t, o.HoldUntil)
	require.Equal(t, o.TotalCents(), o.RefundableCents(), "the money is still to be refunded")
	_, err = s.cancel("1008", "customer_request")
	require.ErrorIs(t, err, errCancelled)
	_, err = s.cancel("1005", "fraud")
	require.ErrorIs(t, err, errGone)
}

func TestRefund(t *testing.T) {
	s := testStore(t)
	before, err := s.order("1003")
	require.NoError(t, err)

	o, err := s.refund("1003", Refund{AmountCents: 6000, Reason: "damaged"})
	require.NoError(t, err)
	require.EqualValues(t, 10000, o.RefundableCents())
	require.Equal(t, testNow, o.Refunds[1].At)
	require.Len(t, before.Refunds, 1, "an order that was handed out changed")

	var tooMuch *refundError
	for _, cents := range []int64{10001, 0, -1} {
		_, err = s.refund("1003", Refund{AmountCents: cents})
		require.ErrorAs(t, err, &tooMuch, "refund of %d", cents)
		require.EqualValues(t, 10000, tooMuch.leftCents)
	}
	_, err = s.refund("1003", Refund{AmountCents: 10000})
	require.NoError(t, err)
	_, err = s.refund("1003", Refund{AmountCents: 1})
	require.ErrorAs(t, err, &tooMuch)

	_, err = s.refund("1010", Refund{AmountCents: 1})
	require.ErrorIs(t, err, errUnpaid)
}
