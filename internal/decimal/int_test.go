package decimal

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFromInt(t *testing.T) {
	for _, v := range []int64{0, 1, -1, 10, -1200, math.MaxInt64, math.MinInt64} {
		got, ok := FromInt64(v).Int64()
		require.True(t, ok)
		require.Equal(t, v, got)
	}
	for _, v := range []uint64{0, 1, 100, math.MaxInt64 + 1, math.MaxUint64} {
		got, ok := FromUint64(v).Uint64()
		require.True(t, ok)
		require.Equal(t, v, got)
	}
	require.Equal(t, parse(t, "-9223372036854775808"), FromInt64(math.MinInt64))
	require.Equal(t, parse(t, "1e3"), FromUint64(1000))
}

func TestAround(t *testing.T) {
	tests := []struct {
		text         string
		below, above int64
		ok           bool
	}{
		{"0", 0, 0, true},
		{"-0", 0, 0, true},
		{"42", 42, 42, true},
		{"-42", -42, -42, true},
		{"5.0", 5, 5, true},
		{"5.000001", 5, 6, true},
		{"0.5", 0, 1, true},
		{"-0.5", -1, 0, true},
		{"-9.25", -10, -9, true},
		{"-9.00", -9, -9, true},
		{"999999999999999999", 999999999999999999, 999999999999999999, true},
		{"999999999999999999.9", 999999999999999999, 1000000000000000000, true},
		{"1000000000000000000", 0, 0, false},
		{"1e2", 0, 0, false},
		{"1.5e2", 0, 0, false},
		{"01", 0, 0, false},
		{"5.", 0, 0, false},
		{".5", 0, 0, false},
		{"1x", 0, 0, false},
		{"-", 0, 0, false},
		{"", 0, 0, false},
	}
	for _, tt := range tests {
		below, above, ok := Around([]byte(tt.text))
		require.Equal(t, tt.ok, ok, "Around(%q)", tt.text)
		require.Equal(t, tt.below, below, "Around(%q)", tt.text)
		require.Equal(t, tt.above, above, "Around(%q)", tt.text)
	}
}

func TestParseInt64(t *testing.T) {
	tests := []struct {
		text string
		want int64
		ok   bool
	}{
		{"0", 0, true},
		{"-0", 0, true},
		{"-0.0", 0, true},
		{"5.0", 5, true},
		{"1e2", 100, true},
		{"-12.50e1", -125, true},
		{"999999999999999999", 999999999999999999, true},
		{"9007199254740993", 9007199254740993, true},
		{"9223372036854775807", math.MaxInt64, true},
		{"9223372036854775807.0", math.MaxInt64, true},
		{"-9223372036854775808", math.MinInt64, true},
		{"9223372036854775808", 0, false},
		{"-9223372036854775809", 0, false},
		{"1e19", 0, false},
		{"1e9999", 0, false},
		{"1.5", 0, false},
		{"1e-9999", 0, false},
		{"01", 0, false},
		{"-", 0, false},
		{"", 0, false},
		{"1x", 0, false},
		{`"1"`, 0, false},
	}
	for _, tt := range tests {
		got, ok := ParseInt64([]byte(tt.text))
		require.Equal(t, tt.ok, ok, "ParseInt64(%q)", tt.text)
		require.Equal(t, tt.want, got, "ParseInt64(%q)", tt.text)
	}
}

func TestParseUint64(t *testing.T) {
	tests := []struct {
		text string
		want uint64
		ok   bool
	}{
		{"0", 0, true},
		{"-0", 0, true},
		{"5.0", 5, true},
		{"18446744073709551615", math.MaxUint64, true},
		{"1844674407370955161.5e1", math.MaxUint64, true},
		{"18446744073709551616", 0, false},
		{"18446744073709551620", 0, false},
		{"2e19", 0, false},
		{"99999999999999999999", 0, false},
		{"-1", 0, false},
		{"-1.0", 0, false},
		{"0.5", 0, false},
		{"00", 0, false},
	}
	for _, tt := range tests {
		got, ok := ParseUint64([]byte(tt.text))
		require.Equal(t, tt.ok, ok, "ParseUint64(%q)", tt.text)
		require.Equal(t, tt.want, got, "ParseUint64(%q)", tt.text)
	}
}

func TestParseIntDoesNotAllocate(t *testing.T) {
	text := []byte("123456")
	require.Zero(t, testing.AllocsPerRun(100, func() {
		ParseInt64(text)
		ParseUint64(text)
	}))
}

func TestFixed(t *testing.T) {
	for text, want := range map[string][2]int64{"0": {0, 0}, "5.0": {5, 0}, "1e2": {100, 0},
		"-0.05": {-5, 2}, "12.345": {12345, 3}, "999999999999999999": {999999999999999999, 0}} {
		n, ok := Parse(text)
		require.True(t, ok)
		m, scale, ok := n.Fixed()
		require.True(t, ok, text)
		require.Equal(t, want, [2]int64{m, int64(scale)}, text)
	}
	for _, text := range []string{"1000000000000000000", "1e18", "0.1234567890123456789"} {
		n, _ := Parse(text)
		_, _, ok := n.Fixed()
		require.False(t, ok, text)
	}
}
