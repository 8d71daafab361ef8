package plan

import (
	"math"
	"reflect"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/scan"
)

// Quick is scan.Check and Decode in one pass, for text that is JSON: it fills v, checks the grammar, the
// limits and the schema as it goes, and returns what Decode would find in it, nil for nothing. Where it cannot
// say that, it reports false and leaves v zero: whoever asks reads the text by Check and Decode. A method of the
// author's types may panic, before it is known whether the text is in order. text is the copy of data that
// strings in v are parts of, or "" where none was made.
// Requirement: v is settable, zero, and of the plan's Go type.
func (p *Plan) Quick(
	data []byte, l scan.Limits, v reflect.Value,
) (found *Findings, text string, ok bool) {
	if p.quick == nil || len(data) > min(l.Bytes, math.MaxInt32) {
		return nil, "", false
	}
	q := quick{plan: p, data: data, depth: l.Depth}
	end, ok := q.value(p.quick, scan.Space(data, 0), l.Depth, v)
	if !ok || scan.Space(data, end) != len(data) {
		q.giveUp(v)
		return nil, q.copied, false
	}
	if q.rules != nil {
		found = q.rules.finished()
	}
	return found, q.copied, true
}

// giveUp ends the run, if there is one, and leaves v zero.
func (q *quick) giveUp(v reflect.Value) {
	if q.rules != nil {
		q.rules.free()
	}
	v.SetZero()
}

// A quick is one pass over text that nobody has checked. Its methods read a value at an offset and
// return the offset after it, and false where the text has to be read again.
type quick struct {
	plan  *Plan
	data  []byte
	depth int  // how deep the text may be nested
	rules *run // of the rules, which had to read something; nil: nothing yet
	// copied is data, if that is short and has strings: they are parts of it.
	copied string
	// unknown are the undeclared members of the objects that are being read.
	unknown []string
	// trail is the way to the current place, one number for each level: of the member of a struct, of the
	// item, or the offset of the key in a map.
	trail [maxTrail]int32
}

// maxTrail is the number of levels below which Quick leaves text to Decode where a rule has to read it.
const maxTrail = 16

// A reader is what a rule and its Go type come to where both are of the common kinds.
type reader struct {
	rule     *rule
	op       op
	typ      *codec.Type // below pointers; nil where op is byRule
	pointers bool        // typ stands behind pointers
	null     bool        // null is accepted
	num      *numberReader
	str      *stringRule
	enum     *enumRule // of strings; nil: any string
	date     bool      // the format is that of typ, a time
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
		return q.null(r, p, depth, v)
	}
	if r.pointers {
		v, _ = allocate(v, r.rule.some().typ)
	}
	switch r.op {
	case readBool:
		return q.boolean(r, p, depth, v)
	case readInteger:
		return q.integer(r, p, depth, v)
	case readFloat:
		return q.float(r, p, depth, v)
	case readText:
		return q.text(r, p, depth, v)
	case readSlice:
		return q.slice(r, p, depth, v)
	case readMap:
		return q.table(r, p, depth, v)
	default:
		return q.object(r, p, depth, v)
	}
}

// byRule reads a value as Decode does, which says what is wrong with it.
func (q *quick) byRule(r *reader, p, depth int, v reflect.Value) (int, bool) {
	// Text that is no object is not for the schema to judge. Behind pointers v is what the last one points
	// to, and the rule starts at the first.
	if depth == q.depth || r.pointers && r.op != byRule {
		return p, false
	}
	end, ok := scan.ValueAt(q.data, p, depth)
	if !ok {
		return p, false
	}
	d := q.here(q.level(depth))
	if d == nil {
		return p, false
	}
	d.cur = scan.NewCursor(q.data[p:end:end])
	d.value(r.rule, v)
	return end, true
}

