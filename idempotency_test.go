package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

type payArgs struct {
	Order  string  `json:"order"`
	Amount float64 `json:"amount,omitempty"`
	Note   string  `json:"note,omitempty"`
	Item   struct {
		SKU string `json:"sku,omitempty"`
	} `json:"item,omitzero"`
}

// paySpec is a tool that returns its idempotency key.
func paySpec() jig.Spec[payArgs, string] {
	return jig.Spec[payArgs, string]{
		Name: "pay", Description: "Call it in tests.", Effect: jig.EffectWrite,
		Execute: func(ctx context.Context, _ payArgs) (string, error) {
			return jig.CallInfo(ctx).IdempotencyKey(), nil
		},
	}
}

func inRun(t testing.TB, run string) context.Context {
	return jig.WithCaller(t.Context(), jig.Caller{RunID: run, UserID: "u"})
}

func TestIdempotencyKey(t *testing.T) {
	r := registryOf(t, nil, jig.MustDefine(paySpec()))
	key := func(run, id, args string) string {
		o := r.Call(inRun(t, run), jig.Call{ID: id, Name: "pay", Args: []byte(args)})
		require.Equal(t, jig.StatusOK, o.Status, o.Text())
		return o.Text()
	}
	const args = `{"order":"7","amount":5}`
	first := key("r", "1", args)
	require.Len(t, first, 64)
	for _, same := range []string{args, `{ "amount": 5.0, "order": "\u0037" }`, `{"order":"7","amount":"5"}`,
		`{"order":"7","amount":5e0,"other":true}`} {
		require.Equal(t, first, key("r", "1", same), same)
	}
	seen := map[string]string{first: args}
	for _, other := range []string{`{"order":"8","amount":5}`, `{"order":"7"}`, `{"order":"7","amount":5.01}`,
		`{"order":"7","amount":5,"item":{"sku":"a"}}`, `{"order":"7","amount":5,"item":{"sku":"b"}}`} {
		got := key("r", "1", other)
		require.NotContains(t, seen, got, other)
		seen[got] = other
	}
	require.NotContains(t, seen, key("r2", "1", args))
	require.NotContains(t, seen, key("r", "2", args))
	// No run, or no id: another key for each call.
	for _, unknown := range [][2]string{{"", "1"}, {"r", ""}} {
		a, b := key(unknown[0], unknown[1], args), key(unknown[0], unknown[1], args)
		require.NotEmpty(t, a)
		require.NotEqual(t, a, b)
	}
}

// TestIdempotencyKeyIsSealed takes calls to another process, where the key is the same.
func TestIdempotencyKeyIsSealed(t *testing.T) {
	options := &jig.Options{Key: []byte("0123456789abcdef")}
	r, elsewhere := registryOf(t, options, jig.MustDefine(paySpec())), registryOf(t, options, jig.MustDefine(paySpec()))
	for _, run := range []string{"", "r"} {
		prepared := r.Authorize(inRun(t, run), r.Prepare(jig.Call{ID: "1", Name: "pay", Args: []byte(`{"order":"7"}`)}))
		raw, err := json.Marshal(prepared)
		require.NoError(t, err)
		var again jig.Prepared
		require.NoError(t, json.Unmarshal(raw, &again))
		first := r.Render(prepared, r.Execute(t.Context(), prepared))
		require.Equal(t, jig.StatusOK, first.Status)
		require.NotEmpty(t, first.Text())
		require.Equal(t, first.Text(), elsewhere.Render(again, elsewhere.Execute(t.Context(), again)).Text())
		require.Equal(t, first.Text(), r.Render(prepared, r.Execute(t.Context(), prepared)).Text())
		reauthorized := elsewhere.Authorize(inRun(t, run), again)
		require.Equal(t, first.Text(),
			elsewhere.Render(reauthorized, elsewhere.Execute(t.Context(), reauthorized)).Text())
	}
}

