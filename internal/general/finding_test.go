package general

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func mustSub(t *testing.T, schema, pointer string) *Schema {
	t.Helper()
	doc, err := Compile([]byte(schema))
	require.NoError(t, err)
	s, err := doc.Sub(pointer)
	require.NoError(t, err)
	return s
}

func TestProblems(t *testing.T) {
	tests := []struct {
		name, schema, instance string
		want                   []Finding
	}{
		{"valid", `{}`, `1`, nil},
		{"type", `{"properties":{"a/b c":{"type":"string"}}}`, `{"a/b c":1}`,
			[]Finding{{"/a~1b c", "type", "/properties/a~1b c/type", nil}}},
		{"required", `{"required":["b","a","c"]}`, `{"c":1}`,
			[]Finding{{"", "required", "/required", []string{"a", "b"}}}},
		{"dependentRequired", `{"dependentRequired":{"x":["b","a"],"y":["c"],"z":["d"]}}`,
			`{"x":1,"y":1}`,
			[]Finding{{"", "dependentRequired", "/dependentRequired", []string{"a", "b", "c"}}}},
		{"dependencies", `{"$schema":"http://json-schema.org/draft-07/schema#",
			"dependencies":{"x":["b"],"y":{"minProperties":9}}}`, `{"x":1,"y":1}`,
			[]Finding{
				{"", "dependencies", "/dependencies", []string{"b"}},
				{"", "minProperties", "/dependencies/y/minProperties", nil},
			}},
		{"additional", `{"properties":{"a":true},"patternProperties":{"^x":true},
			"additionalProperties":false}`, `{"a":1,"x1":1,"c":1,"b\"":1}`,
			[]Finding{{"", "additionalProperties", "/additionalProperties", []string{`b"`, "c"}}}},
		{"additional schema", `{"additionalProperties":{"type":"string"}}`, `{"b":1,"a":2}`,
			[]Finding{
				{"/a", "type", "/additionalProperties/type", nil},
				{"/b", "type", "/additionalProperties/type", nil},
			}},
		{"unevaluated", `{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}`,
			`{"a":1,"c":1,"b":1}`,
			[]Finding{{"", "unevaluatedProperties", "/unevaluatedProperties", []string{"b", "c"}}}},
		{"names", `{"propertyNames":{"maxLength":1,"pattern":"^a"}}`, `{"a":1,"bb":1,"cc":1}`,
			[]Finding{{"", "propertyNames", "/propertyNames", []string{"bb", "cc"}}}},
		{"property called propertyNames", `{"properties":{"propertyNames":{"minimum":5}}}`,
			`{"propertyNames":1}`,
			[]Finding{{"/propertyNames", "minimum", "/properties/propertyNames/minimum", nil}}},
		{"reference", `{"items":{"$ref":"#/$defs/n"},"$defs":{"n":{"minimum":3,"multipleOf":2}}}`,
			`[1,4]`,
			[]Finding{
				{"/0", "minimum", "/$defs/n/minimum", nil},
				{"/0", "multipleOf", "/$defs/n/multipleOf", nil},
			}},
		{"through an id", `{"$id":"https://example.com/t","items":{"$ref":"n"},
			"$defs":{"n":{"$id":"n","minimum":3}}}`, `[1]`,
			[]Finding{{"/0", "minimum", "/$defs/n/minimum", nil}}},
		{"allOf twice the same", `{"allOf":[{"$ref":"#/$defs/n"},{"$ref":"#/$defs/n"}],
			"$defs":{"n":{"minimum":3}}}`, `1`,
			[]Finding{{"", "minimum", "/$defs/n/minimum", nil}}},
		{"anyOf", `{"anyOf":[{"type":"string"},{"required":["a"]}]}`, `{}`,
			[]Finding{{"", "anyOf", "/anyOf", nil}}},
		{"oneOf none", `{"oneOf":[{"type":"string"},{"type":"null"}]}`, `1`,
			[]Finding{{"", "oneOf", "/oneOf", nil}}},
		{"oneOf two", `{"oneOf":[{"type":"number"},{"minimum":1}]}`, `1`,
			[]Finding{{"", "oneOf", "/oneOf", nil}}},
		{"not", `{"not":{"type":"number"}}`, `1`, []Finding{{"", "not", "/not", nil}}},
		{"then", `{"if":{"type":"number"},"then":{"minimum":3}}`, `1`,
			[]Finding{{"", "then", "/then", nil}}},
		{"contains", `{"contains":{"type":"null"}}`, `[1,"a"]`,
			[]Finding{{"", "contains", "/contains", nil}}},
		{"minContains", `{"contains":{"type":"null"},"minContains":2}`, `[null]`,
			[]Finding{{"", "minContains", "/minContains", nil}}},
		{"false property", `{"properties":{"a":false}}`, `{"a":1}`,
			[]Finding{{"/a", "properties", "/properties/a", nil}}},
		{"false", `false`, `1`, []Finding{{"", "false", "", nil}}},
		{"empty enum", `{"properties":{"a":{"enum":[]}}}`, `{"a":1}`,
			[]Finding{{"/a", "enum", "/properties/a/enum", nil}}},
		{"meta-schema", `{"items":{"$ref":"http://json-schema.org/draft-07/schema#"}}`,
			`[{"minLength":-1}]`, []Finding{{"/0/minLength", "minimum", "/items/$ref", nil}}},
		{"not JSON", `{}`, `{`, []Finding{{}}},
		{"loose oneOf", `{"oneOf":[{"pattern":"^(?!a)","type":"string"},{"type":"null"}]}`, `1`,
			[]Finding{{"", "oneOf", "/oneOf", nil}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := mustSub(t, tt.schema, "")
			require.Equal(t, tt.want, s.Problems([]byte(tt.instance)))
			require.Equal(t, tt.want == nil, s.Valid([]byte(tt.instance)))
		})
	}
}

