package strict

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jig-go/jig/internal/decimal"
	"github.com/jig-go/jig/internal/tree"
)

// Check returns what a provider would refuse in a schema as it is, sorted by pointer and keyword.
//
// A pointer leads to the schema that has the keyword. Only what the profile says is rejected is a
// problem, and a root that is no object, which every provider refuses. The keyword of a limit is
// the name of its field, such as MaxDepth. The members of the tree that are checked and not shown
// are no part of what is sent.
func Check(p Profile, root *tree.Node) []Problem {
	sent, _ := tree.Parse(root.Append(nil, tree.Form{Identity: true})) // what was written can be read
	return check(p, sent)
}

// check is Check for a schema that was read.
func check(p Profile, root *tree.Node) []Problem {
	c := &checker{profile: p, root: root, key: p.key()}
	c.checkRoot()
	c.walk("", c.root)
	c.checkLimits()
	slices.SortStableFunc(c.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Keyword, b.Keyword))
	})
	return slices.CompactFunc(c.problems, func(a, b Problem) bool {
		return a.Pointer == b.Pointer && a.Keyword == b.Keyword
	})
}

// A checker collects the problems of one schema.
type checker struct {
	profile  Profile
	root     *tree.Node
	key      *regexp.Regexp // KeyPattern
	problems []Problem
}

func (c *checker) report(pointer, keyword, message string) {
	c.problems = append(c.problems, Problem{Pointer: pointer, Keyword: keyword, Message: message})
}

func (c *checker) rejects(keyword string) bool { return c.profile.Keywords[keyword] == "rejected" }

// refuse reports a keyword that the profile rejects, and whether it does.
func (c *checker) refuse(pointer, keyword string) bool {
	if c.rejects(keyword) {
		c.report(pointer, keyword, refusal(keyword))
	}
	return c.rejects(keyword)
}

// checkRoot asks for an object: the arguments of a call are one everywhere.
func (c *checker) checkRoot() {
	if c.root.Bool != nil {
		c.report("", "boolean_schema", "got a boolean, want a schema with type \"object\"")
		return
	}
	if name, ok := c.root.String("type"); ok && name == "object" {
		return
	}
	got := "no type"
	if m := c.root.Get("type"); m != nil {
		got = "type " + string(m.Raw)
	}
	c.report("", "type", "got "+got+" at the root, want \"object\"; put the schema into a property")
}

// walk checks one schema and those inside it.
func (c *checker) walk(pointer string, n *tree.Node) {
	if n.Bool != nil {
		c.refuse(pointer, "boolean_schema")
		return
	}
	c.checkMembers(pointer, n)
	c.checkType(pointer, n)
	c.checkObject(pointer, n)
	c.checkArray(pointer, n)
	c.checkValues(pointer, n)
	c.checkString(pointer, n)
	c.checkReference(pointer, n)
	for step, child := range n.Children() {
		if child.Bool == nil || !tree.IsLiteral(step.Key) {
			c.walk(pointer+step.Pointer(), child)
		}
	}
}

// checkMembers looks each keyword up, and the pseudo keywords that say where it stands.
func (c *checker) checkMembers(pointer string, n *tree.Node) {
	for i := range n.Members {
		m := &n.Members[i]
		if pointer == "" && c.refuse(pointer, "root_"+m.Key) {
			continue
		}
		switch m.Key {
		case "if", "then", "else":
			c.refuse(pointer, "if_then_else")
		case "allOf":
			c.checkAllOf(pointer, m)
			continue
		case "anyOf":
			if len(n.Members) > 1 {
				c.refuse(pointer, "anyOf_siblings")
			}
		}
		if strings.HasPrefix(m.Key, "x-") {
			c.refuse(pointer, "x_extension")
		}
		c.refuse(pointer, m.Key)
	}
}

func (c *checker) checkAllOf(pointer string, m *tree.Member) {
	if len(m.List) == 1 {
		c.refuse(pointer, "allOf_single")
	} else {
		c.refuse(pointer, "allOf")
	}
	if slices.ContainsFunc(m.List, func(n *tree.Node) bool { return n.Has("$ref") }) {
		c.refuse(pointer, "allOf_with_ref")
	}
}

func (c *checker) checkType(pointer string, n *tree.Node) {
	types := n.Types()
	switch {
	case slices.Equal(types, []string{"null"}):
		c.refuse(pointer, "type_null")
	case len(types) > 1 && slices.Contains(types, "null"):
		c.refuse(pointer, "type_array_with_null")
	case len(types) == 0 && !slices.ContainsFunc(typeElsewhere, n.Has):
		c.refuse(pointer, "typeless_schema") // an enum or a constant alone is refused too
	}
}

// typeElsewhere are the keywords whose schemas say the type of the one that has them.
var typeElsewhere = []string{"anyOf", "oneOf", "allOf", "not", "if", "$ref", "$dynamicRef"}

func (c *checker) checkObject(pointer string, n *tree.Node) {
	properties := n.Get("properties")
	if !slices.Contains(n.Types(), "object") && properties == nil {
		return
	}
	c.checkAdditional(pointer, n)
	switch {
	case properties == nil:
		c.refuse(pointer, "properties_missing_on_object")
	case len(properties.Named) == 0:
		c.refuse(pointer, "properties_empty")
	default:
		c.checkProperties(pointer, n, properties.Named)
	}
	if c.rejects("required_undeclared") {
		c.checkDeclared(pointer, n)
	}
}

