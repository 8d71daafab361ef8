package jig

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jig-go/jig/internal/clip"
)

// An Executed is what came of running a prepared call: the model's view, already capped, and in the
// process that ran it the full result. Its JSON holds only what the model may see.
type Executed struct{ e *executed }

// executed is never changed once an Executed holds it.
type executed struct {
	attempt                  // the last one; exported are its Output and Cut
	Failure  *failure        `json:"failure,omitempty"`
	Answer   json.RawMessage `json:"answer,omitempty"`
	Attempts int             `json:"attempts"`
	Duration time.Duration   `json:"duration"`
	Cached   bool            `json:"cached,omitempty"` // the output is from Options.Cache
	Undo     *undoToken      `json:"undo,omitempty"`
	Undone   bool            `json:"undone,omitempty"` // the call failed, and its undos have run
	// In the process that ran the call:
	durable *sync.Once // of Spec.Undo; nil where the tool has none
}

// Format prints why the tool did not succeed, or the size of what the model reads.
func (e Executed) Format(s fmt.State, _ rune) {
	_, _ = io.WriteString(s, e.summary())
}

// LogValue says why the tool did not succeed, or the size of what the model reads.
func (e Executed) LogValue() slog.Value { return slog.StringValue(e.summary()) }

func (e Executed) summary() string {
	if e.e == nil {
		return "Executed()"
	}
	if f := e.e.Failure; f != nil {
		return "Executed(" + string(f.status()) + " " + f.Code + ")"
	}
	return "Executed(attempts " + strconv.Itoa(e.e.Attempts) + ", " +
		strconv.Itoa(len(e.e.Output.Text())) + " bytes)"
}

type wireExecuted struct {
	Version int `json:"v"`
	*executed
}

// MarshalJSON returns the model's view with the facts of the run. The full result is not in it.
func (e Executed) MarshalJSON() ([]byte, error) {
	inner := e.e
	if inner == nil {
		inner = &executed{}
	}
	return json.Marshal(wireExecuted{wireVersion, inner})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *Executed) UnmarshalJSON(data []byte) error {
	wire := wireExecuted{executed: &executed{}}
	if err := json.Unmarshal(data, &wire); err != nil {
		return fmt.Errorf("jig: executed call: %w", err)
	}
	if wire.Version != wireVersion {
		return fmt.Errorf("jig: executed call: got version %d, want %d", wire.Version, wireVersion)
	}
	e.e = wire.executed
	return nil
}

// Execute runs an authorized call, shapes its result for the model and caps it. A call that is
// settled passes; one that was not authorized, was changed, or is for another definition of the
// tool is not run. If the context has ended, nothing starts. A call that failed is made again only as
// Options.Retry and the tool's [Retry] allow.
//
// Options.Cache may answer a read, and Options.Once a call that was made before; nothing is run then.
func (r *Registry) Execute(ctx context.Context, prep Prepared) Executed {
	return Executed{r.execute(ctx, r.admit(ctx, prep), nil, &executed{})}
}

// execute is Execute for a call that was admitted. x holds p, unless the host holds it (x is nil then) or it was
// rewritten. e has at most arguments; what is returned is mostly e.
func (r *Registry) execute(
	ctx context.Context, p *prepared, x *execution, e *executed,
) *executed {
	if p.Failure != nil || !p.Authorized || ctx.Err() != nil {
		e.Failure = barred(ctx, p)
		return e
	}
	if x == nil || p != &x.prepared { // whoever was asked before a rewrite may keep what x holds
		x = &execution{prepared: *p}
		x.owner = r
	}
	if p.tool.undo != nil {
		x.extras = &extras{}
	}
	if r.options.Cache == nil && r.options.Once == nil && !p.tool.answer && behindOf(ctx, p) == nil {
		x.attempts(ctx, e) // as most calls are made
		return e
	}
	return withAnswer(p, x.run(ctx, e))
}

// barred says why nothing of a call may start.
func barred(ctx context.Context, p *prepared) *failure {
	switch {
	case p.Failure != nil:
		return p.Failure
	case !p.Authorized:
		return notRun("it was not authorized")
	}
	return skipped(ctx.Err())
}

// failureOf words why an attempt failed.
func (r *Registry) failureOf(p *prepared, a *attempt) *failure {
	if e, ok := a.err.(*tooLargeError); ok { // made here, never wrapped
		return tooLarge(p, e)
	}
	f := executionFailure(p, a)
	if r.options.ExposeErrors && f.Ref != "" && !a.ran {
		f.Text += "\nError: " + causeText(f.cause)
	}
	return f
}

// causeText is the text of an error, without the stacks of panics.
func causeText(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("%T, whose text cannot be had", err)
		}
	}()
	text = err.Error()
	eachError(err, 0, func(err error) bool { // a tool may pass on what became of a call that it made
		if p, ok := err.(*panicError); ok {
			text = strings.ReplaceAll(text, "\n"+string(p.stack), "")
		}
		return true
	})
	return clip.Valid(text)
}

// fit makes an output fit the cap in the way that the tool wants.
func (r *Registry) fit(ctx context.Context, p *prepared, o Output) (Output, *Cut, error) {
	if r.options.MaxOutputTokens <= 0 && len(o.Parts) == 1 && o.Parts[0].Data == nil &&
		o.Parts[0].size() <= r.outputCap(p.tool) { // as most are
		return o, nil, nil
	}
	return r.fitParts(ctx, p, o)
}

