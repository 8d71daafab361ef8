package scan

import (
	"bytes"
	"unicode/utf8"
)

// The functions below read text that has not passed Check, for a reader that fills values in the
// same pass. Each holds to the rules of Check and says only whether the text keeps them: why it does
// not is for Check to say, which is asked when one of them reports false.

// Form says what a string is made of.
type Form uint8

// The forms.
const (
	ASCII   Form = iota // plain ASCII, which stands for itself
	Wide                // with runes outside of ASCII, which stands for itself
	Escaped             // with escapes
)

// StringAt reads the string whose first quote is at p and returns the offset after it.
func StringAt(data []byte, p int) (end int, form Form, ok bool) {
	end = plainEnd(data, p+1)
	if end < len(data) && data[end] == '"' {
		return end + 1, ASCII, true
	}
	return stringAt(data, p)
}

// stringAt is StringAt for any string.
func stringAt(data []byte, p int) (end int, form Form, ok bool) {
	end, escaped, err := source{data}.text(p)
	if form = Wide; escaped {
		form = Escaped
	}
	return end, form, err == nil
}

// ValueAt reads the value at p, which may be nested depth levels deep, and returns the offset after
// it.
func ValueAt(data []byte, p, depth int) (end int, ok bool) {
	s := scanner{source: source{data}, maxDepth: depth}
	end, err := s.value(p, 0)
	return end, err == nil
}

// Space returns the offset of the first byte at or after p that is no JSON white space.
func Space(data []byte, p int) int {
	if p < len(data) && data[p] > ' ' {
		return p
	}
	return skipSpace(data, p)
}

// Trim returns data without the JSON white space around it, which is less than what bytes.TrimSpace
// takes away.
func Trim(data []byte) []byte { return bytes.Trim(data, " \t\r\n") }

// Runes returns the number of characters of the string that body is the inside of.
func (f Form) Runes(body []byte) int {
	if f == ASCII {
		return len(body)
	}
	return utf8.RuneCount(body)
}
