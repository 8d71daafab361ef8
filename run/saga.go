package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/jig-go/jig"
)

// Saga makes the calls of one turn all together or not at all, as far as that can be had. All of them
// are prepared and authorized first, and if one may not run, none does. Then they run one after the
// other. The first that fails stops the rest, and what was registered with [jig.Compensate], and by
// tools with an Undo, is undone over the whole batch, the last first, the failed call's own included.
//
// The outcomes are in the order of the calls. Calls that had succeeded are rolled_back, or failed with
// the code rollback_failed where an undo failed or there was none; later calls are skipped. Every
// call passes the middleware once, which sees its last outcome; so none may hold back another call
// until its own has ended. A terminal answer is made first and ends the batch, as in
// [jig.Registry.CallAll].
func (s *Session) Saga(ctx context.Context, calls []jig.Call) []jig.Outcome {
	ctx, cancel := context.WithCancel(s.begin(ctx, false))
	defer cancel()
	b := &saga{s: s, ctx: ctx, outcomes: make([]jig.Outcome, len(calls))}
	if b.answered(calls) {
		for i, c := range calls {
			if b.outcomes[i].Status == "" {
				b.enter(i, c)
			}
		}
		b.skipAll("answered", "the answer was given, and the run ends with it.")
		return b.outcomes
	}
	for i, c := range calls {
		if b.outcomes[i].Status == "" {
			b.enter(i, c)
		}
	}
	if slices.ContainsFunc(b.members, func(m *member) bool { return !m.allowed() }) {
		b.skipAll("batch", "another call of the batch may not run, so that none was.")
		return b.outcomes
	}
	b.run()
	return b.outcomes
}

// A saga is a batch while it is made.
type saga struct {
	s        *Session
	ctx      context.Context
	outcomes []jig.Outcome
	members  []*member // in the order of the calls
}

// A member is one call of a saga. Its goroutine passes the middleware and waits at the gate.
type member struct {
	index    int
	used     atomic.Bool      // the gate was reached
	arrived  chan struct{}    // closed at the gate, after ctx and prepared are set
	final    chan jig.Outcome // what the gate returns
	done     chan struct{}    // closed when outcome is set
	ctx      context.Context  // as the middleware passed it on
	prepared jig.Prepared     // authorized or settled
	answered bool             // the gate was not reached
	outcome  jig.Outcome      // from the middleware
	undos    *jig.Undos       // nil: not executed
	status   jig.Outcome      // what the gate will return
}

type memberKey struct{}

// answered makes the calls of terminal answer tools, until one is accepted.
func (b *saga) answered(calls []jig.Call) bool {
	r := b.s.registry
	for i, c := range calls {
		name := r.Render(r.Prepare(c), jig.Executed{}).Tool
		if tool, ok := r.Lookup(name); !ok || !tool.Terminal() {
			continue
		}
		// Made like a call alone: where it does not stand, the others are a saga without it.
		b.outcomes[i] = r.Call(b.ctx, c)
		if b.outcomes[i].Status == jig.StatusOK {
			return true
		}
	}
	return false
}

// enter starts a call and returns when it is at the gate, or has ended before.
func (b *saga) enter(i int, c jig.Call) {
	m := &member{index: i, arrived: make(chan struct{}), final: make(chan jig.Outcome, 1),
		done: make(chan struct{})}
	b.members = append(b.members, m)
	go func() {
		defer close(m.done)
		m.outcome = jig.Outcome{CallID: c.ID, Tool: c.Name, Status: jig.StatusFailed, Code: "panic",
			Output: jig.Text("The call failed; the details are not available here. It is unknown whether " +
				"it took effect: check before you call it again."), Err: jig.ErrPanic}
		// Where a middleware ends the goroutine, that stays.
		m.outcome = b.s.registry.Call(context.WithValue(b.ctx, memberKey{}, m), c)
	}()
	select {
	case <-m.arrived:
	case <-m.done:
		m.answered = true
	}
}

// gate is the innermost middleware. In a saga it prepares and authorizes the call, and waits there
// for what becomes of it.
func (s *Session) gate(next jig.Handler) jig.Handler {
	return func(ctx context.Context, c jig.Call) jig.Outcome {
		m, _ := ctx.Value(memberKey{}).(*member)
		if m == nil {
			return next(ctx, c)
		}
		if !m.used.CompareAndSwap(false, true) { // a middleware that calls on twice
			return skipped(c.Name, "batch", "a call of a batch runs once.")
		}
		// A call that the tool makes in turn is none of the batch.
		m.ctx = context.WithValue(ctx, memberKey{}, (*member)(nil))
		m.prepared = s.registry.Authorize(m.ctx, s.registry.Prepare(c))
		m.status = s.registry.Render(m.prepared, jig.Executed{})
		close(m.arrived)
		return <-m.final
	}
}

