package tags

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadNumber pins that a number is a JSON number, small enough to compute
// with, and comes back as it was written.
func TestReadNumber(t *testing.T) {
	tests := []struct {
		name   string
		wantOK bool
		kind   Kind
		text   string
	}{
		{"integer", true, Integer, "9007199254740993"},
		{"beyond 64 bits", true, Integer, "340282366920938463463374607431768211456"},
		{"negative zero", true, Integer, "-0"},
		{"integral fraction", true, Integer, "5.0"},
		{"integral exponent", true, Integer, "1.5e1"},
		{"fraction", false, Integer, "1.5"},
		{"fraction of a number", true, Number, "1.5"},
		{"largest float64", true, Number, "1.7976931348623157e308"},
		{"too large", false, Number, "1.8e308"},
		{"too many digits", false, Number, strings.Repeat("9", 310)},
		{"tiny", true, Number, "1e-400"},
		{"too tiny", false, Number, "1e-401"},
		{"exponent beyond int", false, Number, "1e99999999999999999999"},
		{"underscore", false, Integer, "1_000"},
		{"point first", false, Number, ".5"},
		{"point last", false, Number, "5."},
		{"space", false, Integer, " 5"},
		{"line", false, Integer, "5\n"},
		{"infinity", false, Number, "Inf"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, problem := readNumber("minimum", tt.kind, tt.text)
			require.Equal(t, tt.wantOK, problem == "", problem)
			if tt.wantOK {
				require.Equal(t, tt.text, got)
				require.True(t, json.Valid([]byte(got)))
			}
		})
	}
}

func TestEqualJSON(t *testing.T) {
	tests := []struct {
		want bool
		a, b string
	}{
		{true, `1`, `1.0`},
		{true, `100`, `1e2`},
		{false, `9007199254740993`, `9007199254740992`},
		{true, `"a"`, `"\u0061"`},
		{false, `"1"`, `1`},
		{true, `{"a":1,"b":2}`, `{"b":2,"a":1}`},
		{false, `[1,2]`, `[2,1]`},
		{true, `null`, `null`},
	}
	for _, tt := range tests {
		got := equalJSON(tt.a, tt.b)
		require.Equal(t, tt.want, got, "equalJSON(%s, %s) = %t, want %t", tt.a, tt.b, got, tt.want)
	}
}

func TestQuote(t *testing.T) {
	require.Equal(t, `"a<b&c> \"é\" \\"`, quote(`a<b&c> "é" \`))
}
