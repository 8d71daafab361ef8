package jig

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strconv"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/codec"
)

// An Attachment is a file that a tool hands to the application and that no model sees.
type Attachment struct {
	Name, MIME string
	Data       []byte
}

// Format prints name, type and size, whatever the verb.
func (a Attachment) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, a.summary()) }

// LogValue is name, type and size.
func (a Attachment) LogValue() slog.Value { return slog.StringValue(a.summary()) }

func (a Attachment) summary() string {
	return "Attachment(" + shown(a.Name) + " " + plainName(a.MIME) + " " +
		strconv.Itoa(len(a.Data)) + " bytes)"
}

// Attach adds a file to [Outcome.Attachments] of the call that ctx belongs to. The data is copied. What
// is attached after the call has ended, or outside one, is dropped.
func Attach(ctx context.Context, a Attachment) {
	run := runOf(ctx)
	if run == nil {
		return
	}
	a.Data = bytes.Clone(a.Data)
	run.x.mu.Lock()
	defer run.x.mu.Unlock()
	if extras := run.extra(); extras != nil {
		extras.attachments = append(extras.attachments, a)
	}
}

// Progress is a report of a tool that is still running.
type Progress struct {
	CallID string
	Tool   string
	// Value is what the tool reported, encoded as results are: hidden fields are absent and redacted
	// ones replaced. It has at most 4 KiB; a larger one is cut and stays JSON.
	Value json.RawMessage
}

const (
	maxProgressBytes = 4 << 10
	maxProgress      = 1000 // reports of one attempt
)

// ReportProgress hands a value to Options.Progress, for the call that ctx belongs to. It is never part
// of the result. A report is dropped without an Options.Progress, outside a call, after its end, if the
// value has no JSON form, and beyond the first thousand. ReportProgress returns after Options.Progress has.
func ReportProgress(ctx context.Context, v any) {
	run := runOf(ctx)
	if run == nil || run.x.owner.options.Progress == nil || !run.report() {
		return
	}
	defer func() { _ = recover() }() // a report is never worth the call
	raw, err := codec.Marshal(v)
	if err != nil {
		return
	}
	if _, err := codec.CheckJSON(raw); err != nil {
		return
	}
	raw, _ = clip.JSON(raw, maxProgressBytes)
	info := CallInfo(ctx)
	run.x.owner.options.Progress(ctx, Progress{CallID: info.CallID(), Tool: info.Tool(), Value: raw})
}

// A running is an attempt that is under way. It is the context of the attempt, too.
type running struct {
	context.Context // the one around the attempt
	x               *execution

	// Under x.mu:
	reports int16
	ended   bool
	number  int32 // of the attempt, from 1; fixed
}

type runningKey struct{}

// Value returns what belongs to the attempt, else what the context around it has.
func (r *running) Value(key any) any {
	switch key.(type) {
	case infoKey, runningKey:
		return r
	}
	return r.Context.Value(key)
}

// String says little: what is inside holds the arguments in clear.
func (r *running) String() string { return "jig: the context of a call" }

// room is how many bytes of text the model gets.
func (r *running) room() int { return r.x.owner.room(r.x.tool).about() }

// runOf returns the attempt that ctx belongs to, or nil. A call that a tool makes in turn has a Check
// of its own, which is no part of the tool's attempt.
func runOf(ctx context.Context) *running {
	run, _ := ctx.Value(runningKey{}).(*running)
	if run == nil || callOf(ctx) != &run.x.prepared {
		return nil
	}
	return run
}

// report counts a report and reports whether it may be made.
func (r *running) report() bool {
	r.x.mu.Lock()
	defer r.x.mu.Unlock()
	if r.ended || r.reports >= maxProgress {
		return false
	}
	r.reports++
	return true
}

// end closes the attempt and returns what it attached.
func (r *running) end() []Attachment {
	r.x.mu.Lock()
	r.ended = true
	r.x.mu.Unlock()
	if r.x.extras == nil { // nothing is added any more
		return nil
	}
	return r.x.extras.attachments
}
