package jig

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jig-go/jig/internal/scan"
)

// Errors of a registry.
var (
	// ErrUnknownTool is in the chain of Outcome.Err when no tool has the name of the call.
	ErrUnknownTool = errors.New("unknown tool")
	// ErrDuplicate is returned by Add and Group for a name that is taken.
	ErrDuplicate = errors.New("duplicate tool")
)

// Options are the limits and the rules of a registry. The zero Options is the default.
type Options struct {
	// MaxArgsBytes bounds the argument text of a call. Zero means 1 MiB.
	MaxArgsBytes int
	// MaxDepth bounds the nesting of arguments. Zero means 64.
	MaxDepth int
	// MaxOutputBytes bounds the text that the model gets for a call, markers included. Zero means
	// 50 KiB; a smaller positive number than 256 counts as 256.
	MaxOutputBytes int
	// MaxOutputTokens bounds the same text in tokens, as CountTokens counts them. Zero means no bound
	// beside that in bytes; a smaller positive number than 64 counts as 64.
	MaxOutputTokens int
	// CountTokens counts the tokens of a text. Nil means a quarter of its bytes.
	CountTokens func(string) int
	// Artifacts keeps the outputs of tools with OverflowStore. Nil means that there is no such tool.
	Artifacts ArtifactStore
	// MaxParallel bounds how many reads of one CallAll run at a time. Zero means 8.
	MaxParallel int
	// HoldPending makes CallAll hold the rest of a turn once a call of it is pending: what has not
	// started is skipped. The zero value lets the others run.
	HoldPending bool
	// Policy decides about each call before it runs. Nil allows what the tool's own Approval allows;
	// [CautiousPolicy] is a good start.
	Policy Policy
	// Approver asks a person, where the policy or the tool's Approval wants that. Nil denies such
	// calls.
	Approver Approver
	// Middleware stands around every call, the first one outermost.
	Middleware []Middleware
	// Progress gets what tools report with [ReportProgress], while they run and on their goroutines.
	// Nil drops it.
	Progress func(context.Context, Progress)
	// Timeout bounds an attempt of a tool that has no timeout of its own. Zero means none.
	Timeout time.Duration
	// Retry says when a call that failed is made again, where the tool allows it. The zero value
	// makes every call once.
	Retry RetryPolicy
	// Once remembers calls by their idempotency keys, so that none is made twice. The
	// Outcome of a call that was made before is the first one's, without Value and Attachments. Nil
	// remembers none.
	Once OnceStore
	// Cache keeps the results of reads with a Spec.CacheTTL. Nil keeps none.
	Cache CacheStore
	// Key seals prepared calls that leave the process. Processes that hand them to one another
	// share it. Empty means a random key of this process.
	Key []byte
	// ExposeErrors shows the model the text of plain errors and of panics in Execute, for development.
	// Whatever goes wrong after Execute stays masked, since its text may hold parts of the result.
	ExposeErrors bool
	// LogCauses adds to the log line of a failure the text of the error that caused it, which may hold
	// secrets. Of what goes wrong after Execute there is none, since it may hold parts of the result.
	LogCauses bool
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
	c.Middleware = slices.Clone(o.Middleware)
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

// Add registers tools, all of them or, on an error, none. The error names both places where tools
// of one name were defined.
//
// A tool with OverflowStore needs Options.Artifacts. In a view without (see With), it truncates.
func (r *Registry) Add(tools ...*Tool) error { return r.add(tools) }

func (r *Registry) add(tools []*Tool) error {
	for _, t := range tools {
		if t != nil && t.overflow == OverflowStore && r.options.Artifacts == nil {
			return fmt.Errorf("jig: add: tool %q defined at %s stores large outputs (OverflowStore), and "+
				"Options.Artifacts is nil; set it, or choose another Overflow", t.Name(), t.site)
		}
	}
	return r.set().add(tools)
}

// Group registers renamed copies of tools under name.tool, all of them or none; further calls with
// the name add to the group. There is one level: a tool that is in a group already, an empty name
// and the name of a bare tool are refused.
func (r *Registry) Group(name string, tools ...*Tool) error {
	if !isLocalName(name) {
		return fmt.Errorf("jig: group: got the name %q, want one that matches %s", name, localName)
	}
	copies := make([]*Tool, len(tools))
	for i, t := range tools {
		if t == nil || t.plan == nil {
			return fmt.Errorf("jig: group %q: a tool is nil or was not made by Define", name)
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
	return r.add(copies)
}

// Lookup returns the tool with the canonical name.
func (r *Registry) Lookup(name string) (*Tool, bool) {
	t, ok := r.set().load().names[name]
	return t, ok
}

// All returns the tools in the order in which they were registered.
func (r *Registry) All() iter.Seq[*Tool] { return r.set().load().all }

// A Definition is what a model is told about a tool. Its slices are those of the tool: they must not be
// changed, and [Tool.Examples] and [Tool.Tags] return copies.
type Definition struct {
	Name        string // canonical: name, or group.name
	WireName    string // for wires that refuse dots: name, or group__name
	Title       string
	Description string // with examples
	Plain       string // without examples
	InputSchema *Schema
	// OutputSchema is that of the JSON the model gets, or nil; see [Tool.OutputSchema].
	OutputSchema *Schema
	Strict       bool
	Examples     []json.RawMessage
	Effect       Effect
	Approval     Approval
	Retry        Retry
	Tags         []string
}

// Definitions returns the definitions of the tools in the order in which they were registered. They
// are byte-identical from run to run.
func (r *Registry) Definitions() iter.Seq[Definition] {
	return func(yield func(Definition) bool) {
		for _, t := range r.set().load().order {
			d := Definition{
				Name: t.Name(), WireName: t.wireName(), Title: t.title,
				Description: t.description, Plain: t.plain, InputSchema: t.input,
				OutputSchema: t.view.schema,
				Strict:       t.strict, Examples: t.examples, Effect: t.effect, Approval: t.approval,
				Retry: t.retry, Tags: t.tags,
			}
			if !yield(d) {
				return
			}
		}
	}
}

// Call runs one call: validate, authorize, execute, render. There is exactly one Outcome, whatever
// happens.
func (r *Registry) Call(ctx context.Context, c Call) (o Outcome) {
	if len(r.options.Middleware) > 0 {
		return r.through(ctx, c, r.call)
	}
	r.fly(ctx, &c, &o)
	return o
}

// call is Call within the middleware.
func (r *Registry) call(ctx context.Context, c Call) (o Outcome) {
	r.fly(ctx, &c, &o)
	return o
}
