package jig_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// mendArgs has a property for each way of mending.
type mendArgs struct {
	Int    int            `json:"int,omitempty"`
	Small  uint8          `json:"small,omitempty"`
	Float  float64        `json:"float,omitempty"`
	Bool   bool           `json:"bool,omitempty"`
	Text   string         `json:"text,omitempty"`
	Enum   string         `json:"enum,omitempty" jsonschema:"enum=low,enum=high"`
	List   []string       `json:"list,omitempty"`
	One    []string       `json:"one,omitempty" jsonschema:"maxItems=1"`
	Ints   []int          `json:"ints,omitempty"`
	Object mendInner      `json:"object,omitzero"`
	Maybe  *int           `json:"maybe,omitempty"`
	Nested *mendInner     `json:"nested,omitempty"`
	Map    map[string]int `json:"map,omitempty"`
	Any    any            `json:"any,omitempty"`
	Until  string         `json:"until,omitempty"`
}

type mendInner struct {
	N    int        `json:"n,omitempty"`
	Next *mendInner `json:"next,omitempty"`
}

// mendTool reads back the canonical arguments.
func mendTool[Args any](mode jig.RepairMode, schema *jig.Schema) *jig.Tool {
	return jig.MustDefine(jig.Spec[Args, string]{
		Name: "probe", Description: "Call it in tests.", Repair: mode, Schema: schema,
		Effect: jig.EffectRead,
		Execute: func(ctx context.Context, _ Args) (string, error) {
			return string(jig.CallInfo(ctx).Args()), nil
		},
	})
}

// mendLines writes repairs one a line.
func mendLines(repairs []jig.Repair) string {
	var lines []string
	for _, r := range repairs {
		lines = append(lines, fmt.Sprintf("%s %s: %s -> %s", r.Pointer, r.Kind, r.Before, r.After))
	}
	return strings.Join(lines, "\n")
}

func TestMendSafe(t *testing.T) {
	tool := mendTool[mendArgs](jig.RepairSafe, nil)
	for _, test := range []struct{ name, args, want, repairs string }{
		{"an integer", `{"int":"5"}`, `{"int":5}`, `/int number_text: "5" -> 5`},
		{"an integral number", `{"int":"5.0"}`, `{"int":5}`, `/int number_text: "5.0" -> 5.0`},
		{"to the last digit", `{"int":"9007199254740993"}`, `{"int":9007199254740993}`,
			`/int number_text: "9007199254740993" -> 9007199254740993`},
		{"a number", `{"float":"-1.5e3"}`, `{"float":-1500}`, `/float number_text: "-1.5e3" -> -1.5e3`},
		{"a boolean", `{"bool":"true"}`, `{"bool":true}`, `/bool boolean_text: "true" -> true`},
		{"behind null", `{"maybe":"7"}`, `{"maybe":7}`, `/maybe number_text: "7" -> 7`},
		{"in a map", `{"map":{"a":"1","b":2}}`, `{"map":{"a":1,"b":2}}`, `/map/a number_text: "1" -> 1`},
		{"an array", `{"list":"[\"a\"]"}`, `{"list":["a"]}`, `/list json_text: "[\"a\"]" -> ["a"]`},
		{"an object and what is in it", `{"object":"{\"n\":\"3\"}"}`, `{"object":{"n":3}}`,
			`/object json_text: "{\"n\":\"3\"}" -> {"n":3}` + "\n" + `/object/n number_text: "3" -> 3`},
		{"behind a reference", `{"nested":{"next":{"n":"4"}}}`, `{"nested":{"next":{"n":4}}}`,
			`/nested/next/n number_text: "4" -> 4`},
		{"the arguments", `"{\"int\":1}"`, `{"int":1}`, ` encoded_arguments: "{\"int\":1}" -> {"int":1}`},
		{"blank arguments in quotes", `" "`, `{}`, ` encoded_arguments: " " -> {}`},
		{"a scalar for at most one item", `{"one":"a"}`, `{"one":["a"]}`, `/one single_item: "a" -> ["a"]`},
		{"two at once", `{"int":"5","bool":"false"}`, `{"bool":false,"int":5}`,
			`/int number_text: "5" -> 5` + "\n" + `/bool boolean_text: "false" -> false`},
		{"a dropped key is recorded too", `{"int":"5","zzz":1}`, `{"int":5}`,
			`/int number_text: "5" -> 5` + "\n" + `/zzz unknown_property:  -> `},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := tool.Call(t.Context(), json.RawMessage(test.args))
			require.Equal(t, jig.StatusOK, got.Status, got.Text())
			require.Equal(t, test.want, got.Text())
			require.Equal(t, test.repairs, mendLines(got.Repairs))
		})
	}
}

