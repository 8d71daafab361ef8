package jig_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

func TestDuration(t *testing.T) {
	type args struct {
		After time.Duration `json:"after"`
		Grace time.Duration `json:"grace,omitempty" jsonschema_description:"How long to wait."`
	}
	const pattern = `"pattern":"^-?([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$"`
	require.Equal(t, `{"type":"object","properties":{`+
		`"after":{"type":"string","description":"Duration such as \"1m30s\" or \"250ms\".",`+pattern+
		`},"grace":{"type":"string","description":"How long to wait.",`+pattern+
		`}},"required":["after"]}`, shownSchema[args](t))

	outcome := callWith[args](t, `{"after":"1m30s"}`)
	require.Equal(t, args{After: 90 * time.Second}, outcome.Value)
	require.Equal(t, `{"after":"1m30s"}`, outcome.Text())
	for _, wrong := range []string{`30`, `"30"`, `""`, `"30 s"`, `"s"`, `"99999999999999h"`} {
		outcome := callWith[args](t, `{"after":`+wrong+`}`)
		require.Equal(t, jig.StatusInvalid, outcome.Status, wrong)
	}
	require.Contains(t, callWith[args](t, `{"after":30}`).Text(),
		`"/after": got number 30, want string`)
}

func TestIntegers(t *testing.T) {
	type args struct {
		I8  int8    `json:"i8,omitempty"`
		U8  uint8   `json:"u8,omitempty"`
		I16 int16   `json:"i16,omitempty"`
		U32 uint32  `json:"u32,omitempty"`
		I64 int64   `json:"i64,omitempty"`
		U64 uint64  `json:"u64,omitempty"`
		U   uint    `json:"u,omitempty"`
		F32 float32 `json:"f32,omitempty"`
	}
	require.Equal(t, `{"type":"object","properties":{`+
		`"i8":{"type":"integer","minimum":-128,"maximum":127},`+
		`"u8":{"type":"integer","minimum":0,"maximum":255},`+
		`"i16":{"type":"integer","minimum":-32768,"maximum":32767},`+
		`"u32":{"type":"integer","minimum":0,"maximum":4294967295},`+
		`"i64":{"type":"integer"},"u64":{"type":"integer","minimum":0},`+
		`"u":{"type":"integer","minimum":0},"f32":{"type":"number"}}}`, shownSchema[args](t))

	schema, err := jig.SchemaFor[args]()
	require.NoError(t, err)
	for value, want := range map[string]string{
		`{"i8":-128,"u8":255}`: "", `{"i8":5.0,"u8":1e2,"i64":50e-1}`: "",
		`{"i64":9223372036854775807,"u64":18446744073709551615}`: "",
		`{"f32":3.4028234663852886e38}`:                          "",
		`{"i8":128}`:                                             `"/i8": got 128, want at most 127`,
		`{"u8":-1}`:                                              `"/u8": got -1, want at least 0`,
		`{"i8":1.5}`:                                             `"/i8": got number 1.5, want integer`,
		`{"i64":9223372036854775808}`: `"/i64": got 9223372036854775808, ` +
			`want at most 9223372036854775807`,
		`{"u64":18446744073709551616}`: `"/u64": got 18446744073709551616, ` +
			`want at most 18446744073709551615`,
		`{"i8":"1"}`: `"/i8": got string "1", want integer`,
	} {
		require.Equal(t, want, complaints(t, schema, value), value)
		outcome := callWith[args](t, value)
		require.Equal(t, want == "", outcome.Status == jig.StatusOK, value)
	}
	require.NotEmpty(t, complaints(t, schema, `{"f32":3.5e38}`))
	require.Equal(t, jig.StatusInvalid, callWith[args](t, `{"f32":3.5e38}`).Status)
	require.Equal(t, args{I64: 9007199254740993, U64: 18446744073709551615},
		callWith[args](t, `{"i64":9007199254740993,"u64":18446744073709551615}`).Value)
}

func TestSchemaRefusedKinds(t *testing.T) {
	type args struct {
		Done   chan int
		Run    func()
		Z      complex128
		Err    error
		Name   fmt.Stringer
		Ptr    unsafe.Pointer
		ByBool map[bool]int
		ByF    map[float64]string
		Rows   []struct{ Stop chan bool }
		Deep   map[string]*[2]func(int)
	}
	const leave = "; leave the field out with `json:\"-\"`"
	_, err := jig.SchemaFor[args]()
	require.Equal(t, []string{
		"args.Done: a chan has no JSON form" + leave,
		"args.Run: a func has no JSON form" + leave,
		"args.Z: a complex128 has no JSON form" + leave,
		"args.Err: an interface with methods (error) has no JSON form; use a concrete type",
		"args.Name: an interface with methods (fmt.Stringer) has no JSON form; use a concrete type",
		"args.Ptr: a unsafe.Pointer has no JSON form" + leave,
		"args.ByBool: a map key of type bool has no JSON form; use a string or an integer",
		"args.ByF: a map key of type float64 has no JSON form; use a string or an integer",
		"args.Rows[].Stop: a chan has no JSON form" + leave,
		"args.Deep[][]: a func has no JSON form" + leave,
	}, wrongIn(t, err))
}

