package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// quiet drops what is logged.
var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// thrice makes every call up to three times, with a second between the attempts.
func thrice() *jig.Options {
	return &jig.Options{Logger: quiet, Retry: jig.RetryPolicy{MaxAttempts: 3,
		Backoff: func(int) time.Duration { return time.Second }}}
}

// trySpec is a tool whose attempts do what run says.
func trySpec(run func(ctx context.Context, attempt int) (string, error)) jig.Spec[struct{}, string] {
	return jig.Spec[struct{}, string]{
		Name: "try", Description: "Call it in tests.", Effect: jig.EffectWrite, Retry: jig.RetrySafe,
		Execute: func(ctx context.Context, _ struct{}) (string, error) {
			return run(ctx, jig.CallInfo(ctx).Attempt())
		},
	}
}

func callTry(t testing.TB, o *jig.Options, spec jig.Spec[struct{}, string]) jig.Outcome {
	t.Helper()
	return registryOf(t, o, jig.MustDefine(spec)).Call(t.Context(), jig.Call{ID: "1", Name: "try"})
}

var errTransient = &jig.ToolError{Text: "The service is busy.", Transient: true}

func TestRetryOnlyWhereItIsAllowed(t *testing.T) {
	plain := errors.New("plain")
	readKey := func(ctx context.Context) { _ = jig.CallInfo(ctx).IdempotencyKey() }
	for _, test := range []struct {
		name   string
		want   int // attempts
		retry  jig.Retry
		err    error
		before func(context.Context)
		change func(*jig.Options)
	}{
		{"safe, transient", 3, jig.RetrySafe, errTransient, nil, nil},
		{"safe, transient inside another", 3, jig.RetrySafe, errors.Join(plain, errTransient), nil, nil},
		{"safe, timeout", 3, jig.RetrySafe, context.DeadlineExceeded, nil, nil},
		{"safe, plain", 1, jig.RetrySafe, plain, nil, nil},
		{"safe, authored", 1, jig.RetrySafe, jig.Errorf("no order 7"), nil, nil},
		{"safe, cancelled", 1, jig.RetrySafe, context.Canceled, nil, nil},
		{"safe, no policy", 1, jig.RetrySafe, errTransient, nil,
			func(o *jig.Options) { o.Retry = jig.RetryPolicy{} }},
		{"safe, one attempt", 1, jig.RetrySafe, errTransient, nil,
			func(o *jig.Options) { o.Retry.MaxAttempts = 1 }},
		{"safe, RetryOn says yes", 3, jig.RetrySafe, plain, nil,
			func(o *jig.Options) { o.Retry.RetryOn = func(err error) bool { return errors.Is(err, plain) } }},
		{"safe, RetryOn says no", 1, jig.RetrySafe, errTransient, nil,
			func(o *jig.Options) { o.Retry.RetryOn = func(error) bool { return false } }},
		{"safe, RetryOn panics", 1, jig.RetrySafe, errTransient, nil,
			func(o *jig.Options) { o.Retry.RetryOn = func(error) bool { panic("no") } }},
		{"never", 1, jig.RetryNever, errTransient, readKey, nil},
		{"unset", 1, jig.RetryUnset, errTransient, readKey, nil},
		{"unset, under a once store", 1, jig.RetryUnset, errTransient, readKey,
			func(o *jig.Options) { o.Once = &jig.MemoryOnce{} }},
		{"never, RetryOn says yes", 1, jig.RetryNever, errTransient, nil,
			func(o *jig.Options) { o.Retry.RetryOn = func(error) bool { return true } }},
		{"idempotent, key not read", 1, jig.RetryIdempotent, errTransient, nil, nil},
		{"idempotent, key read", 3, jig.RetryIdempotent, errTransient, readKey, nil},
		{"idempotent, under a once store", 3, jig.RetryIdempotent, errTransient, nil,
			func(o *jig.Options) { o.Once = &jig.MemoryOnce{} }},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				runs := 0
				spec := trySpec(func(ctx context.Context, attempt int) (string, error) {
					if runs++; runs != attempt {
						t.Errorf("Attempt() = %d, want %d", attempt, runs)
					}
					if test.before != nil {
						test.before(ctx)
					}
					return "", test.err
				})
				spec.Retry = test.retry
				o := thrice()
				if test.change != nil {
					test.change(o)
				}
				start := time.Now()
				got := callTry(t, o, spec)
				require.Equal(t, test.want, runs)
				require.Equal(t, test.want, got.Attempts)
				require.Equal(t, jig.StatusFailed, got.Status)
				require.Equal(t, time.Duration(test.want-1)*time.Second, time.Since(start))
				require.Equal(t, time.Since(start), got.Duration)
			})
		})
	}
}

