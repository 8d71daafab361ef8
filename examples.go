package jig

import (
	"encoding/json"
	"errors"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// encodeExamples writes each example as compact JSON in field order and checks it by the tool's own
// schema. values holds the elements of Spec.Examples.
func encodeExamples(
	typ *codec.Type, schema *Schema, values []reflect.Value,
) ([]json.RawMessage, []Problem) {
	examples := make([]json.RawMessage, len(values))
	var problems []Problem
	for i, v := range values {
		at := "Examples[" + strconv.Itoa(i) + "]"
		problems = append(problems, contain(at, func() []Problem {
			raw, err := encodeExample(typ, schema, v)
			if err != nil {
				return []Problem{{Pointer: at, Message: err.Error()}}
			}
			examples[i] = raw
			return nil
		})...)
	}
	return examples, problems
}

func encodeExample(typ *codec.Type, schema *Schema, v reflect.Value) (json.RawMessage, error) {
	raw, err := typ.Append(nil, v)
	if err != nil {
		return nil, err
	}
	if typ.Kind == codec.Map {
		raw = schema.order(raw)
	}
	if err := schema.Validate(raw); err != nil {
		return nil, errors.New("the tool's own schema refuses it: " +
			strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return raw, nil
}

// order puts the members of objects, which came out of Go maps, into the order in which the schema
// declares them; others follow in sorted order.
func (s *Schema) order(raw []byte) []byte {
	c := scan.NewCursor(raw)
	return s.appendOrdered(nil, &c, s.root)
}

func (s *Schema) appendOrdered(dst []byte, c *scan.Cursor, n *tree.Node) []byte {
	switch c.Kind() {
	case scan.Object:
		return s.appendMembers(dst, c, n)
	case scan.Array:
		items := s.child(n, "items")
		dst = append(dst, '[')
		for more := c.Enter(); more; {
			dst = s.appendOrdered(dst, c, items)
			if more = c.More(); more {
				dst = append(dst, ',')
			}
		}
		return append(dst, ']')
	}
	return append(dst, c.Skip()...)
}

func (s *Schema) appendMembers(dst []byte, c *scan.Cursor, n *tree.Node) []byte {
	values := map[string][]byte{}
	var names []string
	for more := c.Enter(); more; more = c.More() {
		name := string(c.Key())
		names = append(names, name)
		values[name] = c.Skip()
	}
	var declared []string
	nodes := map[string]*tree.Node{}
	for part := range s.parts(n) {
		if m := part.Get("properties"); m != nil {
			for _, p := range m.Named {
				declared = append(declared, p.Name)
				nodes[p.Name] = p.Node
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return rank(declared, a) - rank(declared, b)
	})
	others := s.child(n, "additionalProperties")
	dst = append(dst, '{')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(scan.AppendQuote(dst, name), ':')
		child, ok := nodes[name]
		if !ok {
			child = others
		}
		value := scan.NewCursor(values[name])
		dst = s.appendOrdered(dst, &value, child)
	}
	return append(dst, '}')
}

// child returns the schema under a keyword of n or of a part of it, or one that says nothing.
func (s *Schema) child(n *tree.Node, keyword string) *tree.Node {
	for part := range s.parts(n) {
		if m := part.Get(keyword); m != nil && m.Node != nil {
			return m.Node
		}
	}
	return &tree.Node{}
}

// parts visits the schemas that describe the same value as n: n, what it refers to, and branches.
func (s *Schema) parts(n *tree.Node) iter.Seq[*tree.Node] {
	seen := map[*tree.Node]bool{}
	var visit func(n *tree.Node, yield func(*tree.Node) bool) bool
	visit = func(n *tree.Node, yield func(*tree.Node) bool) bool {
		if n == nil || seen[n] {
			return true
		}
		seen[n] = true
		if !yield(n) || !visit(n.Referred(s.root), yield) {
			return false
		}
		for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
			if m := n.Get(keyword); m != nil && slices.ContainsFunc(m.List,
				func(branch *tree.Node) bool { return !visit(branch, yield) }) {
				return false
			}
		}
		return true
	}
	return func(yield func(*tree.Node) bool) { visit(n, yield) }
}

func rank(declared []string, name string) int {
	if i := slices.Index(declared, name); i >= 0 {
		return i
	}
	return len(declared)
}
