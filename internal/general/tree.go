package general

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// baseURI is where an anonymous schema pretends to live. It is no file and no host, so a
// reference that leaves the document has nowhere to go.
const baseURI = "schema:///root"

// A position says how the value of a keyword holds schemas.
type position uint8

const (
	inSelf position = 1 << iota // the value is a schema
	inList                      // the value is an array of schemas
	inMap                       // the value is an object of schemas
)

// applicators lists every keyword that holds schemas, in any draft. What is not listed
// (enum, const, default, examples, unknown keywords) holds data, even where it looks like a
// schema.
var applicators = map[string]position{
	"$defs": inMap, "definitions": inMap,
	"properties": inMap, "patternProperties": inMap,
	"dependentSchemas": inMap, "dependencies": inMap,
	"additionalProperties": inSelf, "propertyNames": inSelf, "unevaluatedProperties": inSelf,
	"items": inSelf | inList, "prefixItems": inList, "additionalItems": inSelf,
	"contains": inSelf, "unevaluatedItems": inSelf, "contentSchema": inSelf,
	"not": inSelf, "if": inSelf, "then": inSelf, "else": inSelf,
	"allOf": inList, "anyOf": inList, "oneOf": inList,
}

// references lists the keywords that apply a schema found elsewhere.
var references = []string{"$ref", "$dynamicRef", "$recursiveRef"}

// A node is one object schema of a document.
type node struct {
	pointer string
	schema  map[string]any
	base    string // absolute URI that its references resolve against
}

// A child is a value in a place where a schema belongs.
type child struct {
	pointer string
	keyword string
	value   any
}

// A tree is a document with its schemas found.
type tree struct {
	root    any
	draft   draft
	nodes   []node            // each parent comes before its children; names in order
	byPtr   map[string]int    // pointer -> index in nodes
	ids     map[string]string // absolute URI -> pointer
	anchors map[string]string // absolute URI, '#', name -> pointer
}

func newTree(root any, d draft) *tree {
	t := &tree{
		root: root, draft: d, byPtr: map[string]int{},
		ids: map[string]string{baseURI: ""}, anchors: map[string]string{},
	}
	t.add("", root, baseURI)
	// A reference may point where no applicator leads, which makes that place a schema too.
	for i := 0; i < len(t.nodes); i++ {
		n := t.nodes[i]
		for _, keyword := range references {
			if ref, ok := n.schema[keyword].(string); ok && strings.HasPrefix(ref, "#/") {
				pointer := fromFragment(ref[1:])
				if value, ok := lookup(root, pointer); ok {
					t.add(pointer, value, n.base)
				}
			}
		}
	}
	return t
}

func (t *tree) add(pointer string, value any, base string) {
	schema, ok := value.(map[string]any)
	if _, seen := t.byPtr[pointer]; !ok || seen {
		return
	}
	base = t.identify(pointer, schema, base)
	t.byPtr[pointer] = len(t.nodes)
	n := node{pointer, schema, base}
	t.nodes = append(t.nodes, n)
	for _, c := range n.children() {
		t.add(c.pointer, c.value, base)
	}
}

// identify records the names a schema gives itself and returns its base URI.
func (t *tree) identify(pointer string, schema map[string]any, base string) string {
	keyword := "$id"
	if t.draft.year == 4 {
		keyword = "id"
	}
	_, isRef := schema["$ref"]
	if id, ok := schema[keyword].(string); ok && !(isRef && t.draft.year <= 7) {
		uri, fragment, _ := strings.Cut(id, "#")
		if uri != "" {
			base = resolve(base, uri)
			t.ids[base] = pointer
		}
		if fragment != "" {
			t.anchors[base+"#"+fragment] = pointer
		}
	}
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if name, ok := schema[keyword].(string); ok {
			t.anchors[base+"#"+name] = pointer
		}
	}
	return base
}

// resolve returns ref as an absolute URI.
func resolve(base, ref string) string {
	r, err := url.Parse(ref)
	if err != nil || r.IsAbs() {
		return ref
	}
	b, err := url.Parse(base)
	if err != nil {
		return ref
	}
	return b.ResolveReference(r).String()
}

// children returns what sits where the node's keywords expect schemas, keywords in order.
func (n node) children() []child {
	var found []child
	for _, keyword := range sortedKeys(n.schema) {
		at := applicators[keyword]
		pointer := join(n.pointer, keyword)
		switch value := n.schema[keyword].(type) {
		case map[string]any:
			if at&inSelf != 0 {
				found = append(found, child{pointer, keyword, value})
			}
			if at&inMap != 0 {
				for _, name := range sortedKeys(value) {
					found = append(found, child{join(pointer, name), keyword, value[name]})
				}
			}
		case []any:
			if at&inList == 0 {
				continue
			}
			for i, item := range value {
				found = append(found, child{pointer + "/" + strconv.Itoa(i), keyword, item})
			}
		}
	}
	return found
}

// target finds what a reference of the node points at. inside is false when the URI names
// no part of the document.
func (t *tree) target(n node, ref string) (pointer string, inside, found bool) {
	uri, fragment, _ := strings.Cut(ref, "#")
	base := n.base
	if uri != "" {
		base = resolve(n.base, uri)
	}
	start, ok := t.ids[base]
	if !ok && base != n.base {
		return "", false, false
	}
	if fragment == "" || fragment[0] == '/' {
		pointer = start + fromFragment(fragment)
		_, found = lookup(t.root, pointer)
		return pointer, true, found
	}
	pointer, found = t.anchors[base+"#"+fragment]
	return pointer, true, found
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
