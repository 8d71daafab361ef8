package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

func payTool(run func(ctx context.Context) (string, error), change func(*jig.Spec[payArgs, string])) *jig.Tool {
	spec := paySpec()
	spec.Execute = func(ctx context.Context, _ payArgs) (string, error) { return run(ctx) }
	if change != nil {
		change(&spec)
	}
	return jig.MustDefine(spec)
}

func payCall(id, args string) jig.Call { return jig.Call{ID: id, Name: "pay", Args: []byte(args)} }

// TestOnceUnderRace makes one call 50 times at once.
func TestOnceUnderRace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int64
		once := &jig.MemoryOnce{}
		r := registryOf(t, &jig.Options{Once: once}, payTool(func(context.Context) (string, error) {
			runs.Add(1)
			time.Sleep(time.Minute)
			return "paid", nil
		}, nil))
		outcomes := make([]jig.Outcome, 50)
		var all sync.WaitGroup
		for i := range outcomes {
			all.Go(func() { outcomes[i] = r.Call(inRun(t, "r"), payCall("1", `{"order":"7"}`)) })
		}
		all.Wait()
		require.EqualValues(t, 1, runs.Load())
		ok := 0
		for _, o := range outcomes {
			if o.Status == jig.StatusOK {
				ok++
				continue
			}
			require.Equal(t, "skipped conflict Not run: the same call is being made already. Do not make it again; "+
				"wait for its result.", fmt.Sprint(o.Status, " ", o.Code, " ", o.Text()))
			require.ErrorIs(t, o.Err, jig.ErrInFlight)
			require.Zero(t, o.Attempts)
		}
		require.Equal(t, 1, ok)

		// Once it is completed it is the stored one, also in a registry that never ran it.
		later := registryOf(t, &jig.Options{Once: once}, payTool(func(context.Context) (string, error) {
			runs.Add(1)
			return "again", nil
		}, nil))
		for _, again := range []*jig.Registry{r, later} {
			o := again.Call(inRun(t, "r"), payCall("1", `{ "order" : "7" }`))
			require.Equal(t, "paid", o.Text())
			require.Equal(t, 1, o.Attempts)
			require.Equal(t, time.Minute, o.Duration)
			require.Nil(t, o.Value)
		}
		require.EqualValues(t, 1, runs.Load())
		require.Equal(t, "again", later.Call(inRun(t, "r"), payCall("2", `{"order":"7"}`)).Text())
		require.Equal(t, "again", later.Call(inRun(t, "r2"), payCall("1", `{"order":"7"}`)).Text())
	})
}

func TestOnceKeyReused(t *testing.T) {
	runs := 0
	r := registryOf(t, &jig.Options{Once: &jig.MemoryOnce{}}, payTool(func(context.Context) (string, error) {
		runs++
		return "paid", nil
	}, func(s *jig.Spec[payArgs, string]) { s.KeyFields = []string{"order"} }))
	require.Equal(t, "paid", r.Call(inRun(t, "r"), payCall("1", `{"order":"7","amount":5}`)).Text())
	require.Equal(t, "paid", r.Call(inRun(t, "r"), payCall("1", `{"order":"7","amount":5.0}`)).Text())
	for name, o := range map[string]jig.Outcome{
		"other arguments": r.Call(inRun(t, "r"), payCall("1", `{"order":"7","amount":6}`)),
		"another user": r.Call(jig.WithCaller(t.Context(), jig.Caller{RunID: "r", UserID: "v"}),
			payCall("1", `{"order":"7","amount":5}`)),
	} {
		require.Equal(t, jig.StatusSkipped, o.Status, name)
		require.Equal(t, "key_reused", o.Code, name)
		require.ErrorIs(t, o.Err, jig.ErrKeyReused, name)
		require.Equal(t, "Not run: this call was made before with other arguments. Make a new call for other "+
			"arguments.", o.Text(), name)
	}
	require.Equal(t, 1, runs)
}

// TestOnceAfterAFailure says which calls a host may make again under their key.
func TestOnceAfterAFailure(t *testing.T) {
	for _, test := range []struct {
		name  string
		retry jig.Retry
		err   error
		want  int // runs after three calls
	}{
		{"never, plain", jig.RetryNever, errors.New("plain"), 1},
		{"unset, transient", jig.RetryUnset, errTransient, 1},
		{"safe, plain", jig.RetrySafe, errors.New("plain"), 1},
		{"safe, transient", jig.RetrySafe, errTransient, 3},
		{"idempotent, transient", jig.RetryIdempotent, errTransient, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			runs := 0
			r := registryOf(t, &jig.Options{Once: &jig.MemoryOnce{}}, payTool(func(context.Context) (string, error) {
				runs++
				return "", test.err
			}, func(s *jig.Spec[payArgs, string]) { s.Retry = test.retry }))
			var texts []string
			for range 3 {
				o := r.Call(inRun(t, "r"), payCall("1", `{"order":"7"}`))
				require.Equal(t, jig.StatusFailed, o.Status)
				texts = append(texts, o.Text())
			}
			require.Equal(t, test.want, runs)
			require.Equal(t, []string{texts[0], texts[0], texts[0]}, texts)
		})
	}
}

