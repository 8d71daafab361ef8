package measure

import (
	"context"
	"encoding/json"
	"regexp"
	"runtime/debug"
	"slices"
)

// A Peer is one way to bring a call to a tool.
type Peer struct {
	Name   string
	Module string // whose version is reported; empty for the standard library
	Path   string // what is called, and anything a reader has to know about it

	// Define maps the name of a tool to what defines it afresh. A tool that is not there is not
	// measured.
	Define map[string]func() Call

	// Kinds are the cases that are measured; nil means all, and defining a tool too.
	Kinds []string

	// List defines n tools, and returns what makes their definitions as JSON and counts its bytes.
	// Nil for a peer without definitions.
	List func(n int) func() int
}

// A Call makes one call of a defined tool, from the bytes that a model sent to those it gets.
type Call func(Input) Answer

// An Answer is what came of a call: its text, or its JSON. A peer fills in the one it has at hand.
type Answer struct {
	Text    string
	JSON    []byte
	Refused bool
}

// String returns the text that a model would read.
func (a Answer) String() string {
	if a.JSON != nil {
		return string(a.JSON)
	}
	return a.Text
}

// Refuse returns the answer of a call that was refused because of err.
func Refuse(err error) Answer { return Answer{Text: err.Error(), Refused: true} }

// Baseline is the name of the peer that all others are compared with.
const Baseline = "encoding/json"

// JSON is the baseline: decode into the struct, run, encode, and no check at all.
var JSON = Peer{
	Name: Baseline,
	Path: "Unmarshal, the function, Marshal",
	Define: map[string]func() Call{
		"small":  func() Call { return DefineJSON(SmallTool) },
		"medium": func() Call { return DefineJSON(MediumTool) },
		"bulk":   func() Call { return DefineJSON(BulkTool) },
	},
}

// DefineJSON makes a tool of the baseline.
func DefineJSON[Args, Result any](t Tool[Args, Result]) Call {
	return func(in Input) Answer {
		var args Args
		if err := json.Unmarshal(in.Raw, &args); err != nil {
			return Refuse(err)
		}
		result, err := t.Execute(context.Background(), args)
		if err != nil {
			return Refuse(err)
		}
		raw, err := json.Marshal(result)
		if err != nil {
			return Refuse(err)
		}
		return Answer{JSON: raw}
	}
}

// measures reports whether the peer has the kind of case.
func (p Peer) measures(kind string) bool { return p.Kinds == nil || slices.Contains(p.Kinds, kind) }

// version returns the version of the peer's module in this program.
func (p Peer) version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range info.Deps {
		if m.Path == p.Module && m.Replace == nil {
			return m.Version
		}
	}
	return ""
}

// A Verdict is what a peer made of the calls that are not valid, found by making them.
type Verdict struct {
	Refused, Named, Wrong int // calls; fields that are wrong, and those that the refusals name
}

// Judge makes the calls of a kind to each tool of the peer.
func (p Peer) Judge(kind string) Verdict {
	var v Verdict
	for _, tool := range toolNames {
		define, ok := p.Define[tool]
		if !ok || !p.measures(kind) {
			continue
		}
		call := define()
		for _, c := range Cases(tool) {
			if c.Kind != kind {
				continue
			}
			answer := call(c.Input)
			v.Wrong += len(c.Wrong)
			if answer.Refused {
				v.Refused++
				v.Named += named(answer.String(), c.Wrong)
			}
		}
	}
	return v
}

// named counts the fields whose names are words of the text.
func named(text string, fields []string) int {
	n := 0
	for _, field := range fields {
		if regexp.MustCompile(`\b` + field + `\b`).MatchString(text) {
			n++
		}
	}
	return n
}

// toolNames are the tools, in the order of reports.
var toolNames = []string{"small", "medium", "bulk"}
