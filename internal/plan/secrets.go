package plan

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/path"
	"github.com/jig-go/jig/internal/scan"
)

// secrets says which places of a value hold what no message may show: properties that are marked,
// and paths. A nil *secrets has none.
type secrets struct {
	root  *rule
	paths [][]path.Step
}

// Redact adds to the values that no message shows those at the paths. A path that leads nowhere in
// the schema is left out. It is for use before the plan is shared.
func (p *Plan) Redact(paths []string) {
	for _, text := range paths {
		if steps, err := path.Parse(text); err == nil && p.root.leads(steps) {
			p.hide().paths = append(p.secrets.paths, steps)
		}
	}
}

// Leads reports whether a path can lead to a value that the schema accepts.
func (p *Plan) Leads(steps []path.Step) bool { return p.root.leads(steps) }

// Tag marks the properties that fill fields tagged jig:"redact" of the type, or would fill them. It
// is for use before the plan is shared.
func (p *Plan) Tag(t *codec.Type) {
	if !t.Redacts() {
		return // nothing to mark, as of most types
	}
	tagged := tagger{}
	tagged.mark(p.root, t)
	if !slices.ContainsFunc(slices.Collect(maps.Values(tagged)), func(hit bool) bool { return hit }) {
		return
	}
	p.hide()
	for again := true; again; {
		again = false
		for seen := range tagged {
			if !seen.rule.holds && seen.rule.holdsBelow() {
				seen.rule.holds, again = true, true
			}
		}
	}
}

// Secretive reports whether there are values that no message may show.
func (p *Plan) Secretive() bool { return p.secrets != nil }

func (p *Plan) hide() *secrets {
	if p.secrets == nil {
		p.secrets = &secrets{root: p.root}
	}
	return p.secrets
}

// A tagger holds what it has seen, and whether a property was marked right there.
type tagger map[taggedRule]bool

type taggedRule struct {
	rule *rule
	typ  *codec.Type
}

func (g tagger) mark(r *rule, t *codec.Type) {
	if r == nil || t == nil {
		return
	}
	t, _ = t.Base()
	at := taggedRule{r, t}
	if _, seen := g[at]; seen {
		return
	}
	g[at] = false
	g.mark(r.orNull, t)
	if r.arr != nil {
		for _, item := range r.arr.prefix {
			g.mark(item, t.Elem)
		}
		g.mark(r.arr.items, t.Elem)
	}
	if r.obj == nil {
		return
	}
	g.mark(r.obj.extra, t.Elem)
	for i := range r.obj.props {
		p := &r.obj.props[i]
		if f := t.Field(p.name); t.Kind == codec.Struct && f != nil {
			if f.Redact {
				p.secret, g[at] = true, true
			}
			g.mark(p.rule, f.Type)
		} else {
			g.mark(p.rule, t.Elem)
		}
	}
}

// Shown returns a pointer into a value without the names of members that no message may show.
func (p *Plan) Shown(pointer string) string {
	if p.secrets == nil || pointer == "" {
		return pointer
	}
	var at []step
	for _, token := range strings.Split(pointer, "/")[1:] {
		s := step{name: unescape(token), index: -1}
		if i, err := strconv.Atoi(token); err == nil && i >= 0 {
			s = step{index: i}
		}
		at = append(at, s)
	}
	return pointerTo(p.secrets.nameless(at))
}

func unescape(token string) string {
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
}

// leads reports whether steps can lead to a value below the rule.
func (r *rule) leads(steps []path.Step) bool {
	for _, s := range steps {
		for r != nil && r.orNull != nil {
			r = r.orNull
		}
		switch {
		case r == nil || r.open:
			return true // anything may be there
		case s.Kind == path.Items && r.kinds.has(scan.Array):
			r = r.arr.item(s.From)
			continue
		case s.Kind == path.Items || !r.kinds.has(scan.Object) || r.obj == nil:
			return false
		case s.Kind == path.AllMembers:
			return true
		}
		at, declared := r.obj.index[s.Name]
		if !declared {
			return r.general != nil || r.obj.extra != nil
		}
		r = r.obj.props[at].rule
	}
	return true
}

// hides reports whether a value at the place is redacted, is inside of one that is, or may hold one
// that is.
func (s *secrets) hides(at []step) bool {
	if s == nil {
		return false
	}
	for _, p := range s.paths {
		if n := min(len(p), len(at)); matches(p[:n], at[:n]) {
			return true
		}
	}
	depth, end := s.marked(at)
	return depth >= 0 || end != nil && end.holds
}

// matches reports whether steps of a path lead to the place. Requirement: both are equally long.
func matches(p []path.Step, at []step) bool {
	for i, s := range p {
		index := at[i].index
		switch {
		case s.Kind == path.Items && (index < s.From || s.To >= 0 && index >= s.To):
			return false
		case s.Kind != path.Items && index >= 0, s.Kind == path.Member && at[i].name != s.Name:
			return false
		}
	}
	return true
}

// marked returns how many steps lead to the first marked property on the way to the place, or -1,
// and the rule of the place, or nil where that is not known.
func (s *secrets) marked(at []step) (depth int, end *rule) {
	depth, r := -1, s.root
	for i, st := range at {
		var secret bool
		if r, secret = r.child(st); secret && depth < 0 {
			depth = i + 1
		}
	}
	for r != nil && r.orNull != nil {
		r = r.orNull
	}
	return depth, r
}

// child returns the rule one step below, or nil, and whether the property is marked.
func (r *rule) child(s step) (child *rule, secret bool) {
	for r != nil && r.orNull != nil {
		r = r.orNull
	}
	switch {
	case r == nil:
		return nil, false
	case s.index >= 0:
		return r.arr.item(s.index), false
	case r.obj == nil:
		return nil, false
	}
	if i, ok := r.obj.index[s.name]; ok {
		return r.obj.props[i].rule, r.obj.props[i].secret
	}
	return r.obj.extra, false
}

// nameless returns the place with the names that are not declared replaced, inside of what is
// redacted.
func (s *secrets) nameless(at []step) []step {
	if s == nil {
		return at
	}
	depth, _ := s.marked(at)
	for _, p := range s.paths {
		if len(p) <= len(at) && matches(p, at[:len(p)]) && (depth < 0 || len(p) < depth) {
			depth = len(p)
		}
	}
	if depth < 0 || depth == len(at) {
		return at
	}
	out := append([]step(nil), at...)
	r := s.root
	for i, st := range at {
		for r != nil && r.orNull != nil {
			r = r.orNull
		}
		declared := st.index >= 0 && r != nil && r.kinds.has(scan.Array)
		if r != nil && r.obj != nil && st.index < 0 {
			_, declared = r.obj.index[st.name]
		}
		if i >= depth && !declared {
			out[i] = step{name: Redacted, index: -1}
		}
		r, _ = r.child(st)
	}
	return out
}

func (r *rule) holdsBelow() bool {
	holds := func(r *rule) bool { return r != nil && r.holds }
	if holds(r.orNull) {
		return true
	}
	if r.arr != nil {
		for _, item := range r.arr.prefix {
			if holds(item) {
				return true
			}
		}
		if holds(r.arr.items) {
			return true
		}
	}
	if r.obj == nil {
		return false
	}
	for i := range r.obj.props {
		if p := &r.obj.props[i]; p.secret || holds(p.rule) {
			return true
		}
	}
	return holds(r.obj.extra)
}
