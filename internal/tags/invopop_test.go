package tags

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// readings runs only the second reader on asks, to see what it makes of them.
func readings(t *testing.T, target Target, asks ...ask) []string {
	t.Helper()
	p := &parser{target: target, asks: asks}
	compare([]*parser{p})
	return p.problems
}

func asked(name, text, js string) ask {
	w := lookup(name)
	return ask{word: w, key: w.key, values: []value{{text: text, json: js}}}
}

// TestCompareNames pins what the comparison is for: a part that this package
// takes and the library drops, changes or adds to has to be named.
func TestCompareNames(t *testing.T) {
	tests := []struct {
		name   string
		want   []string
		target Target
		ask    ask
	}{
		{"agreed", nil, integer, asked("minimum", "3", "3")},
		{"dropped", []string{`minimum=abc was not understood`}, integer,
			asked("minimum", "abc", `"abc"`)},
		{"does not fit", []string{`minLength=3 was not understood`}, integer,
			asked("minLength", "3", "3")},
		{"changed", []string{`title=a was not understood`}, integer, asked("title", "a", `"b"`)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, readings(t, tt.target, tt.ask))
		})
	}
}

// TestCompareAdded pins that a keyword nobody asked for is named.
func TestCompareAdded(t *testing.T) {
	x := ask{key: "x", list: true, values: []value{{"1", `"1"`}, {"2", `"2"`}}}
	require.Empty(t, readings(t, text, x))
	y := ask{key: "y=1", values: []value{{"2", `"2"`}}}
	require.Equal(t, []string{
		`y=1=2 was not understood`,
		`the jsonschema tags were not understood: they add "y"`,
	}, readings(t, text, y))
}

// TestCompareFails pins that a text which breaks the library's JSON is named.
func TestCompareFails(t *testing.T) {
	got := readings(t, float, asked("minimum", "NaN", `"NaN"`))
	require.Len(t, got, 1)
	require.Contains(t, got[0], "the jsonschema tags were not understood: ")
	require.NotContains(t, got[0], "\n")
}

// TestCompareAllAsks pins which readings are compared as they are made: those of which invopop's versions
// may have another.
func TestCompareAllAsks(t *testing.T) {
	wrong := func(text string) ask { return asked("title", text, `"other"`) }
	tests := []struct {
		name string
		want int
		asks []ask
	}{
		{"plain", 0, []ask{wrong(`a=b\d "c" <é>`)}},
		{"escaped comma", 1, []ask{wrong("a,b")}},
		{"behind a plain one", 1, []ask{asked("format", "f", `"f"`), wrong("a,b")}},
		{"in a later value", 1, []ask{{word: lookup("enum"), key: "enum", list: true,
			values: []value{{"a", `"a"`}, {"b,c", `"other"`}}}}},
		{"extra", 1, []ask{{key: "x", values: []value{{"1", `"2"`}}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := &parser{target: text, asks: tt.asks}
			compareAll([]*parser{nil, p})
			require.Len(t, p.problems, tt.want)
		})
	}
}

// TestCompareFailsAlone pins that a text which breaks the library's JSON is named where it stands.
func TestCompareFailsAlone(t *testing.T) {
	bad := &parser{target: float, asks: []ask{asked("minimum", "NaN", `"NaN"`)}}
	good := &parser{target: float, asks: []ask{asked("minimum", "3", "3")}}
	compare([]*parser{good, bad})
	require.Empty(t, good.problems)
	require.Len(t, bad.problems, 1)
}

func TestReadNode(t *testing.T) {
	tests := []struct {
		name    string
		want    node
		text    string
		wantErr bool
	}{
		{"absent", node{}, ``, false},
		{"true", node{}, `true`, false},
		{"keywords", node{"a": json.RawMessage(`1`)}, `{"a":1}`, false},
		{"nullable", node{"a": json.RawMessage(`1`)}, `{"oneOf":[{"a":1},{"type":"null"}]}`, false},
		{"other choice", nil, `{"oneOf":[1]}`, true},
		{"false", nil, `false`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var raw json.RawMessage
			if tt.text != "" {
				raw = json.RawMessage(tt.text)
			}
			got, err := readNode(raw)
			require.Equal(t, tt.wantErr, err != nil)
			require.Equal(t, tt.want, got)
		})
	}
}

func TestSame(t *testing.T) {
	tests := []struct {
		want bool
		a, b string
	}{
		{true, `1`, `1`},
		{true, `9007199254740993`, `9007199254740992`},
		{false, `1`, `2`},
		{false, `1`, `"1"`},
		{true, `["a",1]`, `["a",1.0]`},
		{false, `["a"]`, `["a","b"]`},
		{true, `{"a":true}`, `{"a":true}`},
		{false, `true`, `false`},
	}
	for _, tt := range tests {
		got := same(decode(tt.a), decode(tt.b))
		require.Equal(t, tt.want, got, "same(%s, %s) = %t, want %t", tt.a, tt.b, got, tt.want)
	}
}
