package jig

import (
	"context"
	"crypto/hmac"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jig-go/jig/internal/canon"
	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/scan"
)

// undoLimit bounds one undo, so that one that hangs does not keep the rest from running.
const undoLimit = 30 * time.Second

// Compensate registers an undo for the case that the call of ctx itself fails: in CallAll the failure
// of a later call undoes nothing, compensation across a batch is what Saga of package run is for.
//
// The undos of a call run last first, each at most once, without the cancellation of the call and
// for at most 30 seconds each. One that fails or panics does not stop the rest; it is in
// Outcome.Err. A tool that is tried again registers in each attempt, and all that it registered
// runs if the last one fails. What is registered after the call has ended, or outside one, does not
// run and is logged.
func Compensate(ctx context.Context, undo func(context.Context) error) {
	if undo == nil {
		return
	}
	run := runOf(ctx)
	if run == nil {
		u, _ := ctx.Value(undosKey{}).(*Undos)
		if u == nil || ctx.Value(runningKey{}) != nil || !u.add(undo) {
			slog.Default().LogAttrs(ctx, slog.LevelWarn, "jig: an undo was registered outside a call, "+
				"or after its end; it does not run")
		}
		return
	}
	if !run.compensate(undo) {
		run.reportLate(ctx)
	}
}

// UndoWith keeps what Spec.Undo needs to undo the call that ctx belongs to, such as the id of what
// was created: v is encoded as results are, and travels in Executed in clear. The last value
// counts. A value after the call has ended, or outside one, is dropped and logged.
func UndoWith(ctx context.Context, v any) error {
	run := runOf(ctx)
	if run == nil {
		return errors.New("jig: UndoWith: the context belongs to no call")
	}
	x := run.x
	if x.tool.undo == nil {
		return fmt.Errorf("jig: UndoWith: tool %q has no Undo", x.name())
	}
	raw, err := codec.Marshal(v)
	if err == nil {
		_, err = codec.CheckJSON(raw)
	}
	if err != nil {
		return fmt.Errorf("jig: UndoWith: %w", err)
	}
	if !run.setToken(raw) {
		run.reportLate(ctx)
		return errors.New("jig: UndoWith: the call has ended")
	}
	return nil
}

// compensate registers an undo for the call, unless the attempt has ended.
func (r *running) compensate(undo func(context.Context) error) bool {
	r.x.mu.Lock()
	defer r.x.mu.Unlock()
	extras := r.extra()
	return extras != nil && extras.undos.add(undo)
}

// setToken keeps the token, and with the first one registers the tool's own Undo.
func (r *running) setToken(token json.RawMessage) bool {
	x := r.x
	x.mu.Lock()
	defer x.mu.Unlock()
	extras := r.extra()
	if extras == nil {
		return false
	}
	first := extras.token == nil
	extras.token = x.sealToken(token)
	return !first || extras.undos.add(x.runUndo)
}

func (r *running) reportLate(ctx context.Context) {
	p := &r.x.prepared
	r.x.owner.line(ctx, slog.LevelWarn, "jig: an undo was registered after its call had ended; "+
		"it does not run", slog.String("tool", p.name()), slog.String("call", p.CallID))
}

// runUndo runs the tool's own Undo with the last token, once.
func (x *execution) runUndo(ctx context.Context) error {
	x.mu.Lock()
	x.fixKey()
	token := x.extras.token.value()
	x.mu.Unlock()
	return x.prepared.undo(ctx, &x.extras.durable, token)
}

// settle decides about the undos of a call that has ended: those of a batch wait for its end, those
// of a call that failed alone run, and no others do.
func (x *execution) settle(ctx context.Context, e *executed) {
	if x.extras != nil {
		x.settleUndos(ctx, e)
	}
}

// settleUndos is settle where there are undos or may be.
func (x *execution) settleUndos(ctx context.Context, e *executed) {
	undos := x.undos(e)
	batch, _ := ctx.Value(undosKey{}).(*Undos)
	// The undos of a failed call that a tool made run now: the batch is that of the tool's own call, which
	// goes on.
	if batch != nil && (e.Failure == nil || ctx.Value(runningKey{}) == nil) {
		if e.Failure == nil && x.tool.undo != nil && e.Undo == nil {
			undos = &x.extras.undos
			undos.add(x.runUndo)
		}
		if undos != nil && !batch.take(undos) {
			x.owner.line(ctx, slog.LevelWarn, "jig: the undos of a call came after the end of its batch; they "+
				"do not run", slog.String("tool", x.name()), slog.String("call", x.CallID))
		}
		return
	}
	if undos == nil {
		return
	}
	if e.Failure == nil {
		undos.close()
		return
	}
	e.Undone = true
	errs := undos.Run(ctx)
	if len(errs) == 0 {
		return
	}
	x.owner.line(ctx, slog.LevelError, "jig: a call failed and could not be undone", slog.String("ref",
		e.Failure.Ref), slog.String("tool", x.name()), slog.String("call", x.CallID),
		slog.Int("errors", len(errs)))
	causes := errs
	if e.Failure.cause != nil {
		causes = append([]error{e.Failure.cause}, errs...)
	}
	e.Failure.cause = &withCauses{causes}
}

// undos returns what was registered while the call was made, or nil, and puts the token into e.
// Requirement: x.extras is set, and every attempt has ended, so that nothing more is registered.
func (x *execution) undos(e *executed) *Undos {
	if e.Undo = x.extras.token; x.extras.undos.Len() == 0 {
		return nil
	}
	return &x.extras.undos
}

type undosKey struct{}

