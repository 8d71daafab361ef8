package clip

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// randomJSON returns a value with arrays of all sizes in all places, some of them
// cut before.
func randomJSON(r *rand.Rand, depth int) string {
	n := r.IntN(12)
	switch kind := r.IntN(8); {
	case depth == 0 || kind == 0:
		return strconv.Itoa(r.IntN(1000))
	case kind == 1:
		return `"` + strings.Repeat("[城", n) + `"`
	case kind < 4:
		var members []string
		for i := range n / 3 {
			members = append(members, `"k`+strconv.Itoa(i)+`":`+randomJSON(r, depth-1))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	var elements []string
	for range n {
		elements = append(elements, randomJSON(r, depth-1))
	}
	if r.IntN(3) == 0 {
		gone := 1 + r.IntN(2000)
		elements = append(elements, string(appendMarker(nil, gone, gone+n)))
	}
	return "[" + strings.Join(elements, ",") + "]"
}

// TestPlanSizes checks what the two searches rely on: that sizes never shrink
// when the allowance grows, and that they are those of the text written.
func TestPlanSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 80 {
		raw := randomJSON(r, 6)
		require.True(t, json.Valid([]byte(raw)))
		d, ok := scan([]byte(raw))
		require.True(t, ok)
		if len(d.arrays) > 40 {
			continue // every allowance for every number of raised arrays takes too long
		}
		p := &plan{doc: d, kept: make([]int32, len(d.arrays))}
		last := 0
		for allowance := range 90 {
			for raised := range len(d.arrays) + 1 {
				n := p.size(allowance, raised)
				require.LessOrEqual(t, n, len(raw), "never grows: %s", raw)
				require.GreaterOrEqual(t, n, last, "allowance %d+%d of %s", allowance, raised, raw)
				out := p.appendRange(nil, 0, len(raw), 0)
				require.Len(t, out, n, "allowance %d+%d of %s", allowance, raised, raw)
				require.True(t, json.Valid(out))
				last = n
			}
		}
		for limit := 256; limit < len(raw); limit += 1 + limit/3 {
			got, cut := JSON([]byte(raw), limit)
			checkJSON(t, []byte(raw), limit, got, cut)
		}
	}
}
