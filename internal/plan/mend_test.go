package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMendCutJSON shows that text which starts like an array or object becomes no item: it may have
// been cut off.
func TestMendCutJSON(t *testing.T) {
	p := compile(t, `{"type":"object","properties":{"ids":{"type":"array","items":{"type":"string"}},`+
		`"one":{"type":"array","maxItems":1}}}`, nil)
	for _, text := range []string{
		`{"ids":"[\"a1\",\"a2\""}`, `{"ids":" \n[\"a1\""}`, `{"ids":"{\"a\":1"}`, `{"one":"[1,"}`,
	} {
		mended, mends := p.Mend(check(t, text), true)
		require.Empty(t, mends, text)
		require.Equal(t, text, string(mended))
	}
	mended, _ := p.Mend(check(t, `{"ids":"a[1]"}`), true)
	require.Equal(t, `{"ids":["a[1]"]}`, string(mended))
}

// TestMendable pins which values are not even looked at. That nothing is missed is FuzzMend's to show.
func TestMendable(t *testing.T) {
	p := compile(t, mendSchemas[2], nil)
	for _, tt := range []struct {
		want bool
		text string
	}{
		{true, `{"i":"5"}`}, {true, `"{}"`}, {true, `{"n":3}`}, {false, `{"i":10}`}, {false, `{"e":"b"}`},
		{false, `{"l":["a"],"never":"5"}`}, {false, `{}`},
	} {
		found := p.Validate(check(t, tt.text))
		require.NotZero(t, found.Total)
		require.Equal(t, tt.want, found.Mendable, tt.text)
	}
	p = compile(t, mendSchemas[1], nil) // the general validator says less than Mend knows
	require.True(t, p.Validate(check(t, `{"r":{"x":3}}`)).Mendable)
}
