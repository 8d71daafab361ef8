package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// resultOf runs a tool that returns v.
func resultOf[Result any](t *testing.T, v Result) jig.Outcome {
	t.Helper()
	return registryOf(t, nil, jig.MustDefine(jig.Spec[struct{}, Result]{
		Name: "give", Description: "Call it in tests.", Effect: jig.EffectRead,
		Execute: func(context.Context, struct{}) (Result, error) { return v, nil },
	})).Call(t.Context(), jig.Call{Name: "give"})
}

type (
	namedString string
	htmlJSON    struct{}
	textual     struct{}
	fullResult  struct {
		Text  string          `json:"text"`
		List  []string        `json:"list"`
		Map   map[string]int  `json:"map"`
		Ptr   *int            `json:"ptr"`
		Bytes []byte          `json:"bytes"`
		Raw   json.RawMessage `json:"raw,omitempty"`
		Took  time.Duration   `json:"took"`
		Any   any             `json:"any"`
	}
)

func (htmlJSON) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"h": "<a & b>\u2028"})
}

func (textual) MarshalText() ([]byte, error) { return []byte("<text>"), nil }

// TestResultsOfAllLengths shows that each outcome has memory of its own, however short or long the
// results are and in whatever order.
func TestResultsOfAllLengths(t *testing.T) {
	type list struct {
		Items []string `json:"items"`
	}
	type size struct {
		N int `json:"n"`
	}
	for _, project := range [][]string{nil, {"items"}} {
		tool := jig.MustDefine(jig.Spec[size, list]{Name: "list", Description: "Lists.", Project: project,
			Execute: func(_ context.Context, a size) (list, error) {
				return list{[]string{strings.Repeat("x", a.N)}}, nil
			}})
		// The JSON has 14 bytes more.
		sizes := []int{0, 33, 34, 35, 35, 50, 51, 100, 3, 498, 498, 499, 499, 5000, 2, 1, 34, 0}
		var kept []jig.Outcome
		for _, n := range sizes {
			o := tool.Call(t.Context(), json.RawMessage(`{"n":`+strconv.Itoa(n)+`}`))
			require.Equal(t, jig.StatusOK, o.Status, o.Text())
			kept = append(kept, o)
			_ = append(o.Output.Parts[0].JSON, "written by the host"...)
		}
		for i, n := range sizes {
			require.Equal(t, `{"items":["`+strings.Repeat("x", n)+`"]}`, kept[i].Text(), "%d", n)
		}
	}
}

