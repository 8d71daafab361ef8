// Package near finds the declared names that a mistyped one was probably meant
// to be.
//
// Two names are near when they differ only in case and separators, or by a
// small number of typing slips. The answer is a suggestion for a human or a
// model to read. Whoever acts on a name without asking compares Fold results
// and goes no further than that.
package near

import (
	"slices"
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

// Is reports whether a is near to the declared name b: equal after Fold, or at
// most one slip away when b has up to five runes, and two when it is longer. A
// slip is a rune inserted, left out or replaced, or two neighbours swapped.
//
// Slips are counted on the names as written, so case counts. When either name
// has one or two runes, or more than 200, only Fold decides.
func Is(a, b string) bool {
	var room [shortRunes]rune
	p := newProbe(a, room[:0])
	return p.rank(b) != far
}

// Names returns the declared names that are near to name, at most three, the
// nearest first and otherwise in declared order. It returns nil when none is.
func Names(name string, declared []string) []string {
	return AppendNames(nil, name, declared)
}

// AppendNames appends what Names returns.
func AppendNames(dst []string, name string, declared []string) []string {
	var room [shortRunes]rune
	p := newProbe(name, room[:0])
	start := len(dst)
	var ranks [maxNames]int // of what was appended, in this order
	for _, d := range declared {
		r := p.rank(d)
		// Those of equal rank stay in declared order.
		i := len(dst) - start
		for i > 0 && ranks[i-1] > r {
			i--
		}
		if r == far || i == maxNames {
			continue
		}
		copy(ranks[i+1:], ranks[i:])
		ranks[i] = r
		dst = slices.Insert(dst, start+i, d)
		dst = dst[:min(len(dst), start+maxNames)]
	}
	return dst
}

// A probe is a given name, prepared once for comparison with many declared ones.
type probe struct {
	name  string
	fold  string
	runes []rune // nil when the length rules out counting slips
}

// shortRunes is the length of names that take no memory but the stack.
const shortRunes = 32

// newProbe prepares a name. Its runes stand in room, if they fit.
func newProbe(name string, room []rune) probe {
	p := probe{name: name, fold: Fold(name)}
	if countable(name) {
		p.runes = appendRunes(room, name)
	}
	return p
}

func appendRunes(dst []rune, s string) []rune {
	for _, r := range s {
		dst = append(dst, r)
	}
	return dst
}

// countable reports whether slips may be counted on name.
func countable(name string) bool {
	n := utf8.RuneCountInString(name)
	return n > foldOnly && n <= maxRunes
}

// rank returns how far the declared name is: 0 for the same name, 1 for the same
// fold, 1 + slips otherwise, and far when it is not near.
func (p *probe) rank(declared string) int {
	if p.name == declared {
		return 0
	}
	// "_" and "-" both fold to nothing, and are not the same name.
	if p.fold != "" && p.fold == Fold(declared) {
		return 1
	}
	if p.runes == nil || !countable(declared) {
		return far
	}
	var room [shortRunes]rune
	b := appendRunes(room[:0], declared)
	limit := 2
	if len(b) <= 5 {
		limit = 1
	}
	if d := distance(p.runes, b, limit); d <= limit {
		return 1 + d
	}
	return far
}

// distance returns the optimal string alignment distance of a and b: the fewest slips that turn one
// into the other, no rune being touched twice. Where they are more than limit it returns a number
// above limit. It tries every slip at the first difference, which for a small limit is less work than
// the usual table.
func distance(a, b []rune, limit int) int {
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
