package jig

import "strings"

// invalidArguments words problems with arguments, and how many more there are, with what to do next.
func (t *Tool) invalidArguments(problems []Problem, more int) *failure {
	name := t.Name()
	var room [512]byte // on the stack: for a few problems
	text := append(append(room[:0], "The arguments of "...), name...)
	text = append(text, " are invalid and nothing was run:\n"...)
	text = appendProblems(text, problems, more, "- ")
	text = appendCorrectThem(append(text, '\n'), name)
	return t.judged(&failure{Status: StatusInvalid, Code: codeInvalid, Stage: stageValidate,
		Retryable: true, Problems: problems, More: more, Text: string(text)})
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
func appendCorrectThem(dst []byte, tool string) []byte {
	return append(append(append(dst, "Correct them and call "...), tool...), " again."...)
}

func sendThemWhole(tool string) string {
	return "Call " + tool + " again with the whole arguments; if they are long, send less at a time."
}

// stopText says stop at the end of the text of an invalid call, in the place of what to do next.
func stopText(tool, text string) string {
	for _, next := range []string{string(appendCorrectThem(nil, tool)), sendThemWhole(tool)} {
		text = strings.TrimSuffix(text, next)
	}
	return strings.TrimRight(text, " \n") + "\nDo not call " + plainName(tool) +
		" again with these arguments; tell the user what is missing."
}
