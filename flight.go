package jig

import (
	"context"
	"sync"

	"github.com/jig-go/jig/internal/plan"
	"github.com/jig-go/jig/internal/scan"
)

// begin prepares a call that finish takes through the other phases, with its arguments. Nobody outside sees
// it between the phases, so that all of them share its memory.
func (r *Registry) begin(c Call) (x *execution, args any) {
	p := r.unread(&c)
	args, found := r.prepare(&p, &c)
	p.settle(found)
	return newExecution(&p, c.Args), args
}

func newExecution(p *prepared, text []byte) *execution {
	x := &execution{prepared: *p}
	x.own(text)
	return x
}

// fly takes a call through all phases. One that is settled before any policy or tool has seen it needs no
// memory that lasts.
func (r *Registry) fly(ctx context.Context, c *Call, o *Outcome) {
	p := r.unread(c)
	args, found := r.prepare(&p, c)
	switch {
	case found != nil:
		r.renderFound(&p, found, o)
	case p.Failure != nil:
		r.renderSettled(&p, p.Failure, o)
	default:
		r.finish(ctx, newExecution(&p, c.Args), args, o)
	}
}

// renderFound is renderSettled for what was found wrong with the arguments.
func (r *Registry) renderFound(p *prepared, found *plan.Findings, o *Outcome) {
	var f failure
	r.renderSettled(p, p.tool.invalidFindings(&f, found), o)
}

// finish makes the outcome, in o: an Outcome is large, and copies of it are seen in the time of a call.
func (r *Registry) finish(ctx context.Context, x *execution, args any, o *Outcome) {
	p := &x.prepared
	if p.Failure == nil {
		p = r.authorize(ctx, p)
	}
	if p != &x.prepared { // it was rewritten, and whoever was asked before may keep what it was
		x = &execution{}
	}
	if p.Failure != nil {
		r.renderSettled(p, p.Failure, o)
		return
	}
	var e executed
	e.args = args
	made := r.execute(ctx, p, x, &e)
	if f, t := r.fill(p, made, o); f != nil {
		o.Err = f.err(o.Tool, t)
	}
}

// A rare is what few calls have. Copies of a prepared share it: it is changed by amend alone.
type rare struct {
	Repairs []Repair `json:"repairs,omitempty"`
	Mended  []byte   `json:"mended,omitempty"` // the arguments after mending, where that was done

	checked []byte // see text; nil: the text of the call
	// From JSON, until a registry has admitted it:
	sealed      *sealedBody
	fingerprint string  // of the tool that it was prepared for
	called      string  // the name in the call; "": that of the tool, if there is one
	tool        *string // the name of the tool, where p has no tool and that is not what was called
}

// amend returns what few calls have, for p alone to change.
func (p *prepared) amend() *rare {
	own := rare{}
	if p.rare != nil {
		own = *p.rare
	}
	p.rare = &own
	return p.rare
}

func (p *prepared) repairs() []Repair {
	if p.rare == nil {
		return nil
	}
	return p.rare.Repairs
}

func (p *prepared) mended() []byte {
	if p.rare == nil {
		return nil
	}
	return p.rare.Mended
}

func (p *prepared) sealed() *sealedBody {
	if p.rare == nil {
		return nil
	}
	return p.rare.sealed
}

// name is that of the tool, or what the model wrote where none was found.
func (p *prepared) name() string {
	switch {
	case p.tool != nil:
		return p.tool.Name()
	case p.rare != nil && p.rare.tool != nil:
		return *p.rare.tool
	}
	return p.called()
}

// called is the name in the call.
func (p *prepared) called() string {
	switch {
	case p.rare != nil && p.rare.called != "":
		return p.rare.called
	case p.tool != nil:
		return p.tool.Name()
	}
	return ""
}

// text is the arguments as one JSON value: that of the call, or mended, or "{}".
// Requirement: they were understood.
func (p *prepared) text() []byte {
	if p.rare != nil && p.rare.checked != nil {
		return p.rare.checked
	}
	return scan.Trim([]byte(p.Args))
}

// fingerprint is that of the tool that the call was prepared for, or "" if none was found.
func (p *prepared) fingerprint() string {
	switch {
	case p.tool != nil:
		return p.tool.fingerprint
	case p.rare != nil:
		return p.rare.fingerprint
	}
	return ""
}

// An argsPool keeps what arguments were decoded into. Execute gets them by value, and nobody gets refused
// ones, so that nobody has the place afterwards.
type argsPool[Args any] struct {
	pool sync.Pool
	on   bool // set by define: no method of others has seen the place
}

// get returns zero arguments.
func (p *argsPool[Args]) get() *Args {
	if args, ok := p.pool.Get().(*Args); ok {
		return args
	}
	return new(Args)
}

// take returns the arguments and keeps their place. Requirement: nobody else reads it afterwards.
func (p *argsPool[Args]) take(args *Args) Args {
	taken := *args
	if !p.on {
		return taken
	}
	var zero Args
	*args = zero
	p.pool.Put(args)
	return taken
}
