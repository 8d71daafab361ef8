package jig_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// sealed is the JSON of a Prepared.
type sealed struct {
	V    int             `json:"v"`
	Body json.RawMessage `json:"body"`
	Seal []byte          `json:"seal,omitempty"`
}

func sealedOf(t *testing.T, p jig.Prepared) sealed {
	t.Helper()
	raw, err := json.Marshal(p)
	require.NoError(t, err)
	var s sealed
	require.NoError(t, json.Unmarshal(raw, &s))
	return s
}

// preparedOf reads the JSON of a Prepared.
func preparedOf(t *testing.T, v any) jig.Prepared {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	var p jig.Prepared
	require.NoError(t, json.Unmarshal(raw, &p))
	return p
}

// requireNeverRuns gives a Prepared to every phase and requires a denial from each way.
func requireNeverRuns(t *testing.T, r *jig.Registry, p jig.Prepared, runs *atomic.Int64, text string) {
	t.Helper()
	authorized := r.Authorize(t.Context(), p)
	for _, q := range []jig.Prepared{p, authorized, preparedOf(t, authorized)} {
		executed := r.Execute(t.Context(), q)
		for _, o := range []jig.Outcome{r.Render(q, executed), r.Render(authorized, executed)} {
			require.Equal(t, jig.StatusDenied, o.Status)
			require.Equal(t, "not_authorized", o.Code)
			require.Equal(t, text, o.Text())
			require.ErrorIs(t, o.Err, jig.ErrDenied)
			require.False(t, o.Retryable)
			require.Zero(t, o.Attempts)
		}
		require.Equal(t, jig.StatusDenied, r.Render(q, jig.Executed{}).Status)
	}
	require.Equal(t, jig.StatusDenied, authorized.Status())
	require.Zero(t, runs.Load())
}

func TestPreparedEditedIsDenied(t *testing.T) {
	const text = "The call was not run: it was not prepared here, or was changed since."
	var runs atomic.Int64
	r := registryOf(t, &jig.Options{Key: []byte("key")}, probe[pathArgs](&runs),
		runOf("other", func(context.Context, pathArgs) (string, error) { runs.Add(1); return "", nil }))
	ctx := jig.WithCaller(t.Context(), jig.Caller{RunID: "r", UserID: "ann", TenantID: "t",
		Metadata: map[string]string{"plan": "pro"}})
	good := r.Authorize(ctx, r.Prepare(jig.Call{ID: "1", Name: "Probe", Args: []byte(`{"path":"a","zz":1}`)}))
	require.Equal(t, jig.StatusOK, r.Render(good, r.Execute(ctx, preparedOf(t, good))).Status)
	runs.Store(0)
	whole := sealedOf(t, good)

	var body map[string]any
	require.NoError(t, json.Unmarshal(whole.Body, &body))
	require.Equal(t, []string{"authorized", "call", "caller", "fingerprint", "repairs", "tool"},
		slices.Sorted(maps.Keys(body)))
	edit := func(at map[string]any, key string, value any) sealed {
		old, had := at[key]
		at[key] = value
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		if at[key] = old; !had {
			delete(at, key)
		}
		return sealed{1, raw, whole.Seal}
	}
	call, caller := body["call"].(map[string]any), body["caller"].(map[string]any)
	edits := map[string]sealed{
		"argument":      edit(call, "args", []byte(`{"path":"b"}`)),
		"id":            edit(call, "id", "2"),
		"name":          edit(call, "name", "other"),
		"incomplete":    edit(call, "incomplete", true),
		"tool":          edit(body, "tool", "other"),
		"fingerprint":   edit(body, "fingerprint", "00"),
		"authorized":    edit(body, "authorized", false),
		"run":           edit(caller, "run", "s"),
		"user":          edit(caller, "user", "bob"),
		"tenant":        edit(caller, "tenant", "u"),
		"metadata":      edit(caller, "metadata", map[string]string{"plan": "free"}),
		"repairs":       edit(body, "repairs", nil),
		"failure":       edit(body, "failure", map[string]any{"status": "ok"}),
		"unknown field": edit(body, "later", 1),
		"second case":   edit(body, "Tool", "other"),
		"no seal":       {1, whole.Body, nil},
		"other seal":    {1, whole.Body, append([]byte{whole.Seal[0] + 1}, whole.Seal[1:]...)},
		"short seal":    {1, whole.Body, whole.Seal[:16]},
	}
	for name, s := range edits {
		t.Run(name, func(t *testing.T) { requireNeverRuns(t, r, preparedOf(t, s), &runs, text) })
	}
}

