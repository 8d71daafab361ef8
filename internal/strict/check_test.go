package strict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/internal/tree"
)

func checkTree(t *testing.T, text string) *tree.Node {
	t.Helper()
	n, ok := tree.Parse([]byte(text))
	require.True(t, ok, text)
	return n
}

// places are the pointers and keywords of problems.
func places(problems []Problem) []string {
	out := []string{}
	for _, p := range problems {
		out = append(out, p.Pointer+" "+p.Keyword)
	}
	return out
}

// inside puts a schema into a property of a root, which is the pointer /properties/p.
func inside(schema string) string {
	return `{"type":"object","properties":{"p":` + schema + `}}`
}

// TestCheckKeywords shows for every pseudo keyword, and for a keyword of each shape, one schema that
// has it and a close neighbour that has not.
func TestCheckKeywords(t *testing.T) {
	const defs = `{"type":"object","properties":{"p":%s},"$defs":{"D":{"type":"string"}}}`
	const p = "/properties/p"
	tests := []struct{ keyword, pointer, refused, taken string }{
		{"type_array_with_null", p, inside(`{"type":["string","null"]}`), inside(`{"type":"string"}`)},
		{"type_null", p, inside(`{"type":"null"}`), inside(`{"type":["string","null"]}`)},
		{"enum_string", p, inside(`{"enum":["1"]}`), inside(`{"enum":[1]}`)},
		{"enum_integer", p, inside(`{"enum":[1e2]}`), inside(`{"enum":[1.5]}`)},
		{"enum_number", p, inside(`{"enum":[1.5]}`), inside(`{"enum":[1]}`)},
		{"enum_boolean", p, inside(`{"enum":[true]}`), inside(`{"enum":["true"]}`)},
		{"enum_null_member", p, inside(`{"enum":["a",null]}`), inside(`{"enum":["a","null"]}`)},
		{"enum_mixed_types", p, inside(`{"enum":["a",1]}`), inside(`{"enum":[1,1.5,null]}`)},
		{"enum_object_values", p, inside(`{"enum":[{"a":1}]}`), inside(`{"enum":["{}"]}`)},
		{"enum_type_mismatch", p, inside(`{"type":["integer","null"],"enum":["a",null]}`),
			inside(`{"type":["string","null"],"enum":["a",null]}`)},
		{"enum_type_mismatch", p, inside(`{"type":"integer","const":1.5}`),
			inside(`{"type":"integer","const":1.0}`)},
		{"$ref_local", p, fmt.Sprintf(defs, `{"$ref":"#/$defs/D"}`), fmt.Sprintf(defs, `{}`)},
		{"$ref_siblings", p, fmt.Sprintf(defs, `{"$ref":"#/$defs/D","title":"t"}`),
			fmt.Sprintf(defs, `{"$ref":"#/$defs/D"}`)},
		{"$ref_external", p, inside(`{"$ref":"https://example.com/s"}`),
			fmt.Sprintf(defs, `{"$ref":"#/$defs/D"}`)},
		{"$ref_root_hash", p, inside(`{"$ref":"#"}`), fmt.Sprintf(defs, `{"$ref":"#/$defs/D"}`)},
		{"recursion", "/$defs/D/items",
			`{"type":"object","$defs":{"D":{"items":{"$ref":"#/$defs/D"}}},` +
				`"properties":{"p":{"$ref":"#/$defs/D"}}}`,
			`{"type":"object","$defs":{"D":{"items":{"$ref":"#/$defs/E"}},"E":{}},` +
				`"properties":{"p":{"$ref":"#/$defs/D"}}}`},
		{"properties_empty", p, inside(`{"type":"object","properties":{}}`),
			inside(`{"type":"object","properties":{"a":{}}}`)},
		{"properties_missing_on_object", p, inside(`{"type":["object","null"]}`),
			inside(`{"type":["object","null"],"properties":{}}`)},
		{"required_undeclared", p, inside(`{"type":"object","required":["a"]}`),
			inside(`{"properties":{"a":{}},"required":["a"]}`)},
		{"additionalProperties_false", p, inside(`{"type":"object","additionalProperties":false}`),
			inside(`{"type":"string","additionalProperties":false}`)},
		{"additionalProperties_true", p, inside(`{"type":"object","additionalProperties":true}`),
			inside(`{"type":"object","additionalProperties":false}`)},
		{"additionalProperties_schema", p, inside(`{"type":"object","additionalProperties":{}}`),
			inside(`{"type":"object","additionalProperties":true}`)},
		{"additionalProperties_missing", p,
			`{"type":"object","additionalProperties":false,"properties":{"p":{"properties":{}}}}`,
			`{"type":"object","additionalProperties":false,"properties":{"p":{"type":"array"}}}`},
		{"items_missing", p, inside(`{"type":["array","null"]}`), inside(`{"type":"array","items":{}}`)},
		{"items_array", p, inside(`{"items":[{}]}`), inside(`{"prefixItems":[{}]}`)},
		{"minItems_gt1", p, inside(`{"minItems":2}`), inside(`{"minItems":1}`)},
		{"pattern_lookaround", p, inside(`{"pattern":"^a(?!b)"}`),
			inside(`{"pattern":"^[(?!b]\\(?=?"}`)},
		{"pattern_lookaround", p, inside(`{"pattern":"(?<=a)b"}`), inside(`{"pattern":"(?<n>a)b"}`)},
		{"pattern_backreference", p, inside(`{"pattern":"(a)\\1"}`),
			inside(`{"pattern":"(a)\\\\1\\d"}`)},
		{"pattern_boundary", p, inside(`{"pattern":"\\ba"}`), inside(`{"pattern":"[\\b]a"}`)},
		{"format_unlisted", p, inside(`{"format":"uri"}`), inside(`{"format":"date"}`)},
		{"anyOf_siblings", p, inside(`{"anyOf":[{}],"title":"t"}`), inside(`{"anyOf":[{}]}`)},
		{"root_anyOf", "", `{"type":"object","anyOf":[{}]}`, inside(`{"anyOf":[{}]}`)},
		{"root_oneOf", "", `{"type":"object","oneOf":[{}]}`, inside(`{"oneOf":[{}]}`)},
		{"root_allOf", "", `{"type":"object","allOf":[{}]}`, inside(`{"allOf":[{}]}`)},
		{"root_enum", "", `{"type":"object","enum":[{}]}`, inside(`{"enum":[{}]}`)},
		{"root_const", "", `{"type":"object","const":{}}`, inside(`{"const":{}}`)},
		{"root_not", "", `{"type":"object","not":{}}`, inside(`{"not":{}}`)},
		{"allOf_single", p, inside(`{"allOf":[{}]}`), inside(`{"allOf":[{},{}]}`)},
		{"allOf", p, inside(`{"allOf":[{},{}]}`), inside(`{"allOf":[{}]}`)},
		{"allOf_with_ref", p, inside(`{"allOf":[{"$ref":"#"},{}]}`), inside(`{"allOf":[{},{}]}`)},
		{"if_then_else", p, inside(`{"then":{}}`), inside(`{"properties":{"then":{}}}`)},
		{"boolean_schema", p, inside(`true`), inside(`{"additionalProperties":true}`)},
		{"boolean_schema", p + "/items", inside(`{"items":false}`), inside(`{"unevaluatedItems":false}`)},
		{"typeless_schema", p, inside(`{"description":"d"}`), inside(`{"anyOf":[{"type":"null"}]}`)},
		{"typeless_schema", p, inside(`{"const":1}`), inside(`{"const":1,"type":"integer"}`)},
		{"x_extension", p, inside(`{"x-mcp-header":"A"}`),
			inside(`{"properties":{"x-a":{"type":"null"}}}`)},
		{"multipleOf", p, inside(`{"multipleOf":2}`), inside(`{"properties":{"multipleOf":{}}}`)},
		{"default", p + "/items", inside(`{"items":{"default":1}}`), inside(`{"const":{"default":1}}`)},
		{"oneOf", p + "/anyOf/0", inside(`{"anyOf":[{"oneOf":[{}]}]}`),
			inside(`{"anyOf":[{"anyOf":[{}]}]}`)},
		{"not", "/$defs/a~1b", `{"type":"object","$defs":{"a/b":{"not":{}}}}`,
			`{"type":"object","$defs":{"not":{}}}`},
	}
	for _, test := range tests {
		t.Run(test.keyword, func(t *testing.T) {
			p := Profile{Keywords: map[string]string{test.keyword: "rejected"}, Formats: []string{"date"}}
			require.Equal(t, []string{test.pointer + " " + test.keyword},
				places(Check(p, checkTree(t, test.refused))), "Check(%s)", test.refused)
			require.Empty(t, Check(p, checkTree(t, test.taken)), "Check(%s)", test.taken)
			for _, status := range []string{"ok", "ignored", "avoid", "unknown", ""} {
				p.Keywords[test.keyword] = status
				require.Empty(t, Check(p, checkTree(t, test.refused)), "Check(%s), %q", test.refused,
					status)
			}
		})
	}
}

