package plan_test

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jig-go/jig/internal/plan"
	"github.com/jig-go/jig/internal/tree"
	"github.com/stretchr/testify/require"
)

type order struct {
	Order  string         `json:"orderId"`
	Days   int            `json:"days,omitempty"`
	Tags   []string       `json:"tags,omitempty"`
	Counts map[string]int `json:"counts,omitempty"`
	Meta   any            `json:"meta,omitempty"`
	Inner  *order         `json:"inner,omitempty"`
}

// TestUnknownMembers pins what happens to members that a struct has no place for.
func TestUnknownMembers(t *testing.T) {
	const declared = `"properties":{"orderId":{"type":"string"},"days":{"type":"integer"},` +
		`"inner":{"$ref":"#"}}`
	tests := []struct {
		name, schema, text string
		want               order
		dropped            []string
		problems           string
	}{
		{"dropped", `{` + declared + `}`, `{"zebra":1,"orderId":"a","~/x":null}`, order{Order: "a"},
			[]string{"/zebra", "/~0~1x"}, ""},
		{"dropped at depth, sorted", `{` + declared + `}`,
			`{"zebra":1,"inner":{"yak":{},"orderId":"b"}}`,
			order{Inner: &order{Order: "b"}}, []string{"/inner/yak", "/zebra"}, ""},
		{"typo of an absent name", `{` + declared + `}`, `{"order_id":"a"}`, order{}, nil,
			`/order_id additionalProperties: not a property here; did you mean "orderId"?`},
		{"near to a name that is there", `{` + declared + `}`, `{"order_id":"a","orderId":"b"}`,
			order{Order: "b"}, []string{"/order_id"}, ""},
		{"closed", `{` + declared + `,"additionalProperties":false}`, `{"zebra":1}`, order{}, nil,
			`/zebra additionalProperties: not a property here; the properties are "orderId", "days", "inner"`},
		{"values still checked", `{` + declared + `,"additionalProperties":{"type":"string"}}`,
			`{"zebra":1}`, order{}, []string{"/zebra"}, `/zebra type: got number 1, want string`},
		{"typo under allOf", `{"allOf":[{` + declared + `}]}`, `{"order_id":"a"}`, order{}, nil,
			`/order_id additionalProperties: not a property here; did you mean "orderId"?`},
		{"no properties declared", `{"type":"object"}`, `{"orderId":"a","days":1e1,"tags":["x"]}`,
			order{Order: "a", Days: 10, Tags: []string{"x"}}, nil, ""},
		{"no properties declared, closed", `{"properties":{},"additionalProperties":false}`,
			`{"orderId":"a"}`, order{}, nil,
			`/orderId additionalProperties: not a property here; ` +
				`no properties are allowed`},
		{"only a schema for all values", `{"additionalProperties":{"type":"string"}}`,
			`{"orderId":"a"}`,
			order{Order: "a"}, nil, ""},
		{"schema without a word", `{"properties":{"inner":true}}`,
			`{"inner":{"orderId":"a","zebra":1,"inner":{"days":3}}}`,
			order{Inner: &order{Order: "a", Inner: &order{Days: 3}}}, []string{"/inner/zebra"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := compile(t, tt.schema, of[order]())
			var got order
			found := p.Decode(check(t, tt.text), reflect.ValueOf(&got).Elem())
			require.Equal(t, tt.problems, lines(found.Problems))
			require.Equal(t, tt.dropped, found.Dropped)
			if tt.problems == "" {
				require.Equal(t, tt.want, got)
				again := order{}
				canonical := p.Canonical(nil, check(t, tt.text))
				found = p.Decode(canonical, reflect.ValueOf(&again).Elem())
				require.Empty(t, found.Problems)
				require.Empty(t, found.Dropped, "%s", canonical)
				require.Equal(t, got, again)
			}
		})
	}
}

