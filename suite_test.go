package jig_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/internal/corpus"
	"github.com/jig-go/jig/internal/general"
)

// A suiteGroup is one row of the official JSON Schema suite: a schema and instances with verdicts.
type suiteGroup struct {
	Name   string
	Schema json.RawMessage
	Remote bool // needs schemas from elsewhere, which are never read
	Calls  []struct {
		Args  json.RawMessage
		Valid bool
		Note  string
	}
}

// suiteFiles are the suites that run. The draft-07 one names no $schema anywhere, so it shows what
// becomes of a schema whose draft has to be guessed.
var suiteFiles = []string{"jsonschema-suite-2020-12.jsonl", "jsonschema-suite-draft7.jsonl"}

// TestSuite runs the official suites. Every verdict must be the suite's, but for those in
// suiteDifferences, which must differ.
func TestSuite(t *testing.T) {
	total, met := suiteCounts{}, map[string]bool{}
	for _, file := range suiteFiles {
		for _, group := range corpus.Rows[suiteGroup](t, file) {
			total.add(file, "groups")
			if group.Remote {
				total.add(file, "skipped: needs schemas from elsewhere")
				continue
			}
			for _, call := range group.Calls {
				met[group.Name+" / "+call.Note] = true
			}
			runSuiteGroup(t, file, group, total)
		}
	}
	for _, d := range suiteDifferences {
		for _, note := range d.notes {
			require.True(t, met[d.group+" / "+note], "%s / %s is listed and not in a suite",
				d.group, note)
		}
	}
	corpusGolden(t, "suite.golden", "Verdicts over the official JSON Schema suites.\n\n"+
		total.table("suite", "what"))
}

func runSuiteGroup(t *testing.T, file string, group suiteGroup, total suiteCounts) {
	t.Helper()
	schema, err := jig.ParseSchema(group.Schema)
	if err != nil {
		t.Errorf("%s\n  ParseSchema(%s) = %v", group.Name, group.Schema, err)
		return
	}
	for _, call := range group.Calls {
		total.add(file, "cases")
		got := suiteValid(t, schema, call.Args)
		reason := suiteReason(group.Name, call.Note, call.Valid)
		if reason == "" {
			total.add(file, "agree")
		} else {
			total.add(file, "differ: "+reason)
		}
		if (got == call.Valid) != (reason == "") {
			t.Errorf("%s / %s\n  schema %s\n  Validate(%s) = %v, the suite says %v; listed as %q",
				group.Name, call.Note, group.Schema, call.Args, got, call.Valid, reason)
		}
	}
}

// suiteValid reports whether Validate accepts the value. A panic is a failure and a refusal.
func suiteValid(t *testing.T, schema *jig.Schema, value []byte) (valid bool) {
	t.Helper()
	defer func() {
		if v := recover(); v != nil {
			t.Errorf("schema %s\n  Validate(%s) panics: %v", schema.JSON(), value, v)
		}
	}()
	return schema.Validate(value) == nil
}

// TestSuiteAgainstGeneral gives the schemas of the suites values that other groups are about: the
// verdict is the general validator's, which is slow and needs no plan. Values with null are left
// out, since null for an optional property is another matter here (T6).
func TestSuiteAgainstGeneral(t *testing.T) {
	values, seen := []json.RawMessage{}, map[string]bool{}
	groups := []suiteGroup{}
	for _, file := range suiteFiles {
		for _, group := range corpus.Rows[suiteGroup](t, file) {
			if group.Remote || suiteFixes[group.Name] {
				continue
			}
			groups = append(groups, group)
			for _, call := range group.Calls {
				text := string(call.Args)
				if !seen[text] && !strings.Contains(text, "null") {
					seen[text] = true
					values = append(values, call.Args)
				}
			}
		}
	}
	const step = 16 // of the values, shifted by one for each schema
	compared := 0
	for i, group := range groups {
		schema, err := jig.ParseSchema(group.Schema)
		require.NoError(t, err, group.Name)
		document, err := general.Compile(group.Schema)
		require.NoError(t, err, group.Name)
		twin, err := document.Sub("")
		require.NoError(t, err, group.Name)
		for j := i % step; j < len(values); j += step {
			compared++
			got, want := suiteValid(t, schema, values[j]), twin.Valid(values[j])
			if got != want {
				t.Errorf("%s\n  schema %s\n  Validate(%s) = %v, want %v", group.Name, group.Schema,
					values[j], got, want)
			}
		}
	}
	t.Logf("%d schemas, %d values, %d compared", len(groups), len(values), compared)
}

// suiteFixes are groups in which the plan is right and the general validator is not: the library
// stops at the nearest resource in the dynamic scope, and the plan goes through the resources one
// by one.
var suiteFixes = map[string]bool{
	"dynamicRef: $dynamicRef skips over intermediate resources - direct reference": true,
	"optional/dynamicRef: $dynamicRef skips over intermediate resources - pointer reference " +
		"across resource boundary": true,
}

// suiteCounts counts what happened, by file.
type suiteCounts map[string]map[string]int

func (c suiteCounts) add(file, what string) {
	if c[file] == nil {
		c[file] = map[string]int{}
	}
	c[file][what]++
}

// table lists the counts under the heads of its columns, sorted.
func (c suiteCounts) table(file, what string) string {
	lines := [][]string{}
	for name, counts := range c {
		for key, n := range counts {
			lines = append(lines, []string{name, key, fmt.Sprint(n)})
		}
	}
	slices.SortFunc(lines, slices.Compare[[]string])
	for _, line := range lines {
		line[1], line[2] = line[2], line[1]
	}
	return corpusTable(append([][]string{{file, "count", what}}, lines...))
}

