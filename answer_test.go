package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

type verdict struct {
	Score int    `json:"score" jsonschema:"minimum=0,maximum=10"`
	Why   string `json:"why,omitempty"`
}

func answerOf(t *testing.T, change func(*jig.AnswerSpec[verdict])) *jig.Answer[verdict] {
	t.Helper()
	spec := jig.AnswerSpec[verdict]{Name: "finish",
		Description: "Give the verdict. Call exactly once, ends the run.", Terminal: true,
		Check: func(_ context.Context, v verdict) error {
			switch v.Why {
			case "bad":
				return jig.Invalid("/why", "is bad; say more")
			case "worse":
				return jig.Errorf("Say it in other words.")
			case "broken":
				return errors.New("database is down")
			}
			return nil
		}}
	if change != nil {
		change(&spec)
	}
	a, err := jig.DefineAnswer(spec)
	require.NoError(t, err)
	return a
}

func TestDefineAnswer(t *testing.T) {
	a := answerOf(t, nil)
	tool := a.Tool()
	require.Equal(t, []any{jig.EffectRead, jig.ApprovalNever, true}, []any{tool.Effect(), tool.Approval(),
		tool.Terminal()})
	_, err := jig.DefineAnswer(jig.AnswerSpec[verdict]{Name: "no name", Description: "Broken.",
		Examples: []verdict{{Score: 11}}})
	var wrong *jig.DefineError
	require.ErrorAs(t, err, &wrong)
	require.Len(t, wrong.Problems, 2)
	lasting := answerOf(t, func(s *jig.AnswerSpec[verdict]) { s.Terminal = false })
	require.False(t, lasting.Tool().Terminal())
}

func TestAnswerFrom(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		a := answerOf(t, func(s *jig.AnswerSpec[verdict]) { s.Terminal = terminal })
		r := registryOf(t, nil, a.Tool())
		require.NoError(t, r.Group("judge", a.Tool()))
		for _, name := range []string{"finish", "judge.finish", "judge__finish"} {
			o := r.Call(t.Context(), jig.Call{Name: name, Args: []byte(`{"why":"<ok>","score":"7"}`)})
			require.Equal(t, "done", o.Text())
			require.Equal(t, `{"score":7,"why":"<ok>"}`, string(o.Answer))
			raw, err := json.Marshal(o)
			require.NoError(t, err)
			var back jig.Outcome
			require.NoError(t, json.Unmarshal(raw, &back))
			for _, o := range []jig.Outcome{o, back} {
				got, ok := a.From(o)
				require.True(t, ok)
				require.Equal(t, verdict{7, "<ok>"}, got)
			}
		}
		o := r.Call(t.Context(), jig.Call{Name: "finish", Args: []byte(`{"score":11}`)})
		require.Nil(t, o.Answer)
		require.True(t, o.Retryable)
		_, ok := a.From(o)
		require.False(t, ok)
	}
	a := answerOf(t, nil)
	for _, o := range []jig.Outcome{
		{Tool: "finish", Status: jig.StatusOK},
		{Tool: "other", Status: jig.StatusOK, Answer: []byte(`{"score":1}`)},
		{Tool: "unfinish", Status: jig.StatusOK, Answer: []byte(`{"score":1}`)},
		{Tool: "finish", Status: jig.StatusFailed, Answer: []byte(`{"score":1}`)},
		{Tool: "finish", Status: jig.StatusOK, Answer: []byte(`{"score":"high"}`)},
	} {
		_, ok := a.From(o)
		require.False(t, ok, o)
	}
}

// An answer survives the way of a durable host.
func TestAnswerThroughPhases(t *testing.T) {
	a := answerOf(t, nil)
	r := registryOf(t, nil, a.Tool())
	p := r.Authorize(t.Context(), r.Prepare(jig.Call{ID: "1", Name: "finish", Args: []byte(`{"score":7}`)}))
	raw, err := json.Marshal(r.Execute(t.Context(), p))
	require.NoError(t, err)
	var e jig.Executed
	require.NoError(t, json.Unmarshal(raw, &e))
	got, ok := a.From(r.Render(p, e))
	require.True(t, ok)
	require.Equal(t, verdict{Score: 7}, got)
}

