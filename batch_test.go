package jig_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// timeline notes when tools start and end, in seconds since it was made.
type timeline struct {
	mu    sync.Mutex
	begin time.Time
	lines []string
}

func (l *timeline) note(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fmt.Sprintf("%d %s", int(time.Since(l.begin).Seconds()), what))
}

// sorted returns the lines by second, and those of a second by text.
func (l *timeline) sorted() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(slices.Values(l.lines))
}

type stepArgs struct {
	Name    string `json:"name"`
	Seconds int    `json:"seconds,omitempty"`
	Fail    bool   `json:"fail,omitempty"`
}

// stepTool is a tool that takes its time, under the name of its effect.
func stepTool(l *timeline, name string, effect jig.Effect) *jig.Tool {
	return jig.MustDefine(jig.Spec[stepArgs, string]{
		Name: name, Description: "Call it in tests.", Effect: effect,
		Execute: func(ctx context.Context, args stepArgs) (string, error) {
			l.note(args.Name + " starts")
			defer l.note(args.Name + " ends")
			select {
			case <-time.After(time.Duration(args.Seconds) * time.Second):
			case <-ctx.Done():
				return "", ctx.Err()
			}
			if args.Fail {
				return "", errors.New("no luck")
			}
			return args.Name, nil
		}})
}

func stepCall(tool, name string, seconds int, fail bool) jig.Call {
	return jig.Call{ID: name, Name: tool,
		Args: fmt.Appendf(nil, `{"name":%q,"seconds":%d,"fail":%t}`, name, seconds, fail)}
}

func statuses(outcomes []jig.Outcome) []string {
	list := make([]string, len(outcomes))
	for i, o := range outcomes {
		if list[i] = o.CallID + " " + string(o.Status); o.Code != "" {
			list[i] += " " + o.Code
		}
	}
	return list
}

func TestCallAllRunsReadsInParallelAndAllElseAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &timeline{begin: time.Now()}
		r := registryOf(t, nil, stepTool(l, "read", jig.EffectRead), stepTool(l, "write", jig.EffectWrite),
			stepTool(l, "unknown", jig.EffectUnknown), stepTool(l, "message", jig.EffectExternalMessage))
		got := statuses(r.CallAll(t.Context(), []jig.Call{
			stepCall("read", "a", 3, false), stepCall("read", "b", 1, true), stepCall("write", "c", 2, true),
			stepCall("unknown", "d", 1, false), stepCall("read", "e", 2, false),
			stepCall("read", "f", 1, false), stepCall("message", "g", 1, false),
		}))
		require.Equal(t, []string{"a ok", "b failed error", "c failed error", "d ok", "e ok", "f ok", "g ok"},
			got)
		require.Equal(t, []string{
			"0 a starts", "0 b starts", "1 b ends", "3 a ends", "3 c starts", "5 c ends", "5 d starts",
			"6 d ends", "6 e starts", "6 f starts", "7 f ends", "8 e ends", "8 g starts", "9 g ends",
		}, l.sorted())
	})
}

func TestCallAllLimit(t *testing.T) {
	for _, test := range []struct{ limit, seconds int }{{0, 3}, {1, 20}, {4, 5}, {50, 1}} {
		t.Run(fmt.Sprint(test.limit), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &timeline{begin: time.Now()}
				r := registryOf(t, &jig.Options{MaxParallel: test.limit}, stepTool(l, "read", jig.EffectRead))
				calls := make([]jig.Call, 20)
				for i := range calls {
					calls[i] = stepCall("read", fmt.Sprint(i), 1, false)
				}
				for i, o := range r.CallAll(t.Context(), calls) {
					require.Equal(t, fmt.Sprint(i), o.Text())
				}
				require.Equal(t, time.Duration(test.seconds)*time.Second, time.Since(l.begin))
			})
		})
	}
}

func TestCallAllPassesMiddlewareOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var seen spans
		l := &timeline{begin: time.Now()}
		r := registryOf(t, &jig.Options{Middleware: []jig.Middleware{seen.middleware}},
			stepTool(l, "read", jig.EffectRead), stepTool(l, "write", jig.EffectWrite),
			runOf("exit", func(context.Context, struct{}) (string, error) { runtime.Goexit(); return "", nil }),
			runOf("explode", func(context.Context, struct{}) (string, error) { panic("boom") }))
		go func() {
			time.Sleep(5 * time.Second)
			cancel()
		}()
		outcomes := r.CallAll(ctx, []jig.Call{
			stepCall("read", "a", 1, false), {ID: "b", Name: "gone"}, {ID: "c", Name: "explode"},
			{ID: "d", Name: "exit"}, {ID: "e", Name: "read", Args: []byte("{")},
			stepCall("write", "f", 10, false), stepCall("read", "g", 1, false),
			stepCall("write", "a", 1, false),
		})
		require.Equal(t, []string{"a ok", "b invalid unknown_tool", "c failed panic", "d failed panic",
			"e invalid incomplete", "f failed cancelled", "g skipped not_started", "a skipped not_started"},
			statuses(outcomes))
		want := []string{"start a", "start b", "start c", "start d", "start e", "start f", "start g", "start a"}
		for _, o := range outcomes {
			want = append(want, "end "+o.CallID+" "+string(o.Status))
		}
		slices.Sort(want)
		require.Equal(t, want, seen.sorted())
		synctest.Wait() // f was given up, and ends by itself
		require.Equal(t, []string{"0 a starts", "1 a ends", "1 f starts", "5 f ends"}, l.sorted())
	})
}

