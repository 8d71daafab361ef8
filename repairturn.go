package jig

import (
	"context"
	"runtime/debug"
)

// RepairOnce makes a call and, if its arguments are invalid, lets the model correct them once. While
// the outcome is invalid and Retryable, ask is called, at most once and with that outcome, and the
// call that it returns is made. A second invalid outcome, or false from ask, ends it: the outcome
// comes back, not Retryable, and its text says stop. The same holds for a tool with RepairNever,
// which is never asked about, and nothing has run before the call that validates.
//
// Failures of execution, approval and output are never asked about. A panic in ask is one failed
// outcome.
func (r *Registry) RepairOnce(
	ctx context.Context, c Call, ask func(context.Context, Outcome) (Call, bool),
) Outcome {
	first := r.Call(ctx, c)
	if first.Status != StatusInvalid || !first.Retryable {
		return first
	}
	next, ok, cause := corrected(ctx, first, ask)
	switch {
	case cause != nil:
		return r.askFailed(ctx, c, first.Tool, cause)
	case !ok:
		return r.stop(first)
	}
	second := r.Call(ctx, next)
	if second.Status != StatusInvalid || !second.Retryable {
		return second
	}
	return r.stop(second)
}

// corrected asks for the corrected call.
func corrected(
	ctx context.Context, o Outcome, ask func(context.Context, Outcome) (Call, bool),
) (next Call, ok bool, cause error) {
	defer func() {
		if v := recover(); v != nil {
			cause = &panicError{v, debug.Stack()}
		}
	}()
	next, ok = ask(ctx, o)
	return next, ok, nil
}

// stop makes an invalid outcome the last word about a call.
func (r *Registry) stop(o Outcome) Outcome {
	tool, _ := r.Lookup(o.Tool)
	text := stopText(o.Tool, o.Text())
	if o.Code == codeUnknown {
		text = o.Text() + "\nDo not call it again; tell the user."
	}
	o.Retryable = false
	output, cut := r.room(tool).cut(Text(text))
	switch o.Output = output; {
	case o.Cut == nil:
		o.Cut = cut
	default: // the original size is that of the whole text
		again := *o.Cut
		again.KeptBytes = len(output.Text())
		o.Cut = &again
	}
	return o
}

// askFailed is the outcome of a call whose correction panicked.
func (r *Registry) askFailed(ctx context.Context, c Call, tool string, cause error) Outcome {
	p := &prepared{CallID: c.ID, owner: r, Caller: callerOf(ctx), rare: &rare{tool: &tool}}
	f := &failure{Status: StatusFailed, Code: codePanic, Stage: stageRepair, Ref: p.reference(),
		cause: cause}
	f.Text = "The arguments of " + plainName(tool) + " could not be corrected, and nothing was run. " +
		"Reference: " + f.Ref + "."
	p.Failure = f
	r.log(ctx, p, f)
	return r.Render(Prepared{p}, Executed{})
}
