// Package project cuts a JSON value down to the places that a list of paths allows, or replaces the
// values in those places, and says what that does to the value's JSON Schema.
//
// Of a projection, everything that no path names is left out, so that a member which appears later is not shown.
// Members keep their order. An item that a path selects and that holds none of the named members
// becomes {}. A path that leads into a scalar selects nothing there.
package project

import (
	"github.com/jig-go/jig/internal/path"
	"github.com/jig-go/jig/internal/scan"
)

// A Projection is a compiled list of paths. It never changes.
type Projection struct{ root *node }

// A node is a place in the paths.
type node struct {
	whole   bool // a path ends here: the value is kept as it is
	members map[string]*node
	every   *node // .*
	items   []slice
}

// A slice is [from:to] with what follows it; to is negative for no end.
type slice struct {
	from, to int
	node     *node
}

// Compile merges the paths: what any of them selects is kept.
func Compile(paths [][]path.Step) *Projection {
	p := &Projection{root: &node{}}
	for _, steps := range paths {
		n := p.root
		for _, s := range steps {
			n = n.next(s)
		}
		n.whole = true
	}
	return p
}

// next returns the node behind a step, and makes it where there is none.
func (n *node) next(s path.Step) *node {
	switch s.Kind {
	case path.AllMembers:
		if n.every == nil {
			n.every = &node{}
		}
		return n.every
	case path.Items:
		for _, i := range n.items {
			if i.from == s.From && i.to == s.To {
				return i.node
			}
		}
		n.items = append(n.items, slice{s.From, s.To, &node{}})
		return n.items[len(n.items)-1].node
	}
	if n.members == nil {
		n.members = map[string]*node{}
	}
	if n.members[s.Name] == nil {
		n.members[s.Name] = &node{}
	}
	return n.members[s.Name]
}

// Append appends what the projection keeps of a value. It fails, with nothing appended, for a value
// that is neither an object nor an array: there is no part of it to select.
// Requirement: checked passed scan.Check.
func (p *Projection) Append(dst, checked []byte) ([]byte, bool) {
	c := scan.NewCursor(checked)
	if kind := c.Kind(); kind != scan.Object && kind != scan.Array {
		return dst, false
	}
	dst, _ = keep(dst, &c, []*node{p.root})
	return dst, true
}

// keep appends what the nodes select of the next value, and reports whether that is anything.
func keep(dst []byte, c *scan.Cursor, nodes []*node) ([]byte, bool) {
	if anyWhole(nodes) {
		return append(dst, c.Skip()...), true
	}
	switch c.Kind() {
	case scan.Object:
		return keepMembers(dst, c, nodes)
	case scan.Array:
		return keepItems(dst, c, nodes)
	}
	c.Skip()
	return dst, false
}

func keepMembers(dst []byte, c *scan.Cursor, nodes []*node) ([]byte, bool) {
	if !selects(nodes, func(n *node) bool { return n.members != nil || n.every != nil }) {
		c.Skip()
		return dst, false
	}
	dst = append(dst, '{')
	empty := len(dst)
	var room [4]*node
	for more := c.Enter(); more; more = c.More() {
		key := c.Key()
		next := appendMember(room[:0], nodes, string(key))
		if len(next) == 0 {
			c.Skip()
			continue
		}
		before := len(dst)
		if before > empty {
			dst = append(dst, ',')
		}
		dst = append(scan.AppendQuote(dst, key), ':')
		kept := false
		if dst, kept = keep(dst, c, next); !kept {
			dst = dst[:before]
		}
	}
	return append(dst, '}'), true
}

func keepItems(dst []byte, c *scan.Cursor, nodes []*node) ([]byte, bool) {
	if !selects(nodes, func(n *node) bool { return n.items != nil }) {
		c.Skip()
		return dst, false
	}
	dst = append(dst, '[')
	empty := len(dst)
	var room [4]*node
	for i, more := 0, c.Enter(); more; i, more = i+1, c.More() {
		next := appendItem(room[:0], nodes, i)
		if len(next) == 0 {
			c.Skip()
			continue
		}
		before := len(dst)
		if before > empty {
			dst = append(dst, ',')
		}
		kept := false
		if dst, kept = keep(dst, c, next); !kept {
			dst = dst[:before]
		}
	}
	return append(dst, ']'), true
}

func selects(nodes []*node, has func(*node) bool) bool {
	for _, n := range nodes {
		if has(n) {
			return true
		}
	}
	return false
}
