package jig

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/plan"
	"github.com/jig-go/jig/internal/repair"
	"github.com/jig-go/jig/internal/scan"
)

// RepairMode says what is mended in arguments that are refused. Nothing is ever mended in arguments
// that are valid as sent, nothing that a mend would lose, and nothing counts that does not validate
// in full afterwards. Each mend is in [Outcome.Repairs]. A place that takes a string is never
// touched ("01234" stays), nor are the case of an enum value and a missing property.
//
// The attempts, in this order; the first that validates ends them, and else the problems of the last
// one are reported:
//
//  1. As sent.
//  2. RepairLenient, where the text is not JSON: a code fence, control tokens, trailing commas,
//     single quotes and raw control characters are mended in the text. Text that is cut off, too
//     large or too deep is not.
//  3. RepairSafe and RepairLenient: the text of a number or a boolean for one; JSON text for an array
//     or an object, the arguments themselves included; a scalar for an array that takes it as an
//     item and has maxItems 1.
//  4. RepairLenient: the same, with a scalar for any array that takes it.
//
// The zero RepairMode is RepairSafe. That a property which is not declared is dropped is no mending
// and happens in every mode.
type RepairMode uint8

// The repair modes.
const (
	// RepairSafe mends values that the model wrote as text of the right value.
	RepairSafe RepairMode = iota
	// RepairLenient mends JSON text that is broken in a known way, too.
	RepairLenient
	// RepairOff mends nothing. The model may try again.
	RepairOff
	// RepairNever mends nothing, and says that the model should not try again.
	RepairNever
)

var repairModeNames = []string{"safe", "lenient", "off", "never"}

// String returns the mode's name: safe, lenient, off or never.
func (m RepairMode) String() string { return nameOf(repairModeNames, "RepairMode", uint8(m)) }

// schemaAttempts lists the attempts that change values, by whether they are lenient.
func (m RepairMode) schemaAttempts() []bool {
	switch m {
	case RepairSafe:
		return []bool{false}
	case RepairLenient:
		return []bool{false, true}
	}
	return nil
}

// mendText mends text that is not JSON. It returns nil where that is not wanted or does not help.
func (t *Tool) mendText(raw []byte, err *scan.Error) (text []byte, repairs []Repair) {
	if t.repair != RepairLenient {
		return nil, nil
	}
	switch err.Code {
	case scan.Empty, scan.Truncated, scan.Size, scan.Depth:
		return nil, nil
	}
	text, kinds := repair.Text(raw)
	before, after := clip.Middle(clip.Valid(string(raw)), 80), clip.Middle(string(text), 80)
	if t.plan.Secretive() {
		before, after = plan.Redacted, plan.Redacted
	}
	for _, kind := range kinds {
		repairs = append(repairs, Repair{Kind: kind, Before: before, After: after})
	}
	return text, repairs
}

// A reading is the arguments of a call in the form of one attempt.
type reading struct {
	checked []byte
	mends   []Repair // what was mended to get here
	args    any      // *Args; of no use where the attempt failed
	found   plan.ResultOf[Problem]
}

func (g *reading) ok() bool { return g.found.Total == 0 }

// dropped returns the properties that were left out.
func (g *reading) dropped() []Repair {
	var out []Repair
	for _, pointer := range g.found.Dropped {
		out = append(out, Repair{Pointer: clip.Middle(pointer, 200), Kind: "unknown_property"})
	}
	return out
}

// read validates and decodes one JSON value.
func (t *Tool) read(checked []byte, mends []Repair) reading {
	return t.readInto(t.newArgs(), checked, mends)
}

// readInto is read into args, a zero *Args, which are given back where the value is refused.
func (t *Tool) readInto(args any, checked []byte, mends []Repair) reading {
	found := plan.DecodeAs[Problem](t.plan, checked, reflect.ValueOf(args).Elem())
	if found.Total > 0 {
		t.dropArgs(args)
		args = nil
	}
	return reading{checked, mends, args, found}
}

// attempts goes on from arguments read as they are: as long as they are refused it mends them as the tool's
// mode allows and reads them again. It returns the last attempt.
func (t *Tool) attempts(g reading, limits scan.Limits) reading {
	if !g.found.Mendable {
		return g // nothing that a mend could change
	}
	sent := g
	for _, lenient := range t.repair.schemaAttempts() {
		if g.ok() {
			break
		}
		text, made := t.plan.Mend(sent.checked, lenient)
		if len(made) == 0 || string(text) == string(g.checked) {
			continue
		}
		all := slices.Clone(sent.mends)
		for _, m := range made {
			all = append(all, mendRepair(m))
		}
		if _, err := scan.Check(text, limits); err != nil {
			problems := t.textProblems(err)
			g = reading{checked: text, found: plan.ResultOf[Problem]{Problems: problems, Total: len(problems)}}
			continue
		}
		g = t.read(text, all)
	}
	return g
}

// textProblems words why text is not JSON within the limits. Where the arguments may hold what
// nobody must see, nothing of the text is quoted.
func (t *Tool) textProblems(err *scan.Error) []Problem {
	problems := textError(err).Problems
	if !t.plan.Secretive() {
		return problems
	}
	p := &problems[0]
	p.Pointer = t.plan.Shown(p.Pointer)
	switch err.Code {
	case scan.Syntax, scan.Trailing, scan.Surrogate:
		p.Message = fmt.Sprintf("invalid JSON at byte %d", err.Offset)
	case scan.Duplicate:
		if p.Pointer != err.Pointer {
			p.Message = fmt.Sprintf("the key at byte %d is in its object already, want each key once",
				err.Offset)
		}
	}
	return problems
}

func mendRepair(m plan.Mend) Repair {
	return Repair{Pointer: clip.Middle(m.Pointer, 200), Kind: m.Kind, Before: m.Before, After: m.After}
}