func TestResultTexts(t *testing.T) {
	for _, test := range []struct {
		name string
		got  jig.Outcome
		want string
	}{
		{"string", resultOf(t, "a < b && \"c\"\n\tü\u2028"), "a < b && \"c\"\n\tü\u2028"},
		{"string that looks like JSON", resultOf(t, ` {"a": 1} `), ` {"a": 1} `},
		{"named string", resultOf(t, namedString("a < b")), "a < b"},
		{"string in any", resultOf[any](t, "a < b"), "a < b"},
		{"named string in any", resultOf[any](t, namedString("a < b")), "a < b"},
		{"string that is not UTF-8", resultOf(t, "a\xff\xfeb"), "a\ufffdb"},
		{"empty string", resultOf(t, ""), "(no output)"},
		{"empty string in any", resultOf[any](t, ""), "(no output)"},
		{"blank string", resultOf(t, " "), " "},
		{"no result", resultOf(t, jig.NoResult{}), "done"},
		{"empty struct", resultOf(t, struct{}{}), "{}"},
		{"text form", resultOf(t, textual{}), `"<text>"`},
		{"pointer to a string", resultOf(t, new("x")), `"x"`},
		{"number", resultOf(t, int64(9007199254740993)), "9007199254740993"},
		{"nil slice", resultOf[[]string](t, nil), "[]"},
		{"nil map", resultOf[map[string]int](t, nil), "{}"},
		{"nil pointer", resultOf[*int](t, nil), "null"},
		{"nil any", resultOf[any](t, nil), "null"},
		{"zero struct", resultOf(t, fullResult{}),
			`{"text":"","list":[],"map":{},"ptr":null,"bytes":"","took":"0s","any":null}`},
		{"nil slice in any", resultOf(t, map[string]any{"a": []int(nil), "b": map[string]any(nil)}),
			`{"a":[],"b":{}}`},
		{"no HTML escapes", resultOf(t, fullResult{Text: "a < b && c > d\u2028", Took: 90 * time.Second,
			Raw: json.RawMessage(`{ "x" : "\u003c\u0026\u003e" }`)}),
			`{"text":"a < b && c > d` + "\u2028" + `","list":[],"map":{},"ptr":null,"bytes":"",` +
				`"raw":{"x":"<&>"},"took":"1m30s","any":null}`},
		{"no HTML escapes of a marshaler", resultOf(t, []htmlJSON{{}}), `[{"h":"<a & b>` + "\u2028" + `"}]`},
		{"sorted keys", resultOf(t, map[int]string{10: "b", 9: "a"}), `{"10":"b","9":"a"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, test.got.Text())
			require.Equal(t, jig.StatusOK, test.got.Status)
			require.Nil(t, test.got.Cut)
		})
	}
}

type cycle struct {
	Next *cycle `json:"next"`
}

type badJSON struct{}

func (badJSON) MarshalJSON() ([]byte, error) { return []byte(`{"secret":`), nil }

type failJSON struct{}

func (failJSON) MarshalJSON() ([]byte, error) { return nil, errors.New("secret") }

func TestResultsWithoutAForm(t *testing.T) {
	loop := &cycle{}
	loop.Next = loop
	loopMap := map[string]any{}
	loopMap["self"] = loopMap
	for _, test := range []struct {
		name string
		got  jig.Outcome
		code string
		err  string
	}{
		{"NaN", resultOf(t, map[string][]float64{"avg": {0, 1, 2, math.NaN()}}), "output", "avg[3]: NaN has no JSON form"},
		{"infinity", resultOf(t, math.Inf(1)), "output", "+Inf has no JSON form"},
		{"cycle", resultOf(t, loop), "output", "or a cycle"},
		{"cycle of maps", resultOf(t, loopMap), "output", "or a cycle"},
		{"channel", resultOf[any](t, make(chan int)), "output", "a chan has no JSON form"},
		{"function", resultOf[any](t, map[string]any{"f": func() {}}), "output", "a func has no JSON form"},
		{"marshaler that panics", resultOf(t, panicJSON{}), "panic", "panic: secret"},
		{"marshaler that fails", resultOf(t, failJSON{}), "output", "secret"},
		{"marshaler of no JSON", resultOf(t, badJSON{}), "output", "before its JSON value is complete"},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, "give did run, but its result could not be prepared; do not assume that it did "+
				"nothing. Reference: "+test.got.Ref+".", test.got.Text())
			require.Equal(t, jig.StatusFailed, test.got.Status)
			require.Equal(t, test.code, test.got.Code)
			require.False(t, test.got.Retryable)
			require.ErrorIs(t, test.got.Err, jig.ErrOutput)
			require.ErrorContains(t, test.got.Err, test.err)
			require.NotNil(t, test.got.Value)
		})
	}
}

func TestToModelOutputRunsOncePerSuccess(t *testing.T) {
	type hostKey struct{}
	var shaped atomic.Int64
	var fail error
	spec := jig.Spec[pathArgs, string]{
		Name: "read", Description: "Call it in tests.",
		Execute: func(_ context.Context, args pathArgs) (string, error) { return "raw " + args.Path, fail },
		ToModelOutput: func(ctx context.Context, s string) (jig.Output, error) {
			shaped.Add(1)
			return jig.Text(fmt.Sprint("shaped ", s, " ", ctx.Value(hostKey{}))), nil
		},
	}
	ask := spec
	ask.Name, ask.Approval = "ask", jig.ApprovalAlways
	r := registryOf(t, nil, jig.MustDefine(spec), jig.MustDefine(ask))
	ctx := context.WithValue(t.Context(), hostKey{}, 7)
	call := func(name, args string) jig.Outcome {
		return r.Call(ctx, jig.Call{Name: name, Args: []byte(args)})
	}
	got := call("read", `{"path":"p"}`)
	require.Equal(t, "shaped raw p 7", got.Text())
	require.Equal(t, "raw p", got.Value)
	require.EqualValues(t, 1, shaped.Load())
	require.Equal(t, jig.StatusInvalid, call("read", `{}`).Status)
	require.Equal(t, jig.StatusDenied, call("ask", `{"path":"p"}`).Status)
	fail = errors.New("no")
	require.Equal(t, jig.StatusFailed, call("read", `{"path":"p"}`).Status)
	require.EqualValues(t, 1, shaped.Load())
}

// sinks returns every text that a failed call leaves behind, apart from Err and Value.
func sinks(t *testing.T, r *jig.Registry, lines *lockedBuffer) (string, jig.Outcome) {
	t.Helper()
	p := r.Authorize(t.Context(), r.Prepare(jig.Call{Name: "probe"}))
	executed := r.Execute(t.Context(), p)
	o := r.Render(p, executed)
	executedJSON, err := json.Marshal(executed)
	require.NoError(t, err)
	outcomeJSON, err := json.Marshal(o)
	require.NoError(t, err)
	slog.New(slog.NewTextHandler(lines, nil)).Info("x", "o", o, "e", executed)
	return strings.Join([]string{o.Text(), string(executedJSON), string(outcomeJSON),
		fmt.Sprintf("%v %+v %#v %v %+v %#v", o, o, o, executed, executed, executed), lines.String()}, "\n"), o
}

func TestToModelOutputThatFailsShowsNothing(t *testing.T) {
	for name, shape := range map[string]func(string) (jig.Output, error){
		"error":          func(s string) (jig.Output, error) { return jig.Text(s), errors.New(s) },
		"authored error": func(s string) (jig.Output, error) { return jig.Text(s), jig.Errorf("cannot show %s", s) },
		"panic":          func(s string) (jig.Output, error) { panic(s) },
		"broken JSON": func(s string) (jig.Output, error) {
			return jig.Output{Parts: []jig.Part{{Text: s}, {JSON: json.RawMessage(`"` + s)}}}, nil
		},
		"no JSON form": func(s string) (jig.Output, error) { return jig.JSON(map[string]any{s: math.NaN()}) },
	} {
		t.Run(name, func(t *testing.T) {
			logger, lines := logTo()
			r := registryOf(t, &jig.Options{Logger: logger}, jig.MustDefine(jig.Spec[struct{}, string]{
				Name: "probe", Description: "Call it in tests.",
				Execute:       func(context.Context, struct{}) (string, error) { return "hunter2", nil },
				ToModelOutput: func(_ context.Context, s string) (jig.Output, error) { return shape(s) },
			}))
			texts, o := sinks(t, r, lines)
			require.NotContains(t, texts, "hunter2")
			require.Equal(t, "probe did run, but its result could not be prepared; do not assume that it did "+
				"nothing. Reference: "+o.Ref+".", o.Text())
			require.Equal(t, jig.StatusFailed, o.Status)
			require.False(t, o.Retryable)
			require.Equal(t, "hunter2", o.Value)
			require.ErrorIs(t, o.Err, jig.ErrOutput)
		})
	}
}

func TestToModelOutputForms(t *testing.T) {
	for _, test := range []struct {
		name string
		out  jig.Output
		want string
	}{
		{"nothing", jig.Output{}, "(no output)"},
		{"empty parts", jig.Output{Parts: []jig.Part{{}, {}}}, "(no output)"},
		{"parts", jig.Output{Parts: []jig.Part{{Text: "two rows:"}, {JSON: []byte(` [1, "\u003c"] `)}}},
			"two rows:\n[1,\"<\"]"},
		{"no UTF-8", jig.Text("a\xffb"), "a\ufffdb"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := registryOf(t, nil, jig.MustDefine(jig.Spec[struct{}, string]{
				Name: "give", Description: "Call it in tests.",
				Execute:       func(context.Context, struct{}) (string, error) { return "raw", nil },
				ToModelOutput: func(context.Context, string) (jig.Output, error) { return test.out, nil },
			})).Call(t.Context(), jig.Call{Name: "give"})
			require.Equal(t, test.want, got.Text())
		})
	}
}