// suiteReason returns the reason why the verdict on a case is known to differ, or "".
func suiteReason(group, note string, valid bool) string {
	for _, prefix := range suiteAnnotations {
		if strings.HasPrefix(group, prefix) && !valid {
			return "this format is an annotation"
		}
	}
	if name, ok := strings.CutPrefix(group, "format: "); ok &&
		strings.HasSuffix(note, "is only an annotation by default") {
		if _, enforced := general.Format(strings.TrimSuffix(name, " format")); enforced {
			return "formats are enforced in every draft"
		}
	}
	for _, d := range suiteDifferences {
		if d.group == group && slices.Contains(d.notes, note) {
			return d.reason
		}
	}
	return ""
}

// suiteAnnotations lists groups in which every value is accepted, whatever the suite says.
var suiteAnnotations = []string{
	"optional/format/idn-email:", "optional/format/idn-hostname:", "optional/format/iri:",
	"optional/format/iri-reference:", "optional/format/uri-template:",
	"optional/format/hostname: validation of A-label",
}

// A suiteDifference is the cases of one group that differ for one reason.
type suiteDifference struct {
	reason, group string
	notes         []string
}

const (
	suiteContent = `contentEncoding and contentMediaType are never enforced`
	suiteLeap    = `time.Time has no leap seconds`
	suiteCase    = `time.Time wants upper-case T and Z`
	suiteRegex   = `the regex format is RE2, not ECMA-262`
	suiteSpace   = `\s and \S are ASCII in RE2`
	suiteControl = `RE2 has no \c escapes, so the pattern is not enforced`
	suiteGuess   = `without $schema a schema is read as 2020-12, where keywords beside $ref count`
)

// suiteDifferences lists the cases whose verdict is not the suite's. The suites share it, since
// groups that are in both have the same name.
var suiteDifferences = []suiteDifference{
	{suiteGuess, `ref: ref overrides any sibling keywords`, []string{
		`ref valid, maxItems ignored`,
	}},
	{suiteContent, `optional/content: validation of string-encoded content based on media type`,
		[]string{
			`an invalid JSON document`,
		}},
	{suiteContent, `optional/content: validation of binary string-encoding`, []string{
		`an invalid base64 string (% is not a valid character)`,
	}},
	{suiteContent, `optional/content: validation of binary-encoded media type documents`, []string{
		`a validly-encoded invalid JSON document`,
		`an invalid base64 string that is valid JSON`,
	}},
	{suiteLeap, `optional/format/date-time: validation of date-time strings`, []string{
		`a valid date-time with a leap second, UTC`,
		`a valid date-time with a leap second, with minus offset`,
	}},
	{suiteCase, `optional/format/date-time: validation of date-time strings`, []string{
		`case-insensitive T and Z`,
	}},
	{suiteLeap, `optional/format/time: validation of time strings`, []string{
		`a valid time string with leap second, Zulu`,
		`valid leap second, zero time-offset`,
		`valid leap second, positive time-offset`,
		`valid leap second, large positive time-offset`,
		`valid leap second, negative time-offset`,
		`valid leap second, large negative time-offset`,
	}},
	{suiteCase, `optional/format/time: validation of time strings`, []string{
		`a valid time string with case-insensitive Z`,
	}},
	{suiteRegex, `optional/format/ecmascript-regex: \a is not an ECMA 262 control escape`, []string{
		`when used as a pattern`,
	}},
	{suiteRegex, `optional/format/ecmascript-regex: Python-specific regular expression syntax ` +
		`is not valid ECMA 262`, []string{
		`Python named group (?P<name>...) is not ECMA 262`,
	}},
	{suiteRegex, `optional/format/ecmascript-regex: global inline flag groups are not valid ` +
		`ECMA 262`, []string{
		`a single global inline flag (?i)`,
		`multiple global inline flags (?ims)`,
	}},
	{suiteRegex, `optional/format/ecmascript-regex: ECMA 262 named groups and backreferences ` +
		`are valid`, []string{
		`an ECMA 262 named backreference \k<name>`,
	}},
	{suiteRegex, `optional/format/ecmascript-regex: ECMA 262 lookbehind is valid, including ` +
		`variable width`, []string{
		`a variable-width lookbehind (ES2018)`,
	}},
	{suiteRegex, `optional/format/ecmascript-regex: ECMA 262 character classes and escapes`,
		[]string{
			`an empty character class is valid ECMA 262`,
			`a negated empty character class is valid ECMA 262`,
			`a control escape \cA is valid ECMA 262`,
		}},
	{suiteControl, `optional/ecmascript-regex: ECMA 262 regex escapes control codes with \c ` +
		`and upper letter`, []string{
		`does not match`,
	}},
	{suiteControl, `optional/ecmascript-regex: ECMA 262 regex escapes control codes with \c ` +
		`and lower letter`, []string{
		`does not match`,
	}},
	{suiteSpace, `optional/ecmascript-regex: ECMA 262 \s matches whitespace`, []string{
		`Line tabulation matches`,
		`latin-1 non-breaking-space matches`,
		`zero-width whitespace matches`,
		`paragraph separator matches (line terminator)`,
		`EM SPACE matches (Space_Separator)`,
	}},
	{suiteSpace, `optional/ecmascript-regex: ECMA 262 \S matches everything but whitespace`,
		[]string{
			`Line tabulation does not match`,
			`latin-1 non-breaking-space does not match`,
			`zero-width whitespace does not match`,
			`paragraph separator does not match (line terminator)`,
			`EM SPACE does not match (Space_Separator)`,
		}},
}
