package tree

import (
	"bytes"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/jig-go/jig/internal/scan"
)

// Get returns the member with the key, or nil.
func (n *Node) Get(key string) *Member {
	for i := range n.Members {
		if n.Members[i].Key == key {
			return &n.Members[i]
		}
	}
	return nil
}

// Has reports whether the schema has the keyword.
func (n *Node) Has(key string) bool { return n.Get(key) != nil }

// New returns a schema without members, with room for those of most: a type and one rule or two.
func New() *Node {
	n := &struct {
		Node
		room [3]Member
	}{}
	n.Members = n.room[:0]
	return &n.Node
}

// Set replaces the member of the same key in place, or appends it.
func (n *Node) Set(m Member) {
	if old := n.Get(m.Key); old != nil {
		*old = m
		return
	}
	if n.Members == nil {
		n.Members = make([]Member, 0, 4) // a description, too
	}
	n.Members = append(n.Members, m)
}

// InsertAfter puts a member behind the one with the key, or first where there is none.
func (n *Node) InsertAfter(key string, m Member) {
	at := slices.IndexFunc(n.Members, func(m Member) bool { return m.Key == key }) + 1
	n.Members = slices.Insert(n.Members, at, m)
}

// SetRaw sets a keyword to plain JSON.
func (n *Node) SetRaw(key, raw string) { n.Set(Member{Key: key, Raw: []byte(raw)}) }

// SetString sets a keyword to a string.
func (n *Node) SetString(key, s string) {
	n.Set(Member{Key: key, Raw: scan.AppendQuote(nil, s)})
}

// SetStrings sets a keyword to an array of strings.
func (n *Node) SetStrings(key string, list []string) {
	raw := []byte{'['}
	for i, s := range list {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = scan.AppendQuote(raw, s)
	}
	n.Set(Member{Key: key, Raw: append(raw, ']')})
}

// SetValues sets a keyword to an array of values, each given as JSON text.
func (n *Node) SetValues(key string, values [][]byte) {
	raw := append([]byte{'['}, bytes.Join(values, []byte{','})...)
	n.Set(Member{Key: key, Raw: append(raw, ']')})
}

// Delete removes a keyword.
func (n *Node) Delete(key string) {
	n.Members = slices.DeleteFunc(n.Members, func(m Member) bool { return m.Key == key })
}

// String returns the value where that is a string. A nil member has none.
func (m *Member) String() (string, bool) {
	if m == nil || len(m.Raw) == 0 || m.Raw[0] != '"' {
		return "", false
	}
	return string(scan.Unquote(m.Raw)), true
}

// Strings returns the value where that is a string or an array of strings. A nil member has none.
func (m *Member) Strings() []string {
	if s, ok := m.String(); ok {
		return []string{s}
	}
	if !m.isArray() {
		return nil
	}
	c := scan.NewCursor(m.Raw)
	text := string(m.Raw) // of which most strings are parts
	var list []string
	for more := c.Enter(); more; more = c.More() {
		if c.Kind() != scan.String {
			return nil
		}
		if list == nil {
			list = make([]string, 0, m.room())
		}
		raw, end := c.RawString(), c.Offset()
		if bytes.IndexByte(raw, '\\') < 0 {
			list = append(list, text[end-len(raw)+1:end-1])
		} else {
			list = append(list, string(scan.Unquote(raw)))
		}
	}
	return list
}

// isArray reports whether the value is an array of plain JSON. A nil member has none.
func (m *Member) isArray() bool { return m != nil && len(m.Raw) > 0 && m.Raw[0] == '[' }

// room returns for how many values of an array to make room at first.
func (m *Member) room() int { return min(1+bytes.Count(m.Raw, []byte{','}), 64) }

// String returns a keyword's value where that is a string.
func (n *Node) String(key string) (string, bool) { return n.Get(key).String() }

// Strings returns a keyword's value where that is a string or an array of strings.
func (n *Node) Strings(key string) []string { return n.Get(key).Strings() }

// Values returns the texts of a keyword's value where that is an array.
func (n *Node) Values(key string) [][]byte { return n.Get(key).values() }

