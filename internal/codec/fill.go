package codec

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"strconv"

	"github.com/jig-go/jig/internal/decimal"
	"github.com/jig-go/jig/internal/scan"
)

// FillNumber sets v from a JSON number, exactly, and reports whether the type can hold it.
// An integer may be written 5.0 or 1e2, as JSON Schema has it; a float is rounded to the nearest.
// Requirement: t.Kind is Int, Uint, Float, Number or BigInt; for another kind it reports false.
func (t *Type) FillNumber(v reflect.Value, number []byte) bool {
	switch t.Kind {
	case Int:
		n, ok := decimal.ParseInt64(number)
		if !ok || v.OverflowInt(n) {
			return false
		}
		v.SetInt(n)
	case Uint:
		n, ok := decimal.ParseUint64(number)
		if !ok || v.OverflowUint(n) {
			return false
		}
		v.SetUint(n)
	case Float:
		f, err := strconv.ParseFloat(string(number), t.Bits)
		if err != nil || math.IsInf(f, 0) {
			return false
		}
		v.SetFloat(f)
	case Number:
		v.SetString(string(number))
	case BigInt:
		return fillBigInt(v, number)
	default:
		return false
	}
	return true
}

func fillBigInt(v reflect.Value, number []byte) bool {
	d, ok := decimal.Parse(number)
	if !ok || !d.IsInt() {
		return false
	}
	r, ok := new(big.Rat).SetString(string(number))
	if !ok || !r.IsInt() {
		return false
	}
	v.Set(reflect.ValueOf(*r.Num()))
	return true
}

// FillString sets v from a string and reports whether the type can hold it.
func (t *Type) FillString(v reflect.Value, s string) bool {
	switch t.Kind {
	case String:
		v.SetString(s)
		return true
	case Text, Quoted:
		return t.text.parse(v, s) == nil
	}
	return false
}

// Want says what strings the type takes, for a message.
func (t *Type) Want() string {
	if t.text == nil {
		return "a string"
	}
	return t.text.want
}

// AnyValue reads the next value as a Go value the way encoding/json does with UseNumber: nil, bool,
// json.Number, string, []any or map[string]any.
func AnyValue(c *scan.Cursor) any {
	switch c.Kind() {
	case scan.Bool:
		return c.Bool()
	case scan.Number:
		return json.Number(c.Number())
	case scan.String:
		return c.Text()
	case scan.Array:
		list := []any{}
		for more := c.Enter(); more; more = c.More() {
			list = append(list, AnyValue(c))
		}
		return list
	case scan.Object:
		object := map[string]any{}
		for more := c.Enter(); more; more = c.More() {
			key := string(c.Key())
			object[key] = AnyValue(c)
		}
		return object
	}
	c.Null()
	return nil
}
