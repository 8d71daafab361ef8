package codec

import "slices"

// recursive returns the types that contain themselves, directly or through others.
// Requirement: root is the root of a walk.
func recursive(root *Type) map[*Type]bool {
	if !root.whole.cyclic {
		return nil // as of most types
	}
	s := search{index: map[*Type]int{}, low: map[*Type]int{}, on: map[*Type]bool{}}
	s.found = map[*Type]bool{}
	s.visit(root)
	return s.found
}

// Shallow reports whether every value of the type is written with few levels of nesting: the type does
// not contain itself, nor anything of which only the value tells how deep it is.
func (t *Type) Shallow() bool {
	ok := func(t *Type) bool { // recursive does not look into types with a schema of their own
		return t.Kind != Any && t.Kind != Raw && t.Kind != Custom && t.own == nil
	}
	return t.all(ok) && len(recursive(t)) == 0
}

// Pure reports whether no method of a type of others is called when a value of the type is written.
func (t *Type) Pure() bool {
	return t.all(func(t *Type) bool {
		switch t.Kind {
		case Any, Custom, Error:
			return false
		case Text:
			return t.text.plain
		}
		return !slices.ContainsFunc(t.Fields, func(f Field) bool { return f.omitZero })
	})
}

// all reports whether something is so of the type and of all types inside it.
// Requirement: t is the root of a walk.
func (t *Type) all(ok func(*Type) bool) bool {
	return !slices.ContainsFunc(t.whole.types, func(t *Type) bool { return !ok(t) })
}

// search finds strongly connected components by Tarjan's algorithm.
type search struct {
	index, low map[*Type]int
	on         map[*Type]bool // on the stack
	stack      []*Type
	found      map[*Type]bool
}

func (s *search) visit(t *Type) {
	s.index[t] = len(s.index)
	s.low[t] = s.index[t]
	s.stack = append(s.stack, t)
	s.on[t] = true
	for _, next := range t.parts() {
		if _, seen := s.index[next]; !seen {
			s.visit(next)
			s.low[t] = min(s.low[t], s.low[next])
		} else if s.on[next] {
			s.low[t] = min(s.low[t], s.index[next])
			if next == t {
				s.found[t] = true
			}
		}
	}
	if s.low[t] != s.index[t] {
		return
	}
	// Invariant: the component is what stands on the stack from t on.
	for size := 1; ; size++ {
		last := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		s.on[last] = false
		if size > 1 || last != t {
			s.found[last] = true
		}
		if last == t {
			return
		}
	}
}

// parts returns the types that t is made of.
func (t *Type) parts() []*Type {
	var out []*Type
	if t.own != nil {
		return nil // its schema says nothing of them
	}
	if t.Elem != nil {
		out = append(out, t.Elem)
	}
	for i := range t.Fields {
		out = append(out, t.Fields[i].Type)
	}
	return out
}
