package main

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden in testdata")

func TestAgent(t *testing.T) {
	const name = "testdata/output.golden"
	var first, second bytes.Buffer
	require.NoError(t, agent(t.Context(), &first))
	require.NoError(t, agent(t.Context(), &second))
	require.Equal(t, first.String(), second.String(), "two runs differ")
	require.NotContains(t, first.String(), "4111")
	if *update {
		require.NoError(t, os.WriteFile(name, first.Bytes(), 0o644))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(want), first.String(), "if the change is meant, run: go test ./examples/agentloop -update")
}
