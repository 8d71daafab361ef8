package plan

import (
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/decimal"
	"github.com/jig-go/jig/internal/general"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// Compile makes the plan of a schema for values of a Go type; a nil type only checks.
// doc compiles parts of the schema for the general validator; it is asked for only where the plan
// needs it, and may be nil for a schema that is known to need none.
// Requirement: the schema is a legal JSON Schema.
func Compile(schema *tree.Node, typ *codec.Type, doc func() (*general.Document, error)) (*Plan, error) {
	c := compiler{root: schema, document: doc, memo: map[pair]*rule{}, plan: &Plan{schema: schema}}
	c.plan.rules = map[*tree.Node]*rule{}
	c.plan.root = c.rule(schema, typ, "")
	for _, f := range c.nulls {
		f()
	}
	for _, f := range c.defaults {
		f()
	}
	if c.err != nil {
		return nil, c.err
	}
	sortProblems(c.plan.faults)
	return c.plan, nil
}

type compiler struct {
	root     *tree.Node
	document func() (*general.Document, error)
	plan     *Plan
	memo     map[pair]*rule
	nulls    []func()  // run with finished rules: whether null is accepted
	defaults []func()  // run after nulls: which defaults apply
	empty    tree.Node // the schema that accepts everything
	err      error
}

type pair struct {
	node *tree.Node
	typ  *codec.Type
}

func (c *compiler) fault(pointer, keyword, format string, args ...any) {
	c.plan.faults = append(c.plan.faults, Problem{pointer, keyword, fmt.Sprintf(format, args...)})
}

// rule compiles the schema n, which stands at the pointer, for values of type t.
// The same node and type give the same rule, which ends recursion.
func (c *compiler) rule(n *tree.Node, t *codec.Type, pointer string) *rule {
	named := n
	n, known := c.resolve(n)
	if r, ok := c.memo[pair{n, t}]; ok {
		c.plan.rules[named] = r
		return r
	}
	r := &rule{typ: t, kinds: allKinds}
	c.memo[pair{n, t}] = r
	c.plan.rules[n], c.plan.rules[named] = r, r
	if n.Bool != nil {
		r.never, r.open = !*n.Bool, *n.Bool
		return r
	}
	if branch := nullBranch(n); branch != nil && known {
		r.orNull = c.rule(branch, t, pointer+"/anyOf")
		return r
	}
	if !known || needsGeneral(n) {
		c.hand(r, n, pointer)
	}
	c.checks(r, n)
	c.fills(r, n, pointer)
	r.open = r.general == nil && unchecked(n)
	return r
}

// resolve follows references without siblings inside the schema; known is false for one that the
// plan cannot follow, or that has siblings to be checked as well.
func (c *compiler) resolve(n *tree.Node) (target *tree.Node, known bool) {
	for range 100 {
		ref, ok := n.String("$ref")
		if !ok {
			return n, !n.Has("$dynamicRef") && !n.Has("$recursiveRef")
		}
		next := c.root.At(fragment(ref))
		if !strings.HasPrefix(ref, "#") || next == nil || hasAssertions(n) {
			return n, false
		}
		n = next
	}
	return n, false // references in a circle
}

func fragment(ref string) string {
	pointer, err := url.PathUnescape(strings.TrimPrefix(ref, "#"))
	if err != nil {
		return "\x00" // matches no pointer
	}
	return pointer
}

// nullBranch returns X of {"anyOf":[X,{"type":"null"}]} where nothing else is asserted.
func nullBranch(n *tree.Node) *tree.Node {
	m := n.Get("anyOf")
	if m == nil || len(m.List) != 2 {
		return nil
	}
	for _, other := range n.Members {
		if other.Key != "anyOf" && assertions[other.Key] != annotation {
			return nil
		}
	}
	null := m.List[1]
	if s, _ := null.String("type"); s != "null" || len(null.Members) != 1 {
		return nil
	}
	return m.List[0]
}

// hand gives the value at this place to the general validator.
func (c *compiler) hand(r *rule, n *tree.Node, pointer string) {
	doc, err := c.document()
	if err == nil {
		r.general, err = doc.Sub(c.pointerOf(n, pointer))
	}
	if err != nil && c.err == nil {
		c.err = err
	}
}

// pointerOf returns where a node really stands, which is not where a reference to it stands.
func (c *compiler) pointerOf(n *tree.Node, pointer string) string {
	if c.root.At(pointer) == n {
		return pointer
	}
	at, _ := find(c.root, n)
	return at
}

func find(in, n *tree.Node) (string, bool) {
	if in == n {
		return "", true
	}
	for at, child := range in.Children() {
		if rest, ok := find(child, n); ok {
			return at + rest, true
		}
	}
	return "", false
}

// checks compiles what the node says of the value itself.
func (c *compiler) checks(r *rule, n *tree.Node) {
	if types := n.Types(); len(types) > 0 {
		r.kinds, r.want = 0, strings.Join(types, " or ")
		number := false
		for _, name := range types {
			r.kinds |= kindsOf[name]
			number = number || name == "number"
		}
		if number {
			r.kinds &^= integral
		}
	}
	r.enum = enumOf(n)
	r.num = numberOf(n)
	r.str = stringOf(n)
}

var kindsOf = map[string]kinds{
	"null": 1 << scan.Null, "boolean": 1 << scan.Bool, "number": 1 << scan.Number,
	"integer": 1<<scan.Number | integral, "string": 1 << scan.String,
	"array": 1 << scan.Array, "object": 1 << scan.Object,
}

// fills compiles what is inside the value, each part with the Go type that it fills.
func (c *compiler) fills(r *rule, n *tree.Node, pointer string) {
	base := r.base()
	if base != nil && whole(base) {
		base = nil // filled from the text as a whole: its parts are only checked
	}
	r.arr = c.array(n, base, pointer)
	r.obj = c.object(r, n, base, pointer)
	c.fits(r, pointer)
}

// base returns the type to fill below pointers, or nil.
func (r *rule) base() *codec.Type {
	if r.typ == nil {
		return nil
	}
	base, _ := r.typ.Base()
	return base
}

// whole reports whether a type is filled from the text of a value rather than part by part.
func whole(t *codec.Type) bool {
	return t.Kind == codec.Any || t.Kind == codec.Raw ||
		t.Kind == codec.Map && t.Key.Kind == codec.String && t.Elem.Kind == codec.Any
}

func (c *compiler) array(n *tree.Node, t *codec.Type, pointer string) *arrayRule {
	a := &arrayRule{min: length(n, "minItems"), max: length(n, "maxItems")}
	a.unique = isTrue(n, "uniqueItems")
	var elem *codec.Type
	if t != nil && (t.Kind == codec.Slice || t.Kind == codec.Array) {
		elem = t.Elem
	}
	if m := n.Get("items"); m != nil && m.Node != nil {
		a.items = c.rule(m.Node, elem, pointer+"/items")
	} else if elem != nil {
		a.items = c.free(elem)
	}
	if a.items == nil && a.min < 0 && a.max < 0 && !a.unique {
		return nil
	}
	return a
}

func (c *compiler) object(r *rule, n *tree.Node, t *codec.Type, pointer string) *objectRule {
	o := &objectRule{index: map[string]int{}}
	o.min, o.max = length(n, "minProperties"), length(n, "maxProperties")
	required := map[string]bool{}
	for _, name := range n.Strings("required") {
		required[name] = true
	}
	c.properties(o, n, t, required, pointer)
	for _, name := range n.Strings("required") {
		if _, declared := o.index[name]; !declared {
			o.required = append(o.required, name)
		}
	}
	if m := n.Get("additionalProperties"); m != nil && m.Node != nil {
		o.closed = m.Node.Bool != nil && !*m.Node.Bool
		if !o.closed {
			o.extra = c.rule(m.Node, elemOf(t), pointer+"/additionalProperties")
		}
	} else if elem := elemOf(t); elem != nil {
		o.extra = c.free(elem)
	}
	if m := n.Get("propertyNames"); m != nil && m.Node != nil {
		o.keys = c.rule(m.Node, nil, pointer+"/propertyNames")
	}
	if t != nil && t.Kind == codec.Struct && (r.general != nil || !n.Has("properties")) {
		c.undeclared(o, t)
	}
	return o
}

// free returns the rule that accepts everything the type can hold.
func (c *compiler) free(t *codec.Type) *rule { return c.rule(&c.empty, t, "") }

func elemOf(t *codec.Type) *codec.Type {
	if t == nil || t.Kind != codec.Map {
		return nil
	}
	return t.Elem
}

func (c *compiler) properties(
	o *objectRule, n *tree.Node, t *codec.Type, required map[string]bool, pointer string,
) {
	m := n.Get("properties")
	if m == nil {
		return
	}
	o.props = make([]property, len(m.Named))
	for i, named := range m.Named {
		at := pointer + "/properties/" + tree.Escape(named.Name)
		p := &o.props[i]
		*p = property{name: named.Name, required: required[named.Name]}
		elem := elemOf(t)
		if t != nil && t.Kind == codec.Struct {
			if p.field = t.Field(named.Name); p.field == nil {
				c.fault(at, "properties", "the struct has no field with this JSON name")
			} else {
				elem = p.field.Type
			}
		}
		p.rule = c.rule(named.Node, elem, at)
		o.index[named.Name] = i
		if !p.required {
			c.nulls = append(c.nulls, func() {
				p.nullAbsent = p.rule.check([]byte("null")).Total > 0
			})
			c.defaults = append(c.defaults, func() { c.setDefault(p, named.Node, at) })
		}
	}
}

// setDefault takes the default of an optional property. A null says no more than absence does.
func (c *compiler) setDefault(p *property, n *tree.Node, pointer string) {
	m := n.Get("default")
	if m == nil || string(m.Raw) == "null" {
		return
	}
	if found := p.rule.check(m.Raw); found.Total > 0 {
		c.fault(pointer, "default", "the default %s is refused by its own schema: %s",
			m.Raw, found.Problems[0].Message)
		return
	}
	p.def = m.Raw
}

// check runs one rule on a value without filling.
func (r *rule) check(checked []byte) Result {
	d := run{cur: scan.NewCursor(checked)}
	d.value(r, reflect.Value{})
	return d.result()
}

// undeclared adds the fields of a struct that the schema declares nowhere, or in a place the plan
// cannot see, such as a branch of allOf: they are only filled.
func (c *compiler) undeclared(o *objectRule, t *codec.Type) {
	for i := range t.Fields {
		f := &t.Fields[i]
		if _, ok := o.index[f.Name]; !ok {
			o.index[f.Name] = len(o.props)
			o.props = append(o.props, property{name: f.Name, rule: c.free(f.Type), field: f})
		}
	}
}

// fits reports a schema whose values the Go type can never hold.
func (c *compiler) fits(r *rule, pointer string) {
	base := r.base()
	if base == nil || whole(base) {
		return
	}
	takes := takenBy(base.Kind) | 1<<scan.Null
	if r.kinds != allKinds && r.kinds&^takes&^integral != 0 {
		c.fault(pointer, "type", "the schema's type is %s, and the Go field takes %s",
			r.want, kindName(takenBy(base.Kind)))
	}
}

// takenBy returns the JSON kind that fills a Go kind.
func takenBy(k codec.Kind) kinds {
	switch k {
	case codec.Bool:
		return 1 << scan.Bool
	case codec.Int, codec.Uint, codec.Float, codec.Number, codec.BigInt:
		return 1 << scan.Number
	case codec.String, codec.Text, codec.Quoted:
		return 1 << scan.String
	case codec.Slice, codec.Array:
		return 1 << scan.Array
	case codec.Map, codec.Struct:
		return 1 << scan.Object
	}
	return allKinds
}

func kindName(k kinds) string {
	for kind := scan.Null; kind <= scan.Object; kind++ {
		if k == 1<<kind {
			return kind.String()
		}
	}
	return "anything"
}

func length(n *tree.Node, key string) int {
	m := n.Get(key)
	if m == nil {
		return -1
	}
	d, ok := decimal.Parse(m.Raw)
	i, fits := d.Int64()
	if !ok || !fits || int64(int(i)) != i {
		return -1 // no value is that long
	}
	return int(i)
}

func isTrue(n *tree.Node, key string) bool {
	m := n.Get(key)
	return m != nil && string(m.Raw) == strconv.FormatBool(true)
}
