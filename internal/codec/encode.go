package codec

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/scan"
)

// maxValueDepth bounds the nesting of an encoded value. A cycle of pointers ends here.
const maxValueDepth = 1000

// Append appends v as compact JSON: strings without HTML escapes and with invalid UTF-8 replaced,
// nil slices as [], nil maps as {}, map keys sorted. Requirement: v.Type() is t.Go.
// The error names the place in the value, such as avg[3].
func (t *Type) Append(dst []byte, v reflect.Value) ([]byte, error) {
	return t.append(dst, v, 0)
}

// Marshal encodes any value by the rules of Results.
func Marshal(v any) ([]byte, error) { return appendAny(nil, reflect.ValueOf(v), 0) }

// A placeError says where in a value the encoding failed.
type placeError struct {
	place string
	err   error
}

// Error shortens a place of many levels, such as that of a cycle.
func (e *placeError) Error() string { return clip.Middle(e.place, 200) + ": " + e.err.Error() }
func (e *placeError) Unwrap() error { return e.err }

// at puts a place in front of the place that err names.
func at(place string, err error) error {
	inner, ok := errors.AsType[*placeError](err)
	switch {
	case err == nil:
		return nil
	case ok && inner.place[0] == '[':
		return &placeError{place + inner.place, inner.err}
	case ok:
		return &placeError{place + "." + inner.place, inner.err}
	}
	return &placeError{place, err}
}

func (t *Type) append(dst []byte, v reflect.Value, depth int) ([]byte, error) {
	if depth > maxValueDepth {
		return dst, fmt.Errorf("nested deeper than %d levels, or a cycle", maxValueDepth)
	}
	switch t.Kind {
	case Any:
		return appendAny(dst, v.Elem(), depth+1)
	case Error:
		return appendError(dst, v.Elem()), nil
	case Bool:
		return strconv.AppendBool(dst, v.Bool()), nil
	case Int:
		return strconv.AppendInt(dst, v.Int(), 10), nil
	case Uint:
		return strconv.AppendUint(dst, v.Uint(), 10), nil
	case Float:
		return appendFloat(dst, v.Float(), t.Bits)
	case String:
		return scan.AppendQuote(dst, v.String()), nil
	case Text, Quoted:
		s, err := t.text.form(v)
		return scan.AppendQuote(dst, s), err
	case Number:
		return appendNumber(dst, v.String())
	case BigInt:
		n := v.Interface().(big.Int)
		return n.Append(dst, 10), nil
	case Raw:
		return appendJSON(dst, v.Bytes())
	case Custom:
		return appendCustom(dst, v)
	case Pointer:
		if v.IsNil() {
			return append(dst, "null"...), nil
		}
		return t.Elem.append(dst, v.Elem(), depth+1)
	case Slice, Array:
		return t.appendList(dst, v, depth)
	case Map:
		return t.appendMap(dst, v, depth)
	case Struct:
		return t.appendStruct(dst, v, depth)
	}
	panic("jig: internal error: no encoding for a kind")
}

func (t *Type) appendList(dst []byte, v reflect.Value, depth int) ([]byte, error) {
	dst = append(dst, '[')
	var err error
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = t.Elem.append(dst, v.Index(i), depth+1); err != nil {
			return dst, at("["+strconv.Itoa(i)+"]", err)
		}
	}
	return append(dst, ']'), nil
}

