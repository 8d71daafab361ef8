package dialect

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/internal/corpus"
)

// splits calls try with s in two pieces, for every place in it, and once with single bytes,
// and with single runes where they are not the same. A long text, of which few are recorded, is in
// two pieces for some hundred places: its single bytes are split at the others.
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

// A recordedRow is a definition with the calls that real models made to it.
type recordedRow struct {
	Name  string
	Calls []struct {
		Args json.RawMessage
		Raw  *string // the argument text, where it was recorded
	}
}

var (
	recordedOnce  sync.Once
	recordedCalls []wireCall
)

// recorded returns the different calls that real models made, by name and arguments, and skips the
// test where there is no corpus.
func recorded(t *testing.T) []wireCall {
	t.Helper()
	corpus.Folder(t)
	recordedOnce.Do(func() { recordedCalls = readRecorded(t) })
	require.NotEmpty(t, recordedCalls)
	return recordedCalls
}

func readRecorded(t *testing.T) (calls []wireCall) {
	seen := map[wireCall]bool{}
	total := 0
	for _, file := range corpus.Recorded(t) {
		for _, row := range corpus.Rows[recordedRow](t, file) {
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
	}
	fmt.Printf("corpus: %d recorded calls read, %d of them different\n", total, len(calls))
	return calls
}

// streamed is wireStream without names. It is for many streams, and spends little.
func streamed(t testing.TB, d Dialect, events []string) Turn {
	t.Helper()
	s := d.wire.stream()
	for _, event := range events {
		if isNoEvent(json.RawMessage(event)) {
			continue
		}
		if err := s.add(json.RawMessage(event)); err != nil {
			t.Fatalf("%s: %v", event, err)
		}
	}
	turn, err := s.turn()
	if err != nil {
		t.Fatalf("%s: %v", events, err)
	}
	return turn
}

// sameTurn reports a stream whose turn is not this one.
func sameTurn(t testing.TB, want Turn, d Dialect, events []string) {
	t.Helper()
	if turn := named(noRegistry, streamed(t, d, events)); !reflect.DeepEqual(want, turn) {
		t.Fatalf("%s: got %v, want %v", events, turn, want)
	}
}

// noRegistry has no tool.
var noRegistry = &jig.Registry{}

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

// splitRecorded puts every recorded call through a stream whose events are made of the pieces of
// the arguments: split in two at each byte, and into single runes and bytes.
func splitRecorded(t *testing.T, d Dialect, id string, events func(c wireCall, pieces []string) []string) {
	t.Helper()
	calls, streams := recorded(t), 0
	for _, c := range calls {
		c.name = cmp.Or(c.name, "tool")
		splits(c.args, func(pieces []string) {
			streams++
			checkRecorded(t, streamed(t, d, events(c, pieces)), id, c)
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