// TestMendNever shows what no mode changes: what the schema takes as it is, and what would lose
// something, guess, or still be refused.
func TestMendNever(t *testing.T) {
	for _, mode := range []jig.RepairMode{jig.RepairSafe, jig.RepairLenient} {
		tool := mendTool[mendArgs](mode, nil)
		for _, args := range []string{
			`{"text":"01234"}`, `{"text":"5"}`, `{"text":"true"}`, `{"text":"null"}`, `{"text":"[\"a\"]"}`,
			`{"text":"{\"a\":1}"}`, `{"any":"5"}`, `{"list":["5","[1]"]}`,
		} {
			got := tool.Call(t.Context(), json.RawMessage(args))
			require.Equal(t, jig.StatusOK, got.Status, got.Text())
			require.Equal(t, args, got.Text())
			require.Empty(t, got.Repairs)
		}
		for _, test := range []struct{ args, want string }{
			{`{"int":"5.5"}`, `- "/int": got string "5.5", want integer`},
			{`{"int":""}`, `- "/int": got string "", want integer`},
			{`{"int":" 5"}`, `- "/int": got string " 5", want integer`},
			{`{"int":"0x5"}`, `- "/int": got string "0x5", want integer`},
			{`{"int":"null"}`, `- "/int": got string "null", want integer`},
			{`{"bool":"True"}`, `- "/bool": got string "True", want boolean`},
			{`{"bool":1}`, `- "/bool": got number 1, want boolean`},
			{`{"text":42}`, `- "/text": got number 42, want string`},
			{`{"enum":"LOW"}`, `- "/enum": got "LOW", want one of "low", "high"; did you mean "low"?`},
			{`{"object":"\"{}\""}`, `- "/object": got string "\"{}\"", want object`},
			{`"\"{}\""`, `- got string "\"{}\"", want object`},
			{`[]`, `- got array of 0 items, want object`},
			{`{"int":"5","bool":1}`, `- "/bool": got number 1, want boolean`},
			{`{"small":"300"}`, `- "/small": got 300, want at most 255`},
		} {
			got := tool.Call(t.Context(), json.RawMessage(test.args))
			require.Equal(t, "The arguments of probe are invalid and nothing was run:\n"+test.want+
				"\nCorrect them and call probe again.", got.Text(), test.args)
			require.Empty(t, got.Repairs, test.args)
			require.True(t, got.Retryable)
		}
	}
}

func TestMendLenient(t *testing.T) {
	const fence = "```"
	tests := []struct{ name, args, want, kinds string }{
		{"a code fence", fence + "json\n{\"int\":1}\n" + fence, `{"int":1}`, "code_fence"},
		{"a control token", `{"int":1}<|call|>`, `{"int":1}`, "control_token"},
		{"a trailing comma", `{"int":1,}`, `{"int":1}`, "trailing_comma"},
		{"single quotes", `{'text':'it\'s'}`, `{"text":"it's"}`, "single_quotes"},
		{"a raw newline", "{\"text\":\"a\nb\"}", `{"text":"a\nb"}`, "control_character"},
		{"text, then a value", `{"int":"1",}`, `{"int":1}`, "trailing_comma number_text"},
		{"a scalar for any array", `{"list":"a"}`, `{"list":["a"]}`, "single_item"},
		{"a number for an array", `{"ints":3}`, `{"ints":[3]}`, "single_item"},
		{"both", `{"ints":3,"int":"4"}`, `{"int":4,"ints":[3]}`, "single_item number_text"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := mendTool[mendArgs](jig.RepairLenient, nil).Call(t.Context(), json.RawMessage(test.args))
			require.Equal(t, test.want, got.Text())
			var kinds []string
			for _, r := range got.Repairs {
				kinds = append(kinds, r.Kind)
				require.NotEmpty(t, r.Before)
				require.NotEmpty(t, r.After)
			}
			require.Equal(t, test.kinds, strings.Join(kinds, " "))
			got = mendTool[mendArgs](jig.RepairSafe, nil).Call(t.Context(), json.RawMessage(test.args))
			require.Equal(t, jig.StatusInvalid, got.Status, "RepairSafe mends no text and no such scalar")
		})
	}
	for _, args := range []string{`{"int":1,`, fence + "\n{\"int\":1}", `{"a":1,"a":2,}`, `{"int":1}{}`} {
		got := mendTool[mendArgs](jig.RepairLenient, nil).Call(t.Context(), json.RawMessage(args))
		require.Equal(t, jig.StatusInvalid, got.Status, args)
		require.Empty(t, got.Repairs)
	}
}

func TestMendModes(t *testing.T) {
	const args = `{"int":"5","zzz":1}`
	for mode, want := range map[jig.RepairMode]struct {
		status    jig.Status
		retryable bool
	}{
		jig.RepairSafe:    {jig.StatusOK, false},
		jig.RepairLenient: {jig.StatusOK, false},
		jig.RepairOff:     {jig.StatusInvalid, true},
		jig.RepairNever:   {jig.StatusInvalid, false},
	} {
		tool := mendTool[mendArgs](mode, nil)
		got := tool.Call(t.Context(), json.RawMessage(args))
		require.Equal(t, want.status, got.Status, mode)
		require.Equal(t, want.retryable, got.Retryable, mode)
		got = tool.Call(t.Context(), json.RawMessage(`{"int":5,"zzz":1}`))
		require.Equal(t, jig.StatusOK, got.Status, "%s: dropping a key is no mending", mode)
		require.Equal(t, "/zzz unknown_property:  -> ", mendLines(got.Repairs))
	}
	got := mendTool[mendArgs](jig.RepairNever, nil).Call(t.Context(), json.RawMessage(`{"int":"x"}`))
	require.Equal(t, `The arguments of probe are invalid and nothing was run:
- "/int": got string "x", want integer
Do not call probe again with these arguments; tell the user what is missing.`, got.Text())
	got = mendTool[mendArgs](jig.RepairNever, nil).Call(t.Context(), json.RawMessage(`{"int":`))
	require.Equal(t, "incomplete", got.Code)
	require.False(t, got.Retryable)
	_, err := jig.Define(jig.Spec[struct{}, string]{Name: "x", Description: "x", Repair: 4,
		Execute: func(context.Context, struct{}) (string, error) { return "", nil }})
	require.EqualError(t, err,
		`jig: tool "x": Repair: got RepairMode(4), want one of the RepairMode constants`)
}

