package plan_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/internal/general"
	"github.com/jig-go/jig/internal/plan"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/strict"
	"github.com/jig-go/jig/internal/tree"
)

// tightenings mimic three kinds of providers: the one wants every property required, the second
// only closed objects, and the third has a small language of its own.
func tightenings() map[string]strict.Profile {
	out := map[string]strict.Profile{"required": {Closed: true, Required: true}, "closed": {Closed: true},
		"plain": {}}
	for name, keywords := range map[string]string{
		"required": "default $ref_siblings required_partial additionalProperties_missing " +
			"additionalProperties_true additionalProperties_schema typeless_schema uniqueItems minLength",
		"closed": "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf maxItems minItems_gt1 " +
			"additionalProperties_missing additionalProperties_true additionalProperties_schema " +
			"typeless_schema",
		"plain": "$ref_local recursion $defs additionalProperties_schema exclusiveMinimum exclusiveMaximum " +
			"multipleOf enum_integer enum_number anyOf_siblings typeless_schema",
	} {
		table := map[string]string{}
		for _, key := range strings.Fields(keywords) {
			table[key] = "rejected"
		}
		p := out[name]
		p.Keywords = table
		out[name] = p
	}
	return out
}

var undeclared = regexp.MustCompile(`unknownMember|kkkk|wwww|qqqq`)

// TestTightenedAccepts is the promise of tightening (T7): with declared keys only, and with what is
// absent written as null, the tightened schema accepts exactly what the base accepts; where a
// change lost a constraint it accepts at least that.
func TestTightenedAccepts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 7))
	profiles := tightenings()
	exact, lost, more := map[string]int{}, map[string]int{}, map[string]int{}
	for range 400 {
		s := newSubject(t, randomStruct(random, 0))
		for _, name := range []string{"required", "closed", "plain"} {
			root := s.node.Clone()
			changes, problems := strict.Rewrite(profiles[name], root)
			if len(problems) > 0 {
				continue
			}
			lossy := slices.ContainsFunc(changes, func(c strict.Change) bool { return c.Lossy })
			if lossy {
				lost[name]++
			} else {
				exact[name]++
			}
			more[name] += s.tightened(t, random, root, lossy)
		}
	}
	t.Log(exact, lost, more)
	for name := range profiles {
		require.Greater(t, exact[name], 20, name)
		require.Greater(t, lost[name], 5, name)
		require.Positive(t, more[name], "%s: what was lost is accepted, and the base refuses it", name)
	}
}

// tightened compares the base with its tightened form, and counts what only that accepts.
func (s *subject) tightened(t *testing.T, random *rand.Rand, root *tree.Node, lossy bool) (more int) {
	t.Helper()
	compiled, err := plan.Compile(root, nil, func() (*general.Document, error) {
		return general.Compile(root.Append(nil, tree.Form{Enforced: true, Identity: true}))
	})
	require.NoError(t, err)
	accepts := func(p *plan.Plan, text []byte) bool {
		checked, scanErr := scan.Check(text, scan.Limits{Bytes: 1 << 20, Depth: 64})
		require.Nil(t, scanErr, "%s", text)
		return p.Validate(checked).Total == 0
	}
	m := &maker{Rand: random, root: s.node}
	for i := range 30 {
		v := m.make(s.node, 0)
		for range max(0, i%5-1) {
			m.mutate(v)
		}
		text := []byte(v.String())
		if undeclared.Match(text) {
			continue
		}
		filled := strict.WithNulls(root, text)
		narrow := accepts(compiled, filled)
		told := func() string {
			return "\nschema " + string(s.node.Append(nil, tree.Form{Enforced: true})) + "\ntightened " +
				string(root.Append(nil, tree.Form{Enforced: true})) + "\nvalue " + string(text) + "\nfilled " +
				string(filled)
		}
		if accepts(s.plan, text) {
			require.True(t, narrow, "the base accepts it%s", told())
		} else if narrow && !accepts(s.plan, filled) {
			require.True(t, lossy, "the base refuses it%s", told())
			more++
		}
	}
	return more
}
