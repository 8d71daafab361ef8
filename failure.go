package jig

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/jig-go/jig/internal/scan"
)

// Errors in the chain of Outcome.Err. ErrUnknownTool stands beside the registry and ErrDenied
// beside approval.
var (
	// ErrIncomplete says that the model was cut off, so that the arguments are not whole.
	ErrIncomplete = errors.New("arguments are incomplete")
	// ErrTimeout says that the tool did not return in time. It may still be running.
	ErrTimeout = errors.New("timeout")
	// ErrPanic says that code of the tool panicked or ended its goroutine.
	ErrPanic = errors.New("panic")
	// ErrOutput says that the tool ran and its result could not be prepared for the model.
	ErrOutput = errors.New("output cannot be prepared")
	// ErrSkipped says that the call was not started because its context had ended.
	ErrSkipped = errors.New("not started")
)

// A CallError says where in the path of a call it failed.
type CallError struct {
	Tool  string // canonical name, or the name as the model gave it
	Stage string // resolve, validate, authorize or execute
	Err   error
}

// Error returns tool, stage and cause.
func (e *CallError) Error() string { return e.Tool + ": " + e.Stage + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *CallError) Unwrap() error { return e.Err }

// A ToolError is an error that a tool's author words for the model.
type ToolError struct {
	// Text is what the model reads, verbatim: one sentence that says what to do next.
	Text string
	// Err is the cause, for the host. Nil means none.
	Err error
	// Code is Outcome.Code. Empty means tool_error.
	Code string
	// Retryable says that the model may try again with other arguments.
	Retryable bool
}

// Error returns the text and the cause, for the host.
func (e *ToolError) Error() string {
	if e.Err == nil {
		return e.Text
	}
	return e.Text + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *ToolError) Unwrap() error { return e.Err }

// Errorf returns a *[ToolError] that is Retryable, with a text formatted for the model. An error
// among the arguments prints as [error] in that text and stays in the chain, whatever its verb.
func Errorf(format string, args ...any) error {
	hidden := make([]any, len(args))
	for i, arg := range args {
		hidden[i] = arg
		switch arg.(type) {
		case error, []error:
			hidden[i] = hiddenError{}
		}
	}
	text := fmt.Errorf(format, hidden...).Error()
	return &ToolError{Text: text, Err: chained(format, args), Retryable: true}
}

// chained is the host's error of Errorf, with every error argument in its chain.
func chained(format string, args []any) error {
	causes := []error{fmt.Errorf(format, args...)}
	for _, arg := range args {
		if err, ok := arg.(error); ok && !errors.Is(causes[0], err) {
			causes = append(causes, err)
		}
	}
	if len(causes) == 1 {
		return causes[0]
	}
	return &withCauses{causes}
}

// withCauses prints as its first error and has them all in its chain.
type withCauses struct{ causes []error }

func (e *withCauses) Error() string   { return e.causes[0].Error() }
func (e *withCauses) Unwrap() []error { return e.causes }

// hiddenError stands for an error whose text is not for the model.
type hiddenError struct{}

func (hiddenError) Error() string              { return "[error]" }
func (hiddenError) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte("[error]")) }

// panicError is what was recovered, with the stack for the host.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string        { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }
func (e *panicError) Is(target error) bool { return target == ErrPanic }
func (e *panicError) Unwrap() error {
	err, _ := e.value.(error)
	return err
}

// Codes of outcomes that are not ok.
const (
	codeInvalid    = "invalid_arguments"
	codeIncomplete = "incomplete"
	codeUnknown    = "unknown_tool"
	codeDenied     = "no_approver"
	codeUnsealed   = "not_authorized"
	codeSkipped    = "not_started"
	codeTimeout    = "timeout"
	codeCancelled  = "cancelled"
	codePanic      = "panic"
	codeOutput     = "output"
	codeError      = "error"
	codeToolError  = "tool_error"
)

// sentinels are the causes that survive JSON, by code.
var sentinels = map[string]error{
	codeIncomplete: ErrIncomplete, codeUnknown: ErrUnknownTool, codeDenied: ErrDenied,
	codeUnsealed: ErrDenied, codeSkipped: ErrSkipped, codeTimeout: ErrTimeout,
	codeCancelled: context.Canceled, codePanic: ErrPanic, codeOutput: ErrOutput,
}

// A failure is why a call did not succeed. Its exported fields are what the model may see of it and
// survive JSON; the cause stays in the process.
type failure struct {
	Status    Status    `json:"status"`
	Code      string    `json:"code"`
	Stage     string    `json:"stage"`
	Text      string    `json:"text"`
	Retryable bool      `json:"retryable,omitempty"`
	Ref       string    `json:"ref,omitempty"`
	Problems  []Problem `json:"problems,omitempty"`
	More      int       `json:"more,omitempty"` // problems beyond those kept
	cause     error
}

