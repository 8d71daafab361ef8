package tree

import (
	"bytes"
	"slices"
)

// Nullable returns n widened to accept null too: the type becomes a list with "null", an enum lists
// null, and what has no type of its own (a reference, a union, a constant) becomes a branch beside
// {"type":"null"} with its description outside. A schema that accepts null already is returned as
// it is. n itself is not changed; the schemas inside it are shared, so that whoever keeps one of
// them finds it in the result.
func Nullable(n *Node) *Node {
	if n.AcceptsNull() {
		return n
	}
	types := n.Types()
	if len(types) == 0 && !n.Has("enum") || n.Has("const") || elsewhere(n) || n.Has("anyOf") {
		return NullUnion(n, true)
	}
	out := n.Shallow()
	if len(types) > 0 && !slices.Contains(types, "null") {
		out.SetStrings("type", append(types, "null"))
	}
	if m := out.Get("enum"); m != nil && !hasNull(n.Values("enum")) {
		m.Raw = appendValue(m.Raw, "null")
	}
	return out
}

// Shallow returns a copy whose members can be replaced and whose inner schemas are those of n.
func (n *Node) Shallow() *Node {
	c := *n
	c.Members = slices.Clone(n.Members)
	return &c
}

// elsewhere reports whether it takes more than the schema's own keywords to tell what it accepts.
func elsewhere(n *Node) bool {
	return slices.ContainsFunc([]string{"$ref", "not", "oneOf", "allOf", "if"}, n.Has)
}

// NullUnion returns a union of n and null. What describes n stands beside the union where siblings
// may, else inside. n is shared as by Nullable.
func NullUnion(n *Node, siblings bool) *Node {
	inner := n.Shallow()
	null := &Node{}
	null.SetString("type", "null")
	out := &Node{Members: []Member{{Key: "anyOf", List: []*Node{inner, null}}}}
	if !siblings {
		return out
	}
	for _, key := range []string{"title", "description", "default"} {
		if m := inner.Get(key); m != nil {
			out.Members = append(out.Members, *m)
			inner.Delete(key)
		}
	}
	return out
}

// AcceptsNull reports whether the schema's own keywords and a branch of its anyOf take null. It
// does not follow references: a schema with one, or with another union, is taken to refuse null.
func (n *Node) AcceptsNull() bool {
	if n.Bool != nil {
		return *n.Bool
	}
	if m := n.Get("anyOf"); m != nil && !slices.ContainsFunc(m.List, (*Node).AcceptsNull) {
		return false
	}
	if elsewhere(n) {
		return false
	}
	if m := n.Get("const"); m != nil {
		return bytes.Equal(m.Raw, []byte("null"))
	}
	if n.Has("enum") && !hasNull(n.Values("enum")) {
		return false
	}
	types := n.Types()
	return len(types) == 0 || slices.Contains(types, "null")
}

func hasNull(values [][]byte) bool {
	return slices.ContainsFunc(values, func(v []byte) bool { return string(v) == "null" })
}

func appendValue(array []byte, value string) []byte {
	out := slices.Clone(array[:len(array)-1])
	if len(array) > 2 {
		out = append(out, ',')
	}
	return append(append(out, value...), ']')
}

// NullBranch returns X, and its pointer below n, of {"anyOf":[X,{"type":"null"}]}, in either order;
// nil for another schema. Other keywords may stand beside the union.
func (n *Node) NullBranch() (branch *Node, at string) {
	m := n.Get("anyOf")
	if m == nil || len(m.List) != 2 {
		return nil, ""
	}
	switch {
	case m.List[1].IsNull():
		return m.List[0], "/anyOf/0"
	case m.List[0].IsNull():
		return m.List[1], "/anyOf/1"
	}
	return nil, ""
}

// IsNull reports whether a schema is {"type":"null"}.
func (n *Node) IsNull() bool {
	s, _ := n.String("type")
	return s == "null" && len(n.Members) == 1
}
