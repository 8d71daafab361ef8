package general

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCompileError(t *testing.T) {
	types := "array, boolean, integer, null, number, object, string"
	tests := []struct{ name, schema, want string }{
		{"dict", `{"properties":{"a":{"type":"dict"}}}`,
			`/properties/a/type: type "dict" is not a JSON Schema type; use "object"`},
		{"float", `{"type":"float"}`, `/type: type "float" is not a JSON Schema type; use "number"`},
		{"int", `{"type":"int"}`, `/type: type "int" is not a JSON Schema type; use "integer"`},
		{"upper case", `{"type":"STRING"}`, `/type: type "STRING" is not a JSON Schema type; use "string"`},
		{"bool in a list", `{"type":["bool","null"]}`,
			`/type: type "bool" is not a JSON Schema type; use "boolean"`},
		{"typed list", `{"type":"List[str]"}`, `/type: type "List[str]" is not a JSON Schema type; ` +
			`use "array" and describe the elements in items`},
		{"map of", `{"type":"Map<string, int>"}`,
			`/type: type "Map<string, int>" is not a JSON Schema type; use "object"`},
		{"tuple", `{"type":"tuple"}`, `/type: type "tuple" is not a JSON Schema type; use "array"`},
		{"any", `{"type":"any"}`,
			`/type: type "any" is not a JSON Schema type; leave type out to accept any value`},
		{"union", `{"type":"string|null"}`,
			`/type: type "string|null" is not a JSON Schema type; list several types in an array`},
		{"unknown type", `{"type":"foo"}`,
			`/type: type "foo" is not a JSON Schema type; use one of ` + types},
		{"type number", `{"type":5}`,
			`/type: must be a type name or an array of type names, not a number`},
		{"required bool", `{"properties":{"a":{"required":true}}}`,
			`/properties/a/required: must be an array of property names, not a boolean; ` +
				`the object that holds the property lists its name`},
		{"required numbers", `{"required":["a",1]}`,
			`/required: must be an array of property names; it holds a number`},
		{"properties array", `{"properties":[]}`,
			`/properties: must be an object whose values are schemas, not an array`},
		{"property string", `{"properties":{"a/b":"string"}}`,
			`/properties/a~1b: must be a schema (an object, true or false), not a string`},
		{"negative length", `{"minLength":-1}`,
			`/minLength: must be a whole number, 0 or more, not -1`},
		{"half length", `{"maxItems":1.5}`, `/maxItems: must be a whole number, 0 or more, not 1.5`},
		{"enum", `{"enum":"a"}`, `/enum: must be an array of the allowed values, not a string`},
		{"items null", `{"items":null}`,
			`/items: must be a schema (an object, true or false), not null`},
		{"no target", `{"$ref":"#/$defs/x"}`,
			`/$ref: $ref "#/$defs/x" does not resolve; the schema has nothing at that place`},
		{"file", `{"items":{"$ref":"file:///etc/passwd"}}`, `/items/$ref: $ref ` +
			`"file:///etc/passwd" points outside the schema; only local references are followed`},
		{"relative", `{"$id":"https://example.com/a/b.json","$ref":"c.json"}`,
			`/$ref: $ref "c.json" points outside the schema; only local references are followed`},
		{"self", `{"$ref":"#"}`, `/$ref: the reference leads back to itself and never ends`},
		{"draft", `{"$schema":"https://example.com/s"}`, `/$schema: "https://example.com/s" is ` +
			`not a known draft; known are 2020-12, 2019-09, draft-07, draft-06 and draft-04`},
		{"tuple in 2020-12",
			`{"$schema":"https://json-schema.org/draft/2020-12/schema","items":[{}]}`,
			`/items: must be one schema in 2020-12; the schemas of a tuple go into prefixItems`},
		{"exclusive in draft-07",
			`{"$schema":"http://json-schema.org/draft-07/schema#","exclusiveMinimum":true}`,
			`/exclusiveMinimum: must be a number; true and false belong to draft-04`},
		{"generic", `{"properties":{"a":{"dependentRequired":{"x":"y"}}}}`,
			`/properties/a/dependentRequired/x: "dependentRequired" cannot have this value in 2020-12`},
		{"no schema", `5`, `a schema must be an object, true or false, not a number`},
		{"not JSON", `{`, `the schema is not valid JSON`},
		{"line break", `{"properties":{"a\nb":{"type":"dict"}}}`,
			`/properties/a\nb/type: type "dict" is not a JSON Schema type; use "object"`},
		{"exponent", `{"properties":{"a":{"minimum":1e1000001}}}`,
			`/properties/a/minimum: the number is too long or its exponent too large; ` +
				`at most 1000 characters and an exponent within ±9999 are read`},
		{"exponent in enum", `{"enum":[1,-1E-10000]}`,
			`/enum/1: the number is too long or its exponent too large; ` +
				`at most 1000 characters and an exponent within ±9999 are read`},
		{"broken pattern", `{"properties":{"a":{"pattern":"("}}}`,
			`/properties/a/pattern: "(" is not a regular expression: missing closing )`},
		{"two mistakes", `{"type":"dict","properties":{"a":{"type":"str"}}}`,
			`/properties/a/type: type "str" is not a JSON Schema type; use "string"`},
		{"mistake beside a tuple", `{"items":[{"type":"dict"}]}`,
			`/items/0/type: type "dict" is not a JSON Schema type; use "object"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for range 20 {
				_, err := Compile([]byte(tt.schema))
				require.EqualError(t, err, tt.want)
			}
		})
	}
}

func TestCompileDraft(t *testing.T) {
	tests := []struct{ name, schema, want, good, bad string }{
		{"newest", `{"prefixItems":[{"type":"string"}]}`, "2020-12", `["a"]`, `[1]`},
		{"tuple", `{"items":[{"type":"string"}]}`, "draft-07", `["a"]`, `[1]`},
		{"exclusive", `{"minimum":1,"exclusiveMinimum":true}`, "draft-04", `2`, `1`},
		{"2019-09", `{"$schema":"https://json-schema.org/draft/2019-09/schema","type":"null"}`,
			"2019-09", `null`, `1`},
		{"draft-06", `{"$schema":"http://json-schema.org/draft-06/schema","const":1}`,
			"draft-06", `1.0`, `2`},
		{"any draft", `{"$schema":"http://json-schema.org/schema#","items":[{"const":1}]}`,
			"draft-07", `[1]`, `[2]`},
		{"meta-schema", `{"$ref":"http://json-schema.org/draft-07/schema#"}`, "2020-12",
			`{"type":"string"}`, `{"type":"dict"}`},
		{"id and anchor", `{"$id":"https://example.com/t.json","$ref":"t.json#n",
			"$defs":{"n":{"$anchor":"n","type":"number"}}}`, "2020-12", `1`, `"a"`},
		{"embedded resource", `{"$ref":"inner.json","$defs":{"i":{"$id":"inner.json",
			"$ref":"#/$defs/n","$defs":{"n":{"type":"number"}}}}}`, "2020-12", `1`, `"a"`},
		{"definitions", `{"$ref":"#/definitions/n","definitions":{"n":{"type":"number"}}}`,
			"2020-12", `1`, `"a"`},
		{"keyword names as properties", `{"properties":{"pattern":{"const":"(?=x)"},
			"$schema":{"type":"string"},"$ref":{"type":"string"},"regexProperties":{"type":"null"}}}`,
			"2020-12", `{"pattern":"(?=x)","$ref":"x"}`, `{"regexProperties":1}`},
		{"library keyword", `{"regexProperties":"x","maxProperties":1}`, "2020-12",
			`{"(":1}`, `{"a":1,"b":2}`},
		{"huge maximum", `{"maxLength":1e30,"minLength":1}`, "2020-12", `"a"`, `""`},
		{"huge minimum", `{"type":["string","null"],"minLength":1e30}`, "2020-12", `null`, `"a"`},
		{"empty enum", `{"anyOf":[{"enum":[]},{"type":"null"}]}`, "2020-12", `null`, `1`},
		{"odd place", `{"$ref":"#/x/p","x":{"p":{"pattern":"^(?!a)","maxLength":1}}}`, "2020-12",
			`"a"`, `"ab"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := Compile([]byte(tt.schema))
			require.NoError(t, err)
			require.Equal(t, tt.want, doc.Draft())
			require.True(t, judge(t, doc, []byte(tt.good)), "Valid(%s)", tt.good)
			require.False(t, judge(t, doc, []byte(tt.bad)), "Valid(%s)", tt.bad)
		})
	}
}

