package strict

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jig-go/jig/internal/tree"
)

// A Tool is one tool of a request.
type Tool struct {
	Name   string
	Strict bool   // asked for on the wire
	Schema []byte // checked text, as it is sent; nil where no schema is
}

// CheckRequest returns what a provider would refuse in the tools of one request together, each of
// which has passed Check. The keyword of a Problem is the name of the limit's field; the pointer is
// empty, and the message names the tools that count most.
func CheckRequest(p Profile, tools []Tool) []Problem {
	var problems []Problem
	add := func(keyword, message string) {
		problems = append(problems, Problem{Keyword: keyword, Message: message})
	}
	if limit := p.MaxTools; limit > 0 && len(tools) > limit {
		add("MaxTools", fmt.Sprintf("got %d tools, want at most %d; leave some out", len(tools),
			limit))
	}
	strict := slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool { return !t.Strict })
	if limit := p.MaxStrict; limit > 0 && len(strict) > limit {
		add("MaxStrict", fmt.Sprintf("got %d strict tools, want at most %d; make some loose",
			len(strict), limit))
	}
	var counts []toolCount
	if p.MaxOptional > 0 || p.MaxUnions > 0 {
		counts = countTools(strict)
	}
	if m := overBudget(counts, p.MaxOptional, "optional properties",
		func(c toolCount) int { return c.optional }); m != "" {
		add("MaxOptional", m)
	}
	if m := overBudget(counts, p.MaxUnions, "properties with a list of types or an anyOf",
		func(c toolCount) int { return c.unions }); m != "" {
		add("MaxUnions", m)
	}
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Compare(a.Keyword, b.Keyword)
	})
	return problems
}

// A toolCount is what one tool takes of the budgets.
type toolCount struct {
	name             string
	optional, unions int
}

func countTools(tools []Tool) []toolCount {
	counts := make([]toolCount, len(tools))
	for i, t := range tools {
		if t.Schema != nil {
			root, _ := tree.Parse(t.Schema) // what was written can be read
			counts[i] = budget{root, map[*tree.Node]toolCount{}}.whole()
		}
		counts[i].name = t.Name
	}
	return counts
}

// namedTools is how many tools a message names.
const namedTools = 5

// overBudget says that strict tools exceed a budget together, or nothing.
func overBudget(tools []toolCount, limit int, what string, of func(toolCount) int) string {
	total := 0
	for _, t := range tools {
		total = min(total+of(t), countCeiling)
	}
	if limit == 0 || total <= limit {
		return ""
	}
	most := slices.Clone(tools) // those that count as much stay in their order
	slices.SortStableFunc(most, func(a, b toolCount) int { return cmp.Compare(of(b), of(a)) })
	most = slices.DeleteFunc(most, func(t toolCount) bool { return of(t) == 0 })
	var names []string
	for _, t := range most[:min(len(most), namedTools)] {
		names = append(names, strconv.Quote(t.name)+" has "+strconv.Itoa(of(t)))
	}
	if more := len(most) - namedTools; more > 0 {
		names = append(names, fmt.Sprintf("%d more have the rest", more))
	}
	return fmt.Sprintf("got %d %s in the strict tools of one request, want at most %d; make some "+
		"of them loose: %s", total, what, limit, strings.Join(names, ", "))
}

// countCeiling bounds a count: schemas that refer to one another can double it at each step.
const countCeiling = 1 << 30

// A budget counts one schema. What a reference leads to counts each time, which is the safe
// reading: no provider says how it counts one. Definitions that nothing refers to count once.
type budget struct {
	root  *tree.Node
	known map[*tree.Node]toolCount
}

func (b budget) whole() toolCount {
	total := b.of(b.root)
	for _, m := range b.root.Members {
		if !definitions(m.Key) {
			continue
		}
		for _, e := range m.Named {
			if _, used := b.known[e.Node]; !used {
				total = total.plus(b.of(e.Node))
			}
		}
	}
	return total
}

func (t toolCount) plus(u toolCount) toolCount {
	t.optional = min(t.optional+u.optional, countCeiling)
	t.unions = min(t.unions+u.unions, countCeiling)
	return t
}

func (b budget) of(n *tree.Node) toolCount {
	if found, ok := b.known[n]; ok {
		return found
	}
	b.known[n] = toolCount{} // a schema that leads back to itself counts once
	var count toolCount
	required := n.Strings("required")
	for i := range n.Members {
		m := &n.Members[i]
		if definitions(m.Key) {
			continue // counted where they are used
		}
		for _, child := range m.Children() {
			count = count.plus(b.of(child))
		}
		if m.Key == "properties" {
			count = count.plus(b.properties(m.Named, required))
		}
	}
	if target := n.Referred(b.root); target != nil {
		count = count.plus(b.of(target))
	}
	b.known[n] = count
	return count
}

// properties counts the properties of one object, without what is inside them.
func (b budget) properties(properties []tree.Named, required []string) (count toolCount) {
	for _, e := range properties {
		if !slices.Contains(required, e.Name) {
			count.optional++
		}
		if b.isUnion(e.Node, map[*tree.Node]bool{}) {
			count.unions++
		}
	}
	return count
}

// isUnion reports whether a property takes one of several types, itself or in its items.
func (b budget) isUnion(n *tree.Node, seen map[*tree.Node]bool) bool {
	if n == nil || seen[n] {
		return false
	}
	seen[n] = true
	if n.Has("anyOf") || len(n.Types()) > 1 || b.isUnion(n.Referred(b.root), seen) {
		return true
	}
	items := n.Get("items")
	return items != nil && b.isUnion(items.Node, seen)
}
