package dialect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

type wireArgs struct {
	City string `json:"city"`
}

// wireRegistry has the tools get_weather and billing.refund.
func wireRegistry(t testing.TB) *jig.Registry {
	t.Helper()
	tool := func(name string) *jig.Tool {
		return jig.MustDefine(jig.Spec[wireArgs, string]{Name: name, Description: "For tests.",
			Effect: jig.EffectRead, Execute: func(_ context.Context, a wireArgs) (string, error) {
				return a.City, nil
			}})
	}
	r := jig.NewRegistry(nil)
	require.NoError(t, r.Add(tool("get_weather")))
	require.NoError(t, r.Group("billing", tool("refund")))
	return r
}

// wireTurn reads a whole response.
func wireTurn(t testing.TB, d Dialect, response string) Turn {
	t.Helper()
	turn, err := d.Turn(wireRegistry(t), json.RawMessage(response))
	require.NoError(t, err, response)
	return turn
}

// wireStream reads a streamed response, whole or not.
func wireStream(t testing.TB, d Dialect, events ...string) Turn {
	t.Helper()
	s := d.Stream(wireRegistry(t))
	for _, event := range events {
		require.NoError(t, s.Add(json.RawMessage(event)), event)
	}
	turn, err := s.Turn()
	require.NoError(t, err)
	return turn
}

// wireCalls are calls as text: id name arguments, and ! behind a call that is incomplete.
func wireCalls(turn Turn) (out []string) {
	for _, c := range turn.Calls {
		text := strings.TrimSpace(fmt.Sprintf("%s %s %s", c.ID, c.Name, c.Args))
		if c.Incomplete {
			text += " !"
		}
		out = append(out, text)
	}
	return out
}

// wireTexts are messages as text.
func wireTexts(messages []json.RawMessage) (out []string) {
	for _, m := range messages {
		out = append(out, string(m))
	}
	return out
}

var mintedID = regexp.MustCompile(`[a-z]+_jig[A-Z2-7]{26}`)

// turnText is a turn as lines, with minted ids as MINTED.
func turnText(turn Turn) string {
	lines := []string{fmt.Sprintf("%s %q", turn.Finish, turn.Reason)}
	for _, c := range wireCalls(turn) {
		lines = append(lines, "call "+c)
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

// jsonText is a JSON string that leaves all bytes as they are where it can, so that the texts of
// two halves of a rune make the text of the rune.
func jsonText(s string) string {
	out := []byte{'"'}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"', c == '\\':
			out = append(out, '\\', c)
		case c < ' ':
			out = fmt.Appendf(out, `\u%04x`, c)
		default:
			out = append(out, c)
		}
	}
	return string(append(out, '"'))
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
	return strings.Join(wireTexts(d.Results(outcomes)), "\n")
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
