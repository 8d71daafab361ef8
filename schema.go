package jig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/general"
	"github.com/jig-go/jig/internal/plan"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// A Schema is a JSON Schema, made by [SchemaFor], [ParseSchema] or [MustParseSchema]. It never
// changes, its properties keep their order, and its bytes are the same from run to run and from
// process to process. It is safe for concurrent use.
//
// A Schema has two forms. JSON returns the one that is shown to a model. Validate checks by the
// enforced one, which adds what Go needs and a model need not read: the range of 64-bit integers
// and of floats, strings as Go parses them, and null for an optional property that is not nullable,
// which means that the property is absent.
type Schema struct {
	root *tree.Node
	text func() []byte // the shown form, made when it is first asked for
	// typ is the Go type that the schema was reflected from, nil for a parsed schema.
	typ *codec.Type
	// document is the parsed schema as written, for the general validator; nil for a reflected one.
	document func() (*general.Document, error)
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
//     two are independent. Null for an optional property that is not nullable means absent.
//   - jsonschema:"minimum=1,maximum=10,enum=a,enum=b,default=a" sets keywords, in the vocabulary of
//     github.com/invopop/jsonschema. A comma ends a part, but for one after a backslash and one in
//     the quantifier of a pattern. On a slice, enum and pattern are about its items.
//   - jsonschema_description:"..." is free text.
//
// What Go needs beside that is said where no tag says it: the range of a sized integer, a date-time
// for time.Time, text such as "1m30s" for time.Duration, base64 for []byte. A type that reads text
// (encoding.TextUnmarshaler) is a string. Types that contain themselves stand in $defs. The root is
// never nullable: pointers around T are taken off.
//
// A type gives itself a schema by a method JSONSchema() *jig.Schema, or by that of invopop, with a
// value or a pointer receiver; its description is used where a field has none. A type with an
// UnmarshalJSON of its own needs one, or type= in the jsonschema tag of the field.
//
// Most users call [Define]; SchemaFor is for code that ships its own list of tools.
// The error is a *[DefineError] that names the Go path of each field that has no JSON form.
func SchemaFor[T any]() (*Schema, error) {
	t := reflect.TypeFor[T]()
	for t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem() // the root is never nullable
	}
	var schema *Schema
	problems := contain(rootName(t), func() (problems []Problem) {
		schema, problems = reflectSchema(t, rootName(t))
		return problems
	})
	if len(problems) > 0 {
		return nil, &DefineError{Problems: problems, alone: true}
	}
	return schema, nil
}

func rootName(t reflect.Type) string {
	if name := t.Name(); name != "" && !strings.Contains(name, "[") {
		return name
	}
	return "T"
}

