// Package codec knows how Go types look as JSON.
//
// One walk over reflect.Type, by the rules of encoding/json where those are sound, gives a Type. From
// it come the JSON Schema of the Go type (schema.go), the filling of a Go value from JSON that a
// schema has accepted (fill.go) and the encoding of a Go value (encode.go), so that the three are one
// language: what the schema accepts can be filled in, and what the encoder writes the schema accepts.
package codec

import (
	"fmt"
	"reflect"

	"github.com/jig-go/jig/internal/tree"
)

// Kind is the way in which a Go type is written as JSON.
type Kind uint8

// The kinds. A type's methods decide before its reflect.Kind does.
const (
	Any     Kind = iota // an interface without methods: any JSON value
	Raw                 // json.RawMessage: any JSON value, as text
	Bool                // true, false
	Int                 // a signed integer of Bits
	Uint                // an unsigned integer of Bits
	Float               // a float of Bits
	Number              // json.Number: a number, as text
	BigInt              // big.Int: an integer of any size
	String              // a string
	Text                // a string that a type parses and writes itself
	Quoted              // a bool, number or string written inside a string (",string")
	Custom              // a type that reads or writes its own JSON
	Slice               // an array
	Array               // an array of exactly Len items
	Map                 // an object with Elem values
	Struct              // an object with Fields
	Pointer             // null, or Elem
	Error               // the interface error: null, or a string that says nothing; results only
)

// A Type describes one Go type. Types may be cyclic; they never change after Of.
type Type struct {
	Go     reflect.Type
	Kind   Kind
	Bits   int        // of Int, Uint, Float
	Len    int        // of Array
	Elem   *Type      // of Slice, Array, Map, Pointer, Quoted
	Key    *Type      // of Map: String, Int, Uint or Text
	Fields []Field    // of Struct, in declaration order
	text   *text      // of Text
	veil   bool       // of a type met inside an interface: see veiled
	own    *tree.Node // the schema that the type gives itself, or nil
	walked bool       // to the end
	whole  *whole     // of the root of a walk
}

// A whole is what is known of a type together with all types inside it.
type whole struct {
	types  []*Type // but those that stand for one of them as text
	owns   bool    // one has a schema of its own
	cyclic bool    // one may contain itself
}

// A Field is one property of a Struct.
type Field struct {
	Name      string // the JSON name
	Path      string // the Go path, such as Args.Items[].SKU
	Index     []int  // for reflect.Value.FieldByIndex
	Type      *Type
	Tag       reflect.StructTag
	Optional  bool // omitempty or omitzero
	Redact    bool // jig:"redact": nobody but the tool sees the value
	Hidden    bool // jig:"hidden", of results: the encoder leaves the field out
	omitEmpty bool
	omitZero  bool
	masked    bool   // the encoder writes Redacted instead of the value
	key       string // a comma, the name as the encoder writes it, and the colon
}

// A Problem is one reason why a Go type cannot be used, at a Go path.
type Problem struct{ Path, Message string }

// A Mode says what a type is for.
type Mode uint8

// The modes. Arguments are read and, as examples, written; results are only written.
const (
	Arguments Mode = iota
	Results
)

// maxTypeDepth bounds the nesting of one Go type, so that no type can exhaust the stack.
const maxTypeDepth = 100

// Of walks t, which is called root in the paths of problems.
func Of(t reflect.Type, root string, mode Mode) (*Type, []Problem) {
	return OfOwn(t, root, mode, nil)
}

// OfOwn is Of with types that may give their own schemas.
func OfOwn(t reflect.Type, root string, mode Mode, own Own) (*Type, []Problem) {
	w := walker{mode: mode, own: own, seen: map[reflect.Type]*Type{},
		refused: map[reflect.Type]string{}}
	typ := w.root(t, root)
	return typ, w.problems
}

type walker struct {
	mode     Mode
	inFull   bool // see InFull
	own      Own  // may be nil
	whole    *whole
	seen     map[reflect.Type]*Type
	refused  map[reflect.Type]string // the message, for each further place of the type
	problems []Problem
}

func (w *walker) refuse(path, format string, args ...any) {
	w.problems = append(w.problems, Problem{Path: path, Message: fmt.Sprintf(format, args...)})
}

// refuseType refuses a type wherever it stands.
func (w *walker) refuseType(t reflect.Type, path, format string, args ...any) {
	w.refused[t] = fmt.Sprintf(format, args...)
	w.refuse(path, "%s", w.refused[t])
}

// root describes the type that the walk begins with.
func (w *walker) root(t reflect.Type, path string) *Type {
	w.whole = &whole{}
	typ := w.walk(t, path, 0)
	typ.whole = w.whole
	return typ
}

