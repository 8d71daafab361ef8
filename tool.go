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
//   - authorize: a tool that needs a person's approval is denied where nobody can be asked;
//   - execute, under a timeout, with panics contained;
//   - ToModelOutput, encode and cap: what the model reads is small and well formed;
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
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/plan"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// A Spec says everything about one tool. Define turns it into a [Tool].
//
// Args is a struct whose fields are the arguments, or json.RawMessage or map[string]any together
// with a Schema; struct{} is a tool without arguments. Result is any type that JSON can write;
// [NoResult] is a tool without a result.
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

	// Schema is used instead of the one reflected from Args. Define checks a struct Args against
	// it. Nil reflects Args.
	Schema *Schema

	// Effect says what a call may change. It is not derived from anything. The zero value is
	// EffectUnknown, which claims nothing.
	Effect Effect

	// Approval is the consent that a call needs, which the host may raise and never lower. The
	// zero value, ApprovalUnset, leaves it to the host.
	Approval Approval

	// Timeout bounds one attempt of Execute and ToModelOutput together. Zero means the registry's.
	Timeout time.Duration

	// ToModelOutput shapes what the model sees: shrink, reshape, strip secrets. It runs once after
	// each success of Execute, with the same context, and before the output is capped. If it fails
	// the model sees nothing of the result. If nil, the model sees the result's JSON, or the
	// string itself.
	ToModelOutput func(ctx context.Context, result Result) (Output, error)

	// MaxOutputBytes bounds the text that the model gets, at least 256. The smaller of this and the
	// registry's holds. Zero means the registry's.
	MaxOutputBytes int
}

// NoResult is the Result of a tool that returns nothing; the model reads "done".
type NoResult struct{}

// A Tool is a defined tool. It has no type parameters, so that tools of all kinds fit into one
// slice, and never changes; it is safe for concurrent use.
type Tool struct {
	definition
	group       string // the first part of a grouped name, or empty
	input       *Schema
	plan        *plan.Plan
	argsType    *codec.Type
	resultType  *codec.Type
	examples    []json.RawMessage
	description string // with examples
	fingerprint string
}

// definition is a Spec without type parameters.
type definition struct {
	name, title, plain string
	args, result       reflect.Type
	execute            func(ctx context.Context, args any) (reflect.Value, error) // args is a *Args
	toModelOutput      func(ctx context.Context, result reflect.Value) (Output, error)
	strict             bool
	exampleValues      []reflect.Value
	schema             *Schema
	effect             Effect
	approval           Approval
	timeout            time.Duration
	maxOutputBytes     int
	site               string // file:line of the call of Define
}

// Define checks a Spec and compiles it into a Tool. The error is a *[DefineError] that lists
// everything that is wrong, with the Go path of the field and what to write instead.
func Define[Args, Result any](spec Spec[Args, Result]) (*Tool, error) {
	return define(spec.erase(callSite(1)))
}

// MustDefine is Define for a tool in a package variable. It panics with the caller's file and line
// if the Spec is wrong.
func MustDefine[Args, Result any](spec Spec[Args, Result]) *Tool {
	site := callSite(1)
	tool, err := define(spec.erase(site))
	if err != nil {
		panic(site + ": " + err.Error())
	}
	return tool
}

// erase takes the type parameters off a Spec.
func (s Spec[Args, Result]) erase(site string) definition {
	d := definition{
		name: s.Name, title: s.Title, plain: s.Description,
		args: reflect.TypeFor[Args](), result: reflect.TypeFor[Result](),
		strict: s.Strict, schema: s.Schema, effect: s.Effect, approval: s.Approval,
		timeout: s.Timeout, maxOutputBytes: s.MaxOutputBytes, site: site,
	}
	for i := range s.Examples {
		d.exampleValues = append(d.exampleValues, reflect.ValueOf(&s.Examples[i]).Elem())
	}
	if execute := s.Execute; execute != nil {
		d.execute = func(ctx context.Context, args any) (reflect.Value, error) {
			result, err := execute(ctx, *args.(*Args))
			return reflect.ValueOf(&result).Elem(), err
		}
	}
	if shape := s.ToModelOutput; shape != nil {
		d.toModelOutput = func(ctx context.Context, result reflect.Value) (Output, error) {
			return shape(ctx, result.Interface().(Result))
		}
	}
	return d
}

