package clip

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func ExampleJSON() {
	rows := strings.Repeat(`{"id":7},`, 999) + `{"id":7}`
	out, cut := JSON([]byte(`{"rows":[`+rows+`],"next":"tok"}`), 256)
	fmt.Println(string(out[:28]), "...", string(out[len(out)-60:]))
	fmt.Println(cut.Original, cut.Kept, cut.Omitted)
	// Output:
	// {"rows":[{"id":7},{"id":7},{ ... "id":7},{"id":7},{"omitted":978,"total":1000}],"next":"tok"}
	// 9023 250 978
}

// list returns a JSON array of n times element.
func list(element string, n int) string {
	return "[" + strings.TrimSuffix(strings.Repeat(element+",", n), ",") + "]"
}

// shortened returns a JSON array of n times element and a marker.
func shortened(element string, n, total int) string {
	marker := fmt.Sprintf(`{"omitted":%d,"total":%d}]`, total-n, total)
	return "[" + strings.Repeat(element+",", n) + marker
}

func TestJSONFits(t *testing.T) {
	tests := []struct {
		name, want, in string
		limit          int
	}{
		{"null", "null", "null", 256},
		{"exactly the cap", list("1", 100), list("1", 100), 201},
		{"escapes stay", `["\u003c\/"]`, `["\u003c\/"]`, 256},
		{"numbers stay", `[1.0,1e400,9007199254740993]`, `[1.0,1e400,9007199254740993]`, 256},
		{"doubled keys stay", `{"a":1,"a":2}`, `{"a":1,"a":2}`, 256},
		{"bad bytes are replaced", "[\"\uFFFD\"]", "[\"\xff\"]", 256},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, cut := JSON([]byte(tt.in), tt.limit)
			require.Equal(t, tt.want, string(got))
			require.Nil(t, cut)
		})
	}
}

func TestJSONCuts(t *testing.T) {
	const word = `"abcdefg"` // 10 bytes with its comma
	quoted := func(n int) string { return `"` + strings.Repeat("x", n) + `"` }
	tests := []struct {
		name, want, in string
		limit          int
	}{
		{"one array", shortened(word, 23, 30), list(word, 30), 256},
		{"members beside it stay", `{"a":{},"rows":` + shortened(word, 20, 30) + `,"next":"tok"}`,
			`{"a":{},"rows":` + list(word, 30) + `,"next":"tok"}`, 256},
		{"the larger of two", `{"a":` + list(word, 9) + `,"b":` + shortened(word, 12, 30) + `}`,
			`{"a":` + list(word, 9) + `,"b":` + list(word, 30) + `}`, 256},
		{"two of one size, the first gets the rest",
			`[` + shortened(word, 10, 20) + `,` + shortened(word, 9, 20) + `]`,
			`[` + list(word, 20) + `,` + list(word, 20) + `]`, 256},
		{"the inner arrays of a few records",
			list(`{"id":1,"log":`+shortened(word, 8, 50)+`}`, 2),
			list(`{"id":1,"log":`+list(word, 50)+`}`, 2), 256},
		{"the outer array of many records", shortened(`{"id":1,"tags":["a","b"]}`, 8, 50),
			list(`{"id":1,"tags":["a","b"]}`, 50), 256},
		{"brackets in strings", shortened(`"]},\"[{"`, 23, 30), list(`"]},\"[{"`, 30), 256},
		{"nothing of it fits", shortened("", 0, 1), "[" + quoted(300) + "]", 256},
		{"a first element that does not fit", `{"a":` + shortened("", 0, 2) + `,"b":1}`,
			`{"a":[` + quoted(300) + `,1],"b":1}`, 256},
		{"capped again", shortened(word, 22, 1000), shortened(word, 50, 1000), 256},
		{"capped again to nothing", shortened("", 0, 1000),
			"[" + quoted(300) + `,{"omitted":999,"total":1000}]`, 256},
		{"an earlier marker in what stays", `{"a":` + shortened("1", 2, 9) + `,"b":` +
			shortened(word, 18, 40) + `}`,
			`{"a":` + shortened("1", 2, 9) + `,"b":` + list(word, 40) + `}`, 256},
		{"a marker that does not add up is data",
			`[` + strings.Repeat(word+",", 23) + `{"omitted":8,"total":31}]`,
			`[` + strings.Repeat(word+",", 30) + `{"omitted":5,"total":36}]`, 256},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, cut := JSON([]byte(tt.in), tt.limit)
			require.Equal(t, tt.want, string(got))
			checkJSON(t, []byte(tt.in), tt.limit, got, cut)
		})
	}
}

