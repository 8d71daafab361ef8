package jig

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"time"
)

// A Call is one tool call of a model.
type Call struct {
	ID   string          // as the provider gave it; empty if it gave none
	Name string          // as the model wrote it
	Args json.RawMessage // as the model wrote it; need not be JSON
	// Incomplete says that the model was cut off here, by a token limit for instance. Such a call
	// is never run.
	Incomplete bool
}

// A Status is how a call ended. It is a string; the empty one is never ok.
type Status string

// The statuses.
const (
	StatusOK      Status = "ok"      // the tool ran, and the model reads its result
	StatusInvalid Status = "invalid" // the call is for the model to correct; nothing was run
	StatusFailed  Status = "failed"  // the tool, or its Check, did not succeed
	StatusDenied  Status = "denied"  // the call was not allowed; nothing was run
	StatusPending Status = "pending" // the call waits for its approval; nothing was run
	StatusSkipped Status = "skipped" // the call was not started
	// StatusRolledBack is that of a call which succeeded and was undone, since a later one failed.
	StatusRolledBack Status = "rolled_back"
)

// A Repair is something that was put right in a call before it ran.
type Repair struct {
	// Pointer is the place in the arguments as a JSON pointer; "" for the call itself.
	Pointer string
	// Kind is unknown_property for a property that was left out; tool_name for a name that differed
	// from the tool's in case and separators only; for mended values number_text, boolean_text,
	// json_text, encoded_arguments or single_item; for mended text code_fence, control_token,
	// trailing_comma, single_quotes or control_character.
	Kind   string
	Before string `json:",omitempty"` // shortened
	After  string `json:",omitempty"` // shortened
}

// An Outcome is what became of a call: exactly one for each call, whatever happens. It survives
// JSON, but for Attachments, Value and Err.
type Outcome struct {
	CallID string
	Tool   string // canonical name; for an unknown tool the name as the model wrote it
	Status Status
	// Code says why: invalid_arguments, incomplete, unknown_tool, no_approver, denied,
	// invalid_rewrite, pending, not_authorized, not_started, held, answered, middleware, timeout,
	// cancelled, panic, output, too_large, error, tool_error or a ToolError's own code, and those of
	// middleware and of package run. Empty when the status is ok.
	Code string
	// Ref is the reference id that the host's log has too. Empty where nothing was logged.
	Ref string
	// Output is what the model reads, within the cap.
	Output Output
	// Repairs is what was put right in the call.
	Repairs []Repair
	// Cut is set when the output was larger than the cap.
	Cut *Cut
	// Answer is the accepted answer of an answer tool (see [DefineAnswer]), as canonical arguments.
	Answer json.RawMessage `json:",omitempty"`
	// Attachments are the files that the tool gave with [Attach], for the host, in the process that
	// ran it. They are in clear, and no model sees them.
	Attachments []Attachment `json:"-"`
	// Ticket says which approval is awaited, where the status is pending. It is for the host alone:
	// whoever has it may be able to approve the call.
	Ticket string `json:",omitempty"`
	// Retryable says that the model may try again with other arguments.
	Retryable bool
	// Attempts is how often Execute was started.
	Attempts int
	// Duration is how long the execution took, zero if nothing was started.
	Duration time.Duration
	// Err is the whole cause, for the host: non-nil exactly when Status is not ok. It may hold what
	// no model should see.
	Err error `json:"-"`
	// Value is Execute's result, for the host, in the process that ran it. It is kept beside an
	// error too.
	Value any `json:"-"`
}

// Text returns what the model reads as one text.
func (o Outcome) Text() string { return o.Output.Text() }

// IsError reports whether the status is anything but ok.
func (o Outcome) IsError() bool { return o.Status != StatusOK }

// Format prints an Outcome without Attachments, Value and Err, whatever the verb. Package fmt calls no methods on
// unexported fields: a struct that holds an Outcome in one prints all of it.
func (o Outcome) Format(s fmt.State, _ rune) {
	code := o.Code
	if code != "" {
		code = " " + plainName(code)
	}
	fmt.Fprintf(s, "Outcome(%s %s%s: %s)", plainName(o.Tool), o.Status, code, shown(o.Text()))
}

// LogValue is the Outcome without Attachments, Value and Err.
func (o Outcome) LogValue() slog.Value {
	return slog.GroupValue(slog.String("call", o.CallID), slog.String("tool", plainName(o.Tool)),
		slog.String("status", string(o.Status)), slog.String("code", o.Code),
		slog.String("ref", o.Ref), slog.Int("bytes", len(o.Text())),
		slog.Duration("duration", o.Duration))
}
