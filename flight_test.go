package jig

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

type keptText struct{ text string }

func (k *keptText) UnmarshalText(b []byte) error { k.text = string(b); return nil }
func (k keptText) MarshalText() ([]byte, error)  { return []byte(k.text), nil }

// Places for arguments are used again only where no method of others has seen them, and are zero then.
func TestArgumentsPlaces(t *testing.T) {
	type plain struct{ Name string }
	type custom struct{ Name keptText }
	on := func(tool *Tool) bool { return *tool.pureArgs }
	require.True(t, on(MustDefine(Spec[plain, string]{Name: "a", Description: "d",
		Execute: func(context.Context, plain) (string, error) { return "", nil }})))
	require.False(t, on(MustDefine(Spec[custom, string]{Name: "a", Description: "d",
		Execute: func(context.Context, custom) (string, error) { return "", nil }})))

	var pool argsPool[plain]
	pool.on = true
	place := &plain{"x"}
	require.Equal(t, plain{"x"}, pool.take(place))
	require.Zero(t, *place)
	require.Zero(t, *pool.get())
}

// Nothing of refused arguments is left in the place that later ones are read into.
func TestRefusedArgumentsPlace(t *testing.T) {
	type args struct {
		Names []string `json:"names,omitempty"`
		Count int      `json:"count" jsonschema:"minimum=1"`
	}
	var got args
	tool := MustDefine(Spec[args, string]{Name: "a", Description: "d",
		Execute: func(_ context.Context, a args) (string, error) { got = a; return "", nil }})
	for range 10 {
		refused := tool.Call(t.Context(), []byte(`{"names":["x","y"],"count":0}`))
		require.Equal(t, StatusInvalid, refused.Status)
		require.Equal(t, StatusOK, tool.Call(t.Context(), []byte(`{"count":2}`)).Status)
		require.Equal(t, args{Count: 2}, got)
	}
}
