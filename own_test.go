package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// state is a named string whose schema is said once.
type state string

func (state) JSONSchema() *jig.Schema {
	return jig.MustParseSchema(`{"type":"string","description":"State of an order.","enum":["open","paid"]}`)
}

// cents reads and writes JSON of its own: {"amount":"1.50"}.
type cents int64

func (*cents) JSONSchema() *jig.Schema {
	return jig.MustParseSchema(`{"type":"object","properties":{"amount":{"type":"string"}},"required":["amount"]}`)
}

func (c *cents) UnmarshalJSON(raw []byte) error {
	var v struct{ Amount string }
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	whole, fraction, ok := strings.Cut(v.Amount, ".")
	n, err := strconv.ParseInt(whole+fraction, 10, 64)
	if !ok || err != nil || len(fraction) != 2 {
		return errors.New("want 1.50")
	}
	*c = cents(n)
	return nil
}

func (c cents) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"amount":"%d.%02d"}`, c/100, c%100), nil
}

// invopopState says its schema by invopop's method.
type invopopState string

func (invopopState) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Enum: []any{"a<b", "c"}}
}

// tree has a schema with references of its own.
type ownTree struct {
	Sub []ownTree `json:"sub,omitempty"`
}

func (ownTree) JSONSchema() *jig.Schema {
	return jig.MustParseSchema(`{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{` +
		`"sub":{"type":"array","items":{"$ref":"#/$defs/n"}}}}}}`)
}

// heat reads JSON of its own and says nothing about it: the field's tag does.
type heat float64

func (c *heat) UnmarshalJSON(raw []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(raw), `"°C`), 64)
	*c = heat(f)
	return err
}

func TestOwnSchema(t *testing.T) {
	type args struct {
		State    state        `json:"state"`
		Other    *state       `json:"other,omitempty" jsonschema_description:"The other state."`
		States   []state      `json:"states,omitempty"`
		Price    cents        `json:"price"`
		Invopop  invopopState `json:"invopop,omitempty"`
		Heat     heat         `json:"heat,omitempty" jsonschema:"type=string,pattern=C$"`
		Anything any          `json:"anything,omitempty" jsonschema:"type=object"`
	}
	schema, err := jig.SchemaFor[args]()
	require.NoError(t, err)
	require.Equal(t, `{"type":"object","properties":{`+
		`"state":{"type":"string","description":"State of an order.","enum":["open","paid"]},`+
		`"other":{"type":["string","null"],"description":"The other state.","enum":["open","paid",null]},`+
		`"states":{"type":"array","items":{"type":"string","description":"State of an order.","enum":["open","paid"]}},`+
		`"price":{"type":"object","properties":{"amount":{"type":"string"}},"required":["amount"]},`+
		`"invopop":{"type":"string","enum":["a<b","c"]},`+
		`"heat":{"type":"string","pattern":"C$"},`+
		`"anything":{"type":"object"}},"required":["state","price"]}`, string(schema.JSON()))

	var got args
	tool := jig.MustDefine(jig.Spec[args, jig.NoResult]{
		Name: "probe", Description: "Probes.", Examples: []args{{State: "open", Price: 150}},
		Execute: func(_ context.Context, in args) (jig.NoResult, error) {
			got = in
			return jig.NoResult{}, nil
		},
	})
	require.Contains(t, tool.Description(), `1. {"state":"open","price":{"amount":"1.50"}}`)
	out := tool.Call(t.Context(), json.RawMessage(
		`{"state":"paid","price":{"amount":"2.75"},"heat":"21.5°C","anything":{"a":1}}`))
	require.NoError(t, out.Err)
	require.Equal(t, cents(275), got.Price)
	require.Equal(t, heat(21.5), got.Heat)

	bad := json.RawMessage(`{"state":"lost","price":{"amount":"2"},"heat":"x°C","anything":[]}`)
	require.EqualError(t, schema.Validate(bad), `"/anything": got array of 0 items, want object
"/heat": got "x°C", want a value that this field can read
"/price": got {"amount":"2"}, want a value that this field can read
"/state": got "lost", want one of "open", "paid"`)
}

