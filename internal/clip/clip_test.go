package clip

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

const (
	family   = "👨‍👩‍👧‍👦" // four emoji and three joiners, 25 bytes
	scotland = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
)

func TestValid(t *testing.T) {
	tests := []struct {
		name, want, in string
	}{
		{"empty", "", ""},
		{"ascii", "abc", "abc"},
		{"longer runes", "aé城🎉", "aé城🎉"},
		{"one bad byte", "a\uFFFDb", "a\xffb"},
		{"a run of bad bytes", "a\uFFFDb", "a\xff\xfe\xfdb"},
		{"half a rune at the end", "a\uFFFD", "a\xe5\x9f"},
		{"a surrogate", "\uFFFD", "\xed\xa0\x80"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, Valid(tt.in))
		})
	}
}

func TestMiddle(t *testing.T) {
	tests := []struct {
		name, want, in string
		limit          int
	}{
		{"empty", "", "", 8},
		{"fits exactly", "abcdefgh", "abcdefgh", 8},
		{"one too many", "abc…hi", "abcdefghi", 8},
		{"odd limit", "abc…hij", "abcdefghij", 9},
		{"three-byte runes", "城…市", "城ab城cd市", 9},
		{"rune at the head's end", "ab…ij", "ab城efghij", 8},
		{"bad bytes", "a\uFFFDb", "a\xffb", 8},
		{"family is kept or left out", "x…yz", "x" + family + "yz", 12},
		{"below 8", "abcd", "abcdefgh", 4},
		{"below 8, in a rune", "a", "a城市市市市", 3},
		{"nothing", "", "abc", 0},
		{"negative", "", "abc", -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, Middle(tt.in, tt.limit))
		})
	}
}

func TestCutPlaces(t *testing.T) {
	accents := "e" + strings.Repeat("\u0301", 100)
	tests := []struct {
		name          string
		before, after int // the places around at
		s             string
		at            int
	}{
		{"start", 0, 0, "abc", 0},
		{"ascii", 1, 1, "abc", 1},
		{"in a rune", 0, 3, "城市", 1},
		{"between runes", 3, 3, "城市", 3},
		{"line end of two bytes", 1, 3, "a\r\nb", 2},
		{"accent", 1, 4, "xe\u0301y", 2},
		{"variation selector", 0, 6, "☂\ufe0fx", 3},
		{"keycap", 0, 7, "1\ufe0f\u20e3x", 4},
		{"skin tone", 0, 8, "👍🏽x", 4},
		{"family", 0, 25, family + "x", 12},
		{"after the family", 25, 25, family + "x", 25},
		{"half a flag", 0, 8, "🇩🇪🇫🇷", 4},
		{"between flags", 8, 8, "🇩🇪🇫🇷", 8},
		{"half the second flag", 8, 16, "🇩🇪🇫🇷x", 12},
		{"tagged flag", 0, 28, scotland + "x", 14},
		{"beyond the window", 101, 101, accents + "x", 101},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.before, before(tt.s, tt.at), "before")
			require.Equal(t, tt.after, after(tt.s, tt.at), "after")
		})
	}
}

func FuzzMiddle(f *testing.F) {
	f.Add("abcdefghi", 8)
	f.Add("x"+family+"yz", 12)
	f.Add("\xff\xff城", 9)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		got := Middle(s, limit)
		require.True(t, utf8.ValidString(got))
		require.LessOrEqual(t, len(got), max(limit, 0))
		require.Equal(t, got, Middle(got, limit))
		if v := Valid(s); len(v) <= limit {
			require.Equal(t, v, got)
		} else if limit >= 8 {
			head, tail, _ := strings.Cut(got, "…")
			require.True(t, strings.HasPrefix(v, head))
			require.True(t, strings.HasSuffix(v, tail) || strings.Contains(v, "…"))
		}
	})
}
