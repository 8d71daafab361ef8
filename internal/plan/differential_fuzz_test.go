package plan_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/jig-go/jig/internal/canon"
	"github.com/jig-go/jig/internal/scan"
)

// FuzzDifferential makes a Go type and instances of its schema at random, changes some of them, and
// compares the plan with the straightforward way: scan.Check, the general validator on the enforced
// schema, and the canonical form of what was read. Verdict and value have to be the same, and so has
// what Quick makes of the text.
func FuzzDifferential(f *testing.F) {
	for i := range uint64(30) {
		f.Add(i, i*i, uint8(i), uint16(i))
	}
	f.Fuzz(func(t *testing.T, types, values uint64, changes uint8, cut uint16) {
		random := rand.New(rand.NewPCG(types, 1))
		s := newSubject(t, randomStruct(random, 0))
		m := &maker{Rand: rand.New(rand.NewPCG(values, 2)), root: s.node}
		for range 5 {
			v := m.make(s.node, 0)
			for range changes % 4 {
				m.mutate(v)
			}
			text := v.String()
			s.tryBroken(t, text, int(cut))
			if s.try(t, text) {
				s.tryStraight(t, text)
			}
		}
	})
}

// tryBroken has Quick read text that is cut off, or has a byte changed.
func (s *subject) tryBroken(t *testing.T, text string, cut int) {
	t.Helper()
	limits := scan.Limits{Bytes: 1 << 20, Depth: 8}
	cut %= len(text) + 1
	s.tryQuick(t, []byte(text[:cut]), limits)
	s.tryQuick(t, []byte(" "+text+"\n"), limits)
	if cut < len(text) {
		for _, c := range []byte("\x00\"\\,:]}0-. e\xff") {
			s.tryQuick(t, []byte(text[:cut]+string([]byte{c})+text[cut+1:]), limits)
			s.tryQuick(t, []byte(text[:cut]+string([]byte{c})+text[cut:]), limits)
		}
	}
}

// tryStraight compares the plan's canonical form with that of the text itself, where nothing is left
// out or filled in.
func (s *subject) tryStraight(t *testing.T, text string) {
	t.Helper()
	checked, _ := scan.Check([]byte(text), scan.Limits{Bytes: 1 << 20, Depth: 64})
	found := s.plan.Decode(checked, reflect.New(s.typ.Go).Elem())
	if s.partial || len(found.Dropped) > 0 || strings.Contains(text, "null") {
		return
	}
	got, want := s.plan.Canonical(nil, checked), canon.Append(nil, checked)
	if string(got) != string(want) {
		t.Fatalf("%v: the plan's canonical form of %s is %s, want %s", s.typ.Go, text, got, want)
	}
}
