package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

type shipTo struct {
	Country string `json:"country" jsonschema:"enum=DE,enum=FR"`
	Parcels int    `json:"parcels,omitempty" jsonschema:"default=1"`
}

// TestTagsBehindPointers shows that enums and defaults are checked, and hold, however they are reached.
func TestTagsBehindPointers(t *testing.T) {
	type args struct {
		To    *shipTo            `json:"to,omitempty"`
		All   []*shipTo          `json:"all,omitempty"`
		By    map[string]*shipTo `json:"by,omitempty"`
		Slice *[]shipTo          `json:"slice,omitempty"`
	}
	schema, err := jig.SchemaFor[args]()
	require.NoError(t, err)
	for _, good := range []string{`{"to":{"country":"DE"}}`, `{"all":[null,{"country":"FR"}]}`,
		`{"by":{"a":{"country":"DE"}}}`, `{"slice":[{"country":"DE"}]}`} {
		require.NoError(t, schema.Validate([]byte(good)), good)
	}
	require.EqualError(t, schema.Validate([]byte(`{"to":{"country":"IT"}}`)),
		`"/to/country": got "IT", want one of "DE", "FR"`)
	_, err = jig.SchemaFor[struct {
		To *struct {
			N int `json:"n,omitempty" jsonschema:"maximum=3,default=5"`
		}
	}]()
	require.ErrorContains(t, err, "T.To.N: the default value 5 is refused by the field's own schema: "+
		"got 5, want at most 3")
}

// explosive panics when it reads.
type explosive struct{}

func (*explosive) UnmarshalText([]byte) error { panic("boom") }

func TestValidateContainsPanics(t *testing.T) {
	schema, err := jig.SchemaFor[struct {
		P explosive `json:"p"`
	}]()
	require.NoError(t, err)
	require.EqualError(t, schema.Validate([]byte(`{"p":"x"}`)),
		`"/p": got "x", want text that this field can read`)
}

func TestFormatOfTheGoTypeStands(t *testing.T) {
	_, err := jig.SchemaFor[struct {
		D time.Time `jsonschema:"format=date"`
	}]()
	require.EqualError(t, err, "jig: schema: T.D: the format of this field is that of its Go type, "+
		"time.Time; leave format= out, or make the field a string")
	_, err = jig.SchemaFor[struct {
		D []time.Duration `jsonschema:"format=duration"`
	}]()
	require.ErrorContains(t, err, "T.D: the format of this field is that of its Go type, time.Duration")
}

type (
	oldDraft struct{}
	anchored struct{}
	address  struct {
		City string `json:"city"`
	}
	customer struct {
		address
		Note string `json:"note"`
	}
)

func (*oldDraft) UnmarshalJSON([]byte) error { return nil }
func (*anchored) UnmarshalJSON([]byte) error { return nil }

func (oldDraft) JSONSchema() *jig.Schema {
	return jig.MustParseSchema(`{"type":"number","minimum":1,"exclusiveMinimum":true}`)
}

func (anchored) JSONSchema() *jig.Schema {
	return jig.MustParseSchema(`{"properties":{"a":{"$anchor":"x"},"b":{"$ref":"#x"}}}`)
}

func (address) JSONSchema() *jig.Schema {
	return jig.MustParseSchema(`{"type":"object","properties":{"city":{"type":"string"}}}`)
}

func TestOwnSchemasThatCannotBeJoined(t *testing.T) {
	_, err := jig.SchemaFor[struct{ F oldDraft }]()
	require.ErrorContains(t, err, "T.F: the method JSONSchema of jig_test.oldDraft gives no usable schema: "+
		"it is written in draft-04; write it in draft 2020-12")
	_, err = jig.SchemaFor[struct{ F anchored }]()
	require.ErrorContains(t, err, `its $ref "#x" is no JSON pointer into itself, such as #/$defs/name`)
	_, err = jig.SchemaFor[struct{ C customer }]()
	require.ErrorContains(t, err, "T.C: the method JSONSchema of jig_test.customer is that of the embedded "+
		"jig_test.address, which says nothing of the other fields")
}

func strictRaw(schema string) (*jig.Tool, error) {
	return jig.Define(jig.Spec[json.RawMessage, jig.NoResult]{
		Name: "probe", Description: "Probes.", Strict: true, Schema: jig.MustParseSchema(schema),
		Execute: func(context.Context, json.RawMessage) (jig.NoResult, error) { return jig.NoResult{}, nil },
	})
}

// TestStrictClosesWhatReferencesLeadTo shows that no object with properties stays open.
func TestStrictClosesWhatReferencesLeadTo(t *testing.T) {
	_, err := strictRaw(`{"type":"object","properties":{"a":{"$ref":"#/x-lib/t"}},` +
		`"x-lib":{"t":{"type":"object","properties":{"x":{"type":"string"}}}}}`)
	require.ErrorContains(t, err, "Schema/properties/a: strict closes every object, and what this "+
		"reference leads to cannot be closed; put that schema under $defs")
	unevaluated, err := strictRaw(`{"type":"object","properties":{"a":{"type":"array",` +
		`"unevaluatedItems":{"type":"object","properties":{"x":{}}}}}}`)
	require.NoError(t, err)
	require.Equal(t, jig.StatusInvalid,
		unevaluated.Call(t.Context(), json.RawMessage(`{"a":[{"y":2}]}`)).Status)
}

