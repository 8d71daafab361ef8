package jig

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jig-go/jig/internal/near"
	"github.com/jig-go/jig/internal/scan"
)

// Errors of a registry.
var (
	// ErrUnknownTool is in the chain of Outcome.Err when no tool has the name of the call.
	ErrUnknownTool = errors.New("unknown tool")
	// ErrDuplicate is returned by Add and Group for a name that is taken.
	ErrDuplicate = errors.New("duplicate tool")
)

// Options are the limits of a registry. The zero Options is the default.
type Options struct {
	// MaxArgsBytes bounds the argument text of a call. Zero means 1 MiB.
	MaxArgsBytes int
	// MaxDepth bounds the nesting of arguments. Zero means 64.
	MaxDepth int
	// MaxOutputBytes bounds the text that the model gets for a call, markers included. Zero means
	// 50 KiB; a smaller positive number than 256 counts as 256.
	MaxOutputBytes int
	// Timeout bounds an attempt of a tool that has no timeout of its own. Zero means none.
	Timeout time.Duration
	// Key seals prepared calls that leave the process. Processes that hand them to one another
	// share it. Empty means a random key of this process.
	Key []byte
	// Logger gets a line for each failure whose details the model does not get. Nil means
	// slog.Default.
	Logger *slog.Logger
}

const (
	defaultArgsBytes   = 1 << 20
	defaultDepth       = 64
	defaultOutputBytes = 50 << 10
)

// A Registry holds tools and runs calls to them. The zero Registry is empty and ready to use. All
// methods are safe for concurrent use.
type Registry struct {
	once    sync.Once
	tools   *toolset
	options Options
}

// NewRegistry returns an empty registry under the options; nil means the defaults.
func NewRegistry(options *Options) *Registry {
	r := &Registry{tools: &toolset{}}
	if options != nil {
		r.options = options.clone()
	}
	return r
}

func (o *Options) clone() Options {
	c := *o
	c.Key = slices.Clone(o.Key)
	return c
}

// Options returns a copy of the options as they were given.
func (r *Registry) Options() Options { return r.options.clone() }

// With returns a view on the same tools, later ones too, under other options; nil means the
// defaults.
func (r *Registry) With(options *Options) *Registry {
	view := NewRegistry(options)
	view.tools = r.set()
	return view
}

// Filter returns a registry with the tools for which keep returns true, in the same order and under
// the same options. It is a snapshot: a tool that is added later is not in it.
func (r *Registry) Filter(keep func(*Tool) bool) *Registry {
	f := NewRegistry(&r.options)
	var kept []*Tool
	for t := range r.All() {
		if keep(t) {
			kept = append(kept, t)
		}
	}
	f.tools.publish(kept)
	return f
}

func (r *Registry) set() *toolset {
	r.once.Do(func() {
		if r.tools == nil {
			r.tools = &toolset{}
		}
	})
	return r.tools
}

func (r *Registry) limits() scan.Limits {
	l := scan.Limits{Bytes: r.options.MaxArgsBytes, Depth: r.options.MaxDepth}
	if l.Bytes <= 0 {
		l.Bytes = defaultArgsBytes
	}
	if l.Depth <= 0 {
		l.Depth = defaultDepth
	}
	return l
}

// outputCap is the smaller of the tool's cap and the registry's.
func (r *Registry) outputCap(t *Tool) int {
	limit := r.options.MaxOutputBytes
	if limit <= 0 {
		limit = defaultOutputBytes
	}
	if t != nil && t.maxOutputBytes > 0 {
		limit = min(limit, t.maxOutputBytes)
	}
	return max(limit, minOutputBytes)
}

func (r *Registry) key() []byte {
	if len(r.options.Key) > 0 {
		return r.options.Key
	}
	return processKey()
}

func (r *Registry) logger() *slog.Logger {
	if r.options.Logger != nil {
		return r.options.Logger
	}
	return slog.Default()
}

// Add registers tools, all of them or, on an error, none. The error names both places where tools of
// one name were defined.
func (r *Registry) Add(tools ...*Tool) error { return r.set().add(tools) }

