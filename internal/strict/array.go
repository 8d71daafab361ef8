package strict

import (
	"slices"
	"strconv"

	"github.com/jig-go/jig/internal/tree"
)

// tuple writes prefixItems for a list of items, its name before 2020.
func (r *rewriter) tuple(n *tree.Node) {
	if m := n.Get("items"); m != nil && m.List != nil && r.p.gone("items_array") {
		m.Key = "prefixItems"
		if rest := n.Get("additionalItems"); rest != nil {
			rest.Key = "items"
		}
		r.newer = true // than a draft that has no prefixItems
		r.change(n, "items_array", Rewritten, false, "prefixItems is written for a list of items")
	}
	if m := n.Get("prefixItems"); m != nil && m.List != nil && r.p.gone("prefixItems") {
		r.loosenTuple(n, m.List)
	}
}

// loosenTuple asks for a list of as many items, each of one of the kinds in the tuple.
func (r *rewriter) loosenTuple(n *tree.Node, list []*tree.Node) {
	if !r.lose(n, "prefixItems", "a list whose items each have a place stands here, which cannot "+
		"be said; declare an object with a property for each") {
		return
	}
	var kinds []*tree.Node
	for _, item := range list {
		if !slices.ContainsFunc(kinds, func(k *tree.Node) bool { return same(k, item) }) {
			kinds = append(kinds, item)
		}
	}
	items := kinds[0]
	if len(kinds) > 1 {
		items = r.made(&tree.Node{Members: []tree.Member{{Key: "anyOf", List: kinds}}}, n)
	}
	closed := never(n.Get("items"))
	n.Delete("prefixItems")
	n.Set(tree.Member{Key: "items", Node: items})
	if closed && !n.Has("maxItems") {
		n.SetRaw("maxItems", strconv.Itoa(len(list)))
	}
	r.change(n, "prefixItems", Rewritten, true, "any of the items may stand at each place")
}

// array refuses an array that does not say what its items are.
func (r *rewriter) array(n *tree.Node) {
	if n.Bool != nil || n.Has("items") || !r.p.gone("items_missing") || n.Has("prefixItems") ||
		!slices.Contains(n.Types(), "array") {
		return
	}
	if r.p.harmless("items_missing") || !r.lose(n, "items_missing", "a list of any values stands "+
		"here, which cannot be said; declare what its items are") {
		return
	}
	items := r.made(&tree.Node{}, n)
	n.Set(tree.Member{Key: "items", Node: items})
	r.values(items)
	r.change(n, "items_missing", Added, true, "objects and arrays cannot be sent as items")
}
