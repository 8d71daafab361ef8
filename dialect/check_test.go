package dialect

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// TestCheck shows the three verdicts, in the order of the dialects.
func TestCheck(t *testing.T) {
	verdicts := Check(sample[labelArgs](t, true, "set_labels", "Sets labels.", nil))
	require.Len(t, verdicts, len(all()))
	got := map[Dialect]Verdict{}
	for i, d := range all() {
		require.Equal(t, d.name, verdicts[i].Dialect)
		require.Equal(t, "set_labels", verdicts[i].Tool)
		got[d] = verdicts[i]
	}
	require.Equal(t, "mcp: set_labels: accepted as it is", got[MCP].String())
	require.NotNil(t, got[OpenAIChat].Refused)
	require.Contains(t, got[OpenAIChat].String(), "openai-chat: set_labels: refused\n"+
		"jig/dialect: openai-chat: ")
	require.Contains(t, got[Anthropic].Refused.Error(), `"/properties/labels`)

	for _, v := range Check(sample[listArgs](t, true, "list_orders", "Lists orders.", nil)) {
		require.Nil(t, v.Refused, v)
		if v.Dialect == OpenAIChat.name {
			require.NotEmpty(t, v.Changes)
			require.Contains(t, v.String(), "openai-chat: list_orders: accepted with ")
		}
	}
}

// TestCheckGrouped shows that a tool is checked under its name in a group.
func TestCheckGrouped(t *testing.T) {
	r := &jig.Registry{}
	require.NoError(t, r.Group("crm", plain(t, "look", false)))
	tool, ok := r.Lookup("crm.look")
	require.True(t, ok)
	require.Equal(t, "mcp: crm.look: accepted as it is", Check(tool)[6].String())
}

func TestTable(t *testing.T) {
	table := Table(plain(t, "look", true), sample[labelArgs](t, true, "set_labels", "Sets labels.", nil))
	lines := strings.Split(strings.TrimSpace(table), "\n")
	require.Len(t, lines, len(all())+2)
	require.Equal(t, "| dialect | as it is | with changes | refused |", lines[0])
	require.Equal(t, "| openai-chat | 1 |  | `set_labels` |", lines[2])
	require.Equal(t, "| mcp | 2 |  |  |", lines[8])
}