// Undos collects what is registered with [Compensate], and Spec.Undo, over the calls of a batch.
// Most users call Saga of package run; Undos is for hosts that make batches of their own.
type Undos struct {
	mu     sync.Mutex
	closed bool
	list   []func(context.Context) error
}

// WithUndos returns a context whose calls leave their undos to the Undos it returns: those of a
// call that failed too, and the Spec.Undo of one that succeeded.
func WithUndos(ctx context.Context) (context.Context, *Undos) {
	u := &Undos{}
	return context.WithValue(ctx, undosKey{}, u), u
}

// Run runs the undos, the last registered first, and returns the errors of those that failed. Each
// has 30 seconds, and none of them ends when ctx does. What is registered from now on does not run
// and is logged, and a further Run does nothing: a batch that has succeeded needs none.
func (u *Undos) Run(ctx context.Context) []error {
	var errs []error
	for _, undo := range slices.Backward(u.close()) {
		if err := apart(ctx, undoLimit, undo); err != nil {
			errs = append(errs, fmt.Errorf("undo: %w", err))
		}
	}
	return errs
}

// Len returns how many undos there are that have not run.
func (u *Undos) Len() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.list)
}

func (u *Undos) add(undo func(context.Context) error) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.closed {
		u.list = append(u.list, undo)
	}
	return !u.closed
}

// close ends the collecting and returns what there is.
func (u *Undos) close() []func(context.Context) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	list := u.list
	u.list, u.closed = nil, true
	return list
}

// take moves the undos of a call that has ended here.
func (u *Undos) take(from *Undos) bool {
	list := from.close()
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.closed {
		return len(list) == 0
	}
	u.list = append(u.list, list...)
	return true
}

// apart runs code that has to run whatever became of the call: without the cancellation of ctx,
// with a limit, and with its panics contained.
func apart(ctx context.Context, limit time.Duration, code func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	done := make(chan guarded, 1)
	go func() {
		var g guarded
		defer func() { done <- g }() // also when the code ends the goroutine
		g.run(ctx, code)
	}()
	select {
	case g := <-done:
		return g.failed()
	case <-ctx.Done():
		return fmt.Errorf("%w after %s: %w", ErrTimeout, limit, ctx.Err())
	}
}

// failed is the error, with ErrPanic in the chain of a panic.
func (g guarded) failed() error {
	if g.panicked {
		return &withCauses{[]error{g.err, ErrPanic}}
	}
	return g.err
}

// undoToken is what UndoWith kept, sealed with the call it is of: an Executed has no seal, and the
// token says what is undone.
type undoToken struct {
	Token json.RawMessage `json:"token"`
	Seal  []byte          `json:"seal"`
}

func (t *undoToken) value() json.RawMessage {
	if t == nil {
		return nil
	}
	return slices.Clone(t.Token)
}

func (p *prepared) sealToken(token json.RawMessage) *undoToken {
	return &undoToken{Token: token, Seal: sealOf(p.undoText(token), p.owner.key())}
}

// undoText is what a seal is of. Requirement: token is JSON that scan.Check accepts.
func (p *prepared) undoText(token json.RawMessage) []byte {
	text := []byte(`["undo",`)
	for _, s := range []string{p.fingerprint(), p.Caller.RunID, p.Caller.UserID, p.Caller.TenantID,
		p.CallID, p.Nonce.String()} {
		text = append(scan.AppendQuote(text, s), ',')
	}
	text = append(p.tool.plan.Canonical(text, p.text()), ',')
	return append(canon.Append(text, token), ']')
}

// made reports whether a token is one that this call kept.
func (p *prepared) made(t *undoToken) bool {
	text, err := scan.Check(t.Token, scan.Limits{Bytes: len(t.Token), Depth: maxValueDepth})
	return err == nil && hmac.Equal(t.Seal, sealOf(p.undoText(text), p.owner.key()))
}

// undo runs the tool's Undo, the first time that it is called for.
func (p *prepared) undo(ctx context.Context, once *sync.Once, token json.RawMessage) (err error) {
	once.Do(func() {
		ctx = context.WithValue(ctx, infoKey{}, &Info{p: p})
		err = p.tool.undo(ctx, p.ownArgs(), token)
	})
	if noError(err) {
		return nil
	}
	return err
}

// Undo undoes a call by its tool's Spec.Undo, with the token that the Executed carries, also in
// another process. It does nothing for a call that was not run, that failed and kept no token, or
// that was undone when it failed; in the process that ran the call it undoes once. In others the
// host sees to that. It runs without the cancellation of ctx, for at most 30 seconds.
func (r *Registry) Undo(ctx context.Context, prep Prepared, exec Executed) error {
	p, e := r.admit(ctx, prep), exec.e
	wrong := func(err error) error { return &CallError{Tool: p.name(), Stage: stageUndo, Err: err} }
	switch {
	case p.Failure != nil:
		return p.Failure.ownErr(p.name(), &told{})
	case !p.Authorized:
		return wrong(ErrDenied)
	case e == nil, e.Attempts == 0, e.Undone, e.Failure != nil && e.Undo == nil:
		return nil
	case p.tool.undo == nil:
		return wrong(errors.New("the tool has no Undo"))
	case e.Undo != nil && !p.made(e.Undo):
		return wrong(fmt.Errorf("%w: the token is not that of this call, or was changed since",
			ErrDenied))
	}
	once := e.durable
	if once == nil {
		once = &sync.Once{}
	}
	err := apart(ctx, undoLimit, func(ctx context.Context) error {
		return p.undo(ctx, once, e.Undo.value())
	})
	if err != nil {
		return wrong(err)
	}
	return nil
}
