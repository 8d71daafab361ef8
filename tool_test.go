package jig_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// echo is an Execute that returns its arguments.
func echo[Args any](_ context.Context, args Args) (Args, error) { return args, nil }

// echoSpec is a Spec with nothing wrong, for tests that change one thing.
func echoSpec[Args any](name string) jig.Spec[Args, Args] {
	return jig.Spec[Args, Args]{Name: name, Description: "Echoes.", Execute: echo[Args]}
}

// wrongIn returns the problems of a *DefineError, one "pointer: message" each.
func wrongIn(t *testing.T, err error) []string {
	t.Helper()
	var wrong *jig.DefineError
	require.ErrorAs(t, err, &wrong)
	var lines []string
	for _, p := range wrong.Problems {
		lines = append(lines, p.Pointer+": "+p.Message)
	}
	return lines
}

// here returns the file, with its folder, and the line of the caller, as jig names places.
func here() string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s/%s:%d", filepath.Base(filepath.Dir(file)), filepath.Base(file), line)
}

func TestLocalName(t *testing.T) {
	for _, name := range []string{
		"a", "Z", "_", "_9", "read_file", "read-file", "a9", strings.Repeat("a", 64),
	} {
		tool, err := jig.Define(echoSpec[struct{}](name))
		require.NoError(t, err, name)
		require.Equal(t, name, tool.Name())
	}
	for _, name := range []string{
		"", "9x", "-a", "a.b", "a/b", "a b", " a", "a\n", "süß", "a:b", strings.Repeat("a", 65),
	} {
		_, err := jig.Define(echoSpec[struct{}](name))
		require.Equal(t, []string{fmt.Sprintf(
			`Name: got %q, want a name that matches ^[A-Za-z_][A-Za-z0-9_-]{0,63}$`, name,
		)}, wrongIn(t, err))
		require.Contains(t, err.Error(), fmt.Sprintf("jig: tool %q: Name: ", name))
	}
}

func TestDefineEmptyDescription(t *testing.T) {
	for _, description := range []string{"", " \n\t"} {
		spec := echoSpec[struct{}]("x")
		spec.Description = description
		_, err := jig.Define(spec)
		require.EqualError(t, err,
			`jig: tool "x": Description: is empty; say when the model should call the tool`)
	}
}

func TestDefineNilExecute(t *testing.T) {
	spec := echoSpec[struct{}]("x")
	spec.Execute = nil
	_, err := jig.Define(spec)
	require.EqualError(t, err, `jig: tool "x": Execute: is nil; a tool that the provider runs cannot `+
		`be governed here (no policy, approval or cap), so leave it to the provider's own list of `+
		`tools; for a tool whose arguments are the answer use DefineAnswer`)
}

func TestDefineErrorListsEverything(t *testing.T) {
	type args struct {
		Done  chan int
		Limit int    `json:",omitempty" jsonschema:"minimum=3,default=1"`
		Note  string `jsonschema:"Free text"`
	}
	_, err := jig.Define(jig.Spec[args, func()]{
		Name: "two words", Effect: 99, Approval: 99, Timeout: -time.Second, MaxOutputBytes: 255,
	})
	require.Equal(t, []string{
		`Name: got "two words", want a name that matches ^[A-Za-z_][A-Za-z0-9_-]{0,63}$`,
		`Description: is empty; say when the model should call the tool`,
		`Execute: is nil; a tool that the provider runs cannot be governed here (no policy, ` +
			`approval or cap), so leave it to the provider's own list of tools; for a tool whose ` +
			`arguments are the answer use DefineAnswer`,
		`Effect: got Effect(99), want one of the Effect constants`,
		`Approval: got Approval(99), want one of the Approval constants`,
		`Timeout: is negative; zero means the registry's`,
		`MaxOutputBytes: got 255, want at least 256; zero means the registry's`,
		"Args.Done: a chan has no JSON form; leave the field out with `json:\"-\"`",
		`Args.Note: jsonschema tag part "Free text" is not a known keyword; ` +
			`put free text into a jsonschema_description tag`,
		`Args.Limit: the default value 1 is refused by the field's own schema: ` +
			`got 1, want at least 3`,
		"Result: a func has no JSON form; leave the field out with `json:\"-\"`",
	}, wrongIn(t, err))
	require.Equal(t, 11, strings.Count(err.Error(), `jig: tool "two words": `))
}