func TestParsedLiteralsAreShownAsObjects(t *testing.T) {
	schema := jig.MustParseSchema(`{"properties":{"a":true,"b":false},"items":true,"anyOf":[true],` +
		`"additionalProperties":false}`)
	require.Equal(t, `{"properties":{"a":{},"b":{"not":{}}},"items":{},"anyOf":[{}],`+
		`"additionalProperties":false}`, string(schema.JSON()))
	require.Error(t, schema.Validate([]byte(`{"b":1}`)))
}

func TestReferencesByTheRootsOwnID(t *testing.T) {
	schema := jig.MustParseSchema(`{"$id":"http://e.com/root","properties":{"a":{"$ref":` +
		`"http://e.com/root#/$defs/q"}},"$defs":{"q":{"type":"string"}}}`)
	require.Equal(t, `{"properties":{"a":{"$ref":"#/$defs/q"}},"$defs":{"q":{"type":"string"}}}`,
		string(schema.JSON()))
	require.EqualError(t, schema.Validate([]byte(`{"a":1}`)), `"/a": got number 1, want string`)
}

func TestDefaultsByHand(t *testing.T) {
	type args struct {
		D time.Duration `json:"d,omitempty"`
		N int8          `json:"n,omitempty"`
	}
	define := func(schema string) error {
		_, err := jig.Define(jig.Spec[args, jig.NoResult]{
			Name: "x", Description: "X.", Schema: jig.MustParseSchema(schema),
			Execute: func(context.Context, args) (jig.NoResult, error) { return jig.NoResult{}, nil },
		})
		return err
	}
	require.NoError(t, define(`{"properties":{"d":{"type":"string","default":"5m"},"n":{"type":"integer"}}}`))
	require.ErrorContains(t, define(`{"properties":{"d":{"type":"string","default":"5 minutes"}}}`),
		"the default does not fit the Go field")
	require.ErrorContains(t, define(`{"properties":{"n":{"type":"integer","default":300}}}`),
		"the default does not fit the Go field")
	warned := jig.MustParseSchema(`{"properties":{"n":{"type":"integer","default":"x"}}}`)
	require.Equal(t, []string{`/properties/n: the default "x" is refused by its own schema: ` +
		`got string "x", want integer; it does not apply`}, warned.Warnings())
}

// TestDefaultsWithoutEnd shows that a default inside of which it would be filled in again does not apply, nor
// one that others fill with too much, and that defaults inside defaults do otherwise.
func TestDefaultsWithoutEnd(t *testing.T) {
	const endless = "is filled in inside itself, without end; it does not apply"
	tests := []struct {
		name, schema, want string
		warnings           []string
	}{
		{"nested", `{"properties":{"a":{"properties":{"b":{"type":"object","properties":{"c":{"default":1}},` +
			`"default":{}}},"type":"object","default":{"d":2}}}}`, `{"a":{"b":{"c":1},"d":2}}`, nil},
		{"itself", `{"properties":{"a":{"$ref":"#","default":{}},"b":{"default":1}}}`, `{"b":1}`,
			[]string{"/properties/a: the default {} " + endless}},
		{"itself where it is null", `{"properties":{"a":{"$ref":"#","type":"object","default":{"a":null}}}}`, `{}`,
			[]string{`/properties/a: the default {"a":null} ` + endless}},
		{"in an item", `{"properties":{"a":{"type":"array","items":{"$ref":"#"},"uniqueItems":true,"default":[1,{}]},` +
			`"b":{"type":"array","items":{"$ref":"#"},"default":[]}}}`, `{"b":[]}`,
			[]string{"/properties/a: the default [1,{}] " + endless}},
		{"by way of another", `{"properties":{"a":{"$ref":"#/$defs/b","default":{}}},"$defs":{` +
			`"b":{"type":"object","properties":{"c":{"$ref":"#/$defs/c","default":{}}}},` +
			`"c":{"type":"object","properties":{"d":{"$ref":"#/$defs/b","default":{"e":1}}}}}}`, `{"a":{"c":{}}}`,
			[]string{`/properties/a/properties/c/properties/d: the default {"e":1} ` + endless}},
		{"sent, and so not filled in", `{"properties":{"a":{"$ref":"#","type":"object","default":{"a":{"a":1}}}}}`, `{}`,
			[]string{`/properties/a: the default {"a":{"a":1}} is refused by its own schema: ` +
				`got number 1, want object; it does not apply`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			schema := jig.MustParseSchema(tt.schema)
			require.Equal(t, tt.warnings, schema.Warnings())
			require.Equal(t, tt.want, defaultsOf(t, schema))
		})
	}
}

type endlessDefault struct {
	Next *endlessDefault `json:"next,omitempty" jsonschema:"default={}"`
}