func TestJSON(t *testing.T) {
	got, err := jig.JSON(map[string]any{"took": 90 * time.Second, "rows": []string(nil), "html": "<&>"})
	require.NoError(t, err)
	require.Equal(t, `{"html":"<&>","rows":[],"took":"1m30s"}`, got.Text())
	_, err = jig.JSON(map[string]any{"avg": []float64{math.Inf(-1)}})
	require.EqualError(t, err, "avg[0]: -Inf has no JSON form")
}

// cappedBy runs a tool whose view is out, under the caps of the tool and of the registry.
func cappedBy(t *testing.T, toolCap, registryCap int, out jig.Output) jig.Outcome {
	t.Helper()
	return registryOf(t, &jig.Options{MaxOutputBytes: registryCap}, jig.MustDefine(jig.Spec[struct{}, int]{
		Name: "give", Description: "Call it in tests.", MaxOutputBytes: toolCap,
		Execute:       func(context.Context, struct{}) (int, error) { return 7, nil },
		ToModelOutput: func(context.Context, int) (jig.Output, error) { return out, nil },
	})).Call(t.Context(), jig.Call{Name: "give"})
}

func TestCapSizes(t *testing.T) {
	for _, test := range []struct {
		name                     string
		toolCap, registryCap, is int
	}{
		{"default", 0, 0, 50 << 10},
		{"of the registry", 0, 300, 300},
		{"of the tool", 400, 0, 400},
		{"smaller of the two: tool", 300, 400, 300},
		{"smaller of the two: registry", 400, 300, 300},
		{"larger than the registry's is no error", 1 << 20, 0, 50 << 10},
		{"smallest", 0, 1, 256},
	} {
		t.Run(test.name, func(t *testing.T) {
			exact := strings.Repeat("x", test.is)
			got := cappedBy(t, test.toolCap, test.registryCap, jig.Text(exact))
			require.Equal(t, exact, got.Text())
			require.Nil(t, got.Cut)
			got = cappedBy(t, test.toolCap, test.registryCap, jig.Text(exact+"x"))
			require.LessOrEqual(t, len(got.Text()), test.is)
			require.Contains(t, got.Text(), " of "+strconv.Itoa(test.is+1)+" bytes left out ...]\n")
			require.Equal(t, &jig.Cut{OriginalBytes: test.is + 1, KeptBytes: len(got.Text())}, got.Cut)
			require.Equal(t, jig.StatusOK, got.Status)
			require.Equal(t, 7, got.Value)
		})
	}
}

