package dialect

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// TestChatRecorded builds responses and streams around every recorded call, with its arguments
// split at every byte. The wires differ in no code that reads, so that every tenth call is enough
// for those after the first.
func TestChatRecorded(t *testing.T) {
	calls := recorded(t)
	for _, d := range chats {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			read, streams := 0, 0
			for i, c := range calls {
				if d.name != OpenAIChat.name && i%10 != 0 {
					continue
				}
				read++
				whole := wireTurn(t, d, chatBody(chatMessageOf(chatCallOf("call_1", c.name, c.args)),
					"tool_calls"))
				require.Equal(t, []jig.Call{{ID: "call_1", Name: c.name, Args: json.RawMessage(c.args)}},
					whole.Calls)
				require.Equal(t, FinishCalls, whole.Finish)
				splits(c.args, func(pieces []string) {
					streams++
					sameTurn(t, whole, d, chatEvents("call_1", c.name, pieces))
				})
			}
			t.Logf("%d recorded calls, %d streams", read, streams)
		})
	}
}

// chatEvents are the chunks of a turn with one call, whose arguments come in pieces.
func chatEvents(id, name string, pieces []string) []string {
	events := []string{
		chatChunk(`{"role":"assistant","content":null,"tool_calls":[{"index":0,` +
			chatCallOf(id, name, "")[1:] + `]}`),
	}
	for _, p := range pieces {
		events = append(events, chatChunk(`{"tool_calls":[{"index":0,"function":{"arguments":`+
			jsonText(p)+`}}]}`))
	}
	return append(events, `{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
		`{"choices":[],"usage":{"total_tokens":9}}`, `[DONE]`, ``)
}

// chatChunk is a chunk around a delta.
func chatChunk(delta string) string {
	return `{"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":` + delta +
		`,"finish_reason":null}]}`
}

func TestChatStreamShapes(t *testing.T) {
	end := `{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`
	piece := func(index, rest string) string {
		return chatChunk(`{"tool_calls":[{` + index + rest + `}]}`)
	}
	oslo, rome := `call_1 get_weather {"city":"Oslo"}`, `call_2 billing.refund {"city":"Rome"}`
	first := `"id":"call_1","type":"function","function":{"name":"get_weather","arguments":""}`
	second := `"id":"call_2","type":"function","function":{"name":"billing__refund","arguments":""}`
	args := func(text string) string { return `"function":{"arguments":` + jsonText(text) + `}` }
	tests := []struct {
		name   string
		events []string
		calls  []string
	}{
		{"interleaved by index", []string{piece(`"index":0,`, first), piece(`"index":1,`, second),
			piece(`"index":1,`, args(`{"city":`)), piece(`"index":0,`, args(`{"city":"Os`)),
			piece(`"index":1,`, args(`"Rome"}`)), piece(`"index":0,`, args(`lo"}`)), end},
			[]string{oslo, rome}},
		{"the second index first", []string{piece(`"index":1,`, second), piece(`"index":0,`, first),
			piece(`"index":0,`, args(`{"city":"Oslo"}`)), piece(`"index":1,`, args(`{"city":"Rome"}`)), end},
			[]string{oslo, rome}},
		{"no index, whole calls", []string{chatChunk(`{"tool_calls":[` +
			chatCallOf("call_1", "get_weather", `{"city":"Oslo"}`) + `,` +
			chatCallOf("call_2", "billing__refund", `{"city":"Rome"}`) + `]}`), end}, []string{oslo, rome}},
		{"no index, in pieces", []string{piece(``, first), piece(``, args(`{"city":`)),
			piece(``, args(`"Oslo"}`)), piece(``, second), piece(``, args(`{"city":"Rome"}`)), end},
			[]string{oslo, rome}},
		{"no index, each piece with its id", []string{piece(``, first), piece(``, second),
			piece(`"id":"call_1",`, args(`{"city":"Oslo"}`)),
			piece(`"id":"call_2",`, args(`{"city":"Rome"}`)), end}, []string{oslo, rome}},
		{"every index 0", []string{piece(`"index":0,`, first), piece(`"index":0,`, args(`{"city":"Oslo"}`)),
			piece(`"index":0,`, second), piece(`"index":0,`, args(`{"city":"Rome"}`)), end},
			[]string{oslo, rome}},
		{"id and name in each piece", []string{piece(`"index":0,`, first),
			piece(`"index":0,`, `"id":"call_1","type":"function","function":{"name":"get_weather",`+
				`"arguments":"{\"city\":\"Oslo\"}"}`), end}, []string{oslo}},
		{"another id in each piece", []string{piece(`"index":0,`, first),
			piece(`"index":0,`, `"id":"call_7",`+args(`{"city":"Oslo"}`)), end}, []string{oslo}},
		{"empty and null fields later", []string{piece(`"index":0,`, first), piece(`"index":0,`,
			`"id":"","type":null,"function":{"name":"","arguments":"{\"city\":\"Oslo\"}"}`),
			piece(`"index":0,`, `"id":null,"function":{"name":null,"arguments":null}`), end}, []string{oslo}},
		{"role in each chunk", []string{chatChunk(`{"role":"assistant","content":"","tool_calls":[]}`),
			chatChunk(`{"role":"assistant","content":"","tool_calls":[` +
				chatCallOf("call_1", "get_weather", `{"city":"Oslo"}`) + `]}`),
			chatChunk(`{"role":"assistant","content":"","tool_calls":null}`), end}, []string{oslo}},
		{"arguments as an object", []string{piece(`"index":0,`, `"id":"call_1","function":{"name":`+
			`"get_weather","arguments":{"city":"Oslo"}}`), end}, []string{oslo}},
		{"another answer beside it", []string{piece(`"index":0,`, first),
			`{"choices":[{"index":1,"delta":{"content":"no"},"finish_reason":"stop"}]}`,
			piece(`"index":0,`, args(`{"city":"Oslo"}`)), end}, []string{oslo}},
		{"a surrogate pair in two pieces", []string{piece(`"index":0,`, first),
			piece(`"index":0,`, `"function":{"arguments":"{\"a\":\"\ud83d"}`),
			piece(`"index":0,`, `"function":{"arguments":"\ude00\"}"}`), end},
			[]string{`call_1 get_weather {"a":"😀"}`}},
		{"no index, the id in a later piece", []string{piece(``, `"function":{"name":"get_weather"}`),
			piece(``, `"id":"call_1",`+args(`{"city":`)), piece(``, args(`"Oslo"}`)), piece(``, second),
			piece(``, args(`{"city":"Rome"}`)), end}, []string{oslo, rome}},
		{"the id in a later piece", []string{piece(`"index":0,`, `"function":{"name":"get_weather"}`),
			piece(`"index":0,`, `"id":"call_1",`+args(`{"city":"Oslo"}`)), end}, []string{oslo}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, d := range chats {
				turn := wireStream(t, d, test.events...)
				require.Equal(t, test.calls, wireCalls(turn))
				require.Equal(t, FinishCalls, turn.Finish)
				require.Contains(t, string(turn.Messages[0]), `"role":"assistant"`)
				again := wireTurn(t, d, chatBody(string(turn.Messages[0]), "tool_calls"))
				require.Equal(t, turn, again, "the message is one that the API could have sent")
			}
		})
	}
}

