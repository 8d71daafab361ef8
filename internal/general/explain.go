package general

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// A mistake is something wrong with a schema document.
type mistake struct {
	pointer, text string
	older         bool // right in an older draft, so to be named only when there is nothing else
}

func (m mistake) error() error {
	if m.pointer == "" {
		return errors.New(m.text)
	}
	return fmt.Errorf("%s: %s", show(m.pointer), m.text)
}

// explain says in our own words why a document does not compile. The library's text holds
// URLs and the names of meta-schemas, and which of its causes comes first is chance.
func explain(root any, d draft, failure error) error {
	if !isSchema(root, d) {
		return errors.New("a schema must be " + schemaForm(d) + ", not " + kindOf(root))
	}
	t := newTree(root, d)
	var found []mistake
	for _, n := range t.nodes {
		found = append(found, t.mistakes(n)...)
	}
	if len(found) == 0 {
		found = t.loops()
	}
	if len(found) == 0 {
		return generic(d, failure).error()
	}
	return slices.MinFunc(found, func(a, b mistake) int {
		if a.older != b.older {
			return map[bool]int{true: 1, false: -1}[a.older]
		}
		return strings.Compare(a.pointer, b.pointer)
	}).error()
}

// generic names the first place that the meta-schema of the draft refuses.
func generic(d draft, failure error) mistake {
	refused, ok := errors.AsType[*jsonschema.ValidationError](failure)
	if !ok {
		return mistake{text: "the schema cannot be compiled as " + d.name}
	}
	doc := &Document{prepared: &prepared{tree: &tree{}}, uri: "none"}
	c := newCollector(doc, nil)
	c.collect(refused, "")
	pointer := c.sorted()[0].Instance
	if pointer == "" {
		return mistake{text: "the schema is not valid in " + d.name}
	}
	return mistake{pointer: pointer, text: fmt.Sprintf("%s cannot have this value in %s",
		quote(readPath(tokens(pointer)).keyword), d.name)}
}

// olderForm reports whether a keyword is written as only older drafts have it.
func olderForm(keyword string, value any) bool {
	switch keyword {
	case "items":
		_, ok := value.([]any)
		return ok
	case "exclusiveMinimum", "exclusiveMaximum":
		_, ok := value.(bool)
		return ok
	case "$id":
		id, ok := value.(string)
		return ok && strings.HasPrefix(id, "#") && id != "#"
	}
	return false
}

// isOlder reports whether any schema of the document is written for an older draft.
func (t *tree) isOlder() bool {
	for _, n := range t.nodes {
		for keyword, value := range n.schema {
			if olderForm(keyword, value) {
				return true
			}
		}
	}
	return false
}

// mistakes lists what is wrong with one schema, its subschemas apart.
func (t *tree) mistakes(n node) (found []mistake) {
	for _, keyword := range sortedKeys(n.schema) {
		value, pointer := n.schema[keyword], join(n.pointer, keyword)
		if check, ok := checks[keyword]; ok {
			if text := check(value, t.draft); text != "" {
				found = append(found, mistake{pointer, text, olderForm(keyword, value)})
			}
		}
		if at, ok := applicators[keyword]; ok {
			if text := checkHolder(keyword, at, value, t.draft); text != "" {
				found = append(found, mistake{pointer, text, olderForm(keyword, value)})
			}
		}
	}
	for _, c := range n.children() {
		if _, isList := c.value.([]any); isList && c.keyword == "dependencies" {
			continue
		}
		if !isSchema(c.value, t.draft) {
			found = append(found, mistake{pointer: c.pointer, text: "must be a schema (" +
				schemaForm(t.draft) + "), not " + kindOf(c.value)})
		}
	}
	return append(found, t.checkRef(n)...)
}

func (t *tree) checkRef(n node) []mistake {
	value, ok := n.schema["$ref"]
	if !ok {
		return nil
	}
	pointer := join(n.pointer, "$ref")
	ref, ok := value.(string)
	if !ok {
		return []mistake{{pointer: pointer, text: "must be a string, not " + kindOf(value)}}
	}
	_, inside, found := t.target(n, ref)
	switch {
	case found, !inside && isMetaSchema(resolve(n.base, ref)):
		return nil
	case !inside:
		return []mistake{{pointer: pointer, text: fmt.Sprintf(
			"$ref %s points outside the schema; only local references are followed", quote(ref))}}
	}
	return []mistake{{pointer: pointer, text: fmt.Sprintf(
		"$ref %s does not resolve; the schema has nothing at that place", quote(ref))}}
}

// sameInstance lists the keywords that apply a subschema to the very value the schema is
// applied to, so that a reference back through them never ends.
var sameInstance = map[string]bool{
	"allOf": true, "anyOf": true, "oneOf": true, "not": true, "if": true, "then": true,
	"else": true, "dependentSchemas": true, "dependencies": true,
}

// loops finds references that lead back to where they stand without going into the instance.
func (t *tree) loops() (found []mistake) {
	const (
		open = 1
		done = 2
	)
	state := map[string]int{}
	var visit func(pointer, ref string)
	visit = func(pointer, ref string) {
		i, ok := t.byPtr[pointer]
		if !ok || state[pointer] == done {
			return
		}
		if state[pointer] == open {
			found = append(found, mistake{
				pointer: ref, text: "the reference leads back to itself and never ends",
			})
			return
		}
		state[pointer] = open
		n := t.nodes[i]
		for _, c := range n.children() {
			if sameInstance[c.keyword] {
				visit(c.pointer, ref)
			}
		}
		if text, ok := n.schema["$ref"].(string); ok {
			if target, _, ok := t.target(n, text); ok {
				visit(target, join(pointer, "$ref"))
			}
		}
		state[pointer] = done
	}
	for _, n := range t.nodes {
		visit(n.pointer, "")
	}
	return found
}
