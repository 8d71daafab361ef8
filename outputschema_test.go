package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

func sentSchema[Result any](t testing.TB, spec jig.Spec[struct{}, Result]) string {
	t.Helper()
	tool, err := jig.Define(spec)
	require.NoError(t, err)
	if tool.OutputSchema() == nil {
		return ""
	}
	definitions := slices.Collect(registryOf(t, nil, tool).Definitions())
	require.Same(t, tool.OutputSchema(), definitions[0].OutputSchema)
	return string(tool.OutputSchema().JSON())
}

// TestOutputSchemaIsOfWhatIsSent has the schema without hidden and unprojected properties, with
// redacted ones as strings, and without constraints on values.
func TestOutputSchemaIsOfWhatIsSent(t *testing.T) {
	const line = `{"type":"object","properties":{"sku":{"type":"string"},"qty":{"type":"integer"},"cost":{"type":"integer"}},` +
		`"required":["sku","qty","cost"]}`
	require.Equal(t, `{"type":"object","properties":{"id":{"type":"integer"},"ship":{"type":["object","null"],"properties":`+
		`{"city":{"type":"string"},"zip":{"type":"string"}},"required":["city","zip"]},"items":{"type":"array","items":`+line+
		`},"meta":{"type":"object"},"Raw":{},"token":{"type":"string"}},"required":["id","ship","items","meta","Raw","token"]}`,
		sentSchema(t, viewSpec(theOrder)))
	spec := viewSpec(theOrder)
	spec.Project = []string{"id", "items[].sku", "items[].cost", "ship.city"}
	spec.Redact = []string{"items[].cost", "id"}
	require.Equal(t, `{"type":"object","properties":{"id":{"type":"string"},"ship":{"type":"object","properties":`+
		`{"city":{"type":"string"}},"required":["city"]},"items":{"type":"array","items":{"type":"object","properties":`+
		`{"sku":{"type":"string"},"cost":{"type":"string"}},"required":["sku","cost"]}}},"required":["id","items"]}`,
		sentSchema(t, spec))
	type bounded struct {
		N uint8         `json:"n" jsonschema:"minimum=3,maximum=5"`
		S string        `json:"s,omitempty" jsonschema:"enum=a,enum=b" jsonschema_description:"Which."`
		D time.Duration `json:"d"`
	}
	require.Equal(t, `{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string","description":"Which."},`+
		`"d":{"type":"string","description":"Duration such as \"1m30s\" or \"250ms\"."}},"required":["n","d"]}`,
		sentSchema(t, viewSpec(bounded{})))

	// Text, what nothing is known of, and what code makes have none.
	require.Empty(t, sentSchema(t, viewSpec("x")))
	require.Empty(t, sentSchema(t, viewSpec[any](1)))
	require.Empty(t, sentSchema(t, viewSpec(jig.NoResult{})))
	require.Empty(t, sentSchema(t, viewSpec(jig.Text("x"))))
	require.Equal(t, `{"type":"integer"}`, sentSchema(t, viewSpec(1)))
	shaped := viewSpec(theOrder)
	shaped.ToModelOutput = func(context.Context, viewOrder) (jig.Output, error) { return jig.Text("x"), nil }
	require.Empty(t, sentSchema(t, shaped))

	// By hand, as given, with the paths applied.
	byHand := viewSpec(map[string]any{"id": 1, "rows": []any{map[string]any{"a": 1}}})
	byHand.OutputSchema = jig.MustParseSchema(`{"type":"object","properties":{"id":{"type":"integer","minimum":1},"rows":` +
		`{"type":"array","minItems":1,"items":{"$ref":"#/$defs/row"}}},"required":["id","rows"],"$defs":{"row":{"type":"object",` +
		`"properties":{"a":{"type":"integer"},"b":{"type":"string"}}},"other":{}}}`)
	require.Equal(t, string(byHand.OutputSchema.JSON()), sentSchema(t, byHand))
	byHand.Project = []string{"id", "rows[].a"}
	require.Equal(t, `{"type":"object","properties":{"id":{"type":"integer","minimum":1},"rows":{"type":"array","items":`+
		`{"type":"object","properties":{"a":{"type":"integer"}}}}},"required":["id","rows"]}`, sentSchema(t, byHand))
	byHand.Project = []string{"rows"}
	require.Equal(t, `{"type":"object","properties":{"rows":{"type":"array","minItems":1,"items":{"$ref":"#/$defs/row"}}},`+
		`"required":["rows"],"$defs":{"row":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}}}}}`,
		sentSchema(t, byHand))
}