// TestHandwrittenSchemas fills structs where another validator gives the verdict, and by schemas
// that say less than the Go type needs.
func TestHandwrittenSchemas(t *testing.T) {
	type args struct {
		A   uint8            `json:"a"`
		B   string           `json:"b"`
		C   *int             `json:"c"`
		Two [2]int           `json:"two"`
		M   map[int]bool     `json:"m"`
		N   map[string]any   `json:"n"`
		K   map[named]string `json:"k"`
		D   time.Duration    `json:"d"`
	}
	tests := []struct {
		name, schema, text string
		want               args
		problems           string
	}{
		{"allOf with default and null",
			`{"allOf":[{"properties":{"a":{"type":"integer","default":7}}},` +
				`{"properties":{"b":{"type":"string","default":"x"}}}]}`, `{"a":null}`, args{A: 7,
				B: "x"}, ""},
		{"required in another branch",
			`{"properties":{"a":{"type":"integer"}},"allOf":[{"required":["a"]}]}`,
			`{"a":null}`, args{}, `/a type: got null, want integer`},
		{"anyOf", `{"anyOf":[{"properties":{"a":{"type":"integer"}},"required":["a"]},` +
			`{"properties":{"b":{"type":"string"}},"required":["b"]}]}`, `{"b":"x"}`, args{B: "x"},
			""},
		{"beside a reference", `{"$ref":"#/$defs/x","properties":{"b":{"type":"string"}},` +
			`"$defs":{"x":{"properties":{"a":{"type":"integer"}}}}}`, `{"a":1,"b":"y"}`, args{A: 1,
			B: "y"}, ""},
		{"number out of Go's range", `{"properties":{"a":{"type":"integer"},"b":{}}}`,
			`{"a":300,"b":1}`, args{},
			"/a type: got number 300, want an integer from 0 to 255\n/b type: got number 1, want a string"},
		{"number out of range under oneOf", `{"properties":{"a":{"oneOf":[{"type":"integer"}]}}}`,
			`{"a":-1}`,
			args{}, "/a type: got number -1, want an integer from 0 to 255"},
		{"array of another length", `{"properties":{"two":{"type":"array"}}}`, `{"two":[1]}`,
			args{},
			"/two type: got array of 1 item, want an array of 2 items"},
		{"keys that are no integers",
			`{"properties":{"m":{"type":"object","propertyNames":{"maxLength":9}}}}`,
			`{"m":{"1":true,"x":true,"01":true}}`, args{},
			"/m/01 propertyNames: a property of this name is not allowed here\n" +
				"/m/x propertyNames: a property of this name is not allowed here"},
		{"no object for a map", `{"properties":{"n":{}}}`, `{"n":[1]}`, args{},
			"/n type: got array of 1 item, want an object"},
		{"map of a named key", `{"properties":{"k":{}}}`, `{"k":{"x":"y"}}`,
			args{K: map[named]string{"x": "y"}}, ""},
		{"default of a map entry",
			`{"properties":{"m":{"properties":{"1":{"type":"boolean","default":true}}}}}`,
			`{"m":{"2":false}}`, args{M: map[int]bool{1: true, 2: false}}, ""},
		{"unreadable text", `{"properties":{"d":{"type":"string"}}}`, `{"d":"soon"}`, args{},
			`/d type: got string "soon", want a duration such as "1m30s"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := compile(t, tt.schema, of[args]())
			require.Empty(t, p.Faults())
			var got args
			found := p.Decode(check(t, tt.text), reflect.ValueOf(&got).Elem())
			require.Equal(t, tt.problems, lines(found.Problems))
			if tt.problems == "" {
				require.Equal(t, tt.want, got)
			}
		})
	}
}

type named string

func TestFaults(t *testing.T) {
	type args struct {
		A int            `json:"a"`
		B string         `json:"b"`
		C int8           `json:"c"`
		D int            `json:"d"`
		L []int          `json:"l"`
		M map[string]int `json:"m"`
	}
	tests := []struct{ name, schema, want string }{
		{"name with a slash", `{"properties":{"y/~":{}}}`,
			"/properties/y~1~0 properties: the struct has no field with this JSON name"},
		{"item", `{"properties":{"l":{"items":{"type":"string"}}}}`,
			"/properties/l/items type: the schema's type is string, and the Go field takes number"},
		{"item of a tuple", `{"properties":{"l":{"prefixItems":[{"type":"number"},{"type":"string"}]}}}`,
			"/properties/l/prefixItems/1 type: the schema's type is string, and the Go field takes number"},
		{"value of a map", `{"properties":{"m":{"additionalProperties":{"type":"string"}}}}`,
			"/properties/m/additionalProperties type: the schema's type is string, and the Go field takes number"},
		{"value of any field", `{"additionalProperties":{"type":["string","number","object"]}}`,
			"/additionalProperties type: the schema's type is string or number or object, and the Go field takes array\n" +
				"/additionalProperties type: the schema's type is string or number or object, and the Go field takes number\n" +
				"/additionalProperties type: the schema's type is string or number or object, and the Go field takes object\n" +
				"/additionalProperties type: the schema's type is string or number or object, and the Go field takes string"},
		{"inside the form of a name", `{"propertyNames":{"properties":{"d":{"type":"string","default":1}}}}`,
			"/propertyNames/properties/d default: the default 1 is refused by its own schema: got number 1, want string"},
		{"under patterns of names", `{"patternProperties":{"^y/":{"properties":{"d":{"type":"string","default":1}}}},` +
			`"additionalProperties":{"properties":{"e":{"type":"string","default":2}}}}`,
			"/additionalProperties/properties/e default: the default 2 is refused by its own schema: got number 2, want string\n" +
				"/patternProperties/^y~1/properties/d default: the default 1 is refused by its own schema: got number 1, want string"},
		{"unknown property", `{"properties":{"a":{"type":"integer"},"z":{}}}`,
			"/properties/z properties: the struct has no field with this JSON name"},
		{"in a branch of allOf", `{"allOf":[{"properties":{"z":{}}}]}`,
			"/allOf/0/properties/z properties: the struct has no field with this JSON name"},
		{"another kind", `{"properties":{"a":{"type":"string"},"b":{"type":["string","array"]}}}`,
			"/properties/a type: the schema's type is string, and the Go field takes number\n" +
				"/properties/b type: the schema's type is string or array, and the Go field takes string"},
		{"another kind behind null",
			`{"properties":{"a":{"anyOf":[{"type":"array"},{"type":"null"}]}}}`,
			"/properties/a/anyOf/0 type: the schema's type is array, and the Go field takes number"},
		{"default", `{"properties":{"a":{"type":"integer","minimum":3,"default":1}}}`,
			"/properties/a default: the default 1 is refused by its own schema: got 1, want at least 3"},
		{"value of another kind", `{"properties":{"a":{"enum":["a",1,null]},"b":{"const":1}}}`,
			"/properties/a enum: the Go field cannot hold the value \"a\"\n" +
				"/properties/b const: the Go field cannot hold the value 1"},
		{"value out of range", `{"properties":{"c":{"enum":[127,128,1.5]}}}`,
			"/properties/c enum: the Go field cannot hold the value 1.5\n" +
				"/properties/c enum: the Go field cannot hold the value 128"},
		{"value that its type refuses", `{"properties":{"a":{"type":"integer","enum":[1,"a"]}}}`, ""},
		{"branch of another kind",
			`{"properties":{"b":{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}}}`,
			"/properties/b/anyOf/1 type: the schema's type is integer, and the Go field takes string"},
		{"branch that the type excludes",
			`{"properties":{"b":{"type":"string","oneOf":[{"minLength":1},{"type":"integer"}]}}}`, ""},
		{"branches of the whole", `{"anyOf":[{"properties":{"a":{"type":"string"}}},{"allOf":[` +
			`{"properties":{"z":{}}}]}]}`,
			"/anyOf/0/properties/a type: the schema's type is string, and the Go field takes number\n" +
				"/anyOf/1/properties/z properties: the struct has no field with this JSON name"},
		{"null is no fault", `{"properties":{"a":{"type":["integer","null"],"default":null}}}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, lines(compile(t, tt.schema, of[args]()).Faults()))
		})
	}
}