func TestProblemsAreStable(t *testing.T) {
	schema := `{"properties":{"a":{"type":"string"},"b":{"minimum":9},"c":{"allOf":[{"enum":[1]},
		{"multipleOf":7}]}},"patternProperties":{"^[ab]":{"const":5},"a$":{"maximum":0}},
		"required":["x","y"],"additionalProperties":false,"propertyNames":{"maxLength":1}}`
	instance := []byte(`{"a":1,"b":2,"c":3,"dd":4,"ee":5}`)
	doc, err := Compile([]byte(schema))
	require.NoError(t, err)
	s, err := doc.Sub("")
	require.NoError(t, err)
	want := fmt.Sprint(s.Problems(instance))
	for range 1000 {
		require.Equal(t, want, fmt.Sprint(s.Problems(instance)))
	}
}

func TestPanicIsARefusal(t *testing.T) {
	s := mustSub(t, `{"type":"integer","minimum":1}`, "")
	require.False(t, s.Valid([]byte(`1e1000001`)))
	require.Equal(t, []Finding{{}}, s.Problems([]byte(`1e1000001`)))
}

func TestSub(t *testing.T) {
	const schema = `{"$id":"https://example.com/t","properties":{"a b/c":{"$ref":"#/$defs/é"}},
		"$defs":{"é":{"type":"string"},"bad":{"$ref":"#/nowhere"}},"x":{"y":[{"minimum":3}]},
		"oneOf":[{"pattern":"(?=x)"},{"oneOf":[{"pattern":"(?=y)"},{"const":1}]}]}`
	doc, err := Compile([]byte(schema))
	require.NoError(t, err)
	tests := []struct{ pointer, good, bad, err string }{
		{"/properties/a b~1c", `"a"`, `1`, ""},
		{"/$defs/bad", "", "", "/$defs/bad: does not compile as a schema of 2020-12"},
		{"/$defs/bad", "", "", "/$defs/bad: does not compile as a schema of 2020-12"},
		{"/$defs/é", `"a"`, `1`, ""},
		{"/x/y/0", `3`, `2`, ""},
		{"/oneOf/1/oneOf/1", `1`, `2`, ""},
		{"/nowhere", "", "", "/nowhere: there is no schema at this place"},
		{"/$id", "", "", "/$id: there is no schema at this place"},
		{"nowhere", "", "", "nowhere: there is no schema at this place"},
	}
	for _, tt := range tests {
		s, err := doc.Sub(tt.pointer)
		if tt.err != "" {
			require.EqualError(t, err, tt.err)
			continue
		}
		require.NoError(t, err)
		require.True(t, s.Valid([]byte(tt.good)), "Sub(%s)", tt.pointer)
		require.False(t, s.Valid([]byte(tt.bad)), "Sub(%s)", tt.pointer)
		again, err := doc.Sub(tt.pointer)
		require.NoError(t, err)
		require.Same(t, s, again)
	}
}

func TestConcurrentUse(t *testing.T) {
	doc, err := Compile([]byte(`{"properties":{"a":{"$ref":"#/$defs/n"}},
		"$defs":{"n":{"type":"number"},"m":{"$ref":"#/$defs/n"}}}`))
	require.NoError(t, err)
	var group sync.WaitGroup
	for i := range 16 {
		pointer := []string{"", "/$defs/n", "/$defs/m", "/properties/a"}[i%4]
		group.Go(func() {
			s, err := doc.Sub(pointer)
			if err != nil || s.Valid([]byte(`{"a":"x"}`)) {
				t.Errorf("Sub(%s) = %v", pointer, err)
			}
		})
	}
	group.Wait()
}
