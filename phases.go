package jig

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jig-go/jig/internal/canon"
	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/scan"
)

// wireVersion is the version of the JSON of Prepared and Executed.
const wireVersion = 1

// A Prepared is a call that was understood, or is settled already because it could not be. It is a
// capability: Execute runs it only after Authorize has marked it. It holds the arguments in clear.
//
// Its JSON is sealed under Options.Key. What was edited, sealed under another key, or prepared for
// another definition of the tool is denied.
type Prepared struct{ p *prepared }

// prepared is never changed once a Prepared holds it.
type prepared struct {
	Call        sealedCall `json:"call"`
	Tool        string     `json:"tool"`
	Fingerprint string     `json:"fingerprint,omitempty"`
	Caller      Caller     `json:"caller"`
	Authorized  bool       `json:"authorized"`
	Repairs     []Repair   `json:"repairs,omitempty"`
	Failure     *failure   `json:"failure,omitempty"` // set: the call is settled

	// In the process that prepared it:
	key     []byte     // of the registry
	tool    *Tool      // nil when settled before it was found
	checked []byte     // the arguments as one JSON value, a sub-slice of Call.Args or "{}"
	args    *arguments // decoded
	// From JSON, until a registry has checked it:
	body, seal []byte
}

// sealedCall is a Call whose argument text, which need not be JSON, travels as base64.
type sealedCall struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Args       []byte `json:"args"`
	Incomplete bool   `json:"incomplete,omitempty"`
}

// arguments are the decoded arguments. The first execution takes them; a further one decodes the
// text again, since the tool may have changed what it was given.
type arguments struct {
	value any // *Args
	taken atomic.Bool
}

// Status returns how the call ended, or "" for one that is not settled.
func (p Prepared) Status() Status {
	if p.p == nil || p.p.Failure == nil {
		return ""
	}
	return p.p.Failure.Status
}

type wirePrepared struct {
	Version int             `json:"v"`
	Body    json.RawMessage `json:"body"`
	Seal    []byte          `json:"seal"`
}

// MarshalJSON returns the call with its arguments in clear, under a seal.
func (p Prepared) MarshalJSON() ([]byte, error) {
	if p.p == nil {
		return nil, errors.New("jig: a zero Prepared has no JSON")
	}
	body, seal := p.p.body, p.p.seal
	if body == nil {
		raw, err := json.Marshal(p.p)
		if err != nil {
			return nil, err
		}
		body = canon.Append(nil, raw)
		seal = sealOf(body, p.p.key)
	}
	return json.Marshal(wirePrepared{wireVersion, body, seal})
}

func sealOf(body, key []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(body)
	return mac.Sum(nil)
}

// UnmarshalJSON reads what MarshalJSON wrote. Whether the seal is right is checked when a registry
// is given the Prepared.
func (p *Prepared) UnmarshalJSON(data []byte) error {
	var wire wirePrepared
	if err := json.Unmarshal(data, &wire); err != nil {
		return fmt.Errorf("jig: prepared call: %w", err)
	}
	if wire.Version != wireVersion {
		return fmt.Errorf("jig: prepared call: got version %d, want %d", wire.Version, wireVersion)
	}
	body, scanErr := scan.Check(wire.Body, scan.Limits{Bytes: len(wire.Body), Depth: maxValueDepth})
	if scanErr != nil {
		return fmt.Errorf("jig: prepared call: %w", scanErr)
	}
	q := &prepared{}
	if err := json.Unmarshal(body, q); err != nil {
		return fmt.Errorf("jig: prepared call: %w", err)
	}
	q.body, q.seal = canon.Append(nil, body), wire.Seal
	p.p = q
	return nil
}

// processKey seals where the host gave no key: calls prepared in this process only.
var processKey = sync.OnceValue(func() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return key
})

// Prepare understands a call: it finds the tool, checks the limits, validates and decodes the
// arguments. It is pure and touches nothing outside.
func (r *Registry) Prepare(c Call) Prepared {
	p := &prepared{
		Call: sealedCall{c.ID, c.Name, bytes.Clone(c.Args), c.Incomplete},
		Tool: c.Name, key: r.key(),
	}
	tool, repair, unknown := r.set().resolve(c.Name)
	if unknown != nil {
		p.Failure = unknown
		return Prepared{p}
	}
	p.Repairs = append(p.Repairs, repair...)
	p.tool, p.Tool, p.Fingerprint = tool, tool.Name(), tool.fingerprint
	p.Failure = r.understand(p)
	return Prepared{p}
}

