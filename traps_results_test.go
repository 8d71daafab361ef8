package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// ways runs a value through each way that a result takes to the model, and gives the outcomes: as
// the result, in any, in a list, in a map, behind a pointer, in a struct, by ToModelOutput.
func ways[T any](t *testing.T, v T) map[string]jig.Outcome {
	t.Helper()
	type box struct {
		V T `json:"v"`
	}
	shaped := func(value any) jig.Outcome {
		return registryOf(t, nil, jig.MustDefine(jig.Spec[struct{}, int]{
			Name: "give", Description: "Call it in tests.",
			Execute:       func(context.Context, struct{}) (int, error) { return 7, nil },
			ToModelOutput: func(context.Context, int) (jig.Output, error) { return jig.JSON(value) },
		})).Call(t.Context(), jig.Call{Name: "give"})
	}
	projected := jig.MustDefine(jig.Spec[struct{}, box]{
		Name: "give", Description: "Call it in tests.", Project: []string{"v"},
		Execute: func(context.Context, struct{}) (box, error) { return box{v}, nil },
	})
	return map[string]jig.Outcome{
		"%s":              resultOf(t, &v),
		"[%s]":            resultOf(t, []T{v}),
		"[%s,%s]":         resultOf(t, [2]any{v, &v}),
		`{"k":%s}`:        resultOf(t, map[string]T{"k": v}),
		`{"k":[%s]}`:      resultOf(t, map[string]any{"k": []any{v}}),
		`{"v":%s}`:        resultOf(t, box{v}),
		`{"v":{"v":%s}}`:  shaped(map[string]any{"v": &box{v}}),
		`[{"v":%s}]`:      shaped([]box{{v}}),
		`{"v": %s}`:       projected.Call(t.Context(), nil),
		`{"a":[[{}],%s]}`: resultOf(t, map[string]any{"a": []any{[]any{struct{}{}}, any(v)}}),
	}
}

// checkResult checks the text of a value in all its ways.
func checkResult[T any](t *testing.T, name string, v T, want string) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		for form, got := range ways(t, v) {
			require.Equal(t, jig.StatusOK, got.Status, "%s: %v", form, got.Err)
			form = strings.ReplaceAll(form, " ", "")
			require.Equal(t, strings.ReplaceAll(form, "%s", want), got.Text())
		}
	})
}

// nothings is a struct whose zero value has each kind of nothing in it.
type nothings struct {
	List  []string       `json:"list"`
	Map   map[string]int `json:"map"`
	Ptr   *nothings      `json:"ptr"`
	Bytes []byte         `json:"bytes"`
	Any   any            `json:"any"`
}

const noNothings = `{"list":[],"map":{},"ptr":null,"bytes":"","any":null}`

func TestTrapsNilInResults(t *testing.T) {
	type list []nothings
	type table map[string]list
	checkResult(t, "slice", []int(nil), "[]")
	checkResult(t, "named slice", list(nil), "[]")
	checkResult(t, "slice of nil slices", [][]string{nil, {}, {"a"}}, `[[],[],["a"]]`)
	checkResult(t, "array of nil slices", [2][]string{}, `[[],[]]`)
	checkResult(t, "pointer to a nil slice", new([]string), "[]")
	checkResult(t, "map", map[string]int(nil), "{}")
	checkResult(t, "map of integers", map[int][]int(nil), "{}")
	checkResult(t, "map of nil", table{"a": nil, "b": {{}}}, `{"a":[],"b":[`+noNothings+`]}`)
	checkResult(t, "struct", nothings{}, noNothings)
	checkResult(t, "struct in a struct", nothings{Ptr: &nothings{}, Any: nothings{}},
		`{"list":[],"map":{},"ptr":`+noNothings+`,"bytes":"","any":`+noNothings+`}`)
	checkResult(t, "a slice held by any", nothings{Any: []any{[]int(nil), map[string]any(nil), (*int)(nil), nil}},
		`{"list":[],"map":{},"ptr":null,"bytes":"","any":[[],{},null,null]}`)
	checkResult(t, "pointer", (*nothings)(nil), "null")
	checkResult(t, "pointer with a method that reads it", (*richText)(nil), "null")
	checkResult(t, "raw", json.RawMessage(nil), "null")

	tool := jig.MustDefine(jig.Spec[struct{}, table]{Name: "give", Description: "Call it in tests.",
		Execute: func(context.Context, struct{}) (table, error) {
			return table{"a": nil, "b": {{}, {Ptr: &nothings{}}}}, nil
		}})
	got := tool.Call(t.Context(), nil)
	require.NoError(t, tool.OutputSchema().Validate([]byte(got.Text())), "an emptiness fails no schema of its own")
	empty := jig.MustDefine(jig.Spec[struct{}, *nothings]{Name: "give", Description: "Call it in tests.",
		Execute: func(context.Context, struct{}) (*nothings, error) { return nil, nil }})
	require.NoError(t, empty.OutputSchema().Validate([]byte(empty.Call(t.Context(), nil).Text())))
}

