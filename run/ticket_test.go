package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/run"
)

type sendArgs struct {
	To    string `json:"to"`
	Cents int    `json:"cents"`
	Pin   string `json:"pin,omitempty" jig:"redact"`
	Lines []line `json:"lines,omitempty"`
}

type line struct {
	SKU   string `json:"sku"`
	Count int    `json:"count,omitempty" jsonschema:"default=1"`
}

// sending is a tool that needs an approval, in a registry, with its runs.
type sending struct {
	*jig.Registry
	tickets *run.Tickets
	runs    atomic.Int64
}

func sendSpec(runs *atomic.Int64) jig.Spec[sendArgs, string] {
	return jig.Spec[sendArgs, string]{
		Name: "send", Description: "Call it in tests.", Effect: jig.EffectWrite, Approval: jig.ApprovalAlways,
		Execute: func(_ context.Context, args sendArgs) (string, error) {
			runs.Add(1)
			return fmt.Sprintf("%d to %s", args.Cents, args.To), nil
		},
	}
}

func newSending(t testing.TB, options *run.TicketOptions, change func(*jig.Spec[sendArgs, string])) *sending {
	t.Helper()
	s := &sending{tickets: run.NewTickets(options)}
	s.Registry = jig.NewRegistry(&jig.Options{Approver: s.tickets, Logger: slog.New(slog.DiscardHandler)})
	spec := sendSpec(&s.runs)
	if change != nil {
		change(&spec)
	}
	require.NoError(t, s.Add(jig.MustDefine(spec)))
	return s
}

var sendCall = jig.Call{ID: "call-1", Name: "send",
	Args: json.RawMessage(`{"to":"bob","cents":500,"pin":"secret","lines":[{"sku":"a"}]}`)}

func callerContext(ctx context.Context) context.Context {
	return jig.WithCaller(ctx, jig.Caller{RunID: "run-1", UserID: "ann", TenantID: "acme",
		Metadata: map[string]string{"k": "v"}})
}

// pending makes a call that has to wait, and returns its ticket.
func (s *sending) pending(t testing.TB, c jig.Call) string {
	t.Helper()
	o := s.Call(callerContext(t.Context()), c)
	require.Equal(t, jig.StatusPending, o.Status, o.Text())
	require.NotEmpty(t, o.Ticket)
	return o.Ticket
}

func requireRefused(t testing.TB, o jig.Outcome) {
	t.Helper()
	require.Equal(t, jig.StatusDenied, o.Status, o.Text())
	require.ErrorIs(t, o.Err, run.ErrTicket)
	require.ErrorIs(t, o.Err, jig.ErrDenied)
	require.Zero(t, o.Attempts)
	require.False(t, o.Retryable)
	require.NotEmpty(t, o.Text())
}

func TestResume(t *testing.T) {
	s := newSending(t, nil, func(spec *jig.Spec[sendArgs, string]) {
		spec.Preview = func(_ context.Context, args sendArgs) (string, error) { return "Pays " + args.To + ".", nil }
	})
	ctx := callerContext(t.Context())
	before := time.Now()
	id := s.pending(t, sendCall)
	require.GreaterOrEqual(t, len(id), 26) // 130 bits
	require.Zero(t, s.runs.Load())

	ticket, err := s.tickets.Ticket(ctx, id)
	require.NoError(t, err)
	require.WithinRange(t, ticket.Expires, before.Add(time.Hour), time.Now().Add(time.Hour))
	require.Len(t, ticket.Digest, 64)
	ticket.Expires, ticket.Digest = time.Time{}, ""
	require.Equal(t, run.Ticket{ID: id, CallID: "call-1", Tool: "send", Sent: sendCall.Args,
		Caller: jig.Caller{RunID: "run-1", UserID: "ann", TenantID: "acme", Metadata: map[string]string{"k": "v"}},
		Effect: jig.EffectWrite, Who: jig.ApprovalAlways, Preview: "Pays bob.",
		Args: json.RawMessage(`{"cents":500,"lines":[{"count":1,"sku":"a"}],"pin":"[redacted]","to":"bob"}`)}, ticket)
	require.Equal(t, `Ticket(send "call-1")`, fmt.Sprintf("%+v", ticket))
	require.NotContains(t, fmt.Sprintf("%#v %v", ticket, ticket.LogValue()), "secret")

	o := s.Resume(ctx, id, jig.Allow())
	require.Equal(t, "500 to bob", o.Text())
	require.Equal(t, "call-1", o.CallID)
	require.NoError(t, o.Err)
	require.EqualValues(t, 1, s.runs.Load())

	requireRefused(t, s.Resume(ctx, id, jig.Allow())) // replayed
	_, err = s.tickets.Ticket(ctx, id)
	require.ErrorIs(t, err, run.ErrTicket)
	require.EqualValues(t, 1, s.runs.Load())
}

