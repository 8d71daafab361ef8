package codec

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/jig-go/jig/internal/tags"
	"github.com/jig-go/jig/internal/tree"
)

// A Check asks for a test that only the compiled schema can make: that the enum values and the
// default of a node satisfy the rest of the node.
type Check struct {
	Path string // the Go path of the field
	Node *tree.Node
}

// maxNodes bounds the size of one schema: inlined types multiply, and no provider takes more.
const maxNodes = 20_000

// Schema returns the JSON Schema of t, the checks that are left to the caller, and what is wrong
// with its tags. Types that contain themselves are put into $defs; all others are inlined.
// A type that Of refused is described as far as that goes, so that its tags are checked as well.
func (t *Type) Schema(root string, mode Mode) (*tree.Node, []Check, []Problem) {
	b := builder{
		mode: mode, names: map[*Type]string{}, taken: map[string]bool{}, said: map[Problem]bool{},
		open: map[*Type]bool{}, read: map[*Type][]tags.Reading{},
	}
	b.recursive = recursive(t)
	node := b.inline(t, root)
	if b.recursive[t] {
		b.reference(t, root) // the root stays an object and is in $defs as well
	}
	if len(b.defs) > 0 {
		node.Set(tree.Member{Key: "$defs", Named: b.defs})
	}
	return node, b.checks, b.problems
}

type builder struct {
	mode      Mode
	recursive map[*Type]bool
	names     map[*Type]string
	taken     map[string]bool
	defs      []tree.Named
	nodes     int
	checks    []Check
	problems  []Problem
	said      map[Problem]bool         // a struct that is inlined twice says everything twice
	open      map[*Type]bool           // recursive types that are being inlined under tags
	read      map[*Type][]tags.Reading // see readings
}

func (b *builder) refuse(path, format string, args ...any) {
	p := Problem{Path: path, Message: fmt.Sprintf(format, args...)}
	if !b.said[p] {
		b.said[p] = true
		b.problems = append(b.problems, p)
	}
}

// node returns the schema of t where it is used: a reference for a recursive type. Only a type with
// a name can contain itself, so that every cycle has one.
func (b *builder) node(t *Type, path string) *tree.Node {
	if b.recursive[t] && t.Go.Name() != "" {
		return b.reference(t, path)
	}
	return b.inline(t, path)
}

// reference returns a $ref to t, after putting t into $defs at its first use.
func (b *builder) reference(t *Type, path string) *tree.Node {
	name, ok := b.names[t]
	if !ok {
		name = b.name(t)
		b.names[t] = name
		at := len(b.defs)
		b.defs = append(b.defs, tree.Named{Name: name})
		b.defs[at].Node = b.inline(t, path)
	}
	n := &tree.Node{}
	n.SetString("$ref", "#/$defs/"+name)
	return n
}

// name makes a $defs key out of a type's name: letters that every provider takes, one per type.
func (b *builder) name(t *Type) string {
	base := defName(t.Go)
	name := base
	for i := 2; b.taken[name]; i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	b.taken[name] = true
	return name
}

