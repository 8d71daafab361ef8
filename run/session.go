// Package run is the runtime for hosts: sessions that count the calls of a run and stop a model that
// goes round in circles, batches that are made all together or not at all, and approvals that are
// given later, under a ticket. It is built on the exported names of package jig alone.
//
//	s := run.New(registry, &run.Options{MaxCalls: 50})
//	outcomes := s.CallAll(ctx, calls) // the calls of one turn
//
// Simple agents need none of it: [jig.Registry.CallAll] makes the calls of a turn too.
package run

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"

	"github.com/jig-go/jig"
)

// Options are the limits of a session. The zero Options is the default.
type Options struct {
	// Caller is on whose behalf the calls are made. The zero Caller leaves that to the context of
	// each turn (see [jig.WithCaller]).
	Caller jig.Caller
	// MaxCalls bounds the calls of the run. Zero means no bound.
	MaxCalls int
	// MaxCallsPerTool bounds the calls of each tool. Zero means no bound.
	MaxCallsPerTool int
	// ToolLimits bounds the calls of single tools, by canonical name, in the place of
	// MaxCallsPerTool. A limit of zero allows none.
	ToolLimits map[string]int
	// MaxIdentical is how often one call, with the same tool and arguments, may fail. The last time
	// its text says so; after that the call is denied. Zero means 3.
	MaxIdentical int
	// RepairTurns is in how many turns, one after the other, a model may correct invalid calls of a
	// tool, before it is told to stop. Zero means 1.
	RepairTurns int
	// Tickets answers where a person has to be asked and the registry has no Approver; see
	// [Session.Resume]. Nil denies there.
	Tickets *Tickets
}

const (
	defaultIdentical   = 3
	defaultRepairTurns = 1
)

// A Session makes the calls of one run of an agent: it counts them, numbers ids that a provider
// repeats, and stops a model that goes round in circles. All methods are safe for concurrent use;
// several turns may be under way at once.
type Session struct {
	registry *jig.Registry // with the session's middleware
	options  Options

	mu    sync.Mutex
	turns int
	calls int
	tools map[string]*toolCount
	same  map[string]*sameCall
	ids   map[string]string // of the calls so far, as numbered: the id that the provider gave
}

// New returns a session on the tools of a registry, later ones too, under the registry's options. Its
// counting is the innermost middleware. Nil options mean the defaults.
func New(registry *jig.Registry, options *Options) *Session {
	s := &Session{tools: map[string]*toolCount{}, same: map[string]*sameCall{}, ids: map[string]string{}}
	if options != nil {
		s.options = *options
		s.options.ToolLimits = maps.Clone(options.ToolLimits)
		s.options.Caller.Metadata = maps.Clone(options.Caller.Metadata)
	}
	if s.options.MaxIdentical <= 0 {
		s.options.MaxIdentical = defaultIdentical
	}
	if s.options.RepairTurns <= 0 {
		s.options.RepairTurns = defaultRepairTurns
	}
	inner := registry.Options()
	if inner.Approver == nil && s.options.Tickets != nil {
		inner.Approver = s.options.Tickets
	}
	inner.Middleware = append(inner.Middleware, s.Count, s.gate)
	s.registry = registry.With(&inner)
	return s
}

// A turn is one answer of the model with the calls in it.
type turn struct {
	number  int
	resumed bool
}

type turnKey struct{}

