package scan

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestCheckAccepts(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"object", `{"a":1}`, `{"a":1}`},
		{"space around", " \t\r\n{} \n", "{}"},
		{"byte order mark", "\xef\xbb\xbf [1] ", "[1]"},
		{"scalars", `[null,true,false,0,-0,1.5e+10,1E-2,"x"]`, ""},
		{"top-level number", "12", "12"},
		{"top-level string", `"a"`, `"a"`},
		{"inner space", "{ \"a\" : [ 1 , 2 ] , \"b\" : { } }", ""},
		{"escapes", `"\"\\\/\b\f\n\r\t\u00e9\u0000"`, ""},
		{"surrogate pair", `"\ud83d\ude00 \uDBFF\uDFFF"`, ""},
		{"raw runes", "\"\u00e9\u2028\U0001f600\ufffd\x7f\"", ""},
		{"keys that differ in case", `{"a":1,"A":2}`, ""},
		{"a key again one level down", `{"a":{"a":{"a":1}},"b":{"a":1}}`, ""},
		{"a key again in a sibling", `[{"a":1},{"a":1}]`, ""},
		{"empty key", `{"":1}`, ""},
		{"number of 1000 characters", strings.Repeat("1", 1000), ""},
		{"largest exponent", "1e9999", ""},
		{"smallest exponent", "1E-0009999", ""},
		{"depth at the limit", strings.Repeat("[", 64) + strings.Repeat("]", 64), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want == "" {
				want = tt.text
			}
			got, err := Check([]byte(tt.text), testLimits)
			require.Nil(t, err)
			require.Equal(t, want, string(got))
		})
	}
}

func TestCheckRefuses(t *testing.T) {
	deep := strings.Repeat("[", 65)
	tests := []struct {
		name    string
		text    string
		code    Code
		offset  int
		pointer string
	}{
		{"nothing", "", Empty, 0, ""},
		{"blank", " \n\t", Empty, 3, ""},
		{"byte order mark only", "\xef\xbb\xbf ", Empty, 4, ""},
		{"too deep", deep, Depth, 64, strings.Repeat("/0", 64)},
		{"size before all", strings.Repeat("x", 1<<20+1), Size, 1 << 20, ""},

		{"no value", "xyz", Syntax, 0, ""},
		{"capital literal", `{"a":True}`, Syntax, 5, "/a"},
		{"broken literal", `[nul]`, Syntax, 1, "/0"},
		{"single quotes", `{'a':1}`, Syntax, 1, ""},
		{"bare key", `{a:1}`, Syntax, 1, ""},
		{"no colon", `{"a" 1}`, Syntax, 5, ""},
		{"no comma", `{"a":1 "b":2}`, Syntax, 7, ""},
		{"trailing comma in object", `{"a":[{"b":1,}]}`, Syntax, 13, "/a/0"},
		{"trailing comma in array", `[1, ]`, Syntax, 4, ""},
		{"leading comma", `[,1]`, Syntax, 1, "/0"},
		{"wrong closer", `{"a":[1}`, Syntax, 7, "/a"},
		{"comment", `[1 /* one */]`, Syntax, 3, ""},
		{"leading zero", `[01]`, Syntax, 1, "/0"},
		{"leading zero at top level", `-012`, Syntax, 1, ""},
		{"no digit after the point", `[1.]`, Syntax, 3, "/0"},
		{"no digit after the sign", `[-a]`, Syntax, 2, "/0"},
		{"no digit in the exponent", `[1e+]`, Syntax, 4, "/0"},
		{"leading point", `[.5]`, Syntax, 1, "/0"},
		{"leading plus", `[+5]`, Syntax, 1, "/0"},
		{"raw newline", "{\"a\":\"x\ny\"}", Syntax, 7, "/a"},
		{"unknown escape", `["\'"]`, Syntax, 2, "/0"},
		{"no hex digit", `["\u12g4"]`, Syntax, 2, "/0"},
		{"other white space", "[\f1]", Syntax, 1, "/0"},
		{"pointer is escaped", `{"a/b":{"c~d":[0,x]}}`, Syntax, 17, "/a~1b/c~0d/1"},
		{"pointer is decoded", `{"\u0061":x}`, Syntax, 10, "/a"},

		{"invalid UTF-8 in a string", "[\"a\xffb\"]", UTF8, 3, "/0"},
		{"invalid UTF-8 in a key", "{\"\xc0\xaf\":1}", UTF8, 2, ""},
		{"surrogate as UTF-8", "\"\xed\xa0\x80\"", UTF8, 1, ""},
		{"invalid UTF-8 outside", "[\xff]", UTF8, 1, "/0"},
		{"invalid UTF-8 after", "1 \xff", UTF8, 2, ""},

		{"high half alone", `{"a":"\ud800"}`, Surrogate, 6, "/a"},
		{"high half and text", `"\ud800abcdef"`, Surrogate, 1, ""},
		{"high half and escape", `"\ud800\n"`, Surrogate, 1, ""},
		{"high half twice", `"\ud800\ud800"`, Surrogate, 1, ""},
		{"low half first", `"\udc00\ud800"`, Surrogate, 1, ""},
		{"high half and a cut other escape", `"\ud800\u00`, Surrogate, 1, ""},
		{"high half and a cut high half", `"\ud800\ud8`, Surrogate, 1, ""},
		{"high half and no hex digit", `"\ud800\udxyz"`, Surrogate, 1, ""},
		{"cut low half first", `"\udd`, Surrogate, 1, ""},

		{"duplicate", `{"a":1,"b":2,"a":3}`, Duplicate, 13, "/a"},
		{"duplicate deep", `[0,{"x":{"a":1,"a":1}}]`, Duplicate, 15, "/1/x/a"},
		{"duplicate by escape", `{"a":1,"\u0061":2}`, Duplicate, 7, "/a"},
		{"duplicate escaped first", `{"\u0061b":1,"ab":2}`, Duplicate, 13, "/ab"},
		{"duplicate by two escapes", `{"\/":1,"\u002f":2}`, Duplicate, 8, "/~1"},
		{"duplicate by pair", "{\"\U0001f600\":1,\"\\ud83d\\ude00\":2}", Duplicate, 10, "/\U0001f600"},
		{"duplicate around an object", `{"a":{"b":1,"c":2},"a":3}`, Duplicate, 19, "/a"},
		{"duplicate then cut", `{"a":1,"a"`, Duplicate, 7, "/a"},

		{"number too long", `[` + strings.Repeat("1", 1001) + `]`, HugeNumber, 1, "/0"},
		{"number too long, then broken", strings.Repeat("1", 1001) + `.x`, HugeNumber, 0, ""},
		{"exponent too large", `{"a":1e10000}`, HugeNumber, 5, "/a"},
		{"exponent too small", `1e-10000`, HugeNumber, 0, ""},
		{"exponent of many digits", `1e1000001`, HugeNumber, 0, ""},

		{"second value", `{} {}`, Trailing, 3, ""},
		{"extra closer", `{"a":1}}`, Trailing, 7, ""},
		{"text after", `12abc`, Trailing, 2, ""},
		{"mark after", "1\xef\xbb\xbf", Trailing, 1, ""},

		{"first fault wins", `["\ud800", "a` + "\xff", Surrogate, 2, "/0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Check([]byte(tt.text), testLimits)
			require.NotNil(t, err)
			require.Nil(t, got)
			require.Equal(t, tt.code, err.Code, err.Error())
			require.Equal(t, tt.offset, err.Offset, err.Error())
			require.Equal(t, tt.pointer, err.Pointer, err.Error())
			require.True(t, utf8.ValidString(err.Error()))
			require.Less(t, len(err.Error()), 400)
		})
	}
}

