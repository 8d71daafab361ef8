package strict

import (
	"fmt"
	"unicode/utf8"

	"github.com/jig-go/jig/internal/tree"
)

// manyEnumValues is how many values one enum may have before their length counts (OpenAI's guide on
// structured outputs, read 2026-11-29).
const manyEnumValues = 250

// sizes are what the limits of one schema count.
type sizes struct{ properties, enumValues, chars int }

// checkLimits compares the size of the whole schema with the limits.
func (c *checker) checkLimits() {
	var s sizes
	c.measure("", c.root, &s)
	c.checkLimit("MaxProperties", "properties", s.properties, c.profile.MaxProperties)
	c.checkLimit("MaxEnumValues", "enum values", s.enumValues, c.profile.MaxEnumValues)
	c.checkLimit("MaxChars", "characters in names, enums and constants", s.chars,
		c.profile.MaxChars)
	if limit := c.profile.MaxDepth; limit > 0 {
		levels := depths{root: c.root, known: map[*tree.Node]depth{}}
		if d := levels.of("", c.root); d.levels > limit {
			c.report(d.pointer, "MaxDepth", fmt.Sprintf("got %d levels of properties and items, "+
				"want at most %d; make the schema flatter", d.levels, limit))
		}
	}
}

func (c *checker) checkLimit(field, what string, got, limit int) {
	if limit > 0 && got > limit {
		c.report("", field, fmt.Sprintf("got %d %s in the whole schema, want at most %d; "+
			"split the tool, or ask for less", got, what, limit))
	}
}

func (c *checker) measure(pointer string, n *tree.Node, s *sizes) {
	for i := range n.Members {
		m := &n.Members[i]
		switch m.Key {
		case "properties", "$defs", "definitions":
			for _, e := range m.Named {
				s.chars += utf8.RuneCountInString(e.Name)
			}
			if m.Key == "properties" {
				s.properties += len(m.Named)
			}
		case "const":
			s.chars += valueChars(m.Raw)
		}
	}
	c.measureEnum(pointer, n.Values("enum"), s)
	for step, child := range n.Children() {
		c.measure(pointer+step.Pointer(), child, s)
	}
}

func (c *checker) measureEnum(pointer string, values [][]byte, s *sizes) {
	chars := 0
	for _, v := range values {
		chars += valueChars(v)
	}
	s.enumValues += len(values)
	s.chars += chars
	limit := c.profile.MaxEnumChars
	if len(values) > manyEnumValues && limit > 0 && chars > limit {
		c.report(pointer, "MaxEnumChars", fmt.Sprintf("got %d characters in an enum of %d values, "+
			"want at most %d in one of more than %d; take fewer or shorter values", chars,
			len(values),
			limit, manyEnumValues))
	}
}

// valueChars counts the characters of a value, without the quotes of a string.
func valueChars(raw []byte) int {
	n := utf8.RuneCount(raw)
	if raw[0] == '"' {
		n -= len(`""`)
	}
	return n
}

// A depth is how many levels lie below a schema, and where the deepest one is.
type depth struct {
	levels  int
	pointer string
}

// depths counts levels. A reference counts as what it leads to, which is the safe reading: no
// provider says how it counts one. Where a schema leads back to itself, that step counts nothing.
type depths struct {
	root  *tree.Node
	known map[*tree.Node]depth
}

func (d depths) of(pointer string, n *tree.Node) depth {
	if found, ok := d.known[n]; ok {
		return found
	}
	deepest := depth{pointer: pointer}
	d.known[n] = deepest // it is being counted
	for i := range n.Members {
		m := &n.Members[i]
		if definitions(m.Key) {
			continue // counted where they are used
		}
		for at, child := range m.Children() {
			below := d.of(pointer+at.Pointer(), child)
			below.levels += step(m.Key)
			deepest = deeper(deepest, below)
		}
	}
	if target := n.Referred(d.root); target != nil {
		ref, _ := n.String("$ref")
		deepest = deeper(deepest, d.of(ref[1:], target))
	}
	d.known[n] = deepest
	return deepest
}

func deeper(a, b depth) depth {
	if b.levels > a.levels {
		return b
	}
	return a
}

// step is 1 for the keywords that lead into a value.
func step(keyword string) int {
	switch keyword {
	case "properties", "patternProperties", "additionalProperties", "items", "prefixItems":
		return 1
	}
	return 0
}
