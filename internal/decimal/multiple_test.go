package decimal

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMultipleOf(t *testing.T) {
	long := strings.Repeat("9", 999)
	tests := []struct {
		n, m string
		want bool
	}{
		{"10", "5", true},
		{"11", "5", false},
		{"-10", "5", true},
		{"10", "-5", true},
		{"0", "3", true},
		{"0", "0", false},
		{"3", "0", false},
		// Where a float64 remainder goes wrong.
		{"0.3", "0.1", true},
		{"19.99", "0.01", true},
		{"1.1", "0.1", true},
		{"4.35", "0.01", true},
		{"0.35", "0.1", false},
		{"9007199254740993", "2", false},
		{"9007199254740993e5", "2", true},
		{"1", "10", false},
		{"10", "10", true},
		{"1e9999", "1e-9999", true},
		{"1e9999", "3e-9999", false},
		{"3e9999", "3e-9999", true},
		{"1e-9999", "1e9999", false},
		{"1e9999", "1024", true},
		{"1e9", "1024", false},
		{"1e10", "1024", true},
		{"1e9999", "7", false},
		{long, "9", true},
		{long + "e9999", long + "e-9999", true},
		{long + "e9999", "7e-9999", false},
		{"18446744073709551616", "4294967296", true},
	}
	for _, tt := range tests {
		got := parse(t, tt.n).MultipleOf(parse(t, tt.m))
		require.Equal(t, tt.want, got, "%.20s.MultipleOf(%.20s)", tt.n, tt.m)
	}
}

func BenchmarkMultipleOfWorst(b *testing.B) {
	n, _ := Parse(strings.Repeat("9", 990) + "e9999")
	m, _ := Parse(strings.Repeat("7", 990) + "e-9999")
	for b.Loop() {
		n.MultipleOf(m)
	}
}
