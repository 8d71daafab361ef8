package general

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
)

// relax keeps a removed pattern from making the document refuse more. A schema that lost a
// pattern accepts too much; where another keyword turns acceptance into refusal, that keyword
// is loosened as well.
func (p *prepared) relax() {
	if len(p.loose) == 0 {
		return
	}
	p.spread()
	for _, n := range p.tree.nodes {
		kinds := map[string]bool{}
		for _, c := range n.children() {
			if p.loose[c.pointer] {
				kinds[c.keyword] = true
			}
		}
		p.loosen(n, kinds)
	}
}

// spread marks every schema that applies a loose one, directly or through a reference, until
// nothing changes.
func (p *prepared) spread() {
	for changed := true; changed; {
		changed = false
		for i := len(p.tree.nodes) - 1; i >= 0; i-- {
			n := p.tree.nodes[i]
			if !p.loose[n.pointer] && p.appliesLoose(n) {
				p.loose[n.pointer] = true
				changed = true
			}
		}
	}
}

func (p *prepared) appliesLoose(n node) bool {
	for _, c := range n.children() {
		// Definitions are applied only through references.
		if c.keyword != "$defs" && c.keyword != "definitions" && p.loose[c.pointer] {
			return true
		}
	}
	for _, keyword := range references {
		if ref, ok := n.schema[keyword].(string); ok {
			if pointer, _, found := p.tree.target(n, ref); found && p.loose[pointer] {
				return true
			}
		}
	}
	return false
}

// loosen changes the keywords of n, among those in kinds, for which a wider subschema means a
// narrower schema.
func (p *prepared) loosen(n node, kinds map[string]bool) {
	const why = "is not checked here, because it depends on a pattern that is not"
	if kinds["not"] {
		p.warn(join(n.pointer, "not"), why)
		delete(n.schema, "not")
	}
	if kinds["if"] {
		p.warn(join(n.pointer, "if"), why)
		// The names that then and else would have evaluated are lost with them.
		for _, keyword := range []string{
			"if", "then", "else", "unevaluatedProperties", "unevaluatedItems",
		} {
			delete(n.schema, keyword)
		}
	}
	if _, ok := n.schema["maxContains"]; ok && kinds["contains"] {
		p.warn(join(n.pointer, "maxContains"), why)
		delete(n.schema, "maxContains")
	}
	if kinds["oneOf"] {
		p.warn(join(n.pointer, "oneOf"), "is checked as anyOf here, because it depends on a "+
			"pattern that is not checked")
		// anyOf still evaluates names, which dropping the branches would not.
		p.replace(n, "oneOf", "/anyOf", map[string]any{"anyOf": n.schema["oneOf"]})
	}
}

// followMoves points references at the new places.
func (p *prepared) followMoves() {
	for _, n := range p.tree.nodes {
		ref, ok := n.schema["$ref"].(string)
		if !ok || !strings.HasPrefix(ref, "#/") {
			continue
		}
		pointer := fromFragment(ref[1:])
		if inner := p.inward(pointer); inner != pointer {
			n.schema["$ref"] = "#" + toFragment(inner)
		}
	}
}

// inward turns a pointer into the document into one into the prepared copy. Moves are listed
// outermost first and in the document's own pointers, so the innermost is applied first.
func (p *prepared) inward(pointer string) string {
	for _, m := range slices.Backward(p.moves) {
		if within(pointer, m.from) {
			pointer = m.to + pointer[len(m.from):]
		}
	}
	return pointer
}

// outward is the inverse of inward.
func (p *prepared) outward(pointer string) string {
	for _, m := range p.moves {
		if within(pointer, m.to) {
			pointer = m.from + pointer[len(m.to):]
		}
	}
	return pointer
}

// isMoved reports whether a keyword from elsewhere stands at a pointer of the copy.
func (p *prepared) isMoved(pointer string) bool {
	outer := p.outward(pointer)
	for _, m := range p.moves {
		if m.from == outer {
			return outer != pointer
		}
	}
	return false
}

func within(pointer, root string) bool {
	return pointer == root || strings.HasPrefix(pointer, root+"/")
}

// rational returns a JSON number as an exact value. Requirement: soundNumber holds for it.
func rational(number json.Number) (*big.Rat, bool) {
	return new(big.Rat).SetString(string(number))
}