// FuzzCompile compiles any JSON. Only text of the schema's own may bring a file URL into an
// error.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		`{"type":"dict"}`, `{"$ref":"#/x"}`, `{"$ref":5}`, `{"items":[{"$ref":"#"}]}`,
		`{"properties":{"a":{"pattern":"(?=x)"}},"not":{"$ref":"#/properties/a"}}`,
		`{"$id":"x","$defs":{"a":{"$id":"x"}}}`, `{"oneOf":[{"pattern":"\\1"}],"allOf":1}`,
		`{"$schema":"http://json-schema.org/draft-04/schema#","dependencies":{"a":["b"]}}`,
		`{"patternProperties":{"(?=":1},"enum":[]}`, `{"$dynamicRef":"#x","$vocabulary":5}`,
	} {
		f.Add([]byte(seed), []byte(`{"a":["x",1,null]}`))
	}
	f.Fuzz(func(t *testing.T, schema, instance []byte) {
		doc, err := Compile(schema)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			require.NotContains(t, err.Error(), baseURI)
			if value, decodeErr := decode(schema); decodeErr == nil {
				plain, _ := json.Marshal(value)
				if !strings.Contains(string(plain), "file:") {
					require.NotContains(t, err.Error(), "file://")
				}
			}
			return
		}
		if value, err := decode(instance); err == nil && checkNumbers("", value) == nil {
			judge(t, doc, instance)
		}
	})
}
