// Package jig defines the tools that a language model may call, and runs the calls.
//
// An author writes one Go struct for the arguments, one function and one [Spec] literal. Define
// reflects the struct into a JSON Schema and compiles it; a [Registry] hands the definitions to a
// model and runs what the model sends back. See the package example for a whole program.
//
// A call takes this path:
//
//   - resolve: the name is looked up; a name that differs in case and separators only is taken;
//   - limits: size, depth, number length, UTF-8, duplicate keys, exactly one value;
//   - validate and decode in one pass, exactly, with all problems at once;
//   - mend what was refused and has one meaning only, and validate again: see [RepairMode];
//   - authorize: the tool's Check, then the host's [Policy], then its [Approver] where a person has to
//     consent;
//   - execute, under a timeout, with panics contained;
//   - output schema, ToModelOutput, Project, redact, encode, and cap or store: what the model reads is
//     small, well formed, and nothing that it must not see;
//   - an [Outcome], exactly one for each call.
//
// The same steps are there one by one, with values between them that survive JSON, for hosts that
// prepare a call in one process and run it in another: see [Registry.Prepare].
//
// # What the package does not do
//
// It has no agent loop, no model client and no message history. It does not repair arguments with a
// model, pause inside a tool's body, or sandbox what a tool does. A tool without an Execute does
// not exist: what nobody here runs cannot be governed here.
package jig

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/plan"
)

