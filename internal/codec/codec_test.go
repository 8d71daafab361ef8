//lint:file-ignore SA5008,U1000 odd tags and fields that nothing reads are what these types are for

package codec

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Types with methods of their own.
type (
	money    struct{ cents int }
	onlyOut  struct{ n int }
	onlyText struct{ n int }
	amount   struct{ text string }
	due      struct{ time.Time }
	badZero  struct{ p *int }
)

func (m *money) UnmarshalJSON([]byte) error  { return nil }
func (m money) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%d.00", m.cents), nil }
func (o onlyOut) MarshalJSON() ([]byte, error) {
	return []byte(`{"html":"<b>&</b>", "n" : 1.50}`), nil
}
func (o *onlyText) UnmarshalText([]byte) error  { return nil }
func (d amount) MarshalJSON() ([]byte, error)   { return []byte(`"` + d.text + `"`), nil }
func (d *amount) UnmarshalJSON([]byte) error    { return errors.New("not called") }
func (d amount) MarshalText() ([]byte, error)   { return []byte(d.text), nil }
func (d *amount) UnmarshalText(b []byte) error  { d.text = string(b); return nil }
func (b badZero) MarshalJSON() ([]byte, error)  { return fmt.Append(nil, *b.p), nil }
func (b *badZero) UnmarshalJSON([]byte) error   { return nil }
func (b badZero) MarshalText() ([]byte, error)  { return nil, nil }
func (b *badZero) UnmarshalText(p []byte) error { return nil }

