package dialect

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// TestLossyExamples shows that an example which the loss made wrong is not sent.
func TestLossyExamples(t *testing.T) {
	labels := sample(t, true, "set_labels", "Sets labels.", nil,
		labelArgs{ID: "a", Labels: map[string]string{"x": "y"}})
	text, report := listingOf(t, OpenAIChat, []*jig.Tool{labels}, Lossy())
	require.NotContains(t, text, "Examples")
	require.Len(t, report.Notes(), 1)
	require.Contains(t, report.Notes()[0].Text, "example 1 is left out")
}

func TestUnknownNames(t *testing.T) {
	r := alone(t, plain(t, "look", true))
	for _, test := range []struct {
		option Option
		want   string
	}{
		{Loose("lok"), `jig/dialect: anthropic: Loose: unknown tool: "lok"`},
		{DeferLoading("look", "x"), `jig/dialect: anthropic: DeferLoading: unknown tool: "x"`},
	} {
		_, _, err := Anthropic.Tools(r, test.option)
		require.ErrorIs(t, err, jig.ErrUnknownTool)
		require.EqualError(t, err, test.want)
	}
}

func TestCacheControl(t *testing.T) {
	tools := []*jig.Tool{plain(t, "a", false), plain(t, "b", false)}
	text, _ := listingOf(t, Anthropic, tools, CacheControl())
	require.True(t, strings.HasSuffix(text, `,"cache_control":{"type":"ephemeral"}}]`), text)
	require.Equal(t, 1, strings.Count(text, "cache_control"))

	text, _ = listingOf(t, Anthropic, tools, CacheControl(), DeferLoading("b"))
	require.Contains(t, text, `"cache_control":{"type":"ephemeral"}},{"name":"b"`)
	_, _, err := Anthropic.Tools(alone(t, tools[0]), CacheControl(), DeferLoading("a"))
	require.EqualError(t, err, "jig/dialect: anthropic: CacheControl: every tool is deferred, and a "+
		"deferred one cannot carry the mark")

	text, _ = listingOf(t, Bedrock, tools, CacheControl())
	require.True(t, strings.HasSuffix(text, `,{"cachePoint":{"type":"default"}}]`), text)
	for _, d := range all() {
		_, _, err := d.Tools(alone(t, tools[0]), CacheControl())
		if d == Anthropic || d == Bedrock {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, "jig/dialect: "+d.name+": CacheControl: this wire has no mark for it; "+
			"leave the option out")
	}
}

func TestDeferLoading(t *testing.T) {
	tools := []*jig.Tool{plain(t, "a", false), plain(t, "b", false)}
	for _, d := range all() {
		r := &jig.Registry{}
		require.NoError(t, r.Add(tools...))
		text, _, err := d.Tools(r, DeferLoading("b"))
		if d != Anthropic && d != OpenAIResponses {
			require.EqualError(t, err, "jig/dialect: "+d.name+": DeferLoading: this wire cannot load a "+
				"tool later; leave the option out, or send a Filter of the registry")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(text), `"defer_loading":true`), "%s: %s", d, text)
	}
}

// TestWithProfile shows which profile a given one replaces.
func TestWithProfile(t *testing.T) {
	profile := func(name string) jig.Profile {
		p, ok := ProfileOf(name)
		require.True(t, ok, name)
		return p
	}
	tools := []*jig.Tool{plain(t, "a", true), plain(t, "b", false)}
	for _, test := range []struct {
		dialect Dialect
		profile string
		want    []string
	}{
		{OpenAIChat, "azure_openai_strict", []string{"azure_openai_strict", "openai_chat_nonstrict"}},
		{OpenAIChat, "mistral", []string{"openai_chat_strict", "mistral"}},
		{GeminiSchema, "gemini_parameters_vertex", []string{"gemini_parameters_vertex"}},
		{MCP, "mcp_2025-11-25", []string{"mcp_2025-11-25"}},
	} {
		_, report := listingOf(t, test.dialect, tools, WithProfile(profile(test.profile)))
		require.Equal(t, test.want, report.Profiles())
	}
	_, _, err := MCP.Tools(alone(t, tools[0]), WithProfile(profile("mcp_2025-11-25")),
		WithProfile(profile("mcp_2026-07-28")))
	require.EqualError(t, err, `jig/dialect: mcp: WithProfile: "mcp_2025-11-25" and "mcp_2026-07-28" are `+
		`for the same tools; pass one`)
}

// TestAllOrNone shows DeepSeek's rule that strict is on every tool or on none.
func TestAllOrNone(t *testing.T) {
	tools := []*jig.Tool{plain(t, "a", true), plain(t, "b", false), plain(t, "c", true)}
	refused := refusedOf(t, DeepSeek, tools)
	require.EqualError(t, refused, `jig/dialect: deepseek: strict has to be on every tool of a request or `+
		`on none; it is on "a", "c" and not on "b"; send all without it with dialect.Loose(), or define `+
		`those strict`)
	labels := sample[labelArgs](t, true, "set_labels", "Sets labels.", nil)
	refused = refusedOf(t, DeepSeek, []*jig.Tool{tools[0], labels})
	require.Equal(t, []string{"a", "set_labels"}, refused.Loose, "one alone would be mixed with the other")
	text, _ := listingOf(t, DeepSeek, tools, Loose())
	require.NotContains(t, text, `"strict":true`)
	text, _ = listingOf(t, DeepSeek, []*jig.Tool{tools[0], tools[2]})
	require.Equal(t, 2, strings.Count(text, `"strict":true`))
}
