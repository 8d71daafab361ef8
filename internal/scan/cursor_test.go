package scan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// cursor returns a Cursor over text, which has to be valid.
func cursor(t *testing.T, text string) *Cursor {
	t.Helper()
	checked, err := Check([]byte(text), testLimits)
	require.Nil(t, err)
	c := NewCursor(checked)
	return &c
}

func TestCursorWalk(t *testing.T) {
	c := cursor(t, " { \"n\" : null , \"b\\u0021\" : [ true , false ] , \"x\" : -1.5e3,"+
		"\"s\":\"a\\tb\" , \"e\" : { } , \"f\" : [ ] } ")
	require.Equal(t, Object, c.Kind())
	require.True(t, c.Enter())
	require.Equal(t, "n", string(c.Key()))
	require.Equal(t, Null, c.Kind())
	c.Null()
	require.True(t, c.More())
	require.Equal(t, "b!", string(c.Key()))
	require.Equal(t, Array, c.Kind())
	require.True(t, c.Enter())
	require.Equal(t, Bool, c.Kind())
	require.True(t, c.Bool())
	require.True(t, c.More())
	require.False(t, c.Bool())
	require.False(t, c.More())
	require.True(t, c.More())
	require.Equal(t, "x", string(c.Key()))
	require.Equal(t, Number, c.Kind())
	require.Equal(t, "-1.5e3", string(c.Number()))
	require.True(t, c.More())
	require.Equal(t, "s", string(c.Key()))
	require.Equal(t, String, c.Kind())
	require.Equal(t, "a\tb", c.Text())
	require.True(t, c.More())
	require.Equal(t, "e", string(c.Key()))
	require.Equal(t, Object, c.Kind())
	require.False(t, c.Enter())
	require.True(t, c.More())
	require.Equal(t, "f", string(c.Key()))
	require.False(t, c.Enter())
	require.False(t, c.More())
	require.Zero(t, c.Kind())
}

func TestCursorSkip(t *testing.T) {
	tests := []string{
		`null`, `true`, `false`, `0`, `-1.5E+10`, `""`, `"a\"]}"`, `"\\"`, `"é😀"`, `[]`, `{}`,
		`[1, [2, "]"], {"}": "{"}]`, `{"a": {"b": [ ]}, "c\"": "\\"}`,
	}
	for _, text := range tests {
		c := cursor(t, "["+text+" , "+text+"]")
		require.True(t, c.Enter())
		require.Equal(t, text, string(c.Skip()))
		require.True(t, c.More())
		saved := *c
		require.Equal(t, text, string(c.Skip()))
		require.False(t, c.More())
		require.Equal(t, text, string(saved.Skip()), "a copy keeps the position")
	}
}

func TestCursorStrings(t *testing.T) {
	tests := []struct{ want, raw string }{
		{"", `""`},
		{"plain", `"plain"`},
		{"é€😀", `"é€😀"`},
		{"\"\\/\b\f\n\r\t", `"\"\\\/\b\f\n\r\t"`},
		{"é\x00<", `"\u00e9\u0000\u003C"`},
		{"a😀b", `"a\ud83d\uDE00b"`},
	}
	for _, tt := range tests {
		c := cursor(t, " "+tt.raw)
		a, b, d := *c, *c, *c
		require.Equal(t, tt.want, a.Text())
		require.Equal(t, tt.want, string(b.Bytes()))
		require.Equal(t, tt.raw, string(d.RawString()))
		require.Equal(t, tt.want, string(Unquote([]byte(tt.raw))))
		require.Equal(t, a.Offset(), b.Offset())
		require.Equal(t, a.Offset(), d.Offset())
	}
}

// Text that is JSON and was not checked may hold half a surrogate pair, which stays one.
func TestUnquoteHalves(t *testing.T) {
	tests := []struct{ want, raw string }{
		{"\xed\xa0\xbd", `"\ud83d"`},
		{"\xed\xa0\xbdx", `"\ud83dx"`},
		{"\xed\xa0\xbd\n", `"\ud83d\n"`},
		{"\xed\xa0\xbd\u00e9", `"\ud83d\u00e9"`},
		{"\xed\xa0\xbd😀", `"\ud83d\ud83d\ude00"`},
		{"\xed\xb8\x80", `"\ude00"`},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, string(Unquote([]byte(tt.raw))), tt.raw)
	}
}

func TestCursorSharing(t *testing.T) {
	data := []byte(`["abc","abc"]`)
	c := NewCursor(data)
	c.Enter()
	shared := c.Bytes()
	require.Equal(t, len(shared), cap(shared), "append must not reach the input")
	c.More()
	text := c.Text()
	copy(data, `["xyz","xyz"]`)
	require.Equal(t, "xyz", string(shared))
	require.Equal(t, "abc", text)
}

func TestKindString(t *testing.T) {
	want := []string{"none", "null", "boolean", "number", "string", "array", "object", "none"}
	for k, name := range want {
		require.Equal(t, name, Kind(k).String())
	}
}
