package tags

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/jig-go/jig/internal/canon"
	"github.com/jig-go/jig/internal/scan"
)

// read turns the text of a keyword's value into JSON for a node of a kind, or
// says why it cannot. list reports whether the value is one of many.
func (p *parser) read(w *word, kind Kind, text string) (v value, list bool, problem string) {
	name := w.name
	v.text = text
	switch w.class {
	case classPattern:
		v.json, problem = readPattern(text)
	case classCount:
		v.json, problem = readCount(name, text)
	case classNumber, classStep:
		v.json, problem = readNumber(name, kind, text)
		if problem == "" && w.class == classStep && rational(text).Sign() <= 0 {
			problem = fmt.Sprintf("%s=%s is not above zero", name, text)
		}
	case classTrue:
		v.json, problem = readTrue(name, text)
	case classTyped:
		v.json, list, problem = p.readDefault(name, text)
	case classMany:
		list = true
		v.json, problem = readTyped(name, kind, text)
	default:
		v.json = quote(text)
	}
	return v, list, problem
}

// readDefault reads a default. That of an array is JSON text or, as invopop
// writes it, one default= part for each item.
func (p *parser) readDefault(name, text string) (js string, list bool, problem string) {
	kind := p.target.Kind
	switch {
	case text == "null" && kind != String && (p.target.Nullable || p.nullable):
		return "null", false, ""
	case kind == Array && !strings.HasPrefix(text, "[") && p.target.Elem.scalar():
		js, problem = readTyped(name, p.target.Elem, text)
		return js, true, problem
	default:
		js, problem = readTyped(name, kind, text)
		return js, false, problem
	}
}

// scalar reports whether one part can hold a value of the kind as plain text.
func (k Kind) scalar() bool { return k != Any && k != Array && k != Object }

// readTyped reads a value of a kind.
func readTyped(name string, kind Kind, text string) (js, problem string) {
	switch kind {
	case String:
		return quote(text), ""
	case Integer, Number:
		return readNumber(name, kind, text)
	case Boolean:
		if text != "true" && text != "false" {
			return "", fmt.Sprintf("%s=%s is not a boolean; write true or false",
				name, oneLine(text))
		}
		return text, ""
	default:
		return readJSON(name, kind, text)
	}
}

// readJSON reads a value that is written as JSON text.
func readJSON(name string, kind Kind, text string) (js, problem string) {
	checked, err := scan.Check([]byte(text), scan.Limits{Bytes: len(text), Depth: maxDepth})
	switch {
	case number.MatchString(text) && kind == Any:
		return readNumber(name, Number, text)
	case kind == Array && !strings.HasPrefix(text, "["), err != nil && kind == Array:
		return "", fmt.Sprintf(`%s=%s is not a JSON array; write %[1]s=[...] with commas as \\,`,
			name, oneLine(text))
	case kind == Object && !strings.HasPrefix(text, "{"), err != nil && kind == Object:
		return "", fmt.Sprintf(`%s=%s is not a JSON object; write %[1]s={...} with commas as \\,`,
			name, oneLine(text))
	case err != nil:
		return "", fmt.Sprintf("%s=%s is not JSON; write text in quotes: %[1]s=%[3]s",
			name, oneLine(text), quote(text))
	}
	return string(scan.Compact(nil, checked)), ""
}

// maxDepth bounds the nesting of a value in a tag.
const maxDepth = 64

// number is the grammar of a JSON number.
var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE]([+-]?[0-9]+))?$`)

// maxExponent bounds the exponents that are read, so that a bound can be
// computed with exactly: float64 ends at e308, and 1e999999999 fills the memory.
const maxExponent = 400

// readNumber reads a number and keeps it as written: a float64 in between would
// change the last digits of a 64-bit integer.
func readNumber(name string, kind Kind, text string) (js, problem string) {
	if plainInt(text) {
		return text, ""
	}
	m := number.FindStringSubmatch(text)
	if m == nil {
		return "", fmt.Sprintf("%s=%s is not a number", name, oneLine(text))
	}
	if m[4] != "" {
		e, err := strconv.Atoi(m[4])
		if err != nil || e < -maxExponent || e > maxExponent {
			return "", fmt.Sprintf("%s=%s is out of range", name, text)
		}
	}
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		return "", fmt.Sprintf("%s=%s is out of range", name, text)
	}
	if kind == Integer && !rational(text).IsInt() {
		return "", fmt.Sprintf("%s=%s is not an integer", name, text)
	}
	return text, ""
}

// plainInt reports whether text is a 64-bit integer as Go writes it, which most numbers in tags are.
func plainInt(text string) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && strconv.FormatInt(n, 10) == text
}

// rational returns the exact value. Requirement: readNumber accepted text.
func rational(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("jig: internal error: not a number: " + text)
	}
	return r
}

// readCount reads a length or a number of items.
func readCount(name, text string) (js, problem string) {
	if strings.HasPrefix(text, "-") && number.MatchString(text) {
		return "", fmt.Sprintf("%s=%s is negative", name, text)
	}
	if !plainInt(text) {
		return "", fmt.Sprintf("%s=%s is not a whole number", name, oneLine(text))
	}
	return text, ""
}

// readTrue reads a keyword that is either given as true or left out. Reading
// any other word as one of the two would make uniqueItems=maybe mean true.
func readTrue(name, text string) (js, problem string) {
	switch text {
	case "true":
		return text, ""
	case "false":
		return "", fmt.Sprintf("%s=false is what a schema without it says; leave it out", name)
	default:
		return "", fmt.Sprintf("%s=%s is not true; write %[1]s=true or leave it out",
			name, oneLine(text))
	}
}

// readPattern reads a pattern that this process has to be able to run.
func readPattern(text string) (js, problem string) {
	_, err := regexp.Compile(text)
	if err == nil {
		return quote(text), ""
	}
	reason, hint := err.Error(), ""
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		reason = fmt.Sprintf("%s %q", e.Code, e.Expr)
		switch e.Code {
		case syntax.ErrInvalidPerlOp:
			hint = "; Go's regexp has no look-ahead or look-behind"
		case syntax.ErrInvalidEscape:
			hint = "; Go's regexp has no back-references"
		case syntax.ErrInvalidRepeatSize:
			hint = "; Go's regexp repeats at most 1000 times"
		}
	}
	return "", fmt.Sprintf("pattern %q does not compile: %s%s", text, reason, hint)
}

// quote writes a JSON string without the HTML escapes of encoding/json, which
// would cost a model's tokens.
func quote(s string) string {
	var room [64]byte
	return string(scan.AppendQuote(room[:0], s))
}

// equalJSON reports whether two JSON texts, which are valid, stand for the same value.
func equalJSON(a, b string) bool { return canon.Equal(a, b) }

// decode returns the value of a valid JSON text, with its numbers as texts.
func decode(text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		panic("jig: internal error: not JSON: " + err.Error())
	}
	return v
}
