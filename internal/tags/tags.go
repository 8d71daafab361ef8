// Package tags reads what the jsonschema, jsonschema_description and
// jsonschema_extras tags of one struct field say, as ordered schema keywords.
//
// The vocabulary is that of github.com/invopop/jsonschema, which many Go
// structs already carry. That library drops what it does not understand
// without a word, so a reading goes through four steps:
//
//  1. split the tags into parts and name every part that is no keyword
//  2. type each value by the JSON kind of the field, and check that it fits
//  3. let invopop read what is escaped, and extras, on a stand-in field of the same kind
//  4. compare both readings: what went in has to come out
//
// The tests compare all that is accepted. Only the keywords that pass all four
// are returned. Their bytes are written here, never copied from invopop's
// output, so that no byte depends on which version of it the module graph
// selected.
//
// # What this package does not do
//
// It does not know the Go type of the field, does not merge keywords into a
// schema, does not add null to the enum of a nullable field, and does not
// check a default or an enum value against the other keywords.
package tags

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind is the JSON kind of a field's schema. The zero Kind is Any, a schema
// that names no type.
type Kind uint8

// The kinds, in the order in which messages and tests list them.
const (
	Any Kind = iota
	String
	Integer
	Number
	Boolean
	Array
	Object
)

// nouns name one value and many values of each kind in a message.
var nouns = [...][2]string{
	Any:     {"a field of any type", "values of any type"},
	String:  {"a string", "strings"},
	Integer: {"an integer", "integers"},
	Number:  {"a number", "numbers"},
	Boolean: {"a boolean", "booleans"},
	Array:   {"an array", "arrays"},
	Object:  {"an object", "objects"},
}

// Target is the field that the tags stand on.
type Target struct {
	// Kind is the kind of the field's own node.
	Kind Kind

	// Elem is the kind of the items when Kind is Array, and Any otherwise.
	Elem Kind

	// Nullable says that null is a value of the field, so that default=null
	// means null wherever the kind leaves no other reading.
	Nullable bool
}

// String returns the target as messages name it.
func (t Target) String() string {
	if t.Kind == Array {
		return "an array of " + nouns[t.Elem][1]
	}
	return nouns[t.Kind][0]
}

// Keyword is one schema keyword and its value.
type Keyword struct {
	Key string

	// Value is valid, compact JSON. Numbers stand as the tag wrote them.
	Value json.RawMessage
}

// Result is what the tags of one field say. The zero Result says nothing.
type Result struct {
	// Description is the text of jsonschema_description, else that of the
	// description= part.
	Description string

	// Type is the value of the type= part where the target's kind was Any, else empty. The other
	// keywords are then read for that type.
	Type string

	// Node holds the keywords of the field's own node, in this order: title,
	// format, pattern, minLength, maxLength, multipleOf, minimum,
	// exclusiveMinimum, maximum, exclusiveMaximum, minItems, maxItems,
	// uniqueItems, readOnly, writeOnly, enum, default, examples, and then the
	// extras as they were written.
	Node []Keyword

	// Items holds the keywords that an array's tags put on its items, in the
	// order of Node. It is empty unless the target is an array.
	Items []Keyword

	// Nullable and Required report whether the part of that name was given.
	Nullable bool
	Required bool
}

// The keys of the tags that Parse reads.
const (
	keywordTag     = "jsonschema"
	descriptionTag = "jsonschema_description"
	extrasTag      = "jsonschema_extras"
)

// A Field is one of those that Parse reads.
type Field struct {
	Tag    reflect.StructTag
	Target Target
}

// A Reading is what Parse makes of a field. The problems are one line each, in
// the order of the tags, and say what to write instead; if there are any, the
// Result is zero.
type Reading struct {
	Result   Result
	Problems []string
}

// Parse reads the three tags of each field of a struct. invopop makes one schema
// of all that it is asked for: one for each would take most of the time.
// Parse panics if a Target holds a Kind that does not exist.
//
// Parse may be called from many goroutines at once.
func Parse(fields []Field) []Reading {
	parsers := make([]*parser, len(fields))
	for i, f := range fields {
		if mentionsSchema(string(f.Tag)) {
			parsers[i] = read(f.Tag, f.Target)
		}
	}
	compareAll(parsers)
	out := make([]Reading, len(fields))
	for i, p := range parsers {
		if p != nil {
			out[i].Result, out[i].Problems = p.outcome()
		}
	}
	return out
}

