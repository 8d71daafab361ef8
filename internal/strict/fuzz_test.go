package strict

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/internal/general"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// A writer writes legal schemas at random, of all that the engine knows and a little that it does
// not.
type writer struct{ *rand.Rand }

func (w writer) chance(percent int) bool { return w.IntN(100) < percent }

func (w writer) one(list ...string) string { return list[w.IntN(len(list))] }

func (w writer) root() string {
	parts := []string{`"type":"object"`}
	if w.chance(90) {
		parts = append(parts, w.object(0)...)
	}
	if w.chance(5) {
		parts = append(parts, w.union(0)...)
	}
	var defs []string
	for i := range 3 {
		defs = append(defs, fmt.Sprintf(`"d%d":%s`, i, w.schema(1)))
	}
	return "{" + strings.Join(append(parts, `"$defs":{`+strings.Join(defs, ",")+"}"), ",") + "}"
}

func (w writer) schema(depth int) string {
	var parts []string
	switch n := w.IntN(100); {
	case n < 12 && depth > 0:
		parts = append(parts, fmt.Sprintf(`"$ref":"#/$defs/d%d"`, w.IntN(3)))
	case n < 14:
		return w.one(`{}`, `true`, `false`, `{"$ref":"#"}`, `{"type":"object"}`, `{"type":"array"}`,
			`{"type":"null"}`)
	case n < 26 && depth < 3:
		parts = append(parts, `"type":`+w.one(`"object"`, `"object"`, `["object","null"]`))
		parts = append(parts, w.object(depth)...)
	case n < 34 && depth < 3:
		parts = append(parts, w.array(depth)...)
	case n < 46 && depth < 3:
		parts = append(parts, w.union(depth)...)
	default:
		parts = append(parts, w.scalar()...)
	}
	return "{" + strings.Join(append(parts, w.notes()...), ",") + "}"
}

func (w writer) object(depth int) []string {
	var properties, required []string
	for i := range w.IntN(4) {
		name := fmt.Sprintf(`"p%d"`, i)
		properties = append(properties, name+":"+w.schema(depth+1))
		if w.chance(50) {
			required = append(required, name)
		}
	}
	parts := []string{`"properties":{` + strings.Join(properties, ",") + "}"}
	if len(required) > 0 {
		parts = append(parts, `"required":[`+strings.Join(required, ",")+"]")
	}
	if w.chance(20) {
		parts = append(parts, w.one(`"additionalProperties":false`, `"additionalProperties":true`,
			`"additionalProperties":{"type":"string"}`, `"patternProperties":{"^x":{"type":"string"}}`,
			`"minProperties":1`, `"propertyNames":{"maxLength":9}`, `"dependentRequired":{"p0":["p1"]}`,
			`"unevaluatedProperties":false`))
	}
	return parts
}

func (w writer) array(depth int) []string {
	parts := []string{`"type":"array"`}
	switch n := w.IntN(10); {
	case n < 7:
		parts = append(parts, `"items":`+w.schema(depth+1))
	case n < 9:
		parts = append(parts, `"prefixItems":[`+w.schema(depth+1)+","+w.schema(depth+1)+"]")
	}
	if w.chance(40) {
		parts = append(parts, w.one(`"minItems":1`, `"minItems":2`, `"maxItems":5`, `"uniqueItems":true`,
			`"contains":{"type":"string"}`))
	}
	return parts
}

func (w writer) union(depth int) []string {
	var branches []string
	for range 1 + w.IntN(3) {
		branches = append(branches, w.schema(depth+1))
	}
	if w.chance(30) {
		branches = append(branches, `{"type":"null"}`)
	}
	return []string{`"` + w.one("anyOf", "anyOf", "oneOf", "allOf") + `":[` +
		strings.Join(branches, ",") + "]"}
}