func (s *sending) Resume(ctx context.Context, id string, d jig.Decision) jig.Outcome {
	return s.tickets.Resume(ctx, s.Registry, id, d)
}

func TestResumeDecisions(t *testing.T) {
	for _, d := range []jig.Decision{jig.Deny(""), jig.Deny("not today"), {}, jig.Ask()} {
		s := newSending(t, nil, nil)
		ctx := callerContext(t.Context())
		id := s.pending(t, sendCall)
		o := s.Resume(ctx, id, d)
		require.Equal(t, jig.StatusDenied, o.Status)
		require.Equal(t, "denied", o.Code)
		require.NotErrorIs(t, o.Err, run.ErrTicket)
		requireRefused(t, s.Resume(ctx, id, jig.Allow())) // it was answered
		require.Zero(t, s.runs.Load())
	}
}

// TestResumeRaces answers one ticket fifty times at once.
func TestResumeRaces(t *testing.T) {
	s := newSending(t, nil, nil)
	ctx := callerContext(t.Context())
	id := s.pending(t, sendCall)
	var ok, refused atomic.Int64
	start := make(chan struct{})
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			<-start
			switch o := s.Resume(ctx, id, jig.Allow()); {
			case o.Status == jig.StatusOK:
				ok.Add(1)
			case errors.Is(o.Err, run.ErrTicket):
				refused.Add(1)
			}
		})
	}
	close(start)
	all.Wait()
	require.EqualValues(t, 1, ok.Load())
	require.EqualValues(t, 49, refused.Load())
	require.EqualValues(t, 1, s.runs.Load())
}

// TestEachCallHasItsOwnTicket makes one call twice, and one like it under another id.
func TestEachCallHasItsOwnTicket(t *testing.T) {
	s := newSending(t, nil, nil)
	ctx := callerContext(t.Context())
	other := sendCall
	other.ID = "call-2"
	first, again, second := s.pending(t, sendCall), s.pending(t, sendCall), s.pending(t, other)
	require.NotEqual(t, first, again)
	require.NotEqual(t, first, second)
	require.Equal(t, "call-1", s.Resume(ctx, first, jig.Allow()).CallID)
	require.EqualValues(t, 1, s.runs.Load())
	requireRefused(t, s.Resume(ctx, first, jig.Allow()))
	o := s.Resume(ctx, second, jig.Allow())
	require.Equal(t, jig.StatusOK, o.Status)
	require.Equal(t, "call-2", o.CallID)
	require.EqualValues(t, 2, s.runs.Load())
}

func TestTicketExpires(t *testing.T) {
	for _, test := range []struct {
		name  string
		after time.Duration
		good  bool
	}{
		{"a moment before", 10*time.Minute - 1, true},
		{"at the moment", 10 * time.Minute, false},
		{"later", time.Hour, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := &run.MemoryTickets{}
				s := newSending(t, &run.TicketOptions{Store: store, TTL: 10 * time.Minute}, nil)
				ctx := callerContext(t.Context())
				id := s.pending(t, sendCall)
				ticket, err := store.Get(ctx, id)
				require.NoError(t, err)
				time.Sleep(test.after)
				if !test.good {
					require.ErrorIs(t, store.Claim(ctx, id, ticket.Digest), run.ErrTicket)
				}
				o := s.Resume(ctx, id, jig.Allow())
				require.Equal(t, test.good, o.Status == jig.StatusOK)
				if !test.good {
					requireRefused(t, o)
				}
				s.pending(t, sendCall)
				require.Equal(t, test.good, s.runs.Load() == 1)
			})
		})
	}
}

// TestTicketExpiresWhileItIsClaimed lets the time run out between the two looks at a ticket.
func TestTicketExpiresWhileItIsClaimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := time.Duration(0)
		s := newSending(t, &run.TicketOptions{TTL: time.Minute}, func(spec *jig.Spec[sendArgs, string]) {
			spec.Check = func(context.Context, sendArgs) error { time.Sleep(slow); return nil }
		})
		id := s.pending(t, sendCall)
		slow = 2 * time.Minute
		requireRefused(t, s.Resume(callerContext(t.Context()), id, jig.Allow()))
		require.Zero(t, s.runs.Load())
	})
}

