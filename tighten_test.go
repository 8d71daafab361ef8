package jig_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/dialect"
	"github.com/jig-go/jig/internal/corpus"
	"github.com/jig-go/jig/internal/strict"
	"github.com/jig-go/jig/internal/tree"
)

// The profiles mimic three kinds of providers. What they do not name is taken.
var (
	everyRequired = jig.Profile{Name: "every_required", Closed: true, Required: true,
		Formats: []string{"date-time", "email"},
		Keywords: rejected("default oneOf allOf allOf_single allOf_with_ref not if_then_else minLength " +
			"maxLength uniqueItems format_unlisted pattern_lookaround $ref_siblings required_partial " +
			"additionalProperties_missing additionalProperties_true additionalProperties_schema " +
			"patternProperties propertyNames minProperties maxProperties contains dependentRequired " +
			"dependentSchemas properties_missing_on_object items_missing items_array prefixItems " +
			"typeless_schema boolean_schema enum_mixed_types enum_object_values root_anyOf root_oneOf " +
			"root_allOf")}
	closedOnly = jig.Profile{Name: "closed_only", Closed: true,
		Keywords: rejected("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf maxItems " +
			"minItems_gt1 uniqueItems recursion $ref_root_hash additionalProperties_missing " +
			"additionalProperties_true additionalProperties_schema oneOf allOf_with_ref " +
			"enum_object_values typeless_schema root_anyOf root_oneOf root_allOf")}
	plainest = jig.Profile{Name: "plainest", Formats: []string{"date-time"},
		Keywords: rejected("$ref_local $ref_siblings recursion $defs definitions const oneOf allOf " +
			"allOf_single additionalProperties_false additionalProperties_true additionalProperties_schema " +
			"exclusiveMinimum exclusiveMaximum uniqueItems multipleOf enum_integer enum_number " +
			"enum_boolean enum_null_member type_array_with_null type_null anyOf_siblings items_missing " +
			"properties_empty typeless_schema nullable=ok format_unlisted prefixItems items_array")}
)

// rejected is a table in which each keyword of the list is rejected, or what it says after a =.
func rejected(list string) map[string]string {
	table := map[string]string{}
	for _, key := range strings.Fields(list) {
		key, status, said := strings.Cut(key, "=")
		if !said {
			status = "rejected"
		}
		table[key] = status
	}
	return table
}

// TestTightenProfile shows that a profile which is wrong itself says so, and not what it did.
func TestTightenProfile(t *testing.T) {
	schema := jig.MustParseSchema(`{"type":"object","properties":{"a":{"type":"string"}}}`)
	_, _, err := schema.Tighten(jig.Profile{Name: "mine", Unknown: "mov"})
	require.EqualError(t, err, `jig: profile "mine": Unknown: got "mov", want keep, move or mention; `+
		`did you mean "move"?`)
	for _, name := range dialect.ProfileNames() {
		p, ok := dialect.ProfileOf(name)
		require.True(t, ok)
		require.NoError(t, strict.Profile(p).Err())
	}
}

// TestTightenPseudoKeywords shows that the doc of Profile has the pseudo keywords, in order.
func TestTightenPseudoKeywords(t *testing.T) {
	source, err := os.ReadFile("profile.go")
	require.NoError(t, err)
	_, list, found := strings.Cut(string(source), "The pseudo keywords say how a keyword is used: ")
	require.True(t, found)
	list, _, _ = strings.Cut(list, ".\n")
	list = strings.ReplaceAll(strings.ReplaceAll(list, "//", ""), ",", "")
	require.Equal(t, strict.Pseudo, strings.Fields(list))
}

// TestTightenNullable shows that nullable means something only where the provider knows it.
func TestTightenNullable(t *testing.T) {
	schema := jig.MustParseSchema(`{"type":"object","properties":{` +
		`"a":{"type":"string","nullable":true}},"required":["a"]}`)
	null := json.RawMessage(`{"a":null}`)
	require.Error(t, schema.Validate(null))
	for status, takes := range map[string]bool{"ok": true, "ignored": false, "unknown": false} {
		out, _, err := schema.Tighten(jig.Profile{Keywords: rejected("not nullable=" + status)})
		require.NoError(t, err)
		require.Equal(t, schema.JSON(), out.JSON())
		require.Equal(t, takes, out.Validate(null) == nil, status)
	}
}

