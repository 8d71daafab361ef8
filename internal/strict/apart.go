package strict

import (
	"slices"

	"github.com/jig-go/jig/internal/tree"
)

// splitProperties returns a keyword that declares properties of an object which declares some
// elsewhere too. Closed apart, each of the places would refuse what the other declares.
func (r *rewriter) splitProperties(n *tree.Node) string {
	if !slices.ContainsFunc(n.Members, leadsOn) {
		return ""
	}
	declared := n.Has("properties")
	for _, group := range inPlace {
		here := slices.IndexFunc(group, func(keyword string) bool {
			return r.declares(n, keyword, nil)
		})
		if here >= 0 && declared {
			return group[here]
		}
		declared = declared || here >= 0
	}
	return ""
}

// leadsOn reports whether a member leads to other schemas than those of properties.
func leadsOn(m tree.Member) bool {
	return m.Raw == nil && m.Key != "properties" || m.Key == "$ref"
}

// elsewhere reports whether the properties of an object are declared in its branches.
func (r *rewriter) elsewhere(n *tree.Node) bool {
	return slices.ContainsFunc(slices.Concat(inPlace...), func(keyword string) bool {
		return r.declares(n, keyword, nil)
	})
}

// declares reports whether the schemas under a keyword declare properties, themselves or through
// others that describe the same object. seen ends references in a circle; nil is empty.
func (r *rewriter) declares(n *tree.Node, keyword string, seen map[*tree.Node]bool) bool {
	m := n.Get(keyword)
	if m == nil {
		return false
	}
	if seen == nil {
		seen = map[*tree.Node]bool{}
	}
	within := func(n *tree.Node) bool {
		if n == nil || seen[n] {
			return false
		}
		seen[n] = true
		return n.Has("properties") || slices.ContainsFunc(slices.Concat(inPlace...),
			func(keyword string) bool { return r.declares(n, keyword, seen) })
	}
	if keyword == "$ref" {
		return within(r.target[n])
	}
	return within(m.Node) || slices.ContainsFunc(m.List, within) ||
		slices.ContainsFunc(m.Named, func(e tree.Named) bool { return within(e.Node) })
}