// TestDefaultWithoutEndInATag shows that one in a tag is an error: it can be left out there.
func TestDefaultWithoutEndInATag(t *testing.T) {
	_, err := jig.Define(jig.Spec[endlessDefault, jig.NoResult]{
		Name: "x", Description: "X.",
		Execute: func(context.Context, endlessDefault) (jig.NoResult, error) { return jig.NoResult{}, nil },
	})
	require.EqualError(t, err, `jig: tool "x": Schema/properties/next/anyOf/0/properties/next: `+
		`the default {} is filled in inside itself, without end; leave it out`)
}

// TestDefaultNull shows that a default of null says no more than absence does.
func TestDefaultNull(t *testing.T) {
	schema := jig.MustParseSchema(`{"properties":{"a":{"default":null},"b":{"type":"integer","default":null}}}`)
	require.Empty(t, schema.Warnings())
	require.Equal(t, `{}`, defaultsOf(t, schema))
}

// TestDefaultsThatDouble shows that what one default comes to is bounded.
func TestDefaultsThatDouble(t *testing.T) {
	text := `{"properties":{"a":{"$ref":"#/$defs/d0","default":{}}},"$defs":{"d40":{}`
	for i := range 40 {
		text += fmt.Sprintf(`,"d%d":{"type":"object","properties":{"x":{"$ref":"#/$defs/d%[2]d","default":{}},`+
			`"y":{"$ref":"#/$defs/d%[2]d","default":{}}}}`, i, i+1)
	}
	schema := jig.MustParseSchema(text + `}}`)
	require.NotEmpty(t, schema.Warnings())
	for _, warning := range schema.Warnings() {
		require.Contains(t, warning, "the default {} is too large with the defaults that are filled in inside it; "+
			"it does not apply")
	}
	filled := len(defaultsOf(t, schema))
	require.Greater(t, filled, 1_000)
	require.Less(t, filled, 1_000_000)
}

// defaultsOf is what a call without arguments gives a tool, as JSON.
func defaultsOf(t *testing.T, schema *jig.Schema) string {
	t.Helper()
	var got map[string]any
	tool := jig.MustDefine(jig.Spec[map[string]any, jig.NoResult]{
		Name: "probe", Description: "Probes.", Schema: schema,
		Execute: func(_ context.Context, in map[string]any) (jig.NoResult, error) {
			got = in
			return jig.NoResult{}, nil
		},
	})
	require.NoError(t, tool.Call(t.Context(), json.RawMessage(`{}`)).Err)
	text, err := json.Marshal(got)
	require.NoError(t, err)
	return string(text)
}

func TestNarrowingKeepsItsWord(t *testing.T) {
	schema := jig.MustParseSchema(`{"properties":{"s":{}},"patternProperties":{"^s":{}}}`)
	_, err := schema.Without("s")
	require.EqualError(t, err, "jig: schema: its patternProperties lets one of these properties through; "+
		"nothing can be left out of such a schema")
	defaulted, err := jig.MustParseSchema(`{"properties":{"d":{"type":"integer","default":5}}}`).WithEnum("d", 2, 3)
	require.NoError(t, err)
	require.Equal(t, `{"properties":{"d":{"type":"integer","enum":[2,3]}}}`, string(defaulted.JSON()))
}

func TestLongKeysAreQuotedShortly(t *testing.T) {
	type args struct {
		M map[string]int `json:"m"`
	}
	long := strings.Repeat("k", 100_000)
	tool := jig.MustDefine(jig.Spec[args, jig.NoResult]{
		Name: "x", Description: "X.",
		Execute: func(context.Context, args) (jig.NoResult, error) { return jig.NoResult{}, nil },
	})
	for _, text := range []string{`{"m":{"#":"x"}}`, `{"m":{"#":1e99999}}`, `{"m":{"#":1,"#":2}}`} {
		out := tool.Call(t.Context(), json.RawMessage(strings.ReplaceAll(text, "#", long)))
		require.Equal(t, jig.StatusInvalid, out.Status)
		require.Less(t, len(out.Text()), 1000)
	}
}

func TestEmbeddedPointerThatReadsText(t *testing.T) {
	type embeds struct{ *netip.Addr }
	_, err := jig.SchemaFor[struct{ V embeds }]()
	require.ErrorContains(t, err, "T.V: type jig_test.embeds reads text by a method of an embedded pointer")
}

// touchy is an error whose methods panic.
type touchy struct{}

func (touchy) Error() string { panic("boom") }

func TestErrorsThatPanicWhenPrinted(t *testing.T) {
	tool := jig.MustDefine(jig.Spec[struct{}, jig.NoResult]{
		Name: "x", Description: "X.",
		Execute: func(context.Context, struct{}) (jig.NoResult, error) { return jig.NoResult{}, touchy{} },
	})
	out := tool.Call(t.Context(), nil)
	require.Equal(t, "x: execute: an error of type jig_test.touchy whose Error method panics", out.Err.Error())
	require.True(t, errors.As(out.Err, new(touchy)))
}
