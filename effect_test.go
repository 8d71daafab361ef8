package jig_test

import (
	"context"
	"encoding/json"
	"fmt"
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

func TestEffectApprovalAndRetryNames(t *testing.T) {
	require.Equal(t, jig.EffectUnknown, jig.Effect(0))
	require.Equal(t, jig.ApprovalUnset, jig.Approval(0))
	require.Equal(t, jig.RetryUnset, jig.Retry(0))
	testNames(t, []string{"unknown", "read", "write", "destructive", "external-message"}, "Effect(9)",
		`jig: effect: got "Read", want one of unknown, read, write, destructive, external-message`,
		jig.EffectUnknown, jig.EffectRead, jig.EffectWrite, jig.EffectDestructive,
		jig.EffectExternalMessage, jig.Effect(9))
	testNames(t, []string{"unset", "never", "requester", "always"}, "Approval(9)",
		`jig: approval: got "Read", want one of unset, never, requester, always`,
		jig.ApprovalUnset, jig.ApprovalNever, jig.ApprovalRequester, jig.ApprovalAlways, jig.Approval(9))
	testNames(t, []string{"unset", "never", "idempotent", "safe"}, "Retry(9)",
		`jig: retry: got "Read", want one of unset, never, idempotent, safe`,
		jig.RetryUnset, jig.RetryNever, jig.RetryIdempotent, jig.RetrySafe, jig.Retry(9))
}

// testNames checks that the values have the names, in String, as text and as keys of JSON, and that
// nothing else is read. The last value has no name.
func testNames[T interface {
	comparable
	fmt.Stringer
}](t *testing.T, names []string, nameless, wrong string, values ...T) {
	t.Helper()
	for i, v := range values[:len(names)] {
		require.Equal(t, names[i], v.String())
		text, err := json.Marshal(map[T]T{v: v})
		require.NoError(t, err)
		require.Equal(t, `{"`+names[i]+`":"`+names[i]+`"}`, string(text))
		var back map[T]T
		require.NoError(t, json.Unmarshal(text, &back))
		require.Equal(t, map[T]T{v: v}, back)
	}
	last := values[len(names)]
	require.Equal(t, nameless, last.String())
	_, err := json.Marshal(last)
	require.ErrorContains(t, err, "got the number 9, want at most")
	require.EqualError(t, json.Unmarshal([]byte(`"Read"`), &last), wrong)
	require.Equal(t, values[0], last) // what could not be read claims nothing
	require.Error(t, json.Unmarshal([]byte(`""`), &last))
	require.Error(t, json.Unmarshal([]byte(`1`), &last))
}

// TestEffectsAreIndependent defines a tool for each combination, and finds each fact as it was given.
func TestEffectsAreIndependent(t *testing.T) {
	seen := map[string]bool{}
	for effect := range jig.EffectExternalMessage + 1 {
		for approval := range jig.ApprovalAlways + 1 {
			for retry := range jig.RetrySafe + 1 {
				tool := jig.MustDefine(jig.Spec[struct{}, string]{
					Name: "probe", Description: "Call it in tests.", Effect: effect, Approval: approval,
					Retry: retry, Execute: func(context.Context, struct{}) (string, error) { return "", nil },
				})
				require.Equal(t, effect, tool.Effect())
				require.Equal(t, approval, tool.Approval())
				require.Equal(t, retry, tool.Retry())
				require.Equal(t, effect == jig.EffectRead, jig.ReadOnly(tool))
				require.False(t, seen[tool.Fingerprint()])
				seen[tool.Fingerprint()] = true
			}
		}
	}
	require.Len(t, seen, 5*4*4)
}

func TestTagsAreTheHostsOwn(t *testing.T) {
	tags := []string{"money", "eu"}
	tool := jig.MustDefine(jig.Spec[struct{}, string]{
		Name: "pay", Description: "Call it in tests.", Tags: tags, Retry: jig.RetrySafe,
		Execute: func(context.Context, struct{}) (string, error) { return "", nil },
	})
	tags[0] = "changed"
	tool.Tags()[1] = "changed"
	require.Equal(t, []string{"money", "eu"}, tool.Tags())
	for d := range registryOf(t, nil, tool).Definitions() {
		require.Equal(t, []string{"money", "eu"}, d.Tags)
		require.Equal(t, jig.RetrySafe, d.Retry)
	}
	untagged := jig.MustDefine(jig.Spec[struct{}, string]{
		Name: "pay", Description: "Call it in tests.", Retry: jig.RetrySafe,
		Execute: func(context.Context, struct{}) (string, error) { return "", nil },
	})
	require.Equal(t, untagged.Fingerprint(), tool.Fingerprint())

	_, err := jig.Define(jig.Spec[struct{}, string]{
		Name: "pay", Description: "Call it in tests.", Retry: 7,
		Execute: func(context.Context, struct{}) (string, error) { return "", nil },
	})
	require.ErrorContains(t, err, "Retry: got Retry(7), want one of the Retry constants")
}
