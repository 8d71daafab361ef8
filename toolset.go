package jig

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/near"
)

// A toolset is the tools of a registry and of the views on it. Readers see one snapshot; writers
// replace it.
type toolset struct {
	mu   sync.Mutex // held by writers
	snap atomic.Pointer[snapshot]
}

// A snapshot never changes.
type snapshot struct {
	order  []*Tool
	all    iter.Seq[*Tool]    // over order, made once
	names  map[string]*Tool   // by canonical name
	wire   map[string]*Tool   // by wire name
	folded map[string][]*Tool // by name without case and separators
	groups map[string]*Tool   // by group name, its first tool
}

var noTools = &snapshot{all: func(func(*Tool) bool) {}}

func (s *toolset) load() *snapshot {
	if snap := s.snap.Load(); snap != nil {
		return snap
	}
	return noTools
}

// publish replaces the tools. Requirement: no conflicts.
func (s *toolset) publish(tools []*Tool) {
	snap := newSnapshot(noTools)
	for _, t := range tools {
		snap.put(t)
	}
	s.show(snap)
}

func (s *toolset) add(tools []*Tool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := newSnapshot(s.load())
	for _, t := range tools {
		if t == nil || t.plan == nil {
			return errors.New("jig: add: a tool is nil or was not made by Define")
		}
		if err := next.conflict(t); err != nil {
			return err
		}
		next.put(t)
	}
	s.show(next)
	return nil
}

// show makes a snapshot the one that readers see.
func (s *toolset) show(next *snapshot) {
	next.all = slices.Values(next.order)
	s.snap.Store(next)
}

func newSnapshot(from *snapshot) *snapshot {
	s := &snapshot{order: slices.Clone(from.order), names: map[string]*Tool{},
		wire: map[string]*Tool{}, folded: map[string][]*Tool{}, groups: map[string]*Tool{}}
	maps.Copy(s.names, from.names)
	maps.Copy(s.wire, from.wire)
	maps.Copy(s.groups, from.groups)
	for key, list := range from.folded {
		s.folded[key] = slices.Clone(list)
	}
	return s
}

func (s *snapshot) put(t *Tool) {
	s.order = append(s.order, t)
	s.names[t.Name()] = t
	s.wire[t.wireName()] = t
	key := near.Fold(t.Name())
	s.folded[key] = append(s.folded[key], t)
	if _, ok := s.groups[t.group]; !ok && t.group != "" {
		s.groups[t.group] = t
	}
}

// maxWireName is the longest name that OpenAI and Anthropic take (tool definitions, read 2026-08).
const maxWireName = 64

// conflict says why a tool cannot stand beside the others.
func (s *snapshot) conflict(t *Tool) error {
	clash := func(other *Tool, what string) error {
		return fmt.Errorf("jig: %w: tool %q defined at %s conflicts with %s%q defined at %s",
			ErrDuplicate, t.Name(), t.site, what, other.Name(), other.site)
	}
	if other, ok := s.names[t.Name()]; ok {
		return clash(other, "the tool ")
	}
	if other, ok := s.wire[t.wireName()]; ok {
		return clash(other, "the name "+strconv.Quote(t.wireName())+" that the wire has for ")
	}
	if len(t.wireName()) > maxWireName {
		return fmt.Errorf("jig: tool %q defined at %s: the name with its group is %d characters long, "+
			"want at most %d", t.wireName(), t.site, len(t.wireName()), maxWireName)
	}
	if other, ok := s.groups[t.name]; ok && t.group == "" {
		return clash(other, "the group of the tool ")
	}
	if other, ok := s.names[t.group]; ok && t.group != "" {
		return clash(other, "the tool with the name of its group, ")
	}
	return nil
}

// resolve finds the tool of a call: by its name, or by the one name that differs from it in case
// and separators only. Nothing fuzzier runs.
func (s *toolset) resolve(name string) (*Tool, []Repair, *failure) {
	snap := s.load()
	if t, ok := snap.names[name]; ok {
		return t, nil, nil
	}
	t, ok := snap.wire[name]
	if !ok {
		t, ok = snap.alike(name)
	}
	if !ok {
		return nil, nil, unknownTool(snap, name)
	}
	return t, []Repair{{Kind: "tool_name", Before: clip.Middle(name, 80), After: t.Name()}}, nil
}

// alike returns the one tool whose name differs from name in case and separators only. White space
// is no separator here.
func (s *snapshot) alike(name string) (*Tool, bool) {
	key := near.Fold(name)
	if key == "" || strings.ContainsFunc(name, unicode.IsSpace) || len(s.folded[key]) != 1 {
		return nil, false
	}
	return s.folded[key][0], true
}

// maxListed is how many tools the text for an unknown one lists.
const maxListed = 20

func unknownTool(s *snapshot, name string) *failure {
	names := make([]string, len(s.order))
	for i, t := range s.order {
		names[i] = t.Name()
	}
	text := "unknown tool: " + shown(name)
	switch hits := near.Names(name, names); {
	case len(hits) > 0:
		text += "; did you mean " + quoteAll(hits, " or ") + "?"
	case len(names) == 0:
		text += "; there are no tools"
	case len(names) > maxListed:
		text += "; the tools are " + quoteAll(names[:maxListed], ", ") +
			fmt.Sprintf(" and %d more", len(names)-maxListed)
	default:
		text += "; the tools are " + quoteAll(names, ", ")
	}
	return &failure{Status: StatusInvalid, Code: codeUnknown, Stage: stageResolve, Text: text,
		Retryable: true}
}

func quoteAll(names []string, separator string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = strconv.Quote(name)
	}
	return strings.Join(list, separator)
}