// TestRefusedTypes pins that what has no JSON form is refused, at each of its places, with what to
// write instead.
func TestRefusedTypes(t *testing.T) {
	leave := "has no JSON form; leave the field out with `json:\"-\"`"
	tests := []struct {
		name string
		typ  reflect.Type
		want []Problem
	}{
		{"func", of[struct{ F func() }](), []Problem{{"Args.F", "a func " + leave}}},
		{"chan, twice", of[struct{ A, B chan int }](), []Problem{
			{"Args.A", "a chan " + leave}, {"Args.B", "a chan " + leave}}},
		{"complex in a map of slices", of[struct{ M map[string][]complex64 }](), []Problem{
			{"Args.M[][]", "a complex64 " + leave}}},
		{"unsafe pointer", of[struct{ P unsafe.Pointer }](), []Problem{
			{"Args.P", "a unsafe.Pointer " + leave}}},
		{"nested in an embedded struct", of[struct{ in }](), []Problem{{"Args.F",
			"a func " + leave}}},
		{"interface with methods", of[struct{ E error }](), []Problem{{"Args.E",
			"an interface with methods (error) has no JSON form; use a concrete type"}}},
		{"embedded interface with methods", of[struct{ fmt.Stringer }](),
			[]Problem{{"Args.Stringer",
				"an interface with methods (fmt.Stringer) has no JSON form; use a concrete type"}}},
		{"bool key", of[struct{ M map[bool]int }](), []Problem{{"Args.M",
			"a map key of type bool has no JSON form; use a string or an integer"}}},
		{"struct key with a func inside", of[struct{ M map[struct{ C chan int }]int }](), []Problem{{"Args.M",
			"a map key of type struct { C chan int } has no JSON form; use a string or an integer"}}},
		{"interface key", of[struct {
			M map[encoding.TextUnmarshaler]int
		}](), []Problem{{"Args.M",
			"a map key of type encoding.TextUnmarshaler has no JSON form; use a string or an integer"}}},
		{"number key", of[struct{ M map[json.Number]int }](), []Problem{{"Args.M",
			"a map key of type json.Number has no JSON form; use a string or an integer"}}},
		{"own JSON", of[struct{ M []money }](), []Problem{{"Args.M[]",
			"type codec.money has its own UnmarshalJSON, and nothing says which JSON it reads; " +
				"give it a method JSONSchema() *jig.Schema, or the field a jsonschema tag with type="}}},
		{"own JSON that panics when zero", of[struct{ B badZero }](), []Problem{{"Args.B",
			"type codec.badZero has its own UnmarshalJSON, and nothing says which JSON it reads; " +
				"give it a method JSONSchema() *jig.Schema, or the field a jsonschema tag with type="}}},
		{"JSON that is only written", of[struct{ O *onlyOut }](), []Problem{{"Args.O",
			"type codec.onlyOut writes its own JSON and cannot read it back; " +
				"add an UnmarshalText or use another type"}}},
		{"string option without effect", of[struct {
			S []int         `json:"s,string"`
			P **int         `json:"p,string"`
			T time.Duration `json:"t,string"`
		}](), []Problem{{"Args.T",
			"the json option ,string has no effect on time.Duration; leave it out"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, problems := schemaOf(tt.typ, Arguments)
			require.Equal(t, tt.want, problems)
		})
	}
}

type in struct{ F func() }

// TestOwnText pins which types with methods are strings.
func TestOwnText(t *testing.T) {
	for _, typ := range []reflect.Type{of[onlyText](), of[amount](), of[due](), of[*amount]()} {
		shown, _, problems := schemaOf(reflect.StructOf([]reflect.StructField{{Name: "V",
			Type: typ}}), Arguments)
		require.Empty(t, problems)
		require.Contains(t, shown, `"string"`, typ)
	}
}

// TestTags pins what the tags of a field add to the schema of its type.
func TestTags(t *testing.T) {
	tests := []struct {
		name string
		typ  reflect.Type
		want string // of the properties and what follows
	}{
		{"optional", of[struct {
			A int    `json:"a,omitempty"`
			B string `json:"b,omitzero"`
			C *int8  `json:"c"`
		}](), `{"a":{"type":"integer"},"b":{"type":"string"},` +
			`"c":{"type":["integer","null"],"minimum":-128,"maximum":127}},"required":["c"]`},
		{"described and nullable", of[struct {
			Owner *string `json:"Owner,omitempty" jsonschema_description:"Person responsible, or null."`
		}](), `{"Owner":{"type":["string","null"],"description":"Person responsible, or null."}}`},
		{"narrower than the type", of[struct {
			A int8 `jsonschema:"minimum=0,maximum=300"`
			B uint `jsonschema:"minimum=3"`
			C int  `jsonschema:"maximum=7"`
		}](), `{"A":{"type":"integer","minimum":0,"maximum":127},"B":{"type":"integer","minimum":3},` +
			`"C":{"type":"integer","maximum":7}},"required":["A","B","C"]`},
		{"enum of a pointer", of[struct {
			E *string `jsonschema:"enum=a,enum=b"`
		}](), `{"E":{"type":["string","null"],"enum":["a","b",null]}},"required":["E"]`},
		{"enum of items", of[struct {
			E []string `jsonschema:"enum=a,enum=b,minItems=1"`
		}](), `{"E":{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1}},"required":["E"]`},
		{"enum of nullable items", of[struct {
			E []*int8 `jsonschema:"enum=1,enum=2"`
		}](), `{"E":{"type":"array","items":{"type":["integer","null"],"minimum":-128,"maximum":127,` +
			`"enum":[1,2,null]}}},"required":["E"]`},
		{"enum without a type", of[struct {
			E *any `jsonschema:"enum=1,enum=true"`
		}](), `{"E":{"enum":[1,true,null]}},"required":["E"]`},
		{"nullable asked for", of[struct {
			E []string `jsonschema:"nullable"`
		}](), `{"E":{"type":["array","null"],"items":{"type":"string"}}},"required":["E"]`},
		{"default", of[struct {
			N int `json:",omitempty" jsonschema:"default=10"`
		}](), `{"N":{"type":"integer","default":10}}`},
		{"comma in a pattern", of[struct {
			P string `jsonschema:"pattern=^[a-z]{1,3}$"`
		}](), `{"P":{"type":"string","pattern":"^[a-z]{1,3}$"}},"required":["P"]`},
		{"string option", of[struct {
			I int  `json:",string"`
			B bool `json:",string"`
		}](), `{"I":{"type":"string","pattern":"^(0|-?[1-9][0-9]*)$"},` +
			`"B":{"type":"string","enum":["true","false"]}},"required":["I","B"]`},
		{"no HTML escapes", of[struct {
			A string `json:"<&>" jsonschema_description:"a < b && c"`
		}](), `{"<&>":{"type":"string","description":"a < b && c"}},"required":["<&>"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			shown, _, problems := schemaOf(tt.typ, Arguments)
			require.Empty(t, problems)
			require.Equal(t, `{"type":"object","properties":`+tt.want+`}`, shown)
		})
	}
}

// TestTagProblems pins that a mistake is said once, also in a struct that is used twice.
func TestTagProblems(t *testing.T) {
	type bad struct {
		A int    `json:"a" jsonschema:"default=1"`
		B string `json:"b,omitempty" jsonschema:"required"`
		C string `jsonschema:"maximum=3"`
	}
	want := []Problem{
		{"Args.X.A", "a default on a required field never applies; add omitempty to its json tag"},
		{"Args.X.B", "the field is required by its jsonschema tag and optional by its json tag; " +
			"leave one of them out"},
		{"Args.X.C", "maximum does not fit a string"},
	}
	_, _, problems := schemaOf(of[struct{ X, Y bad }](), Arguments)
	require.Equal(t, want, problems)
	_, _, problems = schemaOf(of[struct {
		J int `jig:"secret"`
	}](), Arguments)
	require.Equal(t, []Problem{{"Args.J", `jig tag "secret" is not known; want "redact" or "hidden"`}}, problems)
}

// TestMethodsOfUnnamed shows that a struct without a name has the methods of what it embeds.
func TestMethodsOfUnnamed(t *testing.T) {
	typ, problems := Of(reflect.TypeFor[struct{ A struct{ netip.Addr } }](), "Args", Arguments)
	require.Empty(t, problems)
	require.Equal(t, Text, typ.Fields[0].Type.Kind)
}
