package repair

import "github.com/jig-go/jig/internal/scan"

// maxNumber bounds the text that Number looks at. scan.Check allows numbers no longer than this.
const maxNumber = 1000

// Number returns the JSON number that s is the text of, digit by digit: "5.0" stays 5.0. It returns
// false for all that JSON does not take for a number, as " 5", "+5", "05", "5.", "0x5" and "NaN".
func Number(s string) (json []byte, ok bool) {
	checked, err := scan.Check([]byte(s), scan.Limits{Bytes: maxNumber, Depth: 1})
	if err != nil || len(checked) != len(s) || kind(checked) != scan.Number {
		return nil, false
	}
	return checked, true
}

// Bool returns the JSON literal that s spells, which has to be "true" or "false" to the letter.
func Bool(s string) (json []byte, ok bool) {
	if s != "true" && s != "false" {
		return nil, false
	}
	return []byte(s), true
}

// Value returns the array or object that s is the JSON text of, without white space around it. Any
// other kind to want is refused: its text could as well be meant as a string.
//
// The text has to be valid as it is, keys given once included, but its depth is not limited. As the
// value moves into another one, the caller checks the whole again with its own limits.
func Value(s string, want scan.Kind) (json []byte, ok bool) {
	if want != scan.Array && want != scan.Object {
		return nil, false
	}
	checked, err := check([]byte(s))
	if err != nil || kind(checked) != want {
		return nil, false
	}
	return checked, true
}

// kind returns the kind of a checked value.
func kind(checked []byte) scan.Kind {
	c := scan.NewCursor(checked)
	return c.Kind()
}
