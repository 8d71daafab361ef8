package jig_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// shapedBy is a tool whose view is out.
func shapedBy(out jig.Output, overflow jig.OverflowMode, effect jig.Effect) *jig.Tool {
	return jig.MustDefine(jig.Spec[struct{}, int]{
		Name: "give", Description: "Call it in tests.", Overflow: overflow, Effect: effect,
		Execute:       func(context.Context, struct{}) (int, error) { return 7, nil },
		ToModelOutput: func(context.Context, int) (jig.Output, error) { return out, nil },
	})
}

func TestPartsOfEveryKind(t *testing.T) {
	out := jig.Output{Parts: []jig.Part{
		{Text: "a chart:", Name: "note.md", MIME: "text/markdown"},
		{JSON: []byte(` {"a": 1} `)},
		{Data: []byte("\x89PNG"), MIME: "image/png", Name: "chart \"1\".png"},
		{Data: []byte{0, 1, 2}},
	}}
	got := cappedBy(t, 0, 0, out)
	require.Equal(t, "a chart:\n{\"a\":1}\n[image/png \"chart \\\"1\\\".png\", 4 bytes]\n[application/octet-stream, 3 bytes]",
		got.Text())
	require.Equal(t, []byte("\x89PNG"), got.Output.Parts[2].Data)
	require.Equal(t, "text/markdown", got.Output.Parts[0].MIME)
	raw, err := json.Marshal(got)
	require.NoError(t, err)
	var again jig.Outcome
	require.NoError(t, json.Unmarshal(raw, &again))
	require.Equal(t, got.Output, again.Output)
	got.Output.Parts[2].Data[0] = 'X' // a copy of what the tool made
	require.Equal(t, byte(0x89), out.Parts[2].Data[0])

	for name, part := range map[string]jig.Part{
		"two kinds":    {Text: "x", JSON: []byte("1")},
		"three kinds":  {Text: "x", JSON: []byte("1"), Data: []byte("x")},
		"JSON, Data":   {JSON: []byte("1"), Data: []byte("x")},
		"no MIME type": {Data: []byte("x"), MIME: "png, or so"},
	} {
		got := cappedBy(t, 0, 0, jig.Output{Parts: []jig.Part{part}})
		require.Equal(t, "output", got.Code, name)
		require.ErrorContains(t, got.Err, "part 0: ", name)
	}
}

// TestResultIsOutput has a tool that makes the model's view in Execute.
func TestResultIsOutput(t *testing.T) {
	for name, test := range map[string]struct {
		out  jig.Output
		want string
	}{
		"text":    {jig.Text("a < b\xff"), "a < b\ufffd"},
		"nothing": {jig.Output{}, "(no output)"},
		"parts":   {jig.Output{Parts: []jig.Part{{Text: "x"}, {JSON: []byte(`["\ud800"]`)}}}, "x\n[\"\ufffd\"]"},
	} {
		got := resultOf(t, test.out)
		require.Equal(t, test.want, got.Text(), name)
		require.Equal(t, test.out, got.Value, name)
	}
	spec := viewSpec(jig.Output{Parts: []jig.Part{{JSON: []byte(`{"id":1,"k":"hunter2","s":"hunter2"}`)}}})
	spec.Project, spec.Redact = []string{"id", "s"}, []string{"s"}
	require.Equal(t, `{"id":1,"s":"[redacted]"}`, callView(t, spec).Text())
	spec = viewSpec(jig.Text("hunter2"))
	spec.Project = []string{"id"}
	require.Equal(t, "output", callView(t, spec).Code)
}

func TestDataIsDroppedWhole(t *testing.T) {
	big := bytes.Repeat([]byte("x"), 4<<20)
	out := jig.Output{Parts: []jig.Part{{Text: "t"}, {Data: big, MIME: "image/png", Name: "a.png"},
		{Data: big, MIME: "image/png", Name: "b.png"}, {Data: []byte("small"), MIME: "image/png", Name: "c.png"}}}
	got := cappedBy(t, 0, 256, out)
	require.Len(t, got.Output.Parts[1].Data, 4<<20) // the cap does not count it
	require.Nil(t, got.Output.Parts[2].Data)
	require.Equal(t, "small", string(got.Output.Parts[3].Data))
	require.Equal(t, "t\n[image/png \"a.png\", 4194304 bytes]\n[image/png \"b.png\", 4194304 bytes left out: files of a result "+
		"have room for 5242880 bytes in all]\n[image/png \"c.png\", 5 bytes]", got.Text())
	require.Equal(t, &jig.Cut{OriginalBytes: len(got.Text()), KeptBytes: len(got.Text()), OmittedParts: 1}, got.Cut)

	// Beside text that is cut, Data stays; among too many parts it is named in the text that is left.
	out = jig.Output{Parts: []jig.Part{{Text: strings.Repeat("x", 5000)}, {Data: []byte("small"), MIME: "image/png"}}}
	got = cappedBy(t, 0, 600, out)
	require.Equal(t, "small", string(got.Output.Parts[1].Data))
	require.LessOrEqual(t, len(got.Text()), 600)
	var many jig.Output
	for range 50 {
		many.Parts = append(many.Parts, out.Parts[1])
	}
	got = cappedBy(t, 0, 256, many)
	require.LessOrEqual(t, len(got.Text()), 256)
	require.Equal(t, 50, got.Cut.OmittedParts)
}

