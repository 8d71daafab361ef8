package general

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/internal/corpus"
)

// A suiteGroup is one row of the official suite: a schema and instances with verdicts.
type suiteGroup struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
	Remote bool            `json:"remote"`
	Calls  []struct {
		Args  json.RawMessage `json:"args"`
		Valid bool            `json:"valid"`
		Note  string          `json:"note"`
	} `json:"calls"`
}

// TestSuite runs the official JSON Schema test suite. Every verdict must be the suite's, but
// for those in differences, which must differ.
func TestSuite(t *testing.T) {
	corpus.Folder(t) // skip the list of differences too
	met := map[string]bool{}
	for _, tt := range []struct {
		file  string
		draft string // for schemas without $schema, which the draft-07 suite leaves out
	}{
		{"jsonschema-suite-2020-12.jsonl", "https://json-schema.org/draft/2020-12/schema"},
		{"jsonschema-suite-draft7.jsonl", "http://json-schema.org/draft-07/schema#"},
	} {
		t.Run(tt.file, func(t *testing.T) {
			runSuite(t, tt.file, tt.draft, met)
		})
	}
	for _, l := range differences {
		for _, note := range l.cases {
			require.True(t, met[l.group+" / "+note], "%s / %s is listed and not in the suite",
				l.group, note)
		}
	}
}

// runSuite records in met the names of the cases that differ.
func runSuite(t *testing.T, file, draft string, met map[string]bool) {
	groups := corpus.Rows[suiteGroup](t, file)
	counts := map[string]int{}
	ran, skipped, verdicts := 0, 0, 0
	for _, group := range groups {
		if group.Remote {
			skipped++
			continue
		}
		ran++
		schema := withDraft(t, group.Schema, draft)
		doc, err := Compile(schema)
		for _, call := range group.Calls {
			verdicts++
			name := group.Name + " / " + call.Note
			same := err == nil && judge(t, doc, call.Args) == call.Valid
			reason := difference(group.Name, call.Note, call.Valid)
			if reason != "" {
				counts[reason]++
				met[name] = true
			}
			if same != (reason == "") {
				t.Errorf("%s\n  schema %s\n  instance %s: same verdict: %v, compile error: %v, "+
					"listed as: %q", name, schema, call.Args, same, err, reason)
			}
		}
	}
	t.Logf("%s: %d rows read, %d run, %d skipped (remote), %d verdicts, differences %v",
		file, len(groups), ran, skipped, verdicts, counts)
}

// judge also holds Problems to Valid.
func judge(t *testing.T, doc *Document, instance []byte) bool {
	t.Helper()
	s, err := doc.Sub("")
	require.NoError(t, err)
	valid := s.Valid(instance)
	require.Equal(t, valid, len(s.Problems(instance)) == 0, "Problems(%s)", instance)
	return valid
}

func withDraft(t *testing.T, schema []byte, draft string) []byte {
	t.Helper()
	text := strings.TrimSpace(string(schema))
	if !strings.HasPrefix(text, "{") || strings.Contains(text, `"$schema"`) {
		return schema
	}
	quoted, err := json.Marshal(draft)
	require.NoError(t, err)
	if text == "{}" {
		return []byte(`{"$schema":` + string(quoted) + `}`)
	}
	return []byte(`{"$schema":` + string(quoted) + `,` + text[1:])
}

// difference returns the reason why a case is known to differ, or "".
func difference(group, note string, valid bool) string {
	for _, open := range annotations {
		if strings.HasPrefix(group, open) && !valid {
			return "this format is an annotation"
		}
	}
	if strings.HasSuffix(note, "is only an annotation by default") {
		for format := range formats {
			if group == "format: "+format+" format" {
				return "formats are enforced in every draft"
			}
		}
	}
	return listedReason(group, note)
}

// annotations lists groups in which every instance must be accepted, whatever the suite says.
var annotations = []string{
	"optional/format/idn-email:", "optional/format/idn-hostname:", "optional/format/iri:",
	"optional/format/iri-reference:", "optional/format/uri-template:",
	"optional/format/hostname: validation of A-label",
}
