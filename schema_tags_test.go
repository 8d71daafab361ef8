package jig_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

func TestTagDescription(t *testing.T) {
	type args struct {
		Deep bool `json:"deep" jsonschema_description:"If true, remove sub-folders too; a < b && \"c\"."`
		Text string
	}
	require.Equal(t, `{"type":"object","properties":{"deep":{"type":"boolean",`+
		`"description":"If true, remove sub-folders too; a < b && \"c\"."},"Text":{"type":"string"}},`+
		`"required":["deep","Text"]}`, shownSchema[args](t))
}

// TestTypeDescription shows where the description of a type stands in for that of a field.
func TestTypeDescription(t *testing.T) {
	type args struct {
		Plain []byte        `json:"plain"`
		Own   []byte        `json:"own" jsonschema_description:"A PNG image, as base64."`
		Wait  time.Duration `json:"wait" jsonschema:"description=Seconds are enough."`
	}
	require.Equal(t, `{"type":"object","properties":{`+
		`"plain":{"type":"string","description":"Base64-encoded bytes.","contentEncoding":"base64"},`+
		`"own":{"type":"string","description":"A PNG image, as base64.","contentEncoding":"base64"},`+
		`"wait":{"type":"string","description":"Seconds are enough.",`+
		`"pattern":"^-?([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$"}},`+
		`"required":["plain","own","wait"]}`, shownSchema[args](t))
}

func TestTagPatternWithComma(t *testing.T) {
	type args struct {
		Plain   string `json:"plain" jsonschema:"pattern=^[a-z]{1,3}$,maxLength=3"`
		Escaped string `json:"escaped" jsonschema:"pattern=^[a-z]{1\\,3}$"`
		Either  string `json:"either" jsonschema:"pattern=^a\\,b$"`
	}
	require.Equal(t, `{"type":"object","properties":{`+
		`"plain":{"type":"string","pattern":"^[a-z]{1,3}$","maxLength":3},`+
		`"escaped":{"type":"string","pattern":"^[a-z]{1,3}$"},`+
		`"either":{"type":"string","pattern":"^a,b$"}},"required":["plain","escaped","either"]}`,
		shownSchema[args](t))
}

func TestTagValuesAreTyped(t *testing.T) {
	type args struct {
		Int   int      `json:"int,omitempty" jsonschema:"enum=1,enum=2,default=2"`
		Float float64  `json:"float,omitempty" jsonschema:"enum=0.5,enum=1e3,default=0.5"`
		Bool  bool     `json:"bool,omitempty" jsonschema:"default=true"`
		Text  string   `json:"text,omitempty" jsonschema:"enum=1,enum=true,default=true"`
		Null  *int     `json:"null,omitempty" jsonschema:"enum=1,enum=2"`
		List  []string `json:"list,omitempty" jsonschema:"enum=a,enum=b,maxItems=2"`
		Ints  []*int8  `json:"ints,omitempty" jsonschema:"enum=1,enum=2"`
	}
	require.Equal(t, `{"type":"object","properties":{`+
		`"int":{"type":"integer","enum":[1,2],"default":2},`+
		`"float":{"type":"number","enum":[0.5,1e3],"default":0.5},`+
		`"bool":{"type":"boolean","default":true},`+
		`"text":{"type":"string","enum":["1","true"],"default":"true"},`+
		`"null":{"type":["integer","null"],"enum":[1,2,null]},`+
		`"list":{"type":"array","items":{"type":"string","enum":["a","b"]},"maxItems":2},`+
		`"ints":{"type":"array","items":{"type":["integer","null"],"minimum":-128,"maximum":127,`+
		`"enum":[1,2,null]}}}}`, shownSchema[args](t))
	require.Equal(t, args{Int: 2, Float: 0.5, Bool: true, Text: "true"}, callWith[args](t, `{}`).Value)
}

// refused is what Define says of a struct with one wrong field.
func refused[Args any](t *testing.T) []string {
	t.Helper()
	_, err := jig.Define(jig.Spec[Args, jig.NoResult]{
		Name: "x", Description: "Does it.",
		Execute: func(context.Context, Args) (jig.NoResult, error) { return jig.NoResult{}, nil },
	})
	return wrongIn(t, err)
}