func TestDefineArgsKind(t *testing.T) {
	refused := func(message string, err error) {
		t.Helper()
		require.Equal(t, []string{message}, wrongIn(t, err))
	}
	const want = "; want a struct, or json.RawMessage or map[string]any together with a Schema"
	_, err := jig.Define(echoSpec[string]("x"))
	refused("Args: is string"+want, err)
	_, err = jig.Define(echoSpec[[]string]("x"))
	refused("Args: is []string"+want, err)
	_, err = jig.Define(echoSpec[*struct{}]("x"))
	refused("Args: is *struct {}"+want, err)
	_, err = jig.Define(echoSpec[any]("x"))
	refused("Args: is interface {}"+want, err)
	_, err = jig.Define(echoSpec[map[string]string]("x"))
	refused("Args: is map[string]string"+want, err)
	_, err = jig.Define(echoSpec[time.Time]("x"))
	refused("Args: the type time.Time has its own JSON or text form; "+
		"want a struct whose fields are the arguments", err)
	_, err = jig.Define(echoSpec[json.RawMessage]("x"))
	refused("Schema: is nil; arguments of type json.RawMessage need a schema", err)
	_, err = jig.Define(echoSpec[map[string]any]("x"))
	refused("Schema: is nil; arguments of type map[string]interface {} need a schema", err)
}

func TestDefinedAt(t *testing.T) {
	tool, site := jig.MustDefine(echoSpec[struct{}]("x")), here()
	require.Equal(t, site, tool.DefinedAt())
	tool, err := jig.Define(echoSpec[struct{}]("x"))
	site = here()
	require.NoError(t, err)
	require.Equal(t, otherLine(site, -1), tool.DefinedAt())
}

func TestDefineBadText(t *testing.T) {
	spec := echoSpec[struct{}]("x")
	spec.Title, spec.Description, spec.Schema = "a\xff", "b\xff", &jig.Schema{}
	_, err := jig.Define(spec)
	require.Equal(t, []string{
		"Title: is not valid UTF-8", "Description: is not valid UTF-8",
		"Schema: is the zero Schema; make one with ParseSchema, MustParseSchema or SchemaFor",
	}, wrongIn(t, err))
	require.EqualError(t, spec.Schema.Validate(json.RawMessage(`{}`)),
		"jig: the zero Schema validates nothing; make one with ParseSchema")
}

func TestMustPanicsNamePlace(t *testing.T) {
	var site string
	var panicked any
	func() {
		defer func() { panicked = recover() }()
		site = here()
		jig.MustDefine(echoSpec[struct{}]("9"))
	}()
	require.True(t, strings.HasPrefix(panicked.(string), otherLine(site, 1)+": jig: tool "), panicked)

	func() {
		defer func() { panicked = recover() }()
		site = here()
		jig.MustParseSchema(`{"type":"dict"}`)
	}()
	require.Equal(t, otherLine(site, 1)+
		`: jig: schema: /type: type "dict" is not a JSON Schema type; use "object"`, panicked)
}

// otherLine returns the place that is some lines away.
func otherLine(site string, by int) string {
	file, text, _ := strings.Cut(site, ":")
	var line int
	_, _ = fmt.Sscan(text, &line)
	return fmt.Sprintf("%s:%d", file, line+by)
}

