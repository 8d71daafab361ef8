package plan

import (
	"bytes"
	"slices"
)

// A Problem is one reason why a value does not meet a schema. Its words are for the model: what was
// got, shortened, and what is wanted. They name no Go type.
type Problem struct{ Pointer, Keyword, Message string }

// A finding is a problem as long as more is to be found: offsets into the words of the run, where its
// pointer, keyword and message stand in a row. It holds nothing that the garbage collector looks at.
type finding struct{ pointer, keyword, message, end int }

// compare orders findings by pointer, keyword and message.
func (d *run) compare(a, b finding) int {
	w := d.words
	if c := bytes.Compare(w[a.pointer:a.keyword], w[b.pointer:b.keyword]); c != 0 {
		return c
	}
	if c := bytes.Compare(w[a.keyword:a.message], w[b.keyword:b.message]); c != 0 {
		return c
	}
	return bytes.Compare(w[a.message:a.end], w[b.message:b.end])
}

// problemsOf returns what was found, sorted. The texts of all problems are parts of one.
func problemsOf[P alike](d *run) []P {
	if len(d.found) == 0 {
		return nil
	}
	slices.SortFunc(d.found, d.compare)
	words := string(d.words)
	list := make([]P, len(d.found))
	for i, f := range d.found {
		list[i] = P(Problem{words[f.pointer:f.keyword], words[f.keyword:f.message], words[f.message:f.end]})
	}
	return list
}

// mendable reports whether a value of a refused kind was found, or may have been missed.
func (d *run) mendable() bool {
	return d.total > 0 && (d.plan.blind || d.total > len(d.found)) || slices.ContainsFunc(d.found, func(f finding) bool {
		return string(d.words[f.keyword:f.message]) == "type"
	})
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
	d.open.pointer = len(d.words)
	d.words = appendPointer(d.words, d.plan.secrets.nameless(at))
	d.open.keyword = len(d.words)
	d.words = append(d.words, keyword...)
	d.open.message = len(d.words)
	if d.closest {
		d.words = sayClosest(d.words)
	}
	return true
}

// because ends a problem: words are those of the run with the message.
func (d *run) because(words []byte) {
	d.words, d.open.end = words, len(words)
	d.found = append(d.found, d.open)
}
