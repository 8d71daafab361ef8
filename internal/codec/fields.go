package codec

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/jig-go/jig/internal/scan"
)

// rawField is one struct field as encoding/json would see it.
type rawField struct {
	field     string // its Go name
	typ       reflect.Type
	tag       reflect.StructTag
	exported  bool
	name      string
	tagged    bool // the name came from the json tag
	index     []int
	omitEmpty bool
	omitZero  bool
	quoted    bool // the ",string" option, where it acts
}

// jsonFields lists the fields that encoding/json reads and writes, embedded ones in place, by its
// rules (https://pkg.go.dev/encoding/json#Marshal, Go 1.26): of several fields of one name the
// shallowest wins, among those the only tagged one, and otherwise none of them.
func jsonFields(t reflect.Type) []rawField {
	found := make([]rawField, 0, t.NumField())
	var seen []reflect.Type
	// Invariant: level holds the structs embedded at one depth, each once; twice says which of them stand
	// there more than once, which makes all of their fields ambiguous.
	level, twice := []rawField{{typ: t}}, []reflect.Type(nil)
	for len(level) > 0 {
		var next []rawField
		var nextTwice []reflect.Type
		for _, embedded := range level {
			if slices.Contains(seen, embedded.typ) {
				continue
			}
			seen = append(seen, embedded.typ)
			for i := range embedded.typ.NumField() {
				f, descend, ok := readField(embedded, i)
				switch {
				case !ok:
				case !descend:
					found = append(found, f)
					if slices.Contains(twice, embedded.typ) {
						found = append(found, f) // a copy of the same depth: ambiguous
					}
				case slices.ContainsFunc(next, func(n rawField) bool { return n.typ == f.typ }):
					nextTwice = append(nextTwice, f.typ)
				default:
					next = append(next, f)
				}
			}
		}
		level, twice = next, nextTwice
	}
	return dominant(found)
}

// readField reads field i of an embedded (or the outermost) struct; descend says that it is itself
// an embedded struct whose fields are promoted, with f.typ the struct.
func readField(outer rawField, i int) (f rawField, descend, ok bool) {
	sf := outer.typ.Field(i)
	ft := sf.Type
	if ft.Name() == "" && ft.Kind() == reflect.Pointer {
		ft = ft.Elem()
	}
	// An unexported embedded struct may still promote exported fields.
	if !sf.IsExported() && (!sf.Anonymous || ft.Kind() != reflect.Struct) {
		return f, false, false
	}
	tag := sf.Tag.Get("json")
	if tag == "-" {
		return f, false, false
	}
	name, options, _ := strings.Cut(tag, ",")
	if !validName(name) {
		name = ""
	}
	f = rawField{field: sf.Name, typ: sf.Type, tag: sf.Tag, exported: sf.IsExported(), name: name,
		tagged: name != ""}
	if f.index = sf.Index; len(outer.index) > 0 {
		f.index = append(slices.Clone(outer.index), i)
	}
	for option := range strings.SplitSeq(options, ",") {
		f.omitEmpty = f.omitEmpty || option == "omitempty"
		f.omitZero = f.omitZero || option == "omitzero"
		f.quoted = f.quoted || option == "string" && quotable(ft.Kind())
	}
	if name == "" && sf.Anonymous && ft.Kind() == reflect.Struct {
		f.typ = ft
		return f, true, true
	}
	if name == "" {
		f.name = sf.Name
	}
	return f, false, true
}

// names writes the paths and the keys of the fields of a struct into one piece of memory.
type names struct {
	at   string // the path of the struct
	text strings.Builder
}

func newNames(at string, fields []rawField) *names {
	n := &names{at: at}
	size := 0
	for i := range fields {
		size += len(at) + len(fields[i].field) + len(fields[i].name) + len(`.,"":`)
	}
	n.text.Grow(size)
	return n
}

func (n *names) path(f *rawField) string {
	start := n.text.Len()
	n.text.WriteString(n.at)
	n.text.WriteByte('.')
	n.text.WriteString(f.field)
	return n.text.String()[start:]
}

// key returns a comma, the name as the encoder writes it, and the colon.
func (n *names) key(f *rawField) string {
	start := n.text.Len()
	var room [64]byte
	n.text.Write(append(scan.AppendQuote(append(room[:0], ','), f.name), ':'))
	return n.text.String()[start:]
}

func quotable(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Float64 || k == reflect.String
}

// validName reports whether encoding/json takes the text as a name; else it uses the Go name.
func validName(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) &&
			!strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) {
			return false
		}
	}
	return s != ""
}

// dominant keeps for each name the one field that wins, in declaration order.
func dominant(found []rawField) []rawField {
	if !ambiguous(found) {
		return inOrder(found)
	}
	slices.SortStableFunc(found, func(a, b rawField) int {
		return cmp.Or(strings.Compare(a.name, b.name), len(a.index)-len(b.index),
			tagRank(a)-tagRank(b))
	})
	var out []rawField
	for i := 0; i < len(found); {
		j := i + 1
		for j < len(found) && found[j].name == found[i].name {
			j++
		}
		first := found[i]
		tied := j > i+1 && len(found[i+1].index) == len(first.index) &&
			found[i+1].tagged == first.tagged
		if !tied {
			out = append(out, first)
		}
		i = j
	}
	return inOrder(out)
}

// ambiguous reports whether two fields have one name.
func ambiguous(found []rawField) bool {
	names := make(map[string]bool, len(found))
	for i := range found {
		names[found[i].name] = true
	}
	return len(names) < len(found)
}

// inOrder sorts fields in declaration order.
func inOrder(list []rawField) []rawField {
	order := func(a, b rawField) int { return slices.Compare(a.index, b.index) }
	if !slices.IsSortedFunc(list, order) { // as most are
		slices.SortFunc(list, order)
	}
	return list
}

func tagRank(f rawField) int {
	if f.tagged {
		return 0
	}
	return 1
}
