package artifact_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/artifact"
)

var handlePattern = regexp.MustCompile(`art:[A-Z2-7]{26}`)

// storing is a registry under a cap with a tool that stores text, and the tool that reads it.
func storing(t testing.TB, limit int, store jig.ArtifactStore, text string) *jig.Registry {
	t.Helper()
	r := jig.NewRegistry(&jig.Options{MaxOutputBytes: limit, Artifacts: store})
	require.NoError(t, r.Add(jig.MustDefine(jig.Spec[struct{}, string]{
		Name: "export", Description: "Call it in tests.", Overflow: jig.OverflowStore,
		Execute: func(context.Context, struct{}) (string, error) { return text, nil },
	}), artifact.Reader(store)))
	return r
}

func callerContext(t testing.TB, run, user string) context.Context {
	return jig.WithCaller(t.Context(), jig.Caller{RunID: run, UserID: user})
}

func readCall(handle string, more string) jig.Call {
	return jig.Call{Name: "read_artifact", Args: json.RawMessage(`{"handle":"` + handle + `"` + more + `}`)}
}

var nextPattern = regexp.MustCompile(`^\[bytes (\d+) to (\d+) of (\d+); (?:next offset (\d+)|this is the end)\]\n`)

// TestReaderPages reads stored texts back, page by page under the same cap, byte for byte.
func TestReaderPages(t *testing.T) {
	lines := strings.Builder{}
	for i := range 2000 {
		fmt.Fprintf(&lines, "line %d: größe 世界 \"quoted\" 😀\n", i)
	}
	for name, text := range map[string]string{
		"lines": lines.String(), "one line": strings.Repeat("0123456789", 3000), "runes": strings.Repeat("世", 9000),
	} {
		for _, limit := range []int{256, 1000, 0} {
			if limit == 0 && len(text) <= 50<<10 {
				continue // it fits
			}
			t.Run(fmt.Sprintf("%s under %d", name, limit), func(t *testing.T) {
				r := storing(t, limit, artifact.NewMemory(nil), text)
				ctx := callerContext(t, "run", "ada")
				stored := r.Call(ctx, jig.Call{ID: "1", Name: "export"})
				require.Equal(t, jig.StatusOK, stored.Status)
				require.Equal(t, stored.Cut.Handle, handlePattern.FindString(stored.Text()))
				require.Equal(t, len(text), stored.Cut.OriginalBytes)
				require.Contains(t, stored.Text(), "; read them with read_artifact. They begin:]\n")
				var got strings.Builder
				for offset := "0"; offset != ""; {
					page := r.Call(ctx, readCall(stored.Cut.Handle, `,"offset":`+offset))
					require.Equal(t, jig.StatusOK, page.Status, page.Text())
					require.Nil(t, page.Cut)
					head := nextPattern.FindStringSubmatch(page.Text())
					require.NotNil(t, head, page.Text())
					require.Equal(t, offset, head[1])
					require.Equal(t, strconv.Itoa(len(text)), head[3])
					got.WriteString(page.Text()[len(head[0]):])
					require.Equal(t, strconv.Itoa(got.Len()), head[2])
					offset = head[4]
				}
				require.Equal(t, text, got.String())
			})
		}
	}
}

func TestReaderPreview(t *testing.T) {
	store := artifact.NewMemory(nil)
	text := strings.Repeat("世", 9000)
	r := storing(t, 2000, store, text)
	got := r.Call(t.Context(), jig.Call{Name: "export"})
	require.Equal(t, fmt.Sprintf("[27000 bytes stored as %s; read them with read_artifact. They begin:]\n%s",
		got.Cut.Handle, strings.Repeat("世", 200)), got.Text())
	require.Equal(t, text, got.Value)
	require.Equal(t, &jig.Cut{OriginalBytes: 27000, KeptBytes: len(got.Text()), Handle: got.Cut.Handle}, got.Cut)

	// The smallest cap still has the handle.
	got = storing(t, 256, store, text).Call(t.Context(), jig.Call{Name: "export"})
	require.LessOrEqual(t, len(got.Text()), 256)
	require.Contains(t, got.Text(), got.Cut.Handle)

	// Shrinking below the cap stores nothing.
	got = storing(t, 0, nothing{}, text).Call(t.Context(), jig.Call{Name: "export"})
	require.Equal(t, text, got.Text())
	require.Nil(t, got.Cut)

	// Under another name, and without a reader.
	r = jig.NewRegistry(&jig.Options{MaxOutputBytes: 2000, Artifacts: store})
	export := jig.MustDefine(jig.Spec[struct{}, string]{
		Name: "export", Description: "Call it in tests.", Overflow: jig.OverflowStore,
		Execute: func(context.Context, struct{}) (string, error) { return text, nil },
	})
	require.NoError(t, r.Add(export))
	require.Contains(t, r.Call(t.Context(), jig.Call{Name: "export"}).Text(), "; the rest cannot be read. They begin:]\n")
	pager, err := artifact.Reader(store).WithName("pager")
	require.NoError(t, err)
	require.NoError(t, r.Group("files", pager))
	require.Contains(t, r.Call(t.Context(), jig.Call{Name: "export"}).Text(), "; read them with files.pager. They begin:]\n")
}

