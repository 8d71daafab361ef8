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
	background := context.Background()
	cancellable, cancel := context.WithCancel(background)
	defer cancel()
	for _, test := range []struct {
		name  string
		ctx   context.Context
		slots int
	}{{"here", background, 0}, {"here, with slots", background, 1}, {"on a goroutine", cancellable, 0}} {
		r := NewRegistry(nil)
		require.NoError(t, r.Add(MustDefine(Spec[struct{}, struct{}]{Name: "a", Description: "d", MaxParallel: test.slots,
			Execute: func(context.Context, struct{}) (o struct{}, err error) { return o, nil }})))
		x, args := r.begin(Call{Name: "a"})
		e := executed{attempt: attempt{args: args}}
		require.NotNil(t, args)
		made := r.execute(test.ctx, r.authorize(test.ctx, &x.prepared), x, &e)
		require.Equal(t, 1, made.Attempts, test.name)
		require.Nil(t, made.args, test.name)
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
