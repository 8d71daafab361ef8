package run_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"encoding/json"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/run"
)

type stepArgs struct {
	Name string `json:"name"`
	// How is what the step does: ok, fail, panic, hang or invalid.
	How string `json:"how,omitempty"`
	// Undo is what its undo does: ok, fail, panic or none.
	Undo string `json:"undo,omitempty"`
}

// A journal is what tools did, in order.
type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) note(line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, line)
}

func (j *journal) undo(args stepArgs, which string) error {
	j.note("undo " + args.Name + which)
	switch args.Undo {
	case "fail":
		return errors.New("cannot")
	case "panic":
		panic("boom")
	}
	return nil
}

// steps returns tools that write: step with Compensate, twice, and durable with Undo.
func (j *journal) steps(effect jig.Effect) []*jig.Tool {
	act := func(ctx context.Context, args stepArgs) (string, error) {
		j.note("do " + args.Name)
		switch args.How {
		case "fail":
			return "", errors.New("no luck")
		case "panic":
			panic("boom")
		case "hang":
			<-ctx.Done()
			return "", ctx.Err()
		}
		return args.Name, nil
	}
	return []*jig.Tool{
		jig.MustDefine(jig.Spec[stepArgs, string]{Name: "step", Description: "Call it in tests.", Effect: effect,
			Execute: func(ctx context.Context, args stepArgs) (string, error) {
				if args.Undo != "none" {
					jig.Compensate(ctx, func(context.Context) error { return j.undo(args, "1") })
					jig.Compensate(ctx, func(context.Context) error { return j.undo(args, "2") })
				}
				return act(ctx, args)
			}}),
		jig.MustDefine(jig.Spec[stepArgs, string]{Name: "durable", Description: "Call it in tests.", Effect: effect,
			Timeout: time.Minute, Execute: func(ctx context.Context, args stepArgs) (string, error) {
				if err := jig.UndoWith(ctx, "token of "+args.Name); err != nil {
					return "", err
				}
				return act(ctx, args)
			},
			Undo: func(ctx context.Context, args stepArgs, token json.RawMessage) error {
				return j.undo(args, " with "+string(token))
			}}),
		jig.MustDefine(jig.Spec[stepArgs, string]{Name: "guarded", Description: "Call it in tests.",
			Effect: effect, Approval: jig.ApprovalAlways, Execute: act}),
	}
}

func step(tool, name, how, undo string) jig.Call {
	return jig.Call{ID: name, Name: tool, Args: fmt.Appendf(nil, `{"name":%q,"how":%q,"undo":%q}`, name, how, undo)}
}

func TestSaga(t *testing.T) {
	tests := []struct {
		name          string
		calls         []jig.Call
		want, journal string
	}{
		{"all succeed", []jig.Call{step("step", "a", "", ""), step("durable", "b", "", ""), step("step", "c", "", "none")},
			"a ok, b ok, c ok", "do a, do b, do c"},
		{"one fails", []jig.Call{step("step", "a", "", ""), step("durable", "b", "", ""),
			step("step", "c", "fail", ""), step("step", "d", "", "")},
			"a rolled_back rolled_back, b rolled_back rolled_back, c failed error, d skipped batch",
			`do a, do b, do c, undo c2, undo c1, undo b with "token of b", undo a2, undo a1`},
		{"a panic", []jig.Call{step("durable", "a", "", ""), step("durable", "b", "panic", "")},
			"a rolled_back rolled_back, b failed panic",
			`do a, do b, undo b with "token of b", undo a with "token of a"`},
		{"a timeout", []jig.Call{step("step", "a", "", ""), step("durable", "b", "hang", "")},
			"a rolled_back rolled_back, b failed timeout",
			`do a, do b, undo b with "token of b", undo a2, undo a1`},
		{"undos that fail stop no other", []jig.Call{step("step", "a", "", ""), step("step", "b", "", "fail"),
			step("durable", "c", "", "panic"), step("step", "d", "", "none"), step("step", "e", "fail", "fail")},
			"a rolled_back rolled_back, b failed rollback_failed, c failed rollback_failed, " +
				"d failed rollback_failed, e failed error",
			`do a, do b, do c, do d, do e, undo e2, undo e1, undo c with "token of c", undo b2, undo b1, undo a2, undo a1`},
		{"one is invalid", []jig.Call{step("step", "a", "", ""), {ID: "b", Name: "step", Args: []byte("{}")}},
			"a skipped batch, b invalid invalid_arguments", ""},
		{"one is unknown", []jig.Call{step("step", "a", "", ""), {ID: "b", Name: "gone"}},
			"a skipped batch, b invalid unknown_tool", ""},
		{"one is denied", []jig.Call{step("step", "a", "", ""), step("guarded", "b", "", ""),
			step("step", "c", "", "")}, "a skipped batch, b denied no_approver, c skipped batch", ""},
		{"one id three times", []jig.Call{step("step", "a", "", ""), step("step", "a", "", ""), step("step", "a", "fail", "")},
			"a rolled_back rolled_back, a rolled_back rolled_back, a failed error",
			"do a, do a, do a, undo a2, undo a1, undo a2, undo a1, undo a2, undo a1"},
		{"none", nil, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var j journal
				var seen journal
				watch := func(next jig.Handler) jig.Handler {
					return func(ctx context.Context, c jig.Call) jig.Outcome {
						seen.note("start " + c.ID)
						o := next(ctx, c)
						seen.note("end " + c.ID + " " + string(o.Status))
						return o
					}
				}
				s := run.New(registryOf(t, &jig.Options{Middleware: []jig.Middleware{watch}}, j.steps(jig.EffectWrite)...), nil)
				outcomes := s.Saga(t.Context(), test.calls)
				require.Equal(t, test.want, strings.Join(statuses(outcomes...), ", "))
				require.Equal(t, test.journal, strings.Join(j.lines, ", "))
				var want []string
				for _, c := range test.calls {
					want = append(want, "start "+c.ID)
				}
				for _, o := range outcomes {
					want = append(want, "end "+o.CallID+" "+string(o.Status))
					require.Equal(t, o.IsError(), o.Err != nil)
				}
				require.Equal(t, want, seen.lines)
			})
		})
	}
}

