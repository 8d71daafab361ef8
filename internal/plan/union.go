package plan

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/jig-go/jig/internal/canon"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// A union is an anyOf or oneOf. The general validator judges it; what is known here is which branch
// a value is meant for, which says where null means absent and what to tell about it.
type union struct {
	at       string // where it stands in the schema
	branches []*rule
	// array and object are the only branches that take those kinds; nil: none, or several.
	array, object *rule
	// property tells several branches for objects apart; "": none does.
	property string
	required bool           // every such branch requires the property
	values   *enumRule      // of the property, in the order of the branches
	choice   map[string]int // from a canonical value to its branch
}

// unions adds those of the schema n and of what has to hold beside it.
func (c *compiler) unions(r *rule, n *tree.Node, pointer string) {
	for _, p := range c.joined(nil, n, pointer) {
		for _, keyword := range []string{"anyOf", "oneOf"} {
			m := p.node.Get(keyword)
			if m == nil {
				continue
			}
			u := &union{at: p.pointer + "/" + keyword}
			for i, branch := range m.List {
				at := &place{keyword: u.at + "/" + strconv.Itoa(i)}
				u.branches = append(u.branches, c.rule(branch, nil, at))
			}
			c.settle = append(c.settle, u.settle)
			c.plan.unions[m] = u
			r.unions = append(r.unions, u)
		}
	}
}

// settle finds out how branches are told apart. Requirement: their rules are finished.
func (u *union) settle() {
	arrays, objects := u.taking(scan.Array), u.taking(scan.Object)
	if len(arrays) == 1 {
		u.array = u.branches[arrays[0]].some()
	}
	if len(objects) == 1 {
		u.object = u.branches[objects[0]].some()
	}
	if len(objects) < 2 {
		return
	}
	for _, p := range u.branches[objects[0]].some().obj.props {
		if u.tell(p.name, objects) {
			return
		}
	}
}

// taking returns the indexes of the branches that take a kind.
func (u *union) taking(kind scan.Kind) []int {
	var out []int
	for i, b := range u.branches {
		if b = b.some(); !b.never && b.kinds.has(kind) {
			out = append(out, i)
		}
	}
	return out
}

// tell makes a property the one that tells the branches apart, if each gives it other values.
func (u *union) tell(name string, objects []int) bool {
	values, choice, required := &enumRule{keyword: "enum"}, map[string]int{}, true
	for _, i := range objects {
		p := u.branches[i].some().obj.property(name)
		if p == nil || p.rule.enum == nil {
			return false
		}
		required = required && p.required
		for _, value := range p.rule.enum.values {
			key := string(canon.Append(nil, value))
			if _, taken := choice[key]; taken {
				return false
			}
			choice[key] = i
			values.values = append(values.values, value)
			values.add(value)
		}
	}
	u.property, u.values, u.choice, u.required = name, values, choice, required
	return true
}

// property returns a declared member, or nil.
func (o *objectRule) property(name string) *property {
	if o == nil {
		return nil
	}
	i, ok := o.index[name]
	if !ok {
		return nil
	}
	return &o.props[i]
}

// chosen returns the branch that a value is meant for, or nil where that is not known.
func (u *union) chosen(raw []byte) *rule {
	switch kind := kindOf(raw); {
	case kind == scan.Array:
		return u.array
	case kind == scan.Object && u.property != "":
		got := memberOf(raw, u.property)
		if got == nil {
			return nil
		}
		if i, ok := u.choice[string(canon.Append(nil, got))]; ok {
			return u.branches[i].some()
		}
	case kind == scan.Object:
		return u.object
	}
	return nil
}

// memberOf returns the text of a member of an object, or nil.
func memberOf(raw []byte, name string) []byte {
	c := scan.NewCursor(raw)
	for more := c.Enter(); more; more = c.More() {
		if string(c.Key()) == name {
			return c.Skip()
		}
		c.Skip()
	}
	return nil
}

// some is the rule of values that are not null.
func (r *rule) some() *rule {
	for r.orNull != nil {
		r = r.orNull
	}
	return r
}

// beside returns the rules that hold beside r for the next value: those known already, and the
// branches of unions that the value is meant for.
func (r *rule) beside(known []*rule, c scan.Cursor) []*rule {
	if len(known) == 0 && len(r.unions) == 0 {
		return nil
	}
	raw := c.Skip()
	out := []*rule{r}
	for _, k := range known {
		out = added(out, k.some())
	}
	for i := 0; i < len(out); i++ {
		for _, u := range out[i].unions {
			out = added(out, u.chosen(raw))
		}
	}
	return out[1:]
}

// added appends a rule that says something, unless it is there.
func added(list []*rule, r *rule) []*rule {
	if r == nil || r.open || r.never || slices.Contains(list, r) {
		return list
	}
	return append(list, r)
}

// A patternRule is one member of patternProperties.
type patternRule struct {
	names *regexp.Regexp
	rule  *rule
}

// patterned compiles what is said of members by the form of their names. The general validator
// judges them; here they say where null means absent.
func (c *compiler) patterned(o *objectRule, n *tree.Node, at *place) {
	m := n.Get("patternProperties")
	if m == nil {
		return
	}
	for _, named := range m.Named {
		names, err := regexp.Compile(named.Name)
		if err != nil {
			o.patterns = nil // which names are left for others cannot be told
			return
		}
		at := &place{at, "/patternProperties/", named.Name}
		o.patterns = append(o.patterns, patternRule{names, c.rule(named.Node, nil, at)})
	}
	if m := n.Get("additionalProperties"); m != nil && m.Node != nil {
		o.rest = c.rule(m.Node, nil, &place{at, "/additionalProperties", ""})
	}
}

// others appends what holds for a member beside the rule that the object gives it.
func (o *objectRule) others(list []*rule, name string) []*rule {
	if o == nil || len(o.patterns) == 0 {
		return list
	}
	matched := o.property(name) != nil
	for _, p := range o.patterns {
		if p.names.MatchString(name) {
			list, matched = added(list, p.rule), true
		}
	}
	if !matched {
		list = added(list, o.rest)
	}
	return list
}
