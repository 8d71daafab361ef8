package dialect

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// chats are the dialects of the chat wire.
var chats = []Dialect{OpenAIChat, Mistral, Groq, XAI, DeepSeek}

func TestChatDefinition(t *testing.T) {
	f := form{name: "billing__refund", title: "Refund", description: `If a < b & "c".`,
		schema: json.RawMessage(`{"type":"object","properties":{"n":{"maximum":1.0e2}}}`)}
	loose := `{"type":"function","function":{"name":"billing__refund",` +
		`"description":"If a < b & \"c\".",` +
		`"parameters":{"type":"object","properties":{"n":{"maximum":1.0e2}}}}}`
	flagged := strings.TrimSuffix(loose, "}}") + `,"strict":true}}`
	for _, d := range append(chats, Ollama) {
		f.strict = false
		require.Equal(t, loose, string(d.wire.definition(f)), d)
		f.strict = true
		want := flagged
		if d.name == XAI.name || d.name == Ollama.name {
			want = loose // no flag: xAI is always strict, Ollama never
		}
		require.Equal(t, want, string(d.wire.definition(f)), d)
		require.Equal(t, `[{"a":1},{"b":2}]`, string(d.wire.tools([]json.RawMessage{
			json.RawMessage(`{"a":1}`), json.RawMessage(`{"b":2}`)})), d)
		require.Equal(t, `[]`, string(d.wire.tools(nil)), d)
	}
}

func TestChatChoice(t *testing.T) {
	only := `{"tool_choice":{"type":"function","function":{"name":"billing__refund"}}`
	r := wireRegistry(t)
	for _, d := range chats {
		one := only + `,"parallel_tool_calls":false}`
		if d.name == DeepSeek.name {
			one = only + `}` // it has no such field
		}
		for choice, want := range map[Choice]string{
			Auto: `{"tool_choice":"auto"}`, None: `{"tool_choice":"none"}`,
			Required: `{"tool_choice":"required"}`, Only("billing.refund"): one,
		} {
			got, err := d.Choice(r, choice)
			require.NoError(t, err)
			require.Equal(t, want, string(got), d)
		}
		_, err := d.Choice(r, Only("nothing"))
		require.ErrorIs(t, err, jig.ErrUnknownTool)
	}
}

// chatBody is a whole response around a message.
func chatBody(message, reason string) string {
	return `{"id":"c1","object":"chat.completion","choices":[{"index":0,"message":` + message +
		`,"logprobs":null,"finish_reason":"` + reason + `"}],"usage":{"total_tokens":9}}`
}

// chatMessageOf is a message with calls.
func chatMessageOf(calls ...string) string {
	return `{"role":"assistant","content":null,"tool_calls":[` + strings.Join(calls, ",") + `]}`
}

// chatCallOf is a call in it.
func chatCallOf(id, name, args string) string {
	return `{"id":` + jsonText(id) + `,"type":"function","function":{"name":` + jsonText(name) +
		`,"arguments":` + jsonText(args) + `}}`
}