// allowed reports whether nothing stands against running the call.
func (m *member) allowed() bool {
	if m.answered {
		return m.outcome.Status == jig.StatusOK
	}
	return m.prepared.Status() == ""
}

// skipAll ends a batch of which nothing was run.
func (b *saga) skipAll(code, why string) {
	for _, m := range b.members {
		if !m.answered && (code == "answered" || m.prepared.Status() == "") {
			m.status = skipped(m.status.Tool, code, why)
		}
	}
	b.finish()
}

// finish lets every call end with its status, in order.
func (b *saga) finish() {
	for _, m := range b.members {
		if !m.answered {
			m.final <- m.status
		}
		<-m.done
		b.outcomes[m.index] = m.outcome
	}
}

// run executes the calls in order until one fails, and undoes them then.
func (b *saga) run() {
	failed := -1
	for i, m := range b.members {
		if failed >= 0 {
			m.status = skipped(m.status.Tool, "batch", "an earlier call of the batch failed.")
			continue
		}
		if m.answered {
			continue
		}
		ctx, undos := jig.WithUndos(m.ctx)
		m.undos = undos
		m.status = b.s.registry.Render(m.prepared, b.s.registry.Execute(ctx, m.prepared))
		if m.status.IsError() {
			failed = i
		}
	}
	if failed >= 0 {
		b.undo(failed)
	}
	b.finish()
	if failed >= 0 {
		return
	}
	// A middleware may make a failure of a success, when the others have ended already.
	failed = slices.IndexFunc(b.members, func(m *member) bool { return m.outcome.IsError() })
	if failed < 0 {
		return
	}
	b.undo(failed)
	for _, m := range b.members {
		if m.outcome.Status == jig.StatusOK && !m.answered {
			id := m.outcome.CallID
			m.outcome = m.status
			m.outcome.CallID = id
			b.outcomes[m.index] = m.outcome
		}
	}
}

// undo undoes what was run, the last call first, and settles the statuses of the calls. The one that
// failed keeps its own.
func (b *saga) undo(failed int) {
	ctx := b.ctx
	for i, m := range slices.Backward(b.members) {
		if m.undos == nil {
			continue
		}
		had := m.undos.Len()
		errs := m.undos.Run(ctx)
		switch tool, ok := b.s.registry.Lookup(m.status.Tool); {
		case i == failed && len(errs) > 0:
			m.status.Output.Parts = append(m.status.Output.Parts,
				jig.Part{Text: "What it had done could not be undone."})
			m.status.Err = fmt.Errorf("%w: %w", m.status.Err, errors.Join(errs...))
		case i == failed:
		case len(errs) > 0:
			m.status = undone(m.status, "could not be undone", errors.Join(errs...))
		case had == 0 && (!ok || tool.Effect() != jig.EffectRead):
			m.status = undone(m.status, "was not undone, since it has no undo", errors.New("no undo"))
		default:
			m.status = undone(m.status, "was undone", nil)
		}
	}
}

// undone is the outcome of a call that had succeeded in a batch that failed.
func undone(o jig.Outcome, how string, cause error) jig.Outcome {
	text := o.Tool + " did run and " + how + ": another call of the batch failed."
	o.Status, o.Code, o.Retryable, o.Answer = jig.StatusRolledBack, "rolled_back", false, nil
	if o.Err = errors.New("another call of the batch failed"); cause != nil {
		o.Status, o.Code = jig.StatusFailed, "rollback_failed"
		o.Err = fmt.Errorf("rollback failed: %w", cause)
		text += " Its effect still stands."
	}
	o.Err = &jig.CallError{Tool: o.Tool, Stage: "undo", Err: o.Err}
	o.Output, o.Cut = jig.Text(text), nil
	return o
}

// skipped is the outcome of a call that was not started.
func skipped(tool, code, why string) jig.Outcome {
	return jig.Outcome{
		Tool: tool, Status: jig.StatusSkipped, Code: code, Output: jig.Text("Not run: " + why),
		Err: &jig.CallError{Tool: tool, Stage: "execute", Err: fmt.Errorf("%w: %s", jig.ErrSkipped, code)},
	}
}
