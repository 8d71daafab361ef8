package dialect

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A saidPart is a piece of a message: thought, text, call or hosted.
type saidPart struct{ kind, text string }

// randomParts are a message. Texts do not follow texts: Gemini makes one of them.
func randomParts(r *rand.Rand) []saidPart {
	words := []string{`a`, `"`, `\`, "é", "😀", "\n", "<", "x"}
	var out []saidPart
	for range 1 + r.IntN(5) {
		p := saidPart{kind: []string{"thought", "text", "call", "hosted"}[r.IntN(4)], text: "t"}
		for range r.IntN(8) {
			p.text += words[r.IntN(len(words))]
		}
		if len(out) == 0 || out[len(out)-1].kind != p.kind {
			out = append(out, p)
		}
	}
	return out
}

// randomCut cuts a text between runes.
func randomCut(r *rand.Rand, text string) []string {
	pieces := []string{""}
	for _, c := range text {
		if r.IntN(3) == 0 {
			pieces = append(pieces, "")
		}
		pieces[len(pieces)-1] += string(c)
	}
	return pieces
}

// A sayer says a message in the form of one provider, whole and in events.
type sayer func(parts []saidPart, cut func(string) []string) (whole string, events []string)

// TestStreamedAsWhole shows that a message is the same turn whole and in any pieces.
func TestStreamedAsWhole(t *testing.T) {
	for _, tt := range []struct {
		dialect Dialect
		say     sayer
	}{{Anthropic, sayAnthropic}, {Bedrock, sayBedrock}, {Gemini, sayGemini}, {Groq, sayChat},
		{OpenAIResponses, sayResponses}, {Ollama, sayOllama}} {
		for seed := range uint64(300) {
			r := rand.New(rand.NewPCG(seed, 1))
			whole, events := tt.say(randomParts(r), func(s string) []string { return randomCut(r, s) })
			want := turnText(wireTurn(t, tt.dialect, whole))
			got := turnText(wireStream(t, tt.dialect, events...))
			require.Equal(t, want, got, "%s: %d", tt.dialect, seed)
		}
	}
}

func sayAnthropic(parts []saidPart, cut func(string) []string) (string, []string) {
	var blocks []string
	events := []string{anthropicStart}
	for i, p := range parts {
		args := string(object("v", p.text))
		start, delta, text, end := "", "text", p.text, string(quote(p.text))
		switch p.kind {
		case "thought":
			start, delta = `{"type":"thinking","signature":"s","thinking":`, "thinking"
		case "text":
			start = `{"type":"text","text":`
		case "call":
			start, delta, text, end = `{"type":"tool_use","id":"i","name":"billing__refund",`+
				`"input":`, "partial_json", args, args
		case "hosted":
			start, delta, text, end = `{"type":"server_tool_use","id":"i","name":"n","input":`, "partial_json", args, args
		}
		empty := map[bool]string{true: "{}", false: `""`}[delta == "partial_json"]
		blocks = append(blocks, start+end+"}")
		events = append(events, anthropicBlockStart(i, start+empty+"}"))
		for _, piece := range cut(text) {
			events = append(events, anthropicDelta(i, `{"type":"d","`+delta+`":`+string(quote(piece))+`}`))
		}
	}
	events = append(events, `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`, anthropicStop)
	return `{"content":[` + strings.Join(blocks, ",") + `],"stop_reason":"end_turn"}`, events
}

func sayBedrock(parts []saidPart, cut func(string) []string) (string, []string) {
	var blocks, events []string
	for i, p := range parts {
		args, text := string(object("v", p.text)), string(quote(p.text))
		say := func(text, before, after string) {
			for _, piece := range cut(text) {
				events = append(events, bedrockDeltaOf(i, before+string(quote(piece))+after))
			}
		}
		use := func(start string) {
			blocks = append(blocks, `{"toolUse":{`+start+`,"input":`+args+`}}`)
			events = append(events, bedrockEventOf("contentBlockStart", i, "start",
				`{"toolUse":{`+start+`}}`))
			say(args, `{"toolUse":{"input":`, `}}`)
		}
		switch p.kind {
		case "thought":
			blocks = append(blocks, `{"reasoningContent":{"reasoningText":{"text":`+text+`}}}`)
			say(p.text, `{"reasoningContent":{"text":`, `}}`)
		case "text":
			blocks = append(blocks, `{"text":`+text+`}`)
			say(p.text, `{"text":`, `}`)
		case "call":
			use(`"toolUseId":"i","name":"billing__refund"`)
		case "hosted":
			use(`"toolUseId":"i","name":"n","type":"server_tool_use"`)
		}
	}
	events = append(events, `{"messageStop":{"stopReason":"end_turn"}}`)
	return bedrockResponse("end_turn", strings.Join(blocks, ",")), events
}

func sayGemini(parts []saidPart, cut func(string) []string) (string, []string) {
	var whole, events []string
	for _, p := range parts {
		part := ""
		switch p.kind {
		case "thought", "text":
			end := map[bool]string{true: `,"thought":true}`, false: "}"}[p.kind == "thought"]
			part = `{"text":` + string(quote(p.text)) + end
			for _, piece := range cut(p.text) {
				events = append(events, geminiBody("", `{"text":`+string(quote(piece))+end))
			}
		case "call":
			part = `{"functionCall":{"id":"i","name":"billing__refund","args":` + string(object("v", p.text)) + `}}`
			events = append(events, geminiBody("", part))
		case "hosted":
			part = `{"executableCode":{"code":` + string(quote(p.text)) + `}}`
			events = append(events, geminiBody("", part))
		}
		whole = append(whole, part)
	}
	return geminiBody("STOP", strings.Join(whole, ",")), append(events, geminiBody("STOP", ""))
}

// A saidMessage is a message whose members grow, in the order in which they began.
type saidMessage struct {
	keys  []string
	texts map[string]string
	calls []string
}

func (m *saidMessage) begin(key string) {
	if !slices.Contains(m.keys, key) {
		m.keys = append(m.keys, key)
	}
}

func (m *saidMessage) add(key, text string) {
	if m.begin(key); m.texts == nil {
		m.texts = map[string]string{}
	}
	m.texts[key] += text
}

func (m *saidMessage) call(call string) {
	m.begin("tool_calls")
	m.calls = append(m.calls, call)
}

func (m *saidMessage) String() string {
	out := `{"role":"assistant"`
	for _, key := range m.keys {
		value := string(quote(m.texts[key]))
		if key == "tool_calls" {
			value = "[" + strings.Join(m.calls, ",") + "]"
		}
		out += `,"` + key + `":` + value
	}
	return out + "}"
}

// sayChat has no tools of the provider in a message but for free-form ones.
func sayChat(parts []saidPart, cut func(string) []string) (string, []string) {
	var m saidMessage
	events := []string{chatChunk(`{"role":"assistant"}`)}
	for _, p := range parts {
		key, start, end, text := "", `{"id":"i","type":"function","function":{"name":"billing__refund",`+
			`"arguments":`, "}}", string(object("v", p.text))
		switch p.kind {
		case "thought":
			key = "reasoning_content"
		case "text":
			key = "content"
		case "hosted":
			start, text = `{"id":"i","type":"custom","custom":{"name":"n","input":`, p.text
		}
		if key != "" {
			m.add(key, p.text)
			for _, piece := range cut(p.text) {
				events = append(events, chatChunk(`{"`+key+`":`+string(quote(piece))+`}`))
			}
			continue
		}
		head := fmt.Sprintf(`{"tool_calls":[{"index":%d,`, len(m.calls))
		m.call(start + string(quote(text)) + end)
		events = append(events, chatChunk(head+start[1:]+`""`+end+`]}`))
		more := map[bool]string{true: `"custom":{"input":`, false: `"function":{"arguments":`}[p.kind == "hosted"]
		for _, piece := range cut(text) {
			events = append(events, chatChunk(head+more+string(quote(piece))+`}}]}`))
		}
	}
	return chatBody(m.String(), "stop"),
		append(events, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)
}

// sayResponses leaves the output of the last event empty, so that the pieces count.
func sayResponses(parts []saidPart, cut func(string) []string) (string, []string) {
	var whole, events []string
	say := func(i int, kind, rest, text string) {
		for _, piece := range cut(text) {
			events = append(events, fmt.Sprintf(`{"type":"response.%s.delta","output_index":%d,%s"delta":%s}`,
				kind, i, rest, quote(piece)))
		}
	}
	added := func(i int, item string) {
		events = append(events, fmt.Sprintf(`{"type":"response.output_item.added","output_index":%d,"item":%s}`,
			i, item))
	}
	for i, p := range parts {
		item := ""
		switch p.kind {
		case "thought", "hosted":
			kind := map[bool]string{true: "reasoning", false: "web_search_call"}[p.kind == "thought"]
			item = `{"type":"` + kind + `","note":` + string(quote(p.text)) + `}`
			added(i, `{"type":"`+kind+`"}`)
			events = append(events, fmt.Sprintf(`{"type":"response.output_item.done","output_index":%d,"item":%s}`,
				i, item))
		case "text":
			start := `{"type":"message","role":"assistant","content":[`
			part := func(text string) string { return `{"type":"output_text","text":` + string(quote(text)) + `}` }
			item = start + part(p.text) + "]}"
			added(i, start+"]}")
			events = append(events, fmt.Sprintf(`{"type":"response.content_part.added","output_index":%d,`+
				`"content_index":0,"part":%s}`, i, part("")))
			say(i, "output_text", `"content_index":0,`, p.text)
		case "call":
			args := string(object("v", p.text))
			item = responsesCall("i", "billing__refund", args, "completed")
			added(i, responsesCall("i", "billing__refund", "", "completed"))
			say(i, "function_call_arguments", "", args)
		}
		whole = append(whole, item)
	}
	return responsesOf("completed", "null", whole...), append(events,
		`{"type":"response.completed","response":`+responsesOf("completed", "null")+`}`)
}

// sayOllama has no tools of the provider, and its calls come whole.
func sayOllama(parts []saidPart, cut func(string) []string) (string, []string) {
	m := saidMessage{keys: []string{"content"}}
	line := func(message string) string { return ollamaBody(message, `"done":false`) }
	events := []string{line(m.String())}
	for _, p := range parts {
		key := map[string]string{"thought": "thinking", "text": "content"}[p.kind]
		switch {
		case key != "":
			m.add(key, p.text)
			for _, piece := range cut(p.text) {
				events = append(events, line(`{"role":"assistant","`+key+`":`+string(quote(piece))+`}`))
			}
		case p.kind == "call":
			call := ollamaCall("i", "billing__refund", string(object("v", p.text)))
			m.call(call)
			events = append(events, line(`{"role":"assistant","tool_calls":[`+call+`]}`))
		}
	}
	end := `"done":true,"done_reason":"stop"`
	return ollamaBody(m.String(), end), append(events, ollamaBody(`{"role":"assistant","content":""}`, end))
}
