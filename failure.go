package jig

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/scan"
)

// Stages of a call. In the stage output Execute has succeeded.
const (
	stageResolve   = "resolve"
	stageValidate  = "validate"
	stageRepair    = "repair" // RepairOnce's question
	stageCheck     = "check"
	stageAuthorize = "authorize"
	stageExecute   = "execute"
	stageOutput    = "output"
	stageUndo      = "undo"
	// stageMiddleware is that of what a middleware did, or answered by itself.
	stageMiddleware = "middleware"
)

// Codes of outcomes that are not ok.
const (
	codeInvalid    = "invalid_arguments"
	codeIncomplete = "incomplete"
	codeUnknown    = "unknown_tool"
	codeNoApprover = "no_approver"
	codeDenied     = "denied"
	codePending    = "pending"
	codeUnsealed   = "not_authorized"
	codeSkipped    = "not_started"
	codeTimeout    = "timeout"
	codeCancelled  = "cancelled"
	codePanic      = "panic"
	codeOutput     = "output"
	codeTooLarge   = "too_large"
	codeError      = "error"
	codeToolError  = "tool_error"
	codeConflict   = "conflict"
	codeKeyReused  = "key_reused"
	codeBehind     = "still_running" // an earlier call of the batch is
	codeHeld       = "held"          // a call before it in its turn is pending
	codeAnswered   = "answered"      // a terminal answer of its turn was accepted
	// codeInvalidRewrite is for what a policy or an approver put in the place of the arguments.
	codeInvalidRewrite = "invalid_rewrite"
	codeMiddleware     = "middleware" // a middleware answered and gave no code
)

// sentinel is the cause that survives JSON, by code; nil: there is none.
func sentinel(code string) error {
	switch code {
	case codeIncomplete:
		return ErrIncomplete
	case codeUnknown:
		return ErrUnknownTool
	case codePending:
		return ErrPending
	case codeSkipped, codeHeld, codeAnswered, codeBehind:
		return ErrSkipped
	case codeTimeout:
		return ErrTimeout
	case codeCancelled:
		return context.Canceled
	case codePanic:
		return ErrPanic
	case codeConflict:
		return ErrInFlight
	case codeKeyReused:
		return ErrKeyReused
	}
	return nil
}

// A failure is why a call did not succeed. Its exported fields are what the model may see of it and
// survive JSON; the cause stays in the process.
type failure struct {
	Status     Status        `json:"status"`
	Code       string        `json:"code"`
	Stage      string        `json:"stage"`
	Text       string        `json:"text"`
	Retryable  bool          `json:"retryable,omitempty"`
	Ref        string        `json:"ref,omitempty"`
	Ticket     string        `json:"ticket,omitempty"` // of a pending call
	Problems   []Problem     `json:"problems,omitempty"`
	More       int           `json:"more,omitempty"`      // problems beyond those kept
	Authored   bool          `json:"authored,omitempty"`  // Text and Code are those of a ToolError
	Transient  bool          `json:"transient,omitempty"` // of a ToolError, as RetryAfter
	RetryAfter time.Duration `json:"retry_after,omitempty"`
	cause      error
}

// status returns the status, which is never ok: a failure from JSON may say anything.
func (f *failure) status() Status {
	switch f.Status {
	case StatusInvalid, StatusDenied, StatusPending, StatusSkipped:
		return f.Status
	}
	return StatusFailed
}

// A told is what an outcome says of a failure, to the model and to the host, in one piece of memory.
type told struct {
	parts [1]Part
	call  CallError
	wrong ValidationError
}

// ownErr is err for a failure that is kept: the problems in the error are copies.
func (f *failure) ownErr(tool string, t *told) error {
	own := *f
	own.Problems = slices.Clone(f.Problems)
	return own.err(tool, t)
}

