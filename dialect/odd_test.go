package dialect

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// TestOddBlocks: what a provider adds one day, with fields of known names and other types, is kept
// in the history and costs neither the words nor the calls beside it.
func TestOddBlocks(t *testing.T) {
	odd := `{"type":"new","text":{"a":1},"id":5,"name":[],"input":7,"content":7,"refusal":1,"status":[],` +
		`"thought":"yes","toolResult":null,"citationsContent":7,"newKind":{}}`
	for _, tt := range []struct {
		dialect Dialect
		body    string
	}{
		{Anthropic, `{"content":[` + odd + `,{"type":"text","text":"hi"}],"stop_reason":"end_turn"}`},
		{Bedrock, bedrockResponse("end_turn", odd+`,{"text":"hi"}`)},
		{Gemini, geminiBody("STOP", odd+`,{"text":"hi"}`)},
		{OpenAIResponses, responsesOf("completed", "null", odd, `{"type":"message","role":"assistant",`+
			`"content":[`+odd+`,{"type":"output_text","text":"hi"}]}`)},
		{OpenAIChat, chatBody(`{"role":"assistant","refusal":[],"content":[`+odd+`,{"type":"text","text":"hi"}]}`,
			"stop")},
	} {
		turn := wireTurn(t, tt.dialect, tt.body)
		require.Equal(t, "hi", turn.Text, tt.dialect)
		require.Equal(t, FinishStop, turn.Finish, tt.dialect)
		require.Empty(t, turn.Calls)
		require.Contains(t, strings.Join(wireTexts(turn.Messages), ""), odd, tt.dialect)
	}
}

// TestOddIDs: an id that is no string is none.
func TestOddIDs(t *testing.T) {
	for d, body := range map[Dialect]string{
		Anthropic: `{"content":[{"type":"tool_use","id":7,"name":"a","input":{}}],"stop_reason":"tool_use"}`,
		Bedrock:   bedrockResponse("tool_use", `{"toolUse":{"toolUseId":7,"name":"a","input":{}}}`),
		OpenAIResponses: responsesOf("completed", "null",
			`{"type":"function_call","call_id":7,"name":"a","arguments":"{}"}`),
		Groq: chatBody(chatMessageOf(`{"id":7,"function":{"name":"a","arguments":"{}"}}`), "stop"),
	} {
		turn := wireTurn(t, d, body)
		require.Regexp(t, `_jig[A-Z2-7]{26}$`, turn.Calls[0].ID, d)
		require.Contains(t, string(turn.Messages[0]), `"`+turn.Calls[0].ID+`"`, d)
		require.NotContains(t, string(turn.Messages[0]), "7,", d)
	}
}

// TestQuietEvents: gateways end the streams of all with [DONE], and send empty events.
func TestQuietEvents(t *testing.T) {
	for _, d := range []Dialect{OpenAIChat, OpenAIResponses, Anthropic, Bedrock, Gemini, Ollama, MCP} {
		s := d.Stream(wireRegistry(t))
		for _, event := range []string{"", " \n", "[DONE]", " [DONE]\r\n"} {
			require.NoError(t, s.Add(json.RawMessage(event)), d)
		}
		turn, err := s.Turn()
		require.NoError(t, err)
		require.Equal(t, FinishCut, turn.Finish)
	}
}

// TestUnsignedThoughts: a thought whose signature did not come is refused in a history.
func TestUnsignedThoughts(t *testing.T) {
	start := anthropicBlockStart(0, `{"type":"thinking","thinking":"","signature":""}`)
	thought := anthropicDelta(0, `{"type":"thinking_delta","thinking":"Hm"}`)
	require.Empty(t, wireStream(t, Anthropic, anthropicStart, start, thought).Messages)
	require.Contains(t, string(wireStream(t, Anthropic, anthropicStart, start, thought,
		anthropicDelta(0, `{"type":"signature_delta","signature":"s"}`)).Messages[0]), "Hm")
	require.Contains(t, string(wireStream(t, Anthropic, anthropicStart, start, thought,
		anthropicBlockStart(1, `{"type":"text","text":"a"}`)).Messages[0]), "Hm", "of a gateway that signs nothing")
	require.Contains(t, string(wireStream(t, Anthropic, anthropicStart, start, thought,
		anthropicStop).Messages[0]), "Hm", "a whole message stays as it is")

	thought = bedrockDeltaOf(0, `{"reasoningContent":{"text":"Hm"}}`)
	require.Empty(t, wireStream(t, Bedrock, thought).Messages)
	require.Contains(t, string(wireStream(t, Bedrock, thought,
		bedrockDeltaOf(0, `{"reasoningContent":{"signature":"s"}}`)).Messages[0]), "Hm")
	require.Contains(t, string(wireStream(t, Bedrock, thought, bedrockDeltaOf(1, `{"text":"a"}`)).Messages[0]), "Hm")
	require.Contains(t, string(wireStream(t, Bedrock, thought,
		`{"messageStop":{"stopReason":"end_turn"}}`).Messages[0]), "Hm")
}

