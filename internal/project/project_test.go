package project

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/internal/path"
)

func compile(t testing.TB, paths ...string) *Projection {
	t.Helper()
	var parsed [][]path.Step
	for _, text := range paths {
		steps, err := path.Parse(text)
		require.NoError(t, err)
		parsed = append(parsed, steps)
	}
	return Compile(parsed)
}

const order = `{"id":7,"cost":3,"items":[{"sku":"a","cost":1},{"sku":"b","cost":2},{"cost":3}],` +
	`"meta":{"x":{"id":1,"k":2},"y":5,"odd.name":true},"ship":{"city":"Oslo","zip":"1"},"rows":[[1,2],[3]]}`

func TestAppend(t *testing.T) {
	tests := []struct {
		name, want string
		paths      []string
	}{
		{"member", `{"id":7}`, []string{"id"}},
		{"nested", `{"ship":{"city":"Oslo"}}`, []string{"ship.city"}},
		{"order of the value, not of the paths", `{"id":7,"ship":{"zip":"1"}}`, []string{"ship.zip", "id"}},
		{"member of every item", `{"items":[{"sku":"a"},{"sku":"b"},{}]}`, []string{"items[].sku"}},
		{"range", `{"items":[{"sku":"a"},{"sku":"b"}]}`, []string{"items[0:2].sku"}},
		{"one item", `{"items":[{"sku":"b","cost":2}]}`, []string{"items[1]"}},
		{"union of ranges", `{"items":[{"sku":"a","cost":1},{"sku":"b"},{}]}`, []string{"items[].sku", "items[0].cost"}},
		{"every member", `{"meta":{"x":{"id":1,"k":2},"y":5,"odd.name":true}}`, []string{"meta.*"}},
		{"below every member", `{"meta":{"x":{"id":1}}}`, []string{"meta.*.id"}},
		{"quoted", `{"meta":{"odd.name":true}}`, []string{`meta."odd.name"`}},
		{"nested arrays", `{"rows":[[1],[3]]}`, []string{"rows[][0]"}},
		{"whole and part: whole wins", `{"ship":{"city":"Oslo","zip":"1"}}`, []string{"ship.city", "ship"}},
		{"absent", `{}`, []string{"nothing"}},
		{"into a scalar", `{}`, []string{"id.x"}},
		{"a member of an array", `{}`, []string{"items.sku"}},
		{"an item of an object", `{}`, []string{"ship[]"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := compile(t, tt.paths...).Append(nil, []byte(order))
			require.True(t, ok)
			require.Equal(t, tt.want, string(got))
		})
	}
}

func TestAppendRoot(t *testing.T) {
	got, ok := compile(t, "[].id").Append([]byte("x"), []byte(`[{"id":1,"s":2},{"s":3}]`))
	require.True(t, ok)
	require.Equal(t, `x[{"id":1},{}]`, string(got))
	for _, scalar := range []string{`"secret"`, `1`, `null`, `true`} {
		got, ok := compile(t, "id").Append(nil, []byte(scalar))
		require.False(t, ok, scalar)
		require.Empty(t, got, scalar)
	}
}
