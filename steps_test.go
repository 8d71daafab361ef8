package jig_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// A stepCase is a call whose steps are counted.
type stepCase struct {
	name   string
	schema string // "": that of bulkArgs; typed: that of worstArgs
	text   func() string
}

const typed = "worstArgs"

type worstArgs struct {
	List []int            `json:"list,omitempty" jsonschema:"maximum=5"`
	Maps map[string][]int `json:"maps,omitempty"`
	Rows []worstArgs      `json:"rows,omitempty"`
	Next *worstArgs       `json:"next,omitempty"`
	Mode string           `json:"mode,omitempty" jsonschema:"enum=read,enum=write"`
}

// stepCases starts with the call that the others are measured by. The rest are the worst texts of
// under 1 MiB that are known.
func stepCases() []stepCase {
	const node = `{"type":"object","properties":{"root":{"$ref":"#/$defs/node"}},"$defs":{"node":{
		"type":"object","properties":{"leaf":{"type":"integer"},"next":{"anyOf":[{"$ref":"#/$defs/node"},
		{"type":"string"}]}},"additionalProperties":false}}}`
	branches := make([]string, 50)
	for i := range branches {
		branches[i] = fmt.Sprintf(`{"type":"object","properties":{"k%d":{"type":"integer"}},
			"required":["k%d"]}`, i, i)
	}
	list := func(item string) string {
		return `{"type":"object","properties":{"list":{"type":"array","items":` + item + `}}}`
	}
	items := func(item string, n int) func() string {
		return func() string { return `{"list":[` + strings.Repeat(item+",", n-1) + item + `]}` }
	}
	counted := func(n int, form string, ends ...string) func() string {
		return func() string {
			parts := make([]string, n)
			for i := range parts {
				parts[i] = fmt.Sprintf(form, i)
			}
			return ends[0] + strings.Join(parts, ",") + ends[1]
		}
	}
	return []stepCase{
		{"bulk", "", func() string { return string(bulkText(1000)) }},
		{"deep", node, func() string {
			return `{"root":` + strings.Repeat(`{"next":`, 61) + `{"leaf":"x"}` + strings.Repeat("}", 62)
		}},
		{"string", `{"type":"object","properties":{"s":{"type":"string","maxLength":2000000}}}`,
			func() string { return `{"s":"` + strings.Repeat("ab\\n", 260_000) + `"}` }},
		{"unknown", "", counted(75_000, `"key%05d":1`, `{"rows":[],`, "}")},
		{"unknown/closed", `{"type":"object","properties":{"abc":{}},"additionalProperties":false}`,
			counted(75_000, `"key%05d":1`, "{", "}")},
		{"problems", list(`{"type":"integer","minimum":5}`), items(`"x"`, 10_000)},
		{"array", list(`{"type":"integer"}`), items("7", 100_000)},
		{"unique", `{"type":"object","properties":{"list":{"type":"array","uniqueItems":true}}}`,
			counted(100_000, "%d", `{"list":[`, "]}")},
		{"branches", list(`{"anyOf":[` + strings.Join(branches, ",") + `]}`), items(`{"k49":1}`, 4_000)},
		{"unknown/wide", list(`{"type":"object","properties":{` + counted(200, `"name%d":{}`, "", "")() +
			`},"additionalProperties":false}`), items(`{"q":1}`, 20_000)},
		{"typed/problems", typed, items("7", 100_000)},
		{"typed/kinds", typed, items(`"x"`, 100_000)},
		{"typed/deep", typed, func() string {
			return strings.Repeat(`{"next":`, 62) + `{"list":"x"}` + strings.Repeat("}", 62)
		}},
		{"typed/unknown", typed, counted(75_000, `"key%05d":1`, "{", "}")},
		{"typed/unknown/rows", typed, func() string {
			row := counted(16, `"nexd%02d":1`, "{", "}")()
			return `{"rows":[` + strings.Repeat(row+",", 3_000) + row + `]}`
		}},
		{"typed/enum", typed, func() string {
			return `{"rows":[` + strings.Repeat(`{"mode":"raed"},`, 40_000) + `{}]}`
		}},
		{"typed/long name", typed, func() string {
			return `{"maps":{"` + strings.Repeat("n", 400_000) + `":["x"` + strings.Repeat(`,"x"`, 100_000) + `]}}`
		}},
		{"branches/wrong", list(`{"anyOf":[` + strings.Join(branches, ",") + `]}`),
			items(`{"k49":"x"}`, 4_000)},
	}
}

