package strict

import (
	"iter"
	"slices"
	"strings"

	"github.com/jig-go/jig/internal/tree"
)

// A way is what becomes of a keyword.
type way uint8

const (
	keep    way = iota // it stays
	mention            // it stays, and the description says it too
	move               // it goes: said in other words, in the description, or refused
)

// way returns what becomes of a keyword or pseudo keyword.
func (p *Profile) way(key string) way {
	policy := p.Unknown
	switch p.Keywords[key] {
	case "ok":
		return keep
	case "rejected", "avoid":
		return move
	case "ignored":
		policy = p.Ignored
	}
	switch policy {
	case "move":
		return move
	case "mention":
		return mention
	}
	return keep
}

// gone reports whether a keyword or pseudo keyword must not go out.
func (p *Profile) gone(key string) bool { return p.way(key) == move }

// refuses reports whether the profile says by name that a keyword must not go out.
func (p *Profile) refuses(key string) bool {
	return p.Keywords[key] == "rejected" || p.Keywords[key] == "avoid"
}

// refusesOpen reports whether an object may not be open in the way of this pseudo keyword. Where
// every object has to be closed, the profile has to say which may not.
func (p *Profile) refusesOpen(key string) bool {
	return p.gone(key) || p.Closed && p.Keywords[key] != "ok"
}

// harmless reports whether the provider takes the keyword and does nothing with it, so that its
// loss changes nothing there.
func (p *Profile) harmless(key string) bool { return p.Keywords[key] == "ignored" }

// restricts reports whether there is anything that the profile refuses. The neutral profile does
// not: what stands unused in a schema stays there.
func (p *Profile) restricts() bool {
	for key := range p.Keywords {
		if p.refuses(key) {
			return true
		}
	}
	return p.Required || p.Ignored == "move" || p.Unknown == "move"
}

// status returns the name under which a profile lists a keyword.
func status(key string) string {
	switch key {
	case "if", "then", "else":
		return "if_then_else"
	case "dependencies": // both of its successors, and providers take neither
		return "dependentRequired"
	case "$recursiveRef":
		return "$dynamicRef"
	case "$dynamicAnchor", "$recursiveAnchor":
		return "$anchor"
	}
	if strings.HasPrefix(key, "x-") {
		return "x_extension"
	}
	return key
}

// annotations lists the keywords that describe and check nothing.
var annotations = map[string]bool{
	"title": true, "description": true, "default": true, "examples": true, "example": true,
	"deprecated": true, "readOnly": true, "writeOnly": true, "contentEncoding": true,
	"contentMediaType": true, "contentSchema": true, "$schema": true, "$id": true, "$comment": true,
	"$defs": true, "definitions": true, "$anchor": true, "$dynamicAnchor": true,
	"$recursiveAnchor": true, "nullable": true, "discriminator": true, "propertyOrdering": true,
}

func annotation(key string) bool { return annotations[key] || strings.HasPrefix(key, "x-") }

// unshown lists the keywords that no form shows, so that no provider sees them.
var unshown = []string{"$schema", "$id", "$comment"}

// shown returns the members that a provider sees, but for these keys.
func shown(n *tree.Node, except ...string) (list []tree.Member) {
	for _, m := range n.Members {
		if !m.Enforced && !slices.Contains(unshown, m.Key) && !slices.Contains(except, m.Key) {
			list = append(list, m)
		}
	}
	return list
}

// tightened lists the keywords whose schemas describe values and are tightened too. The others
// (not, if, contains ...) ask questions: tightening them would change the answer.
var tightened = map[string]bool{
	"properties": true, "patternProperties": true, "additionalProperties": true,
	"items": true, "prefixItems": true, "additionalItems": true,
	"unevaluatedItems": true, "unevaluatedProperties": true,
	"anyOf": true, "oneOf": true, "then": true, "else": true, "dependentSchemas": true,
	"$defs": true, "definitions": true,
}

// follows reports whether the rewriter goes on to the schemas under a keyword. Definitions of a
// restricting profile are reached by what refers to them, and go where nothing does.
func (r *rewriter) follows(key string) bool {
	switch key {
	case "$defs", "definitions":
		return !r.p.restricts()
	case "allOf": // closed objects have none
		return !r.p.Closed
	case "additionalProperties":
		return !r.p.refusesOpen("additionalProperties_schema")
	}
	return tightened[key] && !(r.p.gone(status(key)) && branching[key])
}

// branching lists the tightened keywords that go as a whole where the profile does not take them.
var branching = map[string]bool{"patternProperties": true, "then": true, "else": true,
	"dependentSchemas": true, "unevaluatedItems": true, "unevaluatedProperties": true}

func definitions(key string) bool { return key == "$defs" || key == "definitions" }

// keyword returns the keyword at the head of a pointer that Children gave.
func keyword(at string) string {
	key, _, _ := strings.Cut(at[1:], "/")
	return key
}

// raw makes a member that holds plain JSON.
func raw(key, text string) tree.Member { return tree.Member{Key: key, Raw: []byte(text)} }

func typed(name string) *tree.Node {
	n := &tree.Node{}
	n.SetString("type", name)
	return n
}

// is reports whether a member is the schema true, or {} which means the same.
func open(m *tree.Member) bool {
	switch {
	case m == nil:
		return true
	case m.Node == nil:
		return false
	case m.Node.Bool != nil:
		return *m.Node.Bool
	}
	return len(m.Node.Members) == 0
}

// never reports whether a member is the schema false.
func never(m *tree.Member) bool {
	return m != nil && m.Node != nil && m.Node.Bool != nil && !*m.Node.Bool
}

// inOrder visits n and every schema inside it, in the order of the text.
func inOrder(n *tree.Node) iter.Seq[*tree.Node] {
	return func(yield func(*tree.Node) bool) { each(n, yield) }
}

func each(n *tree.Node, yield func(*tree.Node) bool) bool {
	if !yield(n) {
		return false
	}
	for _, child := range n.Children() {
		if !each(child, yield) {
			return false
		}
	}
	return true
}