// TestCheckRoot shows that the root is an object for every provider.
func TestCheckRoot(t *testing.T) {
	for schema, want := range map[string]string{
		`true`:                          " boolean_schema",
		`{}`:                            " type",
		`{"type":["object"]}`:           " type",
		`{"type":["object","null"]}`:    " type",
		`{"type":"array","items":{}}`:   " type",
		`{"anyOf":[{"type":"object"}]}`: " type",
		`{"$ref":"#/$defs/A","$defs":{"A":{"type":"object"}}}`: " type",
	} {
		require.Equal(t, []string{want}, places(Check(Profile{}, checkTree(t, schema))), "Check(%s)",
			schema)
	}
	require.Empty(t, Check(Profile{}, checkTree(t, `{"type":"object"}`)))
}

// TestCheckObjects shows the rules that are no keyword: Closed, Required, KeyPattern, and references
// that lead nowhere.
func TestCheckObjects(t *testing.T) {
	closed, required := Profile{Closed: true}, Profile{Required: true}
	key := Profile{KeyPattern: `^[a-z]{1,3}$`}
	tests := []struct {
		name    string
		profile Profile
		schema  string
		want    []string
	}{
		{"closed", closed, `{"type":"object","additionalProperties":false}`, nil},
		{"open", closed, `{"type":"object"}`, []string{" additionalProperties"}},
		{"map", closed, `{"type":"object","additionalProperties":{"type":"string"}}`,
			[]string{" additionalProperties"}},
		{"any", closed, `{"type":"object","additionalProperties":true}`, []string{" additionalProperties"}},
		{"in branches", closed,
			`{"type":"object","additionalProperties":false,` +
				`"properties":{"a":{"anyOf":[{"type":["object","null"]}]}}}`,
			[]string{"/properties/a/anyOf/0 additionalProperties"}},
		{"in definitions", closed,
			`{"type":"object","additionalProperties":false,"$defs":{"D":{"properties":{}}}}`,
			[]string{"/$defs/D additionalProperties"}},
		{"nowhere", closed,
			`{"type":"object","additionalProperties":false,"properties":{"a":{"$ref":"#/$defs/A"}}}`,
			[]string{"/properties/a $ref"}},
		{"nowhere, not compiled", Profile{}, inside(`{"$ref":"#/$defs/A"}`), nil},
		{"all required", required, `{"type":"object","properties":{"a":{}},"required":["a"]}`, nil},
		{"one optional", required, `{"type":"object","properties":{"a":{},"b":{}},"required":["a"]}`,
			[]string{" required"}},
		{"no required", required,
			`{"type":"object","properties":{"a":{"items":{"properties":{"c":{}}}}},"required":["a"]}`,
			[]string{"/properties/a/items required"}},
		{"by status", Profile{Keywords: map[string]string{"required_partial": "rejected"}},
			`{"type":"object","properties":{"a":{}}}`, []string{" required"}},
		{"key", key, `{"type":"object","properties":{"abc":{"properties":{"def":{}}}}}`, nil},
		{"keys", key, `{"type":"object","properties":{"a/b":{},"abc":{"properties":{"Def":{}}}}}`,
			[]string{"/properties/abc/properties/Def properties", "/properties/a~1b properties"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.ElementsMatch(t, test.want, places(Check(test.profile, checkTree(t, test.schema))))
		})
	}
}

