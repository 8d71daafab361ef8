package jig_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

var everyMode = []jig.RepairMode{jig.RepairSafe, jig.RepairLenient, jig.RepairOff, jig.RepairNever}

// ticket has a place of each kind that an argument can be in.
type ticket struct {
	ticketPart
	Title string            `json:"title"`
	Path  string            `json:"path,omitempty"`
	Count int               `json:"count,omitempty"`
	Since time.Time         `json:"since,omitzero"`
	Level string            `json:"level,omitempty" jsonschema:"enum=low,enum=high"`
	Part  ticketPart        `json:"part,omitzero"`
	Parts []ticketPart      `json:"parts,omitempty"`
	ByKey map[string]ticket `json:"byKey,omitempty"`
	Sub   *ticket           `json:"sub,omitempty"`
	Any   any               `json:"any,omitempty"`
	Raw   json.RawMessage   `json:"raw,omitempty"`
}

type ticketPart struct {
	Task string   `json:"task,omitempty"`
	Tags []string `json:"tags,omitempty"`
	Big  *int64   `json:"big,omitempty"`
}

// ticketRuns counts the runs of ticketTools.
var ticketRuns atomic.Int64

// ticketTools returns, for each mode, tools that take a ticket, in each form that arguments can be
// declared in, and answer with what they got.
var ticketTools = sync.OnceValue(func() map[jig.RepairMode]map[string]*jig.Tool {
	reflected, err := jig.SchemaFor[ticket]()
	if err != nil {
		panic(err)
	}
	tools := map[jig.RepairMode]map[string]*jig.Tool{}
	for _, mode := range everyMode {
		tools[mode] = map[string]*jig.Tool{
			"struct":        ticketTool[ticket](mode, false, nil),
			"strict struct": ticketTool[ticket](mode, true, nil),
			"map":           ticketTool[map[string]any](mode, false, reflected),
			"raw":           ticketTool[json.RawMessage](mode, false, reflected),
		}
	}
	return tools
})

func ticketTool[Args any](mode jig.RepairMode, strict bool, schema *jig.Schema) *jig.Tool {
	return jig.MustDefine(jig.Spec[Args, Args]{
		Name: "probe", Description: "Call it in tests.", Repair: mode, Strict: strict, Schema: schema,
		Execute: func(_ context.Context, args Args) (Args, error) {
			ticketRuns.Add(1)
			return args, nil
		},
	})
}

// neverRuns checks that no tool of ticketTools runs with the arguments, in any mode.
func neverRuns(t *testing.T, args, code string) {
	t.Helper()
	before := ticketRuns.Load()
	for mode, tools := range ticketTools() {
		for form, tool := range tools {
			got := tool.Call(t.Context(), json.RawMessage(args))
			if got.Status != jig.StatusInvalid || got.Code != code || len(got.Repairs) > 0 {
				t.Fatalf("%s, %s: %.300s = %s %s, want invalid %s", form, mode, args, got.Status, got.Code, code)
			}
		}
	}
	require.Equal(t, before, ticketRuns.Load(), args)
}

// TestTrapsCutOffArguments cuts arguments at every byte, in every mode; nothing is ever closed.
func TestTrapsCutOffArguments(t *testing.T) {
	const whole = `{"title":"a\u00e9😀\"b","count":-1.0e1,"parts":[{"tags":["x",null]}],"raw":{"k":[true,{}]}}`
	for i := 1; i < len(whole); i++ {
		neverRuns(t, whole[:i], "incomplete")
	}
	inside, err := json.Marshal(whole)
	require.NoError(t, err)
	for i := 1; i < len(inside); i++ { // the whole object in quotes, cut off
		neverRuns(t, string(inside[:i]), "incomplete")
	}
	for i := 1; i < len(whole); i++ { // whole quotes around an object that is cut off
		inside, err := json.Marshal(strings.ToValidUTF8(whole[:i], ""))
		require.NoError(t, err)
		neverRuns(t, string(inside), "invalid_arguments")
		for _, name := range []string{"part", "parts"} {
			neverRuns(t, fmt.Sprintf(`{"title":"x",%q:%s}`, name, inside), "invalid_arguments")
		}
	}
}