// begin returns the context of a new turn.
func (s *Session) begin(ctx context.Context, resumed bool) context.Context {
	c := s.options.Caller
	if c.RunID != "" || c.UserID != "" || c.TenantID != "" || c.Metadata != nil {
		ctx = jig.WithCaller(ctx, c)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns++
	return context.WithValue(ctx, turnKey{}, &turn{s.turns, resumed})
}

// Call makes a call that is a turn of its own.
func (s *Session) Call(ctx context.Context, c jig.Call) jig.Outcome {
	return s.registry.Call(s.begin(ctx, false), c)
}

// CallAll makes the calls of one turn, as [jig.Registry.CallAll] does.
func (s *Session) CallAll(ctx context.Context, calls []jig.Call) []jig.Outcome {
	return s.registry.CallAll(s.begin(ctx, false), calls)
}

// Resume gives the answer to the question of a pending call and makes the call, once; see
// [Tickets.Resume]. It is for hosts that do not wait for a person, and needs Options.Tickets. The
// outcome has the id that the provider gave the call; what the host tells the model of it goes as
// text of the user where the pending text was sent as the call's result already.
func (s *Session) Resume(ctx context.Context, ticket string, d jig.Decision) jig.Outcome {
	if s.options.Tickets == nil {
		return refused(ErrTicket)
	}
	o := s.options.Tickets.Resume(s.begin(ctx, true), s.registry, ticket, d)
	s.mu.Lock()
	defer s.mu.Unlock()
	if id, ok := s.ids[o.CallID]; ok {
		o.CallID = id
	}
	return o
}

// toolCount is what a session knows of one tool.
type toolCount struct {
	calls   int
	invalid invalidTurns
}

// invalidTurns counts the turns, one after the other, with invalid calls of a tool.
type invalidTurns struct {
	turns int
	last  int // the number of the last one
}

// sameCall counts the calls with one tool and one set of arguments.
type sameCall struct {
	failed int
	under  int // under way
}

// counted is a call that a session has let in.
type counted struct {
	tool   string
	key    string
	valid  bool         // its arguments meet the schema
	before invalidTurns // of the tool
	stop   bool         // invalid once too often
	nth    int          // failing call of its kind, should it fail
}

// Count is the session's middleware, for hosts that make calls by the phases and want them counted:
// the next handler is theirs then. Sessions put it around every call by themselves.
func (s *Session) Count(next jig.Handler) jig.Handler {
	return func(ctx context.Context, c jig.Call) jig.Outcome {
		t, _ := ctx.Value(turnKey{}).(*turn)
		if t == nil {
			ctx = s.begin(ctx, false)
			t = ctx.Value(turnKey{}).(*turn)
		}
		// What the call is, without anything done about it.
		head := s.registry.Render(s.registry.Prepare(c), jig.Executed{})
		k, denial := s.admit(t, c, head)
		if denial != nil {
			return *denial
		}
		c.ID = s.numbered(t, c.ID)
		ended := false
		defer func() {
			if !ended { // a panic of the next handler
				s.release(k)
			}
		}()
		o := next(ctx, c)
		ended = true
		return s.settle(ctx, t, k, c, o)
	}
}

// admit counts a call, or returns why it may not be made.
func (s *Session) admit(t *turn, c jig.Call, head jig.Outcome) (counted, *jig.Outcome) {
	k := counted{tool: head.Tool, key: identity(head.Tool, c.Args),
		valid: head.Status != jig.StatusInvalid}
	s.mu.Lock()
	defer s.mu.Unlock()
	count, same := s.tools[k.tool], s.same[k.key]
	if count == nil {
		count = &toolCount{}
		s.tools[k.tool] = count
	}
	if same == nil {
		same = &sameCall{}
		s.same[k.key] = same
	}
	if why, code := s.refusal(k.tool, count, same); why != "" {
		return k, denied(k.tool, code, why)
	}
	s.calls++
	count.calls++
	same.under++
	k.nth = same.failed + same.under
	// Decided here, where calls come in order, and not when parallel ones happen to end.
	if k.before = count.invalid; k.valid {
		count.invalid = invalidTurns{}
	} else {
		k.stop = count.invalid.add(t.number) > s.options.RepairTurns
	}
	return k, nil
}

// refusal says why a call may not be made, or "".
func (s *Session) refusal(tool string, count *toolCount, same *sameCall) (why, code string) {
	limit, single := s.options.ToolLimits[tool]
	if !single {
		limit = s.options.MaxCallsPerTool
	}
	switch {
	case same.failed >= s.options.MaxIdentical:
		return "this same call has failed " + times(same.failed) + " already. Do not make it again; try " +
			"something else, or tell the user.", "repeated"
	case s.options.MaxCalls > 0 && s.calls >= s.options.MaxCalls:
		return "the run has used up its " + callsOf(s.options.MaxCalls) + ". Finish with what you have.",
			"run_limit"
	case (single || limit > 0) && count.calls >= limit:
		return "the run has used up its " + callsOf(limit) + " of this tool. Go on without it.",
			"tool_limit"
	}
	return "", ""
}

// release takes a call back that has left nothing to count.
func (s *Session) release(k counted) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.same[k.key].under--
}

