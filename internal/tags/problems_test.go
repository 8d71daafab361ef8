package tags

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseProblems(t *testing.T) {
	const free = "; put free text into a jsonschema_description tag"
	tests := []struct {
		name   string
		want   string
		tag    string
		target Target
	}{
		// Parts that are no keyword.
		{"text behind a comma",
			`jsonschema tag part "remove sub-folders too" is not a known keyword` + free,
			`description=If true, remove sub-folders too`, boolean},
		{"only text", `jsonschema tag part "The city's name" is not a known keyword` + free,
			`The city's name`, text},
		{"text with equals", `jsonschema tag part "true if a=b" is not a known keyword` + free,
			`true if a=b`, text},
		{"misspelt",
			`"minimun" is not a known keyword; did you mean "minimum"?`,
			`minimun=3`, integer},
		{"wrong case",
			`"MaxLength" is not a known keyword; did you mean "maxLength"?`,
			`MaxLength=3`, text},
		{"plural",
			`"examples" is not a known keyword; did you mean "example"?`,
			`examples=3`, text},
		{"misspelt mark",
			`"requird" is not a known keyword; did you mean "required"?`,
			`requird`, text},
		{"made up", `"colour" is not a known keyword` + free +
			`, an annotation of your own into jsonschema_extras`, `colour=red`, text},
		{"space", `jsonschema tag part " minimum=3" has a space around its keyword; remove it`,
			`title=T, minimum=3`, integer},
		{"enum with commas",
			`jsonschema tag part "b" is not a known keyword; repeat enum= for each value`,
			`enum=a,b`, text},
		{"pattern with comma", `jsonschema tag part "b$" is not a known keyword; ` +
			`write a comma in pattern= as \\, or put free text into a jsonschema_description tag`,
			`pattern=^a,b$`, text},
		{"empty part",
			`the jsonschema tag has an empty part; remove the extra comma`,
			`title=T,`, text},
		{"no key", `"" is not a known keyword` + free +
			`, an annotation of your own into jsonschema_extras`, `=x`, text},
		{"two lines", `jsonschema tag part "a\nb" is not a known keyword` + free, "a\nb", text},
		{"not UTF-8", `the jsonschema tag is not valid UTF-8`, "title=\xff", text},

		// Parts that are refused.
		{"type",
			`type=string does not fit an integer`,
			`type=string`, integer},
		{"type unknown",
			`type=text is no JSON type; use string, integer, number, boolean, array or object`,
			`type=text`, Target{}},
		{"type without a value", `type has no value; write type=...`, `type`, Target{}},
		{"dash", `- is not supported; write the schema by hand: Spec.Schema`, `-`, integer},
		{"oneof", `oneof_required is not supported; write the schema by hand: Spec.Schema`,
			`oneof_required=a`, integer},

		// Values that do not parse.
		{"no value", `minimum has no value; write minimum=...`, `minimum`, integer},
		{"bare flag",
			`uniqueItems has no value; write uniqueItems=...`,
			`uniqueItems`, arrayOf(String)},
		{"empty value", `enum= is empty; give it a value or remove it`, `enum=`, text},
		{"blank value", `title= is empty; give it a value or remove it`, `title= `, text},
		{"mark with value", `required takes no value; write required alone`, `required=true`, text},
		{"word as number", `minimum=abc is not a number`, `minimum=abc`, integer},
		{"leading zero", `default=05 is not a number`, `default=05`, integer},
		{"plus", `default=+5 is not a number`, `default=+5`, float},
		{"not a number", `default=NaN is not a number`, `default=NaN`, float},
		{"hexadecimal", `enum=0x10 is not a number`, `enum=0x10`, integer},
		{"fraction", `minimum=1.5 is not an integer`, `minimum=1.5`, integer},
		{"small exponent", `enum=1e-1 is not an integer`, `enum=1e-1`, integer},
		{"huge", `maximum=1e999999999 is out of range`, `maximum=1e999999999`, float},
		{"beyond float64", `maximum=1e309 is out of range`, `maximum=1e309`, integer},
		{"huge in any", `enum=1e999999999 is out of range`, `enum=1e999999999,enum=1`, anything},
		{"no step", `multipleOf=0 is not above zero`, `multipleOf=0`, float},
		{"negative length", `minLength=-1 is negative`, `minLength=-1`, text},
		{"fractional length", `maxLength=1.5 is not a whole number`, `maxLength=1.5`, text},
		{"maybe", `uniqueItems=maybe is not true; write uniqueItems=true or leave it out`,
			`uniqueItems=maybe`, arrayOf(String)},
		{"false", `uniqueItems=false is what a schema without it says; leave it out`,
			`uniqueItems=false`, arrayOf(String)},
		{"one", `readOnly=1 is not true; write readOnly=true or leave it out`, `readOnly=1`, text},
		{"yes", `default=yes is not a boolean; write true or false`, `default=yes`, boolean},
		{"word in any", `default=hello is not JSON; write text in quotes: default="hello"`,
			`default=hello`, anything},
		{"broken array", `default=["a" is not a JSON array; write default=[...] with commas as \\,`,
			`default=["a"`, arrayOf(String)},
		{"no array", `default=a is not a JSON array; write default=[...] with commas as \\,`,
			`default=a`, arrayOf(Object)},
		{"no object", `default=[] is not a JSON object; write default={...} with commas as \\,`,
			`default=[]`, object},
		{"key twice",
			`default={"a":1,"a":2} is not a JSON object; write default={...} with commas as \\,`,
			`default={"a":1\,"a":2}`, object},
		{"null", `default=null is not a number`, `default=null`, integer},
		{"null in enum", `enum=null is not a number`, `enum=null,nullable`, integer},
		{"text among items", `default=x is not a number`, `default=1,default=x`, arrayOf(Integer)},
		{"text for items", `enum=x is not a number`, `enum=x`, arrayOf(Number)},

		// Patterns.
		{"look-ahead",
			`pattern "^(?=a)" does not compile: invalid or unsupported Perl syntax "(?="; ` +
				`Go's regexp has no look-ahead or look-behind`, `pattern=^(?=a)`, text},
		{"back-reference", `pattern "(a)\\1" does not compile: invalid escape sequence "\\1"; ` +
			`Go's regexp has no back-references`, `pattern=(a)\1`, text},
		{"repeat", `pattern "a{1,2000}" does not compile: invalid repeat count "{1,2000}"; ` +
			`Go's regexp repeats at most 1000 times`, `pattern=a{1,2000}`, text},
		{"unclosed", `pattern "(a" does not compile: missing closing ) "(a"`, `pattern=(a`, text},

		// Keywords that do not fit.
		{"length of a number", `minLength does not fit a number`, `minLength=3`, float},
		{"bound of a string", `minimum does not fit a string`, `minimum=3`, text},
		{"bound of strings",
			`minimum does not fit an array of strings`,
			`minimum=3`, arrayOf(String)},
		{"enum of objects", `enum does not fit an array of objects`, `enum={}`, arrayOf(Object)},
		{"enum of an object", `enum does not fit an object`, `enum={}`, object},
		{"nested arrays", `pattern does not fit an array of arrays`, `pattern=a`, arrayOf(Array)},
		{"items of a string", `minItems does not fit a string`, `minItems=1`, text},
		{"format of any", `format does not fit a field of any type`, `format=email`, anything},
		{"read only any", `readOnly does not fit a field of any type`, `readOnly=true`, anything},

		// Parts that contradict each other.
		{"twice",
			`minimum is given twice with different values: 1 and 2`,
			`minimum=1,minimum=2`, integer},
		{"two texts", `description is given twice with different texts; keep one`,
			`description=a,description=b`, text},
		{"two defaults", `default is given twice with different values: [] and ["a"]`,
			`default=[],default=["a"]`, arrayOf(String)},
		{"both forms", `default is given twice with different values: [] and a`,
			`default=[],default=a`, arrayOf(String)},
		{"enum twice", `enum=a is given twice`, `enum=a,enum=b,enum=a`, text},
		{"number twice", `enum=1.0 is given twice`, `enum=1,enum=1.0`, float},
		{"JSON twice", `enum=[ 1] is given twice`, `enum=[1],enum=[ 1]`, anything},
		{"lengths", `minLength=5 is greater than maxLength=3`, `minLength=5,maxLength=3`, text},
		{"item lengths",
			`minLength=5 is greater than maxLength=3`,
			`minLength=5,maxLength=3`, arrayOf(String)},
		{"item counts",
			`minItems=2 is greater than maxItems=1`,
			`maxItems=1,minItems=2`, arrayOf(Any)},
		{"bounds", `minimum=9007199254740993 is greater than maximum=9007199254740992`,
			`minimum=9007199254740993,maximum=9007199254740992`, integer},
		{"open bound", `minimum=3 and exclusiveMaximum=3.0 leave no number`,
			`minimum=3,exclusiveMaximum=3.0`, float},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, problems := parse(keywordsOf(tt.tag), tt.target)
			require.Equal(t, []string{tt.want}, problems)
			require.Zero(t, got)
		})
	}
}

