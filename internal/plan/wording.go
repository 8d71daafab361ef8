package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/decimal"
	"github.com/jig-go/jig/internal/general"
	"github.com/jig-go/jig/internal/near"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// A Problem is one reason why a value does not meet a schema. Its words are for the model: what was
// got, shortened, and what is wanted. They name no Go type.
type Problem struct{ Pointer, Keyword, Message string }

func sortProblems(list []Problem) {
	slices.SortFunc(list, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Pointer, b.Pointer), strings.Compare(a.Keyword, b.Keyword),
			strings.Compare(a.Message, b.Message))
	})
}

const (
	maxQuoted  = 80 // bytes of a quoted value
	maxAllowed = 20 // values or names in one list
)

// got describes a value: its kind, and its text where that is short enough to help.
func got(raw []byte) string {
	c := scan.NewCursor(raw)
	switch kind := c.Kind(); kind {
	case scan.Null:
		return "null"
	case scan.Array:
		return plural(count(raw), "array of %d item")
	case scan.Object:
		return "object"
	default:
		return kind.String() + " " + quote(raw)
	}
}

func quote(raw []byte) string { return clip.Middle(string(raw), maxQuoted) }

func count(raw []byte) int {
	c := scan.NewCursor(raw)
	n := 0
	for more := c.Enter(); more; more = c.More() {
		c.Skip()
		n++
	}
	return n
}

func plural(n int, format string) string {
	s := fmt.Sprintf(format, n)
	if n != 1 {
		s += "s"
	}
	return s
}

func mismatch(r *rule, raw []byte) string {
	return fmt.Sprintf("got %s, want %s", got(raw), r.want)
}

// unfitting words a value that the schema accepts and the Go type cannot hold.
func unfitting(r *rule, raw []byte) string {
	return fmt.Sprintf("got %s, want %s", got(raw), r.base().Want())
}

func notAmong(e *enumRule, raw []byte) string {
	return fmt.Sprintf("got %s, want %s", got(raw), e.allowed())
}

// allowed lists the values of an enum, or names the one of a const.
func (e *enumRule) allowed() string {
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

func outside(raw []byte, relation string, limit *decimal.Number) string {
	return fmt.Sprintf("got %s, want %s %s", quote(raw), relation, limit)
}

// counted words a length; raw is the text that was counted, or nil.
func counted(raw []byte, n int, unit, relation string, limit int) string {
	what := plural(n, "%d "+unit)
	if raw != nil {
		what += " " + quote(raw)
	}
	return fmt.Sprintf("got %s, want %s %d", what, relation, limit)
}

func unmatched(raw []byte, pattern string) string {
	return fmt.Sprintf("got %s, want text that matches %s", quote(raw), clip.Middle(pattern, 200))
}

func unreadable(raw []byte, want string) string {
	return fmt.Sprintf("got %s, want %s", quote(raw), want)
}

func equalItems(first, second int) string {
	return fmt.Sprintf("items %d and %d are equal, want all items different", first, second)
}

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
		return "text of the right form" // the name is that of a Go type
	}
	return "format " + name
}

// missing says what an absent required member should be.
func missing(r *rule) string {
	or := ""
	for r.orNull != nil {
		r, or = r.orNull, " or null"
	}
	switch {
	case r.enum != nil:
		return "missing, want " + r.enum.allowed() + or
	case r.want != "":
		return "missing, want " + r.want + or
	}
	return "missing"
}

// unknown words a member that is not declared: the nearest absent names, else all declared ones.
func unknown(message, name string, absent, declared []string) string {
	if hits := near.Names(name, absent); len(hits) > 0 {
		return message + "; did you mean " + quoted(hits, " or ") + "?"
	}
	if hits := near.Names(name, declared); len(hits) > 0 {
		return message + "; did you mean " + quoted(hits, " or ") + "?"
	}
	if len(declared) == 0 {
		return message + "; no properties are allowed"
	}
	return message + "; the properties are " + quoted(declared, ", ")
}

func quoted(names []string, separator string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = quote(scan.AppendQuote(nil, name))
	}
	if separator == ", " {
		return shorten(list)
	}
	return strings.Join(list, separator)
}

// findings words what the general validator found, as the plan would have.
func (d *run) findings(f general.Finding, raw []byte) {
	base := d.pointer() + f.Instance
	if len(f.Missing) > 0 {
		for _, name := range f.Missing {
			message := "missing"
			if f.Keyword != "required" && f.Keyword != "dependentRequired" &&
				f.Keyword != "dependencies" {
				message = "not a property here"
			}
			d.problemAt(base+"/"+tree.Escape(name), f.Keyword, message)
		}
		return
	}
	d.problemAt(base, f.Keyword, foreignMessage(f, valueAt(raw, f.Instance), d.keyword(f)))
}

