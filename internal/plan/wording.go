package plan

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/near"
	"github.com/jig-go/jig/internal/scan"
)

// The catalogue: every wording of a problem, once, whoever has found it. Each function appends what its
// comment quotes. testdata/wordings.golden shows each at work. A kind stands before a value only where it
// is the wrong one.

// sayType is for type: "got %s, want %s".
func sayType(dst []byte, v sample, want string) []byte {
	return append(append(v.appendGot(append(dst, "got "...)), ", want "...), want...)
}

// sayAmong is for enum and const: "got %s, want %s". The kind is said where no allowed value has it.
func sayAmong(dst []byte, v sample, allowed *enumWords) []byte {
	dst = append(dst, "got "...)
	kind := kindOf(v.raw)
	if allowed.scalars.has(kind) {
		dst = v.append(dst)
	} else {
		dst = v.appendGot(dst)
	}
	dst = append(append(dst, ", want "...), allowed.listed...)
	if kind == scan.String && !v.secret {
		dst = sayGuess(dst, string(scan.Unquote(v.raw)), allowed.names)
	}
	return dst
}

// sayBound is for minimum, maxItems and others: "got %s, want %s", number or size and limit.
func sayBound(dst []byte, v sample, want string) []byte {
	return append(append(v.appendSize(append(dst, "got "...)), ", want "...), want...)
}

// sayCount is sayBound for an object whose null members do not count: "got %s, want %s".
func sayCount(dst []byte, n int, want string) []byte {
	return append(append(appendCount(append(dst, "got "...), n, "property"), ", want "...), want...)
}

// sayPattern is for pattern: "got %s, want text that matches %s".
func sayPattern(dst []byte, v sample, pattern string) []byte {
	dst = append(v.append(append(dst, "got "...)), ", want text that matches "...)
	return append(dst, clip.Middle(pattern, 200)...)
}

// sayFormat is for format, and what only the Go type can say: "got %s, want %s".
func sayFormat(dst []byte, v sample, want string) []byte {
	return append(append(v.append(append(dst, "got "...)), ", want "...), want...)
}

// sayEqual is for uniqueItems: "items %s and %s are equal, want all items different".
func sayEqual(dst []byte, first, second int) []byte {
	return fmt.Appendf(dst, "items %d and %d are equal, want all items different", first, second)
}

// sayUnique is sayEqual where the two are not known: "got %s with equal items, want all items different".
func sayUnique(dst []byte, v sample) []byte {
	return append(v.appendGot(append(dst, "got "...)), " with equal items, want all items different"...)
}

// sayMissing is for required and dependentRequired: "missing". Where the schema says what is wanted, as r
// does, that is said; nil: it is not known.
func sayMissing(dst []byte, r *rule) []byte {
	or := ""
	for r != nil && r.orNull != nil {
		r, or = r.orNull, " or null"
	}
	switch {
	case r == nil:
	case r.enum != nil:
		return append(sayWanted(dst, r.enum.words().listed), or...)
	case r.want != "":
		return append(sayWanted(dst, r.want), or...)
	}
	return append(dst, "missing"...)
}

// sayWanted is: "missing, want %s".
func sayWanted(dst []byte, what string) []byte {
	return append(append(dst, "missing, want "...), what...)
}

// sayUnlisted is for additionalProperties: "not a property here".
func sayUnlisted(dst []byte) []byte { return append(dst, "not a property here"...) }

// sayUnknown is sayUnlisted with the nearest absent names, else the nearest of all declared ones, else all
// of them: "not a property here; %s".
func sayUnknown(dst []byte, name string, absent, declared guesses) []byte {
	dst = sayUnlisted(dst)
	start := len(dst)
	if dst = sayGuess(dst, name, absent); len(dst) == start {
		dst = sayGuess(dst, name, declared)
	}
	if len(dst) > start {
		return dst
	}
	switch list := declared.quoted; len(list) {
	case 0:
		return sayNoNames(dst)
	case 1:
		return sayOneName(dst, list[0])
	default:
		return sayNames(dst, list)
	}
}

// sayNoNames ends sayUnknown: "; no properties are allowed".
func sayNoNames(dst []byte) []byte { return append(dst, "; no properties are allowed"...) }

// sayOneName ends sayUnknown: "; the only property is %s".
func sayOneName(dst []byte, name string) []byte {
	return append(append(dst, "; the only property is "...), name...)
}

// sayNames ends sayUnknown: "; the properties are %s".
func sayNames(dst []byte, names []string) []byte {
	return append(append(dst, "; the properties are "...), shorten(names)...)
}

// sayGuess ends other wordings, with the nearest of the names, if one is near: "; did you mean %s?".
func sayGuess(dst []byte, name string, names guesses) []byte {
	var hits near.Hits
	if hits.Find(name, names.names); hits.N == 0 {
		return dst
	}
	before := "; did you mean "
	for i := range hits.N {
		dst = append(append(dst, before...), names.quoted[hits.Index[i]]...)
		before = " or "
	}
	return append(dst, '?')
}

// guesses are names that another one may be meant to be.
type guesses struct {
	names  []near.Name
	quoted []string
}

func newGuesses(names []string) guesses { return guesses{near.PrepareAll(names), quoteNames(names)} }

// sayName is for propertyNames: "a property of this name is not allowed here".
func sayName(dst []byte) []byte { return append(dst, "a property of this name is not allowed here"...) }

