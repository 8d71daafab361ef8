package strict

import (
	"slices"

	"github.com/jig-go/jig/internal/canon"
	"github.com/jig-go/jig/internal/tree"
)

// union writes anyOf for a oneOf whose branches exclude one another, and one schema for an anyOf
// that has one branch beside null.
func (r *rewriter) union(n *tree.Node) {
	if m := n.Get("oneOf"); m != nil && m.List != nil && r.p.gone("oneOf") {
		r.anyOf(n, m)
	}
	m := n.Get("anyOf")
	if m == nil || m.List == nil || n == r.root && r.p.gone("root_anyOf") {
		return
	}
	branch, _ := n.NullBranch()
	if branch != nil && n != r.root && r.p.gone("anyOf") {
		return // null is said in another way once the branch is known
	}
	if r.p.gone("anyOf") {
		if r.lose(n, "anyOf", "a union cannot stand here; declare the properties of all its "+
			"branches in one object, as optional ones") {
			n.Delete("anyOf")
			r.change(n, "anyOf", Dropped, true, "anyOf is left out; jig alone enforces it")
		}
		return
	}
	if r.p.Required && branch == nil {
		r.discriminate(m.List)
	}
}

// anyOf renames oneOf, which is the same where no value fits two branches.
func (r *rewriter) anyOf(n *tree.Node, m *tree.Member) {
	if n.Has("anyOf") {
		r.refuse(n, "oneOf", "oneOf stands beside anyOf and cannot be written as one union; write "+
			"one")
		return
	}
	exclusive := r.exclusive(m.List, r.objects(n))
	if !exclusive && !r.lose(n, "oneOf", "the branches of oneOf do not exclude one another; give "+
		"each a type of its own, or a required property with a const of its own, or write anyOf") {
		return
	}
	m.Key = "anyOf"
	message := "anyOf is written for oneOf; the branches exclude one another"
	if !exclusive {
		message = "anyOf is written for oneOf, though a value may fit two branches"
	}
	r.change(n, "oneOf", Rewritten, !exclusive, message)
}

// objects reports whether only objects get to the branches of n's union, or will.
func (r *rewriter) objects(n *tree.Node) bool {
	return slices.Equal(n.Types(), []string{"object"}) || r.p.gone("typeless_schema")
}

// exclusive reports whether no value fits two of the schemas, or no object where that is enough.
func (r *rewriter) exclusive(branches []*tree.Node, objects bool) bool {
	for i, a := range branches {
		for _, b := range branches[:i] {
			if !r.disjointSchemas(r.meant(a), r.meant(b), objects) {
				return false
			}
		}
	}
	return true
}

// disjointSchemas reports whether no value fits both schemas: their types differ, or the values
// they list, or those of a property that both require.
func (r *rewriter) disjointSchemas(a, b *tree.Node, objects bool) bool {
	x, y := r.types(a), r.types(b)
	if len(x) > 0 && len(y) > 0 && !slices.ContainsFunc(x, func(name string) bool {
		return takes(y, name) || name == "number" && slices.Contains(y, "integer")
	}) {
		return true
	}
	if disjoint(r.listed(a), r.listed(b)) {
		return true
	}
	object := []string{"object"}
	if !objects && !slices.Equal(x, object) && !slices.Equal(y, object) {
		return false // both take values that are no objects, of which required says nothing
	}
	for _, name := range a.Strings("required") {
		p, q := a.Property(name), b.Property(name)
		if p != nil && q != nil && slices.Contains(b.Strings("required"), name) &&
			disjoint(r.listed(r.meant(p)), r.listed(r.meant(q))) {
			return true
		}
	}
	return false
}

// types returns the types that a schema lists, with the null of nullable:true.
func (r *rewriter) types(n *tree.Node) []string {
	list := n.Types()
	if len(list) > 0 && r.says(n) && !slices.Contains(list, "null") {
		return append(slices.Clone(list), "null")
	}
	return list
}

// listed returns the values that a schema lists, with the null of nullable:true.
func (r *rewriter) listed(n *tree.Node) [][]byte {
	list, null := values(n), []byte("null")
	if len(list) > 0 && r.says(n) && !has(list, null) {
		return append(slices.Clone(list), null)
	}
	return list
}

// values returns the values that a schema lists, in enum or const.
func values(n *tree.Node) [][]byte {
	if m := n.Get("const"); m != nil {
		return [][]byte{m.Raw}
	}
	return n.Values("enum")
}

func disjoint(a, b [][]byte) bool {
	both := func(x []byte) bool { return has(b, x) }
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, both)
}

func has(list [][]byte, value []byte) bool {
	return slices.ContainsFunc(list, func(v []byte) bool { return canon.Equal(v, value) })
}

// discriminate puts the property that tells branches apart first, so that a model that writes the
// properties in order has chosen the branch before it fills it.
func (r *rewriter) discriminate(branches []*tree.Node) {
	if len(branches) < 2 || !r.exclusive(branches, true) {
		return
	}
	for _, branch := range branches {
		n := r.meant(branch)
		m := n.Get("properties")
		if m == nil {
			continue
		}
		i := slices.IndexFunc(m.Named, func(e tree.Named) bool {
			return slices.Contains(n.Strings("required"), e.Name) &&
				len(r.listed(r.meant(e.Node))) == 1
		})
		if i > 0 {
			first := m.Named[i]
			m.Named = slices.Insert(slices.Delete(m.Named, i, i+1), 0, first)
			r.change(n, "properties", Rewritten, false, quote(first.Name)+", which tells the "+
				"branches apart, comes first")
		}
	}
}

// siblings leaves anyOf alone in its schema where nothing may stand beside it: what describes goes
// into the branches, and a type that the branches have goes.
func (r *rewriter) siblings(n *tree.Node) {
	m := n.Get("anyOf")
	if m == nil || m.List == nil || !r.p.gone("anyOf_siblings") || !showsMore(n, "anyOf") {
		return
	}
	if n == r.root { // it has gone, or is refused
		return
	}
	branches := m.List
	for _, beside := range shown(n, but("anyOf", "$defs", "definitions")) {
		if reason := r.push(n, beside, branches); reason != "" {
			r.refuse(n, "anyOf_siblings", "%s stands beside anyOf and cannot be put into its "+
				"branches: %s",
				beside.Key, reason)
			return
		}
		n.Delete(beside.Key)
		r.change(n, "anyOf_siblings", Rewritten, false, beside.Key+" stands in the branches of "+
			"anyOf")
	}
}

// push puts a member into every branch, and returns why it cannot, or "".
func (r *rewriter) push(n *tree.Node, m tree.Member, branches []*tree.Node) string {
	for _, branch := range branches {
		m.Named = slices.Clone(m.Named)
		if branch.Has("$ref") && (r.p.gone("$ref_siblings") || !annotation(m.Key)) {
			return "one of them is a reference"
		}
		if m.Key == "description" {
			said, _ := branch.String("description")
			outer, _ := n.String("description")
			describe(branch, join(outer, said))
			r.siblings(branch) // it may be a union too
			continue
		}
		one := &tree.Node{Members: []tree.Member{m}}
		if reason := r.merge(branch, one, false, false); reason != "" {
			return reason
		}
		r.siblings(branch)
	}
	return ""
}
