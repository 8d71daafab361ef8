package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/dialect"
)

// The table stands between these two lines of README.
const (
	tableStart = "<!-- dialect-table:start -->\n"
	tableEnd   = "<!-- dialect-table:end -->\n"
)

// TestProviders compares the table of README with what each provider makes of the tools, or rewrites
// it under -update.
func TestProviders(t *testing.T) {
	path := filepath.Join("..", "..", "README.md")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(text), tableStart)
	require.True(t, ok, "README.md has no line %q", tableStart)
	table, after, ok := strings.Cut(rest, tableEnd)
	require.True(t, ok, "README.md has no line %q", tableEnd)
	want := dialect.Table(slices.Collect(openDesk(t).All())...)
	if *update {
		text := before + tableStart + want + tableEnd + after
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return
	}
	require.Equal(t, want, table, "if the change is meant, run: go test ./examples/quickstart -update")
}
