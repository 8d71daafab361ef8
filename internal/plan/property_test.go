package plan_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/general"
	"github.com/jig-go/jig/internal/plan"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
	"github.com/stretchr/testify/require"
)

// A subject is one Go type with its schema, compiled by the plan and by another validator.
type subject struct {
	typ    *codec.Type
	node   *tree.Node
	plan   *plan.Plan
	oracle *general.Schema
	// partial says that tags give Go's zero value a second meaning (a default, a null that the type
	// cannot hold), so that a value does not say what it was read from.
	partial bool
	// quick and slow count the texts that Quick accepted, and left to Decode.
	quick, slow int
	exact       bool // the encoder writes what was read, up to the canonical form
}

func newSubject(t testing.TB, typ reflect.Type) *subject {
	t.Helper()
	s := &subject{}
	var problems []codec.Problem
	s.typ, problems = codec.Of(typ, "Args", codec.Arguments)
	require.Empty(t, problems, "%v", typ)
	s.node, _, problems = s.typ.Schema("Args", codec.Arguments)
	require.Empty(t, problems, "%v", typ)
	var err error
	s.plan, err = plan.Compile(s.node, s.typ, nil) // a reflected schema needs no other validator
	require.NoError(t, err, "%v", typ)
	require.Empty(t, s.plan.Faults(), "%v", typ)
	schema, formats := tree.Oracle(s.node)
	doc, err := general.CompileWith(schema, formats)
	require.NoError(t, err, "%s", schema)
	s.oracle, err = doc.Sub("")
	require.NoError(t, err)
	shown := string(s.node.Append(nil, tree.Form{Enforced: true}))
	s.partial = strings.Contains(shown, `"default"`) || strings.Contains(fmt.Sprint(typ),
		"nullable")
	s.exact = exact(s.typ, map[*codec.Type]bool{})
	return s
}

// exact reports whether values of a type are written as they were read.
func exact(t *codec.Type, seen map[*codec.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Optional || len(f.Index) > 1 || !exact(f.Type, seen) {
			return false
		}
	}
	switch t.Kind {
	case codec.Text, codec.Quoted, codec.Float:
		return false
	case codec.Map:
		return exact(t.Elem, seen) && exact(t.Key, seen)
	}
	return t.Elem == nil || exact(t.Elem, seen)
}

// try compares the plan with the oracle on one text, and reports whether both accept it.
func (s *subject) try(t *testing.T, text string) bool {
	t.Helper()
	checked, scanErr := scan.Check([]byte(text), scan.Limits{Bytes: 1 << 20, Depth: 64})
	require.Nil(t, scanErr, text)
	found := s.plan.Validate(checked)
	v := reflect.New(s.typ.Go).Elem()
	decoded := s.plan.Decode(checked, v)
	if found.Total == 0 != s.oracle.Valid(checked) || found.Total != decoded.Total {
		t.Fatalf("type %v\nschema %s\ntext %s\nplan %v\ndecode %v\noracle %v", s.typ.Go,
			s.node.Append(nil, tree.Form{Enforced: true}), text, found.Problems, decoded.Problems,
			s.oracle.Problems(checked))
	}
	if found.Total > 0 {
		s.tryQuick(t, []byte(text), scan.Limits{Bytes: 1 << 20, Depth: 64})
		return false
	}
	if s.tryQuick(t, []byte(text), scan.Limits{Bytes: 1 << 20, Depth: 64}) {
		s.quick++
	} else {
		s.slow++
	}
	s.tryCanonical(t, checked, v)
	if !s.partial {
		s.tryEncode(t, checked, v)
	}
	return true
}

