package dialect_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/dialect"
	"github.com/jig-go/jig/internal/corpus"
	"github.com/jig-go/jig/internal/strict"
	"github.com/jig-go/jig/internal/tree"
)

// An acceptanceRow is one request that somebody sent, and whether the provider took it.
type acceptanceRow struct {
	File   string
	Host   string
	Status int
	Error  string
	Tools  []acceptanceTool
}

// An acceptanceTool is a schema of a request. The last of a list may stand for more.
type acceptanceTool struct {
	API, Kind, Name string
	Strict          bool
	Schema          json.RawMessage
	Truncated       int // that many more, like the one before
}

// title is the name of the recording, without its folders.
func (r acceptanceRow) title() string {
	name := filepath.Base(r.File)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// hostFamilies are the hosts that have a profile. The others only forward requests, or run engines
// that jig has no rules for.
var hostFamilies = map[string]string{
	"api.openai.com": "openai", "openai": "openai",
	"api.anthropic.com": "anthropic", "anthropic": "anthropic",
	"bedrock-runtime.us-east-1.amazonaws.com": "bedrock_converse",
	"api.deepseek.com":                        "deepseek",
	"api.groq.com":                            "groq", "groq": "groq",
	"api.mistral.ai": "mistral", "mistral": "mistral",
	"api.x.ai": "xai", "xai": "xai",
	"rubyllm.services.ai.azure.com": "azure_openai",
}

// isStrict reports whether the schema was enforced. Anthropic has no flag for the schema of a
// response: it always is.
func (a acceptanceTool) isStrict() bool { return a.Strict || a.Kind == "response_format" }

// profileName is the name of the profile for one schema of a request.
func (a acceptanceTool) profileName(family string) string {
	mode := "nonstrict"
	if a.isStrict() {
		mode = "strict"
	}
	switch family {
	case "mistral", "xai":
		return family
	case "openai":
		return strings.Replace(a.API, "-", "_", 1) + "_" + mode
	case "groq":
		return map[string]string{"nonstrict": "groq_tools", "strict": "groq_strict"}[mode]
	}
	return family + "_" + mode
}

// An acceptanceProblem is a problem, and the tool that has it.
type acceptanceProblem struct {
	tool string
	strict.Problem
}

// problems is what jig has against a request.
func (r acceptanceRow) problems(t *testing.T) (out []acceptanceProblem) {
	t.Helper()
	family := hostFamilies[r.Host]
	var tools []strict.Tool
	var profile strict.Profile // of the request: that of its strict schemas, if it has any
	for _, a := range r.schemas() {
		p, ok := dialect.ProfileOf(a.profileName(family))
		require.True(t, ok, "%s: %s", r.File, a.profileName(family))
		root, ok := tree.Parse(a.Schema)
		require.True(t, ok, r.File)
		for _, found := range strict.Check(strict.Profile(p), root) {
			out = append(out, acceptanceProblem{a.Name, found})
		}
		if a.isStrict() || profile.Name == "" {
			profile = strict.Profile(p)
		}
		tools = append(tools, strict.Tool{Name: a.Name, Strict: a.isStrict(), Schema: a.Schema})
	}
	for _, found := range strict.CheckRequest(profile, tools) {
		out = append(out, acceptanceProblem{"", found})
	}
	return out
}

// schemas writes the tools out that a recording leaves out.
func (r acceptanceRow) schemas() (out []acceptanceTool) {
	for i, a := range r.Tools {
		if a.Truncated == 0 {
			out = append(out, a)
			continue
		}
		for range a.Truncated {
			out = append(out, r.Tools[i-1])
		}
	}
	return out
}

// acceptanceTaken are the problems that jig has with requests that were taken: recording, pointer
// and keyword, and why.
var acceptanceTaken = map[[3]string]string{
	{"twenty_rig_strict_plus_one_provider_non_strict_tool_is_accepted", "",
		"MaxStrict"}: "the tool that is not strict is among those that the recording leaves out",
	{"prompt_typed_and_output_schema", "/$defs/Conditions/properties/humidity_pct",
		"format_unlisted"}: "OpenAI took uint8 of an integer, beyond its list",
	{"prompt_typed_and_output_schema", "/$defs/Conditions/properties/temperature_f",
		"format_unlisted"}: "OpenAI took double of a number, beyond its list",
	{"structured_output_and_identity", "/properties/value",
		"format_unlisted"}: "OpenAI took int64 of an integer, beyond its list",
}

// acceptanceOther are the requests that were refused for something that is no rule of a profile.
var acceptanceOther = map[string]string{
	"test_tool_use_failed_error": "Groq refused the call of the model, not the schema",
	"sixteen_union_parameters_in_one_schema_hit_internal_limit": "a limit that nobody has written " +
		"down: 16 unions are taken in 16 tools, not in one",
	"twenty_four_optional_parameters_in_one_schema_hit_internal_limit": "a limit that nobody has " +
		"written down: 24 optional properties are taken in 12 tools, not in one",
}

// TestAcceptance compares the profiles with what providers did (W2): jig has nothing against the
// requests that were taken, and refuses the others first, at the same place for the same reason.
func TestAcceptance(t *testing.T) {
	rows := corpus.Rows[acceptanceRow](t, "provider-acceptance.jsonl")
	var taken, refused, skipped int
	met := map[string]bool{}
	for _, row := range rows {
		switch {
		case hostFamilies[row.Host] == "":
			skipped++
		case row.Status == 200:
			taken++
			checkTaken(t, row, met)
		default:
			refused++
			checkRefused(t, row, met)
		}
	}
	for exception, why := range acceptanceTaken {
		require.True(t, met[fmt.Sprint(exception)], "%v is listed (%s) and was not met", exception, why)
	}
	for exception, why := range acceptanceOther {
		require.True(t, met[exception], "%s is listed (%s) and was not met", exception, why)
	}
	fmt.Printf("corpus: provider-acceptance.jsonl: %d rows read, %d taken, %d refused, %d skipped: no "+
		"profile for the host; %d exceptions\n", len(rows), taken, refused, skipped,
		len(acceptanceTaken)+len(acceptanceOther))
}

func checkTaken(t *testing.T, row acceptanceRow, met map[string]bool) {
	t.Helper()
	for _, p := range row.problems(t) {
		place := [3]string{row.title(), p.Pointer, p.Keyword}
		if acceptanceTaken[place] == "" {
			t.Errorf("%s: %s took tool %q, and jig refuses %q %s: %s", row.File, row.Host, p.tool,
				p.Pointer, p.Keyword, p.Message)
		}
		met[fmt.Sprint(place)] = true
	}
}

func checkRefused(t *testing.T, row acceptanceRow, met map[string]bool) {
	t.Helper()
	problems := row.problems(t)
	if acceptanceOther[row.title()] != "" {
		met[row.title()] = true
		require.Empty(t, problems, "%s is listed, and jig refuses it", row.File)
		return
	}
	want, ok := recordedReason(row.Error)
	require.True(t, ok, "%s: no reason is known for %q", row.File, row.Error)
	require.True(t, slices.ContainsFunc(problems, want.is), "%s: refused with %q, want %+v among %+v",
		row.File, row.Error, want, problems)
}

// A reason is what the text of a refusal says: where, by which keyword, and what jig's message has
// to name too.
type reason struct {
	pointer *regexp.Regexp // of the whole pointer
	keyword string
	names   []string
}

func (r reason) is(p acceptanceProblem) bool {
	return r.keyword == p.Keyword && r.pointer.MatchString(p.Pointer) &&
		!slices.ContainsFunc(r.names, func(name string) bool { return !strings.Contains(p.Message, name) })
}

// recordedTexts are the texts of refusals. What is marked in them is the place, where there is one,
// and what the message has to name. place is a pattern of the pointer, with $1 for that of the
// text.
var recordedTexts = []struct {
	text           *regexp.Regexp
	place, keyword string
}{
	{regexp.MustCompile(`In context=\(([^)]*)\), 'required' is required .* Missing '(.*)'`),
		"$1", "required"},
	{regexp.MustCompile(`In context=\(([^)]*)\), 'additionalProperties' is required .* to be (false)`),
		"$1", "additionalProperties"},
	{regexp.MustCompile(`input_schema: Input does not match the expected shape`), "", "boolean_schema"},
	{regexp.MustCompile(`input_schema\.type: Field required`), "", "type"},
	{regexp.MustCompile(`input_schema\.type: Input should be 'object'`), "", "type"},
	{regexp.MustCompile(`For 'object' type, property 'properties' is not supported`),
		"/properties/[^/]*", "boolean_schema"}, // one of the properties is no object
	{regexp.MustCompile(`Circular reference detected in schema definitions: .* -> (\w+)`),
		`/\$defs/$1/.*`, "recursion"},
	{regexp.MustCompile(`Too many strict tools \((\d+)\)\. The maximum .* is (\d+)`), "", "MaxStrict"},
	{regexp.MustCompile(`too many optional parameters \((\d+)\).*limit: (\d+)`), "", "MaxOptional"},
	{regexp.MustCompile(`too many parameters with union types \((\d+) .*limit: (\d+) `), "", "MaxUnions"},
}

// recordedReason reads the text of a refusal.
func recordedReason(text string) (reason, bool) {
	for _, known := range recordedTexts {
		found := known.text.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		place, names := known.place, found[1:]
		if strings.Contains(place, "$1") {
			place = strings.Replace(place, "$1", contextPointer(found[1]), 1)
			names = found[2:]
		}
		return reason{regexp.MustCompile(`^` + place + `$`), known.keyword, names}, true
	}
	return reason{}, false
}

// contextPointer writes OpenAI's context, as 'properties', 'a', as a pointer; a bare name stays.
func contextPointer(context string) string {
	if !strings.Contains(context, "'") {
		return context
	}
	var pointer string
	for _, step := range strings.Split(strings.Trim(context, ","), ",") {
		pointer += "/" + regexp.QuoteMeta(strings.Trim(strings.TrimSpace(step), "'"))
	}
	return pointer
}
