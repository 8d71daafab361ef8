package run

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jig-go/jig"
)

// ErrTicket is returned for a ticket that is unknown, expired or used, and for one that is about
// another call than the one it is claimed for.
var ErrTicket = errors.New("no such ticket")

// A Ticket is a question about one call that waits for its answer. It holds the arguments in clear,
// and its ID is a secret: whoever has it may be able to answer.
type Ticket struct {
	ID      string
	CallID  string
	Tool    string // canonical name
	Sent    []byte // the argument text as it came, in clear
	Caller  jig.Caller
	Digest  string // what an answer is good for; see [jig.ApprovalRequest]
	Expires time.Time
	// For whoever answers, as [jig.ApprovalRequest] has them:
	Effect  jig.Effect
	Who     jig.Approval
	Reason  string
	Args    json.RawMessage // redacted
	Preview string
}

// Format prints tool and call only, whatever the verb.
func (t Ticket) Format(s fmt.State, _ rune) {
	_, _ = io.WriteString(s, t.summary())
}

// LogValue is tool and call only.
func (t Ticket) LogValue() slog.Value { return slog.StringValue(t.summary()) }

func (t Ticket) summary() string { return fmt.Sprintf("Ticket(%s %q)", t.Tool, t.CallID) }

// A TicketStore keeps tickets until they are claimed or expire. It is safe for concurrent use, and
// what it is given and returns is shared with nobody.
type TicketStore interface {
	// Put keeps a ticket under its ID.
	Put(context.Context, Ticket) error
	// Get returns the ticket with the id, and leaves it where it is. The error is [ErrTicket] for one
	// that is unknown, expired or claimed.
	Get(ctx context.Context, id string) (Ticket, error)
	// Claim takes the ticket with the id away if it has the digest and has not expired. Of all who
	// claim a ticket one gets nil. The error is [ErrTicket] for everyone else; a ticket with another
	// digest stays.
	Claim(ctx context.Context, id, digest string) error
}

// MemoryTickets is a TicketStore in memory. The zero MemoryTickets is empty and ready to use.
type MemoryTickets struct {
	mu      sync.Mutex
	tickets map[string]Ticket
	swept   time.Time // when expired tickets were last dropped
}

var _ TicketStore = (*MemoryTickets)(nil)

// sweepEvery is how often expired tickets are dropped, at most.
const sweepEvery = time.Minute

// Put keeps a ticket, and now and then drops those that have expired.
func (m *MemoryTickets) Put(_ context.Context, t Ticket) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now := time.Now(); now.Sub(m.swept) >= sweepEvery {
		maps.DeleteFunc(m.tickets, func(_ string, t Ticket) bool { return t.expired() })
		m.swept = now
	}
	if m.tickets == nil {
		m.tickets = map[string]Ticket{}
	}
	m.tickets[t.ID] = t.clone()
	return nil
}

// Get returns a copy of the ticket.
func (m *MemoryTickets) Get(_ context.Context, id string) (Ticket, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, ok := m.tickets[id]
	if !ok || t.expired() {
		return Ticket{}, ErrTicket
	}
	return t.clone(), nil
}

// Claim takes the ticket away.
func (m *MemoryTickets) Claim(_ context.Context, id, digest string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, ok := m.tickets[id]
	if !ok || t.expired() || t.Digest != digest {
		return ErrTicket
	}
	delete(m.tickets, id)
	return nil
}

func (t Ticket) expired() bool { return !time.Now().Before(t.Expires) }

func (t Ticket) clone() Ticket {
	t.Sent, t.Args = slices.Clone(t.Sent), slices.Clone(t.Args)
	t.Caller.Metadata = maps.Clone(t.Caller.Metadata)
	return t
}

// TicketOptions are the options of [NewTickets].
type TicketOptions struct {
	// Store keeps the tickets. Nil means a MemoryTickets.
	Store TicketStore
	// TTL is how long a ticket is good. Zero means an hour.
	TTL time.Duration
	// Logger gets a line for each ticket that could not be stored. Nil means slog.Default.
	Logger *slog.Logger
}

const defaultTTL = time.Hour

// Tickets is an Approver for hosts that do not wait for a person: it answers that the approval is
// pending, under a ticket, and the host makes the call later with Resume.
type Tickets struct{ options TicketOptions }

var _ jig.Approver = (*Tickets)(nil)

// NewTickets returns a Tickets under the options; nil means the defaults.
func NewTickets(options *TicketOptions) *Tickets {
	t := &Tickets{}
	if options != nil {
		t.options = *options
	}
	if t.options.Store == nil {
		t.options.Store = &MemoryTickets{}
	}
	if t.options.TTL <= 0 {
		t.options.TTL = defaultTTL
	}
	if t.options.Logger == nil {
		t.options.Logger = slog.Default()
	}
	return t
}

