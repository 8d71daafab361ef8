package tags

import "strings"

// A class says how the value of a keyword is read.
type class uint8

const (
	classText    class = iota // any text
	classPattern              // a regular expression
	classCount                // an integer that is not negative
	classNumber               // a number of the node's kind
	classStep                 // as classNumber, and above zero
	classTrue                 // the word true
	classTyped                // a value of the node's kind
	classMany                 // as classTyped, and repeatable
)

// kinds is a set of kinds.
type kinds uint8

func set(list ...Kind) kinds {
	var s kinds
	for _, k := range list {
		s |= 1 << k
	}
	return s
}

func (s kinds) has(k Kind) bool { return s&(1<<k) != 0 }

var (
	allKinds     = set(Any, String, Integer, Number, Boolean, Array, Object)
	typedKinds   = allKinds &^ set(Any)
	scalarKinds  = set(Any, String, Integer, Number, Boolean)
	numericKinds = set(Integer, Number)
)

// A word is a keyword of the jsonschema tag.
type word struct {
	name  string // as the tag spells it
	key   string // as a schema spells it
	class class
	fits  kinds
	rank  int // in the vocabulary
}

// vocabulary is in the order of Result.Node.
var vocabulary = ranked([]word{
	{name: "title", key: "title", class: classText, fits: allKinds},
	{name: "format", key: "format", class: classText, fits: set(String)},
	{name: "pattern", key: "pattern", class: classPattern, fits: set(String)},
	{name: "minLength", key: "minLength", class: classCount, fits: set(String)},
	{name: "maxLength", key: "maxLength", class: classCount, fits: set(String)},
	{name: "multipleOf", key: "multipleOf", class: classStep, fits: numericKinds},
	{name: "minimum", key: "minimum", class: classNumber, fits: numericKinds},
	{name: "exclusiveMinimum", key: "exclusiveMinimum", class: classNumber, fits: numericKinds},
	{name: "maximum", key: "maximum", class: classNumber, fits: numericKinds},
	{name: "exclusiveMaximum", key: "exclusiveMaximum", class: classNumber, fits: numericKinds},
	{name: "minItems", key: "minItems", class: classCount, fits: set(Array)},
	{name: "maxItems", key: "maxItems", class: classCount, fits: set(Array)},
	{name: "uniqueItems", key: "uniqueItems", class: classTrue, fits: set(Array)},
	{name: "readOnly", key: "readOnly", class: classTrue, fits: typedKinds},
	{name: "writeOnly", key: "writeOnly", class: classTrue, fits: typedKinds},
	{name: "enum", key: "enum", class: classMany, fits: scalarKinds},
	{name: "default", key: "default", class: classTyped, fits: allKinds},
	{name: "example", key: "examples", class: classMany, fits: allKinds},
})

func ranked(words []word) []word {
	for i := range words {
		words[i].rank = i
	}
	return words
}

// Parts that are words of the tag but no entry of the vocabulary.
const (
	descriptionWord = "description"
	requiredWord    = "required"
	nullableWord    = "nullable"
	typeWord        = "type"
)

// refused are invopop's parts that change the shape of the schema. A tool's
// schema has to match the decoder of its arguments, which no tag can change.
var refused = []string{
	"-", "anchor", "oneof_required", "anyof_required",
	"oneof_ref", "anyof_ref", "oneof_type", "anyof_type",
}

// byHand ends the message about a keyword that no tag can give.
const byHand = "is not supported; write the schema by hand: Spec.Schema"

// typeKinds are the values of type=.
var typeKinds = map[string]Kind{
	"string": String, "integer": Integer, "number": Number, "boolean": Boolean, "array": Array,
	"object": Object,
}

func lookup(name string) *word {
	for i := range vocabulary {
		if vocabulary[i].name == name {
			return &vocabulary[i]
		}
	}
	return nil
}

// wordNames lists every word that a part may start with.
func wordNames() []string {
	names := []string{descriptionWord, requiredWord, nullableWord, typeWord}
	for _, w := range vocabulary {
		names = append(names, w.name)
	}
	return names
}

// near returns the name that s is probably meant to be, or "". It forgives a
// wrong case and one slip in every three letters, up to two.
func near(s string, names []string) string {
	best := closest(s, names)
	limit := min(2, len(s)/3)
	if distance(strings.ToLower(s), strings.ToLower(best)) > limit {
		return ""
	}
	return best
}

// closest returns the name with the fewest slips, the first of equals.
func closest(s string, names []string) string {
	best, least := "", -1
	for _, name := range names {
		d := distance(strings.ToLower(s), strings.ToLower(name))
		if least < 0 || d < least {
			best, least = name, d
		}
	}
	return best
}

// distance is the number of bytes to insert, delete or replace between a and b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		// Invariant: diagonal is the cell above and left of row[j+1].
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			cell := min(row[j]+1, row[j+1]+1, diagonal+cost)
			diagonal, row[j+1] = row[j+1], cell
		}
	}
	return row[len(b)]
}
