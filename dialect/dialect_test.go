package dialect

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// TestDialectsCompare shows that dialects can be compared and be keys.
func TestDialectsCompare(t *testing.T) {
	seen := map[Dialect]bool{}
	for _, d := range all() {
		require.False(t, seen[d], d)
		seen[d] = true
	}
	require.True(t, seen[OpenAIChat] && seen[Ollama])
}

// TestZeroDialect shows that the zero Dialect says what it is, and what to use.
func TestZeroDialect(t *testing.T) {
	var zero Dialect
	r := alone(t, plain(t, "look", false))
	require.Empty(t, zero.String())
	for name, use := range map[string]func(){
		"Tools":   func() { _, _, _ = zero.Tools(r) },
		"Choice":  func() { _, _ = zero.Choice(r, Auto) },
		"Turn":    func() { _, _ = zero.Turn(r, json.RawMessage(`{}`)) },
		"Stream":  func() { zero.Stream(r) },
		"Results": func() { zero.Results([]jig.Outcome{{}}) },
		"Resumed": func() { zero.Resumed(jig.Outcome{}) },
	} {
		require.PanicsWithValue(t, "jig/dialect: the zero Dialect is none; use one of this package's, "+
			"such as dialect.OpenAIChat", use, name)
	}
}

// TestErrorsNameTheDialect shows that every error says once which dialect it is of.
func TestErrorsNameTheDialect(t *testing.T) {
	r := wireRegistry(t)
	for _, d := range all() {
		s := d.Stream(r)
		_, turn := d.Turn(r, json.RawMessage(`7`))
		_, choice := d.Choice(r, Only("nothing"))
		_, _, tools := d.Tools(r, Loose("nothing"))
		for _, err := range []error{turn, choice, tools, s.Add(json.RawMessage(`7`))} {
			require.ErrorContains(t, err, "jig/dialect: "+d.name+": ")
			require.Equal(t, 1, strings.Count(err.Error(), "jig/dialect"), err)
		}
	}
}
