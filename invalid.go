package jig

import (
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
	return t.invalidInto(new(failure), problems, more)
}

// invalidInto is invalidArguments in f.
func (t *Tool) invalidInto(f *failure, problems []Problem, more int) *failure {
	var room [512]byte // on the stack: for a few problems
	text := append(room[:0], t.around.before...)
	text = appendProblems(text, problems, more, "- ")
	return t.invalid(f, problems, more, string(append(text, t.around.after...)))
}

// invalidFindings is invalidInto for what the quick pass has found, which it ends. A few problems are parts
// of the text.
func (t *Tool) invalidFindings(f *failure, found *plan.Findings) *failure {
	n := found.Len()
	if found.Total() > maxShown {
		all := plan.EndAs[Problem](found)
		return t.invalidInto(f, all.Problems, all.More())
	}
	var room [512]byte
	var ends [maxShown]int // of the messages
	text := append(room[:0], t.around.before...)
	for i := range n {
		if i > 0 {
			text = append(text, '\n')
		}
		pointer, _, message := found.At(i)
		text = appendProblem(append(text, "- "...), pointer, message)
		ends[i] = len(text)
	}
	whole := string(append(text, t.around.after...))
	problems := make([]Problem, n)
	for i := range problems {
		pointer, keyword, message := found.At(i)
		before := whole[:ends[i]-len(message)]
		problems[i] = Problem{pointerIn(before, pointer), keyword, whole[len(before):ends[i]]}
	}
	found.End()
	return t.invalid(f, problems, 0, whole)
}

// pointerIn returns a pointer as a part of the line that it starts, or else in memory of its own.
func pointerIn(line string, pointer []byte) string {
	end := len(line) - len(`": `)
	if start := end - len(pointer); start >= 0 && line[start:end] == string(pointer) {
		return line[start:end]
	}
	return string(pointer)
}

// invalid fills f.
func (t *Tool) invalid(f *failure, problems []Problem, more int, text string) *failure {
	f.Status, f.Code, f.Stage, f.Text, f.Retryable = StatusInvalid, codeInvalid, stageValidate, text, true
	f.Problems, f.More = problems, more
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
