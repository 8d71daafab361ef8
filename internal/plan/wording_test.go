package plan_test

import (
	goflag "flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/plan"
)

var updateWordings = goflag.Bool("update", false, "rewrite the goldens in testdata")

// shownWordings has, for each wording of the catalogue, values that are refused in these words, each
// with its schema. Those with a type are about what only a Go type can say.
var shownWordings = map[string][]struct {
	schema, value string
	typ           reflect.Type
}{
	"sayType": {
		{`{"type":"integer"}`, `"3"`, nil}, {`{"type":"integer"}`, `1.5`, nil},
		{`{"type":"string"}`, `null`, nil}, {`{"type":"string"}`, `true`, nil},
		{`{"type":["string","null"]}`, `[1]`, nil}, {`{"type":"array"}`, `{"a":1}`, nil},
		{`{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `1.5`, nil},
	},
	"sayAmong": {
		{`{"enum":["celsius","fahrenheit"]}`, `"celcius"`, nil}, {`{"enum":["a",1]}`, `true`, nil},
		{`{"enum":[1,2]}`, `3`, nil}, {`{"const":"on"}`, `"off"`, nil}, {`{"enum":[]}`, `1`, nil},
		{`{"allOf":[{"enum":["celsius","kelvin"]}]}`, `"Celsius"`, nil},
	},
	"sayBound": {
		{`{"minimum":3}`, `1`, nil}, {`{"maximum":3}`, `4.5`, nil}, {`{"exclusiveMinimum":3}`, `3`, nil},
		{`{"exclusiveMaximum":3}`, `3`, nil}, {`{"multipleOf":0.5}`, `0.7`, nil},
		{`{"minLength":2}`, `"é"`, nil}, {`{"maxLength":2}`, `"abc"`, nil},
		{`{"minItems":2}`, `[1]`, nil}, {`{"maxItems":0}`, `[1,2]`, nil},
		{`{"allOf":[{"minLength":2}]}`, `"é"`, nil}, {`{"allOf":[{"maxProperties":1}]}`, `{"a":1,"b":2}`, nil},
	},
	"sayCount": {
		{`{"minProperties":2}`, `{"a":1}`, nil}, {`{"maxProperties":1}`, `{"a":1,"b":2}`, nil},
	},
	"sayPattern": {{`{"pattern":"^[a-z]+$"}`, `"A1"`, nil}},
	"sayFormat": {
		{`{"format":"date"}`, `"tomorrow"`, nil}, {`{"format":"date-time"}`, `"now"`, nil},
		{`{"format":"uuid"}`, `"7"`, nil}, {`{"format":"email"}`, `"ann"`, nil},
	},
	"sayEqual":  {{`{"uniqueItems":true}`, `[1,2,1.0]`, nil}},
	"sayUnique": {{`{"allOf":[{"uniqueItems":true}]}`, `[1,1]`, nil}},
	"sayMissing": {
		{`{"required":["a"]}`, `{}`, nil}, {`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, nil},
	},
	"sayWanted": {
		{`{"properties":{"a":{"type":"string"}},"required":["a"]}`, `{}`, nil},
		{`{"properties":{"a":{"enum":["x","y"]}},"required":["a"]}`, `{}`, nil},
		{`{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["a"]}`, `{}`, nil},
	},
	"sayUnlisted": {
		{`{"properties":{"path":{}},"unevaluatedProperties":false}`, `{"b":1}`, nil},
	},
	"sayUnknown": {{`{"properties":{"path":{},"b":{}},"additionalProperties":false}`, `{"pth":1,"z":1}`, nil}},
	"sayGuess":   {{`{"properties":{"path":{},"b":{}},"additionalProperties":false}`, `{"Path":1}`, nil}},
	"sayNames":   {{`{"properties":{"path":{},"b":{}},"additionalProperties":false}`, `{"q":1}`, nil}},
	"sayOneName": {{`{"properties":{"path":{}},"additionalProperties":false}`, `{"q":1}`, nil}},
	"sayNoNames": {{`{"properties":{},"additionalProperties":false}`, `{"q":1}`, nil}},
	"sayName": {
		{`{"propertyNames":{"maxLength":2}}`, `{"abc":1}`, nil},
		{`{"allOf":[{"propertyNames":{"maxLength":2}}]}`, `{"abc":1}`, nil},
	},
	"saySameName": {{`{"additionalProperties":{"type":"string"}}`, `{"::1":"a","0:0::1":"b"}`,
		reflect.TypeFor[map[wordingKey]string]()}},
	"sayNothing": {
		{`{"properties":{"a":false}}`, `{"a":1}`, nil}, {`{"allOf":[{"properties":{"a":false}}]}`, `{"a":1}`, nil},
	},
	"sayTooMany":  {{`{"items":[{"type":"string"}],"additionalItems":false}`, `["a",1]`, nil}},
	"sayNoForm":   {{`{"anyOf":[{"type":"null"}` + strings.Repeat(`,{"type":"string"}`, 50) + `]}`, `1`, nil}},
	"sayTwoForms": {{`{"oneOf":[{"minimum":1},{"maximum":3}]}`, `2`, nil}},
	"sayClosest": {{`{"anyOf":[{"type":"string"},
		{"properties":{"kind":{"const":"circle"},"radius":{"type":"number"}},"required":["kind","radius"]},
		{"properties":{"kind":{"const":"square"},"side":{"type":"number"}},"required":["kind","side"]}]}`,
		`{"kind":"square","radius":1}`, nil}},
	"sayNot":      {{`{"not":{"type":"string"}}`, `"x"`, nil}},
	"sayContains": {{`{"contains":{"const":1}}`, `[2]`, nil}},
	"sayOther":    {{`{"if":true,"then":false}`, `1`, nil}},
}

