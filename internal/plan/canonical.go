package plan

import (
	"bytes"
	"slices"
	"strings"

	"github.com/jig-go/jig/internal/canon"
	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/scan"
)

// Canonical appends the canonical form of a value that the plan accepts: unknown members of structs
// and nulls that mean absent left out, defaults filled in, keys sorted, numbers in their exact
// shortest form. Equal values have equal canonical forms.
func (p *Plan) Canonical(dst, checked []byte) []byte { return p.root.canonical(dst, checked) }

func (r *rule) canonical(dst, raw []byte) []byte {
	c := scan.NewCursor(raw)
	return r.rewrite(dst, &c, (*property).filled, nil)
}

// withoutNulls returns the value without the members whose null means absent, else as written.
func (r *rule) withoutNulls(raw []byte) []byte {
	if !bytes.Contains(raw, []byte("null")) {
		return raw
	}
	c := scan.NewCursor(raw)
	return r.rewrite(nil, &c, nil, nil)
}

// A filler returns what is filled in for an absent property, or nil.
type filler func(*property) []byte

// filled returns the default, in canonical form.
func (p *property) filled() []byte { return p.rule.canonical(nil, p.def) }

// rewrite writes the next value in canonical form or, if fill is nil, only without such nulls.
// The rules beside only add to the places where null means absent. All go down together: to apply
// one after the other would double the work with each level of nesting.
func (r *rule) rewrite(dst []byte, c *scan.Cursor, fill filler, beside []*rule) []byte {
	r = r.some()
	kind := c.Kind()
	if kind == scan.Object || kind == scan.Array {
		beside = r.beside(beside, *c)
	}
	switch {
	case r.never: // nothing below is known, and the value is refused anyhow
		return append(dst, c.Skip()...)
	case kind == scan.Object && (!r.open || len(beside) > 0):
		return r.rewriteObject(dst, c, fill, beside)
	case kind == scan.Array && (r.arr != nil || len(beside) > 0):
		dst = append(dst, '[')
		for i, more := 0, c.Enter(); more; i, more = i+1, c.More() {
			if i > 0 {
				dst = append(dst, ',')
			}
			item := r.arr.item(i)
			if item == nil {
				item = anything
			}
			dst = item.rewrite(dst, c, fill, itemRules(beside, i))
		}
		return append(dst, ']')
	case fill != nil:
		return canon.Append(dst, c.Skip())
	}
	return append(dst, c.Skip()...)
}

// anything is the rule of what a schema says nothing about.
var anything = &rule{open: true, kinds: allKinds}

type member struct {
	key   string
	value []byte
}

// itemRules returns what rules say of the item at an index.
func itemRules(rules []*rule, i int) (out []*rule) {
	for _, r := range rules {
		out = added(out, r.arr.item(i))
	}
	return out
}

// memberRules returns what r says of a member beside its own rule, and what the rules beside say.
func (r *rule) memberRules(beside []*rule, name string) []*rule {
	out := r.obj.others(nil, name)
	for _, b := range beside {
		out = added(b.obj.others(out, name), b.obj.member(name, false))
	}
	return out
}

// nullAbsent reports whether null as the value of a member means that it is absent.
func (r *rule) nullAbsent(beside []*rule, name string) bool {
	says := func(r *rule) bool {
		p := r.obj.property(name)
		return p != nil && p.nullAbsent
	}
	return says(r) || slices.ContainsFunc(beside, says)
}

func (r *rule) rewriteObject(dst []byte, c *scan.Cursor, fill filler, beside []*rule) []byte {
	var members []member
	present := map[string]bool{}
	for more := c.Enter(); more; more = c.More() {
		key := string(c.Key())
		declared := r.obj.property(key) != nil
		if c.Kind() == scan.Null && r.nullAbsent(beside, key) {
			c.Null()
			continue
		}
		raw := c.Skip()
		if !declared && fill != nil && r.isStruct() {
			continue
		}
		present[key] = true
		value := r.obj.member(key, false)
		members = append(members, member{key, value.rewritten(raw, fill, r.memberRules(beside, key))})
	}
	if fill != nil && r.obj != nil {
		members = append(members, r.obj.defaults(present, fill)...)
	}
	if fill != nil {
		slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.key, b.key) })
	}
	return appendMembers(dst, members)
}

// rewritten is rewrite for the text of a member; a nil rule accepts anything.
func (r *rule) rewritten(raw []byte, fill filler, beside []*rule) []byte {
	if r == nil {
		r = anything
	}
	c := scan.NewCursor(raw)
	return r.rewrite(nil, &c, fill, beside)
}

func (r *rule) isStruct() bool {
	base := r.base()
	return base != nil && base.Kind == codec.Struct
}

func (o *objectRule) defaults(present map[string]bool, fill filler) []member {
	var out []member
	for i := range o.props {
		p := &o.props[i]
		if p.def == nil || present[p.name] {
			continue
		}
		if value := fill(p); value != nil {
			out = append(out, member{p.name, value})
		}
	}
	return out
}

func appendMembers(dst []byte, members []member) []byte {
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(scan.AppendQuote(dst, m.key), ':')
		dst = append(dst, m.value...)
	}
	return append(dst, '}')
}
