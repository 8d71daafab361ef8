package general

import (
	"maps"
	"reflect"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// A machine judges one instance at a time, each value in it once by each schema. The library alone
// tries every branch of a union on all that is below a value: with a recursive schema its time
// doubles with each level of nesting.
//
// It holds a copy of the library's schemas in which each schema for a property or an item stands
// behind a gate that remembers its verdicts. What a value inside another has evaluated says nothing
// about the outer one, so a remembered verdict is exact there, which it would not be in place.
type machine struct {
	copies map[*jsonschema.Schema]*jsonschema.Schema
	gates  map[*jsonschema.Schema]*jsonschema.Schema // by the copy that they guard
	// verdicts are those on the instance at hand, whose values keep their addresses meanwhile.
	verdicts map[verdictKey]error
	leaves   map[*jsonschema.Schema]bool // copies without a schema inside
	inner    int                         // schemas met inside others so far
}

type verdictKey struct {
	schema *jsonschema.Schema
	value  uintptr
}

// newMachine returns an empty machine, which copies what it meets.
func newMachine() *machine {
	return &machine{
		copies:   map[*jsonschema.Schema]*jsonschema.Schema{},
		gates:    map[*jsonschema.Schema]*jsonschema.Schema{},
		verdicts: map[verdictKey]error{},
		leaves:   map[*jsonschema.Schema]bool{},
	}
}

// judge validates a value. A machine that a panic left is not used again.
func (d *Document) judge(s *jsonschema.Schema, value any) error {
	if !d.static {
		return s.Validate(value)
	}
	m, ok := d.machines.Get().(*machine)
	if !ok {
		m = newMachine()
	}
	err := m.copy(s).Validate(value)
	clear(m.verdicts)
	d.machines.Put(m)
	return err
}

// dynamic reports whether a verdict may depend on the way that led to a schema, so that none can be
// remembered: a dynamic reference has more than one place to lead to. Schemas of the standard,
// which have many, count as one.
func (t *tree) dynamic() bool {
	anchors, recursive := map[string]int{}, 0
	for _, n := range t.nodes {
		if name, ok := n.schema["$dynamicAnchor"].(string); ok {
			anchors[name]++
		}
		if n.schema["$recursiveAnchor"] == true {
			recursive++
		}
	}
	for _, n := range t.nodes {
		for _, keyword := range references {
			ref, ok := n.schema[keyword].(string)
			if !ok {
				continue
			}
			_, name, _ := strings.Cut(ref, "#")
			_, inside, _ := t.target(n, ref)
			switch {
			case !inside && t.draft.year >= 2019,
				keyword == "$dynamicRef" && anchors[name] > 1,
				keyword == "$recursiveRef" && recursive > 1:
				return true
			}
		}
	}
	return false
}

// A gate is the extension of the schema that stands before another.
type gate struct {
	*machine
	schema *jsonschema.Schema
}

// Validate judges v by the schema behind the gate, unless that was done before. The errors of a
// failure name its place in the schema and in the instance, which are the same each time.
func (g gate) Validate(ctx jsonschema.ValidationContext, v any) error {
	// The name of the step stands in the path of keywords, where a number is passed over.
	const step = "0"
	at, ok := identity(v)
	if !ok {
		return ctx.Validate(g.schema, step, v, "")
	}
	key := verdictKey{g.schema, at}
	verdict, known := g.verdicts[key]
	if !known {
		verdict = ctx.Validate(g.schema, step, v, "")
		g.verdicts[key] = verdict
	}
	return verdict
}

// identity tells an object or array of the instance from every other. Empty arrays may share theirs.
func identity(v any) (uintptr, bool) {
	switch v := v.(type) {
	case map[string]any:
		return reflect.ValueOf(v).Pointer(), true
	case []any:
		return reflect.ValueOf(v).Pointer(), len(v) > 0
	}
	return 0, false
}

// behind returns the gate before a copy of s, or the copy, if it has no schema inside.
func (m *machine) behind(s *jsonschema.Schema) *jsonschema.Schema {
	inner := m.copy(s)
	if inner == nil || m.leaves[inner] {
		return inner
	}
	if g, ok := m.gates[inner]; ok {
		return g
	}
	g := &jsonschema.Schema{
		Location: s.Location, Draft: s.Draft, MinContains: 1, MaxContains: -1,
		MinProperties: -1, MaxProperties: -1, MinItems: -1, MaxItems: -1,
		MinLength: -1, MaxLength: -1,
		Extensions: map[string]jsonschema.ExtSchema{"gate": gate{m, inner}},
	}
	m.gates[inner] = g
	return g
}

// copy returns the machine's copy of a schema.
func (m *machine) copy(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	m.inner++
	if c, ok := m.copies[s]; ok {
		return c
	}
	c := new(jsonschema.Schema)
	*c = *s
	m.copies[s] = c
	before := m.inner
	m.inPlace(c)
	m.below(c)
	m.leaves[c] = m.inner == before
	return c
}

// inPlace copies the schemas that c applies to the same value.
func (m *machine) inPlace(c *jsonschema.Schema) {
	c.Ref, c.Not = m.copy(c.Ref), m.copy(c.Not)
	c.If, c.Then, c.Else = m.copy(c.If), m.copy(c.Then), m.copy(c.Else)
	c.AllOf = each(c.AllOf, m.copy)
	c.AnyOf = each(c.AnyOf, m.copy)
	c.OneOf = each(c.OneOf, m.copy)
	// The library would look for these among its own schemas. There is one to find: see dynamic.
	for _, ref := range []**jsonschema.Schema{&c.RecursiveRef, &c.DynamicRef} {
		if *ref != nil {
			c.AllOf = append(c.AllOf, m.copy(*ref))
			*ref = nil
		}
	}
	c.DependentSchemas = named(c.DependentSchemas, m.copy)
	c.Dependencies = maps.Clone(c.Dependencies)
	for name, value := range c.Dependencies {
		if s, ok := value.(*jsonschema.Schema); ok {
			c.Dependencies[name] = m.copy(s)
		}
	}
}

// below puts gates before the schemas that c applies to what is inside the value.
func (m *machine) below(c *jsonschema.Schema) {
	c.Properties = named(c.Properties, m.behind)
	c.PatternProperties = named(c.PatternProperties, m.behind)
	c.AdditionalProperties = m.either(c.AdditionalProperties)
	c.UnevaluatedProperties = m.behind(c.UnevaluatedProperties)
	c.Items, c.AdditionalItems = m.either(c.Items), m.either(c.AdditionalItems)
	c.PrefixItems = each(c.PrefixItems, m.behind)
	c.Items2020, c.Contains = m.behind(c.Items2020), m.behind(c.Contains)
	c.UnevaluatedItems = m.behind(c.UnevaluatedItems)
}

// either puts gates into the value of a keyword that need not be a schema.
func (m *machine) either(value any) any {
	switch value := value.(type) {
	case *jsonschema.Schema:
		return m.behind(value)
	case []*jsonschema.Schema:
		return each(value, m.behind)
	}
	return value
}

type schemaFunc = func(*jsonschema.Schema) *jsonschema.Schema

func each(list []*jsonschema.Schema, f schemaFunc) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	for _, s := range list {
		out = append(out, f(s))
	}
	return out
}

func named[K comparable](
	list map[K]*jsonschema.Schema, f schemaFunc,
) map[K]*jsonschema.Schema {
	out := maps.Clone(list)
	for name, s := range out {
		out[name] = f(s)
	}
	return out
}