// TestRetryNeverAfterTheSideEffect is the write that failed after it took effect, and the one that
// was not seen to end (B83).
func TestRetryNeverAfterTheSideEffect(t *testing.T) {
	for _, retry := range []jig.Retry{jig.RetryUnset, jig.RetryNever} {
		for name, end := range map[string]func(context.Context) error{
			"error":     func(context.Context) error { return errTransient },
			"timeout":   func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
			"lost":      func(context.Context) error { time.Sleep(time.Hour); return nil },
			"no policy": func(context.Context) error { return context.DeadlineExceeded },
		} {
			synctest.Test(t, func(t *testing.T) {
				var sent atomic.Int64
				spec := trySpec(func(ctx context.Context, _ int) (string, error) {
					sent.Add(1)
					_ = jig.CallInfo(ctx).IdempotencyKey()
					return "", end(ctx)
				})
				spec.Effect, spec.Retry, spec.Timeout = jig.EffectExternalMessage, retry, time.Minute
				got := callTry(t, thrice(), spec)
				require.Equal(t, 1, got.Attempts, name)
				time.Sleep(2 * time.Hour)
				require.EqualValues(t, 1, sent.Load(), name)
			})
		}
	}
}

func TestRetrySucceeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keys := map[string]bool{}
		spec := trySpec(func(ctx context.Context, attempt int) (string, error) {
			keys[jig.CallInfo(ctx).IdempotencyKey()] = true
			jig.Attach(ctx, jig.Attachment{Name: string(rune('0' + attempt))})
			if attempt < 3 {
				return "", errTransient
			}
			return "sent", nil
		})
		spec.Retry = jig.RetryIdempotent
		got := callTry(t, thrice(), spec)
		require.Equal(t, "sent", got.Text())
		require.Equal(t, 3, got.Attempts)
		require.Equal(t, 2*time.Second, got.Duration)
		require.Len(t, keys, 1)
		require.NotContains(t, keys, "")
		require.Len(t, got.Attachments, 1)
		require.Equal(t, "3", got.Attachments[0].Name)
	})
}

func TestRetryDoesNotFollowAPanicOrAnOutput(t *testing.T) {
	o := thrice()
	o.Retry.RetryOn = func(error) bool { return true }
	panics := trySpec(func(context.Context, int) (string, error) { panic("oh") })
	got := callTry(t, o, panics)
	require.Equal(t, "panic", got.Code)
	require.Equal(t, 1, got.Attempts)

	shaped := trySpec(func(context.Context, int) (string, error) { return "x", nil })
	shaped.ToModelOutput = func(context.Context, string) (jig.Output, error) { return jig.Output{}, errTransient }
	got = callTry(t, o, shaped)
	require.Equal(t, "output", got.Code)
	require.Equal(t, 1, got.Attempts)
}

func TestRetryAfter(t *testing.T) {
	for _, test := range []struct {
		name            string
		after, deadline time.Duration
		want            time.Duration
		attempts        int
	}{
		{"longer than the backoff", time.Minute, 0, 2 * time.Minute, 3},
		{"shorter than the backoff", time.Millisecond, 0, 2 * time.Second, 3},
		{"beyond the context", time.Minute, 30 * time.Second, 0, 1},
		{"once within the context", 20 * time.Second, 30 * time.Second, 20 * time.Second, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := registryOf(t, thrice(), jig.MustDefine(trySpec(func(context.Context, int) (string, error) {
					return "", &jig.ToolError{Text: "Busy.", Transient: true, RetryAfter: test.after}
				})))
				ctx := t.Context()
				if test.deadline > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, test.deadline)
					defer cancel()
				}
				start := time.Now()
				got := r.Call(ctx, jig.Call{ID: "1", Name: "try"})
				require.Equal(t, test.want, time.Since(start))
				require.Equal(t, test.attempts, got.Attempts)
				require.Equal(t, "Busy.", got.Text())
			})
		})
	}
}

func TestRetryStopsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := thrice()
		o.Retry.Backoff = func(int) time.Duration { return time.Hour }
		r := registryOf(t, o, jig.MustDefine(trySpec(func(context.Context, int) (string, error) {
			return "", errTransient
		})))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Minute, cancel)
		start := time.Now()
		got := r.Call(ctx, jig.Call{ID: "1", Name: "try"})
		require.Equal(t, time.Minute, time.Since(start))
		require.Equal(t, 1, got.Attempts)
		require.Equal(t, "The service is busy.", got.Text())
	})
}

