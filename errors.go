package jig

import (
	"errors"
	"fmt"
	"time"
)

// Errors in the chain of Outcome.Err. ErrUnknownTool stands beside the registry, ErrDenied
// and ErrPending beside the policy.
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
	Stage string // resolve, validate, repair, check, authorize, execute, output, undo or middleware
	Err   error
}

// Error returns tool, stage and cause.
func (e *CallError) Error() string {
	return plainName(e.Tool) + ": " + e.Stage + ": " + textOf(e.Err)
}

// textOf is the text of an error of others, whose method may panic.
func textOf(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("an error of type %T whose Error method panics", err)
		}
	}()
	return err.Error()
}

// Unwrap returns the cause.
func (e *CallError) Unwrap() error { return e.Err }

// A ToolError is an error that a tool's author words for the model.
type ToolError struct {
	// Text is what the model reads, verbatim: one sentence that says what to do next. Empty shows
	// the fixed sentence of a plain error.
	Text string
	// Err is the cause, for the host. Nil means none.
	Err error
	// Code is Outcome.Code. Empty means tool_error.
	Code string
	// Retryable says that the model may try again with other arguments.
	Retryable bool
	// Transient says that the same call may succeed later, so that Options.Retry may make it again.
	Transient bool
	// RetryAfter is how long to wait before that at least. Zero means what Options.Retry says.
	RetryAfter time.Duration
}

// Error returns the text and the cause, for the host.
func (e *ToolError) Error() string {
	switch {
	case e == nil:
		return "<nil>"
	case e.Err == nil:
		return e.Text
	}
	return e.Text + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *ToolError) Unwrap() error {
	if e == nil { // inside another error a typed nil is no nil
		return nil
	}
	return e.Err
}

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
		switch v := arg.(type) {
		case error:
			causes = append(causes, v)
		case []error:
			causes = append(causes, v...)
		}
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

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

func (e *panicError) Is(target error) bool { return target == ErrPanic }

func (e *panicError) Unwrap() error {
	err, _ := e.value.(error)
	return err
}
