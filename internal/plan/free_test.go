package plan

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// TestFreedRunsKeepNoNames shows that a run keeps no name that a caller made up, whichever way it came in.
func TestFreedRunsKeepNoNames(t *testing.T) {
	type args struct {
		M map[string]int `json:"m,omitempty"`
	}
	typ, problems := codec.Of(reflect.TypeFor[args](), "Args", codec.Arguments)
	require.Empty(t, problems)
	node, ok := tree.Parse([]byte(`{"type":"object","properties":{"m":{"type":"object",
		"additionalProperties":{"type":"integer"}}}}`))
	require.True(t, ok)
	p, err := Compile(node, typ, nil)
	require.NoError(t, err)
	long := strings.Repeat("n", 1000)
	for _, text := range []string{`{"m":{"` + long + `":"x"}}`, `{"` + long + `":1}`, `{"m":{"` + long + `":{}},"` + long + `":1}`} {
		v := reflect.New(typ.Go).Elem()
		found, _, ok := p.Quick([]byte(text), scan.Limits{Bytes: 1 << 20, Depth: 9}, v)
		require.True(t, ok)
		quick := (*run)(found)
		decode := p.start(true)
		decode.cur = scan.NewCursor([]byte(text))
		decode.value(p.root, reflect.New(typ.Go).Elem())
		for _, d := range []*run{quick, decode} {
			d.free()
			for _, s := range d.path[:cap(d.path)] {
				require.Less(t, len(s.name), 1000, text)
			}
		}
	}
}
