package dialect

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

func TestOllamaChoice(t *testing.T) {
	r := wireRegistry(t)
	got, err := Ollama.Choice(r, Auto)
	require.NoError(t, err)
	require.Equal(t, `{}`, string(got))
	for choice, want := range map[Choice]string{
		None:     "the API cannot forbid calls; leave tools out of the request",
		Required: "the API cannot demand a call; say in the prompt that a tool has to be called",
		Only("billing.refund"): "the API cannot demand a call of billing__refund; send the tools of " +
			"Registry.Filter that keeps this one",
	} {
		_, err := Ollama.Choice(r, choice)
		require.ErrorContains(t, err, "jig/dialect: ollama: choice: "+want)
	}
}

// ollamaCall is a call, with an id or without.
func ollamaCall(id, name, args string) string {
	if id != "" {
		id = `"id":` + jsonText(id) + `,`
	}
	return `{` + id + `"function":{"index":0,"name":` + jsonText(name) + `,"arguments":` + args + `}}`
}

// ollamaBody is a response, or a line of a streamed one.
func ollamaBody(message, end string) string {
	return `{"model":"qwen3","created_at":"2026-01-01T00:00:00Z","message":` + message + `,` + end + `}`
}

func TestOllamaTurn(t *testing.T) {
	message := func(calls ...string) string {
		return `{"role":"assistant","content":"I look.","thinking":"hm","tool_calls":[` +
			strings.Join(calls, ",") + `]}`
	}
	oslo := ollamaCall("call_1", "billing__refund", `{"city":"Oslo", "n":9007199254740993}`)
	tests := []struct {
		name, message, end string
		calls              []string
		finish             Finish
	}{
		{"words", `{"role":"assistant","content":"I look."}`, `"done":true,"done_reason":"stop"`, nil,
			FinishStop},
		{"an old server", `{"role":"assistant","content":"I look."}`, `"done":true`, nil, FinishStop},
		{"calls", message(oslo, oslo), `"done":true,"done_reason":"stop"`, []string{
			`call_1 billing.refund {"city":"Oslo", "n":9007199254740993}`,
			`call_1 billing.refund {"city":"Oslo", "n":9007199254740993}`}, FinishCalls},
		{"cut off", message(oslo), `"done":true,"done_reason":"length"`,
			[]string{`call_1 billing.refund {"city":"Oslo", "n":9007199254740993} !`}, FinishCut},
		{"loaded", `{"role":"assistant","content":"I look."}`, `"done":true,"done_reason":"load"`, nil,
			FinishOther},
		{"not done", message(oslo), `"done":false`,
			[]string{`call_1 billing.refund {"city":"Oslo", "n":9007199254740993} !`}, FinishCut},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			turn := wireTurn(t, Ollama, ollamaBody(test.message, test.end))
			require.Equal(t, test.calls, wireCalls(turn))
			require.Equal(t, "I look.", turn.Text)
			require.Equal(t, test.finish, turn.Finish)
			require.Equal(t, []string{test.message}, wireTexts(turn.Messages))
		})
	}
}

func TestOllamaErrors(t *testing.T) {
	body := json.RawMessage(`{"error":"model \"x\" not found"}`)
	want := `jig/dialect: ollama: the provider answered with an error: model "x" not found`
	_, err := Ollama.Turn(wireRegistry(t), body)
	require.EqualError(t, err, want)
	require.EqualError(t, Ollama.Stream(wireRegistry(t)).Add(body), want)
	for _, body := range []string{``, `{}`, `{"message":null}`, `{"message":1,"done":true}`} {
		_, err := Ollama.Turn(wireRegistry(t), json.RawMessage(body))
		require.ErrorContains(t, err, "jig/dialect: ollama: ", body)
	}
}

func TestOllamaResults(t *testing.T) {
	names := []string{"billing__refund", "look", "look", "look", "look", "look"}
	var want []string
	for i, answer := range sampleAnswers() {
		want = append(want, fmt.Sprintf(`{"role":"tool","tool_name":%q,"tool_call_id":"c%d","content":%s}`,
			names[i], i+1, answer))
	}
	require.Equal(t, want, wireTexts(Ollama.Results(sampleOutcomes())))
}