// fitParts is fit for any output.
func (r *Registry) fitParts(ctx context.Context, p *prepared, o Output) (Output, *Cut, error) {
	o, dropped := dropData(o)
	m := r.room(p.tool)
	var cut *Cut
	var err error
	switch overflow := p.tool.overflow; {
	case m.fits(o):
		if dropped > 0 {
			cut = &Cut{OriginalBytes: o.size(), KeptBytes: o.size()}
		}
	case overflow == OverflowError:
		return Output{}, nil, &tooLargeError{o.size(), m.about()}
	case overflow == OverflowStore && r.options.Artifacts != nil:
		o, cut, err = r.store(ctx, p, o, m)
	default:
		o, cut = m.cut(o)
	}
	if cut != nil {
		cut.OmittedParts += dropped
	}
	return o, cut, err
}

// Render words the outcome of a call. It is pure: the same values give the same Outcome in any
// process, but for Value and for causes in Err, which stay in the process that ran the call.
func (r *Registry) Render(prep Prepared, exec Executed) Outcome {
	p, e := r.genuine(prep), exec.e
	if e == nil {
		e = &executed{}
	}
	var o Outcome
	if f, t := r.fill(p, e, &o); f != nil {
		o.Err = f.ownErr(p.name(), t) // the host keeps p and e, and may change what is in an error
	}
	o.Repairs, o.Attachments = slices.Clone(o.Repairs), slices.Clone(o.Attachments)
	o.Output, o.Cut, o.Answer = o.Output.clone(), o.Cut.clone(), slices.Clone(o.Answer)
	return o
}

// fill is Render into o, which is zero and will share memory with p and e, but for the error: it returns why
// the call did not succeed, with the memory for what is said of that, or nil.
func (r *Registry) fill(p *prepared, e *executed, o *Outcome) (*failure, *told) {
	o.CallID, o.Tool, o.Status, o.Output = p.CallID, p.name(), StatusOK, e.Output
	o.Attempts, o.Duration, o.Value = e.Attempts, e.Duration, e.value
	if p.rare != nil || e.Cut != nil || e.attachments != nil || e.Answer != nil {
		o.fillRare(p, e)
	}
	if p.Failure == nil && e.Failure == nil && e.Attempts > 0 { // as most calls end: failureOf finds nothing
		return nil, nil
	}
	f := p.failureOf(e)
	if f == nil {
		return nil, nil
	}
	if f != e.Failure { // what e says of its own failure was cut already
		o.Cut = nil
	}
	t := new(told)
	r.fillFailure(p, f, t, o)
	return f, t
}

// fillRare is the part of fill that few calls have.
func (o *Outcome) fillRare(p *prepared, e *executed) {
	o.Repairs, o.Cut, o.Attachments, o.Answer = p.repairs(), e.Cut, e.attachments, e.Answer
}

// fillFailure is what fill says of a failure, in t.
func (r *Registry) fillFailure(p *prepared, f *failure, t *told, o *Outcome) {
	t.parts[0].Text = cmp.Or(f.Text, emptyText)
	o.Output.Parts = t.parts[:]
	tool := p.tool // its own cap holds for errors too
	if tool == nil || p.owner != r {
		tool, _ = r.Lookup(p.name())
	}
	if r.options.MaxOutputTokens > 0 || len(f.Text) > r.outputCap(tool) {
		if text, cut := r.room(tool).cut(o.Output); cut != nil {
			o.Output, o.Cut = text, cut
		}
	}
	o.Status, o.Code, o.Ref, o.Retryable = f.status(), f.Code, f.Ref, f.Retryable
	o.Ticket = f.Ticket
}

// renderSettled is fill, with the error, for a call that was settled by f before anything ran.
func (r *Registry) renderSettled(p *prepared, f *failure, o *Outcome) {
	t := new(told)
	o.CallID, o.Tool, o.Repairs = p.CallID, p.name(), p.repairs()
	r.fillFailure(p, f, t, o)
	o.Err = f.err(o.Tool, t)
}

// failureOf returns why the call did not succeed, or nil. It never says that nothing ran of a call
// that did run.
func (p *prepared) failureOf(e *executed) *failure {
	switch {
	case p.Failure != nil && e.Attempts > 0:
		return denied(codeUnsealed, "The result is withheld: it does not belong to the call as it was "+
			"prepared. The call may have taken effect: check before you call it again.")
	case p.Failure != nil:
		return p.Failure
	case e.Failure == nil && e.Attempts == 0 && !e.Cached:
		return notRun("it was not executed")
	}
	return e.Failure
}

// log writes the host's line for a failure whose details the model does not get.
func (r *Registry) log(ctx context.Context, p *prepared, f *failure) {
	attrs := []slog.Attr{slog.String("ref", f.Ref), slog.String("tool", p.name()),
		slog.String("call", p.CallID), slog.String("stage", f.Stage), slog.String("code", f.Code),
		slog.String("error_type", errorType(f.cause))}
	if r.options.LogCauses && f.Stage != stageOutput {
		attrs = append(attrs, slog.String("cause", causeText(f.cause)))
	}
	r.line(ctx, slog.LevelError, "jig: tool call failed", attrs...)
}

// line writes one line. A log handler that panics does not take the call with it, nor the process.
func (r *Registry) line(ctx context.Context, level slog.Level, text string, attrs ...slog.Attr) {
	defer func() { _ = recover() }()
	r.logger().LogAttrs(ctx, level, text, attrs...)
}
