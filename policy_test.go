package jig_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// kindOf returns a tool with an effect and an approval that says what it got.
func kindOf(name string, effect jig.Effect, approval jig.Approval, tags ...string) *jig.Tool {
	return jig.MustDefine(jig.Spec[anyArgs, string]{
		Name: name, Description: "Call it in tests.", Effect: effect, Approval: approval, Tags: tags,
		Execute: func(ctx context.Context, _ anyArgs) (string, error) {
			return string(jig.CallInfo(ctx).Args()), nil
		},
	})
}

// approving is an Approver of one function.
type approving func(context.Context, jig.ApprovalRequest) jig.Decision

func (a approving) Approve(ctx context.Context, r jig.ApprovalRequest) jig.Decision { return a(ctx, r) }

// asked returns an Approver that allows and counts.
func asked(requests *[]jig.ApprovalRequest) approving {
	return func(_ context.Context, r jig.ApprovalRequest) jig.Decision {
		*requests = append(*requests, r)
		return jig.Allow()
	}
}

func deciding(d jig.Decision) jig.Policy {
	return func(context.Context, jig.PolicyRequest) jig.Decision { return d }
}

func TestCautiousPolicy(t *testing.T) {
	asks := map[jig.Effect]bool{jig.EffectUnknown: true, jig.EffectDestructive: true,
		jig.EffectExternalMessage: true}
	for effect := range jig.EffectExternalMessage + 1 {
		for approval := range jig.ApprovalAlways + 1 {
			tool := kindOf("probe", effect, approval)
			want := "allow"
			if asks[effect] && approval != jig.ApprovalNever {
				want = "ask"
			}
			got := jig.CautiousPolicy(t.Context(), jig.PolicyRequest{Tool: tool})
			require.Equal(t, want, got.String(), "%s %s", effect, approval)
		}
	}
}

// TestApprovalIsAFloor shows for every approval, and everything that a policy says, who is asked.
func TestApprovalIsAFloor(t *testing.T) {
	const nobody = "nobody"
	for _, test := range []struct {
		policy jig.Policy
		name   string
		want   [4]string // by approval: who is asked, or nobody
	}{
		{nil, "none", [4]string{nobody, nobody, "requester", "always"}},
		{deciding(jig.Allow()), "allow", [4]string{nobody, nobody, "requester", "always"}},
		{deciding(jig.Ask()), "ask", [4]string{"unset", "unset", "requester", "always"}},
		{deciding(jig.Rewrite(json.RawMessage(`{"v":2}`))), "rewrite",
			[4]string{nobody, nobody, "requester", "always"}},
		{jig.CautiousPolicy, "cautious", [4]string{"unset", nobody, "requester", "always"}},
	} {
		for approval := range jig.ApprovalAlways + 1 {
			var requests []jig.ApprovalRequest
			tool := kindOf("probe", jig.EffectDestructive, approval)
			options := &jig.Options{Policy: test.policy, Approver: asked(&requests)}
			ctx := jig.WithCaller(t.Context(), jig.Caller{UserID: "ann"})
			call := jig.Call{ID: "1", Name: "probe", Args: []byte(`{"v":1}`)}
			o := registryOf(t, options, tool).Call(ctx, call)
			require.Equal(t, jig.StatusOK, o.Status, "%s %s: %s", test.name, approval, o.Text())
			who := nobody
			if len(requests) > 0 {
				who = requests[0].Who.String()
			}
			require.Equal(t, test.want[approval], who, "%s %s", test.name, approval)
			require.LessOrEqual(t, len(requests), 1)

			// Without an Approver what would be asked is denied.
			o = registryOf(t, &jig.Options{Policy: test.policy}, tool).Call(ctx, call)
			require.Equal(t, who != nobody, o.Status == jig.StatusDenied, "%s %s", test.name, approval)
		}
	}
}

