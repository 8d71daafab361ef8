package jig_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// named returns a tool that answers with its canonical name.
func named(name string) *jig.Tool {
	return runOf(name, func(ctx context.Context, _ struct{}) (string, error) {
		return jig.CallInfo(ctx).Tool(), nil
	})
}

func namesOf(r *jig.Registry) []string {
	names := []string{}
	for t := range r.All() {
		names = append(names, t.Name())
	}
	return names
}

func TestZeroRegistry(t *testing.T) {
	var r jig.Registry
	require.Empty(t, namesOf(&r))
	require.Empty(t, slices.Collect(r.Definitions()))
	_, ok := r.Lookup("read")
	require.False(t, ok)
	require.Equal(t, "unknown_tool", r.Call(t.Context(), jig.Call{Name: "read"}).Code)
	require.NoError(t, r.Add(named("read")))
	require.Equal(t, "read", r.Call(t.Context(), jig.Call{Name: "read"}).Text())
	require.Equal(t, jig.Options{}, r.Options())
	require.NoError(t, r.Add())
}

func TestGroup(t *testing.T) {
	refund := named("refund")
	var r jig.Registry
	require.NoError(t, r.Group("billing", refund))
	require.NoError(t, r.Add(refund)) // bare beside grouped
	require.NoError(t, r.Group("billing", named("void")))
	require.NoError(t, r.Group("shop", refund))
	require.Equal(t, []string{"billing.refund", "refund", "billing.void", "shop.refund"}, namesOf(&r))
	require.Equal(t, "refund", refund.Name()) // the group has a copy
	for _, name := range namesOf(&r) {
		require.Equal(t, name, r.Call(t.Context(), jig.Call{Name: name}).Text())
	}
	grouped, ok := r.Lookup("billing.refund")
	require.True(t, ok)
	require.NotEqual(t, refund.Fingerprint(), grouped.Fingerprint())

	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"a group in a group", r.Group("outer", grouped), `jig: group "outer": tool "billing.refund" is in a ` +
			`group already; group the tool itself, there is one level`},
		{"no name", r.Group("", refund),
			`jig: group: got the name "", want one that matches ^[A-Za-z_][A-Za-z0-9_-]{0,63}$`},
		{"a dot", r.Group("a.b", refund),
			`jig: group: got the name "a.b", want one that matches ^[A-Za-z_][A-Za-z0-9_-]{0,63}$`},
		{"nil", r.Group("billing", nil), `jig: group "billing": a tool is nil or was not made by Define`},
		{"zero", r.Group("billing", &jig.Tool{}), `jig: group "billing": a tool is nil or was not made by Define`},
	} {
		require.EqualError(t, test.err, test.want, test.name)
	}
}

func TestRegistryMethodsTogether(t *testing.T) {
	var r jig.Registry
	require.NoError(t, r.Add(named("first")))
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() { _ = r.Add(named(fmt.Sprint("tool_", i))) })
		wait.Go(func() { _ = r.Group("group", named(fmt.Sprint("tool_", i))) })
		for range 20 {
			wait.Go(func() {
				require.Equal(t, "first", r.Call(t.Context(), jig.Call{Name: "First"}).Text())
				tool, ok := r.Lookup("first")
				require.True(t, ok)
				require.Equal(t, "first", tool.Name())
				require.Equal(t, "first", namesOf(r.With(nil))[0])
				require.Len(t, namesOf(r.Filter(func(t *jig.Tool) bool { return t.Name() == "first" })), 1)
				for d := range r.Definitions() {
					require.NotEmpty(t, d.Name)
				}
				r.CallAll(t.Context(), []jig.Call{{Name: "tool_1"}, {Name: "group.tool_2"}, {Name: "gone"}})
			})
		}
	}
	wait.Wait()
	require.Len(t, namesOf(&r), 17)
}

func TestViews(t *testing.T) {
	r := jig.NewRegistry(&jig.Options{MaxOutputBytes: 1000, Timeout: time.Minute, Key: []byte("k")})
	require.NoError(t, r.Add(named("a"), named("b")))
	filtered := r.Filter(func(t *jig.Tool) bool { return t.Name() != "b" })
	view := r.With(&jig.Options{MaxOutputBytes: 300})
	plain := r.With(nil)
	require.NoError(t, r.Add(named("c")))
	require.Equal(t, []string{"a", "b", "c"}, namesOf(r))
	require.Equal(t, []string{"a"}, namesOf(filtered))
	require.Equal(t, []string{"a", "b", "c"}, namesOf(view))
	require.Equal(t, []string{"a", "b", "c"}, namesOf(plain))
	require.NoError(t, view.Add(named("d")), "a view adds to the same tools")
	require.Equal(t, []string{"a", "b", "c", "d"}, namesOf(r))
	require.NoError(t, filtered.Add(named("b")), "a filtered registry has its own")
	require.Equal(t, 1000, r.Options().MaxOutputBytes)
	require.Equal(t, r.Options(), filtered.Options())
	require.Equal(t, 300, view.Options().MaxOutputBytes)
	require.Equal(t, jig.Options{}, plain.Options())
	require.Equal(t, `unknown tool: "b"; the tools are "a"`,
		r.Filter(func(t *jig.Tool) bool { return t.Name() == "a" }).
			Call(t.Context(), jig.Call{Name: "b"}).Text())
}

func TestOptionsAreCopied(t *testing.T) {
	given := &jig.Options{Key: []byte("key")}
	r := jig.NewRegistry(given)
	given.Key[0] = 'X'
	r.Options().Key[0] = 'Y'
	require.Equal(t, "key", string(r.Options().Key))
}

func TestDefinitionsStop(t *testing.T) {
	var r jig.Registry
	require.NoError(t, r.Add(named("a"), named("b")))
	for d := range r.Definitions() {
		require.Equal(t, "a", d.Name)
		break
	}
}
