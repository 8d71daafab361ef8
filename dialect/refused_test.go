package dialect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// TestRefused shows the one error with everything that is wrong, and its ways out (T4).
func TestRefused(t *testing.T) {
	labels := sample[labelArgs](t, true, "set_labels", "Sets labels.", nil)
	keep := sample[anyArgs](t, true, "keep_value", "Keeps any value.", nil)
	tools := []*jig.Tool{labels, plain(t, "look", true), keep}
	refused := refusedOf(t, OpenAIChat, tools)
	require.Equal(t, []string{"set_labels", "keep_value"}, refused.Loose)
	require.Equal(t, []string{"set_labels", "keep_value"}, refused.Lossy)
	text := refused.Error()
	require.Contains(t, text, `jig/dialect: openai-chat: tool "set_labels": "/properties/labels`)
	require.Contains(t, text, `jig/dialect: openai-chat: tool "keep_value": "/properties/value`)
	require.Contains(t, text, `jig/dialect: openai-chat: tool "keep_value": "/properties/raw`)
	require.NotContains(t, text, `"look"`)
	require.True(t, strings.HasSuffix(text, "\njig/dialect: openai-chat: to send without strict, pass "+
		`dialect.Loose("set_labels", "keep_value"); to leave out of "set_labels", "keep_value" what the `+
		"provider has no words for, pass dialect.Lossy()"), text)

	sent, report := listingOf(t, OpenAIChat, tools, Loose("set_labels", "keep_value"))
	require.Equal(t, 1, strings.Count(sent, `"strict":true`))
	require.Equal(t, []Note{{"set_labels", "it is strict, and sent without, as Loose asks"},
		{"keep_value", "it is strict, and sent without, as Loose asks"}}, report.Notes())

	sent, report = listingOf(t, OpenAIChat, tools, Lossy())
	require.Equal(t, 3, strings.Count(sent, `"strict":true`))
	require.True(t, slices.ContainsFunc(report.Changes(), func(c Change) bool {
		return c.Tool == "set_labels" && strings.HasPrefix(c.Pointer, "/properties/labels") && c.Lossy
	}), report)
}

type optionalArgs struct {
	A, B, C, D, E string `json:",omitempty"`
}

// TestBudgets shows the bounds of a whole request.
func TestBudgets(t *testing.T) {
	many := func(n int, strict bool) (tools []*jig.Tool) {
		for i := range n {
			tools = append(tools, plain(t, fmt.Sprintf("t%d", i), strict))
		}
		return tools
	}
	refused := refusedOf(t, Anthropic, many(21, true))
	require.Len(t, refused.Refusals, 1)
	require.Equal(t, "MaxStrict", refused.Refusals[0].Keyword)
	require.Contains(t, refused.Error(), "got 21 strict tools, want at most 20")
	listingOf(t, Anthropic, many(21, true), Loose("t0"))
	listingOf(t, Anthropic, many(300, false))

	refused = refusedOf(t, OpenAIChat, many(129, false))
	require.Contains(t, refused.Error(), "jig/dialect: openai-chat: got 129 tools, want at most 128")
	listingOf(t, OpenAIChat, many(128, true))

	var optional []*jig.Tool
	for i := range 5 {
		optional = append(optional,
			sample[optionalArgs](t, true, fmt.Sprintf("t%d", i), "Looks.", nil))
	}
	refused = refusedOf(t, Bedrock, optional)
	require.Equal(t, "MaxOptional", refused.Refusals[0].Keyword)
	listingOf(t, Bedrock, optional[:4])
}

// TestWaysOut shows that the ways out which a refusal names do lead out.
func TestWaysOut(t *testing.T) {
	for _, test := range []struct {
		d      Dialect
		schema string
	}{
		{OpenAIChat, `{"type":"object","properties":{"a":{"type":"string"}},"not":{"required":["a"]}}`},
		{GeminiSchema, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a","b"]}`},
		{GeminiSchema, `{"type":"object","properties":{"a":{"allOf":[{"type":"string","pattern":"^a"},` +
			`{"pattern":"b$"}]}}}`},
		{Gemini, `{"type":"object","properties":{"a":{"$ref":"#/$defs/x","required":["v"]}},"$defs":` +
			`{"x":{"type":"object","properties":{"v":{"type":"string"},"n":{"$ref":"#/$defs/x"}}}}}`},
	} {
		tool := shapedTool(t, test.schema)
		require.Equal(t, []string{"look"}, refusedOf(t, test.d, []*jig.Tool{tool}).Lossy, test.schema)
		_, report := listingOf(t, test.d, []*jig.Tool{tool}, Lossy())
		require.True(t, slices.ContainsFunc(report.Changes(), func(c Change) bool { return c.Lossy }))
	}
}
