package strict

import (
	"slices"
	"strings"

	"github.com/jig-go/jig/internal/tree"
)

// object writes the schema of an object: what it says of other properties, that it has properties,
// which are required, and that it is closed.
func (r *rewriter) object(n *tree.Node) {
	if n.Bool != nil {
		return
	}
	if !object(n) {
		r.idle(n)
		return
	}
	r.names(n)
	if !r.maps(n) {
		return
	}
	r.properties(n)
	if n.Has("properties") {
		r.require(n)
	}
	if r.p.Closed && n.Has("properties") {
		r.shut(n)
	}
	r.undeclared(n)
	r.unsaidFalse(n)
}

// undeclared leaves out of required what is not declared, where that is refused.
func (r *rewriter) undeclared(n *tree.Node) {
	if !r.p.refuses("required_undeclared") {
		return
	}
	required := n.Strings("required")
	declared := slices.DeleteFunc(slices.Clone(required), func(name string) bool {
		return n.Property(name) == nil
	})
	if len(declared) == len(required) {
		return
	}
	if !r.lose(n, "required_undeclared", "a property is required that is not declared; declare "+
		"it") {
		return
	}
	if n.SetStrings("required", declared); len(declared) == 0 {
		n.Delete("required")
	}
	r.change(n, "required_undeclared", Dropped, true, "what is not declared is not required; jig "+
		"alone asks for it")
}

// object reports whether a schema describes an object, alone or beside null.
func object(n *tree.Node) bool {
	if types := n.Types(); len(types) > 0 {
		return slices.Contains(types, "object")
	}
	return slices.ContainsFunc(ofObjects, func(key string) bool {
		return key != "required" && n.Has(key)
	})
}

// idle leaves out what speaks of objects where there are none, which some read as an object.
func (r *rewriter) idle(n *tree.Node) {
	if !r.restricts || len(n.Types()) == 0 {
		return
	}
	for _, key := range ofObjects {
		if n.Has(key) {
			n.Delete(key)
			r.change(n, key, Dropped, false, key+" is left out; no object stands here")
		}
	}
}

// names refuses names of properties that the provider does not take.
func (r *rewriter) names(n *tree.Node) {
	m := n.Get("properties")
	if m == nil || r.p.KeyPattern == "" {
		return
	}
	pattern := r.p.key()
	for _, e := range m.Named {
		if !pattern.MatchString(e.Name) {
			r.refuse(e.Node, "properties", "the name %s is not taken; want one that matches %s, "+
				"so rename it in the json tag", quote(e.Name), r.p.KeyPattern)
		}
	}
}

const mapAdvice = "; write a list of objects with a key and a value, or declare the properties"

// maps deals with the properties that have no names here, and reports whether n is an object still.
func (r *rewriter) maps(n *tree.Node) bool {
	if n.Has("patternProperties") && r.p.gone("patternProperties") {
		return r.loseMap(n, "patternProperties", "properties are declared by patterns of their "+
			"names")
	}
	m := n.Get("additionalProperties")
	switch {
	case never(m):
	case m != nil && m.Enforced: // a root that says properties and means a map
		return r.freeForm(n, m)
	case !open(m):
		if r.p.refusesOpen("additionalProperties_schema") {
			return r.loseMap(n, "additionalProperties_schema", "a map from any name to a value "+
				"stands here")
		}
	case n.Has("properties"):
		if m != nil && !r.p.Closed && r.p.gone("additionalProperties_true") {
			n.Delete("additionalProperties")
			r.change(n, "additionalProperties_true", Dropped, false, "it is open without saying so")
		}
	case r.elsewhere(n):
		return r.typeInBranches(n)
	default:
		return r.freeForm(n, m)
	}
	return true
}

// freeForm deals with an object that declares no properties and is not closed: anything may be in
// it. It must not become a closed empty object, which is a tool that can only be called with {}.
func (r *rewriter) freeForm(n *tree.Node, m *tree.Member) bool {
	if r.p.Closed && (r.p.refusesOpen("additionalProperties_true") ||
		r.p.refusesOpen("additionalProperties_missing")) {
		return r.loseMap(n, "additionalProperties_true", "an object with any properties stands "+
			"here")
	}
	if m != nil && !m.Enforced && r.p.gone("additionalProperties_true") {
		n.Delete("additionalProperties")
		r.change(n, "additionalProperties_true", Dropped, false, "it is open without saying so")
	}
	return true
}

