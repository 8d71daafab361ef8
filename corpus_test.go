package jig_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/internal/corpus"
)

var update = flag.Bool("update", false, "rewrite the goldens in testdata")

// A corpusTool is a definition that somebody published or sent, with calls to it.
type corpusTool struct {
	Name        string
	Description string
	Kind        string // tool, response_format or, where it can only be a tool, empty
	Schema      json.RawMessage
	Calls       []corpusCall
}

// A corpusCall is what a model sent, or what the source of a definition says is right.
type corpusCall struct {
	Args   json.RawMessage
	Raw    *string // the argument text, where it was recorded
	Valid  *bool   // nil: nobody judged it
	Finish string
}

// text is the argument text of the call.
func (c corpusCall) text() json.RawMessage {
	if c.Raw != nil {
		return json.RawMessage(*c.Raw)
	}
	return c.Args
}

// corpusCut lists the finish reasons of a model that was cut off.
var corpusCut = []string{"length", "max_tokens", "MAX_TOKENS", "incomplete"}

// corpusWrong lists the calls that their source says are right and that are not: tool, place of the
// first problem, reason.
var corpusWrong = map[[2]string]string{
	{"game_rewards.get", "/trophy"}:                               "the value is not in the enum",
	{"NestedValueFetcher.createSourceMapStub", "/filteredSource"}: "a variable's name for an object",
	{"Basic.checkSizes", "/environ"}:                              "a variable's name for an object",
	{"manageReactState", "/store/initialState"}:                   "variables' names for objects",
}

// A corpusReport is the verdicts on the whole corpus.
type corpusReport struct {
	definitions [][]string  // a line for each file
	refused     [][]string  // file, form, tool, pointer, keyword
	types       suiteCounts // wrong type names in definitions as written
	calls       suiteCounts
	strict      suiteCounts        // the same calls to the strict tools
	texts       suiteCounts        // the accepted calls with a value written as text
	wrong       map[[2]string]bool // of corpusWrong, those that were met
}

// TestCorpus makes every definition of the corpus a tool, in a registry of its own, strict and not,
// and runs every call to it. Definitions without a name or a schema, and those of response formats,
// are left out. A missing description is the name; type names that JSON Schema does not have are
// refused first, as written, and then renamed.
func TestCorpus(t *testing.T) {
	r := &corpusReport{types: suiteCounts{}, calls: suiteCounts{}, strict: suiteCounts{},
		texts: suiteCounts{}, wrong: map[[2]string]bool{}}
	files := []string{"bfcl-sample.jsonl", "github-mcp-server.jsonl", "k8s-posthog-mcp.jsonl",
		"mcp-spec-examples.jsonl"}
	for _, file := range append(files, corpus.Recorded(t)...) {
		r.file(t, file)
	}
	for wrong := range corpusWrong {
		require.True(t, r.wrong[wrong], "%v is listed and is not wrong", wrong)
	}
	corpusGolden(t, "corpus.golden", r.text())
}

// file judges one file.
func (r *corpusReport) file(t *testing.T, file string) {
	rows := corpus.Rows[corpusTool](t, file)
	var skipped, renamed, tools, strict int
	for _, row := range rows {
		if row.Kind == "response_format" {
			skipped++
			require.Empty(t, row.Calls, row.Name)
			continue
		}
		if row.Name == "" || string(row.Schema) == "null" {
			skipped++
			r.run(t, file, row, nil, nil, r.calls)
			continue
		}
		schema := row.Schema
		if name := wrongType(t, row); name != "" {
			renamed++
			r.types.add(file, name)
			schema = renameTypes(t, row.Schema)
		}
		var ran, strictRan int
		if tool := r.define(t, file, row, schema, false, &ran); tool != nil {
			tools++
			r.run(t, file, row, tool, &ran, r.calls)
		}
		if tool := r.define(t, file, row, schema, true, &strictRan); tool != nil {
			strict++
			r.run(t, file, row, tool, &strictRan, r.strict)
		}
	}
	line := []string{file}
	for _, n := range []int{len(rows), skipped, renamed, tools, strict} {
		line = append(line, fmt.Sprint(n))
	}
	r.definitions = append(r.definitions, line)
}

var wrongTypeLine = regexp.MustCompile(`^jig: schema: (/.*): type "(\w+)" is not a JSON Schema ` +
	`type; (use "[a-z]+"|leave type out to accept any value)$`)

