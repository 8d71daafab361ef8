package run_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/run"
)

type numberArgs struct {
	N int `json:"n"`
}

// toolOf returns a tool that only reads.
func toolOf(name string, execute func(context.Context, numberArgs) (string, error)) *jig.Tool {
	return jig.MustDefine(jig.Spec[numberArgs, string]{Name: name, Description: "Call it in tests.",
		Effect: jig.EffectRead, Execute: execute,
		Check: func(_ context.Context, args numberArgs) error {
			if args.N < 0 {
				return jig.Invalid("/n", "is negative")
			}
			return nil
		}})
}

func okTool(name string) *jig.Tool {
	return toolOf(name, func(context.Context, numberArgs) (string, error) { return "fine", nil })
}

// registryOf returns a registry that logs nowhere.
func registryOf(t testing.TB, options *jig.Options, tools ...*jig.Tool) *jig.Registry {
	t.Helper()
	o := jig.Options{}
	if options != nil {
		o = *options
	}
	o.Logger = slog.New(slog.DiscardHandler)
	r := jig.NewRegistry(&o)
	require.NoError(t, r.Add(tools...))
	return r
}

func callOf(id, name, args string) jig.Call {
	return jig.Call{ID: id, Name: name, Args: []byte(args)}
}

func statuses(outcomes ...jig.Outcome) []string {
	list := make([]string, len(outcomes))
	for i, o := range outcomes {
		if list[i] = o.CallID + " " + string(o.Status); o.Code != "" {
			list[i] += " " + o.Code
		}
	}
	return list
}

const stop = "Do not call look again with these arguments; tell the user what is missing."

func TestSessionCountsTurnsWithInvalidCalls(t *testing.T) {
	bad, good, refused := callOf("b", "look", `{}`), callOf("g", "look", `{"n":1}`), callOf("c", "look", `{"n":-1}`)
	tests := []struct {
		name  string
		turns [][]jig.Call
		want  string // of each outcome: v valid, r to be repaired, s stop; turns apart
	}{
		{"one repair turn", [][]jig.Call{{bad}, {bad}, {callOf("b", "look", `{"n":"x"}`)}}, "r s s"},
		{"several in a turn are one", [][]jig.Call{{bad, bad, bad}, {good}}, "rrr v"},
		{"all of the second turn stop", [][]jig.Call{{bad, bad}, {bad, bad}}, "rr ss"},
		{"a valid call resets", [][]jig.Call{{bad}, {good}, {bad}, {bad}}, "r v r s"},
		{"a valid call before it in its turn", [][]jig.Call{{bad}, {good, bad}, {bad}}, "r vr s"},
		{"a valid call after it in its turn", [][]jig.Call{{bad}, {bad, good}, {bad}}, "r sv r"},
		{"what Check refuses is invalid", [][]jig.Call{{refused}, {refused}, {bad}}, "r s s"},
		{"each tool has its own", [][]jig.Call{{bad, callOf("o", "other", `{}`)}, {callOf("o", "other", `{"n":1}`), bad},
			{callOf("o", "other", `{}`)}}, "rr vs r"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := run.New(registryOf(t, nil, okTool("look"), okTool("other")), &run.Options{MaxIdentical: 100})
			var got []string
			for _, calls := range test.turns {
				turn := ""
				for _, o := range s.CallAll(t.Context(), calls) {
					switch said := strings.HasSuffix(o.Text(), stop); {
					case o.Status == jig.StatusOK:
						turn += "v"
					case o.Retryable && !said && o.Status == jig.StatusInvalid:
						turn += "r"
					case said && !o.Retryable && o.Status == jig.StatusInvalid:
						turn += "s"
					}
				}
				got = append(got, turn)
			}
			require.Equal(t, test.want, strings.Join(got, " "))
		})
	}
}

func TestSessionRepairTurns(t *testing.T) {
	s := run.New(registryOf(t, nil, okTool("look")), &run.Options{RepairTurns: 3, MaxIdentical: 100})
	for i := range 5 {
		o := s.Call(t.Context(), callOf("", "look", "{}"))
		require.Equal(t, i < 3, o.Retryable, i)
	}
	unknown := s.CallAll(t.Context(), []jig.Call{callOf("1", "lok", "{}")})[0]
	require.True(t, unknown.Retryable)
}