// TestTrapsAmbiguousArguments has payloads that a reader could take for one thing or another.
func TestTrapsAmbiguousArguments(t *testing.T) {
	for name, args := range map[string]string{
		"two objects":           `{"title":"a"}{"title":"b"}`,
		"two objects in lines":  "{\"title\":\"a\"}\n{\"title\":\"b\"}",
		"an object twice":       `{"title":"a"} {"title":"a"}`,
		"prose behind":          `{"title":"a"} I hope that helps.`,
		"prose in front":        `Here you are: {"title":"a"}`,
		"two fences":            "```json\n{\"title\":\"a\"}\n```\n```json\n{\"title\":\"b\"}\n```",
		"bare keys":             `{title:"a"}`,
		"a bare value":          `{"title":a}`,
		"a comment":             `{"title":"a" /* or b */}`,
		"values of Python":      `{"title":"a","any":None}`,
		"not a number":          `{"title":"a","any":NaN}`,
		"a hexadecimal number":  `{"title":"a","any":0x10}`,
		"a leading zero":        `{"title":"a","any":010}`,
		"a leading plus":        `{"title":"a","any":+1}`,
		"a missing comma":       `{"title":"a" "count":1}`,
		"a missing colon":       `{"title" "a"}`,
		"a stray bracket":       `{"title":"a"}]`,
		"one bracket for other": `{"title":"a","any":[1}}`,
	} {
		t.Run(name, func(t *testing.T) { neverRuns(t, args, "invalid_arguments") })
	}
}

// TestTrapsKeysTwice has one key twice, in every place, written alike or not.
func TestTrapsKeysTwice(t *testing.T) {
	for name, args := range map[string]string{
		"at the root":            `{"title":"a","title":"b"}`,
		"of one value":           `{"title":"a","title":"a"}`,
		"objects that would mix": `{"title":"a","part":{"task":"x","tags":["t"]},"part":{"task":"y"}}`,
		"maps that would mix":    `{"title":"a","byKey":{"k":{"title":"x"}},"byKey":{"l":{"title":"y"}}}`,
		"lists that would mix":   `{"title":"a","parts":[{"task":"x","tags":["t"]}],"parts":[{"task":"y"}]}`,
		"in an item":             `{"title":"a","parts":[{"task":"x"},{"task":"y","task":"z"}]}`,
		"a key of a map":         `{"title":"a","byKey":{"k":{"title":"x"},"k":{"title":"y"}}}`,
		"in any":                 `{"title":"a","any":[{"x":1,"x":2}]}`,
		"in raw":                 `{"title":"a","raw":{"x":{"y":1,"y":2}}}`,
		"in what is dropped":     `{"title":"a","other":{"x":1,"x":2}}`,
		"by an escape":           `{"title":"a","ti\u0074le":"b"}`,
		"by an escape in raw":    `{"title":"a","raw":{"/":1,"\/":2}}`,
		"with a trailing comma":  `{"title":"a","title":"b",}`,
		"in single quotes":       `{'title':'a',"title":"b"}`,
		"in quotes":              `"{\"title\":\"a\",\"title\":\"b\"}"`,
		"in a quoted object":     `{"title":"a","part":"{\"task\":\"x\",\"task\":\"y\"}"}`,
	} {
		t.Run(name, func(t *testing.T) { neverRuns(t, args, "invalid_arguments") })
	}
}

// TestTrapsKeysInAnotherCase never fills a field by a key that only looks like its own.
func TestTrapsKeysInAnotherCase(t *testing.T) {
	for name, at := range map[string][2]string{
		"root": {"", ""}, "pointer": {`"title":"r","sub":{`, "}"}, "map value": {`"title":"r","byKey":{"k":{`, "}}"},
	} {
		for _, odd := range []string{"PATH", "Path", "pAth", "TITLE", "TA\u017fK", "ta\u017f\u212a", "Tags", "BIG",
			"Path ", "path\u0000", "_path"} {
			key, err := json.Marshal(odd)
			require.NoError(t, err)
			for _, mode := range everyMode {
				// Beside the right key the other one is dropped, whichever comes first.
				for _, members := range []string{
					`%s"evil","title":"t","path":"/ok","task":"k","tags":["g"],"big":1`,
					`"title":"t","path":"/ok","task":"k","tags":["g"],"big":1,%s"evil"`,
				} {
					args := "{" + at[0] + fmt.Sprintf(members, string(key)+":") + at[1] + "}"
					tools := ticketTools()[mode]
					got := tools["struct"].Call(t.Context(), json.RawMessage(args))
					require.Equal(t, jig.StatusOK, got.Status, "%s: %s", args, got.Text())
					require.NotContains(t, fmt.Sprintf("%+v", got.Value), "evil", "%s, %s: %s", name, mode, args)
					require.Equal(t, "unknown_property", got.Repairs[0].Kind)
					require.Equal(t, jig.StatusInvalid, tools["strict struct"].Call(t.Context(), json.RawMessage(args)).Status)
				}
			}
		}
		// Instead of the right one it is refused.
		args := "{" + at[0] + `"Title":"evil"` + at[1] + "}"
		neverRuns(t, strings.Replace(args, `"title":"r",`, `"title":"r","path":"p",`, 1), "invalid_arguments")
	}
}