func TestPreparedElsewhereIsDenied(t *testing.T) {
	const foreign = "The call was not run: it was not prepared here, or was changed since."
	const another = "The call was not run: the tool is not the one it was prepared for."
	var runs atomic.Int64
	tool := probe[pathArgs](&runs)
	call := jig.Call{ID: "1", Name: "probe", Args: []byte(`{"path":"a"}`)}
	registry := func(key string, tools ...*jig.Tool) *jig.Registry {
		return registryOf(t, &jig.Options{Key: []byte(key)}, tools...)
	}
	r := registry("key", tool)
	authorized := func(r *jig.Registry) jig.Prepared { return r.Authorize(t.Context(), r.Prepare(call)) }
	changed := probe[anyArgs](&runs)
	require.NotEqual(t, tool.Fingerprint(), changed.Fingerprint())

	t.Run("under another key", func(t *testing.T) {
		p := authorized(registry("other", tool))
		requireNeverRuns(t, r, p, &runs, foreign)
		requireNeverRuns(t, r, preparedOf(t, p), &runs, foreign)
	})
	t.Run("for another fingerprint", func(t *testing.T) {
		p := authorized(registry("key", changed))
		requireNeverRuns(t, r, p, &runs, another)
		requireNeverRuns(t, r, preparedOf(t, p), &runs, another)
	})
	t.Run("for a tool that is not here", func(t *testing.T) {
		without := r.Filter(func(*jig.Tool) bool { return false })
		requireNeverRuns(t, without, authorized(r), &runs, another)
	})
	t.Run("zero", func(t *testing.T) {
		requireNeverRuns(t, r, jig.Prepared{}, &runs, "The call was not run: it was not prepared.")
		_, err := json.Marshal(jig.Prepared{})
		require.ErrorContains(t, err, "jig: a zero Prepared has no JSON")
	})
	t.Run("not authorized", func(t *testing.T) {
		p := r.Prepare(call)
		for _, q := range []jig.Prepared{p, preparedOf(t, p)} {
			o := r.Render(q, r.Execute(t.Context(), q))
			require.Equal(t, "The call was not run: it was not authorized.", o.Text())
			require.Equal(t, jig.StatusDenied, o.Status)
			require.Equal(t, "not_authorized", o.Code)
		}
		require.Zero(t, runs.Load())
	})
	t.Run("not executed", func(t *testing.T) {
		o := r.Render(authorized(r), jig.Executed{})
		require.Equal(t, "The call was not run: it was not executed.", o.Text())
		require.Equal(t, jig.StatusDenied, o.Status)
	})
}

// TestPreparedRunsTheToolOfTheRegistry executes what another registry with the same key prepared.
func TestPreparedRunsTheToolOfTheRegistry(t *testing.T) {
	named := func(text string) *jig.Registry {
		return registryOf(t, nil, runOf("who", func(context.Context, struct{}) (string, error) { return text, nil }))
	}
	first, second := named("first"), named("second")
	p := first.Authorize(t.Context(), first.Prepare(jig.Call{Name: "who"}))
	require.Equal(t, "first", first.Render(p, first.Execute(t.Context(), p)).Text())
	require.Equal(t, "second", second.Render(p, second.Execute(t.Context(), p)).Text())
}

// TestPreparedRunsUnderTheOptionsOfTheRegistry executes what was prepared for the same tool under others.
func TestPreparedRunsUnderTheOptionsOfTheRegistry(t *testing.T) {
	first := registryOf(t, nil, runOf("room", func(ctx context.Context, _ struct{}) (string, error) {
		return strconv.Itoa(jig.CallInfo(ctx).MaxOutputBytes()), nil
	}))
	second := first.With(&jig.Options{MaxOutputBytes: 300})
	p := first.Authorize(t.Context(), first.Prepare(jig.Call{Name: "room"}))
	require.Equal(t, "51200", first.Render(p, first.Execute(t.Context(), p)).Text())
	require.Equal(t, "300", second.Render(p, second.Execute(t.Context(), p)).Text())
}

// TestRenderTellsWhatRan changes the world between Execute and Render: what ran is not denied.
func TestRenderTellsWhatRan(t *testing.T) {
	var runs atomic.Int64
	r := registryOf(t, &jig.Options{Key: []byte("key")}, probe[pathArgs](&runs))
	p := r.Authorize(t.Context(), r.Prepare(jig.Call{ID: "1", Name: "probe", Args: []byte(`{"path":"a"}`)}))
	executed := r.Execute(t.Context(), p)
	for name, view := range map[string]*jig.Registry{
		"the tool is gone":   r.Filter(func(*jig.Tool) bool { return false }),
		"smaller limits":     r.With(&jig.Options{Key: []byte("key"), MaxArgsBytes: 1}),
		"another definition": registryOf(t, &jig.Options{Key: []byte("key")}, probe[anyArgs](&runs)),
	} {
		o := view.Render(preparedOf(t, p), executed)
		require.Equal(t, jig.StatusOK, o.Status, name)
		require.Equal(t, `{"path":"a"}`, o.Text(), name)
	}
	other := registryOf(t, &jig.Options{Key: []byte("other")}, probe[pathArgs](&runs))
	o := other.Render(preparedOf(t, p), executed)
	require.Equal(t, jig.StatusDenied, o.Status)
	require.Equal(t, "The result is withheld: it does not belong to the call as it was prepared. "+
		"The call may have taken effect: check before you call it again.", o.Text())
	require.EqualValues(t, 1, runs.Load())
}

