package codec

import (
	"reflect"
	"strings"
)

// Redacted stands for the value of a field tagged jig:"redact".
const Redacted = "[redacted]"

// InFull walks t as Of does for Results, and its encoder writes hidden and redacted fields in clear:
// for checks whose outcome shows no value.
func InFull(t reflect.Type, root string) (*Type, []Problem) {
	w := walker{mode: Results, inFull: true, seen: map[reflect.Type]*Type{},
		refused: map[reflect.Type]string{}}
	typ := w.root(t, root)
	return typ, w.problems
}

// guard reads the jig tags of a field and of the embedded structs around it, whose tags are those of
// each field inside.
func (w *walker) guard(t reflect.Type, f *Field) {
	hidden := false
	for i := range f.Index {
		on := f.Tag
		if i+1 < len(f.Index) {
			on = t.FieldByIndex(f.Index[:i+1]).Tag
		}
		if !strings.Contains(string(on), "jig") { // which is faster than to look it up
			continue
		}
		tag, ok := on.Lookup("jig")
		if !ok {
			continue
		}
		for part := range strings.SplitSeq(tag, ",") {
			switch {
			case part == "redact":
				f.Redact = true
			case part == "hidden" && w.mode == Results:
				hidden = true
			case part == "hidden":
				w.refuse(f.Path, `jig tag "hidden" is for results; an argument that no model may `+
					"see is no argument")
			default:
				w.refuse(f.Path, `jig tag %q is not known; want "redact" or "hidden"`, part)
			}
		}
	}
	f.Hidden = hidden && !w.inFull
	f.masked = f.Redact && w.mode == Results && !w.inFull
}

// unguarded refuses a type that writes itself and has jig tags inside, since nothing would heed them.
func (w *walker) unguarded(t reflect.Type, path string) {
	if name := taggedField(t, map[reflect.Type]bool{}); name != "" {
		w.refuse(path, "type %s writes its own JSON or text, so that the jig tag of its field %s has "+
			"no effect; put the tag on the field that holds the %[1]s", t, name)
	}
}

// taggedField returns the name of a field with a jig tag in t or in what t is made of, or "".
func taggedField(t reflect.Type, seen map[reflect.Type]bool) string {
	if seen[t] {
		return ""
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return taggedField(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if _, ok := f.Tag.Lookup("jig"); ok {
				return f.Name
			}
			if name := taggedField(f.Type, seen); name != "" {
				return f.Name + "." + name
			}
		}
	}
	return ""
}

// Redacts reports whether the type, or one inside it, has a field tagged jig:"redact".
func (t *Type) Redacts() bool {
	return !t.all(func(t *Type) bool {
		for i := range t.Fields {
			if t.Fields[i].Redact {
				return false
			}
		}
		return true
	})
}

// Guarded reports whether the type, or one inside it, has a field whose value the encoder does not
// write.
func (t *Type) Guarded() bool { return t.guarded(map[*Type]bool{}) }

func (t *Type) guarded(seen map[*Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Hidden || f.masked || f.Type.guarded(seen) {
			return true
		}
	}
	return t.Elem != nil && t.Elem.guarded(seen)
}
