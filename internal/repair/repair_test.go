package repair

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/internal/scan"
)

// A mend is a text and what Text makes of it. No kinds and no output mean that it is not mended.
type mend struct{ name, in, want, kinds string }

func testMends(t *testing.T, tests []mend) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := []byte(test.in)
			got, kinds := Text(in)
			assert.Equal(t, test.want, string(got), "Text(%q)", test.in)
			assert.Equal(t, test.kinds, strings.Join(kinds, " "), "kinds of Text(%q)", test.in)
			assert.Equal(t, test.want == "", got == nil)
			assert.Equal(t, test.in, string(in), "Text changed its input")
		})
	}
}

func TestText(t *testing.T) {
	testMends(t, []mend{
		{"valid", `{"a": [1, 2.50]}`, `{"a": [1, 2.50]}`, ""},
		{"valid in white space", " [1]\n", " [1]\n", ""},
		{"valid after a byte order mark", bom + "{}", bom + "{}", ""},
		{"valid with the look of faults",
			"{\"'\":\"```<|end|>,]\"}", "{\"'\":\"```<|end|>,]\"}", ""},

		{"all at once",
			"<|channel|>\n```json\n{'a': [1, 2,], \"b\": \"x\ny\",}\n```<|call|>",
			"{\"a\": [1, 2], \"b\": \"x\\ny\"}",
			"code_fence control_token trailing_comma single_quotes control_character"},
		{"order of kinds is not that of faults", "[\"\t\",'',]", `["\t",""]`,
			"trailing_comma single_quotes control_character"},
		{"byte order mark and fence", bom + "```\n[]\n```", "[]", "code_fence"},
		{"byte order mark in fence", "```\n" + bom + "[1,]\n```", "[1]",
			"code_fence trailing_comma"},
		{"two byte order marks", bom + bom + "[]", "", ""},
		{"two byte order marks and a fault", bom + bom + "[1,]", "", ""},

		{"empty", "", "", ""},
		{"blank", " \n", "", ""},
		{"two values", `{"a":1}{"a":2}`, "", ""},
		{"two values and a fault", `{"a":1,} {"a":2}`, "", ""},
		{"prose before", `Sure: {"a":1}`, "", ""},
		{"prose after", `{"a":1} is what you want`, "", ""},
		{"bare key", `{a:1}`, "", ""},
		{"bare key and a fault", `{a:1,}`, "", ""},
		{"python literals", `{'a':True,'b':None}`, "", ""},
		{"line comment", "{\"a\":1 // one\n}", "", ""},
		{"block comment", `{"a":1/* one */,}`, "", ""},
		{"missing comma", `{"a":1 "b":2,}`, "", ""},
		{"missing opener", `"a":1,}`, "", ""},
		{"extra closer", `{"a":1,}}`, "", ""},
		{"wrong closer", `[1,}`, "", ""},
		{"duplicate key", `{"a":1,"a":2,}`, "", ""},
		{"duplicate key in other quotes", `{"a":1,'a':2}`, "", ""},
		{"invalid utf-8", "[\"\xff\",]", "", ""},
		{"lone surrogate", `["\ud800",]`, "", ""},
		{"huge number", `[1e99999,]`, "", ""},
		{"other numbers", `[+1,]`, "", ""},
	})
}

// TestTextTruncated holds rule A2: nothing completes a text that is cut off.
func TestTextTruncated(t *testing.T) {
	var tests []mend
	for _, in := range []string{
		`{"path":"a","content":"begin`, `{"query":"x"`, `{"query":"x","tags":["a`, `{"a":1,`,
		`[`, `"`,
		`{'a':'b`, `{'a':'b'`, `{'a':'it\'s`, `{'a`, "{\"a\":\"x\ny", `[1,],`,
		`{"a":[1,],"b":"x`,
		"```json\n{\"a\":1", "```json\n{\"a\":1\n```",
		"```json\n{\"a\":1}", "```json\n{\"a\":1}\n``",
		"```json\n{\"a\":\"b\n```", "```json", "```", "`", "``` ```", "```json\n{'a':'b\n```",
		`{"a":1<|end|>`, `{"a":"x<|end|>`, `{"a":"x </s>`, `[1[/INST]`, `[[/INST]`, `{"a":1}<|en`,
		`<|call|>{"a":1`, `<|call|>`, `<|ca`, `{'a':'x<|end|>`, `["\`, `['\`, "[\"\\\n",
		"\xef\xbb", `tru<|end|>`, `[1.`, `1e<|end|>`, "[\"\xe2\x82",
	} {
		tests = append(tests, mend{in, in, "", ""})
	}
	testMends(t, tests)
}

// TestTextPrefixes cuts off valid and mendable texts at every byte.
func TestTextPrefixes(t *testing.T) {
	for _, text := range []string{
		`{"a":"it's \"b\" \\ \u00e9 \ud83d\ude00","c":[1,-2.5e3,{"d":null}],"e":[true,false,{}]}`,
		"[\"```json\\n{}\\n```\",\"<|end|>\",\"</s>\",\"[/INST]\",\"é ｜ ▁\"]",
		`{'a':'it\'s "b"','c':[1,2,],'d':{'e':"x",},}`,
		"{\"a\":\"x\ny\tz\",'b':'\r\n',}",
		"```json\n{\"a\":[1,],\"b\":'```'}\n```",
		"<|start|><｜tool▁sep｜>[TOOL_CALLS]```{\"a\":{}}```",
	} {
		whole, _ := Text([]byte(text))
		require.NotNil(t, whole, text)
		for i := range len(text) {
			got, kinds := Text([]byte(text[:i]))
			assert.Nil(t, got, "Text(%q) = %q, %q", text[:i], got, kinds)
		}
	}
}

func TestTextDepth(t *testing.T) {
	nested := func(depth int) []byte {
		return []byte(strings.Repeat("[", depth) + "1," + strings.Repeat("]", depth))
	}
	got, kinds := Text(nested(1000))
	require.Len(t, got, 2001)
	require.Equal(t, []string{TrailingComma}, kinds)
	got, _ = Text(nested(maxDepth + 1))
	require.Nil(t, got)
}

// TestTextLinear fails by its time on a Text that takes quadratic time.
func TestTextLinear(t *testing.T) {
	const n = 200_000
	for _, text := range []string{
		strings.Repeat("<|a|>", n) + "<" + strings.Repeat("x", n) + ">",
		"<" + strings.Repeat("x", n) + ">" + strings.Repeat("<|a|>", n),
		strings.Repeat("[1,", n), strings.Repeat("```", n),
		strings.Repeat("<|", n) + strings.Repeat("|>", n), strings.Repeat("[INST", n) + "]",
		"[" + strings.Repeat("1, ", n) + "]", "'" + strings.Repeat(`\'`, n),
		"[1" + strings.Repeat(","+strings.Repeat(" ", 100), n/100) + "]",
	} {
		Text([]byte(text))
	}
}

// stringsOf returns the strings of a checked text, keys too, in order.
func stringsOf(checked []byte) []string {
	var found []string
	c := scan.NewCursor(bytes.TrimPrefix(checked, []byte(bom)))
	collect(&c, &found)
	return found
}

func collect(c *scan.Cursor, found *[]string) {
	switch kind := c.Kind(); kind {
	case scan.String:
		*found = append(*found, c.Text())
	case scan.Array, scan.Object:
		for more := c.Enter(); more; more = c.More() {
			if kind == scan.Object {
				*found = append(*found, string(c.Key()))
			}
			collect(c, found)
		}
	default:
		c.Skip()
	}
}