// A Spec says everything about one tool. [Define] turns it into a [Tool].
//
// Args is a struct whose fields are the arguments, or json.RawMessage or map[string]any together
// with a Schema; struct{} is a tool without arguments. Result is any type that JSON can write;
// [NoResult] is a tool without a result.
//
// What a model does with an argument follows from its field; [SchemaFor] lists the tags. Give each
// field a description, and have only fields that are needed. Prefer an enum to free text, and bound
// long text with maxLength. Use a pointer where "not stated" is a right answer. Where facts are
// extracted, require a citation beside them.
type Spec[Args, Result any] struct {
	// Name is what the model calls, verb first: refund_order. It matches
	// ^[A-Za-z_][A-Za-z0-9_-]{0,63}$. Required.
	Name string

	// Title is a short name for people. Empty means none.
	Title string

	// Description tells the model when to call the tool, in which order with others, and how
	// often. If one sentence cannot say when it beats its sibling, merge the two. Required.
	Description string

	// Execute does the work. It runs after the arguments were validated and the call was allowed,
	// with a context that ends at the timeout. A plain error is shown to the model as a fixed
	// sentence with a reference id; return [Errorf] or a *[ToolError] for text that the model
	// should read. Required.
	Execute func(ctx context.Context, args Args) (Result, error)

	// Strict closes every object of the schema that declares properties, so that an invented
	// property is refused. Use it where one would hurt: databases, payments. The zero value
	// leaves objects open; properties that are not declared are then dropped.
	Strict bool

	// Examples are shown in the description: three to five, varied and none of them bad, most
	// useful for enums, formats and optional properties that models forget. They are checked by
	// Define, against the tool's own schema. Empty means none.
	Examples []Args

	// Schema is used instead of the one reflected from Args. A struct Args has to have a field for
	// each property, of the same kind, which Define checks. Nil reflects Args.
	Schema *Schema

	// Repair says what is mended in arguments that are refused, before they are checked again. The
	// zero value is RepairSafe, which mends what has one meaning only.
	Repair RepairMode

	// Check says what is wrong with valid arguments that only code can tell: a date in the past, an
	// id that does not exist. It runs when a call is authorized, before anybody is asked, under the
	// timeout, and with arguments of its own: what it changes never reaches Execute. [Invalid] names
	// an argument; Invalid and [Errorf] make the call invalid, for the model to correct. Any other
	// error is shown as one of Execute would be. Nothing has run then. If nil, nothing is checked.
	Check func(ctx context.Context, args Args) error

	// Effect says what a call may change. It is not derived from anything. The zero value is
	// EffectUnknown, which claims nothing.
	Effect Effect

	// Approval is the consent that a call needs, which the host may raise and never lower. The
	// zero value, ApprovalUnset, leaves it to the host.
	Approval Approval

	// Retry says whether a call that failed may be made again. It is not derived from Effect. The
	// zero value, RetryUnset, counts as RetryNever.
	Retry Retry

	// Preview says, for the person who has to approve a call, what it would do. It runs only where
	// somebody is asked, after Check and the policy, under the timeout, and with arguments of its
	// own. Its text is shown as it is: it is for Preview to leave redacted values out. If it fails
	// nobody is asked, and the call fails as if Check had. If nil, the arguments alone are shown.
	Preview func(ctx context.Context, args Args) (string, error)

	// Timeout bounds one attempt of Execute and ToModelOutput together. Zero means the registry's.
	Timeout time.Duration

	// MaxParallel bounds how many attempts run at a time, over all registries and copies of the tool.
	// A call waits for its turn, and is skipped if its context ends before. An attempt that was given
	// up counts until it returns. A tool that calls itself waits for itself. Zero means no limit.
	MaxParallel int

	// KeyFields names the arguments that make the idempotency key, as in JSON: those that say which
	// thing is done, without the ones that may differ when it is done again. See
	// [Info.IdempotencyKey]. Empty means all.
	KeyFields []string

	// CacheTTL is how long Options.Cache may answer for a call with the same arguments, caller and
	// limits, in whatever run. It counts for tools with EffectRead alone. What is kept is what the
	// model read, without Value; never an error, nor a result with attachments or a stored one. Zero
	// means never.
	CacheTTL time.Duration

	// Undo undoes a call that took effect, also in another process: when it failed after [UndoWith],
	// when another call of its Saga failed, or when [Registry.Undo] is called. It gets the arguments
	// as Execute did, and the token that UndoWith kept, or nil. If nil, only what [Compensate]
	// registered is undone.
	Undo func(ctx context.Context, args Args, token json.RawMessage) error

	// OutputSchema is what a result has to meet, which is checked after Execute and before
	// ToModelOutput, with the values of hidden and redacted fields. A result that does not meet it
	// is shown to nobody but the host. If nil, nothing is checked. See [Tool.OutputSchema] for the
	// schema of what the model gets.
	OutputSchema *Schema

	// ToModelOutput shapes what the model sees: shrink, reshape, strip secrets. It runs once after
	// each success of Execute, with the same context, and before Project, Redact and the cap. If
	// it fails the model sees nothing of the result. It gets the result in clear: jig.JSON heeds the
	// jig tags of what it encodes, and what the function writes by itself is shown as written. If
	// nil, the model sees the result's JSON, or the string itself.
	ToModelOutput func(ctx context.Context, result Result) (Output, error)

	// Project lists what may be in the model's view, as paths: id, items[].sku, items[0:3], meta.*,
	// meta."odd.name". All else is left out, also a field that is added later. It is applied
	// after ToModelOutput, to JSON; a view with any other part fails, and nothing of it is
	// shown. Without ToModelOutput, Define refuses a path that Result has no place for. Empty
	// keeps everything.
	Project []string

	// Redact lists places, as paths, whose values nobody but the tool and its host may see, in
	// arguments and in results, for types that carry no jig:"redact" tags. In the model's view,
	// after Project, each is "[redacted]". Empty redacts what is tagged.
	Redact []string

	// MaxOutputBytes bounds the text that the model gets, at least 256. The smaller of this and the
	// registry's holds. Zero means the registry's.
	MaxOutputBytes int

	// Overflow says what becomes of an output over the cap. The zero value is OverflowTruncate.
	Overflow OverflowMode

	// Tags are words of the host's own, for its policies and filters; no model sees them. Empty
	// means none.
	Tags []string
}

// NoResult is the Result of a tool that returns nothing; the model reads "done".
type NoResult struct{}

// A Tool is a defined tool. It has no type parameters, so that tools of all kinds fit into one
// slice, and never changes; it is safe for concurrent use.
type Tool struct {
	definition
	group       string // the first part of a grouped name, or empty
	fullName    string // see Name
	input       *Schema
	plan        *plan.Plan
	argsType    *codec.Type
	view        view
	examples    []json.RawMessage
	description string        // with examples
	fingerprint func() string // hashed when it is first asked for
	around      aroundProblems
	slots       *slots // shared by copies; nil: no limit
}

