package plan

import (
	"fmt"
	"strings"
	"sync"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/near"
	"github.com/jig-go/jig/internal/scan"
)

// The catalogue: every wording of a problem, once, whoever has found it. testdata/wordings.golden
// shows each at work. A kind stands before a value only where it is the wrong one.
const (
	sayType     = "got %s, want %s"                   // type; kind and value, types
	sayAmong    = "got %s, want %s%s"                 // enum, const; value, what is allowed, nearest value
	sayBound    = "got %s, want %s %s"                // minimum, maxItems, ...; value or count, relation, limit
	sayPattern  = "got %s, want text that matches %s" // pattern
	sayFormat   = "got %s, want %s"                   // format, and what only the Go type can say
	sayEqual    = "items %d and %d are equal, want all items different"
	sayUnique   = "got %s with equal items, want all items different" // where the two are not known
	sayMissing  = "missing"                                           // required, dependentRequired
	sayWanted   = "missing, want %s"                                  // the same, where the schema says what
	sayUnknown  = "not a property here%s"                             // additionalProperties
	sayName     = "a property of this name is not allowed here"       // propertyNames
	saySameName = "the name means the same as an earlier one"         // propertyNames
	sayNothing  = "nothing is allowed here"                           // the schema false
	sayTooMany  = "got %s, which has more items than are allowed"     // additionalItems
	sayNoForm   = "got %s, which is none of the allowed forms"        // anyOf, oneOf
	sayTwoForms = "got %s, which is more than one of the forms of which it has to be exactly one"
	sayClosest  = "closest form: %s"                               // before a problem of the nearest branch of anyOf, oneOf
	sayNot      = "got %s, which is a form that is not allowed"    // not
	sayContains = "got %s, which lacks an item of the wanted form" // contains, minContains
	sayOther    = "got %s, which does not meet %s"                 // any other keyword
	sayGuess    = "; did you mean %s?"                             // the end of another wording
	sayNames    = "; the properties are %s"                        // the end of sayUnknown
	sayOneName  = "; the only property is %s"                      // the end of sayUnknown
	sayNoNames  = "; no properties are allowed"                    // the end of sayUnknown
)

// Redacted stands for a value that no message may show.
const Redacted = "[redacted]"

const (
	maxQuoted  = 80 // bytes of a quoted value
	maxAllowed = 20 // values or names in one list
)

func mismatch(v sample, want string) message { return about(sayType, v).with(text(want)) }

// notAmong words a value that is not among those allowed. Its kind is said where no allowed value
// has it.
func notAmong(e *enumRule, v sample) message {
	words, kind := e.words(), kindOf(v.raw)
	m := about(sayAmong, v).with(text(words.listed))
	if words.scalars.has(kind) {
		m.pieces[0].form = asValue
	}
	if kind == scan.String && !v.secret {
		m.pieces[2].form, m.names = asGuess, words.names
	}
	return m
}

// enumWords are what messages need of an enum, made for the first one.
type enumWords struct {
	once    sync.Once
	listed  string      // its values, or the one of a const
	names   []near.Name // the values that are strings
	scalars kinds       // of its values, but for arrays and objects
}

func (e *enumRule) words() *enumWords {
	w := &e.worded
	w.once.Do(func() {
		w.listed, w.names = e.list(), prepareAll(e.strings())
		for _, v := range e.values {
			w.scalars |= 1 << kindOf(v)
		}
		w.scalars &^= 1<<scan.Array | 1<<scan.Object
	})
	return w
}

// strings returns the allowed values that are strings.
func (e *enumRule) strings() []string {
	var out []string
	for _, v := range e.values {
		if kindOf(v) == scan.String {
			out = append(out, string(scan.Unquote(v)))
		}
	}
	return out
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

// bounded words a number, or the size of a value, outside the limit of a keyword.
func bounded(keyword string, v sample, limit piece) message {
	return message{wording: sayBound, value: v,
		pieces: [3]piece{{form: asSize}, text(relation(keyword)), limit}}
}

// sized is bounded for an object whose null members do not count.
func sized(keyword string, n int, limit int) message {
	return message{wording: sayBound,
		pieces: [3]piece{counted(n, "property"), text(relation(keyword)), counted(limit, "")}}
}

func unmatched(v sample, pattern string) message {
	return message{wording: sayPattern, value: v,
		pieces: [3]piece{{form: asValue}, text(clip.Middle(pattern, 200))}}
}

func unreadable(v sample, want string) message {
	return message{wording: sayFormat, value: v, pieces: [3]piece{{form: asValue}, text(want)}}
}

func equalItems(first, second int) message {
	return plain(fmt.Sprintf(sayEqual, first, second))
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

// missing says what an absent required member should be; nil: that is not known.
func missing(r *rule) message {
	or := ""
	for r != nil && r.orNull != nil {
		r, or = r.orNull, " or null"
	}
	switch {
	case r == nil:
	case r.enum != nil:
		return wanted(r.enum.words().listed + or)
	case r.want != "":
		return wanted(r.want + or)
	}
	return plain(sayMissing)
}

func wanted(what string) message { return message{wording: sayWanted, pieces: [3]piece{text(what)}} }

// unknown words a member that is not declared: the nearest absent names, else the nearest of all declared
// ones, else all of them.
func unknown(name string, absent, all []near.Name, declared []string) message {
	end := appendGuess(nil, name, absent)
	if len(end) == 0 {
		end = appendGuess(nil, name, all)
	}
	if len(end) == 0 {
		end = []byte(declaredText(declared))
	}
	return message{wording: sayUnknown, pieces: [3]piece{text(string(end))}}
}

// declaredText says which names are declared.
func declaredText(declared []string) string {
	list := make([]string, len(declared))
	for i, name := range declared {
		list[i] = string(appendName(nil, name))
	}
	switch len(list) {
	case 0:
		return sayNoNames
	case 1:
		return fmt.Sprintf(sayOneName, list[0])
	}
	return fmt.Sprintf(sayNames, shorten(list))
}
