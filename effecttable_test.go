package jig_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

const effectTable = "docs/effects.md"

const effectTableHead = `# What effect, approval and retry do

Each cell is what a test saw a tool do that has these three facts, under CautiousPolicy, with an
approver that allows, a retry policy and a cache. The three facts are independent: no cell follows from
another row by rule.

- **parallel**: two calls of one turn run at the same time.
- **asked**: a person is asked before the call runs.
- **retried**: a call that fails in passing is made again. *with key*: only by a tool that reads its
  idempotency key.
- **cached**: a second call with the same arguments runs nothing, where CacheTTL is set.
- **read-only view**: the tool is in Filter(ReadOnly).

| effect | approval | retry | parallel | asked | retried | cached | read-only view |
|---|---|---|---|---|---|---|---|
`

// TestEffectTable tries every combination of effect, approval and retry, and compares what happens
// with the table in the docs.
func TestEffectTable(t *testing.T) {
	var table strings.Builder
	table.WriteString(effectTableHead)
	for effect := jig.EffectUnknown; effect <= jig.EffectExternalMessage; effect++ {
		for approval := jig.ApprovalUnset; approval <= jig.ApprovalAlways; approval++ {
			for retry := jig.RetryUnset; retry <= jig.RetrySafe; retry++ {
				facts := jig.Spec[struct{}, string]{Effect: effect, Approval: approval, Retry: retry}
				fmt.Fprintf(&table, "| %s | %s | %s | %s |\n", effect, approval, retry,
					strings.Join([]string{yes(runsInParallel(t, facts)), yes(isAsked(t, facts)),
						isRetried(t, facts), yes(isCached(t, facts)), yes(isReadOnly(t, facts))}, " | "))
			}
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(effectTable, []byte(table.String()), 0o644))
	}
	want, err := os.ReadFile(effectTable)
	require.NoError(t, err)
	require.Equal(t, string(want), table.String(), "if the change is meant, run: go test -run EffectTable -update .")
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// counter is an Approver that allows and counts how often it was asked.
type counter struct{ asked atomic.Int64 }

func (c *counter) Approve(context.Context, jig.ApprovalRequest) jig.Decision {
	c.asked.Add(1)
	return jig.Allow()
}

// tryEffects makes a registry with one tool of these facts.
func tryEffects(
	t *testing.T, spec jig.Spec[struct{}, string], options *jig.Options,
	execute func(context.Context) (string, error),
) (context.Context, *jig.Registry, *counter) {
	t.Helper()
	spec.Name, spec.Description, spec.CacheTTL = "probe", "Probes.", time.Minute
	spec.Execute = func(ctx context.Context, _ struct{}) (string, error) { return execute(ctx) }
	asked := &counter{}
	options.Policy, options.Approver = jig.CautiousPolicy, asked
	r := jig.NewRegistry(options)
	require.NoError(t, r.Add(jig.MustDefine(spec)))
	return jig.WithCaller(t.Context(), jig.Caller{RunID: "run", UserID: "ann"}), r, asked
}

func runsInParallel(t *testing.T, spec jig.Spec[struct{}, string]) (parallel bool) {
	synctest.Test(t, func(t *testing.T) {
		ctx, r, _ := tryEffects(t, spec, &jig.Options{}, func(context.Context) (string, error) {
			time.Sleep(time.Second)
			return "done", nil
		})
		start := time.Now()
		for _, o := range r.CallAll(ctx, []jig.Call{{ID: "a", Name: "probe"}, {ID: "b", Name: "probe"}}) {
			require.NoError(t, o.Err)
		}
		parallel = time.Since(start) == time.Second
	})
	return parallel
}

func isAsked(t *testing.T, spec jig.Spec[struct{}, string]) bool {
	ctx, r, asked := tryEffects(t, spec, &jig.Options{}, func(context.Context) (string, error) {
		return "done", nil
	})
	require.NoError(t, r.Call(ctx, jig.Call{ID: "a", Name: "probe"}).Err)
	return asked.asked.Load() > 0
}

func isRetried(t *testing.T, spec jig.Spec[struct{}, string]) string {
	attempts := func(readsKey bool) (n int) {
		synctest.Test(t, func(t *testing.T) {
			ctx, r, _ := tryEffects(t, spec, &jig.Options{Retry: jig.RetryPolicy{MaxAttempts: 2}},
				func(ctx context.Context) (string, error) {
					if readsKey {
						_ = jig.CallInfo(ctx).IdempotencyKey()
					}
					return "", &jig.ToolError{Text: "Try later.", Transient: true}
				})
			n = r.Call(ctx, jig.Call{ID: "a", Name: "probe"}).Attempts
		})
		return n
	}
	switch {
	case attempts(false) == 2:
		return "yes"
	case attempts(true) == 2:
		return "with key"
	}
	return "no"
}

func isCached(t *testing.T, spec jig.Spec[struct{}, string]) bool {
	ctx, r, _ := tryEffects(t, spec, &jig.Options{Cache: &mapCache{}}, func(context.Context) (string, error) {
		return "done", nil
	})
	require.NoError(t, r.Call(ctx, jig.Call{ID: "a", Name: "probe"}).Err)
	return r.Call(ctx, jig.Call{ID: "b", Name: "probe"}).Attempts == 0
}

func isReadOnly(t *testing.T, spec jig.Spec[struct{}, string]) bool {
	_, r, _ := tryEffects(t, spec, &jig.Options{}, func(context.Context) (string, error) { return "", nil })
	_, ok := r.Filter(jig.ReadOnly).Lookup("probe")
	return ok
}
