package dialect

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

type oddArgs struct {
	Default string  `json:"default"`
	Pattern string  `json:"pattern" jsonschema:"pattern=^[A-Z]+$"`
	Type    string  `json:"type,omitempty" jsonschema:"default=x"`
	Score   float64 `json:"score" jsonschema:"exclusiveMinimum=0,multipleOf=0.5"`
}

// TestTrapKeywords: Gemini gets the keywords of its own Schema and no others, a property with the
// name of a keyword survives, and what is lost is in the description and enforced here (B33).
func TestTrapKeywords(t *testing.T) {
	known := strings.Fields("type format title description nullable default example enum properties " +
		"required propertyOrdering items minItems maxItems minimum maximum minLength maxLength " +
		"minProperties maxProperties pattern anyOf")
	reached, odd := 0, 0
	for _, strict := range both {
		for _, tool := range append(samples(t, strict),
			sample[oddArgs](t, strict, "odd_names", "Has odd names.", nil)) {
			text, schema, report := maybeSent(t, GeminiSchema, tool)
			if schema == nil {
				continue
			}
			reached++
			within(schema, "", func(at string, node map[string]any) {
				if strings.HasSuffix(at, "/properties") || strings.Contains(at, "/enum") {
					return
				}
				for key := range node {
					require.Contains(t, known, key, "%s: %s", at, text)
				}
			})
			if tool.Name() != "odd_names" {
				continue
			}
			properties, ok := schema["properties"].(map[string]any)
			require.True(t, ok, text)
			require.Len(t, properties, 4, text)
			require.Contains(t, text, "multipleOf: 0.5", "said in the description")
			require.True(t, slices.ContainsFunc(report.Changes(), func(c Change) bool {
				return c.Pointer == "/properties/score" && c.Keyword == "multipleOf" && c.Action == "moved"
			}), report)
			o := alone(t, tool).Call(t.Context(), jig.Call{ID: "1", Name: "odd_names",
				Args: json.RawMessage(`{"default":"a","pattern":"A","score":0.3}`)})
			require.Equal(t, jig.StatusInvalid, o.Status)
			odd++
		}
	}
	require.Equal(t, 14, reached, "of two times eleven tools")
	require.Equal(t, 2, odd)
}

type nullArgs struct {
	Note *string `json:"note"`
}

// TestTrapTypeLists: null is said as each provider knows it: a list of types, Gemini's nullable, or
// a branch where a strict tool may have no such list (B34).
func TestTrapTypeLists(t *testing.T) {
	for _, strict := range both {
		for _, d := range all() {
			text, _, _ := sent(t, d, sample[nullArgs](t, strict, "keep_note", "Keeps.", nil))
			want := `{"note":{"type":["string","null"]}}`
			switch {
			case d == GeminiSchema:
				want = `{"note":{"type":"string","nullable":true}}`
			case d == DeepSeek && strict:
				want = `{"note":{"anyOf":[{"type":"string"},{"type":"null"}]}}`
			}
			require.Contains(t, text, want, d)
		}
	}
}

// TestTrapClosed: additionalProperties is a literal where it closes an object, and {} is open
// (B37).
func TestTrapClosed(t *testing.T) {
	open := jig.MustParseSchema(`{"type":"object","properties":{"a":{"type":"string"}},` +
		`"additionalProperties":{}}`)
	for _, d := range all() {
		text, _, _ := sent(t, d, plain(t, "look", true))
		require.NotContains(t, text, `{"not":{}}`, d)
		text, _, _ = sent(t, d, sample[json.RawMessage](t, false, "look", "Looks.", open))
		require.NotContains(t, text, `"additionalProperties":false`, d)
	}
}