func TestCheckTruncated(t *testing.T) {
	tests := []string{
		`{`, `{"`, `{"a`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,"a`, `{"a": `, `[`, `[1`,
		`[1,`, `[[1]`, `"`, `"abc`, `"\`, `"\u`, `"\u00`, `{"a":"\u00`, `"\ud8`, `"\ud800`,
		`"\ud800\`, `"\ud800\u`, `"\ud800\ud`, `"\ud800\udc`, `"\ud`, `t`, `tru`, `f`, `fals`,
		`n`, `nul`, `-`, `1.`, `1e`, `1e+`, `[-`, "\xef", "\xef\xbb", "\xef\xbb\xbf{",
		"\"\xe2", "\"\xe2\x82", "\"\xf0\x9f\x98", "{\"\xc3", ` [1, `,
	}
	for _, text := range tests {
		_, err := Check([]byte(text), testLimits)
		require.NotNil(t, err, text)
		require.Equal(t, Truncated, err.Code, "Check(%q): %v", text, err)
		require.Equal(t, len(text), err.Offset, text)
	}
}

// Every proper prefix of a valid text is truncated, unless it is blank or a
// number that might end there. Reading such a prefix as anything else would
// let a cut-off call run.
func TestCheckPrefixes(t *testing.T) {
	tests := append([]string{
		"\xef\xbb\xbf {\"a\" : [1, -2.5e+10, true, false, null]} ",
		`{"\ud83d\ude00":"\u00e9\n","b":{"c":[[],{}]},"":"` + "é€😀" + `"}`,
		"  -12.5e-3 ", "0.25", `"\"\\"`, "[\n1\t,\r2 ]", "null", "\xef\xbb\xbftrue",
	}, seeds()...)
	for _, text := range tests {
		checked, err := Check([]byte(text), testLimits)
		if err != nil {
			continue
		}
		end := bytes.Index([]byte(text), checked) + len(checked)
		for i := range end {
			prefix := text[:i]
			_, err := Check([]byte(prefix), testLimits)
			switch {
			case strings.Trim(strings.TrimPrefix(prefix, bom), " \t\r\n") == "":
				require.NotNil(t, err)
				require.Equal(t, Empty, err.Code, "%q", prefix)
			case err == nil:
				require.Contains(t, "-0123456789", string(checked[:1]), "%q", prefix)
			default:
				require.Equal(t, Truncated, err.Code, "%q: %v", prefix, err)
			}
		}
	}
}

func TestCheckMessages(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "the text is empty, want a JSON value"},
		{`{"a":1`, "the text ends at byte 6, before its JSON value is complete"},
		{`{"a":[1,}`, `"/a/1": invalid JSON at byte 8 near "}": want a value`},
		{
			`{"a":1,}`,
			`invalid JSON at byte 7 near "}": want another item after the comma`,
		},
		{
			`{path: "a long value that goes on and on"}`,
			`invalid JSON at byte 1 near "path: \"a long value that...": want a key in double quotes`,
		},
		{`[1 2]`, `invalid JSON at byte 3 near "2]": want a comma or ]`},
		{
			"[\"\U0001f600\U0001f600\n\U0001f600\U0001f600\U0001f600\U0001f600\U0001f600\U0001f600\"]",
			"\"/0\": invalid JSON at byte 10 near \"\\n\U0001f600\U0001f600\U0001f600\U0001f600" +
				"\U0001f600...\": want control characters in a string as escapes",
		},
		{
			`{"a":{"k":1,"k":2}}`,
			`"/a/k": the key "k" at byte 12 is in its object already, want each key once`,
		},
		{
			`"\ud800"`,
			`the escape \ud800 at byte 1 is half of a surrogate pair, want both halves`,
		},
		{"\"\xff\"", "the byte at offset 1 is not valid UTF-8"},
		{
			`1e99999`,
			"the exponent of the number at byte 0 is too large, want -9999 to 9999",
		},
		{
			`{} and more`,
			`unexpected text at byte 3 near "and more", want nothing after the value`,
		},
	}
	for _, tt := range tests {
		_, err := Check([]byte(tt.text), testLimits)
		require.NotNil(t, err)
		require.Equal(t, tt.want, err.Error(), "Check(%q)", tt.text)
	}
	_, err := Check([]byte("[[1]]"), Limits{Bytes: 5, Depth: 1})
	require.Equal(t, `"/0": nested too deeply at byte 1, want at most 1 levels`, err.Error())
	_, err = Check([]byte("[[1]]"), Limits{Bytes: 4, Depth: 1})
	require.Equal(t, "the text is 5 bytes long, want at most 4", err.Error())
}

// manyKeys returns an object of n keys, of which the last is last.
func manyKeys(n int, last string) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := range n - 1 {
		fmt.Fprintf(&b, `"key%d":{"key0":%d},`, i, i)
	}
	fmt.Fprintf(&b, `%q:0}`, last)
	return b.Bytes()
}

func TestCheckManyKeys(t *testing.T) {
	limits := Limits{Bytes: 1 << 30, Depth: 10}
	for _, n := range []int{2, 15, 16, 17, 18, 31, 32, 33, 34, 63, 64, 65, 100, 1000, 20_000} {
		_, err := Check(manyKeys(n, "last"), limits)
		require.Nil(t, err, "%d keys", n)
		for _, again := range []int{0, n / 2, n - 2} {
			again = min(again, n-2)
			_, err = Check(manyKeys(n, fmt.Sprintf("key%d", again)), limits)
			require.NotNil(t, err, "%d keys", n)
			require.Equal(t, Duplicate, err.Code)
			require.Equal(t, fmt.Sprintf("/key%d", again), err.Pointer)
		}
	}
}

// A deep text with long keys: prepending each key to the pointer would copy
// five gigabytes here.
func TestCheckDeepPointer(t *testing.T) {
	const depth = 10_000
	key := strings.Repeat("k", 100)
	text := strings.Repeat(`{"`+key+`":`, depth) + "x"
	_, err := Check([]byte(text), Limits{Bytes: 1 << 22, Depth: depth})
	require.Equal(t, Syntax, err.Code)
	require.Len(t, err.Pointer, depth*(1+len(key)))
	require.Less(t, len(err.Error()), 400)
}

func TestCheckClipsItsResult(t *testing.T) {
	data := []byte("[1] ")
	checked, err := Check(data, testLimits)
	require.Nil(t, err)
	_ = append(checked, 'x')
	require.Equal(t, "[1] ", string(data))
}

func TestCodeString(t *testing.T) {
	require.Equal(t, "empty", Empty.String())
	require.Equal(t, "trailing", Trailing.String())
	require.Equal(t, "Code(99)", Code(99).String())
}
