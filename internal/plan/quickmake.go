package plan

import (
	"reflect"
	"time"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/scan"
)

// newReader makes the reader of a rule and of all that is inside it, or nil where it would only do
// what Decode does. room is for how many readers there is room at first. Requirement: the rules are finished.
func newReader(r *rule, room int) *reader {
	made := make(readers, 0, room)
	root := made.reader(r)
	if root.op == byRule {
		return nil
	}
	return root
}

// readers has room for some of those that are made.
type readers []reader

// reader returns the reader of a rule. One that is being made is returned too, which ends recursion.
func (m *readers) reader(r *rule) *reader {
	if r.reader != nil {
		return r.reader
	}
	out := take((*[]reader)(m))
	out.rule, r.reader = r, out
	inner := r.some()
	base := inner.base()
	if base == nil || whole(base) || inner.never || inner.general != nil || inner.value != nil ||
		inner.kinds&takenBy(base.Kind) == 0 {
		return out
	}
	out.typ, out.pointers, out.str = base, inner.typ.Kind == codec.Pointer, inner.str
	out.null = inner != r || inner.kinds.has(scan.Null) && inner.enum == nil
	out.op = m.op(out, inner)
	return out
}

// op fills in what a reader needs to know of its rule, and returns how it reads.
func (m *readers) op(out *reader, r *rule) op {
	if r.enum != nil && out.typ.Kind != codec.String {
		return byRule
	}
	out.enum = r.enum
	ok := true
	switch out.typ.Kind {
	case codec.Bool:
		return readBool
	case codec.Int, codec.Uint:
		out.num, ok = newNumberReader(r.num, out.typ)
		return pick(ok, readInteger)
	case codec.Float:
		out.num, ok = newNumberReader(r.num, out.typ)
		return pick(ok && out.typ.Bits == 64 && r.kinds&integral == 0, readFloat)
	case codec.String, codec.Text, codec.Quoted:
		out.date = out.typ.Go == reflect.TypeFor[time.Time]() && r.str != nil && r.str.name == "date-time"
		return readText
	case codec.Slice:
		return pick(m.slice(out, r.arr), readSlice)
	case codec.Map:
		return pick(m.table(out, r.obj), readMap)
	case codec.Struct:
		return pick(m.object(out, r.obj), readStruct)
	}
	return byRule
}

func pick(ok bool, o op) op {
	if ok {
		return o
	}
	return byRule
}

func (m *readers) slice(out *reader, a *arrayRule) bool {
	if a == nil || a.items == nil || a.prefix != nil || a.unique {
		return false
	}
	out.min, out.max = a.min, a.max
	out.item = m.reader(a.items)
	return true
}

func (m *readers) table(out *reader, o *objectRule) bool {
	if !o.plain() || len(o.props) > 0 || o.extra == nil {
		return false
	}
	out.min, out.max = o.min, o.max
	out.item = m.reader(o.extra)
	return true
}

// plain reports whether the rule says nothing of an object but its declared members and their number.
func (o *objectRule) plain() bool {
	return o != nil && o.keys == nil && o.required == nil && o.patterns == nil && o.rest == nil
}

func (m *readers) object(out *reader, o *objectRule) bool {
	if !o.plain() || len(o.props) > maxMembers {
		return false
	}
	obj := &objectReader{index: o.index, members: make([]memberReader, 0, len(o.props))}
	out.min, out.max, out.obj = o.min, o.max, obj
	for i := range o.props {
		p := &o.props[i]
		if p.field == nil {
			return false
		}
		next := memberReader{reader: m.reader(p.rule), required: p.required, nullAbsent: p.nullAbsent,
			index: p.field.Index, def: p.def}
		if p.required {
			obj.required++
		}
		if p.def != nil {
			obj.defaults = append(obj.defaults, i)
		}
		if !p.withheld {
			next.key = p.field.Key() // its name is that of the property
		}
		obj.members = append(obj.members, next)
	}
	return true
}

// at returns the field of a struct.
func (m *memberReader) at(v reflect.Value) reflect.Value {
	if len(m.index) == 1 {
		return v.Field(m.index[0])
	}
	return field(v, m.index)
}
