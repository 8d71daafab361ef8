package jig_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

type (
	viewLine struct {
		SKU  string `json:"sku"`
		Qty  int    `json:"qty"`
		Cost int    `json:"cost"`
	}
	viewOrder struct {
		ID    int            `json:"id"`
		Ship  *viewShip      `json:"ship"`
		Lines []viewLine     `json:"items"`
		Meta  map[string]any `json:"meta"`
		Raw   json.RawMessage
		Note  string `json:"note" jig:"hidden"`
		Token string `json:"token" jig:"redact"`
	}
	viewShip struct {
		City string `json:"city"`
		Zip  string `json:"zip"`
	}
)

var theOrder = viewOrder{ID: 7, Ship: &viewShip{"Oslo", "0150"}, Lines: []viewLine{{"a", 1, 10}, {"b", 2, 20}, {"c", 3, 30}},
	Meta: map[string]any{"x": map[string]int{"id": 1, "k": 2}, "odd.name": true}, Raw: json.RawMessage(`{"in":{"deep":1,"k":2}}`),
	Note: "hunter2", Token: "hunter2"}

// viewSpec is a tool that returns v.
func viewSpec[Result any](v Result) jig.Spec[struct{}, Result] {
	return jig.Spec[struct{}, Result]{
		Name: "view", Description: "Call it in tests.", Effect: jig.EffectRead,
		Execute: func(context.Context, struct{}) (Result, error) { return v, nil },
	}
}

func callView[Result any](t testing.TB, spec jig.Spec[struct{}, Result]) jig.Outcome {
	t.Helper()
	tool, err := jig.Define(spec)
	require.NoError(t, err)
	return registryOf(t, nil, tool).Call(t.Context(), jig.Call{ID: "1", Name: "view"})
}

func TestProject(t *testing.T) {
	for _, test := range []struct {
		name, want string
		paths      []string
	}{
		{"members, in the order of the result", `{"id":7,"token":"[redacted]"}`, []string{"token", "id"}},
		{"member of every item", `{"items":[{"sku":"a"},{"sku":"b"},{"sku":"c"}]}`, []string{"items[].sku"}},
		{"range", `{"items":[{"sku":"a"},{"sku":"b"}]}`, []string{"items[0:2].sku"}},
		{"every member", `{"meta":{"odd.name":true,"x":{"id":1,"k":2}}}`, []string{"meta.*"}},
		{"quoted name", `{"meta":{"odd.name":true}}`, []string{`meta."odd.name"`}},
		{"dynamic", `{"meta":{"x":{"id":1}},"Raw":{"in":{"deep":1}}}`, []string{"meta.x.id", "Raw.in.deep"}},
		{"through a pointer", `{"ship":{"city":"Oslo"}}`, []string{"ship.city"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec := viewSpec(theOrder)
			spec.Project = test.paths
			got := callView(t, spec)
			require.Equal(t, test.want, got.Text())
			require.Equal(t, theOrder, got.Value)
			pointer := viewSpec(&theOrder)
			pointer.Project = test.paths
			require.Equal(t, test.want, callView(t, pointer).Text())
		})
	}
	spec := viewSpec[*viewOrder](nil)
	spec.Project = []string{"id"}
	require.Equal(t, "null", callView(t, spec).Text())
	list := viewSpec([]viewLine{{"a", 1, 10}})
	list.Project = []string{"[].sku"}
	require.Equal(t, `[{"sku":"a"}]`, callView(t, list).Text())
}

// TestProjectAfterToModelOutput projects what the author's code made, and nothing else passes.
func TestProjectAfterToModelOutput(t *testing.T) {
	run := func(out jig.Output) jig.Outcome {
		spec := viewSpec("hunter2-raw")
		spec.Project = []string{"id", "rows[].a"}
		spec.ToModelOutput = func(context.Context, string) (jig.Output, error) { return out, nil }
		return callView(t, spec)
	}
	view, err := jig.JSON(map[string]any{"id": 1, "secret": "hunter2", "rows": []any{map[string]any{"a": 1, "b": "hunter2"}}})
	require.NoError(t, err)
	require.Equal(t, `{"id":1,"rows":[{"a":1}]}`, run(view).Text())
	require.Equal(t, "(no output)", run(jig.Output{}).Text())
	for name, part := range map[string]jig.Part{
		"text": {Text: "hunter2"}, "string": {JSON: []byte(`"hunter2"`)}, "number": {JSON: []byte("7")},
		"null": {JSON: []byte("null")}, "image": {Data: []byte("hunter2"), MIME: "image/png"},
	} {
		got := run(jig.Output{Parts: append(view.Parts[:1:1], part)})
		require.Equal(t, jig.StatusFailed, got.Status, name)
		require.Equal(t, "output", got.Code, name)
		require.ErrorIs(t, got.Err, jig.ErrOutput, name)
		require.Equal(t, "view did run, but its result could not be prepared; do not assume that it did nothing. "+
			"Reference: "+got.Ref+".", got.Text(), name)
		raw, err := json.Marshal(got)
		require.NoError(t, err)
		require.NotContains(t, string(raw), "hunter2", name)
	}
	// A dynamic result that turns out to be a string has nothing to select from.
	spec := viewSpec[any]("hunter2")
	spec.Project = []string{"id"}
	require.Equal(t, "output", callView(t, spec).Code)
}

