package plan

import (
	"bytes"
	"math"
	"regexp"
	"sync/atomic"

	"github.com/jig-go/jig/internal/canon"
	"github.com/jig-go/jig/internal/decimal"
	"github.com/jig-go/jig/internal/general"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// assertion says who checks a keyword.
type assertion uint8

const (
	annotation assertion = iota
	planned              // the plan itself
	foreign              // the general validator
)

// assertionOf lists the keywords that are checked. One that is not listed says nothing about a value
// (https://json-schema.org/draft/2020-12/json-schema-core section 6.5, read 2026-11).
func assertionOf(key string) assertion {
	switch key {
	case "type", "enum", "const",
		"properties", "required", "additionalProperties",
		"propertyNames", "minProperties", "maxProperties",
		"items", "minItems", "maxItems", "uniqueItems",
		"minLength", "maxLength", "pattern", "format",
		"minimum", "maximum", "multipleOf",
		"exclusiveMinimum", "exclusiveMaximum":
		return planned
	case "allOf", "anyOf", "oneOf", "not",
		"if", "then", "else",
		"dependentSchemas", "dependentRequired", "dependencies",
		"patternProperties", "prefixItems", "additionalItems",
		"contains", "minContains", "maxContains",
		"unevaluatedItems", "unevaluatedProperties",
		"$ref", "$dynamicRef", "$recursiveRef":
		return foreign
	}
	return annotation
}

// hasAssertions reports whether a schema checks anything beside its $ref.
func hasAssertions(n *tree.Node) bool {
	for _, m := range n.Members {
		if m.Key != "$ref" && assertionOf(m.Key) != annotation {
			return true
		}
	}
	return false
}

// needsGeneral reports whether a schema has a keyword, or a form of one, that the plan leaves to
// the general validator.
func needsGeneral(n *tree.Node) bool {
	if n.Has("enum") && n.Has("const") { // an enumRule is one of them
		return true
	}
	for i := range n.Members {
		m := &n.Members[i]
		switch {
		case assertionOf(m.Key) == foreign:
			return true
		case m.Key == "items" && m.Node == nil: // a tuple, before 2020-12
			return true
		case m.Key == "exclusiveMinimum" || m.Key == "exclusiveMaximum":
			if _, ok := decimal.Parse(m.Raw); !ok { // true or false in draft-04
				return true
			}
		}
	}
	return false
}

// unchecked reports whether a schema accepts everything.
func unchecked(n *tree.Node) bool {
	return !hasAssertions(n) && !n.Has("$ref") && n.Text == nil && n.Value == nil
}

// An enumRule holds the values of enum or const.
type enumRule struct {
	keyword   string
	values    [][]byte          // as written
	canonical [][]byte          // those that are no strings, in canonical form
	texts     []string          // those that are strings
	known     map[string]string // the texts, where they are many; nil: they are compared one by one
	worded    enumWords
}

// maxListed bounds the values of an enum that are compared one by one.
const maxListed = 20

func enumOf(n *tree.Node) *enumRule {
	keyword, values := "enum", n.Values("enum")
	if m := n.Get("const"); m != nil && !n.Has("enum") {
		keyword, values = "const", [][]byte{m.Raw}
	} else if !n.Has("enum") {
		return nil
	}
	e := &enumRule{keyword: keyword, values: values, texts: make([]string, 0, len(values))}
	for _, v := range values {
		e.add(v)
	}
	if len(e.texts) > maxListed {
		e.known = make(map[string]string, len(e.texts))
		for _, s := range e.texts {
			e.known[s] = s
		}
	}
	return e
}

// add adds one of the values to those that are looked for.
func (e *enumRule) add(value []byte) {
	if value[0] == '"' {
		e.texts = append(e.texts, string(scan.Unquote(value)))
	} else {
		e.canonical = append(e.canonical, canon.Append(nil, value))
	}
}

// text returns the one of the values that is a string, and whether there is one.
func (e *enumRule) text(b []byte) (string, bool) {
	if e.known != nil {
		s, ok := e.known[string(b)]
		return s, ok
	}
	for _, s := range e.texts {
		if s == string(b) {
			return s, true
		}
	}
	return "", false
}

// has reports whether a value that is no string is among those of the rule.
func (e *enumRule) has(raw []byte) bool {
	value := canon.Append(nil, raw)
	for _, v := range e.canonical {
		if bytes.Equal(v, value) {
			return true
		}
	}
	return false
}

// A numberRule holds the bounds of a number; nil means none.
type numberRule struct {
	min, max, above, below, multiple *bound
	// low and high are the inclusive bounds as integers, where that says all of the rule.
	low, high int64
	simple    bool
}

// A bound is one limit of a number.
type bound struct {
	decimal.Number
	keyword string
	words   atomic.Pointer[string] // see want
}

// want says what the bound wants, such as "at least 3". The words are made when they are first needed.
func (b *bound) want() string {
	if words := b.words.Load(); words != nil {
		return *words
	}
	var room [64]byte
	words := string(b.Append(append(append(room[:0], relation(b.keyword)...), ' ')))
	b.words.Store(&words)
	return words
}

func numberOf(n *tree.Node) *numberRule {
	r := numberRule{
		min: boundOf(n, "minimum"), max: boundOf(n, "maximum"), multiple: boundOf(n, "multipleOf"),
		above: boundOf(n, "exclusiveMinimum"), below: boundOf(n, "exclusiveMaximum"),
	}
	if r.min == nil && r.max == nil && r.above == nil && r.below == nil && r.multiple == nil {
		return nil
	}
	low, lowOK := r.min.integer(math.MinInt64)
	high, highOK := r.max.integer(math.MaxInt64)
	r.low, r.high = low, high
	r.simple = lowOK && highOK && r.above == nil && r.below == nil && r.multiple == nil
	kept := r // most schemas have no bounds, and take no memory for them
	return &kept
}

func boundOf(n *tree.Node, key string) *bound {
	m := n.Get(key)
	if m == nil {
		return nil
	}
	d, ok := decimal.Parse(m.Raw)
	if !ok {
		return nil
	}
	return &bound{Number: d, keyword: key}
}

// integer returns a bound as an int64. One that is absent, or beyond int64 on its own side, bounds no
// int64 and gives none.
func (b *bound) integer(none int64) (int64, bool) {
	if b == nil {
		return none, true
	}
	if i, ok := b.Int64(); ok {
		return i, true
	}
	limit := decimal.FromInt64(none)
	beyond := none < 0 && b.Cmp(limit) < 0 || none > 0 && b.Cmp(limit) > 0
	return none, beyond
}

// A stringRule holds the checks of a string.
type stringRule struct {
	min, max int // in Unicode characters; -1: no limit
	pattern  *regexp.Regexp
	name     string // of the format
	format   func(string) bool
	text     *tree.Text // what only the Go type can say
	// wantMin and wantMax say what min and max want.
	wantMin, wantMax string
}

func stringOf(n *tree.Node) *stringRule {
	r := stringRule{min: least(n, "minLength"), max: most(n, "maxLength"), text: n.Text}
	if s, ok := n.String("pattern"); ok {
		// One that Go cannot run is not checked here; the schema's warnings say so.
		r.pattern, _ = regexp.Compile(s)
	}
	if name, ok := n.String("format"); ok {
		r.name = name
		r.format, _ = general.Format(name)
	}
	if r.min < 0 && r.max < 0 && r.pattern == nil && r.format == nil && r.text == nil {
		return nil
	}
	if r.min >= 0 {
		r.wantMin = atLimit("minLength", r.min)
	}
	if r.max >= 0 {
		r.wantMax = atLimit("maxLength", r.max)
	}
	kept := r // see numberOf
	return &kept
}