// walk describes t. A type met before is not walked again: that ends recursion.
func (w *walker) walk(t reflect.Type, path string, depth int) *Type {
	if typ, ok := w.seen[t]; ok {
		w.whole.cyclic = w.whole.cyclic || !typ.walked
		if message, refused := w.refused[t]; refused {
			w.refuse(path, "%s", message)
		}
		return typ
	}
	typ := &Type{Go: t}
	w.seen[t] = typ
	w.whole.types = append(w.whole.types, typ)
	if depth > maxTypeDepth {
		w.refuse(path, "the type is nested deeper than %d levels; use fewer nested types",
			maxTypeDepth)
		return typ
	}
	if !known(typ) {
		typ.own = w.ownSchema(t, path)
		if !w.byMethods(typ, path) {
			w.byKind(typ, path, depth)
		}
	}
	typ.walked = true
	return typ
}

// byMethods decides types whose form does not follow from their kind, those with JSON or text methods,
// and reports whether t was one.
func (w *walker) byMethods(typ *Type, path string) bool {
	t := typ.Go
	if t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer {
		return false
	}
	switch m := methodsOf(t); {
	case w.mode == Arguments && m.unmarshalJSON && !quotesText(t, m), w.mode == Results && m.marshalJSON:
		typ.Kind = Custom
	case w.mode == Arguments && m.unmarshalText, w.mode == Results && m.marshalText:
		typ.Kind = Text
		typ.text = textOf(m)
		if w.mode == Arguments && nilReader(t, typ.text) {
			w.refuseType(t, path, "type %s reads text by a method of an embedded pointer, which is nil "+
				"then; embed the type itself", t)
		}
	case w.mode == Arguments && (m.marshalJSON || m.marshalText):
		w.refuseType(t, path, "type %s writes its own JSON and cannot read it back; "+
			"add an UnmarshalText or use another type", t)
	case w.mode == Results && m.unmarshalText:
		w.refuseType(t, path, "type %s has UnmarshalText and no MarshalText, so that a value cannot be "+
			"written as it is read; add a MarshalText", t)
	default:
		return false
	}
	w.unguarded(t, path)
	return true
}

func (w *walker) byKind(typ *Type, path string, depth int) {
	t := typ.Go
	switch t.Kind() {
	case reflect.Bool:
		typ.Kind = Bool
	// 64 on every platform: a schema and its fingerprint must not depend on where they are made.
	case reflect.Int:
		typ.Kind, typ.Bits = Int, 64
	case reflect.Uint, reflect.Uintptr:
		typ.Kind, typ.Bits = Uint, 64
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		typ.Kind, typ.Bits = Int, t.Bits()
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		typ.Kind, typ.Bits = Uint, t.Bits()
	case reflect.Float32, reflect.Float64:
		typ.Kind, typ.Bits = Float, t.Bits()
	case reflect.String:
		typ.Kind = String
	case reflect.Slice, reflect.Array:
		w.sequence(typ, path, depth)
	case reflect.Map:
		w.mapping(typ, path, depth)
	case reflect.Struct:
		w.structure(typ, path, depth)
	case reflect.Pointer:
		w.pointer(typ, path, depth)
	case reflect.Interface:
		typ.Kind = Any
		if t == errorType && w.mode == Results {
			typ.Kind = Error
		} else if t.NumMethod() > 0 {
			w.refuseType(t, path, "an interface with methods (%s) has no JSON form; "+
				"use a concrete type", t)
		}
	default:
		w.refuseType(t, path, "a %s has no JSON form; leave the field out with `json:\"-\"`", t.Kind())
	}
}

func (w *walker) pointer(typ *Type, path string, depth int) {
	typ.Kind = Pointer
	end := typ.Go
	for i := 0; end.Kind() == reflect.Pointer; i++ {
		if end = end.Elem(); i > maxTypeDepth {
			w.refuseType(typ.Go, path, "a pointer that points to itself (%s) has no JSON form; "+
				"use a pointer to a struct", typ.Go)
			typ.Kind = Any
			return
		}
	}
	typ.Elem = w.walk(typ.Go.Elem(), path, depth+1)
}

func (w *walker) sequence(typ *Type, path string, depth int) {
	t := typ.Go
	typ.Kind = Slice
	if t.Kind() == reflect.Array {
		typ.Kind, typ.Len = Array, t.Len()
	}
	elem := t.Elem()
	if typ.Kind == Slice && elem.Kind() == reflect.Uint8 && methodsOf(elem) == (methods{}) {
		typ.Kind, typ.text = Text, &base64Text
		return
	}
	typ.Elem = w.walk(elem, path+"[]", depth+1)
}

