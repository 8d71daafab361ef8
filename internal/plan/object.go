package plan

import (
	"reflect"
	"slices"
	"sync"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/near"
	"github.com/jig-go/jig/internal/scan"
)

func (d *run) object(r *rule, t *codec.Type, v reflect.Value) {
	if !d.container(r, t, v, scan.Object) {
		return
	}
	if v.IsValid() && t.Kind == codec.Map {
		v.Set(reflect.MakeMap(v.Type()))
	}
	m := members{run: d, rule: r.obj, typ: t, v: v}
	start, end := len(d.seen), len(d.seen)+len(r.obj.props)
	d.seen = slices.Grow(d.seen, len(r.obj.props))[:end]
	m.seen = d.seen[start:end:end]
	clear(m.seen)
	d.path = append(d.path, step{index: -1})
	for more := d.cur.Enter(); more; more = d.cur.More() {
		m.count++
		m.member(d.cur.Key())
	}
	d.path = d.path[:len(d.path)-1]
	m.finish()
	d.seen = d.seen[:start]
}

// members is the reading of one object.
type members struct {
	*run
	rule    *objectRule
	typ     *codec.Type
	v       reflect.Value
	seen    []bool // by property; a part of that of the run
	next    int    // the property that probably comes next
	count   int
	unknown []string // undeclared members that the Go struct has no place for
	loose   []string // undeclared members that were kept
}

// member reads the member whose key was just read.
func (m *members) member(key []byte) {
	i, declared := m.find(key)
	if !declared {
		m.undeclared(string(key))
		return
	}
	m.next = i + 1
	p := &m.rule.props[i]
	m.path[len(m.path)-1].name = p.name
	if p.nullAbsent && m.cur.Kind() == scan.Null {
		m.cur.Null()
		m.count--
		return
	}
	m.seen[i] = true
	if m.named(p.name) {
		m.set(p.rule, p, p.name)
	} else {
		m.value(p.rule, reflect.Value{})
	}
}

// find returns which property a member is. Members mostly come in the order in which they are declared.
func (m *members) find(key []byte) (i int, declared bool) {
	if m.next < len(m.rule.props) {
		if p := &m.rule.props[m.next]; p.name == string(key) && !p.withheld {
			return m.next, true
		}
	}
	i, declared = m.rule.index[string(key)]
	return i, declared
}

// named checks a member's name where the schema has propertyNames.
func (m *members) named(name string) bool {
	if keys := m.rule.keys; keys == nil || keys.check(scan.AppendQuote(nil, name)).Total == 0 {
		return true
	}
	if m.refuses("propertyNames") {
		m.because(sayName(m.words))
	}
	return false
}

// set reads the value of a member into its place: a field, or an entry of the map.
func (m *members) set(r *rule, p *property, name string) {
	switch {
	case !m.v.IsValid() || m.typ.Kind == codec.Struct && (p == nil || p.field == nil):
		m.value(r, reflect.Value{})
	case m.typ.Kind == codec.Map:
		m.entry(r, name)
	default:
		m.value(r, field(m.v, p.field.Index))
	}
}

// entry reads a map entry. Two keys that are one in Go would hide a value from whoever looks at
// the text, so the second is refused. The schema cannot say either of the two things.
func (m *members) entry(r *rule, name string) {
	elem := reflect.New(m.v.Type().Elem()).Elem()
	m.value(r, elem)
	key := reflect.New(m.v.Type().Key()).Elem()
	switch {
	case !m.typ.Key.FillKey(key, name):
		if m.refusesAt(m.path, "propertyNames") {
			m.because(sayName(m.words))
		}
	case m.v.MapIndex(key).IsValid():
		if m.refusesAt(m.path, "propertyNames") {
			m.because(saySameName(m.words))
		}
	default:
		m.v.SetMapIndex(key, elem)
	}
}

// field returns the field at the index, allocating embedded pointers on the way.
func field(v reflect.Value, index []int) reflect.Value {
	if len(index) == 1 {
		return v.Field(index[0])
	}
	for i, x := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v
}

// undeclared reads a member that the schema does not declare.
func (m *members) undeclared(key string) {
	m.path[len(m.path)-1].name, m.strange = key, true
	named := m.named(key)
	if m.rule.closed {
		m.cur.Skip()
		m.unknown = append(m.unknown, key)
		return
	}
	m.loose = append(m.loose, key)
	if m.rule.extra != nil && named {
		m.set(m.rule.extra, nil, key)
	} else {
		m.cur.Skip()
	}
}

