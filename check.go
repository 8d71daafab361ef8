package jig

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/scan"
)

// Invalid returns an error for Spec.Check that is about one argument. The pointer is its JSON pointer,
// such as /items/0/sku, or "" for the arguments as a whole; the text says what is wrong and what is
// wanted, for the model, and is shown as it is. Several, joined by errors.Join, are all listed.
func Invalid(pointer, text string) error {
	return &argumentError{Problem{Pointer: clip.Valid(pointer), Keyword: "check",
		Message: clip.Valid(text)}}
}

// argumentError is a problem that Check found.
type argumentError struct{ problem Problem }

func (e *argumentError) Error() string { return e.problem.String() }

// maxChecked bounds the problems that are kept of one Check.
const maxChecked = 1000

// invalidIn returns the problems in the tree of an error of others, sorted.
func invalidIn(err error) (problems []Problem) {
	defer func() { _ = recover() }() // an Unwrap of theirs
	eachError(err, 0, func(err error) bool {
		if e, ok := err.(*argumentError); ok {
			problems = append(problems, e.problem)
		}
		return len(problems) < maxChecked
	})
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Pointer, b.Pointer), strings.Compare(a.Message, b.Message))
	})
	return problems
}

// check runs the tool's Check, if it has one, and returns why the call may not run. Check gets
// arguments of its own, so that what it changes never reaches Execute.
func (r *Registry) check(ctx context.Context, p *prepared) *failure {
	if p.tool.check == nil {
		return nil
	}
	return r.runCheck(ctx, p)
}

// runCheck is check for a tool that has one.
func (r *Registry) runCheck(ctx context.Context, p *prepared) *failure {
	if ctx.Err() != nil {
		return skipped(ctx.Err())
	}
	g := r.guard(ctx, p, "a check", r.timeoutOf(p.tool), func(ctx context.Context) error {
		return p.tool.check(ctx, p.ownArgs())
	})
	if noError(g.err) {
		return nil
	}
	return r.failedBefore(ctx, p, g, stageCheck, "checked")
}

// ownArgs returns arguments that nobody else has, as a *Args.
func (p *prepared) ownArgs() any {
	args := reflect.New(p.tool.args)
	text := p.text()
	limits := scan.Limits{Bytes: len(text), Depth: maxValueDepth} // they were heeded before
	found, _, ok := p.tool.plan.Quick(text, limits, args.Elem())
	if found.End(); !ok {
		p.tool.plan.Decode(text, args.Elem())
	}
	return args.Interface()
}

// failedBefore is the failure of an author's code that stands before Execute. The verb says what could
// not be done with the arguments.
func (r *Registry) failedBefore(
	ctx context.Context, p *prepared, g guarded, stage, verb string,
) *failure {
	f := failureBefore(p, g, stage, verb)
	r.exposed(f)
	text, _ := r.room(p.tool).cut(Text(f.Text)) // what a host carries to another process is small
	if f.Text = text.Text(); f.Ref != "" {
		r.log(ctx, p, f)
	}
	return f
}

// exposed adds the text of what went wrong where the host wants the model to see it.
func (r *Registry) exposed(f *failure) {
	if r.options.ExposeErrors && f.Ref != "" {
		f.Text += "\nError: " + causeText(f.cause)
	}
}

