// Package near finds the declared names that a mistyped one was probably meant
// to be.
//
// Two names are near when they differ only in case and separators, or by a
// small number of typing slips. The answer is a suggestion for a human or a
// model to read. Whoever acts on a name without asking compares Fold results
// and goes no further than that.
package near

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxRunes = 200 // longer names are compared by Fold only, which bounds the cost
	maxNames = 3   // more suggestions than this read as a list, not as a hint
	foldOnly = 2   // at this length one slip already replaces half of the name
	far      = -1  // the rank of a name that is not near
)

// Fold returns name without case and without the separators '.', '-', '_' and
// white space. Names that read the same fold to equal strings. Accents stay, and
// composed and decomposed forms of one letter differ.
//
// A name of separators alone folds to "", which says nothing about its identity.
func Fold(name string) string {
	if isFolded(name) {
		return name
	}
	return strings.Map(foldRune, name)
}

// isFolded reports whether name has nothing but small letters and digits, as
// most names.
func isFolded(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// foldRune maps r to the one rune that stands for all its case variants, and
// drops separators.
func foldRune(r rune) rune {
	switch {
	case r == '.' || r == '-' || r == '_' || unicode.IsSpace(r):
		return -1
	case r < utf8.RuneSelf:
		return unicode.ToLower(r)
	}
	// Lower-casing alone would keep ς and σ apart, and the Kelvin sign and k.
	// The runes of one case orbit share their smallest member.
	least := r
	for v := unicode.SimpleFold(r); v != r; v = unicode.SimpleFold(v) {
		least = min(least, v)
	}
	return unicode.ToLower(least)
}

// Names returns the declared names that are near to name, at most three, the
// nearest first and otherwise in declared order. It returns nil when none is.
func Names(name string, declared []string) []string {
	var h Hits
	h.Find(name, PrepareAll(declared))
	var out []string
	for _, i := range h.Index[:h.N] {
		out = append(out, declared[i])
	}
	return out
}

// Hits are the nearest of some names: at most three, the nearest first and otherwise in their order.
type Hits struct {
	N           int           // how many there are
	Index, rank [maxNames]int // of each, the index among the names
}

// Find finds what Names returns among names that were prepared. The Hits are zero before.
func (h *Hits) Find(name string, declared []Name) {
	given := Prepare(name)
	for i := range declared {
		h.add(i, given.rank(&declared[i]))
	}
}

func (h *Hits) add(index, rank int) {
	if rank == far {
		return
	}
	at := h.N
	for ; at > 0 && h.rank[at-1] > rank; at-- {
		if at < maxNames {
			h.Index[at], h.rank[at] = h.Index[at-1], h.rank[at-1]
		}
	}
	if at < maxNames {
		h.Index[at], h.rank[at] = index, rank
		h.N = min(h.N+1, maxNames)
	}
}

// A Name is a name, prepared once for comparison with many.
type Name struct {
	text, fold     string
	letters, twice uint64 // those of fold, each as one bit: all, and those there more than once
	runes          int    // of text
	ascii          bool
}

// Prepare prepares a name.
func Prepare(name string) Name {
	n := Name{text: name, fold: Fold(name), runes: len(name), ascii: isASCII(name)}
	if !n.ascii {
		n.runes = utf8.RuneCountInString(name)
	}
	for _, r := range n.fold {
		letter := uint64(1) << (uint32(r) % 64)
		n.twice |= n.letters & letter
		n.letters |= letter
	}
	return n
}

// PrepareAll prepares names.
func PrepareAll(names []string) []Name {
	out := make([]Name, len(names))
	for i, name := range names {
		out[i] = Prepare(name)
	}
	return out
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// slips returns how many slips may lie between a name and the declared name n.
func (n *Name) slips() int {
	if n.runes <= 5 {
		return 1
	}
	return 2
}

// Apart reports whether either name has so many letters that the other one lacks that the two are not
// near, which costs less to find out than whether they are. A slip makes up for one such letter of each.
func (n *Name) Apart(declared *Name) bool {
	return max(n.lacking(declared), declared.lacking(n)) > declared.slips()
}

// lacking returns how many letters of other n lacks, at least.
func (n *Name) lacking(other *Name) int {
	return bitsOf(other.letters&^n.letters) + bitsOf(other.twice&^n.twice)
}

// bitsOf returns the number of bits that are set, which are few: bits.OnesCount64 takes more code, as it asks
// first what the processor can do.
func bitsOf(set uint64) (n int) {
	for ; set != 0; set &= set - 1 {
		n++
	}
	return n
}

// Folded reports whether both names fold to the same, and to something.
func (n *Name) Folded(declared *Name) bool { return n.fold == declared.fold && n.fold != "" }

// Near reports whether the name is near to a declared one: equal after Fold, or at
// most one slip away when that has up to five runes, and two when it is longer. A
// slip is a rune inserted, left out or replaced, or two neighbours swapped.
//
// Slips are counted on the names as written, so case counts. When either name
// has one or two runes, or more than 200, only Fold decides.
func (n *Name) Near(declared *Name) bool { return n.rank(declared) != far }

// rank returns how far the declared name is: 0 for the same name, 1 for the same
// fold, 1 + slips otherwise, and far when it is not near.
func (n *Name) rank(declared *Name) int {
	switch {
	case n.text == declared.text:
		return 0
	case n.Apart(declared):
		return far
	case n.Folded(declared): // "_" and "-" both fold to nothing, and are not the same name
		return 1
	case !n.countable() || !declared.countable():
		return far
	}
	return n.rankBySlips(declared)
}

// countable reports whether slips may be counted on the name.
func (n *Name) countable() bool { return n.runes > foldOnly && n.runes <= maxRunes }

func (n *Name) rankBySlips(declared *Name) int {
	limit := declared.slips()
	var d int
	if n.ascii && declared.ascii {
		d = distance([]byte(n.text), []byte(declared.text), limit)
	} else {
		d = distance([]rune(n.text), []rune(declared.text), limit)
	}
	if d > limit {
		return far
	}
	return 1 + d
}

// distance returns the optimal string alignment distance of a and b: the fewest slips that turn one
// into the other, no letter being touched twice. Where they are more than limit it returns a number
// above limit. It tries every slip at the first difference, which for a small limit is less work than
// the usual table.
func distance[T byte | rune](a, b []T, limit int) int {
	if diff := len(a) - len(b); diff > limit || -diff > limit {
		return limit + 1
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	switch {
	case len(a) == 0 || len(b) == 0:
		return len(a) + len(b)
	case limit == 0:
		return 1
	}
	limit--
	least := min(distance(a[1:], b[1:], limit), distance(a[1:], b, limit), distance(a, b[1:], limit))
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		least = min(least, distance(a[2:], b[2:], limit))
	}
	return 1 + least
}