// wrongType returns the first type name in the schema as written that JSON Schema does not have, or
// "". Such a schema is refused in one line, with the place of that very name (H4).
func wrongType(t *testing.T, row corpusTool) string {
	t.Helper()
	_, err := jig.ParseSchema(row.Schema)
	if err == nil {
		return ""
	}
	found := wrongTypeLine.FindStringSubmatch(err.Error())
	if found == nil {
		return "" // the same schema is refused when it is defined
	}
	var at any
	require.NoError(t, json.Unmarshal(row.Schema, &at))
	for _, token := range strings.Split(found[1], "/")[1:] {
		switch value := at.(type) {
		case map[string]any:
			at = value[strings.NewReplacer("~1", "/", "~0", "~").Replace(token)]
		case []any:
			i, err := strconv.Atoi(token)
			require.NoError(t, err, found[1])
			at = value[i]
		}
	}
	require.Equal(t, found[2], at, "%s: %s", row.Name, found[1])
	return found[2]
}

// renameTypes gives JSON Schema's names to the types of a schema.
func renameTypes(t *testing.T, schema json.RawMessage) json.RawMessage {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(schema))
	decoder.UseNumber()
	var root any
	require.NoError(t, decoder.Decode(&root))
	renameWithin(root)
	renamed, err := json.Marshal(root)
	require.NoError(t, err)
	return renamed
}

var typeNames = map[string]string{
	"dict": "object", "hashmap": "object", "float": "number", "double": "number",
	"tuple": "array", "list": "array",
}

func renameWithin(value any) {
	switch value := value.(type) {
	case map[string]any:
		if name, ok := value["type"].(string); ok {
			name = strings.ToLower(name)
			if right, ok := typeNames[name]; ok {
				name = right
			}
			value["type"] = name
			if name == "any" {
				delete(value, "type")
			}
		}
		for key, child := range value {
			if key != "default" && key != "enum" && key != "const" {
				renameWithin(child)
			}
		}
	case []any:
		for _, child := range value {
			renameWithin(child)
		}
	}
}

// define makes one tool, which counts its runs, or records why it is refused.
func (r *corpusReport) define(
	t *testing.T, file string, row corpusTool, text json.RawMessage, strict bool, ran *int,
) *jig.Tool {
	t.Helper()
	form := map[bool]string{true: "strict", false: "plain"}[strict]
	schema, err := jig.ParseSchema(text)
	if err != nil {
		require.NotContains(t, err.Error(), "\n", row.Name)
		rest, ok := strings.CutPrefix(err.Error(), "jig: schema: /")
		require.True(t, ok, "%s: ParseSchema = %v, want a JSON pointer in it", row.Name, err)
		pointer, _, _ := strings.Cut("/"+rest, ": ")
		keyword := pointer[strings.LastIndexByte(pointer, '/')+1:]
		r.refused = append(r.refused, []string{file, form, row.Name, pointer, keyword})
		return nil
	}
	if row.Description == "" {
		row.Description = row.Name
	}
	tool, err := jig.Define(jig.Spec[json.RawMessage, string]{
		Name: strings.ReplaceAll(row.Name, ".", "_"), Description: row.Description,
		Schema: schema, Strict: strict,
		Execute: func(ctx context.Context, _ json.RawMessage) (string, error) {
			*ran++
			return string(jig.CallInfo(ctx).Args()), nil
		},
	})
	if err != nil {
		require.NotContains(t, err.Error(), "\n", row.Name)
		refused, ok := errors.AsType[*jig.DefineError](err)
		require.True(t, ok, "%s: Define = %v, want a DefineError", row.Name, err)
		first := refused.Problems[0]
		require.True(t, strings.HasPrefix(first.Pointer, "Schema"), "%s: %v", row.Name, err)
		r.refused = append(r.refused, []string{file, form, row.Name, first.Pointer, first.Keyword})
		return nil
	}
	return tool
}