// keyword returns the schema's text of the keyword that was not met, or nil.
func (d *run) keyword(f general.Finding) []byte {
	at, ok := strings.CutSuffix(f.Schema, "/"+tree.Escape(f.Keyword))
	if !ok || d.schema == nil {
		return nil
	}
	n := d.schema.At(at)
	if n == nil || !n.Has(f.Keyword) {
		return nil
	}
	if bound, ok := strings.CutPrefix(f.Keyword, "exclusive"); ok && isTrue(n, f.Keyword) {
		// In draft-04 the limit stands in minimum or maximum.
		if m := n.Get(strings.ToLower(bound)); m != nil {
			return m.Raw
		}
	}
	return n.Get(f.Keyword).Raw
}

// foreignMessage words a keyword of the general validator.
func foreignMessage(f general.Finding, value, want []byte) string {
	limit := quote(want)
	switch f.Keyword {
	case "type":
		return fmt.Sprintf("got %s, want %s", got(value), typeNames(want))
	case "enum", "const":
		return fmt.Sprintf("got %s, want %s", got(value), enumText(f.Keyword, want))
	case "minimum":
		return fmt.Sprintf("got %s, want at least %s", quote(value), limit)
	case "maximum":
		return fmt.Sprintf("got %s, want at most %s", quote(value), limit)
	case "exclusiveMinimum":
		return fmt.Sprintf("got %s, want more than %s", quote(value), limit)
	case "exclusiveMaximum":
		return fmt.Sprintf("got %s, want less than %s", quote(value), limit)
	case "multipleOf":
		return fmt.Sprintf("got %s, want a multiple of %s", quote(value), limit)
	case "pattern":
		return unmatched(value, string(scan.Unquote(want)))
	case "format":
		return unreadable(value, formatWant(string(scan.Unquote(want))))
	}
	if phrase, ok := phrases[f.Keyword]; ok {
		return fmt.Sprintf(phrase, got(value), limit)
	}
	return fmt.Sprintf("got %s, which does not meet %s", got(value), f.Keyword)
}

var phrases = map[string]string{
	"minLength":     "got %s, want at least %s characters",
	"maxLength":     "got %s, want at most %s characters",
	"minItems":      "got %s, want at least %s items",
	"maxItems":      "got %s, want at most %s items",
	"minProperties": "got %s, want at least %s members",
	"maxProperties": "got %s, want at most %s members",
	"uniqueItems":   "got %s with equal items, want all items different%.0s",
	"anyOf":         "got %s, which is none of the allowed forms%.0s",
	"oneOf":         "got %s, which is not exactly one of the allowed forms%.0s",
	"not":           "got %s, which is a form that is not allowed%.0s",
	"contains":      "got %s, which lacks an item of the wanted form%.0s",
	"propertyNames": "got %s with a member whose name is not allowed%.0s",
	// These stand for the schema false in their place.
	"false":            "got %s, and nothing is allowed here%.0s",
	"properties":       "got %s, and nothing is allowed here%.0s",
	"items":            "got %s, and nothing is allowed here%.0s",
	"additionalItems":  "got %s, which has more items than are allowed%.0s",
	"unevaluatedItems": "got %s, which has more items than are allowed%.0s",
}

func typeNames(want []byte) string {
	if len(want) == 0 {
		return "another type"
	}
	text := strings.Trim(string(want), `[]`)
	return strings.ReplaceAll(strings.ReplaceAll(text, `"`, ""), ",", " or ")
}

func enumText(keyword string, want []byte) string {
	if keyword == "const" || len(want) == 0 {
		return quote(want)
	}
	n := &tree.Node{Members: []tree.Member{{Key: "enum", Raw: want}}}
	return enumOf(n).allowed()
}

// valueAt returns the text of the value at a JSON pointer into raw, or null where there is none.
func valueAt(raw []byte, pointer string) []byte {
	c := scan.NewCursor(raw)
	for _, token := range strings.Split(pointer, "/")[1:] {
		if !descend(&c, token) {
			return []byte("null")
		}
	}
	return c.Skip()
}

// descend moves to the member or item that a reference token of a JSON pointer names.
func descend(c *scan.Cursor, token string) bool {
	object := c.Kind() == scan.Object
	if !object && c.Kind() != scan.Array {
		return false
	}
	for i, more := 0, c.Enter(); more; i, more = i+1, c.More() {
		if object {
			if tree.Escape(string(c.Key())) == token {
				return true
			}
		} else if strconv.Itoa(i) == token {
			return true
		}
		c.Skip()
	}
	return false
}
