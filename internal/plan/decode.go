package plan

import (
	"encoding/json"
	"reflect"
	"strconv"
	"unicode/utf8"

	"github.com/jig-go/jig/internal/canon"
	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/decimal"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// A run is one pass over one value.
type run struct {
	cur    scan.Cursor
	schema *tree.Node // for messages; may be nil
	typos  bool       // refuse unknown members of structs that are near to a declared one
	path   []step
	// quiet counts the enclosing values that the general validator has judged.
	quiet    int
	problems []Problem
	total    int
	dropped  []string
}

// A step is one level of the place being read: a member if index is negative, else an item.
type step struct {
	name  string
	index int
}

func (d *run) pointer() string {
	out := ""
	for _, s := range d.path {
		if s.index >= 0 {
			out += "/" + strconv.Itoa(s.index)
		} else {
			out += "/" + tree.Escape(s.name)
		}
	}
	return out
}

func (d *run) result() Result {
	sortProblems(d.problems)
	return Result{Problems: d.problems, Total: d.total, Dropped: d.dropped}
}

// problem records what the schema says against the value at the current place.
func (d *run) problem(keyword, message string) {
	if d.quiet == 0 {
		d.problemAt(d.pointer(), keyword, message)
	}
}

func (d *run) problemAt(pointer, keyword, message string) {
	if d.total++; len(d.problems) < maxProblems {
		d.problems = append(d.problems, Problem{pointer, keyword, message})
	}
}

// value reads the next value by the rule r and fills v, which may be the zero Value.
func (d *run) value(r *rule, v reflect.Value) {
	kind := d.cur.Kind()
	switch {
	case r.orNull != nil && kind == scan.Null:
		d.cur.Null()
		setNull(v)
		return
	case r.orNull != nil:
		d.value(r.orNull, v)
		return
	case r.never:
		d.cur.Skip()
		d.problem("false", "nothing is allowed here")
		return
	}
	if r.general != nil {
		d.judge(r)
		d.quiet++
		defer func() { d.quiet-- }()
	}
	if !r.kinds.has(kind) {
		d.problem("type", mismatch(r, d.cur.Skip()))
		return
	}
	typ := r.typ
	if v.IsValid() && typ.Kind == codec.Pointer && kind != scan.Null {
		v, typ = allocate(v, typ)
	}
	if v.IsValid() && whole(typ) {
		d.whole(r, typ, v)
		return
	}
	switch kind {
	case scan.Null:
		d.constant(r, d.cur.Skip())
		setNull(v)
	case scan.Bool:
		d.boolean(r, typ, v)
	case scan.Number:
		d.number(r, typ, v)
	case scan.String:
		d.text(r, typ, v)
	case scan.Array:
		d.array(r, typ, v)
	case scan.Object:
		d.object(r, typ, v)
	}
}

// allocate follows pointers to the value that is filled.
func allocate(v reflect.Value, t *codec.Type) (reflect.Value, *codec.Type) {
	for t.Kind == codec.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v, t = v.Elem(), t.Elem
	}
	return v, t
}

func setNull(v reflect.Value) {
	switch {
	case !v.IsValid():
	case v.Type() == reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte("null"))
	default:
		v.SetZero()
	}
}

// judge lets the general validator decide about the next value, without reading past it.
func (d *run) judge(r *rule) {
	if d.quiet > 0 {
		return
	}
	ahead := d.cur
	raw := ahead.Skip()
	for _, f := range r.general.Problems(r.withoutNulls(raw)) {
		d.findings(f, raw)
	}
}

// whole checks the next value and sets v, an any, a map of any or a json.RawMessage, from its text.
func (d *run) whole(r *rule, t *codec.Type, v reflect.Value) {
	start, before := d.cur, d.total
	if r.open {
		d.cur.Skip()
	} else {
		d.value(r, reflect.Value{})
	}
	if d.total > before {
		return
	}
	raw := start.Skip()
	if !r.open {
		raw = r.canonical(nil, raw)
	}
	switch t.Kind {
	case codec.Raw:
		v.SetBytes(append([]byte(nil), raw...))
	default:
		c := scan.NewCursor(raw)
		if value := codec.AnyValue(&c); value == nil {
			v.SetZero()
		} else {
			v.Set(reflect.ValueOf(value).Convert(v.Type()))
		}
	}
}

// unfit records a value that the schema accepts and the Go type cannot hold.
func (d *run) unfit(r *rule, raw []byte) {
	if d.total == 0 {
		d.problemAt(d.pointer(), "type", mismatch(r, raw))
	}
}

// constant checks enum and const of a value that is no string.
func (d *run) constant(r *rule, raw []byte) bool {
	if r.enum == nil || r.enum.has(raw) {
		return true
	}
	d.problem(r.enum.keyword, notAmong(r.enum, raw))
	return false
}

func (d *run) boolean(r *rule, t *codec.Type, v reflect.Value) {
	raw := d.cur.Skip()
	if !d.constant(r, raw) || !v.IsValid() {
		return
	}
	if t.Kind != codec.Bool {
		d.unfit(r, raw)
		return
	}
	v.SetBool(raw[0] == 't')
}