func TestSessionLimits(t *testing.T) {
	r := registryOf(t, nil, okTool("look"), okTool("other"))
	good := func(id, tool string) jig.Call { return callOf(id, tool, `{"n":1}`) }
	s := run.New(r, &run.Options{MaxCalls: 5, MaxCallsPerTool: 2, ToolLimits: map[string]int{"other": 4}})
	outcomes := s.CallAll(t.Context(), []jig.Call{good("1", "look"), good("2", "look"), good("3", "look"),
		good("4", "other")})
	require.Equal(t, []string{"1 ok", "2 ok", "3 denied tool_limit", "4 ok"}, statuses(outcomes...))
	require.Equal(t, "Not run: the run has used up its 2 calls of this tool. Go on without it.",
		outcomes[2].Text())
	require.ErrorIs(t, outcomes[2].Err, jig.ErrDenied)
	outcomes = s.CallAll(t.Context(), []jig.Call{good("5", "Other"), good("6", "other"), good("7", "other")})
	require.Equal(t, []string{"5 ok", "6 ok", "7 denied run_limit"}, statuses(outcomes...))
	require.Equal(t, "Not run: the run has used up its 5 calls. Finish with what you have.",
		outcomes[2].Text())
	// Counters live in the session: the tools are as before for another.
	require.Equal(t, []string{"1 ok"}, statuses(run.New(r, nil).Call(t.Context(), good("1", "look"))))

	none := run.New(r, &run.Options{ToolLimits: map[string]int{"look": 0}})
	require.Equal(t, []string{"1 denied tool_limit"}, statuses(none.Call(t.Context(), good("1", "look"))))

	// What was not started counts for nothing.
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	s = run.New(r, &run.Options{MaxCalls: 1})
	require.Equal(t, []string{"1 skipped not_started"}, statuses(s.Call(ended, good("1", "look"))))
	require.Equal(t, []string{"2 ok"}, statuses(s.Call(t.Context(), good("2", "look"))))
}

func TestSessionStopsIdenticalFailures(t *testing.T) {
	var runs atomic.Int64
	broken := true
	r := registryOf(t, nil, toolOf("fail", func(context.Context, numberArgs) (string, error) {
		if runs.Add(1); broken {
			return "", errors.New("no luck")
		}
		return "fine", nil
	}))
	s := run.New(r, nil)
	args := []string{`{"n":1}`, `{ "n" : 1 }`, `{"n":1}`, `{"n":1}`, `{"n":2}`}
	var outcomes []jig.Outcome
	for i, a := range args {
		outcomes = append(outcomes, s.Call(t.Context(), callOf(fmt.Sprint(i), "fail", a)))
	}
	require.Equal(t, []string{"0 failed error", "1 failed error", "2 failed error", "3 denied repeated",
		"4 failed error"}, statuses(outcomes...))
	require.Equal(t, int64(4), runs.Load())
	const stronger = "This same call has now failed 3 times. It will not be run again: do something else, " +
		"or tell the user."
	require.NotContains(t, outcomes[1].Text(), stronger)
	require.True(t, strings.HasPrefix(outcomes[2].Text(), stronger+"\nfail failed;"), outcomes[2].Text())
	require.Equal(t, "Not run: this same call has failed 3 times already. Do not make it again; try "+
		"something else, or tell the user.", outcomes[3].Text())

	// A success in between starts the count again.
	s = run.New(r, nil)
	for i := range 6 {
		broken = i != 2
		o := s.Call(t.Context(), callOf(fmt.Sprint(i), "fail", `{"n":1}`))
		require.NotEqual(t, jig.StatusDenied, o.Status)
	}
}

// A provider that numbers the calls of each turn from zero gives the same ids again. The key of each
// call is its own, and the outcomes keep the ids.
func TestSessionRepeatedIDs(t *testing.T) {
	var mu sync.Mutex
	var ids []string
	keys := map[string]bool{}
	r := registryOf(t, &jig.Options{MaxParallel: 1}, toolOf("look", func(ctx context.Context, _ numberArgs) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		ids = append(ids, jig.CallInfo(ctx).CallID())
		keys[jig.CallInfo(ctx).IdempotencyKey()] = true
		return jig.CallInfo(ctx).Caller().TenantID, nil
	}))
	s := run.New(r, &run.Options{Caller: jig.Caller{RunID: "run", TenantID: "acme"}})
	same := callOf("call_0", "look", `{"n":1}`)
	for _, calls := range [][]jig.Call{{same}, {same}, {same, same}, {callOf("", "look", `{"n":1}`)}} {
		for i, o := range s.CallAll(t.Context(), calls) {
			require.Equal(t, calls[i].ID, o.CallID)
			require.Equal(t, "acme", o.Text())
		}
	}
	require.Equal(t, []string{"call_0", "call_0~2", "call_0~3", "call_0~3.2", ""}, ids)
	require.Len(t, keys, 5)
}