func (w writer) scalar() []string {
	var parts []string
	switch w.IntN(7) {
	case 0:
		return []string{w.one(`"enum":["a","b"]`, `"enum":["a",null]`, `"enum":[1,"a"]`, `"enum":[1.5,2]`,
			`"enum":[{"a":1}]`, `"const":"k"`, `"const":7`, `"const":null`, `"enum":[true,null,3]`)}
	case 1:
		return []string{`"type":` + w.one(`["string","integer"]`, `["string","null","integer"]`, `["string"]`),
			w.one(`"minLength":2`, `"minimum":2`, `"pattern":"^a"`)}
	case 2:
		return []string{`"type":"boolean"`}
	case 3, 4:
		parts = append(parts, `"type":`+w.one(`"string"`, `["string","null"]`))
		if w.chance(50) {
			parts = append(parts, w.one(`"minLength":1`, `"pattern":"^a+$"`, `"pattern":"(?=a)b"`,
				`"format":"email"`, `"format":"uri"`, `"enum":["x","y"]`, `"enum":["x",null]`))
		}
		return parts
	}
	parts = append(parts, `"type":`+w.one(`"integer"`, `"number"`, `["integer","null"]`))
	if w.chance(50) {
		parts = append(parts, w.one(`"minimum":1`, `"exclusiveMinimum":0,"maximum":9`, `"multipleOf":2`,
			`"enum":[1,2]`, `"const":3`))
	}
	return parts
}

func (w writer) notes() (parts []string) {
	if w.chance(30) {
		parts = append(parts, `"description":"Text."`)
	}
	if w.chance(15) {
		parts = append(parts, w.one(`"default":null`, `"title":"T"`, `"examples":[1]`, `"x-a":1`,
			`"not":{"const":5}`, `"deprecated":true`, `"if":{"const":1},"then":{"type":"integer"}`))
	}
	return parts
}

// randomProfile says something at random about every keyword.
func (w writer) randomProfile() Profile {
	p := Profile{Keywords: map[string]string{}, Closed: w.chance(60), Lossy: w.chance(50),
		Ignored: w.one("", "keep", "move"), Unknown: w.one("", "keep", "move")}
	p.Required = p.Closed && w.chance(50)
	for _, key := range entries {
		switch w.IntN(10) {
		case 0, 1:
			p.Keywords[key] = "rejected"
		case 2:
			p.Keywords[key] = w.one("avoid", "ignored", "unknown")
		default:
			p.Keywords[key] = "ok"
		}
	}
	if p.Closed {
		p.Keywords["additionalProperties_false"] = "ok"
	}
	for _, key := range []string{"true", "schema", "missing"} {
		if p.Closed {
			p.Keywords["additionalProperties_"+key] = "rejected"
		} else if key == "missing" {
			p.Keywords["additionalProperties_"+key] = "ok" // nobody wants it said, but not closed
		}
	}
	return p
}

// entries are the names that a profile may list. No provider is without the others, such as type.
var entries = func() []string {
	list := append(slices.Clone(Pseudo), "const", "prefixItems", "patternProperties", "anyOf", "oneOf",
		"allOf")
	for _, f := range facts {
		if f.traits&(worded|question|annotates) != 0 && status(f.key) == f.key && f.key != "enum" &&
			f.key != "description" {
			list = append(list, f.key)
		}
	}
	return list
}()

// try rewrites a schema. Where that is no refusal, nobody has anything against what comes out: not
// the rewriter once more, not the proof, and not the validator. It reports whether it is no
// refusal.
func try(t testing.TB, p Profile, schema string) bool {
	t.Helper()
	out, _, problems := run(t, p, schema)
	told := fmt.Sprintf("\nclosed %v required %v lossy %v ignored %s unknown %s %v\n in %s\nout %s", p.Closed,
		p.Required, p.Lossy, p.Ignored, p.Unknown, p.Keywords, schema, out)
	if len(problems) > 0 {
		return false
	}
	again, changes, problems := run(t, p, out)
	require.Empty(t, changes, "%s\nagain %s", told, again)
	require.Empty(t, problems, told)
	require.Equal(t, out, again, told)
	_, err := general.Compile([]byte(out))
	require.NoError(t, err, told)
	root, ok := tree.Parse([]byte(out))
	require.True(t, ok)
	if !p.Closed || p.Keywords["additionalProperties_true"] != "ok" { // no provider is meant else
		require.Empty(t, Proof(p, root), told)
	}
	return true
}

