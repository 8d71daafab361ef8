package jig_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

func TestParseSchemaDrafts(t *testing.T) {
	const (
		tuple   = `{"properties":{"p":{"type":"array","items":[{"type":"number"},{"type":"string"}]}}}`
		boolean = `{"properties":{"n":{"minimum":3,"exclusiveMinimum":true}}}`
		newest  = `{"properties":{"p":{"prefixItems":[{"type":"number"}],"items":false}}}`
	)
	for _, tt := range []struct{ name, schema, good, bad string }{
		{"2020-12", newest, `{"p":[1]}`, `{"p":[1,2]}`},
		{"draft-07 tuple", tuple, `{"p":[1,"a",true]}`, `{"p":["a"]}`},
		{"draft-04 bound", boolean, `{"n":4}`, `{"n":3}`},
		{"named draft-07", `{"$schema":"http://json-schema.org/draft-07/schema#",` + tuple[1:],
			`{"p":[1]}`, `{"p":["a"]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			schema, err := jig.ParseSchema(json.RawMessage(tt.schema))
			require.NoError(t, err)
			require.NoError(t, schema.Validate(json.RawMessage(tt.good)))
			require.Error(t, schema.Validate(json.RawMessage(tt.bad)))

			spec := echoSpec[json.RawMessage]("x")
			spec.Schema = schema
			tool := jig.MustDefine(spec)
			require.Equal(t, jig.StatusOK, tool.Call(t.Context(), json.RawMessage(tt.good)).Status)
			require.Equal(t, jig.StatusInvalid,
				tool.Call(t.Context(), json.RawMessage(tt.bad)).Status)
		})
	}
	_, err := jig.ParseSchema(json.RawMessage(
		`{"$schema":"https://json-schema.org/draft/2020-12/schema",` + tuple[1:]))
	require.ErrorContains(t, err, "jig: schema: /properties/p/items: ")
}

func TestParseSchemaKeywordNames(t *testing.T) {
	schema := jig.MustParseSchema(`{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"$id": "https://example.com/order", "$comment": "for maintainers",
		"title": "Order", "type": "object",
		"properties": {
			"title": {"type": "string", "$comment": "gone"}, "default": {"type": "integer"},
			"type": {"enum": ["$id", {"$id": 1}]}, "properties": {"type": "object"},
			"$ref": {"type": "string"}, "$id": {}, "$schema": {}, "$comment": {"const": {"$comment": 1}}
		},
		"required": ["$ref", "type"]
	}`)
	require.Equal(t, `{"title":"Order","type":"object","properties":{"title":{"type":"string"},`+
		`"default":{"type":"integer"},"type":{"enum":["$id",{"$id":1}]},`+
		`"properties":{"type":"object"},"$ref":{"type":"string"},"$id":{},"$schema":{},`+
		`"$comment":{"const":{"$comment":1}}},"required":["$ref","type"]}`, string(schema.JSON()))

	require.Empty(t, complaints(t, schema, `{"$ref":"a","type":"$id","title":"t","default":1}`))
	require.Equal(t, `"/$ref": missing, want string
"/default": got string "x", want integer
"/title": got number 1, want string
"/type": missing, want one of "$id", {"$id":1}`, complaints(t, schema, `{"title":1,"default":"x"}`))
}

func TestParseSchemaReferencesStayInside(t *testing.T) {
	for _, ref := range []string{
		"file:///etc/passwd", "/etc/passwd", "http://example.com/x.json",
		"https://json-schema.example/s#/a", "other.json", "ftp://example.com/x",
	} {
		_, err := jig.ParseSchema(json.RawMessage(`{"properties":{"a":{"$ref":"` + ref + `"}}}`))
		require.EqualError(t, err, `jig: schema: /properties/a/$ref: $ref "`+ref+
			`" points outside the schema; only local references are followed`)
	}
	schema := jig.MustParseSchema(`{"properties":{"a":{"$ref":"#/$defs/x~1y"}},` +
		`"$defs":{"x/y":{"type":"integer"}}}`)
	require.Equal(t, `"/a": got string "1", want integer`, complaints(t, schema, `{"a":"1"}`))
}

func TestParseSchemaWrongType(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"dict"}`:   `/type: type "dict" is not a JSON Schema type; use "object"`,
		`{"type":"STRING"}`: `/type: type "STRING" is not a JSON Schema type; use "string"`,
		`{"type":"Object"}`: `/type: type "Object" is not a JSON Schema type; use "object"`,
		`{"properties":{"a/b":{"items":{"type":"float"}}}}`: `/properties/a~1b/items/type: ` +
			`type "float" is not a JSON Schema type; use "number"`,
		`[]`:                `a schema must be an object, true or false, not an array`,
		`{"properties":[]}`: `/properties: must be an object whose values are schemas, not an array`,
		`{"type":"object"`:  `the text ends at byte 16, before its JSON value is complete`,
		`{"minLength":1,"minLength":2}`: `/minLength: the key "minLength" at byte 15 is in its object already, ` +
			`want each key once`,
	} {
		_, err := jig.ParseSchema(json.RawMessage(schema))
		require.EqualError(t, err, "jig: schema: "+want)
	}
}

// TestParseSchemaPatternElsewhere pins that a pattern for another engine is shown and not enforced.
func TestParseSchemaPatternElsewhere(t *testing.T) {
	const text = `{"type":"object","properties":{"a":{"type":"string","pattern":"^(?!x)","maxLength":2}}}`
	spec := echoSpec[json.RawMessage]("x")
	spec.Schema = jig.MustParseSchema(text)
	tool := jig.MustDefine(spec)
	require.Equal(t, text, string(tool.InputSchema().JSON()))
	require.Equal(t, jig.StatusOK, tool.Call(t.Context(), json.RawMessage(`{"a":"x"}`)).Status)
	require.Equal(t, jig.StatusInvalid, tool.Call(t.Context(), json.RawMessage(`{"a":"xyz"}`)).Status)
}

func TestFormatsInEveryDraft(t *testing.T) {
	for _, draft := range []string{
		``, `"$schema":"https://json-schema.org/draft/2020-12/schema",`,
		`"$schema":"https://json-schema.org/draft/2019-09/schema",`,
		`"$schema":"http://json-schema.org/draft-07/schema#",`,
		`"$schema":"http://json-schema.org/draft-04/schema#",`,
	} {
		for _, tt := range []struct{ format, good, bad string }{
			{"date-time", "2026-01-02T03:04:05Z", "yesterday"}, {"date", "2026-01-02", "2026-1-2"},
			{"ipv4", "192.0.2.1", "::1"}, {"ipv6", "::1", "192.0.2.1"}, {"email", "a@b.example", "a"},
			{"uuid", "123e4567-e89b-12d3-a456-426614174000", "123"}, {"go-duration", "1m30s", "90"},
			{"base64", "AAAA", "A"}, {"uri", "https://example.com", "example"},
		} {
			schema := jig.MustParseSchema(`{` + draft + `"format":"` + tt.format + `"}`)
			require.Empty(t, complaints(t, schema, `"`+tt.good+`"`))
			require.Contains(t, complaints(t, schema, `"`+tt.bad+`"`),
				`got "`+tt.bad+`", want `)
			require.Empty(t, complaints(t, schema, `5`))
		}
		require.Empty(t, complaints(t, jig.MustParseSchema(`{`+draft+`"format":"colour"}`), `"x"`))
	}
}

func TestSchemaForOtherStruct(t *testing.T) {
	type args struct {
		City string           `json:"city"`
		Days int              `json:"days,omitempty"`
		Rows []dimensions     `json:"rows,omitempty"`
		Tags map[string]int64 `json:"tags,omitempty"`
		Free any              `json:"free,omitempty"`
	}
	define := func(schema string) error {
		spec := echoSpec[args]("x")
		spec.Schema = jig.MustParseSchema(schema)
		_, err := jig.Define(spec)
		return err
	}
	require.NoError(t, define(`{"type":"object","properties":{"city":{"enum":["Oslo","Rome"]},
		"days":{"type":"integer","maximum":3},"rows":{"items":{"properties":{"width":{"minimum":5}}}},
		"tags":{"additionalProperties":{"type":"integer"}},"free":{"type":"array"}}}`))
	for schema, want := range map[string]string{
		`{"properties":{"town":{"type":"string"}}}`: `Schema/properties/town: ` +
			`the struct has no field with this JSON name`,
		`{"properties":{"City":{"type":"string"}}}`: `Schema/properties/City: ` +
			`the struct has no field with this JSON name`,
		`{"properties":{"city":{"type":"integer"}}}`: `Schema/properties/city: ` +
			`the schema's type is integer, and the Go field takes string`,
		`{"properties":{"days":{"type":["string","integer"]}}}`: `Schema/properties/days: ` +
			`the schema's type is string or integer, and the Go field takes number`,
		`{"properties":{"rows":{"items":{"properties":{"depth":{}}}}}}`: `Schema/properties/rows/` +
			`items/properties/depth: the struct has no field with this JSON name`,
		`{"properties":{"tags":{"additionalProperties":{"type":"string"}}}}`: `Schema/properties/` +
			`tags/additionalProperties: the schema's type is string, and the Go field takes number`,
	} {
		require.Equal(t, []string{want}, wrongIn(t, define(schema)), schema)
	}
	require.Equal(t, []string{
		`Schema/properties/city: the schema's type is boolean, and the Go field takes string`,
		`Schema/properties/town: the struct has no field with this JSON name`,
	}, wrongIn(t, define(`{"properties":{"town":{},"city":{"type":"boolean"}}}`)))
}

