package project

import (
	"maps"
	"slices"
	"strings"

	"github.com/jig-go/jig/internal/tree"
)

// Schema returns the schema of what Append keeps of a value that meets root. It may say less than
// root does, and nothing that does not hold. It reports false where root refers to places that do
// not stay where they are.
func (p *Projection) Schema(root *tree.Node) (*tree.Node, bool) {
	s := shaper{root: root}
	out := s.kept(root, []*node{p.root}, false)
	if out == nil {
		out = &tree.Node{}
	}
	return s.finish(out)
}

// RedactedSchema is Schema for what Redact makes of a value: each place where a path ends is a string.
func (p *Projection) RedactedSchema(root *tree.Node) (*tree.Node, bool) {
	s := shaper{root: root}
	return s.finish(s.redacted(root, []*node{p.root}))
}

type shaper struct{ root *tree.Node }

// maxReferences bounds a chain of references, which may be a ring.
const maxReferences = 100

// resolve follows local references; it returns nil for one that leads nowhere.
func (s *shaper) resolve(n *tree.Node) *tree.Node {
	for range maxReferences {
		ref, ok := n.String("$ref")
		if !ok {
			return n
		}
		pointer, local := strings.CutPrefix(ref, "#")
		if n = s.root.At(pointer); n == nil || !local {
			return nil
		}
	}
	return nil
}

// kept returns the schema of what the nodes select, or nil where they never select anything. A loose
// one requires nothing: not every value has the same selection.
func (s *shaper) kept(n *tree.Node, nodes []*node, loose bool) *tree.Node {
	out := &tree.Node{}
	describe(out, n)
	if anyWhole(nodes) {
		if loose && selects(nodes, func(n *node) bool { return !n.whole }) {
			return out // some values are whole, and others may be in part
		}
		return n.Clone()
	}
	target := s.resolve(n)
	if target == nil || target.Bool != nil {
		return out
	}
	if out.Get("description") == nil {
		describe(out, target)
	}
	if m := target.Get("anyOf"); m != nil {
		return s.keptUnion(out, m.List, nodes, loose)
	}
	object, array := possible(target, nodes)
	switch types := target.Types(); {
	case len(types) == 0:
		return out
	case !object && !array:
		return nil
	case object && array:
		out.SetStrings("type", []string{"object", "array"})
	case object:
		out.SetString("type", "object")
	default:
		out.SetString("type", "array")
	}
	if object {
		s.keptMembers(out, target, nodes, loose)
	}
	if m := target.Get("items"); array && m != nil && m.Node != nil && !target.Has("prefixItems") {
		next, varied := allItems(nodes)
		if item := s.kept(m.Node, next, loose || varied); item != nil {
			out.Set(tree.Member{Key: "items", Node: item})
		}
	}
	return out
}

// keptUnion keeps the branches of which something can remain. A branch for null is none of them.
func (s *shaper) keptUnion(out *tree.Node, list []*tree.Node, nodes []*node, loose bool) *tree.Node {
	var branches []*tree.Node
	for _, branch := range list {
		if kept := s.kept(branch, nodes, loose); kept != nil {
			branches = append(branches, kept)
		}
	}
	switch len(branches) {
	case 0:
		return nil
	case 1:
		for _, m := range out.Members { // the description outside counts
			branches[0].Set(m)
		}
		return branches[0]
	}
	out.Set(tree.Member{Key: "anyOf", List: branches})
	return out
}

func (s *shaper) keptMembers(out, n *tree.Node, nodes []*node, loose bool) {
	properties := []tree.Named{}
	sure := map[string]bool{}
	add := func(name string, child *tree.Node) {
		next := appendMember(nil, nodes, name)
		if len(next) == 0 {
			return
		}
		if kept := s.kept(child, next, loose); kept != nil {
			properties = append(properties, tree.Named{Name: name, Node: kept})
			sure[name] = !loose && (anyWhole(next) || s.always(child, next))
		}
	}
	if m := n.Get("properties"); m != nil {
		for _, e := range m.Named {
			add(e.Name, e.Node)
		}
	}
	others := n.Get("additionalProperties")
	if others != nil && others.Node != nil && others.Node.Bool == nil {
		for _, name := range undeclared(n, nodes) {
			add(name, others.Node)
		}
	}
	out.Set(tree.Member{Key: "properties", Named: properties})
	required := slices.DeleteFunc(n.Strings("required"), func(name string) bool { return !sure[name] })
	if len(required) > 0 {
		out.SetStrings("required", required)
	}
	if others != nil && others.Node != nil && others.Node.Bool == nil {
		if every := everyOf(nodes); len(every) > 0 {
			if kept := s.kept(others.Node, every, true); kept != nil && len(kept.Members) > 0 {
				out.Set(tree.Member{Key: "additionalProperties", Node: kept})
			}
		}
	}
}

// always reports whether the nodes keep something of every value that meets n.
func (s *shaper) always(n *tree.Node, nodes []*node) bool {
	target := s.resolve(n)
	if target == nil || target.Bool != nil || target.Has("anyOf") {
		return false
	}
	object, array := possible(target, nodes)
	types := target.Types()
	return len(types) == 1 && (types[0] == "object" && object || types[0] == "array" && array)
}

