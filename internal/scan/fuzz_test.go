package scan

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
)

// seeds are texts at the edges of the grammar, valid and not.
func seeds() []string {
	return []string{
		`{"a":[1,2.50,-0,1e5],"b":{"c":null,"d":true},"e":"x\u00e9\n"}`,
		`{"a":1,"\u0061":2}`, `["\ud83d\ude00","\ud800"]`, `"\udc00"`, `[1,]`, `{"a":1,}`,
		`[01]`, `-`, `1.`, `1e`, `tru`, `nulL`, ` [ ] `, "\xef\xbb\xbf{}", "\xef\xbb", "",
		"\"\xff\"", "\"\xe2\x82\"", "\"\u2028<>&\"", `"\/\"\\"`, `{"":{"":{"":[]}}}`,
		`1e99999`, `[[[[[[1]]]]]]`, `{} {}`, "[\"\n\"]", `{"a" :1 , "b":[ {} , [] ]}`,
		`{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1,"10":1,"11":1,"12":1,` +
			`"13":1,"14":1,"15":1,"16":1,"17":1,"18":1,"\u0031":1}`,
		`{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1,"10":1,"11":1,"12":1,` +
			`"13":1,"14":1,"15":1,"16":1,"17":1,"18":1,"19":{"1":0},"20":[{"1":0}]}`,
	}
}

// FuzzCheck compares with two decoders: go-json-experiment's, which is as
// strict as Check, and encoding/json's, which knows what the text means.
func FuzzCheck(f *testing.F) {
	for _, seed := range seeds() {
		f.Add([]byte(seed))
	}
	limits := Limits{Bytes: 1 << 20, Depth: 10_000}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		checked, err := Check(data, limits)
		require.Equal(t, before, data)
		text := bytes.TrimPrefix(data, []byte(bom))
		if err != nil && (err.Code == Size || err.Code == Depth || err.Code == HugeNumber) {
			return
		}
		require.Equal(t, jsontext.Value(text).IsValid(), err == nil, "%q: %v", data, err)
		if err != nil {
			checkError(t, text, err)
			return
		}
		c := NewCursor(checked)
		got := rebuild(&c)
		require.Equal(t, len(checked), c.Offset())
		require.Zero(t, c.Kind())
		require.Equal(t, decodeStd(t, checked), got)
		c = NewCursor(checked)
		require.Equal(t, string(checked), string(c.Skip()))
	})
}

// checkError fails unless the error is one that text deserves.
func checkError(t *testing.T, text []byte, err *Error) {
	t.Helper()
	require.NotEmpty(t, err.Message)
	switch err.Code {
	case Empty:
		require.Empty(t, bytes.Trim(text, " \t\r\n"))
	case Truncated:
		if bytes.HasPrefix([]byte(bom), text) {
			return // encoding/json knows no byte order mark
		}
		var v any
		syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(text, &v))
		require.True(t, ok, "%q", text)
		require.Equal(t, int64(len(text)), syntax.Offset, "%q", text)
	}
}

// decodeStd returns the only value of text as encoding/json sees it.
func decodeStd(t *testing.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v))
	_, err := d.Token()
	require.ErrorIs(t, err, io.EOF)
	return v
}

// rebuild reads a value with every method there is for its kind.
func rebuild(c *Cursor) any {
	switch c.Kind() {
	case Null:
		c.Null()
		return nil
	case Bool:
		return c.Bool()
	case Number:
		return json.Number(c.Number())
	case String:
		return rebuildString(c)
	case Array:
		list := []any{}
		for more := c.Enter(); more; more = c.More() {
			list = append(list, rebuild(c))
		}
		return list
	case Object:
		object := map[string]any{}
		for more := c.Enter(); more; more = c.More() {
			key := string(c.Key())
			object[key] = rebuild(c)
		}
		return object
	}
	panic("no value")
}

// rebuildString also checks that the ways to read a string agree.
func rebuildString(c *Cursor) any {
	first, second := *c, *c
	text := c.Text()
	raw := second.RawString()
	quoted := AppendQuote(nil, text)
	checked, err := Check(quoted, Limits{Bytes: len(quoted), Depth: 1})
	if string(first.Bytes()) != text || string(Unquote(raw)) != text ||
		err != nil || string(Unquote(checked)) != text ||
		first.Offset() != c.Offset() || second.Offset() != c.Offset() {
		panic("the readings of a string differ: " + text)
	}
	return text
}
