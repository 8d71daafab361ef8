package dialect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// TestDescriptionBound shows that whole examples go from the end until the description fits, and that
// this is reported (B44).
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

// TestDialectsCompare shows that dialects can be compared and be keys.
func TestDialectsCompare(t *testing.T) {
	seen := map[Dialect]bool{}
	for _, d := range all() {
		require.False(t, seen[d], d)
		seen[d] = true
	}
	require.True(t, seen[OpenAIChat] && seen[Ollama])
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

// TestReportMoved shows that what is moved into the description says no more than that: it is lossy by
// nature.
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
