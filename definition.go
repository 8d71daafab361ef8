package jig

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/examples"
	"github.com/jig-go/jig/internal/plan"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// definition is a Spec without type parameters.
type definition struct {
	name, title, plain string
	args, result       reflect.Type
	newArgs            func() any                                       // a zero *Args
	pureArgs           *bool                                            // set by define: no methods of others in Args
	dropArgs           func(args any)                                   // gives back a refused *Args
	execute            func(ctx context.Context, args any) (any, error) // args is a *Args
	toModelOutput      func(ctx context.Context, result any) (Output, error)
	strict             bool
	repair             RepairMode
	check              func(ctx context.Context, args any) error           // args is a *Args; nil: none
	preview            func(ctx context.Context, args any) (string, error) // likewise
	exampleValues      []reflect.Value
	schema             *Schema
	effect             Effect
	approval           Approval
	retry              Retry
	tags               []string
	timeout            time.Duration
	maxParallel        int
	cacheTTL           time.Duration
	keyFields          []string // sorted by define
	undo               func(ctx context.Context, args any, token json.RawMessage) error
	outputSchema       *Schema
	project, redact    []string
	maxOutputBytes     int
	overflow           OverflowMode
	answer, terminal   bool // an answer tool, and one that ends the run
	site               site // of the call of Define
}

// erase takes the type parameters off a Spec.
func (s Spec[Args, Result]) erase(at site) definition {
	var spent argsPool[Args]
	d := definition{
		name: s.Name, title: s.Title, plain: s.Description,
		args: reflect.TypeFor[Args](), result: reflect.TypeFor[Result](),
		newArgs:  func() any { return spent.get() },
		dropArgs: func(args any) { spent.take(args.(*Args)) }, pureArgs: &spent.on,
		strict: s.Strict, repair: s.Repair, schema: s.Schema, effect: s.Effect, approval: s.Approval,
		retry: s.Retry, tags: slices.Clone(s.Tags),
		maxParallel: s.MaxParallel, cacheTTL: s.CacheTTL, keyFields: slices.Clone(s.KeyFields),
		timeout: s.Timeout, maxOutputBytes: s.MaxOutputBytes, site: at,
		outputSchema: s.OutputSchema, project: slices.Clone(s.Project), redact: slices.Clone(s.Redact),
		overflow: s.Overflow,
	}
	for i := range s.Examples {
		d.exampleValues = append(d.exampleValues, reflect.ValueOf(&s.Examples[i]).Elem())
	}
	if execute := s.Execute; execute != nil {
		d.execute = func(ctx context.Context, args any) (any, error) {
			return execute(ctx, spent.take(args.(*Args)))
		}
	}
	if check := s.Check; check != nil {
		d.check = func(ctx context.Context, args any) error { return check(ctx, *args.(*Args)) }
	}
	if preview := s.Preview; preview != nil {
		d.preview = func(ctx context.Context, args any) (string, error) { return preview(ctx, *args.(*Args)) }
	}
	if undo := s.Undo; undo != nil {
		d.undo = func(ctx context.Context, args any, token json.RawMessage) error {
			return undo(ctx, *args.(*Args), token)
		}
	}
	if shape := s.ToModelOutput; shape != nil {
		d.toModelOutput = func(ctx context.Context, result any) (Output, error) {
			typed, _ := result.(Result) // a nil interface is the zero Result
			return shape(ctx, typed)
		}
	}
	return d
}

// minOutputBytes is the smallest cap: a marker and something beside it have to fit.
const minOutputBytes = 256

// localName is the shape of a tool's own name and of a group's. The providers' rules meet in it:
// Gemini wants a letter or an underscore first, OpenAI and Anthropic take at most 64 characters
// (function declarations and tool definitions, read 2026-08).
const localName = `^[A-Za-z_][A-Za-z0-9_-]{0,63}$`

// isLocalName reports whether a name has that shape. A regular expression would be most of what checking
// the fields of a Spec takes.
func isLocalName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
		if !letter && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return len(s) >= 1 && len(s) <= 64
}

// define makes a Tool in these steps: the literal's own fields, the argument type with its schema,
// the result type, the examples, what follows from the name.
func define(d definition) (*Tool, error) {
	t := &Tool{definition: d}
	problems := d.checkFields()
	problems = append(problems, contain("Args", t.defineArguments)...)
	problems = append(problems, t.checkKeyFields()...)
	problems = append(problems, contain("Result", t.defineResult)...)
	if t.input != nil && t.argsType != nil {
		examples, wrong := encodeExamples(t.argsType, t.input, d.exampleValues)
		problems = append(problems, wrong...)
		t.examples = examples
	}
	if len(problems) > 0 {
		return nil, &DefineError{Tool: d.name, Problems: problems}
	}
	t.exampleValues = nil
	if t.pureArgs != nil { // not in tests of define alone
		*t.pureArgs = t.argsType.Pure()
	}
	if t.maxParallel > 0 {
		t.slots = &slots{free: t.maxParallel}
	}
	t.settle()
	return t, nil
}

