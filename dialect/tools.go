package dialect

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/internal/tree"
)

// Tools returns the value that a request of this provider has for its tools: the definitions of the
// registry in the order in which they were registered, and what was done to them. The bytes are the
// same from run to run, and are the caller's.
//
// A strict tool is written by the strict rules of the provider and flagged where the wire has a
// flag, any other by the loose ones. Nothing goes out that the provider would refuse: the error is
// then a *[RefusedError] with every reason, and what can be done about it.
//
// The definitions are rendered once, and again when the registry has changed.
func (d Dialect) Tools(r *jig.Registry, options ...Option) (json.RawMessage, *Report, error) {
	made := d.listed(r, options)
	if made.err != nil {
		return nil, nil, made.err
	}
	return bytes.Clone(made.text), made.report, nil
}

// A listing is what Tools returns. It never changes.
type listing struct {
	tools  []*jig.Tool // from which it was made
	text   json.RawMessage
	report *Report
	err    error
}

// render makes a listing.
func (d Dialect) render(tools []*jig.Tool, s *settings) *listing {
	made := &listing{tools: tools}
	b, err := d.batch(tools, s)
	if made.err = err; err == nil {
		made.text, made.report = b.write()
	}
	return made
}

// batch prepares the tools of one request: it shapes each by its profile, and then counts what the
// request as a whole has.
func (d Dialect) batch(tools []*jig.Tool, s *settings) (*batch, error) {
	d.api() // the zero Dialect has no profiles either
	if err := d.check(s, tools); err != nil {
		return nil, d.failed(err)
	}
	b := &batch{dialect: d, settings: s}
	var err error
	if b.strict, b.loose, err = d.profiles(s); err != nil {
		return nil, d.failed(err)
	}
	for _, t := range tools {
		b.shaped = append(b.shaped, b.shape(t))
	}
	return b, b.refusal()
}

// A batch is the tools of one request on their way to the wire.
type batch struct {
	dialect       Dialect
	settings      *settings
	strict, loose jig.Profile
	shaped        []shaped
}

// A shaped is one tool by the rules of a profile.
type shaped struct {
	tool     *jig.Tool
	profile  jig.Profile
	form     form
	sent     *jig.Schema // by the profile, or nil if it is refused
	changes  []jig.Change
	refusals []Refusal
	notes    []string
}

// shape writes one tool by its profile.
func (b *batch) shape(t *jig.Tool) shaped {
	if !t.Strict() {
		return b.shapeBy(t, b.loose, false)
	}
	if !b.settings.isLoose(t) {
		return b.shapeBy(t, b.strict, true)
	}
	out := b.shapeBy(t, b.loose, false)
	out.notes = append(out.notes, "it is strict, and sent without, as Loose asks")
	return out
}

// shapeBy writes a tool by any profile.
func (b *batch) shapeBy(t *jig.Tool, p jig.Profile, flagged bool) shaped {
	out := shaped{tool: t, profile: p, form: form{
		name: b.dialect.wireName(t.Name()), title: t.Title(), strict: flagged, hints: t.Hints(),
		deferred: slices.Contains(b.settings.Deferred, t.Name()),
	}}
	if s := t.OutputSchema(); s != nil {
		out.form.output = s.JSON()
	}
	out.tighten()
	if b.dialect.noEmpty && out.sent != nil && !hasProperties(parsed(out.sent)) {
		out.form.schema = nil
	}
	out.describe(b.settings.Native && b.dialect.examples)
	return out
}

func hasProperties(root *tree.Node) bool {
	p := root.Get("properties")
	return p != nil && len(p.Named) > 0
}

// tighten writes the schema of the tool by the profile, or what the profile has against it.
func (s *shaped) tighten() {
	tightened, changes, err := s.tool.InputSchema().Tighten(s.profile)
	if err == nil {
		s.sent, s.form.schema, s.changes = tightened, tightened.JSON(), changes
		return
	}
	refused, ok := errors.AsType[*jig.DefineError](err)
	if !ok {
		s.refuse(jig.Problem{Message: err.Error()})
		return
	}
	for _, p := range refused.Problems {
		s.refuse(p)
	}
}

func (s *shaped) refuse(p jig.Problem) {
	s.refusals = append(s.refusals, Refusal{Tool: s.tool.Name(), Profile: s.profile.Name,
		Pointer: p.Pointer, Keyword: p.Keyword, Message: p.Message})
}

// parsed returns a tree of the form of a schema that is shown to a model.
func parsed(s *jig.Schema) *tree.Node {
	root, ok := tree.Parse(s.JSON())
	if !ok {
		panic("jig: internal error: a schema is no schema")
	}
	return root
}

// write writes the definitions and the report.
func (b *batch) write() (json.RawMessage, *Report) {
	list := make([]json.RawMessage, len(b.shaped))
	for i, s := range b.shaped {
		list[i] = b.dialect.api().definition(s.form)
	}
	list = b.mark(list)
	return b.dialect.api().tools(list), b.report(list)
}

// mark adds the mark for the provider's cache, if it is asked for.
func (b *batch) mark(list []json.RawMessage) []json.RawMessage {
	if !b.settings.Cache || len(list) == 0 {
		return list
	}
	if entry := b.dialect.cacheEntry; entry != "" {
		return append(list, json.RawMessage(entry))
	}
	last := len(list) - 1
	for b.shaped[last].form.deferred { // check made sure that one is not
		last--
	}
	list[last] = with(list[last], b.dialect.cacheField, json.RawMessage(ephemeral))
	return list
}

func (b *batch) report(list []json.RawMessage) *Report {
	r := &Report{dialect: b.dialect.name}
	for i, s := range b.shaped {
		name := s.tool.Name()
		cost := costOf(s.form, s.tool.Plain(), list[i])
		cost.Tool = name
		r.costs = append(r.costs, cost)
		for _, c := range s.changes {
			r.changes = append(r.changes, Change{name, c})
		}
		for _, text := range s.notes {
			r.notes = append(r.notes, Note{name, text})
		}
		if s.form.strict {
			r.strict = s.profile.Name
		} else {
			r.loose = s.profile.Name
		}
	}
	if b.settings.Native && !b.dialect.examples {
		r.notes = append(r.notes, Note{"", "this wire has no field for examples: they stay in the " +
			"descriptions"})
	}
	return r
}