func TestWithName(t *testing.T) {
	spec := echoSpec[struct{}]("read")
	spec.Examples = []struct{}{{}}
	old := jig.MustDefine(spec)
	require.Empty(t, new(jig.Tool).Fingerprint(), "not made by Define")
	require.Empty(t, new(jig.Tool).DefinedAt(), "not made by Define")
	require.Nil(t, new(jig.Schema).JSON(), "not made by SchemaFor or ParseSchema")
	before := old.Fingerprint()

	renamed, err := old.WithName("fs_read")
	require.NoError(t, err)
	require.Equal(t, "fs_read", renamed.Name())
	require.Equal(t, "read", old.Name())
	require.Equal(t, before, old.Fingerprint())
	require.NotEqual(t, before, renamed.Fingerprint())
	require.Equal(t, "fs_read", renamed.Call(t.Context(), nil).Tool)

	described, err := old.WithDescription("Reads.")
	require.NoError(t, err)
	require.Equal(t, "Reads.\n\nExamples:\n1. {}", described.Description())
	require.Equal(t, "Reads.", described.Plain())
	require.Equal(t, "Echoes.\n\nExamples:\n1. {}", old.Description())
	require.Equal(t, before, described.Fingerprint())

	_, err = old.WithName("fs.read")
	require.Equal(t, []string{
		`Name: got "fs.read", want a name that matches ^[A-Za-z_][A-Za-z0-9_-]{0,63}$`,
	}, wrongIn(t, err))
	_, err = old.WithDescription("")
	require.EqualError(t, err,
		`jig: tool "read": Description: is empty; say when the model should call the tool`)
}

type paybackArgs struct {
	OrderID string `json:"orderId" jsonschema_description:"As list_orders returns it."`
	Cents   int64  `json:"cents,omitempty" jsonschema:"minimum=1,default=100"`
}

func paybackSpec() jig.Spec[paybackArgs, paybackArgs] {
	spec := echoSpec[paybackArgs]("refund_order")
	spec.Effect, spec.Approval = jig.EffectWrite, jig.ApprovalAlways
	return spec
}

func TestFingerprint(t *testing.T) {
	// The value is fixed: stored approvals depend on it. It is the SHA-256 of
	hashed := `[1,"refund_order",{"type":"object","properties":{"orderId":{"type":"string"},` +
		`"cents":{"type":"integer","minimum":1,"maximum":9223372036854775807,"default":100}},` +
		`"required":["orderId"]},"write","always","unset"]`
	const want = "2624eba56acb2eac91f6b2b79159847362722b0fa1bc39c23740a3fceeddde91"
	sum := sha256.Sum256([]byte(hashed))
	require.Equal(t, want, hex.EncodeToString(sum[:]))
	require.Equal(t, want, jig.MustDefine(paybackSpec()).Fingerprint())

	same := paybackSpec()
	same.Title, same.Description = "Refund", "Other words."
	same.Examples = []paybackArgs{{OrderID: "ord_1"}}
	same.Timeout, same.MaxOutputBytes = time.Second, 1000
	require.Equal(t, want, jig.MustDefine(same).Fingerprint())

	type otherWords struct {
		OrderID string `json:"orderId" jsonschema_description:"Another description."`
		Cents   int64  `json:"cents,omitempty" jsonschema:"minimum=1,default=100"`
	}
	words := echoSpec[otherWords]("refund_order")
	words.Effect, words.Approval = jig.EffectWrite, jig.ApprovalAlways
	require.Equal(t, want, jig.MustDefine(words).Fingerprint())

	seen := map[string]string{want: "base"}
	for name, change := range map[string]func(*jig.Spec[paybackArgs, paybackArgs]){
		"name":     func(s *jig.Spec[paybackArgs, paybackArgs]) { s.Name = "refund" },
		"effect":   func(s *jig.Spec[paybackArgs, paybackArgs]) { s.Effect = jig.EffectDestructive },
		"approval": func(s *jig.Spec[paybackArgs, paybackArgs]) { s.Approval = jig.ApprovalNever },
		"strict":   func(s *jig.Spec[paybackArgs, paybackArgs]) { s.Strict = true },
		"schema": func(s *jig.Spec[paybackArgs, paybackArgs]) {
			s.Schema = jig.MustParseSchema(`{"properties":{"orderId":{"type":"string"}}}`)
		},
	} {
		spec := paybackSpec()
		change(&spec)
		print := jig.MustDefine(spec).Fingerprint()
		require.Empty(t, seen[print], name)
		seen[print] = name
	}
}

