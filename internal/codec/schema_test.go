package codec

import (
	"encoding/json"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"testing"
	"time"

	"github.com/jig-go/jig/internal/tree"
	"github.com/stretchr/testify/require"
)

func of[T any]() reflect.Type { return reflect.TypeFor[T]() }

// schemaOf returns the shown and the enforced form of a type's schema, and the problems.
func schemaOf(t reflect.Type, mode Mode) (shown, enforced string, problems []Problem) {
	typ, problems := Of(t, "Args", mode)
	if len(problems) > 0 {
		return "", "", problems
	}
	node, _, problems := typ.Schema("Args", mode)
	return string(node.Append(nil, tree.Form{})),
		string(node.Append(nil, tree.Form{Enforced: true})), problems
}

// TestSchemaOfKinds pins the schema of every kind of type.
func TestSchemaOfKinds(t *testing.T) {
	tests := []struct {
		typ             reflect.Type
		shown, enforced string // enforced is empty where it is the same
	}{
		{of[bool](), `{"type":"boolean"}`, ""},
		{of[string](), `{"type":"string"}`, ""},
		{of[int](), `{"type":"integer"}`,
			`{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}`},
		{of[int8](), `{"type":"integer","minimum":-128,"maximum":127}`, ""},
		{of[int16](), `{"type":"integer","minimum":-32768,"maximum":32767}`, ""},
		{of[int32](),
			`{"type":"integer","minimum":-2147483648,"maximum":2147483647}`, ""},
		{of[int64](), `{"type":"integer"}`,
			`{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}`},
		{of[uint](), `{"type":"integer","minimum":0}`,
			`{"type":"integer","minimum":0,"maximum":18446744073709551615}`},
		{of[uint8](), `{"type":"integer","minimum":0,"maximum":255}`, ""},
		{of[uint16](), `{"type":"integer","minimum":0,"maximum":65535}`, ""},
		{of[uint32](), `{"type":"integer","minimum":0,"maximum":4294967295}`, ""},
		{of[uint64](), `{"type":"integer","minimum":0}`,
			`{"type":"integer","minimum":0,"maximum":18446744073709551615}`},
		{of[uintptr](), `{"type":"integer","minimum":0}`,
			`{"type":"integer","minimum":0,"maximum":18446744073709551615}`},
		{of[float32](), `{"type":"number"}`,
			`{"type":"number","minimum":-3.4028235e+38,"maximum":3.4028235e+38}`},
		{of[float64](), `{"type":"number"}`,
			`{"type":"number","minimum":-1.7976931348623157e+308,` +
				`"maximum":1.7976931348623157e+308}`},
		{of[time.Time](), `{"type":"string","format":"date-time"}`, ""},
		{of[time.Duration](),
			`{"type":"string","description":"Duration such as \"1m30s\" or \"250ms\".",` +
				`"pattern":"^-?([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$"}`,
			`{"type":"string","description":"Duration such as \"1m30s\" or \"250ms\".",` +
				`"pattern":"^-?([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$",` +
				`"format":"go-time.Duration"}`},
		{of[[]byte](),
			`{"type":"string","description":"Base64-encoded bytes.","contentEncoding":"base64"}`,
			`{"type":"string","description":"Base64-encoded bytes.","contentEncoding":"base64",` +
				`"format":"go-[]uint8"}`},
		{of[[4]byte](),
			`{"type":"array","items":{"type":"integer","minimum":0,"maximum":255},"minItems":4,` +
				`"maxItems":4}`, ""},
		{of[[2]string](),
			`{"type":"array","items":{"type":"string"},"minItems":2,"maxItems":2}`, ""},
		{of[[]string](), `{"type":"array","items":{"type":"string"}}`, ""},
		{of[map[string]int8](),
			`{"type":"object","additionalProperties":{"type":"integer","minimum":-128,` +
				`"maximum":127}}`, ""},
		{of[map[int]bool](),
			`{"type":"object","description":"Keys are integers.",` +
				`"additionalProperties":{"type":"boolean"}}`,
			`{"type":"object","description":"Keys are integers.",` +
				`"propertyNames":{"type":"string","pattern":"^(0|-?[1-9][0-9]*)$","format":"go-int"},` +
				`"additionalProperties":{"type":"boolean"}}`},
		{of[map[uint8]bool](),
			`{"type":"object","description":"Keys are integers.",` +
				`"additionalProperties":{"type":"boolean"}}`,
			`{"type":"object","description":"Keys are integers.",` +
				`"propertyNames":{"type":"string","pattern":"^(0|[1-9][0-9]*)$","format":"go-uint8"},` +
				`"additionalProperties":{"type":"boolean"}}`},
		{of[map[netip.Addr]bool](), `{"type":"object","additionalProperties":{"type":"boolean"}}`,
			`{"type":"object","propertyNames":{"type":"string","format":"go-netip.Addr"},` +
				`"additionalProperties":{"type":"boolean"}}`},
		{of[map[string]any](), `{"type":"object"}`, ""},
		{of[*string](), `{"type":["string","null"]}`, ""},
		{of[**int](), `{"type":["integer","null"]}`,
			`{"type":["integer","null"],"minimum":-9223372036854775808,` +
				`"maximum":9223372036854775807}`},
		{of[*[]string](), `{"type":["array","null"],"items":{"type":"string"}}`, ""},
		{of[[]*string](), `{"type":"array","items":{"type":["string","null"]}}`, ""},
		{of[*struct{ A int }](),
			`{"type":["object","null"],"properties":{"A":{"type":"integer"}},"required":["A"]}`,
			`{"type":["object","null"],"properties":{"A":{"type":"integer",` +
				`"minimum":-9223372036854775808,"maximum":9223372036854775807}},"required":["A"]}`},
		{of[*time.Time](), `{"type":["string","null"],"format":"date-time"}`, ""},
		{of[any](), `{}`, ""},
		{of[*any](), `{}`, ""},
		{of[json.RawMessage](), `{}`, ""},
		{of[json.Number](), `{"type":"number"}`, ""},
		{of[big.Int](), `{"type":"integer"}`,
			`{"type":"integer","exclusiveMinimum":-1e999,"exclusiveMaximum":1e999}`},
		{of[*big.Int](), `{"type":["integer","null"]}`,
			`{"type":["integer","null"],"exclusiveMinimum":-1e999,"exclusiveMaximum":1e999}`},
		{of[big.Float](), `{"type":"string"}`,
			`{"type":"string","format":"go-big.Float"}`},
		{of[url.URL](), `{"type":"string","description":"URL."}`,
			`{"type":"string","description":"URL.","format":"go-url.URL"}`},
		{of[netip.Addr](), `{"type":"string"}`,
			`{"type":"string","format":"go-netip.Addr"}`},
		{of[net.IP](), `{"type":"string"}`,
			`{"type":"string","format":"go-net.IP"}`},
		{of[struct{ Exported }](),
			`{"type":"object","properties":{"A":{"type":"integer"},"B":{"type":"integer"}},` +
				`"required":["A","B"]}`,
			`{"type":"object","properties":{"A":{"type":"integer","minimum":-9223372036854775808,` +
				`"maximum":9223372036854775807},"B":{"type":"integer","minimum":-9223372036854775808,` +
				`"maximum":9223372036854775807}},"required":["A","B"]}`},
		{of[struct{}](), `{"type":"object","properties":{}}`, ""},
		{of[[]struct{ K string }](),
			`{"type":"array","items":{"type":"object","properties":{"K":{"type":"string"}},` +
				`"required":["K"]}}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.typ.String(), func(t *testing.T) {
			shown, enforced, problems := schemaOf(tt.typ, Arguments)
			require.Empty(t, problems)
			require.Equal(t, tt.shown, shown)
			if tt.enforced == "" {
				tt.enforced = tt.shown
			}
			require.Equal(t, tt.enforced, enforced)
		})
	}
}

// TestOnlyStrings pins which enums need no look by the compiled schema.
func TestOnlyStrings(t *testing.T) {
	tests := []struct {
		name, schema string
		want         bool
	}{
		{"strings", `{"title":"T","type":"string","description":"D.","enum":["a","b\n"]}`, true},
		{"numbers", `{"type":"string","enum":[1]}`, false},
		{"one of them", `{"type":"string","enum":["a",null]}`, false},
		{"another type", `{"type":"integer","enum":["a"]}`, false},
		{"types", `{"type":["string","null"],"enum":["a"]}`, false},
		{"no type", `{"enum":["a"]}`, false},
		{"default", `{"type":"string","enum":["a"],"default":"b"}`, false},
		{"length", `{"type":"string","enum":["a"],"minLength":2}`, false},
		{"union", `{"type":"string","enum":["a"],"anyOf":[{"const":"b"}]}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, ok := tree.Parse([]byte(tt.schema))
			require.True(t, ok)
			require.Equal(t, tt.want, onlyStrings(n))
			n.Text = &tree.Text{}
			require.False(t, onlyStrings(n))
			n.Text, n.Value = nil, &tree.Value{}
			require.False(t, onlyStrings(n))
		})
	}
}
