package jig_test

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// spans counts where calls enter and leave a middleware.
type spans struct {
	mu  sync.Mutex
	log []string
}

func (s *spans) add(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, line)
}

func (s *spans) middleware(next jig.Handler) jig.Handler {
	return func(ctx context.Context, c jig.Call) jig.Outcome {
		s.add("start " + c.ID)
		o := next(ctx, c)
		s.add("end " + c.ID + " " + string(o.Status))
		return o
	}
}

func (s *spans) sorted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(slices.Values(s.log))
}

func echoOf(name string) *jig.Tool {
	return runOf(name, func(_ context.Context, args pathArgs) (string, error) { return args.Path, nil })
}

func callOf(id, name, path string) jig.Call {
	return jig.Call{ID: id, Name: name, Args: []byte(`{"path":"` + path + `"}`)}
}

func TestMiddlewarePassesRewritesAndAnswers(t *testing.T) {
	secret := jig.MustDefine(jig.Spec[pathArgs, string]{Name: "secret", Description: "Call it in tests.",
		Approval: jig.ApprovalAlways,
		Execute:  func(context.Context, pathArgs) (string, error) { return "leaked", nil }})
	var order []string
	around := func(name string, change func(*jig.Call)) jig.Middleware {
		return func(next jig.Handler) jig.Handler {
			return func(ctx context.Context, c jig.Call) jig.Outcome {
				order = append(order, name)
				change(&c)
				if c.Name == "answer" {
					return jig.Outcome{CallID: "other", Status: jig.StatusOK, Output: jig.Text("mine")}
				}
				return next(ctx, c)
			}
		}
	}
	tests := []struct {
		name, want string
		change     func(*jig.Call)
	}{
		{"pass", "1 echo ok  a", func(*jig.Call) {}},
		{"rewrite the arguments", "1 echo ok  b", func(c *jig.Call) { c.Args = []byte(`{"path":"b"}`) }},
		{"rewrite to invalid ones", "1 echo invalid invalid_arguments", func(c *jig.Call) { c.Args = []byte(`{}`) }},
		{"rewrite to a tool that needs approval", "1 secret denied no_approver",
			func(c *jig.Call) { c.Name = "secret" }},
		{"rewrite the id", "1 echo ok  a", func(c *jig.Call) { c.ID = "2" }},
		{"answer", "1 echo ok  mine", func(c *jig.Call) { c.Name = "answer" }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			order = nil
			r := registryOf(t, &jig.Options{Middleware: []jig.Middleware{
				around("outer", func(*jig.Call) {}), nil, around("inner", test.change)}}, echoOf("echo"), secret)
			o := r.Call(t.Context(), callOf("1", "echo", "a"))
			got := fmt.Sprintf("%s %s %s %s %s", o.CallID, o.Tool, o.Status, o.Code, o.Text())
			require.True(t, strings.HasPrefix(got, test.want), "got %s, want %s", got, test.want)
			require.Equal(t, []string{"outer", "inner"}, order)
			require.Equal(t, o.IsError(), o.Err != nil)
		})
	}
}

func TestWhatMiddlewareReturnsIsAnOutcome(t *testing.T) {
	tests := []struct {
		name string
		give jig.Outcome
		want string
		err  error
	}{
		{"too long", jig.Outcome{Status: jig.StatusOK, Output: jig.Text(strings.Repeat("x", 400))},
			"echo ok  256", nil},
		{"no status", jig.Outcome{Output: jig.Text("hm")}, "echo failed middleware 2", nil},
		{"denied", jig.Outcome{Status: jig.StatusDenied, Code: "closed", Output: jig.Text("no")},
			"echo denied closed 2", jig.ErrDenied},
		{"its own error", jig.Outcome{Status: jig.StatusSkipped, Err: jig.ErrSkipped}, "echo skipped  11",
			jig.ErrSkipped},
		{"ok with an error", jig.Outcome{Status: jig.StatusOK, Err: jig.ErrSkipped, Retryable: true},
			"echo ok  11", nil},
		{"two kinds in a part", jig.Outcome{Status: jig.StatusOK, Output: jig.Output{Parts: []jig.Part{
			{Text: "raw result", JSON: []byte("1")}}}}, "echo failed output 73", jig.ErrOutput},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := registryOf(t, &jig.Options{MaxOutputBytes: 256, Middleware: []jig.Middleware{
				func(jig.Handler) jig.Handler {
					return func(context.Context, jig.Call) jig.Outcome { return test.give }
				}}}, echoOf("echo"))
			o := r.Call(t.Context(), callOf("1", "echo", "a"))
			require.Equal(t, test.want, fmt.Sprintf("%s %s %s %d", o.Tool, o.Status, o.Code, len(o.Text())))
			require.Equal(t, "1", o.CallID)
			require.Equal(t, o.IsError(), o.Err != nil)
			require.False(t, o.Retryable)
			if test.err != nil {
				require.ErrorIs(t, o.Err, test.err)
			}
			require.NotContains(t, o.Text(), "raw")
		})
	}
}