func TestChatTurn(t *testing.T) {
	oslo := chatCallOf("call_1", "get_weather", `{"city":"Oslo"}`)
	tests := []struct {
		name, message, reason string
		text                  string
		calls                 []string
		finish                Finish
	}{
		{"words", `{"role":"assistant","content":"Hello"}`, "stop", "Hello", nil, FinishStop},
		{"a call", chatMessageOf(oslo), "tool_calls", "",
			[]string{`call_1 get_weather {"city":"Oslo"}`}, FinishCalls},
		{"words and calls, a group, an unknown name", `{"role":"assistant","content":"I look.","tool_calls":[` +
			oslo + "," + chatCallOf("call_2", "billing__refund", `{}`) + "," +
			chatCallOf("call_3", "not__there", `{}`) + `]}`, "tool_calls", "I look.",
			[]string{`call_1 get_weather {"city":"Oslo"}`, `call_2 billing.refund {}`,
				`call_3 not__there {}`}, FinishCalls},
		{"stop with a call, as after a named choice", chatMessageOf(oslo), "stop", "",
			[]string{`call_1 get_weather {"city":"Oslo"}`}, FinishCalls},
		{"cut off", chatMessageOf(oslo, chatCallOf("call_2", "get_weather", `{"ci`)), "length", "",
			[]string{`call_1 get_weather {"city":"Oslo"}`, `call_2 get_weather {"ci !`}, FinishCut},
		{"cut off after a whole call", chatMessageOf(oslo), "length", "",
			[]string{`call_1 get_weather {"city":"Oslo"} !`}, FinishCut},
		{"cut off after a call without arguments", chatMessageOf(chatCallOf("call_1", "get_weather", ``), oslo),
			"length", "", []string{`call_1 get_weather`, `call_1 get_weather {"city":"Oslo"} !`}, FinishCut},
		{"filtered", chatMessageOf(oslo), "content_filter", "",
			[]string{`call_1 get_weather {"city":"Oslo"} !`}, FinishRefused},
		{"refused", `{"role":"assistant","content":null,"refusal":"I cannot."}`, "stop", "I cannot.",
			nil, FinishRefused},
		{"a new reason", `{"role":"assistant","content":"x"}`, "bored", "x", nil, FinishOther},
		{"calls announced and none there", `{"role":"assistant","content":"x"}`, "tool_calls", "x", nil,
			FinishOther},
		{"parts", `{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text",` +
			`"text":"hm"}]},{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, "stop", "ab", nil,
			FinishStop},
		{"arguments as an object keep their bytes", chatMessageOf(`{"id":"D681PevKs","function":{"name":` +
			`"get_weather","arguments":{"n": 9007199254740993, "e":1.0e2}},"index":0}`), "tool_calls", "",
			[]string{`D681PevKs get_weather {"n": 9007199254740993, "e":1.0e2}`}, FinishCalls},
		{"no arguments", chatMessageOf(`{"id":"a","function":{"name":"get_weather"}}`,
			`{"id":"b","function":{"name":"get_weather","arguments":null}}`), "tool_calls", "",
			[]string{`a get_weather`, `b get_weather`}, FinishCalls},
		{"an id twice", chatMessageOf(oslo, oslo), "tool_calls", "",
			[]string{`call_1 get_weather {"city":"Oslo"}`, `call_1 get_weather {"city":"Oslo"}`}, FinishCalls},
		{"broken arguments", chatMessageOf(chatCallOf("a", "get_weather", "{city: \"\xff\"")),
			"tool_calls", "", []string{"a get_weather {city: \"\xff\""}, FinishCalls},
	}
	histories := map[string]string{ // of the others: as it was sent
		"cut off":                                chatMessageOf(oslo, chatCallOf("call_2", "get_weather", `{"INVALID_JSON":"{\"ci"}`)),
		"cut off after a call without arguments": chatMessageOf(chatCallOf("call_1", "get_weather", `{}`), oslo),
		"arguments as an object keep their bytes": chatMessageOf(`{"id":"D681PevKs","function":{"name":` +
			`"get_weather","arguments":"{\"n\": 9007199254740993, \"e\":1.0e2}"},"index":0,"type":"function"}`),
		"no arguments": chatMessageOf(`{"id":"a","function":{"name":"get_weather","arguments":"{}"},"type":"function"}`,
			`{"id":"b","function":{"name":"get_weather","arguments":"{}"},"type":"function"}`),
		"broken arguments": chatMessageOf(chatCallOf("a", "get_weather", `{"INVALID_JSON":"{city: \"�\""}`)),
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, d := range chats {
				turn := wireTurn(t, d, chatBody(test.message, test.reason))
				require.Equal(t, test.calls, wireCalls(turn))
				require.Equal(t, test.text, turn.Text)
				require.Equal(t, test.finish, turn.Finish)
				require.Equal(t, test.reason, turn.Reason)
				require.Equal(t, []string{cmp.Or(histories[test.name], test.message)}, wireTexts(turn.Messages))
			}
		})
	}
}

func TestChatKeepsWhatItDoesNotKnow(t *testing.T) {
	message := `{ "role":"assistant", "content":null, "reasoning_content":"a < b", "tool_calls":[` +
		`{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{}"},` +
		`"extra_content":{"google":{"thought_signature":"c2ln"}}}], "n":1.0e2 }`
	turn := wireTurn(t, OpenAIChat, chatBody(message, "tool_calls"))
	require.Equal(t, []string{message}, wireTexts(turn.Messages))
}

func TestChatWithoutCalls(t *testing.T) {
	for _, empty := range []string{`[]`, `null`} {
		message := `{"role":"assistant","content":"x","tool_calls":` + empty + `,"refusal":null}`
		turn := wireTurn(t, OpenAIChat, chatBody(message, "stop"))
		require.Equal(t, []string{`{"role":"assistant","content":"x","refusal":null}`},
			wireTexts(turn.Messages), "an empty list is refused in a history")
		require.Equal(t, FinishStop, turn.Finish)
		require.Equal(t, turn, wireStream(t, OpenAIChat,
			`{"choices":[{"index":0,"delta":`+message+`,"finish_reason":"stop"}]}`))
	}
}

func TestChatMintsIDs(t *testing.T) {
	for _, d := range chats {
		form := `^call_jig[A-Z2-7]{26}$`
		if d.name == Mistral.name {
			form = `^[A-Z2-7]{9}$`
		}
		message := chatMessageOf(`{"function":{"name":"get_weather","arguments":"{}"}}`,
			`{"id":"","function":{"name":"get_weather","arguments":"{}"}}`,
			`{"id":null,"function":{"name":"get_weather","arguments":"{}"}}`,
			`{"id":"null","function":{"name":"get_weather","arguments":"{}"}}`,
			chatCallOf("kept", "get_weather", "{}"))
		turn := wireTurn(t, d, chatBody(message, "tool_calls"))
		seen := map[string]bool{}
		for _, c := range turn.Calls[:4] {
			require.Regexp(t, form, c.ID)
			require.LessOrEqual(t, len(c.ID), 40)
			require.Contains(t, string(turn.Messages[0]), `"id":"`+c.ID+`"`, "the history has it")
			seen[c.ID] = true
		}
		require.Len(t, seen, 4)
		require.Equal(t, "kept", turn.Calls[4].ID)
		again := wireTurn(t, d, chatBody(string(turn.Messages[0]), "tool_calls"))
		require.Equal(t, turn, again, "the message that was written can be read")
	}
}

func TestChatHosted(t *testing.T) {
	custom := `{"id":"call_9","type":"custom","custom":{"name":"sql","input":"select 1"}}`
	search := `{"index":0,"type":"search","arguments":"{}","output":"..."}`
	message := `{"role":"assistant","content":"x","executed_tools":[` + search + `],"tool_calls":[` +
		custom + `]}`
	turn := wireTurn(t, Groq, chatBody(message, "stop"))
	require.Empty(t, turn.Calls)
	require.Equal(t, []string{search, custom}, wireTexts(turn.Hosted))
	require.Equal(t, []string{message}, wireTexts(turn.Messages))
	require.Equal(t, FinishStop, turn.Finish)
}

func TestChatErrors(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"OpenAI", `{"error":{"message":"Invalid schema.","type":"invalid_request_error",` +
			`"param":"tools[1].parameters","code":"invalid_function_parameters"}}`,
			`the provider answered with an error: Invalid schema. (invalid_request_error, ` +
				`invalid_function_parameters, tools[1].parameters)`},
		{"Groq", `{"error":{"message":"Tool call validation failed","type":"invalid_request_error",` +
			`"code":"tool_use_failed","failed_generation":"<function=x>{}"}}`,
			`the provider answered with an error: Tool call validation failed (invalid_request_error, ` +
				`tool_use_failed); the model wrote: <function=x>{}`},
		{"xAI", `{"code":"400","error":"bad request"}`,
			`the provider answered with an error: bad request (400)`},
		{"Mistral", `{"object":"error","message":"Not the same number of calls","type":` +
			`"invalid_request_message_order","code":"3230"}`,
			`the provider answered with an error: Not the same number of calls ` +
				`(invalid_request_message_order, 3230)`},
		{"Mistral, a field", `{"detail":[{"loc":["body"]}]}`,
			`the provider answered with an error: [{"loc":["body"]}]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := "jig/dialect: groq: " + test.want
			_, err := Groq.Turn(wireRegistry(t), json.RawMessage(test.body))
			require.EqualError(t, err, want)
			err = Groq.Stream(wireRegistry(t)).Add(json.RawMessage(test.body))
			require.EqualError(t, err, want)
		})
	}
	for _, body := range []string{``, `<html>`, `null`, `{}`, `{"choices":[]}`, `[]`,
		`{"choices":[{"message":null}]}`, chatBody(`{"tool_calls":{}}`, "stop"),
		chatBody(`{"tool_calls":[1]}`, "stop"),
		chatBody(`{"role":"assistant","function_call":{"name":"x","arguments":"{}"}}`, "stop")} {
		_, err := OpenAIChat.Turn(wireRegistry(t), json.RawMessage(body))
		require.ErrorContains(t, err, "jig/dialect: openai-chat: ", body)
	}
	err := Groq.Stream(wireRegistry(t)).Add(json.RawMessage(`{"choices":[],"x_groq":{"error":"broken"}}`))
	require.EqualError(t, err, "jig/dialect: groq: the provider answered with an error: broken")
	err = OpenAIChat.Stream(wireRegistry(t)).Add(json.RawMessage(`data: {"choices":[]}`))
	require.ErrorContains(t, err, "an event without its prefix data:")
}

// sampleAnswers are sampleOutcomes as texts, one for each.
func sampleAnswers() []string {
	return []string{
		`"a < b"`, `"{\"n\":9007199254740993}"`, `"{\"error\":\"look failed.\"}"`,
		`"look waits for the approval of a person."`,
		`"two files\n` +
			`[image/png \"a.png\", 4 bytes: not shown, this API takes no such part in a result]\n` +
			`[application/pdf \"b_1.pdf\", 4 bytes: not shown, this API takes no such part in a result]\n` +
			`[application/zip \"c.zip\", 3 bytes: not shown, this API takes no such part in a result]"`,
		`"[1,\"x\"]"`,
	}
}

func TestChatResults(t *testing.T) {
	var want []string
	for i, answer := range sampleAnswers() {
		want = append(want, fmt.Sprintf(`{"role":"tool","tool_call_id":"c%d","content":%s}`, i+1, answer))
	}
	for _, d := range chats {
		require.Equal(t, want, wireTexts(d.Results(sampleOutcomes())), d)
		require.Nil(t, d.Results(nil))
	}
}

func TestChatResumed(t *testing.T) {
	o := jig.Outcome{CallID: "call_3", Tool: "billing.refund", Status: jig.StatusOK,
		Output: jig.Text("refunded 5 <EUR>")}
	for _, d := range append(chats, Ollama, OpenAIResponses) {
		got := string(d.Resumed(o))
		require.True(t, strings.HasPrefix(got, `{"role":"user","content":"`), got)
		require.Contains(t, got, "call_3")
		require.Contains(t, got, "billing__refund")
		require.Contains(t, got, "refunded 5 <EUR>")
	}
}
