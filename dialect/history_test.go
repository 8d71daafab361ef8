package dialect

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A historyWire says one call in the form of a provider, its arguments as JSON, and reads the name
// and the arguments out of the history.
type historyWire struct {
	dialect Dialect
	say     func(name, args string) string
	read    func(t *testing.T, message json.RawMessage) (name string, args json.RawMessage)
	asText  bool
}

// historyWires are all wires that have a history.
func historyWires() []historyWire {
	path := func(keys ...string) func(*testing.T, json.RawMessage) (string, json.RawMessage) {
		return func(t *testing.T, message json.RawMessage) (string, json.RawMessage) {
			t.Helper()
			for _, key := range keys[:len(keys)-1] {
				if list := items(message); list != nil {
					message = list[0]
				}
				message = memberOf(message, key)
			}
			if list := items(message); list != nil {
				message = list[0]
			}
			return textOf(message, "name"), memberOf(message, keys[len(keys)-1])
		}
	}
	function := func(name, args string) string {
		return `{"id":"a","type":"function","function":{"name":` + jsonText(name) + `,"arguments":` + args + `}}`
	}
	list := []historyWire{{OpenAIResponses, func(name, args string) string {
		return responsesOf("completed", "null", `{"type":"function_call","call_id":"a","name":`+
			jsonText(name)+`,"arguments":`+args+`,"status":"completed"}`)
	}, path("arguments"), true}, {Anthropic, func(name, args string) string {
		return `{"content":[{"type":"tool_use","id":"a","name":` + jsonText(name) + `,"input":` + args +
			`}],"stop_reason":"tool_use"}`
	}, path("content", "input"), false}, {Bedrock, func(name, args string) string {
		return bedrockResponse("tool_use", `{"toolUse":{"toolUseId":"a","name":`+jsonText(name)+
			`,"input":`+args+`}}`)
	}, path("content", "toolUse", "input"), false}, {Gemini, func(name, args string) string {
		return geminiBody("STOP", `{"functionCall":{"id":"a","name":`+jsonText(name)+`,"args":`+args+
			`},"thoughtSignature":"s"}`)
	}, path("parts", "functionCall", "args"), false},
		{Ollama, func(name, args string) string {
			return ollamaBody(`{"role":"assistant","tool_calls":[`+function(name, args)+`]}`, `"done":true`)
		}, path("tool_calls", "function", "arguments"), false}}
	for _, d := range chats {
		list = append(list, historyWire{d, func(name, args string) string {
			return chatBody(chatMessageOf(function(name, args)), "tool_calls")
		}, path("tool_calls", "function", "arguments"), true})
	}
	return list
}

