package dialect

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// The tests of this file are named after the traps of the field: what broke others, each shown for
// every provider with the right value.

// schemaPaths say where the wire of a dialect has the schema of the first tool; other wires have that
// of the Chat API.
var schemaPaths = map[string][]string{
	"openai-responses": {"parameters"},
	"anthropic":        {"input_schema"},
	"gemini":           {"functionDeclarations", "parametersJsonSchema"},
	"gemini-schema":    {"functionDeclarations", "parameters"},
	"bedrock":          {"toolSpec", "inputSchema", "json"},
	"mcp":              {"inputSchema"},
}

// schemaIn returns the schema of the first tool out of what Tools wrote; nil where the wire has none.
func schemaIn(t *testing.T, d Dialect, text string) map[string]any {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal([]byte(text), &value))
	path, ok := schemaPaths[d.name]
	if !ok {
		path = []string{"function", "parameters"}
	}
	for _, key := range path {
		if list, ok := value.([]any); ok {
			value = list[0]
		}
		object, ok := value.(map[string]any)
		require.True(t, ok, "%s: no object above %q: %s", d, key, text)
		value = object[key]
	}
	if list, ok := value.([]any); ok {
		value = list[0]
	}
	schema, _ := value.(map[string]any)
	return schema
}

// sent returns what a dialect makes of a tool, as text and as the schema in it; both empty where it
// refuses the tool.
func sent(t *testing.T, d Dialect, tool *jig.Tool) (string, map[string]any, *Report) {
	t.Helper()
	text, report, err := d.Tools(alone(t, tool))
	if err != nil {
		return "", nil, nil
	}
	return string(text), schemaIn(t, d, string(text)), report
}

// both are the forms of a tool, strict and not.
var both = []bool{true, false}

// within visits every object inside a schema with its pointer.
func within(schema any, at string, visit func(at string, node map[string]any)) {
	switch value := schema.(type) {
	case map[string]any:
		visit(at, value)
		for key, child := range value {
			within(child, at+"/"+key, visit)
		}
	case []any:
		for i, child := range value {
			within(child, fmt.Sprintf("%s/%d", at, i), visit)
		}
	}
}

type none struct{}

// TestTrapNoArguments: a tool without arguments has an object with properties (B25), of type object at
// the root (B27). GeminiSchema alone leaves the schema out, since it refuses an empty object.
func TestTrapNoArguments(t *testing.T) {
	for _, strict := range both {
		tools := map[string]*jig.Tool{
			"struct": sample[struct{}](t, strict, "ping", "Pings.", nil),
			"named":  sample[none](t, strict, "ping", "Pings.", nil),
			"by hand": sample[map[string]any](t, strict, "ping", "Pings.",
				jig.MustParseSchema(`{"type":"object"}`)),
		}
		for kind, tool := range tools {
			for _, d := range all() {
				text, schema, _ := sent(t, d, tool)
				if kind == "by hand" && strict && text == "" {
					continue // without a word on what is in it, it is a free-form map
				}
				require.NotEmpty(t, text, "%s: %s", d, kind)
				if d == GeminiSchema {
					require.Nil(t, schema, text)
					continue
				}
				require.Equal(t, "object", schema["type"], "%s: %s: %s", d, kind, text)
				require.Equal(t, map[string]any{}, schema["properties"], "%s: %s: %s", d, kind, text)
			}
		}
	}
}

// TestTrapRoot: the root is an object with its properties in place, and every reference leads to
// something that is sent (B27, B28).
func TestTrapRoot(t *testing.T) {
	for _, strict := range both {
		for _, tool := range samples(t, strict) {
			for _, d := range all() {
				text, schema, _ := sent(t, d, tool)
				if schema == nil {
					continue
				}
				require.Contains(t, []any{"object", "OBJECT"}, schema["type"], text)
				require.Contains(t, schema, "properties", text)
				for _, keyword := range []string{"$ref", "anyOf", "oneOf", "allOf", "enum", "not"} {
					require.NotContains(t, schema, keyword, text)
				}
				within(schema, "", func(at string, node map[string]any) {
					ref, ok := node["$ref"].(string)
					if !ok || strings.HasSuffix(at, "/properties") {
						return
					}
					require.True(t, ref == "#" || resolves(schema, ref), "%s: %s: %s", d, ref, text)
				})
			}
		}
	}
}

func resolves(schema any, ref string) bool {
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return false
	}
	for _, key := range strings.Split(path, "/") {
		object, ok := schema.(map[string]any)
		if !ok {
			return false
		}
		schema = object[key]
	}
	return schema != nil
}

