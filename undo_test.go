package jig_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

type undoArgs struct {
	Name string `json:"name"`
	Fail bool   `json:"fail,omitempty"`
}

// undoLog writes down what ran and what was undone.
type undoLog struct {
	mu  sync.Mutex
	log []string
}

func (s *undoLog) add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, text)
}

// undoing is an undo that is written down.
func (s *undoLog) undoing(name string) func(context.Context) error {
	return func(context.Context) error { s.add("undo " + name); return nil }
}

func (s *undoLog) spec() jig.Spec[undoArgs, string] {
	return jig.Spec[undoArgs, string]{
		Name: "step", Description: "Call it in tests.", Effect: jig.EffectWrite,
		Execute: func(ctx context.Context, a undoArgs) (string, error) {
			s.add(a.Name)
			jig.Compensate(ctx, s.undoing(a.Name+".1"))
			jig.Compensate(ctx, s.undoing(a.Name+".2"))
			if a.Fail {
				return "", jig.Errorf("no %s", a.Name)
			}
			return "done " + a.Name, nil
		},
	}
}

func undoCall(name string, fail bool) jig.Call {
	return jig.Call{ID: name, Name: "step", Args: []byte(fmt.Sprintf(`{"name":%q,"fail":%t}`, name, fail))}
}

func TestCompensateRunsIfItsOwnCallFails(t *testing.T) {
	s := &undoLog{}
	r := registryOf(t, nil, jig.MustDefine(s.spec()))
	r.CallAll(t.Context(), []jig.Call{undoCall("a", false), undoCall("b", true), undoCall("c", false)})
	require.Equal(t, []string{"a", "b", "undo b.2", "undo b.1", "c"}, s.log)
}

func TestUndosOfABatch(t *testing.T) {
	s := &undoLog{}
	r := registryOf(t, nil, jig.MustDefine(s.spec()))
	ctx, undos := jig.WithUndos(t.Context())
	for _, c := range []jig.Call{undoCall("a", false), undoCall("b", false), undoCall("c", true)} {
		r.Call(ctx, c)
	}
	require.Equal(t, []string{"a", "b", "c"}, s.log)
	s.log = nil
	require.Empty(t, undos.Run(ctx))
	require.Equal(t, []string{"undo c.2", "undo c.1", "undo b.2", "undo b.1", "undo a.2", "undo a.1"}, s.log)
	s.log = nil
	require.Empty(t, undos.Run(ctx))
	require.Empty(t, s.log)
}

// TestUndosFail runs all of them whatever one does, without the cancellation of the batch.
func TestUndosFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &undoLog{}
		ctx, cancel := context.WithCancel(context.WithValue(t.Context(), ctxKey{}, "host"))
		ctx, undos := jig.WithUndos(ctx)
		no := errors.New("no")
		jig.Compensate(ctx, func(ctx context.Context) error {
			end, ok := ctx.Deadline()
			require.True(t, ok)
			require.Equal(t, 30*time.Second, time.Until(end))
			require.Equal(t, "host", ctx.Value(ctxKey{}))
			s.add("first")
			return ctx.Err()
		})
		jig.Compensate(ctx, func(context.Context) error { return no })
		jig.Compensate(ctx, func(context.Context) error { panic("oh") })
		jig.Compensate(ctx, func(context.Context) error { runtime.Goexit(); return nil })
		jig.Compensate(ctx, func(context.Context) error { time.Sleep(time.Hour); return nil })
		jig.Compensate(ctx, nil)
		cancel()
		start := time.Now()
		errs := undos.Run(ctx)
		require.Equal(t, 30*time.Second, time.Since(start))
		require.Len(t, errs, 4)
		require.ErrorIs(t, errs[0], jig.ErrTimeout)
		require.ErrorIs(t, errs[1], jig.ErrPanic)
		require.ErrorIs(t, errs[2], jig.ErrPanic)
		require.ErrorIs(t, errs[3], no)
		require.Equal(t, []string{"first"}, s.log)
		time.Sleep(2 * time.Hour)
	})
}

type ctxKey struct{}

