package dialect

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// TestGeminiSchemaEmpty shows that a tool without arguments goes out without a schema, which weighs
// nothing.
func TestGeminiSchemaEmpty(t *testing.T) {
	text, report := listingOf(t, GeminiSchema,
		[]*jig.Tool{sample[struct{}](t, true, "ping", "Pings.", nil), plain(t, "look", false)})
	require.Equal(t, `[{"functionDeclarations":[{"name":"ping","description":"Pings."},`+
		`{"name":"look","description":"Looks something up.","parameters":{"type":"object",`+
		`"properties":{"city":{"type":"string"}},"required":["city"]}}]}]`, text)
	require.Zero(t, report.Costs()[0].Schema)
}

// TestGeminiSchemaNestedNull shows that null in a union of a union is not lost where the profile
// knows no type null: what is left has both branches.
func TestGeminiSchemaNestedNull(t *testing.T) {
	vertex, ok := ProfileOf("gemini_parameters_vertex")
	require.True(t, ok)
	tool := shapedTool(t, `{"type":"object","properties":{"a":{"anyOf":[{"anyOf":[{"type":"string"},`+
		`{"type":"number"}]},{"type":"null"}]}}}`)
	for _, options := range [][]Option{nil, {WithProfile(vertex)}} {
		text, _ := listingOf(t, GeminiSchema, []*jig.Tool{tool}, options...)
		require.Contains(t, text, `"string"`)
		require.Contains(t, text, `"number"`)
		require.NotContains(t, text, `["`, "no list of types")
	}
}