func (c *checker) checkAdditional(pointer string, n *tree.Node) {
	m := n.Get("additionalProperties")
	form, got := "additionalProperties_schema", "a schema"
	switch {
	case m == nil:
		form, got = "additionalProperties_missing", "none"
	case m.Node != nil && m.Node.Bool != nil:
		got = strconv.FormatBool(*m.Node.Bool)
		form = "additionalProperties_" + got
	}
	switch {
	case !c.profile.Closed:
		c.refuse(pointer, form)
	case form != "additionalProperties_false":
		c.report(pointer, "additionalProperties",
			"got "+got+", want false: every object has to be closed; "+
				"write \"additionalProperties\":false")
	}
}

func (c *checker) checkProperties(pointer string, n *tree.Node, properties []tree.Named) {
	required := n.Strings("required")
	var missing []string
	for _, e := range properties {
		c.checkKey(pointer, e.Name)
		if !slices.Contains(required, e.Name) {
			missing = append(missing, strconv.Quote(e.Name))
		}
	}
	if len(missing) > 0 && (c.profile.Required || c.rejects("required_partial")) {
		c.report(pointer, "required", "got no "+strings.Join(missing, ", ")+
			", want every property; add it, and let an optional one take null")
	}
}

func (c *checker) checkKey(pointer, name string) {
	if c.key.MatchString(name) {
		return
	}
	c.report(pointer+"/properties/"+tree.Escape(name), "properties", "got the name "+
		strconv.Quote(name)+", want one that matches "+c.profile.KeyPattern+"; rename it")
}

func (c *checker) checkDeclared(pointer string, n *tree.Node) {
	for _, name := range n.Strings("required") {
		if n.Property(name) == nil {
			c.report(pointer, "required_undeclared",
				"got the name "+strconv.Quote(name)+", want one of the properties; declare it")
		}
	}
}

func (c *checker) checkArray(pointer string, n *tree.Node) {
	items := n.Get("items")
	if items == nil && !n.Has("prefixItems") && slices.Contains(n.Types(), "array") {
		c.refuse(pointer, "items_missing")
	}
	if items != nil && items.List != nil {
		c.refuse(pointer, "items_array")
	}
	if m := n.Get("minItems"); m != nil {
		if least, ok := decimal.Parse(m.Raw); ok && least.Cmp(one) > 0 {
			c.refuse(pointer, "minItems_gt1")
		}
	}
}

// checkValues looks at the kinds of the values of an enum, and of a constant.
func (c *checker) checkValues(pointer string, n *tree.Node) {
	values := n.Values("enum")
	kinds := map[string]bool{}
	for _, v := range values {
		kind := valueKind(v)
		c.refuse(pointer, "enum_"+kind)
		if kind == "integer" {
			kind = "number" // 1 and 1.5 are of one type
		}
		kinds[kind] = true
	}
	delete(kinds, "null_member")
	if len(kinds) > 1 {
		c.refuse(pointer, "enum_mixed_types")
	}
	if m := n.Get("const"); m != nil {
		values = append(values, m.Raw)
	}
	if c.rejects("enum_type_mismatch") {
		c.checkAgreement(pointer, n.Types(), values)
	}
}

func (c *checker) checkAgreement(pointer string, types []string, values [][]byte) {
	for _, v := range values {
		of := func(name string) bool { return hasType(v, name) }
		if len(types) > 0 && !slices.ContainsFunc(types, of) {
			c.report(pointer, "enum_type_mismatch", "got the value "+string(v)+
				", want one of type "+strings.Join(types, " or ")+"; change the value or the type")
			return
		}
	}
}

// valueKind names the kind of a value as the pseudo keywords of enum do.
func valueKind(value []byte) string {
	switch value[0] {
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null_member"
	case '{', '[':
		return "object_values"
	}
	if hasType(value, "integer") {
		return "integer"
	}
	return "number"
}

// hasType reports whether a value has a type of JSON Schema.
func hasType(value []byte, name string) bool {
	switch value[0] {
	case '"':
		return name == "string"
	case 't', 'f':
		return name == "boolean"
	case 'n':
		return name == "null"
	case '{':
		return name == "object"
	case '[':
		return name == "array"
	}
	number, ok := decimal.Parse(value)
	return name == "number" || name == "integer" && ok && number.IsInt()
}

func (c *checker) checkString(pointer string, n *tree.Node) {
	formats := c.profile.Formats
	if name, ok := n.String("format"); ok && formats != nil && !slices.Contains(formats, name) &&
		c.rejects("format_unlisted") {
		c.report(pointer, "format_unlisted", "got format "+strconv.Quote(name)+", want "+
			formatList(formats)+"; say it in the description")
	}
	if pattern, ok := n.String("pattern"); ok {
		for _, feature := range patternFeatures(pattern) {
			c.refuse(pointer, feature)
		}
	}
}

func formatList(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	text, _ := json.Marshal(names)
	return "one of " + string(text)
}