// TestMendMeetsTheLimits shows that what comes out of a string is checked like what was sent.
func TestMendMeetsTheLimits(t *testing.T) {
	r := registryOf(t, &jig.Options{MaxDepth: 4}, mendTool[mendArgs](jig.RepairLenient, nil))
	got := r.Call(t.Context(), jig.Call{Name: "probe",
		Args: []byte(`{"object":"{\"next\":{\"next\":{\"next\":{}}}}"}`)})
	require.Equal(t, jig.StatusInvalid, got.Status)
	require.Contains(t, got.Text(), "nested too deeply")
	got = r.Call(t.Context(), jig.Call{Name: "probe",
		Args: []byte(`{"object":"{\"next\":{\"next\":{}}}"}`)})
	require.Equal(t, jig.StatusOK, got.Status)
	got = r.Call(t.Context(), jig.Call{Name: "probe", Args: []byte(`{"object":"{\"n\":1,\"n\":2}"}`)})
	require.Equal(t, jig.StatusInvalid, got.Status, "a key twice, in the text of a string")
}

// TestMendByHandWrittenSchemas shows the places that a schema with unions, references, tuples and
// lists of types has.
func TestMendByHandWrittenSchemas(t *testing.T) {
	tool := mendTool[json.RawMessage](jig.RepairSafe, jig.MustParseSchema(`{"type":"object","properties":{
		"tuple":{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}]},
		"either":{"anyOf":[{"type":"integer"},{"type":"string"}]},
		"many":{"type":["integer","boolean","null"]},
		"bounded":{"type":"integer","not":{"const":5}},
		"ref":{"$ref":"#/$defs/n"},
		"both":{"allOf":[{"properties":{"n":{"type":"integer"}}}]}},
		"$defs":{"n":{"type":"integer"}},
		"additionalProperties":{"type":"boolean"}}`))
	for args, want := range map[string]string{
		`{"tuple":["1","2"]}`: `{"tuple":[1,"2"]}`,
		`{"either":"1"}`:      `{"either":"1"}`,
		`{"many":"1"}`:        `{"many":1}`,
		`{"many":"false"}`:    `{"many":false}`,
		`{"bounded":"4"}`:     `{"bounded":4}`,
		`{"ref":"6"}`:         `{"ref":6}`,
		`{"both":{"n":"7"}}`:  `{"both":{"n":7}}`,
		`{"other":"true"}`:    `{"other":true}`,
	} {
		got := tool.Call(t.Context(), json.RawMessage(args))
		require.Equal(t, want, got.Text())
	}
	for _, args := range []string{`{"bounded":"5"}`, `{"many":"null"}`} {
		require.Equal(t, jig.StatusInvalid, tool.Call(t.Context(), json.RawMessage(args)).Status, args)
	}
}

// TestMendedCallsTravel shows that a Prepared carries what was mended, sealed, and that nothing is
// mended a second time.
func TestMendedCallsTravel(t *testing.T) {
	key := []byte("0123456789abcdef0123456789abcdef")
	first := registryOf(t, &jig.Options{Key: key}, mendTool[mendArgs](jig.RepairLenient, nil))
	prepared := first.Prepare(jig.Call{ID: "1", Name: "probe", Args: []byte(`{'int':"5",}`)})
	prepared = first.Authorize(t.Context(), preparedOf(t, prepared))
	// The second process has the tool as the same schema, and mends nothing.
	second := registryOf(t, &jig.Options{Key: key}, mendTool[mendArgs](jig.RepairOff, nil))
	prepared = preparedOf(t, prepared)
	got := second.Render(prepared, second.Execute(t.Context(), prepared))
	require.Equal(t, `{"int":5}`, got.Text())
	require.Len(t, got.Repairs, 3)

	edited := sealedOf(t, prepared)
	edited.Body = json.RawMessage(strings.Replace(string(edited.Body),
		`"mended":"eyJ`, `"mended":"eyX`, 1))
	require.NotEqual(t, sealedOf(t, prepared).Body, edited.Body)
	got = second.Render(preparedOf(t, edited), second.Execute(t.Context(), preparedOf(t, edited)))
	require.Equal(t, "not_authorized", got.Code)
}
