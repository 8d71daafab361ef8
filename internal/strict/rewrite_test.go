package strict

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/internal/tree"
)

// profile makes a profile in which everything is ok but the keywords in the list, which are
// rejected. A keyword may say another status: allOf=avoid.
func profile(list string) Profile {
	p := Profile{Keywords: map[string]string{}}
	for _, key := range strings.Fields(list) {
		key, status, said := strings.Cut(key, "=")
		if !said {
			status = "rejected"
		}
		p.Keywords[key] = status
	}
	return p
}

var neutral = func() Profile {
	p := profile("additionalProperties_true=ok additionalProperties_schema=ok additionalProperties_missing=ok")
	p.Closed = true
	return p
}()

// The profiles mimic those of providers. What they do not name is taken.
var (
	everyRequired = func() Profile { // as OpenAI's strict mode
		p := profile("default oneOf allOf allOf_single allOf_with_ref not if_then_else minLength maxLength " +
			"uniqueItems format_unlisted pattern_lookaround $ref_siblings required_partial " +
			"additionalProperties_missing additionalProperties_true additionalProperties_schema " +
			"patternProperties propertyNames minProperties maxProperties contains dependentRequired " +
			"dependentSchemas properties_missing_on_object items_missing items_array prefixItems " +
			"typeless_schema boolean_schema enum_mixed_types enum_object_values root_anyOf root_oneOf " +
			"root_allOf x_extension examples")
		p.Closed, p.Required = true, true
		p.Formats = []string{"date-time", "email"}
		return p
	}()
	closedOnly = func() Profile { // as Anthropic's strict mode
		p := profile("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf maxItems minItems_gt1 " +
			"uniqueItems recursion $ref_root_hash additionalProperties_missing additionalProperties_true " +
			"additionalProperties_schema oneOf allOf_with_ref enum_object_values typeless_schema " +
			"root_anyOf root_oneOf root_allOf")
		p.Closed = true
		return p
	}()
	plainest = func() Profile { // as Gemini's own schema messages
		p := profile("$ref_local $ref_siblings recursion $defs definitions const oneOf allOf allOf_single " +
			"additionalProperties_false additionalProperties_true additionalProperties_schema " +
			"exclusiveMinimum exclusiveMaximum uniqueItems multipleOf enum_integer enum_number enum_boolean " +
			"enum_null_member type_array_with_null type_null anyOf_siblings items_missing " +
			"properties_empty typeless_schema nullable=ok format_unlisted prefixItems items_array")
		p.Formats = []string{"date-time"}
		return p
	}()
)

func lossy(p Profile) Profile {
	p.Lossy = true
	return p
}

func run(t testing.TB, p Profile, schema string) (string, []string, []string) {
	t.Helper()
	root, ok := tree.Parse([]byte(schema))
	require.True(t, ok, schema)
	changes, problems := Rewrite(p, root)
	var said, wrong []string
	for _, c := range changes {
		line := c.Pointer + " " + c.Keyword + " " + c.Action
		if c.Lossy {
			line += " lossy"
		}
		said = append(said, line)
	}
	for _, p := range problems {
		wrong = append(wrong, p.Pointer+" "+p.Keyword+": "+p.Message)
	}
	return string(root.Append(nil, tree.Form{})), said, wrong
}

var update = flag.Bool("update", false, "rewrite the goldens in testdata")

// TestRewriteGolden has the right value of every rule, in testdata/rewrite.txt: the facts of the
// profile, the schema that is given, the schema that comes out with each change, or the problems.
// T1 to T4 in docs/behaviour.md are shown there.
func TestRewriteGolden(t *testing.T) {
	given, err := os.ReadFile("testdata/rewrite.txt")
	require.NoError(t, err)
	var got strings.Builder
	for block := range strings.SplitSeq(string(given), "\n\n") {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		if len(lines) < 3 || strings.HasPrefix(lines[0], "#") {
			got.WriteString(strings.TrimSpace(block) + "\n\n")
			continue
		}
		schema := strings.TrimPrefix(lines[2], "given: ")
		p := goldenProfile(strings.TrimPrefix(lines[1], "profile:"))
		out, changes, problems := run(t, p, schema)
		got.WriteString(strings.Join(lines[:3], "\n") + "\n")
		for _, problem := range problems {
			got.WriteString("refused: " + problem + "\n")
		}
		if len(problems) == 0 {
			got.WriteString("gives: " + out + "\n")
			for _, c := range changes {
				got.WriteString("change: " + c + "\n")
			}
			try(t, p, schema)
		}
		got.WriteString("\n")
	}
	if *update {
		require.NoError(t, os.WriteFile("testdata/rewrite.txt", []byte(strings.TrimSpace(got.String())+"\n"), 0o644))
	}
	require.Equal(t, strings.TrimSpace(string(given)), strings.TrimSpace(got.String()))
}

// goldenProfile reads the flags of a profile, and the keywords that it rejects.
func goldenProfile(line string) Profile {
	var keywords []string
	var flags Profile
	for _, word := range strings.Fields(line) {
		switch word {
		case "Closed":
			flags.Closed = true
		case "Required":
			flags.Required = true
		case "Nullable":
			flags.Nullable = true
		case "Lossy":
			flags.Lossy = true
		case "ignored=move":
			flags.Ignored = "move"
		case "unknown=move":
			flags.Unknown = "move"
		case "ignored=mention":
			flags.Ignored = "mention"
		case "names=word":
			flags.KeyPattern = "^[a-z]+$"
		case "formats=email":
			flags.Formats = []string{"email"}
		default:
			keywords = append(keywords, word)
		}
	}
	flags.Keywords = profile(strings.Join(keywords, " ")).Keywords
	return flags
}

