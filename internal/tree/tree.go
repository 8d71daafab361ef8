// Package tree holds a JSON Schema as an ordered document.
//
// The tree knows which members of a schema are schemas themselves and which are plain JSON, so that
// a property named "title" or "$ref" is never taken for the keyword of that name. The order of the
// members is the order of the text they came from, and rendering is byte-stable.
package tree

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/jig-go/jig/internal/scan"
)

// A Node is one schema: the literal true or false, or an object of keywords.
type Node struct {
	Bool    *bool    // set for the literals true and false; Members is empty then
	Members []Member // in order
	// Text is a check that no JSON keyword can express. It is part of the enforced form only; nil
	// means none.
	Text *Text
	// Value is such a check of a value of any kind; nil means none.
	Value *Value
	// Withheld are properties that nobody may send and that a decoder still fills with their
	// defaults. They are part of no text.
	Withheld []Withheld
}

// A Withheld property still stands in the schema that it was taken out of, which never changes: what it
// refers to is there, whatever becomes of the schema without it.
type Withheld struct {
	Named
	Root *Node
}

// A Value is a check of JSON values, such as a type's own UnmarshalJSON.
type Value struct {
	Valid func(checked []byte) bool
}

// A Text is a check of strings, such as a type's own UnmarshalText.
type Text struct {
	Valid func(string) bool
	Want  string // what a right string is, for a message
	// Type is the Go type that the check parses for. A decoder that fills this very type finds
	// out by itself and need not run the check first.
	Type reflect.Type
}

// A Member is one keyword with its value. Exactly one of Raw, Node, List and Named is set.
type Member struct {
	Key   string
	Raw   []byte  // checked, compact JSON without a schema inside
	Node  *Node   // items, additionalProperties, not, ...
	List  []*Node // anyOf, prefixItems, ...
	Named []Named // properties, $defs, ...
	// Enforced marks what Go needs and a model need not read: it is checked, and not shown.
	Enforced bool
}

// Named is one entry of a table of schemas, such as one property.
type Named struct {
	Name string
	Node *Node
}

// shape says what a keyword's value holds.
type shape uint8

const (
	plain  shape = iota // no schema inside
	single              // one schema
	list                // an array of schemas
	table               // an object whose values are schemas
	either              // one schema, or an array of them (items before 2020-12)
)

// shapes lists the keywords with schemas inside, of all drafts from 04 to 2020-12
// (https://json-schema.org/draft/2020-12/json-schema-core, read 2026-11).
var shapes = map[string]shape{
	"additionalItems":       single,
	"additionalProperties":  single,
	"contains":              single,
	"contentSchema":         single,
	"else":                  single,
	"if":                    single,
	"not":                   single,
	"propertyNames":         single,
	"then":                  single,
	"unevaluatedItems":      single,
	"unevaluatedProperties": single,
	"allOf":                 list,
	"anyOf":                 list,
	"oneOf":                 list,
	"prefixItems":           list,
	"$defs":                 table,
	"definitions":           table,
	"dependentSchemas":      table,
	"patternProperties":     table,
	"properties":            table,
	"items":                 either,
}

// Parse reads a schema out of checked JSON text. Where a schema is expected and something else
// stands, that keyword is kept as plain JSON: whether it is legal is the validator's to say.
func Parse(checked []byte) (*Node, bool) {
	c := scan.NewCursor(checked)
	return parseNode(&c)
}

func parseNode(c *scan.Cursor) (*Node, bool) {
	switch c.Kind() {
	case scan.Bool:
		return Literal(c.Bool()), true
	case scan.Object:
	default:
		c.Skip()
		return nil, false
	}
	n := New()
	for more := c.Enter(); more; more = c.More() {
		key := string(c.Key())
		start := *c
		m, ok := parseMember(c, key)
		if !ok {
			*c = start
			m = Member{Raw: scan.Compact(nil, c.Skip())}
		}
		m.Key = key
		n.Members = append(n.Members, m)
	}
	return n, true
}

func parseMember(c *scan.Cursor, key string) (Member, bool) {
	form := shapes[key]
	if form == either {
		form = single
		if c.Kind() == scan.Array {
			form = list
		}
	}
	switch form {
	case single:
		n, ok := parseNode(c)
		return Member{Node: n}, ok
	case list:
		return parseList(c)
	case table:
		return parseTable(c)
	}
	return Member{}, false
}

func parseList(c *scan.Cursor) (Member, bool) {
	if c.Kind() != scan.Array {
		return Member{}, false
	}
	m := Member{List: []*Node{}}
	for more := c.Enter(); more; more = c.More() {
		n, ok := parseNode(c)
		if !ok {
			return Member{}, false
		}
		m.List = append(m.List, n)
	}
	return m, true
}

