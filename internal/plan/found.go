package plan

import (
	"bytes"
	"slices"
	"strings"
)

// A Problem is one reason why a value does not meet a schema. Its words are for the model: what was
// got, shortened, and what is wanted. They name no Go type.
type Problem struct{ Pointer, Keyword, Message string }

// A finding is a problem as long as more is to be found: its pointer and message stand in a row in the words
// of the run, from offset to offset.
type finding struct {
	keyword               string
	pointer, message, end int
}

// compare orders findings by pointer, keyword and message.
func (d *run) compare(a, b finding) int {
	w := d.words
	if c := bytes.Compare(w[a.pointer:a.message], w[b.pointer:b.message]); c != 0 {
		return c
	}
	if c := strings.Compare(a.keyword, b.keyword); c != 0 {
		return c
	}
	return bytes.Compare(w[a.message:a.end], w[b.message:b.end])
}

// Findings are what Quick has found, sorted: problems, and members that were left out. Whoever has them ends
// them once, by End or EndAs: they are memory that later calls use.
type Findings run

// Total returns how many problems there are, of which At has at most maxProblems.
func (f *Findings) Total() int { return f.total }

// Len returns how many problems At has.
func (f *Findings) Len() int { return len(f.found) }

// At returns the parts of a problem. The bytes are good until End or EndAs.
func (f *Findings) At(i int) (pointer []byte, keyword string, message []byte) {
	at := f.found[i]
	return f.words[at.pointer:at.message], at.keyword, f.words[at.message:at.end]
}

// Mendable says what that of a Result does.
func (f *Findings) Mendable() bool {
	return f.total > 0 && (f.plan.blind || f.total > len(f.found)) ||
		slices.ContainsFunc(f.found, func(at finding) bool { return at.keyword == "type" })
}

// End ends the findings. The nil Findings have no end.
func (f *Findings) End() {
	if f != nil {
		(*run)(f).free()
	}
}

// EndAs ends the findings and returns them as a Result. The texts of all problems are parts of one.
func EndAs[P alike](f *Findings) ResultOf[P] {
	if f == nil {
		return ResultOf[P]{}
	}
	found := ResultOf[P]{Total: f.total, Dropped: f.dropped, Mendable: f.Mendable()}
	if len(f.found) > 0 {
		words := string(f.words)
		found.Problems = make([]P, len(f.found))
		for i, at := range f.found {
			found.Problems[i] = P(Problem{words[at.pointer:at.message], at.keyword, words[at.message:at.end]})
		}
	}
	f.End()
	return found
}

// finished sorts what a run has found. One that has found nothing ends.
func (d *run) finished() *Findings {
	if d.total == 0 && len(d.dropped) == 0 {
		d.free()
		return nil
	}
	slices.SortFunc(d.found, d.compare)
	if len(d.dropped) > 1 {
		slices.Sort(d.dropped)
	}
	return (*Findings)(d)
}

// refuses begins a problem with the value at the current place, and reports whether it is to be worded,
// which because does then.
func (d *run) refuses(keyword string) bool {
	return d.quiet == 0 && d.refusesAt(d.path, keyword)
}

// refusesAt is refuses for any place, whoever judges there. The pointer does not show the names of members
// inside a redacted value, unless they are declared.
func (d *run) refusesAt(at []step, keyword string) bool {
	if d.total++; len(d.found) >= maxProblems {
		return false // only counted: to word one takes time
	}
	d.current.pointer = len(d.words)
	d.words = appendPointer(d.words, d.plan.secrets.nameless(at))
	d.current.keyword = keyword
	d.current.message = len(d.words)
	if d.closest {
		d.words = sayClosest(d.words)
	}
	return true
}

// because ends a problem: words are those of the run with the message.
func (d *run) because(words []byte) {
	d.words, d.current.end = words, len(words)
	d.found = append(d.found, d.current)
}
