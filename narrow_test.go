package jig_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

type review struct {
	Text      string   `json:"text"`
	Decisions []string `json:"decisions"`
	Limit     int      `json:"limit,omitempty" jsonschema:"default=10"`
	Owner     *string  `json:"owner,omitempty"`
	Lines     []struct {
		SKU string `json:"sku" jsonschema:"maxLength=3"`
	} `json:"lines,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
}

func TestWithout(t *testing.T) {
	base, err := jig.SchemaFor[review]()
	require.NoError(t, err)
	before := string(base.JSON())
	narrow, err := base.Without("decisions", "limit", "lines", "labels")
	require.NoError(t, err)
	require.Equal(t, `{"type":"object","properties":{"text":{"type":"string"},`+
		`"owner":{"type":["string","null"]}},"required":["text"],"additionalProperties":false}`,
		string(narrow.JSON()))
	require.Equal(t, before, string(base.JSON()))

	var got review
	var canonical string
	tool := jig.MustDefine(jig.Spec[review, jig.NoResult]{
		Name: "probe", Description: "Probes.", Schema: narrow,
		Execute: func(ctx context.Context, in review) (jig.NoResult, error) {
			got, canonical = in, string(jig.CallInfo(ctx).Args())
			return jig.NoResult{}, nil
		},
	})
	out := tool.Call(t.Context(), json.RawMessage(`{"text":"a","decisions":["x"],"limit":3}`))
	require.EqualError(t, out.Err, `probe: validate: "/decisions": not a property here; the properties are "text", "owner"
"/limit": not a property here; the properties are "text", "owner"`)
	require.NoError(t, tool.Call(t.Context(), json.RawMessage(`{"text":"a"}`)).Err)
	require.Equal(t, review{Text: "a", Limit: 10}, got)
	require.Equal(t, `{"limit":10,"text":"a"}`, canonical)

	_, err = base.Without("decision")
	require.EqualError(t, err, `jig: schema: there is no property "decision"; did you mean "decisions"?`)
}

func TestWithoutParsed(t *testing.T) {
	base := jig.MustParseSchema(`{"type":"object","properties":{"a":{"type":"string"},"b":{"default":1}},` +
		`"required":["a","b"],"additionalProperties":true}`)
	narrow, err := base.Without("a")
	require.NoError(t, err)
	require.Equal(t, `{"type":"object","properties":{"b":{"default":1}},"required":["b"],`+
		`"additionalProperties":false}`, string(narrow.JSON()))
	require.NoError(t, narrow.Validate([]byte(`{"b":2}`)))
	require.EqualError(t, narrow.Validate([]byte(`{"a":"x","b":2}`)),
		`"/a": not a property here; the only property is "b"`)
	_, err = jig.MustParseSchema(`true`).Without("a")
	require.EqualError(t, err, `jig: schema: the literal true has nothing to narrow`)
}

func TestWithEnum(t *testing.T) {
	base, err := jig.SchemaFor[review]()
	require.NoError(t, err)
	tests := []struct {
		name, path string
		values     []any
		good, bad  string
		shown      string
	}{
		{"member", "text", []any{"a", "b<c"}, `{"text":"b<c","decisions":[]}`, `{"text":"d","decisions":[]}`,
			`"text":{"type":"string","enum":["a","b<c"]}`},
		{"items", "decisions[]", []any{"yes"}, `{"text":"","decisions":["yes"]}`,
			`{"text":"","decisions":["no"]}`, `"items":{"type":"string","enum":["yes"]}`},
		{"below items", "lines[].sku", []any{"A1"}, `{"text":"","decisions":[],"lines":[{"sku":"A1"}]}`,
			`{"text":"","decisions":[],"lines":[{"sku":"A2"}]}`,
			`"sku":{"type":"string","maxLength":3,"enum":["A1"]}`},
		{"nullable keeps null", "owner", []any{"ann"}, `{"text":"","decisions":[],"owner":null}`,
			`{"text":"","decisions":[],"owner":"bob"}`, `"owner":{"type":["string","null"],"enum":["ann",null]}`},
		{"map values", "labels.*", []any{"x"}, `{"text":"","decisions":[],"labels":{"k":"x"}}`,
			`{"text":"","decisions":[],"labels":{"k":"y"}}`, `"additionalProperties":{"type":"string","enum":["x"]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			narrow, err := base.WithEnum(tt.path, tt.values...)
			require.NoError(t, err)
			require.Contains(t, string(narrow.JSON()), tt.shown)
			require.NoError(t, narrow.Validate([]byte(tt.good)))
			require.Error(t, narrow.Validate([]byte(tt.bad)))
			require.NoError(t, base.Validate([]byte(tt.bad)), "the base is unchanged")
		})
	}
}