func TestRewriteRandomSchemas(t *testing.T) {
	t.Parallel()
	w := writer{rand.New(rand.NewPCG(7, 1))}
	done := map[string]int{}
	for range 700 {
		schema := w.root()
		if _, err := general.Compile([]byte(schema)); err != nil {
			require.ErrorContains(t, err, "never ends", schema)
			continue
		}
		for name, p := range map[string]Profile{"required": everyRequired, "closed": closedOnly,
			"plain": plainest, "required lossy": lossy(everyRequired), "closed lossy": lossy(closedOnly),
			"plain lossy": lossy(plainest), "neutral": neutral, "random": w.randomProfile()} {
			if try(t, p, schema) {
				done[name]++
			}
		}
	}
	t.Log(done)
	for name, n := range done {
		require.Greater(t, n, 20, name)
	}
}

// TestRewriteShortcuts shows that the steps which are left out, for a profile that keeps every keyword
// and for a schema without references, would have changed nothing.
func TestRewriteShortcuts(t *testing.T) {
	t.Parallel()
	w := writer{rand.New(rand.NewPCG(9, 1))}
	nullable := neutral
	nullable.Nullable, nullable.Ignored = true, "keep"
	keeping := map[string]Profile{"neutral": neutral, "nullable": nullable, "open": {}}
	short := map[string]int{}
	for i := range 1000 {
		text := w.root()
		if i%2 == 0 { // without definitions few references are left
			text, _, _ = strings.Cut(text, `,"$defs":`)
			text += "}"
		}
		profiles := maps.Clone(keeping)
		profiles["says"], profiles["random"] = Profile{Unknown: "mention"}, w.randomProfile()
		for name, p := range profiles {
			rewrite := func(all bool) (*rewriter, string) {
				root, ok := tree.Parse([]byte(text))
				require.True(t, ok, text)
				r := newRewriter(p, root)
				r.composed = all
				r.keeps = r.keeps && !all
				r.rewrite()
				return r, string(root.Append(nil, tree.Form{Enforced: true, Identity: true}))
			}
			quick, got := rewrite(false)
			whole, want := rewrite(true)
			if len(whole.problems) == 0 {
				require.Equal(t, want, got, text)
			}
			require.Equal(t, sorted(whole.changes), sorted(quick.changes), text)
			require.Equal(t, sorted(whole.problems), sorted(quick.problems), text)
			if !quick.composed {
				short[name]++
			}
			if _, ok := keeping[name]; ok {
				require.True(t, quick.keeps)
			}
		}
	}
	for name, n := range short {
		require.Greater(t, n, 100, name)
	}
}

// FuzzRewrite rewrites schemas of any text, by profiles of any kind.
func FuzzRewrite(f *testing.F) {
	f.Add(uint64(1), `{"type":"object","properties":{"a":{"allOf":[{"$ref":"#/$defs/a"}]}},"$defs":{"a":{}}}`)
	f.Add(uint64(2), "")
	f.Add(uint64(3), "{}")
	f.Fuzz(func(t *testing.T, seed uint64, text string) {
		w := writer{rand.New(rand.NewPCG(seed, 3))}
		if text == "" {
			text = w.root()
		}
		checked, scanErr := scan.Check([]byte(text), scan.Limits{Bytes: 1 << 16, Depth: 60})
		if scanErr != nil {
			return
		}
		root, ok := tree.Parse(checked)
		if _, err := general.Compile(checked); err != nil || !ok || root.Bool != nil {
			return
		}
		if root.Has("type") && !slices.Equal(root.Types(), []string{"object"}) {
			return // arguments are an object
		}
		text = string(root.Append(nil, tree.Form{Identity: true}))
		for _, p := range []Profile{everyRequired, lossy(closedOnly), plainest, w.randomProfile()} {
			try(t, p, text)
		}
	})
}