func TestOutputSchemaByHand(t *testing.T) {
	type result struct {
		N      int    `json:"n"`
		Secret string `json:"secret" jig:"redact"`
		Inner  string `json:"inner" jig:"hidden"`
	}
	shaped := 0
	spec := viewSpec(result{})
	spec.OutputSchema = jig.MustParseSchema(`{"type":"object","properties":{"n":{"type":"integer","maximum":9},` +
		`"secret":{"type":"string","minLength":20},"inner":{"type":"string"}},"required":["n","secret","inner"]}`)
	spec.ToModelOutput = func(_ context.Context, r result) (jig.Output, error) {
		shaped++
		return jig.JSON(r)
	}
	logger, lines := logTo()
	run := func(v result) jig.Outcome {
		spec.Execute = func(context.Context, struct{}) (result, error) { return v, nil }
		return registryOf(t, &jig.Options{Logger: logger, LogCauses: true, ExposeErrors: true}, jig.MustDefine(spec)).
			Call(t.Context(), jig.Call{ID: "1", Name: "view"})
	}
	// The clear values are checked, not what the model gets of them.
	got := run(result{9, "hunter2-and-thirteen-more", "x"})
	require.Equal(t, `{"n":9,"secret":"[redacted]"}`, got.Text())
	require.Equal(t, 1, shaped)

	bad := result{10, "hunter2", "hunter2"}
	got = run(bad)
	require.Equal(t, "view did run, but its result could not be prepared; do not assume that it did nothing. Reference: "+
		got.Ref+".", got.Text())
	require.Equal(t, 1, shaped)
	require.Equal(t, jig.StatusFailed, got.Status)
	require.Equal(t, "output", got.Code)
	require.False(t, got.Retryable)
	require.Equal(t, bad, got.Value)
	require.ErrorIs(t, got.Err, jig.ErrOutput)
	invalid, ok := errors.AsType[*jig.ValidationError](got.Err)
	require.True(t, ok)
	require.Equal(t, []string{"/n", "/secret"}, []string{invalid.Problems[0].Pointer, invalid.Problems[1].Pointer})
	raw, err := json.Marshal(got)
	require.NoError(t, err)
	require.NotContains(t, string(raw)+lines.String(), "hunter2")

	for name, set := range map[string]func(*jig.Spec[struct{}, jig.NoResult]){
		`OutputSchema: is the zero Schema; make one with ParseSchema, MustParseSchema or SchemaFor`: func(s *jig.Spec[struct{}, jig.NoResult]) {
			s.OutputSchema = &jig.Schema{}
		},
		`OutputSchema: has nothing to check: Result is NoResult`: func(s *jig.Spec[struct{}, jig.NoResult]) {
			s.OutputSchema = jig.MustParseSchema(`{}`)
		},
	} {
		none := viewSpec(jig.NoResult{})
		set(&none)
		_, err := jig.Define(none)
		require.EqualError(t, err, `jig: tool "view": `+name)
	}
	output := viewSpec(jig.Text("x"))
	output.OutputSchema = jig.MustParseSchema(`{}`)
	_, err = jig.Define(output)
	require.EqualError(t, err, `jig: tool "view": OutputSchema: has nothing to check: Result is Output, which is what `+
		`the model reads already`)
}

type codecSample struct {
	D    time.Duration     `json:"d"`
	U    url.URL           `json:"u"`
	T    time.Time         `json:"t"`
	B    []byte            `json:"b"`
	I    int64             `json:"i"`
	P    *int              `json:"p"`
	M    map[int]string    `json:"m"`
	List []codecSample     `json:"list,omitempty"`
	Raw  json.RawMessage   `json:"raw,omitempty"`
	Any  any               `json:"any,omitempty"`
	Next *codecSample      `json:"next,omitempty"`
	Maps map[string][]bool `json:"maps,omitzero"`
	Key  string            `json:"key,omitempty" jig:"redact"`
}

// TestOneCodec returns what it was given: a result is written as arguments are read, and meets the
// schema of what is sent.
func TestOneCodec(t *testing.T) {
	const args = `{"d":"1m30s","u":"https://example.com/a?b=c&d","t":"2026-11-29T10:00:00Z","b":"AP8=","i":9007199254740993,` +
		`"p":null,"m":{"1":"a","10":"b"},"list":[{"d":"0s","u":"","t":"0001-01-01T00:00:00Z","b":"","i":0,"p":3,"m":{}}],` +
		`"raw":{"x":[1]},"any":{"y":9007199254740993},"next":{"d":"0s","u":"","t":"0001-01-01T00:00:00Z","b":"","i":0,` +
		`"p":null,"m":{}},"maps":{"z":[true]}}`
	tool := jig.MustDefine(jig.Spec[codecSample, codecSample]{
		Name: "echo", Description: "Call it in tests.",
		Execute: func(_ context.Context, a codecSample) (codecSample, error) { return a, nil },
	})
	got := registryOf(t, nil, tool).Call(t.Context(), jig.Call{Name: "echo", Args: []byte(args)})
	require.Equal(t, args, got.Text())
	require.NoError(t, tool.OutputSchema().Validate([]byte(got.Text())))
	require.NoError(t, tool.InputSchema().Validate([]byte(got.Text())))
}

// TestViewMeetsItsSchema compares views and schemas of many combinations of paths and values.
func TestViewMeetsItsSchema(t *testing.T) {
	t.Parallel()
	values := []viewOrder{{}, theOrder, {Lines: []viewLine{{}}, Meta: map[string]any{"x": nil}, Raw: json.RawMessage("3")}}
	paths := []string{"id", "ship", "ship.city", "items", "items[].sku", "items[1:2]", "items[0].cost", "meta", "meta.x", "meta.*",
		"Raw", "Raw.in.deep", "token", "*"}
	checked := 0
	for i := range 1 << len(paths) {
		if i%37 != 0 && i > 300 { // a sample of the combinations
			continue
		}
		var some []string
		for j, p := range paths {
			if i&(1<<j) != 0 {
				some = append(some, p)
			}
		}
		for redact := range 2 {
			spec := viewSpec(&values[0])
			if spec.Project = some; redact == 1 {
				spec.Project, spec.Redact = nil, some
			}
			tool, err := jig.Define(spec)
			require.NoError(t, err)
			require.NotNil(t, tool.OutputSchema())
			for _, v := range values {
				spec.Execute = func(context.Context, struct{}) (*viewOrder, error) { return &v, nil }
				got := jig.MustDefine(spec).Call(t.Context(), nil)
				require.NoError(t, tool.OutputSchema().Validate([]byte(got.Text())), "%v: %s\n%s", some, got.Text(), tool.OutputSchema().JSON())
				checked++
			}
		}
	}
	require.Greater(t, checked, 2000)
}
