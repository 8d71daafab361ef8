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
	out := root.Clone()
	var problems []Problem
	closeObjects(out, "", &problems)
	return out, problems
}

func closeObjects(n *tree.Node, pointer string, problems *[]Problem) {
	refuse := func(keyword, message string) {
		*problems = append(*problems, Problem{Pointer: pointer, Keyword: keyword, Message: message})
	}
	if n.Has("allOf") {
		refuse("allOf", "strict closes every object, and objects that are closed apart cannot be "+
			"joined by allOf; merge its branches into one schema")
		return
	}
	if n.Has("properties") {
		for _, keyword := range []string{"anyOf", "oneOf", "if", "dependentSchemas"} {
			if m := n.Get(keyword); m != nil && declaresProperties(m) {
				refuse(keyword, "strict closes every object, and this object declares properties "+
					"both itself and under "+keyword+"; declare them in one place")
				return
			}
		}
		closeObject(n)
	}
	for at, child := range n.Children() {
		// The others (not, if, contains ...) ask questions: closing them would change the answer.
		if keyword, _, _ := strings.Cut(at[1:], "/"); tightened[keyword] {
			closeObjects(child, pointer+at, problems)
		}
	}
}

// tightened lists the keywords whose schemas describe values and are closed too.
var tightened = map[string]bool{
	"properties": true, "patternProperties": true, "additionalProperties": true,
	"items": true, "prefixItems": true, "additionalItems": true,
	"anyOf": true, "oneOf": true, "then": true, "else": true, "dependentSchemas": true,
	"$defs": true, "definitions": true,
}

func declaresProperties(m *tree.Member) bool {
	declares := func(n *tree.Node) bool { return n.Has("properties") }
	return slices.ContainsFunc(m.List, declares) || m.Node != nil && declares(m.Node) ||
		slices.ContainsFunc(m.Named, func(e tree.Named) bool { return declares(e.Node) })
}

// closeObject says additionalProperties:false, last. A schema for the values of other properties
// stays: the object is a map beside its properties.
func closeObject(n *tree.Node) {
	if m := n.Get("additionalProperties"); m != nil {
		if m.Node == nil || m.Node.Bool == nil && len(m.Node.Members) > 0 {
			return
		}
	}
	n.Delete("additionalProperties")
	n.Set(tree.Member{Key: "additionalProperties", Node: tree.Literal(false)})
}
