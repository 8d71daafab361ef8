// Package clip makes text and JSON fit a byte cap.
//
// Text keeps the head and the tail of a text and says between them how much is
// left out. JSON drops trailing elements of the largest arrays, so that what
// remains is still one JSON value. Middle shortens a value that a message quotes.
//
// What fits is not changed by one byte, and so capping twice changes nothing. No
// cut separates the bytes of a rune, nor, where that is cheap to see, the runes
// that show as one character. All results are valid UTF-8: bytes that are not are
// replaced before anything is measured.
//
// The package does not count tokens, and text that was capped before is text
// like any other: a smaller cap does not look for the earlier marker in it.
package clip

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Cut says what did not fit. A nil Cut means that everything did.
type Cut struct {
	// Original counts the bytes before the cut, as valid UTF-8.
	Original int

	// Kept counts the bytes of the result, marker included.
	Kept int

	// Omitted adds up the elements that the markers in the result say are left
	// out, those of an earlier cut included. It is 0 for text and for a preview.
	Omitted int
}

// Valid returns s with each run of bytes that are not UTF-8 replaced by U+FFFD.
// A valid s is returned as is.
func Valid(s string) string {
	return strings.ToValidUTF8(s, "\uFFFD")
}

// Middle shortens s to at most limit bytes and puts "…" where the middle was. It
// is for values quoted in messages. A limit below 8 leaves no room for both
// ends; the result then is a plain head of s.
func Middle(s string, limit int) string {
	const gap = "…"
	s = Valid(s)
	if len(s) <= limit {
		return s
	}
	room := limit - len(gap)
	if limit < 8 {
		return s[:before(s, limit)]
	}
	tail := room / 2
	return s[:before(s, room-tail)] + gap + s[after(s, len(s)-tail):]
}

// window bounds how far a cut moves to keep a character whole. A flag, a family
// emoji or a letter with its accents is shorter; a letter under hundreds of
// accents is cut between two of them.
const window = 64

// before returns the last place at or before n where s may be cut.
// Requirement: s is valid UTF-8 and longer than n.
func before(s string, n int) int {
	n = max(n, 0)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	for i := n; i >= n-window; {
		if !joined(s, i) {
			return i
		}
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return n
}

// after returns the first place at or after n where s may be cut.
// Requirement: s is valid UTF-8 and n >= 0.
func after(s string, n int) int {
	for n < len(s) && !utf8.RuneStart(s[n]) {
		n++
	}
	for i := n; i <= n+window; {
		if !joined(s, i) {
			return i
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return n
}

// joined reports whether the runes on both sides of s[i] show as one character.
// It knows the common cases of the Unicode text segmentation rules (UAX #29):
// line ends, combining marks, joined emoji, skin tones, tags and flags. Hangul
// written in single jamo is not among them.
func joined(s string, i int) bool {
	const joiner = '\u200d'
	if i <= 0 || i >= len(s) {
		return false
	}
	prev, _ := utf8.DecodeLastRuneInString(s[:i])
	next, _ := utf8.DecodeRuneInString(s[i:])
	switch {
	case prev == '\r' && next == '\n':
		return true
	case prev == joiner || next == joiner:
		return true
	case next >= 0x1F3FB && next <= 0x1F3FF: // skin tones
		return true
	case next >= 0xE0020 && next <= 0xE007F: // tags, as in the flag of Scotland
		return true
	case isFlagHalf(prev) && isFlagHalf(next):
		return oddFlagHalves(s[:i])
	}
	return unicode.Is(unicode.M, next)
}

// isFlagHalf reports whether r is a regional indicator, two of which make a flag.
func isFlagHalf(r rune) bool {
	return r >= 0x1F1E6 && r <= 0x1F1FF
}

// oddFlagHalves reports whether s ends in half a flag. Only counting from the
// start of the row of flags tells; a row of over 500 may be cut inside one.
func oddFlagHalves(s string) bool {
	odd := false
	for range 1000 {
		r, size := utf8.DecodeLastRuneInString(s)
		if !isFlagHalf(r) {
			break
		}
		odd = !odd
		s = s[:len(s)-size]
	}
	return odd
}
