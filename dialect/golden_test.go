package dialect

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/big"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

var update = flag.Bool("update", false, "rewrite the goldens in testdata")

// The argument types of the tools in the goldens.
type (
	address struct {
		City string `json:"city"`
		Line string `json:"line,omitempty" jsonschema_description:"Street and number."`
	}
	parcelArgs struct {
		To   address  `json:"to" jsonschema_description:"Where it goes."`
		Back *address `json:"back,omitempty" jsonschema_description:"Where it came from, or null."`
		Note *string  `json:"note"`
	}
	listArgs struct {
		State string   `json:"state,omitempty" jsonschema:"enum=open,enum=sent,default=open"`
		Sizes []string `json:"sizes,omitempty" jsonschema:"enum=s,enum=m"`
		Rank  *int     `json:"rank,omitempty" jsonschema:"enum=1,enum=2"`
		Limit int      `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50,default=10"`
	}
	labelArgs struct {
		ID     string            `json:"id"`
		Labels map[string]string `json:"labels"`
	}
	anyArgs struct {
		Key   string          `json:"key"`
		Value any             `json:"value"`
		Raw   json.RawMessage `json:"raw,omitempty"`
	}
	nodeArgs struct {
		Name string     `json:"name"`
		Kids []nodeArgs `json:"kids,omitempty"`
	}
	boundArgs struct {
		SKU   string   `json:"sku" jsonschema:"minLength=3,maxLength=12,pattern=^[A-Z]+$"`
		Mail  string   `json:"mail" jsonschema:"format=email"`
		Price float64  `json:"price" jsonschema:"exclusiveMinimum=0,multipleOf=0.5"`
		Tags  []string `json:"tags" jsonschema:"minItems=2,maxItems=5,uniqueItems=true"`
		Pair  [2]int   `json:"pair"`
	}
	timeArgs struct {
		At   time.Time     `json:"at"`
		For  time.Duration `json:"for,omitempty"`
		Data []byte        `json:"data,omitempty"`
		ID   int64         `json:"id"`
		Sum  big.Int       `json:"sum"`
		Link url.URL       `json:"link"`
		Port uint16        `json:"port"`
	}
	lookupArgs struct {
		Name  string `json:"name"`
		Years int    `json:"years,omitempty"`
	}
)

const unionSchema = `{"type":"object","properties":{"pay":{"oneOf":[` +
	`{"type":"object","properties":{"kind":{"const":"card"},"number":{"type":"string"}},` +
	`"required":["kind","number"]},` +
	`{"type":"object","properties":{"kind":{"const":"iban"},"iban":{"type":"string"}},` +
	`"required":["kind","iban"]}],"description":"How it is paid."}},"required":["pay"]}`

// sample defines a tool of the goldens.
func sample[Args any](
	t testing.TB, strict bool, name, description string, schema *jig.Schema, examples ...Args,
) *jig.Tool {
	t.Helper()
	tool, err := jig.Define(jig.Spec[Args, jig.NoResult]{
		Name: name, Description: description, Strict: strict, Schema: schema, Examples: examples,
		Effect:  jig.EffectRead,
		Execute: func(context.Context, Args) (jig.NoResult, error) { return jig.NoResult{}, nil },
	})
	require.NoError(t, err)
	return tool
}

// samples are the tools of the goldens, each with what it is there for. One is in a group.
func samples(t testing.TB, strict bool) []*jig.Tool {
	var r jig.Registry
	require.NoError(t, r.Add(
		sample[struct{}](t, strict, "ping", "Says whether the shop is open.", nil),
		sample[parcelArgs](t, strict, "send_parcel", "Sends a parcel.", nil),
		sample[listArgs](t, strict, "list_orders", "Lists orders < 50 & > 0.", nil),
		sample(t, strict, "set_labels", "Sets labels.", nil,
			labelArgs{ID: "a", Labels: map[string]string{"x": "y"}}),
		sample[anyArgs](t, strict, "keep_value", "Keeps any value.", nil),
		sample[nodeArgs](t, strict, "grow_tree", "Grows a tree.", nil),
		sample[boundArgs](t, strict, "add_product", "Adds a product.", nil),
		sample[json.RawMessage](t, strict, "pay_order", "Pays an order.",
			jig.MustParseSchema(unionSchema)),
		sample[timeArgs](t, strict, "book_slot", "Books a slot.", nil),
	))
	require.NoError(t, r.Group("crm", sample(t, strict, "lookup", "Looks a customer up.", nil,
		lookupArgs{Name: "Ada"}, lookupArgs{Name: "Bo", Years: 3})))
	var tools []*jig.Tool
	for tool := range r.All() {
		tools = append(tools, tool)
	}
	return tools
}

// alone returns a registry with one tool.
func alone(t testing.TB, tool *jig.Tool) *jig.Registry {
	t.Helper()
	r := &jig.Registry{}
	require.NoError(t, r.Add(tool))
	return r
}

// TestGolden pins what each dialect makes of ten tools, each alone in a request, strict and not.
func TestGolden(t *testing.T) {
	for _, d := range all() {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			var a archive
			for _, strict := range []bool{true, false} {
				for _, tool := range samples(t, strict) {
					a.files = append(a.files, goldenFiles(t, d, tool)...)
				}
			}
			a.prose = fmt.Sprintf(prose, d)
			compareArchive(t, d.String(), a)
		})
	}
}

