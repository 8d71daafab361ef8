package plan_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/internal/general"
	"github.com/jig-go/jig/internal/plan"
	"github.com/jig-go/jig/internal/scan"
)

// foreignSchemas say what no Go type does, in the keywords that the plan reads itself, hands to the
// general validator, or explains by it.
var foreignSchemas = []string{
	contact, strings.Replace(contact, "anyOf", "oneOf", 1), recursiveUnion,
	`{"type":"object","oneOf":[{"properties":{"kind":{"const":"cat"}},"required":["kind"]},` +
		`{"properties":{"kind":{"const":"dog"},"a":{"type":"integer"}},"required":["kind"]}]}`,
	`{"type":"object","properties":{"a":{"anyOf":[{"type":"array","items":{"type":"object","properties":` +
		`{"b":{"type":"string"}}}},{"type":"object","properties":{"b":{"const":1}}},{"type":"null"}]}},` +
		`"patternProperties":{"^p":{"type":"object","properties":{"a":{"type":"string"}}}},` +
		`"additionalProperties":{"type":["integer","string"]},"dependentRequired":{"a":["b"]}}`,
	`{"allOf":[{"properties":{"a":{"type":"integer"}}},{"properties":{"a":{"minimum":2}},"required":["a"]}],` +
		`"not":{"required":["b","c"]},"if":{"properties":{"a":{"const":3}}},"then":{"required":["b"]},` +
		`"else":{"properties":{"b":{"type":"null"}}},"unevaluatedProperties":false}`,
	`{"properties":{"l":{"prefixItems":[{"enum":["a",1,null]},{"$ref":"#"}],"items":{"type":"number",` +
		`"multipleOf":0.5},"contains":{"const":1},"minContains":1,"uniqueItems":true,"maxItems":4},` +
		`"n":{"propertyNames":{"maxLength":1},"minProperties":1,"maxProperties":2}}}`,
}

// A foreign is a schema with what its values are made of, and with its oracle.
type foreign struct {
	plan   *plan.Plan
	oracle *general.Schema
	names  []string // of properties
	values []string // of scalars
}

func newForeign(t testing.TB, schema string) *foreign {
	t.Helper()
	doc, err := general.Compile([]byte(schema))
	require.NoError(t, err)
	oracle, err := doc.Sub("")
	require.NoError(t, err)
	f := &foreign{plan: compile(t, schema, nil), oracle: oracle, values: []string{"null", "null", "true", "1.5"}}
	f.collect(scan.NewCursor([]byte(schema)))
	return f
}

// collect takes the names and the scalars of a schema, whatever they stand for there.
func (f *foreign) collect(c scan.Cursor) {
	kind := c.Kind()
	if kind != scan.Object && kind != scan.Array {
		f.values = append(f.values, string(c.Skip()))
		return
	}
	for more := c.Enter(); more; more = c.More() {
		if kind == scan.Object {
			f.names = append(f.names, string(c.Key()))
		}
		inner := c
		f.collect(inner)
		c.Skip()
	}
}

// value is a random value of what the schema speaks of.
func (f *foreign) value(r *rand.Rand, depth int) string {
	n := r.IntN(10)
	switch {
	case depth == 0 || n < 5 && depth > 0 && depth < 4:
		return f.values[r.IntN(len(f.values))]
	case n < 7:
		items := make([]string, r.IntN(4))
		for i := range items {
			items[i] = f.value(r, depth-1)
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	var members []string
	for _, i := range r.Perm(len(f.names))[:min(len(f.names), r.IntN(5))] {
		member := strconv.Quote(f.names[i]) + ":"
		if text := strings.Join(members, ","); !strings.Contains(text, member) {
			members = append(members, member+f.value(r, depth-1))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// try checks one value: without null the plan and the general validator agree, and what is valid has a
// canonical form that is valid for both, and its own.
func (f *foreign) try(t *testing.T, text []byte) bool {
	t.Helper()
	found := f.plan.Validate(text)
	if !strings.Contains(string(text), "null") {
		require.Equal(t, f.oracle.Valid(text), found.Total == 0, "%s: %v", text, found.Problems)
	}
	if found.Total > 0 {
		return false
	}
	canonical := f.plan.Canonical(nil, text)
	require.True(t, f.oracle.Valid(canonical), "%s of %s", canonical, text)
	require.Equal(t, string(canonical), string(f.plan.Canonical(nil, canonical)))
	return true
}

// TestForeignSchemas tries random values of schemas that no Go type says.
func TestForeignSchemas(t *testing.T) {
	t.Parallel()
	for i, schema := range foreignSchemas {
		f := newForeign(t, schema)
		r := rand.New(rand.NewPCG(uint64(i), 11))
		accepted := 0
		const rounds = 3000
		for range rounds {
			if f.try(t, check(t, f.value(r, 4))) {
				accepted++
			}
		}
		require.Positive(t, accepted, schema)
		require.Less(t, accepted, rounds, schema)
	}
}

// FuzzForeign tries values of any text, and random ones.
func FuzzForeign(f *testing.F) {
	list := make([]*foreign, len(foreignSchemas))
	for i, schema := range foreignSchemas {
		list[i] = newForeign(f, schema)
		f.Add(uint8(i), uint64(i), "")
		f.Add(uint8(i), uint64(0), `{"kind":"sms","number":null,"a":null,"l":[1]}`)
	}
	f.Fuzz(func(t *testing.T, which uint8, seed uint64, text string) {
		subject := list[int(which)%len(list)]
		if text == "" {
			text = subject.value(rand.New(rand.NewPCG(seed, 12)), 4)
		}
		if checked, err := scan.Check([]byte(text), scan.Limits{Bytes: 1 << 16, Depth: 20}); err == nil {
			subject.try(t, checked)
		}
	})
}