// run makes every call to a tool, which is alone in a registry; a nil tool is unknown there.
func (r *corpusReport) run(
	t *testing.T, file string, row corpusTool, tool *jig.Tool, ran *int, counts suiteCounts,
) {
	t.Helper()
	var registry jig.Registry
	if tool != nil {
		require.NoError(t, registry.Add(tool))
	} else {
		ran = new(int)
	}
	for _, call := range row.Calls {
		counts.add(file, "calls")
		c := jig.Call{ID: "1", Name: row.Name, Args: call.text(),
			Incomplete: slices.Contains(corpusCut, call.Finish)}
		before := *ran
		outcome := registry.Call(t.Context(), c)
		verdict, pointer := corpusVerdict(outcome)
		counts.add(file, verdict)
		corpusMends(t, outcome, c.Args, func(kind string) { counts.add(file, "mended: "+kind) })
		good := outcome.Status == jig.StatusOK
		require.Equal(t, good, *ran == before+1, "%s: %s, and it ran %d times", row.Name, verdict,
			*ran-before)
		place := [2]string{row.Name, pointer}
		listed := corpusWrong[place] != ""
		if call.Valid != nil && good != (*call.Valid && !listed) {
			t.Errorf("%s: Call(%s) = %s at %q, want valid %v; listed as wrong: %v\n%s", row.Name,
				call.text(), verdict, pointer, *call.Valid, listed, outcome.Text())
		}
		if listed {
			r.wrong[place] = true
		}
		if tool != nil {
			corpusCutOff(t, &registry, c, ran)
		}
		if good && !tool.Strict() {
			r.asText(t, &registry, file, c, outcome.Text())
		}
	}
}

// corpusCutOff makes the call again as if the model had been cut off: it never runs (A2).
func corpusCutOff(t *testing.T, registry *jig.Registry, c jig.Call, ran *int) {
	t.Helper()
	before := *ran
	cut := []jig.Call{{ID: c.ID, Name: c.Name, Args: c.Args, Incomplete: true}}
	if text := bytes.TrimSpace(c.Args); len(text) > 0 && text[len(text)-1] == '}' {
		cut = append(cut, jig.Call{ID: c.ID, Name: c.Name, Args: text[:len(text)-1]},
			jig.Call{ID: c.ID, Name: c.Name, Args: text[:(len(text)+1)/2]})
	}
	for _, c := range cut {
		outcome := registry.Call(t.Context(), c)
		require.Equal(t, "incomplete", outcome.Code, "%s: Call(%s)", c.Name, c.Args)
		require.ErrorIs(t, outcome.Err, jig.ErrIncomplete)
	}
	require.Equal(t, before, *ran, "%s ran with arguments that were cut off", c.Name)
}

// corpusVerdict names what became of a call; an invalid one by its first problem.
func corpusVerdict(o jig.Outcome) (verdict, pointer string) {
	switch invalid, ok := errors.AsType[*jig.ValidationError](o.Err); {
	case o.Code == "incomplete":
		return "incomplete", ""
	case o.Code == "unknown_tool":
		return "unknown tool", ""
	case ok:
		return "invalid: " + invalid.Problems[0].Keyword, invalid.Problems[0].Pointer
	}
	return string(o.Status), ""
}

func (r *corpusReport) text() string {
	refused := "none\n"
	if len(r.refused) > 0 {
		head := []string{"file", "form", "tool", "pointer", "keyword"}
		refused = corpusTable(append([][]string{head}, r.refused...))
	}
	return "Verdicts over the recorded corpus: counts, names of tools and places.\n" +
		"\nDefinitions. Skipped: response formats, no name or no schema. Renamed: types as below.\n\n" +
		corpusTable(append([][]string{{"file", "rows", "skipped", "renamed", "tools",
			"strict tools"}}, r.definitions...)) +
		"\nDefinitions refused.\n\n" + refused +
		"\nThe first type name of a definition that JSON Schema does not have.\n\n" +
		r.types.table("file", "type") +
		"\nCalls. Invalid: by the keyword of the first problem.\n\n" + r.calls.table("file", "verdict") +
		"\nThe same calls to the strict tools.\n\n" + r.strict.table("file", "verdict") +
		"\nThe accepted calls, once for each of their values that is no string and once as a whole, with " +
		"that\nwritten as text. What is mended means the same again, to the byte.\n\n" +
		r.texts.table("file", "verdict")
}

// corpusTable aligns lines in columns.
func corpusTable(lines [][]string) string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, line := range lines {
		fmt.Fprintln(w, strings.Join(line, "\t"))
	}
	_ = w.Flush() // to memory
	return out.String()
}

// corpusGolden compares text with a golden file, or writes it under -update.
func corpusGolden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update && !t.Failed() {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), text, "%s differs; if the change is meant, run with -update", path)
}