// explain says what is wrong with a string or a number that ends at end.
func (q *quick) explain(r *reader, p, end, depth int, v reflect.Value) (int, bool) {
	d := q.here(q.level(depth))
	if d == nil {
		return p, false
	}
	raw := q.data[p:end:end]
	if rule := r.rule.some(); r.op == readText {
		d.textOf(rule, r.typ, v, raw)
	} else {
		d.numberOf(rule, r.typ, v, raw)
	}
	return end, true
}

// level returns how many arrays and objects are around a value that may be nested depth levels deep.
func (q *quick) level(depth int) int { return q.depth - depth }

// here returns the run of the rules, at the current place, so many levels deep; nil: that is too deep.
func (q *quick) here(levels int) *run {
	if levels > maxTrail {
		return nil
	}
	if q.rules == nil {
		q.rules = q.plan.start(true)
	}
	q.rules.moveTo(q, levels)
	return q.rules
}

// moveTo sets the path to where q is. Steps that led to the place before as well stay as they are: a name in
// one may be long.
func (d *run) moveTo(q *quick, levels int) {
	d.path = d.path[:levels]
	r, same := q.plan.quick, true
	for i, at := range q.trail[:levels] {
		n := int(at)
		if same = same && i < len(d.trail) && d.trail[i] == at; !same {
			d.path[i] = d.stepOf(q, r, n)
		}
		if r.op == readStruct {
			r = r.obj.members[n].reader
		} else {
			r = r.item
		}
	}
	d.trail = append(d.trail[:0], q.trail[:levels]...)
}

// stepOf returns the step that the number n of a trail is for the values of r.
func (d *run) stepOf(q *quick, r *reader, n int) step {
	switch r.op {
	case readStruct:
		return step{r.rule.some().obj.props[n].name, -1}
	case readMap:
		d.strange = true
		end, _, _ := scan.StringAt(q.data, n)
		return step{string(q.data[n+1 : end-1]), -1}
	}
	return step{index: n}
}

// step notes the way to what is read next, at a level.
func (q *quick) step(level, n int) {
	if uint(level) < maxTrail {
		q.trail[level] = int32(n)
	}
}

func (q *quick) null(r *reader, p, depth int, v reflect.Value) (int, bool) {
	if !r.null || !q.literal(p, "null") {
		return q.byRule(r, p, depth, v)
	}
	setNull(v)
	return p + len("null"), true
}

func (q *quick) literal(p int, want string) bool {
	return len(q.data)-p >= len(want) && string(q.data[p:p+len(want)]) == want
}

func (q *quick) boolean(r *reader, p, depth int, v reflect.Value) (int, bool) {
	switch {
	case q.literal(p, "true"):
		v.SetBool(true)
		return p + len("true"), true
	case q.literal(p, "false"):
		v.SetBool(false)
		return p + len("false"), true
	}
	return q.byRule(r, p, depth, v)
}

// text reads a string.
func (q *quick) text(r *reader, p, depth int, v reflect.Value) (int, bool) {
	if q.data[p] != '"' {
		return q.byRule(r, p, depth, v)
	}
	end, form, ok := scan.StringAt(q.data, p)
	if !ok {
		return p, false
	}
	body := q.data[p+1 : end-1]
	if form == scan.Escaped {
		body = scan.Unquote(q.data[p:end])
	}
	switch {
	case r.str != nil && !r.allows(r.str, body, form):
	case r.enum != nil:
		if s, ok := r.enum.text(body); ok { // it needs no copy
			v.SetString(s)
			return end, true
		}
	case r.typ.Kind == codec.String && form != scan.Escaped && len(q.data) <= maxShared:
		v.SetString(q.share()[p+1 : end-1])
		return end, true
	case r.typ.FillBytes(v, body):
		return end, true
	}
	return q.explain(r, p, end, depth, v)
}

// maxShared is the length up to which text is copied once, with all its strings. What a tool keeps of longer
// text would keep too much with it.
const maxShared = 64

// share returns data as a string, for parts of it.
func (q *quick) share() string {
	if q.copied == "" {
		q.copied = string(q.data)
	}
	return q.copied
}

// allows checks a string as run.textOf does.
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