// finish checks what only the whole object shows, and fills the defaults of absent members.
func (m *members) finish() {
	o := m.rule
	for i := range o.props {
		if p := &o.props[i]; !m.seen[i] {
			m.absent(p)
		}
	}
	m.undeclaredRequired()
	if m.count < o.min && m.refuses("minProperties") {
		m.because(sayCount(m.words, m.count, atLimit("minProperties", o.min)))
	}
	if o.max >= 0 && m.count > o.max && m.refuses("maxProperties") {
		m.because(sayCount(m.words, m.count, atLimit("maxProperties", o.max)))
	}
	m.unknownNames()
}

// undeclaredRequired checks the required names that the schema does not declare.
func (m *members) undeclaredRequired() {
	if len(m.rule.required) == 0 {
		return
	}
	present := map[string]bool{}
	for _, name := range m.loose {
		present[name] = true
	}
	for _, name := range m.unknown {
		present[name] = true
	}
	for _, name := range m.rule.required {
		if !present[name] {
			m.missing(name, nil)
		}
	}
}

func (m *members) absent(p *property) {
	switch {
	case p.required:
		m.missing(p.name, p.rule)
	case p.def != nil && m.v.IsValid():
		rest, dropped := m.cur, len(m.dropped)
		m.cur = scan.NewCursor(p.def)
		m.set(p.rule, p, p.name)
		m.cur, m.dropped = rest, m.dropped[:dropped] // what a default has too much, nobody sent
	}
}

// missing records an absent member with the rule r; nil: none is known.
func (m *members) missing(name string, r *rule) {
	if m.quiet == 0 && m.refusesAt(m.at(name), "required") {
		m.because(sayMissing(m.words, r))
	}
}

// unknownNames refuses or drops the members that have no place, now that it is known which declared
// ones are absent.
func (m *members) unknownNames() {
	if m.rule.closed {
		if m.quiet == 0 { // else the general validator has said so
			m.refuseAll(m.unknown)
		}
		return
	}
	if !m.typos || !m.v.IsValid() || m.typ.Kind != codec.Struct || len(m.loose) == 0 {
		return
	}
	var typos []string
	absent := m.absentNames()
	for _, name := range m.loose {
		if m.isTypo(name, absent.names) {
			typos = append(typos, name)
		} else {
			m.dropped = append(m.dropped, pointerTo(m.plan.secrets.nameless(m.at(name))))
		}
	}
	m.refuseAll(typos)
}

// maxCompared bounds the pairs of names that are compared letter by letter for one value. Pairs
// that have to be compared are few unless a caller makes them up by the thousands.
const maxCompared = 200_000

// isTypo reports whether a name is near to one of those absent.
func (m *members) isTypo(name string, absent []near.Name) bool {
	given := near.Prepare(name)
	for i := range absent {
		declared := &absent[i]
		if given.Apart(declared) {
			continue
		}
		if given.Folded(declared) {
			return true
		}
		if m.compared++; m.compared <= maxCompared && given.Near(declared) {
			return true
		}
	}
	return false
}

// at is the place of a member of the object at the current place. It is good until the path changes.
func (m *members) at(name string) []step { return append(m.path, step{name: name, index: -1}) }

// A declaredNames is what a rule's members are called, made for the first message that needs it.
type declaredNames struct {
	once sync.Once
	guesses
	props []int // of each name, the property
}

// declared returns the names that may be named in a message.
func (o *objectRule) declared() *declaredNames {
	d := &o.names
	d.once.Do(func() {
		var names []string
		for i, p := range o.props {
			if !p.withheld {
				names, d.props = append(names, p.name), append(d.props, i)
			}
		}
		d.guesses = newGuesses(names)
	})
	return d
}

// absentNames returns those of the members that are not there.
func (m *members) absentNames() (absent guesses) {
	d := m.rule.declared()
	for i, p := range d.props {
		if !m.seen[p] {
			absent.names = append(absent.names, d.names[i])
			absent.quoted = append(absent.quoted, d.quoted[i])
		}
	}
	return absent
}

// refuseAll records members that have no place here.
func (m *members) refuseAll(names []string) {
	if len(names) == 0 {
		return
	}
	if len(m.found) >= maxProblems { // only counted: to word them takes time
		m.total += len(names)
		return
	}
	absent := m.absentNames()
	for _, name := range names {
		if m.refusesAt(m.at(name), "additionalProperties") {
			m.because(sayUnknown(m.words, name, absent, m.rule.declared().guesses))
		}
	}
}
