package tags

import (
	"net/netip"
	"reflect"
	"testing"

	"github.com/invopop/jsonschema"
	"github.com/stretchr/testify/require"
)

type valueHook struct{}

func (valueHook) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", MinLength: new(uint64)}
}

type pointerHook struct{}

func (*pointerHook) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "integer"} }

type extended struct{}

func (extended) JSONSchemaExtend(*jsonschema.Schema) {}

type aliased struct{}

func (aliased) JSONSchemaAlias() any { return "" }

func TestOwn(t *testing.T) {
	tests := []struct {
		want string
		typ  reflect.Type
	}{
		{`{"type":"string","minLength":0}`, reflect.TypeFor[valueHook]()},
		{`{"type":"integer"}`, reflect.TypeFor[pointerHook]()},
		{``, reflect.TypeFor[netip.Addr]()},
		{``, reflect.TypeFor[int]()},
	}
	for _, tt := range tests {
		schema, ok, err := Own(tt.typ)
		require.NoError(t, err)
		require.Equal(t, tt.want != "", ok, tt.typ)
		require.Equal(t, tt.want, string(schema), tt.typ)
	}
}

func TestUnsupported(t *testing.T) {
	require.Equal(t, "JSONSchemaExtend", Unsupported(reflect.TypeFor[extended]()))
	require.Equal(t, "JSONSchemaAlias", Unsupported(reflect.TypeFor[aliased]()))
	require.Empty(t, Unsupported(reflect.TypeFor[valueHook]()))
}
