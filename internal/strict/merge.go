package strict

import (
	"slices"
	"strings"

	"github.com/jig-go/jig/internal/canon"
	"github.com/jig-go/jig/internal/decimal"
	"github.com/jig-go/jig/internal/tree"
)

// join merges the branches of allOf into n. Closed objects have to be one schema: closed apart,
// each branch would refuse what the other declares. It reports whether it did.
func (r *rewriter) join(n *tree.Node) bool {
	m := n.Get("allOf")
	if m == nil || m.List == nil || !r.joins(n, m.List) {
		return false
	}
	branches := m.List
	n.Delete("allOf")
	for _, branch := range branches {
		if reason := r.joinBranch(n, branch, len(branches) == 1); reason != "" {
			r.apartAllOf(n, reason)
			return false
		}
	}
	r.change(n, "allOf", Rewritten, false, "its branches are merged into one schema")
	return true
}

// joins reports whether the allOf of n has to go.
func (r *rewriter) joins(n *tree.Node, branches []*tree.Node) bool {
	return r.p.Closed || r.p.gone("allOf") || n == r.root && r.p.gone("root_allOf") ||
		len(branches) == 1 && r.p.gone("allOf_single") ||
		r.p.gone("allOf_with_ref") && slices.ContainsFunc(branches, func(b *tree.Node) bool {
			return b.Has("$ref")
		})
}

func (r *rewriter) apartAllOf(n *tree.Node, reason string) {
	if r.p.Closed {
		r.refuse(n, "allOf", "strict closes every object, and objects that are closed apart "+
			"cannot be joined by allOf; merge its branches into one schema: %s", reason)
		return
	}
	r.refuse(n, "allOf", "the branches of allOf cannot be joined: %s; write one schema", reason)
}

// joinBranch merges one branch into n and returns why it cannot, or "". A reference that is all
// there is stays one.
func (r *rewriter) joinBranch(n, branch *tree.Node, alone bool) string {
	if branch.Bool != nil {
		if *branch.Bool {
			return ""
		}
		return "one of them accepts nothing"
	}
	b := r.copy(branch)
	for b.Has("$ref") {
		target := r.target[b]
		if alone && target != nil && !slices.ContainsFunc(n.Members, constrains) {
			r.target[n] = target
			break
		}
		if target == nil || r.path[r.origin[target]] > 0 || r.copied > maxCopied {
			return "one of them is a reference to a schema that contains this one"
		}
		out := r.copy(target)
		b.Delete("$ref")
		if out.Bool != nil {
			return "one of them is a reference to true or false"
		}
		if reason := r.merge(out, b, true, r.p.Lossy); reason != "" {
			return reason
		}
		b = out
	}
	if nested := b.Get("allOf"); nested != nil {
		list := nested.List
		b.Delete("allOf")
		for _, inner := range list {
			if reason := r.joinBranch(b, inner, len(list) == 1); reason != "" {
				return reason
			}
		}
	}
	return r.merge(n, b, false, r.p.Lossy)
}

func constrains(m tree.Member) bool { return !annotation(m.Key) }

// merge adds the members of src to dst, so that dst accepts what both accept, and returns why it
// cannot, or "". Of two descriptions src's stays where it wins. Where it may be lossy, a keyword in
// which they differ is left out of one.
func (r *rewriter) merge(dst, src *tree.Node, wins, lossy bool) string {
	if dst.Text != nil && src.Text != nil || dst.Value != nil && src.Value != nil {
		return "both have a type of their own"
	}
	if key := entangled(dst, src); key != "" {
		return key + " would mean something else there"
	}
	if reason := r.mergeOpenness(dst, src); reason != "" {
		return reason
	}
	for _, m := range src.Members {
		reason := r.mergeMember(dst, m, wins)
		if reason != "" && !lossy {
			return reason
		}
		if reason != "" {
			r.change(dst, m.Key, Dropped, true, reason+"; one is left out, jig alone checks it")
		}
	}
	if target := r.target[src]; target != nil && dst.Has("$ref") && r.target[dst] == nil {
		r.target[dst] = target
	}
	if dst.Text == nil {
		dst.Text = src.Text
	}
	if dst.Value == nil {
		dst.Value = src.Value
	}
	return ""
}

// flagged reports whether a schema has such a flag.
func flagged(n *tree.Node) bool {
	return slices.ContainsFunc(n.Members, func(m tree.Member) bool {
		return strings.HasPrefix(m.Key, "exclusive") && (m.Raw[0] == 't' || m.Raw[0] == 'f')
	})
}

// entangled returns a keyword that counts on others which the other schema sets otherwise, or "".
func entangled(a, b *tree.Node) string {
	apart := groups
	if flagged(a) || flagged(b) {
		apart = slices.Concat(groups, flags)
	}
	for _, group := range apart {
		if !slices.ContainsFunc(group, a.Has) || !slices.ContainsFunc(group, b.Has) {
			continue
		}
		for _, key := range group {
			x, y := a.Get(key), b.Get(key)
			if x != nil != (y != nil) || x != nil && !sameMember(x, y) {
				return key
			}
		}
	}
	return ""
}