// contain runs a step that calls methods of the author's types. A panic of theirs is a problem: one
// wrong type must not end the process that defines it.
func contain(pointer string, step func() []Problem) (problems []Problem) {
	defer func() {
		v := recover()
		if text, _ := v.(string); strings.HasPrefix(text, "jig: internal error") {
			panic(v)
		}
		if v != nil {
			problems = []Problem{{Pointer: pointer, Message: fmt.Sprintf(
				"a method of its type panicked: %v", v)}}
		}
	}()
	return step()
}

// settle computes what follows from the name and the description.
func (t *Tool) settle() {
	if t.fullName = t.name; t.group != "" {
		t.fullName = t.group + "." + t.name
	}
	t.description = examples.Append(t.plain, t.examples)
	t.fingerprint = sync.OnceValue(t.computeFingerprint)
	t.around = newAroundProblems(t.fullName)
}

func (d *definition) checkFields() []Problem {
	var out []Problem
	refuse := func(bad bool, field, format string, args ...any) {
		if bad {
			out = append(out, Problem{Pointer: field, Message: fmt.Sprintf(format, args...)})
		}
	}
	refuse(!isLocalName(d.name), "Name", "got %q, want a name that matches %s", d.name, localName)
	refuse(strings.TrimSpace(d.plain) == "", "Description",
		"is empty; say when the model should call the tool")
	refuse(!utf8.ValidString(d.title), "Title", "is not valid UTF-8")
	refuse(!utf8.ValidString(d.plain), "Description", "is not valid UTF-8")
	refuse(d.execute == nil, "Execute", "is nil; a tool that the provider runs cannot be governed "+
		"here (no policy, approval or cap), so leave it to the provider's own list of tools; for a "+
		"tool whose arguments are the answer use DefineAnswer")
	refuse(int(d.effect) >= len(effectNames), "Effect", "got %s, want one of the Effect constants", d.effect)
	refuse(int(d.approval) >= len(approvalNames), "Approval", "got %s, want one of the Approval constants",
		d.approval)
	refuse(int(d.retry) >= len(retryNames), "Retry", "got %s, want one of the Retry constants", d.retry)
	refuse(int(d.repair) >= len(repairModeNames), "Repair", "got %s, want one of the RepairMode constants",
		d.repair)
	refuse(d.timeout < 0, "Timeout", "is negative; zero means the registry's")
	refuse(d.maxParallel < 0, "MaxParallel", "is negative; zero means no limit")
	refuse(d.cacheTTL < 0, "CacheTTL", "is negative; zero means that nothing is cached")
	refuse(d.maxOutputBytes != 0 && d.maxOutputBytes < minOutputBytes, "MaxOutputBytes",
		"got %d, want at least %d; zero means the registry's", d.maxOutputBytes, minOutputBytes)
	refuse(int(d.overflow) >= len(overflowNames), "Overflow", "got %s, want one of the OverflowMode constants",
		d.overflow)
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
	case t.schema != nil && t.schema.root == nil:
		return []Problem{{Pointer: "Schema", Message: "is the zero Schema; make one with ParseSchema, " +
			"MustParseSchema or SchemaFor"}}
	case t.schema == nil && dynamic:
		return []Problem{{Pointer: "Schema", Message: "is nil; arguments of type " +
			t.args.String() + " need a schema"}}
	case !dynamic && t.args.Kind() != reflect.Struct:
		return []Problem{{Pointer: "Args", Message: "is " + t.args.String() + "; want a struct, or " +
			"json.RawMessage or map[string]any together with a Schema"}}
	}
	typ, root, problems := t.argumentSchema()
	if len(problems) > 0 {
		return problems
	}
	if !dynamic && typ.Kind != codec.Struct {
		return []Problem{{Pointer: "Args", Message: "the type " + t.args.String() + " has its own JSON " +
			"or text form; want a struct whose fields are the arguments"}}
	}
	return t.compileInput(typ, root)
}

// argumentSchema returns the argument type, and the schema before it is tightened: a copy of the one given
// by hand, or the reflected one.
func (t *Tool) argumentSchema() (*codec.Type, *tree.Node, []Problem) {
	if t.schema == nil {
		schema, problems := reflectSchema(t.args, "Args")
		if len(problems) > 0 {
			return nil, nil, problems
		}
		if !schema.typ.HasOwn() {
			return schema.typ, schema.root, nil
		}
		root, problem := objectRoot(schema)
		if problem != "" {
			return nil, nil, []Problem{{Pointer: "Args", Message: "the schema that the type gives itself " +
				problem}}
		}
		return schema.typ, root, nil
	}
	typ, wrong := codec.OfOwn(t.args, "Args", codec.Arguments, ownSchema)
	if len(wrong) > 0 {
		return nil, nil, definitionProblems(wrong)
	}
	root, problem := objectRoot(t.schema)
	if problem != "" {
		return nil, nil, []Problem{{Pointer: "Schema", Message: problem}}
	}
	return typ, root, nil
}