// callSite returns the file and line of the caller, skip frames above the function that asks; the
// file with its folder, which is enough to find it and says nothing about the machine.
func callSite(skip int) string {
	_, file, line, ok := runtime.Caller(skip + 1)
	if !ok {
		return "unknown"
	}
	dir, base := filepath.Split(file)
	return filepath.Base(dir) + "/" + base + ":" + strconv.Itoa(line)
}

// A DefineError says everything that is wrong with the definition of one tool.
type DefineError struct {
	Tool     string    // the name as given; empty for a schema alone
	Problems []Problem // in the order of the Spec; Pointer is a Go path
}

// Error lists the problems, one a line.
func (e *DefineError) Error() string {
	head := "jig: schema"
	if e.Tool != "" {
		head = "jig: tool " + strconv.Quote(e.Tool)
	}
	lines := []string{}
	for _, p := range e.Problems {
		line := head + ": " + p.Message
		if p.Pointer != "" {
			line = head + ": " + p.Pointer + ": " + p.Message
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// minOutputBytes is the smallest cap: a marker and something beside it have to fit.
const minOutputBytes = 256

// localName is the shape of a tool's own name and of a group's. The providers' rules meet in it:
// Gemini wants a letter or an underscore first, OpenAI and Anthropic take at most 64 characters
// (function declarations and tool definitions, read 2026-08).
var localName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)

// define makes a Tool in these steps: the literal's own fields, the argument type with its schema,
// the result type, the examples, the fingerprint.
func define(d definition) (*Tool, error) {
	t := &Tool{definition: d}
	problems := d.checkFields()
	problems = append(problems, t.defineArguments()...)
	problems = append(problems, t.defineResult()...)
	if t.input != nil && t.argsType != nil {
		examples, wrong := encodeExamples(t.argsType, t.input, d.exampleValues)
		problems = append(problems, wrong...)
		t.examples = examples
	}
	if len(problems) > 0 {
		return nil, &DefineError{Tool: d.name, Problems: problems}
	}
	t.exampleValues = nil
	t.settle()
	return t, nil
}

// settle computes what follows from the name and the description.
func (t *Tool) settle() {
	t.description = renderExamples(t.plain, t.examples)
	t.fingerprint = t.computeFingerprint()
}

func (d *definition) checkFields() []Problem {
	var out []Problem
	refuse := func(bad bool, field, message string) {
		if bad {
			out = append(out, Problem{Pointer: field, Message: message})
		}
	}
	refuse(!localName.MatchString(d.name), "Name", fmt.Sprintf("got %q, want a name that matches %s",
		d.name, localName))
	refuse(strings.TrimSpace(d.plain) == "", "Description",
		"is empty; say when the model should call the tool")
	refuse(d.execute == nil, "Execute", "is nil; a tool that the provider runs cannot be governed "+
		"here (no policy, approval or cap), so leave it to the provider's own list of tools; for a "+
		"tool whose arguments are the answer use DefineAnswer")
	refuse(int(d.effect) >= len(effectNames), "Effect", "got "+d.effect.String()+", want one of the "+
		"Effect constants")
	refuse(int(d.approval) >= len(approvalNames), "Approval", "got "+d.approval.String()+
		", want one of the Approval constants")
	refuse(d.timeout < 0, "Timeout", "is negative; zero means the registry's")
	refuse(d.maxOutputBytes != 0 && d.maxOutputBytes < minOutputBytes, "MaxOutputBytes",
		fmt.Sprintf("got %d, want at least %d; zero means the registry's", d.maxOutputBytes,
			minOutputBytes))
	return out
}

var (
	rawMessageType = reflect.TypeFor[json.RawMessage]()
	anyMapType     = reflect.TypeFor[map[string]any]()
)

// defineArguments settles the input schema and the plan that decodes arguments.
func (t *Tool) defineArguments() []Problem {
	dynamic := t.args == rawMessageType || t.args == anyMapType
	switch {
	case t.schema == nil && dynamic:
		return []Problem{{Pointer: "Schema", Message: "is nil; arguments of type " +
			t.args.String() + " need a schema"}}
	case !dynamic && t.args.Kind() != reflect.Struct:
		return []Problem{{Pointer: "Args", Message: "is " + t.args.String() + "; want a struct, or " +
			"json.RawMessage or map[string]any together with a Schema"}}
	}
	typ, wrong := codec.Of(t.args, "Args", codec.Arguments)
	if len(wrong) > 0 {
		return definitionProblems(wrong)
	}
	if !dynamic && typ.Kind != codec.Struct {
		return []Problem{{Pointer: "Args", Message: "the type " + t.args.String() + " has its own JSON " +
			"or text form; want a struct whose fields are the arguments"}}
	}
	base, problems := t.baseSchema()
	if len(problems) > 0 {
		return problems
	}
	return t.compileInput(base, typ)
}

// baseSchema returns the schema before it is tightened: the one given by hand, with the root form
// that every provider needs, or the reflected one.
func (t *Tool) baseSchema() (*Schema, []Problem) {
	if t.schema == nil {
		return reflectSchema(t.args, "Args")
	}
	root := t.schema.root.Clone()
	if root.Bool != nil {
		return nil, []Problem{{Pointer: "Schema", Message: "is the literal " +
			string(t.schema.text) + "; want an object schema"}}
	}
	switch types := root.Types(); {
	case len(types) == 0:
		typ := &tree.Node{}
		typ.SetString("type", "object")
		root.Members = append(typ.Members, root.Members...)
	case len(types) > 1 || types[0] != "object":
		return nil, []Problem{{Pointer: "Schema", Message: "has the root type " +
			strings.Join(types, " or ") + "; arguments are an object"}}
	}
	if !root.Has("properties") {
		root.Set(tree.Member{Key: "properties", Named: []tree.Named{}})
	}
	return newSchema(root, t.schema.typ, nil), nil
}

// compileInput tightens the schema where asked for, and compiles it for the argument type.
func (t *Tool) compileInput(base *Schema, typ *codec.Type) []Problem {
	t.input = base
	if t.strict {
		root, problems := tighten(base.root)
		if len(problems) > 0 {
			return inSchema(problems)
		}
		t.input = newSchema(root, base.typ, nil)
	}
	compiled, err := t.input.compile(typ)
	if err != nil {
		return []Problem{{Pointer: "Schema", Message: err.Error()}}
	}
	var problems []Problem
	for _, fault := range compiled.Faults() {
		if fault.Keyword != "default" {
			problems = append(problems, Problem(fault))
		}
	}
	t.plan, t.argsType = compiled, typ
	return inSchema(problems)
}

// inSchema moves problems with a pointer into a schema under the Spec field.
func inSchema(problems []Problem) []Problem {
	for i := range problems {
		problems[i].Pointer = "Schema" + problems[i].Pointer
	}
	return problems
}

func (t *Tool) defineResult() []Problem {
	if t.result == reflect.TypeFor[Output]() {
		return []Problem{{Pointer: "Result", Message: "is Output; return a value of your own and " +
			"shape it in ToModelOutput"}}
	}
	typ, wrong := codec.Of(t.result, "Result", codec.Results)
	t.resultType = typ
	return definitionProblems(wrong)
}

// fingerprintVersion changes when the meaning of a fingerprint does.
const fingerprintVersion = 1

// computeFingerprint hashes what a decision about a call depends on: name, enforced input schema
// without descriptions, effect, approval, retry.
func (t *Tool) computeFingerprint() string {
	text := append([]byte{'['}, strconv.Itoa(fingerprintVersion)...)
	text = scan.AppendQuote(append(text, ','), t.Name())
	text = t.input.root.Append(append(text, ','), tree.Form{Enforced: true, NoDescriptions: true})
	for _, s := range []string{t.effect.String(), t.approval.String(), "unset"} {
		text = scan.AppendQuote(append(text, ','), s)
	}
	sum := sha256.Sum256(append(text, ']'))
	return hex.EncodeToString(sum[:])
}

// Name returns the canonical name: name, or group.name for a copy in a group.
func (t *Tool) Name() string {
	if t.group != "" {
		return t.group + "." + t.name
	}
	return t.name
}

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

// Fingerprint returns the SHA-256, in hexadecimal, of what a decision about a call depends on:
// the JSON array of format version, name, enforced input schema without descriptions, effect,
// approval and retry. It is the same on every platform.
func (t *Tool) Fingerprint() string { return t.fingerprint }

// DefinedAt returns the file and line where the tool was defined.
func (t *Tool) DefinedAt() string { return t.site }

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
