// Package general validates JSON against any JSON Schema.
//
// It serves hand-written schemas whose keywords a compiled plan does not know, and it is the
// oracle such a plan is tested against. The work is done by santhosh-tekuri/jsonschema; this
// package puts limits around it and makes its answers repeatable:
//
//   - A schema is read as the draft its $schema names: 2020-12, 2019-09, draft-07, draft-06 or
//     draft-04. Without $schema it is 2020-12 and, when that fails, draft-07, then draft-04.
//   - No reference leaves the document. The schemas of the standard itself are built in.
//   - Formats are enforced in every draft, by the functions that Format returns, and by no
//     others. contentEncoding and contentMediaType are never enforced.
//   - A number of more than 1,000 characters, or with an exponent outside ±9,999, is an error.
//   - A pattern that Go's regexp cannot run is left out and listed in Warnings. What remains
//     accepts at least what the schema accepts, also under not, if and oneOf.
//   - A panic in the library is an error in Compile and a refusal in Valid.
//
// # What this package does not do
//
// It does not guard against depth or size: the library takes cubic time in the depth of a
// wrong instance, and where a $dynamicRef has more than one place to lead to, exponential time.
// Callers scan schema and instance first. It does not follow $schema inside
// subschemas, and it reads patterns as RE2 does, where \d, \w and \s are ASCII.
package general

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Document is a compiled schema document. It is safe for concurrent use.
type Document struct {
	draft    draft
	prepared *prepared
	text     []byte                       // the prepared document as JSON
	uri      string                       // what the library calls the document; its $id if it has one
	extra    map[string]func(string) bool // formats beside our own

	machines sync.Pool // of *machine
	static   bool      // verdicts may be remembered

	// mu guards what follows: a library compiler changes with each schema it compiles.
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	subs     map[string]*Schema
}

// Compile reads a schema document. Its error is one line that begins with the RFC 6901 pointer
// of the offending keyword.
func Compile(schema []byte) (*Document, error) { return CompileWith(schema, nil) }

// CompileWith is Compile with formats beside those of Format. One of the same name counts instead.
func CompileWith(schema []byte, extra map[string]func(string) bool) (*Document, error) {
	root, err := decode(schema)
	if err != nil {
		return nil, errors.New("the schema is not valid JSON")
	}
	if err := checkNumbers("", root); err != nil {
		return nil, err
	}
	drafts, err := candidates(root)
	if err != nil {
		return nil, err
	}
	var first error
	for i, d := range drafts {
		doc, err := compileAs(schema, d, extra)
		// A mistake in a new keyword is none in a draft that does not know the keyword. That
		// is no reason to believe the schema was written for it.
		if err == nil && (i == 0 || !doc.prepared.ignores || doc.prepared.tree.isOlder()) {
			return doc, nil
		}
		if first == nil {
			first = err // the newest draft is the one the author most likely meant
		}
	}
	return nil, first
}

func compileAs(schema []byte, d draft, extra map[string]func(string) bool) (*Document, error) {
	root, err := decode(schema) // afresh, since prepare changes it
	if err != nil {
		return nil, errors.New("the schema is not valid JSON")
	}
	p, err := prepare(root, d)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(p.tree.root)
	if err != nil {
		return nil, errors.New("the schema cannot be written as JSON")
	}
	doc := &Document{draft: d, prepared: p, text: text, extra: extra, subs: map[string]*Schema{},
		static: !p.tree.dynamic()}
	lib, err := doc.compile("")
	if err != nil {
		original, _ := decode(schema)
		return nil, explain(original, d, err)
	}
	doc.uri, _, _ = strings.Cut(lib.Location, "#")
	doc.subs[""] = &Schema{lib: lib, doc: doc}
	return doc, nil
}

// Draft returns the name of the draft the document is read as, such as "2020-12".
func (d *Document) Draft() string { return d.draft.name }

// Warnings lists what the document asks for and this package does not enforce, sorted.
func (d *Document) Warnings() []string { return slices.Clone(d.prepared.warnings) }

// Sub returns the schema at an RFC 6901 pointer into the document. The empty pointer is the
// whole document.
func (d *Document) Sub(pointer string) (*Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s, ok := d.subs[pointer]; ok {
		return s, nil
	}
	inner := d.prepared.inward(pointer)
	value, ok := lookup(d.prepared.tree.root, inner)
	if !ok || !isSchema(value, d.draft) {
		return nil, fmt.Errorf("%s: there is no schema at this place", show(pointer))
	}
	lib, err := d.compile(inner)
	if err != nil {
		// A failed run leaves half-built schemas in the compiler, which must not be reused.
		d.compiler = nil
		return nil, fmt.Errorf("%s: does not compile as a schema of %s", show(pointer),
			d.draft.name)
	}
	s := &Schema{lib: lib, doc: d}
	d.subs[pointer] = s
	return s, nil
}

// compile runs the library on one place of the document.
// Requirement: d.mu is held, or d is not yet shared.
func (d *Document) compile(pointer string) (s *jsonschema.Schema, err error) {
	defer func() {
		if recover() != nil {
			s, err = nil, errors.New("the schema cannot be compiled")
		}
	}()
	if d.compiler == nil {
		c := newCompiler(d.draft, d.extra)
		if err := c.AddResource(baseURI, bytes.NewReader(d.text)); err != nil {
			return nil, err
		}
		d.compiler = c
	}
	return d.compiler.Compile(baseURI + "#" + toFragment(pointer))
}

// newCompiler returns a compiler that reads nothing and enforces our formats and extra alone.
func newCompiler(d draft, extra map[string]func(string) bool) *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.Draft = d.lib
	c.AssertFormat = true
	c.LoadURL = func(string) (io.ReadCloser, error) {
		return nil, errors.New("only local references are followed")
	}
	// The library falls back on its own table, so each name there that we do not enforce is
	// masked.
	for name := range jsonschema.Formats {
		c.Formats[name] = nil
	}
	for _, table := range []map[string]func(string) bool{formats, extra} {
		for name, check := range table {
			c.Formats[name] = func(value any) bool {
				s, ok := value.(string)
				return !ok || check(s)
			}
		}
	}
	return c
}

// decode reads one JSON value and keeps its numbers as text.
func decode(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the value")
	}
	return value, nil
}