// TestTrapRootUnion: a union at the root is an error that names the tool, before anything is sent
// (B29) by a provider that takes none.
func TestTrapRootUnion(t *testing.T) {
	schema := jig.MustParseSchema(`{"type":"object","properties":{"a":{"type":"string"},` +
		`"b":{"type":"string"}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`)
	tool := sample[json.RawMessage](t, false, "either", "Takes one of two.", schema)
	for _, d := range []Dialect{OpenAIChat, OpenAIResponses, Anthropic, Gemini, GeminiSchema} {
		refused := refusedOf(t, d, []*jig.Tool{tool})
		require.Contains(t, refused.Error(), `jig/dialect: `+d.name+`: tool "either": `, d)
	}
	text, _, _ := sent(t, MCP, tool)
	require.Contains(t, text, `"oneOf":[{"required":["a"]},{"required":["b"]}]`)
}

type homeArgs struct {
	Home address `json:"home" jsonschema_description:"Where the customer lives."`
	Work address `json:"work,omitempty" jsonschema_description:"Where the customer works."`
}

// TestTrapReferenceSiblings: the description of a field survives, and nothing stands beside a $ref
// where the provider drops or refuses it (B30).
func TestTrapReferenceSiblings(t *testing.T) {
	for _, strict := range both {
		for _, d := range all() {
			text, schema, _ := sent(t, d, sample[homeArgs](t, strict, "move", "Moves.", nil))
			require.Contains(t, text, "Where the customer lives.", d)
			require.Contains(t, text, "Where the customer works.", d)
			if d == MCP {
				continue
			}
			within(schema, "", func(_ string, node map[string]any) {
				if _, ok := node["$ref"].(string); ok {
					require.Len(t, node, 1, "%s: %s", d, text)
				}
			})
		}
	}
}

// TestTrapIdentity: no $schema, $id or $comment is sent (B31).
func TestTrapIdentity(t *testing.T) {
	schema := jig.MustParseSchema(`{"$schema":"https://json-schema.org/draft/2020-12/schema",` +
		`"$id":"https://example.com/private/path","$comment":"ours","type":"object",` +
		`"properties":{"$id":{"type":"string"}}}`)
	for _, d := range all() {
		text, properties, _ := sent(t, d, sample[json.RawMessage](t, false, "look", "Looks.", schema))
		require.NotContains(t, text, "example.com", d)
		require.NotContains(t, text, "$schema", d)
		require.NotContains(t, text, "$comment", d)
		if properties != nil { // a name of $id is refused where names have a pattern
			require.Contains(t, properties["properties"], "$id", d)
		}
	}
}

type linesArgs struct {
	Lines []address `json:"lines"`
	More  []address `json:"more,omitempty"`
}

// TestTrapDefinitions: items of a named type keep what they are where a provider knows no $defs, and
// a type that contains itself is an error there (B32).
func TestTrapDefinitions(t *testing.T) {
	for _, strict := range both {
		for _, d := range []Dialect{GeminiSchema, Ollama} {
			text, schema, _ := sent(t, d, sample[linesArgs](t, strict, "add_lines", "Adds.", nil))
			require.NotContains(t, text, "$ref", d)
			require.NotContains(t, text, "$defs", d)
			require.Equal(t, 2, strings.Count(text, `"city"`)-strings.Count(text, `["city"]`), d)
			require.NotNil(t, schema, d)
		}
		tree := sample[nodeArgs](t, strict, "grow_tree", "Grows.", nil)
		refused := refusedOf(t, GeminiSchema, []*jig.Tool{tree})
		require.Contains(t, refused.Error(), `jig/dialect: gemini-schema: tool "grow_tree": "/`)
	}
}

type oddArgs struct {
	Default string  `json:"default"`
	Pattern string  `json:"pattern" jsonschema:"pattern=^[A-Z]+$"`
	Type    string  `json:"type,omitempty" jsonschema:"default=x"`
	Score   float64 `json:"score" jsonschema:"exclusiveMinimum=0,multipleOf=0.5"`
}

// TestTrapKeywords: Gemini gets the keywords of its own Schema and no others, a property with the name
// of a keyword survives, and what is lost is in the description and enforced here (B33).
func TestTrapKeywords(t *testing.T) {
	known := strings.Fields("type format title description nullable default example enum properties " +
		"required propertyOrdering items minItems maxItems minimum maximum minLength maxLength " +
		"minProperties maxProperties pattern anyOf")
	for _, strict := range both {
		for _, tool := range append(samples(t, strict),
			sample[oddArgs](t, strict, "odd_names", "Has odd names.", nil)) {
			text, schema, report := sent(t, GeminiSchema, tool)
			if schema == nil {
				continue
			}
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
		}
	}
}

type nullArgs struct {
	Note *string `json:"note"`
}

// TestTrapTypeLists: null is said as each provider knows it: a list of types, Gemini's nullable, or a
// branch where a strict tool may have no such list (B34).
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

// TestTrapClosed: additionalProperties is a literal where it closes an object, and {} is open (B37).
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
			text, schema, report := sent(t, d, tool)
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

// TestTrapNestedOptional: an optional object is closed and has every property required where that is
// the rule, also once it takes null (B40).
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

// TestTrapDefault: where default leaves a schema it is said, reported, and still applied, for null too
// (B41). DeepSeek takes it, and Mistral and the like do.
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