// TestTrapMaps: a map is never closed to an empty object. Strict providers refuse it, unless the
// caller asks for the loose or the lossy form (B38).
func TestTrapMaps(t *testing.T) {
	for _, strict := range both {
		tool := sample[labelArgs](t, strict, "set_labels", "Sets labels.", nil)
		for _, d := range all() {
			text, schema, report := maybeSent(t, d, tool)
			if text == "" {
				refused := refusedOf(t, d, []*jig.Tool{tool})
				require.Contains(t, refused.Error(), `tool "set_labels": "/properties/labels`, d)
				continue
			}
			properties := schema["properties"].(map[string]any)
			labels := properties["labels"].(map[string]any)
			require.NotEqual(t, false, labels["additionalProperties"], "%s: %s", d, text)
			if labels["additionalProperties"] == nil {
				require.True(t, slices.ContainsFunc(report.Changes(), func(c Change) bool {
					return strings.HasPrefix(c.Pointer, "/properties/labels")
				}), "%s: %s", d, report)
			}
		}
	}
	strict := sample[labelArgs](t, true, "set_labels", "Sets labels.", nil)
	for _, d := range []Dialect{OpenAIChat, OpenAIResponses, Anthropic, Bedrock, Groq, DeepSeek} {
		require.Equal(t, []string{"set_labels"}, refusedOf(t, d, []*jig.Tool{strict}).Loose, d)
	}
}

type nestedArgs struct {
	Opt *struct {
		K string `json:"k,omitempty"`
	} `json:"opt,omitempty"`
	Home *address `json:"home,omitempty"`
}

// TestTrapNestedOptional: an optional object is closed and has every property required where that
// is the rule, also once it takes null (B40).
func TestTrapNestedOptional(t *testing.T) {
	for _, d := range []Dialect{OpenAIChat, OpenAIResponses, Groq, DeepSeek, Anthropic, Bedrock} {
		text, schema, _ := sent(t, d, sample[nestedArgs](t, true, "nest", "Nests.", nil))
		objects := 0
		within(schema, "", func(_ string, node map[string]any) {
			properties, ok := node["properties"].(map[string]any)
			if !ok {
				return
			}
			objects++
			require.Equal(t, false, node["additionalProperties"], "%s: %s", d, text)
			if d != Anthropic && d != Bedrock {
				require.Len(t, node["required"], len(properties), "%s: %s", d, text)
			}
		})
		require.GreaterOrEqual(t, objects, 3, "%s: %s", d, text)
	}
}

type limitArgs struct {
	Limit int `json:"limit,omitempty" jsonschema:"default=10"`
}

func echoLimit(_ context.Context, args limitArgs) (int, error) { return args.Limit, nil }

// TestTrapDefault: where default leaves a schema it is said, reported, and still applied, for null
// too (B41). DeepSeek takes it, and Mistral and the like do.
func TestTrapDefault(t *testing.T) {
	tool := jig.MustDefine(jig.Spec[limitArgs, int]{Name: "list", Description: "Lists.", Strict: true,
		Execute: echoLimit})
	for _, d := range []Dialect{OpenAIChat, OpenAIResponses, Groq} {
		text, _, report := sent(t, d, tool)
		require.NotContains(t, text, `"default":`, d)
		require.Contains(t, text, "default: 10", d)
		require.True(t, slices.ContainsFunc(report.Changes(), func(c Change) bool {
			return c.Pointer == "/properties/limit" && c.Keyword == "default" && c.Action == "moved"
		}), "%s: %s", d, report)
	}
	for _, args := range []string{`{}`, `{"limit":null}`} {
		o := tool.Call(t.Context(), json.RawMessage(args))
		require.Equal(t, "10", o.Text(), args)
	}
}

// TestTrapEscapes: a description is sent as it is written (B42).
func TestTrapEscapes(t *testing.T) {
	for _, d := range all() {
		tool := sample(t, false, "compare", "a < b && c > d", nil, lookupArgs{Name: "<&>"})
		text, _, _ := sent(t, d, tool)
		require.Contains(t, text, "a < b && c > d", d)
		require.Contains(t, text, "<&>", d)
		require.NotContains(t, text, `\u00`, d)
	}
}
