package plan

import (
	"reflect"
	"slices"
	"sync"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/general"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// anyObject is the rule of objects of which nothing is said, as that of most schemas is.
var anyObject = &objectRule{min: -1, max: -1}

// silent reports whether schema and type say nothing of the members of an object.
func silent(n *tree.Node, t *codec.Type) bool {
	if t != nil && (t.Kind == codec.Struct || t.Kind == codec.Map) || len(n.Withheld) > 0 {
		return false
	}
	for i := range n.Members {
		switch n.Members[i].Key {
		case "properties", "required", "additionalProperties", "minProperties", "maxProperties",
			"propertyNames", "patternProperties":
			return false
		case "allOf", "$ref": // which lead to some of these
			return false
		}
	}
	return true
}

func (c *compiler) object(r *rule, n *tree.Node, t *codec.Type, at *place) *objectRule {
	if silent(n, t) {
		return anyObject
	}
	o := &objectRule{}
	o.min, o.max = least(n, "minProperties"), most(n, "maxProperties")
	required := n.Strings("required")
	var parts []part // that hold beside n
	if n.Has("allOf") || n.Has("$ref") {
		parts = c.joined(nil, n, at.pointer())[1:]
	}
	for _, p := range parts {
		required = append(required, p.node.Strings("required")...)
	}
	c.properties(o, n, t, required, at)
	for _, p := range parts {
		c.properties(o, p.node, t, required, &place{keyword: p.pointer})
	}
	c.withheld(o, n, t, at)
	c.patterned(o, n, at)
	for _, name := range required {
		if _, declared := o.index[name]; !declared {
			o.required = append(o.required, name)
		}
	}
	others := &c.empty
	// Beside patternProperties the general validator judges, and which members are additional is
	// its to say.
	if m := n.Get("additionalProperties"); m != nil && m.Node != nil && !n.Has("patternProperties") {
		others = m.Node
		o.closed = others.Bool != nil && !*others.Bool
	}
	if !o.closed && (others != &c.empty || elemOf(t) != nil) {
		o.extra = c.rule(others, elemOf(t), &place{at, "/additionalProperties", ""})
	}
	if m := n.Get("propertyNames"); m != nil && m.Node != nil {
		o.keys = c.rule(m.Node, nil, &place{at, "/propertyNames", ""})
	}
	if t != nil && t.Kind == codec.Struct {
		switch {
		case r.general != nil:
			c.undeclared(o, t, &c.empty, nil)
		case len(o.props) == 0 && !o.closed:
			c.undeclared(o, t, others, &place{at, "/additionalProperties", ""})
		}
	}
	return o
}

// free returns the rule that accepts everything the type can hold.
func (c *compiler) free(t *codec.Type) *rule { return c.rule(&c.empty, t, nil) }

func elemOf(t *codec.Type) *codec.Type {
	if t == nil || t.Kind != codec.Map {
		return nil
	}
	return t.Elem
}

// properties adds the members that one part of the schema declares, unless an earlier one did.
func (c *compiler) properties(o *objectRule, n *tree.Node, t *codec.Type, required []string, at *place) {
	m := n.Get("properties")
	if m == nil {
		return
	}
	o.props = slices.Grow(o.props, len(m.Named))
	if o.index == nil {
		o.index = make(map[string]int, len(m.Named))
	}
	at = &place{at, "/properties/", ""}
	for turn, named := range m.Named {
		if _, ok := o.index[named.Name]; ok {
			continue
		}
		at.name = named.Name
		p := property{name: named.Name, required: slices.Contains(required, named.Name)}
		elem := elemOf(t)
		if t != nil && t.Kind == codec.Struct {
			if p.field = t.FieldFrom(turn, named.Name); p.field == nil {
				c.fault(at.pointer(), "properties", sayNoField)
			} else {
				elem = p.field.Type
			}
		}
		p.rule = c.rule(named.Node, elem, at)
		i := o.declare(p)
		if p.required {
			continue
		}
		// By index: props may still grow, and move.
		c.nulls = append(c.nulls, func() {
			o.props[i].nullAbsent = p.rule.refusesNull()
		})
		if named.Node.Has("default") {
			c.give(o, i, c.root, named.Node, at.pointer())
		}
	}
}

// declare adds a property that may be sent, and returns its number. Most rules are of no object, so
// that the index is made when it is needed.
func (o *objectRule) declare(p property) int {
	if o.index == nil {
		o.index = map[string]int{}
	}
	o.index[p.name] = len(o.props)
	o.props = append(o.props, p)
	return len(o.props) - 1
}

// withheld adds the properties that may not be sent: they are declared as ones that nothing meets,
// so that they are refused, and keep their defaults, which the schema judges that they were taken out of.
func (c *compiler) withheld(o *objectRule, n *tree.Node, t *codec.Type, at *place) {
	for _, w := range n.Withheld {
		at := &place{at, "/properties/", w.Name}
		var elem *codec.Type
		p := property{name: w.Name, withheld: true}
		if t != nil && t.Kind == codec.Struct {
			if p.field = t.Field(w.Name); p.field != nil {
				elem = p.field.Type
			}
		}
		p.rule = c.elsewhere(w.Root, w.Node, elem, at)
		i := len(o.props)
		o.props = append(o.props, p)
		c.give(o, i, w.Root, w.Node, at.pointer())
	}
}

// elsewhere compiles a schema n inside another root, which is read once for all of its schemas.
func (c *compiler) elsewhere(root, n *tree.Node, t *codec.Type, at *place) *rule {
	here := c.source
	defer func() { c.source = here }()
	there, ok := c.others[root]
	if !ok {
		there = newSource(root, sync.OnceValues(func() (*general.Document, error) {
			return general.Compile(root.Append(nil, tree.Form{Enforced: true, Identity: true}))
		}))
		if c.others == nil {
			c.others = map[*tree.Node]source{}
		}
		c.others[root] = there
	}
	c.source = there
	return c.rule(n, t, at)
}

// check runs one rule on a value without filling.
func (r *rule) check(checked []byte) Result {
	return emptyPlan.runRule(r, checked, reflect.Value{}, false)
}

// refusesNull reports whether null is not accepted. Of most rules that needs no check of a value.
func (r *rule) refusesNull() bool {
	return r.general == nil && !r.kinds.has(scan.Null) ||
		r.check([]byte("null")).Total > 0
}

// emptyPlan is that of a rule that is checked alone: without a schema for messages, unions or secrets.
var emptyPlan Plan

// undeclared adds the fields of a struct that the schema does not declare by name, or in a place
// where the plan does not look, such as a branch of anyOf. n is the schema of their values.
func (c *compiler) undeclared(o *objectRule, t *codec.Type, n *tree.Node, at *place) {
	for i := range t.Fields {
		f := &t.Fields[i]
		if _, ok := o.index[f.Name]; !ok {
			o.declare(property{name: f.Name, rule: c.rule(n, f.Type, at), field: f})
		}
	}
}