// defName drops the package paths inside a generic type's name, and what $defs keys cannot hold.
func defName(t reflect.Type) string {
	if t.Name() == "" {
		return t.Kind().String()
	}
	var out strings.Builder
	word := ""
	flush := func() {
		out.WriteString(word[strings.LastIndexAny(word, "./")+1:])
		word = ""
	}
	for _, r := range t.Name() {
		switch {
		case r == '[' || r == ']' || r == ',' || r == '*':
			flush()
			if s := out.String(); s != "" && !strings.HasSuffix(s, "_") && r != ']' {
				out.WriteByte('_')
			}
		case r == '.' || r == '/' || r == '-' || r == '_' || r < 0x80 && isAlnum(byte(r)):
			word += string(r)
		case r == '·':
			flush()
			out.WriteByte('_')
		default:
			word += "_"
		}
	}
	flush()
	return out.String()
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// inline returns the schema of t itself.
func (b *builder) inline(t *Type, path string) *tree.Node {
	if b.nodes++; b.nodes >= maxNodes {
		if b.nodes == maxNodes {
			b.refuse(path, "the schema has more than %d nodes; use fewer nested types", maxNodes)
		}
		return &tree.Node{}
	}
	switch {
	case t.own != nil:
		return b.owned(t)
	case t.Kind == Pointer:
		return tree.Nullable(b.node(t.Elem, path))
	}
	n := tree.New()
	switch t.Kind {
	case Custom:
		if b.mode == Arguments {
			b.refuse(path, unread, t.Go)
		}
	case Error:
		n.SetStrings("type", []string{"string", "null"})
	case Bool:
		n.SetType("boolean")
	case Int, Uint:
		n.SetType("integer")
		b.bounds(n, t)
	case BigInt:
		n.SetType("integer")
		b.bound(n, "exclusiveMinimum", []byte("-"+bigLimit), true)
		b.bound(n, "exclusiveMaximum", []byte(bigLimit), true)
	case Float:
		n.SetType("number")
		limit := largestFloat(t.Bits)
		b.bound(n, "minimum", []byte("-"+limit), true)
		b.bound(n, "maximum", []byte(limit), true)
	case Number:
		n.SetType("number")
	case String:
		n.SetType("string")
	case Text, Quoted:
		b.textNode(n, t)
	case Slice, Array:
		n.SetType("array")
		n.Set(tree.Member{Key: "items", Node: b.node(t.Elem, path+"[]")})
		if t.Kind == Array {
			length := strconv.AppendInt(nil, int64(t.Len), 10)
			b.bound(n, "minItems", length, false)
			b.bound(n, "maxItems", length, false)
		}
	case Map:
		b.mapNode(n, t, path)
	case Struct:
		b.structNode(n, t)
	}
	return n
}

// bounds says the range of a sized integer. The 64-bit bounds are enforced and not shown: they
// cost tokens, and several providers read them as floats.
func (b *builder) bounds(n *tree.Node, t *Type) {
	wide := t.Bits == 64
	if t.Kind == Uint {
		b.bound(n, "minimum", []byte("0"), false)
		b.bound(n, "maximum", strconv.AppendUint(nil, math.MaxUint64>>(64-t.Bits), 10), wide)
		return
	}
	largest := int64(math.MaxInt64) >> (64 - t.Bits)
	b.bound(n, "minimum", strconv.AppendInt(nil, -largest-1, 10), wide)
	b.bound(n, "maximum", strconv.AppendInt(nil, largest, 10), wide)
}

func (b *builder) bound(n *tree.Node, key string, value []byte, enforced bool) {
	if b.mode == Results {
		return // a result's schema carries no value constraints
	}
	n.Set(tree.Member{Key: key, Raw: value, Enforced: enforced})
}

// bigLimit keeps big integers within the numbers that JSON text may hold, and one of them from
// taking the memory of a number with thousands of digits.
const bigLimit = "1e999"

// textNode says what a string of t looks like. What no keyword can say is checked by parsing.
func (b *builder) textNode(n *tree.Node, t *Type) {
	n.SetType("string")
	x := t.text
	if x.description != "" {
		n.SetString("description", x.description)
	}
	if b.mode == Results {
		return
	}
	if x.enum != nil {
		n.SetStrings("enum", x.enum)
	}
	if x.pattern != "" {
		n.SetString("pattern", x.pattern)
	}
	if x.encoding != "" {
		n.SetString("contentEncoding", x.encoding)
	}
	if x.format != "" {
		n.SetString("format", x.format)
	} else {
		label, _ := json.Marshal("go-" + t.Go.String())
		n.Set(tree.Member{Key: "format", Raw: label, Enforced: true})
	}
	n.Text = t.textCheck()
}

func (b *builder) mapNode(n *tree.Node, t *Type, path string) {
	n.SetType("object")
	if t.Key.Kind == Int || t.Key.Kind == Uint {
		n.SetString("description", "Keys are integers.")
	}
	if t.Key.Kind != String && b.mode == Arguments {
		n.Set(tree.Member{Key: "propertyNames", Node: b.keyNode(t.Key), Enforced: true})
	}
	value := b.node(t.Elem, path+"[]")
	if len(value.Members) > 0 {
		n.Set(tree.Member{Key: "additionalProperties", Node: value})
	}
}

// keyNode is the schema of the keys of a map. Of integers only the plain spelling is taken, so that
// "1" and "01" cannot both stand for one key.
func (b *builder) keyNode(key *Type) *tree.Node {
	if key.Kind != Text {
		key = &Type{Go: key.Go, Kind: Quoted, Elem: key, text: quotedText(key)}
	}
	n := &tree.Node{}
	b.textNode(n, key)
	return n
}

func (b *builder) structNode(n *tree.Node, t *Type) {
	n.SetType("object")
	properties := make([]tree.Named, 0, len(t.Fields))
	required := make([]string, 0, len(t.Fields))
	read := b.readings(t)
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Hidden {
			continue
		}
		properties = append(properties, tree.Named{Name: f.Name, Node: b.property(f, read[i])})
		if !f.Optional {
			required = append(required, f.Name)
		}
	}
	n.Set(tree.Member{Key: "properties", Named: properties})
	if len(required) > 0 {
		n.SetStrings("required", required)
	}
}
