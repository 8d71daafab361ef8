package dialect

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// TestStrictNullExamples shows that the examples sent are valid by the schema that is sent (X3).
func TestStrictNullExamples(t *testing.T) {
	for _, d := range all() {
		lookup := sample(t, true, "lookup", "Looks a customer up.", nil,
			lookupArgs{Name: "Ada"}, lookupArgs{Name: "Bo", Years: 3})
		text, _ := listingOf(t, d, []*jig.Tool{lookup})
		want := `Examples:\n1. {\"name\":\"Ada\"}\n2. {\"name\":\"Bo\",\"years\":3}`
		if slices.Contains([]Dialect{OpenAIChat, OpenAIResponses, Groq, DeepSeek}, d) {
			want = `Examples:\n1. {\"name\":\"Ada\",\"years\":null}\n2. {\"name\":\"Bo\",\"years\":3}`
		}
		require.Contains(t, text, want, d)
		requireValidExamples(t, d, lookup)
	}
	// The tool's own examples stay as they are.
	loose := sample(t, false, "lookup", "Looks a customer up.", nil, lookupArgs{Name: "Ada"})
	text, _ := listingOf(t, OpenAIChat, []*jig.Tool{loose})
	require.Contains(t, text, `1. {\"name\":\"Ada\"}"`)
}

// requireValidExamples checks the examples that are sent by the schema that is sent.
func requireValidExamples(t *testing.T, d Dialect, tool *jig.Tool) {
	t.Helper()
	b, err := d.batch([]*jig.Tool{tool}, &settings{})
	require.NoError(t, err)
	schema, err := jig.ParseSchema(b.shaped[0].form.schema)
	require.NoError(t, err, d)
	list := b.shaped[0].fitting()
	require.Len(t, list, len(tool.Examples()))
	for _, raw := range list {
		require.NoError(t, schema.Validate(raw), "%s: %s", d, raw)
	}
}

// TestNativeExamples shows that examples stand in one place only (X4).
func TestNativeExamples(t *testing.T) {
	lookup := sample(t, false, "lookup", "Looks a customer up.", nil,
		lookupArgs{Name: "Ada"}, lookupArgs{Name: "Bo", Years: 3})
	for _, d := range all() {
		text, report := listingOf(t, d, []*jig.Tool{lookup}, NativeExamples())
		require.Equal(t, 1, strings.Count(text, "Ada"), "%s: %s", d, text)
		if d == Anthropic {
			require.Contains(t, text, `"description":"Looks a customer up."`)
			require.Contains(t, text, `"input_examples":[{"name":"Ada"},{"name":"Bo","years":3}]`)
			require.Empty(t, report.Notes())
			require.Equal(t, len(`{"name":"Ada"}{"name":"Bo","years":3}`), report.Costs()[0].Examples)
			continue
		}
		require.Contains(t, text, `Looks a customer up.\n\nExamples:\n1. `, d)
		require.NotContains(t, text, "input_examples", d)
		require.Equal(t, []Note{{"", "this wire has no field for examples: they stay in the descriptions"}},
			report.Notes(), d)
	}
	text, _ := listingOf(t, Anthropic, []*jig.Tool{lookup})
	require.NotContains(t, text, "input_examples", "nobody asked")
}

// TestDescriptionBound shows that whole examples go from the end until the description fits, and
// that this is reported (B44).
func TestDescriptionBound(t *testing.T) {
	tool := sample(t, false, "lookup", strings.Repeat("d", 900), nil, lookupArgs{Name: "Ada"},
		lookupArgs{Name: "Bo", Years: 3}, lookupArgs{Name: strings.Repeat("x", 200)})
	p, ok := ProfileOf("openai_chat_nonstrict")
	require.True(t, ok)
	p.MaxDescription, p.AdviseDescription = 1024, 950
	text, report := listingOf(t, OpenAIChat, []*jig.Tool{tool}, WithProfile(p))
	require.Contains(t, text, `ddd\n\nExamples:\n1. {\"name\":\"Ada\"}\n2. {\"name\":\"Bo\",\"years\":3}"`)
	size := len(tool.Plain()) + len("\n\nExamples:\n1. {\"name\":\"Ada\"}\n2. {\"name\":\"Bo\",\"years\":3}")
	require.Equal(t, []Note{
		{"lookup", "1 of 3 examples left out, from the end: a description may have 1024 bytes"},
		{"lookup", fmt.Sprintf("the description has %d bytes with its examples, and 950 or fewer are "+
			"advised", size)},
	}, report.Notes())

	p.MaxDescription = 899
	refused := refusedOf(t, OpenAIChat, []*jig.Tool{tool}, WithProfile(p))
	require.Equal(t, `jig/dialect: openai-chat: tool "lookup": the description is 900 bytes long, and at `+
		`most 899 are taken; shorten it`, refused.Error())
}

// TestAdviceOnly shows that nothing is left out where a provider only advises (provider-rules 2.3).
func TestAdviceOnly(t *testing.T) {
	tool := sample(t, false, "lookup", strings.Repeat("d", 1100), nil, lookupArgs{Name: "Ada"})
	text, report := listingOf(t, OpenAIChat, []*jig.Tool{tool})
	require.Contains(t, text, `1. {\"name\":\"Ada\"}"`)
	require.Len(t, report.Notes(), 1)
	require.Contains(t, report.Notes()[0].Text, "1024 or fewer are advised")
}

// TestExamplesAfterLoss shows that an example which the sent schema refuses is left out and noted,
// also where the loss needs no option (X3).
func TestExamplesAfterLoss(t *testing.T) {
	tool := shapedTool(t, `{"type":"object","properties":{"v":{"type":"string"},"up":{"$ref":"#"}}}`,
		json.RawMessage(`{"v":"a","up":{"v":"b"}}`), json.RawMessage(`{"v":"a"}`))
	text, report := listingOf(t, Ollama, []*jig.Tool{tool})
	require.Contains(t, text, `Examples:\n1. {\"v\":\"a\"}"`)
	require.Len(t, report.Notes(), 1)
	require.Contains(t, report.Notes()[0].Text, "example 1 is left out")
}