func TestRequesterNeedsAUser(t *testing.T) {
	var requests []jig.ApprovalRequest
	r := registryOf(t, &jig.Options{Approver: asked(&requests)},
		kindOf("probe", jig.EffectWrite, jig.ApprovalRequester))
	o := r.Call(jig.WithCaller(t.Context(), jig.Caller{RunID: "r", TenantID: "t"}), jig.Call{Name: "probe"})
	require.Equal(t, "no_approver", o.Code)
	require.Empty(t, requests)
	o = r.Call(jig.WithCaller(t.Context(), jig.Caller{UserID: "ann"}), jig.Call{Name: "probe"})
	require.Equal(t, jig.StatusOK, o.Status)
	require.Equal(t, "ann", requests[0].Caller.UserID)
}

// TestEachCallIsAskedAfresh grants nothing for later.
func TestEachCallIsAskedAfresh(t *testing.T) {
	var requests []jig.ApprovalRequest
	r := registryOf(t, &jig.Options{Approver: asked(&requests)},
		kindOf("probe", jig.EffectWrite, jig.ApprovalAlways))
	for range 3 {
		r.Call(t.Context(), jig.Call{ID: "1", Name: "probe"})
	}
	require.Len(t, requests, 3)
	prepared := r.Authorize(t.Context(), r.Prepare(jig.Call{ID: "1", Name: "probe"}))
	r.Authorize(t.Context(), prepared) // one that was authorized is, too
	require.Len(t, requests, 5)
}

func TestWhenAndItsPredicates(t *testing.T) {
	read := kindOf("look", jig.EffectRead, jig.ApprovalUnset, "eu")
	write := kindOf("pay", jig.EffectWrite, jig.ApprovalUnset, "money", "eu")
	unknown := kindOf("odd", jig.EffectUnknown, jig.ApprovalUnset)
	for _, test := range []struct {
		name    string
		applies func(*jig.Tool) bool
		want    []*jig.Tool
	}{
		{"read", jig.ReadOnly, []*jig.Tool{read}},
		{"effect", jig.HasEffect(jig.EffectWrite, jig.EffectUnknown), []*jig.Tool{write, unknown}},
		{"no effect", jig.HasEffect(), nil},
		{"tag", jig.HasTag("money"), []*jig.Tool{write}},
		{"tags", jig.HasTag("eu", "us"), []*jig.Tool{read, write}},
		{"name", jig.HasName("odd", "pa"), []*jig.Tool{unknown}},
	} {
		for _, tool := range []*jig.Tool{read, write, unknown} {
			want := "allow"
			for _, hit := range test.want {
				if hit == tool {
					want = "deny"
				}
			}
			got := jig.When(test.applies, jig.Deny("no"))(t.Context(), jig.PolicyRequest{Tool: tool})
			require.Equal(t, want, got.String(), "%s %s", test.name, tool.Name())
		}
	}
	require.Equal(t, "allow", jig.ReadOnlyPolicy(t.Context(), jig.PolicyRequest{Tool: read}).String())
	require.Equal(t, "deny", jig.ReadOnlyPolicy(t.Context(), jig.PolicyRequest{Tool: write}).String())
	require.Equal(t, "deny", jig.ReadOnlyPolicy(t.Context(), jig.PolicyRequest{Tool: unknown}).String())
}

