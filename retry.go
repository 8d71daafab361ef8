package jig

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// A RetryPolicy says how often and when a call that failed is made again, where the tool's [Retry]
// allows that. The zero RetryPolicy makes every call once.
//
// Only an attempt that failed in Execute is followed by another, not one that panicked, and none
// whose result could not be prepared. An attempt that was given up is followed only once it has
// returned.
type RetryPolicy struct {
	// MaxAttempts bounds the attempts of a call, the first included. Zero and one mean one.
	MaxAttempts int
	// Backoff returns how long to wait after an attempt, of which the first is number 1. A longer
	// RetryAfter of a [ToolError] counts instead. Nil waits 100 ms, doubled each time up to 10 s, and
	// up to a quarter less by chance.
	Backoff func(attempt int) time.Duration
	// RetryOn reports whether an error of Execute is worth another attempt. An error that is a
	// timeout of an attempt has [ErrTimeout] in its chain. Nil means a [ToolError] that is Transient,
	// and a timeout.
	RetryOn func(error) bool
}

const (
	firstBackoff = 100 * time.Millisecond
	lastBackoff  = 10 * time.Second
	// lateness is how long the next attempt waits at least for one that was given up, since a tool
	// that heeds its context needs a moment to return.
	lateness = time.Second
)

// mayFollow waits for the time of another attempt, and reports whether it may be made.
func (x *execution) mayFollow(ctx context.Context, e *executed) bool {
	return x.repeatable(&e.attempt) && e.Attempts < x.owner.options.Retry.MaxAttempts &&
		x.pause(ctx, &e.attempt, e.Attempts) && ctx.Err() == nil
}

// repeatable reports whether another attempt may follow a, as far as the tool and the error go.
func (x *execution) repeatable(a *attempt) bool {
	if x.owner.options.Retry.MaxAttempts <= 1 || a.ran || a.panicked {
		return false
	}
	switch x.tool.retry {
	case RetrySafe:
	case RetryIdempotent:
		if x.owner.options.Once == nil && !x.usesKey() {
			return false
		}
	default:
		return false
	}
	return x.owner.options.Retry.worthwhile(a.timely())
}

// timely is the error of a failed attempt, with ErrTimeout in its chain where the timeout ended it,
// whatever the tool says about that.
func (a *attempt) timely() error {
	if errors.Is(a.ended, context.DeadlineExceeded) && !is(a.err, ErrTimeout) {
		return &withCauses{[]error{a.err, ErrTimeout}}
	}
	return a.err
}

func (p *RetryPolicy) worthwhile(err error) (again bool) {
	defer func() {
		if recover() != nil {
			again = false
		}
	}()
	if is(err, ErrPanic) { // of a call that the tool made in turn
		return false
	}
	if p.RetryOn != nil {
		return p.RetryOn(err)
	}
	authored := asToolError(err)
	return authored != nil && authored.Transient || authored == nil && isTimeout(err)
}

func (p *RetryPolicy) backoff(attempt int) (wait time.Duration) {
	defer func() {
		if recover() != nil {
			wait = lastBackoff
		}
	}()
	if p.Backoff != nil {
		return p.Backoff(attempt)
	}
	wait = lastBackoff
	if attempt < 8 {
		wait = min(firstBackoff<<(attempt-1), lastBackoff)
	}
	return wait - rand.N(wait/4)
}

// pause waits before the next attempt. It reports false, without waiting longer than is needed to
// know it, where there will be none: the context ends before, or the attempt does not return.
func (x *execution) pause(ctx context.Context, a *attempt, number int) bool {
	wait := x.owner.options.Retry.backoff(number)
	if authored := asToolError(a.err); authored != nil {
		wait = max(wait, authored.RetryAfter)
	}
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= wait || ctx.Err() != nil {
		return false
	}
	timer := time.NewTimer(max(wait, 0))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
	}
	if a.late == nil {
		return true
	}
	timer.Reset(max(lateness-wait, 0))
	select {
	case <-a.late:
		return true
	case <-ctx.Done():
		return false
	case <-timer.C:
	}
	select {
	case <-a.late:
		return true
	default:
		return false
	}
}
