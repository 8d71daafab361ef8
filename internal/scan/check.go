// Package scan reads untrusted JSON text without trusting any of it.
//
// Work is split in two. Check goes over the text once and refuses whatever
// could hurt or mislead a later stage: too large, too deep, numbers that are
// costly to convert, broken grammar or encoding, a key given twice, a second
// value. A Cursor then walks text that has passed Check; its methods return no
// errors because none are left to find. The usual order is
//
//	checked, err := scan.Check(data, limits)
//	c := scan.NewCursor(checked)
//	c.Kind() // and then Enter, Key, Number, Text, More ...
//
// An Error says how the text is broken in words a language model can act on.
// Above all it tells a text that is cut off (Truncated), which must never be
// executed, from one that is wrong.
//
// The package does not convert numbers (see internal/decimal), does not mend
// text and knows no Go types.
package scan

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits bound what Check accepts. Both have to be positive.
type Limits struct {
	Bytes int // length of the whole text
	Depth int // nesting of arrays and objects; [[1]] has depth 2
}

// bom is the UTF-8 byte order mark.
const bom = "\xef\xbb\xbf"

// Check reports whether data is exactly one JSON value within the limits, with
// no object key given twice. It returns that value's text, a part of data
// without the byte order mark and white space around it.
//
// A text with several faults gets the error of the first one, except that its
// size comes before everything.
func Check(data []byte, l Limits) (checked []byte, err *Error) {
	if len(data) > l.Bytes {
		return nil, sizeError(len(data), l.Bytes)
	}
	start := 0
	switch head := string(data[:min(len(data), len(bom))]); {
	case head == bom:
		start = len(bom)
	case head != "" && strings.HasPrefix(bom, head):
		return nil, truncated(len(data))
	}
	start = skipSpace(data, start)
	if start == len(data) {
		return nil, &Error{Code: Empty, Offset: start, Message: "the text is empty, want a JSON value"}
	}
	s := scanner{source: source{data}, maxDepth: l.Depth}
	end, err := s.value(start, 0)
	if err != nil {
		err.Pointer = s.pointer()
		return nil, err
	}
	if rest := skipSpace(data, end); rest < len(data) {
		return nil, s.trailing(rest)
	}
	return data[start:end:end], nil
}

// source is the text. Its methods, and those of scanner, take the offset to read
// at and return the offset after what they read, which keeps it in a register.
type source struct{ data []byte }

// scanner holds what does not change with the position.
type scanner struct {
	source
	maxDepth int
	keys     keyStack // of the open objects, outermost first
	decoded  []byte   // the keys that have escapes, decoded
	path     []string // of the failed value, innermost first; set on failure only
}

// value reads one value inside depth containers. White space before it has
// been skipped.
func (s *scanner) value(p, depth int) (int, *Error) {
	if p == len(s.data) {
		return p, truncated(p)
	}
	switch c := s.data[p]; {
	case c == '"':
		end, _, err := s.text(p)
		return end, err
	case c == '{':
		return s.object(p, depth+1)
	case c == '[':
		return s.array(p, depth+1)
	case c == 't':
		return s.literal(p, "true")
	case c == 'f':
		return s.literal(p, "false")
	case c == 'n':
		return s.literal(p, "null")
	case c == '-' || c-'0' <= 9:
		return s.number(p)
	}
	return p, s.syntax(p, "want a value")
}

// literal reads true, false or null.
func (s *scanner) literal(p int, want string) (int, *Error) {
	for i := range len(want) {
		if p+i == len(s.data) {
			return p, truncated(p + i)
		}
		if s.data[p+i] != want[i] {
			return p, s.syntax(p, "want "+want)
		}
	}
	return p + len(want), nil
}

// array reads an array that makes the nesting depth levels deep.
func (s *scanner) array(p, depth int) (int, *Error) {
	if depth > s.maxDepth {
		return p, depthError(p, s.maxDepth)
	}
	p = skipSpace(s.data, p+1)
	if p < len(s.data) && s.data[p] == ']' {
		return p + 1, nil
	}
	for i := 0; ; i++ {
		var err *Error
		if p, err = s.value(p, depth); err != nil {
			s.path = append(s.path, strconv.Itoa(i))
			return p, err
		}
		var more bool
		if p, more, err = s.more(p, ']'); !more {
			return p, err
		}
	}
}

// object reads an object that makes the nesting depth levels deep.
func (s *scanner) object(p, depth int) (int, *Error) {
	if depth > s.maxDepth {
		return p, depthError(p, s.maxDepth)
	}
	p = skipSpace(s.data, p+1)
	if p < len(s.data) && s.data[p] == '}' {
		return p + 1, nil
	}
	keys := keySet{base: s.keys.size}
	for {
		key, next, err := s.key(p, &keys)
		if err != nil {
			return p, err
		}
		if p, err = s.value(next, depth); err != nil {
			s.path = append(s.path, string(s.keyText(key)))
			return p, err
		}
		var more bool
		if p, more, err = s.more(p, '}'); !more {
			s.keys.size = keys.base
			return p, err
		}
	}
}

// key reads a key and its colon and returns the key and the offset of the
// value.
func (s *scanner) key(p int, keys *keySet) (key span, next int, err *Error) {
	if p == len(s.data) {
		return key, p, truncated(p)
	}
	if s.data[p] != '"' {
		return key, p, s.syntax(p, "want a key in double quotes")
	}
	end, escaped, err := s.text(p)
	if err != nil {
		return key, p, err
	}
	key = span{p + 1, end - 1}
	if escaped {
		key = s.decode(key)
	}
	if !s.add(keys, key) {
		text := s.keyText(key)
		s.path = append(s.path, string(text))
		return key, p, duplicate(p, text)
	}
	end = skipSpace(s.data, end)
	if end == len(s.data) {
		return key, p, truncated(end)
	}
	if s.data[end] != ':' {
		return key, p, s.syntax(end, "want a colon after the key")
	}
	return key, skipSpace(s.data, end+1), nil
}

// more reads what follows an item of a container: a comma, and then it returns
// true and the offset of the next item, or the closing byte.
func (s *scanner) more(p int, closer byte) (next int, more bool, err *Error) {
	p = skipSpace(s.data, p)
	if p == len(s.data) {
		return p, false, truncated(p)
	}
	switch s.data[p] {
	case closer:
		return p + 1, false, nil
	case ',':
		next = skipSpace(s.data, p+1)
		if next < len(s.data) && s.data[next] == closer {
			return next, false, s.syntax(next, "want another item after the comma")
		}
		return next, true, nil
	}
	return p, false, s.syntax(p, "want a comma or "+string(closer))
}

// pointer returns the JSON Pointer (RFC 6901) of path. Joining the parts once
// keeps it linear in a deep text with long keys.
func (s *scanner) pointer() string {
	var b strings.Builder
	for _, token := range slices.Backward(s.path) {
		b.WriteByte('/')
		pointerEscape.WriteString(&b, token) // a Builder's Write cannot fail
	}
	return b.String()
}

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

// skipSpace returns the offset of the first byte at or after p that is no JSON
// white space.
func skipSpace(data []byte, p int) int {
	for p < len(data) && data[p] <= ' ' {
		switch data[p] {
		case ' ', '\n', '\r', '\t':
			p++
		default:
			return p
		}
	}
	return p
}

// invalidAt reports whether the bytes at p are no UTF-8, and not the start of
// a rune that the end of the text cut off either.
func (s source) invalidAt(p int) bool {
	r, size := utf8.DecodeRune(s.data[p:])
	return r == utf8.RuneError && size == 1 && utf8.FullRune(s.data[p:])
}