// TestCheckText shows one message of each kind, the order, and that each run says the same.
func TestCheckText(t *testing.T) {
	p := Profile{Closed: true, Required: true, Formats: []string{"date", "uuid"}, KeyPattern: "^[a-z]+$",
		MaxProperties: 2, Keywords: map[string]string{"oneOf": "rejected", "minimum": "rejected",
			"format_unlisted": "rejected", "recursion": "rejected", "enum_type_mismatch": "rejected"}}
	root := checkTree(t, `{"type":"object","properties":{"a":{"oneOf":[{"minimum":1}],"format":"uri"},`+
		`"B":{"$ref":"#"},"c":{"type":"string","enum":["a",null]}},"required":["a"]}`)
	want := `"" MaxProperties: got 3 properties in the whole schema, want at most 2; split the tool, or ask for less
"" additionalProperties: got none, want false: every object has to be closed; write "additionalProperties":false
"" required: got no "B", "c", want every property; add it, and let an optional one take null
"/properties/B" properties: got the name "B", want one that matches ^[a-z]+$; rename it
"/properties/B" recursion: got #, which leads back to itself, want a schema that ends; write the levels out, or take the inner value as text
"/properties/a" format_unlisted: got format "uri", want one of ["date","uuid"]; say it in the description
"/properties/a" oneOf: oneOf is refused; write anyOf
"/properties/a/oneOf/0" minimum: minimum is refused; say it in the description
"/properties/c" enum_type_mismatch: got the value null, want one of type string; change the value or the type
`
	for range 100 {
		var got strings.Builder
		for _, p := range Check(p, root) {
			fmt.Fprintf(&got, "%q %s: %s\n", p.Pointer, p.Keyword, p.Message)
		}
		require.Equal(t, want, got.String())
	}
}