// endsAt is a context that only Err tells the end of: it comes together with that of a pause.
type endsAt struct {
	context.Context
	end time.Time
}

func (e endsAt) Err() error {
	if time.Now().Before(e.end) {
		return nil
	}
	return context.Canceled
}

func TestRetryStopsAfterThePause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := registryOf(t, thrice(), jig.MustDefine(trySpec(func(context.Context, int) (string, error) {
			return "", errTransient
		})))
		got := r.Call(endsAt{context.Background(), time.Now().Add(time.Second)}, jig.Call{Name: "try"})
		require.Equal(t, 1, got.Attempts)
	})
}

func TestRetryDefaultBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var starts []time.Time
		o := &jig.Options{Logger: quiet, Retry: jig.RetryPolicy{MaxAttempts: 10}}
		callTry(t, o, trySpec(func(context.Context, int) (string, error) {
			starts = append(starts, time.Now())
			return "", errTransient
		}))
		require.Len(t, starts, 10)
		for i, want := range []time.Duration{100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000} {
			want *= time.Millisecond
			got := starts[i+1].Sub(starts[i])
			require.LessOrEqual(t, got, want)
			require.Greater(t, got, want*3/4-time.Millisecond)
		}
	})
}

// TestRetryNeverOverlaps has attempts that heed their context, return a little late, and never return.
func TestRetryNeverOverlaps(t *testing.T) {
	for _, test := range []struct {
		name     string
		returns  time.Duration // how long an attempt takes to return after its deadline
		attempts int
		want     time.Duration
	}{
		{"at once", 0, 3, 3*time.Minute + 2*time.Second},
		{"during the backoff", 500 * time.Millisecond, 3, 3*time.Minute + 2*time.Second},
		{"much later", time.Hour, 1, time.Minute + time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var running, most atomic.Int64
				spec := trySpec(func(ctx context.Context, _ int) (string, error) {
					most.Store(max(most.Load(), running.Add(1)))
					defer running.Add(-1)
					<-ctx.Done()
					time.Sleep(test.returns)
					return "", ctx.Err()
				})
				spec.Timeout = time.Minute
				start := time.Now()
				got := callTry(t, thrice(), spec)
				require.Equal(t, test.want, time.Since(start))
				require.Equal(t, test.attempts, got.Attempts)
				require.Equal(t, "timeout", got.Code)
				time.Sleep(2 * time.Hour) // until all have returned
				require.EqualValues(t, 1, most.Load())
			})
		})
	}
	// Without a backoff a tool has a moment to return.
	synctest.Test(t, func(t *testing.T) {
		o := thrice()
		o.Retry.Backoff = func(int) time.Duration { return 0 }
		spec := trySpec(func(ctx context.Context, attempt int) (string, error) {
			if attempt == 1 {
				<-ctx.Done()
				time.Sleep(time.Millisecond)
			}
			return "ok", ctx.Err()
		})
		spec.Timeout = time.Minute
		got := callTry(t, o, spec)
		require.Equal(t, "ok", got.Text())
		require.Equal(t, 2, got.Attempts)
	})
}

// TestRetryTimeoutThatTheToolWords is an attempt that its timeout ended and that says something else.
func TestRetryTimeoutThatTheToolWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		spec := trySpec(func(ctx context.Context, _ int) (string, error) {
			time.Sleep(time.Minute) // returns when the deadline is there too
			<-ctx.Done()
			return "", errors.New("connection reset")
		})
		spec.Timeout = time.Minute
		got := callTry(t, thrice(), spec)
		require.Equal(t, "timeout", got.Code)
		require.Equal(t, 3, got.Attempts)
	})
}

func TestToolErrorSurvivesJSON(t *testing.T) {
	want := &jig.ToolError{Text: "Busy.", Transient: true, RetryAfter: time.Minute}
	r := registryOf(t, nil, jig.MustDefine(trySpec(func(context.Context, int) (string, error) {
		return "", want
	})))
	prepared := r.Authorize(t.Context(), r.Prepare(jig.Call{ID: "1", Name: "try"}))
	raw, err := json.Marshal(r.Execute(t.Context(), prepared))
	require.NoError(t, err)
	var again jig.Executed
	require.NoError(t, json.Unmarshal(raw, &again))
	var got *jig.ToolError
	require.ErrorAs(t, r.Render(prepared, again).Err, &got)
	require.Equal(t, want, got)
}

