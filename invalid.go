package jig

import (
	"bytes"
	"strings"

	"github.com/jig-go/jig/internal/plan"
)

// aroundProblems is what stands before and after problems with the arguments of a tool.
type aroundProblems struct{ before, after string }

func newAroundProblems(tool string) aroundProblems {
	return aroundProblems{"The arguments of " + tool + " are invalid and nothing was run:\n",
		"\n" + correctThem(tool)}
}

// invalidArguments words problems with arguments, and how many more there are, with what to do next.
func (t *Tool) invalidArguments(problems []Problem, more int) *failure {
	var room [512]byte // on the stack: for a few problems
	text := append(room[:0], t.around.before...)
	text = appendProblems(text, problems, more, "- ")
	return t.invalid(new(failure), problems, more, string(append(text, t.around.after...)))
}

// invalidFindings is invalidArguments for what the quick pass has found, which it ends. A few problems are
// parts of the text, and the failure is f.
func (t *Tool) invalidFindings(f *failure, found *plan.Findings) *failure {
	if found.Total() > maxShown {
		all := plan.EndAs[Problem](found)
		return t.invalidArguments(all.Problems, all.More())
	}
	var room [512]byte
	var spots [maxShown]spot
	problems := make([]Problem, found.Len())
	text := append(room[:0], t.around.before...)
	for i := range problems {
		if i > 0 {
			text = append(text, '\n')
		}
		text = spots[i].append(append(text, "- "...), found, i, &problems[i])
	}
	found.End()
	whole := string(append(text, t.around.after...))
	for i := range problems {
		p, at := &problems[i], &spots[i]
		p.Message = whole[at.message:at.end]
		if at.pointer > 0 {
			p.Pointer = whole[at.line+1 : at.line+1+at.pointer]
		}
	}
	return t.invalid(f, problems, 0, whole)
}

// A spot says where a problem stands in a text.
type spot struct {
	line, message, end int
	// pointer is how many bytes of it follow the quote that starts the line. Zero: it is empty, or has memory
	// of its own.
	pointer int
}

// append appends the line of a finding, and fills what p has of its own.
func (s *spot) append(dst []byte, found *plan.Findings, i int, p *Problem) []byte {
	pointer, keyword, message := found.At(i)
	s.line = len(dst)
	dst = appendProblem(dst, pointer, message)
	s.message, s.end = len(dst)-len(message), len(dst)
	if p.Keyword = keyword; bytes.HasPrefix(dst[s.line+1:], pointer) {
		s.pointer = len(pointer)
	} else {
		p.Pointer = string(pointer)
	}
	return dst
}

// invalid fills f.
func (t *Tool) invalid(f *failure, problems []Problem, more int, text string) *failure {
	*f = failure{Status: StatusInvalid, Code: codeInvalid, Stage: stageValidate, Retryable: true,
		Problems: problems, More: more, Text: text}
	return t.judged(f)
}

// incompleteArguments is for a call that was cut off; it never runs, however much arrived.
func (t *Tool) incompleteArguments(problems []Problem) *failure {
	name := t.Name()
	return t.judged(&failure{Status: StatusInvalid, Code: codeIncomplete, Stage: stageValidate,
		Retryable: true, Problems: problems,
		Text: "The arguments of " + name + " were cut off before they were complete, and nothing was " +
			"run. " + sendThemWhole(name)})
}

// judged makes an invalid outcome of a tool that is never repaired the last word.
func (t *Tool) judged(f *failure) *failure {
	if t.repair == RepairNever {
		f.Retryable, f.Text = false, stopText(t.Name(), f.Text)
	}
	return f
}

// The sentences that say what to do after an invalid call.
func correctThem(tool string) string { return "Correct them and call " + tool + " again." }

func sendThemWhole(tool string) string {
	return "Call " + tool + " again with the whole arguments; if they are long, send less at a time."
}

// stopText says stop at the end of the text of an invalid call, in the place of what to do next.
func stopText(tool, text string) string {
	for _, next := range []string{correctThem(tool), sendThemWhole(tool)} {
		text = strings.TrimSuffix(text, next)
	}
	return strings.TrimRight(text, " \n") + "\nDo not call " + plainName(tool) +
		" again with these arguments; tell the user what is missing."
}
