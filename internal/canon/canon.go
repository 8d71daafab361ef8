// Package canon writes JSON in one canonical form, so that equal values have
// equal bytes and can be hashed, compared and used as keys.
//
// The form is that of RFC 8785 but for numbers and the order of keys: numbers
// are exact decimals (see internal/decimal), never rounded to a float64, and
// keys are sorted by their bytes, not by UTF-16 units. There is no white space
// and nothing is escaped that need not be.
package canon

import (
	"bytes"
	"slices"

	"github.com/jig-go/jig/internal/decimal"
	"github.com/jig-go/jig/internal/scan"
)

// Append appends the canonical form of checked, a text that scan.Check has
// accepted. It takes time linear in the text, besides the sorting.
func Append(dst, checked []byte) []byte {
	c := scan.NewCursor(checked)
	var b builder
	root := b.value(&c)
	return root.append(dst)
}

// Equal reports whether the checked texts a and b stand for one value: with
// numbers compared exactly, and objects without regard to the order of keys.
func Equal[T ~string | ~[]byte](a, b T) bool {
	if string(a) == string(b) {
		return true
	}
	if isPlainString(a) && isPlainString(b) {
		return false
	}
	return bytes.Equal(Append(nil, []byte(a)), Append(nil, []byte(b)))
}

// isPlainString reports whether text is a string that is written in the only way without escapes.
func isPlainString[T ~string | ~[]byte](text T) bool {
	if len(text) == 0 || text[0] != '"' {
		return false
	}
	for i := range len(text) {
		if text[i] == '\\' {
			return false
		}
	}
	return true
}

// node is a value, and as an object's member its key.
//
// The values are collected in a tree before they are written: sorting written
// members instead would copy the innermost ones once for each level.
type node struct {
	key   []byte // decoded
	kind  scan.Kind
	text  []byte // of a scalar; a string is decoded
	items []node // of a container; members are sorted by key
}

// builder makes nodes. Items wait in open until their container ends, so that
// each container gets one slice of the right size.
type builder struct{ open []node }

// value reads the next value.
func (b *builder) value(c *scan.Cursor) node {
	n := node{kind: c.Kind()}
	switch n.kind {
	case scan.String:
		n.text = c.Bytes()
	case scan.Array, scan.Object:
		n.items = b.items(c, n.kind == scan.Object)
	default:
		n.text = c.Skip()
	}
	return n
}

// items reads a container.
func (b *builder) items(c *scan.Cursor, object bool) []node {
	if b.open == nil { // the first container: a scalar needs no room
		b.open = make([]node, 0, 8)
	}
	base := len(b.open)
	for more := c.Enter(); more; more = c.More() {
		var key []byte
		if object {
			key = c.Key()
		}
		item := b.value(c)
		item.key = key
		b.open = append(b.open, item)
	}
	items := slices.Clone(b.open[base:])
	b.open = b.open[:base]
	if object {
		slices.SortFunc(items, func(x, y node) int { return bytes.Compare(x.key, y.key) })
	}
	return items
}

// append appends the canonical form of n.
func (n *node) append(dst []byte) []byte {
	switch n.kind {
	case scan.String:
		return scan.AppendQuote(dst, n.text)
	case scan.Number:
		return appendNumber(dst, n.text)
	case scan.Array:
		return n.appendItems(dst, '[', ']')
	case scan.Object:
		return n.appendItems(dst, '{', '}')
	}
	return append(dst, n.text...) // null, true or false
}

// appendItems appends a container between the bytes open and closer.
func (n *node) appendItems(dst []byte, open, closer byte) []byte {
	dst = append(dst, open)
	for i := range n.items {
		if i > 0 {
			dst = append(dst, ',')
		}
		item := &n.items[i]
		if n.kind == scan.Object {
			dst = scan.AppendQuote(dst, item.key)
			dst = append(dst, ':')
		}
		dst = item.append(dst)
	}
	return append(dst, closer)
}

// appendNumber appends the canonical form of a number.
func appendNumber(dst, text []byte) []byte {
	if isPlain(text) {
		return append(dst, text...)
	}
	n, ok := decimal.Parse(text)
	if !ok {
		panic("jig: internal error: canon: number of unchecked text")
	}
	return n.Append(dst)
}

// isPlain reports whether text is canonical for sure: digits only, and so few
// that plain notation is right. A JSON number has no leading zeros.
func isPlain(text []byte) bool {
	for _, c := range text {
		if c-'0' > 9 {
			return false
		}
	}
	return len(text) <= 21
}