func TestOllamaMintsIDs(t *testing.T) {
	message := `{"role":"assistant","content":"","tool_calls":[` + ollamaCall("", "get_weather", `{}`) +
		`,` + ollamaCall("", "get_weather", `{}`) + `]}`
	turn := wireTurn(t, Ollama, ollamaBody(message, `"done":true`))
	require.NotEqual(t, turn.Calls[0].ID, turn.Calls[1].ID)
	require.Equal(t, []string{message}, wireTexts(turn.Messages), "minted ids do not go on the wire")
	o := jig.Outcome{CallID: turn.Calls[0].ID, Tool: "get_weather", Status: jig.StatusOK,
		Output: jig.Text("4")}
	require.Equal(t, []string{`{"role":"tool","tool_name":"get_weather","content":"4"}`},
		wireTexts(Ollama.Results([]jig.Outcome{o})))
	require.False(t, isMinted("call_", "call_jigsaw"))
}

func TestOllamaStream(t *testing.T) {
	end := `"done":true,"done_reason":"stop"`
	whole := wireTurn(t, Ollama, ollamaBody(`{"role":"assistant","content":"I look.","thinking":"hm",`+
		`"tool_calls":[`+ollamaCall("call_1", "get_weather", `{"a":1}`)+`,`+
		ollamaCall("call_2", "billing__refund", `{"b": 2}`)+`]}`, end))
	lines := []string{
		ollamaBody(`{"role":"assistant","content":"","thinking":"h"}`, `"done":false`),
		ollamaBody(`{"role":"assistant","content":"","thinking":"m"}`, `"done":false`),
		ollamaBody(`{"role":"assistant","content":"I l"}`, `"done":false`),
		ollamaBody(`{"role":"assistant","content":"","tool_calls":[`+
			ollamaCall("call_1", "get_weather", `{"a":1}`)+`]}`, `"done":false`),
		ollamaBody(`{"role":"assistant","content":"ook.","tool_calls":[`+
			ollamaCall("call_2", "billing__refund", `{"b": 2}`)+`]}`, `"done":false`),
		ollamaBody(`{"role":"assistant","content":""}`, end),
	}
	turn := wireStream(t, Ollama, lines...)
	require.Equal(t, whole.Calls, turn.Calls)
	require.Equal(t, "I look.", turn.Text)
	require.Equal(t, FinishCalls, turn.Finish)
	require.Equal(t, wireTurn(t, Ollama, ollamaBody(string(turn.Messages[0]), end)), turn)

	turn = wireStream(t, Ollama, lines[:5]...)
	require.Equal(t, FinishCut, turn.Finish)
	require.Equal(t, []string{`call_1 get_weather {"a":1}`, `call_2 billing.refund {"b": 2} !`},
		wireCalls(turn))
	require.Equal(t, Turn{Finish: FinishCut}, wireStream(t, Ollama))
}

// TestOllamaRecorded builds responses and streams around every recorded call whose arguments are an
// object, as those of this wire always are. Calls come whole; for every tenth, the words
// beside it are split at every byte.
func TestOllamaRecorded(t *testing.T) {
	calls := recorded(t)
	t.Parallel()
	end, read, streams := `"done":true,"done_reason":"stop"`, 0, 0
	for i, c := range calls {
		if !isObject(json.RawMessage(c.args)) {
			continue
		}
		read++
		list := `,"tool_calls":[` + ollamaCall("call_1", c.name, c.args) + `]}`
		whole := wireTurn(t, Ollama, ollamaBody(`{"role":"assistant","content":`+jsonText(c.args)+list, end))
		args := json.RawMessage(c.args)
		require.Equal(t, []jig.Call{{ID: "call_1", Name: c.name, Args: args}}, whole.Calls)
		require.Equal(t, c.args, whole.Text)
		if i%10 != 0 {
			continue
		}
		splits(c.args, func(pieces []string) {
			streams++
			var lines []string
			for i, p := range pieces {
				message, state := `{"role":"assistant","content":`+jsonText(p), `"done":false`
				if i == len(pieces)-1 {
					message, state = message+list, end
				} else {
					message += "}"
				}
				lines = append(lines, ollamaBody(message, state))
			}
			sameTurn(t, whole, Ollama, lines)
		})
	}
	t.Logf("%d recorded calls, %d streams", read, streams)
}