// TestCanonical pins that equal arguments have one form.
func TestCanonical(t *testing.T) {
	type inner struct {
		X *int   `json:"x,omitempty"`
		Y string `json:"y,omitempty" jsonschema:"default=why"`
	}
	type args struct {
		N   float64        `json:"n"`
		S   string         `json:"s,omitempty"`
		In  *inner         `json:"in,omitempty"`
		All []inner        `json:"all,omitempty"`
		Map map[string]any `json:"map,omitempty"`
		Any any            `json:"any,omitempty"`
		Def []string       `json:"def,omitempty" jsonschema:"default=[\"a\"]"`
	}
	p := newSubject(t, of[args]()).plan
	tests := []struct {
		name, want string
		texts      []string
	}{
		{"numbers", `{"def":["a"],"n":5}`,
			[]string{`{"n":5}`, `{"n":5.0}`, `{"n":5e0}`, `{"n":50e-1}`, `{"n":0.5E+1}`}},
		{"zero", `{"def":["a"],"n":0}`, []string{`{"n":0}`, `{"n":-0.0}`, `{"n":0e9}`}},
		{"order, unknown members and nulls", `{"def":["a"],"n":1,"s":"x"}`, []string{
			`{"n":1,"s":"x"}`, `{"s":"x","n":1}`,
			`{"zebra":[1],"n":1,"s":"\u0078","all":null,"def":null}`}},
		{"defaults", `{"def":["a"],"in":{"x":null,"y":"why"},"n":1}`, []string{
			`{"n":1,"in":{"x":null}}`, `{"in":{"y":null,"x":null},"n":1}`,
			`{"n":1,"def":["a"],"in":{"x":null,"y":"why"}}`}},
		{"nested", `{"all":[{"x":1,"y":"why"},{"y":""}],"def":[],"n":1}`, []string{
			`{"n":1,"def":[],"all":[{"zebra":1,"x":1.0},{"y":""}]}`}},
		{"maps and any keep all",
			`{"any":{"a":null,"b":[1.5]},"def":["a"],"map":{"k":null,"z":1},"n":1}`, []string{
				`{"n":1,"map":{"z":1.0,"k":null},"any":{"b":[15e-1],"a":null}}`}},
		{"exact", `{"any":9007199254740993,"def":["a"],"n":1}`,
			[]string{`{"n":1,"any":9007199254740993}`}},
		{"exact, the other", `{"any":9007199254740992,"def":["a"],"n":1}`,
			[]string{`{"n":1,"any":9007199254740992.0}`}},
	}
	for _, tt := range tests {
		for _, text := range tt.texts {
			t.Run(tt.name+" "+text, func(t *testing.T) {
				var v, w args
				require.Empty(t, p.Decode(check(t, text), reflect.ValueOf(&v).Elem()).Problems)
				got := p.Canonical(nil, check(t, text))
				require.Equal(t, tt.want, string(got))
				require.Empty(t, p.Decode(got, reflect.ValueOf(&w).Elem()).Problems)
				require.Equal(t, v, w)
			})
		}
	}
}

