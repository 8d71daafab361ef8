package clip

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// JSON returns raw cut to at most limit bytes, and what was cut. The result is
// valid JSON. Trailing elements of the largest arrays, at any depth, give way to
// one last element that counts them:
//
//	{"rows":[1,2,{"omitted":998,"total":1000}],"next":"tok"}
//
// Everything outside the arrays stays. When that alone is too long, the result
// is a head of the JSON text as a string: {"preview":"...","bytes":52100}.
//
// An array that an earlier cut has shortened, and a preview, keep their first
// totals. The smallest preview has some 40 bytes; a smaller limit is exceeded.
//
// Requirement: raw is one valid, compact JSON value.
func JSON(raw []byte, limit int) ([]byte, *Cut) {
	if !utf8.Valid(raw) {
		raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	if len(raw) <= limit {
		return raw, nil
	}
	out, omitted := cutArrays(raw, limit)
	if out == nil {
		out = preview(raw, limit)
	}
	return out, &Cut{Original: len(raw), Kept: len(out), Omitted: omitted}
}

// The parts of a preview, which stands for a value that arrays cannot shorten.
const (
	previewPart = `{"preview":"`
	bytesPart   = `","bytes":`
)

// preview returns a head of the JSON text raw in a preview of at most limit bytes.
func preview(raw []byte, limit int) []byte {
	text, total := string(raw), len(raw)
	if bytes.HasPrefix(raw, []byte(previewPart)) {
		if earlier, n, ok := parsePreview(raw); ok {
			text, total = earlier, n
		}
	}
	room := limit - (len(previewPart) + len(bytesPart) + digits(total) + len(closingPart))
	return appendPreview(nil, text[:fitting(text, room)], total)
}

// parsePreview undoes appendPreview. A preview within a preview would double its
// backslashes and lose the size of the value it is about.
func parsePreview(raw []byte) (text string, total int, ok bool) {
	var p struct {
		Preview string
		Bytes   int
	}
	if json.Unmarshal(raw, &p) != nil || p.Bytes <= len(p.Preview) {
		return "", 0, false
	}
	// Writing it again tells our form from all others that decode alike.
	return p.Preview, p.Bytes, bytes.Equal(appendPreview(nil, p.Preview, p.Bytes), raw)
}

func appendPreview(out []byte, text string, total int) []byte {
	out = append(out, previewPart...)
	for i := range len(text) {
		out = appendEscaped(out, text[i])
	}
	out = append(out, bytesPart...)
	out = strconv.AppendInt(out, int64(total), 10)
	return append(out, closingPart...)
}

// fitting returns the length of the longest head of s that takes at most room
// bytes once escaped.
func fitting(s string, room int) int {
	n := 0
	for n < len(s) {
		room -= escapedLen(s[n])
		if room < 0 {
			return before(s, n)
		}
		n++
	}
	return n
}

// appendEscaped appends one byte of a string. It escapes only what JSON says must
// be: signs of HTML and bytes of longer runes stay as they are.
func appendEscaped(out []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch {
	case c == '"' || c == '\\':
		return append(out, '\\', c)
	case c < ' ':
		return append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
	}
	return append(out, c)
}

// escapedLen returns how many bytes appendEscaped appends.
func escapedLen(c byte) int {
	switch {
	case c == '"' || c == '\\':
		return len(`\"`)
	case c < ' ':
		return len(`\u0000`)
	}
	return 1
}
