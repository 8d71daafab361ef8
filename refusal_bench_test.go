//go:build unix

package jig_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// BenchmarkRefusal measures what it takes to refuse a call with all that is wrong with it, in units of
// what encoding/json takes to accept the same arguments.
func BenchmarkRefusal(b *testing.B) {
	reg := benchRegistry(b)
	for _, r := range refusals() {
		call := func() jig.Outcome {
			return reg.Call(context.Background(), jig.Call{ID: "c1", Name: r.tool, Args: r.text})
		}
		require.Equal(b, jig.StatusInvalid, call().Status)
		require.NoError(b, r.accept(r.text))
		b.Run(r.name, ratio(func() { call() }, func() { _ = r.accept(r.text) }))
	}
}
