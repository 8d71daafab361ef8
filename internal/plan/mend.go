package plan

import (
	"bytes"
	"strings"

	"github.com/jig-go/jig/internal/repair"
	"github.com/jig-go/jig/internal/scan"
)

// A Mend is one value that Mend put right.
type Mend struct {
	Pointer string // of the value, in the mended text
	Kind    string
	// Before and After are the value's JSON text, shortened, or Redacted.
	Before, After string
}

// The kinds of mends.
const (
	NumberText       = "number_text"       // the text of a number for a number
	BooleanText      = "boolean_text"      // the text of a boolean for a boolean
	JSONText         = "json_text"         // JSON text for an array or an object
	EncodedArguments = "encoded_arguments" // JSON text for the whole value
	SingleItem       = "single_item"       // a scalar for an array with that item
)

// Mend changes values whose kind the schema refuses into what they stand for, and returns the text
// with the changes made. Without any it returns checked itself. Each change loses nothing:
//
//   - the text of a number for a number, digit by digit, and of a boolean for a boolean;
//   - JSON text for an array or an object, and blank text for the arguments as a whole;
//   - a scalar for an array that takes it as an item and holds one at most; if lenient is set, for
//     any array that takes it. A string that starts like an array or object is no scalar.
//
// A place where the schema takes a string is left alone, and so is what the general validator alone
// knows. Mend is for values that the plan refuses. It does not say whether the result is better:
// the caller checks it again in full, limits of size and depth included.
func (p *Plan) Mend(checked []byte, lenient bool) (mended []byte, mends []Mend) {
	m := mender{plan: p, lenient: lenient}
	mended = m.value(nil, p.root, checked)
	if len(m.mends) == 0 {
		return checked, nil
	}
	return mended, m.mends
}

type mender struct {
	plan    *Plan
	lenient bool
	path    []step
	mends   []Mend
}

// value appends the value raw, at a place with the rule r, mended.
func (m *mender) value(dst []byte, r *rule, raw []byte) []byte {
	kind := kindOf(raw)
	for r != nil && r.orNull != nil && kind != scan.Null {
		r = r.orNull
	}
	switch {
	case r == nil || r.never || r.open || r.orNull != nil:
		return append(dst, raw...)
	case r.kinds.has(kind):
		return m.inside(dst, r, raw)
	}
	mended, name := m.replace(r, kind, raw)
	if mended == nil {
		return append(dst, raw...)
	}
	i, start := len(m.mends), len(dst)
	secrets := m.plan.secrets
	hidden := secrets.hides(m.path)
	m.mends = append(m.mends, Mend{Pointer: pointerTo(secrets.nameless(m.path)), Kind: name,
		Before: sample{raw, hidden}.text()})
	dst = m.inside(dst, r, mended)
	m.mends[i].After = sample{dst[start:], hidden}.text()
	return dst
}

func kindOf(raw []byte) scan.Kind {
	c := scan.NewCursor(raw)
	return c.Kind()
}

// replace returns what a value of a refused kind stands for, and the kind of the mend, or nil.
func (m *mender) replace(r *rule, kind scan.Kind, raw []byte) (mended []byte, name string) {
	if kind == scan.String {
		s := string(scan.Unquote(raw))
		if mended, name = m.unquoted(r, s); mended != nil {
			return mended, name
		}
		if startsJSON(s) {
			return nil, ""
		}
	}
	scalar := kind == scan.Bool || kind == scan.Number || kind == scan.String
	single := m.lenient || r.arr != nil && r.arr.max == 1
	if scalar && single && r.kinds.has(scan.Array) {
		if item := r.arr.item(0); item == nil || item.check(raw).Total == 0 {
			return append(append([]byte{'['}, raw...), ']'), SingleItem
		}
	}
	return nil, ""
}

// startsJSON reports whether a string is meant as an array or an object. One that did not pass as
// such may be cut off, and is no item.
func startsJSON(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && (s[0] == '[' || s[0] == '{')
}

// unquoted returns the value that a string is the text of.
func (m *mender) unquoted(r *rule, s string) (mended []byte, name string) {
	if n, ok := repair.Number(s); ok && r.kinds.has(scan.Number) &&
		(r.kinds&integral == 0 || isInteger(n)) {
		return n, NumberText
	}
	if b, ok := repair.Bool(s); ok && r.kinds.has(scan.Bool) {
		return b, BooleanText
	}
	name = JSONText
	if len(m.path) == 0 {
		name = EncodedArguments
		if len(bytes.TrimSpace([]byte(s))) == 0 && r.kinds.has(scan.Object) {
			return []byte("{}"), name
		}
	}
	for _, kind := range []scan.Kind{scan.Array, scan.Object} {
		if r.kinds.has(kind) {
			if text, ok := repair.Value(s, kind); ok {
				return text, name
			}
		}
	}
	return nil, ""
}

// inside appends the value raw, whose kind the rule takes, with what is inside it mended. All else
// keeps its bytes.
func (m *mender) inside(dst []byte, r *rule, raw []byte) []byte {
	c := scan.NewCursor(raw)
	kind := c.Kind()
	if kind != scan.Object && kind != scan.Array {
		return append(dst, raw...)
	}
	last := 0
	m.path = append(m.path, step{index: -1})
	for i, more := 0, c.Enter(); more; i, more = i+1, c.More() {
		var inner *rule
		if kind == scan.Object {
			key := string(c.Key())
			m.path[len(m.path)-1].name = key
			inner = r.obj.member(key, c.Kind() == scan.Null)
		} else {
			m.path[len(m.path)-1].index = i
			inner = r.arr.item(i)
		}
		c.Kind() // moves to the value
		dst = append(dst, raw[last:c.Offset()]...)
		dst = m.value(dst, inner, c.Skip())
		last = c.Offset()
	}
	m.path = m.path[:len(m.path)-1]
	return append(dst, raw[last:]...)
}

// member returns the rule of a member's value, or nil for one that is not looked at.
func (o *objectRule) member(name string, null bool) *rule {
	if o == nil {
		return nil
	}
	i, declared := o.index[name]
	switch {
	case !declared:
		return o.extra
	case null && o.props[i].nullAbsent:
		return nil
	}
	return o.props[i].rule
}
