package jig_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// strictSchema returns the schema of a strict tool with these arguments.
func strictSchema[Args any](t *testing.T) string {
	t.Helper()
	spec := echoSpec[Args]("x")
	spec.Strict = true
	return string(jig.MustDefine(spec).InputSchema().JSON())
}

// strictByHand defines a strict tool with raw arguments and this schema.
func strictByHand(schema string) (*jig.Tool, error) {
	spec := echoSpec[json.RawMessage]("x")
	spec.Strict, spec.Schema = true, jig.MustParseSchema(schema)
	return jig.Define(spec)
}

func TestStrictOneField(t *testing.T) {
	type args struct {
		OrderID string `json:"orderId"`
	}
	require.Equal(t, `{"type":"object","properties":{"orderId":{"type":"string"}},`+
		`"required":["orderId"],"additionalProperties":false}`, strictSchema[args](t))
	require.Equal(t, `{"type":"object","properties":{},"additionalProperties":false}`,
		strictSchema[struct{}](t))

	spec := echoSpec[args]("x")
	spec.Strict = true
	var registry jig.Registry
	tool := jig.MustDefine(spec)
	require.NoError(t, registry.Add(tool))
	for d := range registry.Definitions() {
		require.True(t, d.Strict)
		require.Equal(t, tool.InputSchema().JSON(), d.InputSchema.JSON())
	}
}

func TestStrictEveryLevel(t *testing.T) {
	type args struct {
		Inner dimensions            `json:"inner"`
		Items []dimensions          `json:"items,omitempty"`
		Map   map[string]dimensions `json:"map,omitempty"`
		Null  *dimensions           `json:"null,omitempty"`
		Empty struct{}              `json:"empty"`
		Tree  *folder               `json:"tree"`
		Free  map[string]string     `json:"free,omitempty"`
		Any   any                   `json:"any,omitempty"`
		Raw   map[string]any        `json:"raw,omitempty"`
	}
	const (
		fields = `"properties":{"width":{"type":"integer","minimum":0,"maximum":255},` +
			`"height":{"type":"number"}},"required":["width"],"additionalProperties":false}`
		object = `{"type":"object",` + fields
		node   = `{"anyOf":[{"$ref":"#/$defs/folder"},{"type":"null"}]}`
	)
	require.Equal(t, `{"type":"object","properties":{"inner":`+object+`,`+
		`"items":{"type":"array","items":`+object+`},`+
		`"map":{"type":"object","additionalProperties":`+object+`},`+
		`"null":{"type":["object","null"],`+fields+`,`+
		`"empty":{"type":"object","properties":{},"additionalProperties":false},`+
		`"tree":`+node+`,`+
		`"free":{"type":"object","additionalProperties":{"type":"string"}},`+
		`"any":{},"raw":{"type":"object"}},"required":["inner","empty","tree"],`+
		`"$defs":{"folder":{"type":"object","properties":{"name":{"type":"string"},`+
		`"sub":{"type":"array","items":`+node+`}},"required":["name"],"additionalProperties":false}},`+
		`"additionalProperties":false}`, strictSchema[args](t))
}

