package strict

import (
	"strings"

	"github.com/jig-go/jig/internal/tree"
)

// checkReference looks at where a $ref leads and at what stands beside it.
func (c *checker) checkReference(pointer string, n *tree.Node) {
	ref, ok := n.String("$ref")
	if !ok {
		return
	}
	if len(n.Members) > 1 {
		c.refuse(pointer, "$ref_siblings")
	}
	if !strings.HasPrefix(ref, "#") {
		c.refuse(pointer, "$ref_external")
		return
	}
	if ref == "#" {
		c.refuse(pointer, "$ref_root_hash")
	}
	if c.refuse(pointer, "$ref_local") {
		return
	}
	target := n.Referred(c.root)
	switch {
	case target == nil && c.profile.Closed: // the others do not compile a schema
		c.report(pointer, "$ref", "got "+ref+", want a schema inside this document; it leads "+
			"nowhere")
	case target != nil && c.rejects("recursion") && c.leadsTo(target, n, map[*tree.Node]bool{}):
		c.report(pointer, "recursion", "got "+ref+", which leads back to itself, want a schema "+
			"that ends; write the levels out, or take the inner value as text")
	}
}

// leadsTo reports whether a schema holds another one, or refers to one that does.
func (c *checker) leadsTo(from, to *tree.Node, seen map[*tree.Node]bool) bool {
	if from == to {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	for _, child := range from.Children() {
		if c.leadsTo(child, to, seen) {
			return true
		}
	}
	target := from.Referred(c.root)
	return target != nil && c.leadsTo(target, to, seen)
}

// patternFeatures returns the pseudo keywords of what an expression uses beyond the simple forms.
func patternFeatures(pattern string) []string {
	var features []string
	class := false // inside [...], where \b is a backspace
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		switch {
		case rest[0] == '\\':
			if feature := escapeFeature(rest); feature != "" && !class {
				features = append(features, feature)
			}
			i++
		case rest[0] == '[':
			class = true
		case rest[0] == ']':
			class = false
		case !class && looksAround(rest):
			features = append(features, "pattern_lookaround")
		}
	}
	return features
}

func escapeFeature(rest string) string {
	if len(rest) < 2 {
		return ""
	}
	switch {
	case rest[1] == 'b' || rest[1] == 'B':
		return "pattern_boundary"
	case rest[1] >= '1' && rest[1] <= '9', strings.HasPrefix(rest, `\k<`):
		return "pattern_backreference"
	}
	return ""
}

func looksAround(rest string) bool {
	for _, group := range []string{"(?=", "(?!", "(?<=", "(?<!"} {
		if strings.HasPrefix(rest, group) {
			return true
		}
	}
	return false
}

// refusals say what a keyword that is refused can be replaced by. The others can be said in the
// description.
var refusals = map[string]string{
	"$ref_local":                   "write the schema here that it refers to",
	"$ref_siblings":                "want nothing beside $ref; write the schema that it refers to here",
	"$ref_external":                "want a reference into this document, as #/$defs/Name",
	"$ref_root_hash":               "write the levels out, or take the inner value as text",
	"$defs":                        "write each schema where it is used",
	"definitions":                  "rename it to $defs, or write each schema where it is used",
	"const":                        "write an enum of one value, with its type",
	"oneOf":                        "write anyOf",
	"allOf":                        "merge its branches into one schema",
	"allOf_single":                 "write its one branch in its place",
	"allOf_with_ref":               "write the schema here that its branch refers to, and merge",
	"anyOf_siblings":               "want nothing beside anyOf; put the rest into its branches",
	"items_missing":                "got an array without items; say what its items are",
	"items_array":                  "got a list of schemas, want one; write prefixItems or one schema",
	"minItems_gt1":                 "got more than 1, want 0 or 1; say it in the description",
	"properties_empty":             "got no properties, want one; leave the schema out, or take text",
	"properties_missing_on_object": "got none; write \"properties\":{}",
	"additionalProperties_true":    "leave it out, and say in the description what more is taken",
	"additionalProperties_schema":  "take a list of objects with a key and a value",
	"additionalProperties_false":   "leave it out",
	"additionalProperties_missing": "got none; write true or false",
	"typeless_schema":              "got no type; write one, or an anyOf of schemas with one",
	"boolean_schema":               "got true or false; write a schema with a type",
	"type_array_with_null":         "write one type, and null in the way that the provider knows",
	"type_null":                    "leave it out, or let another schema take null",
	"enum_mixed_types":             "got values of several types, want one type beside null",
	"enum_object_values":           "got an object or an array, want plain values",
	"enum_integer":                 "want text; take the values as text, or describe them",
	"enum_number":                  "want text; take the values as text, or describe them",
	"enum_boolean":                 "want text; leave the enum out",
	"enum_null_member":             "want no null; let the type take it",
	"root_anyOf":                   "put the union into a property of an object",
	"root_oneOf":                   "put the union into a property of an object",
	"root_allOf":                   "merge its branches into the root",
	"root_enum":                    "put it into a property of an object",
	"root_const":                   "put it into a property of an object",
	"exclusiveMinimum":             "write minimum for an integer; else say it in the description",
	"exclusiveMaximum":             "write maximum for an integer; else say it in the description",
	"x_extension":                  "leave it out",
	"pattern_lookaround":           "want no (?= (?! (?<= or (?<!; say it in the description",
	"pattern_backreference":        `want no \1 or \k; say it in the description`,
	"pattern_boundary":             `want no \b or \B; say it in the description`,
}

// refusal is the message for a keyword that is refused.
func refusal(keyword string) string {
	instead, ok := refusals[keyword]
	if !ok {
		instead = "say it in the description"
	}
	return keyword + " is refused; " + instead
}
