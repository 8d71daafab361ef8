package dialect

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/internal/corpus"
	"github.com/jig-go/jig/internal/strict"
)

// An exportRow is a definition that somebody published.
type exportRow struct {
	Name, Description string
	Schema            json.RawMessage
}

// exportRows reads the definitions in one file of the corpus.
func exportRows(t *testing.T, file string) []exportRow {
	t.Helper()
	return slices.DeleteFunc(corpus.Rows[exportRow](t, file), func(row exportRow) bool {
		return row.Name == "" || string(row.Schema) == "null"
	})
}

// An exportCount is what became of the definitions of one file in one dialect.
type exportCount struct{ asIs, changed, lossy, refused int }

// TestExport exports every published definition to every dialect, strict and not, each alone in a
// request (W2). What goes out obeys the profile, as the checker that shares nothing with the
// rewriter says; what is refused says the tool, the dialect and a place, and goes out with Lossy.
func TestExport(t *testing.T) {
	t.Parallel()
	corpus.Folder(t)
	var lines [][]string
	files := []string{"github-mcp-server.jsonl", "k8s-posthog-mcp.jsonl", "bfcl-sample.jsonl"}
	counts := make([]map[string]exportCount, len(files))
	defined := make([][]string, len(files)) // by Define, strict and not; the others are the root's test
	t.Run("files", func(t *testing.T) {
		for i, file := range files {
			rows := exportRows(t, file)
			t.Run(file, func(t *testing.T) {
				t.Parallel()
				counts[i] = map[string]exportCount{}
				var n [2]int
				for at, row := range rows {
					schema := exportSchema(t, row)
					for form, strict := range both {
						if tool := exportTool(row, schema, strict); tool != nil {
							exportAll(t, tool, counts[i], at%10 == 0)
							n[form]++
						}
					}
				}
				defined[i] = []string{file, fmt.Sprint(len(rows)), fmt.Sprint(n[0]), fmt.Sprint(n[1])}
			})
		}
	})
	for i, file := range files {
		for _, key := range slices.SortedFunc(maps.Keys(counts[i]), byDialect) {
			c := counts[i][key]
			lines = append(lines, []string{file, key, fmt.Sprint(c.asIs), fmt.Sprint(c.changed),
				fmt.Sprint(c.lossy), fmt.Sprint(c.refused)})
		}
	}
	head := []string{"file", "dialect and form", "as it is", "changed", "changed with loss", "refused"}
	compareArchive(t, "export", archive{prose: exportProse, files: []archiveFile{
		{"definitions", strings.TrimPrefix(section("", append([][]string{{"file", "rows", "strict tools",
			"loose tools"}}, defined...)), "\n")},
		{"counts", strings.TrimPrefix(section("", append([][]string{head}, lines...)), "\n")}}})
}

const exportProse = `What becomes of published definitions in each dialect, each alone in a request. Every one that goes
out obeys the profile; every loss is a change in the report, and every refusal names the tool.
`

// byDialect sorts as Check does.
func byDialect(a, b string) int {
	at := func(key string) int {
		return slices.IndexFunc(all(), func(d Dialect) bool { return strings.HasPrefix(key, d.name+" ") })
	}
	return cmp.Or(at(a)-at(b), -cmp.Compare(a, b))
}

// exportSchema parses the schema of a row, with its pseudo types replaced.
func exportSchema(t *testing.T, row exportRow) *jig.Schema {
	t.Helper()
	schema, err := jig.ParseSchema(row.Schema)
	if err != nil {
		schema, err = jig.ParseSchema(renamed(t, row.Schema))
	}
	require.NoError(t, err, row.Name)
	return schema
}