func TestSessionPassesMiddlewareOnce(t *testing.T) {
	var starts, ends atomic.Int64
	var seen sync.Map
	count := func(next jig.Handler) jig.Handler {
		return func(ctx context.Context, c jig.Call) jig.Outcome {
			starts.Add(1)
			defer ends.Add(1)
			o := next(ctx, c)
			seen.Store(c.ID, o.Text())
			return o
		}
	}
	r := registryOf(t, &jig.Options{Middleware: []jig.Middleware{count}}, okTool("look"),
		toolOf("exit", func(context.Context, numberArgs) (string, error) { runtime.Goexit(); return "", nil }))
	s := run.New(r, &run.Options{ToolLimits: map[string]int{"look": 1}})
	outcomes := s.CallAll(t.Context(), []jig.Call{callOf("1", "look", `{"n":1}`),
		callOf("2", "look", `{"n":1}`), callOf("3", "exit", `{"n":1}`), callOf("4", "gone", `{}`)})
	require.Equal(t, []string{"1 ok", "2 denied tool_limit", "3 failed panic", "4 invalid unknown_tool"},
		statuses(outcomes...))
	require.Equal(t, []int64{4, 4}, []int64{starts.Load(), ends.Load()})
	for _, o := range outcomes { // the host's middleware sees what the model reads
		text, _ := seen.Load(o.CallID)
		require.Equal(t, o.Text(), text)
	}
}

// Many turns at once, for the race detector; the limit holds exactly.
func TestSessionTurnsAtOnce(t *testing.T) {
	s := run.New(registryOf(t, nil, okTool("look")), &run.Options{MaxCalls: 30, MaxIdentical: 1000})
	var ok atomic.Int64
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			for _, o := range s.CallAll(t.Context(), []jig.Call{callOf("a", "look", fmt.Sprintf(`{"n":%d}`, i)),
				callOf("b", "look", `{}`), callOf("c", "look", `{"n":1}`)}) {
				if o.Code != "run_limit" {
					ok.Add(1)
				}
			}
		})
	}
	wg.Wait()
	require.Equal(t, int64(30), ok.Load())
}

// A host that makes calls by the phases has them counted.
func TestSessionCount(t *testing.T) {
	r := registryOf(t, nil, okTool("look"))
	s := run.New(r, &run.Options{MaxCalls: 1})
	handler := s.Count(func(ctx context.Context, c jig.Call) jig.Outcome {
		p := r.Authorize(ctx, r.Prepare(c))
		return r.Render(p, r.Execute(ctx, p))
	})
	require.Equal(t, jig.StatusOK, handler(t.Context(), callOf("1", "look", `{"n":1}`)).Status)
	require.Equal(t, "run_limit", handler(t.Context(), callOf("2", "look", `{"n":1}`)).Code)
}

func TestSessionResume(t *testing.T) {
	var runs atomic.Int64
	pay := jig.MustDefine(jig.Spec[numberArgs, string]{Name: "pay", Description: "Call it in tests.",
		Effect: jig.EffectWrite, Approval: jig.ApprovalAlways,
		Execute: func(ctx context.Context, args numberArgs) (string, error) {
			runs.Add(1)
			return jig.CallInfo(ctx).CallID(), nil
		}})
	r := registryOf(t, &jig.Options{HoldPending: true}, pay, okTool("look"))
	s := run.New(r, &run.Options{Tickets: run.NewTickets(nil), Caller: jig.Caller{RunID: "run"}})
	calls := []jig.Call{callOf("a", "pay", `{"n":1}`), callOf("b", "look", `{"n":1}`)}
	for turn, id := range []string{"a", "a~3"} { // Resume is a turn too
		outcomes := s.CallAll(t.Context(), calls)
		require.Equal(t, []string{"a pending pending", "b skipped held"}, statuses(outcomes...))
		require.Equal(t, "Not run: pay was called in the same turn and waits for approval. Call it again "+
			"after that.", outcomes[1].Text())
		var wg sync.WaitGroup
		var done atomic.Int64
		for range 50 {
			wg.Go(func() {
				if o := s.Resume(t.Context(), outcomes[0].Ticket, jig.Allow()); o.Status == jig.StatusOK {
					done.Add(1)
					require.Equal(t, "a", o.CallID)
					require.Equal(t, id, o.Text())
				}
			})
		}
		wg.Wait()
		require.Equal(t, int64(1), done.Load())
		require.Equal(t, int64(turn+1), runs.Load())
		if turn == 0 {
			s = run.New(r, &run.Options{Tickets: run.NewTickets(nil), Caller: jig.Caller{RunID: "run"}})
			require.Equal(t, jig.StatusPending, s.Call(t.Context(), calls[0]).Status)
			s.Call(t.Context(), calls[1])
		}
	}
	require.Equal(t, "ticket", run.New(r, nil).Resume(t.Context(), "x", jig.Allow()).Code)
}
