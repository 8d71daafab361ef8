package codec

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/jig-go/jig/internal/tags"
	"github.com/jig-go/jig/internal/tree"
)

// Own returns the schema that a type gives itself, or nil for a type that gives none.
type Own func(reflect.Type) (*tree.Node, error)

// unread refuses a type that reads JSON in a way that nothing tells.
const unread = "type %s has its own UnmarshalJSON, and nothing says which JSON it reads; " +
	"give it a method JSONSchema() *jig.Schema, or the field a jsonschema tag with type="

// ownSchema asks a type for its own schema.
func (w *walker) ownSchema(t reflect.Type, path string) *tree.Node {
	if w.own == nil || t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer || methodless(t) {
		return nil
	}
	node, err := w.own(t)
	if err != nil {
		w.refuseType(t, path, "%s", err)
	}
	w.whole.owns = w.whole.owns || node != nil
	return node
}

// HasOwn reports whether the type gives itself a schema.
func (t *Type) HasOwn() bool { return t.own != nil }

// Owns reports whether the type, or one inside it, gives itself a schema.
// Requirement: t is what OfOwn returned.
func (t *Type) Owns() bool { return t.whole.owns }

// FillJSON sets v by the type's own UnmarshalJSON and reports whether it could.
// Requirement: t.Kind is Custom, and t was walked for Arguments.
func (t *Type) FillJSON(v reflect.Value, raw []byte) bool {
	return v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(raw) == nil
}

// owned returns the schema that t gives itself, for use inside another one. A schema with references
// of its own is put into $defs, where they are made to lead.
func (b *builder) owned(t *Type) *tree.Node {
	if !hasReference(t.own) {
		node := t.own.Clone()
		b.readBy(node, t)
		return node
	}
	name, ok := b.names[t]
	if !ok {
		name = b.name(t)
		b.names[t] = name
		node := rebased(t.own, "#/$defs/"+name)
		b.readBy(node, t)
		b.defs = append(b.defs, tree.Named{Name: name, Node: node})
	}
	ref := &tree.Node{}
	ref.SetString("$ref", "#/$defs/"+name)
	return ref
}

// readBy adds the check that the methods of t can read the value.
func (b *builder) readBy(n *tree.Node, t *Type) {
	switch {
	case b.mode == Results:
	case t.Kind == Custom:
		n.Value = &tree.Value{
			Valid: func(raw []byte) (ok bool) {
				defer func() { ok = recover() == nil && ok }() // what panics reads nothing
				return t.FillJSON(reflect.New(t.Go).Elem(), raw)
			},
		}
	case t.Kind == Text:
		n.Text = t.textCheck()
	}
}

// textCheck is the check that a string can be parsed.
func (t *Type) textCheck() *tree.Text {
	return &tree.Text{
		Valid: func(s string) (ok bool) {
			defer func() { ok = recover() == nil && ok }() // what panics reads nothing
			return t.FillString(reflect.New(t.Go).Elem(), s)
		},
		Want: t.text.want,
		Type: t.Go,
	}
}

func hasReference(n *tree.Node) bool {
	if n.Has("$ref") || n.Has("$dynamicRef") {
		return true
	}
	for _, child := range n.Children() {
		if hasReference(child) {
			return true
		}
	}
	return false
}

// rebased returns a copy whose references to its own root lead to the place at.
func rebased(n *tree.Node, at string) *tree.Node {
	out := n.Clone()
	rebase(out, at)
	return out
}

func rebase(n *tree.Node, at string) {
	if ref, ok := n.String("$ref"); ok && strings.HasPrefix(ref, "#") {
		n.SetString("$ref", at+ref[1:])
	}
	for _, child := range n.Children() {
		rebase(child, at)
	}
}

// byTag returns the schema that a field's type= gives a type which says nothing itself, or nil.
func (b *builder) byTag(t *Type, said tags.Result) *tree.Node {
	if said.Type == "" || t.own != nil {
		return nil
	}
	n := &tree.Node{}
	n.SetType(said.Type)
	b.readBy(n, t)
	return n
}

// ownKind is the kind that a type's own schema gives tags to go on.
func ownKind(n *tree.Node) tags.Kind {
	types := n.Types()
	if len(types) != 1 {
		return tags.Any
	}
	kinds := map[string]tags.Kind{"string": tags.String, "integer": tags.Integer,
		"number": tags.Number, "boolean": tags.Boolean, "array": tags.Array, "object": tags.Object}
	return kinds[types[0]]
}
