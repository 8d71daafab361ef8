package dialect

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// TestReportText pins the text of a report.
func TestReportText(t *testing.T) {
	tools := []*jig.Tool{
		sample(t, true, "lookup", "Looks a customer up.", nil, lookupArgs{Name: "Ada"}),
		sample[listArgs](t, false, "list_orders", "Lists orders.", nil),
	}
	text, report := listingOf(t, OpenAIChat, tools)
	again, second := listingOf(t, OpenAIChat, tools)
	require.Equal(t, text, again)
	require.Equal(t, report.String(), second.String())
	require.Equal(t, []string{"openai_chat_strict", "openai_chat_nonstrict"}, report.Profiles())
	require.Equal(t, "openai-chat", report.Dialect())
	compareArchive(t, "report", archive{
		prose: "The text of a report: costs, changes and notes, for one strict tool and one that is not.\n",
		files: []archiveFile{{"openai-chat", report.String()}},
	})
}

// TestCost shows that the parts of a definition add up to its bytes (W4).
func TestCost(t *testing.T) {
	lookup := sample(t, false, "lookup", "Looks a customer up.", nil, lookupArgs{Name: "Ada"})
	for _, d := range all() {
		text, report := listingOf(t, d, []*jig.Tool{lookup, plain(t, "look", false)})
		for _, c := range report.Costs() {
			require.Equal(t, c.Total, c.Name+c.Description+c.Examples+c.Schema+c.Frame, d)
			require.Positive(t, c.Frame, d)
			require.Positive(t, c.Schema, d)
		}
		c := report.Costs()[0]
		require.Equal(t, "lookup", c.Tool)
		require.Equal(t, len("lookup"), c.Name)
		require.Equal(t, len("Looks a customer up."), c.Description)
		require.Equal(t, len("\n\nExamples:\n1. {\"name\":\"Ada\"}"), c.Examples)
		total := report.Total()
		require.Equal(t, c.Total+report.Costs()[1].Total, total.Total)
		require.InDelta(t, len(text), total.Total, 40, "%s: the list around the definitions", d)
	}
}

// TestCostOfSchema shows one cost as numbers.
func TestCostOfSchema(t *testing.T) {
	_, report := listingOf(t, MCP, []*jig.Tool{plain(t, "look", false)})
	schema := len(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)
	require.Equal(t, schema, report.Costs()[0].Schema)
}

func TestTokens(t *testing.T) {
	for bytes, want := range map[int]int{0: 0, 1: 1, 4: 1, 5: 2, 4000: 1000} {
		require.Equal(t, want, Cost{Total: bytes}.Tokens(), bytes)
	}
}

// TestReportCopies shows that what a caller does to a report changes nothing.
func TestReportCopies(t *testing.T) {
	r := alone(t, sample[listArgs](t, true, "list_orders", "Lists orders.", nil))
	_, report, err := OpenAIChat.Tools(r)
	require.NoError(t, err)
	before := report.String()
	require.NotEmpty(t, report.Changes())
	report.Changes()[0].Message = "changed"
	report.Costs()[0].Total = 0
	_, again, err := OpenAIChat.Tools(r)
	require.NoError(t, err)
	require.Equal(t, before, again.String())
	require.False(t, strings.Contains(again.String(), "changed"))
}

// TestReportMoved shows that what is moved into the description says no more than that: it is lossy
// by nature.
func TestReportMoved(t *testing.T) {
	tool := shapedTool(t, `{"type":"object","properties":{"a":{"type":"string","pattern":"^(?=a)"}}}`)
	_, report := listingOf(t, OpenAIChat, []*jig.Tool{tool})
	require.Contains(t, report.String(), "pattern_lookaround  moved  ")
}

// TestUnstatedMap shows that a map which the provider does not read is a loss in the report.
func TestUnstatedMap(t *testing.T) {
	tool := shapedTool(t, `{"type":"object","properties":{"m":{"type":"object",`+
		`"additionalProperties":{"type":"integer"}}}}`)
	text, report := listingOf(t, Ollama, []*jig.Tool{tool})
	require.NotContains(t, text, "additionalProperties")
	require.True(t, report.Changes()[0].Lossy)
}
