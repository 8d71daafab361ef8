package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// failing returns a tool with the effect whose Execute returns the error beside a result.
func failing(name string, effect jig.Effect, err error) *jig.Tool {
	return jig.MustDefine(jig.Spec[struct{}, string]{
		Name: name, Description: "Call it in tests.", Effect: effect,
		Execute: func(context.Context, struct{}) (string, error) { return "half done", err },
	})
}

var errPassword = errors.New("dial db: password hunter2 refused")

func TestPlainErrorIsMasked(t *testing.T) {
	logger, lines := logTo()
	r := registryOf(t, &jig.Options{Logger: logger}, failing("look_up", jig.EffectRead, errPassword),
		failing("refund", jig.EffectWrite, &fs.PathError{Op: "open", Path: "hunter2", Err: fs.ErrNotExist}))
	ctx := jig.WithCaller(t.Context(), jig.Caller{RunID: "run-1"})

	// The head of the SHA-256 of ["run-1","call-1","look_up"].
	got := r.Call(ctx, jig.Call{ID: "call-1", Name: "look_up"})
	require.Equal(t, "look_up failed; the details are not available here. Reference: 1009e83f95bc.", got.Text())
	require.Equal(t, "1009e83f95bc", got.Ref)
	require.Equal(t, jig.StatusFailed, got.Status)
	require.Equal(t, "error", got.Code)
	require.False(t, got.Retryable)
	require.Equal(t, 1, got.Attempts)
	require.ErrorIs(t, got.Err, errPassword)
	require.Equal(t, "look_up: execute: dial db: password hunter2 refused", got.Err.Error())
	require.Equal(t, "half done", got.Value)

	write := r.Call(ctx, jig.Call{ID: "call-1", Name: "refund"})
	require.Equal(t, "refund failed; the details are not available here. It is unknown whether it took "+
		"effect: check before you call it again. Reference: "+write.Ref+".", write.Text())
	require.ErrorIs(t, write.Err, fs.ErrNotExist)

	require.NotContains(t, lines.String(), "hunter2")
	require.NotContains(t, lines.String(), "half done")
	var line map[string]any
	require.NoError(t, json.Unmarshal([]byte(strings.Split(lines.String(), "\n")[1]), &line))
	delete(line, "time")
	require.Equal(t, map[string]any{"level": "ERROR", "msg": "jig: tool call failed", "ref": write.Ref,
		"tool": "refund", "call": "call-1", "stage": "execute", "code": "error",
		"error_type": "*fs.PathError"}, line)
}

func TestReference(t *testing.T) {
	r := registryOf(t, nil, failing("a", jig.EffectRead, errPassword), failing("b", jig.EffectRead, errPassword))
	ref := func(run, id, name string) string {
		ctx := t.Context()
		if run != "" {
			ctx = jig.WithCaller(ctx, jig.Caller{RunID: run})
		}
		got := r.Call(ctx, jig.Call{ID: id, Name: name})
		require.Regexp(t, regexp.MustCompile(`^[0-9a-f]{12}$`), got.Ref)
		require.Contains(t, got.Text(), "Reference: "+got.Ref+".")
		return got.Ref
	}
	seen := map[string]string{}
	for _, known := range [][3]string{{"r", "1", "a"}, {"r", "1", "b"}, {"r", "2", "a"}, {"s", "1", "a"}} {
		first := ref(known[0], known[1], known[2])
		require.Equal(t, first, ref(known[0], known[1], known[2]))
		require.Empty(t, seen[first])
		seen[first] = fmt.Sprint(known)
	}
	for _, unknown := range [][2]string{{"", "1"}, {"r", ""}, {"", ""}} {
		require.NotEqual(t, ref(unknown[0], unknown[1], "a"), ref(unknown[0], unknown[1], "a"))
	}
}

func TestToolErrorIsShown(t *testing.T) {
	authored := &jig.ToolError{Text: "No order <x> has this id.\nCall list_orders first.", Err: errPassword,
		Code: "no_order", Retryable: true}
	logger, lines := logTo()
	for name, err := range map[string]error{
		"itself": authored, "wrapped": fmt.Errorf("find: %w", authored),
		"joined": errors.Join(errPassword, authored),
	} {
		t.Run(name, func(t *testing.T) {
			r := registryOf(t, &jig.Options{Logger: logger}, failing("find", jig.EffectWrite, err))
			got := r.Call(t.Context(), jig.Call{Name: "find"})
			require.Equal(t, "No order <x> has this id.\nCall list_orders first.", got.Text())
			require.Equal(t, "no_order", got.Code)
			require.Equal(t, jig.StatusFailed, got.Status)
			require.True(t, got.Retryable)
			require.Empty(t, got.Ref)
			require.Equal(t, "half done", got.Value)
			require.ErrorIs(t, got.Err, errPassword)
			require.Empty(t, lines.String())
		})
	}
}

