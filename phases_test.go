package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

func TestPhasesInOneProcessAreCall(t *testing.T) {
	r := phaseRegistry()
	for _, c := range phaseCalls() {
		prepared := r.Authorize(phaseContext(), r.Prepare(c))
		executed := r.Execute(t.Context(), prepared)
		want := r.Call(phaseContext(), c)
		require.Equal(t, observed(want), observed(r.Render(prepared, executed)), c.ID)
		require.Equal(t, want.Value, r.Render(prepared, executed).Value)
	}
}

func TestExecutedKeepsTheSameBytes(t *testing.T) {
	r := phaseRegistry()
	for _, c := range phaseCalls() {
		prepared := r.Authorize(phaseContext(), r.Prepare(c))
		executed := r.Execute(t.Context(), prepared)
		first, err := json.Marshal(executed)
		require.NoError(t, err)
		var again jig.Executed
		require.NoError(t, json.Unmarshal(first, &again))
		second, err := json.Marshal(again)
		require.NoError(t, err)
		require.Equal(t, string(first), string(second), c.ID)
		require.Equal(t, r.Render(prepared, executed).Text(), r.Render(prepared, again).Text(), c.ID)
	}
}

// TestErrorsOfPhasesAreTheHosts changes the problems in an error, which the next one does not show.
func TestErrorsOfPhasesAreTheHosts(t *testing.T) {
	r := phaseRegistry()
	for _, c := range phaseCalls() {
		prepared := r.Prepare(c)
		executed := r.Execute(t.Context(), prepared)
		for _, errorOf := range []func() error{
			func() error { return r.Render(prepared, executed).Err },
			func() error { return r.Undo(t.Context(), prepared, executed) },
		} {
			first, ok := errors.AsType[*jig.ValidationError](errorOf())
			if !ok {
				continue
			}
			want := first.Error()
			first.Problems[0].Message = "changed"
			again, _ := errors.AsType[*jig.ValidationError](errorOf())
			require.Equal(t, want, again.Error(), c.ID)
		}
	}
}

func TestExecutedRefusesOtherJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"v":2}`: "jig: executed call: got version 2, want 1",
		`null`:    "jig: executed call: got version 0, want 1",
		`7`:       "jig: executed call: ",
		`{"v":1,"output":{"Parts":[{"JSON":"\ud800"}]}}`: "half of a surrogate pair",
	} {
		var e jig.Executed
		require.ErrorContains(t, json.Unmarshal([]byte(text), &e), want)
	}
}

// TestExecutedFromElsewhereIsNeverOK gives Render an Executed that no Execute wrote.
func TestExecutedFromElsewhereIsNeverOK(t *testing.T) {
	r := phaseRegistry()
	prepared := r.Authorize(phaseContext(), r.Prepare(jig.Call{ID: "1", Name: "ok", Args: []byte(`{"path":"p"}`)}))
	for _, text := range []string{
		`{"v":1}`, `{"v":1,"failure":{}}`, `{"v":1,"failure":{"status":"ok"},"attempts":1}`,
		`{"v":1,"failure":{"status":"odd","text":"x"},"attempts":1}`,
	} {
		var e jig.Executed
		require.NoError(t, json.Unmarshal([]byte(text), &e))
		o := r.Render(prepared, e)
		require.Contains(t, []jig.Status{jig.StatusFailed, jig.StatusDenied}, o.Status)
		require.Error(t, o.Err)
		require.NotEmpty(t, o.Text())
	}
}

func TestRenderHandsOutCopies(t *testing.T) {
	r := phaseRegistry()
	prepared := r.Authorize(phaseContext(), r.Prepare(jig.Call{ID: "1", Name: "O.K",
		Args: []byte(`{"path":"p","other":1}`)}))
	executed := r.Execute(t.Context(), prepared)
	first := r.Render(prepared, executed)
	want, err := json.Marshal(first)
	require.NoError(t, err)
	first.Repairs[0].Kind, first.Output.Parts[0].JSON[0] = "changed", 'X'
	again, err := json.Marshal(r.Render(prepared, executed))
	require.NoError(t, err)
	require.Equal(t, string(want), string(again))
}

func TestExecuteOnAContextThatIsDone(t *testing.T) {
	var runs atomic.Int64
	r := registryOf(t, nil, probe[anyArgs](&runs))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := r.Call(ctx, jig.Call{ID: "1", Name: "probe"})
	require.Equal(t, "Not run: the run was stopped before this call started.", got.Text())
	require.Equal(t, jig.StatusSkipped, got.Status)
	require.Equal(t, "not_started", got.Code)
	require.ErrorIs(t, got.Err, jig.ErrSkipped)
	require.ErrorIs(t, got.Err, context.Canceled)
	require.Zero(t, got.Attempts)
	require.Zero(t, got.Duration)
	require.Zero(t, runs.Load())
	// What is settled stays what it is.
	require.Equal(t, "unknown_tool", r.Call(ctx, jig.Call{Name: "gone"}).Code)
}

func TestExecuteTimeout(t *testing.T) {
	const unknown = " It is unknown whether it took effect: check before you call it again."
	for _, test := range []struct {
		name             string
		effect           jig.Effect
		tool, registry   time.Duration
		callers          time.Duration // deadline of the caller's context; zero: none
		stopped          bool          // the caller cancels after 3s
		wantAfter        time.Duration
		wantText, code   string
		wantIs, wantIsNo error
	}{
		{"read", jig.EffectRead, 5 * time.Second, 0, 0, false, 5 * time.Second,
			"slow did not finish in time (5s).", "timeout", jig.ErrTimeout, nil},
		{"write", jig.EffectWrite, 5 * time.Second, 0, 0, false, 5 * time.Second,
			"slow did not finish in time (5s)." + unknown, "timeout", jig.ErrTimeout, nil},
		{"unknown effect", jig.EffectUnknown, 5 * time.Second, 0, 0, false, 5 * time.Second,
			"slow did not finish in time (5s)." + unknown, "timeout", jig.ErrTimeout, nil},
		{"of the registry", jig.EffectRead, 0, 7 * time.Second, 0, false, 7 * time.Second,
			"slow did not finish in time (7s).", "timeout", jig.ErrTimeout, nil},
		{"of the tool over the registry's", jig.EffectRead, 9 * time.Second, 7 * time.Second, 0, false,
			9 * time.Second, "slow did not finish in time (9s).", "timeout", jig.ErrTimeout, nil},
		{"of the caller, earlier", jig.EffectWrite, 5 * time.Second, 0, 2 * time.Second, false, 2 * time.Second,
			"slow did not finish in time." + unknown, "timeout", jig.ErrTimeout, nil},
		{"of the caller, later", jig.EffectRead, 5 * time.Second, 0, 20 * time.Second, false, 5 * time.Second,
			"slow did not finish in time (5s).", "timeout", jig.ErrTimeout, nil},
		{"of the caller alone", jig.EffectRead, 0, 0, 2 * time.Second, false, 2 * time.Second,
			"slow did not finish in time.", "timeout", jig.ErrTimeout, nil},
		{"cancelled", jig.EffectRead, 5 * time.Second, 0, 0, true, 3 * time.Second,
			"slow was stopped before it finished.", "cancelled", context.Canceled, jig.ErrTimeout},
		{"cancelled write without a timeout", jig.EffectDestructive, 0, 0, 0, true, 3 * time.Second,
			"slow was stopped before it finished." + unknown, "cancelled", context.Canceled, jig.ErrTimeout},
	} {
		for _, heeds := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/heeds its context %t", test.name, heeds), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					logger, lines := logTo()
					r := registryOf(t, &jig.Options{Timeout: test.registry, Logger: logger},
						jig.MustDefine(jig.Spec[struct{}, string]{
							Name: "slow", Description: "Call it in tests.", Effect: test.effect, Timeout: test.tool,
							Execute: func(ctx context.Context, _ struct{}) (string, error) {
								if heeds {
									<-ctx.Done()
									return "secret", errors.New("the query was cancelled") // as a driver would
								}
								time.Sleep(time.Hour)
								return "secret", nil
							}}))
					ctx, cancel := context.WithCancel(context.Background())
					defer cancel()
					if test.callers > 0 {
						ctx, cancel = context.WithTimeout(ctx, test.callers)
						defer cancel()
					}
					if test.stopped {
						time.AfterFunc(3*time.Second, cancel)
					}
					start := time.Now()
					got := r.Call(ctx, jig.Call{ID: "1", Name: "slow"})
					require.Equal(t, test.wantAfter, time.Since(start))
					require.Equal(t, test.wantAfter, got.Duration)
					require.Equal(t, test.wantText+" Reference: "+got.Ref+".", got.Text())
					require.Equal(t, test.code, got.Code)
					require.Equal(t, jig.StatusFailed, got.Status)
					require.False(t, got.Retryable)
					require.Equal(t, 1, got.Attempts)
					require.ErrorIs(t, got.Err, test.wantIs)
					if test.wantIsNo != nil {
						require.NotErrorIs(t, got.Err, test.wantIsNo)
					}
					if !heeds {
						require.Nil(t, got.Value)
						time.Sleep(2 * time.Hour)
						synctest.Wait()
						require.Contains(t, lines.String(), `"msg":"jig: a tool returned after it was given up",`+
							`"tool":"slow","call":"1"}`)
					}
					require.NotContains(t, lines.String(), "secret")
				})
			})
		}
	}
}

func TestExecuteTimeoutBoundsToModelOutput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := registryOf(t, nil, jig.MustDefine(jig.Spec[struct{}, string]{
			Name: "slow", Description: "Call it in tests.", Timeout: 5 * time.Second,
			Execute: func(context.Context, struct{}) (string, error) {
				time.Sleep(4 * time.Second)
				return "secret", nil
			},
			ToModelOutput: func(ctx context.Context, s string) (jig.Output, error) {
				time.Sleep(4 * time.Second)
				return jig.Text(s), nil
			}}))
		start := time.Now()
		got := r.Call(context.Background(), jig.Call{Name: "slow"})
		require.Equal(t, 5*time.Second, time.Since(start))
		require.Equal(t, "timeout", got.Code)
		require.NotContains(t, got.Text(), "secret")
		time.Sleep(time.Minute)
	})
}

// TestExecuteAuthoredTextAfterTheDeadline keeps what the author said on the way out.
func TestExecuteAuthoredTextAfterTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := registryOf(t, nil, runOf("slow", func(ctx context.Context, _ struct{}) (string, error) {
			return "", jig.Errorf("Ask for less.")
		}))
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		got := r.Call(ctx, jig.Call{Name: "slow"})
		require.Equal(t, "Ask for less.", got.Text())
		require.True(t, got.Retryable)
	})
}

// goroutine returns the number of the calling goroutine.
func goroutine() string {
	buffer := make([]byte, 64)
	return strings.Fields(string(buffer[:runtime.Stack(buffer, false)]))[1]
}

func TestExecuteRunsOnTheCallersGoroutine(t *testing.T) {
	for _, test := range []struct {
		name    string
		ctx     context.Context
		timeout time.Duration
		same    bool
	}{
		{"nothing can end it", context.Background(), 0, true},
		{"values only", context.WithValue(context.Background(), panicJSON{}, 1), 0, true},
		{"without cancel", context.WithoutCancel(t.Context()), 0, true},
		{"cancellable", t.Context(), 0, false},
		{"timeout", context.Background(), time.Hour, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			tool := runOf("probe", func(context.Context, struct{}) (string, error) { return goroutine(), nil })
			r := registryOf(t, &jig.Options{Timeout: test.timeout}, tool)
			got := r.Call(test.ctx, jig.Call{Name: "probe"}).Text()
			require.Equal(t, test.same, got == goroutine())
		})
	}
}

type panicJSON struct{}

func (panicJSON) MarshalJSON() ([]byte, error) { panic("secret") }

type panicText struct{}

func (*panicText) UnmarshalText([]byte) error  { panic("secret") }
func (panicText) MarshalText() ([]byte, error) { return nil, nil }

func TestExecutePanics(t *testing.T) {
	type textArgs struct {
		V *panicText `json:"v,omitempty"`
	}
	value := errors.New("secret")
	define := func(run func() any, shape func()) *jig.Tool {
		spec := jig.Spec[textArgs, any]{Name: "probe", Description: "Call it in tests.", Effect: jig.EffectRead,
			Execute: func(context.Context, textArgs) (any, error) { return run(), nil }}
		if shape != nil {
			spec.ToModelOutput = func(context.Context, any) (jig.Output, error) { shape(); return jig.Output{}, nil }
		}
		return jig.MustDefine(spec)
	}
	good := func() any { return "secret" }
	const (
		failed = "probe failed; the details are not available here. Reference: %s."
		ran    = "probe did run, but its result could not be prepared; do not assume that it did nothing. " +
			"Reference: %s."
		unread = "probe could not read its arguments, and nothing was run. Reference: %s."
	)
	for _, test := range []struct {
		name       string
		tool       *jig.Tool
		args, want string
	}{
		{"Execute", define(func() any { panic("secret") }, nil), "", failed},
		{"nil", define(func() any { panic(nil) }, nil), "", failed},
		{"an error", define(func() any { panic(value) }, nil), "", failed},
		{"a ToolError", define(func() any { panic(jig.Errorf("secret")) }, nil), "", failed},
		{"ToModelOutput", define(good, func() { panic("secret") }), "", ran},
		{"MarshalJSON of the result", define(func() any { return panicJSON{} }, nil), "", ran},
		{"UnmarshalText of an argument", define(good, nil), `{"v":"x"}`, unread},
		{"Goexit", define(func() any { runtime.Goexit(); return nil }, nil), "", failed},
		{"Goexit in ToModelOutput", define(good, runtime.Goexit), "", ran},
	} {
		t.Run(test.name, func(t *testing.T) {
			logger, lines := logTo()
			r := registryOf(t, &jig.Options{Logger: logger}, test.tool)
			contexts := []context.Context{t.Context()}
			if !strings.HasPrefix(test.name, "Goexit") {
				contexts = append(contexts, context.Background()) // on this goroutine
			}
			for _, ctx := range contexts {
				got := r.Call(ctx, jig.Call{ID: "1", Name: "probe", Args: []byte(test.args)})
				require.Equal(t, fmt.Sprintf(test.want, got.Ref), got.Text())
				require.Equal(t, jig.StatusFailed, got.Status)
				require.Equal(t, "panic", got.Code)
				require.ErrorIs(t, got.Err, jig.ErrPanic)
				require.Equal(t, test.want == ran, errors.Is(got.Err, jig.ErrOutput))
				require.Contains(t, got.Err.Error(), "goroutine ") // the stack, for the host
				require.NotContains(t, lines.String(), "secret")
				require.NotContains(t, lines.String(), "goroutine ")
				require.Contains(t, lines.String(), got.Ref)
			}
		})
	}
	got := registryOf(t, nil, define(func() any { panic(value) }, nil)).Call(t.Context(), jig.Call{Name: "probe"})
	require.ErrorIs(t, got.Err, value)
}

func TestExecuteGoexitOnTheCallersGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := registryOf(t, nil, runOf("leave", func(context.Context, struct{}) (string, error) {
			runtime.Goexit()
			return "", nil
		}))
		returned, ended := false, make(chan bool)
		go func() {
			defer close(ended)
			r.Call(context.Background(), jig.Call{Name: "leave"})
			returned = true
		}()
		<-ended
		require.False(t, returned)
		require.NoError(t, r.Add(runOf("next", func(context.Context, struct{}) (string, error) { return "fine", nil })))
		require.Equal(t, "fine", r.Call(context.Background(), jig.Call{Name: "next"}).Text())
	})
}

// panicHandler is a log handler that fails badly.
type panicHandler struct{ slog.Handler }

func (panicHandler) Handle(context.Context, slog.Record) error { panic("log") }

func TestExecuteSurvivesItsLogger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logger := slog.New(panicHandler{slog.NewTextHandler(io.Discard, nil)})
		r := registryOf(t, &jig.Options{Logger: logger, Timeout: time.Second},
			runOf("slow", func(context.Context, struct{}) (string, error) {
				time.Sleep(time.Minute)
				return "", nil
			}))
		require.Equal(t, "timeout", r.Call(context.Background(), jig.Call{Name: "slow"}).Code)
		time.Sleep(time.Hour)
	})
}

// TestRareFieldsOfTheUsualCall has arguments that are read in one pass, which none at all are not.
func TestRareFieldsOfTheUsualCall(t *testing.T) {
	r := registryOf(t, &jig.Options{MaxOutputBytes: 256}, runOf("give", func(ctx context.Context, a anyArgs) (string, error) {
		if a.V == "long" {
			return strings.Repeat("x", 300), nil
		}
		jig.Attach(ctx, jig.Attachment{Name: "a"})
		return "done", nil
	}))
	long := r.Call(t.Context(), jig.Call{Name: "give", Args: []byte(`{"v":"long"}`)})
	require.NotNil(t, long.Cut)
	require.Empty(t, long.Attachments)
	with := r.Call(t.Context(), jig.Call{Name: "give", Args: []byte(`{"v":"file"}`)})
	require.Len(t, with.Attachments, 1)
	require.Nil(t, with.Cut)
}

// TestExecutedHasNoResultBesideAnError runs the tool on the caller's goroutine and on one of its own.
func TestExecutedHasNoResultBesideAnError(t *testing.T) {
	r := registryOf(t, nil, runOf("give", func(context.Context, struct{}) (string, error) {
		return "hunter2", errors.New("x")
	}))
	p := r.Authorize(t.Context(), r.Prepare(jig.Call{Name: "give"}))
	for _, ctx := range []context.Context{context.Background(), t.Context()} {
		raw, err := json.Marshal(r.Execute(ctx, p))
		require.NoError(t, err)
		require.NotContains(t, string(raw), "hunter2")
	}
}

// TestExecuteEndsBeforeTheResultIsShaped ends the context when the tool has its result.
func TestExecuteEndsBeforeTheResultIsShaped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := registryOf(t, nil, runOf("stops", func(context.Context, struct{}) (string, error) {
		cancel()
		return "done", nil
	})).Call(ctx, jig.Call{Name: "stops"})
	require.Equal(t, "cancelled", o.Code)
	require.Nil(t, o.Value)
}

// TestExecuteEndsWhileAStoreIsAsked does not start the tool then.
func TestExecuteEndsWhileAStoreIsAsked(t *testing.T) {
	for name, asking := range map[string]func(asked func()) *jig.Options{
		"cache": func(asked func()) *jig.Options {
			return &jig.Options{Cache: &mapCache{get: func() error { asked(); return nil }}}
		},
		"once store": func(asked func()) *jig.Options {
			return &jig.Options{Once: &oddOnce{claim: func(context.Context) error { asked(); return nil }}}
		},
	} {
		ctx, cancel := context.WithCancel(inRun(t, "r"))
		defer cancel()
		runs := 0
		got := registryOf(t, asking(cancel), jig.MustDefine(cacheSpec(&runs))).Call(ctx, getCall(`{"order":"7"}`))
		require.Zero(t, got.Attempts, name)
		require.Zero(t, runs, name)
	}
}

// TestContextOfATimedCallEndsWithIt looks at what the tool kept.
func TestContextOfATimedCallEndsWithIt(t *testing.T) {
	var kept context.Context
	r := registryOf(t, &jig.Options{Timeout: time.Hour}, runOf("keep", func(ctx context.Context, _ struct{}) (string, error) {
		kept = ctx
		return "ok", nil
	}))
	r.Call(t.Context(), jig.Call{Name: "keep"})
	require.ErrorIs(t, kept.Err(), context.Canceled)
}

// TestNothingIsAttachedAfterTheEnd hangs much on the end of the tool's context.
func TestNothingIsAttachedAfterTheEnd(t *testing.T) {
	r := registryOf(t, &jig.Options{Timeout: time.Hour}, runOf("late", func(ctx context.Context, _ struct{}) (string, error) {
		for range 200 {
			context.AfterFunc(ctx, func() { jig.Attach(ctx, jig.Attachment{Name: "late"}) })
		}
		return "ok", nil
	}))
	for range 50 {
		require.Empty(t, r.Call(t.Context(), jig.Call{Name: "late"}).Attachments)
	}
}
