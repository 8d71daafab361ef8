package dialect

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

func TestMCPDefinition(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		form       form
	}{
		{"plain", `{"name":"a.b","description":"A < b.","inputSchema":{"type":"object"}}`,
			form{name: "a.b", description: "A < b.", schema: json.RawMessage(`{"type":"object"}`)}},
		{"everything", `{"name":"a","title":"T","description":"A.","inputSchema":{},` +
			`"outputSchema":{"type":"array"},` +
			`"annotations":{"title":"T","readOnlyHint":false,"destructiveHint":true,` +
			`"idempotentHint":true,"openWorldHint":false}}`,
			form{name: "a", title: "T", description: "A.", schema: json.RawMessage(`{}`), strict: true,
				output: json.RawMessage(`{"type":"array"}`), hints: jig.Hints{ReadOnly: jig.HintFalse,
					Destructive: jig.HintTrue, Idempotent: jig.HintTrue, OpenWorld: jig.HintFalse}}},
		{"what is not said is left out", `{"name":"a","inputSchema":{},` +
			`"annotations":{"readOnlyHint":true}}`,
			form{name: "a", schema: json.RawMessage(`{}`), hints: jig.Hints{ReadOnly: jig.HintTrue}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, string(mcp{}.definition(tt.form)))
		})
	}
	require.Equal(t, `[{},{}]`, string(mcp{}.tools([]json.RawMessage{object(), object()})))
}

func TestMCPChoice(t *testing.T) {
	no := "jig/dialect: mcp: a server has no say in which tools a model calls; list those that may be " +
		"called, with Registry.Filter, and leave the choice to the client"
	require.Equal(t, []string{`{}`, no, no, no}, choicesOf(t, MCP))
}

func TestMCPTurn(t *testing.T) {
	for _, tt := range []struct{ name, request, want string }{
		{"request", `{"jsonrpc":"2.0","id":7,"method":"tools/call",` +
			`"params":{"name":"billing.refund","arguments":{"order": 9007199254740993},` +
			`"_meta":{}}}`,
			`call 7 billing.refund {"order": 9007199254740993}`},
		{"id as text, no arguments", `{"jsonrpc":"2.0","id":"r-1","method":"tools/call",` +
			`"params":{"name":"billing.refund"}}`,
			`call r-1 billing.refund {}`},
		{"params", `{"name":"other","arguments":null}`, `call MINTED other {}`},
		{"the name with the separator of other wires", `{"name":"billing__refund",` +
			`"arguments":{}}`, `call MINTED billing.refund {}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			turn, err := MCP.Turn(wireRegistry(t), json.RawMessage(tt.request))
			require.NoError(t, err)
			require.Equal(t, "calls \"tools/call\"\n"+tt.want, turnText(turn))
			require.Equal(t, turnText(turn), turnText(wireStream(t, MCP, tt.request)))
		})
	}
	require.Equal(t, `cut ""`, turnText(wireStream(t, MCP)), "no request at all")
}

func TestMCPErrors(t *testing.T) {
	require.Equal(t, `mcp: got method "tools/list", want tools/call
mcp: the request names no tool; give a tools/call request or its params
mcp: the provider answered with an error: Unknown tool (-32602)`,
		errorsOf(t, MCP, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0",`+
			`"id":1,"method":"tools/call"}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool"}}`))
	s := MCP.Stream(wireRegistry(t))
	require.NoError(t, s.Add(json.RawMessage(`{"name":"a"}`)))
	require.EqualError(t, s.Add(json.RawMessage(`{"name":"a"}`)),
		"jig/dialect: mcp: each request is a turn of its own; use one Stream for each")
}

func TestMCPRecorded(t *testing.T) {
	t.Parallel()
	wholeRecorded(t, MCP, "7", func(c wireCall) string {
		return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + c.name + `","arguments":` + c.args + `}}`
	})
}

func TestMCPResults(t *testing.T) {
	require.Equal(t, `{"resultType":"complete","content":[{"type":"text","text":"a < b"}]}
{"resultType":"complete","content":[{"type":"text","text":"{\"n\":9007199254740993}"}],"structuredContent":{"n":9007199254740993}}
{"resultType":"complete","content":[{"type":"text","text":"look failed."}],"isError":true}
{"resultType":"complete","content":[{"type":"text","text":"look waits for the approval of a person."}]}
{"resultType":"complete","content":[{"type":"text","text":"two files"},{"type":"image","data":"iVBORw==","mimeType":"image/png"},`+
		`{"type":"resource","resource":{"uri":"attachment:b_1.pdf","mimeType":"application/pdf",`+
		`"blob":"JVBERg=="}},`+
		`{"type":"resource","resource":{"uri":"attachment:c.zip","mimeType":"application/zip","blob":"emlw"}}]}
{"resultType":"complete","content":[{"type":"text","text":"[1,\"x\"]"}],"structuredContent":[1,"x"]}`,
		messagesOf(MCP, sampleOutcomes()...))
	require.Equal(t, `{"role":"user","content":{"type":"text",`+
		`"text":"The call c1 of billing.refund was pending. Its result: a < b"}}`,
		string(MCP.Resumed(sampleOutcomes()[0])))
}