// err returns the host's error. Without the cause, after JSON, it is rebuilt from code, problems
// and text: the same sentinels, and the same *ValidationError or *ToolError. It shares f's problems.
func (f *failure) err(tool string, t *told) error {
	t.call = CallError{Tool: tool, Stage: f.Stage}
	if f.cause == nil && f.Status == StatusInvalid && f.Code == codeInvalid && f.Stage == stageValidate &&
		len(f.Problems) > 0 { // as in most
		t.call.Err = f.wrong(t)
	} else {
		t.call.Err = f.chain(t)
	}
	return &t.call
}

// chain returns the causes as one error.
func (f *failure) chain(t *told) error {
	causes := f.causes(t)
	if len(causes) > 1 {
		return &withCauses{causes}
	}
	return causes[0]
}

// wrong returns the error that has the problems.
func (f *failure) wrong(t *told) error {
	t.wrong = ValidationError{Problems: f.Problems, more: f.More}
	return &t.wrong
}

// causes returns what err has in its chain, one at least.
func (f *failure) causes(t *told) (dst []error) {
	switch {
	case f.cause != nil:
		dst = append(dst, f.cause)
	case len(f.Problems) > 0:
		dst = append(dst, f.wrong(t))
	case f.Authored:
		e := &ToolError{Text: f.Text, Code: f.Code, Retryable: f.Retryable,
			Transient: f.Transient, RetryAfter: f.RetryAfter}
		if e.Code == codeToolError {
			e.Code = "" // as the author left it
		}
		dst = append(dst, e)
	}
	// What an author calls a code may be one of jig's, and says nothing about what jig saw.
	if cause := sentinel(f.Code); cause != nil && !f.Authored {
		dst = append(dst, cause)
	}
	if f.Status == StatusDenied {
		dst = append(dst, ErrDenied)
	}
	if f.Stage == stageOutput {
		dst = append(dst, ErrOutput)
	}
	if len(dst) == 0 {
		dst = append(dst, errors.New(f.Text))
	}
	return dst
}

// unreadable is for arguments whose own type panicked while it read them.
func unreadable(p *prepared, cause error) *failure {
	f := &failure{Status: StatusFailed, Code: codePanic, Stage: stageValidate, Ref: p.reference(),
		cause: cause}
	f.Text = p.name() + " could not read its arguments, and nothing was run. Reference: " + f.Ref + "."
	return f
}

// denied is for a call that may not run.
func denied(code, text string) *failure {
	return &failure{Status: StatusDenied, Code: code, Stage: stageAuthorize, Text: text}
}

// notRun is for a call that a registry cannot vouch for.
func notRun(why string) *failure {
	return denied(codeUnsealed, "The call was not run: "+why+".")
}

// skipped is for a call whose context had ended before it started.
func skipped(cause error) *failure {
	return &failure{Status: StatusSkipped, Code: codeSkipped, Stage: stageExecute,
		Text:  "Not run: the run was stopped before this call started.",
		cause: fmt.Errorf("%w: %w", ErrSkipped, cause)}
}

// executionFailure turns an error of Execute, or what happened instead of a return, into a failure.
// Codes are decided by errors.Is and errors.As: what jig saw first, then what the author says.
func executionFailure(p *prepared, a *attempt) *failure {
	f := &failure{Status: StatusFailed, Code: codeError, Stage: stageExecute, cause: a.err}
	if a.ran {
		f.Stage = stageOutput
	}
	authored := asToolError(a.err)
	switch {
	case a.panicked:
		f.Code = codePanic
	case a.ran:
		f.Code = codeOutput
	case authored != nil:
		f.Authored, f.Code, f.Retryable = true, codeToolError, authored.Retryable
		f.Transient, f.RetryAfter = authored.Transient, authored.RetryAfter
		if authored.Code != "" {
			f.Code = authored.Code
		}
		if f.Text = clip.Valid(authored.Text); f.Text != "" {
			return f
		}
	case is(a.err, ErrPanic): // of a call that the tool made in turn
		f.Code = codePanic
	// Once the context has ended it is why the tool failed, whatever the tool says about it.
	case errors.Is(a.ended, context.DeadlineExceeded), a.ended == nil && isTimeout(a.err):
		f.Code = codeTimeout
	case a.ended != nil, is(a.err, context.Canceled):
		f.Code = codeCancelled
	}
	f.Ref = p.reference()
	f.Text = maskedText(p, f, a)
	return f
}

