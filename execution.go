package jig

import (
	"context"
	"sync"
	"time"
)

// An execution is a call on its way from Prepare to Render, or one run of Registry.Execute: its attempts share
// the idempotency key and the undos.
type execution struct {
	prepared // by the registry that runs the call

	mu     sync.Mutex // of extras and, while an attempt is under way, of what fixKey writes
	extras *extras    // nil: none, and the tool has no Undo

	first running // memory for the first attempt
}

// extras are what few executions have.
type extras struct {
	undos       Undos
	token       *undoToken   // of UndoWith; nil: none
	durable     sync.Once    // makes Spec.Undo run once, wherever it is called for
	attachments []Attachment // of the attempt that is under way, or was the last
	keyRead     bool         // the tool has asked for its idempotency key
}

// extra returns the extras of an attempt that is under way, for it to add to, or nil where it has ended.
// Requirement: r.x.mu is held.
func (r *running) extra() *extras {
	if r.ended {
		return nil
	}
	if r.x.extras == nil {
		r.x.extras = &extras{}
	}
	return r.x.extras
}

// run makes the call, or finds that it was made: in the cache, or in the once store.
// Here and below e is new, and is what is returned where attempts were made.
func (x *execution) run(ctx context.Context, e *executed) *executed {
	x.fixKey() // stores may ask for it
	if behindOf(ctx, &x.prepared).any(ctx) {
		return &executed{Failure: stillRunning()}
	}
	if x.usesCache() {
		return x.cached(ctx, x.cacheKey(), e)
	}
	return x.make(ctx, e)
}

// make makes the call, under the once store where there is one.
func (x *execution) make(ctx context.Context, e *executed) *executed {
	if x.owner.options.Once != nil {
		return x.onceOnly(ctx, e)
	}
	x.start(ctx, e)
	return e
}

// start is attempts where the context may have ended since Execute looked at it.
func (x *execution) start(ctx context.Context, e *executed) {
	if ctx.Err() != nil {
		e.Failure = skipped(ctx.Err())
		return
	}
	x.attempts(ctx, e)
}

// epoch is what times are measured from: the monotonic clock alone is read then.
var epoch = time.Now()

// attempts makes attempts until one succeeds or none may follow. The last one is that of e.
// Requirement: the context had not ended a moment ago.
func (x *execution) attempts(ctx context.Context, e *executed) {
	start, returned := time.Since(epoch), false
	run := &x.first
	defer func() {
		if !returned { // the tool ended the caller's goroutine
			x.gone(ctx, run, e)
		}
	}()
	for x.tool.slots.acquire(ctx) == nil {
		if e.Attempts++; e.Attempts > 1 {
			run, e.attempt = x.again(), attempt{}
		}
		x.attempt(ctx, run, e)
		if e.err == nil || !x.mayFollow(ctx, e) {
			break
		}
	}
	returned = true
	if e.Attempts == 0 {
		e.Failure = skipped(ctx.Err())
		return
	}
	e.Duration = time.Since(epoch) - start
	if x.tool.undo != nil {
		e.durable = &x.extras.durable
	}
	if e.err != nil {
		x.fail(ctx, e)
	}
	x.settle(ctx, e)
}

// again returns what a further attempt needs. It starts without attachments. Requirement: every attempt has
// ended, so that nothing more is attached.
func (x *execution) again() *running {
	if x.extras != nil {
		x.extras.attachments = nil
	}
	return &running{}
}

// gone ends an execution, and the attempt that is under way.
func (x *execution) gone(ctx context.Context, run *running, e *executed) {
	if e.Attempts > 0 {
		run.end()
	}
	x.settle(ctx, x.goneFailure())
}

// goneFailure is what became of a call whose tool ended the caller's goroutine. Nobody reads it as the
// outcome, since there is nobody left.
func (x *execution) goneFailure() *executed {
	return &executed{Attempts: 1,
		Failure: executionFailure(&x.prepared, &attempt{reply: reply{panicked: true, err: ErrPanic}})}
}

// fail says in e why the last attempt failed.
func (x *execution) fail(ctx context.Context, e *executed) {
	e.Failure = x.owner.failureOf(&x.prepared, &e.attempt)
	// What a host carries to another process is small, so the cap holds for this text here already.
	var text Output
	text, e.Cut = x.owner.room(x.tool).cut(Text(e.Failure.Text))
	e.Failure.Text = text.Text()
	if e.Failure.Ref != "" {
		x.owner.log(ctx, &x.prepared, e.Failure)
	}
}

// broken is for a call whose cache or once store failed, so that nothing was run.
func (x *execution) broken(ctx context.Context, g guarded) *executed {
	p := &x.prepared
	f := &failure{Status: StatusFailed, Code: codeError, Stage: stageExecute, Ref: p.reference(),
		cause: g.err}
	switch {
	case g.panicked:
		f.Code = codePanic
	case g.ended != nil && isTimeout(g.err):
		f.Code = codeTimeout
	case g.ended != nil:
		f.Code = codeCancelled
	}
	f.Text = p.name() + " could not be started, and nothing was run. Reference: " + f.Ref + "."
	x.owner.log(ctx, p, f)
	return &executed{Failure: f}
}

// stillRunning is for a call that may not start while an earlier one of its batch goes on.
func stillRunning() *failure {
	return notStarted(codeBehind, "Not run: an earlier call of this turn was given up and is still "+
		"running. Check what it did before you go on.")
}
