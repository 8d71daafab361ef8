package scan

import (
	"bytes"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendQuote appends s as a JSON string. It escapes only what JSON demands:
// the quote, the backslash and control characters. The characters < > & and
// U+2028 stay as they are, since an escape costs a model tokens and clarity.
// Bytes that are no UTF-8 become U+FFFD.
func AppendQuote[T ~string | ~[]byte](dst []byte, s T) []byte {
	dst = append(slices.Grow(dst, len(s)+2), '"')
	if end := plainEnd(s, 0); end < len(s) {
		return appendQuoted(dst, s, end)
	}
	return append(append(dst, s...), '"')
}

// appendQuoted appends s and the last quote. Requirement: s stands for itself up to i.
func appendQuoted[T ~string | ~[]byte](dst []byte, s T, i int) []byte {
	start := 0 // of what is still to be copied
	for i < len(s) {
		if i = plainEnd(s, i); i == len(s) {
			break
		}
		c := s[i]
		if c < utf8.RuneSelf {
			dst = append(dst, s[start:i]...)
			dst = appendEscape(dst, c)
			i++
			start = i
			continue
		}
		// The conversion of at most four bytes stays on the stack.
		r, size := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		if r == utf8.RuneError && size == 1 {
			dst = append(dst, s[start:i]...)
			dst = utf8.AppendRune(dst, utf8.RuneError)
			start = i + 1
		}
		i += size
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// appendEscape appends the escape of c, the shortest there is.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
}

// Unquote returns what the JSON string raw stands for: a part of raw when it
// has no escapes, else a copy.
//
// Half a surrogate pair, which checked text has not, becomes the three bytes
// that UTF-8 would have for it if it allowed them, so that no check takes it.
//
// Requirement: raw is a string with its quotes, out of text that is JSON.
func Unquote(raw []byte) []byte {
	body := raw[1 : len(raw)-1]
	if bytes.IndexByte(body, '\\') < 0 {
		return body
	}
	return appendUnquoted(make([]byte, 0, len(body)), body)
}

// appendUnquoted appends body, what stands between the quotes of a string,
// with its escapes resolved.
func appendUnquoted(dst, body []byte) []byte {
	for {
		i := bytes.IndexByte(body, '\\')
		if i < 0 {
			return append(dst, body...)
		}
		dst = append(dst, body[:i]...)
		c := body[i+1]
		body = body[i+2:]
		if c != 'u' {
			dst = append(dst, unescaped(c))
			continue
		}
		r := hexRune(body)
		body = body[4:]
		if utf16.IsSurrogate(r) {
			pair := pairOf(r, body)
			if pair == utf8.RuneError {
				dst = append(dst, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
				continue
			}
			r, body = pair, body[6:]
		}
		dst = utf8.AppendRune(dst, r)
	}
}

// pairOf returns the rune of a surrogate and the escape \uXXXX that rest starts
// with, or U+FFFD where there is no such pair.
func pairOf(half rune, rest []byte) rune {
	if len(rest) < 6 || rest[0] != '\\' || rest[1] != 'u' {
		return utf8.RuneError
	}
	return utf16.DecodeRune(half, hexRune(rest[2:]))
}

// unescaped returns the byte that a backslash and c stand for.
func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c // the quote, the backslash or the slash
}

// hexRune returns the value of the four hex digits at the start of text.
// Requirement: they are there.
func hexRune(text []byte) (r rune) {
	for _, c := range text[:4] {
		v, _ := hexValue(c)
		r = r<<4 | v
	}
	return r
}
