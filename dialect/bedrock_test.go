package dialect

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

func TestBedrockDefinition(t *testing.T) {
	require.Equal(t, `{"toolSpec":{"name":"a","description":"A < b.",`+
		`"inputSchema":{"json":{"type":"object"}}}}`,
		string(bedrock{}.definition(form{name: "a", description: "A < b.", schema: json.RawMessage(`{"type":"object"}`)})))
	require.Equal(t, `{"toolSpec":{"name":"a","strict":true,"inputSchema":{"json":{}}}}`,
		string(bedrock{}.definition(form{name: "a", strict: true, schema: json.RawMessage(`{}`)})),
		"an empty description is refused")
	require.Equal(t, `[{},{}]`, string(bedrock{}.tools([]json.RawMessage{object(), object()})))
}

func TestBedrockChoice(t *testing.T) {
	require.Equal(t, []string{
		`{"toolConfig":{"toolChoice":{"auto":{}}}}`,
		"jig/dialect: bedrock: the API cannot say that no tool may be called; leave toolConfig out, or where " +
			"the messages hold tool calls keep it with Auto",
		`{"toolConfig":{"toolChoice":{"any":{}}}}`,
		`{"toolConfig":{"toolChoice":{"tool":{"name":"billing__refund"}}}}`,
	}, choicesOf(t, Bedrock))
}

func bedrockResponse(reason, content string) string {
	return fmt.Sprintf(`{"metrics":{"latencyMs":1},"output":{"message":{"role":"assistant",`+
		`"content":[%s]}},"stopReason":%q}`,
		content, reason)
}

