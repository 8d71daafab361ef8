package jig

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWaitsKeepNothing of the call that they were for.
func TestWaitsKeepNothing(t *testing.T) {
	w := waits.New().(*wait)
	w.reply, w.x, w.ctx, w.args, w.done = reply{value: 1}, &execution{}, context.Background(), 1, make(chan struct{})
	w.state.Store(waitOver)
	w.free()
	require.Zero(t, w.reply)
	require.Nil(t, w.x)
	require.Nil(t, w.ctx)
	require.Nil(t, w.args)
	require.Nil(t, w.done)
	require.Equal(t, waitNew, w.state.Load())
}

// TestExecutedKeepsNoArguments of the call: the tool got them.
func TestExecutedKeepsNoArguments(t *testing.T) {
	r := NewRegistry(nil)
	require.NoError(t, r.Add(MustDefine(Spec[struct{}, struct{}]{Name: "a", Description: "d",
		Execute: func(context.Context, struct{}) (o struct{}, err error) { return o, nil }})))
	background := context.Background()
	cancellable, cancel := context.WithCancel(background)
	defer cancel()
	for _, ctx := range []context.Context{background, cancellable} {
		p := r.Authorize(ctx, r.Prepare(Call{Name: "a"}))
		require.NotNil(t, p.p.args.value)
		e := r.Execute(ctx, p)
		require.Equal(t, 1, e.e.Attempts)
		require.Nil(t, e.e.args)
	}
}

// TestShapeLaterContainsPanics as run does, though no code of others runs in it.
func TestShapeLaterContainsPanics(t *testing.T) {
	tool := MustDefine(Spec[struct{}, struct{ N int }]{Name: "a", Description: "d",
		Execute: func(context.Context, struct{}) (o struct{ N int }, err error) { return o, nil }})
	a := attempt{reply: reply{value: "not a struct"}}
	a.shapeLater(t.Context(), &prepared{owner: &Registry{}, tool: tool})
	require.True(t, a.panicked)
	require.Error(t, a.err)
}