func TestChatStreamWords(t *testing.T) {
	turn := wireStream(t, DeepSeek,
		chatChunk(`{"role":"assistant","content":null,"reasoning_content":"a "}`),
		chatChunk(`{"reasoning_content":"< b"}`), chatChunk(`{"content":"Hel"}`),
		chatChunk(`{"content":"lo \ud83d"}`), chatChunk(`{"content":"\ude00","n":1.0}`),
		`{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}]}`, `[DONE]`)
	require.Equal(t, "Hello 😀", turn.Text)
	require.Equal(t, FinishStop, turn.Finish)
	require.Equal(t, []string{`{"role":"assistant","content":"Hello \ud83d\ude00",` +
		`"reasoning_content":"a < b","n":1.0}`}, wireTexts(turn.Messages))

	turn = wireStream(t, Mistral,
		chatChunk(`{"role":"assistant","content":""}`),
		chatChunk(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"h"}]}]}`),
		chatChunk(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"m"}]}]}`),
		chatChunk(`{"content":"Hel"}`), chatChunk(`{"content":[{"type":"text","text":"lo"}]}`),
		`{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}]}`)
	require.Equal(t, "Hello", turn.Text)
	require.Equal(t, []string{`{"role":"assistant","content":[{"type":"thinking","thinking":` +
		`[{"type":"text","text":"hm"}]},{"type":"text","text":"Hello"}]}`}, wireTexts(turn.Messages))

	turn = wireStream(t, Mistral, chatChunk(`{"content":"Hel"}`),
		chatChunk(`{"content":[{"type":"text","text":"lo"},{"type":"reference"}]}`))
	require.Equal(t, []string{`{"role":"assistant","content":[{"type":"text","text":"Hello"},` +
		`{"type":"reference"}]}`}, wireTexts(turn.Messages))
}