func tightened(t *testing.T, s *jig.Schema, p jig.Profile) (string, []string) {
	t.Helper()
	out, changes, err := s.Tighten(p)
	require.NoError(t, err)
	var said []string
	for _, c := range changes {
		line := fmt.Sprintf("%q %s %s: %s", c.Pointer, c.Keyword, c.Action, c.Message)
		if c.Lossy {
			line += " (lossy)"
		}
		said = append(said, line)
	}
	return string(out.JSON()), said
}

type tightenArgs struct {
	City  string  `json:"city" jsonschema:"minLength=1" jsonschema_description:"City name"`
	Unit  string  `json:"unit,omitempty" jsonschema:"enum=c,enum=f"`
	Limit int     `json:"limit,omitempty" jsonschema:"default=10,minimum=1" jsonschema_description:"Days."`
	Owner *string `json:"owner,omitempty"`
}

func TestTightenRequired(t *testing.T) {
	base, err := jig.SchemaFor[tightenArgs]()
	require.NoError(t, err)
	before := string(base.JSON())
	out, changes := tightened(t, base, everyRequired)
	require.Equal(t, `{"type":"object","properties":{`+
		`"city":{"type":"string","description":"City name (minLength: 1)"},`+
		`"unit":{"type":["string","null"],"enum":["c","f",null]},`+
		`"limit":{"type":["integer","null"],"description":"Days. (default: 10)","minimum":1},`+
		`"owner":{"type":["string","null"]}},`+
		`"required":["city","unit","limit","owner"],"additionalProperties":false}`, out)
	require.Equal(t, []string{
		`"" additionalProperties added: the object is closed: what is not declared is refused`,
		`"/properties/city" minLength moved: minLength is said in the description; jig alone checks it (lossy)`,
		`"/properties/unit" required_partial rewritten: it is required; null means absent`,
		`"/properties/limit" default moved: default is said in the description`,
		`"/properties/limit" required_partial rewritten: it is required; null means absent`,
		`"/properties/owner" required_partial rewritten: it is required; null means absent`,
	}, changes)
	require.Equal(t, before, string(base.JSON()))
}

func TestTightenClosed(t *testing.T) {
	base, err := jig.SchemaFor[tightenArgs]()
	require.NoError(t, err)
	out, changes := tightened(t, base, closedOnly)
	require.Equal(t, `{"type":"object","properties":{`+
		`"city":{"type":"string","description":"City name","minLength":1},`+
		`"unit":{"type":"string","enum":["c","f"]},`+
		`"limit":{"type":"integer","description":"Days. (minimum: 1)","default":10},`+
		`"owner":{"type":["string","null"]}},"required":["city"],"additionalProperties":false}`, out)
	require.Len(t, changes, 2)
}

func TestTightenRefused(t *testing.T) {
	type args struct {
		Labels map[string]string `json:"labels"`
		Extra  any               `json:"extra,omitempty"`
		Inner  struct {
			Free map[string]any `json:"free"`
		} `json:"inner"`
	}
	base, err := jig.SchemaFor[args]()
	require.NoError(t, err)
	_, _, err = base.Tighten(everyRequired)
	wrong, ok := errors.AsType[*jig.DefineError](err)
	require.True(t, ok)
	require.Len(t, wrong.Problems, 3)
	const advice = ", which cannot be said; write a list of objects with a key and a value, or declare " +
		"the properties"
	require.Equal(t, `jig: schema: /properties/labels: a map from any name to a value stands here`+advice+"\n"+
		`jig: schema: /properties/extra: any value is accepted here, which cannot be said; declare a type, `+
		"or a string that holds JSON text\n"+
		`jig: schema: /properties/inner/properties/free: an object with any properties stands here`+advice,
		err.Error())

	p := everyRequired
	p.Lossy = true
	out, _ := tightened(t, base, p)
	require.Equal(t, `{"type":"object","properties":{`+
		`"labels":{"type":"string","description":"JSON text of an object."},`+
		`"extra":{"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"null"}]},`+
		`"inner":{"type":"object","properties":{`+
		`"free":{"type":"string","description":"JSON text of an object."}},`+
		`"required":["free"],"additionalProperties":false}},`+
		`"required":["labels","extra","inner"],"additionalProperties":false}`, out)
}