// settle counts what became of a call, and words it for a model that goes round in circles.
func (s *Session) settle(
	ctx context.Context, t *turn, k counted, c jig.Call, o jig.Outcome,
) jig.Outcome {
	s.mu.Lock()
	count, same := s.tools[k.tool], s.same[k.key]
	same.under--
	again := false
	switch o.Status {
	case jig.StatusSkipped:
		s.calls--
		count.calls--
		count.invalid = k.before
	case jig.StatusPending, jig.StatusRolledBack:
	case jig.StatusOK:
		same.failed = 0
	default:
		same.failed++
		again = k.nth >= s.options.MaxIdentical
	}
	if o.Status == jig.StatusInvalid && k.valid { // its Check refused it
		count.invalid = k.before
		k.stop = count.invalid.add(t.number) > s.options.RepairTurns
	}
	s.mu.Unlock()
	if k.stop && o.Status == jig.StatusInvalid && o.Retryable {
		o = s.stopped(ctx, c, o)
	}
	if again {
		o.Retryable = false
		o.Output.Parts = append([]jig.Part{{Text: "This same call has now failed " + times(k.nth) +
			". It will not be run again: do something else, or tell the user."}}, o.Output.Parts...)
	}
	return o
}

// add counts an invalid call in a turn and returns how many turns had some.
func (i *invalidTurns) add(turn int) int {
	if i.turns == 0 || i.last != turn {
		i.turns++
	}
	i.last = turn
	return i.turns
}

// stopped makes an invalid outcome the last word about a call: what [jig.Registry.RepairOnce] does
// where nothing is corrected.
func (s *Session) stopped(ctx context.Context, c jig.Call, o jig.Outcome) jig.Outcome {
	options := s.registry.Options()
	options.Middleware = []jig.Middleware{func(jig.Handler) jig.Handler {
		return func(context.Context, jig.Call) jig.Outcome { return o }
	}}
	return s.registry.With(&options).RepairOnce(ctx, c,
		func(context.Context, jig.Outcome) (jig.Call, bool) { return jig.Call{}, false })
}

// numbered returns an id under which no other call of the session was made: the id itself, or with
// the number of the turn where the provider gives it again.
func (s *Session) numbered(t *turn, id string) string {
	if id == "" || t.resumed {
		return id
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	unique := id
	for n := 1; ; n++ {
		if _, taken := s.ids[unique]; !taken {
			s.ids[unique] = id
			return unique
		}
		unique = id + "~" + strconv.Itoa(t.number)
		if n > 1 {
			unique += "." + strconv.Itoa(n)
		}
	}
}

// denied is the outcome of a call that the session does not let in.
func denied(tool, code, why string) *jig.Outcome {
	return &jig.Outcome{
		Tool: tool, Status: jig.StatusDenied, Code: code, Output: jig.Text("Not run: " + why),
		Err: &jig.CallError{Tool: tool, Stage: "session", Err: fmt.Errorf("%w: %s", jig.ErrDenied, code)},
	}
}

// identity is a text that calls of one tool with equal arguments share.
func identity(tool string, args json.RawMessage) string {
	d := json.NewDecoder(strings.NewReader(string(args)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err == nil && !d.More() {
		if text, err := json.Marshal(v); err == nil { // sorts the keys
			args = text
		}
	}
	return tool + "\n" + strings.TrimSpace(string(args))
}

func times(n int) string { return strconv.Itoa(n) + " times" }

func callsOf(n int) string {
	if n == 1 {
		return "1 call"
	}
	return strconv.Itoa(n) + " calls"
}