// nothing is a store that nobody may touch.
type nothing struct{}

func (nothing) Put(context.Context, string, jig.Artifact) error { panic("put") }
func (nothing) Get(context.Context, string) (jig.Artifact, error) {
	return jig.Artifact{}, errors.New("dial store: password hunter2")
}

func TestReaderScope(t *testing.T) {
	r := storing(t, 256, artifact.NewMemory(nil), strings.Repeat("x", 1000))
	first := r.Call(callerContext(t, "run", "ada"), jig.Call{Name: "export"}).Cut.Handle
	second := r.Call(callerContext(t, "run", "ada"), jig.Call{Name: "export"}).Cut.Handle
	require.NotEqual(t, first, second)
	require.Equal(t, jig.StatusOK, r.Call(callerContext(t, "run", "ada"), readCall(first, "")).Status)
	for name, got := range map[string]jig.Outcome{
		"other run":  r.Call(callerContext(t, "run2", "ada"), readCall(first, "")),
		"other user": r.Call(callerContext(t, "run", "eve"), readCall(first, "")),
		"no caller":  r.Call(t.Context(), readCall(first, "")),
		"other tenant": r.Call(jig.WithCaller(t.Context(), jig.Caller{RunID: "run", UserID: "ada", TenantID: "x"}),
			readCall(first, "")),
		"made up": r.Call(callerContext(t, "run", "ada"), readCall("art:AAAAAAAAAAAAAAAAAAAAAAAAAA", "")),
		"a path":  r.Call(callerContext(t, "run", "ada"), readCall("../../etc/passwd", "")),
	} {
		require.Equal(t, jig.StatusFailed, got.Status, name)
		require.Equal(t, "Nothing is stored under this handle here. Use a handle exactly as a result of this run "+
			"gave it. If it did, the output has expired: make it again.", got.Text(), name)
	}
	past := r.Call(callerContext(t, "run", "ada"), readCall(first, `,"offset":1001`))
	require.Equal(t, "The offset 1001 is past the end: the output has 1000 bytes.", past.Text())
	end := r.Call(callerContext(t, "run", "ada"), readCall(first, `,"offset":1000`))
	require.Equal(t, "[bytes 1000 to 1000 of 1000; this is the end]\n", end.Text())

	// The host reads what a run stored.
	store := artifact.NewMemory(nil)
	handle := storing(t, 256, store, strings.Repeat("x", 1000)).
		Call(callerContext(t, "run", "ada"), jig.Call{Name: "export"}).Cut.Handle
	a, err := jig.ReadArtifact(callerContext(t, "run", "ada"), store, handle)
	require.NoError(t, err)
	require.Equal(t, jig.Artifact{MIME: "text/plain", Data: []byte(strings.Repeat("x", 1000))}, a)

	// What a store says is not for the model.
	got := storing(t, 256, nothing{}, "").Call(t.Context(), readCall(first, ""))
	require.NotContains(t, got.Text(), "hunter2")
	require.Equal(t, "error", got.Code)
}

func TestReaderSearch(t *testing.T) {
	text := strings.Repeat("filler ", 200) + "the Needle is\nhere" + strings.Repeat(" ü", 300) + "NEEDLE"
	r := storing(t, 600, artifact.NewMemory(nil), text)
	handle := r.Call(t.Context(), jig.Call{Name: "export"}).Cut.Handle
	got := r.Call(t.Context(), readCall(handle, `,"search":"needle"`))
	require.Equal(t, fmt.Sprintf("[2 places in %d bytes, from offset 0]\n"+
		"offset 1404:  filler filler filler filler filler the Needle is here ü ü ü ü ü ü ü ü ü ü ü\n"+
		"offset %d: %sNEEDLE", len(text), len(text)-6, strings.Repeat(" ü", 14)[1:]), got.Text())
	require.Equal(t, fmt.Sprintf("[0 places in %d bytes, from offset 0]", len(text)),
		r.Call(t.Context(), readCall(handle, `,"search":"absent"`)).Text())

	// More places than fit.
	more := regexp.MustCompile(`^\[(\d+) places? in 1418 bytes, from offset \d+(?:; more: search again from offset (\d+))?\]`)
	text = text[:1418]
	r = storing(t, 600, artifact.NewMemory(nil), text)
	handle = r.Call(t.Context(), jig.Call{Name: "export"}).Cut.Handle
	found, offset := 0, "0"
	for offset != "" {
		got := r.Call(t.Context(), readCall(handle, `,"search":"FILLER","offset":`+offset))
		require.Nil(t, got.Cut)
		head := more.FindStringSubmatch(got.Text())
		require.NotNil(t, head, got.Text())
		n, err := strconv.Atoi(head[1])
		require.NoError(t, err)
		require.Equal(t, n, strings.Count(got.Text(), "\noffset "))
		found, offset = found+n, head[2]
	}
	require.Equal(t, 200, found)
}

func TestReaderNeedsAStore(t *testing.T) {
	require.PanicsWithValue(t, "jig: artifact.Reader(nil): give it the store of Options.Artifacts",
		func() { artifact.Reader(nil) })
}