// definitionTools are tools of many kinds, for tests of what a model is told.
func definitionTools(t *testing.T) *jig.Registry {
	t.Helper()
	var registry jig.Registry
	refund := paybackSpec()
	refund.Examples = []paybackArgs{{OrderID: "ord_1", Cents: 5}, {OrderID: "ord_2"}}
	byHand := echoSpec[map[string]any]("by_hand")
	byHand.Schema = jig.MustParseSchema(`{"properties":{"b":{"type":"string"},"a":{"$ref":"#/$defs/x"}},
		"$defs":{"x":{"type":"object","properties":{"z":{},"y":{}}}}}`)
	byHand.Examples = []map[string]any{{"a": map[string]any{"y": 1, "z": 2, "q": 3}, "b": "<&>"}}
	require.NoError(t, registry.Add(
		jig.MustDefine(echoSpec[folder]("zip")), jig.MustDefine(refund),
		jig.MustDefine(echoSpec[page[folder]]("list")), jig.MustDefine(byHand),
		jig.MustDefine(echoSpec[struct{}]("ping")),
	))
	require.NoError(t, registry.Group("a", jig.MustDefine(echoSpec[inventory]("stock"))))
	return &registry
}

// definitionsHash is the SHA-256 of all that a model is told, and of the fingerprints.
func definitionsHash(t *testing.T) string {
	t.Helper()
	registry := definitionTools(t)
	hash := sha256.New()
	for d := range registry.Definitions() {
		fmt.Fprintf(hash, "%q %q %q %s %s\n", d.Name, d.Description, d.Plain, d.InputSchema.JSON(),
			d.Examples)
		tool, _ := registry.Lookup(d.Name)
		fmt.Fprintln(hash, tool.Fingerprint())
	}
	return hex.EncodeToString(hash.Sum(nil))
}

func TestDefinitionsOrder(t *testing.T) {
	var names []string
	for d := range definitionTools(t).Definitions() {
		names = append(names, d.Name)
	}
	require.Equal(t, []string{"zip", "refund_order", "list", "by_hand", "ping", "a.stock"}, names)
	want := definitionsHash(t)
	for range 100 {
		require.Equal(t, want, definitionsHash(t))
	}
}

// TestDefinitionsAcrossProcesses runs this test binary again: map iteration is seeded afresh there.
func TestDefinitionsAcrossProcesses(t *testing.T) {
	t.Parallel()
	const child = "JIG_TEST_DEFINITIONS"
	want := definitionsHash(t)
	if os.Getenv(child) != "" {
		fmt.Println("hash " + want)
		return
	}
	for range 3 {
		cmd := exec.CommandContext(t.Context(), os.Args[0],
			"-test.run=^TestDefinitionsAcrossProcesses$", "-test.count=1")
		cmd.Env = append(os.Environ(), child+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		require.Contains(t, string(out), "hash "+want+"\n")
	}
}

func TestDefineConcurrently(t *testing.T) {
	want := jig.MustDefine(echoSpec[inventory]("stock"))
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for range 5 {
				tool, err := jig.Define(echoSpec[inventory]("stock"))
				if err != nil || tool.Fingerprint() != want.Fingerprint() ||
					string(tool.InputSchema().JSON()) != string(want.InputSchema().JSON()) {
					t.Errorf("Define = %v, %v, want the tool defined before", tool, err)
				}
				if err := want.InputSchema().Validate(json.RawMessage(`{}`)); err == nil {
					t.Error("Validate({}) = nil, want problems")
				}
			}
		})
	}
	group.Wait()
}

func TestToolImmutable(t *testing.T) {
	spec := paybackSpec()
	spec.Examples = []paybackArgs{{OrderID: "ord_1"}}
	tool := jig.MustDefine(spec)
	const want = "Echoes.\n\nExamples:\n1. {\"orderId\":\"ord_1\"}"

	spec.Examples[0].OrderID = "changed"
	tool.Examples()[0][2] = 'X'
	tool.InputSchema().JSON()[0] = 'X'
	require.Equal(t, want, tool.Description())
	require.JSONEq(t, `{"orderId":"ord_1"}`, string(tool.Examples()[0]))
	require.Equal(t, byte('{'), tool.InputSchema().JSON()[0])

	before := string(tool.InputSchema().JSON())
	for _, args := range []string{`{"orderId":"a"}`, `{"x":1}`, `nope`, `{"orderId":"a","cents":null}`} {
		tool.Call(t.Context(), json.RawMessage(args))
	}
	require.Equal(t, before, string(tool.InputSchema().JSON()))
	require.Equal(t, want, tool.Description())
}
