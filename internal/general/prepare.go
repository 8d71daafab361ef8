package general

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Number text beyond these bounds makes the library panic or run for very long.
const (
	maxNumberText = 1000
	maxExponent   = 9999
)

// maxLength replaces larger lengths and counts. The library keeps them as int, where 1e30
// turns into a negative number; no instance is longer than this.
const maxLength = 1<<31 - 1

// A prepared document is a private copy that the library can take.
type prepared struct {
	tree     *tree
	warnings []string        // sorted
	moves    []move          // keywords put elsewhere, outermost first
	ignores  bool            // there are keywords that the draft does not know
	loose    map[string]bool // pointers of schemas that accept more than the author wrote
}

// A move says that the keyword at from now stands at to.
type move struct{ from, to string }

// prepare changes a decoded schema, in its schema positions only:
//
//   - $schema, $vocabulary and keywords of the library's own are removed,
//   - contentEncoding and contentMediaType are removed, which draft-07 would enforce,
//   - lengths too large for an int are cut down,
//   - an empty enum, which the library takes for no enum, becomes a false schema,
//   - patterns that do not run are removed, and what that would turn round is loosened.
func prepare(root any, d draft) (*prepared, error) {
	p := &prepared{tree: newTree(root, d), loose: map[string]bool{}}
	if object, ok := root.(map[string]any); ok {
		delete(object, "$schema")
		delete(object, "$vocabulary")
	}
	var faults []string
	for _, n := range p.tree.nodes {
		p.warnUnknown(n)
		// The library knows this keyword from its draft-04 meta-schema.
		delete(n.schema, "regexProperties")
		for _, keyword := range []string{"contentEncoding", "contentMediaType"} {
			if _, ok := n.schema[keyword].(string); ok {
				delete(n.schema, keyword)
			}
		}
		cutLengths(n.schema)
		p.closeEnum(n)
		faults = append(faults, p.checkPattern(n)...)
		faults = append(faults, p.checkPatternProperties(n)...)
	}
	if len(faults) > 0 {
		return nil, errors.New(slices.Min(faults))
	}
	p.relax()
	// Stable, so that the result is the same each time.
	slices.SortStableFunc(p.moves, func(a, b move) int { return len(a.from) - len(b.from) })
	p.followMoves()
	slices.Sort(p.warnings)
	p.warnings = slices.Compact(p.warnings)
	return p, nil
}

func (p *prepared) warn(pointer, format string, args ...any) {
	p.warnings = append(p.warnings, show(pointer)+": "+fmt.Sprintf(format, args...))
}

// warnUnknown lists keywords that are newer than the draft.
func (p *prepared) warnUnknown(n node) {
	for keyword, year := range since {
		if _, ok := n.schema[keyword]; ok && year > p.tree.draft.year {
			p.ignores = true
			p.warn(join(n.pointer, keyword), "is not a keyword of %s and is not checked here",
				p.tree.draft.name)
		}
	}
}

// checkPattern removes a pattern that does not run, and returns the fault of one that is
// wrong in every dialect.
func (p *prepared) checkPattern(n node) []string {
	pattern, ok := n.schema["pattern"].(string)
	if !ok {
		return nil
	}
	fault := patternError(pattern)
	if fault == nil {
		return nil
	}
	pointer := join(n.pointer, "pattern")
	if fault.broken != "" {
		return []string{brokenPattern(pointer, pattern, fault)}
	}
	p.warn(pointer, "%s needs %s, which is not checked here; the provider may still enforce it",
		quote(pattern), fault.needs)
	p.loose[n.pointer] = true
	delete(n.schema, "pattern")
	return nil
}

// checkPatternProperties does the same for the keys of patternProperties. What such a key
// would have matched can no longer be told from other names, so the object is opened.
func (p *prepared) checkPatternProperties(n node) (faults []string) {
	entries, ok := n.schema["patternProperties"].(map[string]any)
	if !ok {
		return nil
	}
	for _, pattern := range sortedKeys(entries) {
		fault := patternError(pattern)
		if fault == nil {
			continue
		}
		pointer := join(join(n.pointer, "patternProperties"), pattern)
		if fault.broken != "" {
			faults = append(faults, brokenPattern(pointer, pattern, fault))
			continue
		}
		p.warn(pointer, "%s needs %s, which is not checked here, so additionalProperties is not "+
			"checked here either; the provider may still enforce them", quote(pattern), fault.needs)
		p.loose[n.pointer] = true
		delete(entries, pattern)
		// Not just removed: true also counts every name as evaluated.
		n.schema["additionalProperties"] = true
	}
	return faults
}

func brokenPattern(pointer, pattern string, fault *patternFault) string {
	return fmt.Sprintf("%s: %s is not a regular expression: %s", show(pointer), quote(pattern),
		fault.broken)
}

// lengths lists the keywords whose value the library keeps as int.
var lengths = []string{
	"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
	"minContains", "maxContains",
}

func cutLengths(schema map[string]any) {
	for _, keyword := range lengths {
		number, ok := schema[keyword].(json.Number)
		if !ok {
			continue
		}
		if value, ok := rational(number); ok && value.IsInt() && value.Sign() > 0 &&
			!(value.Num().IsInt64() && value.Num().Int64() <= maxLength) {
			schema[keyword] = json.Number(strconv.Itoa(maxLength))
		}
	}
}

// closeEnum makes an empty enum refuse everything.
func (p *prepared) closeEnum(n node) {
	if list, ok := n.schema["enum"].([]any); ok && len(list) == 0 && p.tree.draft.year >= 7 {
		p.replace(n, "enum", "", false)
	}
}

// replace takes a keyword out of n and puts a schema at the end of its allOf, where it cannot
// collide with a keyword that is already there. under is where in that schema the keyword's
// own value now stands.
func (p *prepared) replace(n node, keyword, under string, schema any) {
	all, ok := n.schema["allOf"].([]any)
	if _, present := n.schema["allOf"]; present && !ok {
		return // the compiler will complain about allOf
	}
	to := join(n.pointer, "allOf") + "/" + strconv.Itoa(len(all)) + under
	n.schema["allOf"] = append(all, schema)
	delete(n.schema, keyword)
	p.moves = append(p.moves, move{join(n.pointer, keyword), to})
}

// checkNumbers refuses number text that the library cannot take, wherever it stands.
func checkNumbers(pointer string, value any) error {
	switch value := value.(type) {
	case json.Number:
		if !soundNumber(string(value)) {
			return fmt.Errorf("%s: the number is too long or its exponent too large; at most %d "+
				"characters and an exponent within ±%d are read", show(pointer), maxNumberText,
				maxExponent)
		}
	case map[string]any:
		for _, name := range sortedKeys(value) {
			if err := checkNumbers(join(pointer, name), value[name]); err != nil {
				return err
			}
		}
	case []any:
		for i, item := range value {
			if err := checkNumbers(pointer+"/"+strconv.Itoa(i), item); err != nil {
				return err
			}
		}
	}
	return nil
}

func soundNumber(text string) bool {
	if len(text) > maxNumberText {
		return false
	}
	at := strings.IndexAny(text, "eE")
	if at < 0 {
		return true
	}
	exponent, err := strconv.Atoi(text[at+1:])
	return err == nil && exponent >= -maxExponent && exponent <= maxExponent
}