func TestSagaTexts(t *testing.T) {
	var j journal
	s := run.New(registryOf(t, nil, j.steps(jig.EffectWrite)...), nil)
	outcomes := s.Saga(t.Context(), []jig.Call{step("step", "a", "", ""), step("step", "b", "", "fail"),
		step("step", "c", "", "none"), step("step", "d", "fail", "fail"), step("step", "e", "", "")})
	for i, want := range []string{
		"step did run and was undone: another call of the batch failed.",
		"step did run and could not be undone: another call of the batch failed. Its effect still stands.",
		"step did run and was not undone, since it has no undo: another call of the batch failed. Its effect " +
			"still stands.",
		"", "Not run: an earlier call of the batch failed.",
	} {
		if want != "" {
			require.Equal(t, want, outcomes[i].Text())
		}
	}
	require.True(t, strings.HasSuffix(outcomes[3].Text(), "\nWhat it had done could not be undone."), outcomes[3].Text())
	require.ErrorContains(t, outcomes[3].Err, "cannot")
	require.ErrorContains(t, outcomes[1].Err, "cannot")

	// What only reads has nothing to undo.
	reads := run.New(registryOf(t, nil, j.steps(jig.EffectRead)...), nil)
	outcomes = reads.Saga(t.Context(), []jig.Call{step("step", "a", "", "none"), step("step", "b", "fail", "none")})
	require.Equal(t, []string{"a rolled_back rolled_back", "b failed error"}, statuses(outcomes...))
}

// The end of the context stops a saga: what ran is undone all the same, and nothing starts.
func TestSagaCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var j journal
		s := run.New(registryOf(t, nil, j.steps(jig.EffectWrite)...), nil)
		go func() {
			time.Sleep(time.Second)
			cancel()
		}()
		outcomes := s.Saga(ctx, []jig.Call{step("step", "a", "", ""), step("step", "b", "hang", ""),
			step("step", "c", "", "")})
		require.Equal(t, []string{"a rolled_back rolled_back", "b failed cancelled", "c skipped batch"},
			statuses(outcomes...))
		require.Equal(t, []string{"do a", "do b", "undo b2", "undo b1", "undo a2", "undo a1"}, j.lines)
		j.lines = nil
		outcomes = s.Saga(ctx, []jig.Call{step("step", "a", "", "")})
		require.Equal(t, []string{"a skipped not_started"}, statuses(outcomes...))
		require.Empty(t, j.lines)
	})
}

func TestSagaAndMiddleware(t *testing.T) {
	var j journal
	panics := func(before, after string) jig.Middleware {
		return func(next jig.Handler) jig.Handler {
			return func(ctx context.Context, c jig.Call) jig.Outcome {
				switch c.ID {
				case before:
					panic("before")
				case "answered":
					return jig.Outcome{Status: jig.StatusOK, Output: jig.Text("from the middleware")}
				case "twice":
					next(ctx, c)
				}
				o := next(ctx, c)
				if c.ID == after {
					panic("after")
				}
				return o
			}
		}
	}
	calls := []jig.Call{step("step", "a", "", ""), step("step", "answered", "", ""), step("step", "b", "", "")}
	for _, test := range []struct {
		before, after, want, journal string
		calls                        []jig.Call
	}{
		{"", "", "a ok, answered ok, b ok", "do a, do b", calls},
		{"b", "", "a skipped batch, answered ok, b failed panic", "", calls},
		{"", "b", "a rolled_back rolled_back, answered ok, b failed panic",
			"do a, do b, undo b2, undo b1, undo a2, undo a1", calls},
		{"", "", "a rolled_back rolled_back, twice skipped batch",
			"do a, do twice, undo twice2, undo twice1, undo a2, undo a1",
			[]jig.Call{step("step", "a", "", ""), step("step", "twice", "", "")}},
	} {
		j.lines = nil
		s := run.New(registryOf(t, &jig.Options{Middleware: []jig.Middleware{panics(test.before, test.after)}},
			j.steps(jig.EffectWrite)...), nil)
		require.Equal(t, test.want, strings.Join(statuses(s.Saga(t.Context(), test.calls)...), ", "))
		require.Equal(t, test.journal, strings.Join(j.lines, ", "))
	}
}

func TestSagaTerminalAnswer(t *testing.T) {
	answer, err := jig.DefineAnswer(jig.AnswerSpec[numberArgs]{Name: "finish", Description: "Ends the run.",
		Terminal: true})
	require.NoError(t, err)
	var j journal
	s := run.New(registryOf(t, nil, append(j.steps(jig.EffectWrite), answer.Tool())...), nil)
	bad, good := callOf("f", "finish", `{}`), callOf("g", "finish", `{"n":1}`)
	require.Equal(t, []string{"a skipped answered", "f invalid invalid_arguments", "g ok", "b skipped answered"},
		statuses(s.Saga(t.Context(), []jig.Call{step("step", "a", "", ""), bad, good, step("guarded", "b", "", "")})...))
	require.Empty(t, j.lines)
	require.Equal(t, []string{"a ok", "f invalid invalid_arguments", "b ok"},
		statuses(s.Saga(t.Context(), []jig.Call{step("step", "a", "", ""), bad, step("step", "b", "", "")})...))
	require.Equal(t, []string{"do a", "do b"}, j.lines)
}