func (d *run) number(r *rule, t *codec.Type, v reflect.Value) {
	raw := d.cur.Number()
	if r.kinds&integral != 0 && !isInteger(raw) {
		d.problem("type", mismatch(r, raw))
		return
	}
	if !d.constant(r, raw) {
		return
	}
	if r.num != nil {
		d.bounds(r.num, raw)
	}
	if v.IsValid() && !t.FillNumber(v, raw) {
		d.unfit(r, raw)
	}
}

func isInteger(number []byte) bool {
	if _, ok := decimal.ParseInt64(number); ok {
		return true
	}
	n, ok := decimal.Parse(number)
	return ok && n.IsInt()
}

func (d *run) bounds(r *numberRule, raw []byte) {
	if i, ok := decimal.ParseInt64(raw); ok && r.simple {
		if i >= r.low && i <= r.high {
			return
		}
	}
	n, _ := decimal.Parse(raw)
	if r.min != nil && n.Cmp(*r.min) < 0 {
		d.problem("minimum", outside(raw, "at least", r.min))
	}
	if r.above != nil && n.Cmp(*r.above) <= 0 {
		d.problem("exclusiveMinimum", outside(raw, "more than", r.above))
	}
	if r.max != nil && n.Cmp(*r.max) > 0 {
		d.problem("maximum", outside(raw, "at most", r.max))
	}
	if r.below != nil && n.Cmp(*r.below) >= 0 {
		d.problem("exclusiveMaximum", outside(raw, "less than", r.below))
	}
	if r.multiple != nil && !n.MultipleOf(*r.multiple) {
		d.problem("multipleOf", outside(raw, "a multiple of", r.multiple))
	}
}

func (d *run) text(r *rule, t *codec.Type, v reflect.Value) {
	ahead := d.cur
	raw := ahead.RawString()
	b := d.cur.Bytes()
	if r.enum != nil && !r.enum.texts[string(b)] {
		d.problem(r.enum.keyword, notAmong(r.enum, raw))
		return
	}
	checked := false
	if r.str != nil {
		before := d.total
		checked = v.IsValid() && r.str.text != nil
		d.characters(r.str, b, raw, checked)
		if d.total > before {
			return
		}
	}
	if !v.IsValid() {
		return
	}
	if !t.FillString(v, string(b)) {
		if checked && d.quiet == 0 {
			d.problem("format", unreadable(raw, t.Want()))
		} else {
			d.unfit(r, raw)
		}
	}
}

// characters checks a string. What filling the Go type will show is left out.
func (d *run) characters(r *stringRule, b, raw []byte, filled bool) {
	if r.min >= 0 || r.max >= 0 {
		n := utf8.RuneCount(b)
		if n < r.min {
			d.problem("minLength", counted(raw, n, "character", "at least", r.min))
		}
		if r.max >= 0 && n > r.max {
			d.problem("maxLength", counted(raw, n, "character", "at most", r.max))
		}
	}
	if r.pattern != nil && !r.pattern.Match(b) {
		d.problem("pattern", unmatched(raw, r.pattern.String()))
	}
	if r.format != nil && !r.format(string(b)) {
		d.problem("format", unreadable(raw, formatWant(r.name)))
	}
	if r.text != nil && !filled && !r.text(string(b)) {
		d.problem("format", unreadable(raw, formatWant(r.name)))
	}
}

func (d *run) array(r *rule, t *codec.Type, v reflect.Value) {
	ahead := d.cur
	raw := ahead.Skip()
	if !d.constant(r, raw) {
		d.cur = ahead
		return
	}
	if v.IsValid() && t.Kind != codec.Slice && t.Kind != codec.Array {
		d.cur = ahead
		d.unfit(r, raw)
		return
	}
	n := d.items(r.arr, v)
	if r.arr != nil {
		d.sizes(r.arr, raw, n)
	}
}

// items reads the items of an array and returns how many there were.
func (d *run) items(a *arrayRule, v reflect.Value) int {
	slice := v.IsValid() && v.Kind() == reflect.Slice
	if slice {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
	n := 0
	d.path = append(d.path, step{})
	for more := d.cur.Enter(); more; more = d.cur.More() {
		d.path[len(d.path)-1].index = n
		item := reflect.Value{}
		switch {
		case slice:
			v.Grow(1)
			v.SetLen(n + 1)
			item = v.Index(n)
			item.SetZero()
		case v.IsValid() && n < v.Len():
			item = v.Index(n)
		}
		if a == nil || a.items == nil {
			d.cur.Skip()
		} else {
			d.value(a.items, item)
		}
		n++
	}
	d.path = d.path[:len(d.path)-1]
	return n
}

func (d *run) sizes(a *arrayRule, raw []byte, n int) {
	if n < a.min {
		d.problem("minItems", counted(nil, n, "item", "at least", a.min))
	}
	if a.max >= 0 && n > a.max {
		d.problem("maxItems", counted(nil, n, "item", "at most", a.max))
	}
	if !a.unique {
		return
	}
	seen := map[string]int{}
	c := scan.NewCursor(raw)
	for i, more := 0, c.Enter(); more; i, more = i+1, c.More() {
		key := string(canon.Append(nil, c.Skip()))
		if first, ok := seen[key]; ok {
			d.problem("uniqueItems", equalItems(first, i))
			return
		}
		seen[key] = i
	}
}
