package jig

// A Profile is what one provider takes in one mode, as data: which keywords, which formats, how
// much of it. Package dialect has those of the providers it knows; a copy of one with a changed
// entry is how a caller keeps up with a provider that has moved. It is JSON with these field names.
//
// Keywords maps a keyword, or one of the pseudo keywords below, to one of
//
//	ok        it is taken
//	ignored   it is taken and has no effect there
//	avoid     it is taken by some of the provider's services and refused by others
//	rejected  it is refused, and the whole request with it
//	unknown   nobody knows
//
// What is rejected or avoided never goes out: it is said in other words where the meaning is the
// same, else in the description, and else refused. What is ignored is never refused. What is not in
// the map is unknown. Where every object has to be closed, open ones have to be ok by name to be
// taken.
//
// The pseudo keywords say how a keyword is used: type_array_with_null, type_null, enum_string,
// enum_integer, enum_number, enum_boolean, enum_null_member, enum_mixed_types, enum_type_mismatch,
// enum_object_values, $ref_local, $ref_siblings, $ref_root_hash, $ref_external, recursion,
// properties_empty, properties_missing_on_object, required_partial, required_undeclared,
// additionalProperties_false, additionalProperties_true, additionalProperties_schema,
// additionalProperties_missing, items_missing, items_array, minItems_gt1, pattern_lookaround,
// pattern_backreference, pattern_boundary, format_unlisted, anyOf_siblings, root_anyOf, root_oneOf,
// root_allOf, root_enum, root_const, root_not, allOf_single, allOf_with_ref, if_then_else,
// boolean_schema, typeless_schema, x_extension.
type Profile struct {
	Name   string // such as openai_chat_strict
	Date   string // the day on which the rules were read, as 2026-11-29
	Source string // where they were read

	// Closed says that every object has to say additionalProperties:false.
	Closed bool
	// Required says that every property has to be required, as required_partial does where it is
	// rejected. An optional one is made nullable: null means that it is absent.
	Required bool
	// Nullable says that an optional property is made nullable and stays optional, since the
	// provider checks the finished call by the schema and models send null for what they leave out.
	Nullable bool
	Keywords map[string]string
	// Ignored and Unknown say what is done with keywords of these kinds: keep, which is the zero
	// value too, move (they do not go out, as if rejected), or mention (they do, and the
	// description says them).
	Ignored, Unknown string
	// Formats are the formats that are taken. Nil means any.
	Formats []string
	// Lossy looks for a form of what the provider has no words for, instead of refusing the schema:
	// a map, and the place where a schema contains itself, becomes a string that holds JSON text,
	// any value becomes any scalar, a union at the root an object with the properties of all
	// branches, and a question such as not goes. Each loss is a Change. What has no form at all is
	// refused still.
	Lossy bool
	// KeyPattern is what the name of a property has to match, in Go's regexp. Empty means any name.
	KeyPattern string

	// The bounds of one schema. Zero means none. MaxDepth counts one level for each step into a
	// property or into items; MaxEnumChars holds for an enum of more than 250 strings; MaxChars
	// counts the names of properties and definitions and the values of enums and constants.
	MaxProperties, MaxDepth, MaxEnumValues, MaxEnumChars, MaxChars int
	// The bounds of one request. Zero means none. MaxStrict, MaxOptional and MaxUnions count strict
	// tools, and the optional properties and the properties with a union in all of them.
	MaxTools, MaxStrict, MaxOptional, MaxUnions int
	// MaxDescription bounds the description of a tool, examples included, in bytes;
	// AdviseDescription is what it should not exceed. Zero means none.
	MaxDescription, AdviseDescription int
}

// A Change is one thing that a schema says in another way than before, or no longer.
type Change struct {
	Pointer string // where, as a JSON pointer into the schema that was given
	Keyword string // the keyword or pseudo keyword that the profile does not take as it was
	// Action is added (a keyword was written where there was none), rewritten (other keywords, the
	// same meaning), moved (said in the description, and checked by jig alone) or dropped (not said
	// any more).
	Action  string
	Message string // what was done, and what it means
	// Lossy says that the schema accepts what it did not accept before, or cannot say something
	// that it said: jig alone enforces it now.
	Lossy bool
}