// understand reads the arguments of a call to a known tool. A nil failure means that p.args is set.
func (r *Registry) understand(p *prepared) (f *failure) {
	defer func() {
		if v := recover(); v != nil { // a type's own UnmarshalText
			cause := &panicError{v, debug.Stack()}
			f = &failure{Status: StatusFailed, Code: codePanic, Stage: "validate", cause: cause}
			f.Ref = p.reference()
			f.Text = p.Tool + " could not read its arguments, and nothing was run. Reference: " + f.Ref + "."
			r.log(context.Background(), p, f)
		}
	}()
	if p.Call.Incomplete {
		return incompleteArguments(p.Tool, nil)
	}
	checked, scanErr := scan.Check(p.Call.Args, r.limits())
	switch {
	case scanErr != nil && scanErr.Code == scan.Empty:
		checked = []byte("{}")
	case scanErr != nil && scanErr.Code == scan.Truncated:
		return incompleteArguments(p.Tool, textError(scanErr).Problems)
	case scanErr != nil:
		return invalidArguments(p.Tool, textError(scanErr).Problems, 0)
	case string(checked) == "null" && p.tool.plan.Validate([]byte("{}")).Total == 0:
		checked = []byte("{}") // null where nothing is required
	}
	args := reflect.New(p.tool.args)
	found := p.tool.plan.Decode(checked, args.Elem())
	if found.Total > 0 {
		problems := make([]Problem, len(found.Problems))
		for i, problem := range found.Problems {
			problems[i] = Problem(problem)
		}
		return invalidArguments(p.Tool, problems, found.Total-len(found.Problems))
	}
	for _, pointer := range found.Dropped {
		p.Repairs = append(p.Repairs, Repair{Pointer: clip.Middle(pointer, 200),
			Kind: "unknown_property"})
	}
	p.checked, p.args = checked, &arguments{value: args.Interface()}
	return nil
}

// Authorize decides whether a prepared call may run, and fixes the caller. A tool whose Approval is
// requester or always is denied, since nobody can be asked here. A settled call passes untouched.
func (r *Registry) Authorize(ctx context.Context, prep Prepared) Prepared {
	p := r.admit(prep)
	if p.Failure != nil {
		return Prepared{p}
	}
	q := *p
	q.Caller = callerOf(ctx).clone()
	switch p.tool.approval {
	case ApprovalRequester, ApprovalAlways:
		q.Failure = denied(codeDenied, p.Tool+" needs the approval of a person, and nobody can be "+
			"asked here. It was not run. Do not call it again; tell the user.")
	default:
		q.Authorized = true
	}
	return Prepared{&q}
}

// admit checks that a Prepared was made under this registry's key, and for the tool as it is now.
// One from JSON is decoded again. What cannot be admitted comes back denied.
func (r *Registry) admit(prep Prepared) *prepared {
	p := prep.p
	if p == nil {
		return &prepared{Failure: denied(codeUnsealed, "The call was not run: it was not prepared.")}
	}
	genuine := bytes.Equal(p.key, r.key())
	if p.body != nil {
		genuine = hmac.Equal(p.seal, sealOf(p.body, r.key()))
	}
	refuse := func(why string) *prepared {
		q := *p
		q.body, q.Authorized, q.key = nil, false, r.key()
		q.Failure = denied(codeUnsealed, "The call was not run: "+why+".")
		return &q
	}
	if !genuine {
		return refuse("it was not prepared here, or was changed since")
	}
	if p.Failure != nil {
		return p
	}
	tool, ok := r.Lookup(p.Tool)
	if !ok || tool.fingerprint != p.Fingerprint {
		return refuse("the tool is not the one it was prepared for")
	}
	if p.args != nil {
		return p
	}
	q := *p
	q.body, q.seal, q.key, q.tool = nil, nil, r.key(), tool
	q.Repairs = nil
	q.Failure = r.understand(&q)
	q.Repairs = p.Repairs
	return &q
}

// An Executed is what came of running a prepared call: the model's view, already capped, and in the
// process that ran it the full result. Its JSON holds only what the model may see.
type Executed struct{ e *executed }

