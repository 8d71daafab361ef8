package strict

import (
	"slices"

	"github.com/jig-go/jig/internal/tree"
)

// null says in another way that n takes null, or several types, where the profile does not take it
// as it is said.
func (r *rewriter) null(n *tree.Node) {
	types := n.Types()
	if len(types) == 1 && types[0] == "null" && r.p.gone("type_null") {
		r.onlyNull(n)
		return
	}
	others := without(types, "null")
	list := len(types) > 1 && r.p.gone("type_array_with_null")
	member := has(n.Values("enum"), []byte("null")) && r.p.gone("enum_null_member")
	if list && len(others) > 1 {
		r.split(n, types)
		return
	}
	if !list && !member {
		return
	}
	keyword := "type_array_with_null"
	if member {
		keyword = "enum_null_member"
	}
	r.renull(n, r.notNull(n, others), keyword)
}

// onlyNull deals with a schema that takes nothing but null.
func (r *rewriter) onlyNull(n *tree.Node) {
	if r.p.harmless("type_null") || !r.lose(n, "type_null", "only null is accepted here, which "+
		"cannot be said; leave it out") {
		return
	}
	n.SetString("type", "string")
	for _, key := range []string{"const", "enum"} {
		n.Delete(key)
	}
	if wide := r.orNull(n); wide != nil {
		r.become(n, wide)
	}
	r.change(n, "type_null", Rewritten, true, "a string can be sent here, which jig refuses")
}

// notNull returns n without null.
func (r *rewriter) notNull(n *tree.Node, types []string) *tree.Node {
	inner := r.made(n.Shallow(), n)
	if len(types) == 1 {
		inner.SetString("type", types[0])
	}
	if list := inner.Values("enum"); has(list, []byte("null")) {
		list = slices.DeleteFunc(list, func(v []byte) bool { return string(v) == "null" })
		if inner.SetValues("enum", list); len(list) == 0 { // its own type refuses null
			inner.Delete("enum")
			r.change(n, "enum_null_member", Dropped, true, "enum is left out; jig alone checks it")
		}
	}
	return inner
}

// renull makes n what inner is, or null.
func (r *rewriter) renull(n, inner *tree.Node, keyword string) {
	if out := r.orNull(inner); out != nil {
		r.become(n, out)
		r.change(n, keyword, Rewritten, false, "that null is accepted is said in another way")
		return
	}
	if r.lose(n, keyword, "null is accepted here, which cannot be said; make it optional instead") {
		r.become(n, inner)
		r.change(n, keyword, Dropped, true, "null cannot be sent here")
	}
}

// orNull returns n widened to take null, in words that the profile takes, or nil. A schema that
// takes null already is returned as it is.
func (r *rewriter) orNull(n *tree.Node) *tree.Node {
	if n.AcceptsNull() || r.says(n) || n.Has("$ref") && r.meant(n).AcceptsNull() {
		return n
	}
	if m := n.Get("anyOf"); m != nil && r.branchesNull() &&
		!slices.ContainsFunc(n.Members, checks) {
		out := r.made(n.Shallow(), n)
		null := r.made(typed("null"), n)
		out.Set(tree.Member{Key: "anyOf", List: append(slices.Clip(m.List), null)})
		r.done[out] = true
		return out
	}
	if out := tree.Nullable(n); r.takesNull(out) {
		r.own(out, n)
		return out
	}
	if r.p.Keywords["nullable"] == "ok" && !n.Has("$ref") {
		return r.nullable(n)
	}
	if !r.branchesNull() {
		return nil
	}
	out := tree.NullUnion(n, !r.p.gone("anyOf_siblings"))
	r.own(out, n)
	return out
}

// checks reports whether a member is more than the branches of a union and what describes it.
func checks(m tree.Member) bool { return m.Key != "anyOf" && constrains(m) }

// says reports whether n says nullable:true, as in OpenAPI.
func (r *rewriter) says(n *tree.Node) bool {
	m := n.Get("nullable")
	return m != nil && string(m.Raw) == "true" && r.p.Keywords["nullable"] == "ok"
}

// branchesNull reports whether null may be a branch of a union.
func (r *rewriter) branchesNull() bool { return !r.p.gone("anyOf") && !r.p.gone("type_null") }

