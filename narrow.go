package jig

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/jig-go/jig/internal/canon"
	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/near"
	"github.com/jig-go/jig/internal/path"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// Warnings lists what the schema says and Validate does not check, each with its place: a pattern
// that Go's regexp cannot run, which a provider may still enforce, or a default that never applies, since its
// own schema refuses it, it would be filled in inside itself, or others would add more than 64 KiB to it.
func (s *Schema) Warnings() []string {
	if s.document == nil {
		return nil
	}
	document, err := s.document()
	if err != nil {
		return nil
	}
	warnings := document.Warnings()
	if checker, err := s.checker(); err == nil {
		for _, f := range checker.Faults() {
			warnings = append(warnings, f.Pointer+": "+f.Message+"; it does not apply")
		}
	}
	return warnings
}

// Without returns a schema without the named properties of the root object, and closes that object:
// a model that sends one of them anyway is refused. In the arguments of a tool such a property has
// its default, else its zero value. The error names a property that the schema does not declare.
func (s *Schema) Without(properties ...string) (*Schema, error) {
	root, err := s.copyRoot()
	if err != nil {
		return nil, err
	}
	if keyword := bypass(root, properties); keyword != "" {
		return nil, fmt.Errorf("jig: schema: its %s lets one of these properties through; nothing can be "+
			"left out of such a schema", keyword)
	}
	m := root.Get("properties")
	if m == nil {
		return nil, errors.New("jig: schema: it declares no properties that could be left out")
	}
	for _, name := range properties {
		i := slices.IndexFunc(m.Named, func(e tree.Named) bool { return e.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("jig: schema: %s", noProperty(root, name))
		}
		withheld := tree.Withheld{Named: tree.Named{Name: name, Node: s.root.Property(name)}, Root: s.root}
		root.Withheld = append(root.Withheld, withheld)
		m.Named = slices.Delete(m.Named, i, i+1)
	}
	required := slices.DeleteFunc(root.Strings("required"), func(name string) bool {
		return slices.Contains(properties, name)
	})
	root.Delete("required")
	if len(required) > 0 {
		root.SetStrings("required", required)
	}
	root.Delete("additionalProperties")
	root.Set(tree.Member{Key: "additionalProperties", Node: tree.Literal(false)})
	return s.derived(root)
}

// bypass returns a keyword by which a root would take, or ask for, a property that is taken out of it.
func bypass(root *tree.Node, properties []string) string {
	if m := root.Get("patternProperties"); m != nil {
		for _, e := range m.Named {
			pattern, err := regexp.Compile(e.Name)
			if err != nil || slices.ContainsFunc(properties, pattern.MatchString) {
				return "patternProperties"
			}
		}
	}
	for _, keyword := range []string{"dependentRequired", "dependencies", "anyOf", "oneOf", "allOf", "if"} {
		if root.Has(keyword) {
			return keyword
		}
	}
	return ""
}

// WithEnum returns a schema in which the value at a path has to be one of the given ones, such as
// the ids that exist for the user of this request. The path is written like status,
// ship.country or items[].sku; the values are encoded as tool results are, and each has to be
// accepted by the schema that stands there. Null stays allowed where it was; a default that is none of
// the values goes.
// The error says which path or value is wrong.
func (s *Schema) WithEnum(at string, values ...any) (*Schema, error) {
	steps, err := path.Parse(at)
	if err != nil {
		return nil, fmt.Errorf("jig: schema: %w", err)
	}
	root, err := s.copyRoot()
	if err != nil {
		return nil, err
	}
	n := root
	for _, step := range steps {
		if n, err = follow(root, n, step); err != nil {
			return nil, fmt.Errorf("jig: schema: path %q: %w", at, err)
		}
	}
	place := n
	n = described(root, n)
	if len(values) == 0 {
		return nil, fmt.Errorf("jig: schema: path %q: no values are given, and nothing could be sent", at)
	}
	enum, err := s.enumOf(n, values)
	if err != nil {
		return nil, fmt.Errorf("jig: schema: path %q: %w", at, err)
	}
	n.SetRaw("enum", string(enum))
	for _, holder := range []*tree.Node{place, n} {
		if m := holder.Get("default"); m != nil && !slices.ContainsFunc(n.Values("enum"),
			func(v []byte) bool { return canon.Equal(v, m.Raw) }) {
			holder.Delete("default") // it is no longer one of the values
		}
	}
	return s.derived(root)
}

// copyRoot returns a deep copy of the root, for a schema that is derived from this one.
func (s *Schema) copyRoot() (*tree.Node, error) {
	switch {
	case s.root == nil:
		return nil, errors.New("jig: the zero Schema has nothing to narrow")
	case s.root.Bool != nil:
		return nil, fmt.Errorf("jig: schema: the literal %s has nothing to narrow", s.text())
	}
	return s.root.Clone(), nil
}

// derived makes the schema of a changed root.
func (s *Schema) derived(root *tree.Node) (*Schema, error) {
	if s.document == nil {
		return newSchema(root, s.typ, nil), nil
	}
	// Withheld is no part of the text, and is put back.
	next, err := ParseSchema(root.Append(nil, tree.Form{Enforced: true, Identity: true}))
	if err != nil {
		return nil, err
	}
	next.root.Withheld = root.Withheld
	return newSchema(next.root, nil, next.document), nil
}

// follow follows one step of a path from a node of a private copy.
func follow(root, n *tree.Node, step path.Step) (*tree.Node, error) {
	n = described(root, n)
	switch step.Kind {
	case path.Member:
		if child := n.Property(step.Name); child != nil {
			return child, nil
		}
		return nil, errors.New(noProperty(n, step.Name))
	case path.Items:
		if step.From != 0 || step.To >= 0 {
			return nil, errors.New("an enum holds for all items; write []")
		}
		if m := n.Get("items"); m != nil && m.Node != nil {
			return m.Node, nil
		}
		return nil, errors.New("[] stands where the schema has no items")
	}
	if m := n.Get("additionalProperties"); m != nil && m.Node != nil && m.Node.Bool == nil {
		return m.Node, nil
	}
	return nil, errors.New(".* stands where the schema has no map values")
}

// described returns the node that describes the values at n other than null. A reference on the way
// is replaced by a copy of what it leads to, so that a change there changes nothing elsewhere.
func described(root, n *tree.Node) *tree.Node {
	for range maxSchemaDepth {
		if expanded := n.Expanded(root); expanded != n {
			*n = *expanded
			continue
		}
		branch, _ := n.NullBranch()
		if branch == nil {
			break
		}
		n = branch
	}
	return n
}

func noProperty(n *tree.Node, name string) string {
	var declared []string
	if m := n.Get("properties"); m != nil {
		for _, e := range m.Named {
			declared = append(declared, e.Name)
		}
	}
	text := "there is no property " + strconv.Quote(name)
	if hits := near.Names(name, declared); len(hits) > 0 {
		return text + "; did you mean " + quoteAll(hits, " or ") + "?"
	}
	return text
}

// enumOf encodes the values of an enum and checks each by the schema that it narrows.
func (s *Schema) enumOf(n *tree.Node, values []any) ([]byte, error) {
	checker := newSchema(s.standalone(n), s.typ, nil)
	enum := []byte{'['}
	hasNull := false
	for i, v := range values {
		raw, err := codec.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("value %d: %w", i, err)
		}
		if err := checker.Validate(raw); err != nil {
			return nil, fmt.Errorf("value %d: %w", i, err)
		}
		hasNull = hasNull || bytes.Equal(raw, []byte("null"))
		if i > 0 {
			enum = append(enum, ',')
		}
		enum = scan.Compact(enum, raw)
	}
	if n.AcceptsNull() && !hasNull && len(n.Types()) > 0 {
		enum = append(enum, ",null"...)
	}
	return append(enum, ']'), nil
}

// standalone returns a copy of a node that can be used as a root: with the definitions that its
// references lead to.
func (s *Schema) standalone(n *tree.Node) *tree.Node {
	root := n.Clone()
	for _, key := range []string{"$defs", "definitions"} {
		if m := s.root.Get(key); m != nil && !root.Has(key) {
			root.Set(*m)
		}
	}
	return root
}
