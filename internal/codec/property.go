package codec

import (
	"slices"

	"github.com/jig-go/jig/internal/decimal"
	"github.com/jig-go/jig/internal/tags"
	"github.com/jig-go/jig/internal/tree"
)

// readings returns what the tags of a struct's fields say, one for each. A struct that is inlined twice
// is read once.
func (b *builder) readings(t *Type) []tags.Reading {
	if known, ok := b.read[t]; ok {
		return known
	}
	fields := make([]tags.Field, len(t.Fields))
	for i := range t.Fields {
		if f := &t.Fields[i]; !f.Hidden {
			base, nullable := f.Type.Base()
			fields[i] = tags.Field{Tag: f.Tag, Target: target(base, nullable)}
		}
	}
	b.read[t] = tags.Parse(fields)
	return b.read[t]
}

// property returns the schema of a field: that of its type, with what the tags say.
func (b *builder) property(f *Field, read tags.Reading) *tree.Node {
	for _, p := range read.Problems {
		b.refuse(f.Path, "%s", p)
	}
	said := read.Result
	base, _ := f.Type.Base()
	if f.masked {
		n := &tree.Node{}
		n.SetType("string")
		if said.Description != "" {
			n.SetString("description", said.Description)
		}
		return n
	}
	node := b.byTag(base, said)
	if node == nil {
		node = b.base(f, base, said.Node)
	}
	return b.tagged(f, node, said)
}

// base returns the schema that the tags of a field go on. A type that contains itself is inlined
// once where they narrow it, since not every validator looks at keywords beside a $ref.
func (b *builder) base(f *Field, t *Type, said []tags.Keyword) *tree.Node {
	narrows := func(k tags.Keyword) bool { return constrains[k.Key] && k.Key != "default" }
	if !b.recursive[t] || !slices.ContainsFunc(said, narrows) {
		return b.node(t, f.Path)
	}
	if b.open[t] {
		b.refuse(f.Path, "a type that contains itself takes no such keywords inside itself; "+
			"leave them out of the jsonschema tag")
		return &tree.Node{}
	}
	b.open[t] = true
	defer delete(b.open, t)
	return b.inline(t, f.Path)
}

// tagged puts what the tags of a field say on the schema of its type.
func (b *builder) tagged(f *Field, node *tree.Node, said tags.Result) *tree.Node {
	base, nullable := f.Type.Base()
	if said.Required && f.Optional {
		b.refuse(f.Path, "the field is required by its jsonschema tag and optional by its json tag; "+
			"leave one of them out")
	}
	b.formats(f, base, said)
	b.apply(node, said.Node)
	if items := itemsOf(node); items != nil && base.Elem != nil {
		b.apply(items, said.Items)
		if _, null := base.Elem.Base(); null {
			node.Set(tree.Member{Key: "items", Node: tree.Nullable(items)}) // an enum lists null
		}
	}
	if len(said.Node) > 0 || base.own != nil { // a type alone is not
		b.impossible(f, node)
	}
	if said.Description != "" {
		setDescription(node, said.Description)
	}
	if node.Has("default") && !f.Optional {
		b.refuse(f.Path, "a default on a required field never applies; add omitempty to its json tag")
	}
	if nullable || said.Nullable {
		node = tree.Nullable(node)
	}
	for _, n := range []*tree.Node{node, itemsOf(node)} {
		if n != nil && (n.Has("enum") || n.Has("default")) && !onlyStrings(n) {
			b.checks = append(b.checks, Check{Path: f.Path, Node: n})
		}
	}
	return node
}

// onlyStrings reports whether a schema takes the values that it lists at a glance: they are strings, and it
// asks for no more than that.
func onlyStrings(n *tree.Node) bool {
	asks := func(m tree.Member) bool {
		return m.Key != "type" && m.Key != "enum" && m.Key != "title" && m.Key != "description"
	}
	typ, _ := n.String("type")
	return typ == "string" && n.Strings("enum") != nil && n.Text == nil && n.Value == nil &&
		!slices.ContainsFunc(n.Members, asks)
}

