package scan

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestAppendQuote(t *testing.T) {
	tests := []struct{ want, text string }{
		{`""`, ""},
		{`"plain text"`, "plain text"},
		{`"<a href='x'>&</a>"`, "<a href='x'>&</a>"},
		{`"\"\\/"`, `"\/`},
		{`"\b\f\n\r\t"`, "\b\f\n\r\t"},
		{`"\u0000\u001f\u000b"`, "\x00\x1f\x0b"},
		{"\"\x7f\u2028\u2029é😀\"", "\x7f\u2028\u2029é😀"},
		{"\"a\ufffdb\"", "a\xffb"},
		{"\"\ufffd\"", "\ufffd"},
		{"\"\ufffd\ufffd\ufffd\"", "\xed\xa0\x80"},
		{"\"é\ufffd\"", "é\xc3"},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, string(AppendQuote(nil, tt.text)), "AppendQuote(%q)", tt.text)
		got := AppendQuote([]byte("x:"), []byte(tt.text))
		require.Equal(t, "x:"+tt.want, string(got), "AppendQuote([]byte(%q))", tt.text)
	}
}

// FuzzAppendQuote reads the result back with encoding/json.
func FuzzAppendQuote(f *testing.F) {
	f.Add("plain")
	f.Add("\xff\u2028\"\\\x00")
	f.Fuzz(func(t *testing.T, text string) {
		quoted := AppendQuote(nil, text)
		require.Equal(t, quoted, AppendQuote(nil, []byte(text)))
		require.True(t, utf8.Valid(quoted))
		var got string
		require.NoError(t, json.Unmarshal(quoted, &got))
		// Converting to runes replaces each invalid byte by U+FFFD.
		require.Equal(t, string([]rune(text)), got)
	})
}

func TestAppendQuoteDoesNotAllocate(t *testing.T) {
	text := strings.Repeat("a\n\"é\xff", 20)
	bytes := []byte(text)
	dst := make([]byte, 0, 1000)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		AppendQuote(dst, text)
		AppendQuote(dst, bytes)
	}))
}
