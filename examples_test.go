package jig_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

type lookupArgs struct {
	Zone  string        `json:"zone"`
	Query string        `json:"query" jsonschema:"minLength=1"`
	After time.Duration `json:"after,omitempty"`
	Limit int           `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50,default=10"`
	Owner *string       `json:"owner,omitempty"`
	Kind  string        `json:"kind,omitempty" jsonschema:"enum=a,enum=b"`
}

func TestExamplesInDescription(t *testing.T) {
	spec := echoSpec[lookupArgs]("search")
	spec.Description = "Finds things.\n"
	require.Equal(t, "Finds things.\n", jig.MustDefine(spec).Description())
	require.Empty(t, jig.MustDefine(spec).Examples())

	ann := "Ann"
	spec.Examples = []lookupArgs{
		{Zone: "eu", Query: "if a < b && c > \"d\"\nü"},
		{Zone: "", Query: "x", After: 90 * time.Second, Limit: 5, Owner: &ann, Kind: "b"},
	}
	tool := jig.MustDefine(spec)
	require.Equal(t, "Finds things.\n\n\nExamples:\n"+
		`1. {"zone":"eu","query":"if a < b && c > \"d\"\nü"}`+"\n"+
		`2. {"zone":"","query":"x","after":"1m30s","limit":5,"owner":"Ann","kind":"b"}`,
		tool.Description())
	require.Equal(t, "Finds things.\n", tool.Plain())
	require.Equal(t, []json.RawMessage{
		json.RawMessage(`{"zone":"eu","query":"if a < b && c > \"d\"\nü"}`),
		json.RawMessage(`{"zone":"","query":"x","after":"1m30s","limit":5,"owner":"Ann","kind":"b"}`),
	}, tool.Examples())
}

func TestExamplesRawKeepKeys(t *testing.T) {
	spec := echoSpec[json.RawMessage]("x")
	spec.Schema = jig.MustParseSchema(`{"properties":{"a":{},"b":{},"c":{}}}`)
	spec.Examples = []json.RawMessage{
		json.RawMessage("{ \"c\": 1.50,\n \"a\": [ 1, {\"y\":1, \"x\":2} ], \"z\":\"<\\u0026>\" }"),
	}
	require.Equal(t, "Echoes.\n\nExamples:\n"+`1. {"c":1.50,"a":[1,{"y":1,"x":2}],"z":"<&>"}`,
		jig.MustDefine(spec).Description())
}

func TestExamplesMapTakeSchemaOrder(t *testing.T) {
	spec := echoSpec[map[string]any]("x")
	spec.Schema = jig.MustParseSchema(`{
		"properties": {
			"zone": {"type":"string"}, "inner": {"$ref":"#/$defs/pair"},
			"list": {"items":{"anyOf":[{"$ref":"#/$defs/pair"},{"type":"null"}]}},
			"map": {"additionalProperties":{"$ref":"#/$defs/pair"}}, "able": {}
		},
		"$defs": {"pair":{"type":["object","null"],"properties":{"y":{},"x":{"properties":{"q":{},"p":{}}}}}}
	}`)
	pair := map[string]any{"x": map[string]any{"p": 1, "q": 2}, "y": 3, "b": 4, "a": 5}
	spec.Examples = []map[string]any{{
		"other": true, "able": map[string]any{"d": 1, "c": 2}, "zone": "<&>", "inner": pair,
		"list": []any{pair, nil}, "map": map[string]any{"k": pair, "j": nil}, "more": nil,
	}}
	const want = `{"y":3,"x":{"q":2,"p":1},"a":5,"b":4}`
	for range 50 {
		require.Equal(t, "Echoes.\n\nExamples:\n"+`1. {"zone":"<&>","inner":`+want+`,"list":[`+want+
			`,null],"map":{"j":null,"k":`+want+`},"able":{"c":2,"d":1},"more":null,"other":true}`,
			jig.MustDefine(spec).Description())
	}
}

func TestExamplesRefused(t *testing.T) {
	spec := echoSpec[lookupArgs]("search")
	spec.Examples = []lookupArgs{
		{Query: "fine"}, {Limit: 51, Kind: "c"}, {Query: "fine too"}, {Query: ""},
	}
	_, err := jig.Define(spec)
	require.Equal(t, []string{
		`Examples[1]: the tool's own schema refuses it: "/kind": got "c", want one of "a", "b"; ` +
			`"/limit": got 51, want at most 50; "/query": got 0 characters "", want at least 1`,
		`Examples[3]: the tool's own schema refuses it: "/query": got 0 characters "", want at least 1`,
	}, wrongIn(t, err))

	raw := echoSpec[json.RawMessage]("x")
	raw.Strict = true
	raw.Schema = jig.MustParseSchema(`{"properties":{"a":{"type":"integer"}},"required":["a"]}`)
	raw.Examples = []json.RawMessage{
		json.RawMessage(`{"a":1}`), json.RawMessage(`{"a":1,"b":2}`), json.RawMessage(`{"a":`), nil,
		json.RawMessage(`{"a":1,"a":2}`),
	}
	_, err = jig.Define(raw)
	problems := wrongIn(t, err)
	require.Len(t, problems, 4)
	require.Equal(t, `Examples[1]: the tool's own schema refuses it: "/b": not a property here; `+
		`the only property is "a"`, problems[0])
	require.Contains(t, problems[1], "Examples[2]: ")
	require.Equal(t, `Examples[3]: the tool's own schema refuses it: got null, want object`, problems[2])
	require.Contains(t, problems[3], `Examples[4]: `)
}

func TestExamplesThatCannotBeWritten(t *testing.T) {
	type args struct {
		F   float64        `json:"f"`
		Any any            `json:"any"`
		Map map[string]any `json:"map,omitempty"`
	}
	cycle := map[string]any{}
	cycle["self"] = cycle
	spec := echoSpec[args]("x")
	spec.Examples = []args{{F: math.NaN()}, {Any: make(chan int)}, {Map: cycle}}
	_, err := jig.Define(spec)
	problems := wrongIn(t, err)
	require.Len(t, problems, 3)
	require.Equal(t, "Examples[0]: f: NaN has no JSON form", problems[0])
	require.Contains(t, problems[1], "Examples[1]: any: ")
	require.Contains(t, problems[2], "Examples[2]: map.self.self")
	require.Less(t, len(problems[2]), 500)
}

func TestExamplesAreCopied(t *testing.T) {
	spec := echoSpec[map[string]any]("x")
	spec.Schema = jig.MustParseSchema(`{"properties":{"a":{"type":"integer"}}}`)
	spec.Examples = []map[string]any{{"a": 1}}
	tool := jig.MustDefine(spec)
	spec.Examples[0]["a"] = 2
	spec.Examples[0] = nil
	require.Equal(t, "Echoes.\n\nExamples:\n1. {\"a\":1}", tool.Description())
	described, err := tool.WithDescription("Other.")
	require.NoError(t, err)
	require.Equal(t, "Other.\n\nExamples:\n1. {\"a\":1}", described.Description())
}
