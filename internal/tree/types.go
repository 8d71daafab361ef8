package tree

// A loneType is a type that stands alone in a schema, as most do. It is kept here once, as text and as
// list: to make them for each schema would take memory twice for each.
type loneType struct {
	raw  []byte
	list []string
}

var loneTypes = [...]loneType{
	lone("string"), lone("object"), lone("integer"), lone("number"), lone("boolean"), lone("array"),
	lone("null"),
}

func lone(name string) loneType { return loneType{[]byte(`"` + name + `"`), []string{name}} }

// Types returns the type names of the schema, which the caller must not change; none means any type.
func (n *Node) Types() []string {
	m := n.Get("type")
	if m == nil {
		return nil
	}
	for i := range loneTypes {
		if t := &loneTypes[i]; string(t.raw) == string(m.Raw) {
			return t.list
		}
	}
	return m.Strings()
}

// SetType sets the keyword type to a single name.
func (n *Node) SetType(name string) {
	for i := range loneTypes {
		if t := &loneTypes[i]; t.list[0] == name {
			n.Set(Member{Key: "type", Raw: t.raw})
			return
		}
	}
	n.SetString("type", name)
}