func TestCompensateFails(t *testing.T) {
	s := &undoLog{}
	spec := s.spec()
	no := errors.New("hunter2")
	spec.Execute = func(ctx context.Context, _ undoArgs) (string, error) {
		jig.Compensate(ctx, s.undoing("a"))
		jig.Compensate(ctx, func(context.Context) error { panic("oh") })
		jig.Compensate(ctx, func(context.Context) error { return no })
		return "", errors.New("plain")
	}
	logger, out := logTo()
	r := registryOf(t, &jig.Options{Logger: logger}, jig.MustDefine(spec))
	o := r.Call(t.Context(), undoCall("a", false))
	require.Equal(t, []string{"undo a"}, s.log)
	require.Equal(t, "step failed; the details are not available here. It is unknown whether it took effect: "+
		"check before you call it again. Reference: "+o.Ref+".", o.Text())
	require.Equal(t, "step: execute: plain", o.Err.Error())
	require.ErrorIs(t, o.Err, no)
	require.ErrorIs(t, o.Err, jig.ErrPanic)
	require.Equal(t, "error", o.Code)
	require.Contains(t, out.String(), "jig: a call failed and could not be undone")
	require.NotContains(t, out.String(), "hunter2")
}

// TestCompensateOfEveryFailure undoes a call that failed in any way after it had begun.
func TestCompensateOfEveryFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, test := range map[string]struct {
			end    func(ctx context.Context) (string, error)
			change func(*jig.Spec[undoArgs, string])
		}{
			"panic":   {end: func(context.Context) (string, error) { panic("oh") }},
			"timeout": {end: func(ctx context.Context) (string, error) { <-ctx.Done(); return "", ctx.Err() }},
			"lost":    {end: func(context.Context) (string, error) { time.Sleep(time.Hour); return "late", nil }},
			"output": {end: func(context.Context) (string, error) { return "x", nil },
				change: func(s *jig.Spec[undoArgs, string]) {
					s.ToModelOutput = func(context.Context, string) (jig.Output, error) {
						return jig.Output{}, errors.New("no")
					}
				}},
			"too large": {end: func(context.Context) (string, error) { return strings.Repeat("x", 1000), nil },
				change: func(s *jig.Spec[undoArgs, string]) {
					s.Overflow, s.MaxOutputBytes = jig.OverflowError, 256
				}},
		} {
			s := &undoLog{}
			spec := s.spec()
			spec.Timeout = time.Minute
			spec.Execute = func(ctx context.Context, _ undoArgs) (string, error) {
				jig.Compensate(ctx, s.undoing("a"))
				return test.end(ctx)
			}
			if test.change != nil {
				test.change(&spec)
			}
			o := registryOf(t, nil, jig.MustDefine(spec)).Call(t.Context(), undoCall("a", false))
			require.Equal(t, jig.StatusFailed, o.Status, name)
			require.Equal(t, []string{"undo a"}, s.log, name)
		}
		time.Sleep(2 * time.Hour)
	})
}

func TestCompensateAfterGoexitOnTheCallersGoroutine(t *testing.T) {
	s := &undoLog{}
	spec := s.spec()
	spec.Execute = func(ctx context.Context, _ undoArgs) (string, error) {
		jig.Compensate(ctx, s.undoing("a"))
		runtime.Goexit()
		return "", nil
	}
	r := registryOf(t, nil, jig.MustDefine(spec))
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.Call(context.Background(), undoCall("a", false))
	}()
	<-done
	require.Equal(t, []string{"undo a"}, s.log)
}

