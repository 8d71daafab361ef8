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
	return r.rewrite(dst, &c, true)
}

// withoutNulls returns the value without the members whose null means absent, else as written.
func (r *rule) withoutNulls(raw []byte) []byte {
	if !bytes.Contains(raw, []byte("null")) {
		return raw
	}
	c := scan.NewCursor(raw)
	return r.rewrite(nil, &c, false)
}

// rewrite writes the next value in canonical form or, if full is false, only without such nulls.
func (r *rule) rewrite(dst []byte, c *scan.Cursor, full bool) []byte {
	for r.orNull != nil {
		r = r.orNull
	}
	switch kind := c.Kind(); {
	case r.never: // nothing below is known, and the value is refused anyhow
		return append(dst, c.Skip()...)
	case kind == scan.Object && !r.open:
		return r.rewriteObject(dst, c, full)
	case kind == scan.Array && r.arr != nil:
		dst = append(dst, '[')
		for i, more := 0, c.Enter(); more; i, more = i+1, c.More() {
			if i > 0 {
				dst = append(dst, ',')
			}
			item := r.arr.item(i)
			if item == nil {
				item = anything
			}
			dst = item.rewrite(dst, c, full)
		}
		return append(dst, ']')
	case full:
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

func (r *rule) rewriteObject(dst []byte, c *scan.Cursor, full bool) []byte {
	var members []member
	present := map[string]bool{}
	for more := c.Enter(); more; more = c.More() {
		key := string(c.Key())
		i, declared := r.obj.index[key]
		value := r.obj.extra
		if declared {
			p := &r.obj.props[i]
			value = p.rule
			if p.nullAbsent && c.Kind() == scan.Null {
				c.Null()
				continue
			}
		}
		raw := c.Skip()
		if !declared && full && r.isStruct() {
			continue
		}
		present[key] = true
		members = append(members, member{key, value.rewritten(raw, full)})
	}
	if full {
		members = append(members, r.obj.defaults(present)...)
		slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.key, b.key) })
	}
	return appendMembers(dst, members)
}

// rewritten is rewrite for the text of a member; a nil rule accepts anything.
func (r *rule) rewritten(raw []byte, full bool) []byte {
	if r == nil {
		r = anything
	}
	c := scan.NewCursor(raw)
	return r.rewrite(nil, &c, full)
}

func (r *rule) isStruct() bool {
	base := r.base()
	return base != nil && base.Kind == codec.Struct
}

func (o *objectRule) defaults(present map[string]bool) []member {
	var out []member
	for i := range o.props {
		if p := &o.props[i]; p.def != nil && !present[p.name] {
			out = append(out, member{p.name, p.rule.canonical(nil, p.def)})
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