// TestParseAllProblems pins that one call names all of them, in order.
func TestParseAllProblems(t *testing.T) {
	const tag = `jsonschema:"minimun=1,minimum=x,minLength=1" jsonschema_extras:"y"`
	_, problems := parse(tag, integer)
	require.Equal(t, []string{
		`"minimun" is not a known keyword; did you mean "minimum"?`,
		`minimum=x is not a number`,
		`minLength does not fit an integer`,
		`jsonschema_extras part "y" is not key=value`,
	}, problems)
}

func TestParseStructTag(t *testing.T) {
	tests := []struct {
		name string
		want string
		tag  string
	}{
		{"raw backslash", `the jsonschema tag is not a Go string; write \\ for each backslash`,
			`jsonschema:"pattern=^\d+$"`},
		{"space", `the struct tag is malformed at "jsonschema: \"title=T\""; ` +
			`write key:"value" pairs with spaces between`, `json:"a" jsonschema: "title=T"`},
		{"unclosed", `the struct tag is malformed at "jsonschema:\"title=T"; ` +
			`write key:"value" pairs with spaces between`, `json:"a" jsonschema:"title=T`},
		{"misspelt",
			`tag key "jsonschema_descripton" is not known; did you mean "jsonschema_description"?`,
			`jsonschema_descripton:"City"`},
		{"case",
			`tag key "jsonSchema" is not known; did you mean "jsonschema"?`,
			`jsonSchema:"title=T"`},
		{"twice", `the jsonschema tag is given twice and Go reads only the first; join them`,
			`jsonschema:"title=T" jsonschema:"required"`},
		{"empty description", `jsonschema_description is empty; remove it or describe the field`,
			`jsonschema_description:" "`},
		{"bad description", `jsonschema_description is not valid UTF-8`,
			`jsonschema_description:"\xff"`},
		{"two descriptions",
			`jsonschema_description and description= differ; keep jsonschema_description only`,
			`jsonschema:"description=a" jsonschema_description:"b"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, problems := parse(reflect.StructTag(tt.tag), text)
			require.Equal(t, []string{tt.want}, problems)
			require.Zero(t, got)
		})
	}
}

// TestParseForeignTags pins that a mention of the word elsewhere is no matter.
func TestParseForeignTags(t *testing.T) {
	for _, tag := range []reflect.StructTag{
		`doc:"see jsonschema"`, `doc:"jsonschema: \d"`, `jsonschema:""`, `jsonschema_extras:""`,
		`jsonschema:"" broken`,
	} {
		got, problems := parse(tag, text)
		require.Empty(t, problems, "parse(%s)", tag)
		require.Zero(t, got)
	}
}
