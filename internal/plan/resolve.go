package plan

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/jig-go/jig/internal/tree"
)

// resolve follows references without siblings inside the schema; known is false for one that the
// plan cannot follow, or that has siblings to be checked as well.
func (c *compiler) resolve(n *tree.Node) (target *tree.Node, known bool) {
	for range 100 {
		ref, ok := n.String("$ref")
		if !ok {
			return n, !n.Has("$dynamicRef") && !n.Has("$recursiveRef")
		}
		next := c.root.At(fragment(ref))
		if !strings.HasPrefix(ref, "#") || next == nil || hasAssertions(n) || c.nested {
			return n, false
		}
		n = next
	}
	return n, false // references in a circle
}

// hasIdentity reports whether a schema inside n has a base URI of its own.
func hasIdentity(n *tree.Node, root bool) bool {
	if !root && (n.Has("$id") || n.Has("id")) {
		return true
	}
	for _, child := range n.Children() {
		if hasIdentity(child, false) {
			return true
		}
	}
	return false
}

func fragment(ref string) string {
	pointer, err := url.PathUnescape(strings.TrimPrefix(ref, "#"))
	if err != nil {
		return "\x00" // matches no pointer
	}
	return pointer
}

// nullBranch returns X, and its place in anyOf, of {"anyOf":[X,{"type":"null"}]}, in either order,
// where nothing else is asserted.
func nullBranch(n *tree.Node) (branch *tree.Node, at string) {
	m := n.Get("anyOf")
	if m == nil || len(m.List) != 2 {
		return nil, ""
	}
	for _, other := range n.Members {
		if other.Key != "anyOf" && assertions[other.Key] != annotation {
			return nil, ""
		}
	}
	switch {
	case isNull(m.List[1]):
		return m.List[0], "/anyOf/0"
	case isNull(m.List[0]):
		return m.List[1], "/anyOf/1"
	}
	return nil, ""
}

// isNull reports whether a schema is {"type":"null"}.
func isNull(n *tree.Node) bool {
	s, _ := n.String("type")
	return s == "null" && len(n.Members) == 1
}

// hand gives the value at this place to the general validator.
func (c *compiler) hand(r *rule, n *tree.Node, pointer string) {
	doc, err := c.document()
	if err == nil {
		r.general, err = doc.Sub(c.pointerOf(n, pointer))
	}
	if err != nil && c.err == nil {
		c.err = err
	}
}

// pointerOf returns where a node really stands, which is not where a reference to it stands.
func (c *compiler) pointerOf(n *tree.Node, pointer string) string {
	if c.root.At(pointer) == n {
		return pointer
	}
	at, _ := find(c.root, n)
	return at
}

func find(in, n *tree.Node) (string, bool) {
	if in == n {
		return "", true
	}
	for at, child := range in.Children() {
		if rest, ok := find(child, n); ok {
			return at + rest, true
		}
	}
	return "", false
}

// A part is one of the schemas that have to hold together for a value.
type part struct {
	node    *tree.Node
	pointer string
}

// joined appends n and what its allOf and a $ref beside other keywords add to it.
func (c *compiler) joined(parts []part, n *tree.Node, pointer string) []part {
	if slices.ContainsFunc(parts, func(p part) bool { return p.node == n }) {
		return parts
	}
	parts = append(parts, part{n, pointer})
	if m := n.Get("allOf"); m != nil {
		for i, branch := range m.List {
			parts = c.joined(parts, branch, pointer+"/allOf/"+strconv.Itoa(i))
		}
	}
	if ref, ok := n.String("$ref"); ok && !c.nested && strings.HasPrefix(ref, "#") {
		if target := c.root.At(fragment(ref)); target != nil {
			parts = c.joined(parts, target, fragment(ref))
		}
	}
	return parts
}