// Group registers renamed copies of tools under name.tool, all of them or none; further calls with
// the name add to the group. There is one level: a tool that is in a group already, an empty name
// and the name of a bare tool are refused.
func (r *Registry) Group(name string, tools ...*Tool) error {
	if !localName.MatchString(name) {
		return fmt.Errorf("jig: group: got the name %q, want one that matches %s", name, localName)
	}
	copies := make([]*Tool, len(tools))
	for i, t := range tools {
		if t == nil {
			return errors.New("jig: group: a tool is nil")
		}
		if t.group != "" {
			return fmt.Errorf("jig: group %q: tool %q is in a group already; group the tool itself, "+
				"there is one level", name, t.Name())
		}
		c := *t
		c.group = name
		c.settle()
		copies[i] = &c
	}
	return r.set().add(copies)
}

// Lookup returns the tool with the canonical name.
func (r *Registry) Lookup(name string) (*Tool, bool) {
	t, ok := r.set().load().names[name]
	return t, ok
}

// All returns the tools in the order in which they were registered.
func (r *Registry) All() iter.Seq[*Tool] { return slices.Values(r.set().load().order) }

// A Definition is what a model is told about a tool.
type Definition struct {
	Name        string // canonical: name, or group.name
	WireName    string // for wires that refuse dots: name, or group__name
	Title       string
	Description string // with examples
	Plain       string // without examples
	InputSchema *Schema
	Strict      bool
	Examples    []json.RawMessage
	Effect      Effect
	Approval    Approval
}

// Definitions returns the definitions of the tools in the order in which they were registered. They
// are byte-identical from run to run.
func (r *Registry) Definitions() iter.Seq[Definition] {
	return func(yield func(Definition) bool) {
		for t := range r.All() {
			d := Definition{
				Name: t.Name(), WireName: t.wireName(), Title: t.title,
				Description: t.description, Plain: t.plain, InputSchema: t.input,
				Strict: t.strict, Examples: t.Examples(), Effect: t.effect, Approval: t.approval,
			}
			if !yield(d) {
				return
			}
		}
	}
}

// Call runs one call: validate, authorize, execute, render. There is exactly one Outcome, whatever
// happens.
func (r *Registry) Call(ctx context.Context, c Call) Outcome {
	prepared := r.Authorize(ctx, r.Prepare(c))
	return r.Render(prepared, r.Execute(ctx, prepared))
}

// CallAll runs the calls of one turn, one after the other, and returns one Outcome for each, in the
// order of the calls. A failure of one does not stop the others.
func (r *Registry) CallAll(ctx context.Context, calls []Call) []Outcome {
	outcomes := make([]Outcome, len(calls))
	for i, c := range calls {
		outcomes[i] = r.Call(ctx, c)
	}
	return outcomes
}

// A toolset is the tools of a registry and of the views on it. Readers see one snapshot; writers
// replace it.
type toolset struct {
	mu   sync.Mutex // held by writers
	snap atomic.Pointer[snapshot]
}

// A snapshot never changes.
type snapshot struct {
	order  []*Tool
	names  map[string]*Tool   // by canonical name
	wire   map[string]*Tool   // by wire name
	folded map[string][]*Tool // by name without case and separators
	groups map[string]*Tool   // by group name, its first tool
}

var noTools = &snapshot{}

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
	s.snap.Store(snap)
}

func (s *toolset) add(tools []*Tool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := newSnapshot(s.load())
	for _, t := range tools {
		if t == nil {
			return errors.New("jig: add: a tool is nil")
		}
		if err := next.conflict(t); err != nil {
			return err
		}
		next.put(t)
	}
	s.snap.Store(next)
	return nil
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
		return clash(other, "its group's namesake ")
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
	var alike []*Tool
	if key := near.Fold(name); key != "" {
		alike = snap.folded[key]
	}
	if t, ok := snap.wire[name]; ok {
		alike = []*Tool{t}
	}
	if len(alike) == 1 {
		t := alike[0]
		return t, []Repair{{Kind: "tool_name", Before: shortName(name), After: t.Name()}}, nil
	}
	return nil, nil, unknownTool(snap, name)
}

func shortName(name string) string {
	const limit = 80
	if len(name) > limit {
		return strings.ToValidUTF8(name[:limit], "") + "…"
	}
	return name
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
	return &failure{Status: StatusInvalid, Code: codeUnknown, Stage: "resolve", Text: text,
		Retryable: true}
}

func quoteAll(names []string, separator string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = strconv.Quote(name)
	}
	return strings.Join(list, separator)
}