// objectRoot returns a copy of a schema's root that says type object in place, as every provider
// needs it, or why it cannot.
func objectRoot(s *Schema) (root *tree.Node, problem string) {
	root = expandRoot(s.root.Clone())
	if root.Bool != nil {
		return nil, "is the literal " + strconv.FormatBool(*root.Bool) + "; want an object schema"
	}
	switch types := root.Types(); {
	case len(types) == 0:
		typ := &tree.Node{}
		typ.SetString("type", "object")
		root.Members = append(typ.Members, root.Members...)
	case len(types) > 1 || types[0] != "object":
		return nil, "has the root type " + strings.Join(types, " or ") + "; arguments are an object"
	}
	return root, ""
}

// besideReference lists the keywords that may stand beside the reference of a root that is
// expanded: those that check nothing.
var besideReference = map[string]bool{
	"$ref": true, "$schema": true, "$id": true, "$comment": true, "$defs": true, "definitions": true,
	"title": true, "description": true, "examples": true,
}

// expandRoot puts what the root refers to in its place, since several providers read type and
// properties of the root alone.
func expandRoot(root *tree.Node) *tree.Node {
	for range maxSchemaDepth {
		if slices.ContainsFunc(root.Members, func(m tree.Member) bool {
			return !besideReference[m.Key]
		}) {
			return root
		}
		expanded := root.Expanded(root)
		if expanded == root {
			return root
		}
		root = expanded
	}
	return root
}

// compileInput tightens the schema where asked for, in place, and compiles it for the argument type.
func (t *Tool) compileInput(typ *codec.Type, root *tree.Node) []Problem {
	if t.strict {
		if problems := tighten(root); len(problems) > 0 {
			return inSchema(problems)
		}
	}
	addProperties(root)
	from := typ // what the schema was reflected from
	if t.schema != nil {
		from = t.schema.typ
	}
	input := newSchema(root, from, nil)
	compiled, err := input.compile(typ)
	if err != nil {
		return []Problem{{Pointer: "Schema", Message: err.Error()}}
	}
	var problems []Problem
	for _, fault := range compiled.Faults() {
		if fault.Keyword == "default" {
			if t.schema != nil || typ.Owns() {
				continue // a warning, where the schema is written by hand
			}
			fault.Message += "; leave it out"
		}
		problems = append(problems, Problem(fault))
	}
	if from != nil && from != typ { // of SchemaFor, for arguments of no type of their own
		compiled.Tag(from)
	}
	problems = append(problems, t.defaultsFit(compiled)...)
	compiled.Redact(t.redact)
	t.input, t.plan, t.argsType = input, compiled, typ
	return inSchema(problems)
}

// defaultsFit finds defaults of a schema by hand that the Go type cannot hold: without arguments nothing
// but what is missing may be wrong.
func (t *Tool) defaultsFit(compiled *plan.Plan) []Problem {
	if t.schema == nil || t.args.Kind() != reflect.Struct {
		return nil
	}
	var problems []Problem
	for _, p := range compiled.Decode([]byte("{}"), reflect.New(t.args).Elem()).Problems {
		if p.Keyword == "type" || p.Keyword == "format" {
			problems = append(problems, Problem{Pointer: p.Pointer, Keyword: "default",
				Message: "the default does not fit the Go field: " + p.Message})
		}
	}
	return problems
}

// addProperties adds the properties that every provider wants at the root of a schema that declares
// none. It stays open: a map declares none either.
func addProperties(root *tree.Node) {
	if !root.Has("properties") {
		root.InsertAfter("type", tree.Member{Key: "properties", Named: []tree.Named{}})
	}
}

// inSchema moves problems with a pointer into a schema under the Spec field.
func inSchema(problems []Problem) []Problem {
	for i := range problems {
		problems[i].Pointer = "Schema" + problems[i].Pointer
	}
	return problems
}

// fingerprintVersion changes when the meaning of a fingerprint does.
const fingerprintVersion = 1

// computeFingerprint hashes what a decision about a call depends on: name, enforced input schema
// without descriptions, effect, approval, retry.
func (t *Tool) computeFingerprint() string {
	text := make([]byte, 0, t.input.root.Size()+200) // for the whole, mostly
	text = strconv.AppendInt(append(text, '['), fingerprintVersion, 10)
	text = scan.AppendQuote(append(text, ','), t.Name())
	text = t.input.root.Append(append(text, ','), tree.Form{Enforced: true, NoDescriptions: true})
	for _, s := range []string{t.effect.String(), t.approval.String(), t.retry.String()} {
		text = scan.AppendQuote(append(text, ','), s)
	}
	sum := sha256.Sum256(append(text, ']'))
	return hex.EncodeToString(sum[:])
}