func TestOwnSchemaOfTheRoot(t *testing.T) {
	tool := jig.MustDefine(jig.Spec[ownTree, jig.NoResult]{
		Name: "probe", Description: "Probes.",
		Execute: func(context.Context, ownTree) (jig.NoResult, error) { return jig.NoResult{}, nil },
	})
	schema := string(tool.InputSchema().JSON())
	require.True(t, strings.HasPrefix(schema, `{"type":"object","properties":{"sub":`), schema)
	require.NoError(t, tool.Call(t.Context(), json.RawMessage(`{"sub":[{"sub":[{}]}]}`)).Err)
	require.Equal(t, jig.StatusInvalid, tool.Call(t.Context(), json.RawMessage(`{"sub":[{"sub":1}]}`)).Status)
}

type (
	// noSchema returns nothing.
	noSchema string
	// selfReflecting asks itself.
	selfReflecting struct{ A int }
	// extended changes invopop's schema.
	extended struct{ A int }
	// otherShape says it has a property that the struct lacks.
	otherShape struct {
		A int `json:"a"`
	}
	// silent reads JSON of its own and says nothing.
	silent struct{}
)

func (noSchema) JSONSchema() *jig.Schema { return nil }

func (selfReflecting) JSONSchema() *jig.Schema {
	schema, _ := jig.SchemaFor[selfReflecting]()
	return schema
}

func (extended) JSONSchemaExtend(*jsonschema.Schema) {}

func (otherShape) JSONSchema() *jig.Schema {
	return jig.MustParseSchema(`{"type":"object","properties":{"b":{"type":"integer"}}}`)
}

func (*silent) UnmarshalJSON([]byte) error { return nil }

func TestOwnSchemaRefused(t *testing.T) {
	check := func(err error, want string) {
		t.Helper()
		require.ErrorContains(t, err, want)
	}
	_, err := jig.SchemaFor[struct{ F noSchema }]()
	check(err, "T.F: the method JSONSchema of jig_test.noSchema gives no usable schema: it returns no schema")
	_, err = jig.SchemaFor[struct{ F selfReflecting }]()
	check(err, "T.F: the method JSONSchema of jig_test.selfReflecting gives no usable schema")
	_, err = jig.SchemaFor[struct{ F extended }]()
	check(err, "T.F: type jig_test.extended has a method JSONSchemaExtend, which is not supported; "+
		"give it a method JSONSchema() *jig.Schema instead")
	_, err = jig.SchemaFor[struct {
		F otherShape `json:"f"`
	}]()
	check(err, `T: the schema at "/properties/f/properties/b": the struct has no field with this JSON name`)
	_, err = jig.SchemaFor[struct{ F silent }]()
	check(err, "T.F: type jig_test.silent has its own UnmarshalJSON, and nothing says which JSON it "+
		"reads; give it a method JSONSchema() *jig.Schema, or the field a jsonschema tag with type=")
	_, err = jig.SchemaFor[struct {
		F int `jsonschema:"type=string"`
	}]()
	check(err, "T.F: type=string does not fit an integer")
}

// ownArgs says the schema of all arguments, one of which is a secret.
type ownArgs struct {
	Key string `json:"key" jig:"redact"`
}

func (ownArgs) JSONSchema() *jig.Schema {
	return jig.MustParseSchema(`{"type":"object","properties":{"key":{"type":"string","enum":["a"]}}}`)
}

// TestSchemasHideSecrets shows that no schema that comes of a type names the value of a redacted field.
func TestSchemasHideSecrets(t *testing.T) {
	reflected, err := jig.SchemaFor[struct {
		Key string `json:"key" jsonschema:"enum=a" jig:"redact"`
	}]()
	require.NoError(t, err)
	tight, _, err := reflected.Tighten(jig.Profile{})
	require.NoError(t, err)
	for name, schema := range map[string]*jig.Schema{"reflected": reflected, "tightened": tight,
		"given by the type": jig.MustDefine(echoSpec[ownArgs]("x")).InputSchema()} {
		require.EqualError(t, schema.Validate(json.RawMessage(`{"key":"hunter2"}`)),
			`"/key": got [redacted], want "a"`, name)
	}
}

// TestStrictBesideOwnSchema shows that the schema of a strict tool checks what it shows, also where it was
// compiled before it was tightened.
func TestStrictBesideOwnSchema(t *testing.T) {
	spec := echoSpec[struct {
		S state `json:"s"`
	}]("x")
	spec.Strict = true
	input := jig.MustDefine(spec).InputSchema()
	require.NoError(t, input.Validate(json.RawMessage(`{"s":"open"}`)))
	require.Error(t, input.Validate(json.RawMessage(`{"s":"open","more":1}`)))
}