func TestTrapsDeepArguments(t *testing.T) {
	t.Parallel()
	for _, nest := range [][2]string{{"[", "]"}, {`{"k":`, "}"}} {
		for _, levels := range []int{65, 400, 10_001, 100_000} {
			deep := strings.Repeat(nest[0], levels) + "1" + strings.Repeat(nest[1], levels)
			neverRuns(t, `{"title":"a","any":`+deep+`}`, "invalid_arguments")
			neverRuns(t, `{"title":"a","other":`+deep+`}`, "invalid_arguments")
		}
	}
	for _, leaf := range []string{`{"title":"a"}`, `{"title":1}`, `{}`} { // a chain of the type itself, right and wrong
		deep := leaf
		for range 400 {
			deep = `{"title":"a","sub":` + deep + `}`
		}
		neverRuns(t, deep, "invalid_arguments")
		quoted, err := json.Marshal(deep)
		require.NoError(t, err)
		neverRuns(t, `{"title":"a","sub":`+string(quoted)+`}`, "invalid_arguments")
	}
}

// TestTrapsMonstrousNumbers puts numbers that no big number library survives in every place.
func TestTrapsMonstrousNumbers(t *testing.T) {
	t.Parallel()
	type args struct {
		Int    int              `json:"int,omitempty" jsonschema:"minimum=1,maximum=9,multipleOf=2"`
		Enum   int              `json:"enum,omitempty" jsonschema:"enum=1,enum=2"`
		Float  float64          `json:"float,omitempty" jsonschema:"exclusiveMinimum=0,multipleOf=0.1"`
		Number json.Number      `json:"number,omitempty"`
		List   []uint8          `json:"list,omitempty"`
		Map    map[int64]*int32 `json:"map,omitempty"`
		Any    any              `json:"any,omitempty"`
		Other  string           `json:"text,omitempty"`
	}
	byHand := jig.MustParseSchema(`{"type":"object","properties":{"v":{"anyOf":[{"type":"integer","multipleOf":3},
		{"const":1.5},{"type":"number","not":{"enum":[2]}},{"type":"array","uniqueItems":true}]}}}`)
	var tools, rawTools []*jig.Tool
	for _, mode := range everyMode {
		tools = append(tools, mendTool[args](mode, nil))
		rawTools = append(rawTools, mendTool[json.RawMessage](mode, byHand))
	}
	for _, number := range []string{
		"1e1000001", "-1E+1000001", "1e-1000001", "1.5e999999999999999999", "0e1000001", "1e10000", "1e-10000",
		strings.Repeat("9", 1001), "0." + strings.Repeat("0", 1000) + "1", strings.Repeat("1", 100_000) + "e5",
	} {
		for i := range everyMode {
			reflected, raw := tools[i], rawTools[i]
			for _, text := range []string{
				`{"int":#}`, `{"enum":#}`, `{"float":#}`, `{"number":#}`, `{"list":[1,#]}`, `{"map":{"1":#}}`,
				`{"any":#}`, `{"any":[{"k":#}]}`, `{"text":#}`, `{"unknown":#}`, `#`, `[#]`,
				`{"int":"#"}`, `{"enum":"#"}`, `{"list":["#"]}`, `{"list":"[#]"}`, `{"map":{"#":1}}`, `"{\"int\":#}"`,
			} {
				got := reflected.Call(t.Context(), json.RawMessage(strings.ReplaceAll(text, "#", number)))
				require.Equal(t, jig.StatusInvalid, got.Status, "%s %.20s", text, number)
				require.Equal(t, "invalid_arguments", got.Code)
				if text != `{"map":{"#":1}}` { // the pointer has the whole key
					require.Less(t, len(got.Text()), 1000, "%s %s", text, got.Text())
				}
			}
			for _, text := range []string{`{"v":#}`, `{"v":[1,#]}`, `{"w":#}`} {
				got := raw.Call(t.Context(), json.RawMessage(strings.ReplaceAll(text, "#", number)))
				require.Equal(t, jig.StatusInvalid, got.Status, "%s %.20s", text, number)
			}
		}
		for _, keyword := range []string{"minimum", "multipleOf", "const", "default"} {
			_, err := jig.ParseSchema(json.RawMessage(fmt.Sprintf(`{"properties":{"v":{%q:%s}}}`, keyword, number)))
			require.Error(t, err, keyword)
		}
	}
}