// richText writes text and JSON that encoding/json would escape.
type richText struct{ s string }

func (r richText) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"html": r.s, "deep": []json.RawMessage{json.RawMessage(`"\u003ci\u003e"`)}})
}

// richKey is a map key that is written as text.
type richKey struct{ s string }

func (r richKey) MarshalText() ([]byte, error)  { return []byte(r.s), nil }
func (r *richKey) UnmarshalText(b []byte) error { r.s = string(b); return nil }

func TestTrapsEscapesInResults(t *testing.T) {
	const html = "if a < b && c > d {\u2028}"
	checkResult(t, "text", html, `"`+html+`"`)
	checkResult(t, "map key", map[string]int{html: 1}, `{"`+html+`":1}`)
	checkResult(t, "map key by its text", map[richKey]int{{html}: 1}, `{"`+html+`":1}`)
	checkResult(t, "text form", richKey{html}, `"`+html+`"`)
	checkResult(t, "marshaler that escapes", richText{html}, `{"deep":["<i>"],"html":"`+html+`"}`)
	checkResult(t, "raw that escapes", json.RawMessage(`[ "\u003c" , {"\u0026":"\u003e"} ]`), `["<",{"&":">"}]`)
	// What only looks like an escape is text.
	checkResult(t, "text of an escape", `\u003c`, `"\\u003c"`)
	checkResult(t, "raw text of an escape", json.RawMessage(`"\\u003c"`), `"\\u003c"`)
	checkResult(t, "marshaler with a text of an escape", richText{`\u003c\`},
		`{"deep":["<i>"],"html":"\\u003c\\"}`)
	checkResult(t, "control characters", "\x00\t\"\\", `"\u0000\t\"\\"`)
	checkResult(t, "half a pair in raw", json.RawMessage(`"a\ud800b"`), "\"a\ufffdb\"")
	checkResult(t, "no UTF-8 in raw", json.RawMessage("\"a\xffb\""), "\"a\ufffdb\"")
	checkResult(t, "no UTF-8", "a\xffb", "\"a\ufffdb\"")
	checkResult(t, "pair of surrogates in raw", json.RawMessage(`"\ud83d\ude00"`), `"😀"`)
	for _, got := range []jig.Outcome{
		resultOf(t, html),
		registryOf(t, nil, failing("give", jig.EffectRead, jig.Errorf("%s", html))).Call(t.Context(), jig.Call{Name: "give"}),
	} {
		require.Equal(t, html, got.Text())
	}
	spec := echoSpec[pathArgs]("x")
	spec.Description, spec.Examples = html, []pathArgs{{Path: html}}
	require.Equal(t, html+"\n\nExamples:\n1. {\"path\":\""+html+"\"}", jig.MustDefine(spec).Description())
}

// account writes a number by a method of its own.
type account struct{ n uint64 }

func (a account) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, `{"n": %d}`, a.n), nil }

func TestTrapsExactNumbers(t *testing.T) {
	const id, text = 9007199254740993, "9007199254740993"
	checkResult(t, "int64", int64(id), text)
	checkResult(t, "uint64", uint64(math.MaxUint64), "18446744073709551615")
	checkResult(t, "least int64", int64(math.MinInt64), "-9223372036854775808")
	checkResult(t, "any", any(int64(id)), text)
	checkResult(t, "number of JSON", json.Number(text), text)
	checkResult(t, "raw", json.RawMessage(`{"id":`+text+`}`), `{"id":`+text+`}`)
	checkResult(t, "marshaler", account{id}, `{"n":`+text+`}`)
	checkResult(t, "map key", map[int64]bool{id: true}, `{"`+text+`":true}`)
	checkResult(t, "duration", time.Duration(math.MaxInt64), `"2562047h47m16.854775807s"`)

	key := []byte("0123456789abcdef0123456789abcdef")
	// Arguments are exact on every way to the tool, also through the JSON of a prepared call.
	for name, args := range map[string]string{
		"any": `{"any":` + text + `,"title":"t"}`, "any, deep": `{"any":[{"k":` + text + `}],"title":"t"}`,
		"raw":   `{"raw":{"k":[` + text + `]},"title":"t"}`,
		"field": `{"part":{"big":` + text + `},"title":"t"}`, "map": `{"byKey":{"k":{"big":` + text + `,"title":"u"}},"title":"t"}`,
	} {
		for _, tools := range ticketTools() {
			for form, tool := range tools {
				r := registryOf(t, &jig.Options{Key: key}, tool)
				call := jig.Call{ID: "1", Name: "probe", Args: []byte(args)}
				p := preparedOf(t, r.Authorize(t.Context(), preparedOf(t, r.Prepare(call))))
				for _, got := range []jig.Outcome{r.Call(t.Context(), call), r.Render(p, r.Execute(t.Context(), p))} {
					require.Equal(t, jig.StatusOK, got.Status, "%s, %s: %s", name, form, got.Text())
					require.Equal(t, 1, strings.Count(got.Text(), text), "%s, %s: %s", name, form, got.Text())
				}
			}
		}
	}
	bounded := mendTool[map[string]any](jig.RepairSafe, jig.MustParseSchema(`{"type":"object","properties":{
		"max":{"type":"integer","maximum":9007199254740992},"enum":{"enum":[9007199254740992]},
		"const":{"const":9007199254740992},"many":{"multipleOf":2},"list":{"uniqueItems":true}}}`))
	for _, wrong := range []string{`{"max":#}`, `{"enum":#}`, `{"const":#}`, `{"many":#}`, `{"max":"#"}`, `{"list":[#,#]}`} {
		got := bounded.Call(t.Context(), json.RawMessage(strings.ReplaceAll(wrong, "#", text)))
		require.Equal(t, jig.StatusInvalid, got.Status, wrong)
		got = bounded.Call(t.Context(), json.RawMessage(strings.Replace(strings.Replace(wrong, "#", "9007199254740992", 1), "#", text, 1)))
		require.Equal(t, jig.StatusOK, got.Status, wrong)
	}
}

// spoiled panics or fails in each way that a type of a result can.
type (
	spoiledJSON struct{ how func() ([]byte, error) }
	spoiledText struct{ how func() ([]byte, error) }
)

func (s spoiledJSON) MarshalJSON() ([]byte, error)  { return s.how() }
func (s spoiledText) MarshalText() ([]byte, error)  { return s.how() }
func (s *spoiledText) UnmarshalText(b []byte) error { return nil }
func written(s string) func() ([]byte, error) {
	return func() ([]byte, error) { return []byte(s), nil }
}
func panicking(v any) func() ([]byte, error) { return func() ([]byte, error) { panic(v) } }

// rudeValue panics when it is printed.
type rudeValue struct{}

func (rudeValue) Error() string  { panic("Error") }
func (rudeValue) String() string { panic("String") }

// checkSpoiled checks that a value fails the call in all its ways, without a word of it.
func checkSpoiled[T any](t *testing.T, name string, v T, code string) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		for form, got := range ways(t, v) {
			require.Equal(t, jig.StatusFailed, got.Status, form)
			require.Equal(t, code, got.Code, form)
			require.Equal(t, "give did run, but its result could not be prepared; do not assume that it did "+
				"nothing. Reference: "+got.Ref+".", got.Text())
			require.ErrorIs(t, got.Err, jig.ErrOutput)
			require.False(t, got.Retryable)
		}
	})
}