// err returns the host's error. Without the cause, after JSON, it is rebuilt from code and problems.
func (f *failure) err(tool string) error {
	cause := f.cause
	sentinel := sentinels[f.Code]
	switch {
	case cause == nil && len(f.Problems) > 0:
		cause = &ValidationError{Problems: f.Problems, more: f.More}
		if sentinel != nil {
			cause = &withCauses{[]error{cause, sentinel}}
		}
	case cause == nil && sentinel != nil:
		cause = sentinel
	case cause == nil:
		cause = errors.New(f.Text)
	case sentinel != nil && !errors.Is(cause, sentinel):
		cause = &withCauses{[]error{cause, sentinel}}
	}
	return &CallError{Tool: tool, Stage: f.Stage, Err: cause}
}

// invalidArguments words problems with arguments, all of them, with what to do next.
func invalidArguments(tool string, problems []Problem, more int) *failure {
	text := "The arguments of " + tool + " are invalid and nothing was run:\n" +
		listProblems(problems, more, "- ") + "\nCorrect them and call " + tool + " again."
	return &failure{Status: StatusInvalid, Code: codeInvalid, Stage: "validate", Text: text,
		Retryable: true, Problems: problems, More: more,
		cause: &ValidationError{Problems: problems, more: more}}
}

// incompleteArguments is for a call that was cut off; it never runs, however much arrived.
func incompleteArguments(tool string, problems []Problem) *failure {
	f := &failure{Status: StatusInvalid, Code: codeIncomplete, Stage: "validate", Retryable: true,
		Problems: problems,
		Text: "The arguments of " + tool + " were cut off before they were complete, and nothing was " +
			"run. Call " + tool + " again with the whole arguments; if they are long, send less at a time."}
	if len(problems) > 0 {
		f.cause = &withCauses{[]error{&ValidationError{Problems: problems}, ErrIncomplete}}
	}
	return f
}

// denied is for a call that may not run.
func denied(code, text string) *failure {
	return &failure{Status: StatusDenied, Code: code, Stage: "authorize", Text: text}
}

// skipped is for a call whose context had ended before it started.
func skipped(cause error) *failure {
	return &failure{Status: StatusSkipped, Code: codeSkipped, Stage: "execute",
		Text: "Not run: the run was stopped before this call started.", cause: fmt.Errorf("%w: %w", ErrSkipped, cause)}
}

// executionFailure turns an error of Execute, or what happened instead of a return, into a failure.
// Codes are decided by errors.Is and errors.As.
func executionFailure(p *prepared, err error, timeout time.Duration, ended error) *failure {
	f := &failure{Status: StatusFailed, Code: codeError, Stage: "execute", cause: err}
	var authored *ToolError
	var output *outputError
	switch {
	case errors.Is(err, ErrPanic):
		f.Code = codePanic
	case errors.As(err, &output):
		f.Code = codeOutput
	case errors.As(err, &authored) && authored != nil:
		f.Code, f.Text, f.Retryable = codeToolError, authored.Text, authored.Retryable
		if authored.Code != "" {
			f.Code = authored.Code
		}
		return f
	case errors.Is(err, ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		f.Code = codeTimeout
	case errors.Is(err, context.Canceled):
		f.Code = codeCancelled
	}
	f.Ref = p.reference()
	f.Text = maskedText(p, f, timeout, ended)
	return f
}

// maskedText is the fixed sentence for a failure whose details are not for the model.
func maskedText(p *prepared, f *failure, timeout time.Duration, ended error) string {
	name := p.Tool
	reference := " Reference: " + f.Ref + "."
	switch {
	case f.Code == codeOutput:
		return name + " did run, but its result could not be prepared; do not assume that it did " +
			"nothing." + reference
	case f.Code == codeTimeout && errors.Is(ended, context.DeadlineExceeded):
		return name + " did not finish in time" + within(timeout) + "." + p.unknownEffect() + reference
	case f.Code == codeCancelled && ended != nil:
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
	return " It is unknown whether it took effect: check before you call it again."
}

// reference returns the id that the model's text and the host's log share: derived where run and
// call are known, so that it is the same wherever the call is rendered, else random.
func (p *prepared) reference() string {
	if p.Caller.RunID == "" || p.Call.ID == "" {
		var b [6]byte
		_, _ = rand.Read(b[:]) // never fails
		return hex.EncodeToString(b[:])
	}
	text := scan.AppendQuote([]byte{'['}, p.Caller.RunID)
	text = scan.AppendQuote(append(text, ','), p.Call.ID)
	text = scan.AppendQuote(append(text, ','), p.Tool)
	sum := sha256.Sum256(append(text, ']'))
	return hex.EncodeToString(sum[:6])
}

// noError reports whether err says that nothing went wrong: nil, or a nil value of an error type.
func noError(err error) bool {
	if err == nil {
		return true
	}
	switch v := reflect.ValueOf(err); v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		return v.IsNil()
	}
	return false
}

// outputError is a failure after Execute has succeeded.
type outputError struct{ err error }

func (e *outputError) Error() string { return "the tool ran: " + e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// shown shortens and quotes text that a model chose.
func shown(s string) string {
	const limit = 80
	if len(s) > limit {
		s = s[:limit] + "…"
	}
	return strconv.Quote(strings.ToValidUTF8(s, "�"))
}
