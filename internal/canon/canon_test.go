package canon

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/internal/scan"
)

var limits = scan.Limits{Bytes: 1 << 20, Depth: 10_000}

// check returns the checked part of text, which has to be valid.
func check(t testing.TB, text string) []byte {
	t.Helper()
	checked, err := scan.Check([]byte(text), limits)
	require.Nil(t, err, text)
	return checked
}

func TestAppend(t *testing.T) {
	tests := []struct{ name, want, text string }{
		{"scalars", `[null,true,false,"x"]`, ` [ null , true,false , "x" ] `},
		{"empty", `{"a":[],"b":{}}`, `{ "b" : { } , "a" : [ ] }`},
		{"keys", `{"A":3,"a":1,"b":{"c":4,"d":5}}`, `{"b":{"d":5,"c":4},"a":1,"A":3}`},
		{"keys sort decoded", `{"":0,"a":1,"b":2}`, `{"b":2,"\u0061":1,"":0}`},
		{"keys sort by bytes", "{\"\uffff\":1,\"\U0001f600\":2}", "{\"\U0001f600\":2,\"\uffff\":1}"},
		{"a key before its extension", `{"a":1,"a b":2,"ab":3}`, `{"ab":3,"a b":2,"a":1}`},
		{"arrays keep their order", `[3,1,2]`, `[3,1,2]`},
		{"numbers", `[5,5,5,5,0,100,0.1]`, `[5,5.0,5e0,50e-1,-0,1e2,0.10]`},
		{"exact numbers", `[9007199254740993,0.3]`, `[9007199254740993.0,0.30]`},
		{
			"long integers", `[123456789012345678901,1e21]`,
			`[123456789012345678901,1000000000000000000000]`,
		},
		{
			"strings", "\"\u00e9\\n<>&/\u2028\\u0001\U0001f600\"",
			`"\u00E9\u000a<>\u0026\/\u2028\u0001\ud83d\ude00"`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Append([]byte("x"), check(t, tt.text))
			require.Equal(t, "x"+tt.want, string(got))
		})
	}
}

func TestEqual(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[{"c":2,"d":3}]}`, `{"b":[{"d":3.0,"c":20e-1}],"\u0061":1}`, true},
		{`5`, `5.0`, true},
		{`-0`, `0`, true},
		{`"a/b"`, `"a\/b"`, true},
		{`9007199254740993`, `9007199254740992`, false},
		{`0.1`, `0.1000000000000000055511151231257827`, false},
		{`[1,2]`, `[2,1]`, false},
		{`{"a":1}`, `{"A":1}`, false},
		{`{"a":1}`, `{"a":1,"b":null}`, false},
		{`"1"`, `1`, false},
		{`"a"`, `"b"`, false},
		{`"a"`, `"\u0061"`, true},
		{`"\u0061"`, `"b"`, false},
		{`[]`, `{}`, false},
		{`null`, `false`, false},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, Equal(check(t, tt.a), check(t, tt.b)), "Equal(%s, %s)", tt.a, tt.b)
		require.Equal(t, tt.want, Equal(check(t, tt.b), check(t, tt.a)), "Equal(%s, %s)", tt.b, tt.a)
	}
}

// Unsorted keys on each of many levels: work must not grow with their product.
func TestAppendDeep(t *testing.T) {
	const depth = 9_999
	text := strings.Repeat(`{"b":0,"a":`, depth) + `{}` + strings.Repeat("}", depth)
	want := strings.Repeat(`{"a":`, depth) + `{}` + strings.Repeat(`,"b":0}`, depth)
	require.Equal(t, want, string(Append(nil, check(t, text))))
}

func TestAppendUnchecked(t *testing.T) {
	require.PanicsWithValue(t, "jig: internal error: canon: number of unchecked text", func() {
		Append(nil, []byte("-"))
	})
}

// FuzzAppend checks that the form is valid, stable, true to the value and the
// same for every order of the keys.
func FuzzAppend(f *testing.F) {
	f.Add([]byte(`{"b":[1.50,-0,{"y":"\u00e9","x":null}],"a":{"d":1e3,"c":true,"\u0062":""}}`))
	f.Add([]byte(`[5,5.0,5e0,1e21,1e-7,0.000001,123456789012345678901234]`))
	f.Add([]byte("{\"\uffff\":1,\"\U0001f600\":2,\"<>&\u2028\":3}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		checked, err := scan.Check(data, limits)
		if err != nil {
			return
		}
		form := Append(nil, checked)
		again, err := scan.Check(form, scan.Limits{Bytes: 1 << 30, Depth: limits.Depth})
		require.Nil(t, err, "%s", form)
		require.Equal(t, string(form), string(Append(nil, again)))
		require.Equal(t, exact(t, checked), exact(t, form))
		c := scan.NewCursor(checked)
		other := reversed(nil, &c)
		require.Equal(t, string(form), string(Append(nil, other)))
		require.True(t, Equal(checked, other))
	})
}

// exact decodes text with encoding/json and replaces numbers by fractions.
func exact(t *testing.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v))
	return exactNumbers(v)
}

func exactNumbers(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = exactNumbers(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = exactNumbers(v[key])
		}
	case json.Number:
		r, ok := new(big.Rat).SetString(v.String())
		if !ok {
			panic("not a number: " + v.String())
		}
		return r.String()
	}
	return v
}

// reversed appends the next value with the members of each object in reverse
// order and with more white space.
func reversed(dst []byte, c *scan.Cursor) []byte {
	kind := c.Kind()
	if kind != scan.Object && kind != scan.Array {
		return append(dst, c.Skip()...)
	}
	var items [][]byte
	for more := c.Enter(); more; more = c.More() {
		var item []byte
		if kind == scan.Object {
			item = append(scan.AppendQuote(nil, c.Key()), " : "...)
		}
		items = append(items, reversed(item, c))
	}
	body := func(open, closer string) []byte {
		dst = append(dst, open...)
		dst = append(dst, bytes.Join(items, []byte(" ,\n"))...)
		return append(dst, closer...)
	}
	if kind == scan.Array {
		return body("[ ", "]")
	}
	slices.Reverse(items)
	return body("{", " }")
}

func BenchmarkAppend(b *testing.B) {
	checked := check(b, `{"path":"src/main.go","line":42,"recursive":true}`)
	dst := make([]byte, 0, 1000)
	b.ReportAllocs()
	for b.Loop() {
		Append(dst, checked)
	}
}
