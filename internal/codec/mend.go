package codec

import (
	"bytes"
	"strconv"

	"github.com/jig-go/jig/internal/scan"
)

// CheckJSON checks JSON text that code of others wrote, as scan.Check does, after replacing by U+FFFD
// what is not UTF-8 and halves of surrogate pairs: a result is not lost over a broken character.
func CheckJSON(raw []byte) ([]byte, error) {
	limits := scan.Limits{Bytes: len(raw), Depth: maxValueDepth}
	checked, err := scan.Check(raw, limits)
	if err != nil && (err.Code == scan.UTF8 || err.Code == scan.Surrogate) {
		mended := mend(raw)
		limits.Bytes = len(mended)
		checked, err = scan.Check(mended, limits)
	}
	if err != nil {
		return nil, err
	}
	return checked, nil
}

const replacement = "\uFFFD"

func mend(raw []byte) []byte {
	raw = bytes.ToValidUTF8(raw, []byte(replacement))
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		switch n := surrogates(raw[i:]); {
		case n > 0:
			out = append(out, replacement...)
			i += n
		case raw[i] == '\\':
			n = 2 // so that the second backslash of \\ starts no escape
			if unit(raw[i:], 0xD800, 0xDBFF) {
				n = 12 // a whole pair
			}
			n = min(n, len(raw)-i)
			out = append(out, raw[i:i+n]...)
			i += n
		default:
			out = append(out, raw[i])
			i++
		}
	}
	return out
}

// surrogates returns the length of the escape at the start of text if that is half a pair alone.
func surrogates(text []byte) int {
	if unit(text, 0xDC00, 0xDFFF) || unit(text, 0xD800, 0xDBFF) && !unit(text[6:], 0xDC00, 0xDFFF) {
		return len(`\ud800`)
	}
	return 0
}

// unit reports whether text starts with an escape of a UTF-16 unit in the range.
func unit(text []byte, low, high uint64) bool {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return err == nil && n >= low && n <= high
}