// A middleware decides what a call is: the barrier holds for the call as it was rewritten, and for
// one that calls on twice.
func TestCallAllRewritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &timeline{begin: time.Now()}
		r := registryOf(t, &jig.Options{Middleware: []jig.Middleware{
			func(next jig.Handler) jig.Handler {
				return func(ctx context.Context, c jig.Call) jig.Outcome {
					if c.ID == "twice" {
						next(ctx, c)
						c.Name = "write"
					}
					if c.ID == "b" {
						c.Name = "write"
					}
					return next(ctx, c)
				}
			}}},
			stepTool(l, "read", jig.EffectRead), stepTool(l, "write", jig.EffectWrite))
		got := statuses(r.CallAll(t.Context(), []jig.Call{stepCall("read", "a", 1, false),
			stepCall("read", "b", 1, false), stepCall("read", "c", 2, false),
			stepCall("read", "twice", 1, false)}))
		require.Equal(t, []string{"a ok", "b ok", "c ok", "twice skipped not_started"}, got)
		require.Equal(t, []string{"0 a starts", "1 a ends", "1 b starts", "2 b ends", "2 c starts",
			"2 twice starts", "3 twice ends", "4 c ends"}, l.sorted())
	})
}

// asks is an Approver that answers later.
type asks struct{}

func (asks) Approve(context.Context, jig.ApprovalRequest) jig.Decision { return jig.Pending("ticket") }

func TestCallAllHoldPending(t *testing.T) {
	for _, test := range []struct {
		hold bool
		want []string
	}{
		{true, []string{"a ok", "b pending pending", "c skipped held", "d skipped held", "e skipped held"}},
		{false, []string{"a ok", "b pending pending", "c ok", "d ok", "e invalid unknown_tool"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var seen spans
			l := &timeline{begin: time.Now()}
			r := registryOf(t, &jig.Options{HoldPending: test.hold, Approver: asks{},
				Middleware: []jig.Middleware{seen.middleware}},
				stepTool(l, "read", jig.EffectRead), stepTool(l, "write", jig.EffectWrite),
				jig.MustDefine(jig.Spec[stepArgs, string]{Name: "ask", Description: "Call it in tests.",
					Approval: jig.ApprovalAlways, Effect: jig.EffectWrite,
					Execute: func(context.Context, stepArgs) (string, error) { return "ran", nil }}))
			outcomes := r.CallAll(t.Context(), []jig.Call{stepCall("read", "a", 1, false),
				stepCall("ask", "b", 0, false), stepCall("read", "c", 1, false),
				stepCall("write", "d", 1, false), {ID: "e", Name: "gone"}})
			require.Equal(t, test.want, statuses(outcomes))
			require.Len(t, seen.log, 10)
			if test.hold {
				require.Equal(t, "Not run: ask was called in the same turn and waits for approval. Call it "+
					"again after that.", outcomes[2].Text())
				require.ErrorIs(t, outcomes[2].Err, jig.ErrSkipped)
			}
		})
	}
}

// A failure of one call undoes what that call did, and nothing of the others.
func TestCallAllUndoesAFailedCallOnly(t *testing.T) {
	var undone []string
	r := registryOf(t, nil, jig.MustDefine(jig.Spec[stepArgs, string]{Name: "write",
		Description: "Call it in tests.", Effect: jig.EffectWrite,
		Execute: func(ctx context.Context, args stepArgs) (string, error) {
			jig.Compensate(ctx, func(context.Context) error {
				undone = append(undone, args.Name)
				return nil
			})
			if args.Fail {
				return "", errors.New("no luck")
			}
			return "ok", nil
		}}))
	require.Equal(t, []string{"a ok", "b failed error", "c ok"}, statuses(r.CallAll(t.Context(), []jig.Call{
		stepCall("write", "a", 0, false), stepCall("write", "b", 0, true), stepCall("write", "c", 0, false)})))
	require.Equal(t, []string{"b"}, undone)
}