func TestToolErrorDefaults(t *testing.T) {
	plain := registryOf(t, nil, failing("find", jig.EffectRead, &jig.ToolError{Text: "No."})).
		Call(t.Context(), jig.Call{Name: "find"})
	require.Equal(t, "tool_error", plain.Code)
	require.False(t, plain.Retryable)
	empty := registryOf(t, nil, failing("find", jig.EffectRead, &jig.ToolError{Code: "odd", Err: errPassword})).
		Call(t.Context(), jig.Call{Name: "find"})
	require.Equal(t, "find failed; the details are not available here. Reference: "+empty.Ref+".", empty.Text())
	require.Equal(t, "odd", empty.Code)
	broken := registryOf(t, nil, failing("find", jig.EffectRead, &jig.ToolError{Text: "a\xffb"})).
		Call(t.Context(), jig.Call{Name: "find"})
	require.Equal(t, "a\ufffdb", broken.Text())
}

// TestToolErrorCodeIsNoSentinel lets an author use a code that jig uses too.
func TestToolErrorCodeIsNoSentinel(t *testing.T) {
	got := registryOf(t, nil, failing("find", jig.EffectRead, &jig.ToolError{Text: "No.", Code: "no_approver"})).
		Call(t.Context(), jig.Call{Name: "find"})
	require.Equal(t, "no_approver", got.Code)
	require.NotErrorIs(t, got.Err, jig.ErrDenied)
}

func TestErrorfHidesErrors(t *testing.T) {
	pathErr := &fs.PathError{Op: "open", Path: "hunter2", Err: fs.ErrNotExist}
	for _, test := range []struct {
		format, want string
		args         []any
	}{
		{"Order %s: %w.", "Order 7: [error].", []any{"7", errPassword}},
		{"Order %s: %v.", "Order 7: [error].", []any{"7", errPassword}},
		{"Order %s: %d.", "Order 7: [error].", []any{"7", errPassword}},
		{"Order %s: %+q.", "Order 7: [error].", []any{"7", errPassword}},
		{"Order %[2]s: %[1]v.", "Order 7: [error].", []any{errPassword, "7"}},
		{"%w and %w", "[error] and [error]", []any{io.EOF, errPassword}},
		{"%v", "[error]", []any{[]error{io.EOF, errPassword}}},
		{"%v", "[error]", []any{fmt.Errorf("outer: %w", errPassword)}},
		{"none", "none%!(EXTRA jig.hiddenError=[error])", []any{errPassword}},
	} {
		t.Run(test.format, func(t *testing.T) {
			err := jig.Errorf(test.format, test.args...)
			require.ErrorIs(t, err, errPassword)
			authored, ok := errors.AsType[*jig.ToolError](err)
			require.True(t, ok)
			require.Equal(t, test.want, authored.Text)
			require.True(t, authored.Retryable)
		})
	}
	err := jig.Errorf("Cannot open it: %v", pathErr)
	found, ok := errors.AsType[*fs.PathError](err)
	require.True(t, ok)
	require.Same(t, pathErr, found)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.Contains(t, err.Error(), "hunter2") // for the host

	got := registryOf(t, nil, failing("open", jig.EffectRead, err)).Call(t.Context(), jig.Call{Name: "open"})
	require.Equal(t, "Cannot open it: [error]", got.Text())
	require.Equal(t, "tool_error", got.Code)
	require.True(t, got.Retryable)
	require.Equal(t, jig.StatusFailed, got.Status)
}

type (
	pointerError struct{ text string }
	sliceError   []string
	mapError     map[string]string
	funcError    func() string
)

func (e *pointerError) Error() string { return e.text } // panics for nil
func (e sliceError) Error() string    { return e[0] }
func (e mapError) Error() string      { return e["x"] }
func (e funcError) Error() string     { return e() }

