package strict

import (
	"bytes"
	"slices"

	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// Plain returns the schema with nullable:true, which is no keyword of JSON Schema, said in keywords
// that are; the schema itself where it says no such thing, or the profile does not know the
// keyword.
func Plain(p Profile, root *tree.Node) *tree.Node {
	if p.Keywords["nullable"] != "ok" {
		return root
	}
	for n := range inOrder(root) {
		if saysNullable(n) {
			out := root.Clone()
			plain(out)
			return out
		}
	}
	return root
}

func saysNullable(n *tree.Node) bool {
	m := n.Get("nullable")
	return m != nil && string(m.Raw) == "true"
}

func plain(n *tree.Node) {
	for _, child := range n.Children() {
		plain(child)
	}
	if saysNullable(n) {
		n.Delete("nullable")
		wide := *tree.Nullable(n)
		*n = wide
	}
}

// WithNulls writes null for each property that is absent from an example and that its schema
// requires and lets be null, at every depth, and puts the properties into the order of the schema.
// An example of a schema is valid for the form of it that Rewrite makes for a profile with Required
// then. Requirement: example is checked JSON text.
func WithNulls(root *tree.Node, example []byte) []byte {
	c := scan.NewCursor(example)
	w := filler{root: root}
	return w.value(nil, &c, root)
}

// A filler writes nulls into the values of one schema.
type filler struct{ root *tree.Node }

func (w filler) value(dst []byte, c *scan.Cursor, n *tree.Node) []byte {
	start := *c
	n = w.described(n, start.Skip())
	switch c.Kind() {
	case scan.Object:
		return w.object(dst, c, n)
	case scan.Array:
		return w.array(dst, c, n)
	}
	return scan.Compact(dst, c.Skip())
}

func (w filler) array(dst []byte, c *scan.Cursor, n *tree.Node) []byte {
	dst = append(dst, '[')
	i := 0
	for more := c.Enter(); more; more = c.More() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = w.value(dst, c, item(n, i))
		i++
	}
	return append(dst, ']')
}

// item returns the schema of the item at an index.
func item(n *tree.Node, i int) *tree.Node {
	if m := n.Get("prefixItems"); m != nil && i < len(m.List) {
		return m.List[i]
	}
	m := n.Get("items")
	switch {
	case m == nil:
		return &tree.Node{}
	case m.Node != nil:
		return m.Node
	case i < len(m.List):
		return m.List[i]
	}
	return &tree.Node{}
}

func (w filler) object(dst []byte, c *scan.Cursor, n *tree.Node) []byte {
	names, texts := members(c)
	first := true
	put := func(name string, text []byte, schema *tree.Node) {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(scan.AppendQuote(dst, name), ':')
		inner := scan.NewCursor(text)
		dst = w.value(dst, &inner, schema)
	}
	dst = append(dst, '{')
	required := n.Strings("required")
	if m := n.Get("properties"); m != nil {
		for _, e := range m.Named {
			if i := slices.Index(names, e.Name); i >= 0 {
				put(e.Name, texts[i], e.Node)
			} else if slices.Contains(required, e.Name) && w.fits(e.Node, []byte("null"), 0) {
				put(e.Name, []byte("null"), e.Node)
			}
		}
	}
	for i, name := range names {
		if n.Property(name) == nil {
			put(name, texts[i], other(n))
		}
	}
	return append(dst, '}')
}

// members reads the names and the texts of an object's members.
func members(c *scan.Cursor) (names []string, texts [][]byte) {
	for more := c.Enter(); more; more = c.More() {
		names = append(names, string(c.Key()))
		texts = append(texts, c.Skip())
	}
	return names, texts
}

// other returns the schema of the properties that are not declared.
func other(n *tree.Node) *tree.Node {
	if m := n.Get("additionalProperties"); m != nil && m.Node != nil {
		return m.Node
	}
	return &tree.Node{}
}

// described follows references and unions to the schema that describes a value: of several branches
// the first that the value fits once nulls are written, else the first of its kind.
func (w filler) described(n *tree.Node, value []byte) *tree.Node {
	for range 100 {
		if target := n.Referred(w.root); target != nil {
			n = target
			continue
		}
		branches := branchesOf(n)
		if len(branches) == 0 {
			return n
		}
		i := slices.IndexFunc(branches, func(b *tree.Node) bool { return w.fits(b, value, 0) })
		if i < 0 {
			i = slices.IndexFunc(branches, func(b *tree.Node) bool { return w.kind(b, value) })
		}
		if i < 0 {
			return n
		}
		if n.Has("properties") {
			return n // the branches only add conditions
		}
		n = branches[i]
	}
	return n
}

func branchesOf(n *tree.Node) []*tree.Node {
	for _, key := range []string{"anyOf", "oneOf"} {
		if m := n.Get(key); m != nil {
			return m.List
		}
	}
	return nil
}

// kind reports whether a schema takes values of the kind of one.
func (w filler) kind(n *tree.Node, value []byte) bool {
	if target := n.Referred(w.root); target != nil {
		n = target
	}
	types := n.Types()
	return len(types) == 0 || takes(types, kindOf(value))
}

// maxFit bounds how deep fits follows a value that refers to itself.
const maxFit = 200

// fits reports whether a value is one of those a schema describes, once nulls are written, by its
// types, constants, names and branches. Bounds do not tell branches apart.
func (w filler) fits(n *tree.Node, value []byte, depth int) bool {
	if n.Bool != nil {
		return *n.Bool
	}
	if depth > maxFit {
		return true
	}
	if target := n.Referred(w.root); target != nil && !w.fits(target, value, depth+1) {
		return false
	}
	if types := n.Types(); len(types) > 0 && !takes(types, kindOf(value)) {
		return false
	}
	if list := values(n); len(list) > 0 && !has(list, value) {
		return false
	}
	if branches := branchesOf(n); len(branches) > 0 && !slices.ContainsFunc(branches,
		func(b *tree.Node) bool { return w.fits(b, value, depth+1) }) {
		return false
	}
	switch c := scan.NewCursor(bytes.TrimSpace(value)); c.Kind() {
	case scan.Object:
		return w.fitsObject(n, &c, depth)
	case scan.Array:
		return w.fitsArray(n, &c, depth)
	}
	return true
}

func (w filler) fitsObject(n *tree.Node, c *scan.Cursor, depth int) bool {
	names, texts := members(c)
	for i, name := range names {
		schema := n.Property(name)
		if schema == nil {
			schema = other(n)
		}
		if !w.fits(schema, texts[i], depth+1) {
			return false
		}
	}
	return !slices.ContainsFunc(n.Strings("required"), func(name string) bool {
		schema := n.Property(name)
		return !slices.Contains(names, name) &&
			(schema == nil || !w.fits(schema, []byte("null"), depth+1))
	})
}

func (w filler) fitsArray(n *tree.Node, c *scan.Cursor, depth int) bool {
	i := 0
	for more := c.Enter(); more; more = c.More() {
		if !w.fits(item(n, i), c.Skip(), depth+1) {
			return false
		}
		i++
	}
	return true
}
