package plan

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/scan"
)

// A sample is a value in a message.
type sample struct {
	raw    []byte
	secret bool
}

// text is the value, shortened in the middle.
func (v sample) text() string { return string(v.append(nil)) }

func (v sample) append(dst []byte) []byte {
	if v.secret {
		return append(dst, Redacted...)
	}
	return appendShort(dst, v.raw)
}

// appendGot appends the kind of the value, and its text where that helps.
func (v sample) appendGot(dst []byte) []byte {
	switch kind := kindOf(v.raw); kind {
	case scan.Null:
		return append(dst, "null"...)
	case scan.Array:
		return appendCount(append(dst, "array of "...), count(v.raw), "item")
	case scan.Object:
		return append(dst, "object"...)
	default:
		return v.append(append(append(dst, kind.String()...), ' '))
	}
}

// appendSize appends a number, or the size of a value.
func (v sample) appendSize(dst []byte) []byte {
	switch kindOf(v.raw) {
	case scan.Array:
		return appendCount(dst, count(v.raw), "item")
	case scan.Object:
		return appendCount(dst, count(v.raw), "property")
	case scan.String:
		if !v.secret { // a length says something about a secret
			dst = appendCount(dst, utf8.RuneCount(scan.Unquote(v.raw)), "character")
			dst = append(dst, ' ')
		}
	}
	return v.append(dst)
}

// appendShort appends the text of a value, shortened in the middle.
// Requirement: raw is valid UTF-8, as is all that scan.Check has passed.
func appendShort(dst, raw []byte) []byte {
	if len(raw) <= maxQuoted {
		return append(dst, raw...)
	}
	return append(dst, clip.Middle(string(raw), maxQuoted)...)
}

func quote(raw []byte) string { return string(appendShort(nil, raw)) }

// appendCount appends a number and what it is a number of.
func appendCount(dst []byte, n int, unit string) []byte {
	dst = strconv.AppendInt(dst, int64(n), 10)
	dst = append(append(dst, ' '), unit...)
	switch {
	case n == 1:
		return dst
	case strings.HasSuffix(unit, "y"):
		return append(dst[:len(dst)-1], "ies"...)
	}
	return append(dst, 's')
}

// count returns the number of items or members.
func count(raw []byte) int {
	c := scan.NewCursor(raw)
	object, n := c.Kind() == scan.Object, 0
	for more := c.Enter(); more; more = c.More() {
		if object {
			c.Key()
		}
		c.Skip()
		n++
	}
	return n
}

// appendName appends a name in quotes, shortened in the middle.
func appendName(dst []byte, name string) []byte {
	start := len(dst)
	dst = scan.AppendQuote(dst, name)
	if quoted := dst[start:]; len(quoted) > maxQuoted {
		return appendShort(dst[:start], slices.Clone(quoted))
	}
	return dst
}
