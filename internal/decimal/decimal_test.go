package decimal

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// parse returns the Number of text, which has to be one.
func parse(t *testing.T, text string) Number {
	t.Helper()
	n, ok := Parse(text)
	require.True(t, ok, "Parse(%q)", text)
	return n
}

func TestParse(t *testing.T) {
	tests := []struct {
		text string
		want Number
	}{
		{"0", Number{}},
		{"-0", Number{}},
		{"-0.00e5", Number{}},
		{"0e20000", Number{}},
		{"5", Number{digits: "5"}},
		{"5.0", Number{digits: "5"}},
		{"5e0", Number{digits: "5"}},
		{"50e-1", Number{digits: "5"}},
		{"0.5E+1", Number{digits: "5"}},
		{"0.0050", Number{digits: "5", exp: -3}},
		{"-10.50", Number{neg: true, digits: "105", exp: -1}},
		{"100.001", Number{digits: "100001", exp: -3}},
		{"1e0000000000000000000000003", Number{digits: "1", exp: 3}},
		{"1e20000", Number{digits: "1", exp: 20000}},
		{"9007199254740993", Number{digits: "9007199254740993"}},
	}
	for _, tt := range tests {
		got, ok := Parse(tt.text)
		require.True(t, ok, "Parse(%q)", tt.text)
		require.Equal(t, tt.want, got, "Parse(%q)", tt.text)
		fromBytes, ok := Parse([]byte(tt.text))
		require.True(t, ok, "Parse([]byte(%q))", tt.text)
		require.Equal(t, tt.want, fromBytes, "Parse([]byte(%q))", tt.text)
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []string{
		"", "-", "+1", "01", "-01", "00", ".5", "1.", "1.e5", "1e", "1e+", "1e-", "1e5.0", "e5",
		"1 ", " 1", "1x", "0x1", "NaN", "Infinity", "1_000", "１", "1.5.5", "--1", "1e++1",
		"1e20001", "1e-20001", "0e20001", "1e99999999999999999999", strings.Repeat("1", 20_001),
	}
	for _, text := range tests {
		n, ok := Parse(text)
		require.False(t, ok, "Parse(%.40q)", text)
		require.Zero(t, n)
	}
}

// ascending holds numbers in strictly ascending order.
var ascending = []string{
	"-1e9999", "-18446744073709551616", "-100", "-99.5", "-99.49", "-1", "-0.1", "-1e-9999",
	"0", "1e-9999", "0.099", "0.1", "0.11", "0.2", "1", "1.0000000000000000000000001", "9.99",
	"10", "11", "100", "9007199254740992", "9007199254740993", "1e20", "1e9999", "1.1e9999",
}

func TestCmp(t *testing.T) {
	for i, a := range ascending {
		for j, b := range ascending {
			want := 0
			switch {
			case i < j:
				want = -1
			case i > j:
				want = 1
			}
			require.Equal(t, want, parse(t, a).Cmp(parse(t, b)), "%s.Cmp(%s)", a, b)
			require.Equal(t, want == 0, parse(t, a) == parse(t, b), "%s == %s", a, b)
		}
	}
}

func TestIsInt(t *testing.T) {
	for _, text := range []string{"0", "-0.0", "5.0", "1e2", "1.5e1", "1e9999", "-7"} {
		require.True(t, parse(t, text).IsInt(), text)
	}
	for _, text := range []string{"0.5", "1.5", "1e-1", "15e-1", "1e-9999", "-2.25"} {
		require.False(t, parse(t, text).IsInt(), text)
	}
}

// FuzzParse compares with encoding/json's grammar and big.Rat's arithmetic.
func FuzzParse(f *testing.F) {
	for i, a := range ascending {
		f.Add(a, ascending[len(ascending)-1-i])
	}
	f.Add("01", "1.")
	f.Add("1e", "-")
	f.Add("12.50", "0.25")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 40 || len(b) > 40 {
			return
		}
		n, okN := Parse(a)
		m, okM := Parse(b)
		checkGrammar(t, a, okN)
		if _, _, ok := Around([]byte(a)); ok {
			require.True(t, okN, "Around(%s)", a)
		}
		checkGrammar(t, b, okM)
		if !okN || !okM || max(n.exp, -n.exp, m.exp, -m.exp) > 200 {
			return
		}
		x, y := rat(t, a), rat(t, b)
		require.Equal(t, x.Cmp(y), n.Cmp(m), "%s.Cmp(%s)", a, b)
		require.Equal(t, x.IsInt(), n.IsInt(), "%s.IsInt()", a)
		require.Zero(t, x.Cmp(rat(t, n.String())), "%s.String() = %s", a, n)
		require.Equal(t, n, parse(t, n.String()), "%s.String() = %s", a, n)
		want := y.Sign() != 0 && new(big.Rat).Quo(x, orOne(y)).IsInt()
		require.Equal(t, want, n.MultipleOf(m), "%s.MultipleOf(%s)", a, b)
		v, ok := ParseInt64([]byte(a))
		require.Equal(t, x.IsInt() && x.Num().IsInt64(), ok, "ParseInt64(%s)", a)
		require.True(t, !ok || x.Num().Int64() == v, "ParseInt64(%s) = %d", a, v)
		if below, above, ok := Around([]byte(a)); ok {
			require.Equal(t, x.IsInt(), below == above, "Around(%s)", a)
			require.LessOrEqual(t, above-below, int64(1), "Around(%s)", a)
			require.LessOrEqual(t, new(big.Rat).SetInt64(below).Cmp(x), 0, "Around(%s)", a)
			require.GreaterOrEqual(t, new(big.Rat).SetInt64(above).Cmp(x), 0, "Around(%s)", a)
		}
		u, ok := ParseUint64([]byte(a))
		require.Equal(t, x.IsInt() && x.Num().IsUint64(), ok, "ParseUint64(%s)", a)
		require.True(t, !ok || x.Num().Uint64() == u, "ParseUint64(%s) = %d", a, u)
	})
}

// checkGrammar fails unless encoding/json takes text for a number too. A
// refused text may still be a number whose exponent is out of bounds.
func checkGrammar(t *testing.T, text string, ok bool) {
	t.Helper()
	number := text != "" && strings.Trim(text, "+-.eE0123456789") == "" &&
		json.Valid([]byte(text))
	if ok || !strings.ContainsAny(text, "eE") {
		require.Equal(t, number, ok, "Parse(%q)", text)
	}
}

func rat(t *testing.T, text string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(text)
	require.True(t, ok, text)
	return r
}

// orOne keeps a division, whose result is not used then, from a panic.
func orOne(r *big.Rat) *big.Rat {
	if r.Sign() == 0 {
		return big.NewRat(1, 1)
	}
	return r
}