// TestManyProblems pins the bound on what is kept, and that none is said twice.
func TestManyProblems(t *testing.T) {
	p := compile(t, `{"items":{"type":"integer"}}`, nil)
	found := p.Validate(check(t, `[`+strings.Repeat(`"x",`, 2000)+`"x"]`))
	require.Equal(t, 2001, found.Total)
	require.Len(t, found.Problems, 1000)
	seen := map[plan.Problem]bool{}
	for _, problem := range found.Problems {
		require.False(t, seen[problem], "%v", problem)
		seen[problem] = true
	}
}

// TestOneSchemaForAnotherType decodes by the schema of one type into another.
func TestOneSchemaForAnotherType(t *testing.T) {
	from := newSubject(t, of[struct{ D time.Duration }]())
	into := newSubject(t, of[struct{ D string }]())
	p, err := plan.Compile(from.node, into.typ, nil)
	require.NoError(t, err)
	var v struct{ D string }
	found := p.Decode([]byte(`{"D":"9999999999h"}`), reflect.ValueOf(&v).Elem())
	require.Equal(t, `/D format: got "9999999999h", want a duration such as "1m30s"`,
		lines(found.Problems))
	require.Equal(t, found, p.Validate([]byte(`{"D":"9999999999h"}`)))
}

func TestCompileNodes(t *testing.T) {
	s := newSubject(t, of[struct {
		N []*int `jsonschema:"enum=1,enum=2"`
	}]())
	items := s.node.Property("N").Get("items").Node
	plans, err := plan.CompileNodes(s.node, []*tree.Node{items, s.node}, nil)
	require.NoError(t, err)
	require.Empty(t, plans[0].Validate([]byte("null")).Problems)
	require.Equal(t, " enum: got 3, want one of 1, 2, null", lines(plans[0].Validate([]byte("3")).Problems))
	require.Equal(t, ` type: got number 1, want object`, lines(plans[1].Validate([]byte("1")).Problems))
}

// TestConcurrentDecode uses one plan, and the pool behind it, in many goroutines.
func TestConcurrentDecode(t *testing.T) {
	p := newSubject(t, of[order]()).plan
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for j := range 200 {
				var v order
				found := p.Decode(fmt.Appendf(nil, `{"orderId":"%d","days":%d,"zebra":{}}`, i, j),
					reflect.ValueOf(&v).Elem())
				if found.Total != 0 || v.Order != fmt.Sprint(i) || v.Days != j || len(found.Dropped) != 1 {
					t.Errorf("Decode = %v, %v", found, v)
				}
				if bad := p.Validate([]byte(`{"days":"x"}`)); len(bad.Problems) != 2 {
					t.Errorf("Validate = %v", bad)
				}
			}
		})
	}
	group.Wait()
}