func (t *Type) appendMap(dst []byte, v reflect.Value, depth int) ([]byte, error) {
	type entry struct {
		key   string
		value reflect.Value
	}
	entries := make([]entry, 0, v.Len())
	for iter := v.MapRange(); iter.Next(); {
		key, err := t.Key.key(iter.Key())
		if err != nil {
			return dst, err
		}
		// Mended here, so that two keys which the mending makes equal are found.
		entries = append(entries, entry{string([]rune(key)), iter.Value()})
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	dst = append(dst, '{')
	var err error
	for i, e := range entries {
		if i > 0 && e.key == entries[i-1].key {
			return dst, fmt.Errorf("two map keys are both written %q", e.key)
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(scan.AppendQuote(dst, e.key), ':')
		if dst, err = t.Elem.append(dst, e.value, depth+1); err != nil {
			return dst, at(e.key, err)
		}
	}
	return append(dst, '}'), nil
}

// key writes a map key. Requirement: t is the Key of a Map.
func (t *Type) key(v reflect.Value) (string, error) {
	switch t.Kind {
	case Int:
		return strconv.FormatInt(v.Int(), 10), nil
	case Uint:
		return strconv.FormatUint(v.Uint(), 10), nil
	case Text:
		return t.text.form(v)
	}
	return v.String(), nil
}

func (t *Type) appendStruct(dst []byte, v reflect.Value, depth int) ([]byte, error) {
	start := len(dst)
	for i := range t.Fields {
		f := &t.Fields[i]
		fv, ok := f.value(v)
		if !ok || f.Hidden || f.Optional && f.omits(fv) {
			continue
		}
		dst = append(dst, f.key...)
		if f.masked {
			dst = append(dst, `"`+Redacted+`"`...)
			continue
		}
		var err error
		if dst, err = f.Type.append(dst, fv, depth+1); err != nil {
			return dst, at(f.Name, err)
		}
	}
	if len(dst) == start {
		return append(dst, "{}"...), nil
	}
	dst[start] = '{' // in the place of the first comma
	return append(dst, '}'), nil
}

// omits reports whether the value of an optional field is left out.
func (f *Field) omits(v reflect.Value) bool {
	return f.omitEmpty && isEmpty(v) || f.omitZero && isZero(v)
}

// value returns the field of a struct; ok is false inside a nil embedded pointer.
func (f *Field) value(v reflect.Value) (reflect.Value, bool) {
	if len(f.Index) == 1 {
		return v.Field(f.Index[0]), true
	}
	for i, x := range f.Index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v, true
}

// isEmpty is what omitempty leaves out (https://pkg.go.dev/encoding/json#Marshal).
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// isZero is what omitzero leaves out: what the type's IsZero says, else the zero value.
func isZero(v reflect.Value) bool {
	type zeroer interface{ IsZero() bool }
	if v.Kind() == reflect.Pointer && v.IsNil() || v.Kind() == reflect.Interface && v.IsNil() {
		return true
	}
	if !v.CanInterface() { // an embedded unexported struct
		return v.IsZero()
	}
	if z, ok := v.Interface().(zeroer); ok {
		return z.IsZero()
	}
	if z, ok := addressable(v).Interface().(zeroer); ok {
		return z.IsZero()
	}
	return v.IsZero()
}

// appendFloat writes the shortest number that reads back as f, in the notation of encoding/json.
func appendFloat(dst []byte, f float64, bits int) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return dst, fmt.Errorf("%v has no JSON form", f)
	}
	abs := math.Abs(f)
	small, large := abs < 1e-6, abs >= 1e21
	if bits == 32 {
		small, large = float32(abs) < 1e-6, float32(abs) >= 1e21
	}
	if abs == 0 || !small && !large {
		return strconv.AppendFloat(dst, f, 'f', -1, bits), nil
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, bits)
	if n := len(dst); n >= 4 && string(dst[n-4:n-1]) == "e-0" { // e-09 is e-9
		dst = append(dst[:n-2], dst[n-1])
	}
	return dst, nil
}

func appendNumber(dst []byte, number string) ([]byte, error) {
	if number == "" {
		return append(dst, '0'), nil // as encoding/json does
	}
	checked, err := scan.Check([]byte(number), scan.Limits{Bytes: len(number), Depth: 1})
	if err != nil || len(checked) != len(number) {
		return dst, fmt.Errorf("json.Number %q is not a number", number)
	}
	if c := scan.NewCursor(checked); c.Kind() != scan.Number {
		return dst, fmt.Errorf("json.Number %q is not a number", number)
	}
	return append(dst, number...), nil
}

// appendJSON appends JSON text of others, compact and without HTML escapes.
func appendJSON(dst, raw []byte) ([]byte, error) {
	if len(raw) == 0 {
		return append(dst, "null"...), nil
	}
	checked, err := CheckJSON(raw)
	if err != nil {
		return dst, err
	}
	return scan.Compact(dst, checked), nil
}

func appendCustom(dst []byte, v reflect.Value) ([]byte, error) {
	m, ok := addressable(v).Interface().(json.Marshaler)
	if !ok {
		return dst, fmt.Errorf("type %s has UnmarshalJSON and no MarshalJSON, so that a value cannot "+
			"be written; add a MarshalJSON", v.Type())
	}
	raw, err := m.MarshalJSON()
	if err != nil {
		return dst, err
	}
	return appendJSON(dst, raw)
}

// types caches the walks of types that are met inside interfaces.
var types sync.Map // reflect.Type -> *Type, or error

func appendAny(dst []byte, v reflect.Value, depth int) ([]byte, error) {
	if !v.IsValid() {
		return append(dst, "null"...), nil
	}
	t, err := dynamic(v.Type())
	if err != nil {
		return dst, err
	}
	if t.veil {
		return appendError(dst, v), nil
	}
	return t.append(dst, v, depth)
}

func dynamic(t reflect.Type) (*Type, error) {
	cached, ok := types.Load(t)
	if !ok {
		typ, problems := Of(t, "", Results)
		typ.veil = typ.veiled()
		cached = typ
		if len(problems) > 0 {
			cached = problems[0].err()
		}
		types.Store(t, cached)
	}
	if typ, ok := cached.(*Type); ok {
		return typ, nil
	}
	return nil, cached.(error)
}

// err is the problem of a type that is met inside a value, at the place below that value.
func (p Problem) err() error {
	place := strings.TrimPrefix(p.Path, ".")
	if place == "" {
		return errors.New(p.Message)
	}
	return &placeError{place, errors.New(p.Message)}
}
