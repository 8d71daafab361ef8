package jig

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// An attempt is one run of Execute and of ToModelOutput.
type attempt struct {
	reply
	args        any // *Args for the tool, where the call has none that others share
	attachments []Attachment
	ended       error         // why the attempt's context had ended when it failed, or nil
	timeout     time.Duration // that it had, unless the caller's context had ended; zero: none
	// late is closed when a tool that was given up has returned. Nil: it has.
	late <-chan struct{}
}

// A reply is what an attempt came to on the goroutine of the tool. An output has no error beside it.
type reply struct {
	Output Output `json:"output"`
	Cut    *Cut   `json:"cut,omitempty"`
	value  any
	err    error
	// ran says that Execute succeeded: an error is one of the output then.
	ran, panicked bool
}

// attempt runs the tool: on the caller's goroutine where nothing can end it early, else on one of
// its own, so that it returns in time whatever the tool does. It gives the tool's slot back once, when
// the tool has returned, which may be later.
func (x *execution) attempt(ctx context.Context, run *running, e *executed) {
	a := &e.attempt
	run.Context, run.x, run.number = ctx, x, int32(e.Attempts)
	switch timeout := x.owner.timeoutOf(x.tool); {
	case timeout > 0:
		x.timed(run, timeout, a)
	case ctx.Done() != nil:
		x.bounded(run, a)
	case x.tool.slots != nil:
		x.inSlot(run, a)
	default:
		a.run(run, &x.prepared, x.takeArgs(a), true)
	}
	a.attachments = run.end() // gone does it where the tool ends the goroutine
}

// inSlot runs the tool and gives its slot back, also when it ends the goroutine.
func (x *execution) inSlot(run *running, a *attempt) {
	defer x.tool.slots.release()
	a.run(run, &x.prepared, x.takeArgs(a), true)
}

// timed is bounded by a timeout as well.
func (x *execution) timed(run *running, timeout time.Duration, a *attempt) {
	ctx, cancel := context.WithTimeout(run, timeout)
	defer cancel()
	if x.bounded(ctx, a); a.err != nil && run.Err() == nil {
		a.timeout = timeout // the caller's context did not end it
	}
	run.end() // first, since what waits for the end of the tool's context is too late
}

// bounded runs the tool on a goroutine and stops waiting when the context ends. The result of a
// tool that returns later is dropped, and its return is logged. What no code of others is needed for
// is done here, after the tool: a goroutine is cheap as long as its stack need not grow.
func (x *execution) bounded(ctx context.Context, a *attempt) {
	w, apart := waits.Get().(*wait), x.owner.runsOthers(x.tool)
	w.x, w.ctx, w.args, w.apart = x, ctx, x.takeArgs(a), apart
	go w.work()
	runtime.Gosched() // most tools return at once: to let them costs half of what waiting does
	if w.state.Load() == waitOver || w.waitFor(a) {
		a.reply = w.reply
		if w.free(); !apart && a.err == nil {
			if a.shapeLater(ctx, &x.prepared); ctx.Err() != nil {
				a.giveUp(ctx, nil)
			}
		}
	}
	if a.err != nil {
		a.ended = ctx.Err()
	}
}

// A wait is for a tool on a goroutine of its own.
type wait struct {
	reply
	work  func() // runs the tool; kept, since to make it takes memory
	x     *execution
	ctx   context.Context
	args  any
	apart bool // the output is shaped there too
	state atomic.Int32
	done  chan struct{} // set in waitOn and later: closed when the tool has returned
}

// waits are kept by free.
var waits = sync.Pool{New: func() any {
	w := &wait{}
	w.work = func() {
		defer w.end() // also when the tool ends the goroutine
		w.run(w.ctx, &w.x.prepared, w.args, w.apart)
	}
	return w
}}

// free keeps w for another tool. Requirement: the tool has returned, and end has said so.
func (w *wait) free() {
	w.reply, w.x, w.ctx, w.args, w.done = reply{}, nil, nil, nil, nil
	w.state.Store(waitNew)
	waits.Put(w)
}

// The states of a wait, in their order: waitOn and waitLeft may be missing.
const (
	waitNew  int32 = iota // the tool runs, and nobody waits yet
	waitOn                // somebody waits for it
	waitLeft              // it was given up
	waitOver              // it has returned
)

// waitFor waits until the tool has returned, and reports whether it has: otherwise the context ended
// first, and a is an attempt that was given up.
func (w *wait) waitFor(a *attempt) bool {
	w.done = make(chan struct{})
	if !w.state.CompareAndSwap(waitNew, waitOn) {
		return true
	}
	select {
	case <-w.done:
		return true
	case <-w.ctx.Done():
	}
	behind := behindOf(w.ctx, &w.x.prepared)
	behind.add() // before the goroutine can see that it was given up
	if w.state.CompareAndSwap(waitOn, waitLeft) {
		a.giveUp(w.ctx, w.done)
		return false
	}
	behind.remove()
	<-w.done
	return true
}