func TestMiddlewarePanics(t *testing.T) {
	logger, lines := logTo()
	write := jig.MustDefine(jig.Spec[pathArgs, string]{Name: "write", Description: "Call it in tests.",
		Execute: func(context.Context, pathArgs) (string, error) { return "ok", nil }})
	var outer, inner spans
	r := registryOf(t, &jig.Options{Logger: logger, Middleware: []jig.Middleware{outer.middleware,
		func(next jig.Handler) jig.Handler {
			return func(ctx context.Context, c jig.Call) jig.Outcome {
				if c.ID == "fine" {
					return next(ctx, c)
				}
				if c.ID == "exit" {
					runtime.Goexit()
				}
				panic("secret of the middleware")
			}
		}, inner.middleware}}, echoOf("echo"), write)
	o := r.Call(jig.WithCaller(t.Context(), jig.Caller{RunID: "run"}), callOf("1", "write", "a"))
	require.Equal(t, "write failed; the details are not available here. It is unknown whether it took "+
		"effect: check before you call it again. Reference: "+o.Ref+".", o.Text())
	require.Equal(t, "panic", o.Code)
	require.ErrorIs(t, o.Err, jig.ErrPanic)
	require.ErrorContains(t, o.Err, "secret of the middleware")
	require.Contains(t, lines.String(), o.Ref)
	require.NotContains(t, lines.String(), "secret of")

	var got []string
	for _, o := range r.CallAll(t.Context(), []jig.Call{callOf("1", "echo", "a"),
		callOf("fine", "echo", "a"), callOf("exit", "echo", "a"), callOf("fine", "write", "a")}) {
		got = append(got, o.CallID+" "+string(o.Status)+" "+o.Code)
	}
	require.Equal(t, []string{"1 failed panic", "fine ok ", "exit failed panic", "fine ok "}, got)
	require.Equal(t, []string{"end fine ok", "end fine ok", "start fine", "start fine"}, inner.sorted())
	// Those outside get an outcome; only where the goroutine ends is there nothing to return to.
	require.Equal(t, []string{"end 1 failed", "end 1 failed", "end fine ok", "end fine ok", "start 1",
		"start 1", "start exit", "start fine", "start fine"}, outer.sorted())
}

func TestLogCalls(t *testing.T) {
	logger, lines := logTo()
	r := registryOf(t, &jig.Options{Middleware: []jig.Middleware{jig.LogCalls(logger)}},
		echoOf("echo"), runOf("fail", func(context.Context, pathArgs) (string, error) {
			return "raw", fmt.Errorf("password")
		}))
	r.CallAll(t.Context(), []jig.Call{callOf("1", "echo", "visible"), callOf("2", "fail", "visible"),
		{ID: "3", Name: "forged\nline"}})
	text := lines.String()
	require.Equal(t, 3, strings.Count(text, "\n"))
	require.Contains(t, text, "\"call\":\"1\",\"tool\":\"echo\",\"status\":\"ok\"")
	require.Contains(t, text, "\"call\":\"2\",\"tool\":\"fail\",\"status\":\"failed\",\"code\":\"error\"")
	require.Contains(t, text, "\"args_bytes\":18,\"output_bytes\":7")
	for _, hidden := range []string{"visible", "password", "raw"} {
		require.NotContains(t, text, hidden)
	}
	// A handler that panics costs neither the call nor the process.
	broken := registryOf(t, &jig.Options{Middleware: []jig.Middleware{jig.LogCalls(
		slog.New(brokenHandler{}))}}, echoOf("echo"))
	require.Equal(t, "a", broken.Call(t.Context(), callOf("1", "echo", "a")).Text())
}

type brokenHandler struct{ slog.Handler }

func (brokenHandler) Enabled(context.Context, slog.Level) bool { panic("broken") }

// TestBrokenMiddlewareNamesWhatWasCalled where no tool was found.
func TestBrokenMiddlewareNamesWhatWasCalled(t *testing.T) {
	r := registryOf(t, &jig.Options{Middleware: []jig.Middleware{func(jig.Handler) jig.Handler {
		return func(context.Context, jig.Call) jig.Outcome { panic("broken") }
	}}}, jig.MustDefine(paySpec()))
	for name, want := range map[string]string{"pay": "pay", "Pay": "pay", "refund": "refund"} {
		require.Equal(t, want, r.Call(t.Context(), jig.Call{Name: name}).Tool)
	}
}
