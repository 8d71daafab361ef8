package dialect

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
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

// sameTurn reports a stream whose turn is not this one. It is for many streams, and spends little.
func sameTurn(t testing.TB, want Turn, d Dialect, events []string) {
	t.Helper()
	s := &Stream{events: d.wire.stream()}
	for _, event := range events {
		if err := s.Add(json.RawMessage(event)); err != nil {
			t.Fatalf("%s: %v", event, err)
		}
	}
	turn, err := s.events.turn()
	if err != nil || !reflect.DeepEqual(want, turn) {
		t.Fatalf("%s: got %v, %v, want %v", events, turn, err, want)
	}
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

// splits calls try with s in two pieces, for every place in it, and once with single bytes,
// and with single runes where they are not the same. A long text, of which few are recorded, is in two
// pieces for some hundred places: its single bytes are split at the others.
func splits(s string, try func(pieces []string)) {
	for i := 0; i <= len(s); i += 1 + len(s)/500 {
		try([]string{s[:i], s[i:]})
	}
	bytes := make([]string, len(s))
	for i := range len(s) {
		bytes[i] = s[i : i+1]
	}
	try(bytes)
	if runes := strings.Split(s, ""); len(runes) != len(bytes) {
		try(runes)
	}
}

// A wireCall is a recorded call: its name and what the model wrote.
type wireCall struct{ name, args string }

// recordedWireCalls are the different calls that real models made, by name and arguments.
var recordedWireCalls = sync.OnceValues(func() (calls []wireCall, err error) {
	paths, err := filepath.Glob(filepath.Join(os.Getenv("JIG_CORPUS"), "recorded-*.jsonl"))
	if err != nil {
		return nil, err
	}
	seen := map[wireCall]bool{}
	total := 0
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			var row struct {
				Name  string
				Calls []struct {
					Args json.RawMessage
					Raw  *string
				}
			}
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			for _, c := range row.Calls {
				total++
				call := wireCall{row.Name, string(c.Args)}
				if c.Raw != nil {
					call.args = *c.Raw
				}
				if !seen[call] {
					seen[call] = true
					calls = append(calls, call)
				}
			}
		}
		if err := lines.Err(); err != nil {
			return nil, err
		}
	}
	fmt.Printf("corpus: %d recorded calls read, %d of them different\n", total, len(calls))
	return calls, nil
})

// recorded returns the recorded calls, and skips the test where there is no corpus.
func recorded(t *testing.T) []wireCall {
	t.Helper()
	if os.Getenv("JIG_CORPUS") == "" {
		require.NotEqual(t, "true", os.Getenv("CI"), "CI needs JIG_CORPUS")
		t.Skip("JIG_CORPUS is not set")
	}
	calls, err := recordedWireCalls()
	require.NoError(t, err)
	require.NotEmpty(t, calls)
	return calls
}

// wireOutcomes are one outcome of each kind that a wire has to tell apart.
func wireOutcomes() []jig.Outcome {
	return []jig.Outcome{
		{CallID: "call_1", Tool: "get_weather", Status: jig.StatusOK,
			Output: jig.Output{Parts: []jig.Part{{JSON: json.RawMessage(`{"temp":4,"id":9007199254740993}`)}}}},
		{CallID: "call_2", Tool: "billing.refund", Status: jig.StatusInvalid, Code: "unknown_tool",
			Output: jig.Text(`unknown tool: "x"; a < b & c > d`)},
		{CallID: "call_3", Tool: "billing.refund", Status: jig.StatusPending, Code: "pending",
			Output: jig.Text("billing.refund waits for the approval of a person.")},
		{CallID: "call_4", Tool: "get_weather", Status: jig.StatusOK, Output: jig.Output{Parts: []jig.Part{
			{Text: "the chart:"},
			{Name: "chart.png", MIME: "image/png", Data: []byte("\x89PNG")},
			{Name: "talk.mp3", MIME: "audio/mpeg", Data: []byte("ID3")},
		}}},
	}
}
