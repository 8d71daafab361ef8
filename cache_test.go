package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/artifact"
)

// mapCache is a cache without an end.
type mapCache struct {
	mu     sync.Mutex
	values map[string]json.RawMessage
	ttl    time.Duration
	get    func() error
	set    func() error
}

func (c *mapCache) Get(_ context.Context, key string) (json.RawMessage, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.get != nil {
		if err := c.get(); err != nil {
			return nil, err
		}
	}
	return c.values[key], nil
}

func (c *mapCache) Set(_ context.Context, key string, value json.RawMessage, ttl time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.set != nil {
		if err := c.set(); err != nil {
			return err
		}
	}
	if c.values == nil {
		c.values = map[string]json.RawMessage{}
	}
	c.values[key], c.ttl = value, ttl
	return nil
}

type cacheResult struct {
	Order  string `json:"order"`
	Amount int    `json:"amount"`
	Secret string `json:"secret" jig:"redact"`
	Hidden string `json:"hidden" jig:"hidden"`
}

// cacheSpec is a read that counts its runs.
func cacheSpec(runs *int) jig.Spec[payArgs, cacheResult] {
	return jig.Spec[payArgs, cacheResult]{
		Name: "get", Description: "Call it in tests.", Effect: jig.EffectRead, CacheTTL: time.Minute,
		Execute: func(_ context.Context, args payArgs) (cacheResult, error) {
			*runs++
			return cacheResult{args.Order, *runs, "hunter2", "hunter2"}, nil
		},
	}
}

func getCall(args string) jig.Call { return jig.Call{ID: "1", Name: "get", Args: []byte(args)} }

func TestCache(t *testing.T) {
	runs := 0
	cache := &mapCache{}
	r := registryOf(t, &jig.Options{Cache: cache}, jig.MustDefine(cacheSpec(&runs)))
	const view = `{"order":"7","amount":1,"secret":"[redacted]"}`
	first := r.Call(inRun(t, "r"), getCall(`{"order":"7"}`))
	require.Equal(t, view, first.Text())
	require.Equal(t, 1, first.Attempts)
	require.Equal(t, cacheResult{"7", 1, "hunter2", "hunter2"}, first.Value)
	require.Equal(t, time.Minute, cache.ttl)
	for key, value := range cache.values { // the final view and no more
		require.Len(t, key, 64)
		require.NotContains(t, string(value), "hunter2")
	}
	hit := r.Call(inRun(t, "another run"), getCall(`{ "order":"\u0037", "unknown": 1 }`))
	require.Equal(t, jig.StatusOK, hit.Status)
	require.Equal(t, view, hit.Text())
	require.Zero(t, hit.Attempts)
	require.Zero(t, hit.Duration)
	require.Nil(t, hit.Value)
	require.NoError(t, hit.Err)
	require.Equal(t, 1, runs)
	// A hit survives JSON too.
	prepared := r.Authorize(inRun(t, "r"), r.Prepare(getCall(`{"order":"7"}`)))
	raw, err := json.Marshal(r.Execute(t.Context(), prepared))
	require.NoError(t, err)
	var again jig.Executed
	require.NoError(t, json.Unmarshal(raw, &again))
	require.Equal(t, view, r.Render(prepared, again).Text())
	require.Equal(t, 1, runs)
}

func TestCacheKeepsTheCut(t *testing.T) {
	runs := 0
	r := registryOf(t, &jig.Options{Cache: &mapCache{}, MaxOutputBytes: 256}, jig.MustDefine(cacheSpec(&runs)))
	call := getCall(`{"order":"` + strings.Repeat("7", 300) + `"}`)
	first, hit := r.Call(inRun(t, "r"), call), r.Call(inRun(t, "r"), call)
	require.NotNil(t, first.Cut)
	require.Equal(t, first.Cut, hit.Cut)
	require.Zero(t, hit.Attempts)
}

