package plan

import (
	"encoding/json"
	"reflect"
	"strconv"
	"unicode/utf8"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/decimal"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// A run is one pass over one value.
type run struct {
	cur   scan.Cursor
	plan  *Plan
	typos bool    // refuse unknown members of structs that are near to a declared one
	path  []step  // of room for maxTrail steps at least
	trail []int32 // of a quick pass, of which path is made
	// strange says that path has held a name that no schema declares, which may be long.
	strange bool
	// quiet counts the enclosing values that the general validator has judged.
	quiet int
	found []finding
	// current is being worded: between refuses and because.
	current finding
	words   []byte // of what was found
	total   int
	// closest says that the branch of a union speaks that is closest to the value.
	closest bool
	seen    []bool // of the open objects, one part for each
	// unions and explained count the unions that were explained, and the bytes of their values.
	unions, explained int
	dropped           []string
	compared          int // pairs of names
}

// A step is one level of the place being read: a member if index is negative, else an item.
type step struct {
	name  string
	index int
}

// sample is the value raw, which stands at the current place, for a message.
func (d *run) sample(raw []byte) sample { return sample{raw, d.plan.secrets.hides(d.path)} }

// maxName bounds the bytes of one name in a pointer.
const maxName = 200

func pointerTo(path []step) string {
	var room [64]byte
	return string(appendPointer(room[:0], path))
}

func appendPointer(dst []byte, path []step) []byte {
	for _, s := range path {
		dst = append(dst, '/')
		if s.index >= 0 {
			dst = strconv.AppendInt(dst, int64(s.index), 10)
		} else {
			dst = appendToken(dst, s.name)
		}
	}
	return dst
}

// appendToken appends a name, shortened in the middle, as one reference token of a pointer. Most names
// stand there as they are, but a caller can make up any.
func appendToken(dst []byte, name string) []byte {
	if len(name) > 4<<10 { // what will not be seen need not be looked at
		name = name[:2<<10] + name[len(name)-2<<10:]
	}
	if len(name) > maxName || !isToken(name) {
		return append(dst, clip.Middle(tree.Escape(name), maxName)...)
	}
	return append(dst, name...)
}

// isToken reports whether a name is ASCII and has nothing to escape.
func isToken(name string) bool {
	for i := range len(name) {
		if c := name[i]; c >= utf8.RuneSelf || c == '~' || c == '/' {
			return false
		}
	}
	return true
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
		if d.refuses("false") {
			d.because(sayNothing(d.words))
		}
		return
	}
	if r.general != nil {
		if d.quiet == 0 {
			defer d.judge(r)()
		}
		d.quiet++
		defer func() { d.quiet-- }()
	}
	if !r.kinds.has(kind) {
		d.mistyped(d.cur.Skip(), r.want)
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
	if r.value != nil {
		defer d.readable(r, d.cur, d.total)
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

// setNull sets v to what null stands for. An embedded unexported struct cannot be set as a whole,
// and is zero still.
func setNull(v reflect.Value) {
	switch {
	case !v.CanSet():
	case v.Type() == reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte("null"))
	default:
		v.SetZero()
	}
}

// judge lets the general validator decide about the next value. What is read then is the text that
// it has judged; the function returned goes back to the text around it.
func (d *run) judge(r *rule) (done func()) {
	after := d.cur
	raw := r.withoutNulls(after.Skip())
	d.cur = scan.NewCursor(raw)
	done = func() { d.cur = after }
	if d.total >= maxProblems { // only counted from here on: to find out why takes time
		if !r.general.Valid(raw) {
			d.total++
		}
		return done
	}
	for _, f := range r.general.Problems(raw) {
		if d.total >= maxProblems { // only counted: to word one takes time
			d.total += max(1, len(f.Missing))
			continue
		}
		d.findings(r.general, f, raw, 0)
	}
	return done
}

// readable checks that the Go type reads the value that starts at start, where nothing else was
// found wrong with it.
func (d *run) readable(r *rule, start scan.Cursor, before int) {
	if d.total != before {
		return
	}
	if raw := start.Skip(); !r.value.Valid(r.canonical(nil, raw)) {
		d.unreadable("format", raw, fieldJSON)
	}
}

// whole checks the next value and sets v, an any, a map of any or a json.RawMessage, from its
// canonical form: equal arguments are to fill equal values.
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
	switch t.Kind {
	case codec.Raw:
		v.SetBytes(r.canonical(nil, raw))
		return
	case codec.Custom: // the check by r.value has been made, and fills nothing
		if !t.FillJSON(v, r.canonical(nil, raw)) {
			d.unfit(r, raw)
		}
		return
	}
	c := scan.NewCursor(r.canonical(nil, raw))
	switch value := codec.AnyValue(&c).(type) {
	case nil:
		v.SetZero()
	case map[string]any:
		v.Set(reflect.ValueOf(value).Convert(v.Type()))
	default:
		if t.Kind == codec.Map {
			d.unfit(r, raw)
			return
		}
		v.Set(reflect.ValueOf(value).Convert(v.Type()))
	}
}

// unfit records a value that the schema accepts and the Go type cannot hold, also where the general
// validator judges. What that has refused need not be said twice.
func (d *run) unfit(r *rule, raw []byte) {
	if (d.quiet == 0 || d.total == 0) && d.refusesAt(d.path, "type") {
		d.because(sayType(d.words, d.sample(raw), r.base().Want()))
	}
}

// constant checks enum and const of a value that is no string.
func (d *run) constant(r *rule, raw []byte) bool {
	if r.enum == nil || r.enum.has(raw) {
		return true
	}
	d.unlisted(r.enum, raw)
	return false
}

// unlisted records a value that is not among those of enum or const.
func (d *run) unlisted(e *enumRule, raw []byte) {
	if d.refuses(e.keyword) {
		d.because(sayAmong(d.words, d.sample(raw), e.words()))
	}
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
	d.numberOf(r, t, v, d.cur.Number())
}

// numberOf is number for one that was read.
func (d *run) numberOf(r *rule, t *codec.Type, v reflect.Value, raw []byte) {
	floor, ceil, plain := decimal.Around(raw)
	if r.kinds&integral != 0 && (!plain || floor < ceil) && !isInteger(raw) {
		d.mistyped(raw, r.want)
		return
	}
	if !d.constant(r, raw) {
		return
	}
	before := d.total
	switch {
	case r.num == nil:
	case plain && r.num.simple:
		d.integerBounds(r.num, floor, ceil, raw)
	default:
		d.bounds(r.num, raw)
	}
	if v.IsValid() && d.total == before && !t.FillNumber(v, raw) {
		d.unfit(r, raw)
	}
}

// integerBounds is bounds for a number between two integers and a simple rule: its bounds are low and high.
func (d *run) integerBounds(r *numberRule, floor, ceil int64, raw []byte) {
	if floor < r.low {
		d.beyond(r.min, raw)
	}
	if ceil > r.high {
		d.beyond(r.max, raw)
	}
}

// mistyped records a value of a kind that is not wanted.
func (d *run) mistyped(raw []byte, want string) {
	if d.refuses("type") {
		d.because(sayType(d.words, d.sample(raw), want))
	}
}

// outside records a value whose number or size is not as wanted.
func (d *run) outside(keyword string, raw []byte, want string) {
	if d.refuses(keyword) {
		d.because(sayBound(d.words, d.sample(raw), want))
	}
}

func isInteger(number []byte) bool {
	if _, ok := decimal.ParseInt64(number); ok {
		return true
	}
	n, ok := decimal.Parse(number)
	return ok && n.IsInt()
}

// beyond records that a number does not keep to a bound.
func (d *run) beyond(b *bound, raw []byte) { d.outside(b.keyword, raw, b.want()) }

func (d *run) bounds(r *numberRule, raw []byte) {
	n, _ := decimal.Parse(raw)
	if r.min != nil && n.Cmp(r.min.Number) < 0 {
		d.beyond(r.min, raw)
	}
	if r.above != nil && n.Cmp(r.above.Number) <= 0 {
		d.beyond(r.above, raw)
	}
	if r.max != nil && n.Cmp(r.max.Number) > 0 {
		d.beyond(r.max, raw)
	}
	if r.below != nil && n.Cmp(r.below.Number) >= 0 {
		d.beyond(r.below, raw)
	}
	if r.multiple != nil && !n.MultipleOf(r.multiple.Number) {
		d.beyond(r.multiple, raw)
	}
}
