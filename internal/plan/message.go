package plan

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/decimal"
	"github.com/jig-go/jig/internal/near"
	"github.com/jig-go/jig/internal/scan"
)

// A message is a wording with what stands at each %s of it. It is written where it is kept, into the
// text of all that is found, and nowhere else: a refusal has many pieces, and no string for each.
type message struct {
	closest bool // sayClosest stands before it
	wording string
	value   sample      // for the forms that show it
	names   []near.Name // for asGuess
	pieces  [3]piece
}

// A piece is what stands at one %s.
type piece struct {
	form   form
	text   string
	number *decimal.Number
	count  int
}

// A form says how a piece is written.
type form uint8

const (
	asText   form = iota // its text
	asNumber             // its number
	asCount              // its count; with a text, that many of what it names
	asValue              // the message's value, shortened
	asGot                // the kind of the value, and its text where that helps
	asSize               // what a bound is about: a number, or how long the value is
	asGuess              // those of the names that a string was probably meant to be
)

func text(s string) piece                 { return piece{text: s} }
func exact(n *decimal.Number) piece       { return piece{form: asNumber, number: n} }
func counted(n int, of string) piece      { return piece{form: asCount, count: n, text: of} }
func plain(wording string) message        { return message{wording: wording} }
func about(w string, v sample) message    { return message{wording: w, value: v, pieces: got} }
func (m message) with(rest piece) message { m.pieces[1] = rest; return m }

// got are the pieces of a message that says what kind of value there was.
var got = [3]piece{{form: asGot}}

// append writes the message. Requirement: a wording has no verb but %s.
func (m *message) append(dst []byte) []byte {
	if m.closest {
		dst = append(dst, strings.TrimSuffix(sayClosest, "%s")...)
	}
	rest := m.wording
	for i := range m.pieces {
		at := strings.IndexByte(rest, '%')
		if at < 0 {
			break
		}
		dst = m.appendPiece(append(dst, rest[:at]...), &m.pieces[i])
		rest = rest[at+len("%s"):]
	}
	return append(dst, rest...)
}

func (m *message) appendPiece(dst []byte, p *piece) []byte {
	switch p.form {
	case asNumber:
		return p.number.Append(dst)
	case asCount:
		return appendCount(dst, p.count, p.text)
	case asValue:
		return m.value.append(dst)
	case asGot:
		return m.value.appendGot(dst)
	case asSize:
		return m.value.appendSize(dst)
	case asGuess:
		return appendGuess(dst, string(scan.Unquote(m.value.raw)), m.names)
	}
	return append(dst, p.text...)
}

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

// appendCount appends a number, and what it is a number of unless that is "".
func appendCount(dst []byte, n int, unit string) []byte {
	dst = strconv.AppendInt(dst, int64(n), 10)
	if unit == "" {
		return dst
	}
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

// appendGuess appends the nearest of the declared names, or nothing.
func appendGuess(dst []byte, name string, declared []near.Name) []byte {
	var room [3]string // as many are named at most
	hits := near.AppendNames(room[:0], name, declared)
	if len(hits) == 0 {
		return dst
	}
	before, after, _ := strings.Cut(sayGuess, "%s")
	dst = append(dst, before...)
	for i, hit := range hits {
		if i > 0 {
			dst = append(dst, " or "...)
		}
		dst = appendName(dst, hit)
	}
	return append(dst, after...)
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