// TestBatchBehindATimedOutWrite skips what would run beside a write that was given up.
func TestBatchBehindATimedOutWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log []string
		tool := func(name string, effect jig.Effect, run func(context.Context)) *jig.Tool {
			return jig.MustDefine(jig.Spec[struct{}, jig.NoResult]{
				Name: name, Description: "Call it in tests.", Effect: effect, Timeout: time.Minute,
				Execute: func(ctx context.Context, _ struct{}) (jig.NoResult, error) {
					run(ctx)
					return jig.NoResult{}, ctx.Err()
				},
			})
		}
		note := func(name string) func(context.Context) {
			return func(context.Context) { log = append(log, name) }
		}
		r := registryOf(t, &jig.Options{Logger: quiet},
			tool("lost", jig.EffectWrite, func(context.Context) { time.Sleep(time.Hour) }),
			tool("lost_read", jig.EffectRead, func(context.Context) { time.Sleep(time.Hour) }),
			tool("heeds", jig.EffectWrite, func(ctx context.Context) {
				<-ctx.Done()
				time.Sleep(time.Millisecond)
			}),
			tool("write", jig.EffectWrite, note("write")), tool("read", jig.EffectRead, note("read")))
		texts := func(names ...string) (out []string) {
			log = nil
			var calls []jig.Call
			for _, name := range names {
				calls = append(calls, jig.Call{ID: name, Name: name})
			}
			for _, o := range r.CallAll(t.Context(), calls) {
				out = append(out, string(o.Status)+" "+o.Code)
			}
			return out
		}
		require.Equal(t, []string{"failed timeout", "skipped still_running", "ok "},
			texts("lost", "write", "read"))
		require.Equal(t, []string{"read"}, log)
		// The next turn is a batch of its own, and a read that is given up holds nothing up.
		require.Equal(t, []string{"failed timeout", "ok "}, texts("lost_read", "write"))
		time.Sleep(2 * time.Hour)
		// One that heeds its context has a moment to return.
		require.Equal(t, []string{"failed timeout", "ok "}, texts("heeds", "write"))
	})
}

// TestBatchBehindATimedOutWriteOfATool skips a call that the tool makes.
func TestBatchBehindATimedOutWriteOfATool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		write := func(name string, run func()) *jig.Tool {
			return jig.MustDefine(jig.Spec[struct{}, string]{
				Name: name, Description: "Call it in tests.", Effect: jig.EffectWrite, Timeout: time.Minute,
				Execute: func(context.Context, struct{}) (string, error) { run(); return "ok", nil },
			})
		}
		inner := registryOf(t, &jig.Options{Logger: quiet}, write("lost", func() { time.Sleep(time.Hour) }),
			write("write", func() { t.Error("ran") }))
		var codes []string
		outer := registryOf(t, nil, runOf("outer", func(ctx context.Context, _ struct{}) (string, error) {
			for _, name := range []string{"lost", "write"} {
				codes = append(codes, inner.Call(ctx, jig.Call{Name: name}).Code)
			}
			return "ok", nil
		}))
		outer.CallAll(t.Context(), []jig.Call{{Name: "outer"}})
		require.Equal(t, []string{"timeout", "still_running"}, codes)
		time.Sleep(2 * time.Hour)
	})
}

// TestOnlyTheKeyMakesACallRepeatable asks for the key, or for something else that is kept of a call.
func TestOnlyTheKeyMakesACallRepeatable(t *testing.T) {
	for _, test := range []struct {
		name string
		use  func(ctx context.Context, info jig.Info)
		want int
	}{
		{"nothing", func(context.Context, jig.Info) {}, 1},
		{"an attachment", func(ctx context.Context, _ jig.Info) { jig.Attach(ctx, jig.Attachment{Name: "a"}) }, 1},
		{"an undo", func(ctx context.Context, _ jig.Info) {
			jig.Compensate(ctx, func(context.Context) error { return nil })
		}, 1},
		{"the key", func(_ context.Context, info jig.Info) { info.IdempotencyKey() }, 3},
		{"the key, in the first attempt alone", func(_ context.Context, info jig.Info) {
			if info.Attempt() == 1 {
				info.IdempotencyKey()
			}
		}, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec := paySpec()
			spec.Retry = jig.RetryIdempotent
			spec.Execute = func(ctx context.Context, _ payArgs) (string, error) {
				test.use(ctx, jig.CallInfo(ctx))
				return "", &jig.ToolError{Text: "busy", Transient: true}
			}
			r := registryOf(t, &jig.Options{Retry: jig.RetryPolicy{MaxAttempts: 3,
				Backoff: func(int) time.Duration { return 0 }}}, jig.MustDefine(spec))
			o := r.Call(t.Context(), jig.Call{Name: "pay", Args: []byte(`{"order":"7"}`)})
			require.Equal(t, test.want, o.Attempts)
		})
	}
}
