package plan

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
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
	c := newCompiler(schema, doc)
	c.rules = make([]rule, 0, schema.Count())
	c.plan.root = c.rule(schema, typ, nil)
	if c.finish(); c.err != nil {
		return nil, c.err
	}
	if typ != nil {
		c.plan.Tag(typ)
		c.plan.quick = newReader(c.plan.root, cap(c.rules))
	}
	slices.SortFunc(c.plan.faults, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Pointer, b.Pointer), strings.Compare(a.Keyword, b.Keyword),
			strings.Compare(a.Message, b.Message))
	})
	c.plan.faults = slices.Compact(c.plan.faults) // of rules for one schema
	return c.plan, nil
}

// CompileNodes makes a plan of each of the given schemas inside the schema, in which they stay: their
// references count from its root. The plans only check.
// Requirement: as for Compile.
func CompileNodes(schema *tree.Node, nodes []*tree.Node, doc func() (*general.Document, error)) ([]*Plan, error) {
	c := newCompiler(schema, doc)
	plans := make([]*Plan, len(nodes))
	for i, n := range nodes {
		plans[i] = &Plan{root: c.rule(n, nil, nil), schema: schema, unions: c.plan.unions}
	}
	c.finish()
	return plans, c.err
}

func newCompiler(schema *tree.Node, doc func() (*general.Document, error)) *compiler {
	return &compiler{source: newSource(schema, doc),
		plan: &Plan{schema: schema, unions: map[*tree.Member]*union{}}}
}

// finish does what needs finished rules.
func (c *compiler) finish() {
	for _, f := range c.settle {
		f()
	}
	for _, f := range c.nulls {
		f()
	}
	c.setDefaults()
}

type compiler struct {
	source
	others   map[*tree.Node]source // by their roots; see elsewhere
	plan     *Plan
	rules    []rule    // room for as many as there are schemas, of which nearly each has one
	settle   []func()  // run with finished rules: how unions are told apart
	nulls    []func()  // run after settle: whether null is accepted
	defaults []given   // set after nulls, as far as they apply
	empty    tree.Node // the schema that accepts everything
	err      error
}

// A source is the schema in which those that are compiled stand.
type source struct {
	root     *tree.Node
	document func() (*general.Document, error)
	memo     map[pair]*rule
	nested   bool // a schema inside has an $id, from which its references count
}

func newSource(root *tree.Node, doc func() (*general.Document, error)) source {
	return source{root: root, document: doc, memo: map[pair]*rule{},
		nested: root.Any(func(n *tree.Node) bool { return n != root && (n.Has("$id") || n.Has("id")) })}
}

type pair struct {
	node *tree.Node
	typ  *codec.Type
}

// A place is where a schema stands: one step below another place. nil is the root.
type place struct {
	above *place
	// keyword and name are the step: "/properties/" and the name of one, or "/items" and none. Without a
	// place above, keyword may be any pointer.
	keyword, name string
}

// pointer writes out where the place is.
func (p *place) pointer() string {
	if p == nil {
		return ""
	}
	return p.above.pointer() + p.keyword + tree.Escape(p.name)
}

func (c *compiler) fault(pointer, keyword, format string, args ...any) {
	c.plan.faults = append(c.plan.faults, Problem{pointer, keyword, fmt.Sprintf(format, args...)})
}

// rule compiles the schema n, which stands at the place, for values of type t.
// The same node and type give the same rule, which ends recursion.
func (c *compiler) rule(n *tree.Node, t *codec.Type, at *place) *rule {
	n, known := c.resolve(n)
	if n.Bool != nil && *n.Bool {
		n = &c.empty
	}
	if r, ok := c.memo[pair{n, t}]; ok {
		return r
	}
	r := take(&c.rules)
	r.typ, r.kinds = t, allKinds
	c.memo[pair{n, t}] = r
	if n.Bool != nil {
		r.never = true
		return r
	}
	if branch, step := nullBranch(n); branch != nil && known {
		r.orNull = c.rule(branch, t, &place{at, step, ""})
		return r
	}
	if !known || needsGeneral(n) {
		c.hand(r, n, at.pointer())
	}
	c.checks(r, n)
	containers := r.kinds.has(scan.Array) || r.kinds.has(scan.Object)
	if r.general != nil || r.enum != nil && containers || n.Has("propertyNames") {
		c.plan.blind = true
	}
	c.fills(r, n, at)
	if r.general != nil {
		c.unions(r, n, at.pointer())
	}
	base := r.base()
	r.open = r.general == nil && unchecked(n) && (base == nil || whole(base))
	return r
}