// TestForgedTickets uses a ticket for what it was not given for.
func TestForgedTickets(t *testing.T) {
	as := func(change func(*jig.Caller)) func(context.Context) context.Context {
		return func(ctx context.Context) context.Context {
			c := jig.Caller{RunID: "run-1", UserID: "ann", TenantID: "acme", Metadata: map[string]string{"k": "v"}}
			change(&c)
			return jig.WithCaller(ctx, c)
		}
	}
	for _, test := range []struct {
		name   string
		caller func(context.Context) context.Context
		tool   func(*jig.Spec[sendArgs, string]) // as it is when the answer comes
		id     func(string) string
	}{
		{name: "another session", caller: as(func(c *jig.Caller) { c.RunID = "run-2" })},
		{name: "another user", caller: as(func(c *jig.Caller) { c.UserID = "eve" })},
		{name: "another tenant", caller: as(func(c *jig.Caller) { c.TenantID = "evil" })},
		{name: "other metadata", caller: as(func(c *jig.Caller) { c.Metadata["k"] = "w" })},
		{name: "nobody", caller: func(ctx context.Context) context.Context { return ctx }},
		{name: "another effect", tool: func(s *jig.Spec[sendArgs, string]) { s.Effect = jig.EffectDestructive }},
		{name: "another approval", tool: func(s *jig.Spec[sendArgs, string]) { s.Approval = jig.ApprovalRequester }},
		{name: "no approval any more", tool: func(s *jig.Spec[sendArgs, string]) { s.Approval = jig.ApprovalNever }},
		{name: "another schema", tool: func(s *jig.Spec[sendArgs, string]) { s.Strict = true }},
		{name: "another schema by hand", tool: func(s *jig.Spec[sendArgs, string]) {
			s.Schema = jig.MustParseSchema(`{"type":"object","properties":{"to":{"type":"string"},` +
				`"cents":{"type":"integer","default":7},"pin":{"type":"string"},"lines":{"type":"array",` +
				`"items":{"type":"object","properties":{"sku":{"type":"string"}}}}}}`)
		}},
		{name: "an unknown ticket", id: func(string) string { return "AAAAAAAAAAAAAAAAAAAAAAAAAA" }},
		{name: "no ticket", id: func(string) string { return "" }},
		{name: "nearly the ticket", id: strings.ToLower},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSending(t, nil, nil)
			id := s.pending(t, sendCall)
			now, ctx, used := s, callerContext(t.Context()), id
			if test.tool != nil {
				now = newSending(t, nil, test.tool)
				now.tickets = s.tickets
			}
			if test.caller != nil {
				ctx = test.caller(t.Context())
			}
			if test.id != nil {
				used = test.id(id)
			}
			requireRefused(t, now.Resume(ctx, used, jig.Allow()))
			require.Zero(t, s.runs.Load()+now.runs.Load())

			// The ticket is as good as before for what it was given for.
			require.Equal(t, jig.StatusOK, s.Resume(callerContext(t.Context()), id, jig.Allow()).Status)
		})
	}
}

func TestResumeWithoutTheTool(t *testing.T) {
	s := newSending(t, nil, nil)
	id := s.pending(t, sendCall)
	ctx := callerContext(t.Context())
	none := s.Filter(jig.ReadOnly)
	o := s.tickets.Resume(ctx, none, id, jig.Allow())
	require.Equal(t, "unknown_tool", o.Code)
	require.Zero(t, s.runs.Load())
}

// tamper is a store whose tickets somebody has changed.
type tamper struct {
	run.MemoryTickets
	change func(*run.Ticket)
}

func (s *tamper) Get(ctx context.Context, id string) (run.Ticket, error) {
	t, err := s.MemoryTickets.Get(ctx, id)
	if err == nil {
		s.change(&t)
	}
	return t, err
}

