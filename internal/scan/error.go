package scan

import (
	"fmt"
	"unicode/utf8"
)

// Code says what is wrong with a text.
type Code uint8

// The codes of an Error. The zero Code is none of them.
const (
	// Empty means that there is no value, only white space.
	Empty Code = iota + 1
	// Truncated means that the text ends too early but is right so far: there
	// is a continuation that makes it valid.
	Truncated
	// Syntax means that the text breaks the grammar of RFC 8259.
	Syntax
	// Size means that the text is longer than Limits.Bytes.
	Size
	// Depth means that the nesting is deeper than Limits.Depth.
	Depth
	// HugeNumber means that a number is longer than 1,000 characters or has an
	// exponent beyond ±9,999.
	HugeNumber
	// UTF8 means that a byte is not part of valid UTF-8.
	UTF8
	// Surrogate means that an escape is one half of a surrogate pair.
	Surrogate
	// Duplicate means that an object has a key twice.
	Duplicate
	// Trailing means that something follows the value.
	Trailing
)

var codeNames = [...]string{
	"none", "empty", "truncated", "syntax", "size", "depth", "huge number", "utf8", "surrogate",
	"duplicate", "trailing",
}

// String returns the code's name in lower case.
func (c Code) String() string {
	if int(c) < len(codeNames) {
		return codeNames[c]
	}
	return fmt.Sprintf("Code(%d)", uint8(c))
}

// Error says why Check refused a text. Its words are the same on every run and
// may be shown to a model.
type Error struct {
	Code Code
	// Offset is the byte offset of the fault in the text given to Check. For
	// Truncated and Empty it is the length of the text, for Size the limit.
	Offset int
	// Pointer is the JSON Pointer of the innermost value that was being read,
	// empty for the whole text. For Duplicate it ends in the key.
	Pointer string
	// Message is in lower case and holds the offset, except for Empty and Size.
	Message string
}

// Error returns the message, after the pointer if there is one.
func (e *Error) Error() string {
	if e.Pointer == "" {
		return e.Message
	}
	return fmt.Sprintf("%q: %s", shorten([]byte(e.Pointer), maxPointer), e.Message)
}

// Bounds on what an error repeats of the text.
const (
	maxNear    = 24
	maxPointer = 200
)

func sizeError(size, limit int) *Error {
	message := fmt.Sprintf("the text is %d bytes long, want at most %d", size, limit)
	return &Error{Code: Size, Offset: limit, Message: message}
}

func depthError(p, limit int) *Error {
	return errorAt(Depth, p, "nested too deeply at byte %d, want at most %d levels", p, limit)
}

func truncated(p int) *Error {
	return errorAt(Truncated, p, "the text ends at byte %d, before its JSON value is complete", p)
}

func longNumber(p int) *Error {
	return errorAt(HugeNumber, p, "the number at byte %d is too long, want at most %d characters",
		p, maxNumber)
}

func largeExponent(p int) *Error {
	return errorAt(HugeNumber, p,
		"the exponent of the number at byte %d is too large, want -9999 to 9999", p)
}

func invalidUTF8(p int) *Error {
	return errorAt(UTF8, p, "the byte at offset %d is not valid UTF-8", p)
}

func duplicate(p int, key []byte) *Error {
	return errorAt(Duplicate, p, "the key %q at byte %d is in its object already, want each key once",
		shorten(key, maxNear), p)
}

// surrogate is the error of the escape at p, of which at least one hex digit
// is there.
func (s source) surrogate(p int) *Error {
	return errorAt(Surrogate, p,
		"the escape %s at byte %d is half of a surrogate pair, want both halves",
		string(s.data[p:min(p+6, len(s.data))]), p)
}

func (s source) trailing(p int) *Error {
	if s.invalidAt(p) {
		return invalidUTF8(p)
	}
	return errorAt(Trailing, p, "unexpected text at byte %d near %s, want nothing after the value",
		p, s.near(p))
}

func (s source) syntax(p int, want string) *Error {
	if s.invalidAt(p) {
		return invalidUTF8(p)
	}
	return errorAt(Syntax, p, "invalid JSON at byte %d near %s: %s", p, s.near(p), want)
}

// near quotes the start of the text at p.
func (s source) near(p int) string {
	return fmt.Sprintf("%q", shorten(s.data[p:], maxNear))
}

func errorAt(code Code, p int, format string, args ...any) *Error {
	return &Error{Code: code, Offset: p, Message: fmt.Sprintf(format, args...)}
}

// shorten returns text, or if it is longer than limit bytes its start, cut
// between runes, and an ellipsis.
func shorten(text []byte, limit int) string {
	if len(text) <= limit {
		return string(text)
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return string(text[:limit]) + "..."
}