// values returns the texts of the value where that is an array. A nil member has none.
func (m *Member) values() [][]byte {
	if !m.isArray() {
		return nil
	}
	c := scan.NewCursor(m.Raw)
	var out [][]byte
	for more := c.Enter(); more; more = c.More() {
		if out == nil {
			out = make([][]byte, 0, m.room())
		}
		out = append(out, c.Skip())
	}
	return out
}

// Property returns the schema of a declared property, or nil.
func (n *Node) Property(name string) *Node {
	m := n.Get("properties")
	if m == nil {
		return nil
	}
	for _, e := range m.Named {
		if e.Name == name {
			return e.Node
		}
	}
	return nil
}

// A Step leads from a schema to one directly inside it.
type Step struct {
	Key   string // the keyword
	form  shape  // of its value: single, list or table
	name  string // in a table
	index int    // in a list
}

// Pointer returns the JSON pointer that leads from the one to the other.
func (s Step) Pointer() string {
	at := "/" + Escape(s.Key)
	switch s.form {
	case list:
		return at + "/" + strconv.Itoa(s.index)
	case table:
		return at + "/" + Escape(s.name)
	}
	return at
}

// Children visits every schema directly inside n with the step that leads there.
func (n *Node) Children() iter.Seq2[Step, *Node] {
	return func(yield func(Step, *Node) bool) {
		for i := range n.Members {
			if !n.Members[i].children(yield) {
				return
			}
		}
	}
}

// Children visits the schemas directly inside a member.
func (m *Member) Children() iter.Seq2[Step, *Node] {
	return func(yield func(Step, *Node) bool) { m.children(yield) }
}

func (m *Member) children(yield func(Step, *Node) bool) bool {
	key := m.Key // m may be taken away meanwhile
	if m.Node != nil && !yield(Step{Key: key, form: single}, m.Node) {
		return false
	}
	for i, n := range m.List {
		if !yield(Step{Key: key, form: list, index: i}, n) {
			return false
		}
	}
	for _, e := range m.Named {
		if !yield(Step{Key: key, form: table, name: e.Name}, e.Node) {
			return false
		}
	}
	return true
}

// Count returns the number of schemas in n, itself included.
func (n *Node) Count() int {
	count := 0
	n.Any(func(*Node) bool {
		count++
		return false
	})
	return count
}

// Any reports whether f holds of n or of a schema inside it, at any depth.
func (n *Node) Any(f func(*Node) bool) bool {
	if f(n) {
		return true
	}
	for i := range n.Members {
		m := &n.Members[i]
		if m.Node != nil && m.Node.Any(f) {
			return true
		}
		for _, child := range m.List {
			if child.Any(f) {
				return true
			}
		}
		for _, e := range m.Named {
			if e.Node.Any(f) {
				return true
			}
		}
	}
	return false
}

// At returns the schema at a JSON pointer into n, or nil. "" is n itself.
func (n *Node) At(pointer string) *Node {
	if pointer == "" {
		return n
	}
	for step, child := range n.Children() {
		if rest, ok := strings.CutPrefix(pointer, step.Pointer()); ok && (rest == "" || rest[0] == '/') {
			if found := child.At(rest); found != nil {
				return found
			}
		}
	}
	return nil
}

// Referred returns the schema inside root that n's $ref leads to, or nil.
func (n *Node) Referred(root *Node) *Node {
	ref, ok := n.String("$ref")
	if !ok || !strings.HasPrefix(ref, "#") {
		return nil
	}
	pointer, err := url.PathUnescape(ref[1:])
	if err != nil {
		return nil
	}
	return root.At(pointer)
}

// Expanded returns a copy of the schema that n refers to inside root, with n's other keywords set
// over it; n itself where it refers to none.
func (n *Node) Expanded(root *Node) *Node {
	target := n.Referred(root)
	if target == nil || target.Bool != nil {
		return n
	}
	out := target.Clone()
	for _, m := range n.Members {
		if m.Key != "$ref" {
			out.Set(m)
		}
	}
	return out
}

var escaper = strings.NewReplacer("~", "~0", "/", "~1")

// Escape writes a name as one reference token of a JSON pointer (RFC 6901, section 3).
func Escape(name string) string {
	if strings.IndexByte(name, '~') < 0 && strings.IndexByte(name, '/') < 0 {
		return name
	}
	return escaper.Replace(name)
}
