package tags

import (
	"slices"
	"strings"
)

// annotations are the keywords of JSON Schema that say nothing about which
// values are valid. Of all its keywords only these may be extras.
var annotations = []string{"$comment", "deprecated", "contentEncoding", "contentMediaType"}

// structural are the keywords that an extra cannot give: its value is a text or
// a boolean, and the shape of the schema has to match the decoder.
var structural = []string{
	"$schema", "$id", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$defs", "$vocabulary",
	"type", "const", "properties", "patternProperties", "additionalProperties", "propertyNames",
	"unevaluatedProperties", "required", "minProperties", "maxProperties", "dependentRequired",
	"dependentSchemas", "dependencies", "definitions", "items", "prefixItems", "additionalItems",
	"unevaluatedItems", "contains", "minContains", "maxContains", "allOf", "anyOf", "oneOf", "not",
	"if", "then", "else", "contentSchema", "id", "$recursiveRef", "$recursiveAnchor",
}

// readExtras reads the jsonschema_extras tag: key=value parts that go into the
// node as they are. A key given more than once is a list of texts.
func (p *parser) readExtras(text string) {
	if !p.usable(extrasTag, text) {
		return
	}
	for _, s := range split(nil, text) {
		switch {
		case s.bare && s.key == "":
			p.problemf("the jsonschema_extras tag has an empty part; remove the extra comma")
		case s.bare || s.key == "":
			p.problemf("jsonschema_extras part %q is not key=value", s.String())
		case strings.TrimSpace(s.key) != s.key:
			p.problemf("jsonschema_extras part %q has a space around its key; remove it",
				s.String())
		case strings.TrimSpace(s.value) == "":
			p.problemf("%s= is empty; give it a value or remove it", oneLine(s.key))
		case p.extraAllowed(s.key):
			p.addExtra(s)
		}
	}
}

// extraAllowed reports whether a key may be an extra, and says why not. An
// extra that repeats a keyword would stand twice in the schema.
func (p *parser) extraAllowed(key string) bool {
	for _, w := range vocabulary {
		if key == w.key || key == w.name {
			p.problemf("%s is no extra; write %s= in the jsonschema tag", key, w.name)
			return false
		}
	}
	switch {
	case key == descriptionWord:
		p.problemf("description is no extra; write a jsonschema_description tag")
	case key == nullableWord:
		p.problemf("nullable is no extra; write nullable in the jsonschema tag")
	case key == requiredWord:
		p.problemf("required is no extra; write required in the jsonschema tag")
	case slices.Contains(structural, key):
		p.problemf("%s in jsonschema_extras %s", key, byHand)
	default:
		return true
	}
	return false
}

// addExtra adds one extra. The words true and false are booleans, as long as
// they stand alone.
func (p *parser) addExtra(s part) {
	v := value{text: s.value, json: quote(s.value)}
	flag := s.value == "true" || s.value == "false"
	if flag {
		v.json = s.value
	}
	if slices.Contains(annotations, s.key) && flag != (s.key == "deprecated") {
		p.problemf("%s=%s has a value of the wrong type", s.key, oneLine(s.value))
		return
	}
	// Versions of invopop differ in whether an escaped comma ends an extra, and
	// none can read a backslash that ends one which is not the last.
	gap := strings.Contains(s.String(), ",") || strings.HasSuffix(s.value, `\`)
	prior := p.find(s.key, false)
	switch {
	case prior == nil:
		p.asks = append(p.asks, ask{key: s.key, values: []value{v}, gap: gap})
	case slices.Contains(annotations, s.key), prior.values[0].json == prior.values[0].text:
		if prior.values[0] != v {
			p.problemf("%s is given twice with different values: %s and %s", s.key,
				oneLine(prior.values[0].text), oneLine(s.value))
		}
	default:
		v.json = quote(s.value) // in a list the words true and false are texts too
		prior.list = true
		prior.gap = prior.gap || gap
		prior.values = append(prior.values, v)
	}
}