// TestHistoryTakesEveryCall: whatever a model wrote, the history has a name that the provider takes
// and arguments that are one object; the calls have what the model wrote.
func TestHistoryTakesEveryCall(t *testing.T) {
	names := []string{"get_weather", "", "billing.refund", "functions.get_weather", "a b", "$x:y",
		"<|channel|>", "næme", "a.b.c", strings.Repeat("n", 300), strings.Repeat("é", 40), "a\"b\n"}
	inputs := []string{`{"city":"Oslo"}`, `{ "n": 9007199254740993, "e":1e400, "z":-0 }`, `{}`, ``, `  `,
		`null`, `""`, `{"ci`, `{"a":"\`, "{\"a\":\"\xc3", `{"a":"\ud8`, `[1]`, `7`, `"{\"city\":\"Oslo\"}"`,
		"\f{}", "{\"a\":\"\xff\"}", `{city: 'Oslo'}`, `{"a":1}{"a":2}`, `{"a":1,"a":2}`,
		strings.Repeat("[", 20000)}
	for _, w := range historyWires() {
		t.Run(w.dialect.String(), func(t *testing.T) {
			for _, name := range names {
				w.check(t, name, jsonText(`{}`))
				w.check(t, name, `{}`)
			}
			for _, input := range inputs {
				w.check(t, "x", jsonText(input))
				if json.Valid([]byte(input)) {
					w.check(t, "x", input)
				}
			}
		})
	}
}

// check reports a history that the provider would refuse, or that is not that of what it said.
func (w historyWire) check(t *testing.T, name, args string) {
	t.Helper()
	turn := wireTurn(t, w.dialect, w.say(name, args))
	require.Len(t, turn.Calls, 1)
	require.Equal(t, name, turn.Calls[0].Name)
	message := turn.Messages[0]
	gotName, got := w.read(t, message)
	require.Regexp(t, `^[A-Za-z0-9_-]{1,64}$`, gotName)
	text, isText := unquoted(got)
	require.Equal(t, w.asText, isText, "%s", message)
	if !isText {
		text = string(got)
	}
	require.True(t, isHistoryInput([]byte(text)), "%s", message)
	said := string(argumentText(json.RawMessage(args)))
	switch {
	case isHistoryInput([]byte(said)):
		require.Equal(t, said, text, "what is right keeps its bytes")
	case said == `"{\"city\":\"Oslo\"}"`:
		require.Equal(t, `{"city":"Oslo"}`, text, "taken out of its string")
	default:
		require.True(t, text == "{}" || strings.HasPrefix(text, `{"INVALID_JSON":"`), text)
	}
}

// TestHistoryNamesAgree: where a result names its tool, that is the name in the history.
func TestHistoryNamesAgree(t *testing.T) {
	for _, w := range historyWires() {
		if w.dialect != Gemini && w.dialect != Ollama {
			continue
		}
		for _, name := range []string{"get_weather", "billing.refund", "billing__refund", "Get-Weather",
			"no such", "no.such.tool", "", "næme", strings.Repeat("n", 300)} {
			args := map[bool]string{true: `"{}"`, false: `{"city":"Oslo"}`}[w.asText]
			r := wireRegistry(t)
			turn, err := w.dialect.Turn(r, json.RawMessage(w.say(name, args)))
			require.NoError(t, err)
			history, _ := w.read(t, turn.Messages[0])
			result := string(w.dialect.Results(r.CallAll(t.Context(), turn.Calls))[0])
			require.Contains(t, result, `name":`+jsonText(history), "%s for %q", w.dialect, name)
		}
	}
}

// TestTurnKeepsNoBuffer: a host may use its buffer for the next event, as bufio.Scanner does.
func TestTurnKeepsNoBuffer(t *testing.T) {
	c := wireCall{"get_weather", `{"city":"Oslo"}`}
	for d, events := range map[Dialect][]string{
		OpenAIChat:      chatEvents("a", c.name, []string{c.args}),
		OpenAIResponses: responsesEvents("a", c.name, []string{c.args}),
		Anthropic:       anthropicEvents(c, []string{c.args}),
		Bedrock:         bedrockEvents(c, []string{c.args}),
		Gemini:          {geminiBody("STOP", `{"functionCall":{"id":"a","name":"get_weather","args":`+c.args+`}}`)},
		Ollama: {ollamaBody(`{"role":"assistant","tool_calls":[`+ollamaCall("a", c.name, c.args)+`]}`,
			`"done":true`)},
		MCP: {`{"id":1,"method":"tools/call","params":{"name":"get_weather","arguments":` + c.args + `}}`},
	} {
		s := d.Stream(wireRegistry(t))
		for _, e := range events {
			buffer := []byte(e)
			require.NoError(t, s.Add(buffer), d)
			clear(buffer)
		}
		turn, err := s.Turn()
		require.NoError(t, err)
		require.Equal(t, c.args, string(turn.Calls[0].Args), d)
	}
	for _, w := range historyWires() {
		buffer := []byte(w.say(c.name, map[bool]string{true: jsonText(c.args), false: c.args}[w.asText]))
		turn, err := w.dialect.Turn(wireRegistry(t), buffer)
		require.NoError(t, err)
		clear(buffer)
		require.Equal(t, c.args, string(turn.Calls[0].Args), w.dialect)
		require.True(t, json.Valid(turn.Messages[0]), w.dialect)
	}
}

// TestAgentLoop runs two turns over each wire, with goroutines that share the dialects.
func TestAgentLoop(t *testing.T) {
	for _, w := range historyWires() {
		for range 4 {
			t.Run(w.dialect.String(), func(t *testing.T) {
				t.Parallel()
				r := wireRegistry(t)
				_, _, err := w.dialect.Tools(r)
				require.NoError(t, err)
				args := map[bool]string{true: `"{\"city\":\"Oslo\"}"`, false: `{"city":"Oslo"}`}[w.asText]
				var history []json.RawMessage
				for _, name := range []string{"billing__refund", "no.such tool"} {
					turn, err := w.dialect.Turn(r, json.RawMessage(w.say(name, args)))
					require.NoError(t, err)
					require.Equal(t, FinishCalls, turn.Finish)
					outcomes := r.CallAll(context.Background(), turn.Calls)
					history = append(history, turn.Messages...)
					history = append(history, w.dialect.Results(outcomes)...)
				}
				require.Len(t, history, 4)
				for _, m := range history {
					require.True(t, json.Valid(m), "%s", m)
				}
				require.Contains(t, string(history[1]), "Oslo")
				require.Contains(t, string(history[3]), "unknown tool", fmt.Sprint(w.dialect))
			})
		}
	}
}