func parseTable(c *scan.Cursor) (Member, bool) {
	if c.Kind() != scan.Object {
		return Member{}, false
	}
	m := Member{Named: []Named{}}
	for more := c.Enter(); more; more = c.More() {
		name := string(c.Key())
		n, ok := parseNode(c)
		if !ok {
			return Member{}, false
		}
		m.Named = append(m.Named, Named{Name: name, Node: n})
	}
	return m, true
}

// A Form says which members a rendering has.
type Form struct {
	Enforced       bool // the members that are checked and not shown, too
	Identity       bool // $schema, $id and $comment, too
	NoDescriptions bool // no description
}

// hidden reports whether the form leaves m out.
func (f Form) hidden(m *Member) bool {
	switch {
	case m.Enforced:
		return !f.Enforced
	case m.Key == "description":
		return f.NoDescriptions
	case m.Key == "$schema" || m.Key == "$id" || m.Key == "$comment":
		return !f.Identity
	}
	return false
}

// IsLiteral reports whether a keyword says how open its own schema is, so that its value may be shown as
// true or false. Elsewhere clients drop a whole list of tools for a schema that is no object.
func IsLiteral(key string) bool {
	switch key {
	case "additionalProperties", "additionalItems", "unevaluatedProperties", "unevaluatedItems":
		return true
	}
	return false
}

// Size is about the length of the schema as text with all members, so that a text need not grow.
func (n *Node) Size() int {
	size := len("{},")
	for i := range n.Members {
		m := &n.Members[i]
		size += len(m.Key) + len(m.Raw) + len(`"":{},`)
		if m.Node != nil {
			size += m.Node.Size()
		}
		for _, child := range m.List {
			size += child.Size()
		}
		for _, e := range m.Named {
			size += len(e.Name) + len(`"":`) + e.Node.Size()
		}
	}
	return size
}

// Append renders the schema as compact JSON without HTML escapes. A literal below the root is shown
// as the object that means the same.
func (n *Node) Append(dst []byte, f Form) []byte {
	if n.Bool != nil {
		return strconv.AppendBool(dst, *n.Bool)
	}
	dst = append(dst, '{')
	first := true
	for i := range n.Members {
		m := &n.Members[i]
		if f.hidden(m) {
			continue
		}
		dst = appendKey(dst, m.Key, &first)
		dst = m.appendValue(dst, f)
	}
	return append(dst, '}')
}

func (m *Member) appendValue(dst []byte, f Form) []byte {
	switch {
	case m.Node != nil && IsLiteral(m.Key):
		return m.Node.Append(dst, f)
	case m.Node != nil:
		return m.Node.appendObject(dst, f)
	case m.List != nil:
		dst = append(dst, '[')
		for i, n := range m.List {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = n.appendObject(dst, f)
		}
		return append(dst, ']')
	case m.Named != nil:
		dst = append(dst, '{')
		first := true
		for _, e := range m.Named {
			dst = appendKey(dst, e.Name, &first)
			dst = e.Node.appendObject(dst, f)
		}
		return append(dst, '}')
	}
	return append(dst, m.Raw...)
}

func (n *Node) appendObject(dst []byte, f Form) []byte {
	switch {
	case n.Bool == nil || f.Identity:
		return n.Append(dst, f)
	case *n.Bool:
		return append(dst, "{}"...)
	}
	return append(dst, `{"not":{}}`...)
}

func appendKey(dst []byte, key string, first *bool) []byte {
	if !*first {
		dst = append(dst, ',')
	}
	*first = false
	return append(scan.AppendQuote(dst, key), ':')
}

// Literal returns the schema true, which accepts everything, or false, which accepts nothing.
func Literal(b bool) *Node { return &Node{Bool: &b} }

// Clone returns a deep copy; Raw texts are shared, since nothing writes to them.
func (n *Node) Clone() *Node {
	c := &Node{Bool: n.Bool, Text: n.Text, Value: n.Value,
		Withheld: slices.Clone(n.Withheld), Members: slices.Clone(n.Members)}
	for i := range c.Members {
		m := &c.Members[i]
		if m.Node != nil {
			m.Node = m.Node.Clone()
		}
		if m.List != nil {
			m.List = cloneList(m.List)
		}
		if m.Named != nil {
			m.Named = cloneTable(m.Named)
		}
	}
	return c
}

func cloneList(list []*Node) []*Node {
	out := make([]*Node, len(list))
	for i, n := range list {
		out[i] = n.Clone()
	}
	return out
}

func cloneTable(table []Named) []Named {
	if table == nil {
		return nil
	}
	out := make([]Named, len(table))
	for i, e := range table {
		out[i] = Named{Name: e.Name, Node: e.Node.Clone()}
	}
	return out
}