func TestStrictByHand(t *testing.T) {
	for _, tt := range []struct{ name, schema, want string }{
		{"open said", `{"type":"object","properties":{"a":{}},"additionalProperties":true,"title":"T"}`,
			`{"type":"object","properties":{"a":{}},"title":"T","additionalProperties":false}`},
		{"open said as {}", `{"type":"object","additionalProperties":{},"properties":{"a":{}}}`,
			`{"type":"object","properties":{"a":{}},"additionalProperties":false}`},
		{"map beside properties",
			`{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"string"}}`,
			`{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"string"}}`},
		{"map value", `{"type":"object","additionalProperties":{"properties":{"a":{}}}}`,
			`{"type":"object","properties":{},` +
				`"additionalProperties":{"properties":{"a":{}},"additionalProperties":false}}`},
		{"free map", `{"type":"object"}`, `{"type":"object","properties":{}}`},
		{"branches", `{"type":"object","anyOf":[{"properties":{"a":{}}},{"required":["b"]}]}`,
			`{"type":"object","properties":{},` +
				`"anyOf":[{"properties":{"a":{}},"additionalProperties":false},{"required":["b"]}]}`},
		{"allOf", `{"type":"object","properties":{"a":{"description":"A.","allOf":[{"$ref":"#/$defs/b"},` +
			`{"properties":{"d":{}},"required":["d"]}]}},"$defs":{"b":{"properties":{"c":{}},"required":["c"]}}}`,
			`{"type":"object","properties":{"a":{"description":"A.","properties":{"c":{},"d":{}},` +
				`"required":["c","d"],"additionalProperties":false}},"$defs":{"b":{"properties":{"c":{}},` +
				`"required":["c"],"additionalProperties":false}},"additionalProperties":false}`},
		{"allOf of one", `{"type":"object","properties":{"a":{"allOf":[{"$ref":"#/$defs/b"}]}},` +
			`"$defs":{"b":{"properties":{"c":{}}}}}`,
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"properties":{"c":{}},` +
				`"additionalProperties":false}},"additionalProperties":false}`},
		{"tuple", `{"type":"object","properties":{"p":{"prefixItems":[{"properties":{"a":{}}}]}}}`,
			`{"type":"object","properties":{"p":{"prefixItems":` +
				`[{"properties":{"a":{}},"additionalProperties":false}]}},"additionalProperties":false}`},
		{"root reference", `{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"b":{}}}}}`,
			`{"type":"object","properties":{"b":{}},` +
				`"$defs":{"a":{"type":"object","properties":{"b":{}},"additionalProperties":false}},` +
				`"additionalProperties":false}`},
		{"properties with names of keywords",
			`{"type":"object","properties":{"properties":{},"allOf":{},"type":{"properties":{}}}}`,
			`{"type":"object","properties":{"properties":{},"allOf":{},` +
				`"type":{"properties":{},"additionalProperties":false}},"additionalProperties":false}`},
		{"question", `{"type":"object","properties":{"k":{},"v":{}},"not":{"properties":{"k":{"const":1}},` +
			`"required":["k"]},"if":{"properties":{"k":{"const":2}}},"then":{"required":["v"]}}`,
			`{"type":"object","properties":{"k":{},"v":{}},"not":{"properties":{"k":{"const":1}},` +
				`"required":["k"]},"if":{"properties":{"k":{"const":2}}},"then":{"required":["v"]},` +
				`"additionalProperties":false}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tool, err := strictByHand(tt.schema)
			require.NoError(t, err)
			require.Equal(t, tt.want, string(tool.InputSchema().JSON()))
		})
	}
}

// TestStrictRefused has the schemas whose closed form would refuse what the schema means.
func TestStrictRefused(t *testing.T) {
	const both = "strict closes every object, and this object declares properties both under "
	for _, tt := range []struct{ name, schema, want string }{
		{"allOf", `{"properties":{"a":{"allOf":[{"properties":{"b":{"const":2}}},` +
			`{"properties":{"b":{"const":1}}}]}}}`,
			`Schema/properties/a: strict closes every object, and objects that are closed apart ` +
				`cannot be joined by allOf; merge its branches into one schema: they differ in the ` +
				`property "b"`},
		{"branch", `{"properties":{"a":{}},"anyOf":[{"properties":{"b":{}}}]}`,
			`Schema: ` + both + `anyOf and elsewhere; declare them in one place`},
		{"branch by reference", `{"properties":{"a":{}},"oneOf":[{"$ref":"#/$defs/b"}],` +
			`"$defs":{"b":{"anyOf":[{"properties":{"c":{}}}]}}}`,
			`Schema: ` + both + `oneOf and elsewhere; declare them in one place`},
		{"then without if's properties", `{"properties":{"a":{}},"if":{"required":["a"]},` +
			`"then":{"properties":{"b":{}}}}`,
			`Schema: ` + both + `then and elsewhere; declare them in one place`},
		{"reference with siblings", `{"properties":{"x":{"$ref":"#/$defs/b","properties":{"a":{}}}},` +
			`"$defs":{"b":{"properties":{"c":{}}}}}`,
			`Schema/properties/x: ` + both + `$ref and elsewhere; declare them in one place`},
		{"two unions", `{"anyOf":[{"properties":{"a":{}}}],"oneOf":[{"properties":{"b":{}}}]}`,
			`Schema: ` + both + `oneOf and elsewhere; declare them in one place`},
		{"required and undeclared", `{"properties":{"a":{}},"required":["a","b"]}`,
			`Schema: strict closes every object, and this object requires the property "b" without ` +
				`declaring it; declare it`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := strictByHand(tt.schema)
			require.Equal(t, []string{tt.want}, wrongIn(t, err))
		})
	}
}