// TestCacheKey changes one thing at a time.
func TestCacheKey(t *testing.T) {
	runs := 0
	cache := &mapCache{}
	base := jig.Caller{RunID: "r", UserID: "u", TenantID: "t", Metadata: map[string]string{"plan": "free"}}
	call := func(change func(*jig.Options, *jig.Spec[payArgs, cacheResult], *jig.Caller, *string)) {
		o, spec, caller, args := jig.Options{Cache: cache}, cacheSpec(&runs), base, `{"order":"7"}`
		if change != nil {
			change(&o, &spec, &caller, &args)
		}
		r := registryOf(t, &o, jig.MustDefine(spec))
		require.Equal(t, jig.StatusOK, r.Call(jig.WithCaller(t.Context(), caller), getCall(args)).Status)
	}
	type changing = func(*jig.Options, *jig.Spec[payArgs, cacheResult], *jig.Caller, *string)
	call(nil)
	for name, change := range map[string]changing{
		"nothing": nil,
		"run":     func(_ *jig.Options, _ *jig.Spec[payArgs, cacheResult], c *jig.Caller, _ *string) { c.RunID = "r2" },
		"description": func(_ *jig.Options, s *jig.Spec[payArgs, cacheResult], _ *jig.Caller, _ *string) {
			s.Description = "Another."
		},
	} {
		call(change)
		require.Equal(t, 1, runs, name)
	}
	want := 1
	for name, change := range map[string]changing{
		"user":     func(_ *jig.Options, _ *jig.Spec[payArgs, cacheResult], c *jig.Caller, _ *string) { c.UserID = "v" },
		"tenant":   func(_ *jig.Options, _ *jig.Spec[payArgs, cacheResult], c *jig.Caller, _ *string) { c.TenantID = "v" },
		"metadata": func(_ *jig.Options, _ *jig.Spec[payArgs, cacheResult], c *jig.Caller, _ *string) { c.Metadata = nil },
		"args": func(_ *jig.Options, _ *jig.Spec[payArgs, cacheResult], _ *jig.Caller, a *string) {
			*a = `{"order":"8"}`
		},
		"project": func(_ *jig.Options, s *jig.Spec[payArgs, cacheResult], _ *jig.Caller, _ *string) {
			s.Project = []string{"order"}
		},
		"redact": func(_ *jig.Options, s *jig.Spec[payArgs, cacheResult], _ *jig.Caller, _ *string) {
			s.Redact = []string{"order"}
		},
		"tool's cap": func(_ *jig.Options, s *jig.Spec[payArgs, cacheResult], _ *jig.Caller, _ *string) {
			s.MaxOutputBytes = 300
		},
		"cap": func(o *jig.Options, _ *jig.Spec[payArgs, cacheResult], _ *jig.Caller, _ *string) {
			o.MaxOutputBytes = 400
		},
		"tokens": func(o *jig.Options, _ *jig.Spec[payArgs, cacheResult], _ *jig.Caller, _ *string) {
			o.MaxOutputTokens = 100
		},
		"overflow": func(_ *jig.Options, s *jig.Spec[payArgs, cacheResult], _ *jig.Caller, _ *string) {
			s.Overflow = jig.OverflowError
		},
		"schema": func(_ *jig.Options, s *jig.Spec[payArgs, cacheResult], _ *jig.Caller, _ *string) { s.Strict = true },
		"retry": func(_ *jig.Options, s *jig.Spec[payArgs, cacheResult], _ *jig.Caller, _ *string) {
			s.Retry = jig.RetrySafe
		},
	} {
		call(change)
		want++
		require.Equal(t, want, runs, name)
		call(change)
		require.Equal(t, want, runs, name)
	}
}

