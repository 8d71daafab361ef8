package jig

import (
	"sync"
	"sync/atomic"
)

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

// arguments are decoded arguments that several executions may ask for. The first one takes them; a further
// one decodes the text again, since the tool may have changed what it was given.
type arguments struct {
	value any // *Args
	taken atomic.Bool
}

// take returns the arguments the first time, and nil later.
func (a *arguments) take() any {
	if a.taken.CompareAndSwap(false, true) {
		return a.value
	}
	return nil
}

// takeArgs returns the arguments that the tool gets in an attempt, which a keeps no longer, or nil if it has to
// decode its own.
func (x *execution) takeArgs(a *attempt) any {
	if x.args != nil {
		return x.args.take()
	}
	args := a.args
	a.args = nil
	return args
}
