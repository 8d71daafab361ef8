package strict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// requestTools returns n tools of one schema.
func requestTools(t *testing.T, n int, strict bool, schema string) []Tool {
	t.Helper()
	var tools []Tool
	for i := range n {
		tools = append(tools, Tool{Name: fmt.Sprint("t", i), Strict: strict, Schema: []byte(schema)})
	}
	return tools
}

// optionals is a closed object with n optional properties.
func optionals(n int) string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf(`"o%d":{"type":"string"}`, i))
	}
	return `{"type":"object","properties":{` + strings.Join(names, ",") + `},"additionalProperties":false}`
}

// TestCheckRequest shows each bound of a request met, and exceeded by one.
func TestCheckRequest(t *testing.T) {
	const plain = `{"type":"object","properties":{},"additionalProperties":false}`
	const union = `{"type":"object","properties":{"u":{"type":["string","null"]}},"required":["u"]}`
	p := Profile{MaxTools: 30, MaxStrict: 20, MaxOptional: 24, MaxUnions: 16}
	tests := []struct {
		name          string
		taken, excess []Tool
		want          Problem
	}{
		{"tools", requestTools(t, 30, false, optionals(9)), requestTools(t, 31, false, plain),
			Problem{Keyword: "MaxTools", Message: "got 31 tools, want at most 30; leave some out"}},
		{"strict", append(requestTools(t, 20, true, plain), Tool{Name: "loose"}),
			requestTools(t, 21, true, plain), Problem{Keyword: "MaxStrict",
				Message: "got 21 strict tools, want at most 20; make some loose"}},
		{"optional", requestTools(t, 12, true, optionals(2)),
			append(requestTools(t, 8, true, optionals(2)), requestTools(t, 1, true, optionals(9))...),
			Problem{Keyword: "MaxOptional", Message: "got 25 optional properties in the strict tools of one " +
				"request, want at most 24; make some of them loose: \"t0\" has 9, \"t0\" has 2, \"t1\" has 2, " +
				"\"t2\" has 2, \"t3\" has 2, 4 more have the rest"}},
		{"unions", requestTools(t, 16, true, union), requestTools(t, 17, true, union),
			Problem{Keyword: "MaxUnions", Message: "got 17 properties with a list of types or an anyOf in " +
				"the strict tools of one request, want at most 16; make some of them loose: \"t0\" has 1, " +
				"\"t1\" has 1, \"t2\" has 1, \"t3\" has 1, \"t4\" has 1, 12 more have the rest"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Empty(t, CheckRequest(p, test.taken))
			require.Equal(t, []Problem{test.want}, CheckRequest(p, test.excess))
			require.Empty(t, CheckRequest(Profile{}, test.excess), "zero means no limit")
		})
	}
}

// TestBudgetCounts shows what counts: at every depth, each use of a definition, and no
// schema that is not sent.
func TestBudgetCounts(t *testing.T) {
	tests := []struct {
		name             string
		schema           string
		optional, unions int
	}{
		{"nested", `{"properties":{"a":{"properties":{"b":{}}},"c":{"items":{"properties":{"d":{}}}}},` +
			`"required":["a"]}`, 3, 0},
		{"branches", `{"properties":{"a":{"anyOf":[{"properties":{"b":{}}},{"type":"null"}]}},` +
			`"required":["a"]}`, 1, 1},
		{"items", `{"properties":{"a":{"items":{"type":["string","null"]}}},"required":["a"]}`, 0, 1},
		{"one type", `{"properties":{"a":{"type":["string"]}},"required":["a"]}`, 0, 0},
		{"each use", `{"properties":{"a":{"$ref":"#/$defs/D"},"b":{"$ref":"#/$defs/D"}},` +
			`"required":["a","b"],"$defs":{"D":{"anyOf":[{"properties":{"c":{}}}]}}}`, 2, 2},
		{"no use", `{"$defs":{"D":{"properties":{"c":{"anyOf":[]}}}}}`, 1, 1},
		{"cycle", `{"properties":{"a":{"$ref":"#"}}}`, 1, 0},
		{"a keyword's name", `{"properties":{"anyOf":{},"properties":{}},"required":["anyOf"]}`, 1, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			count := countTools(requestTools(t, 1, true, test.schema))[0]
			require.Equal(t, toolCount{"t0", test.optional, test.unions}, count)
			require.Equal(t, toolCount{name: "t0"}, countTools([]Tool{{Name: "t0", Strict: true}})[0])
		})
	}
}

// TestBudgetDoubling shows that definitions which double a count at each step cost no time for it.
func TestBudgetDoubling(t *testing.T) {
	schema := `{"$ref":"#/$defs/D0","$defs":{`
	for i := range 64 {
		schema += fmt.Sprintf(`"D%d":{"properties":{"a":{"$ref":"#/$defs/D%[2]d"},"b":{"$ref":"#/$defs/D%[2]d"}}},`,
			i, i+1)
	}
	schema += `"D64":{"type":"string"}}}`
	require.Equal(t, toolCount{"t0", countCeiling, 0}, countTools(requestTools(t, 1, true, schema))[0])
}
