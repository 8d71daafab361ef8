package strict

import (
	"slices"
	"strings"

	"github.com/jig-go/jig/internal/tree"
)

// A trait is one thing that holds of a keyword. The steps of the rewriter ask for traits, so that
// what is known of a keyword stands in one place.
type trait uint16

const (
	annotates  trait = 1 << iota // it describes, or names, and checks nothing
	unshown                      // no form shows it, so that no provider sees it
	worded                       // it is said in the description where the profile does not take it
	structural                   // a step of its own deals with it
	question                     // structural, and checks something which no short wording says
	// Of tightened keywords the schemas describe values and are tightened too. The others (not, if,
	// contains ...) ask questions: tightening them would change the answer.
	tightened
	branching // tightened, and goes as a whole where the profile does not take it
	typing    // it says what a value is where there is no type
	presence  // it says more than required about which properties are there
	least     // it bounds a number: of two the larger one holds
	most      // it bounds a number: of two the smaller one holds
)

// of reports whether the trait holds of a keyword.
func (t trait) of(key string) bool { return keywords[key].traits&t != 0 }

// among reports whether it holds of a keyword of a schema.
func (t trait) among(n *tree.Node) bool {
	return slices.ContainsFunc(n.Members, func(m tree.Member) bool { return t.of(m.Key) })
}

// A fact is what the rewriter knows of one keyword.
type fact struct {
	key string
	// about is the type of value that it is about: a schema without a type that has the keyword is
	// taken to mean that type. Empty where that cannot be told.
	about  string
	traits trait
}

// facts lists the keywords of JSON Schema, of all drafts from 04 to 2020-12, and after them those
// of OpenAPI. What is said in a description is said in this order.
var facts = []fact{
	{"$schema", "", annotates | unshown},
	{"$id", "", annotates | unshown},
	{"id", "", 0},
	{"$vocabulary", "", 0},
	{"$comment", "", annotates | unshown},
	{"$anchor", "", annotates},
	{"$dynamicAnchor", "", annotates},
	{"$recursiveAnchor", "", annotates},

	{"$ref", "", structural | typing},
	{"$dynamicRef", "", structural | question | typing},
	{"$recursiveRef", "", structural | question},
	{"$defs", "", annotates | structural | tightened},
	{"definitions", "", annotates | structural | tightened},

	{"title", "", annotates | worded},
	{"description", "", annotates | structural},
	{"type", "", structural},
	{"enum", "", structural | worded},
	{"const", "", structural},
	{"default", "", annotates | worded},

	{"format", "string", worded},
	{"pattern", "string", worded},
	{"minLength", "string", worded | least},
	{"maxLength", "string", worded | most},
	{"contentEncoding", "", annotates | worded},
	{"contentMediaType", "", annotates | worded},
	{"contentSchema", "", annotates},

	{"minimum", "number", worded | least},
	{"exclusiveMinimum", "number", worded | least},
	{"maximum", "number", worded | most},
	{"exclusiveMaximum", "number", worded | most},
	{"multipleOf", "number", worded},

	{"items", "array", structural | tightened},
	{"prefixItems", "array", structural | tightened},
	{"additionalItems", "", structural | question | tightened},
	{"unevaluatedItems", "", structural | question | tightened | branching},
	{"minItems", "array", worded | least},
	{"maxItems", "array", worded | most},
	{"uniqueItems", "", worded},
	{"contains", "", worded},
	{"minContains", "", worded},
	{"maxContains", "", worded},

	{"properties", "object", structural | tightened},
	{"required", "object", structural},
	{"additionalProperties", "object", structural | tightened},
	{"patternProperties", "object", structural | tightened | branching},
	{"unevaluatedProperties", "", structural | question | tightened | branching},
	{"minProperties", "", worded | presence | least},
	{"maxProperties", "", worded | presence | most},
	{"propertyNames", "", worded},
	{"dependentRequired", "", structural | question | presence},
	{"dependentSchemas", "", structural | question | tightened | branching | presence},
	{"dependencies", "", structural | question | presence},

	{"anyOf", "", structural | tightened | typing | presence},
	{"oneOf", "", structural | tightened | typing | presence},
	{"allOf", "", structural | typing | presence},
	{"not", "", structural | question | presence},
	{"if", "", structural | question | presence},
	{"then", "", structural | question | tightened | branching},
	{"else", "", structural | question | tightened | branching},

	{"examples", "", annotates | worded},
	{"example", "", annotates | worded},
	{"deprecated", "", annotates | worded},
	{"readOnly", "", annotates | worded},
	{"writeOnly", "", annotates | worded},

	{"nullable", "", annotates},
	{"discriminator", "", annotates},
	{"propertyOrdering", "", annotates},
}

// keywords is facts by keyword.
var keywords = func() map[string]fact {
	table := map[string]fact{}
	for _, f := range facts {
		table[f.key] = f
	}
	return table
}()

// ofObjects lists the keywords that speak of objects in the first place.
var ofObjects = []string{"properties", "required", "additionalProperties", "patternProperties"}

// inPlace lists the keywords whose schemas describe the same object as the schema they stand in and
// are closed. Of the two in one group at most one applies to a value.
var inPlace = [][]string{{"$ref"}, {"anyOf"}, {"oneOf"}, {"then", "else"}, {"dependentSchemas"}}

// groups lists keywords that count on each other in one schema: those of two schemas cannot be
// mixed.
var groups = [][]string{
	{"if", "then", "else"}, {"contains", "minContains", "maxContains"},
	{"prefixItems", "items", "additionalItems", "unevaluatedItems"},
	{"patternProperties", "unevaluatedProperties"},
}

// flags lists the bounds of draft-04, in which true and false speak of the bound beside them.
var flags = [][]string{{"exclusiveMinimum", "minimum"}, {"exclusiveMaximum", "maximum"}}

// enumStatus has the pseudo keyword for each kind of value in an enum.
var enumStatus = map[string]string{"string": "enum_string", "integer": "enum_integer",
	"number": "enum_number", "boolean": "enum_boolean", "null": "enum_null_member",
	"object": "enum_object_values", "array": "enum_object_values"}

// Pseudo lists the pseudo keywords of a profile, which say how a keyword is used. They are
// described at jig.Profile, in this order.
var Pseudo = strings.Fields(`
	type_array_with_null type_null enum_string enum_integer enum_number enum_boolean
	enum_null_member enum_mixed_types enum_type_mismatch enum_object_values $ref_local $ref_siblings
	$ref_root_hash $ref_external recursion properties_empty properties_missing_on_object
	required_partial required_undeclared additionalProperties_false additionalProperties_true
	additionalProperties_schema additionalProperties_missing items_missing items_array minItems_gt1
	pattern_lookaround pattern_backreference pattern_boundary format_unlisted anyOf_siblings
	root_anyOf root_oneOf root_allOf root_enum root_const root_not allOf_single allOf_with_ref
	if_then_else boolean_schema typeless_schema x_extension`)

// status returns the name under which a profile lists a keyword.
func status(key string) string {
	switch key {
	case "if", "then", "else":
		return "if_then_else"
	case "dependencies": // both of its successors, and providers take neither
		return "dependentRequired"
	case "$recursiveRef":
		return "$dynamicRef"
	case "$dynamicAnchor", "$recursiveAnchor":
		return "$anchor"
	}
	if strings.HasPrefix(key, "x-") {
		return "x_extension"
	}
	return key
}

func annotation(key string) bool { return annotates.of(key) || strings.HasPrefix(key, "x-") }

func definitions(key string) bool { return key == "$defs" || key == "definitions" }
