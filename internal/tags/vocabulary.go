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
}

// vocabulary is in the order of Result.Node.
var vocabulary = []word{
	{"title", "title", classText, allKinds},
	{"format", "format", classText, set(String)},
	{"pattern", "pattern", classPattern, set(String)},
	{"minLength", "minLength", classCount, set(String)},
	{"maxLength", "maxLength", classCount, set(String)},
	{"multipleOf", "multipleOf", classStep, numericKinds},
	{"minimum", "minimum", classNumber, numericKinds},
	{"exclusiveMinimum", "exclusiveMinimum", classNumber, numericKinds},
	{"maximum", "maximum", classNumber, numericKinds},
	{"exclusiveMaximum", "exclusiveMaximum", classNumber, numericKinds},
	{"minItems", "minItems", classCount, set(Array)},
	{"maxItems", "maxItems", classCount, set(Array)},
	{"uniqueItems", "uniqueItems", classTrue, set(Array)},
	{"readOnly", "readOnly", classTrue, typedKinds},
	{"writeOnly", "writeOnly", classTrue, typedKinds},
	{"enum", "enum", classMany, scalarKinds},
	{"default", "default", classTyped, allKinds},
	{"example", "examples", classMany, allKinds},
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