func TestCapOfText(t *testing.T) {
	got := cappedBy(t, 0, 256, jig.Text(strings.Repeat("0123456789", 100)))
	require.Equal(t, strings.Repeat("0123456789", 16)+"012\n[... 783 of 1000 bytes left out ...]\n"+
		"6789"+strings.Repeat("0123456789", 5), got.Text())
	for _, s := range []string{"é", "世", "😀", "👨‍👩‍👧", "a\xff", "\n"} {
		for n := range 40 {
			text := strings.Repeat("x", n) + strings.Repeat(s, 500)
			got := cappedBy(t, 0, 256, jig.Text(text))
			require.True(t, utf8.ValidString(got.Text()))
			require.LessOrEqual(t, len(got.Text()), 256)
			require.Equal(t, len(got.Text()), got.Cut.KeptBytes)
		}
	}
}

func TestCapOfJSON(t *testing.T) {
	type view struct {
		Rows []int  `json:"rows"`
		Next string `json:"next"`
	}
	v := view{Next: "tok"}
	for i := range 1000 {
		v.Rows = append(v.Rows, i)
	}
	out, err := jig.JSON(v)
	require.NoError(t, err)
	got := cappedBy(t, 0, 256, out)
	require.LessOrEqual(t, len(got.Text()), 256)
	var cut struct {
		Rows []json.RawMessage
		Next string
	}
	require.NoError(t, json.Unmarshal([]byte(got.Text()), &cut))
	require.Equal(t, "tok", cut.Next)
	kept := len(cut.Rows) - 1
	require.Equal(t, fmt.Sprintf(`{"omitted":%d,"total":1000}`, 1000-kept), string(cut.Rows[kept]))
	require.Equal(t, strconv.Itoa(kept-1), string(cut.Rows[kept-1]))
	require.Equal(t, &jig.Cut{OriginalBytes: len(out.Text()), KeptBytes: len(got.Text()),
		OmittedItems: 1000 - kept}, got.Cut)

	out, err = jig.JSON(map[string]string{"text": strings.Repeat("<é>", 300)})
	require.NoError(t, err)
	got = cappedBy(t, 0, 256, out)
	require.LessOrEqual(t, len(got.Text()), 256)
	require.True(t, json.Valid([]byte(got.Text())))
	require.True(t, strings.HasPrefix(got.Text(), `{"preview":"{\"text\":\"<é>`), got.Text())
	require.True(t, strings.HasSuffix(got.Text(), fmt.Sprintf(`","bytes":%d}`, len(out.Text()))))
}