// Approve keeps the question and answers that it is pending.
func (t *Tickets) Approve(ctx context.Context, r jig.ApprovalRequest) jig.Decision {
	ticket := Ticket{
		ID: rand.Text(), CallID: r.CallID, Tool: r.Tool.Name(), Sent: jig.CallInfo(ctx).Call().Args,
		Caller: r.Caller, Digest: r.Digest, Expires: time.Now().Add(t.options.TTL),
		Effect: r.Tool.Effect(), Who: r.Who, Reason: r.Reason, Args: r.Args, Preview: r.Preview,
	}
	if err := t.options.Store.Put(ctx, ticket); err != nil {
		t.options.Logger.LogAttrs(ctx, slog.LevelError, "jig: a ticket could not be stored",
			slog.String("tool", ticket.Tool), slog.String("call", r.CallID),
			slog.String("error_type", fmt.Sprintf("%T", err)))
		return jig.Deny("its approval could not be asked for. Do not call it again; tell the user.")
	}
	return jig.Pending(ticket.ID)
}

// Ticket returns what is asked under a ticket, for whoever is to answer. The error is [ErrTicket]
// where nothing is, or no more.
func (t *Tickets) Ticket(ctx context.Context, id string) (Ticket, error) {
	ticket, err := t.options.Store.Get(ctx, id)
	switch {
	case err != nil:
		return Ticket{}, fmt.Errorf("run: ticket: %w", err)
	case ticket.expired():
		return Ticket{}, fmt.Errorf("run: ticket: %w", ErrTicket)
	}
	return ticket, nil
}

// Resume answers a question and makes its call, once. The context has to be for the caller for whom
// it was asked (see [jig.WithCaller]); that the answer came from the person who had to give it is for
// the host to check.
//
// The call is prepared and authorized again, Check and policy included, and passes the middleware of
// the registry again. The answer counts only if what would run now is what was asked about: the same
// tool, with the same schema and effects, for the same caller, with the same arguments. An answer
// uses the ticket up, whatever becomes of the call then; where the answer does not count, and while a
// call does not get as far as to be asked about, the ticket stays. [jig.Rewrite] answers with other
// arguments, which are a new question: the outcome is pending under another ticket.
func (t *Tickets) Resume(ctx context.Context, r *jig.Registry, id string, d jig.Decision) jig.Outcome {
	ticket, err := t.Ticket(ctx, id)
	if err != nil {
		return refused(err)
	}
	options := r.Options()
	c := &claim{store: t.options.Store, ticket: ticket, decision: d, next: options.Approver}
	// Always asked: where the rules have changed since, the answer does not count for that reason.
	options.Policy = jig.AllOf(options.Policy, jig.When(everyTool, jig.Ask()))
	options.Approver = c
	o := r.With(&options).Call(ctx, jig.Call{ID: ticket.CallID, Name: ticket.Tool, Args: ticket.Sent})
	if err := c.failure(); err != nil && o.Err != nil {
		o.Err = fmt.Errorf("%w: %w", o.Err, err)
	}
	return o
}

func everyTool(*jig.Tool) bool { return true }

// refused is the outcome where there is no call to make.
func refused(err error) jig.Outcome {
	return jig.Outcome{
		Status: jig.StatusDenied, Code: "ticket",
		Output: jig.Text("Nothing was run: the approval is unknown, was used before, or has expired."),
		Err:    fmt.Errorf("%w: %w", jig.ErrDenied, err),
	}
}

// A claim is the Approver of one Resume.
type claim struct {
	store    TicketStore
	ticket   Ticket
	decision jig.Decision
	next     jig.Approver // for the question that follows
	asked    atomic.Bool
	failed   atomic.Pointer[error] // also after Resume has returned, where its context ended
}

// Approve gives the answer if the ticket is good for the call. It runs once for the question of the
// ticket and, where the answer edits the arguments, once more for the question about those.
func (c *claim) Approve(ctx context.Context, r jig.ApprovalRequest) jig.Decision {
	if !c.asked.CompareAndSwap(false, true) {
		if c.next == nil {
			return jig.Deny("nobody can be asked about the other arguments")
		}
		return c.next.Approve(ctx, r)
	}
	err := fmt.Errorf("%w for this call, caller and definition", ErrTicket)
	if r.Digest == c.ticket.Digest {
		err = c.store.Claim(ctx, c.ticket.ID, r.Digest)
	}
	if err != nil {
		c.failed.Store(&err)
		return jig.Deny("the approval is for another call, was used before, or has expired")
	}
	return c.decision
}

func (c *claim) failure() error {
	if err := c.failed.Load(); err != nil {
		return *err
	}
	return nil
}
