package clip

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func ExampleText() {
	log := strings.Repeat("a line of the log\n", 1000) + "error: disk full\n"
	text, cut := Text(log, 256)
	fmt.Print(text)
	fmt.Println(cut.Original, cut.Kept)
	// Output:
	// a line of the log
	// a line of the log
	// a line of the log
	// a line of the log
	// a line of the log
	// a line of the log
	// a line of the log
	// a line of the log
	// a line of the log
	// [... 17802 of 18017 bytes left out ...]
	// a line of the log
	// a line of the log
	// error: disk full
	// 18017 255
}

func TestTextFits(t *testing.T) {
	tests := []struct {
		name, want, in string
		limit          int
	}{
		{"empty", "", "", 256},
		{"no room and nothing to say", "", "", 0},
		{"shorter", "abc", "abc", 256},
		{"exactly the cap", strings.Repeat("x", 256), strings.Repeat("x", 256), 256},
		{"exactly the cap in longer runes", strings.Repeat("城", 100), strings.Repeat("城", 100), 300},
		{"bad bytes are replaced", "a\uFFFDb", "a\xffb", 256},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, cut := Text(tt.in, tt.limit)
			require.Equal(t, tt.want, got)
			require.Nil(t, cut)
		})
	}
}

func TestTextCuts(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	marker := func(left, total int) string {
		return fmt.Sprintf("\n[... %d of %d bytes left out ...]\n", left, total)
	}
	tests := []struct {
		name, want, in string
		limit          int
	}{
		{"one byte too many", x(165) + marker(38, 257) + x(54), x(257), 256},
		{"longer runes", strings.Repeat("城", 55) + marker(81, 300) + strings.Repeat("城", 18),
			strings.Repeat("城", 100), 256},
		{"line end near the cut", x(140) + marker(105, 300) + x(54), x(140) + "\n" + x(159), 256},
		{"line end too far", x(100) + "\n" + x(64) + marker(81, 300) + x(54),
			x(100) + "\n" + x(199), 256},
		{"tail starts a line", x(165) + marker(87, 300) + x(48), x(251) + "\n" + x(48), 256},
		{"tail would start a line anyway", x(165) + marker(81, 300) + x(54),
			x(245) + "\n" + x(54), 256},
		{"small limit, no marker", x(60), x(300), 60},
		{"small limit in a rune", "城城", strings.Repeat("城", 4), 8},
		{"family at a small limit", "ab", "ab" + family + family, 12},
		{"no room", "", x(300), 0},
		{"negative", "", x(300), -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, cut := Text(tt.in, tt.limit)
			require.Equal(t, tt.want, got)
			require.Equal(t, &Cut{Original: len(tt.in), Kept: len(got)}, cut)
		})
	}
}

// TestTextEveryLimit moves the cut over every byte of awkward characters.
func TestTextEveryLimit(t *testing.T) {
	for _, s := range []string{
		strings.Repeat(family, 40), strings.Repeat("城", 200), strings.Repeat("🇩🇪", 90),
		strings.Repeat("e\u0301", 300), strings.Repeat("ab\r\n", 200),
	} {
		unit := s[:after(s, 1)]
		for limit := 0; limit < len(s); limit++ {
			got, cut := Text(s, limit)
			checkText(t, s, limit, got, cut)
			head, tail, _ := strings.Cut(got, "\n[")
			if strings.Contains(unit, "\n") {
				continue // the example above shows lines
			}
			require.Zero(t, len(head)%len(unit), "limit %d", limit)
			if _, tail, ok := strings.Cut(tail, "]\n"); ok {
				require.Zero(t, len(tail)%len(unit), "limit %d", limit)
			}
		}
	}
}

var textMarkerForm = regexp.MustCompile(`\[\.\.\. (\d+) of (\d+) bytes left out \.\.\.\]\n`)

// checkText holds what Text returned against its promises.
func checkText(t *testing.T, s string, limit int, got string, cut *Cut) {
	t.Helper()
	v := strings.ToValidUTF8(s, "\uFFFD")
	require.True(t, utf8.ValidString(got))
	if len(v) <= limit {
		require.Equal(t, v, got)
		require.Nil(t, cut)
		return
	}
	require.LessOrEqual(t, len(got), max(limit, 0))
	require.Equal(t, &Cut{Original: len(v), Kept: len(got)}, cut)
	again, cutAgain := Text(got, max(limit, 0))
	require.Equal(t, got, again)
	require.Nil(t, cutAgain)
	if limit < 256 && strings.HasPrefix(v, got) {
		return // a plain head
	}
	// Both cuts may move, to a line end or by a window to keep a character whole.
	require.Greater(t, len(got), limit*3/5-2*window, "most of the room is used")
	// The text itself may hold such a marker, so one of those found must add up.
	for _, m := range textMarkerForm.FindAllStringSubmatchIndex(got, -1) {
		left, _ := strconv.Atoi(got[m[2]:m[3]])
		total, _ := strconv.Atoi(got[m[4]:m[5]])
		for _, head := range []string{got[:m[0]], strings.TrimSuffix(got[:m[0]], "\n")} {
			tail := got[m[1]:]
			if total == len(v) && left == total-len(head)-len(tail) &&
				strings.HasPrefix(v, head) && strings.HasSuffix(v, tail) {
				return
			}
		}
	}
	require.Fail(t, "no marker that adds up", "%q", got)
}

func FuzzText(f *testing.F) {
	f.Add("abc", uint16(256), uint8(1))
	f.Add(strings.Repeat("line\n", 60), uint16(256), uint8(3))
	f.Add(family+"城\xff\r\n", uint16(300), uint8(60))
	f.Add("[... 1 of 2 bytes left out ...]\n", uint16(256), uint8(20))
	f.Add("[... 1 of 2 bytes left out ...]\n", uint16(163), uint8(20))
	f.Add("e"+strings.Repeat("\u0301", 30), uint16(111), uint8(5)) // characters as long as the room
	f.Fuzz(func(t *testing.T, s string, limit uint16, times uint8) {
		s = strings.Repeat(s, int(times))
		n := int(limit) % 5000
		got, cut := Text(s, n)
		checkText(t, s, n, got, cut)
	})
}

func BenchmarkText(b *testing.B) {
	for _, size := range []int{1 << 10, 60 << 10, 5 << 20} {
		s := strings.Repeat("a line of the log, 城市\n", size/25)
		b.Run(strconv.Itoa(size>>10)+"KB", func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Text(s, size/2)
			}
		})
	}
}