func TestSchemaAny(t *testing.T) {
	type args struct {
		Any  any             `json:"any"`
		Raw  json.RawMessage `json:"raw"`
		List []any           `json:"list"`
		Map  map[string]any  `json:"map"`
	}
	require.Equal(t, `{"type":"object","properties":{"any":{},"raw":{},`+
		`"list":{"type":"array","items":{}},"map":{"type":"object"}},`+
		`"required":["any","raw","list","map"]}`, shownSchema[args](t))

	const text = `{"any":9007199254740993,"raw":{"a":[9007199254740993]},"list":[1.1,null],` +
		`"map":{"id":18446744073709551616}}`
	outcome := callWith[args](t, text)
	require.Equal(t, args{
		Any: json.Number("9007199254740993"), Raw: json.RawMessage(`{"a":[9007199254740993]}`),
		List: []any{json.Number("1.1"), nil},
		Map:  map[string]any{"id": json.Number("18446744073709551616")},
	}, outcome.Value)
	require.Equal(t, text, outcome.Text())
}

func TestSchemaFixedArray(t *testing.T) {
	type args struct {
		RGB [3]uint8 `json:"rgb"`
	}
	require.Equal(t, `{"type":"object","properties":{"rgb":{"type":"array","items":{"type":"integer",`+
		`"minimum":0,"maximum":255},"minItems":3,"maxItems":3}},"required":["rgb"]}`,
		shownSchema[args](t))
	require.Equal(t, args{[3]uint8{1, 2, 3}}, callWith[args](t, `{"rgb":[1,2,3]}`).Value)
	require.Contains(t, callWith[args](t, `{"rgb":[1,2]}`).Text(),
		`"/rgb": got 2 items, want at least 3`)
	require.Contains(t, callWith[args](t, `{"rgb":[1,2,3,4]}`).Text(),
		`"/rgb": got 4 items, want at most 3`)

	type tagged struct { // no tag can widen an array
		RGB [3]uint8 `json:"rgb" jsonschema:"minItems=1,maxItems=5"`
	}
	require.Equal(t, shownSchema[args](t), shownSchema[tagged](t))
}

func TestSchemaMapKeys(t *testing.T) {
	type args struct {
		ByID map[int16]string     `json:"byId,omitempty"`
		ByT  map[time.Time]string `json:"byTime,omitempty"`
	}
	require.Equal(t, `{"type":"object","properties":{`+
		`"byId":{"type":"object","description":"Keys are integers.","additionalProperties":{"type":"string"}},`+
		`"byTime":{"type":"object","additionalProperties":{"type":"string"}}}}`, shownSchema[args](t))
	require.Equal(t, args{ByID: map[int16]string{-7: "a"}},
		callWith[args](t, `{"byId":{"-7":"a"}}`).Value)
	for _, wrong := range []string{
		`{"byId":{"x":"a"}}`, `{"byId":{"01":"a"}}`, `{"byId":{"40000":"a"}}`, `{"byTime":{"x":"a"}}`,
	} {
		require.Equal(t, jig.StatusInvalid, callWith[args](t, wrong).Status, wrong)
	}
}

// due promotes the methods of time.Time, which decide how it is written.
type due struct{ time.Time }

// celsius reads and writes text with a pointer and a value receiver.
type celsius int

func (c celsius) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%d C", int(c)), nil }
func (c *celsius) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "%d C", (*int)(c))
	return err
}

// money has a JSON form that nothing describes.
type money struct{ cents int }

func (m money) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%d", m.cents), nil }
func (m *money) UnmarshalJSON(b []byte) error {
	_, err := fmt.Sscan(string(b), &m.cents)
	return err
}

func TestSchemaOwnForms(t *testing.T) {
	type args struct {
		Due  due         `json:"due"`
		Temp celsius     `json:"temp"`
		Addr netip.Addr  `json:"addr"`
		IP   net.IP      `json:"ip"`
		URL  url.URL     `json:"url"`
		Big  *big.Int    `json:"big"`
		Num  json.Number `json:"num"`
		Blob []byte      `json:"blob"`
	}
	text := shownSchema[args](t)
	for name, want := range map[string]string{
		"temp": `{"type":"string"}`, "addr": `{"type":"string"}`, "ip": `{"type":"string"}`,
		"url": `{"type":"string","description":"URL."}`, "big": `{"type":["integer","null"]}`,
		"num":  `{"type":"number"}`,
		"blob": `{"type":"string","description":"Base64-encoded bytes.","contentEncoding":"base64"}`,
	} {
		require.Contains(t, text, `"`+name+`":`+want, name)
	}
	require.Contains(t, text, `"due":{"type":"string"`)

	const right = `{"due":"2026-01-02T03:04:05Z","temp":"21 C","addr":"2001:db8::1","ip":"192.0.2.1",` +
		`"url":"https://example.com/a?b=c","big":123456789012345678901234567890,"num":1.5,"blob":"AQI="}`
	outcome := callWith[args](t, right)
	require.Equal(t, jig.StatusOK, outcome.Status, outcome.Text())
	require.Equal(t, right, outcome.Text())
	require.Equal(t, "example.com", outcome.Value.(args).URL.Host)
	require.Equal(t, celsius(21), outcome.Value.(args).Temp)

	outcome = callWith[args](t, `{"due":"soon","temp":21,"addr":"x","ip":"x","url":"http://a b",`+
		`"big":1.5,"num":"1","blob":"%"}`)
	require.Equal(t, jig.StatusInvalid, outcome.Status)
	require.Equal(t, 8, strings.Count(outcome.Text(), "\n- "), outcome.Text())

	_, err := jig.SchemaFor[struct{ Price money }]()
	require.Equal(t, []string{"T.Price: type jig_test.money has its own UnmarshalJSON, and nothing " +
		"says which JSON it reads; give it a method JSONSchema() *jig.Schema, or the field a jsonschema tag with type="}, wrongIn(t, err))
}