func TestWithEnumThroughReference(t *testing.T) {
	base := jig.MustParseSchema(`{"type":"object","properties":{"from":{"$ref":"#/$defs/place"},` +
		`"to":{"$ref":"#/$defs/place"}},"$defs":{"place":{"type":"string","minLength":2}}}`)
	narrow, err := base.WithEnum("from", "Oslo")
	require.NoError(t, err)
	require.NoError(t, narrow.Validate([]byte(`{"from":"Oslo","to":"Rome"}`)))
	require.EqualError(t, narrow.Validate([]byte(`{"from":"Rome"}`)),
		`"/from": got "Rome", want "Oslo"`)
	_, err = base.WithEnum("from", "X")
	require.EqualError(t, err,
		`jig: schema: path "from": value 0: got 1 character "X", want at least 2`)
}

func TestNarrowedSchemasAreApart(t *testing.T) {
	type args struct {
		A int `json:"a,omitempty" jsonschema:"default=1"`
		B int `json:"b,omitempty" jsonschema:"default=2"`
		C int `json:"c,omitempty" jsonschema:"default=3"`
		D int `json:"d,omitempty" jsonschema:"default=4"`
		E int `json:"e,omitempty" jsonschema:"default=5"`
	}
	base, err := jig.SchemaFor[args]()
	require.NoError(t, err)
	abc, err := base.Without("a", "b", "c")
	require.NoError(t, err)
	abcd, err := abc.Without("d")
	require.NoError(t, err)
	_, err = abc.Without("e")
	require.NoError(t, err)
	var got args
	tool := jig.MustDefine(jig.Spec[args, jig.NoResult]{
		Name: "probe", Description: "Probes.", Schema: abcd,
		Execute: func(_ context.Context, in args) (jig.NoResult, error) {
			got = in
			return jig.NoResult{}, nil
		},
	})
	require.NoError(t, tool.Call(t.Context(), nil).Err)
	require.Equal(t, args{1, 2, 3, 4, 5}, got)
}

func TestWithEnumKeepsNull(t *testing.T) {
	base := jig.MustParseSchema(`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},` +
		`{"type":"null"}]},"b":{"$ref":"#/$defs/a%20b","description":"mine"}},"required":["a"],` +
		`"$defs":{"a b":{"type":"string","description":"theirs"}}}`)
	narrow, err := base.WithEnum("a", "x")
	require.NoError(t, err)
	require.NoError(t, narrow.Validate([]byte(`{"a":null}`)))
	require.EqualError(t, narrow.Validate([]byte(`{"a":"y"}`)), `"/a": got "y", want "x"`)
	narrow, err = base.WithEnum("b", "x")
	require.NoError(t, err)
	require.Contains(t, string(narrow.JSON()), `"b":{"type":"string","description":"mine","enum":["x"]}`)
}

func TestWithEnumRefused(t *testing.T) {
	base, err := jig.SchemaFor[review]()
	require.NoError(t, err)
	tests := []struct {
		path   string
		values []any
		want   string
	}{
		{"txt", []any{"a"}, `jig: schema: path "txt": there is no property "txt"; did you mean "text"?`},
		{"text[]", []any{"a"}, `jig: schema: path "text[]": [] stands where the schema has no items`},
		{"decisions[0]", []any{"a"}, `jig: schema: path "decisions[0]": an enum holds for all items; write []`},
		{"text.*", []any{"a"}, `jig: schema: path "text.*": .* stands where the schema has no map values`},
		{"text", nil, `jig: schema: path "text": no values are given, and nothing could be sent`},
		{"text", []any{1}, `jig: schema: path "text": value 0: got number 1, want string`},
		{"a..b", []any{1}, `jig: schema: path "a..b": at byte 2: want a name; write one with other characters as a JSON string`},
	}
	for _, tt := range tests {
		_, err := base.WithEnum(tt.path, tt.values...)
		require.EqualError(t, err, tt.want)
	}
}

