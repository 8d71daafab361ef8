package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// registryOf returns a registry with the tools that logs nowhere.
func registryOf(t testing.TB, options *jig.Options, tools ...*jig.Tool) *jig.Registry {
	t.Helper()
	o := jig.Options{}
	if options != nil {
		o = *options
	}
	if o.Logger == nil {
		o.Logger, _ = logTo()
	}
	r := jig.NewRegistry(&o)
	require.NoError(t, r.Add(tools...))
	return r
}

// runOf returns a tool of one function, whose result is what the model reads.
func runOf[Args any](name string, run func(ctx context.Context, args Args) (string, error)) *jig.Tool {
	return jig.MustDefine(jig.Spec[Args, string]{
		Name: name, Description: "Call it in tests.", Effect: jig.EffectRead, Execute: run,
	})
}

// anyArgs takes one argument of any form.
type anyArgs struct {
	V any `json:"v,omitempty"`
}

// probe counts its runs and reads back the canonical arguments.
func probe[Args any](runs *atomic.Int64) *jig.Tool {
	return runOf("probe", func(ctx context.Context, _ Args) (string, error) {
		runs.Add(1)
		return string(jig.CallInfo(ctx).Args()), nil
	})
}

func TestCallLimits(t *testing.T) {
	text := func(n int) string { return `{"v":"` + strings.Repeat("x", n-len(`{"v":""}`)) + `"}` }
	depth := func(n int) string {
		return `{"v":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + "}"
	}
	for _, test := range []struct{ name, want, args string }{
		{"1 MiB", "", text(1 << 20)},
		{"1 MiB and one byte", "the text is 1048577 bytes long, want at most 1048576", text(1<<20 + 1)},
		{"64 levels", "", depth(64)},
		{"65 levels", `nested too deeply at byte 68, want at most 64 levels`, depth(65)},
		{"1000 digits", "", `{"v":` + strings.Repeat("7", 1000) + "}"},
		{"1001 digits", `"/v": the number at byte 5 is too long, want at most 1000 characters`,
			`{"v":` + strings.Repeat("7", 1001) + "}"},
		{"exponent 9999", "", `{"v":1e9999}`},
		{"exponent 1000001",
			`"/v": the exponent of the number at byte 5 is too large, want -9999 to 9999`,
			`{"v":1e1000001}`},
		{"byte-order mark", "", "\xef\xbb\xbf{\"v\":1}"},
		{"two byte-order marks", `invalid JSON at byte 3 near "\ufeff{\"v\":1}": want a value`,
			"\xef\xbb\xbf\xef\xbb\xbf{\"v\":1}"},
		{"surrogate pair", "", `{"v":"\ud83d\ude00"}`},
		{"lone surrogate",
			`"/v": the escape \ud83d at byte 6 is half of a surrogate pair, want both halves`,
			`{"v":"\ud83d!"}`},
		{"invalid UTF-8", `"/v": the byte at offset 7 is not valid UTF-8`, "{\"v\":\"a\xff\"}"},
		{"duplicate key", `"/v": the key "v" at byte 7 is in its object already, want each key once`,
			`{"v":1,"v":2}`},
		{"duplicate key by escape",
			`"/v": the key "v" at byte 7 is in its object already, want each key once`,
			`{"v":1,"\u0076":2}`},
		{"duplicate key nested",
			`"/v/0/a": the key "a" at byte 13 is in its object already, want each key once`,
			`{"v":[{"a":1,"a":2}]}`},
		{"two values", `unexpected text at byte 7 near "{\"v\":2}", want nothing after the value`,
			`{"v":1}{"v":2}`},
		{"trailing text",
			`unexpected text at byte 8 near "Done.", want nothing after the value`, `{"v":1} Done.`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var runs atomic.Int64
			r := registryOf(t, nil, probe[anyArgs](&runs))
			got := r.Call(t.Context(), jig.Call{ID: "1", Name: "probe", Args: []byte(test.args)})
			if test.want == "" {
				require.Equal(t, jig.StatusOK, got.Status, got.Text())
				return
			}
			// 65 levels are named by a pointer as long as they are deep.
			text := strings.Replace(got.Text(), `"/v`+strings.Repeat("/0", 63)+`": `, "", 1)
			require.Equal(t, "The arguments of probe are invalid and nothing was run:\n- "+test.want+
				"\nCorrect them and call probe again.", text)
			require.Equal(t, jig.StatusInvalid, got.Status)
			require.Equal(t, "invalid_arguments", got.Code)
			require.True(t, got.Retryable)
			require.Zero(t, runs.Load())
		})
	}
}

func TestCallLimitsOfTheOptions(t *testing.T) {
	var runs atomic.Int64
	r := registryOf(t, &jig.Options{MaxArgsBytes: 10, MaxDepth: 2}, probe[anyArgs](&runs))
	for args, want := range map[string]jig.Status{
		`{"v":1000}`:  jig.StatusOK,
		`{"v":10000}`: jig.StatusInvalid,
		`{"v":[1]}`:   jig.StatusOK,
		`{"v":[[]]}`:  jig.StatusInvalid,
	} {
		require.Equal(t, want, r.Call(t.Context(), jig.Call{Name: "probe", Args: []byte(args)}).Status, args)
	}
}

type pathArgs struct {
	Path string `json:"path"`
}

func TestCallBlankArguments(t *testing.T) {
	var runs atomic.Int64
	optional := registryOf(t, nil, probe[anyArgs](&runs))
	required := registryOf(t, nil, probe[pathArgs](&runs))
	missing := "The arguments of probe are invalid and nothing was run:\n" +
		"- \"/path\": missing, want string\nCorrect them and call probe again."
	for _, test := range []struct{ name, args, wantRequired string }{
		{"nothing", "", missing},
		{"white space", " \n\t", missing},
		{"byte-order mark", "\xef\xbb\xbf", missing},
		{"empty object", "{}", missing},
		{"null", "null", "The arguments of probe are invalid and nothing was run:\n" +
			"- got null, want object\nCorrect them and call probe again."},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := optional.Call(t.Context(), jig.Call{Name: "probe", Args: []byte(test.args)})
			require.Equal(t, "{}", got.Text())
			require.Equal(t, jig.StatusOK, got.Status)
			got = required.Call(t.Context(), jig.Call{Name: "probe", Args: []byte(test.args)})
			require.Equal(t, test.wantRequired, got.Text())
		})
	}
}

func TestCallIncompleteArguments(t *testing.T) {
	const want = "The arguments of probe were cut off before they were complete, and nothing was run. " +
		"Call probe again with the whole arguments; if they are long, send less at a time."
	whole := `{"v":"\u00fcber","w":[true,{"x":-1.5e3}]}`
	type test struct {
		name, args string
		incomplete bool
	}
	tests := []test{
		{"marked, whole", whole, true}, {"marked, empty", "", true}, {"marked, null", "null", true},
		{"marked, wrong", "{]", true}, {"part of a byte-order mark", "\xef\xbb", false},
	}
	for i := 1; i < len(whole); i++ {
		tests = append(tests, test{fmt.Sprintf("%d bytes", i), whole[:i], false})
	}
	var runs atomic.Int64
	r := registryOf(t, nil, probe[anyArgs](&runs))
	for _, test := range tests {
		got := r.Call(t.Context(), jig.Call{Name: "probe", Args: []byte(test.args), Incomplete: test.incomplete})
		require.Equal(t, want, got.Text(), test.name)
		require.Equal(t, jig.StatusInvalid, got.Status, test.name)
		require.Equal(t, "incomplete", got.Code, test.name)
		require.True(t, got.Retryable, test.name)
		require.ErrorIs(t, got.Err, jig.ErrIncomplete, test.name)
	}
	require.Zero(t, runs.Load())
}

func TestCallKeysMatchExactly(t *testing.T) {
	type openArgs struct {
		Path string `json:"path,omitempty"`
		Task string `json:"task"`
	}
	got := make(chan openArgs, 1)
	r := registryOf(t, nil, runOf("probe", func(_ context.Context, args openArgs) (string, error) {
		got <- args
		return "", nil
	}))
	for _, test := range []struct{ name, args, want string }{
		{"another case beside the key", `{"task":"t","path":"/ok","PATH":"/etc/shadow"}`, ""},
		{"long s and Kelvin sign beside the key", `{"task":"t","ta\u017f\u212a":"x","path":"/ok"}`, ""},
		{"another case instead of the key", `{"task":"t","PATH":"/etc/shadow"}`,
			`"/PATH": not a property here; did you mean "path"?`},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := r.Call(t.Context(), jig.Call{Name: "probe", Args: []byte(test.args)})
			if test.want != "" {
				require.Equal(t, jig.StatusInvalid, o.Status)
				require.Contains(t, o.Text(), test.want)
				return
			}
			require.Equal(t, openArgs{Path: "/ok", Task: "t"}, <-got)
		})
	}
}

type searchArgs struct {
	Query string         `json:"query"`
	Limit int            `json:"limit,omitempty" jsonschema:"default=10"`
	Extra map[string]int `json:"extra,omitempty"`
}

func TestCallUnknownKeys(t *testing.T) {
	define := func(strict bool) *jig.Tool {
		return jig.MustDefine(jig.Spec[searchArgs, string]{
			Name: "search", Description: "Call it in tests.", Strict: strict,
			Execute: func(ctx context.Context, args searchArgs) (string, error) {
				return fmt.Sprintf("%s %+v", jig.CallInfo(ctx).Args(), args), nil
			},
		})
	}
	loose, strict := registryOf(t, nil, define(false)), registryOf(t, nil, define(true))
	const refused = "The arguments of search are invalid and nothing was run:\n- %s\n" +
		"Correct them and call search again."
	for _, test := range []struct {
		name    string
		r       *jig.Registry
		args    string
		want    string
		repairs []jig.Repair
	}{
		{"dropped", loose, `{"query":"x","cursor":"t"}`,
			`{"limit":10,"query":"x"} {Query:x Limit:10 Extra:map[]}`,
			[]jig.Repair{{Pointer: "/cursor", Kind: "unknown_property"}}},
		{"kept in a map", loose, `{"query":"x","extra":{"b":1.0,"a":2}}`,
			`{"extra":{"a":2,"b":1},"limit":10,"query":"x"} {Query:x Limit:10 Extra:map[a:2 b:1]}`, nil},
		{"near to an absent one", loose, `{"query":"x","limt":5}`,
			fmt.Sprintf(refused, `"/limt": not a property here; did you mean "limit"?`), nil},
		{"near to one that is there", loose, `{"query":"x","limit":5,"limt":6}`,
			`{"limit":5,"query":"x"} {Query:x Limit:5 Extra:map[]}`,
			[]jig.Repair{{Pointer: "/limt", Kind: "unknown_property"}}},
		{"strict", strict, `{"query":"x","cursor":"t"}`,
			fmt.Sprintf(refused, `"/cursor": not a property here; the properties are "query", "limit", "extra"`),
			nil},
		{"strict, near", strict, `{"query":"x","Limit":5}`,
			fmt.Sprintf(refused, `"/Limit": not a property here; did you mean "limit"?`), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := test.r.Call(t.Context(), jig.Call{Name: "search", Args: []byte(test.args)})
			require.Equal(t, test.want, got.Text())
			require.Equal(t, test.repairs, got.Repairs)
		})
	}
}

func TestCallUnknownKeysOfASchemaByHand(t *testing.T) {
	for _, test := range []struct {
		name, schema string
		want         jig.Status
	}{
		{"closed", `{"type":"object","properties":{"a":{}},"additionalProperties":false}`, jig.StatusInvalid},
		{"open", `{"type":"object","properties":{"a":{}}}`, jig.StatusOK},
	} {
		t.Run(test.name, func(t *testing.T) {
			tool := jig.MustDefine(jig.Spec[json.RawMessage, string]{
				Name: "raw", Description: "Call it in tests.", Schema: jig.MustParseSchema(test.schema),
				Execute: func(_ context.Context, args json.RawMessage) (string, error) {
					return string(args), nil
				},
			})
			got := registryOf(t, nil, tool).Call(t.Context(), jig.Call{Name: "raw", Args: []byte(`{"b": 1}`)})
			require.Equal(t, test.want, got.Status)
			if test.want == jig.StatusOK {
				require.Equal(t, `{"b":1}`, got.Text())
				require.Empty(t, got.Repairs)
			}
		})
	}
}

type refundArgs struct {
	ID       string  `json:"id" jsonschema:"pattern=^ord_[0-9]+$"`
	Amount   float64 `json:"amount" jsonschema:"minimum=0.01"`
	Currency string  `json:"currency" jsonschema:"enum=EUR,enum=USD"`
	Reason   string  `json:"reason"`
}

func TestCallAllProblemsAtOnce(t *testing.T) {
	tool := jig.MustDefine(jig.Spec[refundArgs, string]{
		Name: "refund", Description: "Call it in tests.", Strict: true,
		Execute: func(context.Context, refundArgs) (string, error) { return "", nil },
	})
	r := registryOf(t, nil, tool)
	call := jig.Call{Name: "refund",
		Args: []byte(`{"raeson":"late","id":"7","amount":0,"currency":"eur"}`)}
	want := `The arguments of refund are invalid and nothing was run:
- "/amount": got 0, want at least 0.01
- "/currency": got "eur", want one of "EUR", "USD"; did you mean "EUR"?
- "/id": got "7", want text that matches ^ord_[0-9]+$
- "/raeson": not a property here; did you mean "reason"?
- "/reason": missing, want string
Correct them and call refund again.`
	for range 1000 {
		require.Equal(t, want, r.Call(t.Context(), call).Text())
	}
	var invalid *jig.ValidationError
	got := r.Call(t.Context(), call)
	require.ErrorAs(t, got.Err, &invalid)
	require.Len(t, invalid.Problems, 5)
	require.Equal(t, jig.Problem{Pointer: "/amount", Keyword: "minimum",
		Message: "got 0, want at least 0.01"}, invalid.Problems[0])
}

func TestCallTwelveProblems(t *testing.T) {
	type listArgs struct {
		N []int `json:"n"`
	}
	var runs atomic.Int64
	r := registryOf(t, nil, probe[listArgs](&runs))
	got := r.Call(t.Context(), jig.Call{Name: "probe",
		Args: []byte(`{"n":["a","a","a","a","a","a","a","a","a","a","a","a"]}`)})
	want := "The arguments of probe are invalid and nothing was run:\n"
	for _, i := range []int{0, 1, 10, 11, 2, 3, 4, 5, 6, 7} {
		want += fmt.Sprintf("- \"/n/%d\": got string \"a\", want integer\n", i)
	}
	want += "- and 2 more\nCorrect them and call probe again."
	require.Equal(t, want, got.Text())
	require.Zero(t, runs.Load())
}

type customText struct{ s string }

func (c *customText) UnmarshalText(text []byte) error {
	if string(text) == "good" {
		c.s = "good"
		return nil
	}
	return errors.New("decoderText at /srv/app/custom.go:7")
}

func (c customText) MarshalText() ([]byte, error) { return []byte(c.s), nil }

func TestCallProblemsNameNothingOfGo(t *testing.T) {
	type inner struct {
		Secret uint8 `json:"secret"`
	}
	type goArgs struct {
		At     time.Time      `json:"at"`
		For    time.Duration  `json:"for"`
		Link   url.URL        `json:"link"`
		Custom customText     `json:"custom"`
		Small  uint8          `json:"small"`
		Byte   []byte         `json:"byte"`
		Keys   map[int]string `json:"keys"`
		Inner  inner          `json:"inner"`
		Pair   [2]int         `json:"pair"`
	}
	var runs atomic.Int64
	r := registryOf(t, nil, probe[goArgs](&runs))
	for _, args := range []string{
		`{"at":"yesterday","for":90,"link":"%zz","custom":"bad","small":300,"byte":"!","keys":{"x":"y"},` +
			`"inner":{"secret":-1},"pair":[1]}`,
		`{"at":1,"for":"soon","link":[],"custom":{},"small":"1","byte":[1],"keys":[],"inner":null,"pair":{}}`,
		`[]`, `7`, `"{}"`, `{"at"`, `{"at":nil}`,
	} {
		got := r.Call(t.Context(), jig.Call{Name: "probe", Args: []byte(args)})
		require.Equal(t, jig.StatusInvalid, got.Status, args)
		for _, word := range []string{"time.T", "Time", "Duration", "url.", "jig", "customText", "uint",
			"decoderText", "/srv", ".go", "goArgs", "inner.", "struct", "map[", "[]byte", "unmarshal",
			"strconv", "json:", "<nil>", "%!"} {
			require.NotContains(t, got.Text(), word, got.Text())
		}
	}
	require.Zero(t, runs.Load())
}

func TestCallProblemsQuoteShortly(t *testing.T) {
	var runs atomic.Int64
	r := registryOf(t, nil, probe[refundArgs](&runs))
	long := strings.Repeat("é", 50_000)
	got := r.Call(t.Context(), jig.Call{Name: "probe", Args: []byte(
		`{"id":"` + long + `","amount":1,"currency":"` + long + `","reason":"x","` + long + `":1}`)})
	require.Equal(t, jig.StatusInvalid, got.Status)
	require.Less(t, len(got.Text()), 600)
	require.True(t, utf8.ValidString(got.Text()))
}

func TestCallDefaults(t *testing.T) {
	type defaultArgs struct {
		Query string   `json:"query"`
		Limit int      `json:"limit,omitempty" jsonschema:"default=10"`
		Sort  string   `json:"sort,omitempty" jsonschema:"enum=asc,enum=desc,default=asc"`
		Deep  *bool    `json:"deep,omitempty" jsonschema:"default=true"`
		Tags  []string `json:"tags,omitempty"`
	}
	var got defaultArgs
	r := registryOf(t, nil, runOf("probe", func(ctx context.Context, args defaultArgs) (string, error) {
		got = args
		return string(jig.CallInfo(ctx).Args()), nil
	}))
	yes, no := true, false
	for _, test := range []struct {
		args, canonical string
		want            defaultArgs
	}{
		{`{"query":"x"}`, `{"deep":true,"limit":10,"query":"x","sort":"asc"}`,
			defaultArgs{Query: "x", Limit: 10, Sort: "asc", Deep: &yes}},
		{`{"query":"x","limit":null,"sort":null}`, `{"deep":true,"limit":10,"query":"x","sort":"asc"}`,
			defaultArgs{Query: "x", Limit: 10, Sort: "asc", Deep: &yes}},
		{`{"sort":"desc","deep":false,"limit":0,"query":"x"}`,
			`{"deep":false,"limit":0,"query":"x","sort":"desc"}`,
			defaultArgs{Query: "x", Sort: "desc", Deep: &no}},
	} {
		o := r.Call(t.Context(), jig.Call{Name: "probe", Args: []byte(test.args)})
		require.Equal(t, test.canonical, o.Text())
		require.Equal(t, test.want, got)
	}
}

func TestCallCanonicalArguments(t *testing.T) {
	type numbers struct {
		ID int64   `json:"id,omitempty"`
		F  float64 `json:"f,omitempty"`
		V  any     `json:"v,omitempty"`
	}
	var runs atomic.Int64
	r := registryOf(t, nil, probe[numbers](&runs))
	for _, test := range []struct{ args, want string }{
		{`{"id":9007199254740993}`, `{"id":9007199254740993}`},
		{`{"id":9007199254740992}`, `{"id":9007199254740992}`},
		{`{"v":9007199254740993}`, `{"v":9007199254740993}`},
		{`{"f":5}`, `{"f":5}`},
		{`{"f":5.0}`, `{"f":5}`},
		{`{"f":5e0}`, `{"f":5}`},
		{`{ "v" : {"b":1, "a":"\u003c"} , "id" : 1.0 }`, `{"id":1,"v":{"a":"<","b":1}}`},
		{`{"id":1,"v":{"a":"<","b":1}}`, `{"id":1,"v":{"a":"<","b":1}}`},
		{`{"id":1,"later":true}`, `{"id":1}`},
	} {
		require.Equal(t, test.want, r.Call(t.Context(), jig.Call{Name: "probe", Args: []byte(test.args)}).Text())
	}
}

func TestCallAllGivesEachCallItsOutcome(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := registryOf(t, &jig.Options{MaxParallel: 1},
		runOf("echo", func(_ context.Context, args pathArgs) (string, error) { return args.Path, nil }),
		runOf("explode", func(context.Context, struct{}) (string, error) { panic("boom") }),
		runOf("stop", func(ctx context.Context, _ struct{}) (string, error) {
			cancel()
			<-ctx.Done()
			return "", ctx.Err()
		}),
		jig.MustDefine(jig.Spec[struct{}, string]{Name: "ask", Description: "Call it in tests.",
			Approval: jig.ApprovalAlways,
			Execute:  func(context.Context, struct{}) (string, error) { return "", nil }}),
	)
	echo := func(id, path string) jig.Call {
		return jig.Call{ID: id, Name: "echo", Args: []byte(`{"path":"` + path + `"}`)}
	}
	calls := []jig.Call{
		echo("a", "1"), echo("a", "2"), {ID: "", Name: "explode"}, {ID: "c", Name: "gone"},
		{ID: "d", Name: "echo", Args: []byte("{")}, {ID: "e", Name: "ask"}, {ID: "f", Name: "explode"},
		{ID: "g", Name: "stop"}, echo("h", "3"), {ID: "i", Name: "gone"},
	}
	var got []string
	for _, o := range r.CallAll(ctx, calls) {
		got = append(got, fmt.Sprintf("%s %s %s %s", o.CallID, o.Tool, o.Status, o.Code))
		require.Equal(t, o.IsError(), o.Err != nil)
		require.NotEmpty(t, o.Text())
	}
	require.Equal(t, []string{
		"a echo ok ", "a echo ok ", " explode failed panic", "c gone invalid unknown_tool",
		"d echo invalid incomplete", "e ask denied no_approver", "f explode failed panic",
		"g stop failed cancelled", "h echo skipped not_started", "i gone invalid unknown_tool",
	}, got)
	require.Equal(t, []jig.Outcome{}, r.CallAll(ctx, nil))
}

func TestCallArgumentsBelongToTheCall(t *testing.T) {
	type sliceArgs struct {
		Tags []string        `json:"tags"`
		Raw  json.RawMessage `json:"raw"`
	}
	r := registryOf(t, nil, runOf("probe", func(ctx context.Context, args sliceArgs) (string, error) {
		got := fmt.Sprintf("%s %s %s", args.Tags, args.Raw, jig.CallInfo(ctx).Args())
		args.Tags[0], args.Raw[1] = "changed", 'X'
		jig.CallInfo(ctx).Args()[0] = 'X'
		return got, nil
	}))
	text := []byte(`{"tags":["a"],"raw":"r"}`)
	call := jig.Call{Name: "probe", Args: text}
	prepared := r.Prepare(call)
	copy(text, strings.Repeat("#", len(text)))
	authorized := r.Authorize(t.Context(), prepared)
	const want = `[a] "r" {"raw":"r","tags":["a"]}`
	for range 2 { // the second execution does not see what the first did to its arguments
		require.Equal(t, want, r.Render(authorized, r.Execute(t.Context(), authorized)).Text())
	}
}
