package decimal

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestString(t *testing.T) {
	tests := []struct{ want, text string }{
		{"0", "0"},
		{"0", "-0"},
		{"0", "0e5"},
		{"5", "5"},
		{"5", "5.0"},
		{"5", "5e0"},
		{"5", "50e-1"},
		{"-5", "-5.000"},
		{"9007199254740993", "9007199254740993"},
		{"10.5", "10.50"},
		{"100", "1e2"},
		{"100000000000000000000", "1e20"},
		{"1e21", "1e21"},
		{"123456789012345678901", "123456789012345678901"},
		{"1.234567890123456789012e21", "1234567890123456789012"},
		{"0.1", "1e-1"},
		{"0.000001", "1e-6"},
		{"1e-7", "1e-7"},
		{"1.5e-7", "0.00000015"},
		{"-0.0000015", "-1.5e-6"},
		{"1e9999", "10E+9998"},
		{"1e-9999", "0.1e-9998"},
		// Beyond the exponents that a text may have.
		{"94e9999", "94E9999"},
		{"12345e9997", "12345e9997"},
		{"100e9999", "1e10001"},
		{"-0.001e-9999", "-1e-10002"},
		{"0.00123e-9999", "0.123e-10001"},
		{"0.10000000000000000555", "0.10000000000000000555"},
	}
	for _, tt := range tests {
		n := parse(t, tt.text)
		require.Equal(t, tt.want, n.String(), "Parse(%s).String()", tt.text)
		require.Equal(t, n, parse(t, n.String()))
	}
}

// encoding/json writes floats as ECMAScript does, so it tells where plain
// notation ends. Only the plus sign of the exponent differs.
func TestStringAgreesWithECMAScript(t *testing.T) {
	for _, v := range []float64{
		1, -1, 1.5, 123456, 1e20, 9e20, 1e21, 2.5e21, 0.1, 1e-5, 1e-6, 9.9e-7, 1e-7, 1.5e-300, 1e300,
	} {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		want := strings.Replace(string(text), "e+", "e", 1)
		require.Equal(t, want, parse(t, string(text)).String())
	}
}

func TestAppend(t *testing.T) {
	require.Equal(t, "[1.5", string(parse(t, "1.50").Append([]byte("["))))
}
