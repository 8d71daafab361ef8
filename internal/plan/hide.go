package plan

import (
	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/scan"
)

// Hide appends a value with Redacted in the place of each member that is marked as secret, by the
// schema or by the type t. Paths are not looked at. Requirement: checked passed scan.Check.
func (p *Plan) Hide(dst, checked []byte, t *codec.Type) []byte {
	c := scan.NewCursor(checked)
	return p.root.hide(dst, &c, t)
}

// hide writes the next value; the rule, the type or both may be nil, where nothing is known.
func (r *rule) hide(dst []byte, c *scan.Cursor, t *codec.Type) []byte {
	if t != nil {
		t, _ = t.Base()
	}
	switch kind := c.Kind(); {
	case kind == scan.Object:
		return r.hideMembers(dst, c, t)
	case kind == scan.Array:
		dst = append(dst, '[')
		for i, more := 0, c.Enter(); more; i, more = i+1, c.More() {
			if i > 0 {
				dst = append(dst, ',')
			}
			child, _ := r.child(step{index: i})
			dst = child.hide(dst, c, elem(t))
		}
		return append(dst, ']')
	}
	return append(dst, c.Skip()...)
}

func (r *rule) hideMembers(dst []byte, c *scan.Cursor, t *codec.Type) []byte {
	dst = append(dst, '{')
	for first, more := true, c.Enter(); more; first, more = false, c.More() {
		if !first {
			dst = append(dst, ',')
		}
		key := string(c.Key())
		dst = append(scan.AppendQuote(dst, key), ':')
		child, secret := r.child(step{name: key, index: -1})
		inner := elem(t)
		if t != nil && t.Kind == codec.Struct {
			inner = nil
			if f := t.Field(key); f != nil {
				inner, secret = f.Type, secret || f.Redact
			}
		}
		if secret {
			c.Skip()
			dst = scan.AppendQuote(dst, Redacted)
			continue
		}
		dst = child.hide(dst, c, inner)
	}
	return append(dst, '}')
}

func elem(t *codec.Type) *codec.Type {
	if t == nil {
		return nil
	}
	return t.Elem
}
