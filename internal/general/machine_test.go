package general

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const logic = `{"type":"object","properties":{"op":{"const":"OP"},"args":{"type":"array",` +
	`"items":{"$ref":"#/$defs/e"}}},"required":["op","args"]}`

// logicSchema is a recursive union of three forms; form is the keyword that joins them.
func logicSchema(form string) string {
	return `{"$ref":"#/$defs/e","$defs":{"e":{"` + form + `":[` +
		strings.Replace(logic, "OP", "and", 1) + `,` + strings.Replace(logic, "OP", "or", 1) +
		`,{"type":"object","properties":{"op":{"const":"eq"}},"required":["op"]}]}}}`
}

func nested(levels int, leaf string) string {
	return strings.Repeat(`{"op":"or","args":[`, levels) + leaf + strings.Repeat(`]}`, levels)
}

// TestRecursiveUnions shows that the time does not double with each level of nesting.
func TestRecursiveUnions(t *testing.T) {
	for name, schema := range map[string]string{
		"anyOf": logicSchema("anyOf"), "oneOf": logicSchema("oneOf"),
		"not": `{"properties":{"args":{"items":{"allOf":[{"not":{"not":{"$ref":"#"}}},` +
			`{"$ref":"#"}]}}},"required":["op"]}`,
		"closed": strings.ReplaceAll(logicSchema("anyOf"), `"required"`,
			`"unevaluatedProperties":false,"required"`),
		"dynamic": strings.ReplaceAll(strings.Replace(logicSchema("anyOf"), `"e":{`,
			`"e":{"$dynamicAnchor":"e",`, 1), `"items":{"$ref":"#/$defs/e"}`,
			`"items":{"$dynamicRef":"#e"}`),
	} {
		t.Run(name, func(t *testing.T) {
			doc, err := Compile([]byte(schema))
			require.NoError(t, err)
			s, err := doc.Sub("")
			require.NoError(t, err)
			require.Empty(t, s.Problems([]byte(nested(30, `{"op":"eq"}`))))
			require.NotEmpty(t, s.Problems([]byte(nested(30, `{}`))))
		})
	}
}

// TestMachine compares the findings of a machine with those of the library alone.
func TestMachine(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	schemas := []string{
		logicSchema("anyOf"), logicSchema("oneOf"),
		`{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"op":{"type":"string"},` +
			`"args":{"contains":{"$ref":"#/$defs/n"},"items":{"allOf":[{"$ref":"#/$defs/n"},` +
			`{"$ref":"#/$defs/n"},{"not":{"required":["x"]}}]}}},"additionalProperties":false}}}`,
		`{"$ref":"#/$defs/n","$defs":{"n":{"if":{"properties":{"op":{"const":"or"}}},` +
			`"then":{"properties":{"op":true,"args":{"prefixItems":[{"$ref":"#/$defs/n"}],` +
			`"unevaluatedItems":false}}},` +
			`"else":{"patternProperties":{"^o":true}},"unevaluatedProperties":false}}}`,
	}
	for _, schema := range schemas {
		doc, err := Compile([]byte(schema))
		require.NoError(t, err)
		s, err := doc.Sub("")
		require.NoError(t, err)
		for range 500 {
			text := []byte(randomLogic(random, 0))
			got := s.Problems(text)
			doc.static = false
			want := s.Problems(text)
			doc.static = true
			require.Equal(t, want, got, "%s by %s", text, schema)
		}
	}
}

func randomLogic(r *rand.Rand, depth int) string {
	switch n := r.IntN(10); {
	case n == 0:
		return `1`
	case n < 4 || depth > 3:
		return []string{`{"op":"eq"}`, `{"op":1}`, `{"x":[]}`, `{"op":"eq","args":[]}`}[r.IntN(4)]
	}
	var args []string
	for range r.IntN(3) {
		args = append(args, randomLogic(r, depth+1))
	}
	return `{"op":"` + []string{"and", "or"}[r.IntN(2)] + `","args":[` +
		strings.Join(args, ",") + `]}`
}

// TestOddAnchors shows that anchors of any JSON kind are read without a panic.
func TestOddAnchors(t *testing.T) {
	for _, schema := range []string{
		`{"$dynamicAnchor":{"a":1}}`, `{"$recursiveAnchor":[1]}`, `{"$dynamicRef":{},"$ref":[]}`,
	} {
		require.NotPanics(t, func() { _, _ = Compile([]byte(schema)) }, schema)
	}
}