// tryCanonical checks that the canonical form is accepted, has itself as its canonical form, and
// fills the same value.
func (s *subject) tryCanonical(t *testing.T, checked []byte, v reflect.Value) {
	t.Helper()
	canonical := s.plan.Canonical(nil, checked)
	again := reflect.New(s.typ.Go).Elem()
	found := s.plan.Decode(canonical, again)
	require.Empty(t, found.Problems, "%v: %s of %s", s.typ.Go, canonical, checked)
	require.Empty(t, found.Dropped, "%v: %s of %s", s.typ.Go, canonical, checked)
	require.Equal(t, string(canonical), string(s.plan.Canonical(nil, canonical)), "%s", checked)
	if !reflect.DeepEqual(v.Interface(), again.Interface()) {
		t.Fatalf("type %v: %s gives %+v, its canonical form %s gives %+v", s.typ.Go, checked, v,
			canonical, again)
	}
}

// tryEncode checks that the encoder writes something that is accepted and means the same.
func (s *subject) tryEncode(t *testing.T, checked []byte, v reflect.Value) {
	t.Helper()
	raw, err := s.typ.Append(nil, v)
	require.NoError(t, err, "%v: %s", s.typ.Go, checked)
	again := reflect.New(s.typ.Go).Elem()
	found := s.plan.Decode(raw, again)
	require.Empty(t, found.Problems, "%v: %s of %s", s.typ.Go, raw, checked)
	require.True(t, s.oracle.Valid(raw), "%v: %s of %s", s.typ.Go, raw, checked)
	back, err := s.typ.Append(nil, again)
	require.NoError(t, err)
	// A struct that holds an empty slice which omitempty leaves out is not zero, and is zero when
	// read back: omitzero then leaves out one struct more each time, as in encoding/json.
	for strings.Contains(fmt.Sprint(s.typ.Go), "omitzero") && len(back) < len(raw) {
		again.SetZero()
		require.Empty(t, s.plan.Decode(back, again).Problems, "%v: %s", s.typ.Go, checked)
		raw = back
		back, err = s.typ.Append(nil, again)
		require.NoError(t, err)
	}
	require.Equal(t, string(raw), string(back), "%v: %s", s.typ.Go, checked)
	if s.exact {
		require.Equal(t, string(s.plan.Canonical(nil, checked)), string(s.plan.Canonical(nil, raw)),
			"%v: %s", s.typ.Go, checked)
	}
}

// A tally counts verdicts.
type tally struct{ accepted, refused int }

func (c *tally) check(t *testing.T) {
	t.Helper()
	share := float64(c.accepted) / float64(c.accepted+c.refused)
	t.Logf("%d accepted, %d refused: %.0f %% accepted", c.accepted, c.refused, 100*share)
	require.Greater(t, share, 0.3)
	require.Less(t, share, 0.7)
}

// run tries generated instances: valid ones, and ones with a few changes.
func (s *subject) run(t *testing.T, random *rand.Rand, count int, c *tally) {
	t.Helper()
	m := &maker{Rand: random, root: s.node}
	for i := range count {
		v := m.make(s.node, 0)
		for range max(0, i%5-1) {
			m.mutate(v)
		}
		if s.try(t, v.String()) {
			c.accepted++
		} else {
			c.refused++
		}
	}
}

// TestRandomTypes compares the plan with the general validator on struct types made at random.
func TestRandomTypes(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var c tally
	for range 400 {
		newSubject(t, randomStruct(random, 0)).run(t, random, 50, &c)
	}
	c.check(t)
}

var scalars = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[string](),
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](),
	reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](),
	reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](),
}