// exportTool defines a row, with the dots of its name replaced; nil where Define refuses it, which
// is a matter of the corpus test of the root.
func exportTool(row exportRow, schema *jig.Schema, strict bool) *jig.Tool {
	tool, err := jig.Define(jig.Spec[json.RawMessage, jig.NoResult]{
		Name: strings.ReplaceAll(row.Name, ".", "_"), Schema: schema, Strict: strict,
		Description: cmp.Or(row.Description, row.Name),
		Execute: func(context.Context, json.RawMessage) (jig.NoResult, error) {
			return jig.NoResult{}, nil
		},
	})
	if err != nil {
		return nil
	}
	return tool
}

// renamed gives JSON Schema's names to the types of a schema.
func renamed(t *testing.T, schema json.RawMessage) json.RawMessage {
	t.Helper()
	var root any
	require.NoError(t, json.Unmarshal(schema, &root))
	renameTypes(root)
	text, err := json.Marshal(root)
	require.NoError(t, err)
	return text
}

var pseudoTypes = map[string]string{"dict": "object", "hashmap": "object", "float": "number",
	"double": "number", "tuple": "array", "list": "array"}

func renameTypes(value any) {
	switch value := value.(type) {
	case map[string]any:
		if name, ok := value["type"].(string); ok {
			name = strings.ToLower(name)
			value["type"] = cmp.Or(pseudoTypes[name], name)
			if name == "any" {
				delete(value, "type")
			}
		}
		for key, child := range value {
			if key != "default" && key != "enum" && key != "const" {
				renameTypes(child)
			}
		}
	case []any:
		for _, child := range value {
			renameTypes(child)
		}
	}
}

// exportAll exports one tool to every dialect, with or without a try of the ways out of a refusal.
func exportAll(t *testing.T, tool *jig.Tool, counts map[string]exportCount, ways bool) {
	t.Helper()
	for _, d := range all() {
		key := d.name + map[bool]string{true: " strict", false: " loose"}[tool.Strict()]
		c := counts[key]
		switch problems, losses, report := exported(t, d, tool, ways); {
		case report == nil:
			c.refused++
		case len(problems) > 0:
			t.Errorf("%s: %s: the checker refuses what is sent: %v", key, tool.Name(), problems)
		case losses:
			c.lossy++
		case len(report.changes) > 0:
			c.changed++
		default:
			c.asIs++
		}
		counts[key] = c
	}
}

// exported exports one tool to one dialect; a nil report is a clear refusal.
func exported(t *testing.T, d Dialect, tool *jig.Tool, ways bool) ([]strict.Problem, bool, *Report) {
	t.Helper()
	b, err := d.batch([]*jig.Tool{tool}, &settings{})
	if refused, ok := errors.AsType[*RefusedError](err); ok {
		for _, r := range refused.Refusals {
			require.Contains(t, refused.Error(), fmt.Sprintf("%q", tool.Name()))
			require.NotEmpty(t, r.Keyword, r)
			require.NotEmpty(t, r.Message, r)
		}
		require.NotEmpty(t, refused.waysOut(), "%s: no way out: %v", d, refused)
		for _, way := range []struct {
			tools    []string
			settings *settings
		}{{refused.Lossy, &settings{Lossy: true}}, {refused.Loose, &settings{AllLoose: true}}} {
			if ways && len(way.tools) > 0 {
				b, err := d.batch([]*jig.Tool{tool}, way.settings)
				require.NoError(t, err)
				require.Empty(t, checked(b), "%s: %s", d, tool.Name())
			}
		}
		return nil, false, nil
	}
	require.NoError(t, err)
	text, report := b.write()
	var value any
	require.NoError(t, json.Unmarshal(text, &value))
	require.Empty(t, nulls(value, ""), "%s: %s", d, tool.Name())
	lossy := slices.ContainsFunc(report.changes, func(c Change) bool { return c.Lossy })
	return checked(b), lossy, report
}

// checked is what the checker has against the one schema that is sent.
func checked(b *batch) []strict.Problem {
	s := b.shaped[0]
	if s.form.schema == nil {
		return nil // none is sent for a tool without arguments
	}
	return strict.Check(strict.Profile(s.profile), parsed(s.sent))
}
