package project

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/internal/tree"
)

func TestRedact(t *testing.T) {
	tests := []struct {
		name, want string
		paths      []string
	}{
		{"members and items", `{"id":"X","cost":3,"items":[{"sku":"a","cost":"X"},{"sku":"b","cost":"X"},{"cost":"X"}],` +
			`"meta":"X","ship":{"city":"Oslo","zip":"1"},"rows":[[1,"X"],[3]]}`,
			[]string{"id", "items[].cost", "meta", "rows[][1]", "absent", "id.x", "ship[]"}},
		{"every member, one item", `{"id":7,"cost":3,"items":[{"sku":"a","cost":1},"X",{"cost":3}],` +
			`"meta":{"x":"X","y":"X","odd.name":"X"},"ship":{"city":"X","zip":"1"},"rows":[[1,2],[3]]}`,
			[]string{"meta.*", "items[1]", "ship.city"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, string(compile(t, tt.paths...).Redact(nil, []byte(order), "X")))
		})
	}
	require.Equal(t, `7`, string(compile(t, "id").Redact(nil, []byte(`7`), "X")))
}

func TestSchemas(t *testing.T) {
	const root = `{"type":"object","properties":{"id":{"type":"integer","minimum":1},"node":{"$ref":"#/$defs/node"},` +
		`"either":{"description":"One.","anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]},` +
		`"map":{"type":"object","additionalProperties":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}},` +
		`"tuple":{"type":"array","prefixItems":[{"type":"integer"}]},"any":{},"list":{"type":"array","items":` +
		`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]}}},` +
		`"required":["id","node","either","map","tuple","list"],"minProperties":6,` +
		`"$defs":{"node":{"type":"object","properties":{"v":{"type":"string"},"next":{"$ref":"#/$defs/node"}},"required":["v"]},` +
		`"unused":{}}}`
	for _, tt := range []struct {
		name, kept string
		paths      []string
	}{
		{"scalar", `{"type":"object","properties":{"id":{"type":"integer","minimum":1}},"required":["id"]}`,
			[]string{"id"}},
		{"through references", `{"type":"object","properties":{"node":{"type":"object","properties":{"next":{"type":"object",` +
			`"properties":{"v":{"type":"string"}},"required":["v"]}}}},"required":["node"]}`,
			[]string{"node.next.v"}},
		{"reference kept", `{"type":"object","properties":{"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"}}}},` +
			`"required":["node"],"$defs":{"node":{"type":"object","properties":{"v":{"type":"string"},"next":{"$ref":"#/$defs/node"}},` +
			`"required":["v"]}}}`,
			[]string{"node.next"}},
		{"nullable", `{"type":"object","properties":{"either":{"type":"object","properties":{"v":{"type":"string"}},"required":["v"],` +
			`"description":"One."}}}`,
			[]string{"either.v"}},
		{"map", `{"type":"object","properties":{"map":{"type":"object","properties":{"k":{"type":"object","properties":{"a":` +
			`{"type":"integer"}},"required":["a"]}}}},"required":["map"]}`,
			[]string{"map.k.a"}},
		{"tuple, any, and a place that cannot be", `{"type":"object","properties":{"tuple":{"type":"array"},"any":{}},` +
			`"required":["tuple"]}`,
			[]string{"tuple[].x", "any.x", "id.x", "list.x"}},
		{"items that differ", `{"type":"object","properties":{"list":{"type":"array","items":{"type":"object","properties":` +
			`{"a":{"type":"integer"},"b":{"type":"integer"}}}}},"required":["list"]}`,
			[]string{"list[0].a", "list[1:].b"}},
		{"items that differ, one whole", `{"type":"object","properties":{"list":{"type":"array","items":{}}},"required":["list"]}`,
			[]string{"list[0]", "list[1:].b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			node, ok := tree.Parse([]byte(root))
			require.True(t, ok)
			got, ok := compile(t, tt.paths...).Schema(node)
			require.True(t, ok)
			require.Equal(t, tt.kept, string(got.Append(nil, tree.Form{})))
			require.Equal(t, root, string(node.Append(nil, tree.Form{})), "the schema itself changed")
		})
	}
	node, _ := tree.Parse([]byte(root))
	got, ok := compile(t, "id", "node.v", "map.*.a", "either", "list[0].a", "any").RedactedSchema(node)
	require.True(t, ok)
	require.Equal(t, `{"type":"object","properties":{"id":{"type":"string"},"node":{"type":"object","properties":{"v":{"type":`+
		`"string"},"next":{"$ref":"#/$defs/node"}},"required":["v"]},"either":{"type":"string","description":"One."},`+
		`"map":{"type":"object","additionalProperties":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}},`+
		`"tuple":{"type":"array","prefixItems":[{"type":"integer"}]},"any":{"type":"string"},"list":{"type":"array"}},`+
		`"required":["id","node","either","map","tuple","list"],"$defs":{"node":{"type":"object","properties":{"v":{"type":"string"},`+
		`"next":{"$ref":"#/$defs/node"}},"required":["v"]}}}`, string(got.Append(nil, tree.Form{})))

	// A reference to a place that may be gone says that nothing can be said.
	odd, _ := tree.Parse([]byte(`{"type":"object","properties":{"a":{"$ref":"#"},"b":{"type":"integer"}}}`))
	_, ok = compile(t, "a").Schema(odd)
	require.False(t, ok)
	_, ok = compile(t, "b").Schema(odd)
	require.True(t, ok)
	ring, _ := tree.Parse([]byte(`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`))
	got, ok = compile(t, "a").Schema(ring)
	require.True(t, ok)
	require.Equal(t, `{}`, string(got.Append(nil, tree.Form{})))
}
