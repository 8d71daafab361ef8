package tags

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/invopop/jsonschema"

	"github.com/jig-go/jig/internal/scan"
)

// agreed reports whether invopop's schema says what was asked for, byte for byte, and nothing else.
// False says nothing: compare then looks at the JSON, which settles what is written differently and
// names what differs. The fields are found by their json tags, so that no version has to have them.
func (p *parser) agreed(s *jsonschema.Schema) bool {
	found := make([]bool, len(p.asks))
	described := p.description == ""
	if !p.nodeAgreed(s, false, func(a int, key string) bool {
		described = described || key == descriptionWord
		if a >= 0 && !found[a] {
			found[a] = true
			return true
		}
		return a < 0 && key == descriptionWord
	}) {
		return false
	}
	for i, a := range p.asks {
		if !found[i] && !a.gap {
			return false
		}
	}
	return described
}

// nodeAgreed reports whether each keyword of one node was asked for like this, and takes it.
func (p *parser) nodeAgreed(s *jsonschema.Schema, items bool, take func(ask int, key string) bool) bool {
	v := reflect.ValueOf(s).Elem()
	for i, key := range schemaKeys() {
		f := v.Field(i)
		switch {
		case f.IsZero():
		case key == "type" || key == "additionalProperties":
		case key == "items" && !items:
			inner, ok := f.Interface().(*jsonschema.Schema)
			if !ok || !p.nodeAgreed(inner, true, take) {
				return false
			}
		case key == "items":
		case key == extrasKey:
			if items || !p.extrasAgreed(f, take) {
				return false
			}
		case key == "" || !p.keywordAgreed(key, items, f.Interface(), take):
			return false
		}
	}
	return true
}

func (p *parser) extrasAgreed(f reflect.Value, take func(int, string) bool) bool {
	extras, ok := f.Interface().(map[string]any)
	if !ok {
		return false
	}
	for key, v := range extras {
		if !p.keywordAgreed(key, false, v, take) {
			return false
		}
	}
	return true
}

func (p *parser) keywordAgreed(key string, items bool, v any, take func(int, string) bool) bool {
	var room [64]byte
	got, ok := appendRead(room[:0], v)
	if !ok {
		return false
	}
	if key == descriptionWord && !items {
		return string(got) == quote(p.description) && take(-1, key)
	}
	for i, a := range p.asks {
		if a.key == key && a.items == items {
			return !a.gap && string(got) == a.json() && take(i, key)
		}
	}
	return false
}

// appendRead appends a value of invopop's as this package would write it; ok is false for one of
// another type.
func appendRead(dst []byte, v any) (out []byte, ok bool) {
	switch v := v.(type) {
	case string:
		return scan.AppendQuote(dst, v), true
	case json.Number:
		return append(dst, v...), true
	case bool:
		return strconv.AppendBool(dst, v), true
	case *uint64:
		return strconv.AppendUint(dst, *v, 10), v != nil
	case []string:
		return appendReadList(dst, v)
	case []any:
		return appendReadList(dst, v)
	}
	return dst, false
}

func appendReadList[T any](dst []byte, list []T) (out []byte, ok bool) {
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, ok = appendRead(dst, v); !ok {
			return dst, false
		}
	}
	return append(dst, ']'), true
}

// extrasKey stands for the field with the keywords that invopop has no field for.
const extrasKey = "-"

// schemaKeys are the keywords of the fields of invopop's schema; "" stands for a field that is read
// as JSON only.
var schemaKeys = sync.OnceValue(func() []string {
	t := reflect.TypeFor[jsonschema.Schema]()
	keys := make([]string, t.NumField())
	for i := range keys {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case !f.IsExported():
		case f.Name == "Extras" && name == "-":
			keys[i] = extrasKey
		case name != "-":
			keys[i] = name
		}
	}
	return keys
})
