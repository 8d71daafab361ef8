package general

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Finding is one place where an instance breaks its schema.
type Finding struct {
	// Instance is the RFC 6901 pointer of the value that is wrong. For a wrong or unexpected
	// name it is that of the object.
	Instance string

	// Keyword is the keyword that was broken. A false schema counts as the keyword that
	// applied it, or as "false" at the root. It is empty when the instance could not be judged
	// at all.
	Keyword string

	// Schema is the RFC 6901 pointer of the keyword in the document, behind references. Inside
	// a schema of the standard it is that of the reference.
	Schema string

	// Missing holds property names, sorted: those that required, dependentRequired or
	// dependencies miss, and those that additionalProperties, unevaluatedProperties or
	// propertyNames refuse.
	Missing []string
}

// Schema is one compiled schema of a document. It is safe for concurrent use.
type Schema struct {
	lib *jsonschema.Schema
	doc *Document
}

// Valid reports whether a JSON text is valid. Text that is not JSON is not.
func (s *Schema) Valid(instance []byte) bool {
	value, err := decode(instance)
	return err == nil && s.validate(value) == nil
}

// Problems lists what is wrong with a JSON text, sorted by instance, keyword and schema. It is
// empty exactly when Valid reports true.
//
// It goes through allOf and references, and stops at anyOf, oneOf, not, then, else, contains
// and propertyNames, whose branches do not say what the author of the instance should do.
func (s *Schema) Problems(instance []byte) []Finding {
	value, err := decode(instance)
	if err != nil {
		return []Finding{{}}
	}
	err = s.validate(value)
	if err == nil {
		return nil
	}
	failure, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return []Finding{{}}
	}
	c := newCollector(s.doc, value)
	c.collect(failure, "")
	return c.sorted()
}

func (s *Schema) validate(value any) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the instance cannot be judged")
		}
	}()
	return s.doc.judge(s.lib, value)
}

type findingKey struct{ instance, keyword, schema string }

// A collector turns the library's tree of causes, whose order varies, into a set.
type collector struct {
	doc      *Document
	instance any
	found    map[findingKey]map[string]bool // to the set of Missing
	// seen holds the causes walked: a remembered one is the cause of many.
	seen map[*jsonschema.ValidationError]bool
}

func newCollector(doc *Document, instance any) *collector {
	return &collector{doc: doc, instance: instance, found: map[findingKey]map[string]bool{},
		seen: map[*jsonschema.ValidationError]bool{}}
}

// collect walks a cause. via is the pointer of the last reference inside the document.
func (c *collector) collect(failure *jsonschema.ValidationError, via string) {
	if c.seen[failure] {
		return
	}
	c.seen[failure] = true
	path := tokens(fromFragment(failure.KeywordLocation))
	p := readPath(path)
	uri, fragment, _ := strings.Cut(failure.AbsoluteKeywordLocation, "#")
	pointer, inside := fromFragment(fragment), uri == c.doc.uri
	if inside && p.keyword == "$ref" {
		via = pointer
	}
	if p.names >= 0 {
		// The library judges a name as if it were a value of the object.
		c.addName(failure, "propertyNames", parent(pointer, len(path)-p.names-1), via, inside)
		return
	}
	if len(failure.Causes) > 0 && !opaque[p.keyword] {
		for _, cause := range failure.Causes {
			c.collect(cause, via)
		}
		return
	}
	if p.keyword == "unevaluatedProperties" {
		c.addName(failure, p.keyword, pointer, via, inside)
		return
	}
	if tail := len(path) - p.at - 1; tail == 2 && namesProperties[p.keyword] {
		pointer = parent(pointer, tail)
	}
	c.addLeaf(failure, p.keyword, pointer, via, inside)
}

// opaque lists the keywords that are one finding, whatever their branches say.
var opaque = map[string]bool{
	"anyOf": true, "oneOf": true, "not": true, "then": true, "else": true,
	"minContains": true, "maxContains": true,
}

// namesProperties lists the keywords under which the library gives each missing name its own
// location.
var namesProperties = map[string]bool{"dependentRequired": true, "dependencies": true}