func TestKeyFields(t *testing.T) {
	spec := paySpec()
	spec.KeyFields = []string{"order", "item"}
	r := registryOf(t, nil, jig.MustDefine(spec))
	key := func(args string) string {
		o := r.Call(inRun(t, "r"), jig.Call{ID: "1", Name: "pay", Args: []byte(args)})
		require.Equal(t, jig.StatusOK, o.Status, o.Text())
		return o.Text()
	}
	first := key(`{"order":"7"}`)
	require.Equal(t, first, key(`{"order":"7","amount":3,"note":"again"}`))
	require.NotEqual(t, first, key(`{"order":"8"}`))
	require.NotEqual(t, first, key(`{"order":"7","item":{"sku":"a"}}`))

	spec.KeyFields = []string{"order", "Order", "order", ""}
	_, err := jig.Define(spec)
	var e *jig.DefineError
	require.ErrorAs(t, err, &e)
	require.Equal(t, []jig.Problem{
		{Pointer: "KeyFields[1]", Message: `the arguments have no property "Order"; want the name of one, as in JSON`},
		{Pointer: "KeyFields[2]", Message: `names "order" again`},
		{Pointer: "KeyFields[3]", Message: `the arguments have no property ""; want the name of one, as in JSON`},
	}, e.Problems)
}

func TestInfoOutsideAnAttempt(t *testing.T) {
	require.Zero(t, jig.CallInfo(t.Context()).Attempt())
	require.Empty(t, jig.CallInfo(t.Context()).IdempotencyKey())
	var inCheck string
	spec := paySpec()
	spec.Check = func(ctx context.Context, _ payArgs) error {
		inCheck = jig.CallInfo(ctx).IdempotencyKey()
		require.Zero(t, jig.CallInfo(ctx).Attempt())
		return nil
	}
	o := registryOf(t, nil, jig.MustDefine(spec)).Call(t.Context(), jig.Call{Name: "pay", Args: []byte(`{"order":"7"}`)})
	require.Equal(t, inCheck, o.Text())
	require.NotEmpty(t, inCheck)
}

// A keyCache is a cache that asks for the key of the call that it is asked for.
type keyCache struct{ keys []string }

func (c *keyCache) Get(ctx context.Context, _ string) (json.RawMessage, error) {
	c.keys = append(c.keys, jig.CallInfo(ctx).IdempotencyKey())
	return nil, nil
}

func (c *keyCache) Set(ctx context.Context, _ string, _ json.RawMessage, _ time.Duration) error {
	return nil
}

// TestContextsKeepTheirCall whatever a policy or an approver makes of it.
func TestContextsKeepTheirCall(t *testing.T) {
	rewrite := jig.Rewrite(json.RawMessage(`{"order":"8"}`))
	for name, options := range map[string]func(see func(context.Context)) *jig.Options{
		"a policy": func(see func(context.Context)) *jig.Options {
			return &jig.Options{Policy: func(ctx context.Context, _ jig.PolicyRequest) jig.Decision {
				see(ctx)
				return rewrite
			}}
		},
		"an approver": func(see func(context.Context)) *jig.Options {
			edited := false
			return &jig.Options{
				Policy: func(context.Context, jig.PolicyRequest) jig.Decision { return jig.Ask() },
				Approver: approving(func(ctx context.Context, _ jig.ApprovalRequest) jig.Decision {
					if edited {
						return jig.Allow()
					}
					edited = true
					see(ctx)
					return rewrite
				}),
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			said := func(ctx context.Context) []string {
				info := jig.CallInfo(ctx)
				return []string{string(info.Args()), string(info.Call().Args), info.IdempotencyKey()}
			}
			var kept context.Context
			var before []string
			see := func(ctx context.Context) { kept, before = ctx, said(ctx) }
			r := registryOf(t, options(see), runOf("pay", func(_ context.Context, a payArgs) (string, error) {
				return a.Order, nil
			}))
			o := r.Call(t.Context(), jig.Call{Name: "pay", Args: []byte(`{"order":"7"}`)})
			require.Equal(t, "8", o.Text())
			require.Equal(t, []string{`{"order":"7"}`, `{"order":"7"}`}, before[:2])
			require.Equal(t, before, said(kept))
		})
	}
}