var others = []reflect.Type{
	reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[[]byte](),
	reflect.TypeFor[any](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[json.Number](),
	reflect.TypeFor[big.Int](), reflect.TypeFor[url.URL](), reflect.TypeFor[netip.Addr](),
	reflect.TypeFor[net.IP](), reflect.TypeFor[map[string]any](),
}

var keys = []reflect.Type{
	reflect.TypeFor[string](), reflect.TypeFor[int8](), reflect.TypeFor[uint64](),
	reflect.TypeFor[netip.Addr](), reflect.TypeFor[time.Duration](),
}

func randomType(r *rand.Rand, depth int) reflect.Type {
	switch n := r.IntN(100); {
	case n < 45 || depth > 3:
		return scalars[r.IntN(len(scalars))]
	case n < 60:
		return others[r.IntN(len(others))]
	case n < 70:
		return reflect.SliceOf(randomType(r, depth+1))
	case n < 75:
		return reflect.ArrayOf(r.IntN(3), randomType(r, depth+1))
	case n < 82:
		return reflect.MapOf(keys[r.IntN(len(keys))], randomType(r, depth+1))
	case n < 90:
		return reflect.PointerTo(randomType(r, depth+1))
	}
	return randomStruct(r, depth+1)
}

func randomStruct(r *rand.Rand, depth int) reflect.Type {
	var fields []reflect.StructField
	for i := range 1 + r.IntN(4) {
		typ := randomType(r, depth+1)
		tag := ""
		optional := r.IntN(100) < 45
		if optional {
			tag = []string{",omitempty", ",omitzero"}[r.IntN(2)]
			if k := typ.Kind(); k == reflect.Struct || k == reflect.Array {
				tag = ",omitzero" // encoding/json never leaves these out for omitempty
			}
		}
		base := typ
		for base.Kind() == reflect.Pointer {
			base = base.Elem()
		}
		said := ""
		one := typ == base || typ.Elem() == base // encoding/json looks through one pointer
		if base.PkgPath() == "" && one && quotes(base.Kind()) && r.IntN(100) < 15 {
			tag += ",string"
		} else if r.IntN(100) < 50 {
			said = randomTag(r, base, optional)
		}
		name := fmt.Sprintf("Field%d", i)
		fields = append(fields, reflect.StructField{
			Name: name, Type: typ,
			Tag: reflect.StructTag(fmt.Sprintf(`json:"field%d_%d%s" jsonschema:"%s"`, depth, i,
				tag, said)),
		})
	}
	return reflect.StructOf(fields)
}

func quotes(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Float64 || k == reflect.String
}

// randomTag returns the jsonschema tag of a field, with keywords that fit its type.
func randomTag(r *rand.Rand, t reflect.Type, optional bool) string {
	var list []string
	fallback := ""
	switch k := t.Kind(); {
	case t.PkgPath() != "" || t == reflect.TypeFor[[]byte]():
		return ""
	case k == reflect.String:
		list = []string{"minLength=1,maxLength=3", "pattern=^[a-z]{1,3}$", "pattern=b,maxLength=4",
			"enum=a,enum=b,enum=", "format=email", "minLength=2"}
		list[3] = "enum=a,enum=b"
		fallback = "default=abc"
	case k >= reflect.Int && k <= reflect.Uint64:
		list = []string{"minimum=3", "maximum=9", "minimum=2,maximum=5", "multipleOf=3",
			"enum=1,enum=2",
			"exclusiveMinimum=4,exclusiveMaximum=7"}
		fallback = "default=5"
	case k == reflect.Float32 || k == reflect.Float64:
		list = []string{"minimum=0.5", "exclusiveMaximum=2.5", "multipleOf=0.5", "enum=0.5,enum=2"}
		fallback = "default=1.5"
	case k == reflect.Bool:
		fallback = "default=true"
	case k == reflect.Slice:
		list = []string{"minItems=1,maxItems=2", "maxItems=1"}
		switch e := t.Elem().Kind(); {
		case t.Elem().PkgPath() != "":
		case e == reflect.String:
			list = append(list, "enum=x,enum=y", "maxLength=2,minItems=1", "uniqueItems=true")
		case e >= reflect.Int && e <= reflect.Uint64:
			list = append(list, "uniqueItems=true", "maximum=7,maxItems=2",
				"uniqueItems=true,minimum=1")
		case e == reflect.Float32 || e == reflect.Float64:
			list = append(list, "enum=1,enum=2")
		}
	}
	switch n := r.IntN(100); {
	case n < 15 && fallback != "" && optional:
		return fallback
	case n < 25:
		return "nullable"
	case len(list) == 0:
		return ""
	}
	return list[r.IntN(len(list))]
}
