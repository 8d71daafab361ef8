package jig

import (
	"context"

	"github.com/jig-go/jig/internal/plan"
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
