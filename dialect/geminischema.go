package dialect

import (
	"encoding/json"
	"slices"

	"github.com/jig-go/jig/internal/tree"
)

// geminiSchema is generateContent with parameters, the Schema message, which is no JSON Schema: a
// type is one name, null is nullable:true, and anyOf stands alone (read 2026-11-29).
type geminiSchema struct{ gemini }

func (geminiSchema) definition(f form) json.RawMessage {
	return object("name", f.name, "description", f.description,
		"parameters", schemaMessage(f.schema))
}

// schemaMessage writes a schema that obeys the profile as a Schema message; nil for a tool without
// arguments, since an object without properties is refused.
func schemaMessage(schema json.RawMessage) json.RawMessage {
	root, ok := tree.Parse(schema)
	if !ok {
		panic("jig/dialect: internal error: a schema is no schema")
	}
	if p := root.Get("properties"); p == nil || len(p.Named) == 0 {
		return nil
	}
	toMessage(root)
	return root.Append(nil, tree.Form{})
}

// toMessage changes a schema and all below it in place. What is below comes first, so that a branch
// which becomes part of its parent is done.
func toMessage(n *tree.Node) {
	for _, child := range n.Children() {
		toMessage(child)
	}
	enum, typed := enumWithoutNull(n), typesWithoutNull(n)
	joined := branchesWithoutNull(n)
	if enum || typed || joined {
		setNullable(n)
	}
}

// enumWithoutNull takes null out of an enum, and reports whether it was there.
func enumWithoutNull(n *tree.Node) bool {
	isNull := func(v []byte) bool { return string(v) == "null" }
	values := n.Values("enum")
	if !slices.ContainsFunc(values, isNull) {
		return false
	}
	var kept []json.RawMessage
	for _, v := range values {
		if !isNull(v) {
			kept = append(kept, v)
		}
	}
	n.SetRaw("enum", string(array(kept)))
	return true
}

// typesWithoutNull makes one type of a list, or a branch for each, and reports whether null was one
// of more than one.
func typesWithoutNull(n *tree.Node) bool {
	types := n.Types()
	rest := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "null" })
	switch {
	case len(rest) == 0:
		return false // none, or null alone, which is a type of the message
	case len(rest) == 1:
		n.SetString("type", rest[0])
	default:
		splitTypes(n, rest)
	}
	return len(rest) < len(types)
}

// splitTypes makes anyOf of a schema with more than one type.
func splitTypes(n *tree.Node, types []string) {
	union := tree.Member{Key: "anyOf"}
	for _, t := range types {
		branch := &tree.Node{}
		branch.SetString("type", t)
		for _, m := range n.Members {
			if of := keywordTypes[m.Key]; m.Key != "type" && (of == nil || slices.Contains(of, t)) {
				branch.Set(m)
			}
		}
		union.List = append(union.List, branch)
	}
	n.Members = []tree.Member{union}
}

// keywordTypes are the types that a field of the message is about, where it is not about all.
var keywordTypes = map[string][]string{
	"properties": {"object"}, "required": {"object"}, "propertyOrdering": {"object"},
	"minProperties": {"object"}, "maxProperties": {"object"},
	"items": {"array"}, "minItems": {"array"}, "maxItems": {"array"},
	"enum": {"string"}, "minLength": {"string"}, "maxLength": {"string"}, "pattern": {"string"},
	"minimum": {"number", "integer"}, "maximum": {"number", "integer"},
	"format": {"string", "number", "integer"}, // Profile.Formats has no other
}

// branchesWithoutNull takes null out of anyOf, and reports whether it was there. One branch that is
// left becomes part of the schema; more stand alone, and what stood beside them goes into each.
func branchesWithoutNull(n *tree.Node) bool {
	at := slices.IndexFunc(n.Members, func(m tree.Member) bool { return m.Key == "anyOf" })
	if at < 0 {
		return false
	}
	branches := n.Members[at].List
	rest := slices.DeleteFunc(slices.Clone(branches), isNullSchema)
	beside := slices.Delete(slices.Clone(n.Members), at, at+1)
	if len(rest) == 1 {
		n.Members = slices.Insert(beside, at, missing(rest[0].Members, n)...)
	} else {
		for _, branch := range rest {
			branch.Members = append(branch.Members, missing(beside, branch)...)
		}
		n.Members = []tree.Member{{Key: "anyOf", List: rest}}
	}
	return len(rest) < len(branches)
}

func isNullSchema(n *tree.Node) bool { return slices.Equal(n.Types(), []string{"null"}) }

// missing returns the members whose keys n lacks.
func missing(list []tree.Member, n *tree.Node) []tree.Member {
	return slices.DeleteFunc(slices.Clone(list), func(m tree.Member) bool { return n.Has(m.Key) })
}

// setNullable says that null is taken: beside anyOf nothing may stand, so there each branch says
// it.
func setNullable(n *tree.Node) {
	union := n.Get("anyOf")
	if union == nil {
		n.SetRaw("nullable", "true")
		return
	}
	for _, branch := range union.List {
		branch.SetRaw("nullable", "true")
	}
}
