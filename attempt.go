package jig

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// An attempt is one run of Execute and of ToModelOutput.
type attempt struct {
	output      Output
	cut         *Cut
	value       any
	attachments []Attachment
	err         error
	// ran says that Execute succeeded: an error is one of the output then.
	ran, panicked bool
	ended         error         // why the attempt's context had ended when it failed, or nil
	timeout       time.Duration // the timeout that ended it, or zero
	// late is closed when a tool that was given up has returned. Nil: it has.
	late <-chan struct{}
}

// attempt runs the tool: on the caller's goroutine where nothing can end it early, else on one of
// its own, so that it returns in time whatever the tool does. It gives the tool's slot back once, when
// the tool has returned, which may be later.
func (x *execution) attempt(ctx context.Context, number int) attempt {
	r, p := x.r, x.p
	timeout := r.timeoutOf(p.tool)
	run := &x.first
	if number > 1 {
		run = &running{}
	}
	run.Context, run.info = ctx, Info{p, run}
	run.x, run.number = x, int32(number)
	var inner context.Context = run
	if timeout <= 0 && ctx.Done() == nil {
		defer p.tool.slots.release() // also when the tool ends the goroutine
		var a attempt
		a.run(inner, r, p, true)
		a.attachments = run.end()
		return a
	}
	if timeout > 0 {
		var cancel context.CancelFunc
		inner, cancel = context.WithTimeout(inner, timeout)
		defer cancel()
	}
	a := r.bounded(inner, p)
	a.attachments = run.end()
	if a.err != nil {
		a.ended = inner.Err()
		if ctx.Err() == nil {
			a.timeout = timeout // the caller's context did not end it
		}
	}
	return a
}

// bounded runs the tool on a goroutine and stops waiting when the context ends. The result of a
// tool that returns later is dropped, and its return is logged. What no code of others is needed for
// is done here, after the tool: a goroutine is cheap as long as its stack need not grow.
func (r *Registry) bounded(ctx context.Context, p *prepared) attempt {
	done := make(chan attempt, 1) // a new one: synctest tells those made outside of its bubble apart
	apart, behind := r.runsOthers(p.tool), behindOf(ctx, p)
	w := &wait{}
	go func() {
		var a attempt
		defer func() { // also when the tool ends the goroutine
			p.tool.slots.release()
			if w.settled.CompareAndSwap(false, true) {
				done <- a
				return
			}
			behind.remove()
			close(w.late)
			r.line(ctx, slog.LevelWarn, "jig: a tool returned after it was given up",
				slog.String("tool", p.Tool), slog.String("call", p.Call.ID))
		}()
		a.run(ctx, r, p, apart)
	}()
	var a attempt
	select {
	case a = <-done:
	case <-ctx.Done():
		behind.add() // before the goroutine can see that it was given up
		w.late = make(chan struct{})
		if w.settled.CompareAndSwap(false, true) {
			return givenUp(ctx, w.late)
		}
		behind.remove()
		a = <-done
	}
	if apart || a.err != nil {
		return a
	}
	if a.shape(ctx, r, p); ctx.Err() != nil {
		return givenUp(ctx, nil)
	}
	return a
}

// A wait is for a tool on a goroutine of its own.
type wait struct {
	settled atomic.Bool   // by whoever comes first: the tool or the end of the context
	late    chan struct{} // see attempt; set before the end of the context settles the wait
}

// givenUp is the attempt of a tool that has not returned when the context ended.
func givenUp(ctx context.Context, late <-chan struct{}) attempt {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return attempt{err: fmt.Errorf("%w: %w", ErrTimeout, ctx.Err()), late: late}
	}
	return attempt{err: ctx.Err(), late: late}
}

// runsOthers reports whether code of the author or the host runs between Execute and the Outcome.
func (r *Registry) runsOthers(t *Tool) bool {
	return !t.view.pure || t.overflow == OverflowStore || r.options.MaxOutputTokens > 0
}

// run executes the tool and, if all is set, shapes its output. A panic anywhere in it is an error,
// and so is the end of the goroutine (runtime.Goexit), which the caller sees if it is not on it.
func (a *attempt) run(ctx context.Context, r *Registry, p *prepared, all bool) {
	returned := false
	defer a.contain(&returned)
	result, err := p.tool.execute(ctx, p.takeArgs())
	if a.value = result; !noError(err) {
		a.err = err
	} else if a.ran = true; all {
		a.shape(ctx, r, p)
	}
	returned = true
}

// shape makes the result what the model gets.
func (a *attempt) shape(ctx context.Context, r *Registry, p *prepared) {
	returned := false
	defer a.contain(&returned)
	var err error
	if a.output, err = p.tool.modelOutput(ctx, a.value); noError(err) {
		a.output, a.cut, err = r.fit(ctx, p, a.output)
	}
	if !noError(err) {
		a.err = err
	}
	returned = true
}

// contain, deferred, turns what happened instead of a return into an error.
func (a *attempt) contain(returned *bool) {
	if v := recover(); !*returned {
		if v == nil {
			v = "the tool ended its goroutine (runtime.Goexit)"
		}
		a.panicked, a.err = true, &panicError{v, debug.Stack()}
	}
}

func (p *prepared) takeArgs() any {
	if p.args.taken.CompareAndSwap(false, true) {
		return p.args.value
	}
	return p.ownArgs()
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
	if b == nil {
		return false
	}
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
