package jig

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/plan"
	"github.com/jig-go/jig/internal/scan"
)

// A Problem is one reason why a value or a definition is wrong.
type Problem struct {
	// Pointer is the place: a JSON pointer (RFC 6901) into the value, "" for the whole value. A
	// missing or an unknown property has its own pointer. In a DefineError it is the Go path of
	// the field, such as Args.Items[].SKU, or the name of the Spec field.
	Pointer string
	// Keyword is the JSON Schema keyword that was not met, json for text that is not JSON; in a
	// DefineError it may be empty.
	Keyword string
	// Message says what was got and what is wanted.
	Message string
}

// maxPointer bounds the bytes of a pointer in a text: a model chooses the names in it.
const maxPointer = 200

// String returns the place, shortened in the middle where it is long, and the message in one line.
func (p Problem) String() string {
	if p.Pointer == "" {
		return p.Message
	}
	return string(appendProblem(nil, p.Pointer, p.Message))
}

// appendProblem appends what Problem.String returns.
func appendProblem[S string | []byte](dst []byte, pointer, message S) []byte {
	if len(pointer) == 0 {
		return append(dst, message...)
	}
	dst = appendPointer(dst, pointer)
	return append(append(dst, ": "...), message...)
}

// appendPointer appends a pointer in quotes, shortened in the middle where it is long.
func appendPointer[S string | []byte](dst []byte, s S) []byte {
	if len(s) > maxPointer || !standsInQuotes(s) {
		return strconv.AppendQuote(dst, clip.Middle(string(s), maxPointer))
	}
	return append(append(append(dst, '"'), s...), '"')
}

// standsInQuotes reports whether nothing of s has to be escaped, as in most pointers.
func standsInQuotes[S string | []byte](s S) bool {
	for i := range len(s) {
		if c := s[i]; c > '~' || c < ' ' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// A ValidationError says everything that is wrong with one value. Its words are for the model that
// wrote the value, and are the same on every run.
type ValidationError struct {
	Problems []Problem // sorted by Pointer, then Keyword
	// more counts the problems beyond the first thousand, which are not kept.
	more int
}

// maxShown is how many problems one text lists.
const maxShown = 10

// Error lists the problems, one a line, at most ten.
func (e *ValidationError) Error() string { return listProblems(e.Problems, e.more, "") }

func listProblems(problems []Problem, more int, indent string) string {
	return string(appendProblems(nil, problems, more, indent))
}

func appendProblems(dst []byte, problems []Problem, more int, indent string) []byte {
	for i, p := range problems {
		if i == maxShown {
			more += len(problems) - maxShown
			break
		}
		if i > 0 {
			dst = append(dst, '\n')
		}
		dst = appendProblem(append(dst, indent...), p.Pointer, p.Message)
	}
	if more > 0 {
		dst = fmt.Appendf(dst, "\n%sand %d more", indent, more)
	}
	return dst
}

func problemsError(found plan.ResultOf[Problem]) error {
	if found.Total == 0 {
		return nil
	}
	return &ValidationError{Problems: found.Problems, more: found.More()}
}

// textError is the ValidationError for text that is not one JSON value within the limits.
func textError(err *scan.Error) *ValidationError {
	return &ValidationError{Problems: []Problem{
		{Pointer: err.Pointer, Keyword: "json", Message: err.Message},
	}}
}

// A DefineError says everything that is wrong with the definition of one tool.
type DefineError struct {
	Tool     string    // the name as given; empty for a schema alone
	Problems []Problem // in the order of the Spec; Pointer is a Go path
	alone    bool      // of a schema alone, not of a tool without a name
}

// Error lists the problems, one a line.
func (e *DefineError) Error() string {
	head := "jig: tool " + strconv.Quote(e.Tool)
	if e.alone {
		head = "jig: schema"
	}
	lines := make([]string, 0, len(e.Problems))
	for _, p := range e.Problems {
		line := head + ": " + p.Message
		if p.Pointer != "" {
			line = head + ": " + p.Pointer + ": " + p.Message
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
