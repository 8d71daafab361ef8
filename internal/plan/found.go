package plan

import (
	"slices"
	"strings"
)

// A Problem is one reason why a value does not meet a schema. Its words are for the model: what was
// got, shortened, and what is wanted. They name no Go type.
type Problem struct{ Pointer, Keyword, Message string }

// compare orders problems by place, keyword and message.
func (p Problem) compare(q Problem) int {
	if c := strings.Compare(p.Pointer, q.Pointer); c != 0 {
		return c
	}
	if c := strings.Compare(p.Keyword, q.Keyword); c != 0 {
		return c
	}
	return strings.Compare(p.Message, q.Message)
}

// A finding is a problem as long as more is to be found: offsets into the words of the run.
type finding struct {
	keyword               string
	pointer, message, end int
}

// problemsOf returns what was found, sorted. The texts of all problems are parts of one.
func problemsOf[P alike](d *run) []P {
	if len(d.found) == 0 {
		return nil
	}
	words := string(d.words)
	list := make([]P, len(d.found))
	for i, f := range d.found {
		list[i] = P(Problem{words[f.pointer:f.message], f.keyword, words[f.message:f.end]})
	}
	slices.SortFunc(list, func(a, b P) int { return Problem(a).compare(Problem(b)) })
	return list
}

// problem records what the schema says against the value at the current place.
func (d *run) problem(keyword string, m message) {
	if d.quiet == 0 {
		d.problemAt(d.path, keyword, m)
	}
}

// full reports whether a problem is only to be counted, and does so: to word one takes time.
func (d *run) full() bool {
	if d.quiet > 0 || len(d.found) < maxProblems {
		return false
	}
	d.total++
	return true
}

// problemAt records a problem at any place. Its pointer does not show the names of members inside a
// redacted value, unless they are declared.
func (d *run) problemAt(at []step, keyword string, m message) {
	if len(d.found) >= maxProblems { // only counted: to word one takes time
		d.total++
		return
	}
	f := finding{keyword: keyword, pointer: len(d.words)}
	d.words = appendPointer(d.words, d.secrets.nameless(at))
	f.message = len(d.words)
	d.words = m.append(d.words)
	f.end = len(d.words)
	d.keep(f)
}

func (d *run) keep(f finding) {
	d.mendable = d.mendable || f.keyword == "type"
	if d.total++; len(d.found) < maxProblems {
		d.found = append(d.found, f)
	}
}
