package jig

import (
	"slices"
	"strings"

	"github.com/jig-go/jig/internal/tree"
)

// tighten returns a private deep copy of the schema in which every object that declares properties
// is closed: at the root and in properties, items, prefixItems, map values, branches and $defs.
// Maps keep their value schema, and a schema without properties stays as it is.
//
// Optional properties stay optional here. Making them required and nullable is a rule of single
// providers, and harms others.
func tighten(root *tree.Node) (*tree.Node, []Problem) {
	c := closer{root: root.Clone(), seen: map[*tree.Node]bool{}}
	c.close(c.root, "")
	return c.root, c.problems
}

// A closer closes the objects of one schema in place.
type closer struct {
	root     *tree.Node
	seen     map[*tree.Node]bool
	problems []Problem
}

func (c *closer) refuse(pointer, keyword, message string) {
	c.problems = append(c.problems, Problem{Pointer: pointer, Keyword: keyword, Message: message})
}

func (c *closer) close(n *tree.Node, pointer string) {
	if c.seen[n] {
		return
	}
	c.seen[n] = true
	if n.Has("allOf") {
		c.refuse(pointer, "allOf", "strict closes every object, and objects that are closed apart "+
			"cannot be joined by allOf; merge its branches into one schema")
		return
	}
	if keyword := c.apart(n); keyword != "" {
		c.refuse(pointer, keyword, "strict closes every object, and this object declares properties "+
			"both under "+keyword+" and elsewhere; declare them in one place")
		return
	}
	if n.Has("properties") {
		c.closeObject(n, pointer)
	}
	for at, child := range n.Children() {
		// The others (not, if, contains ...) ask questions: closing them would change the answer.
		if keyword, _, _ := strings.Cut(at[1:], "/"); tightened[keyword] {
			c.close(child, pointer+at)
		}
	}
	if target := n.Referred(c.root); target != nil { // it may stand where nothing else leads
		c.close(target, pointer+"/$ref")
	} else if n.Has("$ref") || n.Has("$dynamicRef") {
		c.refuse(pointer, "$ref", "strict closes every object, and what this reference leads to cannot "+
			"be closed; put that schema under $defs and refer to it by its JSON pointer")
	}
}

// tightened lists the keywords whose schemas describe values and are closed too.
var tightened = map[string]bool{
	"properties": true, "patternProperties": true, "additionalProperties": true,
	"items": true, "prefixItems": true, "additionalItems": true,
	"unevaluatedItems": true, "unevaluatedProperties": true,
	"anyOf": true, "oneOf": true, "then": true, "else": true, "dependentSchemas": true,
	"$defs": true, "definitions": true,
}

// inPlace lists the keywords whose schemas describe the same object as the schema they stand in and
// are closed. Of the two in one group at most one applies to a value.
var inPlace = [][]string{{"$ref"}, {"anyOf"}, {"oneOf"}, {"then", "else"}, {"dependentSchemas"}}

// apart returns a keyword that declares properties of an object which declares some elsewhere too.
// Closed apart, each of the places would refuse what the other declares.
func (c *closer) apart(n *tree.Node) string {
	declared := n.Has("properties")
	for _, group := range inPlace {
		here := slices.IndexFunc(group, func(keyword string) bool {
			return c.declares(n, keyword, map[*tree.Node]bool{})
		})
		if here >= 0 && declared {
			return group[here]
		}
		declared = declared || here >= 0
	}
	return ""
}

// declares reports whether the schemas under a keyword declare properties, themselves or through
// others that describe the same object. seen ends references in a circle.
func (c *closer) declares(n *tree.Node, keyword string, seen map[*tree.Node]bool) bool {
	m := n.Get(keyword)
	if m == nil {
		return false
	}
	within := func(n *tree.Node) bool {
		if n == nil || seen[n] {
			return false
		}
		seen[n] = true
		return n.Has("properties") || slices.ContainsFunc(slices.Concat(inPlace...),
			func(keyword string) bool { return c.declares(n, keyword, seen) })
	}
	if keyword == "$ref" {
		return within(n.Referred(c.root))
	}
	return within(m.Node) || slices.ContainsFunc(m.List, within) ||
		slices.ContainsFunc(m.Named, func(e tree.Named) bool { return within(e.Node) })
}

// closeObject says additionalProperties:false, last. A schema for the values of other properties
// stays: the object is a map beside its properties.
func (c *closer) closeObject(n *tree.Node, pointer string) {
	if m := n.Get("additionalProperties"); m != nil {
		if m.Node == nil || m.Node.Bool == nil && len(m.Node.Members) > 0 {
			return
		}
	}
	for _, name := range n.Strings("required") {
		if n.Property(name) == nil && !n.Has("patternProperties") {
			c.refuse(pointer, "required", "strict closes every object, and this object requires "+
				"the property "+shown(name)+" without declaring it; declare it")
		}
	}
	n.Delete("additionalProperties")
	n.Set(tree.Member{Key: "additionalProperties", Node: tree.Literal(false)})
}