// wordingKey is a map key with more than one text for a value.
type wordingKey struct{ n int }

func (k wordingKey) MarshalText() ([]byte, error) { return []byte(strconv.Itoa(k.n)), nil }
func (k *wordingKey) UnmarshalText(b []byte) error {
	k.n = strings.Count(string(b), "1")
	return nil
}

// catalogue reads the wordings out of the source, so that none is forgotten: what the comments of the
// functions quote.
func catalogue(t *testing.T) (names []string, formats map[string]string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "wording.go", nil, parser.ParseComments)
	require.NoError(t, err)
	formats = map[string]string{}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || !strings.HasPrefix(f.Name.Name, "say") {
			continue
		}
		quoted := regexp.MustCompile(`"[^"]+"`).FindString(strings.Join(strings.Fields(f.Doc.Text()), " "))
		require.NotEmpty(t, quoted, "%s: the comment does not quote the wording", f.Name.Name)
		names = append(names, f.Name.Name)
		formats[f.Name.Name] = strings.Trim(quoted, `"`)
	}
	require.NotEmpty(t, names)
	return names, formats
}

var verbs = regexp.MustCompile(`%[sd]`)

// TestWordings shows every wording of a problem at work, and pins it.
func TestWordings(t *testing.T) {
	names, formats := catalogue(t)
	require.Len(t, shownWordings, len(names))
	var out strings.Builder
	out.WriteString("Every wording of a problem, with what it says of some values.\n")
	for _, name := range names {
		require.NotEmpty(t, shownWordings[name], "%s is never shown", name)
		fmt.Fprintf(&out, "\n%s\n", formats[name])
		words := regexp.MustCompile(strings.Join(
			quoteAll(verbs.Split(formats[name], -1)), `(?s:.*)`))
		for _, example := range shownWordings[name] {
			p := compile(t, example.schema, example.typ)
			value := check(t, example.value)
			found := p.Validate(value)
			if example.typ != nil {
				found = p.Decode(value, reflect.New(example.typ).Elem())
			}
			require.NotEmpty(t, found.Problems, "%s: %s", name, example.value)
			require.Regexp(t, words, found.Problems[0].Message)
			for _, problem := range found.Problems {
				fmt.Fprintf(&out, "  %s %s %s\n    %q %s: %s\n",
					clip.Middle(strings.Join(strings.Fields(example.schema), " "), 200), "given", example.value,
					problem.Pointer, problem.Keyword, problem.Message)
			}
		}
	}
	const golden = "testdata/wordings.golden"
	if *updateWordings {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}

func quoteAll(parts []string) []string {
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return parts
}

// TestUnionsAreExplainedByTheClosestForm shows which branch of a union speaks.
func TestUnionsAreExplainedByTheClosestForm(t *testing.T) {
	const shapes = `{"properties":{"shape":{"oneOf":[{"type":"string"},
		{"type":"object","properties":{"kind":{"const":"circle"},"radius":{"type":"number","minimum":0}},
			"required":["kind","radius"],"additionalProperties":false},
		{"type":"object","properties":{"kind":{"const":"box"},"sides":{"type":"array","minItems":3,
			"items":{"anyOf":[{"type":"number"},{"type":"object","required":["n"]}]}}},
			"required":["kind","sides"],"additionalProperties":false}]}}}`
	p := compile(t, shapes, nil)
	for value, want := range map[string]string{
		`{"shape":7}`: `/shape type: got number 7, want string or object`,
		`{"shape":{"kind":"circle","radius":-1}}`: `/shape/radius minimum: closest form: got -1, ` +
			`want at least 0`,
		`{"shape":{"kind":"box"}}`: `/shape/sides required: closest form: missing`,
		`{"shape":{"kind":"box","sides":[1,{}]}}`: `/shape/sides minItems: closest form: got 2 items, ` +
			`want at least 3` + "\n" + `/shape/sides/1/n required: closest form: missing`,
		`{"shape":{"kind":"cirle"}}`: `/shape/kind enum: got "cirle", want one of "circle", "box"; ` +
			`did you mean "circle"?`,
		`{"shape":{"radius":1}}`: `/shape/kind required: missing, want one of "circle", "box"`,
	} {
		want = strings.ReplaceAll(want, "/shape type:", "/shape oneOf:")
		require.Equal(t, want, lines(p.Validate(check(t, value)).Problems), value)
	}
}

// TestMendIsAboutKinds shows Mend alone: what it returns without a change is the very text.
func TestMendIsAboutKinds(t *testing.T) {
	p := compile(t, `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"},
		"c":{"type":"array","items":{"type":"integer"}}}}`, nil)
	for value, want := range map[string]string{
		`{ "a" : "5" , "b" : "5" }`: `{ "a" : 5 , "b" : "5" }`,
		`{"a":5,"b":"x"}`:           `{"a":5,"b":"x"}`,
		`{"c":"[1, \"2\"]"}`:        `{"c":[1, 2]}`,
		`{"c":3}`:                   `{"c":3}`,
	} {
		mended, mends := p.Mend(check(t, value), false)
		require.Equal(t, want, string(mended))
		require.Equal(t, want == value, len(mends) == 0)
	}
	mended, mends := p.Mend(check(t, `{"c":3}`), true)
	require.Equal(t, `{"c":[3]}`, string(mended))
	require.Equal(t, []plan.Mend{{Pointer: "/c", Kind: plan.SingleItem, Before: "3", After: "[3]"}}, mends)
}
