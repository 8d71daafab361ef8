package jig_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

func TestHints(t *testing.T) {
	const unset, no, yes = jig.HintUnset, jig.HintFalse, jig.HintTrue
	tests := []struct {
		effect jig.Effect
		retry  jig.Retry
		want   jig.Hints
	}{
		{jig.EffectUnknown, jig.RetryUnset, jig.Hints{}},
		{jig.EffectRead, jig.RetryUnset, jig.Hints{ReadOnly: yes}},
		{jig.EffectRead, jig.RetrySafe, jig.Hints{ReadOnly: yes, Idempotent: yes}},
		{jig.EffectWrite, jig.RetryIdempotent, jig.Hints{ReadOnly: no, Destructive: no, Idempotent: yes}},
		{jig.EffectDestructive, jig.RetryNever, jig.Hints{ReadOnly: no, Destructive: yes, Idempotent: no}},
		{jig.EffectExternalMessage, jig.RetryUnset,
			jig.Hints{ReadOnly: no, Destructive: unset, OpenWorld: yes}},
	}
	for _, tt := range tests {
		tool := jig.MustDefine(jig.Spec[struct{}, jig.NoResult]{
			Name: "x", Description: "X.", Effect: tt.effect, Retry: tt.retry,
			Execute: func(context.Context, struct{}) (jig.NoResult, error) { return jig.NoResult{}, nil },
		})
		require.Equal(t, tt.want, tool.Hints(), "%s %s", tt.effect, tt.retry)
	}
	require.Equal(t, "unset false true", unset.String()+" "+no.String()+" "+yes.String())
}