// TestCompensateLate registers after the call was given up, after it succeeded, and outside a call.
func TestCompensateLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &undoLog{}
		spec := s.spec()
		var kept context.Context
		spec.Timeout = time.Minute
		spec.Execute = func(ctx context.Context, a undoArgs) (string, error) {
			if kept = ctx; a.Fail {
				time.Sleep(time.Hour)
				jig.Compensate(ctx, s.undoing("late"))
			}
			return "ok", nil
		}
		logger, out := logTo()
		const want = "jig: an undo was registered after its call had ended; it does not run"
		r := registryOf(t, &jig.Options{Logger: logger}, jig.MustDefine(spec))
		r.Call(t.Context(), undoCall("a", true))
		time.Sleep(2 * time.Hour)
		require.Equal(t, 1, strings.Count(out.String(), want))
		r.Call(t.Context(), undoCall("a", false))
		jig.Compensate(kept, s.undoing("later"))
		require.Equal(t, 2, strings.Count(out.String(), want))
		ctx, undos := jig.WithUndos(t.Context())
		r.Call(ctx, undoCall("b", true))
		require.Empty(t, undos.Run(ctx))
		time.Sleep(2 * time.Hour)
		require.Equal(t, 3, strings.Count(out.String(), want))
		require.Empty(t, s.log)
	})
}

func TestCompensateTogether(t *testing.T) {
	s := &undoLog{}
	spec := s.spec()
	spec.Execute = func(ctx context.Context, _ undoArgs) (string, error) {
		var all sync.WaitGroup
		for i := range 50 {
			all.Go(func() { jig.Compensate(ctx, s.undoing(fmt.Sprint(i))) })
		}
		all.Wait()
		return "", jig.Errorf("no")
	}
	registryOf(t, nil, jig.MustDefine(spec)).Call(t.Context(), undoCall("a", false))
	require.Len(t, s.log, 50)
}

// TestCompensateOfAllAttempts undoes what every attempt registered if the last one fails.
func TestCompensateOfAllAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, fails := range []int{2, 3} {
			s := &undoLog{}
			spec := s.spec()
			spec.Retry = jig.RetrySafe
			spec.Execute = func(ctx context.Context, _ undoArgs) (string, error) {
				n := jig.CallInfo(ctx).Attempt()
				jig.Compensate(ctx, s.undoing(fmt.Sprint(n)))
				if n <= fails {
					return "", errTransient
				}
				return "ok", nil
			}
			registryOf(t, thrice(), jig.MustDefine(spec)).Call(t.Context(), undoCall("a", false))
			if fails == 3 {
				require.Equal(t, []string{"undo 3", "undo 2", "undo 1"}, s.log)
			} else {
				require.Empty(t, s.log)
			}
		}
	})
}

// undoSpec is a tool with an Undo, which is written down with its arguments and token.
func (s *undoLog) undoSpec(token any) jig.Spec[undoArgs, string] {
	spec := s.spec()
	spec.Execute = func(ctx context.Context, a undoArgs) (string, error) {
		s.add(a.Name)
		if token != nil {
			jig.UndoWith(ctx, "first")
			jig.Compensate(ctx, s.undoing(a.Name))
			if err := jig.UndoWith(ctx, token); err != nil {
				return "", err
			}
		}
		if a.Fail {
			return "", jig.Errorf("no")
		}
		return "done", nil
	}
	spec.Undo = func(ctx context.Context, a undoArgs, token json.RawMessage) error {
		s.add("Undo " + a.Name + " " + string(token) + " " + jig.CallInfo(ctx).CallID())
		return nil
	}
	return spec
}

func TestUndoWith(t *testing.T) {
	s := &undoLog{}
	r := registryOf(t, nil, jig.MustDefine(s.undoSpec(map[string]string{"id": "<7>"})))
	prepared := r.Authorize(t.Context(), r.Prepare(undoCall("a", false)))
	executed := r.Execute(t.Context(), prepared)
	require.Equal(t, []string{"a"}, s.log)
	require.NoError(t, r.Undo(t.Context(), prepared, executed))
	require.NoError(t, r.Undo(t.Context(), prepared, executed))
	require.Equal(t, []string{"a", `Undo a {"id":"<7>"} a`}, s.log)

	// A call that fails alone undoes itself, and only if it had kept something.
	s.log = nil
	prepared = r.Authorize(t.Context(), r.Prepare(undoCall("b", true)))
	executed = r.Execute(t.Context(), prepared)
	want := []string{"b", "undo b", `Undo b {"id":"<7>"} b`}
	require.Equal(t, want, s.log)
	require.NoError(t, r.Undo(t.Context(), prepared, throughJSON(t, executed)))
	require.Equal(t, want, s.log)
	kept := &undoLog{}
	r = registryOf(t, nil, jig.MustDefine(kept.undoSpec(nil)))
	r.Call(t.Context(), undoCall("c", true))
	require.Equal(t, []string{"c"}, kept.log)
}