func TestCapOfTokens(t *testing.T) {
	words := func(s string) int { return len(strings.Fields(s)) }
	rows, err := jig.JSON(map[string]any{"rows": make([]int, 9000), "next": "tok"})
	require.NoError(t, err)
	dense := func(s string) int { return 3 * utf8.RuneCountInString(s) }
	for _, test := range []struct {
		name   string
		tokens int
		count  func(string) int
		out    jig.Output
	}{
		{"quarter of the bytes", 100, nil, jig.Text(strings.Repeat("word ", 1000))},
		{"words", 100, words, jig.Text(strings.Repeat("word ", 1000))},
		{"dense", 200, dense, jig.Text(strings.Repeat("word ", 1000))},
		{"JSON", 100, nil, rows},
		{"JSON, dense", 300, dense, rows},
		{"denser than the smallest", 64, func(s string) int { return 10 * len(s) }, rows},
		{"parts", 100, nil, jig.Output{Parts: append(rows.Parts, jig.Text(strings.Repeat("é", 3000)).Parts...)}},
		{"a count that panics", 100, func(string) int { panic("hunter2") }, rows},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := registryOf(t, &jig.Options{MaxOutputTokens: test.tokens, CountTokens: test.count},
				shapedBy(test.out, jig.OverflowTruncate, jig.EffectRead))
			got := r.Call(t.Context(), jig.Call{Name: "give"})
			require.Equal(t, jig.StatusOK, got.Status)
			n := (len(got.Text()) + 3) / 4
			if test.count != nil && test.name != "a count that panics" {
				n = test.count(got.Text())
			}
			require.LessOrEqual(t, n, test.tokens)
			require.NotNil(t, got.Cut)
			require.Equal(t, len(test.out.Text()), got.Cut.OriginalBytes)
			require.Equal(t, len(got.Text()), got.Cut.KeptBytes)
			if test.tokens > 64 {
				require.Greater(t, n, test.tokens*2/3, got.Text())
				require.True(t, got.Output.Parts[0].JSON == nil || json.Valid(got.Output.Parts[0].JSON))
			}
		})
	}
	exact := strings.Repeat("x", 400)
	for _, test := range []struct{ tokens, bytes int }{{100, 400}, {1, 256}} {
		r := registryOf(t, &jig.Options{MaxOutputTokens: test.tokens}, shapedBy(jig.Text(exact[:test.bytes]),
			jig.OverflowError, jig.EffectRead))
		require.Equal(t, exact[:test.bytes], r.Call(t.Context(), jig.Call{Name: "give"}).Text())
		r = registryOf(t, &jig.Options{MaxOutputTokens: test.tokens}, shapedBy(jig.Text(exact[:test.bytes]+"x"),
			jig.OverflowError, jig.EffectRead))
		require.Equal(t, "too_large", r.Call(t.Context(), jig.Call{Name: "give"}).Code)
	}
	// Errors have the same room.
	r := registryOf(t, &jig.Options{MaxOutputTokens: 64}, failing("bad", jig.EffectRead, jig.Errorf("%s", strings.Repeat("w ", 900))))
	require.LessOrEqual(t, len(r.Call(t.Context(), jig.Call{Name: "bad"}).Text()), 256)
}

func TestOverflowError(t *testing.T) {
	long := jig.Text(strings.Repeat("x", 300))
	r := registryOf(t, &jig.Options{MaxOutputBytes: 256}, shapedBy(long, jig.OverflowError, jig.EffectRead))
	got := r.Call(t.Context(), jig.Call{Name: "give"})
	require.Equal(t, "give did run, and its result is too large to be shown: the output has 300 bytes, and about 256 fit. "+
		"Call it again with arguments that ask for less.", got.Text())
	require.Equal(t, jig.StatusFailed, got.Status)
	require.Equal(t, "too_large", got.Code)
	require.True(t, got.Retryable)
	require.Equal(t, 7, got.Value)
	require.ErrorIs(t, got.Err, jig.ErrOutput)
	r = registryOf(t, &jig.Options{MaxOutputBytes: 256}, shapedBy(long, jig.OverflowError, jig.EffectWrite))
	got = r.Call(t.Context(), jig.Call{Name: "give"})
	require.False(t, got.Retryable)
	require.True(t, strings.HasSuffix(got.Text(), " fit. Do not assume that it did nothing."), got.Text())
	require.Equal(t, "truncate error store OverflowMode(9)", fmt.Sprint(jig.OverflowTruncate, " ", jig.OverflowError, " ",
		jig.OverflowStore, " ", jig.OverflowMode(9)))
	spec := viewSpec("x")
	spec.Overflow = 9
	_, err := jig.Define(spec)
	require.EqualError(t, err, `jig: tool "view": Overflow: got OverflowMode(9), want one of the OverflowMode constants`)
}

