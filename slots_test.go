package jig_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

func TestMaxParallel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int64
		tool := jig.MustDefine(jig.Spec[struct{}, string]{
			Name: "busy", Description: "Call it in tests.", Effect: jig.EffectRead, MaxParallel: 3,
			Execute: func(context.Context, struct{}) (string, error) {
				most.Store(max(most.Load(), running.Add(1)))
				defer running.Add(-1)
				time.Sleep(time.Minute)
				return "ok", nil
			},
		})
		copied, err := tool.WithName("copy")
		require.NoError(t, err)
		r, other := registryOf(t, nil, tool, copied), registryOf(t, nil, tool)
		start := time.Now()
		var all sync.WaitGroup
		for i := range 10 {
			all.Go(func() {
				switch i % 3 {
				case 0:
					require.Equal(t, jig.StatusOK, r.Call(t.Context(), jig.Call{Name: "busy"}).Status)
				case 1:
					require.Equal(t, jig.StatusOK, r.Call(t.Context(), jig.Call{Name: "copy"}).Status)
				default:
					require.Equal(t, jig.StatusOK, other.Call(t.Context(), jig.Call{Name: "busy"}).Status)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, 3, most.Load())
		require.Equal(t, 4*time.Minute, time.Since(start))
	})
}

// TestMaxParallelSlotOfALostAttempt holds a slot until the tool has returned, and lets waiting calls
// go when their context ends.
func TestMaxParallelSlotOfALostAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		r := registryOf(t, nil, jig.MustDefine(jig.Spec[struct{}, string]{
			Name: "lost", Description: "Call it in tests.", Effect: jig.EffectRead, MaxParallel: 1,
			Timeout: time.Minute,
			Execute: func(context.Context, struct{}) (string, error) {
				if runs++; runs == 1 {
					time.Sleep(time.Hour)
				}
				return "ok", nil
			},
		}))
		start := time.Now()
		require.Equal(t, "timeout", r.Call(t.Context(), jig.Call{Name: "lost"}).Code)
		require.Equal(t, time.Minute, time.Since(start))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		o := r.Call(ctx, jig.Call{Name: "lost"})
		require.Equal(t, jig.StatusSkipped, o.Status)
		require.Equal(t, "Not run: the run was stopped before this call started.", o.Text())
		require.ErrorIs(t, o.Err, context.DeadlineExceeded)
		require.Zero(t, o.Attempts)
		require.Equal(t, 2*time.Minute, time.Since(start))
		require.Equal(t, "ok", r.Call(t.Context(), jig.Call{Name: "lost"}).Text())
		require.Equal(t, time.Hour, time.Since(start))
		require.Equal(t, 2, runs)
	})
}

// TestMaxParallelUnderAContextThatEnds has no timeout.
func TestMaxParallelUnderAContextThatEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := registryOf(t, nil, jig.MustDefine(jig.Spec[struct{}, string]{
			Name: "lost", Description: "Call it in tests.", Effect: jig.EffectRead, MaxParallel: 1,
			Execute: func(context.Context, struct{}) (string, error) { time.Sleep(time.Hour); return "ok", nil },
		}))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		start := time.Now()
		require.Equal(t, "timeout", r.Call(ctx, jig.Call{Name: "lost"}).Code)
		require.Equal(t, time.Minute, time.Since(start))
		require.Equal(t, "ok", r.Call(context.Background(), jig.Call{Name: "lost"}).Text())
		require.Equal(t, 2*time.Hour, time.Since(start))
	})
}

// TestMaxParallelAfterAPanic gives slots back whatever ends an attempt.
func TestMaxParallelAfterAPanic(t *testing.T) {
	runs := 0
	r := registryOf(t, nil, jig.MustDefine(jig.Spec[struct{}, string]{
		Name: "ends", Description: "Call it in tests.", Effect: jig.EffectRead, MaxParallel: 1,
		Execute: func(context.Context, struct{}) (string, error) {
			switch runs++; runs {
			case 1, 2:
				panic("oh")
			case 3, 4:
				runtime.Goexit()
			}
			return "ok", nil
		},
	}))
	cancellable, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, ctx := range []context.Context{context.Background(), cancellable, context.Background(), cancellable} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			r.Call(ctx, jig.Call{Name: "ends"})
		}()
		<-done
	}
	require.Equal(t, "ok", r.Call(context.Background(), jig.Call{Name: "ends"}).Text())
}

func TestLimitsRefused(t *testing.T) {
	_, err := jig.Define(jig.Spec[struct{}, string]{
		Name: "odd", Description: "Call it in tests.", MaxParallel: -1, CacheTTL: -1,
		Execute: func(context.Context, struct{}) (string, error) { return "", nil },
	})
	var e *jig.DefineError
	require.ErrorAs(t, err, &e)
	require.Equal(t, []jig.Problem{
		{Pointer: "MaxParallel", Message: "is negative; zero means no limit"},
		{Pointer: "CacheTTL", Message: "is negative; zero means that nothing is cached"},
	}, e.Problems)
}
