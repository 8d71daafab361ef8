package jig

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/general"
	"github.com/jig-go/jig/internal/plan"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// A Schema is a JSON Schema. It never changes, its properties keep their order, and its bytes are
// the same from run to run and from process to process.
//
// A Schema has two forms. JSON returns the one that is shown to a model. Validate checks by the
// enforced one, which adds what Go needs and a model need not read: the range of 64-bit integers
// and of floats, strings as Go parses them, and null for an optional property that is not nullable,
// which means that the property is absent.
type Schema struct {
	root *tree.Node
	text []byte // the shown form
	// typ is the Go type that the schema was reflected from, nil for a parsed schema.
	typ *codec.Type
	// document is the parsed schema as written, for the general validator; nil for a reflected one.
	document *general.Document
	checker  func() (*plan.Plan, error)
}

// maxSchemaBytes and maxSchemaDepth bound a schema that is parsed. Real ones are far smaller; the
// bound keeps text from elsewhere from exhausting memory or stack.
const (
	maxSchemaBytes = 4 << 20
	maxSchemaDepth = 200
)

// maxValueDepth bounds the nesting of a value that Validate reads.
const maxValueDepth = 1000

// SchemaFor reflects the Go type T into a schema, by the rules of encoding/json for names and of
// struct tags for everything else:
//
//   - json:"name,omitempty" or omitzero makes a property optional; a pointer makes it nullable. The
//     two are independent.
//   - jsonschema:"minimum=1,maximum=10,enum=a,enum=b,default=a" sets keywords. An unescaped comma
//     ends a part.
//   - jsonschema_description:"..." is free text.
//
// Most users call [Define]; SchemaFor is for code that ships its own list of tools.
// The error is a *[DefineError] that names the Go path of each field that has no JSON form.
func SchemaFor[T any]() (*Schema, error) {
	t := reflect.TypeFor[T]()
	schema, problems := reflectSchema(t, rootName(t))
	if len(problems) > 0 {
		return nil, &DefineError{Problems: problems}
	}
	return schema, nil
}

func rootName(t reflect.Type) string {
	if name := t.Name(); name != "" && !strings.ContainsAny(name, "[") {
		return name
	}
	return "T"
}

// reflectSchema makes the schema of a Go type for arguments; root is its name in problems.
func reflectSchema(t reflect.Type, root string) (*Schema, []Problem) {
	typ, problems := codec.Of(t, root, codec.Arguments)
	if len(problems) > 0 {
		return nil, definitionProblems(problems)
	}
	node, checks, problems := typ.Schema(root, codec.Arguments)
	if len(problems) > 0 {
		return nil, definitionProblems(problems)
	}
	schema := newSchema(node, typ, nil)
	compiled, err := schema.checker()
	if err != nil {
		panic("jig: internal error: a reflected schema does not compile: " + err.Error())
	}
	if problems := checkTags(compiled, checks); len(problems) > 0 {
		return nil, problems
	}
	return schema, nil
}

func definitionProblems(list []codec.Problem) []Problem {
	out := make([]Problem, len(list))
	for i, p := range list {
		out[i] = Problem{Pointer: p.Path, Message: p.Message}
	}
	return out
}

// checkTags finds enum values and defaults that the rest of their own schema refuses.
func checkTags(compiled *plan.Plan, checks []codec.Check) []Problem {
	var problems []Problem
	for _, c := range checks {
		for _, keyword := range []string{"enum", "default"} {
			values := c.Node.Values(keyword)
			if m := c.Node.Get(keyword); m != nil && keyword == "default" {
				values = [][]byte{m.Raw}
			}
			for _, v := range values {
				found := compiled.ValidateAt(c.Node, v)
				for _, p := range found.Problems {
					problems = append(problems, Problem{Pointer: c.Path, Keyword: keyword,
						Message: fmt.Sprintf("%s value %s is refused by the field's own schema: %s",
							keyword, v, p.Message)})
				}
			}
		}
	}
	return problems
}

// ParseSchema reads a schema that was written by hand or comes from elsewhere, in draft 2020-12 or,
// without $schema, also in draft-07 or draft-04. A $ref is followed inside the schema only: no file
// and no network address is ever read. $schema, $id and $comment are not shown to a model.
// The error names the place in the schema as a JSON pointer.
func ParseSchema(raw json.RawMessage) (*Schema, error) {
	checked, scanErr := scan.Check(raw, scan.Limits{Bytes: maxSchemaBytes, Depth: maxSchemaDepth})
	if scanErr != nil {
		return nil, fmt.Errorf("jig: schema: %w", scanErr)
	}
	checked = bytes.Clone(checked)
	document, err := general.Compile(checked)
	if err != nil {
		return nil, fmt.Errorf("jig: schema: %w", err)
	}
	node, ok := tree.Parse(checked)
	if !ok {
		return nil, fmt.Errorf("jig: schema: a schema is a JSON object, true or false")
	}
	schema := newSchema(node, nil, document)
	if _, err := schema.checker(); err != nil {
		return nil, fmt.Errorf("jig: schema: %w", err)
	}
	return schema, nil
}

