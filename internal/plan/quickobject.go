package plan

import (
	"reflect"
	"slices"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/scan"
)

// An objectReader reads the members of a struct.
type objectReader struct {
	members  []memberReader
	index    map[string]int // by name, into members
	required int            // how many members are required
	defaults []int          // members that have one
}

// A memberReader is one declared member.
type memberReader struct {
	*reader
	key        string // the name in quotes with a colon, as it is mostly written; "": no such form
	required   bool
	nullAbsent bool
	index      []int // of the field
	def        []byte
}

// maxMembers bounds the members that a memberSet can hold.
const maxMembers = 256

// A memberSet has a bit for each member.
type memberSet [maxMembers / 64]uint64

func (s *memberSet) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

// add adds a member, and reports whether it was not there.
func (s *memberSet) add(i int) bool {
	word, bit := &s[uint(i)/64%uint(len(s))], uint64(1)<<(uint(i)%64)
	had := *word & bit
	*word |= bit
	return had == 0
}

// An unfinished is what is known of an object before its end.
type unfinished struct {
	seen, nulls    memberSet // nulls: those seen whose null means absent
	count, missing int       // how many members there are, and how many required ones are still to come
	unknown        int       // how many of quick.unknown are its members
}

// has reports whether a member is there. One whose null means absent is not.
func (in *unfinished) has(i int) bool { return in.seen.has(i) && !in.nulls.has(i) }

// object reads a struct.
func (q *quick) object(r *reader, p, depth int, v reflect.Value) (int, bool) {
	data := q.data
	if data[p] != '{' {
		return q.byRule(r, p, depth, v)
	}
	level := q.level(depth)
	if depth--; depth < 0 {
		return p, false
	}
	o := r.obj
	in := unfinished{missing: o.required}
	count := 0
	p = scan.Space(data, p+1)
	if p < len(data) && data[p] == '}' {
		return p + 1, q.finish(r, &in, level, v)
	}
	for next := 0; ; {
		i, at := q.key(o, p, next)
		ok := false
		switch {
		case i < 0:
			count++
			p, ok = q.undeclared(r, &in, p, depth)
		case in.seen.add(i):
			// Members mostly come in the order in which they are declared.
			next = i + 1
			q.step(level, i)
			m := &o.members[i]
			if m.required {
				in.missing--
			}
			if p = scan.Space(data, at); m.nullAbsent && q.literal(p, "null") {
				in.nulls.add(i)
				p, ok = p+len("null"), true
			} else {
				count++
				p, ok = q.value(m.reader, p, depth, m.at(v))
			}
		}
		if !ok {
			return p, false
		}
		if p = scan.Space(data, p); p == len(data) {
			return p, false
		}
		switch data[p] {
		case ',':
			p = scan.Space(data, p+1)
		case '}':
			in.count = count
			return p + 1, q.finish(r, &in, level, v)
		default:
			return p, false
		}
	}
}

// key reads a key and its colon. It returns the number of the member, or -1 for one that is not
// declared, and the offset after the colon. guess is the likely number.
func (q *quick) key(o *objectReader, p, guess int) (i, after int) {
	if guess < len(o.members) {
		if key := o.members[guess].key; key != "" && q.literal(p, key) {
			return guess, p + len(key)
		}
	}
	name, after, ok := q.name(p)
	if !ok {
		return -1, p
	}
	if i, ok = o.index[string(name)]; !ok {
		return -1, p
	}
	return i, after
}

// name reads a key without escapes and its colon. It returns the name, and the offset after the colon.
func (q *quick) name(p int) (name []byte, after int, ok bool) {
	data := q.data
	if p >= len(data) || data[p] != '"' {
		return nil, p, false
	}
	end, form, ok := scan.StringAt(data, p)
	if !ok || form == scan.Escaped {
		return nil, p, false
	}
	name = data[p+1 : end-1]
	end = scan.Space(data, end)
	return name, end + 1, end < len(data) && data[end] == ':'
}

// maxUnknown bounds the undeclared members of an object, which are compared one by one.
const maxUnknown = 16

// undeclared reads a member that is not declared. What is to be said of it is known at the end of the
// object.
func (q *quick) undeclared(r *reader, in *unfinished, p, depth int) (int, bool) {
	name, after, ok := q.name(p)
	own := q.unknown[len(q.unknown)-in.unknown:]
	if !ok || r.rule.some().obj.extra != nil || len(own) == maxUnknown || slices.Contains(own, string(name)) {
		return p, false
	}
	q.unknown = append(q.unknown, string(name))
	in.unknown++
	return scan.ValueAt(q.data, scan.Space(q.data, after), depth)
}

// finish checks what only the whole object shows, and fills the defaults of absent members.
func (q *quick) finish(r *reader, in *unfinished, level int, v reflect.Value) bool {
	if in.missing > 0 || in.unknown > 0 || !r.holds(in.count) {
		return q.finishByRule(r, in, level, v)
	}
	if r.obj == nil { // a map
		return true
	}
	for _, i := range r.obj.defaults {
		if m := &r.obj.members[i]; !in.has(i) && q.plan.runRule(m.rule, m.def, m.at(v), true).Total > 0 {
			return false
		}
	}
	return true
}