func TestSchemaRoot(t *testing.T) {
	shown := func(schema string) (string, error) {
		spec := echoSpec[json.RawMessage]("x")
		spec.Schema = jig.MustParseSchema(schema)
		tool, err := jig.Define(spec)
		if err != nil {
			return "", err
		}
		return string(tool.InputSchema().JSON()), nil
	}
	for schema, want := range map[string]string{
		`{}`:                             `{"type":"object","properties":{}}`,
		`{"type":"object"}`:              `{"type":"object","properties":{}}`,
		`{"type":["object"]}`:            `{"type":["object"],"properties":{}}`,
		`{"properties":{"a":{}}}`:        `{"type":"object","properties":{"a":{}}}`,
		`{"additionalProperties":false}`: `{"type":"object","properties":{},"additionalProperties":false}`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"b":{"$ref":"#/$defs/a"}}}}}`: `{` +
			`"type":"object","properties":{"b":{"$ref":"#/$defs/a"}},` +
			`"$defs":{"a":{"type":"object","properties":{"b":{"$ref":"#/$defs/a"}}}}}`,
	} {
		got, err := shown(schema)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for schema, want := range map[string]string{
		`true`:                       `is the literal true; want an object schema`,
		`{"type":"string"}`:          `has the root type string; arguments are an object`,
		`{"type":["object","null"]}`: `has the root type object or null; arguments are an object`,
	} {
		_, err := shown(schema)
		require.Equal(t, []string{"Schema: " + want}, wrongIn(t, err))
	}
}

func TestSchemaClosedAtItsLevel(t *testing.T) {
	const schema = `{"type":"object","additionalProperties":false,"properties":{
		"open":{"type":"object","properties":{"x":{"type":"integer"}}},
		"shut":{"type":"object","properties":{"x":{"type":"integer"}},"additionalProperties":false}}}`
	const good = `{"open":{"x":1,"zebra":{"deep":9007199254740993}},"shut":{"x":1}}`
	const bad = `{"open":{"x":1},"shut":{"zebra":1},"zebra":1}`
	complaint := "- \"/shut/zebra\": not a property here; the only property is \"x\"\n" +
		"- \"/zebra\": not a property here; the properties are \"open\", \"shut\"\n"

	raw := echoSpec[json.RawMessage]("x")
	raw.Schema = jig.MustParseSchema(schema)
	tool := jig.MustDefine(raw)
	require.Equal(t, good, tool.Call(t.Context(), json.RawMessage(good)).Text())
	require.Contains(t, tool.Call(t.Context(), json.RawMessage(bad)).Text(), complaint)

	object := echoSpec[map[string]any]("x")
	object.Schema = raw.Schema
	tool = jig.MustDefine(object)
	outcome := tool.Call(t.Context(), json.RawMessage(good))
	require.Equal(t, map[string]any{
		"open": map[string]any{"x": json.Number("1"),
			"zebra": map[string]any{"deep": json.Number("9007199254740993")}},
		"shut": map[string]any{"x": json.Number("1")},
	}, outcome.Value)
	require.Equal(t, good, outcome.Text())
	require.Contains(t, tool.Call(t.Context(), json.RawMessage(bad)).Text(), complaint)

	type inner struct {
		X int `json:"x"`
	}
	fields := echoSpec[struct {
		Open inner `json:"open"`
		Shut inner `json:"shut"`
	}]("x")
	fields.Schema = raw.Schema
	structs := jig.MustDefine(fields)
	require.Equal(t, `{"open":{"x":1},"shut":{"x":1}}`,
		structs.Call(t.Context(), json.RawMessage(good)).Text())
	require.Contains(t, structs.Call(t.Context(), json.RawMessage(bad)).Text(), complaint)
}

func TestParseSchemaLimits(t *testing.T) {
	deep := strings.Repeat(`{"not":`, 300) + `{}` + strings.Repeat(`}`, 300)
	_, err := jig.ParseSchema(json.RawMessage(deep))
	require.ErrorContains(t, err, "jig: schema: ")
	require.Less(t, len(err.Error()), 1000)
	_, err = jig.ParseSchema(json.RawMessage(`{"minimum":1e1000001}`))
	require.ErrorContains(t, err, "jig: schema: ")
	_, err = jig.ParseSchema(nil)
	require.ErrorContains(t, err, "jig: schema: ")
}