func TestBedrockTurn(t *testing.T) {
	for _, tt := range []struct{ name, reason, content, want string }{
		{"parallel calls, the name mapped back, numbers kept", "tool_use",
			`{"text":"Two."},{"toolUse":{"toolUseId":"t1","name":"billing__refund",` +
				`"input":{"order": 9007199254740993}}},` +
				`{"toolUse":{"toolUseId":"t2","name":"other","input":{}}}`,
			`calls "tool_use"
call t1 billing.refund {"order": 9007199254740993}
call t2 other {}
text "Two."
message {"role":"assistant","content":[AS SENT]}`},
		{"no id", "tool_use", `{"toolUse":{"name":"a"}}`, `calls "tool_use"
call MINTED a {}
message {"role":"assistant","content":[{"toolUse":{"name":"a","toolUseId":"MINTED","input":{}}}]}`},
		{"cut off", "max_tokens", `{"toolUse":{"toolUseId":"t1","name":"a","input":{}}}`,
			`cut "max_tokens"
call t1 a {} !
message {"role":"assistant","content":[AS SENT]}`},
		{"malformed", "malformed_tool_use", `{"text":" "}`,
			"other \"malformed_tool_use\"\ntext \" \""},
		{"refused", "guardrail_intervened", `{"text":"No."}`, `refused "guardrail_intervened"
text "No."
message {"role":"assistant","content":[AS SENT]}`},
		{"reasoning and citations are kept", "end_turn",
			`{"reasoningContent":{"reasoningText":{"text":"Hm.","signature":"s=="}}},` +
				`{"citationsContent":{"content":[{"text":"So."}],"citations":[{"title":"x"}]}}`,
			`stop "end_turn"
text "So."
message {"role":"assistant","content":[AS SENT]}`},
		{"hosted", "end_turn",
			`{"toolUse":{"toolUseId":"t1","name":"n","type":"server_tool_use","input":{}}},` +
				`{"toolResult":{"toolUseId":"t1","type":"nova_grounding_result","content":[]}}`,
			`stop "end_turn"
hosted {"toolUse":{"toolUseId":"t1","name":"n","type":"server_tool_use","input":{}}}
hosted {"toolResult":{"toolUseId":"t1","type":"nova_grounding_result","content":[]}}
message {"role":"assistant","content":[AS SENT]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			turn := wireTurn(t, Bedrock, bedrockResponse(tt.reason, tt.content))
			require.Equal(t, tt.want, asSent(turn, tt.content))
		})
	}
}

func TestBedrockErrors(t *testing.T) {
	require.Equal(t, `bedrock: the provider answered with an error: ValidationException: A tool name is invalid.
bedrock: got "{}", want a whole response, which has output.message
bedrock: content[0]: json: cannot unmarshal number into Go value of type dialect.bedrockContent`,
		errorsOf(t, Bedrock, `{"__type":"ValidationException",`+
			`"message":"A tool name is invalid."}`, `{}`,
			bedrockResponse("end_turn", `7`)))
	s := Bedrock.Stream(wireRegistry(t))
	require.EqualError(t, s.Add(json.RawMessage(`{"throttlingException":{"message":"Slow down."}}`)),
		"jig/dialect: bedrock: the provider answered with an error: throttlingException: Slow down.")
	require.EqualError(t, s.Add(json.RawMessage(`7`)), "jig/dialect: bedrock: the event is no JSON object")
}

// bedrockEvent is an event of a block.
func bedrockEventOf(kind string, index int, member, value string) string {
	return fmt.Sprintf(`{%q:{"contentBlockIndex":%d,%q:%s,"p":"abc"}}`, kind, index, member, value)
}

func bedrockDeltaOf(index int, delta string) string {
	return bedrockEventOf("contentBlockDelta", index, "delta", delta)
}

func TestBedrockStream(t *testing.T) {
	events := []string{
		`{"messageStart":{"role":"assistant"}}`,
		bedrockDeltaOf(0, `{"reasoningContent":{"text":"Hm"}}`),
		bedrockDeltaOf(0, `{"reasoningContent":{"text":"."}}`),
		bedrockDeltaOf(0, `{"reasoningContent":{"signature":"s=="}}`),
		`{"contentBlockStop":{"contentBlockIndex":0}}`,
		bedrockDeltaOf(1, `{"reasoningContent":{"redactedContent":"AQI="}}`),
		bedrockDeltaOf(2, `{"text":"Tw"}`),
		bedrockDeltaOf(2, `{"text":"o."}`),
		bedrockDeltaOf(3, `{"text":"Cited."}`),
		bedrockDeltaOf(3, `{"citation":{"title":"x"}}`),
		bedrockEventOf("contentBlockStart", 4, "start", `{"toolUse":{"toolUseId":"t1",`+
			`"name":"billing__refund"}}`),
		bedrockDeltaOf(4, `{"toolUse":{"input":"{\"order\": 90071992"}}`),
		bedrockDeltaOf(4, `{"toolUse":{"input":"54740993}"}}`),
		bedrockEventOf("contentBlockStart", 5, "start", `{"toolUse":{"toolUseId":"t2",`+
			`"name":"other"}}`),
		bedrockEventOf("contentBlockStart", 6, "start", `{"toolUse":{"toolUseId":"t3",`+
			`"name":"g","type":"server_tool_use"}}`),
		bedrockDeltaOf(6, `{"toolUse":{"input":"{}"}}`),
		bedrockEventOf("contentBlockStart", 7, "start", `{"toolResult":{"toolUseId":"t3"}}`),
		bedrockDeltaOf(7, `{"toolResult":[{"text":"r"}]}`),
		`{"messageStop":{"stopReason":"tool_use"}}`,
		`{"metadata":{"usage":{"inputTokens":1}}}`,
	}
	whole, err := Bedrock.Turn(wireRegistry(t), json.RawMessage(bedrockResponse("tool_use",
		`{"reasoningContent":{"reasoningText":{"text":"Hm.","signature":"s=="}}},`+
			`{"reasoningContent":{"redactedContent":"AQI="}},{"text":"Two."},`+
			`{"citationsContent":{"content":[{"text":"Cited."}],"citations":[{"title":"x"}]}},`+
			`{"toolUse":{"toolUseId":"t1","name":"billing__refund",`+
			`"input":{"order": 9007199254740993}}},`+
			`{"toolUse":{"toolUseId":"t2","name":"other","input":{}}},`+
			`{"toolUse":{"toolUseId":"t3","name":"g","type":"server_tool_use","input":{}}},`+
			`{"toolResult":{"toolUseId":"t3","content":[{"text":"r"}]}}`)))
	require.NoError(t, err)
	require.Equal(t, turnText(whole), turnText(wireStream(t, Bedrock, events...)))

	require.Equal(t, `cut ""
call t1 billing.refund {"order": 90071992 !
message {"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"billing__refund","input":{"INVALID_JSON":"{\"order\": 90071992"}}}]}`,
		turnText(wireStream(t, Bedrock, events[10:12]...)))
	require.Equal(t, `cut ""`, turnText(wireStream(t, Bedrock)), "no event at all")
}

// bedrockEvents is a streamed message with one call.
func bedrockEvents(c wireCall, pieces []string) []string {
	events := []string{bedrockEventOf("contentBlockStart", 0, "start",
		`{"toolUse":{"toolUseId":"t1","name":"`+c.name+`"}}`)}
	for _, p := range pieces {
		events = append(events, bedrockDeltaOf(0, `{"toolUse":{"input":`+jsonText(p)+`}}`))
	}
	return append(events, `{"messageStop":{"stopReason":"tool_use"}}`)
}

func TestBedrockRecorded(t *testing.T) {
	t.Parallel()
	splitRecorded(t, Bedrock, "t1", bedrockEvents)
	wholeRecorded(t, Bedrock, "t1", func(c wireCall) string {
		return bedrockResponse("tool_use", `{"toolUse":{"toolUseId":"t1","name":"`+c.name+`","input":`+c.args+`}}`)
	})
}

func TestBedrockResults(t *testing.T) {
	require.Equal(t, `{"role":"user","content":[`+
		`{"toolResult":{"toolUseId":"c1","status":"success","content":[{"text":"a < b"}]}},`+
		`{"toolResult":{"toolUseId":"c2","status":"success",`+
		`"content":[{"json":{"n":9007199254740993}}]}},`+
		`{"toolResult":{"toolUseId":"c3","status":"error","content":[{"text":"look failed."}]}},`+
		`{"toolResult":{"toolUseId":"c4","status":"success",`+
		`"content":[{"text":"look waits for the approval of a person."}]}},`+
		`{"toolResult":{"toolUseId":"c5","status":"success","content":[{"text":"two files"},`+
		`{"image":{"format":"png","source":{"bytes":"iVBORw=="}}},`+
		`{"document":{"format":"pdf","name":"b 1 pdf c5 3","source":{"bytes":"JVBERg=="}}},`+
		`{"text":"[application/zip \"c.zip\", 3 bytes: not shown,`+
		` this API takes no such part in a result]"}]}},`+
		`{"toolResult":{"toolUseId":"c6","status":"success","content":[{"text":"[1,\"x\"]"}]}}]}`,
		messagesOf(Bedrock, sampleOutcomes()...))
	require.Equal(t, `{"role":"user",`+
		`"content":[{"text":"The call c3 of look was pending. Its result: look failed."}]}`,
		string(Bedrock.Resumed(sampleOutcomes()[2])))
	require.Equal(t, `{"role":"user","content":[{"toolResult":{"toolUseId":"c",`+
		`"status":"success","content":[]}}]}`,
		messagesOf(Bedrock, jig.Outcome{CallID: "c", Status: jig.StatusOK, Output: jig.Text(" ")}), "no blank text")
}

// TestDocumentName shows that a name is cut to what Converse takes, and what makes it unique is
// not.
func TestDocumentName(t *testing.T) {
	require.Equal(t, "document tooluse-1 1", documentName("", "tooluse_1", 0))
	require.Equal(t, " c5 3", documentName("図", "c5", 2))
	long := strings.Repeat("name ", 60)
	for cut := range 6 {
		name := documentName(long[cut:], "tooluse_1", 11)
		require.LessOrEqual(t, len(name), 200)
		require.GreaterOrEqual(t, len(name), 198)
		require.True(t, strings.HasSuffix(name, " tooluse-1 12"), name)
		require.NotContains(t, name, "  ")
	}
}
