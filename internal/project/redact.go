package project

import "github.com/jig-go/jig/internal/scan"

// Redact appends a value with the string replacement, quoted, in each place where a path ends.
// What no path names stays as it is. Requirement: checked passed scan.Check.
func (p *Projection) Redact(dst, checked []byte, replacement string) []byte {
	c := scan.NewCursor(checked)
	r := redactor{scan.AppendQuote(nil, replacement)}
	return r.value(dst, &c, []*node{p.root})
}

type redactor struct{ quoted []byte }

func (r redactor) value(dst []byte, c *scan.Cursor, nodes []*node) []byte {
	if anyWhole(nodes) {
		c.Skip()
		return append(dst, r.quoted...)
	}
	switch kind := c.Kind(); {
	case len(nodes) == 0:
	case kind == scan.Object:
		return r.members(dst, c, nodes)
	case kind == scan.Array:
		return r.items(dst, c, nodes)
	}
	return append(dst, c.Skip()...)
}

func (r redactor) members(dst []byte, c *scan.Cursor, nodes []*node) []byte {
	dst = append(dst, '{')
	var room [4]*node
	for first, more := true, c.Enter(); more; first, more = false, c.More() {
		if !first {
			dst = append(dst, ',')
		}
		key := c.Key()
		dst = append(scan.AppendQuote(dst, key), ':')
		dst = r.value(dst, c, appendMember(room[:0], nodes, string(key)))
	}
	return append(dst, '}')
}

func (r redactor) items(dst []byte, c *scan.Cursor, nodes []*node) []byte {
	dst = append(dst, '[')
	var room [4]*node
	for i, more := 0, c.Enter(); more; i, more = i+1, c.More() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.value(dst, c, appendItem(room[:0], nodes, i))
	}
	return append(dst, ']')
}

func anyWhole(nodes []*node) bool {
	return selects(nodes, func(n *node) bool { return n.whole })
}

// appendMember appends the nodes behind the member called name.
func appendMember(next, nodes []*node, name string) []*node {
	for _, n := range nodes {
		if m := n.members[name]; m != nil {
			next = append(next, m)
		}
		if n.every != nil {
			next = append(next, n.every)
		}
	}
	return next
}

// appendItem appends the nodes behind item i.
func appendItem(next, nodes []*node, i int) []*node {
	for _, n := range nodes {
		for _, s := range n.items {
			if i >= s.from && (s.to < 0 || i < s.to) {
				next = append(next, s.node)
			}
		}
	}
	return next
}
