package dialect

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// hundred returns a registry with a hundred tools.
func hundred(t testing.TB) *jig.Registry {
	t.Helper()
	r := &jig.Registry{}
	for i := range 100 {
		require.NoError(t, r.Add(sample[listArgs](t, false, fmt.Sprintf("t%d", i), "Lists.", nil)))
	}
	return r
}

// globalRegistry is no object on the heap.
var globalRegistry jig.Registry

func TestCacheSeesAdd(t *testing.T) {
	for name, r := range map[string]*jig.Registry{"heap": {}, "global": &globalRegistry} {
		t.Run(name, func(t *testing.T) {
			*r = jig.Registry{} // the global one has tools where the test ran before
			require.NoError(t, r.Add(plain(t, "a", false)))
			one, _, err := MCP.Tools(r)
			require.NoError(t, err)
			require.NoError(t, r.Add(plain(t, "b", false)))
			two, report, err := MCP.Tools(r)
			require.NoError(t, err)
			require.NotContains(t, string(one), `"b"`)
			require.Contains(t, string(two), `"b"`)
			require.Len(t, report.Costs(), 2)
		})
	}
}

// TestCacheOfViews shows that a view has its own listing.
func TestCacheOfViews(t *testing.T) {
	r := &jig.Registry{}
	require.NoError(t, r.Add(plain(t, "a", false), plain(t, "b", false)))
	whole, _, err := MCP.Tools(r)
	require.NoError(t, err)
	part, _, err := MCP.Tools(r.Filter(func(t *jig.Tool) bool { return t.Name() == "b" }))
	require.NoError(t, err)
	view := r.With(&jig.Options{MaxDepth: 3})
	same, _, err := MCP.Tools(view)
	require.NoError(t, err)
	require.Contains(t, string(whole), `"a"`)
	require.NotContains(t, string(part), `"a"`)
	require.Equal(t, string(whole), string(same))
	require.NoError(t, r.Add(plain(t, "c", false)))
	later, _, err := MCP.Tools(view)
	require.NoError(t, err)
	require.Contains(t, string(later), `"c"`)
}

// TestCacheOfOptions shows that other options have another listing, and equal ones the same.
func TestCacheOfOptions(t *testing.T) {
	r := alone(t, plain(t, "a", true))
	strict, _, err := OpenAIChat.Tools(r)
	require.NoError(t, err)
	loose, first, err := OpenAIChat.Tools(r, Loose("a"))
	require.NoError(t, err)
	require.NotEqual(t, string(strict), string(loose))
	_, second, err := OpenAIChat.Tools(r, Loose("a"))
	require.NoError(t, err)
	require.Same(t, first, second)
	for i := range 3 * maxShelf {
		p, _ := ProfileOf("openai_chat_strict")
		p.Source = fmt.Sprint(i)
		_, _, err := OpenAIChat.Tools(r, WithProfile(p))
		require.NoError(t, err)
	}
	shelvesMu.RLock()
	defer shelvesMu.RUnlock()
	require.LessOrEqual(t, len(shelves[weak.Make(r)]), maxShelf)
}

// TestCacheBytes shows that the bytes are the caller's.
func TestCacheBytes(t *testing.T) {
	r := alone(t, plain(t, "a", false))
	first, _, err := Anthropic.Tools(r)
	require.NoError(t, err)
	want := string(first)
	clear(first)
	_ = append(first[:1], 'x')
	second, _, err := Anthropic.Tools(r)
	require.NoError(t, err)
	require.Equal(t, want, string(second))
}

// TestCacheForgets shows that nothing of a registry is left when it is gone.
func TestCacheForgets(t *testing.T) {
	at := func() weak.Pointer[jig.Registry] {
		r := alone(t, plain(t, "a", false))
		_, _, err := Anthropic.Tools(r)
		require.NoError(t, err)
		return weak.Make(r)
	}()
	require.Eventually(t, func() bool {
		runtime.GC()
		shelvesMu.RLock()
		defer shelvesMu.RUnlock()
		return shelves[at] == nil
	}, 10*time.Second, time.Millisecond)
}

func TestCacheConcurrent(t *testing.T) {
	r := &jig.Registry{}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if err := r.Add(plain(t, fmt.Sprintf("t%d", i), false)); err != nil {
				t.Error(err)
			}
			for _, d := range []Dialect{MCP, Anthropic} {
				if text, _, err := d.Tools(r); err != nil || len(text) == 0 {
					t.Error(text, err)
				}
			}
		})
	}
	all.Wait()
	_, report, err := MCP.Tools(r)
	require.NoError(t, err)
	require.Len(t, report.Costs(), 8)
}

// TestCacheAllocations shows that a listing from before costs the copy of its bytes.
func TestCacheAllocations(t *testing.T) {
	r := hundred(t)
	_, _, err := Anthropic.Tools(r)
	require.NoError(t, err)
	require.LessOrEqual(t, testing.AllocsPerRun(100, func() { _, _, _ = Anthropic.Tools(r) }), 1.0)
}

func BenchmarkTools100(b *testing.B) {
	r := hundred(b)
	b.Run("first", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _, _ = Anthropic.Tools(r.With(nil))
		}
	})
	b.Run("again", func(b *testing.B) {
		_, _, _ = Anthropic.Tools(r)
		b.ReportAllocs()
		for b.Loop() {
			_, _, _ = Anthropic.Tools(r)
		}
	})
}