func TestCapOfParts(t *testing.T) {
	rows, err := jig.JSON(make([]int, 2000))
	require.NoError(t, err)
	long := jig.Part{Text: strings.Repeat("x", 5000)}
	for _, test := range []struct {
		name  string
		limit int
		parts []jig.Part
		kept  int // parts
	}{
		{"short beside long", 1000, []jig.Part{{Text: "head"}, long, {Text: "tail"}}, 3},
		{"text and JSON", 1000, []jig.Part{{Text: "rows:"}, rows.Parts[0], long}, 3},
		{"no room for markers of their own", 600, []jig.Part{long, rows.Parts[0], long, long}, 1},
		{"more parts than bytes", 256, make([]jig.Part, 300), 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := cappedBy(t, 0, test.limit, jig.Output{Parts: append(test.parts, jig.Part{Text: "end"})})
			require.LessOrEqual(t, len(got.Text()), test.limit)
			require.NotNil(t, got.Cut)
			require.Equal(t, len(got.Text()), got.Cut.KeptBytes)
			require.True(t, strings.HasSuffix(got.Text(), "end"))
			if test.kept > 1 {
				require.Len(t, got.Output.Parts, test.kept+1)
				require.Equal(t, test.parts[0], got.Output.Parts[0])
			}
			for _, p := range got.Output.Parts {
				require.True(t, p.JSON == nil || json.Valid(p.JSON))
			}
		})
	}
}

func TestCapOfErrorsAndDenials(t *testing.T) {
	long := strings.Repeat("word ", 200)
	name := strings.Repeat("n", 64)
	r := registryOf(t, &jig.Options{MaxOutputBytes: 300},
		failing("authored", jig.EffectRead, jig.Errorf("%s", long)),
		jig.MustDefine(jig.Spec[refundArgs, string]{Name: name, Description: "Call it in tests.",
			MaxOutputBytes: 256, Execute: func(context.Context, refundArgs) (string, error) { return "", nil }}),
		jig.MustDefine(jig.Spec[struct{}, string]{Name: name[1:], Description: "Call it in tests.",
			Approval: jig.ApprovalAlways, MaxOutputBytes: 256,
			Execute: func(context.Context, struct{}) (string, error) { return "", nil }}))
	authored := r.Call(t.Context(), jig.Call{Name: "authored"})
	require.LessOrEqual(t, len(authored.Text()), 300)
	require.Equal(t, &jig.Cut{OriginalBytes: 1000, KeptBytes: len(authored.Text())}, authored.Cut)
	require.Contains(t, authored.Text(), " of 1000 bytes left out ...]")
	invalid := r.Call(t.Context(), jig.Call{Name: name, Args: []byte(`{"id":"` + long + `"}`)})
	require.Equal(t, jig.StatusInvalid, invalid.Status)
	require.LessOrEqual(t, len(invalid.Text()), 256)
	require.NotNil(t, invalid.Cut)
	denied := r.Call(t.Context(), jig.Call{Name: name[1:]})
	require.Equal(t, jig.StatusDenied, denied.Status)
	require.LessOrEqual(t, len(denied.Text()), 256)
	unknown := r.Call(t.Context(), jig.Call{Name: strings.Repeat("\x01", 500)})
	require.LessOrEqual(t, len(unknown.Text()), 300)
	require.True(t, strings.HasPrefix(unknown.Text(), `unknown tool: "\x01\x01`))
}

// secretError holds a planted secret.
type secretError struct{ Hidden string }

func (e *secretError) Error() string { return e.Hidden }

