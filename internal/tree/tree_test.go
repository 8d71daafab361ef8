package tree

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func parse(t *testing.T, text string) *Node {
	t.Helper()
	n, ok := Parse([]byte(text))
	require.True(t, ok, text)
	return n
}

func render(n *Node) string { return string(n.Append(nil, Form{Enforced: true, Identity: true})) }

func TestParseAndAppend(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"true", `true`, `true`},
		{"order is kept", `{"b":1,"a":2,"type":"object"}`, `{"b":1,"a":2,"type":"object"}`},
		{"white space goes", "{ \"type\" : [ \"string\" , \"null\" ] }",
			`{"type":["string","null"]}`},
		{"no HTML escapes", `{"description":"a \u003c b"}`, `{"description":"a < b"}`},
		{"properties named like keywords",
			`{"properties":{"title":{},"$ref":{"type":"string"},"properties":true}}`,
			`{"properties":{"title":{},"$ref":{"type":"string"},"properties":true}}`},
		{"schema-like data", `{"enum":[{"$ref":"x"}],"default":{"properties":1}}`,
			`{"enum":[{"$ref":"x"}],"default":{"properties":1}}`},
		{"tuple", `{"items":[{},{"type":"null"}],"additionalItems":false}`,
			`{"items":[{},{"type":"null"}],"additionalItems":false}`},
		{"wrong shapes are kept", `{"properties":[1],"anyOf":{"a":1},"not":7,"items":"x"}`,
			`{"properties":[1],"anyOf":{"a":1},"not":7,"items":"x"}`},
		{"empty tables", `{"properties":{},"anyOf":[],"$defs":{}}`,
			`{"properties":{},"anyOf":[],"$defs":{}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, render(parse(t, tt.text))) })
	}
	for _, text := range []string{`1`, `"x"`, `null`, `[]`} {
		_, ok := Parse([]byte(text))
		require.False(t, ok, text)
	}
}

func TestForms(t *testing.T) {
	n := parse(t,
		`{"$schema":"x","$id":"y","$comment":"z","description":"d","properties":{"$id":{"description":"e"}}}`)
	n.Set(Member{Key: "maximum", Raw: []byte("9"), Enforced: true})
	tests := []struct {
		name string
		form Form
		want string
	}{
		{"shown", Form{}, `{"description":"d","properties":{"$id":{"description":"e"}}}`},
		{"enforced", Form{Enforced: true},
			`{"description":"d","properties":{"$id":{"description":"e"}},"maximum":9}`},
		{"no descriptions", Form{NoDescriptions: true}, `{"properties":{"$id":{}}}`},
		{"identity", Form{Identity: true},
			`{"$schema":"x","$id":"y","$comment":"z","description":"d",` +
				`"properties":{"$id":{"description":"e"}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, string(n.Append(nil, tt.form))) })
	}
}

func TestAt(t *testing.T) {
	n := parse(t, `{"properties":{"a/b":{"items":[true,{"title":"in tuple"}]},"a":{"title":"a"},
		"~":{"anyOf":[{"title":"branch"}]}},"$defs":{"":{"title":"empty"}}}`)
	tests := []struct{ pointer, want string }{
		{"/properties/a~1b/items/1", `{"title":"in tuple"}`}, {"/properties/a", `{"title":"a"}`},
		{"/properties/~0/anyOf/0", `{"title":"branch"}`}, {"/$defs/", `{"title":"empty"}`},
		{"/properties/a~1b/items/0", `true`},
	}
	for _, tt := range tests {
		t.Run(tt.pointer, func(t *testing.T) { require.Equal(t, tt.want, render(n.At(tt.pointer))) })
	}
	require.Same(t, n, n.At(""))
	for _, pointer := range []string{"/properties", "/properties/b", "x", "/",
		"/properties/a/title"} {
		require.Nil(t, n.At(pointer), pointer)
	}
}

