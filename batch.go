package jig

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

const defaultParallel = 8

// CallAll runs the calls of one turn and returns one Outcome for each, in the order of the calls.
// Reads run in parallel, up to Options.MaxParallel. Every other call runs alone: after all that stand
// before it have ended, and before any that stands after it starts. A failure of one stops no other,
// and undoes nothing: see Saga of package run for that.
//
// Calls of terminal answer tools (see [DefineAnswer]) are made first. Once one is accepted, all other
// calls of the turn are skipped.
func (r *Registry) CallAll(ctx context.Context, calls []Call) []Outcome {
	// What can be cancelled runs on goroutines of jig's, so that a tool which ends its own is a
	// failed call and no lost one.
	ctx, cancel := context.WithCancel(withBehind(ctx))
	defer cancel()
	b := &batch{r: r, outcomes: make([]Outcome, len(calls)), slots: make(chan struct{}, r.parallel())}
	var rest []int
	for i, c := range calls {
		if !r.endsRun(c) {
			rest = append(rest, i)
			continue
		}
		b.start(ctx, i, c, true)
	}
	for _, i := range rest {
		b.start(ctx, i, calls[i], false)
	}
	b.drain()
	return b.outcomes
}

func (r *Registry) parallel() int {
	if r.options.MaxParallel > 0 {
		return r.options.MaxParallel
	}
	return defaultParallel
}

// endsRun reports whether a call is for a terminal answer tool.
func (r *Registry) endsRun(c Call) bool {
	tool, _, unknown := r.set().resolve(c.Name)
	return unknown == nil && tool.Terminal()
}

// A batch is the calls of a turn while they are made. One goroutine starts them in order.
type batch struct {
	r        *Registry
	outcomes []Outcome
	slots    chan struct{} // holds an element for each call under way
	started  []*member
	stopped  atomic.Pointer[failure] // set: what has not started yet is skipped, for this reason
}

// A member is one call of a batch on its own goroutine.
type member struct {
	arrived chan bool     // at the core, with whether it only reads; has room for one
	release chan struct{} // closed when it may go on
	done    chan struct{} // closed when its outcome is there
	once    sync.Once
	alone   bool // set before release is closed
}

// start starts a call. It returns when the call has passed the middleware, and where the call has to
// be alone, when it has ended.
func (b *batch) start(ctx context.Context, i int, c Call, alone bool) {
	m := &member{arrived: make(chan bool, 1), release: make(chan struct{}), done: make(chan struct{})}
	b.slots <- struct{}{}
	go func() {
		returned := false
		defer func() { // also when a middleware ends the goroutine
			if !returned {
				b.outcomes[i] = b.r.middlewareFailed(ctx, c,
					&panicError{value: "the goroutine was ended (runtime.Goexit)"})
			}
			<-b.slots
			close(m.done)
		}()
		b.outcomes[i] = b.r.through(ctx, c, func(ctx context.Context, c Call) Outcome {
			return b.core(ctx, c, m)
		})
		returned = true
	}()
	select {
	case reads := <-m.arrived:
		m.alone = alone || !reads
		if m.alone {
			b.drain()
		}
		close(m.release)
		if b.started = append(b.started, m); m.alone {
			b.drain()
		}
	case <-m.done: // a middleware answered
		close(m.release)
	}
}

// drain waits until every call that was started has ended.
func (b *batch) drain() {
	for _, m := range b.started {
		<-m.done
	}
	b.started = b.started[:0]
}

// core makes a call that has come through the middleware, when its time has come.
func (b *batch) core(ctx context.Context, c Call, m *member) (o Outcome) {
	x, args := b.r.begin(c)
	p := &x.prepared
	reads := p.Failure != nil || p.tool.effect == EffectRead
	m.once.Do(func() { m.arrived <- reads })
	<-m.release
	f := b.stopped.Load()
	if !reads && !m.alone { // a middleware that calls on twice
		f = &failure{Status: StatusSkipped, Code: codeSkipped, Stage: stageExecute, Text: "Not run: other " +
			"calls of the turn are running, and " + p.name() + " has to run alone."}
	}
	if f == nil && !reads && ctx.Err() == nil && behindOf(ctx, p).any(ctx) {
		f = stillRunning()
	}
	if f != nil {
		q := *p
		q.Failure = f
		return b.r.Render(Prepared{&q}, Executed{})
	}
	b.r.finish(ctx, x, args, &o)
	switch {
	case o.Status == StatusOK && p.tool.Terminal():
		b.stopped.CompareAndSwap(nil, notStarted(codeAnswered,
			"Not run: "+p.name()+" has given the answer, and the run ends with it."))
	case o.Status == StatusPending && b.r.options.HoldPending:
		b.stopped.CompareAndSwap(nil, notStarted(codeHeld, "Not run: "+p.name()+
			" was called in the same turn and waits for approval. Call it again after that."))
	}
	return o
}

// notStarted is for a call of a batch that another call of it has stopped.
func notStarted(code, text string) *failure {
	return &failure{Status: StatusSkipped, Code: code, Stage: stageExecute, Text: text,
		cause: fmt.Errorf("%w: %s", ErrSkipped, code)}
}
