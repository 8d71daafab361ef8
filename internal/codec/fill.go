package codec

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"time"

	"github.com/jig-go/jig/internal/canon"
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
		v.SetFloat(f + 0) // -0 becomes 0: they are one number
	case Number:
		v.SetString(string(canon.Append(nil, number)))
	case BigInt:
		return fillBigInt(v, number)
	default:
		return false
	}
	return true
}

func fillBigInt(v reflect.Value, number []byte) bool {
	d, ok := decimal.Parse(number)
	if !ok || !d.IsInt() || !within(d, bigLimit) {
		return false
	}
	r, ok := new(big.Rat).SetString(string(number))
	if !ok || !r.IsInt() {
		return false
	}
	v.Set(reflect.ValueOf(*r.Num()))
	return true
}

// within reports whether d lies between -limit and limit.
func within(d decimal.Number, limit string) bool {
	high, _ := decimal.Parse(limit)
	low, _ := decimal.Parse("-" + limit)
	return d.Cmp(low) > 0 && d.Cmp(high) < 0
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

// FillBytes is FillString for text that is not kept.
func (t *Type) FillBytes(v reflect.Value, b []byte) bool {
	if t.Kind == Text && t.Go == timeType {
		return v.Addr().Interface().(*time.Time).UnmarshalText(b) == nil
	}
	return t.FillString(v, string(b))
}

// FillKey sets v, a map key, from a name and reports whether it can hold it. An integer has one
// spelling, so that an entry has one name. Requirement: t is the Key of a Map.
func (t *Type) FillKey(v reflect.Value, name string) bool {
	if t.Kind != Int && t.Kind != Uint {
		return t.FillString(v, name)
	}
	if !t.FillNumber(v, []byte(name)) {
		return false
	}
	plain, _ := t.key(v)
	return plain == name
}

// Want says what values the type takes, for a message.
func (t *Type) Want() string {
	switch t.Kind {
	case Bool:
		return "true or false"
	case Int:
		largest := int64(math.MaxInt64) >> (64 - t.Go.Bits())
		return fmt.Sprintf("an integer from %d to %d", -largest-1, largest)
	case Uint:
		return fmt.Sprintf("an integer from 0 to %d", uint64(math.MaxUint64)>>(64-t.Go.Bits()))
	case Float:
		return fmt.Sprintf("a number within ±%s", largestFloat(t.Bits))
	case Number:
		return "a number"
	case BigInt:
		return "an integer of less than 1000 digits"
	case Text, Quoted:
		return t.text.want
	case Slice:
		return "an array"
	case Array:
		return fmt.Sprintf("an array of %d items", t.Len)
	case Map, Struct:
		return "an object"
	}
	return "a string"
}

// largestFloat is the largest finite float of a size, as JSON.
func largestFloat(bits int) string {
	if bits == 32 {
		return largestFloat32
	}
	return largestFloat64
}

// As strconv writes math.MaxFloat32 and math.MaxFloat64.
const (
	largestFloat32 = "3.4028235e+38"
	largestFloat64 = "1.7976931348623157e+308"
)

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
