package dialect

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/jig-go/jig"
)

// Results returns the messages that answer the calls of one turn, in their order, to be appended to
// the history after Turn.Messages. What a wire cannot carry is named in text.
func (d Dialect) Results(outcomes []jig.Outcome) []json.RawMessage {
	if len(outcomes) == 0 {
		return nil
	}
	named := slices.Clone(outcomes)
	for i, o := range outcomes {
		named[i].Tool = d.calledAs(o)
	}
	return d.api().results(named)
}

// calledAs is the name that the model wrote in its call, as far as an outcome knows: a wire that
// names the tool in a result wants the same one.
func (d Dialect) calledAs(o jig.Outcome) string {
	if o.Code == "unknown_tool" {
		return o.Tool
	}
	for _, repair := range o.Repairs {
		if repair.Kind == "tool_name" {
			return repair.Before
		}
	}
	return d.wireName(o.Tool)
}

// Resumed returns the message that brings the outcome of a call which was answered as pending
// before: text of the user, since each call has one result only. Bedrock wants the roles to
// alternate: where the last message is the user's, what this one has in content goes to the end of
// that.
func (d Dialect) Resumed(o jig.Outcome) json.RawMessage {
	return d.api().user("The call " + o.CallID + " of " + d.wireName(o.Tool) +
		" was pending. Its result: " + o.Text())
}

// wireName is the name of a tool on the wire.
func (d Dialect) wireName(canonical string) string {
	if d.dots {
		return canonical
	}
	return dotless(canonical)
}

// dotless writes group.tool as group__tool. A name has at most one dot.
func dotless(canonical string) string { return strings.Replace(canonical, ".", "__", 1) }