// Define checks a Spec and compiles it into a Tool. The error is a *[DefineError] that lists
// everything that is wrong, with the Go path of the field and what to write instead. Nothing of the
// Spec is kept that its author could change later: examples are written out here.
func Define[Args, Result any](spec Spec[Args, Result]) (*Tool, error) {
	return define(spec.erase(callSite(1)))
}

// MustDefine is Define for a tool in a package variable. It panics with the caller's file and line
// if the Spec is wrong.
func MustDefine[Args, Result any](spec Spec[Args, Result]) *Tool {
	at := callSite(1)
	tool, err := define(spec.erase(at))
	if err != nil {
		panic(at.String() + ": " + err.Error())
	}
	return tool
}

// Name returns the canonical name: name, or group.name for a copy in a group.
func (t *Tool) Name() string { return t.fullName }

// wireName is the name where dots are refused.
func (t *Tool) wireName() string {
	if t.group != "" {
		return t.group + "__" + t.name
	}
	return t.name
}

// Title returns the name for people, or "".
func (t *Tool) Title() string { return t.title }

// Description returns what the model reads, examples included.
func (t *Tool) Description() string { return t.description }

// Plain returns the description without examples.
func (t *Tool) Plain() string { return t.plain }

// InputSchema returns the schema of the arguments; that of a strict tool is closed.
func (t *Tool) InputSchema() *Schema { return t.input }

// OutputSchema returns the schema of the JSON that the model gets: that of Result, or Spec.OutputSchema,
// with what tags, Project and Redact leave of it. It constrains no values of its own. It returns nil
// where the model gets text, or what ToModelOutput makes.
func (t *Tool) OutputSchema() *Schema { return t.view.schema }

// Strict reports whether the tool was defined strict.
func (t *Tool) Strict() bool { return t.strict }

// Examples returns the examples as compact JSON, in a copy.
func (t *Tool) Examples() []json.RawMessage {
	out := make([]json.RawMessage, len(t.examples))
	for i, raw := range t.examples {
		out[i] = append(json.RawMessage(nil), raw...)
	}
	return out
}

// Effect returns what a call may change.
func (t *Tool) Effect() Effect { return t.effect }

// Approval returns the consent that a call needs.
func (t *Tool) Approval() Approval { return t.approval }

// needsConsent reports whether each call needs somebody's consent.
func (t *Tool) needsConsent() bool {
	return t.approval == ApprovalRequester || t.approval == ApprovalAlways
}

// Retry returns whether a call that failed may be made again.
func (t *Tool) Retry() Retry { return t.retry }

// Tags returns the host's words for the tool, in a copy.
func (t *Tool) Tags() []string { return slices.Clone(t.tags) }

// Fingerprint returns the SHA-256, in hexadecimal, of what a decision about a call depends on:
// the JSON array of format version, name, enforced input schema without descriptions, effect,
// approval and retry. It is the same on every platform.
func (t *Tool) Fingerprint() string {
	if t.fingerprint == nil {
		return "" // not made by Define
	}
	return t.fingerprint()
}

// DefinedAt returns the file and line where the tool was defined.
func (t *Tool) DefinedAt() string { return t.site.String() }

// WithName returns a copy of the tool under another name of its own.
// The error is a *[DefineError] for a name that Define would refuse.
func (t *Tool) WithName(name string) (*Tool, error) {
	return t.with(func(c *Tool) { c.name = name })
}

// WithDescription returns a copy of the tool with another description; the examples stay.
// The error is a *[DefineError] for an empty one.
func (t *Tool) WithDescription(description string) (*Tool, error) {
	return t.with(func(c *Tool) { c.plain = description })
}

func (t *Tool) with(change func(*Tool)) (*Tool, error) {
	c := *t
	change(&c)
	if problems := c.checkFields(); len(problems) > 0 {
		return nil, &DefineError{Tool: c.name, Problems: problems}
	}
	c.settle()
	return &c, nil
}

// Call runs the tool alone, under default options, for unit tests: everything that a registry does
// to a call is done here too. Agents call a [Registry].
func (t *Tool) Call(ctx context.Context, args json.RawMessage) Outcome {
	r := &Registry{}
	r.set().publish([]*Tool{t})
	return r.Call(ctx, Call{Name: t.Name(), Args: args})
}