// goldenFiles renders one tool: the value of the request, and its changes or why it is refused.
func goldenFiles(t *testing.T, d Dialect, tool *jig.Tool) []archiveFile {
	t.Helper()
	name := tool.Name() + map[bool]string{true: " strict", false: " loose"}[tool.Strict()]
	text, report, err := d.Tools(alone(t, tool))
	if err != nil {
		return []archiveFile{{name + " refused", err.Error() + "\n"}}
	}
	again, second, err := d.Tools(alone(t, tool))
	require.NoError(t, err)
	require.Equal(t, string(text), string(again), "two renderings differ")
	require.Equal(t, report.String(), second.String(), "two reports differ")
	files := []archiveFile{{name, string(text) + "\n"}}
	if lines := section("", report.changeLines()) + section("", report.noteLines()); lines != "" {
		files = append(files, archiveFile{name + " report", strings.TrimPrefix(lines, "\n")})
	}
	return files
}

// prose says what the golden of a dialect pins.
const prose = `The tools of samples in golden_test.go as %s takes them, each alone in a request: strict
first, then as tools that are not. A file is the value of the request's tools, byte for byte, what
the report says of it, or why it is refused. Pinned here: always an object with properties at the
root (B25 to B28), no union there (B29), nothing beside a $ref and no $id (B30 to B34), maps never
closed (B37, B38), nested optional objects closed too (B40), defaults said (B41), no HTML escapes
(B42), the order of the Go fields (B43), wire names without dots but for MCP (N3), and the flag
where it is asked for (T5).
`

// compareArchive compares an archive with a golden, or rewrites it under -update.
func compareArchive(t *testing.T, name string, got archive) {
	t.Helper()
	path := filepath.Join("testdata", name+".txtar")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got.String()), 0o644))
		return
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	want := parseArchive(string(text))
	files := map[string]string{}
	for _, f := range want.files {
		files[f.name] = f.text
	}
	for _, f := range got.files {
		if f.text != files[f.name] {
			t.Errorf("%s: -- %s --\n got %s\nwant %s", path, f.name, f.text, files[f.name])
		}
	}
	require.Equal(t, want.names(), got.names(), path)
	require.Equal(t, want.prose, got.prose, path)
	if t.Failed() {
		t.Logf("if the change is meant, run: go test ./dialect -update")
	}
}

// An archive is a text in the format of golang.org/x/tools/txtar: prose, then files, each after a
// line "-- name --".
type archive struct {
	prose string
	files []archiveFile
}

type archiveFile struct{ name, text string }

func (a archive) String() string {
	out := a.prose
	for _, f := range a.files {
		out += "-- " + f.name + " --\n" + f.text
	}
	return out
}

func (a archive) names() (names []string) {
	for _, f := range a.files {
		names = append(names, f.name)
	}
	return names
}

// parseArchive reads an archive. Requirement: every file ends in a newline.
func parseArchive(text string) archive {
	var a archive
	for line := range strings.Lines(text) {
		name, ok := strings.CutPrefix(line, "-- ")
		if name, end := strings.CutSuffix(name, " --\n"); ok && end {
			a.files = append(a.files, archiveFile{name: name})
		} else if n := len(a.files); n > 0 {
			a.files[n-1].text += line
		} else {
			a.prose += line
		}
	}
	return a
}

func TestParseArchive(t *testing.T) {
	const text = "what it is\n-- a b --\n{}\n\n-- c --\n"
	want := archive{"what it is\n", []archiveFile{{"a b", "{}\n\n"}, {"c", ""}}}
	require.Equal(t, want, parseArchive(text))
	require.Equal(t, text, want.String())
}

// TestNoNull walks every output: a provider reads null where none belongs as a broken schema (B26).
func TestNoNull(t *testing.T) {
	for _, d := range all() {
		for _, strict := range []bool{true, false} {
			for _, tool := range samples(t, strict) {
				r := alone(t, tool)
				text, _, err := d.Tools(r, Lossy())
				require.NoError(t, err, "%s: %s", d, tool.Name())
				var value any
				require.NoError(t, json.Unmarshal(text, &value))
				require.Empty(t, nulls(value, ""), "%s: %s: %s", d, tool.Name(), text)
			}
		}
	}
}

// nulls returns the pointers of the nulls in a value, but for those of values that stand in a
// schema.
func nulls(value any, at string) []string {
	var found []string
	switch value := value.(type) {
	case nil:
		return []string{at}
	case map[string]any:
		for key, child := range value {
			switch key {
			case "enum", "const", "default", "examples", "input_examples":
				if !strings.HasSuffix(at, "/properties") {
					continue
				}
			}
			found = append(found, nulls(child, at+"/"+key)...)
		}
	case []any:
		for i, child := range value {
			found = append(found, nulls(child, fmt.Sprintf("%s/%d", at, i))...)
		}
	}
	return found
}

func TestNulls(t *testing.T) {
	var value any
	require.NoError(t, json.Unmarshal([]byte(`{"enum":[null],"properties":{"enum":null},"a":[1,null],`+
		`"default":null}`), &value))
	require.ElementsMatch(t, []string{"/properties/enum", "/a/1"}, nulls(value, ""))
}