// TestCallEndsWithItsGoroutine shows that nothing is registered any more with a call whose tool ended the
// goroutine of the caller.
func TestCallEndsWithItsGoroutine(t *testing.T) {
	var late context.Context
	s := &undoLog{}
	spec := s.undoSpec(nil)
	spec.Execute = func(ctx context.Context, _ undoArgs) (string, error) {
		late = ctx
		runtime.Goexit()
		return "", nil
	}
	r := registryOf(t, &jig.Options{Logger: slog.New(slog.DiscardHandler)}, jig.MustDefine(spec))
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.Call(context.Background(), undoCall("a", false))
	}()
	<-done
	require.EqualError(t, jig.UndoWith(late, 1), "jig: UndoWith: the call has ended")
	jig.Compensate(late, func(context.Context) error { t.Error("it runs"); return nil })
}

func throughJSON(t *testing.T, e jig.Executed) (out jig.Executed) {
	raw, err := json.Marshal(e)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &out))
	return out
}

// TestUndoInABatch undoes calls with a token, and calls that succeeded without one.
func TestUndoInABatch(t *testing.T) {
	for _, token := range []any{nil, 7} {
		s := &undoLog{}
		r := registryOf(t, nil, jig.MustDefine(s.undoSpec(token)))
		ctx, undos := jig.WithUndos(t.Context())
		var executed []jig.Executed
		var prepared []jig.Prepared
		for _, c := range []jig.Call{undoCall("a", false), undoCall("b", true)} {
			p := r.Authorize(ctx, r.Prepare(c))
			prepared, executed = append(prepared, p), append(executed, r.Execute(ctx, p))
		}
		require.Equal(t, []string{"a", "b"}, s.log)
		require.Empty(t, undos.Run(ctx))
		want := []string{"a", "b", "Undo a  a"}
		if token != nil {
			want = []string{"a", "b", "undo b", "Undo b 7 b", "undo a", "Undo a 7 a"}
		}
		require.Equal(t, want, s.log)
		for i := range prepared { // and not once more
			require.NoError(t, r.Undo(ctx, prepared[i], executed[i]))
		}
		require.Equal(t, want, s.log)
	}
}

func TestUndoInAnotherProcess(t *testing.T) {
	options := &jig.Options{Key: []byte("0123456789abcdef")}
	s := &undoLog{}
	tool := jig.MustDefine(s.undoSpec(map[string]any{"id": "<7>", "n": int64(9007199254740993)}))
	r, elsewhere := registryOf(t, options, tool), registryOf(t, options, tool)
	prepared := r.Authorize(inRun(t, "r"), r.Prepare(undoCall("a", false)))
	executed := throughJSON(t, r.Execute(t.Context(), prepared))
	raw, err := json.Marshal(prepared)
	require.NoError(t, err)
	var again jig.Prepared
	require.NoError(t, json.Unmarshal(raw, &again))
	require.NoError(t, elsewhere.Undo(t.Context(), again, executed))
	require.Len(t, s.log, 2)
	require.Contains(t, s.log[1], "9007199254740993")

	// A token that was changed, or is another call's, undoes nothing.
	other := r.Authorize(inRun(t, "r"), r.Prepare(undoCall("b", false)))
	text, err := json.Marshal(executed)
	require.NoError(t, err)
	var forged jig.Executed
	require.NoError(t, json.Unmarshal(bytes.Replace(text, []byte("40993"), []byte("40994"), 1), &forged))
	s.log = nil
	for _, err := range []error{elsewhere.Undo(t.Context(), other, executed), elsewhere.Undo(t.Context(), again, forged),
		registryOf(t, nil, tool).Undo(t.Context(), again, executed)} {
		require.ErrorIs(t, err, jig.ErrDenied)
	}
	require.Empty(t, s.log)
}

