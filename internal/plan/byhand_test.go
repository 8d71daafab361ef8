package plan

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/general"
	"github.com/jig-go/jig/internal/tree"
)

func compileByHand(t *testing.T, schema string) *Plan {
	t.Helper()
	n, ok := tree.Parse([]byte(schema))
	require.True(t, ok)
	p, err := Compile(n, nil, func() (*general.Document, error) { return general.Compile([]byte(schema)) })
	require.NoError(t, err)
	return p
}

// TestPartsOfArraysAndObjects shows that null for absent and defaults follow the schema that a part
// of a value is under, also where the general validator judges.
func TestPartsOfArraysAndObjects(t *testing.T) {
	const (
		prefix = `{"prefixItems":[{"type":"object","properties":{"a":{"type":["string","null"]}},` +
			`"required":["a"]}],"items":{"type":"object","properties":{"a":{"type":"string"}}}}`
		prefixDefault = `{"type":"object","properties":{"l":{"type":"array","prefixItems":[{"type":"object",` +
			`"additionalProperties":false}],"items":{"type":"object","properties":{"a":{"type":"string",` +
			`"default":"x"}}}}}}`
		pattern = `{"type":"object","patternProperties":{"^p":{"type":"object","properties":{"a":` +
			`{"type":["string","null"]}},"required":["a"]}},"additionalProperties":{"type":"object",` +
			`"properties":{"a":{"type":"string"}}}}`
		nullFirst = `{"properties":{"a":{"anyOf":[{"type":"null"},{"type":"object","properties":` +
			`{"b":{"type":"string"}}}]}}}`
		besideRef = `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":` +
			`{"$ref":"#/definitions/n","type":"string"}},"definitions":{"n":{"type":["null","string"]}}}`
	)
	tests := []struct{ name, schema, value, canonical, problem string }{
		{"prefix item keeps its null", prefix, `[{"a":null},{"a":null}]`, `[{"a":null},{}]`, ""},
		{"prefix item gets no default of the others", prefixDefault, `{"l":[{},{}]}`, `{"l":[{},{"a":"x"}]}`, ""},
		{"pattern member keeps its null", pattern, `{"p1":{"a":null}}`, `{"p1":{"a":null}}`, ""},
		{"null first", nullFirst, `{"a":{"b":null}}`, `{"a":{}}`, ""},
		{"null first, wrong", nullFirst, `{"a":{"b":1}}`, "", "got number 1, want string"},
		{"null first, null", nullFirst, `{"a":null}`, `{"a":null}`, ""},
		{"null beside a reference", besideRef, `{"a":null}`, `{"a":null}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := compileByHand(t, tt.schema)
			found := p.Validate([]byte(tt.value))
			if tt.problem != "" {
				require.Len(t, found.Problems, 1)
				require.Equal(t, tt.problem, found.Problems[0].Message)
				return
			}
			require.Empty(t, found.Problems)
			require.Equal(t, tt.canonical, string(p.Canonical(nil, []byte(tt.value))))
		})
	}
}

// TestCompileNodesOfUnions shows that the plan of a schema inside another says what the whole says there.
func TestCompileNodesOfUnions(t *testing.T) {
	schema := `{"properties":{"a":{"oneOf":[{"type":"object","properties":{"k":{"const":"x"},` +
		`"n":{"type":"integer"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"y"}},` +
		`"required":["k"]}]}}}`
	whole := compileByHand(t, schema)
	nodes := []*tree.Node{whole.schema.Property("a")}
	plans, err := CompileNodes(whole.schema, nodes, func() (*general.Document, error) {
		return general.Compile([]byte(schema))
	})
	require.NoError(t, err)
	for _, value := range []string{`{"k":"z"}`, `{"k":"x","n":"1"}`, `5`} {
		want := whole.Validate([]byte(`{"a":` + value + `}`)).Problems
		require.NotEmpty(t, want)
		for i := range want {
			want[i].Pointer = want[i].Pointer[len("/a"):]
		}
		require.Equal(t, want, plans[0].Validate([]byte(value)).Problems, value)
	}
	_, err = CompileNodes(whole.schema, nodes, func() (*general.Document, error) {
		return nil, errors.New("broken")
	})
	require.EqualError(t, err, "broken")
}

// TestRulesOfOneSchemaForManyFields shows that one schema for all fields of a struct takes one rule for each
// type of these, and not one for each way that leads there.
func TestRulesOfOneSchemaForManyFields(t *testing.T) {
	const levels = 8
	type node struct {
		A, B, C, D *node
		Other      *struct{ A, B, C *node }
	}
	typ, problems := codec.Of(reflect.TypeFor[node](), "Args", codec.Arguments)
	require.Empty(t, problems)
	schema, _ := tree.Parse([]byte(strings.Repeat(`{"additionalProperties":`, levels) + `{"minProperties":1}` +
		strings.Repeat("}", levels)))
	p, err := Compile(schema, typ, nil)
	require.NoError(t, err)

	rules := map[*rule]bool{}
	var visit func(*rule)
	visit = func(r *rule) {
		if r == nil || rules[r] {
			return
		}
		rules[r] = true
		for _, of := range r.obj.props {
			visit(of.rule)
		}
	}
	visit(p.root)
	// Of the root, of two types on each level below, and of the two for what the last one says nothing of.
	require.Equal(t, 1+2*levels+2, len(rules))
}