func TestChatStreamCut(t *testing.T) {
	require.Equal(t, Turn{Finish: FinishCut}, wireStream(t, OpenAIChat))
	events := chatEvents("call_1", "get_weather", []string{`{"ci`, `ty":"Oslo"}`})
	for n := 1; n < len(events)-3; n++ {
		turn := wireStream(t, OpenAIChat, events[:n]...)
		require.Equal(t, FinishCut, turn.Finish, n)
		for _, c := range turn.Calls {
			require.True(t, c.Incomplete, n)
		}
	}
	turn := wireStream(t, OpenAIChat, chatChunk(`{"tool_calls":[{"index":0,`+
		chatCallOf("call_1", "get_weather", "")[1:]+`]}`), chatChunk(`{"tool_calls":[{"index":1,`+
		chatCallOf("call_2", "get_weather", `{}`)[1:]+`]}`), `[DONE]`)
	require.Equal(t, []string{"call_1 get_weather !", "call_2 get_weather {} !"}, wireCalls(turn),
		"the first has no arguments yet, and must not run without")

	s := OpenAIChat.Stream(wireRegistry(t))
	require.NoError(t, s.Add(json.RawMessage(chatChunk(`{"content":"Hel"}`))))
	require.Error(t, s.Add(json.RawMessage(`{"error":{"message":"overloaded"}}`)))
	turn, err := s.Turn()
	require.NoError(t, err)
	require.Equal(t, "Hel", turn.Text)
	require.Equal(t, FinishCut, turn.Finish)
}

// FuzzChatStream: however the arguments of two calls are split, and in whatever order their pieces
// come, the turn is that of the whole response.
func FuzzChatStream(f *testing.F) {
	f.Add(`{"city":"Oslo"}`, `{"a":"é😀\n\"\\"}`, []byte{3, 200, 7, 1, 150})
	f.Add("", "x\x00\xff", []byte{})
	f.Add(`\`, `\ud83d`, []byte{0, 255, 0, 255})
	f.Fuzz(func(t *testing.T, one, two string, cuts []byte) {
		r := &jig.Registry{}
		whole, err := OpenAIChat.Turn(r, json.RawMessage(chatBody(chatMessageOf(
			chatCallOf("call_1", "a", one), chatCallOf("call_2", "b", two)), "tool_calls")))
		require.NoError(t, err)
		require.Equal(t, one, string(whole.Calls[0].Args))
		s := OpenAIChat.Stream(r)
		add := func(event string) { require.NoError(t, s.Add(json.RawMessage(event))) }
		add(chatChunk(`{"role":"assistant","content":null}`))
		add(chatChunk(`{"tool_calls":[{"index":0,` + chatCallOf("call_1", "a", "")[1:] +
			`,{"index":1,` + chatCallOf("call_2", "b", "")[1:] + `]}`))
		rest := [2]string{one, two}
		send := func(call, n int) {
			n = min(n, len(rest[call]))
			add(chatChunk(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%s}}]}`, call,
				jsonText(rest[call][:n]))))
			rest[call] = rest[call][n:]
		}
		for _, cut := range cuts {
			send(int(cut>>7), int(cut&127))
		}
		send(1, len(two))
		send(0, len(one))
		add(`{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`)
		turn, err := s.Turn()
		require.NoError(t, err)
		require.Equal(t, whole, turn)
	})
}