func TestAllOf(t *testing.T) {
	two := json.RawMessage(`{ "v": 2.0 }`)
	var seen string
	sees := func(_ context.Context, r jig.PolicyRequest) jig.Decision {
		seen += string(r.Args)
		return jig.Allow()
	}
	for _, test := range []struct {
		name     string
		policies []jig.Policy
		want     string // the decision
		seen     string // by the last policy
	}{
		{"nothing", nil, "allow", ""},
		{"nil", []jig.Policy{nil, sees}, "allow", `{"v":1}`},
		{"allow", []jig.Policy{deciding(jig.Allow()), sees}, "allow", `{"v":1}`},
		{"deny ends it", []jig.Policy{deciding(jig.Deny("no")), sees}, "deny", ""},
		{"zero ends it", []jig.Policy{deciding(jig.Decision{}), sees}, "deny", ""},
		{"a ticket ends it", []jig.Policy{deciding(jig.Pending("x")), sees}, "pending", ""},
		{"ask, then allow", []jig.Policy{deciding(jig.Ask()), sees}, "ask", `{"v":1}`},
		{"ask, then deny", []jig.Policy{deciding(jig.Ask()), deciding(jig.Deny(""))}, "deny", ""},
		{"rewrite", []jig.Policy{deciding(jig.Rewrite(two)), sees}, "rewrite", `{"v":2}`},
		{"rewrite, then ask", []jig.Policy{deciding(jig.Rewrite(two)), deciding(jig.Ask()), sees}, "ask",
			`{"v":2}`},
		{"ask, then rewrite", []jig.Policy{deciding(jig.Ask()), deciding(jig.Rewrite(two)), sees}, "ask",
			`{"v":2}`},
		{"rewrite, then deny", []jig.Policy{deciding(jig.Rewrite(two)), deciding(jig.Deny(""))}, "deny", ""},
		{"an invalid rewrite ends it", []jig.Policy{deciding(jig.Rewrite(json.RawMessage(`{`))), sees},
			"rewrite", ""},
		{"no rewrite ends it", []jig.Policy{deciding(jig.Rewrite(nil)), sees}, "rewrite", ""},
		{"nested", []jig.Policy{jig.AllOf(deciding(jig.Rewrite(two)), deciding(jig.Ask())), sees}, "ask",
			`{"v":2}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			seen = ""
			tool := kindOf("probe", jig.EffectRead, jig.ApprovalUnset)
			got := jig.AllOf(test.policies...)(t.Context(), jig.PolicyRequest{Tool: tool, Args: []byte(`{"v":1}`)})
			require.Equal(t, test.want, got.String())
			require.Equal(t, test.seen, seen)

			// And what then runs is what the last policy saw.
			var requests []jig.ApprovalRequest
			o := registryOf(t, &jig.Options{Policy: jig.AllOf(test.policies...), Approver: asked(&requests)}, tool).
				Call(t.Context(), jig.Call{Name: "probe", Args: []byte(`{"v":1}`)})
			require.Equal(t, test.want == "ask", len(requests) == 1)
			if test.seen != "" {
				require.Equal(t, test.seen, o.Text())
			} else if len(test.policies) > 0 {
				require.Equal(t, jig.StatusDenied, o.Status)
			}
		})
	}
	reasons := jig.AllOf(deciding(jig.Ask().Because("first")), deciding(jig.Ask().Because("second")))
	var requests []jig.ApprovalRequest
	registryOf(t, &jig.Options{Policy: reasons, Approver: asked(&requests)},
		kindOf("probe", jig.EffectRead, jig.ApprovalUnset)).Call(t.Context(), jig.Call{Name: "probe"})
	require.Equal(t, "first", requests[0].Reason)
}

func TestFilterReadOnly(t *testing.T) {
	all := registryOf(t, nil, kindOf("look", jig.EffectRead, jig.ApprovalUnset),
		kindOf("pay", jig.EffectWrite, jig.ApprovalUnset), kindOf("drop", jig.EffectDestructive, jig.ApprovalNever),
		kindOf("mail", jig.EffectExternalMessage, jig.ApprovalUnset), kindOf("odd", jig.EffectUnknown, jig.ApprovalUnset))
	view := all.Filter(jig.ReadOnly)
	var names []string
	for d := range view.Definitions() {
		names = append(names, d.Name)
	}
	require.Equal(t, []string{"look"}, names)
	require.Equal(t, jig.StatusOK, view.Call(t.Context(), jig.Call{Name: "look"}).Status)
	for _, name := range []string{"pay", "drop", "mail", "odd"} {
		o := view.Call(t.Context(), jig.Call{Name: name})
		require.Equal(t, "unknown_tool", o.Code)
		require.ErrorIs(t, o.Err, jig.ErrUnknownTool)
		// What the whole registry has authorized is no way around it.
		prepared := all.Authorize(t.Context(), all.Prepare(jig.Call{Name: name}))
		require.Equal(t, "not_authorized", view.Render(prepared, view.Execute(t.Context(), prepared)).Code)
	}
	require.NoError(t, all.Add(kindOf("later", jig.EffectRead, jig.ApprovalUnset)))
	require.Equal(t, "unknown_tool", view.Call(t.Context(), jig.Call{Name: "later"}).Code)
}
