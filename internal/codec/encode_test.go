package codec

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jig-go/jig/internal/scan"
	"github.com/stretchr/testify/require"
)

type (
	marshaler struct{}
	ring      struct{ Next *ring }
	row       struct {
		Avg  []float64      `json:"avg"`
		Any  any            `json:"any"`
		More map[string]any `json:"more"`
	}
	emptyable struct {
		A int            `json:"a,omitempty"`
		B *int           `json:"b,omitempty"`
		C []int          `json:"c,omitempty"`
		D map[string]int `json:"d,omitempty"`
		E any            `json:"e,omitempty"`
		F Exported       `json:"f,omitempty"`
		G [2]int         `json:"g,omitempty"`
		H time.Time      `json:"h,omitempty"`
		I string         `json:"i,omitempty"`
		J [0]int         `json:"j,omitempty"`
	}
	zeroable struct {
		A int       `json:"a,omitzero"`
		B *int      `json:"b,omitzero"`
		C []int     `json:"c,omitzero"`
		F Exported  `json:"f,omitzero"`
		G [2]int    `json:"g,omitzero"`
		H time.Time `json:"h,omitzero"`
		I never     `json:"i,omitzero"`
		J never2    `json:"j,omitzero"`
	}
	never  int
	never2 int
)

func (marshaler) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"html": "<b>&\u2028", "n": json.Number("1.50")})
}
func (n never) IsZero() bool   { return n == 5 }
func (n *never2) IsZero() bool { return *n == 5 }

func TestMarshal(t *testing.T) {
	n := 7
	tests := []struct {
		name  string
		value any
		want  string
	}{
		{"nil", nil, `null`},
		{"nil slice", []int(nil), `[]`},
		{"nil map", map[string]int(nil), `{}`},
		{"nil pointer", (*int)(nil), `null`},
		{"nil inside any", []any{nil, []int(nil), map[string]int(nil), (*int)(nil)},
			`[null,[],{},null]`},
		{"nil bytes", []byte(nil), `""`},
		{"nil raw message", json.RawMessage(nil), `null`},
		{"pointer", &n, `7`},
		{"no HTML escapes", "a<b>&c\u2028", "\"a<b>&c\u2028\""},
		{"escapes", "\"\\\n\t\x01", `"\"\\\n\t\u0001"`},
		{"invalid UTF-8", "a\xff\xc3b", "\"a\ufffd\ufffdb\""},
		{"invalid UTF-8 in a key", map[string]int{"\xff": 1}, "{\"\ufffd\":1}"},
		{"own JSON has no HTML escapes", marshaler{}, "{\"html\":\"<b>&\u2028\",\"n\":1.50}"},
		{"own JSON behind a pointer", []*marshaler{{}, nil},
			"[{\"html\":\"<b>&\u2028\",\"n\":1.50},null]"},
		{"raw message is compacted", json.RawMessage(" {\"a\" : \"\\u003c\"} "), `{"a":"<"}`},
		{"sorted keys", map[string]int{"b": 1, "a": 2, "B": 3, "é": 4, "": 5},
			`{"":5,"B":3,"a":2,"b":1,"é":4}`},
		{"integer keys", map[int]bool{10: true, 9: false, -1: true},
			`{"-1":true,"10":true,"9":false}`},
		{"text keys", map[netip.Addr]int{netip.MustParseAddr("::1"): 1}, `{"::1":1}`},
		{"64 bits", []any{int64(math.MinInt64), uint64(math.MaxUint64)},
			`[-9223372036854775808,18446744073709551615]`},
		{"floats", []float64{0, 1e20, 1e21, 1e-6, 1e-7, 1.5e-10, 0.1, -2},
			`[0,100000000000000000000,1e+21,0.000001,1e-7,1.5e-10,0.1,-2]`},
		{"float32", []float32{0.1, 1e21, 1e-7, 16777216}, `[0.1,1e+21,1e-7,16777216]`},
		{"known types", []any{
			time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC), 90 * time.Second, url.URL{Scheme: "http",
				Host: "a"},
			*big.NewInt(12), big.NewInt(13), json.Number("1.50"), json.Number(""), []byte("hello"),
		}, `["2024-01-02T03:04:05Z","1m30s","http://a",12,13,1.50,0,"aGVsbG8="]`},
		{"array", [2][]int{{1}}, `[[1],[]]`},
		{"quoted", struct {
			A int     `json:",string"`
			B *bool   `json:",string"`
			C string  `json:",string"`
			D float64 `json:",string"`
		}{A: -3, C: `<"`, D: 1e30}, `{"A":"-3","B":null,"C":"\"<\\\"\"","D":"1e+30"}`},
		{"omitempty", emptyable{}, `{"f":{"A":0,"B":0},"g":[0,0],"h":"0001-01-01T00:00:00Z"}`},
		{"omitempty with values", emptyable{A: 1, B: new(int), C: []int{0},
			D: map[string]int{"": 0}, E: 0, I: " "},
			`{"a":1,"b":0,"c":[0],"d":{"":0},"e":0,"f":{"A":0,"B":0},"g":[0,0],` +
				`"h":"0001-01-01T00:00:00Z","i":" "}`},
		{"omitzero", zeroable{I: 5, J: 5}, `{}`},
		{"omitzero with values", zeroable{C: []int{}, F: Exported{B: 1}},
			`{"c":[],"f":{"A":0,"B":1},"i":0,"j":0}`},
		{"nil embedded pointer", struct {
			*Exported
			Z int
		}{Z: 1}, `{"Z":1}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Marshal(tt.value)
			require.NoError(t, err)
			require.Equal(t, tt.want, string(got))
		})
	}
}

// TestOmitsLikeEncodingJSON compares the options with encoding/json.
func TestOmitsLikeEncodingJSON(t *testing.T) {
	for _, v := range []any{&emptyable{}, &zeroable{}, &zeroable{I: 5, J: 5},
		&emptyable{E: false}} {
		want, err := json.Marshal(v)
		require.NoError(t, err)
		got, err := Marshal(v)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
	}
}

func TestMarshalErrors(t *testing.T) {
	round := &ring{}
	round.Next = round
	loop := map[string]any{}
	loop["self"] = []any{loop}
	tests := []struct {
		name  string
		value any
		want  string
	}{
		{"NaN", row{Avg: []float64{0, 1, 2, math.NaN()}}, `avg[3]: NaN has no JSON form`},
		{"infinity in a map", row{More: map[string]any{"a": []any{math.Inf(-1)}}},
			`more.a[0]: -Inf has no JSON form`},
		{"channel in any", row{Any: []any{1, make(chan int)}},
			"any[1]: a chan has no JSON form; leave the field out with `json:\"-\"`"},
		{"channel at the root", make(chan int),
			"a chan has no JSON form; leave the field out with `json:\"-\"`"},
		{"func inside a type inside any", row{Any: struct{ In []func() }{}},
			"any.In[]: a func has no JSON form; leave the field out with `json:\"-\"`"},
		{"raw message", row{Any: json.RawMessage(`{"a":`)},
			`any: "/a": the text ends at byte 5, before its JSON value is complete`},
		{"number", row{Any: json.Number("1,5")}, `any: json.Number "1,5" is not a number`},
		{"keys that mending makes equal", map[string]int{"\xff": 1, "\xfe": 2},
			"two map keys are both written \"\ufffd\""},
		{"text that cannot be written", row{Any: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)},
			"any: Time.MarshalText: year outside of range [0,9999]"},
		{"own JSON fails", row{Any: failing{}}, "any: no luck"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Marshal(tt.value)
			require.EqualError(t, err, tt.want)
		})
	}
	for name, v := range map[string]any{"pointer": round, "map": loop} {
		t.Run("cycle through a "+name, func(t *testing.T) {
			_, err := Marshal(v)
			require.ErrorContains(t, err, ": nested deeper than 1000 levels, or a cycle")
			require.Less(t, len(err.Error()), 300)
		})
	}
}

