package dialect

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// byName returns one dialect.
func byName(t *testing.T, name string) Dialect {
	t.Helper()
	i := slices.IndexFunc(all(), func(d Dialect) bool { return d.name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return all()[i]
}

// listingOf is Tools for a registry of these tools, which have to be taken.
func listingOf(t *testing.T, d Dialect, tools []*jig.Tool, options ...Option) (string, *Report) {
	t.Helper()
	r := &jig.Registry{}
	require.NoError(t, r.Add(tools...))
	text, report, err := d.Tools(r, options...)
	require.NoError(t, err)
	require.True(t, json.Valid(text), "%s", text)
	return string(text), report
}

// refusedOf is Tools for a registry whose tools have to be refused.
func refusedOf(t *testing.T, d Dialect, tools []*jig.Tool, options ...Option) *RefusedError {
	t.Helper()
	r := &jig.Registry{}
	require.NoError(t, r.Add(tools...))
	text, report, err := d.Tools(r, options...)
	refused, ok := errors.AsType[*RefusedError](err)
	require.True(t, ok, "Tools = %s, %v, want a RefusedError", text, err)
	require.Nil(t, text)
	require.Nil(t, report)
	return refused
}

// plainArgs has what every provider takes, strict or not.
type plainArgs struct {
	City string `json:"city"`
}

func plain(t testing.TB, name string, strict bool) *jig.Tool {
	return sample[plainArgs](t, strict, name, "Looks something up.", nil)
}

// TestStrictFlag shows what a strict tool and another one have of the flag (T5): true where it is
// asked for; false only where the provider reads a missing flag as a wish.
func TestStrictFlag(t *testing.T) {
	for _, test := range []struct{ dialect, strict, loose string }{
		{"openai-chat", `"strict":true`, ""},
		{"openai-responses", `"strict":true`, `"strict":false`},
		{"anthropic", `"strict":true`, ""},
		{"gemini", "", ""},
		{"gemini-schema", "", ""},
		{"bedrock", `"strict":true`, ""},
		{"mcp", "", ""},
		{"mistral", `"strict":true`, ""},
		{"groq", `"strict":true`, ""},
		{"xai", "", ""},
		{"deepseek", `"strict":true`, ""},
		{"ollama", "", ""},
	} {
		t.Run(test.dialect, func(t *testing.T) {
			d := byName(t, test.dialect)
			flag := func(strict bool, options ...Option) string {
				text, _ := listingOf(t, d, []*jig.Tool{plain(t, "look", strict)}, options...)
				for _, flag := range []string{`"strict":true`, `"strict":false`} {
					if strings.Contains(text, flag) {
						return flag
					}
				}
				return ""
			}
			require.Equal(t, test.strict, flag(true))
			require.Equal(t, test.loose, flag(false))
			require.Equal(t, test.loose, flag(true, Loose("look")))
		})
	}
}

// TestStrictWithoutFlag shows that a wire without the flag gets the closed schema all the same, and
// that one which cannot close an object reports it (T5).
func TestStrictWithoutFlag(t *testing.T) {
	const closed = `"additionalProperties":false`
	for _, d := range all() {
		text, report := listingOf(t, d, []*jig.Tool{plain(t, "look", true)})
		told := slices.ContainsFunc(report.Changes(), func(c Change) bool {
			return strings.HasPrefix(c.Keyword, "additionalProperties")
		})
		if d == GeminiSchema || d == Ollama {
			require.NotContains(t, text, closed, d)
			require.True(t, told, "%s: %s", d, report)
			continue
		}
		require.Contains(t, text, closed, d)
		require.False(t, told, "%s: %s", d, report)
	}
}

// TestWireNames shows the name of a grouped tool on each wire (N3).
func TestWireNames(t *testing.T) {
	for _, d := range all() {
		r := &jig.Registry{}
		require.NoError(t, r.Group("billing", plain(t, "refund", false)))
		text, report, err := d.Tools(r)
		require.NoError(t, err, d)
		want := `"name":"billing__refund"`
		if d == MCP {
			want = `"name":"billing.refund"`
		}
		require.Contains(t, string(text), want, d)
		require.Equal(t, "billing.refund", report.Costs()[0].Tool, d)
	}
}

// TestOrder shows that the definitions keep the order of registration, and are the same bytes each
// time (B43).
func TestOrder(t *testing.T) {
	for _, d := range all() {
		var tools []*jig.Tool
		for _, name := range []string{"zeta", "alpha", "mid"} {
			tools = append(tools, sample[listArgs](t, false, name, "Lists.", nil))
		}
		first, _ := listingOf(t, d, tools)
		at := -1
		for _, name := range []string{`"zeta"`, `"alpha"`, `"mid"`} {
			require.Greater(t, strings.Index(first, name), at, "%s: %s", d, first)
			at = strings.Index(first, name)
		}
		for range 20 {
			again, _ := listingOf(t, d, tools)
			require.Equal(t, first, again)
		}
	}
}

// TestEmptyRegistry shows that no tools are an empty list.
func TestEmptyRegistry(t *testing.T) {
	for _, d := range all() {
		text, report, err := d.Tools(&jig.Registry{})
		require.NoError(t, err, d)
		require.NotContains(t, string(text), "null", d)
		require.NotEmpty(t, text, d)
		require.Equal(t, d.name+": no tools\n", report.String())
	}
}

// TestRegistryStillCalls shows that listing changes nothing about calls.
func TestRegistryStillCalls(t *testing.T) {
	tool := plain(t, "look", true)
	r := alone(t, tool)
	for _, d := range all() {
		_, _, err := d.Tools(r, Lossy())
		require.NoError(t, err)
	}
	o := r.Call(context.Background(), jig.Call{ID: "1", Name: "look", Args: []byte(`{"city":"Oslo"}`)})
	require.Equal(t, jig.StatusOK, o.Status)
}

// shapedTool defines a tool by hand that is loose.
func shapedTool(t *testing.T, schema string, examples ...json.RawMessage) *jig.Tool {
	t.Helper()
	return jig.MustDefine(jig.Spec[json.RawMessage, jig.NoResult]{Name: "look",
		Description: "Looks something up.", Schema: jig.MustParseSchema(schema), Examples: examples,
		Execute: func(context.Context, json.RawMessage) (jig.NoResult, error) {
			return jig.NoResult{}, nil
		}})
}

// TestUnshownKeywords shows that nobody refuses a schema for what is not sent of it.
func TestUnshownKeywords(t *testing.T) {
	tool := shapedTool(t, `{"$id":"https://a.example/s","type":"object","properties":`+
		`{"a":{"type":"string","$comment":"Mine."}}}`)
	for _, d := range all() {
		text, report := listingOf(t, d, []*jig.Tool{tool})
		require.NotContains(t, text, "$", d)
		if d != Groq { // which makes a nullable
			require.Empty(t, report.Changes(), d)
		}
	}
}

// TestReferenceByAnchor shows that what a reference by name leads to goes along, under a pointer.
func TestReferenceByAnchor(t *testing.T) {
	tool := shapedTool(t, `{"type":"object","properties":{"a":{"$ref":"#x"}},"required":["a"],`+
		`"$defs":{"x":{"$anchor":"x","type":"string"}}}`)
	for _, d := range all() {
		text, _ := listingOf(t, d, []*jig.Tool{tool})
		require.NotContains(t, text, `"#x"`, d)
		require.Contains(t, text, `"string"`, d)
	}
}