// outcome is what Parse makes of the field.
func (p *parser) outcome() (Result, []string) {
	if len(p.problems) > 0 {
		return Result{}, p.problems
	}
	return p.result(), nil
}

// read is the reading of this package alone.
func read(tag reflect.StructTag, t Target) *parser {
	p := &parser{target: t}
	given := p.readTag(string(tag))
	p.readKeywords(given.keywords.text)
	p.readDescription(given.description)
	p.readExtras(given.extras.text)
	p.checkBounds()
	return p
}

// mentionsSchema reports whether a tag may hold one of the three keys, or a
// misspelling that readTag would name. Most fields stop here.
func mentionsSchema(tag string) bool {
	for i := 0; i+len(keywordTag) <= len(tag); i++ {
		if tag[i]|0x20 == 'j' && strings.EqualFold(tag[i:i+len(keywordTag)], keywordTag) {
			return true
		}
	}
	return false
}

// A parser holds the reading of one field's tags.
type parser struct {
	target   Target
	problems []string

	// asks are the keywords read so far, one for each key and place, in the
	// order of their first part.
	asks []ask

	description string
	nullable    bool
	required    bool
	typ         string
}

// An ask is one keyword that the tags ask for.
type ask struct {
	word  *word // nil for an extra
	key   string
	items bool // the keyword belongs on the items of an array

	// list says that the value is the JSON array of all values; without it
	// there is exactly one.
	list   bool
	values []value

	// gap says that invopop has no reading of this ask, or a wrong one, so
	// that it is not handed over and ours stands alone.
	gap bool
}

// A value is one part's value: the text of the tag, and the JSON it stands for.
type value struct {
	text string
	json string
}

func (p *parser) problemf(format string, args ...any) {
	p.problems = append(p.problems, fmt.Sprintf(format, args...))
}

// readDescription settles the description between its tag and its part. The
// tag wins since it takes any text, but two different texts are a mistake.
func (p *parser) readDescription(tag pair) {
	text := tag.text
	switch {
	case !tag.ok:
		return
	case !utf8.ValidString(text):
		p.problemf("%s is not valid UTF-8", descriptionTag)
	case strings.TrimSpace(text) == "":
		p.problemf("%s is empty; remove it or describe the field", descriptionTag)
	case p.description != "" && p.description != text:
		p.problemf("%s and description= differ; keep %[1]s only", descriptionTag)
	}
	p.description = text
}

// find returns the ask for a key in a place, or nil.
func (p *parser) find(key string, items bool) *ask {
	for i := range p.asks {
		if a := &p.asks[i]; a.key == key && a.items == items {
			return a
		}
	}
	return nil
}

// result puts the asks into the order that Result documents. Extras keep the
// order of their tag.
func (p *parser) result() Result {
	r := Result{Description: p.description, Nullable: p.nullable, Required: p.required, Type: p.typ}
	slices.SortStableFunc(p.asks, func(a, b ask) int { return a.rank() - b.rank() })
	for i := range p.asks {
		if a := &p.asks[i]; a.items {
			r.Items = append(r.Items, a.keyword())
		} else {
			r.Node = append(r.Node, a.keyword())
		}
	}
	return r
}

// rank returns where in the order the ask belongs: an extra comes last.
func (a *ask) rank() int {
	if a.word == nil {
		return len(vocabulary)
	}
	return a.word.rank
}

func (a *ask) keyword() Keyword {
	return Keyword{Key: a.key, Value: json.RawMessage(a.json())}
}

// json returns the value of the keyword. Requirement: a.values is not empty.
func (a *ask) json() string {
	if !a.list {
		return a.values[0].json
	}
	texts := make([]string, len(a.values))
	for i, v := range a.values {
		texts[i] = v.json
	}
	return "[" + strings.Join(texts, ",") + "]"
}
