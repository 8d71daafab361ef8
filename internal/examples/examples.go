// Package examples writes the examples of a tool into its description.
package examples

import (
	"encoding/json"
	"strconv"
)

// Append returns a description followed by the examples, one a line and numbered; the description
// alone where there is none.
func Append(description string, list []json.RawMessage) string {
	if len(list) == 0 {
		return description
	}
	out := append([]byte(description), "\n\nExamples:"...)
	for i, raw := range list {
		out = append(out, '\n')
		out = strconv.AppendInt(out, int64(i+1), 10)
		out = append(append(out, ". "...), raw...)
	}
	return string(out)
}

// Fit returns the first of the examples with which the description is at most limit bytes long: a
// whole example is left out, from the end, rather than part of one. A limit of zero is none.
func Fit(description string, list []json.RawMessage, limit int) []json.RawMessage {
	for limit > 0 && len(list) > 0 && len(Append(description, list)) > limit {
		list = list[:len(list)-1]
	}
	return list
}