// end says that the tool has returned: to whoever waits, or where it was given up, to the log.
func (w *wait) end() {
	p := &w.x.prepared
	p.tool.slots.release()
	switch w.state.Swap(waitOver) {
	case waitOn:
		close(w.done)
	case waitLeft:
		behindOf(w.ctx, p).remove()
		close(w.done)
		w.x.owner.line(w.ctx, slog.LevelWarn, "jig: a tool returned after it was given up",
			slog.String("tool", p.name()), slog.String("call", p.CallID))
	}
}

// giveUp makes a the attempt of a tool that has not returned when the context ended.
func (a *attempt) giveUp(ctx context.Context, late <-chan struct{}) {
	*a = attempt{reply: reply{err: ctx.Err()}, late: late}
	if errors.Is(a.err, context.DeadlineExceeded) {
		a.err = fmt.Errorf("%w: %w", ErrTimeout, a.err)
	}
}

// runsOthers reports whether code of the author or the host runs between Execute and the Outcome.
func (r *Registry) runsOthers(t *Tool) bool {
	return !t.view.pure || t.overflow == OverflowStore || r.options.MaxOutputTokens > 0
}

// run executes the tool and, if all is set, shapes its output. It decodes arguments of its own if args are
// nil. A panic anywhere in it is an error, and so is the end of the goroutine (runtime.Goexit), which the
// caller sees if it is not on it.
func (a *reply) run(ctx context.Context, p *prepared, args any, all bool) {
	returned := false
	defer a.contain(&returned)
	if args == nil {
		args = p.ownArgs()
	}
	result, err := p.tool.execute(ctx, args)
	if a.value = result; !noError(err) {
		a.err = err
	} else if a.ran = true; all {
		a.shape(ctx, p)
	}
	returned = true
}

// shapeLater is shape after run has returned.
func (a *reply) shapeLater(ctx context.Context, p *prepared) {
	returned := false
	defer a.contain(&returned)
	a.shape(ctx, p)
	returned = true
}

// shape makes the result what the model gets. Requirement: its panics are contained.
func (a *reply) shape(ctx context.Context, p *prepared) {
	var output Output
	var err error
	if p.tool.view.direct { // as most are
		output, err = p.tool.jsonOutput(reflect.ValueOf(a.value))
	} else {
		output, err = p.tool.modelOutput(ctx, a.value)
	}
	if noError(err) {
		a.Output, a.Cut, err = p.owner.fit(ctx, p, output)
	}
	if !noError(err) {
		a.err = err
	}
}

// contain, deferred, turns what happened instead of a return into an error.
func (a *reply) contain(returned *bool) {
	if v := recover(); !*returned {
		if v == nil {
			v = "the tool ended its goroutine (runtime.Goexit)"
		}
		a.panicked, a.err = true, &panicError{v, debug.Stack()}
	}
}

// A behind counts the attempts of a batch, other than those of reads, that were given up and have
// not returned. While there are any, no further call that is not a read may start in the batch. The
// methods of a nil behind do nothing.
type behind struct {
	mu    sync.Mutex
	n     int
	until time.Time     // how long it is worth waiting for the last one that was given up
	none  chan struct{} // closed when n falls to zero
}

type behindKey struct{}

// withBehind returns the context of a batch, in which Execute skips what may not start.
func withBehind(ctx context.Context) context.Context {
	return context.WithValue(ctx, behindKey{}, &behind{})
}

// behindOf returns what counts for a call, or nil: outside a batch, and for a read.
func behindOf(ctx context.Context, p *prepared) *behind {
	if p.tool.effect == EffectRead {
		return nil
	}
	b, _ := ctx.Value(behindKey{}).(*behind)
	return b
}

func (b *behind) add() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.n++; b.n == 1 {
		b.none = make(chan struct{})
	}
	b.until = time.Now().Add(lateness)
}

func (b *behind) remove() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.n--; b.n == 0 {
		close(b.none)
	}
}

// any reports whether there still are some, after the moment that a tool which heeds its context
// needs to return.
func (b *behind) any(ctx context.Context) bool {
	return b != nil && b.anyLeft(ctx)
}

// anyLeft is any in a batch.
func (b *behind) anyLeft(ctx context.Context) bool {
	b.mu.Lock()
	n, none, wait := b.n, b.none, time.Until(b.until)
	b.mu.Unlock()
	if n == 0 {
		return false
	}
	timer := time.NewTimer(max(wait, 0))
	defer timer.Stop()
	select {
	case <-none:
		return false
	case <-ctx.Done():
	case <-timer.C:
	}
	select {
	case <-none:
		return false
	default:
		return true
	}
}
