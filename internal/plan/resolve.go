package plan

import (
	"slices"
	"strconv"

	"github.com/jig-go/jig/internal/tree"
)

// resolve follows references without siblings inside the schema; known is false for one that the
// plan cannot follow, or that has siblings to be checked as well.
func (c *compiler) resolve(n *tree.Node) (target *tree.Node, known bool) {
	for range 100 {
		if !n.Has("$ref") {
			return n, !n.Has("$dynamicRef") && !n.Has("$recursiveRef")
		}
		next := n.Referred(c.root)
		if next == nil || hasAssertions(n) || c.nested {
			return n, false
		}
		n = next
	}
	return n, false // references in a circle
}

// nullBranch returns X, and its place, of {"anyOf":[X,{"type":"null"}]} where nothing else is
// asserted.
func nullBranch(n *tree.Node) (branch *tree.Node, at string) {
	for _, other := range n.Members {
		if other.Key != "anyOf" && assertionOf(other.Key) != annotation {
			return nil, ""
		}
	}
	return n.NullBranch()
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
	for step, child := range in.Children() {
		if rest, ok := find(child, n); ok {
			return step.Pointer() + rest, true
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
	if target := n.Referred(c.root); target != nil && !c.nested {
		parts = c.joined(parts, target, c.pointerOf(target, pointer))
	}
	return parts
}
