package plan

import (
	"reflect"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/scan"
)

// Quick is scan.Check and Decode in one pass, for text in which nothing is to be refused or left out:
// it fills v, checks the grammar, the limits and the schema as it goes, and returns the text of the
// value. Where it meets anything else it reports false and leaves v zero. It never says why: whoever
// asks reads the text again by Check and Decode, which do.
// Requirement: v is settable, zero, and of the plan's Go type.
func (p *Plan) Quick(data []byte, l scan.Limits, v reflect.Value) (checked []byte, ok bool) {
	if p.quick == nil || len(data) > l.Bytes {
		return nil, false
	}
	defer func() {
		// Only methods of the author's types can panic. Decode calls them again.
		if !ok {
			_ = recover()
			checked = nil
			v.SetZero()
		}
	}()
	q := quick{plan: p, data: data}
	start := scan.Space(data, 0)
	end, ok := q.value(p.quick, start, l.Depth, v)
	return data[start:end:end], ok && scan.Space(data, end) == len(data)
}

// A quick is one pass over text that nobody has checked. Its methods read a value at an offset and
// return the offset after it, and false where the text has to be read again.
type quick struct {
	plan *Plan
	data []byte
}

// A reader is what a rule and its Go type come to where both are of the common kinds.
type reader struct {
	rule     *rule
	op       op
	typ      *codec.Type // below pointers; nil where op is byRule
	pointers bool        // typ stands behind pointers
	null     bool        // null is accepted
	num      *numberReader
	str      *stringRule
	enum     []string // nil: any string
	date     bool     // the format is that of typ, a time
	obj      *objectReader
	item     *reader // of the items of an array or the values of a map
	min, max int     // number of items or members; -1: no limit
}

// An op says how a reader reads.
type op uint8

const (
	byRule op = iota // as Decode does, after a check of the text
	readBool
	readInteger
	readFloat
	readText
	readSlice
	readMap
	readStruct
)

// value reads a value that may be nested depth levels deep.
func (q *quick) value(r *reader, p, depth int, v reflect.Value) (int, bool) {
	if r.op == byRule {
		return q.byRule(r, p, depth, v)
	}
	data := q.data
	if p >= len(data) {
		return p, false
	}
	if data[p] == 'n' {
		return q.null(r, p, v)
	}
	if r.pointers {
		v, _ = allocate(v, r.rule.some().typ)
	}
	switch r.op {
	case readBool:
		return q.boolean(p, v)
	case readInteger:
		return q.integer(r, p, depth, v)
	case readFloat:
		return q.float(r, p, depth, v)
	case readText:
		return q.text(r, p, v)
	case readSlice:
		return q.slice(r, p, depth-1, v)
	case readMap:
		return q.table(r, p, depth-1, v)
	default:
		return q.object(r, p, depth-1, v)
	}
}

// byRule reads a value that the quick path knows nothing of.
func (q *quick) byRule(r *reader, p, depth int, v reflect.Value) (int, bool) {
	end, ok := scan.ValueAt(q.data, p, depth)
	if !ok {
		return p, false
	}
	found := q.plan.runRule(r.rule, q.data[p:end:end], v, true)
	return end, found.Total == 0 && len(found.Dropped) == 0
}

func (q *quick) null(r *reader, p int, v reflect.Value) (int, bool) {
	if !r.null || !q.literal(p, "null") {
		return p, false
	}
	setNull(v)
	return p + len("null"), true
}

func (q *quick) literal(p int, want string) bool {
	return len(q.data)-p >= len(want) && string(q.data[p:p+len(want)]) == want
}

func (q *quick) boolean(p int, v reflect.Value) (int, bool) {
	switch {
	case q.literal(p, "true"):
		v.SetBool(true)
		return p + len("true"), true
	case q.literal(p, "false"):
		v.SetBool(false)
		return p + len("false"), true
	}
	return p, false
}

// text reads a string.
func (q *quick) text(r *reader, p int, v reflect.Value) (int, bool) {
	if q.data[p] != '"' {
		return p, false
	}
	end, form, ok := scan.StringAt(q.data, p)
	if !ok {
		return p, false
	}
	body := q.data[p+1 : end-1]
	if form == scan.Escaped {
		body = scan.Unquote(q.data[p:end])
	}
	if r.str != nil && !r.allows(r.str, body, form) {
		return p, false
	}
	if r.enum != nil {
		return end, fillListed(v, r.enum, body)
	}
	return end, r.typ.FillBytes(v, body)
}

// fillListed sets v to the one of the values that is the text, which needs no copy of the text then.
func fillListed(v reflect.Value, list []string, body []byte) bool {
	for _, s := range list {
		if s == string(body) {
			v.SetString(s)
			return true
		}
	}
	return false
}

// allows checks a string as run.text does.
func (r *reader) allows(s *stringRule, body []byte, form scan.Form) bool {
	if s.min >= 0 || s.max >= 0 {
		n := form.Runes(body)
		if n < s.min || s.max >= 0 && n > s.max {
			return false
		}
	}
	switch {
	case s.pattern != nil && !s.pattern.Match(body):
		return false
	case s.format != nil && !(r.date && plainDateTime(body)) && !s.format(string(body)):
		return false
	}
	return s.text == nil || s.text.Type == r.typ.Go || s.text.Valid(string(body))
}

// plainDateTime reports whether a text has the form of RFC 3339 date-times as they are mostly
// written. What else the format asks for is found when a time.Time is filled.
func plainDateTime(b []byte) bool {
	const form = "0000-00-00T00:00:00"
	if len(b) < len(form)+1 {
		return false
	}
	for i := range len(form) {
		if form[i] == '0' {
			if b[i]-'0' > 9 {
				return false
			}
		} else if b[i] != form[i] {
			return false
		}
	}
	return b[len(form)] == 'Z' && len(b) == len(form)+1
}
