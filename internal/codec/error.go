package codec

import "reflect"

var errorType = reflect.TypeFor[error]()

// errorText stands for an error inside a result: what an error says is for hosts.
const errorText = "[error]"

// appendError appends an error of any type; a nil pointer is none.
func appendError(dst []byte, v reflect.Value) []byte {
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return append(dst, "null"...)
	}
	return append(dst, `"`+errorText+`"`...)
}

// veiled reports whether t, the type of a value inside an interface, is an error that nobody meant to
// be JSON: it has no form of its own and no field with a json tag.
func (t *Type) veiled() bool {
	if !t.Go.Implements(errorType) {
		return false
	}
	base, _ := t.Base()
	switch base.Kind {
	case Custom, Text:
		return false
	case Struct:
		for i := range base.Fields {
			if _, ok := base.Fields[i].Tag.Lookup("json"); ok {
				return false
			}
		}
	}
	return true
}