// takesNull reports whether the profile takes how a schema says that it accepts null.
func (r *rewriter) takesNull(n *tree.Node) bool {
	if n.Has("anyOf") {
		return r.branchesNull() && !(r.p.gone("anyOf_siblings") && showsMore(n, "anyOf"))
	}
	return !r.p.gone("type_array_with_null") && !(n.Has("enum") && r.p.gone("enum_null_member"))
}

// own makes a schema, and the one inside it that tree.Nullable has made of n, known as n.
func (r *rewriter) own(out, n *tree.Node) {
	if target := r.target[n]; target != nil {
		for _, child := range out.Children() {
			if child.Has("$ref") {
				r.target[r.made(child, n)] = target
			}
		}
	}
	r.done[r.made(out, n)] = true
}

// nullable says nullable:true, in the last branch where nothing may stand beside the union.
func (r *rewriter) nullable(n *tree.Node) *tree.Node {
	out := r.made(n.Shallow(), n)
	if m := out.Get("anyOf"); m != nil && r.p.gone("anyOf_siblings") {
		m.List = slices.Clone(m.List)
		last := &m.List[len(m.List)-1]
		*last = r.nullable(*last)
		return out
	}
	out.Delete("nullable")
	out.InsertAfter("type", raw("nullable", "true"))
	return out
}

// split writes one branch for each of several types.
func (r *rewriter) split(n *tree.Node, types []string) {
	if n.Has("anyOf") || r.p.gone("anyOf") {
		r.refuse(n, "type_array_with_null", "several types are accepted here, which cannot be "+
			"said; declare one")
		return
	}
	var branches []*tree.Node
	for _, name := range without(types, "null") {
		b := r.made(&tree.Node{}, n)
		b.SetString("type", name)
		for _, m := range n.Members {
			if about(m.Key, name) {
				b.Members = append(b.Members, m)
			}
		}
		r.visit(b)
		branches = append(branches, b)
	}
	out := r.made(&tree.Node{Members: []tree.Member{{Key: "anyOf", List: branches}}}, n)
	for _, m := range n.Members {
		if annotation(m.Key) {
			out.Members = append(out.Members, m)
		}
	}
	if slices.Contains(types, "null") {
		wide := r.orNull(out)
		if wide == nil {
			r.refuse(n, "type_null", "null is accepted here, which cannot be said; make it "+
				"optional instead")
			return
		}
		out = wide
	}
	r.become(n, out)
	r.change(n, "type_array_with_null", Rewritten, false, "each type is a branch of anyOf")
}

// about reports whether a keyword checks values of a type; what describes stays outside the
// branches.
func about(key, name string) bool {
	if key == "type" || annotation(key) {
		return false
	}
	of := keywords[key].about
	return of == "" || of == name || of == "number" && name == "integer"
}

// nullBranches marks the branches of n's union that are null as done: null is said in another way
// once the others are known. The root, which is an object, says null in no way.
func (r *rewriter) nullBranches(n *tree.Node) {
	if m := n.Get("anyOf"); m != nil && n != r.root && r.p.gone("type_null") {
		for _, b := range m.List {
			r.done[b] = r.done[b] || b.IsNull()
		}
	}
}

// nullBranch writes a union with null as the rest of the union that takes null, where null cannot
// be a branch, or the union cannot stand.
func (r *rewriter) nullBranch(n *tree.Node) {
	m := n.Get("anyOf")
	if m == nil || m.List == nil || r.takesNull(n) || n == r.root ||
		!slices.ContainsFunc(m.List, (*tree.Node).IsNull) {
		return
	}
	rest := slices.DeleteFunc(slices.Clone(m.List), (*tree.Node).IsNull)
	inner := r.made(n.Shallow(), n)
	switch {
	case len(rest) == 0 || len(rest) > 1 && r.branchesNull(): // what stands beside it moves, then
		return
	case len(rest) > 1:
		inner.Get("anyOf").List = rest
	case !r.alone(inner, rest[0]):
		return
	}
	r.renull(n, inner, "anyOf")
}

// alone gives n the content of the one branch of its union, beside its own, and reports whether
// that can be said.
func (r *rewriter) alone(n, branch *tree.Node) bool {
	if branch.Bool != nil ||
		branch.Has("$ref") && showsMore(n, "anyOf") && r.p.gone("$ref_siblings") {
		return false
	}
	n.Delete("anyOf")
	out := r.made(branch.Shallow(), n)
	if r.merge(out, n.Shallow(), true, false) != "" {
		return false
	}
	if target := r.target[branch]; target != nil {
		r.target[out] = target
	}
	r.become(n, out)
	return true
}