// TestPrintingShowsNoSecrets plants secrets where no sink may look.
func TestPrintingShowsNoSecrets(t *testing.T) {
	type secretResult struct{ Hidden string }
	tool := func(name string, err error) *jig.Tool {
		return jig.MustDefine(jig.Spec[pathArgs, secretResult]{
			Name: name, Description: "Call it in tests.",
			Execute: func(context.Context, pathArgs) (secretResult, error) {
				return secretResult{"hunter2-value"}, err
			},
			ToModelOutput: func(context.Context, secretResult) (jig.Output, error) { return jig.Text("view"), nil },
		})
	}
	r := registryOf(t, nil, tool("good", nil), tool("bad", &secretError{"hunter2-cause"}))
	for _, name := range []string{"good", "bad"} {
		p := r.Authorize(t.Context(), r.Prepare(jig.Call{ID: "1", Name: name, Args: []byte(`{"path":"hunter2-args"}`)}))
		e := r.Execute(t.Context(), p)
		o := r.Render(p, e)
		require.Equal(t, secretResult{"hunter2-value"}, o.Value)
		type all struct {
			O  jig.Outcome
			P  jig.Prepared
			E  jig.Executed
			OP *jig.Outcome
			PP *jig.Prepared
			EP *jig.Executed
		}
		values := []any{o, p, e, &o, &p, &e, all{o, p, e, &o, &p, &e}, &all{o, p, e, &o, &p, &e},
			[]jig.Outcome{o}, []jig.Prepared{p}, []jig.Executed{e}, []*jig.Outcome{&o}, []any{o, p, e, &p},
			map[string]any{"o": o, "p": p, "e": e}, [1]jig.Outcome{o}, map[string]jig.Outcome{"o": o}}
		var out strings.Builder
		for _, v := range values {
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
				fmt.Fprintf(&out, verb+"\n", v)
			}
			fmt.Fprintln(&out, v)
			for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
				slog.New(h).Info("call", "v", v)
				slog.New(h).With("v", v).WithGroup("g").Info("call", slog.Group("h", "v", v))
			}
		}
		require.NotContains(t, out.String(), "hunter2")
	}
	p := r.Prepare(jig.Call{Name: "good", Args: []byte(`{"path":"p"}`)})
	require.Equal(t, "Prepared(good)", fmt.Sprint(p))
	require.Equal(t, "Prepared(bad invalid)", fmt.Sprint(r.Prepare(jig.Call{Name: "bad"})))
	p = r.Authorize(t.Context(), p)
	require.Equal(t, "Executed(attempts 1, 4 bytes)", fmt.Sprint(r.Execute(t.Context(), p)))
	require.Equal(t, `Outcome(good ok: "view")`, fmt.Sprintf("%#v", r.Render(p, r.Execute(t.Context(), p))))
	require.Equal(t, "Prepared() Executed()", fmt.Sprint(jig.Prepared{}, " ", jig.Executed{}))
}

func TestPrintingEscapesWhatAModelChose(t *testing.T) {
	var r jig.Registry
	call := jig.Call{Name: "a\nb"}
	p := r.Prepare(call)
	require.Equal(t, `Prepared("a\nb" invalid)`, fmt.Sprint(p))
	require.Equal(t, `Outcome("a\nb" invalid unknown_tool: "unknown tool: \"a\\nb\"; there are no tools")`,
		fmt.Sprint(r.Call(t.Context(), call)))
	require.Equal(t, "Executed(invalid unknown_tool)", fmt.Sprint(r.Execute(t.Context(), p)))
}

func TestOutcomeSurvivesJSON(t *testing.T) {
	out, err := jig.JSON(map[string]string{"html": "<&>\u2028"})
	require.NoError(t, err)
	out.Parts = append(out.Parts, jig.Part{Text: "<&>\u2028"})
	want := cappedBy(t, 0, 0, out)
	raw, err := json.Marshal(want)
	require.NoError(t, err)
	var got jig.Outcome
	require.NoError(t, json.Unmarshal(raw, &got))
	require.Equal(t, want.Text(), got.Text())
	want.Value = nil
	require.Equal(t, want, got)
	require.Error(t, json.Unmarshal([]byte(`{"Text":1}`), &jig.Part{}))
}