// addName adds a finding about the name of a property.
func (c *collector) addName(
	failure *jsonschema.ValidationError, keyword, pointer, via string, inside bool,
) {
	at := fromFragment(failure.InstanceLocation)
	if !inside {
		pointer = via
	}
	c.add(findingKey{parent(at, 1), keyword, c.doc.prepared.outward(pointer)}, lastName(at))
}

func (c *collector) addLeaf(
	failure *jsonschema.ValidationError, keyword, pointer, via string, inside bool,
) {
	at := fromFragment(failure.InstanceLocation)
	if keyword == "" {
		keyword = "false"
	}
	if !inside {
		c.add(findingKey{at, keyword, c.doc.prepared.outward(via)})
		return
	}
	holder, _ := lookup(c.doc.prepared.tree.root, parent(pointer, 1))
	schema, _ := holder.(map[string]any)
	if _, ok := schema["minContains"]; !ok && keyword == "minContains" {
		// The library fills in minContains: 1.
		keyword, pointer = "contains", join(parent(pointer, 1), "contains")
	}
	if c.doc.prepared.isMoved(pointer) {
		keyword = lastName(c.doc.prepared.outward(pointer))
	}
	pointer = c.doc.prepared.outward(pointer)
	c.add(findingKey{at, keyword, pointer}, c.missing(at, keyword, schema)...)
}

func (c *collector) add(key findingKey, names ...string) {
	if c.found[key] == nil {
		c.found[key] = map[string]bool{}
	}
	for _, name := range names {
		c.found[key][name] = true
	}
}

func (c *collector) sorted() []Finding {
	findings := make([]Finding, 0, len(c.found))
	for key, names := range c.found {
		f := Finding{Instance: key.instance, Keyword: key.keyword, Schema: key.schema}
		for name := range names {
			f.Missing = append(f.Missing, name)
		}
		slices.Sort(f.Missing)
		findings = append(findings, f)
	}
	slices.SortFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Instance, b.Instance), cmp.Compare(a.Keyword, b.Keyword),
			cmp.Compare(a.Schema, b.Schema))
	})
	return findings
}

// missing works out which names a keyword of schema is about. The library has them in its
// text only, where names are quoted in a way that cannot be undone.
func (c *collector) missing(at, keyword string, schema map[string]any) (names []string) {
	value, _ := lookup(c.instance, at)
	object, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	switch keyword {
	case "required":
		return absent(object, schema[keyword])
	case "dependentRequired", "dependencies":
		entries, _ := schema[keyword].(map[string]any)
		for trigger, list := range entries {
			if _, ok := object[trigger]; ok {
				names = append(names, absent(object, list)...)
			}
		}
	case "additionalProperties":
		return unexpected(object, schema)
	}
	return names
}

func absent(object map[string]any, list any) (names []string) {
	items, _ := list.([]any)
	for _, item := range items {
		if name, ok := item.(string); ok {
			if _, present := object[name]; !present {
				names = append(names, name)
			}
		}
	}
	return names
}

func unexpected(object, schema map[string]any) (names []string) {
	declared, _ := schema["properties"].(map[string]any)
	patterns, _ := schema["patternProperties"].(map[string]any)
	matches := func(name string) bool {
		for pattern := range patterns {
			if expr, err := regexp.Compile(pattern); err == nil && expr.MatchString(name) {
				return true
			}
		}
		return false
	}
	for name := range object {
		if _, ok := declared[name]; !ok && !matches(name) {
			names = append(names, name)
		}
	}
	return names
}

// A place is what the path from the root of a validation to a keyword says.
type place struct {
	keyword string // the last keyword, or "" for the root schema
	at      int    // its index in the path
	names   int    // index of the first propertyNames, or -1
}

// readPath tells keywords from property names and indexes, which only their order does.
func readPath(path []string) place {
	p := place{at: -1, names: -1}
	for i := 0; i < len(path); i++ {
		name := path[i]
		if name != "" && strings.Trim(name, "0123456789") == "" {
			continue // the index of a list; no keyword is a number
		}
		p.keyword, p.at = name, i
		if name == "propertyNames" && p.names < 0 {
			p.names = i
		}
		if applicators[name]&inMap != 0 || name == "dependentRequired" {
			i++ // what follows is a property name
		}
	}
	return p
}
