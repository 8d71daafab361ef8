package plan_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/general"
	"github.com/jig-go/jig/internal/plan"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
	"github.com/stretchr/testify/require"
)

// compile makes the plan of a schema written by hand; a nil type only checks.
func compile(t testing.TB, schema string, typ reflect.Type) *plan.Plan {
	t.Helper()
	node, ok := tree.Parse(check(t, schema))
	require.True(t, ok)
	var filled *codec.Type
	if typ != nil {
		var problems []codec.Problem
		filled, problems = codec.Of(typ, "Args", codec.Arguments)
		require.Empty(t, problems)
	}
	p, err := plan.Compile(node, filled, func() (*general.Document, error) {
		return general.Compile([]byte(schema))
	})
	require.NoError(t, err)
	return p
}

func check(t testing.TB, text string) []byte {
	t.Helper()
	checked, err := scan.Check([]byte(text), scan.Limits{Bytes: 1 << 20, Depth: 64})
	require.Nil(t, err, text)
	return checked
}

// lines writes problems one a line.
func lines(list []plan.Problem) string {
	out := make([]string, len(list))
	for i, p := range list {
		out[i] = fmt.Sprintf("%s %s: %s", p.Pointer, p.Keyword, p.Message)
	}
	return strings.Join(out, "\n")
}