func TestTagRefused(t *testing.T) {
	check := func(name string, got []string, want ...string) {
		t.Helper()
		t.Run(name, func(t *testing.T) {
			t.Helper()
			require.Equal(t, want, got)
		})
	}
	check("comma in free text", refused[struct {
		Deep bool `jsonschema:"description=If true, remove sub-folders too"`
	}](t), `Args.Deep: jsonschema tag part "remove sub-folders too" is not a known keyword; `+
		`put free text into a jsonschema_description tag`)
	check("free text", refused[struct {
		Deep bool `jsonschema:"If true remove sub-folders too"`
	}](t), `Args.Deep: jsonschema tag part "If true remove sub-folders too" is not a known keyword; `+
		`put free text into a jsonschema_description tag`)
	check("misspelt keyword", refused[struct {
		N int `jsonschema:"minimun=3"`
	}](t), `Args.N: "minimun" is not a known keyword; did you mean "minimum"?`)
	check("misspelt tag", refused[struct {
		N int `jsonSchema:"minimum=3"`
	}](t), `Args.N: tag key "jsonSchema" is not known; did you mean "jsonschema"?`)
	check("keyword of another kind", refused[struct {
		N int `jsonschema:"minLength=3"`
	}](t), `Args.N: minLength does not fit an integer`)
	check("number that is none", refused[struct {
		N int `jsonschema:"minimum=abc"`
	}](t), `Args.N: minimum=abc is not a number`)
	check("enum of another type", refused[struct {
		N int `jsonschema:"enum=1,enum=two"`
	}](t), `Args.N: enum=two is not a number`)
	check("default of another type", refused[struct {
		On bool `json:",omitempty" jsonschema:"default=yes"`
	}](t), `Args.On: default=yes is not a boolean; write true or false`)
	check("pattern", refused[struct {
		S string `jsonschema:"pattern=^[a-z"`
	}](t), "Args.S: pattern \"^[a-z\" does not compile: missing closing ] \"[a-z\"")
	check("enum outside bounds", refused[struct {
		N []int8 `jsonschema:"enum=1,enum=300"`
	}](t), `Args.N: the enum value 300 is refused by the field's own schema: `+
		`got 300, want at most 127`)
	check("enum against pattern", refused[struct {
		S string `jsonschema:"enum=a,enum=B,pattern=^[a-z]$"`
	}](t), `Args.S: the enum value "B" is refused by the field's own schema: `+
		`got "B", want text that matches ^[a-z]$`)
	check("default outside enum", refused[struct {
		S string `json:",omitempty" jsonschema:"enum=a,enum=b,default=c"`
	}](t), `Args.S: the default value "c" is refused by the field's own schema: `+
		`got "c", want one of "a", "b"`)
	check("default that the type cannot read", refused[struct {
		D time.Duration `json:",omitempty" jsonschema:"default=30"`
	}](t), `Args.D: the default value "30" is refused by the field's own schema: `+
		`got "30", want a duration such as "1m30s"`)
	check("bounds the wrong way round", refused[struct {
		N int `jsonschema:"minimum=5,maximum=3"`
	}](t), `Args.N: minimum=5 is greater than maximum=3`)
	check("behind one that is right", refused[struct {
		A int8 `jsonschema:"enum=1,enum=2"`
		B int8 `jsonschema:"enum=300"`
	}](t), `Args.B: the enum value 300 is refused by the field's own schema: got 300, want at most 127`)
	check("bound beyond that of the type", refused[struct {
		N int8 `jsonschema:"minimum=200"`
	}](t), `Args.N: no value has minimum 200 and maximum 127; correct the jsonschema tag`)
	check("length beyond that of the type", refused[struct {
		L [2]int `jsonschema:"maxItems=1"`
	}](t), `Args.L: no value has minItems 2 and maxItems 1; correct the jsonschema tag`)
	check("bounds of a schema of its own", refused[struct{ N narrow }](t),
		`Args.N: no value has minimum 5 and maximum 3; correct the jsonschema tag`)
	check("jig tag", refused[struct {
		S string `jig:"redakt"`
	}](t), `Args.S: jig tag "redakt" is not known; want "redact" or "hidden"`)
	check("required and optional", refused[struct {
		S string `json:",omitempty" jsonschema:"required"`
	}](t), `Args.S: the field is required by its jsonschema tag and optional by its json tag; `+
		`leave one of them out`)
	check("inside another struct", refused[struct {
		Rows []struct {
			N int `jsonschema:"minimun=3"`
		}
	}](t), `Args.Rows[].N: "minimun" is not a known keyword; did you mean "minimum"?`)
}

// narrow gives itself bounds that no number keeps to.
type narrow int

func (narrow) JSONSchema() *jig.Schema {
	return jig.MustParseSchema(`{"type":"integer","minimum":5,"maximum":3}`)
}