type failing struct{}

var errLuck = errors.New("no luck")

func (failing) MarshalJSON() ([]byte, error) { return nil, errLuck }

func TestMarshalKeepsTheCause(t *testing.T) {
	_, err := Marshal([]any{[]failing{{}}})
	require.ErrorIs(t, err, errLuck)
	require.EqualError(t, err, "[0][0]: no luck")
}

// TestMarshalConcurrently meets a type inside an interface in many goroutines at once.
func TestMarshalConcurrently(t *testing.T) {
	type fresh struct{ A []map[string]*Exported }
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			got, err := Marshal([]any{fresh{}})
			if err != nil || string(got) != `[{"A":[]}]` {
				t.Errorf("Marshal = %s, %v", got, err)
			}
		})
	}
	group.Wait()
}

// TestUnreadableText pins that a type which is only read is no silent loss when written.
func TestUnreadableText(t *testing.T) {
	typ, problems := Of(of[struct{ T onlyText }](), "Args", Arguments)
	require.Empty(t, problems)
	_, err := typ.Append(nil, reflect.ValueOf(struct{ T onlyText }{}))
	require.EqualError(t, err,
		"T: type codec.onlyText has UnmarshalText and no MarshalText, so that a "+
			"value cannot be written; add a MarshalText")
}

