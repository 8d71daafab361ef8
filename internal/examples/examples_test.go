package examples

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAppend(t *testing.T) {
	list := []json.RawMessage{json.RawMessage(`{"q":"a<b"}`), json.RawMessage(`{}`)}
	require.Equal(t, "Find it.\n\nExamples:\n1. {\"q\":\"a<b\"}\n2. {}", Append("Find it.", list))
	require.Equal(t, "Find it.\n", Append("Find it.\n", nil))
}

func TestFit(t *testing.T) {
	list := []json.RawMessage{json.RawMessage(`{"a":1}`), json.RawMessage(`{"b":2}`)}
	whole := len(Append("D", list))
	for _, test := range []struct {
		name        string
		limit, want int
	}{
		{"no limit", 0, 2},
		{"exactly", whole, 2},
		{"one byte less", whole - 1, 1},
		{"room for none", len("D") + 12, 0},
		{"less than the description", 0 + 1, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Len(t, Fit("D", list, test.limit), test.want)
		})
	}
}