// mergeOpenness settles additionalProperties, which speaks of the properties declared beside it.
func (r *rewriter) mergeOpenness(dst, src *tree.Node) string {
	a, b := dst.Get("additionalProperties"), src.Get("additionalProperties")
	if open(a) && open(b) {
		return ""
	}
	if !open(a) && !declaredIn(src, dst) || !open(b) && !declaredIn(dst, src) ||
		!open(a) && !open(b) && !sameMember(a, b) {
		return "additionalProperties of one refuses what the other declares"
	}
	if open(a) {
		dst.Delete("additionalProperties")
	} else {
		src.Delete("additionalProperties")
	}
	return ""
}

// declaredIn reports whether all that inner declares outer declares too.
func declaredIn(inner, outer *tree.Node) bool {
	m := inner.Get("properties")
	if inner.Has("patternProperties") {
		return false
	}
	return m == nil || !slices.ContainsFunc(m.Named, func(e tree.Named) bool {
		return outer.Property(e.Name) == nil
	})
}

func (r *rewriter) mergeMember(dst *tree.Node, m tree.Member, wins bool) string {
	old := dst.Get(m.Key)
	switch {
	case old == nil:
		add(dst, m)
	case definitions(m.Key): // what refers to them is known by the schema, not by its name
		for _, e := range m.Named {
			old.Named = append(slices.Clone(old.Named),
				tree.Named{Name: free(old.Named, e.Name), Node: e.Node})
		}
	case annotation(m.Key):
		if wins {
			*old = m
		}
	case m.Key == "properties":
		return r.mergeProperties(old, m.Named)
	case m.Key == "required":
		mergeRequired(dst, m)
	case m.Key == "type":
		return mergeType(dst, m)
	case (least | most).of(m.Key):
		mergeBound(old, m)
	case !sameMember(old, &m):
		return "they differ in " + m.Key
	}
	return ""
}

// add puts a member last, but before the additionalProperties:false that closes an object.
func add(n *tree.Node, m tree.Member) {
	at := len(n.Members)
	if never(n.Get("additionalProperties")) && n.Members[at-1].Key == "additionalProperties" {
		at--
	}
	n.Members = slices.Insert(n.Members, at, m)
}

// mergeBound keeps the narrower of two bounds.
func mergeBound(old *tree.Member, m tree.Member) {
	a, isNumber := decimal.Parse(old.Raw)
	b, also := decimal.Parse(m.Raw)
	narrower := -1
	if least.of(m.Key) {
		narrower = 1
	}
	if isNumber && also && b.Cmp(a) == narrower {
		old.Raw = m.Raw
	}
}

// mergeProperties adds properties to a table. One that is in both is merged in a copy: what refers
// to the one that was there means that alone.
func (r *rewriter) mergeProperties(old *tree.Member, entries []tree.Named) (reason string) {
	old.Named = slices.Clone(old.Named)
	for _, e := range entries {
		i := slices.IndexFunc(old.Named, func(o tree.Named) bool { return o.Name == e.Name })
		if i < 0 {
			old.Named = append(old.Named, e)
			continue
		}
		if one := old.Named[i].Node; !same(one, e.Node) {
			both := r.copy(one)
			if one.Bool != nil || e.Node.Bool != nil ||
				r.merge(both, r.copy(e.Node), false, false) != "" {
				reason = "they differ in the property " + quote(e.Name)
				continue
			}
			old.Named[i].Node = both
		}
	}
	return reason
}

func mergeRequired(dst *tree.Node, m tree.Member) {
	list := dst.Strings("required")
	for _, name := range m.Strings() {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	dst.SetStrings("required", list)
}

// mergeType keeps the types that both take. An integer is a number.
func mergeType(dst *tree.Node, m tree.Member) string {
	one, other := dst.Types(), m.Strings()
	var both []string
	for _, name := range append(slices.Clone(one), other...) {
		if takes(one, name) && takes(other, name) && !slices.Contains(both, name) {
			both = append(both, name)
		}
	}
	switch len(both) {
	case 0:
		return "they differ in type"
	case 1:
		dst.SetString("type", both[0])
	default:
		dst.SetStrings("type", both)
	}
	return ""
}

func takes(types []string, name string) bool {
	return slices.Contains(types, name) || name == "integer" && slices.Contains(types, "number")
}

func sameMember(a, b *tree.Member) bool {
	return same(&tree.Node{Members: []tree.Member{*a}}, &tree.Node{Members: []tree.Member{*b}})
}

// same reports whether two schemas say the same.
func same(a, b *tree.Node) bool {
	form := tree.Form{Enforced: true, Identity: true}
	return canon.Equal(a.Append(nil, form), b.Append(nil, form))
}
