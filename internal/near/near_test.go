package near

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestFold(t *testing.T) {
	tests := []struct {
		name, want, in string
	}{
		{"empty", "", ""},
		{"plain", "path", "path"},
		{"upper", "path", "PATH"},
		{"camel", "filepath", "filePath"},
		{"snake", "filepath", "file_path"},
		{"kebab", "filepath", "File-Path"},
		{"dotted", "fsread", "fs.read"},
		{"spaces", "filepath", " file\u00a0path\t"},
		{"separators alone", "", "._- "},
		{"digits stay", "v2", "V_2"},
		{"other signs stay", "a/b:c", "A/b:C"},
		{"accents stay", "hôtel", "HÔ_TEL"},
		{"sharp s", "große", "GRO\u1e9eE"},
		{"final sigma", Fold("ΟΔΟΣ"), "οδος"},
		{"kelvin sign", "k", "\u212a"},
		{"long s", "s", "\u017f"},
		{"han", "城市", "城_市"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Fold(tt.in)
			require.Equal(t, tt.want, got)
			require.Equal(t, got, Fold(got), "folding twice changes nothing")
		})
	}
}

func TestIs(t *testing.T) {
	long := strings.Repeat("x", maxRunes)
	tests := []struct {
		a, b string
		want bool
	}{
		// Case and separators.
		{"PATH", "path", true},
		{"file_path", "filePath", true},
		{"file-path", "file_path", true},
		{"fs.read", "fs_read", true},
		{"read file", "read_file", true},
		{"ID", "id", true},
		{"i_d", "id", true},
		{"X", "x", true},
		{"STRASSE_NR", "strasseNr", true},

		// One slip, short names.
		{"cityy", "city", true},
		{"cty", "city", true},
		{"citi", "city", true},
		{"ctiy", "city", true},
		{"form", "from", true},
		{"lmit", "limit", true},
		{"tag", "tags", true},
		{"stadt", "städt", true},

		// Two slips are too many for five runes, and fine for six.
		{"cittyy", "city", false},
		{"limmitt", "limit", false},
		{"lim", "limit", false},
		{"offfsset", "offset", true},
		{"ofset", "offset", true},
		{"fofest", "offset", true},
		{"forcastDays", "forecastDays", true},
		{"forecast_day", "forecastday", true},
		{"recieverNmae", "receiverName", true},
		{"rceivrNme", "receiverName", false},

		// The declared name's length sets the limit.
		{"abcdefg", "abcde", false},
		{"abcde", "abcdefg", true},

		// Wholly different names.
		{"limit", "offset", false},
		{"a", "b", false},
		{"id", "ip", false},
		{"id", "ids", false},
		{"ids", "id", false},
		{"x", "xy", false},
		{"min", "max", false},
		{"before", "after", false},
		{"query", "", false},
		{"", "q", false},
		{"", "", true},

		// Names of separators alone have no fold to compare.
		{"_", "-", false},
		{"___", "...", false},
		{"__", "__", true},

		// Two touches of the same runes are not one slip: OSA, not the full measure.
		{"caa", "abc", false},

		// Runes count, not bytes: a replaced han sign is one slip.
		{"城市名", "城市各", true},
		{"城市", "城巿", false},

		// Beyond 200 runes only Fold counts.
		{long, long[1:], true},
		{long + "x", long, false},
		{long, long + "x", false},
		{long + "X", long + "_x", true},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, is(tt.a, tt.b), "near(%q, %q)", tt.a, tt.b)
	}
}