func TestWarnings(t *testing.T) {
	schema := jig.MustParseSchema(`{"type":"object","properties":{"a":{"type":"string","pattern":"^(?!x)"}}}`)
	require.Equal(t, []string{`/properties/a/pattern: "^(?!x)" needs look-ahead, which is not checked here; ` +
		`the provider may still enforce it`}, schema.Warnings())
	require.NoError(t, schema.Validate([]byte(`{"a":"x"}`)))
	require.Empty(t, jig.MustParseSchema(`{"type":"object"}`).Warnings())
	reflected, err := jig.SchemaFor[review]()
	require.NoError(t, err)
	require.Empty(t, reflected.Warnings())
}

// TestWithoutRecursive leaves out the one property by which a schema contains itself.
func TestWithoutRecursive(t *testing.T) {
	base := jig.MustParseSchema(`{"type":"object","properties":{"a":{"type":"string"},"next":{"anyOf":[` +
		`{"$ref":"#"},{"type":"null"}],"default":{"a":"x"}}}}`)
	narrow, err := base.Without("next")
	require.NoError(t, err)
	require.EqualError(t, narrow.Validate([]byte(`{"a":"x","next":{}}`)),
		`"/next": not a property here; the only property is "a"`)
}

// TestWithoutDefaults shows that a property that is left out keeps its default, whatever its schema needs
// to be checked, and that what is wrong with one is still told.
func TestWithoutDefaults(t *testing.T) {
	type args struct {
		A any    `json:"a,omitempty"`
		B string `json:"b,omitempty"`
	}
	tests := []struct {
		name, schema string
		want         any
		warnings     []string
	}{
		{"union", `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"integer"}],` +
			`"default":"d"},"b":{"type":"string"}}}`, "d", nil},
		{"wrong by its union", `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"integer"}],` +
			`"default":true},"b":{"type":"string"}}}`, nil,
			[]string{"/properties/a: the default true is refused by its own schema: got boolean true, want string or integer; it does not apply"}},
		{"wrong by a union of its definition", `{"type":"object","properties":{"a":{"$ref":"#/$defs/x","default":true}},` +
			`"$defs":{"x":{"oneOf":[{"type":"string"},{"type":"integer"}]}}}`, nil,
			[]string{"/properties/a: the default true is refused by its own schema: got boolean true, want string or integer; it does not apply"}},
		{"reference beside an id", `{"type":"object","properties":{"a":{"$ref":"#/$defs/x","default":"d"}},` +
			`"$defs":{"x":{"type":"string"},"y":{"$id":"https://example.com/y"}}}`, "d", nil},
		{"id inside", `{"type":"object","properties":{"a":{"$id":"https://example.com/a","$ref":"#/$defs/x","default":"d",` +
			`"$defs":{"x":{"type":"string"}}}},"$defs":{"x":{"type":"integer"}}}`, "d", nil},
		{"the root itself", `{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#"},{"type":"integer"}],"default":{"b":"x"}},` +
			`"b":{"type":"string"}}}`, map[string]any{"b": "x"}, nil},
		{"definition", `{"type":"object","properties":{"a":{"not":{"$ref":"#/definitions/a"},` +
			`"default":"d"}},"definitions":{"a":{"type":"integer"}}}`, "d", nil},
		{"draft-04", `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{` +
			`"a":{"oneOf":[{"type":"integer","minimum":3,"exclusiveMinimum":true},{"type":"string"}],"default":4}}}`, json.Number("4"), nil},
		{"pattern that is not checked", `{"type":"object","properties":{"a":{"not":{"type":"integer"},"pattern":"^(?!x)","default":"d"}}}`,
			"d", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			narrow, err := jig.MustParseSchema(tt.schema).Without("a")
			require.NoError(t, err)
			require.ElementsMatch(t, tt.warnings, narrow.Warnings())
			again, err := narrow.Without()
			require.NoError(t, err)
			require.Equal(t, narrow.JSON(), again.JSON())
			for _, schema := range []*jig.Schema{narrow, again} {
				var got args
				tool := jig.MustDefine(jig.Spec[args, jig.NoResult]{
					Name: "probe", Description: "Probes.", Schema: schema,
					Execute: func(_ context.Context, in args) (jig.NoResult, error) {
						got = in
						return jig.NoResult{}, nil
					},
				})
				require.NoError(t, tool.Call(t.Context(), json.RawMessage(`{}`)).Err)
				require.Equal(t, args{A: tt.want}, got)
				require.ErrorContains(t, schema.Validate([]byte(`{"a":"d"}`)), `"/a": not a property here`)
			}
		})
	}
}

