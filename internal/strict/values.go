package strict

import (
	"slices"

	"github.com/jig-go/jig/internal/decimal"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// values writes type, enum and const so that the profile takes them, but for null.
func (r *rewriter) values(n *tree.Node) {
	r.oneType(n)
	r.constant(n)
	r.onlyNulls(n)
	r.enum(n)
	r.typeless(n)
}

// oneType writes a list of one type as that type.
func (r *rewriter) oneType(n *tree.Node) {
	if m := n.Get("type"); m != nil && m.Raw[0] == '[' && len(n.Types()) == 1 && r.restricts {
		n.SetString("type", n.Types()[0])
	}
}

// constant writes an enum of one value for a const.
func (r *rewriter) constant(n *tree.Node) {
	m := n.Get("const")
	if m == nil || m.Enforced || !r.p.gone("const") {
		return
	}
	value := m.Raw
	if n.Has("enum") {
		n.Delete("enum") // the constant is one of its values, or nothing is accepted
	}
	*n.Get("const") = raw("enum", "["+string(value)+"]")
	r.change(n, "const", Rewritten, false, "an enum of one value is written for const")
}

// onlyNulls writes the type for an enum of null alone, which would be empty without null.
func (r *rewriter) onlyNulls(n *tree.Node) {
	list := n.Values("enum")
	if len(list) == 0 || len(without(kindsOf(list), "null")) > 0 || !r.p.gone("enum_null_member") ||
		len(n.Types()) > 0 && !slices.Contains(n.Types(), "null") {
		return
	}
	n.Delete("type")
	*n.Get("enum") = raw("type", `"null"`)
	r.change(n, "enum_null_member", Rewritten, false, "the type says that it is null")
}

// enum deals with lists of values of kinds that the profile does not take.
func (r *rewriter) enum(n *tree.Node) {
	list := n.Values("enum")
	if len(list) == 0 || n.Get("enum").Enforced {
		return
	}
	if list = r.fitting(n, list); len(list) == 0 {
		return
	}
	kinds := kindsOf(list)
	for _, kind := range kinds {
		if key := enumStatus[kind]; key != "" && kind != "null" && r.p.gone(key) {
			r.inferType(n, kinds)
			r.say(n, *n.Get("enum"))
			n.Delete("enum")
			r.change(n, key, Moved, true, "the values are listed in the description; jig alone "+
				"checks them")
			return
		}
	}
	if kinds = without(kinds, "null"); len(mixed(kinds)) > 1 && r.p.gone("enum_mixed_types") {
		r.splitEnum(n, list)
	}
}

// fitting leaves out the values of an enum that its own type refuses.
func (r *rewriter) fitting(n *tree.Node, list [][]byte) [][]byte {
	types := n.Types()
	if len(types) == 0 || !r.p.gone("enum_type_mismatch") {
		return list
	}
	fit := slices.DeleteFunc(slices.Clone(list), func(v []byte) bool {
		return !takes(types, kindOf(v))
	})
	switch len(fit) {
	case len(list):
		return list
	case 0:
		if !r.lose(n, "enum_type_mismatch", "the type refuses every value that is listed here; "+
			"correct one of them") {
			return list
		}
		n.Delete("enum")
		r.change(n, "enum_type_mismatch", Dropped, true, "enum is left out, which the type "+
			"contradicts; jig alone checks it")
		return nil
	}
	n.SetValues("enum", fit)
	r.change(n, "enum_type_mismatch", Rewritten, false, "values that the type refuses are not "+
		"listed")
	return fit
}

// kindsOf returns the types of values, each once, in their order.
func kindsOf(list [][]byte) (kinds []string) {
	for _, v := range list {
		if kind := kindOf(v); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

func kindOf(value []byte) string {
	c := scan.NewCursor(value)
	kind := c.Kind().String()
	if n, ok := decimal.Parse(value); kind == "number" && ok && n.IsInt() {
		return "integer"
	}
	return kind
}

// mixed returns the kinds with one for all numbers.
func mixed(kinds []string) []string {
	if slices.Contains(kinds, "number") {
		return without(kinds, "integer")
	}
	return kinds
}

func without(list []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == name })
}

// splitEnum writes one branch for each type of value.
func (r *rewriter) splitEnum(n *tree.Node, list [][]byte) {
	if n == r.root || n.Has("anyOf") || r.p.gone("anyOf") { // the root keeps its type
		r.inferType(n, kindsOf(list))
		r.say(n, *n.Get("enum"))
		n.Delete("enum")
		r.change(n, "enum_mixed_types", Moved, true, "the values are listed in the description; "+
			"jig alone checks them")
		return
	}
	var branches []*tree.Node
	for _, kind := range mixed(kindsOf(list)) {
		var of [][]byte
		for _, v := range list {
			if k := kindOf(v); k == kind || kind == "number" && k == "integer" {
				of = append(of, v)
			}
		}
		b := r.made(typed(kind), n)
		if kind != "null" {
			b.SetValues("enum", of)
		}
		r.done[b] = true
		branches = append(branches, b)
	}
	n.Delete("type")
	*n.Get("enum") = tree.Member{Key: "anyOf", List: branches}
	r.change(n, "enum_mixed_types", Rewritten, false, "the values are listed by type, in an anyOf")
}

// inferType writes the types of the values that a schema without a type lists.
func (r *rewriter) inferType(n *tree.Node, kinds []string) {
	if n.Has("type") {
		return
	}
	m := tree.Member{Key: "type"}
	n.Members = slices.Insert(n.Members, 0, m)
	if kinds = mixed(kinds); len(kinds) == 1 {
		n.SetString("type", kinds[0])
	} else {
		n.SetStrings("type", kinds)
	}
	r.change(n, "typeless_schema", Added, false, "the type of the values is said")
}

// typeless gives a schema without a type one, where it says which.
func (r *rewriter) typeless(n *tree.Node) {
	if !r.p.gone("typeless_schema") || n.Bool != nil || n.Has("type") ||
		typing.among(n) {
		return
	}
	if list := values(n); len(list) > 0 {
		r.inferType(n, kindsOf(list))
		return
	}
	for _, name := range []string{"object", "array", "string", "number"} {
		if slices.ContainsFunc(n.Members, func(m tree.Member) bool {
			return keywords[m.Key].about == name
		}) {
			n.Members = slices.Insert(n.Members, 0, raw("type", `"`+name+`"`))
			r.change(n, "typeless_schema", Added, n != r.root, "its type is said: "+name)
			return
		}
	}
	r.anything(n)
}

// anything deals with a schema that takes any value.
func (r *rewriter) anything(n *tree.Node) {
	if r.p.harmless("typeless_schema") || !r.lose(n, "typeless_schema", "any value is accepted "+
		"here, which cannot be said; declare a type, or a string that holds JSON text") {
		return
	}
	if r.p.gone("anyOf") || r.p.gone("anyOf_siblings") {
		n.Members = slices.Insert(n.Members, 0, raw("type", `"string"`))
	} else {
		list := []*tree.Node{}
		for _, name := range []string{"string", "number", "boolean"} {
			b := r.made(typed(name), n)
			r.done[b] = true
			list = append(list, b)
		}
		if !r.p.gone("type_null") {
			list = append(list, r.made(typed("null"), n))
		}
		n.Members = slices.Insert(n.Members, 0, tree.Member{Key: "anyOf", List: list})
	}
	r.change(n, "typeless_schema", Rewritten, true, "objects and arrays cannot be sent here")
}
