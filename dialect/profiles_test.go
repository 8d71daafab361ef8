package dialect_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/dialect"
	"github.com/jig-go/jig/internal/corpus"
)

// TestProfiles looks at every profile by itself.
func TestProfiles(t *testing.T) {
	names := dialect.ProfileNames()
	require.Len(t, names, 21)
	require.Equal(t, slices.Compact(slices.Sorted(slices.Values(names))), slices.Sorted(slices.Values(names)))
	for _, name := range names {
		p, ok := dialect.ProfileOf(name)
		require.True(t, ok, name)
		require.Equal(t, name, p.Name)
		require.Regexp(t, `^20\d\d-\d\d-\d\d$`, p.Date, name)
		require.NotEmpty(t, p.Source, name)
		require.Contains(t, []string{"", "keep", "move", "mention"}, p.Ignored, name)
		require.Contains(t, []string{"", "keep", "move", "mention"}, p.Unknown, name)
		_, err := regexp.Compile(p.KeyPattern)
		require.NoError(t, err, name)
		for keyword, status := range p.Keywords {
			require.Contains(t, []string{"ok", "ignored", "avoid", "rejected"}, status, "%s: %s", name, keyword)
		}
	}
	_, ok := dialect.ProfileOf("openai")
	require.False(t, ok)
}

// TestProfileCopy shows that nobody can change the profile that others get.
func TestProfileCopy(t *testing.T) {
	p, _ := dialect.ProfileOf("anthropic_strict")
	p.Keywords["minimum"], p.Formats[0] = "ok", "anything"
	again, _ := dialect.ProfileOf("anthropic_strict")
	require.Equal(t, "rejected", again.Keywords["minimum"])
	require.Equal(t, "date-time", again.Formats[0])
}

// A ruleSet is what the reference says about one provider and mode.
type ruleSet struct {
	Keywords     map[string]string
	Formats      []string
	AllRequired  bool           `json:"requires_all_required"`
	Closed       bool           `json:"requires_additional_properties_false"`
	Optional     string         `json:"optional_encoding"`
	StripAlways  []string       `json:"strip_always"`
	KeyPattern   string         `json:"property_key_pattern"`
	MaxTools     int            `json:"max_tools"`
	Policy       string         `json:"unknown_keyword_policy"`
	Limits       map[string]any // numbers, and notes
	Description  int            `json:"description_max"`
	RootIsObject bool           `json:"root_object"`
}

// TestProfileRules compares the profiles with the reference beside the corpus, fact by fact.
func TestProfileRules(t *testing.T) {
	path := filepath.Join(corpus.Folder(t), "..", "provider-rules.json")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var reference struct{ Providers map[string]ruleSet }
	require.NoError(t, json.Unmarshal(text, &reference))
	met := map[string]bool{}
	facts := 0
	for _, name := range dialect.ProfileNames() {
		rules, ok := reference.Providers[name]
		require.True(t, ok, "%s is not in the reference", name)
		delete(reference.Providers, name)
		p, _ := dialect.ProfileOf(name)
		facts += compareKeywords(t, p, rules, met) + compareFlags(t, p, rules) + compareLimits(t, p, rules)
	}
	// The engines run on one's own machine and take no tools.
	require.Equal(t, []string{"engine_llguidance", "engine_vllm_xgrammar"},
		slices.Sorted(maps.Keys(reference.Providers)))
	for difference, why := range differences() {
		require.True(t, met[difference], "%s is listed (%s) and is no difference", difference, why)
	}
	fmt.Printf("corpus: provider-rules.json: %d facts of %d profiles compared, %d listed differences\n",
		facts, len(dialect.ProfileNames()), len(met))
}

// compareKeywords returns how many keywords it compared.
func compareKeywords(t *testing.T, p jig.Profile, rules ruleSet, met map[string]bool) int {
	t.Helper()
	known := differences()
	keywords := slices.Sorted(maps.Keys(rules.Keywords))
	for keyword := range p.Keywords {
		if _, ok := rules.Keywords[keyword]; !ok {
			keywords = append(keywords, keyword)
		}
	}
	for _, keyword := range keywords {
		want, got := statusOf(rules.Keywords, keyword), statusOf(p.Keywords, keyword)
		if slices.Contains(rules.StripAlways, keyword) && want != "rejected" {
			want = "avoid" // taken in places, and never to be sent
		}
		difference := fmt.Sprintf("%s %s: %s, not %s", p.Name, keyword, got, want)
		if got != want && known[difference] == "" {
			t.Errorf("%s", difference)
		}
		met[difference] = got != want
	}
	maps.DeleteFunc(met, func(_ string, differs bool) bool { return !differs })
	return len(keywords)
}

