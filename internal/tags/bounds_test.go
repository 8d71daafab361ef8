package tags

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCheckBounds runs each pair of bounds below, at and above each other.
func TestCheckBounds(t *testing.T) {
	kinds := map[string]Kind{"minLength": String, "minItems": Array}
	for _, l := range limits {
		t.Run(l.low+" "+l.high, func(t *testing.T) {
			kind, ok := kinds[l.low]
			if !ok {
				kind = Integer
			}
			parse := func(low, high int) []string {
				tag := fmt.Sprintf("%s=%d,%s=%d", l.low, low, l.high, high)
				_, problems := parse(keywordsOf(tag), Target{Kind: kind})
				return problems
			}
			require.Empty(t, parse(2, 3))
			require.Equal(t, l.open, len(parse(3, 3)) == 1)
			want := fmt.Sprintf("%s=4 is greater than %s=3", l.low, l.high)
			require.Equal(t, []string{want}, parse(4, 3))
		})
	}
}
