package dialect

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// The tests of this file are named after the traps of the field: what broke others, each shown for
// every provider with the right value.

// schemaPaths say where the wire of a dialect has the schema of the first tool; other wires have
// that of the Chat API.
var schemaPaths = map[string][]string{
	"openai-responses": {"parameters"},
	"anthropic":        {"input_schema"},
	"gemini":           {"functionDeclarations", "parametersJsonSchema"},
	"gemini-schema":    {"functionDeclarations", "parameters"},
	"bedrock":          {"toolSpec", "inputSchema", "json"},
	"mcp":              {"inputSchema"},
}

// schemaIn returns the schema of the first tool out of what Tools wrote; nil where the wire has
// none.
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

// sent returns what a dialect makes of a tool, which it has to take, as text and as the schema in
// it.
func sent(t *testing.T, d Dialect, tool *jig.Tool) (string, map[string]any, *Report) {
	t.Helper()
	text, report := listingOf(t, d, []*jig.Tool{tool})
	return text, schemaIn(t, d, text), report
}

// maybeSent is sent for a tool that a dialect may refuse: nothing is then returned.
func maybeSent(t *testing.T, d Dialect, tool *jig.Tool) (string, map[string]any, *Report) {
	t.Helper()
	_, _, err := d.Tools(alone(t, tool))
	if _, refused := errors.AsType[*RefusedError](err); refused {
		return "", nil, nil
	}
	return sent(t, d, tool)
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

// TestTrapNoArguments: a tool without arguments has an object with properties (B25), of type object
// at the root (B27). GeminiSchema alone leaves the schema out, since it refuses an empty object.
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
				text, schema, _ := maybeSent(t, d, tool)
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
	reached := map[Dialect]int{}
	for _, strict := range both {
		for _, tool := range samples(t, strict) {
			for _, d := range all() {
				text, schema, _ := maybeSent(t, d, tool)
				if schema == nil {
					continue
				}
				reached[d]++
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
	for _, d := range all() { // of two times ten tools
		require.GreaterOrEqual(t, reached[d], 12, d)
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

// TestTrapIdentity: no $schema, $id or $comment is sent, and a property of such a name is (B31).
func TestTrapIdentity(t *testing.T) {
	tool := func(property string) *jig.Tool {
		return sample[json.RawMessage](t, false, "look", "Looks.", jig.MustParseSchema(
			`{"$schema":"https://json-schema.org/draft/2020-12/schema",`+
				`"$id":"https://example.com/private/path","$comment":"ours","type":"object",`+
				`"properties":{"`+property+`":{"type":"string"}}}`))
	}
	for _, d := range all() {
		text, _, _ := sent(t, d, tool("id"))
		require.NotContains(t, text, "example.com", d)
		require.NotContains(t, text, "$", d)
		_, schema, _ := maybeSent(t, d, tool("$id"))
		if slices.Contains([]Dialect{Anthropic, Gemini, GeminiSchema}, d) {
			require.Nil(t, schema, "names have a pattern at %s", d)
			continue
		}
		require.Contains(t, schema["properties"], "$id", d)
	}
}

type linesArgs struct {
	Lines []address `json:"lines"`
	More  []address `json:"more,omitempty"`
}

// TestTrapDefinitions: items of a named type keep what they are where a provider knows no $defs,
// and a type that contains itself is an error there (B32).
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