// saySameName is for two keys that are one in Go: "the name means the same as an earlier one".
func saySameName(dst []byte) []byte {
	return append(dst, "the name means the same as an earlier one"...)
}

// sayNothing is for the schema false: "nothing is allowed here".
func sayNothing(dst []byte) []byte { return append(dst, "nothing is allowed here"...) }

// sayTooMany is for additionalItems: "got %s, which has more items than are allowed".
func sayTooMany(dst []byte, v sample) []byte {
	return which(dst, v, "has more items than are allowed")
}

// sayNoForm is for anyOf and oneOf: "got %s, which is none of the allowed forms".
func sayNoForm(dst []byte, v sample) []byte { return which(dst, v, "is none of the allowed forms") }

// sayTwoForms is for oneOf: "got %s, which is more than one of the forms of which it has to be exactly one".
func sayTwoForms(dst []byte, v sample) []byte {
	return which(dst, v, "is more than one of the forms of which it has to be exactly one")
}

// sayClosest stands before a problem of the nearest branch of anyOf or oneOf: "closest form: %s".
func sayClosest(dst []byte) []byte { return append(dst, "closest form: "...) }

// sayNot is for not: "got %s, which is a form that is not allowed".
func sayNot(dst []byte, v sample) []byte { return which(dst, v, "is a form that is not allowed") }

// sayContains is for contains and minContains: "got %s, which lacks an item of the wanted form".
func sayContains(dst []byte, v sample) []byte {
	return which(dst, v, "lacks an item of the wanted form")
}

// sayOther is for any other keyword: "got %s, which does not meet %s".
func sayOther(dst []byte, v sample, keyword string) []byte {
	return append(which(dst, v, "does not meet "), keyword...)
}

// which appends something about a value: "got %s, which %s".
func which(dst []byte, v sample, does string) []byte {
	return append(append(v.appendGot(append(dst, "got "...)), ", which "...), does...)
}

// Redacted stands for a value that no message may show.
const Redacted = "[redacted]"

const (
	maxQuoted  = 80 // bytes of a quoted value
	maxAllowed = 20 // values or names in one list
)

// enumWords are what messages need of an enum, made for the first one.
type enumWords struct {
	once    sync.Once
	listed  string  // its values, or the one of a const
	names   guesses // the values that are strings
	scalars kinds   // of its values, but for arrays and objects
}

func (e *enumRule) words() *enumWords {
	w := &e.worded
	w.once.Do(func() {
		w.listed, w.names = e.list(), newGuesses(e.texts)
		for _, v := range e.values {
			w.scalars |= 1 << kindOf(v)
		}
		w.scalars &^= 1<<scan.Array | 1<<scan.Object
	})
	return w
}

func (e *enumRule) list() string {
	list := make([]string, 0, len(e.values))
	for _, v := range e.values {
		list = append(list, quote(v))
	}
	switch len(list) {
	case 0:
		return "nothing, since no value is allowed here"
	case 1:
		return list[0]
	}
	return "one of " + shorten(list)
}

func shorten(list []string) string {
	if len(list) > maxAllowed {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:maxAllowed], ", "),
			len(list)-maxAllowed)
	}
	return strings.Join(list, ", ")
}

// relation says how a value has to stand to the limit of a keyword, or nothing for a keyword without.
func relation(keyword string) string {
	switch keyword {
	case "minimum", "minLength", "minItems", "minProperties":
		return "at least"
	case "maximum", "maxLength", "maxItems", "maxProperties":
		return "at most"
	case "exclusiveMinimum":
		return "more than"
	case "exclusiveMaximum":
		return "less than"
	case "multipleOf":
		return "a multiple of"
	}
	return ""
}

// atLimit says what a keyword with a number wants.
func atLimit(keyword string, n int) string {
	var room [32]byte
	return string(strconv.AppendInt(append(append(room[:0], relation(keyword)...), ' '), int64(n), 10))
}

// What a string of a Go type has to be where nothing more exact is known, as package codec says it.
const (
	anyText   = "text of the right form"
	fieldText = "text that this field can read"
	fieldJSON = "a value that this field can read"
)

// formatWants says what a format looks like.
var formatWants = map[string]string{
	"date-time":     `a date-time such as "2006-01-02T15:04:05Z"`,
	"date":          `a date such as "2006-01-02"`,
	"time":          `a time such as "15:04:05Z"`,
	"duration":      `an ISO 8601 duration such as "P1DT12H"`,
	"email":         `an email address such as "ann@example.com"`,
	"hostname":      `a host name such as "www.example.com"`,
	"ipv4":          `an IPv4 address such as "192.0.2.1"`,
	"ipv6":          `an IPv6 address such as "2001:db8::1"`,
	"uri":           `a URI such as "https://example.com/path"`,
	"uri-reference": `a URI reference such as "/path"`,
	"uuid":          `a UUID such as "123e4567-e89b-12d3-a456-426614174000"`,
	"regex":         `a regular expression`,
	"go-duration":   `a duration such as "1m30s"`,
	"base64":        `base64`,
	"ip":            `an IP address such as "192.0.2.1"`,
}

func formatWant(name string) string {
	if want, ok := formatWants[name]; ok {
		return want
	}
	if strings.HasPrefix(name, "go-") {
		return anyText // the name is that of a Go type
	}
	return "format " + name
}

// quoteNames returns names in quotes.
func quoteNames(names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = string(appendName(nil, name))
	}
	return list
}