// TestKeywords pins what each keyword accepts and the words with which it refuses.
func TestKeywords(t *testing.T) {
	tests := []struct{ name, schema, text, want string }{
		{"true", `{"properties":{"a":true}}`, `{"a":{"b":[1]}}`, ""},
		{"false", `{"properties":{"a":false},"required":["a"]}`, `{"a":{"b":null}}`,
			`/a false: nothing is allowed here`},
		{"type", `{"type":"integer"}`, `"3"`,
			` type: got string "3", want integer`},
		{"types", `{"type":["string","null"]}`, `[1,2]`,
			` type: got array of 2 items, want string or null`},
		{"type of an object", `{"type":"string"}`, `{"a":1}`,
			` type: got object, want string`},
		{"integer 5.0", `{"type":"integer"}`, `5.0`, ""},
		{"integer 1e2", `{"type":"integer"}`, `1e2`, ""},
		{"integer 50e-1", `{"type":"integer"}`, `50e-1`, ""},
		{"integer -0.0", `{"type":"integer"}`, `-0.0`, ""},
		{"integer 1.5", `{"type":"integer"}`, `1.5`,
			` type: got number 1.5, want integer`},
		{"integer of any size", `{"type":"integer"}`, `1e9999`, ""},
		{"integer or number", `{"type":["integer","number"]}`, `1.5`, ""},
		{"integer or string", `{"type":["integer","string"]}`, `1.5`,
			` type: got number 1.5, want integer or string`},
		{"enum", `{"enum":["a",1,{"b":[1.0]},null]}`, `{"b":[1]}`, ""},
		{"enum refuses", `{"enum":["a",1,null]}`, `"b"`,
			` enum: got "b", want one of "a", 1, null`},
		{"enum is exact", `{"enum":[9007199254740993]}`, `9007199254740992`,
			` enum: got 9007199254740992, want 9007199254740993`},
		{"enum and type", `{"type":"string","enum":["a","b"]}`, `1`,
			` type: got number 1, want string`},
		{"enum with const", `{"enum":[1,2],"const":1}`, `2`,
			` const: got 2, want 1`},
		{"empty enum", `{"enum":[]}`, `1`,
			` enum: got number 1, want nothing, since no value is allowed here`},
		{"const", `{"const":{"a":1}}`, `{"a":1e0}`, ""},
		{"const refuses", `{"const":true}`, `false`,
			` const: got false, want true`},
		{"long enum", `{"enum":[` + strings.Repeat("1,", 25) + `1]}`, `2`,
			` enum: got 2, want one of 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 and 6 more`},
		{"minimum", `{"minimum":3}`, `3.0`, ""},
		{"minimum refuses", `{"minimum":3}`, `2.99`,
			` minimum: got 2.99, want at least 3`},
		{"maximum refuses", `{"maximum":9007199254740992}`, `9007199254740993`,
			` maximum: got 9007199254740993, want at most 9007199254740992`},
		{"exclusive bounds", `{"exclusiveMinimum":1,"exclusiveMaximum":1.5}`, `1`,
			` exclusiveMinimum: got 1, want more than 1`},
		{"exclusiveMaximum", `{"exclusiveMaximum":1.5}`, `15e-1`,
			` exclusiveMaximum: got 15e-1, want less than 1.5`},
		{"multipleOf", `{"multipleOf":0.01}`, `4.02`, ""},
		{"multipleOf refuses", `{"multipleOf":0.01}`, `4.025`,
			` multipleOf: got 4.025, want a multiple of 0.01`},
		{"bounds are for numbers", `{"minimum":3,"minLength":2}`, `[]`, ""},
		{"minLength counts characters", `{"minLength":2}`, `"é😀"`, ""},
		{"minLength refuses", `{"minLength":2}`, `"é"`,
			` minLength: got 1 character "é", want at least 2`},
		{"maxLength refuses", `{"maxLength":1}`, `"ab"`,
			` maxLength: got 2 characters "ab", want at most 1`},
		{"minLength of any size", `{"minLength":1e30}`, `"a"`,
			` minLength: got 1 character "a", want at least 9223372036854775807`},
		{"maxLength of any size", `{"maxLength":1e30}`, `"a"`, ""},
		{"pattern", `{"pattern":"^[a-z]{1,3}$"}`, `"abcd"`,
			` pattern: got "abcd", want text that matches ^[a-z]{1,3}$`},
		{"format", `{"format":"date-time"}`, `"yesterday"`,
			` format: got "yesterday", want a date-time such as "2006-01-02T15:04:05Z"`},
		{"unknown format", `{"format":"color"}`, `"x"`, ""},
		{"items", `{"items":{"type":"integer"}}`, `[1,"2",3.5]`,
			`/1 type: got string "2", want integer` + "\n" +
				`/2 type: got number 3.5, want integer`},
		{"minItems", `{"minItems":2}`, `[1]`,
			` minItems: got 1 item, want at least 2`},
		{"maxItems", `{"maxItems":1}`, `[1,2]`,
			` maxItems: got 2 items, want at most 1`},
		{"uniqueItems", `{"uniqueItems":true}`, `[{"a":1,"b":2},1,{"b":2.0,"a":1}]`,
			` uniqueItems: items 0 and 2 are equal, want all items different`},
		{"uniqueItems, null for absent",
			`{"items":{"properties":{"a":{"type":"string"}}},"uniqueItems":true}`,
			`[{},{"a":null}]`,
			` uniqueItems: items 0 and 1 are equal, want all items different`},
		{"required", `{"properties":{"a":{"type":"string"},"b":{"enum":[1,2]},"c":true},` +
			`"required":["a","b","c","d/e"]}`, `{}`,
			`/a required: missing, want string` + "\n" +
				`/b required: missing, want one of 1, 2` + "\n" +
				`/c required: missing` + "\n" +
				`/d~1e required: missing`},
		{"closed", `{"properties":{"path":{},"mode":{}},"additionalProperties":false}`,
			`{"path":1,"Mode":2,"q":3}`,
			`/Mode additionalProperties: not a property here; did you mean "mode"?` + "\n" +
				`/q additionalProperties: not a property here; the properties are "path", "mode"`},
		{"closed and empty", `{"properties":{},"additionalProperties":false}`, `{"a":1}`,
			`/a additionalProperties: not a property here; no properties are allowed`},
		{"additionalProperties", `{"properties":{"a":{}},"additionalProperties":{"type":"string"}}`,
			`{"a":1,"b":"x","c":2}`,
			`/c type: got number 2, want string`},
		{"propertyNames", `{"propertyNames":{"maxLength":2}}`, `{"ab":1,"abc":2}`,
			`/abc propertyNames: a property of this name is not allowed here`},
		{"minProperties", `{"minProperties":2}`, `{"a":1}`,
			` minProperties: got 1 property, want at least 2`},
		{"minProperties does not count null for absent",
			`{"properties":{"a":{"type":"string"}},"minProperties":1}`, `{"a":null}`,
			` minProperties: got 0 properties, want at least 1`},
		{"maxProperties", `{"maxProperties":1}`, `{"a":1,"b":2}`,
			` maxProperties: got 2 properties, want at most 1`},
		{"null for absent", `{"properties":{"a":{"type":"string"},"b":{"enum":[1]}}}`,
			`{"a":null,"b":null}`, ""},
		{"null for required", `{"properties":{"a":{"type":"string"}},"required":["a"]}`,
			`{"a":null}`,
			`/a type: got null, want string`},
		{"reference", `{"$ref":"#/$defs/a","description":"d","$defs":{"a":{"type":"string"}}}`, `1`,
			` type: got number 1, want string`},
		{"reference with siblings",
			`{"$ref":"#/$defs/a","minLength":3,"$defs":{"a":{"maxLength":1}}}`,
			`"ab"`,
			` maxLength: got 2 characters "ab", want at most 1` + "\n" +
				` minLength: got 2 characters "ab", want at least 3`},
		{"reference to the root", `{"properties":{"a":{"$ref":"#"}},"additionalProperties":false}`,
			`{"a":{"a":{"b":1}}}`,
			`/a/a/b additionalProperties: not a property here; the only property is "a"`},
		{"reference through an escape",
			`{"$ref":"#/$defs/a%25~1b","$defs":{"a%/b":{"type":"null"}}}`, `1`,
			` type: got number 1, want null`},
		{"reference from a base of its own",
			`{"properties":{"p":{"$id":"http://x/y","$ref":"#/$defs/a",` +
				`"$defs":{"a":{"type":"string"}}}},"$defs":{"a":{"type":"integer"}}}`, `{"p":"s"}`, ""},
		{"reference from a base of draft-04",
			`{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"p":{"id":"http://x/y",` +
				`"properties":{"q":{"$ref":"#/definitions/a"}},"definitions":{"a":{"type":"string"}}}},` +
				`"definitions":{"a":{"type":"integer"}}}`, `{"p":{"q":"s"}}`, ""},
		{"properties from a base of its own",
			`{"properties":{"p":{"$id":"http://x/y","$ref":"#/$defs/a","maxProperties":1,` +
				`"$defs":{"a":{"properties":{"x":{"type":"string"}},"required":["x"]}}}},` +
				`"$defs":{"a":{"properties":{"x":{"type":"integer"}}}}}`,
			`{"p":{"x":null}}`, `/p/x type: got null, want string`},
		{"union with null",
			`{"anyOf":[{"type":"string","minLength":2},{"type":"null"}],"description":"d"}`,
			`"a"`,
			` minLength: got 1 character "a", want at least 2`},
		{"union", `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `1.5`,
			` anyOf: got number 1.5, want string or integer`},
		{"oneOf", `{"oneOf":[{"minimum":1},{"maximum":3}]}`, `2`,
			` oneOf: got number 2, which is more than one of the forms of which it has to be exactly one`},
		{"not", `{"not":{"type":"string"}}`, `"x"`,
			` not: got string "x", which is a form that is not allowed`},
		{"allOf", `{"allOf":[{"minimum":3},{"properties":{"a":{"type":"string"}},"required":["a"]}]}`,
			`{"a":1}`,
			`/a type: got number 1, want string`},
		{"null for absent under allOf", `{"allOf":[{"properties":{"a":{"type":"string"}}}]}`,
			`{"a":null}`, ""},
		{"null for absent beside a reference",
			`{"properties":{"p":{"$ref":"#/$defs/a","minLength":1}},` +
				`"$defs":{"a":{"properties":{"x":{"type":"string"}}}}}`, `{"p":{"x":null}}`, ""},
		{"null for absent under the form of a name",
			`{"patternProperties":{"^x":{"properties":{"y":{"type":"string"}}}}}`, `{"xa":{"y":null}}`, ""},
		{"null below false under allOf", `{"allOf":[{}],"properties":{"a":false}}`,
			`{"a":{"b":null}}`,
			`/a properties: nothing is allowed here`},
		{"tuple", `{"items":[{"type":"string"}],"additionalItems":false}`, `["a",1]`,
			` additionalItems: got array of 2 items, which has more items than are allowed`},
		{"dependentRequired", `{"dependentRequired":{"a":["b"]}}`, `{"a":1}`,
			`/b dependentRequired: missing`},
		{"contains", `{"contains":{"const":1}}`, `[2]`,
			` contains: got array of 1 item, which lacks an item of the wanted form`},
		{"patternProperties", `{"patternProperties":{"^a":{"type":"string"}}}`, `{"ab":1}`,
			`/ab type: got number 1, want string`},
		{"draft-04 bounds", `{"minimum":1,"exclusiveMinimum":true}`, `1`,
			` exclusiveMinimum: got 1, want more than 1`},
		{"long values are shortened", `{"type":"integer"}`, `"` + strings.Repeat("x", 300) + `"`,
			` type: got string "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", want integer`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := compile(t, tt.schema, nil)
			found := p.Validate(check(t, tt.text))
			require.Equal(t, tt.want, lines(found.Problems))
			require.Equal(t, len(found.Problems), found.Total)
			if strings.Contains(tt.name, "null for absent") {
				return // this is jig's own rule
			}
			doc, err := general.Compile([]byte(tt.schema))
			require.NoError(t, err)
			whole, err := doc.Sub("")
			require.NoError(t, err)
			require.Equal(t, tt.want == "", whole.Valid([]byte(tt.text)), "the general validator")
		})
	}
}

type rec = struct {
	N int    `json:"n"`
	S string `json:"s"`
}

// TestDecode pins what each kind of value fills, and the words where it cannot.
func TestDecode(t *testing.T) {
	type fields = struct {
		I8  int8            `json:"i8,omitempty"`
		U8  uint8           `json:"u8,omitempty"`
		I64 int64           `json:"i64,omitempty"`
		U64 uint64          `json:"u64,omitempty"`
		F32 float32         `json:"f32,omitempty"`
		F64 float64         `json:"f64,omitempty"`
		D   time.Duration   `json:"dur,omitempty"`
		T   time.Time       `json:"when,omitempty"`
		B   []byte          `json:"data,omitempty"`
		Any any             `json:"any,omitempty"`
		Raw json.RawMessage `json:"raw,omitempty"`
		Map map[string]any  `json:"map,omitempty"`
		Int map[int]string  `json:"ints,omitempty"`
		Arr [2]int          `json:"pair,omitempty"`
		P   *int            `json:"ptr,omitempty"`
		Q   *int            `json:"quoted,omitempty,string"`
		Big *big.Int        `json:"big,omitempty"`
		Num json.Number     `json:"num,omitempty"`
		Def int             `json:"def,omitempty" jsonschema:"default=10"`
		Sub struct {
			L int    `json:"limit,omitempty" jsonschema:"default=5"`
			M string `json:"mode,omitempty" jsonschema:"enum=fast,enum=slow"`
		} `json:"sub,omitzero"`
		List []rec `json:"list,omitempty"`
	}
	tests := []struct {
		name, text string
		want       fields // where there are no problems; Def is 10 unless set
		problems   string
	}{
		{name: "empty", text: `{}`},
		{name: "integer forms", text: `{"i8":5.0,"u8":1e2,"i64":50e-1,"u64":-0.0}`,
			want: fields{I8: 5, U8: 100, I64: 5}},
		{name: "fraction", text: `{"i8":1.5}`,
			problems: `/i8 type: got number 1.5, want integer`},
		{name: "ranges",
			text: `{"i8":-129,"u8":300,"i64":9223372036854775808,"u64":-1,"f32":3.5e38,"f64":1e400}`,
			problems: `/f32 maximum: got 3.5e38, want at most 3.4028235e38` + "\n" +
				`/f64 maximum: got 1e400, want at most 1.7976931348623157e308` + "\n" +
				`/i64 maximum: got 9223372036854775808, want at most 9223372036854775807` + "\n" +
				`/i8 minimum: got -129, want at least -128` + "\n" +
				`/u64 minimum: got -1, want at least 0` + "\n" +
				`/u8 maximum: got 300, want at most 255`},
		{name: "exact",
			text: `{"i64":9007199254740993,"any":9007199254740993,"map":{"a":[9007199254740993]},` +
				`"raw":{"a":9007199254740993},"num":9007199254740993,"big":9007199254740993}`,
			want: fields{I64: 9007199254740993, Any: json.Number("9007199254740993"),
				Map: map[string]any{"a": []any{json.Number("9007199254740993")}},
				Raw: json.RawMessage(`{"a":9007199254740993}`), Num: "9007199254740993",
				Big: big.NewInt(9007199254740993)}},
		{name: "one form for equal values",
			text: `{"any":{"b":5.0,"a":5e0},"raw":{"b":1.50, "a":null},"num":5.0}`,
			want: fields{Any: map[string]any{"a": json.Number("5"), "b": json.Number("5")},
				Raw: json.RawMessage(`{"a":null,"b":1.5}`), Num: "5"}},
		{name: "duration", text: `{"dur":"30s"}`, want: fields{D: 30 * time.Second}},
		{name: "bare duration", text: `{"dur":30}`,
			problems: `/dur type: got number 30, want string`},
		{name: "duration without a unit", text: `{"dur":"30"}`,
			problems: `/dur pattern: got "30", want a duration such as "1m30s"`},
		{name: "duration out of range", text: `{"dur":"9999999999h"}`,
			problems: `/dur format: got "9999999999h", want a duration such as "1m30s"`},
		{name: "time", text: `{"when":"2024-01-02T03:04:05Z"}`,
			want: fields{T: time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)}},
		{name: "no time", text: `{"when":"2024-02-30T00:00:00Z"}`,
			problems: `/when format: got "2024-02-30T00:00:00Z", want a date-time such as "2006-01-02T15:04:05Z"`},
		{name: "base64", text: `{"data":"aGk="}`, want: fields{B: []byte("hi")}},
		{name: "no base64", text: `{"data":"not base64!"}`,
			problems: `/data format: got "not base64!", want base64`},
		{name: "integer keys", text: `{"ints":{"1":"a","-2":"b"}}`,
			want: fields{Int: map[int]string{1: "a", -2: "b"}}},
		{name: "odd integer keys", text: `{"ints":{"01":"a","-0":"b","1.0":"c","x":"d","1":"e"}}`,
			problems: `/ints/-0 propertyNames: a property of this name is not allowed here` + "\n" +
				`/ints/01 propertyNames: a property of this name is not allowed here` + "\n" +
				`/ints/1.0 propertyNames: a property of this name is not allowed here` + "\n" +
				`/ints/x propertyNames: a property of this name is not allowed here`},
		{name: "array", text: `{"pair":[1,2]}`, want: fields{Arr: [2]int{1, 2}}},
		{name: "array too short", text: `{"pair":[1]}`,
			problems: `/pair minItems: got 1 item, want at least 2`},
		{name: "array too long", text: `{"pair":[1,2,3]}`,
			problems: `/pair maxItems: got 3 items, want at most 2`},
		{name: "null for a pointer and for absent",
			text: `{"ptr":null,"i8":null,"def":null,"sub":null,"any":null}`},
		{name: "pointer", text: `{"ptr":7,"quoted":"-8"}`, want: fields{P: new(7), Q: new(-8)}},
		{name: "quoted wrongly", text: `{"quoted":-8}`,
			problems: `/quoted type: got number -8, want string or null`},
		{name: "explicit value beats default", text: `{"def":1}`, want: fields{Def: 1}},
		{name: "nested",
			text: `{"sub":{"limit":9,"mode":"fast"},"list":[{"n":1,"s":"a"},{"n":2,"s":"b"}]}`,
			want: func() fields {
				f := fields{List: []rec{{1, "a"}, {2, "b"}}}
				f.Sub.L, f.Sub.M = 9, "fast"
				return f
			}()},
		{name: "nested default", text: `{"sub":{}}`, want: func() fields {
			f := fields{}
			f.Sub.L = 5
			return f
		}()},
		{name: "everything wrong at once",
			text: `{"i8":"1","sub":{"mode":"FAST","limit":"x"},"list":[{"n":1},{"s":2}],"i46":1,"ptr":[]}`,
			problems: `/i46 additionalProperties: not a property here; did you mean "i64"?` + "\n" +
				`/i8 type: got string "1", want integer` + "\n" +
				`/list/0/s required: missing, want string` + "\n" +
				`/list/1/n required: missing, want integer` + "\n" +
				`/list/1/s type: got number 2, want string` + "\n" +
				`/ptr type: got array of 0 items, want integer or null` + "\n" +
				`/sub/limit type: got string "x", want integer` + "\n" +
				`/sub/mode enum: got "FAST", want one of "fast", "slow"; did you mean "fast"?`},
		{name: "case of a key", text: `{"I8":1,"SUB":{}}`,
			problems: `/I8 additionalProperties: not a property here; did you mean "i8"?` + "\n" +
				`/SUB additionalProperties: not a property here; did you mean "sub"?`},
	}
	p := newSubject(t, of[fields]()).plan
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got fields
			found := p.Decode(check(t, tt.text), reflect.ValueOf(&got).Elem())
			require.Equal(t, tt.problems, lines(found.Problems))
			require.Empty(t, found.Dropped)
			if tt.problems != "" {
				for range 1000 {
					again := p.Decode(check(t, tt.text), reflect.New(of[fields]()).Elem())
					require.Equal(t, found, again)
				}
				return
			}
			if tt.want.Def == 0 {
				tt.want.Def = 10
			}
			require.Equal(t, tt.want, got)
		})
	}
}

// TestTokens shows names in pointers: escaped, and shortened in the middle.
func TestTokens(t *testing.T) {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	p := compile(t, `{"additionalProperties":false}`, nil)
	for _, name := range []string{"", "plain", "with space", `"`, "a/b", "~", "~/~1", "Zoë", "城市",
		strings.Repeat("n", 200), strings.Repeat("n", 201), strings.Repeat("/", 150),
		strings.Repeat("é", 101)} {
		raw, err := json.Marshal(map[string]int{name: 1})
		require.NoError(t, err)
		want := "/" + clip.Middle(escape.Replace(name), 200)
		require.Equal(t, want, p.Validate(check(t, string(raw))).Problems[0].Pointer, name)
	}
}