// TestKeyIsOneForAll who ask while a call is made, before the tool and after it, where no key can be derived.
func TestKeyIsOneForAll(t *testing.T) {
	t.Run("an approver and the tool, after an edit", func(t *testing.T) {
		var asked []string
		approve := func(ctx context.Context, _ jig.ApprovalRequest) jig.Decision {
			if asked = append(asked, jig.CallInfo(ctx).IdempotencyKey()); len(asked) == 1 {
				return jig.Rewrite(json.RawMessage(`{"order":"8"}`))
			}
			return jig.Allow()
		}
		spec := paySpec()
		spec.Approval = jig.ApprovalAlways
		r := registryOf(t, &jig.Options{Approver: approving(approve)}, jig.MustDefine(spec))
		o := r.Call(t.Context(), jig.Call{Name: "pay", Args: []byte(`{"order":"7"}`)})
		require.Len(t, asked, 2)
		require.NotEmpty(t, asked[0])
		require.NotEqual(t, asked[0], asked[1], "it is another call")
		require.Equal(t, asked[1], o.Text())
	})
	t.Run("a cache and the tool", func(t *testing.T) {
		cache, spec := &keyCache{}, paySpec()
		spec.Effect, spec.CacheTTL = jig.EffectRead, time.Hour
		r := registryOf(t, &jig.Options{Cache: cache}, jig.MustDefine(spec))
		o := r.Call(t.Context(), jig.Call{Name: "pay", Args: []byte(`{"order":"7"}`)})
		require.NotEmpty(t, o.Text())
		require.Equal(t, []string{o.Text()}, cache.keys)
	})
	t.Run("the tool and its undo", func(t *testing.T) {
		var inUndo string
		for _, asks := range []bool{true, false} {
			inExecute, spec := "", paySpec()
			spec.Execute = func(ctx context.Context, _ payArgs) (string, error) {
				if asks {
					inExecute = jig.CallInfo(ctx).IdempotencyKey()
				}
				return "", errors.Join(errors.New("broken"), jig.UndoWith(ctx, 1))
			}
			spec.Undo = func(ctx context.Context, _ payArgs, _ json.RawMessage) error {
				inUndo = jig.CallInfo(ctx).IdempotencyKey()
				return nil
			}
			registryOf(t, nil, jig.MustDefine(spec)).Call(t.Context(), jig.Call{Name: "pay", Args: []byte(`{"order":"7"}`)})
			require.NotEmpty(t, inUndo)
			require.True(t, !asks || inExecute == inUndo)
		}
	})
}

// TestCheckOfAnInnerCall is no part of the attempt of the tool that makes the call.
func TestCheckOfAnInnerCall(t *testing.T) {
	var attempt int
	var inner, outer string
	spec := paySpec()
	spec.Check = func(ctx context.Context, _ payArgs) error {
		attempt, inner = jig.CallInfo(ctx).Attempt(), jig.CallInfo(ctx).IdempotencyKey()
		jig.Attach(ctx, jig.Attachment{Name: "stray"})
		return nil
	}
	pays := registryOf(t, nil, jig.MustDefine(spec))
	r := registryOf(t, nil, runOf("shop", func(ctx context.Context, _ struct{}) (string, error) {
		outer = jig.CallInfo(ctx).IdempotencyKey()
		return pays.Call(ctx, jig.Call{Name: "pay", Args: []byte(`{"order":"7"}`)}).Text(), nil
	}))
	o := r.Call(t.Context(), jig.Call{Name: "shop"})
	require.Zero(t, attempt)
	require.Equal(t, o.Text(), inner)
	require.NotEqual(t, outer, inner)
	require.Empty(t, o.Attachments)
}

// TestKeyIsOneForAllGoroutines of a tool, and for one that asks when the call has ended.
func TestKeyIsOneForAllGoroutines(t *testing.T) {
	var keys [8]string
	var late sync.WaitGroup
	ended := make(chan struct{})
	spec := paySpec()
	spec.Execute = func(ctx context.Context, _ payArgs) (string, error) {
		var all sync.WaitGroup
		for i := range keys[:4] {
			all.Go(func() {
				jig.Attach(ctx, jig.Attachment{Name: "a"})
				keys[i] = jig.CallInfo(ctx).IdempotencyKey()
			})
			late.Go(func() {
				<-ended
				keys[4+i] = jig.CallInfo(ctx).IdempotencyKey()
			})
		}
		all.Wait()
		return "", nil
	}
	o := registryOf(t, nil, jig.MustDefine(spec)).Call(t.Context(), jig.Call{Name: "pay", Args: []byte(`{"order":"7"}`)})
	close(ended)
	late.Wait()
	require.Len(t, o.Attachments, 4)
	require.NotEmpty(t, keys[0])
	for _, key := range keys {
		require.Equal(t, keys[0], key)
	}
}
