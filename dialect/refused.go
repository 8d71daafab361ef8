package dialect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/internal/strict"
)

// A RefusedError says everything for which the provider would refuse the request.
type RefusedError struct {
	Dialect  string    // its name
	Refusals []Refusal // in the order of the tools; those of the whole request are last
	// Loose and Lossy are the tools that Tools would take with the option of that name.
	Loose, Lossy []string
}

// A Refusal is one reason why a provider would refuse a request.
type Refusal struct {
	Tool    string // canonical; empty if it is about the whole request
	Profile string // the rules that say so
	Pointer string // into the schema of the tool
	Keyword string // a keyword of JSON Schema, or a pseudo keyword of the Profile
	Message string // what is wrong, and what to change
}

// Error lists the refusals, one a line, and in a last line the ways out.
func (e *RefusedError) Error() string {
	var lines []string
	for _, r := range e.Refusals {
		line := "jig/dialect: " + e.Dialect + ": "
		if r.Tool != "" {
			line += fmt.Sprintf("tool %q: ", r.Tool)
		}
		if r.Pointer != "" {
			line += fmt.Sprintf("%q: ", r.Pointer)
		}
		lines = append(lines, line+r.Message)
	}
	return strings.Join(append(lines, e.waysOut()...), "\n")
}

func (e *RefusedError) waysOut() []string {
	var ways []string
	if len(e.Loose) > 0 {
		ways = append(ways, "to send without strict, pass dialect.Loose("+quoted(e.Loose)+")")
	}
	if len(e.Lossy) > 0 {
		ways = append(ways, "to leave out of "+quoted(e.Lossy)+" what the provider has no words for, pass "+
			"dialect.Lossy()")
	}
	if slices.ContainsFunc(e.Refusals, func(r Refusal) bool { return budgetOfStrict[r.Keyword] }) {
		ways = append(ways, "to send some of the tools without strict, pass dialect.Loose with their names")
	}
	if len(ways) == 0 {
		return nil
	}
	return []string{"jig/dialect: " + e.Dialect + ": " + strings.Join(ways, "; ")}
}

// budgetOfStrict are the bounds that count strict tools alone.
var budgetOfStrict = map[string]bool{"MaxStrict": true, "MaxOptional": true, "MaxUnions": true}

// refusal returns a *RefusedError if there is anything that the provider refuses, and else nil.
func (b *batch) refusal() error {
	e := &RefusedError{Dialect: b.dialect.name}
	for _, s := range b.shaped {
		if len(s.refusals) == 0 {
			continue
		}
		e.Refusals = append(e.Refusals, s.refusals...)
		if s.form.strict && b.taken(s.tool, b.loose, false) {
			e.Loose = append(e.Loose, s.tool.Name())
		}
		lossy := s.profile
		lossy.Lossy = true
		if !s.profile.Lossy && b.taken(s.tool, lossy, s.form.strict) {
			e.Lossy = append(e.Lossy, s.tool.Name())
		}
	}
	if len(e.Loose) > 0 && b.dialect.allOrNone {
		e.Loose, _ = b.flags()
	}
	e.Refusals = slices.Concat(e.Refusals, b.budgets(), b.mixed())
	if len(e.Refusals) == 0 {
		return nil
	}
	return e
}

// taken reports whether a tool would be taken by another profile, alone in a request.
func (b *batch) taken(t *jig.Tool, p jig.Profile, flagged bool) bool {
	one := batch{dialect: b.dialect, settings: b.settings, strict: p, loose: p}
	one.shaped = []shaped{b.shapeBy(t, p, flagged)}
	return len(one.shaped[0].refusals) == 0 && len(one.budgets()) == 0
}

// budgets counts what the request as a whole has; of a tool that is refused, the tool alone.
func (b *batch) budgets() []Refusal {
	profile := b.loose
	tools := make([]strict.Tool, len(b.shaped))
	for i, s := range b.shaped {
		if s.form.strict {
			profile = b.strict
		}
		tools[i] = strict.Tool{Name: s.tool.Name(), Strict: s.form.strict, Schema: s.form.schema}
	}
	var out []Refusal
	for _, p := range strict.CheckRequest(strict.Profile(profile), tools) {
		out = append(out, Refusal{Profile: profile.Name, Pointer: p.Pointer, Keyword: p.Keyword,
			Message: p.Message})
	}
	return out
}

// flags returns the names of the tools that go out strict, and of the others.
func (b *batch) flags() (flagged, bare []string) {
	for _, s := range b.shaped {
		if s.form.strict {
			flagged = append(flagged, s.tool.Name())
		} else {
			bare = append(bare, s.tool.Name())
		}
	}
	return flagged, bare
}

// mixed refuses strict tools beside others where that is not taken.
func (b *batch) mixed() []Refusal {
	flagged, bare := b.flags()
	if !b.dialect.allOrNone || len(flagged) == 0 || len(bare) == 0 {
		return nil
	}
	return []Refusal{{Profile: b.strict.Name, Keyword: "strict", Message: "strict has to be on every " +
		"tool of a request or on none; it is on " + quoted(flagged) + " and not on " + quoted(bare) +
		"; send all without it with dialect.Loose(), or define those strict"}}
}
