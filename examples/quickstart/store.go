package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// An Order is what the shop keeps of one order. CostCents inside its lines is internal.
type Order struct {
	ID          string     `json:"id"`
	State       State      `json:"state"`
	PlacedAt    time.Time  `json:"placed_at"`
	Customer    Customer   `json:"customer"`
	ShipTo      Address    `json:"ship_to"`
	CarrierNote string     `json:"carrier_note,omitempty"`
	HoldUntil   *time.Time `json:"hold_until,omitempty"`
	Lines       []Line     `json:"lines"`
	PaidCents   int64      `json:"paid_cents"`
	Refunds     []Refund   `json:"refunds,omitempty"`
	Cancelled   string     `json:"cancelled,omitempty"` // the reason
}

// A State is how far an order has come.
type State string

// The states. Money is there from StatePaid on; goods are gone from StateShipped on.
const (
	StatePlaced    State = "placed"
	StatePaid      State = "paid"
	StatePacked    State = "packed"
	StateShipped   State = "shipped"
	StateDelivered State = "delivered"
	StateCancelled State = "cancelled"
)

var states = []State{
	StatePlaced, StatePaid, StatePacked, StateShipped, StateDelivered, StateCancelled,
}

// A Customer is who placed an order.
type Customer struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// An Address is where a parcel goes. It is an argument of a tool too.
type Address struct {
	Name       string `json:"name" jsonschema:"minLength=1"`
	Company    string `json:"company,omitempty"`
	Street     string `json:"street" jsonschema:"minLength=1,description=Street and number."`
	City       string `json:"city" jsonschema:"minLength=1"`
	PostalCode string `json:"postal_code" jsonschema:"minLength=3,maxLength=10"`
	Country    string `json:"country" jsonschema:"enum=DE,enum=DK,enum=ES,enum=FR,enum=PL,enum=SE"`
}

// A Line is one article of an order. Prices and costs are for one piece.
type Line struct {
	SKU        string `json:"sku"`
	Name       string `json:"name"`
	Quantity   int64  `json:"quantity"`
	PriceCents int64  `json:"price_cents"`
	CostCents  int64  `json:"cost_cents"`
}

// A Refund is money that went back.
type Refund struct {
	At          time.Time `json:"at"`
	AmountCents int64     `json:"amount_cents"`
	Reason      string    `json:"reason"`
	Note        string    `json:"note,omitempty"`
}

// TotalCents is the price of all lines.
func (o Order) TotalCents() int64 {
	var sum int64
	for _, l := range o.Lines {
		sum += l.Quantity * l.PriceCents
	}
	return sum
}

// MarginCents is what the shop earns on all lines.
func (o Order) MarginCents() int64 {
	sum := o.TotalCents()
	for _, l := range o.Lines {
		sum -= l.Quantity * l.CostCents
	}
	return sum
}

// RefundableCents is what is left of the payment.
func (o Order) RefundableCents() int64 {
	left := o.PaidCents
	for _, r := range o.Refunds {
		left -= r.AmountCents
	}
	return left
}

// Why the store refuses something.
var (
	errNoOrder   = errors.New("no such order")
	errGone      = errors.New("the parcel has left the house")
	errCancelled = errors.New("the order is cancelled")
	errUnpaid    = errors.New("the order was not paid")
	errHold      = errors.New("the hold ends in the past or too far ahead")
)

// maxHold is how long a parcel may wait.
const maxHold = 30 * 24 * time.Hour

// A refundError says that a refund is larger than what is left of the payment.
type refundError struct{ leftCents int64 }

func (e *refundError) Error() string {
	return fmt.Sprintf("only %d cents are left of the payment", e.leftCents)
}

// A store holds the orders in memory. It is safe for concurrent use.
type store struct {
	now func() time.Time

	mu     sync.Mutex // guards orders
	orders []Order    // sorted by PlacedAt, newest first
}