func TestUndoOfWhatDidNotRun(t *testing.T) {
	s := &undoLog{}
	r := registryOf(t, nil, jig.MustDefine(s.undoSpec(7)))
	prepared := r.Authorize(t.Context(), r.Prepare(undoCall("a", false)))
	require.NoError(t, r.Undo(t.Context(), prepared, jig.Executed{}))
	done, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, r.Undo(t.Context(), prepared, r.Execute(done, prepared)))
	executed := r.Execute(t.Context(), prepared)
	require.ErrorIs(t, r.Undo(t.Context(), r.Prepare(undoCall("a", false)), executed), jig.ErrDenied)
	require.ErrorIs(t, r.Undo(t.Context(), jig.Prepared{}, executed), jig.ErrDenied)
	require.Equal(t, []string{"a"}, s.log)

	none := registryOf(t, nil, jig.MustDefine(s.spec()))
	prepared = none.Authorize(t.Context(), none.Prepare(undoCall("a", false)))
	require.EqualError(t, none.Undo(t.Context(), prepared, none.Execute(t.Context(), prepared)),
		"step: undo: the tool has no Undo")
}

func TestUndoFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, undo := range map[string]func() error{
			"error": func() error { return jig.ErrTimeout },
			"panic": func() error { panic("oh") },
			"hangs": func() error { time.Sleep(time.Hour); return nil },
		} {
			s := &undoLog{}
			spec := s.undoSpec(7)
			spec.Undo = func(context.Context, undoArgs, json.RawMessage) error { return undo() }
			r := registryOf(t, nil, jig.MustDefine(spec))
			prepared := r.Authorize(t.Context(), r.Prepare(undoCall("a", false)))
			executed := r.Execute(t.Context(), prepared)
			err := r.Undo(t.Context(), prepared, executed)
			var e *jig.CallError
			require.ErrorAs(t, err, &e, name)
			require.Equal(t, "undo", e.Stage)
			if name == "panic" {
				require.ErrorIs(t, err, jig.ErrPanic)
			} else {
				require.ErrorIs(t, err, jig.ErrTimeout)
			}
		}
		time.Sleep(2 * time.Hour)
	})
}

// TestUndoOfCallsThatToolsMake ends the calls that a tool makes like any, and leaves those that
// succeeded to the batch.
func TestUndoOfCallsThatToolsMake(t *testing.T) {
	s := &undoLog{}
	r := registryOf(t, nil, jig.MustDefine(s.spec()))
	outer := s.spec()
	outer.Name = "outer"
	outer.Execute = func(ctx context.Context, a undoArgs) (string, error) {
		r.Call(ctx, undoCall("in", false))
		r.Call(ctx, undoCall("bad", true))
		return "", jig.Errorf("no")
	}
	require.NoError(t, r.Add(jig.MustDefine(outer)))
	call := jig.Call{ID: "o", Name: "outer", Args: []byte(`{"name":"o"}`)}
	r.Call(t.Context(), call)
	require.Equal(t, []string{"in", "bad", "undo bad.2", "undo bad.1"}, s.log)
	s.log = nil
	ctx, undos := jig.WithUndos(t.Context())
	r.Call(ctx, call)
	require.Equal(t, []string{"in", "bad", "undo bad.2", "undo bad.1"}, s.log)
	require.Empty(t, undos.Run(ctx))
	require.Equal(t, []string{"in", "bad", "undo bad.2", "undo bad.1", "undo in.2", "undo in.1"}, s.log)
}

func TestUndoWithRefuses(t *testing.T) {
	require.EqualError(t, jig.UndoWith(t.Context(), 7), "jig: UndoWith: the context belongs to no call")
	s := &undoLog{}
	spec := s.spec()
	var errs []error
	var kept context.Context
	spec.Execute = func(ctx context.Context, _ undoArgs) (string, error) {
		kept = ctx
		errs = append(errs, jig.UndoWith(ctx, 7), jig.UndoWith(ctx, make(chan int)))
		return "", nil
	}
	r := registryOf(t, nil, jig.MustDefine(spec))
	r.Call(t.Context(), undoCall("a", false))
	require.EqualError(t, errs[0], `jig: UndoWith: tool "step" has no Undo`)
	spec.Undo = func(context.Context, undoArgs, json.RawMessage) error { return nil }
	r = registryOf(t, nil, jig.MustDefine(spec))
	r.Call(t.Context(), undoCall("a", false))
	require.NoError(t, errs[2])
	require.ErrorContains(t, errs[3], "jig: UndoWith: ")
	require.EqualError(t, jig.UndoWith(kept, 8), "jig: UndoWith: the call has ended")
}