// integers of every size, in places where numbers are read apart from one another.
type integerPlaces[T comparable] struct {
	V    T            `json:"v"`
	Ptr  *T           `json:"ptr"`
	List [1]T         `json:"list"`
	Map  map[string]T `json:"map"`
	Keys map[T]bool   `json:"keys"`
	//lint:ignore SA5008 T is an integer
	Text T `json:"text,string"`
}

func checkInteger[T comparable](t *testing.T, least, most, below, above string) {
	t.Run(reflect.TypeFor[T]().String(), func(t *testing.T) {
		call := func(number, exact string) jig.Outcome {
			return callWith[integerPlaces[T]](t, strings.NewReplacer("#", number, "@", exact).Replace(
				`{"v":#,"ptr":#,"list":[#],"map":{"k":#},"keys":{"@":true},"text":"@"}`))
		}
		for _, exact := range []string{least, most, "0", "100"} {
			got := call(exact, exact)
			require.Equal(t, jig.StatusOK, got.Status, got.Text())
			require.Equal(t, 6, strings.Count(got.Text(), exact), got.Text())
		}
		want := call("50", "50")
		for _, same := range []string{"50.0", "50.000", "5e1", "5E+1", "500e-1", "0.5e2"} {
			got := call(same, "50")
			require.Equal(t, want.Value, got.Value, "%s: %s", same, got.Text())
		}
		require.Equal(t, call("0", "0").Value, call("-0.0", "0").Value)
		for _, wrong := range []string{below, above, "1" + above, "1e20", "0.5", "50.5", "1e-1", `"50"`, `true`} {
			got := call(wrong, "50")
			require.Equal(t, jig.StatusInvalid, got.Status, wrong)
			require.Equal(t, 4, strings.Count(got.Text(), "\n- "), got.Text())
		}
		for _, wrong := range []string{below, above, "0.5", "050", "5e1", "", " 50"} {
			got := call("50", wrong)
			require.Equal(t, jig.StatusInvalid, got.Status, wrong)
			require.Equal(t, 2, strings.Count(got.Text(), "\n- "), got.Text())
		}
	})
}

func TestTrapsIntegersOfEverySize(t *testing.T) {
	checkInteger[int8](t, "-128", "127", "-129", "128")
	checkInteger[int16](t, "-32768", "32767", "-32769", "32768")
	checkInteger[int32](t, "-2147483648", "2147483647", "-2147483649", "2147483648")
	checkInteger[int64](t, "-9223372036854775808", "9223372036854775807", "-9223372036854775809", "9223372036854775808")
	checkInteger[uint8](t, "0", "255", "-1", "256")
	checkInteger[uint16](t, "0", "65535", "-1", "65536")
	checkInteger[uint32](t, "0", "4294967295", "-1", "4294967296")
	checkInteger[uint64](t, "9223372036854775808", "18446744073709551615", "-1", "18446744073709551616")
	if math.MaxInt == math.MaxInt64 {
		checkInteger[int](t, "-9223372036854775808", "9223372036854775807", "-9223372036854775809", "9223372036854775808")
		checkInteger[uint](t, "9223372036854775808", "18446744073709551615", "-1", "18446744073709551616")
	}
}