func TestTypedNilErrorIsNoError(t *testing.T) {
	for name, err := range map[string]error{
		"pointer": (*pointerError)(nil), "slice": sliceError(nil), "map": mapError(nil),
		"func": funcError(nil), "tool error": (*jig.ToolError)(nil),
	} {
		got := registryOf(t, nil, failing("find", jig.EffectRead, err)).Call(t.Context(), jig.Call{Name: "find"})
		require.Equal(t, "half done", got.Text(), name)
		require.Equal(t, jig.StatusOK, got.Status, name)
		require.NoError(t, got.Err, name)
	}
	empty := registryOf(t, nil, failing("find", jig.EffectRead, sliceError{})).Call(t.Context(), jig.Call{Name: "find"})
	require.Equal(t, jig.StatusFailed, empty.Status) // empty is not nil
}

func TestTypedNilErrorInsideAnother(t *testing.T) {
	wrapped := fmt.Errorf("find: %w", (*jig.ToolError)(nil))
	got := registryOf(t, nil, failing("find", jig.EffectRead, wrapped)).Call(t.Context(), jig.Call{Name: "find"})
	require.Equal(t, "error", got.Code)
	require.ErrorIs(t, got.Err, wrapped)
	require.Equal(t, "<nil>", (*jig.ToolError)(nil).Error())
}

// rudeError panics in each method that errors.Is and errors.As call.
type rudeError struct{}

func (rudeError) Error() string { panic("Error") }
func (rudeError) Is(error) bool { panic("Is") }
func (rudeError) As(any) bool   { panic("As") }
func (rudeError) Unwrap() error { panic("Unwrap") }

func TestErrorWhoseMethodsPanic(t *testing.T) {
	got := registryOf(t, nil, failing("find", jig.EffectRead, rudeError{})).Call(t.Context(), jig.Call{Name: "find"})
	require.Equal(t, "find failed; the details are not available here. Reference: "+got.Ref+".", got.Text())
	require.Equal(t, "error", got.Code)
}

func TestCodesByErrorsIs(t *testing.T) {
	inner := registryOf(t, nil, failing("inner", jig.EffectRead, nil))
	panicked := registryOf(t, nil, runOf("inner", func(context.Context, struct{}) (string, error) { panic("x") })).
		Call(t.Context(), jig.Call{Name: "inner"})
	unknown := inner.Call(t.Context(), jig.Call{Name: "gone"})
	for _, test := range []struct {
		name, code string
		err        error
		is         error
	}{
		{"plain", "error", errPassword, errPassword},
		{"deadline", "timeout", fmt.Errorf("a: %w", fmt.Errorf("b: %w", context.DeadlineExceeded)), jig.ErrTimeout},
		{"own timeout", "timeout", errors.Join(io.EOF, jig.ErrTimeout), jig.ErrTimeout},
		{"cancelled", "cancelled", fmt.Errorf("a: %w", context.Canceled), context.Canceled},
		{"panic of a nested call", "panic", fmt.Errorf("a: %w", panicked.Err), jig.ErrPanic},
		{"nested call of an unknown tool", "error", unknown.Err, jig.ErrUnknownTool},
		{"authored over a deadline", "tool_error", jig.Errorf("Later: %w", context.DeadlineExceeded),
			context.DeadlineExceeded},
		{"authored over a panic", "tool_error", jig.Errorf("Sorry: %w", panicked.Err), jig.ErrPanic},
		{"the text alone", "error", errors.New("context deadline exceeded"), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := registryOf(t, nil, failing("find", jig.EffectRead, test.err))
			for _, ctx := range []context.Context{t.Context(), context.Background()} {
				got := r.Call(ctx, jig.Call{Name: "find"})
				require.Equal(t, test.code, got.Code)
				require.ErrorIs(t, got.Err, test.err)
				if test.is != nil {
					require.ErrorIs(t, got.Err, test.is)
				}
				failed, ok := errors.AsType[*jig.CallError](got.Err)
				require.True(t, ok)
				require.Equal(t, "find", failed.Tool)
				require.Equal(t, "execute", failed.Stage)
			}
		})
	}
}

func TestCallErrorQuotesWhatAModelChose(t *testing.T) {
	var r jig.Registry
	got := r.Call(t.Context(), jig.Call{Name: "a\nlevel=INFO msg=fine"})
	require.Equal(t, `"a\nlevel=INFO msg=fine": resolve: unknown tool`, got.Err.Error())
	require.ErrorIs(t, got.Err, jig.ErrUnknownTool)
}