// memoryStore is a store that a test looks into.
type memoryStore struct {
	items map[string]jig.Artifact
	err   error
	panic bool
}

func (m *memoryStore) Put(_ context.Context, key string, a jig.Artifact) error {
	if m.panic {
		panic("hunter2")
	}
	if m.items == nil {
		m.items = map[string]jig.Artifact{}
	}
	m.items[key] = a
	return m.err
}

func (m *memoryStore) Get(_ context.Context, key string) (jig.Artifact, error) {
	a, ok := m.items[key]
	if !ok {
		return a, jig.ErrNoArtifact
	}
	return a, nil
}

// TestOverflowStore keeps what the model may see, and nothing else, under a key that tells nothing.
func TestOverflowStore(t *testing.T) {
	store := &memoryStore{}
	long := theOrder
	long.Lines = make([]viewLine, 400)
	spec := viewSpec(long)
	spec.Project, spec.Redact = []string{"id", "items", "token"}, []string{"items[].cost"}
	spec.Overflow, spec.MaxOutputBytes = jig.OverflowStore, 1000
	options := &jig.Options{Artifacts: store}
	ctx := jig.WithCaller(t.Context(), jig.Caller{RunID: "r", UserID: "u"})
	got := registryOf(t, options, jig.MustDefine(spec)).Call(ctx, jig.Call{ID: "1", Name: "view"})
	require.Equal(t, jig.StatusOK, got.Status)
	require.Regexp(t, `^art:[A-Z2-7]{26}$`, got.Cut.Handle)
	whole := `{"id":7,"items":[` + strings.TrimSuffix(strings.Repeat(`{"sku":"","qty":0,"cost":"[redacted]"},`, 400), ",") +
		`],"token":"[redacted]"}`
	require.Equal(t, fmt.Sprintf("[%d bytes stored as %s; the rest cannot be read. They begin:]\n%s", len(whole),
		got.Cut.Handle, whole[:200]), got.Text())
	require.Len(t, store.items, 1)
	for key, a := range store.items {
		require.Regexp(t, `^[0-9a-f]{64}$`, key)
		require.Equal(t, jig.Artifact{MIME: "application/json", Data: []byte(whole)}, a)
	}

	// A store that fails loses the view, not the outcome, and nothing is shown instead.
	for _, store := range []*memoryStore{{err: errors.New("hunter2")}, {panic: true}} {
		got = registryOf(t, &jig.Options{Artifacts: store}, jig.MustDefine(spec)).Call(ctx, jig.Call{ID: "1", Name: "view"})
		require.Equal(t, jig.StatusFailed, got.Status)
		require.ErrorIs(t, got.Err, jig.ErrOutput)
		require.Equal(t, "view did run, but its result could not be prepared; do not assume that it did nothing. Reference: "+
			got.Ref+".", got.Text())
		require.Equal(t, long, got.Value)
	}

	// Files stay beside the handle.
	out := jig.Output{Parts: []jig.Part{{Text: strings.Repeat("x", 300)}, {Data: []byte("img"), MIME: "image/png"}}}
	r := registryOf(t, &jig.Options{MaxOutputBytes: 256, Artifacts: store}, shapedBy(out, jig.OverflowStore, jig.EffectRead))
	got = r.Call(t.Context(), jig.Call{Name: "give"})
	require.LessOrEqual(t, len(got.Text()), 256)
	require.Contains(t, got.Text(), got.Cut.Handle)
	require.Equal(t, "img", string(got.Output.Parts[1].Data))

	// Without a store the tool is refused, by name and place, and nothing is registered.
	var reg jig.Registry
	tool := jig.MustDefine(spec)
	want := `jig: add: tool "view" defined at ` + tool.DefinedAt() + ` stores large outputs (OverflowStore), and ` +
		`Options.Artifacts is nil; set it, or choose another Overflow`
	require.EqualError(t, reg.Add(named("other"), tool), want)
	require.EqualError(t, reg.Group("g", tool), strings.Replace(want, `"view"`, `"g.view"`, 1))
	require.Empty(t, namesOf(&reg))
	// In a view without one it is cut.
	view := registryOf(t, options, tool).With(&jig.Options{})
	cut := view.Call(ctx, jig.Call{Name: "view"})
	require.Empty(t, cut.Cut.Handle)
	require.True(t, json.Valid([]byte(cut.Text())))
}
