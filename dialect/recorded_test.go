package dialect

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

var mintedID = regexp.MustCompile(`[a-z]+_jig[A-Z2-7]{26}`)

// turnText is a turn as lines, with minted ids as MINTED.
func turnText(turn Turn) string {
	lines := []string{fmt.Sprintf("%s %q", turn.Finish, turn.Reason)}
	for _, c := range turn.Calls {
		line := fmt.Sprintf("call %s %s %s", c.ID, c.Name, c.Args)
		if c.Incomplete {
			line += " incomplete"
		}
		lines = append(lines, line)
	}
	if turn.Text != "" {
		lines = append(lines, fmt.Sprintf("text %q", turn.Text))
	}
	for _, raw := range turn.Hosted {
		lines = append(lines, "hosted "+string(raw))
	}
	for _, raw := range turn.Messages {
		lines = append(lines, "message "+string(raw))
	}
	return mintedID.ReplaceAllString(strings.Join(lines, "\n"), "MINTED")
}

// asSent is turnText with AS SENT for what a provider sent.
func asSent(turn Turn, content string) string {
	if content == "" {
		return turnText(turn)
	}
	return strings.ReplaceAll(turnText(turn), "["+content+"]", "[AS SENT]")
}

// checkRecorded reports a turn that is not this call alone. An empty id is for one that is minted.
func checkRecorded(t *testing.T, turn Turn, id string, c wireCall) {
	t.Helper()
	if c.args = strings.TrimSpace(c.args); c.args == "" || c.args == "null" {
		c.args = "{}"
	}
	if len(turn.Calls) != 1 || turn.Finish != FinishCalls {
		t.Fatalf("got %v, want a call of %s", turn, c.name)
	}
	got := turn.Calls[0]
	if id == "" && isMinted(geminiIDs, got.ID) {
		id = got.ID
	}
	if got.ID != id || got.Name != c.name || string(got.Args) != c.args || got.Incomplete {
		t.Fatalf("got %v, want %s %s(%s)", got, id, c.name, c.args)
	}
}

// splitRecorded puts every recorded call through a stream whose events are made of the pieces of the
// arguments: split in two at each byte, and into single runes and bytes.
func splitRecorded(t *testing.T, d Dialect, id string, events func(c wireCall, pieces []string) []string) {
	t.Helper()
	calls, streams := recorded(t), 0
	for _, c := range calls {
		c.name = cmp.Or(c.name, "tool")
		splits(c.args, func(pieces []string) {
			streams++
			s := d.wire.stream()
			for _, e := range events(c, pieces) {
				if err := s.add(json.RawMessage(e)); err != nil {
					t.Fatalf("%s: %v", e, err)
				}
			}
			turn, err := s.turn()
			require.NoError(t, err)
			checkRecorded(t, turn, id, c)
		})
	}
	t.Logf("%s: %d recorded calls in %d streams", d, len(calls), streams)
}

// wholeRecorded puts every recorded call through a whole response.
func wholeRecorded(t *testing.T, d Dialect, id string, response func(c wireCall) string) {
	t.Helper()
	count := 0
	for _, c := range recorded(t) {
		if !json.Valid([]byte(c.args)) {
			continue // it cannot be part of a response
		}
		c.name = cmp.Or(c.name, "tool")
		count++
		turn, err := d.wire.turn(json.RawMessage(response(c)))
		require.NoError(t, err)
		checkRecorded(t, turn, id, c)
	}
	t.Logf("%s: %d recorded calls in whole responses", d, count)
}

// sampleOutcomes are outcomes of all kinds, as Results gets them.
func sampleOutcomes() []jig.Outcome {
	png, pdf := []byte("\x89PNG"), []byte("%PDF")
	return []jig.Outcome{
		{CallID: "c1", Tool: "billing.refund", Status: jig.StatusOK, Output: jig.Text("a < b")},
		{CallID: "c2", Tool: "look", Status: jig.StatusOK,
			Output: jig.Output{Parts: []jig.Part{{JSON: json.RawMessage(`{"n":9007199254740993}`)}}}},
		{CallID: "c3", Tool: "look", Status: jig.StatusFailed, Err: errors.New("x"),
			Output: jig.Text("look failed.")},
		{CallID: "c4", Tool: "look", Status: jig.StatusPending, Err: jig.ErrPending,
			Output: jig.Text("look waits for the approval of a person.")},
		{CallID: "c5", Tool: "look", Status: jig.StatusOK, Output: jig.Output{Parts: []jig.Part{
			{Text: "two files"}, {Data: png, MIME: "image/png", Name: "a.png"},
			{Data: pdf, MIME: "application/pdf", Name: "b_1.pdf"},
			{Data: []byte("zip"), MIME: "application/zip", Name: "c.zip"},
		}}},
		{CallID: "c6", Tool: "look", Status: jig.StatusOK,
			Output: jig.Output{Parts: []jig.Part{{JSON: json.RawMessage(`[1,"x"]`)}}}},
	}
}

// messagesOf is what Results makes of outcomes, one message a line.
func messagesOf(d Dialect, outcomes ...jig.Outcome) string {
	lines := []string{}
	for _, raw := range d.Results(outcomes) {
		lines = append(lines, string(raw))
	}
	return strings.Join(lines, "\n")
}

// choicesOf is what a dialect writes for each choice.
func choicesOf(t *testing.T, d Dialect) []string {
	t.Helper()
	var out []string
	for _, c := range []Choice{Auto, None, Required, Only("billing.refund")} {
		raw, err := d.Choice(wireRegistry(t), c)
		if err != nil {
			raw = json.RawMessage(err.Error())
		}
		out = append(out, string(raw))
	}
	return out
}

// errorsOf is what a dialect says to responses that are none.
func errorsOf(t *testing.T, d Dialect, responses ...string) string {
	t.Helper()
	var lines []string
	for _, r := range responses {
		_, err := d.Turn(wireRegistry(t), json.RawMessage(r))
		require.Error(t, err, r)
		lines = append(lines, strings.TrimPrefix(err.Error(), "jig/dialect: "))
	}
	return strings.Join(lines, "\n")
}

func TestMintedIDsDiffer(t *testing.T) {
	turn, err := Anthropic.Turn(wireRegistry(t), json.RawMessage(
		`{"content":[{"type":"tool_use","name":"a"},{"type":"tool_use","name":"a"}],`+
			`"stop_reason":"tool_use"}`))
	require.NoError(t, err)
	require.NotEqual(t, turn.Calls[0].ID, turn.Calls[1].ID)
	require.Contains(t, string(turn.Messages[0]), turn.Calls[0].ID)
	require.Contains(t, string(turn.Messages[0]), turn.Calls[1].ID)
}

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
	}{{Anthropic, sayAnthropic}, {Bedrock, sayBedrock}, {Gemini, sayGemini}} {
		for seed := range uint64(300) {
			r := rand.New(rand.NewPCG(seed, 1))
			whole, events := tt.say(randomParts(r), func(s string) []string { return randomCut(r, s) })
			want := wireTurn(t, tt.dialect, whole)
			require.Equal(t, turnText(want), turnText(wireStream(t, tt.dialect, events...)), "%s: %d", tt.dialect, seed)
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