func TestStrictLeavesBase(t *testing.T) {
	base, err := jig.SchemaFor[folder]()
	require.NoError(t, err)
	byHand := jig.MustParseSchema(`{"properties":{"a":{"properties":{"b":{}}}}}`)
	before, beforeByHand := string(base.JSON()), string(byHand.JSON())

	spec := echoSpec[folder]("x")
	spec.Strict, spec.Schema = true, base
	require.Equal(t, strictSchema[folder](t), string(jig.MustDefine(spec).InputSchema().JSON()))
	raw := echoSpec[json.RawMessage]("x")
	raw.Strict, raw.Schema = true, byHand
	require.Equal(t, `{"type":"object","properties":{"a":{"properties":{"b":{}},`+
		`"additionalProperties":false}},"additionalProperties":false}`,
		string(jig.MustDefine(raw).InputSchema().JSON()))

	require.Equal(t, before, string(base.JSON()))
	require.Equal(t, beforeByHand, string(byHand.JSON()))
	require.NoError(t, base.Validate(json.RawMessage(`{"name":"a","other":1}`)))
	require.NoError(t, byHand.Validate(json.RawMessage(`{"a":{"z":1},"y":2}`)))
}

func TestStrictValidatedHere(t *testing.T) {
	type args struct {
		Kind  string        `json:"kind" jsonschema:"enum=a,enum=b"`
		Inner dimensions    `json:"inner"`
		After time.Duration `json:"after,omitempty"`
	}
	spec := echoSpec[args]("x")
	spec.Strict = true
	tool := jig.MustDefine(spec)
	outcome := tool.Call(t.Context(), json.RawMessage(
		`{"kind":"c","inner":{"width":1,"depth":2},"after":5,"zebra":1}`))
	require.Equal(t, `The arguments of x are invalid and nothing was run:
- "/after": got number 5, want string
- "/inner/depth": not a property here; the properties are "width", "height"
- "/kind": got "c", want one of "a", "b"
- "/zebra": not a property here; the properties are "kind", "inner", "after"
Correct them and call x again.`, outcome.Text())
	require.Zero(t, outcome.Attempts)
}

// TestNullForOptional shows what null means; it is the same for strict tools and for others.
func TestNullForOptional(t *testing.T) {
	type args struct {
		Limit int     `json:"limit,omitempty" jsonschema:"default=10"`
		Note  string  `json:"note,omitempty"`
		Owner *string `json:"owner,omitempty" jsonschema:"default=me"`
		Must  int     `json:"must"`
		Rows  []struct {
			Days int `json:"days,omitempty" jsonschema:"default=3"`
		} `json:"rows,omitempty"`
	}
	me := "me"
	for _, strict := range []bool{false, true} {
		spec := echoSpec[args]("x")
		spec.Strict = strict
		tool := jig.MustDefine(spec)
		call := func(text string) jig.Outcome { return tool.Call(t.Context(), json.RawMessage(text)) }

		outcome := call(`{"limit":null,"note":null,"owner":null,"must":1,"rows":[{"days":null}]}`)
		require.Equal(t, jig.StatusOK, outcome.Status, outcome.Text())
		require.Empty(t, outcome.Repairs)
		got := outcome.Value.(args)
		require.Equal(t, 10, got.Limit) // null for what is not nullable: absent, so the default
		require.Empty(t, got.Note)
		require.Nil(t, got.Owner) // null for what is nullable stays null
		require.Equal(t, 3, got.Rows[0].Days)

		absent := call(`{"must":1}`).Value.(args)
		require.Equal(t, args{Limit: 10, Owner: &me, Must: 1}, absent)

		outcome = call(`{"must":null}`)
		require.Equal(t, jig.StatusInvalid, outcome.Status)
		require.Contains(t, outcome.Text(), `"/must": got null, want integer`)
		require.NoError(t, tool.InputSchema().Validate(json.RawMessage(`{"must":1,"note":null}`)))
	}
}