// formats refuses a format on a string that the Go type reads by a form of its own: no value has both.
func (b *builder) formats(f *Field, t *Type, said tags.Result) {
	refuse := func(t *Type, keywords []tags.Keyword) {
		base, _ := t.Base()
		if (base.Kind == Text || base.Kind == Quoted) && base.own == nil &&
			slices.ContainsFunc(keywords, func(k tags.Keyword) bool { return k.Key == "format" }) {
			b.refuse(f.Path, "the format of this field is that of its Go type, %s; leave format= out, "+
				"or make the field a string", base.Go)
		}
	}
	refuse(t, said.Node)
	if t.Elem != nil {
		refuse(t.Elem, said.Items)
	}
}

// impossible refuses a lower limit above the upper one, which type and tags may have only together.
func (b *builder) impossible(f *Field, n *tree.Node) {
	for _, pair := range [][2]string{
		{"minItems", "maxItems"}, {"minLength", "maxLength"}, {"minimum", "maximum"},
	} {
		low, high := n.Get(pair[0]), n.Get(pair[1])
		if low != nil && high != nil && less(high.Raw, low.Raw) {
			b.refuse(f.Path, "no value has %s %s and %s %s; correct the jsonschema tag",
				pair[0], low.Raw, pair[1], high.Raw)
		}
	}
}

func itemsOf(n *tree.Node) *tree.Node {
	if m := n.Get("items"); m != nil {
		return m.Node
	}
	return nil
}

// apply sets keywords on a node. A bound of the tag beside one of the Go type counts where it is
// the narrower; the check of the compiled schema refuses enum values outside both.
func (b *builder) apply(n *tree.Node, keywords []tags.Keyword) {
	for _, k := range keywords {
		if b.mode == Results && constrains[k.Key] {
			continue
		}
		switch old := n.Get(k.Key); {
		case old == nil:
			n.Set(tree.Member{Key: k.Key, Raw: k.Value})
		case (k.Key == "minimum" || k.Key == "minItems") && less(k.Value, old.Raw),
			(k.Key == "maximum" || k.Key == "maxItems") && less(old.Raw, k.Value):
		default:
			*old = tree.Member{Key: k.Key, Raw: k.Value}
		}
	}
}

// constrains lists the keywords that narrow a value. A result's schema has none of them: a value
// that was redacted or out of range is still what the tool returned.
var constrains = map[string]bool{
	"pattern": true, "minLength": true, "maxLength": true, "multipleOf": true, "minimum": true,
	"exclusiveMinimum": true, "maximum": true, "exclusiveMaximum": true, "minItems": true,
	"maxItems": true, "uniqueItems": true, "enum": true, "format": true, "default": true,
}

// setDescription puts the description where it is read first: right after the type.
func setDescription(n *tree.Node, text string) {
	if n.Has("description") {
		n.SetString("description", text)
		return
	}
	var d tree.Node
	d.SetString("description", text)
	at := 0
	if len(n.Members) > 0 {
		at = 1
	}
	n.Members = append(n.Members[:at:at], append(d.Members, n.Members[at:]...)...)
}

func less(a, b []byte) bool {
	x, okX := decimal.Parse(a)
	y, okY := decimal.Parse(b)
	return okX && okY && x.Cmp(y) < 0
}

func target(t *Type, nullable bool) tags.Target {
	if t.own != nil {
		return tags.Target{Kind: ownKind(t.own), Nullable: nullable}
	}
	out := tags.Target{Kind: tagKind(t), Nullable: nullable}
	if t.Kind == Slice || t.Kind == Array {
		elem, _ := t.Elem.Base()
		out.Elem = tagKind(elem)
	}
	return out
}

func tagKind(t *Type) tags.Kind {
	switch t.Kind {
	case Bool:
		return tags.Boolean
	case Int, Uint, BigInt:
		return tags.Integer
	case Float, Number:
		return tags.Number
	case String, Text, Quoted:
		return tags.String
	case Slice, Array:
		return tags.Array
	case Map, Struct:
		return tags.Object
	}
	return tags.Any
}