func TestAnswerExtract(t *testing.T) {
	a := answerOf(t, nil)
	call := func(name, args string) jig.Call { return jig.Call{Name: name, Args: []byte(args)} }
	cut := call("finish", `{"score":7}`)
	cut.Incomplete = true
	tests := []struct {
		name  string
		calls []jig.Call
		want  error
	}{
		{"one", []jig.Call{call("other", "{"), call("finish", `{"score":7}`)}, nil},
		{"in a group", []jig.Call{call("judge__finish", `{"score":7}`)}, nil},
		{"in other case", []jig.Call{call("Finish", `{"score":7}`)}, nil},
		{"none", []jig.Call{call("other", "{}")}, jig.ErrNoAnswer},
		{"two", []jig.Call{call("finish", `{"score":7}`), call("judge.finish", `{"score":7}`)},
			jig.ErrManyAnswers},
		{"cut off", []jig.Call{cut}, jig.ErrIncomplete},
		{"cut-off text", []jig.Call{call("finish", `{"score":7`)}, jig.ErrIncomplete},
	}
	all := []error{jig.ErrNoAnswer, jig.ErrManyAnswers, jig.ErrIncomplete}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := a.Extract(t.Context(), test.calls)
			if test.want == nil {
				require.NoError(t, err)
				require.Equal(t, verdict{Score: 7}, got)
				return
			}
			var invalid *jig.ValidationError
			require.False(t, errors.As(err, &invalid) && test.name != "cut-off text")
			for _, e := range all {
				require.Equal(t, e == test.want, errors.Is(err, e), "%v is %v", err, e)
			}
		})
	}
	for args, want := range map[string]string{
		`{"score":"high"}`: "The arguments of finish are invalid and nothing was run:\n" +
			"- \"/score\": got string \"high\", want integer\nCorrect them and call finish again.",
		`{"score":1,"why":"bad"}`: "The arguments of finish are invalid and nothing was run:\n" +
			"- \"/why\": is bad; say more\nCorrect them and call finish again.",
		`{"score":1,"why":"worse"}`: "Say it in other words.",
	} {
		_, err := a.Extract(t.Context(), []jig.Call{call("finish", args)})
		require.EqualError(t, err, want)
		var invalid *jig.ValidationError
		require.ErrorAs(t, err, &invalid)
		for _, e := range all {
			require.NotErrorIs(t, err, e)
		}
	}
	_, err := a.Extract(t.Context(), []jig.Call{call("finish", `{"score":1,"why":"broken"}`)})
	require.ErrorContains(t, err, "database is down")
}

// The forced pattern with its one retry.
func TestAnswerForcedWithOneRetry(t *testing.T) {
	a := answerOf(t, nil)
	r := registryOf(t, nil, a.Tool())
	o := r.RepairOnce(t.Context(), jig.Call{Name: "finish", Args: []byte(`{"score":11}`)},
		func(_ context.Context, o jig.Outcome) (jig.Call, bool) {
			return jig.Call{Name: "finish", Args: []byte(`{"score":10}`)}, true
		})
	got, ok := a.From(o)
	require.True(t, ok)
	require.Equal(t, 10, got.Score)
}

// An answer tool writes nothing, whatever a registry is asked to do with it.
func TestAnswerWritesNothing(t *testing.T) {
	a := answerOf(t, nil)
	r := registryOf(t, &jig.Options{Policy: jig.CautiousPolicy}, a.Tool(),
		jig.MustDefine(jig.Spec[struct{}, string]{Name: "write", Description: "Call it in tests.",
			Effect: jig.EffectWrite, Execute: func(context.Context, struct{}) (string, error) { return "", nil }}))
	r = r.Filter(jig.ReadOnly)
	o := r.Call(t.Context(), jig.Call{Name: "finish", Args: []byte(`{"score":7}`)})
	require.Equal(t, "done", o.Text())
	require.Equal(t, 1, o.Attempts)
	require.Equal(t, jig.RetryUnset, a.Tool().Retry())
}

func TestCallAllTerminalAnswer(t *testing.T) {
	var runs atomic.Int64
	a := answerOf(t, nil)
	lasting := answerOf(t, func(s *jig.AnswerSpec[verdict]) { s.Name, s.Terminal = "note", false })
	var seen spans
	r := registryOf(t, &jig.Options{Middleware: []jig.Middleware{seen.middleware}}, a.Tool(),
		lasting.Tool(), probe[struct{}](&runs))
	call := func(id, name, args string) jig.Call {
		return jig.Call{ID: id, Name: name, Args: []byte(args)}
	}
	tests := []struct {
		name  string
		calls []jig.Call
		want  []string
		runs  int64
	}{
		{"the first valid one wins", []jig.Call{call("a", "probe", "{}"), call("b", "finish", `{}`),
			call("c", "finish", `{"score":1,"why":"bad"}`), call("d", "finish", `{"score":2}`),
			call("e", "finish", `{"score":3}`), call("f", "gone", "{}")},
			[]string{"a skipped answered", "b invalid invalid_arguments", "c invalid invalid_arguments",
				"d ok", "e skipped answered", "f skipped answered"}, 0},
		{"none is valid", []jig.Call{call("a", "probe", "{}"), call("b", "finish", `{}`)},
			[]string{"a ok", "b invalid invalid_arguments"}, 1},
		{"one that is not terminal", []jig.Call{call("a", "note", `{"score":1}`), call("b", "probe", "{}")},
			[]string{"a ok", "b ok"}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			runs.Store(0)
			seen.log = nil
			outcomes := r.CallAll(t.Context(), test.calls)
			require.Equal(t, test.want, statuses(outcomes))
			require.Equal(t, test.runs, runs.Load())
			require.Len(t, seen.log, 2*len(test.calls))
			for _, o := range outcomes {
				if o.Code == "answered" {
					require.Equal(t, "Not run: finish has given the answer, and the run ends with it.", o.Text())
					require.ErrorIs(t, o.Err, jig.ErrSkipped)
				}
			}
		})
	}
}