// TestTamperedArguments changes the text of a stored call: another order is the same call, another
// value anywhere is not.
func TestTamperedArguments(t *testing.T) {
	for _, test := range []struct {
		name, sent string
		good       bool
	}{
		{"re-ordered", `{"lines":[{"sku":"a"}],"pin":"secret","cents":500,"to":"bob"}`, true},
		{"written otherwise", ` {"to":"b\u006fb","cents":5e2,"pin":"secret","lines":[{"count":1.0,"sku":"a"}],"zzzzz":1}`,
			true},
		{"one nested value", `{"to":"bob","cents":500,"pin":"secret","lines":[{"sku":"b"}]}`, false},
		{"one nested default", `{"to":"bob","cents":500,"pin":"secret","lines":[{"sku":"a","count":2}]}`, false},
		{"a redacted value", `{"to":"bob","cents":500,"pin":"other","lines":[{"sku":"a"}]}`, false},
		{"a value left out", `{"to":"bob","cents":500,"lines":[{"sku":"a"}]}`, false},
		{"one more item", `{"to":"bob","cents":500,"pin":"secret","lines":[{"sku":"a"},{"sku":"a"}]}`, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			store := &tamper{change: func(ticket *run.Ticket) { ticket.Sent = []byte(test.sent) }}
			s := newSending(t, &run.TicketOptions{Store: store}, nil)
			o := s.Resume(callerContext(t.Context()), s.pending(t, sendCall), jig.Allow())
			if test.good {
				require.Equal(t, "500 to bob", o.Text())
				return
			}
			requireRefused(t, o)
			require.Zero(t, s.runs.Load())
		})
	}
	// A changed digest helps nobody: the store that claims has the right one.
	store := &tamper{change: func(ticket *run.Ticket) { ticket.Digest = strings.Repeat("0", 64) }}
	s := newSending(t, &run.TicketOptions{Store: store}, nil)
	requireRefused(t, s.Resume(callerContext(t.Context()), s.pending(t, sendCall), jig.Allow()))
}

// TestEditedCallIsANewQuestion answers a ticket with other arguments.
func TestEditedCallIsANewQuestion(t *testing.T) {
	s := newSending(t, nil, nil)
	ctx := callerContext(t.Context())
	first := s.pending(t, sendCall)
	o := s.Resume(ctx, first, jig.Rewrite(json.RawMessage(`{"to":"eve","cents":7}`)))
	require.Equal(t, jig.StatusPending, o.Status)
	require.Equal(t, "call-1", o.CallID)
	require.NotEqual(t, first, o.Ticket)
	require.Zero(t, s.runs.Load())
	requireRefused(t, s.Resume(ctx, first, jig.Allow())) // it was answered

	ticket, err := s.tickets.Ticket(ctx, o.Ticket)
	require.NoError(t, err)
	require.Equal(t, `{"cents":7,"to":"eve"}`, string(ticket.Args))
	require.Equal(t, "7 to eve", s.Resume(ctx, o.Ticket, jig.Allow()).Text())
	require.EqualValues(t, 1, s.runs.Load())

	o = s.Resume(ctx, s.pending(t, sendCall), jig.Rewrite(json.RawMessage(`{"to":"eve"}`)))
	require.Equal(t, "invalid_rewrite", o.Code)
	require.EqualValues(t, 1, s.runs.Load())
}

// TestResumeUnderOtherRules changes what the host wants between question and answer.
func TestResumeUnderOtherRules(t *testing.T) {
	s := newSending(t, nil, func(spec *jig.Spec[sendArgs, string]) { spec.Approval = jig.ApprovalUnset })
	options := s.Options()
	with := func(p jig.Policy) *jig.Registry {
		options.Policy = p
		return s.With(&options)
	}
	asks := func(context.Context, jig.PolicyRequest) jig.Decision { return jig.Ask().Because("large") }
	ctx := callerContext(t.Context())
	pending := func(p jig.Policy) string {
		t.Helper()
		o := with(p).Call(ctx, sendCall)
		require.Equal(t, jig.StatusPending, o.Status)
		return o.Ticket
	}
	id := pending(asks)
	ticket, err := s.tickets.Ticket(ctx, id)
	require.NoError(t, err)
	require.Equal(t, "large", ticket.Reason)
	require.Equal(t, jig.ApprovalUnset, ticket.Who)

	// A policy that denies now has the last word, and the ticket stays.
	denies := func(context.Context, jig.PolicyRequest) jig.Decision { return jig.Deny("closed") }
	require.Equal(t, "send was not allowed to run: closed", s.tickets.Resume(ctx, with(denies), id, jig.Allow()).Text())
	// One that does not ask any more is no way to use a ticket twice.
	require.Equal(t, jig.StatusOK, s.tickets.Resume(ctx, with(nil), id, jig.Allow()).Status)
	requireRefused(t, s.tickets.Resume(ctx, with(nil), id, jig.Allow()))
	require.EqualValues(t, 1, s.runs.Load())

	// A policy that rewrites does so again, and the approval is for what it wrote.
	rewrites := jig.AllOf(func(_ context.Context, r jig.PolicyRequest) jig.Decision {
		return jig.Rewrite(json.RawMessage(strings.Replace(string(r.Args), `:500`, `:400`, 1)))
	}, asks)
	require.Equal(t, "400 to bob", s.tickets.Resume(ctx, with(rewrites), pending(rewrites), jig.Allow()).Text())
	requireRefused(t, s.tickets.Resume(ctx, with(asks), pending(rewrites), jig.Allow()))
}