// TestBrokenOffCalls: of several calls that were under way when a stream broke off none runs, also
// one whose arguments had not begun.
func TestBrokenOffCalls(t *testing.T) {
	added := func(index, id string) string {
		return `{"type":"response.output_item.added","output_index":` + index + `,"item":{"type":"function_call",` +
			`"call_id":"` + id + `","name":"get_weather","arguments":""}}`
	}
	turn := wireStream(t, OpenAIResponses, added("0", "a"), added("1", "b"),
		`{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"city\":\"Oslo\"}"}`)
	require.Equal(t, []string{`a get_weather !`, `b get_weather {"city":"Oslo"} !`}, wireCalls(turn))
}

// TestHalfRunes: half a surrogate pair is not made U+FFFD, with which the tool would run.
func TestHalfRunes(t *testing.T) {
	args := []string{`{\"city\":\"\ud83d`, `\"}`}
	for d, events := range map[Dialect][]string{
		OpenAIChat: {chatChunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"get_weather","arguments":"` +
			args[0] + `"}}]}`), chatChunk(`{"tool_calls":[{"index":0,"function":{"arguments":"` + args[1] + `"}}]}`)},
		Anthropic: {anthropicBlockStart(0, `{"type":"tool_use","id":"a","name":"get_weather","input":{}}`),
			anthropicDelta(0, `{"partial_json":"`+args[0]+`"}`), anthropicDelta(0, `{"partial_json":"`+args[1]+`"}`)},
		Bedrock: {bedrockEventOf("contentBlockStart", 0, "start", `{"toolUse":{"toolUseId":"a","name":"get_weather"}}`),
			bedrockDeltaOf(0, `{"toolUse":{"input":"`+args[0]+`"}}`), bedrockDeltaOf(0, `{"toolUse":{"input":"`+args[1]+`"}}`)},
	} {
		turn := wireStream(t, d, events...)
		require.Equal(t, "{\"city\":\"\xed\xa0\xbd\"}", string(turn.Calls[0].Args), d)
		require.Contains(t, string(turn.Messages[0]), "INVALID_JSON", d)
		turn.Calls[0].Incomplete = false
		o := wireRegistry(t).CallAll(t.Context(), turn.Calls)[0]
		require.Equal(t, jig.StatusInvalid, o.Status, d)
	}
}

// TestMediaTypes: how a tool spells the type of an image is its own.
func TestMediaTypes(t *testing.T) {
	for spelled, want := range map[string]string{"image/PNG": "png", "image/png; q=1": "png", "image/jpg": "jpeg"} {
		o := jig.Outcome{CallID: "a", Tool: "x", Status: jig.StatusOK, Output: jig.Output{Parts: []jig.Part{
			{Data: []byte("x"), MIME: spelled}}}}
		for d, form := range map[Dialect]string{Anthropic: `"media_type":"image/`, Bedrock: `"format":"`,
			Gemini: `"mimeType":"image/`, OpenAIResponses: `"image_url":"data:image/`} {
			require.Contains(t, messagesOf(d, o), form+want, "%s %s", d, spelled)
		}
	}
}

// TestRoleIsThere: a history has no message without a role.
func TestRoleIsThere(t *testing.T) {
	turn := wireTurn(t, Mistral, chatBody(`{"content":"x"}`, "stop"))
	require.Equal(t, []string{`{"content":"x","role":"assistant"}`}, wireTexts(turn.Messages))
}