// TestStepsOfCase makes one call, or with the environment "define" only what stands before it. It is
// for TestWorstCasesAreLinear, which runs it in a process of its own.
func TestStepsOfCase(t *testing.T) {
	what, name, _ := strings.Cut(os.Getenv("JIG_STEPS"), " ")
	if name == "" {
		t.Skip("for TestWorstCasesAreLinear")
	}
	for _, c := range stepCases() {
		if c.name != name {
			continue
		}
		tool := benchTool(t, "x", runBulk)
		switch c.schema {
		case "":
		case typed:
			tool = jig.MustDefine(jig.Spec[worstArgs, jig.NoResult]{Name: "x", Description: "d",
				Execute: func(context.Context, worstArgs) (jig.NoResult, error) { return jig.NoResult{}, nil }})
		default:
			var err error
			tool, err = jig.Define(jig.Spec[json.RawMessage, jig.NoResult]{Name: "x", Description: "d",
				Schema: jig.MustParseSchema(c.schema), Execute: func(context.Context, json.RawMessage) (
					jig.NoResult, error) {
					return jig.NoResult{}, nil
				}})
			require.NoError(t, err)
		}
		text := c.text()
		require.Less(t, len(text), 1<<20)
		t.Logf("bytes=%d", len(text))
		if what == "call" {
			tool.Call(context.Background(), json.RawMessage(text))
		}
	}
}

// TestWorstCasesAreLinear counts the statements of this module that run for the worst calls: none may
// take over 100 times as many for each byte as a plain bulk call. Counts, unlike times, are the same
// on every machine. They are those of the cover tool. It builds a test binary of its own, which takes a
// while, so that it runs only with JIG_STEPS=all.
func TestWorstCasesAreLinear(t *testing.T) {
	if os.Getenv("JIG_STEPS") != "all" {
		t.Skip("set JIG_STEPS=all to run it")
	}
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "steps.test")
	build := exec.Command("go", "test", "-c", "-o", binary, "-covermode=count",
		"-coverpkg=github.com/jig-go/jig/...", ".")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	perByte := func(c stepCase) float64 {
		return float64(stepsOf(t, binary, "call "+c.name)-stepsOf(t, binary, "define "+c.name)) /
			float64(len(c.text()))
	}
	cases := stepCases()
	plain := perByte(cases[0])
	require.Positive(t, plain)
	for _, c := range cases[1:] {
		steps := perByte(c)
		t.Logf("%s: %.1f steps a byte, %.1f times those of a bulk call", c.name, steps, steps/plain)
		require.Less(t, steps, 100*plain, c.name)
	}
}

// stepsOf runs one case and returns how many statements ran.
func stepsOf(t *testing.T, binary, what string) (steps int64) {
	profile := filepath.Join(t.TempDir(), "cover")
	run := exec.Command(binary, "-test.run=^TestStepsOfCase$", "-test.coverprofile="+profile)
	run.Env = append(os.Environ(), "JIG_STEPS="+what)
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	text, err := os.ReadFile(profile)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line) // place, statements, count
		if len(fields) != 3 || strings.HasPrefix(line, "mode:") {
			continue
		}
		statements, err := strconv.ParseInt(fields[1], 10, 64)
		require.NoError(t, err)
		count, err := strconv.ParseInt(fields[2], 10, 64)
		require.NoError(t, err)
		steps += statements * count
	}
	return steps
}