// TestOnceWhileALostAttemptRuns keeps the key claimed until the tool has returned.
func TestOnceWhileALostAttemptRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		r := registryOf(t, &jig.Options{Once: &jig.MemoryOnce{}}, payTool(func(context.Context) (string, error) {
			if runs++; runs == 1 {
				time.Sleep(time.Hour)
			}
			return "paid", nil
		}, func(s *jig.Spec[payArgs, string]) { s.Retry, s.Timeout = jig.RetryIdempotent, time.Minute }))
		call := func() string {
			o := r.Call(inRun(t, "r"), payCall("1", `{"order":"7"}`))
			return string(o.Status) + " " + o.Code
		}
		require.Equal(t, "failed timeout", call())
		require.Equal(t, "skipped conflict", call())
		time.Sleep(time.Hour)
		require.Equal(t, "ok ", call())
		require.Equal(t, 2, runs)
	})
}

func TestOnceReleasesWhatDidNotStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		r := registryOf(t, &jig.Options{Once: &jig.MemoryOnce{}}, payTool(func(context.Context) (string, error) {
			runs++
			time.Sleep(time.Hour)
			return "paid", nil
		}, func(s *jig.Spec[payArgs, string]) { s.MaxParallel = 1 }))
		go r.Call(inRun(t, "r"), payCall("1", `{"order":"7"}`))
		synctest.Wait()
		ctx, cancel := context.WithTimeout(inRun(t, "r"), time.Minute)
		defer cancel()
		o := r.Call(ctx, payCall("2", `{"order":"8"}`))
		require.Equal(t, jig.StatusSkipped, o.Status)
		require.Equal(t, "not_started", o.Code)
		require.Equal(t, "paid", r.Call(inRun(t, "r"), payCall("2", `{"order":"8"}`)).Text())
		require.Equal(t, 2, runs)
	})
}

func TestOnceAfterGoexitOnTheCallersGoroutine(t *testing.T) {
	r := registryOf(t, &jig.Options{Once: &jig.MemoryOnce{}}, payTool(func(context.Context) (string, error) {
		runtime.Goexit()
		return "", nil
	}, nil))
	ctx := jig.WithCaller(context.Background(), jig.Caller{RunID: "r"})
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.Call(ctx, payCall("1", `{"order":"7"}`))
	}()
	<-done
	require.Equal(t, "panic", r.Call(ctx, payCall("1", `{"order":"7"}`)).Code)
}

// oddOnce is a store whose methods do what a test wants.
type oddOnce struct {
	jig.MemoryOnce
	claim, complete func(context.Context) error
	released        atomic.Int64
}

func (o *oddOnce) Claim(ctx context.Context, key, digest string) (json.RawMessage, error) {
	if o.claim != nil {
		if err := o.claim(ctx); err != nil {
			return nil, err
		}
	}
	return o.MemoryOnce.Claim(ctx, key, digest)
}

func (o *oddOnce) Complete(ctx context.Context, key string, done json.RawMessage) error {
	if o.complete != nil {
		if err := o.complete(ctx); err != nil {
			return err
		}
	}
	return o.MemoryOnce.Complete(ctx, key, done)
}

func (o *oddOnce) Release(ctx context.Context, key string) error {
	o.released.Add(1)
	return o.MemoryOnce.Release(ctx, key)
}

func TestOnceStoreFails(t *testing.T) {
	down := errors.New("down")
	fail := func(context.Context) error { return down }
	panics := func(context.Context) error { panic("store") }
	for _, test := range []struct {
		name            string
		claim, complete func(context.Context) error
		want            string // of the first call, and of the second
		second          string
		runs            int
	}{
		{"claim", fail, nil, "failed error", "failed error", 0},
		{"claim panics", panics, nil, "failed panic", "failed panic", 0},
		{"complete", nil, fail, "ok ", "skipped conflict", 1},
		{"complete panics", nil, panics, "failed panic", "skipped conflict", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			runs := 0
			r := registryOf(t, &jig.Options{Once: &oddOnce{claim: test.claim, complete: test.complete}},
				payTool(func(context.Context) (string, error) { runs++; return "paid", nil }, nil))
			first := r.Call(inRun(t, "r"), payCall("1", `{"order":"7"}`))
			require.Equal(t, test.want, string(first.Status)+" "+first.Code)
			second := r.Call(inRun(t, "r"), payCall("1", `{"order":"7"}`))
			require.Equal(t, test.second, string(second.Status)+" "+second.Code)
			require.Equal(t, test.runs, runs)
			if test.runs == 0 {
				require.Equal(t, "pay could not be started, and nothing was run. Reference: "+first.Ref+".", first.Text())
				require.Zero(t, first.Attempts)
			} else if first.IsError() {
				require.Equal(t, "pay did run, but its result could not be prepared; do not assume that it did nothing. "+
					"Reference: "+first.Ref+".", first.Text())
			}
		})
	}
}

// TestOnceClaimComesTooLate gives back a claim that nobody waits for any more.
func TestOnceClaimComesTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &oddOnce{claim: func(context.Context) error { time.Sleep(time.Hour); return nil }}
		r := registryOf(t, &jig.Options{Once: store, Timeout: time.Minute},
			payTool(func(context.Context) (string, error) { return "paid", nil }, nil))
		o := r.Call(inRun(t, "r"), payCall("1", `{"order":"7"}`))
		require.Equal(t, "timeout", o.Code)
		require.Contains(t, o.Text(), "nothing was run")
		time.Sleep(2 * time.Hour)
		require.EqualValues(t, 1, store.released.Load())
		store.claim = nil
		require.Equal(t, "paid", r.Call(inRun(t, "r"), payCall("1", `{"order":"7"}`)).Text())
	})
}