func TestNullable(t *testing.T) {
	tests := []struct{ name, schema, want string }{
		{"type", `{"type":"string","minLength":1}`, `{"type":["string","null"],"minLength":1}`},
		{"types", `{"type":["string","integer"]}`, `{"type":["string","integer","null"]}`},
		{"enum", `{"type":"string","enum":["a"]}`, `{"type":["string","null"],"enum":["a",null]}`},
		{"enum that has null", `{"type":"string","enum":["a",null]}`,
			`{"type":["string","null"],"enum":["a",null]}`},
		{"enum without a type", `{"enum":["a"]}`, `{"enum":["a",null]}`},
		{"empty enum", `{"type":"string","enum":[]}`, `{"type":["string","null"],"enum":[null]}`},
		{"reference", `{"$ref":"#/$defs/a","description":"d"}`,
			`{"anyOf":[{"$ref":"#/$defs/a"},{"type":"null"}],"description":"d"}`},
		{"const", `{"const":1}`, `{"anyOf":[{"const":1},{"type":"null"}]}`},
		{"union", `{"type":"string","oneOf":[{"minLength":1},{"maxLength":0}]}`,
			`{"anyOf":[{"type":"string","oneOf":[{"minLength":1},{"maxLength":0}]},{"type":"null"}]}`},
		{"false", `false`, `{"anyOf":[false,{"type":"null"}]}`},
		{"null already", `{"type":["null","string"]}`, `{"type":["null","string"]}`},
		{"null among branches", `{"anyOf":[{"$ref":"#"},{"type":"null"}]}`,
			`{"anyOf":[{"$ref":"#"},{"type":"null"}]}`},
		{"anything", `{"description":"d"}`, `{"description":"d"}`},
		{"true", `true`, `true`},
		{"null constant", `{"const":null}`, `{"const":null}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := parse(t, tt.schema)
			out := Nullable(n)
			require.Equal(t, tt.want, render(out))
			require.Equal(t, tt.schema, render(n), "n is not changed")
			require.True(t, out.AcceptsNull())
			require.Same(t, out, Nullable(out), "once is enough")
		})
	}
}

func TestAcceptsNull(t *testing.T) {
	tests := []struct {
		schema string
		want   bool
	}{
		{`{}`, true}, {`true`, true}, {`false`, false}, {`{"type":"null"}`, true},
		{`{"type":"string"}`, false}, {`{"enum":[1,null]}`, true},
		{`{"type":"integer","enum":[1,null]}`, false},
		{`{"const":null}`, true}, {`{"$ref":"#/$defs/null"}`, false}, {`{"not":{}}`, false},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, true}, {`{"anyOf":[{"type":"string"}]}`,
			false},
		{`{"allOf":[{"type":"null"}]}`, false}, {`{"type":"string","anyOf":[{},{"type":"null"}]}`,
			false},
	}
	for _, tt := range tests {
		t.Run(tt.schema, func(t *testing.T) { require.Equal(t, tt.want, parse(t, tt.schema).AcceptsNull()) })
	}
}

func TestClone(t *testing.T) {
	n := parse(t, `{"properties":{"a":{"items":{"type":"string"}}},"anyOf":[{"not":{}}]}`)
	before := render(n)
	c := n.Clone()
	for _, at := range []string{"/properties/a", "/properties/a/items", "/anyOf/0", "/anyOf/0/not",
		""} {
		c.At(at).SetString("title", "changed")
	}
	require.Equal(t, before, render(n))
	require.NotEqual(t, before, render(c))
}

func TestMembers(t *testing.T) {
	n := parse(t,
		`{"type":"string","enum":[1,"a",{"b":[]}],"required":["x","y"],"uniqueItems":true}`)
	require.Equal(t, []string{"string"}, n.Types())
	require.Equal(t, [][]byte{[]byte("1"), []byte(`"a"`), []byte(`{"b":[]}`)}, n.Values("enum"))
	require.Equal(t, []string{"x", "y"}, n.Strings("required"))
	require.Nil(t, n.Strings("uniqueItems"))
	require.Nil(t, n.Values("type"))
	n.SetString("type", "integer")
	n.SetStrings("required", nil)
	n.Delete("enum")
	n.SetRaw("minimum", "1")
	require.Equal(t, `{"type":"integer","required":[],"uniqueItems":true,"minimum":1}`, render(n))
}

func TestOracle(t *testing.T) {
	n := parse(t,
		`{"properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":["string","null"]},
		"d":{"$ref":"#/properties/b"},"e":{"type":"object","properties":{"f":{"type":"integer"}}}},"required":["a"]}`)
	n.Property("a").Text = &Text{Valid: func(s string) bool { return s == "x" }}
	n.Property("b").SetString("format", "date-time")
	n.Property("b").Text = &Text{Valid: func(s string) bool { return s == "y" }}
	n.Property("c").Set(Member{Key: "format", Raw: []byte(`"go-c"`), Enforced: true})
	n.Property("c").Text = &Text{Valid: func(s string) bool { return s == "z" }}
	before := render(n)
	schema, formats := Oracle(n)
	require.Equal(t, `{"properties":{"a":{"type":"string","format":"text-1"},`+
		`"b":{"anyOf":[{"type":"string","allOf":[{"format":"date-time"},{"format":"text-2"}]},{"type":"null"}]},`+
		`"c":{"type":["string","null"],"format":"text-3"},`+
		`"d":{"anyOf":[{"$ref":"#/properties/b"},{"type":"null"}]},`+
		`"e":{"anyOf":[{"type":"object","properties":{"f":{"anyOf":[{"type":"integer"},{"type":"null"}]}}},`+
		`{"type":"null"}]}},"required":["a"]}`, string(schema))
	require.Len(t, formats, 3)
	require.True(t, formats["text-1"]("x") && formats["text-2"]("y") && formats["text-3"]("z"))
	require.Equal(t, before, render(n))
}

// TestChildren visits the schemas inside one in their order, each with the step that leads there.
func TestChildren(t *testing.T) {
	n := parse(t, `{"type":"object","properties":{"a":{"type":"string"},"b/c":true},"items":{},`+
		`"anyOf":[{"const":1},{"not":{}}],"$defs":{"D":{}},"additionalProperties":false,"enum":[{}]}`)
	var keys, pointers []string
	for step, child := range n.Children() {
		keys, pointers = append(keys, step.Key), append(pointers, step.Pointer())
		require.Same(t, child, n.At(step.Pointer()))
	}
	require.Equal(t, []string{"properties", "properties", "items", "anyOf", "anyOf", "$defs",
		"additionalProperties"}, keys)
	require.Equal(t, []string{"/properties/a", "/properties/b~1c", "/items", "/anyOf/0", "/anyOf/1",
		"/$defs/D", "/additionalProperties"}, pointers)
	require.Equal(t, 1+len(keys)+1, n.Count()) // and the schema inside not
	for stop := range keys {
		seen := 0
		for range n.Children() {
			if seen++; seen > stop {
				break
			}
		}
		require.Equal(t, stop+1, seen)
	}
}

func TestStrings(t *testing.T) {
	tests := []struct {
		value string
		want  []string
	}{
		{`"a"`, []string{"a"}}, {`["a","b\"\u00e9","","c"]`, []string{"a", "b\"é", "", "c"}},
		{`["a",1]`, nil}, {`[]`, nil}, {`{"a":"b"}`, nil}, {`1`, nil},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, parse(t, `{"enum":`+tt.value+`}`).Strings("enum"), tt.value)
	}
}

// TestChildrenRenamed renames a keyword while the schemas under it are visited.
func TestChildrenRenamed(t *testing.T) {
	for _, schema := range []string{`{"oneOf":[{},{}]}`, `{"properties":{"a":{},"b":{}}}`} {
		n := parse(t, schema)
		was := n.Members[0].Key
		for step := range n.Children() {
			require.Equal(t, was, step.Key)
			n.Members[0].Key = "anyOf"
		}
	}
}