func statusOf(keywords map[string]string, keyword string) string {
	if status := keywords[keyword]; status != "" {
		return status
	}
	return "unknown"
}

// differences are the statuses that are not those of the reference, and why. Those that are avoided
// are of its open doubts: what the provider takes in one place or by one report, and refuses by
// another.
func differences() map[string]string {
	all := map[string]string{}
	list := func(why, change string, profiles []string, keywords ...string) {
		for _, profile := range profiles {
			for _, keyword := range keywords {
				all[profile+" "+keyword+": "+change] = why
			}
		}
	}
	openai := []string{"openai_chat_strict", "openai_responses_strict"}
	loose := []string{"openai_chat_nonstrict", "openai_responses_nonstrict"}
	azure, deepseek := []string{"azure_openai_strict"}, []string{"deepseek_strict"}
	anthropic, bedrock := []string{"anthropic_strict"}, []string{"bedrock_converse_strict"}
	gemini := []string{"gemini_parametersJsonSchema"}
	developer, vertex := []string{"gemini_parameters_developer_api"}, []string{"gemini_parameters_vertex"}
	claude := slices.Concat(anthropic, bedrock)
	schema := slices.Concat(developer, vertex)
	const added, avoided = "rejected, not unknown", "avoid, not unknown"

	list("its error text names them at the root; the reference has no keyword for that", added,
		slices.Concat(openai, loose, azure), "root_enum", "root_const", "root_not")
	list("values have to be of the type beside them; the reference has no keyword for that", added,
		slices.Concat(openai, azure, claude), "enum_type_mismatch")
	list("its page names them; the reference has no keyword for that", added,
		append(claude, "xai"), "pattern_backreference", "pattern_boundary")
	list("no form of draft 2020-12, which it asks for", avoided, []string{"anthropic_nonstrict"},
		"items_array")
	list("its error text names it; the reference has no keyword for that", added, schema,
		"required_undeclared")
	list("recorded: a property that is true is refused", added, anthropic, "boolean_schema")
	list("as Anthropic", avoided, bedrock, "boolean_schema")
	list("a probe saw them taken, the guide says that they are not", "avoid, not ok", bedrock,
		"minLength", "maxLength")
	list("one SDK refuses it, one sends it", avoided, openai, "prefixItems")
	list("an SDK of the provider takes them out in this mode too", avoided, loose, "propertyNames",
		"pattern_lookaround")
	list("not documented; every SDK writes anyOf, and nothing beside $ref", avoided, claude, "oneOf",
		"$ref_siblings")
	list("an enum of one value says the same, and is used", "avoid, not ignored", gemini, "const")
	list("the two documents disagree on what may stand beside it", avoided, gemini, "$ref_siblings")
	list("the two services differ, or reports of one do", avoided, schema, "type_array_with_null",
		"typeless_schema", "properties_missing_on_object", "enum_null_member")
	list("no field of the message, and flattened by every converter", avoided, developer, "oneOf", "allOf",
		"allOf_single", "type_null")
	list("the other service has no such field", "avoid, not ok", vertex, "oneOf", "allOf", "allOf_single",
		"additionalProperties_false", "additionalProperties_true", "additionalProperties_schema")
	list("null is not in its list of types; an anyOf is the inferred form", avoided, deepseek,
		"type_array_with_null")
	list("an anyOf with null is how it says optional", "ok, not unknown", deepseek, "type_null")
	return all
}

