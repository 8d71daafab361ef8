package dialect

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGeminiSchemaMessage(t *testing.T) {
	for _, tt := range []struct{ name, schema, want string }{
		{"plain", `{"type":"string","maxLength":3}`, `{"type":"string","maxLength":3}`},
		{"type list with null", `{"type":["string","null"],"description":"D."}`,
			`{"type":"string","description":"D.","nullable":true}`},
		{"enum with null", `{"type":["string","null"],"enum":["a","b",null]}`,
			`{"type":"string","enum":["a","b"],"nullable":true}`},
		{"null alone", `{"type":"null"}`, `{"type":"null"}`},
		{"anyOf with null", `{"anyOf":[{"type":"object","description":"Inner.",` +
			`"properties":{"a":{"type":"string"}}},{"type":"null"}],"description":"Outer."}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"description":"Outer.",` +
				`"nullable":true}`},
		{"a wider anyOf with null", `{"anyOf":[{"type":"string"},{"type":"integer",` +
			`"description":"N."},{"type":"null"}],"description":"D."}`,
			`{"anyOf":[{"type":"string","description":"D.","nullable":true},{"type":"integer",` +
				`"description":"N.","nullable":true}]}`},
		{"wider type list", `{"type":["string","integer"],"description":"D.","maxLength":3,` +
			`"minimum":1}`,
			`{"anyOf":[{"type":"string","description":"D.","maxLength":3},{"type":"integer",` +
				`"description":"D.","minimum":1}]}`},
		{"wider type list with null", `{"type":["string","array","null"],` +
			`"items":{"type":["integer","null"]}}`,
			`{"anyOf":[{"type":"string","nullable":true},{"type":"array",` +
				`"items":{"type":"integer","nullable":true},"nullable":true}]}`},
		{"null below", `{"type":"array","items":{"type":"object",` +
			`"properties":{"type":{"type":["number","null"]}}}}`,
			`{"type":"array","items":{"type":"object","properties":{"type":{"type":"number",` +
				`"nullable":true}}}}`},
		{"null in a branch", `{"anyOf":[{"anyOf":[{"type":"string"},{"type":"null"}]},` +
			`{"type":"boolean"}]}`,
			`{"anyOf":[{"type":"string","nullable":true},{"type":"boolean"}]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := schemaMessage(json.RawMessage(`{"type":"object","properties":{"x":` + tt.schema + `},"required":["x"]}`))
			require.Equal(t, `{"type":"object","properties":{"x":`+tt.want+`},"required":["x"]}`, string(got))
		})
	}
}

func TestGeminiSchemaDefinition(t *testing.T) {
	require.Equal(t, `{"name":"a","description":"A.","parameters":{"type":"object",`+
		`"properties":{"x":{"type":"integer","nullable":true}}}}`,
		string(geminiSchema{}.definition(form{name: "a", description: "A.",
			schema: json.RawMessage(`{"type":"object","properties":{"x":{"type":["integer",` +
				`"null"]}}}`)})))
	for _, none := range []string{`{"type":"object","properties":{}}`, `{"type":"object"}`} {
		require.Equal(t, `{"name":"a","description":"A."}`,
			string(geminiSchema{}.definition(form{name: "a", description: "A.", schema: json.RawMessage(none)})),
			"a tool without arguments")
	}
}
