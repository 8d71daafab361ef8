package dialect

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// conversations are whole responses with five calls: a right one, one without arguments, one to a
// tool that is not there, one whose arguments are no JSON, and one that was cut off.
func conversations() map[string]string {
	names := []string{"billing__refund", "list__all", "not_there", "get_weather", "get_weather"}
	args := []string{`{"city":"Oslo"}`, ``, `{}`, `{"city": Oslo}`, `{"city":"Ro`}
	out := map[string]string{}
	chatCalls, items := []string{}, []string{}
	for i, name := range names {
		id := fmt.Sprintf("call_%d", i+1)
		chatCalls = append(chatCalls, chatCallOf(id, name, args[i]))
		items = append(items, responsesCall(id, name, args[i], "completed"))
	}
	for _, d := range chats {
		out[d.name] = chatBody(chatMessageOf(chatCalls...), "length")
	}
	out[OpenAIResponses.name] = responsesOf("incomplete", `{"reason":"max_output_tokens"}`, items...)
	return out
}

// TestEveryCallIsAnswered takes a turn from the provider's response to the messages that answer it:
// one for each call, in order, with its id, the cut-off call not run.
func TestEveryCallIsAnswered(t *testing.T) {
	responses := conversations()
	for _, d := range append(chats, OpenAIResponses) {
		t.Run(d.String(), func(t *testing.T) {
			r := wireRegistry(t)
			require.NoError(t, r.Group("list", jig.MustDefine(jig.Spec[struct{}, string]{Name: "all",
				Description: "For tests.", Effect: jig.EffectRead,
				Execute: func(context.Context, struct{}) (string, error) { return "all of them", nil }})))
			turn, err := d.Turn(r, json.RawMessage(responses[d.name]))
			require.NoError(t, err)
			require.Equal(t, FinishCut, turn.Finish)
			outcomes := r.CallAll(context.Background(), turn.Calls)
			var states []string
			for _, o := range outcomes {
				states = append(states, fmt.Sprintf("%s %s %s %s", o.CallID, o.Tool, o.Status, o.Code))
			}
			require.Equal(t, []string{"call_1 billing.refund ok ", "call_2 list.all ok ",
				"call_3 not_there invalid unknown_tool", "call_4 get_weather invalid invalid_arguments",
				"call_5 get_weather invalid incomplete"}, states)
			for i, m := range d.Results(outcomes) {
				require.Contains(t, string(m), fmt.Sprintf(`"call_%d"`, i+1))
				require.Equal(t, i > 1, d.hasError(t, m), "%s", m)
			}
		})
	}
}

// hasError reports whether the text of a result has the form of an error.
func (d Dialect) hasError(t *testing.T, result json.RawMessage) bool {
	t.Helper()
	var message struct{ Content, Output string }
	require.NoError(t, json.Unmarshal(result, &message))
	var failure struct{ Error string }
	text := []byte(message.Content + message.Output)
	return json.Unmarshal(text, &failure) == nil && failure.Error != ""
}

// TestOllamaIsAnswered is the same for a wire whose calls come whole and may have no ids.
func TestOllamaIsAnswered(t *testing.T) {
	r := wireRegistry(t)
	turn, err := Ollama.Turn(r, json.RawMessage(ollamaBody(`{"role":"assistant","content":"","tool_calls":[`+
		ollamaCall("", "billing__refund", `{"city":"Oslo"}`)+`,`+
		ollamaCall("", "billing__refund", `{"city":"Oslo","city":"Rome"}`)+`]}`, `"done":true`)))
	require.NoError(t, err)
	results := wireTexts(Ollama.Results(r.CallAll(context.Background(), turn.Calls)))
	require.Equal(t, `{"role":"tool","tool_name":"billing__refund","content":"Oslo"}`, results[0])
	require.Contains(t, results[1], `"content":"{\"error\":\"`)
	require.Contains(t, results[1], "city", "a key given twice is for jig to refuse")
}

// TestValuesOfAStreamKeepTheirBytes: arguments that come as a value are not looked into, so that
// jig sees a key which is there twice.
func TestValuesOfAStreamKeepTheirBytes(t *testing.T) {
	args := `{"path":"/a", "path":"/b","n":1.0e2}`
	turn := wireStream(t, Mistral, chatChunk(`{"tool_calls":[{"index":0,"id":"D681PevKs","function":`+
		`{"name":"x","arguments":{}}}]}`), chatChunk(`{"tool_calls":[{"index":0,"function":{"arguments":`+
		args+`}}]}`))
	require.Equal(t, args, string(turn.Calls[0].Args))
	turn = wireStream(t, Ollama, ollamaBody(`{"role":"assistant","content":""}`, `"done":false`),
		ollamaBody(`{"role":"assistant","tool_calls":[`+ollamaCall("a", "x", args)+`]}`, `"done":true`))
	require.Equal(t, args, string(turn.Calls[0].Args))
}

// FuzzWires: no body and no event of a provider makes a panic, and what is read has an id for each
// call and text in UTF-8.
func FuzzWires(f *testing.F) {
	for _, event := range append(chatEvents("call_1", "a", []string{`{"a`, `":1}`}),
		append(responsesEvents("call_1", "a", []string{`{"a`, `":1}`}),
			`{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"a",`+
				`"arguments":{}}}]},"done":true}`, `{"choices":[{"delta":{"content":[1]}}]}`,
			`{"choices":[{"delta":{"tool_calls":[null,{},[],1]}}]}`, `{"choices":[{"delta":1}]}`,
			`{"type":"response.output_text.delta","content_index":9,"delta":{}}`)...) {
		f.Add(event, event)
		f.Add(chatChunk(`{"content":"x","tool_calls":[{"function":{}}]}`), event)
		f.Add(`{"type":"response.output_item.added","output_index":0,"item":[]}`, event)
	}
	for _, event := range append(anthropicEvents(wireCall{"a", "{}"}, []string{`{`, `"a`}),
		append(bedrockEvents(wireCall{"a", "{}"}, []string{`{`, `"a`}), bedrockDeltaOf(0, `{"text":"a"}`),
			bedrockDeltaOf(0, `{"reasoningContent":{"text":"a","redactedContent":"AQ=="}}`),
			geminiBody("STOP", `{"functionCall":{"name":"a","args":"x"}},{"text":"a","thought":true}`),
			`{"id":1,"method":"tools/call","params":{"name":"a","arguments":"x"}}`)...) {
		f.Add(event, event)
		f.Add(anthropicBlockStart(0, `{"type":"tool_use","name":7,"input":"x"}`), event)
		f.Add(bedrockEventOf("contentBlockStart", 0, "start", `{"toolUse":{"name":7}}`), event)
	}
	dialects := append(chats, OpenAIResponses, Ollama, Anthropic, Bedrock, Gemini, MCP)
	f.Fuzz(func(t *testing.T, first, second string) {
		for _, d := range dialects {
			s := d.Stream(&jig.Registry{})
			_ = s.Add(json.RawMessage(first))
			_ = s.Add(json.RawMessage(second))
			streamed, _ := s.Turn()
			whole, _ := d.Turn(&jig.Registry{}, json.RawMessage(first))
			for _, turn := range []Turn{streamed, whole} {
				require.True(t, utf8.ValidString(turn.Text))
				for _, c := range turn.Calls {
					require.NotEmpty(t, c.ID)
				}
				for _, m := range turn.Messages {
					require.True(t, json.Valid(m), "%s", m)
				}
			}
		}
	})
}