func (w *walker) mapping(typ *Type, path string, depth int) {
	typ.Kind, typ.Key = Map, w.key(typ.Go.Key())
	if typ.Key == nil {
		typ.Key = &Type{Go: typ.Go.Key(), Kind: String} // so that the rest can be described
		w.refuseType(typ.Go, path, "a map key of type %s has no JSON form; use a string or an integer",
			typ.Go.Key())
	}
	typ.Elem = w.walk(typ.Go.Elem(), path+"[]", depth+1)
}

// key describes the type of map keys, or returns nil for one that cannot be written as a name. The
// JSON methods of a type say nothing about names.
func (w *walker) key(t reflect.Type) *Type {
	kind := t.Kind()
	if kind == reflect.Interface || kind == reflect.Pointer {
		return nil
	}
	typ := &Type{Go: t}
	m := methodsOf(t)
	switch {
	case known(typ):
	case w.mode == Arguments && m.unmarshalText, w.mode == Results && m.marshalText:
		typ.Kind, typ.text = Text, textOf(m)
	case kind == reflect.String || kind >= reflect.Int && kind <= reflect.Uintptr:
		w.byKind(typ, "", 0)
	}
	switch typ.Kind {
	case String, Int, Uint, Text:
		w.whole.types = append(w.whole.types, typ)
		return typ
	}
	return nil
}

func (w *walker) structure(typ *Type, path string, depth int) {
	typ.Kind = Struct
	found := jsonFields(typ.Go)
	typ.Fields = make([]Field, 0, len(found))
	names := newNames(path, found)
	for i := range found {
		raw := &found[i] // of an embedded struct too: a Go author names it by its own name
		f := Field{
			Name: raw.name, Path: names.path(raw), Index: raw.index,
			Tag: raw.tag, Optional: raw.omitEmpty || raw.omitZero,
			omitEmpty: raw.omitEmpty, omitZero: raw.omitZero, key: names.key(raw),
		}
		if w.mode == Arguments {
			w.settable(typ.Go, f)
		}
		w.guard(typ.Go, &f)
		f.Type = w.walk(raw.typ, f.Path, depth+1)
		if !raw.exported && !w.embeddable(f.Type) {
			w.refuse(f.Path, "an embedded unexported %s cannot be set or read as a whole; "+
				"make it a field with a name of its own", raw.typ)
		}
		if raw.quoted {
			f.Type = w.quote(f.Type, f.Path)
		}
		typ.Fields = append(typ.Fields, f)
	}
}

// embeddable reports whether an embedded unexported type, which Go lets nobody set or read as a
// whole, can be handled field by field.
func (w *walker) embeddable(t *Type) bool {
	if w.mode == Results {
		t, _ = t.Base()
	}
	return t.Kind == Struct
}

// settable refuses a field inside an embedded pointer to an unexported struct: Go lets nobody
// allocate that struct, so that every call would fail.
func (w *walker) settable(t reflect.Type, f Field) {
	for i := range len(f.Index) - 1 {
		sf := t.FieldByIndex(f.Index[:i+1])
		if sf.Type.Kind() == reflect.Pointer && !sf.IsExported() {
			w.refuse(f.Path, "the field is inside an embedded pointer to the unexported %s, which "+
				"cannot be set; embed the struct itself or export its type", sf.Type.Elem())
			return
		}
	}
}

// quote wraps a type for the ",string" option. Invariant: the Go kind is quotable, or a pointer
// to one that is.
func (w *walker) quote(t *Type, path string) *Type {
	if t.Kind == Pointer {
		return &Type{Go: t.Go, Kind: Pointer, Elem: w.quote(t.Elem, path)}
	}
	switch t.Kind {
	case Bool, Int, Uint, Float, String:
		return &Type{Go: t.Go, Kind: Quoted, Elem: t, text: quotedText(t)}
	}
	w.refuse(path, "the json option ,string has no effect on %s; leave it out", t.Go)
	return t
}

// Key returns the name as the encoder writes it, with the colon.
func (f *Field) Key() string { return f.key[1:] }

// Field returns the field of a Struct with the JSON name, or nil.
func (t *Type) Field(name string) *Field {
	for i := range t.Fields { // without a copy of each
		if t.Fields[i].Name == name {
			return &t.Fields[i]
		}
	}
	return nil
}

// FieldFrom is Field for a name that is probably that of the field i.
func (t *Type) FieldFrom(i int, name string) *Field {
	if i < len(t.Fields) && t.Fields[i].Name == name {
		return &t.Fields[i]
	}
	return t.Field(name)
}

// Base returns the type that pointers lead to, and whether there were any.
func (t *Type) Base() (*Type, bool) {
	nullable := false
	for t.Kind == Pointer {
		t, nullable = t.Elem, true
	}
	return t, nullable
}