// TestTightenMapRoot shows that a strict tool whose arguments are a map is never offered as a tool
// that can only be called with {}.
func TestTightenMapRoot(t *testing.T) {
	spec := echoSpec[map[string]any]("x")
	spec.Strict, spec.Schema = true, jig.MustParseSchema(`{"type":"object"}`)
	schema := jig.MustDefine(spec).InputSchema()
	require.Equal(t, `{"type":"object","properties":{}}`, string(schema.JSON()))
	for _, lossy := range []bool{false, true} {
		p := everyRequired
		p.Lossy = lossy
		_, _, err := schema.Tighten(p)
		require.ErrorContains(t, err, "an object with any properties stands here")
	}
	empty := echoSpec[struct{}]("x")
	out, _ := tightened(t, jig.MustDefine(empty).InputSchema(), everyRequired)
	require.Equal(t, `{"type":"object","properties":{},"additionalProperties":false}`, out)
}

func TestTightenedValidates(t *testing.T) {
	base := jig.MustParseSchema(`{"type":"object","properties":{"a":{"type":["string","null"]},` +
		`"b":{"type":"string","maxLength":2}},"required":["a"]}`)
	for _, tt := range []struct {
		p           jig.Profile
		text        string
		good, wrong []string
	}{
		{everyRequired, `{"type":"object","properties":{"a":{"type":["string","null"]},` +
			`"b":{"type":["string","null"],"description":"maxLength: 2"}},"required":["a","b"],` +
			`"additionalProperties":false}`,
			[]string{`{"a":null,"b":null}`, `{"a":"x","b":"long"}`}, []string{`{"a":null}`, `{"a":null,"b":null,"c":1}`}},
		{plainest, `{"type":"object","properties":{"a":{"type":"string","nullable":true},` +
			`"b":{"type":"string","maxLength":2}},"required":["a"]}`,
			[]string{`{"a":null}`, `{"a":"x","b":"y","c":1}`}, []string{`{"b":"x"}`, `{"a":"x","b":"long"}`}},
	} {
		s, _, err := base.Tighten(tt.p)
		require.NoError(t, err)
		require.Equal(t, tt.text, string(s.JSON()))
		for _, value := range tt.good {
			require.NoError(t, s.Validate(json.RawMessage(value)), value)
		}
		for _, value := range tt.wrong {
			require.Error(t, s.Validate(json.RawMessage(value)), value)
		}
	}
	_, _, err := (&jig.Schema{}).Tighten(everyRequired)
	require.EqualError(t, err, "jig: the zero Schema has nothing to tighten")
}

// TestTightenCorpus tightens every recorded definition for three kinds of providers: what comes out
// takes the recorded calls that the strict form takes, once what is absent in them is written as
// null.
func TestTightenCorpus(t *testing.T) {
	t.Parallel()
	done, refused, calls := map[string]int{}, map[string]int{}, map[string]int{}
	for _, file := range []string{"bfcl-sample.jsonl", "github-mcp-server.jsonl", "k8s-posthog-mcp.jsonl"} {
		for _, row := range corpus.Rows[corpusTool](t, file) {
			row.Schema = renameTypes(t, row.Schema)
			base, err := jig.ParseSchema(row.Schema)
			if err != nil || row.Kind == "response_format" {
				continue
			}
			tool, err := strictByHand(string(row.Schema))
			if err != nil {
				continue
			}
			for _, p := range []jig.Profile{everyRequired, closedOnly, plainest} {
				out, changes, err := base.Tighten(p)
				if err != nil {
					_, ok := errors.AsType[*jig.DefineError](err)
					require.True(t, ok, "%s: %v", row.Name, err)
					refused[p.Name]++
					continue
				}
				done[p.Name]++
				for _, c := range changes {
					require.NotEmpty(t, c.Message, row.Name)
				}
				calls[p.Name] += tightenedCalls(t, row, tool.InputSchema(), out)
			}
		}
	}
	t.Log("tightened", done, "refused", refused, "calls", calls)
	for _, p := range []jig.Profile{everyRequired, closedOnly, plainest} {
		require.Positive(t, calls[p.Name], p.Name)
	}
}

// tightenedCalls counts the calls that both forms take.
func tightenedCalls(t *testing.T, row corpusTool, closed, out *jig.Schema) (n int) {
	t.Helper()
	root, ok := tree.Parse(out.JSON())
	require.True(t, ok)
	for _, c := range row.Calls {
		if closed.Validate(c.text()) != nil {
			continue
		}
		filled := strict.WithNulls(root, c.text())
		require.NoError(t, out.Validate(filled), "%s\n%s\n%s\n%s", row.Name, c.text(), filled, out.JSON())
		n++
	}
	return n
}
