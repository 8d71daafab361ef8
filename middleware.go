package jig

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"
)

// A Handler makes one call.
type Handler func(context.Context, Call) Outcome

// A Middleware stands around every call that is made through [Registry.Call], [Registry.CallAll] or
// a session of package run. It may pass the call on, pass on another one, which is then prepared and
// authorized as it was rewritten, or answer by itself. Every call passes it exactly once, also one
// that is skipped or unknown. What it returns is capped like a tool's output, and keeps the id of
// the call that came in. A panic in it is one failed outcome.
//
// A middleware is safe for concurrent use. It is wrapped around each call anew, so that what it
// remembers belongs outside of the function that gets next; and it calls next on its own goroutine,
// before it returns. The phases alone (Prepare, Authorize, Execute, Render) run no middleware.
type Middleware func(next Handler) Handler

// through makes a call by the core handler, within the registry's middleware, the first one outermost.
func (r *Registry) through(ctx context.Context, c Call, core Handler) Outcome {
	handler := core
	for _, wrap := range slices.Backward(r.options.Middleware) {
		if wrap != nil {
			handler = r.around(wrap, handler)
		}
	}
	return handler(ctx, c)
}

// around puts a middleware around a handler. Whatever the middleware does, those outside of it get an
// outcome like any.
func (r *Registry) around(wrap Middleware, next Handler) Handler {
	return func(ctx context.Context, c Call) Outcome {
		o, cause := contained(ctx, wrap, next, c)
		if cause != nil {
			return r.middlewareFailed(ctx, c, cause)
		}
		return r.returned(ctx, c, o)
	}
}

// contained runs a middleware, and returns a panic of it as an error.
func contained(ctx context.Context, wrap Middleware, next Handler, c Call) (o Outcome, cause error) {
	defer func() {
		if v := recover(); v != nil {
			cause = &panicError{v, debug.Stack()}
		}
	}()
	return wrap(next)(ctx, c), nil
}

// returned makes what a middleware returned an outcome like any: under the id of the call, with a
// status, an error exactly where that is not ok, and an output within the cap.
func (r *Registry) returned(ctx context.Context, c Call, o Outcome) Outcome {
	if o.CallID = c.ID; o.Tool == "" {
		o.Tool = c.Name
		if tool, _, unknown := r.set().resolve(c.Name); unknown == nil {
			o.Tool = tool.Name()
		}
	}
	output, err := settleOutput(o.Output)
	if err != nil {
		return r.middlewareFailed(ctx, c, fmt.Errorf("%w: output of a middleware: %w", ErrOutput, err))
	}
	if o.Status == "" {
		o.Status, o.Code = StatusFailed, cmp.Or(o.Code, codeMiddleware)
	}
	tool, _ := r.Lookup(o.Tool)
	output, dropped := dropData(output)
	whole := output.size()
	output, cut := r.room(tool).cut(output)
	if dropped > 0 {
		if cut == nil {
			cut = &Cut{OriginalBytes: whole, KeptBytes: whole}
		}
		cut.OmittedParts += dropped
	}
	if o.Output = output; cut != nil {
		o.Cut = cut
	}
	switch {
	case o.Status == StatusOK:
		o.Err, o.Retryable = nil, false
	case o.Err == nil:
		f := &failure{Status: o.Status, Code: cmp.Or(o.Code, codeMiddleware), Stage: stageMiddleware,
			Text: o.Text(), cause: statusErrors[o.Status]}
		o.Err = f.err(o.Tool, &told{})
	}
	return o
}

// statusErrors are the errors of outcomes that a middleware made without one.
var statusErrors = map[Status]error{StatusDenied: ErrDenied, StatusSkipped: ErrSkipped}

// middlewareFailed is the outcome of a call whose middleware panicked. Whether the tool ran is not
// known here.
func (r *Registry) middlewareFailed(ctx context.Context, c Call, cause error) Outcome {
	p := &prepared{CallID: c.ID, owner: r, Caller: callerOf(ctx), rare: &rare{called: c.Name}}
	effect := EffectUnknown
	if tool, _, unknown := r.set().resolve(c.Name); unknown == nil {
		p.tool, effect = tool, tool.effect
	}
	f := &failure{Status: StatusFailed, Code: codePanic, Stage: stageMiddleware, Ref: p.reference(),
		cause: cause}
	if !is(cause, ErrPanic) {
		f.Code = codeOutput
	}
	f.Text = plainName(p.name()) + " failed; the details are not available here."
	if effect != EffectRead {
		f.Text += unknownEffectText
	}
	f.Text += " Reference: " + f.Ref + "."
	p.Failure = f
	r.log(ctx, p, f)
	return r.Render(Prepared{p}, Executed{})
}

// LogCalls returns a Middleware that logs one line for each call when it has ended: tool, status,
// code, reference, sizes and duration, never arguments or results. It sees the outcome as those inside
// of it made it: put first, it sees what the model gets. Nil means slog.Default.
func LogCalls(logger *slog.Logger) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, c Call) (o Outcome) {
			start, ended := time.Now(), false
			defer func() { // also when the goroutine ends
				if !ended {
					o.CallID, o.Tool, o.Status, o.Code = c.ID, c.Name, StatusFailed, codePanic
				}
				logCall(ctx, logger, c, o, time.Since(start))
			}()
			o, ended = next(ctx, c), true
			return o
		}
	}
}

// logCall writes the line of a call. A log handler that panics does not take the call with it.
func logCall(ctx context.Context, logger *slog.Logger, c Call, o Outcome, took time.Duration) {
	defer func() { _ = recover() }()
	if logger == nil {
		logger = slog.Default()
	}
	level := slog.LevelInfo
	if o.IsError() {
		level = slog.LevelWarn
	}
	logger.LogAttrs(ctx, level, "jig: tool call", slog.String("call", c.ID),
		slog.String("tool", plainName(o.Tool)), slog.String("status", string(o.Status)),
		slog.String("code", o.Code), slog.String("ref", o.Ref), slog.Int("attempts", o.Attempts),
		slog.Int("args_bytes", len(c.Args)), slog.Int("output_bytes", o.Output.size()),
		slog.Duration("duration", took))
}