// possible reports whether the nodes select members of an object, or items of an array, that n allows.
func possible(n *tree.Node, nodes []*node) (object, array bool) {
	types := n.Types()
	object = selects(nodes, func(n *node) bool { return n.members != nil || n.every != nil })
	array = selects(nodes, func(n *node) bool { return n.items != nil })
	return object && slices.Contains(types, "object"), array && slices.Contains(types, "array")
}

// undeclared returns, sorted, the names in the nodes that n has no property for.
func undeclared(n *tree.Node, nodes []*node) []string {
	names := map[string]bool{}
	for _, at := range nodes {
		for name := range at.members {
			if n.Property(name) == nil {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// everyOf returns the nodes behind .* alone.
func everyOf(nodes []*node) []*node {
	var out []*node
	for _, n := range nodes {
		if n.every != nil {
			out = append(out, n.every)
		}
	}
	return out
}

// allItems returns the nodes behind every slice, and whether items may differ in which of them hold.
func allItems(nodes []*node) (next []*node, varied bool) {
	whole := 0
	for _, n := range nodes {
		for _, s := range n.items {
			next = append(next, s.node)
			if s.node.whole {
				whole++
			}
		}
	}
	return next, len(next) > 1 && whole < len(next)
}

// redacted returns n with a string in each place where a path ends. On the way there only keywords
// that still hold are kept.
func (s *shaper) redacted(n *tree.Node, nodes []*node) *tree.Node {
	if len(nodes) == 0 {
		return n.Clone()
	}
	out := &tree.Node{}
	if anyWhole(nodes) {
		out.SetString("type", "string")
		describe(out, n)
		return out
	}
	target := s.resolve(n)
	switch {
	case target == nil:
		return out
	case target.Bool != nil:
		return target.Clone()
	}
	for _, key := range []string{"type", "title", "description"} {
		if m := target.Get(key); m != nil {
			out.Set(*m)
		}
	}
	describe(out, n)
	if m := target.Get("anyOf"); m != nil {
		var branches []*tree.Node
		for _, branch := range m.List {
			branches = append(branches, s.redacted(branch, nodes))
		}
		out.Set(tree.Member{Key: "anyOf", List: branches})
	}
	s.redactedMembers(out, target, nodes)
	if m := target.Get("required"); m != nil {
		out.Set(*m)
	}
	if m := target.Get("items"); m != nil && m.Node != nil && !target.Has("prefixItems") {
		next, varied := allItems(nodes)
		varied = varied || slices.ContainsFunc(nodes, func(n *node) bool {
			return slices.ContainsFunc(n.items, func(s slice) bool { return s.from > 0 || s.to >= 0 })
		})
		if !varied { // else some items are clear and some are not
			out.Set(tree.Member{Key: "items", Node: s.redacted(m.Node, next)})
		}
	}
	return out
}

func (s *shaper) redactedMembers(out, n *tree.Node, nodes []*node) {
	var properties []tree.Named
	if m := n.Get("properties"); m != nil {
		for _, e := range m.Named {
			next := appendMember(nil, nodes, e.Name)
			properties = append(properties, tree.Named{Name: e.Name, Node: s.redacted(e.Node, next)})
		}
	}
	others := n.Get("additionalProperties")
	if others != nil && others.Node != nil {
		if others.Node.Bool == nil {
			for _, name := range undeclared(n, nodes) {
				properties = append(properties, tree.Named{Name: name,
					Node: s.redacted(others.Node, appendMember(nil, nodes, name))})
			}
		}
		out.Set(tree.Member{Key: "additionalProperties", Node: s.redacted(others.Node, everyOf(nodes))})
	}
	if n.Has("properties") || len(properties) > 0 {
		out.Set(tree.Member{Key: "properties", Named: properties})
	}
}

// describe copies what is for readers.
func describe(out, n *tree.Node) {
	for _, key := range []string{"title", "description"} {
		if m := n.Get(key); m != nil {
			out.Set(*m)
		}
	}
}

// definitions are the keywords that hold schemas for references alone.
var definitions = []string{"$defs", "definitions"}

// finish adds the definitions that are still referred to. It reports false for a reference to any
// other place, since that may have gone.
func (s *shaper) finish(out *tree.Node) (*tree.Node, bool) {
	for _, key := range definitions {
		out.Delete(key)
	}
	used := map[string]bool{}
	if !s.collect(out, used) {
		return nil, false
	}
	for _, key := range definitions {
		m := s.root.Get(key)
		if m == nil {
			continue
		}
		var entries []tree.Named
		for _, e := range m.Named {
			if used["#/"+key+"/"+tree.Escape(e.Name)] {
				entries = append(entries, tree.Named{Name: e.Name, Node: e.Node.Clone()})
			}
		}
		if len(entries) > 0 {
			out.Set(tree.Member{Key: key, Named: entries})
		}
	}
	return out, true
}

// collect adds the references in n, and in what they lead to, to used. It reports false for one that
// leads elsewhere than to a definition.
func (s *shaper) collect(n *tree.Node, used map[string]bool) bool {
	if ref, ok := n.String("$ref"); ok && !used[ref] {
		target := s.root.At(strings.TrimPrefix(ref, "#"))
		parts := strings.Split(ref, "/")
		if target == nil || len(parts) != 3 || parts[0] != "#" || !slices.Contains(definitions, parts[1]) {
			return false
		}
		used[ref] = true
		if !s.collect(target, used) {
			return false
		}
	}
	for _, child := range n.Children() {
		if !s.collect(child, used) {
			return false
		}
	}
	return true
}
