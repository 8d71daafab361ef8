package jig_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

func TestApprovalWithoutAnApprover(t *testing.T) {
	const denial = "pay needs the approval of a person, and nobody can be asked here. It was not run. " +
		"Do not call it again; tell the user."
	for _, test := range []struct {
		approval jig.Approval
		denied   bool
	}{
		{jig.ApprovalUnset, false},
		{jig.ApprovalNever, false},
		{jig.ApprovalRequester, true},
		{jig.ApprovalAlways, true},
	} {
		t.Run(test.approval.String(), func(t *testing.T) {
			var runs atomic.Int64
			tool := jig.MustDefine(jig.Spec[struct{}, string]{
				Name: "pay", Description: "Call it in tests.", Effect: jig.EffectWrite, Approval: test.approval,
				Execute: func(context.Context, struct{}) (string, error) {
					runs.Add(1)
					return "paid", nil
				},
			})
			for _, o := range []jig.Outcome{
				registryOf(t, nil, tool).Call(t.Context(), jig.Call{Name: "pay"}),
				tool.Call(t.Context(), nil), // the floor holds for the tool alone too
			} {
				if !test.denied {
					require.Equal(t, "paid", o.Text())
					continue
				}
				require.Equal(t, denial, o.Text())
				require.Equal(t, jig.StatusDenied, o.Status)
				require.Equal(t, "no_approver", o.Code)
				require.False(t, o.Retryable)
				require.Zero(t, o.Attempts)
				require.ErrorIs(t, o.Err, jig.ErrDenied)
				require.Zero(t, runs.Load())
			}
		})
	}
}

func TestEffectAndApprovalNames(t *testing.T) {
	require.Equal(t, jig.EffectUnknown, jig.Effect(0))
	require.Equal(t, jig.ApprovalUnset, jig.Approval(0))
	for effect, want := range map[jig.Effect]string{
		jig.EffectUnknown: "unknown", jig.EffectRead: "read", jig.EffectWrite: "write",
		jig.EffectDestructive: "destructive", jig.EffectExternalMessage: "external-message",
		jig.Effect(9): "Effect(9)",
	} {
		require.Equal(t, want, effect.String())
	}
	for approval, want := range map[jig.Approval]string{
		jig.ApprovalUnset: "unset", jig.ApprovalNever: "never", jig.ApprovalRequester: "requester",
		jig.ApprovalAlways: "always", jig.Approval(9): "Approval(9)",
	} {
		require.Equal(t, want, approval.String())
	}
}