func TestTrapsResultsThatCannotBeWritten(t *testing.T) {
	loop := &nothings{}
	loop.Ptr = loop
	loopList := []any{nil}
	loopList[0] = loopList
	checkSpoiled(t, "not a number", math.NaN(), "output")
	checkSpoiled(t, "infinity", math.Inf(-1), "output")
	checkSpoiled(t, "narrow infinity", float32(math.Inf(1)), "output")
	checkSpoiled(t, "not a number behind a pointer", new(math.NaN()), "output")
	checkSpoiled(t, "cycle of pointers", loop, "output")
	checkSpoiled(t, "cycle of lists", loopList, "output")
	checkSpoiled(t, "channel in any", any(make(chan int)), "output")
	checkSpoiled(t, "function in any", any(func() {}), "output")
	checkSpoiled(t, "complex number in any", any(1i), "output")
	checkSpoiled(t, "map key in any", any(map[bool]int{true: 1}), "output")
	for name, raw := range map[string]string{
		"cut off": `{"a":`, "two values": `1 2`, "blank": ` `, "no JSON": `secret`, "twice": `{"a":1,"a":2}`,
	} {
		checkSpoiled(t, "raw, "+name, json.RawMessage(raw), "output")
		checkSpoiled(t, "marshaler, "+name, spoiledJSON{written(raw)}, "output")
	}
	checkSpoiled(t, "marshaler that panics", spoiledJSON{panicking("secret")}, "panic")
	checkSpoiled(t, "marshaler that panics with nil", spoiledJSON{panicking(nil)}, "panic")
	checkSpoiled(t, "marshaler that panics with an error", spoiledJSON{panicking(errors.New("secret"))}, "panic")
	checkSpoiled(t, "marshaler that panics with what panics", spoiledJSON{panicking(rudeValue{})}, "panic")
	checkSpoiled(t, "text that panics", spoiledText{panicking(rudeValue{})}, "panic")
	checkSpoiled(t, "text that fails", spoiledText{func() ([]byte, error) { return nil, rudeValue{} }}, "output")
}