type executed struct {
	Output   Output        `json:"output"`
	Cut      *Cut          `json:"cut,omitempty"`
	Failure  *failure      `json:"failure,omitempty"`
	Attempts int           `json:"attempts"`
	Duration time.Duration `json:"duration"`
	value    any
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

// Execute runs an authorized call once, shapes its result for the model and caps it. A call that is
// settled passes; one that was not authorized, was changed, or is for another definition of the
// tool is not run. If the context has ended, nothing starts.
func (r *Registry) Execute(ctx context.Context, prep Prepared) Executed {
	p := r.admit(prep)
	switch {
	case p.Failure != nil:
		return Executed{&executed{Failure: p.Failure}}
	case ctx.Err() != nil:
		return Executed{&executed{Failure: skipped(ctx.Err())}}
	case !p.Authorized:
		return Executed{&executed{Failure: denied(codeUnsealed,
			"The call was not run: it was not authorized.")}}
	}
	start := time.Now()
	a := r.attempt(ctx, p)
	e := &executed{Attempts: 1, Duration: time.Since(start), value: a.value}
	if a.err != nil {
		e.Failure = executionFailure(p, a.err, a.timeout, a.ended)
		if e.Failure.Ref != "" {
			r.log(ctx, p, e.Failure)
		}
		return Executed{e}
	}
	e.Output, e.Cut = a.output, a.cut
	return Executed{e}
}

// An attempt is one run of Execute and what follows it.
type attempt struct {
	output  Output
	cut     *Cut
	value   any
	err     error
	ended   error         // why the attempt's context had ended when it was judged, or nil
	timeout time.Duration // the timeout that ended it, or zero
}

// attempt runs the tool: on the caller's goroutine where nothing can end it early, else on one of
// its own, so that it returns in time whatever the tool does.
func (r *Registry) attempt(ctx context.Context, p *prepared) attempt {
	timeout := p.tool.timeout
	if timeout == 0 {
		timeout = r.options.Timeout
	}
	inner := context.WithValue(ctx, infoKey{}, Info{p})
	if timeout <= 0 && ctx.Done() == nil {
		return r.run(inner, p)
	}
	if timeout > 0 {
		var cancel context.CancelFunc
		inner, cancel = context.WithTimeout(inner, timeout)
		defer cancel()
	}
	a := r.bounded(inner, p)
	if a.err != nil {
		if a.ended = inner.Err(); ctx.Err() == nil {
			a.timeout = timeout
		}
	}
	return a
}

// bounded runs the tool on a goroutine and stops waiting when the context ends. The result of a
// tool that returns later is dropped, and its return is logged.
func (r *Registry) bounded(ctx context.Context, p *prepared) attempt {
	done := make(chan attempt, 1)
	var settled atomic.Bool // by whoever comes first: the tool or the end of the context
	go func() {
		a := attempt{err: &panicError{value: "the tool ended its goroutine (runtime.Goexit)"}}
		defer func() {
			if settled.CompareAndSwap(false, true) {
				done <- a
				return
			}
			r.logger().LogAttrs(ctx, slog.LevelWarn, "jig: a tool returned after it was given up",
				slog.String("tool", p.Tool), slog.String("call", p.Call.ID))
		}()
		a = r.run(ctx, p)
	}()
	select {
	case a := <-done:
		return a
	case <-ctx.Done():
		if !settled.CompareAndSwap(false, true) {
			return <-done
		}
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return attempt{err: fmt.Errorf("%w: %w", ErrTimeout, ctx.Err())}
	}
	return attempt{err: ctx.Err()}
}

// run executes the tool and prepares its output. A panic anywhere in it is an error.
func (r *Registry) run(ctx context.Context, p *prepared) (a attempt) {
	ran := false
	defer func() {
		if v := recover(); v != nil {
			a.err = &panicError{v, debug.Stack()}
			if ran {
				a.err = &outputError{a.err}
			}
		}
	}()
	result, err := p.tool.execute(ctx, p.takeArgs())
	if result.IsValid() && result.CanInterface() {
		a.value = result.Interface()
	}
	if !noError(err) {
		a.err = err
		return a
	}
	ran = true
	output, err := p.tool.modelOutput(ctx, result)
	if err != nil {
		a.err = &outputError{err}
		return a
	}
	a.output, a.cut = capOutput(output, r.outputCap(p.tool))
	return a
}

func (p *prepared) takeArgs() any {
	if p.args.taken.CompareAndSwap(false, true) {
		return p.args.value
	}
	args := reflect.New(p.tool.args)
	p.tool.plan.Decode(p.checked, args.Elem())
	return args.Interface()
}

// modelOutput is the model's view of a result.
func (t *Tool) modelOutput(ctx context.Context, result reflect.Value) (Output, error) {
	output, err := Output{}, error(nil)
	if t.toModelOutput != nil {
		output, err = t.toModelOutput(ctx, result)
	} else {
		output, err = encodeResult(t.resultType, result)
	}
	if !noError(err) {
		return Output{}, err
	}
	return settleOutput(output)
}

// Render words the outcome of a call. It is pure: the same values give the same Outcome in any
// process, but for Value and for causes in Err, which stay in the process that ran the call.
func (r *Registry) Render(prep Prepared, exec Executed) Outcome {
	p, e := r.admit(prep), exec.e
	if e == nil {
		e = &executed{}
	}
	o := Outcome{
		CallID: p.Call.ID, Tool: p.Tool, Status: StatusOK, Repairs: p.Repairs,
		Output: e.Output, Cut: e.Cut, Attempts: e.Attempts, Duration: e.Duration, Value: e.value,
	}
	f := p.Failure
	if f == nil {
		f = e.Failure
	}
	if f == nil && e.Attempts == 0 {
		f = denied(codeUnsealed, "The call was not run.")
	}
	if f == nil {
		return o
	}
	limit := r.outputCap(p.tool)
	o.Output, o.Cut = capOutput(Text(clip.Valid(f.Text)), limit)
	if f.Text == "" {
		o.Output = Text(emptyText)
	}
	o.Status, o.Code, o.Ref, o.Retryable = f.Status, f.Code, f.Ref, f.Retryable
	o.Err = f.err(p.Tool)
	return o
}

// log writes the host's line for a failure whose details the model does not get.
func (r *Registry) log(ctx context.Context, p *prepared, f *failure) {
	r.logger().LogAttrs(ctx, slog.LevelError, "jig: tool call failed",
		slog.String("ref", f.Ref), slog.String("tool", p.Tool), slog.String("call", p.Call.ID),
		slog.String("stage", f.Stage), slog.String("code", f.Code),
		slog.String("error_type", fmt.Sprintf("%T", f.cause)))
}
