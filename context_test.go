package jig_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// logTo returns a logger and what it has written.
func logTo() (*slog.Logger, *lockedBuffer) {
	b := &lockedBuffer{}
	return slog.New(slog.NewJSONHandler(b, nil)), b
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

var _ io.Writer = (*lockedBuffer)(nil)

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func TestCallInfo(t *testing.T) {
	type hostKey struct{}
	caller := jig.Caller{RunID: "run-1", UserID: "ann", TenantID: "acme",
		Metadata: map[string]string{"plan": "pro"}}
	see := func(ctx context.Context) string {
		info := jig.CallInfo(ctx)
		require.Equal(t, caller, info.Caller())
		info.Caller().Metadata["plan"] = "changed" // a copy
		require.Equal(t, "call-7", info.CallID())
		require.Equal(t, "crm.look_up", info.Tool())
		require.Equal(t, `{"path":"p"}`, string(info.Args()))
		require.Equal(t, "value of the host", ctx.Value(hostKey{}))
		return "seen"
	}
	tool := jig.MustDefine(jig.Spec[pathArgs, string]{
		Name: "look_up", Description: "Call it in tests.",
		Execute:       func(ctx context.Context, _ pathArgs) (string, error) { return see(ctx), nil },
		ToModelOutput: func(ctx context.Context, _ string) (jig.Output, error) { return jig.Text(see(ctx)), nil },
	})
	var r jig.Registry
	require.NoError(t, r.Group("crm", tool))
	given := jig.Caller{RunID: "run-1", UserID: "ann", TenantID: "acme",
		Metadata: map[string]string{"plan": "pro"}}
	ctx := jig.WithCaller(context.WithValue(t.Context(), hostKey{}, "value of the host"), given)
	given.Metadata["plan"] = "changed" // WithCaller has a copy
	o := r.Call(ctx, jig.Call{ID: "call-7", Name: "crm.look_up", Args: []byte(`{"path":"p"}`)})
	require.Equal(t, "seen", o.Text())
}

func TestCallInfoElsewhereIsZero(t *testing.T) {
	info := jig.CallInfo(t.Context())
	require.Equal(t, jig.Caller{}, info.Caller())
	require.Empty(t, info.CallID())
	require.Empty(t, info.Tool())
	require.Nil(t, info.Args())
}

func TestCallInfoOfANestedCall(t *testing.T) {
	var r jig.Registry
	inner := runOf("inner", func(ctx context.Context, args pathArgs) (string, error) {
		return jig.CallInfo(ctx).Tool() + " for " + jig.CallInfo(ctx).Caller().UserID, nil
	})
	outer := runOf("outer", func(ctx context.Context, _ struct{}) (string, error) {
		o := r.Call(ctx, jig.Call{Name: "inner", Args: []byte(`{"path":"x"}`)})
		return o.Text() + " in " + jig.CallInfo(ctx).Tool(), o.Err
	})
	require.NoError(t, r.Add(inner, outer))
	ctx := jig.WithCaller(t.Context(), jig.Caller{UserID: "ann"})
	require.Equal(t, "inner for ann in outer", r.Call(ctx, jig.Call{Name: "outer"}).Text())
}

func TestCallerIsFixedByAuthorize(t *testing.T) {
	r := registryOf(t, nil, runOf("who", func(ctx context.Context, _ struct{}) (string, error) {
		return jig.CallInfo(ctx).Caller().UserID, nil
	}))
	prepared := r.Authorize(jig.WithCaller(t.Context(), jig.Caller{UserID: "ann"}),
		r.Prepare(jig.Call{Name: "who"}))
	executed := r.Execute(jig.WithCaller(t.Context(), jig.Caller{UserID: "bob"}), prepared)
	require.Equal(t, "ann", r.Render(prepared, executed).Text())
}
