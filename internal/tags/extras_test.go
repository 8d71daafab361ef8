package tags

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseExtras(t *testing.T) {
	tests := []struct {
		name string
		want string
		tag  string
	}{
		{"text", `x-order:"3"`, `x-order=3`},
		{"boolean", `deprecated:true x-hidden:false`, `deprecated=true,x-hidden=false`},
		{"list", `x-a:["b","c","true"]`, `x-a=b,x-a=c,x-a=true`},
		{"order of the tag", `z:"1" a:"2"`, `z=1,a=2`},
		{"equals", `x-a:"b=c"`, `x-a=b=c`},
		{"comma", `x-a:"b,c" x-d:"e"`, `x-a=b\,c,x-d=e`},
		{"comma in a list", `x-a:["b","c,d"]`, `x-a=b,x-a=c\,d`},
		{"backslash", `x-a:["b","c\\"] x-d:"e"`, `x-a=b,x-d=e,x-a=c\`},
		{"comment", `$comment:"c" contentEncoding:"base64"`, `$comment=c,contentEncoding=base64`},
		{"the same flag twice", `deprecated:true`, `deprecated=true,deprecated=true`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, target := range []Target{text, anything, object, arrayOf(Integer)} {
				got, problems := parse(extrasOf(tt.tag), target)
				require.Empty(t, problems)
				require.Equal(t, tt.want, show(got.Node))
				require.Empty(t, got.Items)
			}
		})
	}
}

func TestParseExtrasAfterKeywords(t *testing.T) {
	got, problems := parse(`jsonschema_extras:"a=b" jsonschema:"enum=x,title=T"`, text)
	require.Empty(t, problems)
	require.Equal(t, `title:"T" enum:["x"] a:"b"`, show(got.Node))
}

func TestParseExtrasProblems(t *testing.T) {
	tests := []struct {
		name string
		want string
		tag  string
	}{
		{"no value", `jsonschema_extras part "a" is not key=value`, `a`},
		{"no key", `jsonschema_extras part "=a" is not key=value`, `=a`},
		{"empty", `a= is empty; give it a value or remove it`, `a=`},
		{"empty part",
			`the jsonschema_extras tag has an empty part; remove the extra comma`,
			`a=b,`},
		{"space",
			`jsonschema_extras part " c=d" has a space around its key; remove it`,
			`a=b, c=d`},
		{"keyword", `minimum is no extra; write minimum= in the jsonschema tag`, `minimum=3`},
		{"examples", `examples is no extra; write example= in the jsonschema tag`, `examples=3`},
		{"description",
			`description is no extra; write a jsonschema_description tag`,
			`description=x`},
		{"required", `required is no extra; write required in the jsonschema tag`, `required=true`},
		{"nullable", `nullable is no extra; write nullable in the jsonschema tag`, `nullable=true`},
		{"structure",
			`$ref in jsonschema_extras is not supported; write the schema by hand: Spec.Schema`,
			`$ref=#/x`},
		{"text as flag", `deprecated=soon has a value of the wrong type`, `deprecated=soon`},
		{"flag as text", `$comment=true has a value of the wrong type`, `$comment=true`},
		{"two flags", `x-a is given twice with different values: true and b`, `x-a=true,x-a=b`},
		{"two comments",
			`$comment is given twice with different values: a and b`,
			`$comment=a,$comment=b`},
		{"not UTF-8", `the jsonschema_extras tag is not valid UTF-8`, "a=\xff"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, problems := parse(extrasOf(tt.tag), text)
			require.Equal(t, []string{tt.want}, problems)
			require.Zero(t, got)
		})
	}
}