// TestResumeOfAnEndedRun asks for the answer of a run whose context is done.
func TestResumeOfAnEndedRun(t *testing.T) {
	s := newSending(t, nil, nil)
	id := s.pending(t, sendCall)
	ctx, cancel := context.WithCancel(callerContext(t.Context()))
	cancel()
	require.Equal(t, jig.StatusSkipped, s.Resume(ctx, id, jig.Allow()).Status)
	require.Equal(t, jig.StatusOK, s.Resume(callerContext(t.Context()), id, jig.Allow()).Status)
}

// TestResumeOfMendedArguments keeps what the model sent, whatever it was.
func TestResumeOfMendedArguments(t *testing.T) {
	s := newSending(t, nil, func(spec *jig.Spec[sendArgs, string]) { spec.Repair = jig.RepairLenient })
	for _, args := range []string{`{"to":"bob","cents":"500"}`, "```json\n{'to':'bob','cents':500,}\n```"} {
		id := s.pending(t, jig.Call{ID: "1", Name: "SEND", Args: json.RawMessage(args)})
		ticket, err := s.tickets.Ticket(t.Context(), id)
		require.NoError(t, err)
		text, err := json.Marshal(ticket) // as a store on disk would
		require.NoError(t, err)
		var back run.Ticket
		require.NoError(t, json.Unmarshal(text, &back))
		require.Equal(t, args, string(back.Sent))
		require.Equal(t, "500 to bob", s.Resume(callerContext(t.Context()), id, jig.Allow()).Text())
	}
}

// broken is a store that fails.
type broken struct {
	run.MemoryTickets
	put, claim func() error
}

func (b *broken) Put(ctx context.Context, t run.Ticket) error {
	if b.put != nil {
		return b.put()
	}
	return b.MemoryTickets.Put(ctx, t)
}

func (b *broken) Claim(context.Context, string, string) error { return b.claim() }

func TestBrokenTicketStore(t *testing.T) {
	secret := errors.New("secret")
	fails, panics := func() error { return secret }, func() error { panic("secret") }
	ctx := callerContext(t.Context())
	for _, put := range []func() error{fails, panics} {
		var lines strings.Builder
		logger := slog.New(slog.NewTextHandler(&lines, nil))
		s := newSending(t, &run.TicketOptions{Store: &broken{put: put}, Logger: logger}, nil)
		o := s.Call(ctx, sendCall)
		require.Equal(t, jig.StatusDenied, o.Status)
		require.NotContains(t, o.Text()+lines.String(), "secret")
	}
	for _, claim := range []func() error{fails, panics} {
		s := newSending(t, &run.TicketOptions{Store: &broken{claim: claim}}, nil)
		o := s.Resume(ctx, s.pending(t, sendCall), jig.Allow())
		require.Equal(t, jig.StatusDenied, o.Status)
		require.NotContains(t, o.Text(), "secret")
		require.Zero(t, s.runs.Load())
	}
}

func TestMemoryTickets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var store run.MemoryTickets
		ctx := t.Context()
		_, err := store.Get(ctx, "none")
		require.ErrorIs(t, err, run.ErrTicket)
		require.ErrorIs(t, store.Claim(ctx, "none", ""), run.ErrTicket)

		sent, metadata := []byte("sent"), map[string]string{"k": "v"}
		ticket := run.Ticket{ID: "a", Digest: "d", Sent: sent, Expires: time.Now().Add(time.Minute),
			Caller: jig.Caller{Metadata: metadata}}
		require.NoError(t, store.Put(ctx, ticket))
		sent[0], metadata["k"] = 'X', "changed"
		got, err := store.Get(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, "sent", string(got.Sent))
		got.Caller.Metadata["k"] = "changed"
		got, err = store.Get(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, "v", got.Caller.Metadata["k"])

		require.ErrorIs(t, store.Claim(ctx, "a", "other"), run.ErrTicket)
		require.NoError(t, store.Claim(ctx, "a", "d"))
		require.ErrorIs(t, store.Claim(ctx, "a", "d"), run.ErrTicket)

		require.NoError(t, store.Put(ctx, ticket))
		time.Sleep(time.Minute)
		require.NoError(t, store.Put(ctx, run.Ticket{ID: "b", Expires: time.Now().Add(1)})) // drops the first
		_, err = store.Get(ctx, "a")
		require.ErrorIs(t, err, run.ErrTicket)
	})
}