// openStore reads a JSON array of orders and refuses what could not have happened.
func openStore(data []byte, now func() time.Time) (*store, error) {
	s := &store{now: now}
	if err := json.Unmarshal(data, &s.orders); err != nil {
		return nil, fmt.Errorf("orders: %w", err)
	}
	seen := map[string]bool{}
	for _, o := range s.orders {
		switch {
		case seen[o.ID]:
			return nil, fmt.Errorf("order %q: there are two", o.ID)
		case !slices.Contains(states, o.State):
			return nil, fmt.Errorf("order %q: unknown state %q", o.ID, o.State)
		case len(o.Lines) == 0:
			return nil, fmt.Errorf("order %q: no lines", o.ID)
		case o.RefundableCents() < 0:
			return nil, fmt.Errorf("order %q: more was refunded than paid", o.ID)
		}
		seen[o.ID] = true
	}
	slices.SortFunc(s.orders, func(a, b Order) int { return b.PlacedAt.Compare(a.PlacedAt) })
	return s, nil
}

// A query selects orders; a zero field selects all.
type query struct {
	customer string // part of name or email, in any case
	state    State
	within   time.Duration // age of the order at most
}

// find returns the selected orders, newest first.
func (s *store) find(q query) []Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []Order
	needle := strings.ToLower(q.customer)
	for _, o := range s.orders {
		who := strings.ToLower(o.Customer.Name + " " + o.Customer.Email)
		switch {
		case !strings.Contains(who, needle):
		case q.state != "" && o.State != q.state:
		case q.within > 0 && s.now().Sub(o.PlacedAt) > q.within:
		default:
			found = append(found, o)
		}
	}
	return found
}

// order returns one order.
func (s *store) order(id string) (Order, error) {
	return s.change(id, func(*Order) error { return nil })
}

// change applies f to a copy of the order, which takes the order's place if f returns nil.
// Requirement: f replaces slices and pointers and does not write through them.
func (s *store) change(id string, f func(*Order) error) (Order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.orders, func(o Order) bool { return o.ID == id })
	if i < 0 {
		return Order{}, errNoOrder
	}
	o := s.orders[i]
	if err := f(&o); err != nil {
		return Order{}, err
	}
	s.orders[i] = o
	return o, nil
}

// inHouse refuses an order whose parcel can no longer be changed.
func inHouse(o *Order) error {
	switch o.State {
	case StateShipped, StateDelivered:
		return errGone
	case StateCancelled:
		return errCancelled
	}
	return nil
}

// setAddress sends the parcel elsewhere. An empty note removes the old one.
func (s *store) setAddress(id string, to Address, note string) (Order, error) {
	return s.change(id, func(o *Order) error {
		if err := inHouse(o); err != nil {
			return err
		}
		o.ShipTo, o.CarrierNote = to, note
		return nil
	})
}

// hold keeps the parcel in the house until a time that is at most maxHold away.
func (s *store) hold(id string, until time.Time) (Order, error) {
	return s.change(id, func(o *Order) error {
		if err := inHouse(o); err != nil {
			return err
		}
		if wait := until.Sub(s.now()); wait <= 0 || wait > maxHold {
			return errHold
		}
		o.HoldUntil = &until
		return nil
	})
}

// cancel ends an order whose parcel is in the house. Money that was paid stays to be refunded.
func (s *store) cancel(id, reason string) (Order, error) {
	return s.change(id, func(o *Order) error {
		if err := inHouse(o); err != nil {
			return err
		}
		o.State, o.Cancelled, o.HoldUntil = StateCancelled, reason, nil
		return nil
	})
}

// refund gives back a part of what was paid.
func (s *store) refund(id string, r Refund) (Order, error) {
	return s.change(id, func(o *Order) error {
		switch left := o.RefundableCents(); {
		case o.PaidCents == 0:
			return errUnpaid
		case r.AmountCents <= 0 || r.AmountCents > left:
			return &refundError{left}
		}
		r.At = s.now()
		o.Refunds = append(slices.Clip(o.Refunds), r)
		return nil
	})
}