func isTimeout(err error) bool { return is(err, ErrTimeout) || is(err, context.DeadlineExceeded) }

// is is errors.Is for an error of others, whose methods may panic.
func is(err, target error) (found bool) {
	defer func() { _ = recover() }()
	return errors.Is(err, target)
}

// maxErrorDepth bounds how deep the tree of an error is looked into.
const maxErrorDepth = 1000

// eachError calls visit with err, which is depth levels deep in a tree of errors, and with all that it wraps,
// until visit returns false, and reports whether it never did. The methods of others may panic.
func eachError(err error, depth int, visit func(error) bool) bool {
	if err == nil || depth > maxErrorDepth {
		return true
	}
	if !visit(err) {
		return false
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return eachError(e.Unwrap(), depth+1, visit)
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			if !eachError(inner, depth+1, visit) {
				return false
			}
		}
	}
	return true
}

// asToolError returns the authored error in the chain, or nil, for an error of others.
func asToolError(err error) (authored *ToolError) {
	defer func() { _ = recover() }()
	authored, _ = errors.AsType[*ToolError](err)
	return authored
}

// errorType is the Go type of what went wrong, or of the value of a panic.
func errorType(cause error) string {
	if p, ok := cause.(*panicError); ok { // made here, never wrapped
		return fmt.Sprintf("%T", p.value)
	}
	return fmt.Sprintf("%T", cause)
}

// maskedText is the fixed sentence for a failure whose details are not for the model.
func maskedText(p *prepared, f *failure, a *attempt) string {
	name := p.name()
	reference := " Reference: " + f.Ref + "."
	switch {
	case a.ran:
		return name + " did run, but its result could not be prepared; do not assume that it did " +
			"nothing." + reference
	case f.Code == codeTimeout && a.ended != nil:
		return name + " did not finish in time" + within(a.timeout) + "." + p.unknownEffect() + reference
	case f.Code == codeCancelled && a.ended != nil:
		return name + " was stopped before it finished." + p.unknownEffect() + reference
	}
	return name + " failed; the details are not available here." + p.unknownEffect() + reference
}

func within(timeout time.Duration) string {
	if timeout <= 0 {
		return ""
	}
	return " (" + timeout.String() + ")"
}

// unknownEffect warns that a call which may change something was not seen to end.
func (p *prepared) unknownEffect() string {
	if p.tool.effect == EffectRead {
		return ""
	}
	return unknownEffectText
}

const unknownEffectText = " It is unknown whether it took effect: check before you call it again."

// reference returns the id that the model's text and the host's log share: derived where run and
// call are known, so that it is the same wherever the call is rendered, else random.
func (p *prepared) reference() string {
	if p.Caller.RunID == "" || p.CallID == "" {
		var b [6]byte
		_, _ = rand.Read(b[:]) // never fails
		return hex.EncodeToString(b[:])
	}
	text := scan.AppendQuote([]byte{'['}, p.Caller.RunID)
	text = scan.AppendQuote(append(text, ','), p.CallID)
	text = scan.AppendQuote(append(text, ','), p.name())
	sum := sha256.Sum256(append(text, ']'))
	return hex.EncodeToString(sum[:6])
}

// noError reports whether err says that nothing went wrong: nil, or a nil value of an error type.
func noError(err error) bool { return err == nil || isNil(err) }

// isNil reports whether err is a nil value of an error type.
func isNil(err error) bool {
	switch v := reflect.ValueOf(err); v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		return v.IsNil()
	}
	return false
}

// shown shortens and quotes text that a model chose.
func shown(s string) string { return strconv.Quote(clip.Middle(s, 80)) }

// plainName returns a name that is one as it is, and any other text shortened and quoted, so that
// what a model chose cannot forge a line of a log.
func plainName(name string) string {
	if len(name) > 2*maxWireName || name == "" || !standsInQuotes(name) || strings.Contains(name, " ") {
		return shown(name)
	}
	return name
}