// finishByRule is finish as Decode does it, for an object that lacks something or has too much.
func (q *quick) finishByRule(r *reader, in *unfinished, level int, v reflect.Value) bool {
	d := q.here(level)
	if d == nil {
		return false
	}
	d.strange = d.strange || in.unknown > 0
	rest := len(q.unknown) - in.unknown
	m := members{run: d, rule: r.rule.some().obj, typ: r.typ, v: v, count: in.count}
	if m.rule.closed {
		m.unknown = q.unknown[rest:]
	} else {
		m.loose = q.unknown[rest:]
	}
	for i := range m.rule.props {
		d.seen = append(d.seen, in.has(i))
	}
	m.seen = d.seen
	m.finish()
	q.unknown, d.seen = q.unknown[:rest], d.seen[:0]
	return true
}

// table reads a map.
func (q *quick) table(r *reader, p, depth int, v reflect.Value) (int, bool) {
	data := q.data
	if data[p] != '{' {
		return q.byRule(r, p, depth, v)
	}
	level := q.level(depth)
	if depth--; depth < 0 {
		return p, false
	}
	v.Set(reflect.MakeMap(v.Type()))
	e := newEntries(r, v)
	p = scan.Space(data, p+1)
	for count := 0; ; count++ {
		if count == 0 && p < len(data) && data[p] == '}' {
			return p + 1, q.finish(r, &unfinished{}, level, v)
		}
		name, after, ok := q.name(p)
		if !ok {
			return p, false
		}
		q.step(level, p)
		if p, ok = q.value(r.item, scan.Space(data, after), depth, e.fresh()); !ok || !e.add(string(name)) {
			return p, false
		}
		if p = scan.Space(data, p); p == len(data) {
			return p, false
		}
		switch data[p] {
		case ',':
			p = scan.Space(data, p+1)
		case '}':
			return p + 1, q.finish(r, &unfinished{count: count + 1}, level, v)
		default:
			return p, false
		}
	}
}

// holds reports whether an array or object may be so large.
func (r *reader) holds(count int) bool { return count >= r.min && (r.max < 0 || count <= r.max) }

// entries puts what was read into a map.
type entries struct {
	typ       *codec.Type
	into      reflect.Value
	key, elem reflect.Value // reused: a map holds copies
}

func newEntries(r *reader, v reflect.Value) entries {
	t := v.Type()
	return entries{typ: r.typ, into: v, key: reflect.New(t.Key()).Elem(),
		elem: reflect.New(t.Elem()).Elem()}
}

// fresh returns a place for the next value.
func (e *entries) fresh() reflect.Value {
	e.elem.SetZero()
	return e.elem
}

// add puts the value under a name, which has to be new, as text and in Go.
func (e *entries) add(name string) bool {
	e.key.SetZero()
	if !e.typ.Key.FillKey(e.key, name) || e.into.MapIndex(e.key).IsValid() {
		return false
	}
	e.into.SetMapIndex(e.key, e.elem)
	return true
}

// slice reads a slice.
func (q *quick) slice(r *reader, p, depth int, v reflect.Value) (int, bool) {
	data := q.data
	if data[p] != '[' {
		return q.byRule(r, p, depth, v)
	}
	level := q.level(depth)
	if depth--; depth < 0 {
		return p, false
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	start := p
	p = scan.Space(data, p+1)
	if p < len(data) && data[p] == ']' {
		return p + 1, r.holds(0) || q.missized(r, start, p+1, level, 0)
	}
	for n := 0; ; {
		if n == 0 || q.rules == nil || q.rules.total == 0 { // else all share the last place: nobody reads them
			if n == v.Cap() {
				v.Grow(growth(n, p-start, len(data)-p))
			}
			v.SetLen(n + 1)
		}
		item := v.Index(v.Len() - 1)
		item.SetZero()
		q.step(level, n)
		var ok bool
		if p, ok = q.value(r.item, p, depth, item); !ok {
			return p, false
		}
		n++
		if p = scan.Space(data, p); p == len(data) {
			return p, false
		}
		switch data[p] {
		case ',':
			p = scan.Space(data, p+1)
		case ']':
			return p + 1, r.holds(n) || q.missized(r, start, p+1, level, n)
		default:
			return p, false
		}
	}
}

// missized says what is wrong with the size of an array.
func (q *quick) missized(r *reader, start, end, level, n int) bool {
	d := q.here(level)
	if d != nil {
		d.sizes(r.rule.some().arr, scan.NewCursor(q.data[start:end:end]), n)
	}
	return d != nil
}

// growth returns for how many more items to make room, after n items in so many bytes: for what
// the rest of the text may hold at that rate, and at most eight times what there is, so that a text
// whose first item is short costs no more than it is long.
func growth(n, read, left int) int {
	if n == 0 {
		return 1
	}
	return int(max(1, min(int64(left)*int64(n)/int64(read)+1, 7*int64(n))))
}