func TestFillNumber(t *testing.T) {
	tests := []struct {
		typ    reflect.Type
		number string
		want   any // nil: refused
	}{
		{of[int](), "5.0", 5}, {of[int](), "1e2", 100}, {of[int](), "50e-1", 5}, {of[int](),
			"-0.0", 0},
		{of[int](), "1.5", nil}, {of[int](), "9223372036854775808", nil}, {of[int8](), "128", nil},
		{of[int64](), "9007199254740993", int64(9007199254740993)},
		{of[uint64](), "18446744073709551615", uint64(math.MaxUint64)}, {of[uint](), "-1", nil},
		{of[uint8](), "300", nil}, {of[uint8](), "2.55e2", uint8(255)},
		{of[float32](), "3.5e38", nil}, {of[float64](), "1e400", nil}, {of[float64](), "1e-400",
			0.0},
		{of[float32](), "0.1", float32(0.1)}, {of[string](), "1", nil},
		{of[json.Number](), "5.0", json.Number("5")},
		{of[json.Number](), "9007199254740993", json.Number("9007199254740993")},
		{of[big.Int](), "1e20", *new(big.Int).Exp(big.NewInt(10), big.NewInt(20), nil)},
		{of[big.Int](), "1.5", nil}, {of[big.Int](), "1e999", nil}, {of[big.Int](), "-1e9999", nil},
	}
	for _, tt := range tests {
		t.Run(tt.typ.String()+" "+tt.number, func(t *testing.T) {
			typ, problems := Of(tt.typ, "T", Arguments)
			require.Empty(t, problems)
			v := reflect.New(tt.typ).Elem()
			require.Equal(t, tt.want != nil, typ.FillNumber(v, []byte(tt.number)))
			if tt.want != nil {
				require.Equal(t, tt.want, v.Interface())
			}
		})
	}
	f, _ := Of(of[float64](), "T", Arguments)
	v := reflect.New(of[float64]()).Elem()
	require.True(t, f.FillNumber(v, []byte("-0.0")))
	require.False(t, math.Signbit(v.Float()), "-0 and 0 are one number")
}

func TestFillString(t *testing.T) {
	q := reflect.StructOf([]reflect.StructField{{Name: "I", Type: of[int8](),
		Tag: `json:",string"`},
		{Name: "S", Type: of[string](), Tag: `json:",string"`}})
	quoted, _ := Of(q, "T", Arguments)
	tests := []struct {
		typ  *Type
		text string
		ok   bool
	}{
		{quoted.Fields[0].Type, "12", true}, {quoted.Fields[0].Type, "128", false},
		{quoted.Fields[0].Type, " 1", false}, {quoted.Fields[0].Type, "", false},
		{quoted.Fields[0].Type, "true", false}, {quoted.Fields[0].Type, `"1"`, false},
		{quoted.Fields[1].Type, `"a"`, true}, {quoted.Fields[1].Type, "a", false},
		{quoted.Fields[1].Type, strings.Repeat("[", 2000), false},
		{&Type{Go: of[time.Duration](), Kind: Text, text: &durationText}, "30", false},
		{&Type{Go: of[time.Duration](), Kind: Text, text: &durationText}, "30s", true},
		{&Type{Go: of[[]byte](), Kind: Text, text: &base64Text}, "not base64!", false},
		{&Type{Go: of[[]byte](), Kind: Text, text: &base64Text}, "aGk=", true},
	}
	for _, tt := range tests {
		v := reflect.New(tt.typ.Go).Elem()
		require.Equal(t, tt.ok, tt.typ.FillString(v, tt.text), "%v %s", tt.typ.Go, tt.text)
	}
}

func TestAnyValue(t *testing.T) {
	c := scan.NewCursor([]byte(`{"a":[null,true,1.50,"x"],"b":{}}`))
	require.Equal(t, map[string]any{
		"a": []any{nil, true, json.Number("1.50"), "x"}, "b": map[string]any{},
	}, AnyValue(&c))
}

type taggedError struct {
	Code int `json:"code"`
}

func (taggedError) Error() string { return "s3cret" }

type codeError int

func (codeError) Error() string { return "s3cret" }

// TestErrorsInsideValues has errors where a result may hold them: what they say is not for a model.
func TestErrorsInsideValues(t *testing.T) {
	plain := errors.New("s3cret")
	type result struct {
		Err  error
		Err2 error `json:",omitempty"`
		Any  any
	}
	var typedNil *fs.PathError
	for _, test := range []struct {
		v    any
		want string
	}{
		{result{}, `{"Err":null,"Any":null}`},
		{result{plain, plain, plain}, `{"Err":"[error]","Err2":"[error]","Any":"[error]"}`},
		{result{Err: typedNil, Any: typedNil}, `{"Err":null,"Any":null}`},
		{result{Err: taggedError{1}, Any: taggedError{1}}, `{"Err":"[error]","Any":{"code":1}}`},
		{[]error{plain, nil}, `["[error]",null]`},
		{map[string]any{"e": &fs.PathError{Op: "open", Path: "s3cret", Err: plain}, "c": codeError(7)},
			`{"c":"[error]","e":"[error]"}`},
		{[]codeError{7}, `[7]`},
	} {
		got, err := Marshal(test.v)
		require.NoError(t, err)
		require.Equal(t, test.want, string(got))
	}
}
