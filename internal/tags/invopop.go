package tags

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"
)

// standIns are Go types whose schemas have the kind and nothing else.
var standIns = [...]reflect.Type{
	Any:     reflect.TypeFor[any](),
	String:  reflect.TypeFor[string](),
	Integer: reflect.TypeFor[int64](),
	Number:  reflect.TypeFor[float64](),
	Boolean: reflect.TypeFor[bool](),
	Array:   reflect.TypeFor[[]any](),
	Object:  reflect.TypeFor[map[string]any](),
}

// shape are the keywords that come from the stand-in's type, not from a tag.
var shape = []string{"type", "items", "additionalProperties"}

// A node is a schema as invopop wrote it, one level deep.
type node map[string]json.RawMessage

// compareAll has invopop read the fields that it may read otherwise than this package, and names what
// it reads differently. Whatever a part loses on the way is a mistake that nobody would see.
func compareAll(parsers []*parser) {
	var asked []*parser
	for _, p := range parsers {
		if p != nil && len(p.problems) == 0 && !p.plain() {
			asked = append(asked, p)
		}
	}
	compare(asked)
}

// plain reports whether invopop, of both versions that the tests run with, reads the tags as this package
// does. v0.13 and v0.14 differ in commas in extras; all that is escaped is asked as well, to be safe.
func (p *parser) plain() bool {
	return !slices.ContainsFunc(p.asks, func(a ask) bool {
		return a.word == nil || slices.ContainsFunc(a.values, func(v value) bool {
			return strings.Contains(v.text, ",")
		})
	})
}

// compare is compareAll for all of these parsers, with one schema. A gap is not compared, since ours is
// the only reading there is.
func compare(parsers []*parser) {
	var fields []reflect.StructField
	var readers []*parser // one for each of the fields
	for i, p := range parsers {
		if tag := p.fieldTag(); tag != "" {
			fields = append(fields, p.standIn("V"+strconv.Itoa(i), tag))
			readers = append(readers, p)
		}
	}
	if len(fields) == 0 {
		return // nothing is handed over
	}
	properties, err := readProperties(reflected(fields))
	switch {
	case err == nil:
		for i, p := range readers {
			p.compareJSON(properties[fields[i].Name])
		}
	case len(readers) == 1:
		readers[0].notUnderstood(err)
	default: // to tell whose fault it is
		for _, p := range readers {
			compare([]*parser{p})
		}
	}
}

func (p *parser) notUnderstood(err error) {
	p.problemf("the jsonschema tags were not understood: %s", oneLine(err.Error()))
}

// compareJSON names what the JSON of invopop's schema of the field says otherwise.
func (p *parser) compareJSON(text json.RawMessage) {
	own, items, err := readField(text)
	if err != nil {
		p.notUnderstood(err)
		return
	}
	if p.description != "" && !agrees(own[descriptionWord], quote(p.description)) {
		p.problemf("%s was not understood", descriptionTag)
	}
	delete(own, descriptionWord)
	for i := range p.asks {
		a := &p.asks[i]
		if a.gap {
			continue
		}
		from := own
		if a.items {
			from = items
		}
		if !agrees(from[a.key], a.json()) {
			p.problemf("%s=%s was not understood", oneLine(a.name()), oneLine(a.values[0].text))
		}
		delete(from, a.key)
	}
	p.checkRest(own)
	p.checkRest(items)
}

// checkRest names the keywords that came out though no part asked for them.
func (p *parser) checkRest(n node) {
	for _, key := range slices.Sorted(maps.Keys(n)) {
		if !slices.Contains(shape, key) {
			p.problemf("the jsonschema tags were not understood: they add %q", key)
		}
	}
}

// name returns the keyword as the tag spells it.
func (a *ask) name() string {
	if a.word == nil {
		return a.key
	}
	return a.word.name
}

// agrees reports whether a value of invopop's is the one that was asked for.
func agrees(got json.RawMessage, want string) bool {
	return got != nil && same(decode(string(got)), decode(want))
}

// same compares decoded values. Numbers that agree as float64 are the same: what
// is returned is the text of the tag, which is the exact one.
func same(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		return ok && (a == b || equalFloat(string(a), string(b)))
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	default:
		return reflect.DeepEqual(a, b)
	}
}

func equalFloat(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}

// standIn returns the field that stands in for the user's.
func (p *parser) standIn(name string, tag reflect.StructTag) reflect.StructField {
	typ := standIns[p.target.Kind]
	if p.target.Kind == Array {
		typ = reflect.SliceOf(standIns[p.target.Elem])
	}
	return reflect.StructField{Name: name, Type: typ, Tag: tag}
}

// reflected returns invopop's reading of a struct. A struct without a name that is reflected in place
// makes no definitions, so there is no reference to follow in the result. The fields are added by a
// hook, since a type made for them would stay in memory.
func reflected(fields []reflect.StructField) *jsonschema.Schema {
	r := jsonschema.Reflector{Anonymous: true, DoNotReference: true,
		AdditionalFields: func(t reflect.Type) []reflect.StructField {
			if t == emptyStruct {
				return fields
			}
			return nil
		}}
	return r.ReflectFromType(emptyStruct)
}

var emptyStruct = reflect.TypeFor[struct{}]()

// readProperties returns the properties out of the JSON of a schema, which all versions of invopop have
// in common.
func readProperties(schema *jsonschema.Schema) (map[string]json.RawMessage, error) {
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	var root struct{ Properties map[string]json.RawMessage }
	err = json.Unmarshal(text, &root)
	return root.Properties, err
}

// readField returns the node of a field and its items.
func readField(text json.RawMessage) (own, items node, err error) {
	if own, err = readNode(text); err != nil {
		return nil, nil, err
	}
	items, err = readNode(own["items"])
	return own, items, err
}

// readNode reads one schema. A schema without keywords is the literal true.
func readNode(text json.RawMessage) (node, error) {
	if text == nil || string(text) == "true" {
		return node{}, nil
	}
	n := node{}
	if err := json.Unmarshal(text, &n); err != nil {
		return nil, err
	}
	var branches []json.RawMessage
	if n["oneOf"] == nil {
		return n, nil
	}
	// nullable wraps the node into a choice. The part is never handed over, but
	// invopop also sees it behind an escaped comma: title=a\,nullable.
	if err := json.Unmarshal(n["oneOf"], &branches); err != nil || len(branches) != 2 {
		return nil, fmt.Errorf("unexpected oneOf %s", n["oneOf"])
	}
	return readNode(branches[0])
}

// fieldTag writes the asks back as tags. Required and nullable stay out: they
// say nothing about the node.
func (p *parser) fieldTag() reflect.StructTag {
	var keywords, extras []byte
	for _, a := range p.asks {
		if a.gap {
			continue
		}
		list := &keywords
		if a.word == nil {
			list = &extras
		}
		for _, v := range a.values {
			if len(*list) > 0 {
				*list = append(*list, ',')
			}
			*list = append(append(*list, escape(a.name())...), '=')
			*list = append(*list, escape(v.text)...)
		}
	}
	tag := appendPair(nil, keywordTag, string(keywords))
	tag = appendPair(tag, descriptionTag, p.description)
	return reflect.StructTag(appendPair(tag, extrasTag, string(extras)))
}

// appendPair appends one pair of a tag, unless the value is empty.
func appendPair(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	if len(dst) > 0 {
		dst = append(dst, ' ')
	}
	return strconv.AppendQuote(append(append(dst, key...), ':'), value)
}