func TestJSONPreview(t *testing.T) {
	// The frame of a preview of a three-digit size is 26 bytes long.
	x := func(n int) string { return strings.Repeat("x", n) }
	preview := func(text string, n int) string {
		return `{"preview":"` + text + `","bytes":` + strconv.Itoa(n) + `}`
	}
	tests := []struct {
		name, want, in string
		limit          int
	}{
		{"a string", preview(`\"`+x(228), 302), `"` + x(300) + `"`, 256},
		{"an object", preview(`{\"a\":\"`+x(221), 308), `{"a":"` + x(300) + `"}`, 256},
		{"arrays too small to help", preview(`{\"a\":[1],\"b\":\"`+x(211), 316),
			`{"a":[1],"b":"` + x(300) + `"}`, 256},
		{"longer runes", preview(`\"`+strings.Repeat("城", 76), 302),
			`"` + strings.Repeat("城", 100) + `"`, 256},
		{"signs of HTML stay", preview(`\"`+strings.Repeat("<&\u2028", 45)+"<&", 407),
			`"` + strings.Repeat("<&\u2028", 81) + `"`, 256},
		{"backslashes", preview(`\"`+strings.Repeat(`\\n`, 76), 302),
			`"` + strings.Repeat(`\n`, 150) + `"`, 256},
		{"a control character", preview(`\u000a`+x(224), 301), "\n" + x(300), 256},
		{"capped again", preview(x(229), 9999), preview(x(900), 9999), 256},
		{"a size below the text's is data", preview(`{\"preview\":\"`+x(215), 325),
			preview(x(300), 20), 256},
		{"no room", preview("", 302), `"` + x(300) + `"`, 0},
		{"negative", preview("", 302), `"` + x(300) + `"`, -1},
		{"brackets that do not match", preview(`[}`+x(228), 302), `[}` + x(300), 256},
		{"brackets left open", preview(`[[`+x(228), 302), `[[` + x(300), 256},
		{"brackets never opened", preview(`]`+x(229), 301), `]` + x(300), 256},
		{"a string left open", preview(`\"`+x(228), 301), `"` + x(300), 256},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, cut := JSON([]byte(tt.in), tt.limit)
			require.Equal(t, tt.want, string(got))
			require.True(t, json.Valid(got))
			require.Equal(t, &Cut{Original: len(tt.in), Kept: len(got)}, cut)
		})
	}
}

// TestJSONRepeats caps one value again and again: totals must not drift, and
// the same input must give the same bytes.
func TestJSONRepeats(t *testing.T) {
	raw := []byte(`{"rows":` + list(`{"id":1,"tags":`+list(`"abc"`, 9)+`}`, 300) + `}`)
	out := raw
	for limit := 5000; limit >= 256; limit -= 331 {
		again, cut := JSON(out, limit)
		checkJSON(t, out, limit, again, cut)
		require.Contains(t, string(again), `"total":300}]}`)
		same, _ := JSON(bytes.Clone(out), limit)
		require.Equal(t, string(again), string(same))
		out = again
	}
	require.NotContains(t, string(out), `{"omitted":300`)
}

func TestJSONDeep(t *testing.T) {
	tests := []struct {
		name, in string
	}{
		{"arrays", strings.Repeat("[", 9000) + strings.Repeat("]", 9000)},
		{"objects", strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000)},
		{"both", strings.Repeat(`[1,{"a":`, 4000) + "1" + strings.Repeat("}]", 4000)},
		{"a full tree", func() string {
			s := "1"
			for range 5 {
				s = list(s, 8)
			}
			return s
		}()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, cut := JSON([]byte(tt.in), 1000)
			checkJSON(t, []byte(tt.in), 1000, got, cut)
		})
	}
}

// benchmarkShapes are the values whose outline is the largest for their size.
var benchmarkShapes = []struct {
	name  string
	value func(size int) string
}{
	{"rows", func(size int) string {
		return `{"rows":` + list(`{"id":123,"name":"some name","tags":["a","b"]}`, size/47) + `}`
	}},
	{"digits", func(size int) string { return list("1", size/2) }},
	{"brackets", func(size int) string { return `{"a":` + list(`{"b":[]}`, size/9) + `}` }},
	{"string", func(size int) string { return `"` + strings.Repeat("x", size) + `"` }},
	{"members", func(size int) string {
		members := list(`"a":[1,2,3,4,5,6,7,8,9,0,1,2]`, size/30)
		return "{" + members[1:len(members)-1] + "}"
	}},
}

func BenchmarkJSON(b *testing.B) {
	for _, shape := range benchmarkShapes {
		for _, tt := range []struct{ size, limit int }{
			{1 << 10, 1 << 9}, {60 << 10, 30 << 10}, {5 << 20, 50 << 10}, {5 << 20, 5 << 19},
		} {
			raw := []byte(shape.value(tt.size))
			name := fmt.Sprintf("%s/%dKB/to%d", shape.name, tt.size>>10, tt.limit)
			b.Run(name, func(b *testing.B) {
				b.SetBytes(int64(len(raw)))
				for b.Loop() {
					JSON(raw, tt.limit)
				}
			})
		}
	}
}
