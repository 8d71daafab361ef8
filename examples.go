package jig

import (
	"encoding/json"
	"fmt"
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
func encodeExamples(typ *codec.Type, schema *Schema, values []reflect.Value) ([]json.RawMessage, []Problem) {
	var examples []json.RawMessage
	var problems []Problem
	for i, v := range values {
		at := "Examples[" + strconv.Itoa(i) + "]"
		raw, err := typ.Append(nil, v)
		if err != nil {
			problems = append(problems, Problem{Pointer: at, Message: err.Error()})
			continue
		}
		if typ.Kind == codec.Map {
			raw = schema.order(raw)
		}
		if err := schema.Validate(raw); err != nil {
			problems = append(problems, Problem{Pointer: at,
				Message: "the tool's own schema refuses it: " + strings.ReplaceAll(err.Error(), "\n", "; ")})
		}
		examples = append(examples, raw)
	}
	return examples, problems
}

// order puts the members of objects, which came out of Go maps, into the order in which the schema
// declares them; others follow in sorted order.
func (s *Schema) order(raw []byte) []byte {
	c := scan.NewCursor(raw)
	return s.appendOrdered(nil, &c, s.root)
}

func (s *Schema) appendOrdered(dst []byte, c *scan.Cursor, n *tree.Node) []byte {
	n = s.deref(n)
	switch c.Kind() {
	case scan.Object:
		return s.appendMembers(dst, c, n)
	case scan.Array:
		items := &tree.Node{}
		if m := n.Get("items"); m != nil && m.Node != nil {
			items = m.Node
		}
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
	if m := n.Get("properties"); m != nil {
		for _, p := range m.Named {
			declared = append(declared, p.Name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return rank(declared, a) - rank(declared, b)
	})
	dst = append(dst, '{')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(scan.AppendQuote(dst, name), ':')
		child := n.Property(name)
		if child == nil {
			child = &tree.Node{}
		}
		value := scan.NewCursor(values[name])
		dst = s.appendOrdered(dst, &value, child)
	}
	return append(dst, '}')
}

func rank(declared []string, name string) int {
	if i := slices.Index(declared, name); i >= 0 {
		return i
	}
	return len(declared)
}

// deref follows references inside the schema.
func (s *Schema) deref(n *tree.Node) *tree.Node {
	for range maxSchemaDepth {
		ref, ok := n.String("$ref")
		if !ok || !strings.HasPrefix(ref, "#") {
			return n
		}
		next := s.root.At(ref[1:])
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// renderExamples appends the examples to a description, one a line.
func renderExamples(description string, examples []json.RawMessage) string {
	if len(examples) == 0 {
		return description
	}
	var out strings.Builder
	out.WriteString(description + "\n\nExamples:")
	for i, raw := range examples {
		fmt.Fprintf(&out, "\n%d. %s", i+1, raw)
	}
	return out.String()
}