func TestNames(t *testing.T) {
	tests := []struct {
		name     string
		want     []string
		in       string
		declared []string
	}{
		{"none declared", nil, "city", nil},
		{"none near", nil, "city", []string{"limit", "offset"}},
		{"one", []string{"city"}, "cityy", []string{"limit", "city", "offset"}},
		{"fold before slip", []string{"file_path", "filePaths"}, "filePath",
			[]string{"filePaths", "file_path"}},
		{"same before fold", []string{"path", "PATH"}, "path", []string{"PATH", "path"}},
		{"one slip before two", []string{"forecastDays", "forecastDay"}, "forcastDays",
			[]string{"forecastDay", "forecastDays"}},
		{"declared order among equals", []string{"tagz", "tagb", "taga"}, "tags",
			[]string{"tagz", "tagb", "taga"}},
		{"at most three", []string{"tagd", "tagc", "tagb"}, "tags",
			[]string{"tagd", "tagc", "tagb", "taga"}},
		{"the nearest may come last", []string{"TAGS", "tagd", "tagc"}, "tags",
			[]string{"tagd", "tagc", "tagb", "TAGS"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := strings.Join(tt.declared, ",")
			require.Equal(t, tt.want, Names(tt.in, tt.declared))
			require.Equal(t, before, strings.Join(tt.declared, ","), "declared is not changed")
		})
	}
}

// TestDistance compares distance and Is with the plain recursive definition for all pairs of short names
// of three letters, two of which fold to one.
func TestDistance(t *testing.T) {
	names := [][]rune{{}}
	for i := 0; len(names[i]) < 5; i++ {
		for _, r := range "abA" {
			names = append(names, append(slices.Clone(names[i]), r))
		}
	}
	for _, a := range names {
		for _, b := range names {
			if len(a)+len(b) <= 8 {
				d := slowDistance(a, b)
				checkDistance(t, d, a, b)
				if want := slowIs(string(a), string(b), d); is(string(a), string(b)) != want {
					t.Errorf("near(%q, %q) is not %v", string(a), string(b), want)
				}
			}
		}
	}
}

// checkDistance checks what distance returns for every limit.
func checkDistance(t *testing.T, want int, a, b []rune) {
	t.Helper()
	for limit := range len(a) + len(b) + 1 {
		got := min(distance(a, b, limit), limit+1)
		if got != min(want, limit+1) { // testify is slow
			require.Equal(t, want, got, "distance(%q, %q, %d)", string(a), string(b), limit)
		}
	}
}

// FuzzIs compares distance with the plain recursive definition, which is slow
// and obviously right.
func FuzzIs(f *testing.F) {
	f.Add("forcastDays", "forecastDays")
	f.Add("ctiy", "city")
	f.Add("caa", "abc")
	f.Add("\xff", "é")
	f.Add("\x9a\xbf\xea\xe7", "\xa7\xa7\xa9")
	f.Fuzz(func(t *testing.T, a, b string) {
		ra, rb := []rune(a), []rune(b)
		if len(ra) > 7 || len(rb) > 7 {
			is(a, b)
			return
		}
		d := slowDistance(ra, rb)
		checkDistance(t, d, ra, rb)
		checkDistance(t, d, rb, ra) // it has no direction
		require.Equal(t, slowIs(a, b, d), is(a, b))
		require.Equal(t, is(a, b), len(Names(a, []string{b})) == 1)
		require.True(t, utf8.ValidString(Fold(a)))
	})
}

// slowIs is Is for names so many slips apart.
func slowIs(a, b string, slips int) bool {
	n := utf8.RuneCountInString(b)
	limit := 2
	if n <= 5 {
		limit = 1
	}
	same := a == b || (Fold(a) == Fold(b) && Fold(a) != "")
	return same || min(utf8.RuneCountInString(a), n) > 2 && slips <= limit
}

func is(a, b string) bool {
	given, declared := Prepare(a), Prepare(b)
	return given.Near(&declared)
}

func slowDistance(a, b []rune) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	x, y := a[:len(a)-1], b[:len(b)-1]
	d := min(slowDistance(x, b), slowDistance(a, y)) + 1
	replace := slowDistance(x, y)
	if a[len(x)] != b[len(y)] {
		replace++
	}
	d = min(d, replace)
	if len(x) > 0 && len(y) > 0 && a[len(x)] == b[len(y)-1] && a[len(x)-1] == b[len(y)] {
		d = min(d, slowDistance(x[:len(x)-1], y[:len(y)-1])+1)
	}
	return d
}

func BenchmarkNames(b *testing.B) {
	declared := make([]string, 100)
	for i := range declared {
		declared[i] = strings.Repeat("abcdefgh", 1+i%4) + string(rune('a'+i%26))
	}
	for b.Loop() {
		Names("abcdefghabcdefgi", declared)
	}
}