// TestProjectOfNothing shows that a model reads something where the paths lead nowhere in what there was.
func TestProjectOfNothing(t *testing.T) {
	for _, result := range []any{[]any{"x"}, []any{}, json.RawMessage("[1]"), []any{nil}} {
		encoded := viewSpec(result)
		encoded.Project = []string{"id"}
		shaped := viewSpec("x")
		shaped.Project = []string{"id"}
		shaped.ToModelOutput = func(context.Context, string) (jig.Output, error) { return jig.JSON(result) }
		for _, o := range []jig.Outcome{callView(t, encoded), callView(t, encoded), callView(t, shaped)} {
			require.Equal(t, []jig.Part{{Text: "(no output)"}}, o.Output.Parts, "%v", result)
		}
	}
}

func TestProjectRefused(t *testing.T) {
	problems := func(_ *jig.Tool, err error) []string {
		var e *jig.DefineError
		require.ErrorAs(t, err, &e)
		var out []string
		for _, p := range e.Problems {
			out = append(out, p.Pointer+": "+p.Message)
		}
		return out
	}
	spec := viewSpec(theOrder)
	spec.Project = []string{"id", "itmes[].sku", "items[].skuu", "items.sku", "ship.zip.x", "ship[]", "note", "token.x",
		"a..b", "zebra", "meta[0]"}
	require.Equal(t, []string{
		`Project[1]: "itmes[].sku": Result has no property "itmes"; did you mean "items"?`,
		`Project[2]: "items[].skuu": Result.Lines[] has no property "skuu"; did you mean "sku"?`,
		`Project[3]: "items.sku": Result.Lines is an array; write [] for its items`,
		`Project[4]: "ship.zip.x": Result.Ship.Zip is no object and no array: nothing is inside it`,
		`Project[5]: "ship[]": Result.Ship is an object and has no items`,
		`Project[6]: "note": Result.Note is tagged jig:"hidden", so that no model sees it`,
		`Project[7]: "token.x": Result.Token is tagged jig:"redact", so that nothing is inside it`,
		`Project[8]: path "a..b": at byte 2: want a name; write one with other characters as a JSON string`,
		`Project[9]: "zebra": Result has no property "zebra"; it has "id", "ship", "items", "meta", "Raw", "token"`,
		`Project[10]: "meta[0]": Result.Meta is an object and has no items`,
	}, problems(jig.Define(spec)))
	text := viewSpec("x")
	text.Project = []string{"id"}
	require.Equal(t, []string{`Project[0]: "id": Result is no object and no array: nothing is inside it`},
		problems(jig.Define(text)))
	none := viewSpec(jig.NoResult{})
	none.Project = []string{"id"}
	require.Equal(t, []string{`Project[0]: "id": Result has no property "id", nor any other`}, problems(jig.Define(none)))
	spec = viewSpec(theOrder)
	spec.Redact = []string{"tokn", "id"}
	require.Equal(t, []string{`Redact[0]: "tokn": Args has no property "tokn", nor any other; Result has no property ` +
		`"tokn"; did you mean "token"?`}, problems(jig.Define(spec)))
}

// TestProjectHidesNewFields gives the result a field more than the paths were written for.
func TestProjectHidesNewFields(t *testing.T) {
	type before struct {
		ID int `json:"id"`
	}
	type after struct {
		ID     int    `json:"id"`
		Salary string `json:"salary"`
	}
	spec := viewSpec(before{1})
	spec.Project = []string{"id"}
	later := viewSpec(after{1, "hunter2"})
	later.Project = spec.Project
	require.Equal(t, callView(t, spec).Text(), callView(t, later).Text())
}

func TestHiddenAndRedacted(t *testing.T) {
	got := callView(t, viewSpec(theOrder))
	require.Equal(t, `{"id":7,"ship":{"city":"Oslo","zip":"0150"},"items":[{"sku":"a","qty":1,"cost":10},{"sku":"b","qty":2,`+
		`"cost":20},{"sku":"c","qty":3,"cost":30}],"meta":{"odd.name":true,"x":{"id":1,"k":2}},`+
		`"Raw":{"in":{"deep":1,"k":2}},"token":"[redacted]"}`, got.Text())
	require.Equal(t, theOrder, got.Value)

	spec := viewSpec(theOrder)
	spec.Project = []string{"id", "items[0:2]", "ship", "meta"}
	spec.Redact = []string{"items[].cost", "ship", "meta.x.*", `meta."odd.name"`}
	require.Equal(t, `{"id":7,"ship":"[redacted]","items":[{"sku":"a","qty":1,"cost":"[redacted]"},{"sku":"b","qty":2,`+
		`"cost":"[redacted]"}],"meta":{"odd.name":"[redacted]","x":{"id":"[redacted]","k":"[redacted]"}}}`,
		callView(t, spec).Text())

	// In what ToModelOutput makes, the paths hold for JSON, and the tags for the values it encodes.
	spec = viewSpec(theOrder)
	spec.Redact = []string{"list[].Token", "list[].id"}
	spec.ToModelOutput = func(_ context.Context, o viewOrder) (jig.Output, error) {
		return jig.JSON(map[string]any{"list": []any{map[string]string{"Token": o.Token}, &viewOrder{ID: 1, Note: o.Note, Token: o.Token}}})
	}
	require.Equal(t, `{"list":[{"Token":"[redacted]"},{"id":"[redacted]","ship":null,"items":[],"meta":{},"Raw":null,`+
		`"token":"[redacted]"}]}`, callView(t, spec).Text())
}
