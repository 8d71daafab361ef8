package tree

import (
	"slices"
	"strconv"

	"github.com/jig-go/jig/internal/scan"
)

// Oracle renders the enforced form as a plain JSON Schema that any validator of draft 2020-12 can
// take, so that another implementation can be asked for its verdict. Two things are no part of JSON
// Schema and are written out:
//
//   - null for an optional property means absent: its schema becomes {"anyOf":[S,{"type":"null"}]}.
//   - The check of a Text becomes a format with a name of its own, which formats maps to the check.
//
// n itself is not changed.
func Oracle(n *Node) (schema []byte, formats map[string]func(string) bool) {
	o := oracle{formats: map[string]func(string) bool{}}
	out := n.Clone()
	o.rewrite(out)
	return out.Append(nil, Form{Enforced: true, Identity: true}), o.formats
}

type oracle struct{ formats map[string]func(string) bool }

// rewrite changes n, a private copy, in place.
func (o *oracle) rewrite(n *Node) {
	for _, child := range n.Children() {
		o.rewrite(child)
	}
	if n.Text != nil {
		o.writeText(n)
	}
	m := n.Get("properties")
	if m == nil {
		return
	}
	required := n.Strings("required")
	for i := range m.Named {
		e := &m.Named[i]
		if !slices.Contains(required, e.Name) && !e.Node.AcceptsNull() {
			e.Node = NullUnion(e.Node, false)
		}
	}
}

// writeText puts the check of a Text beside the format that the schema has already.
func (o *oracle) writeText(n *Node) {
	name := "text-" + strconv.Itoa(len(o.formats)+1)
	o.formats[name] = n.Text.Valid
	m := n.Get("format")
	if m == nil || m.Enforced { // an enforced format is only the label of this check
		n.SetString("format", name)
		return
	}
	check := &Node{Members: []Member{{Key: "format", Raw: scan.AppendQuote(nil, name)}}}
	other := &Node{Members: []Member{*m}}
	n.Delete("format")
	all := []*Node{other, check}
	if old := n.Get("allOf"); old != nil {
		all = append(slices.Clone(old.List), all...)
	}
	n.Set(Member{Key: "allOf", List: all})
}
