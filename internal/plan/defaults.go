package plan

import (
	"reflect"

	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// maxFilled bounds the bytes that are filled in inside one default: where each is given two others, a short
// schema would fill all memory.
const maxFilled = 64 << 10

// A given is the default of an optional property as the schema gives it.
type given struct {
	object     *objectRule
	property   int        // of its properties, which may move until all rules are made
	root, node *tree.Node // node is the schema of the property, and stands in root
	raw        []byte
	pointer    string // of the property
	size       int    // in bytes, with what is filled in inside; zero: not known yet
}

// underway is the size of a default while it is found out.
const underway = -1

func (g *given) target() *property { return &g.object.props[g.property] }

// give notes the default of a property, whose schema n stands in root. A null says no more than absence does.
func (c *compiler) give(o *objectRule, property int, root, n *tree.Node, pointer string) {
	if m := n.Get("default"); m != nil && string(m.Raw) != "null" {
		c.defaults = append(c.defaults, given{o, property, root, n, m.Raw, pointer, 0})
	}
}

// setDefaults gives the properties their defaults, but for those without end and those that their own schema
// refuses.
func (c *compiler) setDefaults() {
	if len(c.defaults) == 0 { // as of most schemas
		return
	}
	for i := range c.defaults {
		g := &c.defaults[i]
		g.target().def = g.raw
	}
	c.endDefaults()
	for i := range c.defaults {
		g := &c.defaults[i]
		if g.target().def == nil {
			continue
		}
		worded := Plan{schema: g.root} // whose keywords the message quotes
		if found := worded.runRule(g.target().rule, g.raw, reflect.Value{}, false); found.Total > 0 {
			g.target().def = nil
			c.fault(g.pointer, "default", "the default %s is refused by its own schema: %s", g.raw,
				found.Problems[0].Message)
		}
	}
}

// endDefaults drops the defaults that would be filled in without end: each is, wherever its property is
// absent, inside other defaults and inside itself.
func (c *compiler) endDefaults() {
	inside := growing{c, map[*property]*given{}}
	for i := range c.defaults {
		g := &c.defaults[i]
		if kind := kindOf(g.raw); kind == scan.Object || kind == scan.Array {
			inside.given[g.target()] = g
		}
	}
	for i := range c.defaults {
		inside.size(c.defaults[i].target())
	}
}

// growing finds out how large defaults get.
type growing struct {
	*compiler
	given map[*property]*given // those that others may be filled in inside of
}

// size returns the size of a property's default with what is filled in inside it; zero: it has none, now.
func (in growing) size(p *property) int {
	g := in.given[p]
	switch {
	case p.def == nil:
		return 0
	case g == nil:
		return len(p.def)
	case g.size == underway:
		in.drop(g, "is filled in inside itself, without end")
		return 0
	case g.size == 0:
		in.grow(g)
	}
	if p.def == nil {
		return 0
	}
	return g.size
}

// drop takes a default back, from every rule of its schema.
func (in growing) drop(g *given, why string) {
	for i := range in.defaults {
		if other := &in.defaults[i]; other.node == g.node {
			other.target().def = nil
		}
	}
	in.fault(g.pointer, "default", "the default %s %s", g.raw, why)
}

// grow finds out the size of one default.
func (in growing) grow(g *given) {
	g.size = underway
	filled := 0
	own := g.target().rule.rewritten(g.raw, func(p *property) []byte {
		filled = min(filled+in.size(p), maxFilled+1)
		return nil
	}, nil)
	g.size = len(own) + filled
	if g.target().def != nil && filled > maxFilled {
		in.drop(g, "is too large with the defaults that are filled in inside it")
	}
}