// TestWithoutChained shows that schemas which refer to the whole are compiled once for each whole that properties
// were taken out of: the one wrong default is met once in each.
func TestWithoutChained(t *testing.T) {
	const n = 16
	text := `{"type":"object","properties":{"z":{"type":"string","default":1}`
	for i := range n {
		text += fmt.Sprintf(`,"p%d":{"type":"array","items":{"$ref":"#"}}`, i)
	}
	schema := jig.MustParseSchema(text + `}}`)
	for i := range n {
		var err error
		schema, err = schema.Without(fmt.Sprintf("p%d", i))
		require.NoError(t, err)
	}
	require.Len(t, schema.Warnings(), n+1)
}

// TestWithoutThenBack shows that after a property that was taken out the rest is judged by its own whole again.
func TestWithoutThenBack(t *testing.T) {
	schema := jig.MustParseSchema(`{"type":"object","properties":{"a":{"type":"string"},"p":{"type":"object",` +
		`"properties":{"q":{"$ref":"#"},"r":{"$ref":"#"},"s":{"anyOf":[{"$ref":"#"},{"type":"integer"}]}},` +
		`"default":{"s":{"a":"x"}}}}}`)
	for _, name := range []string{"a", "p"} {
		var err error
		schema, err = schema.Without(name)
		require.NoError(t, err)
	}
	require.Equal(t, `{}`, defaultsOf(t, schema)) // s is a whole without a
}

// TestWithoutTightened shows that what becomes of the rest of a schema does not touch a default of a property
// that is left out.
func TestWithoutTightened(t *testing.T) {
	narrow, err := jig.MustParseSchema(`{"type":"object","properties":{"a":{"$ref":"#/$defs/x","default":{"p":"d"}},` +
		`"b":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"object","properties":{` +
		`"p":{"anyOf":[{"type":"string"},{"type":"integer"}]},"q":{"type":"boolean","default":true}}}}}`).Without("a")
	require.NoError(t, err)
	for _, profile := range []jig.Profile{
		{Name: "no references", Keywords: map[string]string{"$ref_local": "rejected", "$defs": "rejected"}},
		{Name: "all required", Closed: true, Required: true},
	} {
		tight, _, err := narrow.Tighten(profile)
		require.NoError(t, err, profile.Name)
		require.Empty(t, tight.Warnings(), profile.Name)
		var got map[string]any
		tool := jig.MustDefine(jig.Spec[map[string]any, jig.NoResult]{
			Name: "probe", Description: "Probes.", Schema: tight,
			Execute: func(_ context.Context, in map[string]any) (jig.NoResult, error) {
				got = in
				return jig.NoResult{}, nil
			},
		})
		require.NoError(t, tool.Call(t.Context(), json.RawMessage(`{"b":{"p":1,"q":false}}`)).Err, profile.Name)
		require.Equal(t, map[string]any{"a": map[string]any{"p": "d", "q": true},
			"b": map[string]any{"p": json.Number("1"), "q": false}}, got, profile.Name)
	}
}