// loseMap refuses a map, or asks for it as JSON text where a lossy form is wanted, or leaves out
// what the provider does not read; it reports whether n is an object still.
func (r *rewriter) loseMap(n *tree.Node, keyword, what string) bool {
	if r.p.harmless(keyword) {
		if r.p.gone(keyword) {
			key, _, _ := strings.Cut(keyword, "_")
			n.Delete(key)
			r.change(n, keyword, Dropped, true, what+"; "+key+" is left out, jig alone checks it")
		}
		return true
	}
	declares := n.Has("properties") && len(n.Get("properties").Named) > 0
	if !r.p.Lossy || n == r.root && !declares {
		r.refuse(n, keyword, "%s, which cannot be said%s", what, mapAdvice)
		return false
	}
	if declares {
		for _, key := range []string{"patternProperties", "additionalProperties"} {
			n.Delete(key)
		}
		r.change(n, keyword, Dropped, true, what+"; they cannot be sent")
		return true
	}
	r.asText(n, keyword, "an object")
	return false
}

// typeInBranches moves the type of an object whose properties are declared in the branches of a
// union into them, where an object without properties cannot stand.
func (r *rewriter) typeInBranches(n *tree.Node) bool {
	m := n.Get("anyOf")
	if m == nil || n == r.root || !r.p.Closed || !r.p.refusesOpen("additionalProperties_missing") {
		return true
	}
	for _, branch := range m.List {
		if !slices.Equal(r.meant(branch).Types(), []string{"object"}) {
			return true
		}
	}
	n.Delete("type")
	r.change(n, "type", Rewritten, false, "its branches say the type")
	return false
}

// properties says that an object has no properties, where it has to say which it has.
func (r *rewriter) properties(n *tree.Node) {
	if !n.Has("properties") && r.p.gone("properties_missing_on_object") {
		n.InsertAfter("type", tree.Member{Key: "properties", Named: []tree.Named{}})
		r.change(n, "properties_missing_on_object", Added, false, "properties is said, and empty")
	}
	m := n.Get("properties")
	if m != nil && len(m.Named) == 0 && n != r.root && r.p.gone("properties_empty") &&
		!r.p.harmless("properties_empty") && r.lose(n, "properties_empty", "an object without "+
		"properties stands here, which cannot be said; leave it out, or declare its properties") {
		r.asText(n, "properties_empty", "an object")
	}
}

// require makes every property required, and the optional ones nullable: null means absent.
func (r *rewriter) require(n *tree.Node) {
	if !r.p.Required && !r.p.Nullable {
		return
	}
	m := n.Get("properties")
	required := n.Strings("required")
	counted := presence.among(n) // for the provider one that is null is there, for jig it is absent
	var all []string
	for i := range m.Named {
		e := &m.Named[i]
		all = append(all, e.Name)
		if slices.Contains(required, e.Name) {
			continue
		}
		r.widen(e, counted)
		if r.p.Required {
			r.change(e.Node, "required_partial", Rewritten, counted, "it is required; null means "+
				"absent")
		}
	}
	for _, name := range required { // what is not declared is required still, and refused below
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	if r.p.Required && len(all) > 0 && !slices.Equal(all, required) {
		n.SetStrings("required", all)
	}
}

// widen makes an optional property nullable.
func (r *rewriter) widen(e *tree.Named, lossy bool) {
	wide := r.orNull(e.Node)
	if wide == nil {
		if r.p.Required {
			r.refuse(e.Node, "required_partial", "it is optional, and that it is null cannot be "+
				"said; make it required")
		}
		return
	}
	if wide == e.Node {
		return
	}
	e.Node = wide
	if !r.p.Required {
		r.change(wide, "required", Rewritten, lossy, "null means absent")
	}
}

// shut says additionalProperties:false, last. A schema for the values of other properties stays:
// the object is a map beside its properties.
func (r *rewriter) shut(n *tree.Node) {
	m := n.Get("additionalProperties")
	if !open(m) && !never(m) || m != nil && m.Enforced {
		return
	}
	for _, name := range n.Strings("required") {
		if n.Property(name) == nil && !n.Has("patternProperties") {
			r.refuse(n, "required", "strict closes every object, and this object requires the "+
				"property %s without declaring it; declare it", quote(name))
		}
	}
	if m := n.Get("unevaluatedProperties"); m != nil && r.p.gone("unevaluatedProperties") &&
		(never(m) || open(m)) && !r.elsewhere(n) {
		n.Delete("unevaluatedProperties") // without branches it says the same
		r.change(n, "unevaluatedProperties", Rewritten, false, "additionalProperties says it")
	}
	closed := m != nil && never(m)
	n.Delete("additionalProperties")
	n.Set(tree.Member{Key: "additionalProperties", Node: tree.Literal(false)})
	if !closed {
		r.change(n, "additionalProperties", Added, false, "the object is closed: what is not "+
			"declared is refused")
	}
}

// unsaidFalse takes additionalProperties:false out where it cannot be said.
func (r *rewriter) unsaidFalse(n *tree.Node) {
	if never(n.Get("additionalProperties")) && r.p.gone("additionalProperties_false") {
		n.Delete("additionalProperties")
		r.change(n, "additionalProperties_false", Dropped, true, "that nothing else may be sent "+
			"is not said; jig alone refuses it")
	}
}