// TestUndoOfACallMadeBefore leaves what the once store knew to the call that did it: an undo runs once.
func TestUndoOfACallMadeBefore(t *testing.T) {
	s := &undoLog{}
	r := registryOf(t, &jig.Options{Once: &jig.MemoryOnce{}}, jig.MustDefine(s.undoSpec(7)))
	ctx, undos := jig.WithUndos(inRun(t, "r"))
	for range 2 {
		require.Equal(t, jig.StatusOK, r.Call(ctx, undoCall("a", false)).Status)
	}
	require.Empty(t, undos.Run(ctx))
	require.Equal(t, []string{"a", "undo a", "Undo a 7 a"}, s.log)
	// A host undoes it by what the store gave back.
	prepared := r.Authorize(inRun(t, "r"), r.Prepare(undoCall("b", false)))
	r.Execute(t.Context(), prepared)
	s.log = nil
	require.NoError(t, r.Undo(t.Context(), prepared, r.Execute(t.Context(), prepared)))
	require.Equal(t, []string{"Undo b 7 b"}, s.log)
}

// TestUndoTokensAreOfOneCall also where two calls have the same arguments and no run.
func TestUndoTokensAreOfOneCall(t *testing.T) {
	for _, ids := range [][2]string{{"", ""}, {"1", "2"}} {
		undone := 0
		spec := paySpec()
		spec.Execute = func(ctx context.Context, _ payArgs) (string, error) { return "", jig.UndoWith(ctx, 1) }
		spec.Undo = func(context.Context, payArgs, json.RawMessage) error { undone++; return nil }
		r := registryOf(t, nil, jig.MustDefine(spec))
		ctx := t.Context()
		if ids[0] != "" {
			ctx = inRun(t, "r")
		}
		var calls [2]jig.Prepared
		var made [2]jig.Executed
		for i, id := range ids {
			calls[i] = r.Authorize(ctx, r.Prepare(jig.Call{ID: id, Name: "pay", Args: []byte(`{"order":"7"}`)}))
			made[i] = r.Execute(ctx, calls[i])
		}
		require.Error(t, r.Undo(ctx, calls[0], made[1]))
		require.Zero(t, undone)
		require.NoError(t, r.Undo(ctx, calls[0], made[0]))
		require.Equal(t, 1, undone)
	}
}

// TestTokensFromManyGoroutines of a tool, one of which asks for the key while the undo runs.
func TestTokensFromManyGoroutines(t *testing.T) {
	undoing, asked := make(chan struct{}), make(chan string, 1)
	inUndo := ""
	spec := paySpec()
	spec.Execute = func(ctx context.Context, _ payArgs) (string, error) {
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() { _ = jig.UndoWith(ctx, i) })
			all.Go(func() { jig.Compensate(ctx, func(context.Context) error { return nil }) })
		}
		all.Wait()
		go func() {
			<-undoing
			asked <- jig.CallInfo(ctx).IdempotencyKey()
		}()
		jig.Compensate(ctx, func(context.Context) error { close(undoing); return nil }) // runs first
		return "", errors.New("broken")
	}
	spec.Undo = func(ctx context.Context, _ payArgs, _ json.RawMessage) error {
		inUndo = jig.CallInfo(ctx).IdempotencyKey()
		return nil
	}
	registryOf(t, nil, jig.MustDefine(spec)).Call(t.Context(), jig.Call{Name: "pay", Args: []byte(`{"order":"7"}`)})
	require.NotEmpty(t, inUndo)
	require.Equal(t, inUndo, <-asked)
}