// reflectSchema makes the schema of a Go type for arguments; root is its name in problems.
func reflectSchema(t reflect.Type, root string) (*Schema, []Problem) {
	typ, shape := codec.OfOwn(t, root, codec.Arguments, ownSchema)
	node, checks, said := typ.Schema(root, codec.Arguments)
	problems := definitionProblems(shape)
	for _, p := range said {
		// What a tag says on a field whose type is refused was judged against no type at all.
		if !slices.ContainsFunc(shape, func(s codec.Problem) bool { return s.Path == p.Path }) {
			problems = append(problems, Problem{Pointer: p.Path, Message: p.Message})
		}
	}
	schema := newSchema(node, typ, nil)
	wrong, err := schema.checkReflected(root, checks)
	switch {
	case err == nil:
		problems = append(problems, wrong...)
	case len(problems) == 0 && typ.Owns():
		problems = []Problem{{Pointer: root, Message: "with the schemas that types in it give " +
			"themselves it does not compile: " + err.Error()}}
	case len(problems) == 0:
		panic("jig: internal error: a reflected schema does not compile: " + err.Error())
	}
	if len(problems) > 0 {
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

// checkReflected finds what only the compiled schema shows. The whole is compiled where types give
// themselves schemas; what tags say needs no more than the places where it stands.
func (s *Schema) checkReflected(root string, checks []codec.Check) (problems []Problem, err error) {
	if s.typ.Owns() {
		if _, err := s.checker(); err != nil {
			return nil, err
		}
	}
	if len(checks) > 0 {
		nodes := make([]*tree.Node, len(checks))
		for i, c := range checks {
			nodes[i] = c.Node
		}
		plans, err := plan.CompileNodes(s.root, nodes, s.general)
		if err != nil {
			return nil, err
		}
		problems = checkTags(plans, checks)
	}
	return append(problems, s.contradictions(s.typ, root)...), nil
}

// contradictions finds the places where a type's own schema and the type itself differ, which a
// reflected schema does not.
func (s *Schema) contradictions(typ *codec.Type, root string) []Problem {
	if !typ.Owns() {
		return nil
	}
	compiled, err := s.compile(typ)
	if err != nil {
		return []Problem{{Pointer: root, Message: err.Error()}}
	}
	var problems []Problem
	for _, f := range compiled.Faults() {
		if f.Keyword != "default" {
			problems = append(problems, Problem{Pointer: root, Keyword: f.Keyword,
				Message: fmt.Sprintf("the schema at %q: %s", f.Pointer, f.Message)})
		}
	}
	return problems
}

// checkTags finds enum values and defaults that the rest of their own schema refuses, by the plan of each.
func checkTags(plans []*plan.Plan, checks []codec.Check) []Problem {
	var problems []Problem
	refused := func(i int, keyword string, value []byte) {
		c := checks[i]
		for _, p := range plans[i].Validate(value).Problems {
			problems = append(problems, Problem{Pointer: c.Path, Keyword: keyword,
				Message: fmt.Sprintf("the %s value %s is refused by the field's own schema: %s",
					keyword, value, p.Message)})
		}
	}
	for i, c := range checks {
		for _, value := range c.Node.Values("enum") {
			refused(i, "enum", value)
		}
		if m := c.Node.Get("default"); m != nil {
			refused(i, "default", m.Raw)
		}
	}
	return problems
}

// ParseSchema reads a schema that was written by hand or comes from elsewhere, in draft 2020-12 or,
// without $schema, also in draft-07 or draft-04. A $ref is followed inside the schema only: no file
// and no network address is ever read. $schema, $id and $comment are not shown to a model.
// The error names the place in the schema as a JSON pointer.
//
// These formats are enforced, whatever $schema says; any other is shown and not enforced, as is a
// pattern that Go's regexp cannot run:
//
//	date-time, date, time           RFC 3339, without leap seconds
//	duration                        ISO 8601, such as P1DT12H
//	go-duration                     as time.ParseDuration reads it, such as 1m30s
//	email                           RFC 5321, ASCII
//	hostname                        RFC 1123, ASCII
//	ipv4, ipv6, ip                  an address without a zone; ip is either
//	uri, uri-reference              RFC 3986
//	uuid                            RFC 4122, either case
//	base64                          RFC 4648 section 4, padded
//	regex                           as Go's regexp reads it
//	json-pointer                    RFC 6901
//	relative-json-pointer           without index changes
func ParseSchema(raw json.RawMessage) (*Schema, error) {
	checked, scanErr := scan.Check(raw, scan.Limits{Bytes: maxSchemaBytes, Depth: maxSchemaDepth})
	if scanErr != nil {
		place := scanErr.Pointer
		if place != "" {
			place += ": "
		}
		return nil, errors.New("jig: schema: " + place + scanErr.Message)
	}
	checked = bytes.Clone(checked)
	document, err := general.Compile(checked)
	if err != nil {
		return nil, fmt.Errorf("jig: schema: %w", err)
	}
	node, ok := tree.Parse(checked)
	if !ok {
		return nil, errors.New("jig: schema: a schema is a JSON object, true or false")
	}
	localReferences(node, node)
	schema := newSchema(node, nil, func() (*general.Document, error) { return document, nil })
	if _, err := schema.checker(); err != nil {
		return nil, fmt.Errorf("jig: schema: %w", err)
	}
	return schema, nil
}

// localReferences writes references by the root's own $id as what they are, references into the root:
// the $id is not shown, and they would lead nowhere.
func localReferences(root, n *tree.Node) {
	id, _ := root.String("$id")
	if ref, ok := n.String("$ref"); ok && id != "" {
		if fragment, ok := strings.CutPrefix(ref, strings.TrimSuffix(id, "#")); ok &&
			(fragment == "" || fragment[0] == '#') {
			n.SetString("$ref", "#"+strings.TrimPrefix(fragment, "#"))
		}
	}
	for _, child := range n.Children() {
		localReferences(root, child)
	}
}

// MustParseSchema is ParseSchema for a schema in the program text. It panics with the caller's
// file and line if the schema is wrong.
func MustParseSchema(raw string) *Schema {
	schema, err := ParseSchema(json.RawMessage(raw))
	if err != nil {
		panic(callSite(1).String() + ": " + err.Error())
	}
	return schema
}

func newSchema(
	root *tree.Node, typ *codec.Type, document func() (*general.Document, error),
) *Schema {
	s := &Schema{root: root, text: shownText(root), typ: typ, document: document}
	s.checker = sync.OnceValues(func() (*plan.Plan, error) {
		checker, err := s.compile(nil)
		if err == nil && s.typ != nil {
			checker.Tag(s.typ)
		}
		return checker, err
	})
	return s
}

// shownText writes the form of a schema that is shown.
func shownText(root *tree.Node) func() []byte {
	return sync.OnceValue(func() []byte {
		return root.Append(make([]byte, 0, root.Size()), tree.Form{})
	})
}

// compile makes the plan of the schema for values of a Go type; nil only checks.
func (s *Schema) compile(typ *codec.Type) (*plan.Plan, error) {
	return plan.Compile(s.root, typ, s.general)
}

// general compiles the schema for the general validator.
func (s *Schema) general() (*general.Document, error) {
	if s.document != nil {
		return s.document()
	}
	return general.Compile(s.root.Append(nil, tree.Form{Enforced: true, Identity: true}))
}

// JSON returns the shown form as compact JSON without HTML escapes. The bytes are a copy.
func (s *Schema) JSON() []byte {
	if s.text == nil {
		return nil // of the zero Schema
	}
	return bytes.Clone(s.text())
}

// MarshalJSON returns the shown form. json.Marshal escapes <, > and & in it once more, which is
// the same schema in more bytes; JSON does not.
func (s *Schema) MarshalJSON() ([]byte, error) { return s.JSON(), nil }

// Validate checks one JSON value by the enforced form. The error is a *[ValidationError] with every
// problem, in an order and in words that are the same on every run.
func (s *Schema) Validate(value json.RawMessage) error {
	if s.checker == nil {
		return errors.New("jig: the zero Schema validates nothing; make one with ParseSchema")
	}
	checked, scanErr := scan.Check(value, scan.Limits{Bytes: math.MaxInt, Depth: maxValueDepth})
	if scanErr != nil {
		return textError(scanErr)
	}
	checker, err := s.checker()
	if err != nil {
		return err
	}
	return problemsError(plan.ValidateAs[Problem](checker, checked))
}