// TestCheckShown shows that members which are checked and not shown are no part of what is sent.
func TestCheckShown(t *testing.T) {
	p := Profile{Keywords: map[string]string{"pattern": "rejected", "$schema": "rejected"}}
	root := checkTree(t, `{"type":"object"}`)
	root.Set(tree.Member{Key: "pattern", Raw: []byte(`"a"`), Enforced: true})
	require.Empty(t, Check(p, root))
	root.SetString("$schema", "https://json-schema.org/draft/2020-12/schema")
	require.Equal(t, []string{" $schema"}, places(Check(p, root)))
}

// TestCheckLimits shows each limit met, and exceeded by one.
func TestCheckLimits(t *testing.T) {
	many := func(n int, one string) string { return strings.TrimSuffix(strings.Repeat(one+",", n), ",") }
	deep := func(levels int) string {
		return `{"type":"object"` + strings.Repeat(`,"properties":{"a":{"items":{"anyOf":[{"title":"t"`,
			levels) + strings.Repeat(`}]}}}`, levels) + `}`
	}
	enum := func(n int, value string) string { return inside(`{"enum":[` + many(n, value) + `]}`) }
	tests := []struct {
		name          string
		profile       Profile
		taken, excess string
		want          string
	}{
		{"properties", Profile{MaxProperties: 3},
			`{"type":"object","properties":{"a":{"properties":{"b":{}}},"c":{}}}`,
			`{"type":"object","properties":{"a":{"properties":{"b":{},"d":{}}},"c":{}}}`, " MaxProperties"},
		{"levels", Profile{MaxDepth: 10}, deep(5), deep(6),
			strings.Repeat("/properties/a/items/anyOf/0", 5) + "/properties/a/items MaxDepth"},
		{"levels of references", Profile{MaxDepth: 1},
			`{"type":"object","$defs":{"D":{"$ref":"#/$defs/D"}},"properties":{"a":{"$ref":"#/$defs/D"}}}`,
			`{"type":"object","$defs":{"D":{"items":{}}},"properties":{"a":{"$ref":"#/$defs/D"}}}`,
			"/$defs/D/items MaxDepth"},
		{"levels of recursion", Profile{MaxDepth: 2},
			`{"type":"object","properties":{"a":{"items":{"$ref":"#"}}}}`,
			`{"type":"object","properties":{"a":{"items":{"items":{"$ref":"#"}}}}}`,
			"/properties/a/items/items MaxDepth"},
		{"enum values", Profile{MaxEnumValues: 1000}, enum(1000, "1"), enum(1001, "1"), " MaxEnumValues"},
		{"long enum", Profile{MaxEnumChars: 500}, enum(250, `"aaaa"`), enum(251, `"aaaa"`),
			"/properties/p MaxEnumChars"},
		{"long values", Profile{MaxEnumChars: 502}, enum(251, `"éé"`), enum(251, `"ééé"`),
			"/properties/p MaxEnumChars"},
		{"characters", Profile{MaxChars: 12},
			`{"type":"object","$defs":{"éé":{"const":"abc"}},"properties":{"a":{"enum":["bcd",1.5]}}}`,
			`{"type":"object","$defs":{"éé":{"const":"abc"}},"properties":{"ab":{"enum":["bcd",1.5]}}}`,
			" MaxChars"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Empty(t, Check(test.profile, checkTree(t, test.taken)))
			require.Equal(t, []string{test.want}, places(Check(test.profile, checkTree(t, test.excess))))
			require.Empty(t, Check(Profile{}, checkTree(t, test.excess)), "zero means no limit")
		})
	}
}