// failureBefore turns an error of Check or Preview, or what happened instead of a return, into a
// failure. What is about the arguments is for the model to correct; all else is judged like an error
// of Execute.
func failureBefore(p *prepared, g guarded, stage, verb string) *failure {
	if problems := invalidIn(g.err); len(problems) > 0 && !g.panicked {
		f := p.tool.invalidArguments(problems, 0)
		f.Stage = stage
		f.cause = &withCauses{[]error{&ValidationError{Problems: slices.Clone(problems)}, g.err}}
		return f
	}
	f := &failure{Status: StatusFailed, Code: codeError, Stage: stage, cause: g.err}
	authored := asToolError(g.err)
	switch {
	case g.panicked:
		f.Code = codePanic
	case authored != nil:
		f.Authored, f.Retryable = true, authored.Retryable
		f.Transient, f.RetryAfter = authored.Transient, authored.RetryAfter
		f.Code = cmp.Or(authored.Code, codeToolError)
		if f.Text = clip.Valid(authored.Text); f.Text == "" {
			break
		}
		if f.Retryable {
			f.Status = StatusInvalid
			return p.tool.judged(f)
		}
		return f
	case errors.Is(g.ended, context.DeadlineExceeded), g.ended == nil && isTimeout(g.err):
		f.Code = codeTimeout
	case g.ended != nil, is(g.err, context.Canceled):
		f.Code = codeCancelled
	}
	f.Ref = p.reference()
	why := "could not be " + verb
	if f.Code == codeTimeout && g.ended != nil {
		why += " in time" + within(g.timeout)
	}
	f.Text = "The arguments of " + p.name() + " " + why + ", and nothing was run. Reference: " + f.Ref + "."
	return f
}

// guarded is what came of code of others that stands before Execute.
type guarded struct {
	err      error
	panicked bool
	ended    error         // why the context had ended when the code failed, or nil
	timeout  time.Duration // the timeout that ended it, or zero
}

// timeoutOf is the tool's timeout, or the registry's, or zero.
func (r *Registry) timeoutOf(t *Tool) time.Duration {
	if t.timeout != 0 {
		return t.timeout
	}
	return r.options.Timeout
}

// guard runs code of others that stands before Execute, under the timeout, zero for none: on the
// caller's goroutine where nothing can end it early, else on one of its own. The log knows it as what.
func (r *Registry) guard(ctx context.Context, p *prepared, what string, timeout time.Duration,
	code func(context.Context) error) (g guarded) {
	inner := context.WithValue(ctx, infoKey{}, &Info{p: p})
	if timeout <= 0 && ctx.Done() == nil {
		g.run(inner, code)
		return g
	}
	if timeout > 0 {
		var cancel context.CancelFunc
		inner, cancel = context.WithTimeout(inner, timeout)
		defer cancel()
	}
	g = r.awaited(inner, p, what, code)
	if g.err != nil {
		if g.ended = inner.Err(); ctx.Err() == nil {
			g.timeout = timeout // the caller's context did not end it
		}
	}
	return g
}

// awaited runs the code on a goroutine and stops waiting when the context ends.
func (r *Registry) awaited(
	ctx context.Context, p *prepared, what string, code func(context.Context) error,
) guarded {
	done := make(chan guarded, 1)
	var settled atomic.Bool // by whoever comes first: the code or the end of the context
	go func() {
		var g guarded
		defer func() { // also when the code ends the goroutine
			if settled.CompareAndSwap(false, true) {
				done <- g
				return
			}
			r.line(ctx, slog.LevelWarn, "jig: "+what+" returned after it was given up",
				slog.String("tool", p.name()), slog.String("call", p.CallID))
		}()
		g.run(ctx, code)
	}()
	select {
	case g := <-done:
		return g
	case <-ctx.Done():
		if !settled.CompareAndSwap(false, true) {
			return <-done
		}
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return guarded{err: fmt.Errorf("%w: %w", ErrTimeout, ctx.Err())}
	}
	return guarded{err: ctx.Err()}
}

// run runs the code. A panic in it is an error, and so is the end of the goroutine.
func (g *guarded) run(ctx context.Context, code func(context.Context) error) {
	returned := false
	defer func() {
		v := recover()
		if g.panicked = !returned; g.panicked && v == nil {
			v = "the goroutine was ended (runtime.Goexit)"
		}
		if g.panicked {
			g.err = &panicError{v, debug.Stack()}
		}
	}()
	if err := code(ctx); !noError(err) {
		g.err = err
	}
	returned = true
}