// compareFlags returns how many flags and lists it compared.
func compareFlags(t *testing.T, p jig.Profile, rules ruleSet) int {
	t.Helper()
	require.True(t, rules.RootIsObject, "%s: every root is an object", p.Name)
	require.Equal(t, rules.Closed, p.Closed, p.Name)
	require.Equal(t, rules.AllRequired, p.Required, p.Name)
	require.Equal(t, rules.Optional == "optional AND nullable", p.Nullable, p.Name)
	require.Equal(t, rules.KeyPattern, p.KeyPattern, p.Name)
	formats := rules.Formats
	if slices.Equal(formats, []string{"any"}) || slices.Equal(formats, []string{"unknown"}) {
		formats = nil
	}
	require.Equal(t, formats, p.Formats, p.Name) // an empty list is not nil
	policy := map[string]string{"keep": "", "move_to_description": "move",
		"inline_or_move_to_description": "move", "keep_and_mention_in_description": "mention"}
	unknown, ok := policy[rules.Policy]
	require.True(t, ok, "%s: %s", p.Name, rules.Policy)
	require.Equal(t, unknown, p.Unknown, p.Name)
	// The reference does not say what to do with what is ignored. Where the model would not see it,
	// or where it is not enforced although strict is always on, the description says it.
	ignored := map[string]string{"ollama_native": "move", "gemini_parametersJsonSchema": "move",
		"xai": "mention"}
	require.Equal(t, ignored[p.Name], p.Ignored, p.Name)
	return 8
}

// compareLimits returns how many limits it compared.
func compareLimits(t *testing.T, p jig.Profile, rules ruleSet) int {
	t.Helper()
	got := map[string]int{
		"object_properties_total": p.MaxProperties, "nesting_depth": p.MaxDepth,
		"enum_values_total": p.MaxEnumValues, "enum_string_chars_when_over_250_values": p.MaxEnumChars,
		"total_string_chars_names_defs_enum_const": p.MaxChars, "strict_tools_per_request": p.MaxStrict,
		"optional_parameters_per_request":    p.MaxOptional,
		"union_typed_parameters_per_request": p.MaxUnions,
	}
	maxTools := rules.MaxTools
	if _, ok := rules.Limits["strict_tools_per_request"]; ok {
		maxTools = 0 // it is that limit again
	}
	if _, ok := rules.Limits["nested_schema_depth"]; ok {
		got["nested_schema_depth"], got["nesting_depth"] = p.MaxDepth, 0
	}
	for name, limit := range got {
		want, _ := rules.Limits[name].(float64)
		require.Equal(t, int(want), limit, "%s: %s", p.Name, name)
	}
	for name := range rules.Limits {
		_, ok := got[name]
		require.True(t, ok || slices.Contains(otherLimits, name), "%s: %s", p.Name, name)
	}
	require.Equal(t, maxTools, p.MaxTools, p.Name)
	require.Equal(t, rules.Description, p.MaxDescription, p.Name)
	advised := map[string]int{"openai_chat_strict": 1024, "openai_chat_nonstrict": 1024,
		"openai_responses_strict": 1024, "openai_responses_nonstrict": 1024} // enforced in 2025
	require.Equal(t, advised[p.Name], p.AdviseDescription, p.Name)
	return len(got) + 3
}

// otherLimits are notes, limits that nobody can count, and how far xAI enforces what it takes in
// any size.
var otherLimits = []string{"unit", "note", "grammar_compile_timeout_s", "grammar_size",
	"minLength_maxLength_guaranteed_to", "minItems_maxItems_guaranteed_to",
	"minProperties_maxProperties_guaranteed_to"}

// A provider takes what it refused when the profiles were written: a changed copy of its profile
// says so, and the format stays in the schema.
func ExampleProfileOf() {
	type page struct {
		URL string `json:"url" jsonschema:"format=uri"`
	}
	registry := &jig.Registry{}
	_ = registry.Add(jig.MustDefine(jig.Spec[page, string]{
		Name: "fetch_page", Description: "Fetch a page.", Strict: true,
		Execute: func(context.Context, page) (string, error) { return "", nil },
	}))

	profile, _ := dialect.ProfileOf("openai_chat_strict")
	profile.Formats = append(profile.Formats, "uri")
	for _, options := range [][]dialect.Option{nil, {dialect.WithProfile(profile)}} {
		_, report, err := dialect.OpenAIChat.Tools(registry, options...)
		fmt.Println(err, len(report.Changes()))
	}
	// Output:
	// <nil> 1
	// <nil> 0
}
