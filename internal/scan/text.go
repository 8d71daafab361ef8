package scan

import (
	"unicode/utf16"
	"unicode/utf8"
)

// plain marks the bytes that stand for themselves in a string: ASCII but the
// quote, the backslash and the control characters.
var plain = func() (table [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		table[c] = c != '"' && c != '\\'
	}
	return table
}()

// text reads a string with its quotes and reports whether it has escapes.
func (s source) text(p int) (end int, escaped bool, err *Error) {
	data := s.data
	p++
	for {
		// Nearly all bytes are passed here.
		if p = plainEnd(data, p); p == len(data) {
			return p, escaped, truncated(p)
		}
		switch c := data[p]; {
		case c == '"':
			return p + 1, escaped, nil
		case c == '\\':
			escaped = true
			p, err = s.escape(p)
		case c < ' ':
			err = s.syntax(p, "want control characters in a string as escapes")
		default:
			p, err = s.rune(p)
		}
		if err != nil {
			return p, escaped, err
		}
	}
}

// rune reads one rune outside of ASCII.
func (s source) rune(p int) (int, *Error) {
	r, size := utf8.DecodeRune(s.data[p:])
	switch {
	case r != utf8.RuneError || size > 1: // U+FFFD itself has three bytes
		return p + size, nil
	case utf8.FullRune(s.data[p:]):
		return p, invalidUTF8(p)
	}
	return p, truncated(len(s.data))
}

// escape reads a backslash and what it escapes, both halves of a pair.
func (s source) escape(p int) (int, *Error) {
	if p+1 == len(s.data) {
		return p, truncated(p + 1)
	}
	switch s.data[p+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return p + 2, nil
	case 'u':
		return s.unicodeEscape(p)
	}
	return p, s.syntax(p, `want one of the escapes \" \\ \/ \b \f \n \r \t \uXXXX`)
}

// unicodeEscape reads \uXXXX, or two of them when the first is a high
// surrogate.
func (s source) unicodeEscape(p int) (int, *Error) {
	low, high, end := s.hex(p + 2)
	cut := end == len(s.data) && end < p+6
	switch {
	case !cut && end < p+6:
		return p, s.syntax(p, `want four hex digits after \u`)
	case low >= lowSurrogate && high <= maxSurrogate:
		return p, s.surrogate(p) // a low half comes first
	case cut:
		return p, truncated(end)
	case !utf16.IsSurrogate(low):
		return end, nil
	}
	return s.lowHalf(p, end)
}

const (
	lowSurrogate = 0xdc00 // the first of the low halves
	maxSurrogate = 0xdfff // the last of them
)

// lowHalf reads at p the low surrogate that has to follow the high one at
// start. A text that ends in it is truncated only if the rest could complete
// the pair.
func (s source) lowHalf(start, p int) (int, *Error) {
	for i := range len(`\u`) {
		if p+i == len(s.data) {
			return start, truncated(p + i)
		}
		if s.data[p+i] != `\u`[i] {
			return start, s.surrogate(start)
		}
	}
	low, high, end := s.hex(p + 2)
	switch {
	case high < lowSurrogate || low > maxSurrogate:
		return start, s.surrogate(start)
	case end == p+6:
		return end, nil
	case end == len(s.data):
		return start, truncated(end)
	}
	return start, s.surrogate(start)
}

// hex reads up to four hex digits and returns the offset after them. The
// value, if all four follow, is between low and high.
func (s source) hex(p int) (low, high rune, end int) {
	digits := 0
	for ; digits < 4 && p < len(s.data); digits++ {
		v, ok := hexValue(s.data[p])
		if !ok {
			break
		}
		low = low<<4 | v
		p++
	}
	missing := 4 * (4 - digits)
	low <<= missing
	return low, low | (1<<missing - 1), p
}

func hexValue(c byte) (rune, bool) {
	switch {
	case c-'0' <= 9:
		return rune(c - '0'), true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10, true
	}
	return 0, false
}