// take returns one of the values for which a slice has room; where there is none left, it makes one.
func take[T any](list *[]T) *T {
	n := len(*list)
	if n == cap(*list) {
		return new(T)
	}
	*list = (*list)[:n+1]
	return &(*list)[n]
}

// checks compiles what the node says of the value itself.
func (c *compiler) checks(r *rule, n *tree.Node) {
	if types := n.Types(); len(types) > 0 {
		r.kinds, r.want = 0, strings.Join(types, " or ")
		number := false
		for _, name := range types {
			r.kinds |= kindsOf(name)
			number = number || name == "number"
		}
		if number {
			r.kinds &^= integral
		}
	}
	r.enum = enumOf(n)
	if r.kinds.has(scan.Number) {
		r.num = numberOf(n)
	}
	if r.kinds.has(scan.String) {
		r.str = stringOf(n)
	}
	r.value = n.Value
}

// kindsOf returns the kinds of the values of a type.
func kindsOf(name string) kinds {
	switch name {
	case "null":
		return 1 << scan.Null
	case "boolean":
		return 1 << scan.Bool
	case "number":
		return 1 << scan.Number
	case "integer":
		return 1<<scan.Number | integral
	case "string":
		return 1 << scan.String
	case "array":
		return 1 << scan.Array
	case "object":
		return 1 << scan.Object
	}
	return 0
}

// fills compiles what is inside the value, each part with the Go type that it fills.
func (c *compiler) fills(r *rule, n *tree.Node, at *place) {
	base := r.base()
	if base != nil && whole(base) {
		base = nil // filled from the text as a whole: its parts are only checked
	}
	r.arr = c.array(n, base, at)
	r.obj = c.object(r, n, base, at)
	c.fits(r, at)
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
	return t.Kind == codec.Any || t.Kind == codec.Raw || t.Kind == codec.Custom ||
		t.Kind == codec.Map && anyMap(t)
}

// anyMap reports whether a map[string]any can be converted to the map type.
func anyMap(t *codec.Type) bool {
	return t.Elem.Kind == codec.Any && t.Go.ConvertibleTo(reflect.TypeFor[map[string]any]())
}

func (c *compiler) array(n *tree.Node, t *codec.Type, at *place) *arrayRule {
	a := arrayRule{min: least(n, "minItems"), max: most(n, "maxItems")}
	a.unique = isTrue(n, "uniqueItems")
	var elem *codec.Type
	if t != nil && (t.Kind == codec.Slice || t.Kind == codec.Array) {
		elem = t.Elem
	}
	if m := n.Get("prefixItems"); m != nil {
		for i, item := range m.List {
			a.prefix = append(a.prefix, c.rule(item, elem, &place{at, "/prefixItems/", strconv.Itoa(i)}))
		}
	}
	if m := n.Get("items"); m != nil && m.Node != nil {
		a.items = c.rule(m.Node, elem, &place{at, "/items", ""})
	} else if elem != nil {
		a.items = c.free(elem)
	}
	if a.items == nil && a.prefix == nil && a.min < 0 && a.max < 0 && !a.unique {
		return nil
	}
	kept := a // see numberOf
	return &kept
}

// least returns a lower limit of a length, or -1 for none.
func least(n *tree.Node, key string) int { return length(n, key, math.MaxInt) }

// most returns an upper limit of a length, or -1 for none.
func most(n *tree.Node, key string) int { return length(n, key, -1) }

// length returns the value of a keyword; huge stands for one that is longer than any value.
func length(n *tree.Node, key string, huge int) int {
	m := n.Get(key)
	if m == nil {
		return -1
	}
	if i, err := strconv.Atoi(string(m.Raw)); err == nil { // as nearly all are written
		return i
	}
	d, ok := decimal.Parse(m.Raw)
	i, fits := d.Int64()
	switch {
	case !ok:
		return -1
	case !fits || int64(int(i)) != i:
		return huge
	}
	return int(i)
}

func isTrue(n *tree.Node, key string) bool {
	m := n.Get(key)
	return m != nil && string(m.Raw) == "true"
}