func TestRewriteIsDeterministic(t *testing.T) {
	const schema = `{"type":"object","properties":{"b":{"type":"string","maxLength":3},"a":{"type":"string",` +
		`"minLength":1,"default":"x"}},"required":["b"]}`
	out, changes, _ := run(t, everyRequired, schema)
	for range 50 {
		again, same, _ := run(t, everyRequired, schema)
		require.Equal(t, out, again)
		require.Equal(t, changes, same)
	}
}

func TestRewriteManyCopies(t *testing.T) {
	var defs []string
	for i := range 40 {
		defs = append(defs, fmt.Sprintf(`"d%d":{"type":"object","properties":{"a":{"$ref":"#/$defs/d%d"},`+
			`"b":{"$ref":"#/$defs/d%d"}}}`, i, i+1, i+1))
	}
	_, _, problems := run(t, profile("$ref_local"), `{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},`+
		`"$defs":{`+strings.Join(append(defs, `"d40":{"type":"string"}`), ",")+`}}`)
	require.Contains(t, problems[0], "too many schemas come out of writing out the references")
}

// TestSorted pins that what is found at one place keeps its order and is there once, however much it is.
func TestSorted(t *testing.T) {
	var list []placed[int]
	var want [2][]int
	for i := range 60 {
		at := i * 7 % 3 % 2
		list = append(list, placed[int]{i, at}, placed[int]{i, at})
		want[at] = append(want[at], i)
	}
	require.Equal(t, append(want[0], want[1]...), sorted(list))
}

// TestRewriteManyQuestions shows that questions which lead to one another on all ways end, and that any
// number of others may stand beside one another.
func TestRewriteManyQuestions(t *testing.T) {
	var questions []string
	for i := range 12 {
		questions = append(questions, fmt.Sprintf(`"q%d":{"not":{"required":["r%[1]d"],"properties":{"s":{"$ref":"#/$defs/d"}}}}`, i))
	}
	_, _, problems := run(t, profile("title"), `{"type":"object","properties":{"a":{"$ref":"#/$defs/d"}},`+
		`"$defs":{"d":{"type":"object","properties":{`+strings.Join(questions, ",")+`}}}}`)
	require.Contains(t, problems[0], "/$defs/d/properties/q0 not: not cannot be said")
	var beside []string
	for i := range 2 * maxAsked {
		beside = append(beside, fmt.Sprintf(`"p%d":{"type":"string","not":{"const":"x%[1]d"}}`, i))
	}
	schema := `{"type":"object","properties":{` + strings.Join(beside, ",") + `}}`
	out, _, problems := run(t, profile("title"), schema)
	require.Empty(t, problems)
	require.Equal(t, schema, out)
}

func TestWithNulls(t *testing.T) {
	const schema = `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},` +
		`"list":{"type":"array","items":{"$ref":"#/$defs/row"}},"must":{"type":["string","null"]},` +
		`"one":{"anyOf":[{"type":"object","properties":{"kind":{"const":"x"},"x":{"type":"integer"}},` +
		`"required":["kind"]},{"type":"object","properties":{"kind":{"const":"y"},"y":{"type":"integer"}},` +
		`"required":["kind"]}]}},"required":["a","must"],` +
		`"$defs":{"row":{"type":"object","properties":{"n":{"type":"integer"},"m":{"type":"integer"}}}}}`
	tight, _ := tree.Parse([]byte(schema))
	_, problems := Rewrite(everyRequired, tight)
	require.Empty(t, problems)
	for _, tt := range []struct{ name, example, want string }{
		{"absent ones are null, in the order of the schema", `{"must":null,"a":"x"}`,
			`{"a":"x","b":null,"list":null,"must":null,"one":null}`},
		{"rows by reference", `{"a":"x","list":[{"m":1},{}],"must":"y"}`,
			`{"a":"x","b":null,"list":[{"n":null,"m":1},{"n":null,"m":null}],"must":"y","one":null}`},
		{"the branch by its constant", `{"a":"","must":"","one":{"kind":"y"}}`,
			`{"a":"","b":null,"list":null,"must":"","one":{"kind":"y","y":null}}`},
		{"the other branch", `{"a":"","must":"","one":{"x":5,"kind":"x"}}`,
			`{"a":"","b":null,"list":null,"must":"","one":{"kind":"x","x":5}}`},
		{"what is required stays absent", `{}`, `{"b":null,"list":null,"must":null,"one":null}`},
		{"what is not declared stays", `{"z":[ 1 ],"a":1}`,
			`{"a":1,"b":null,"list":null,"must":null,"one":null,"z":[1]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, string(WithNulls(tight, []byte(tt.example))))
			require.Equal(t, tt.want, string(WithNulls(tight, []byte(tt.want))), "once is enough")
		})
	}
}

// TestWithNullsBesideConditions shows that branches which only add conditions to the properties
// beside them are not taken for the schema of the value.
func TestWithNullsBesideConditions(t *testing.T) {
	root := checkTree(t, `{"type":"object","properties":{"a":{"type":["string","null"]},`+
		`"b":{"type":["string","null"]}},"required":["a","b"],`+
		`"anyOf":[{"required":["a"]},{"required":["b"]}]}`)
	require.Equal(t, `{"a":null,"b":"x"}`, string(WithNulls(root, []byte(`{"b":"x"}`))))
}

// TestRewriteMapAtRoot shows that a root which says properties for show and means a map does not
// become an object that can only be empty.
func TestRewriteMapAtRoot(t *testing.T) {
	root := checkTree(t, `{"type":"object","properties":{}}`)
	root.Set(tree.Member{Key: "additionalProperties", Node: tree.Literal(true), Enforced: true})
	_, problems := Rewrite(lossy(everyRequired), root)
	require.Equal(t, []string{" additionalProperties_true"}, places(problems))
}