// MustParseSchema is ParseSchema for a schema in the program text. It panics with the caller's
// file and line if the schema is wrong.
func MustParseSchema(raw string) *Schema {
	schema, err := ParseSchema(json.RawMessage(raw))
	if err != nil {
		panic(callSite(1) + ": " + err.Error())
	}
	return schema
}

func newSchema(root *tree.Node, typ *codec.Type, document *general.Document) *Schema {
	s := &Schema{root: root, text: root.Append(nil, tree.Form{}), typ: typ, document: document}
	s.checker = sync.OnceValues(func() (*plan.Plan, error) { return s.compile(nil) })
	return s
}

// compile makes the plan of the schema for values of a Go type; nil only checks.
func (s *Schema) compile(typ *codec.Type) (*plan.Plan, error) {
	return plan.Compile(s.root, typ, func() (*general.Document, error) {
		if s.document != nil {
			return s.document, nil
		}
		return general.Compile(s.root.Append(nil, tree.Form{Enforced: true, Identity: true}))
	})
}

// JSON returns the shown form as compact JSON without HTML escapes. The bytes are a copy.
func (s *Schema) JSON() []byte { return bytes.Clone(s.text) }

// MarshalJSON returns the shown form. json.Marshal escapes <, > and & in it once more, which is
// the same schema in more bytes; JSON does not.
func (s *Schema) MarshalJSON() ([]byte, error) { return s.JSON(), nil }

// Validate checks one JSON value by the enforced form. The error is a *[ValidationError] with every
// problem, in an order and in words that are the same on every run.
func (s *Schema) Validate(value json.RawMessage) error {
	checked, scanErr := scan.Check(value, scan.Limits{Bytes: math.MaxInt, Depth: maxValueDepth})
	if scanErr != nil {
		return textError(scanErr)
	}
	checker, err := s.checker()
	if err != nil {
		return err
	}
	return problemsError(checker.Validate(checked))
}

// A Problem is one reason why a value or a definition is wrong.
type Problem struct {
	// Pointer is the place: a JSON pointer (RFC 6901) into the value, "" for the whole value. A
	// missing or an unknown property has its own pointer. In a DefineError it is the Go path of
	// the field, such as Args.Items[].SKU, or the name of the Spec field.
	Pointer string
	// Keyword is the JSON Schema keyword that was not met, json for text that is not JSON; in a
	// DefineError it may be empty.
	Keyword string
	// Message says what was got and what is wanted.
	Message string
}

// String returns the place and the message in one line.
func (p Problem) String() string {
	if p.Pointer == "" {
		return p.Message
	}
	return fmt.Sprintf("%q: %s", p.Pointer, p.Message)
}

// A ValidationError says everything that is wrong with one value.
type ValidationError struct {
	Problems []Problem // sorted by Pointer, then Keyword
	// more counts the problems beyond the first thousand, which are not kept.
	more int
}

// maxShown is how many problems one text lists.
const maxShown = 10

// Error lists the problems, one a line, at most ten.
func (e *ValidationError) Error() string { return listProblems(e.Problems, e.more, "") }

func listProblems(problems []Problem, more int, indent string) string {
	var out strings.Builder
	for i, p := range problems {
		if i == maxShown {
			more += len(problems) - maxShown
			break
		}
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(indent + p.String())
	}
	if more > 0 {
		fmt.Fprintf(&out, "\n%sand %d more", indent, more)
	}
	return out.String()
}

func problemsError(found plan.Result) error {
	if found.Total == 0 {
		return nil
	}
	e := &ValidationError{Problems: make([]Problem, len(found.Problems))}
	for i, p := range found.Problems {
		e.Problems[i] = Problem(p)
	}
	e.more = found.Total - len(found.Problems)
	return e
}

// textError is the ValidationError for text that is not one JSON value within the limits.
func textError(err *scan.Error) *ValidationError {
	return &ValidationError{Problems: []Problem{
		{Pointer: err.Pointer, Keyword: "json", Message: err.Message},
	}}
}