// TestCacheServesReadsOnly has what is never kept.
func TestCacheServesReadsOnly(t *testing.T) {
	for name, change := range map[string]func(*jig.Spec[payArgs, cacheResult]){
		"write":   func(s *jig.Spec[payArgs, cacheResult]) { s.Effect = jig.EffectWrite },
		"unknown": func(s *jig.Spec[payArgs, cacheResult]) { s.Effect = jig.EffectUnknown },
		"no TTL":  func(s *jig.Spec[payArgs, cacheResult]) { s.CacheTTL = 0 },
		"error": func(s *jig.Spec[payArgs, cacheResult]) {
			run := s.Execute
			s.Execute = func(ctx context.Context, a payArgs) (cacheResult, error) {
				out, _ := run(ctx, a)
				return out, errors.New("no")
			}
		},
		"output": func(s *jig.Spec[payArgs, cacheResult]) {
			s.ToModelOutput = func(context.Context, cacheResult) (jig.Output, error) {
				return jig.Output{}, errors.New("no")
			}
		},
		"stored": func(s *jig.Spec[payArgs, cacheResult]) {
			s.Overflow, s.MaxOutputBytes = jig.OverflowStore, 256
			s.ToModelOutput = func(context.Context, cacheResult) (jig.Output, error) {
				return jig.Text(strings.Repeat("x", 1000)), nil
			}
		},
		"a handle in the text": func(s *jig.Spec[payArgs, cacheResult]) {
			s.ToModelOutput = func(context.Context, cacheResult) (jig.Output, error) {
				return jig.JSON(map[string]string{"at": "art:ABCDEFGHIJKLMNOPQRSTUVWXYZ"})
			}
		},
		"attachments": func(s *jig.Spec[payArgs, cacheResult]) {
			run := s.Execute
			s.Execute = func(ctx context.Context, a payArgs) (cacheResult, error) {
				jig.Attach(ctx, jig.Attachment{Name: "a"})
				return run(ctx, a)
			}
		},
	} {
		runs := 0
		spec := cacheSpec(&runs)
		change(&spec)
		cache := &mapCache{}
		r := registryOf(t, &jig.Options{Cache: cache, Artifacts: artifact.NewMemory(nil)}, jig.MustDefine(spec))
		for range 2 {
			require.Positive(t, r.Call(inRun(t, "r"), getCall(`{"order":"7"}`)).Attempts, name)
		}
		require.Equal(t, 2, runs, name)
		require.Empty(t, cache.values, name)
	}
}

// TestCacheStandsBehindTheGate asks for every call whether it may run.
func TestCacheStandsBehindTheGate(t *testing.T) {
	runs, checks := 0, 0
	spec := cacheSpec(&runs)
	spec.Check = func(context.Context, payArgs) error {
		if checks++; checks > 1 {
			return jig.Errorf("no more")
		}
		return nil
	}
	r := registryOf(t, &jig.Options{Cache: &mapCache{}}, jig.MustDefine(spec))
	require.Equal(t, jig.StatusOK, r.Call(t.Context(), getCall(`{"order":"7"}`)).Status)
	require.Equal(t, jig.StatusInvalid, r.Call(t.Context(), getCall(`{"order":"7"}`)).Status)
}

func TestCacheStoreFails(t *testing.T) {
	fail := func() error { return errors.New("down") }
	panics := func() error { panic("store") }
	for _, test := range []struct {
		name  string
		cache *mapCache
		want  string
		runs  int
	}{
		{"get", &mapCache{get: fail}, "ok ", 2},
		{"set", &mapCache{set: fail}, "ok ", 2},
		{"get panics", &mapCache{get: panics}, "failed panic", 0},
		{"set panics", &mapCache{set: panics}, "failed panic", 2},
		{"not ours", &mapCache{}, "ok ", 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			runs := 0
			r := registryOf(t, &jig.Options{Cache: test.cache}, jig.MustDefine(cacheSpec(&runs)))
			for range 2 {
				o := r.Call(t.Context(), getCall(`{"order":"7"}`))
				require.Equal(t, test.want, string(o.Status)+" "+o.Code)
				for key := range test.cache.values {
					test.cache.values[key] = json.RawMessage(`{"v":1,"output":{},"attempts":1}`)
				}
			}
			require.Equal(t, test.runs, runs)
		})
	}
}