func TestPreparedSurvivesManyRoundTrips(t *testing.T) {
	r := phaseRegistry()
	for _, c := range phaseCalls() {
		want := observed(r.Call(phaseContext(), c))
		p := preparedOf(t, preparedOf(t, r.Prepare(c)))
		p = preparedOf(t, preparedOf(t, r.Authorize(phaseContext(), p)))
		require.Equal(t, sealedOf(t, p), sealedOf(t, preparedOf(t, p)), c.ID)
		p = preparedOf(t, r.Authorize(phaseContext(), p)) // once more changes nothing
		require.Equal(t, want, observed(r.Render(p, r.Execute(t.Context(), p))), c.ID)
	}
}

func TestPreparedStatus(t *testing.T) {
	r := phaseRegistry()
	for name, want := range map[string]jig.Status{"ok": "", "gone": jig.StatusInvalid} {
		p := r.Prepare(jig.Call{Name: name, Args: []byte(`{"path":"p"}`)})
		require.Equal(t, want, p.Status())
		require.Equal(t, want, preparedOf(t, p).Status())
	}
	require.Empty(t, jig.Prepared{}.Status())
}

func TestPreparedRefusesOtherJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"v":2,"body":{},"seal":""}`:         "jig: prepared call: got version 2, want 1",
		`null`:                                "jig: prepared call: got version 0, want 1",
		`{"v":1}`:                             "jig: prepared call: the text is empty",
		`{"v":1,"body":{"tool":1}}`:           "jig: prepared call: ",
		`{"v":1,"body":{"tool":"","tool":1}}`: "is in its object already",
	} {
		var p jig.Prepared
		require.ErrorContains(t, json.Unmarshal([]byte(text), &p), want)
	}
}

// TestPreparedBeyondSmallerLimits executes what was authorized under larger ones.
func TestPreparedBeyondSmallerLimits(t *testing.T) {
	var runs atomic.Int64
	r := registryOf(t, &jig.Options{Key: []byte("key")}, probe[pathArgs](&runs))
	small := r.With(&jig.Options{Key: []byte("key"), MaxArgsBytes: 1})
	p := preparedOf(t, r.Authorize(t.Context(), r.Prepare(jig.Call{Name: "probe", Args: []byte(`{"path":"a"}`)})))
	raw, err := json.Marshal(small.Execute(t.Context(), p))
	require.NoError(t, err)
	require.Contains(t, string(raw), `"status":"invalid"`)
	require.Contains(t, string(raw), `"attempts":0`)
	require.Zero(t, runs.Load())
}

// TestPrepareSettlesInvalidCalls at once, before anybody is asked.
func TestPrepareSettlesInvalidCalls(t *testing.T) {
	r := registryOf(t, nil, jig.MustDefine(paySpec()))
	for args, want := range map[string]jig.Status{
		`{"order":"7"}`: "", `{"order":7,"amount":"x"}`: jig.StatusInvalid, `{}`: jig.StatusInvalid,
		`{"order`: jig.StatusInvalid,
	} {
		require.Equal(t, want, r.Prepare(jig.Call{Name: "pay", Args: []byte(args)}).Status(), args)
	}
}

// TestCallInfoHasTheCallAsItCame with the name and the text that were sent, in another process too.
func TestCallInfoHasTheCallAsItCame(t *testing.T) {
	var got jig.Call
	spec := paySpec()
	spec.Execute = func(ctx context.Context, _ payArgs) (string, error) {
		got = jig.CallInfo(ctx).Call()
		return "", nil
	}
	r := registryOf(t, nil, jig.MustDefine(spec))
	for _, name := range []string{"pay", "Pay"} {
		want := jig.Call{ID: "1", Name: name, Args: []byte(" {\"order\": \"7\"}\n")}
		o := r.Call(t.Context(), want)
		require.Equal(t, "pay", o.Tool)
		require.Equal(t, want, got)

		raw, err := json.Marshal(r.Authorize(t.Context(), r.Prepare(want)))
		require.NoError(t, err)
		var read jig.Prepared
		require.NoError(t, json.Unmarshal(raw, &read))
		got = jig.Call{}
		r.Execute(t.Context(), read)
		require.Equal(t, want, got)
	}
}

// TestRefusedPreparedNamesTheTool that it was prepared for, whatever the model called it.
func TestRefusedPreparedNamesTheTool(t *testing.T) {
	r := registryOf(t, &jig.Options{Key: []byte("one")}, jig.MustDefine(paySpec()))
	other := registryOf(t, &jig.Options{Key: []byte("two")}, jig.MustDefine(paySpec()))
	p := r.Prepare(jig.Call{ID: "1", Name: "Pay", Args: []byte(`{"order":"7"}`)})
	o := other.Render(p, jig.Executed{})
	require.Equal(t, jig.StatusDenied, o.Status)
	require.Equal(t, "pay", o.Tool)
}
