package jig

import (
	"context"
	"maps"
)

// A Caller says on whose behalf a run acts. The host sets it with [WithCaller]; the model can set
// none of it. Metadata is for the host's own facts, such as a plan or a locale.
type Caller struct {
	RunID    string            `json:"run,omitempty"`
	UserID   string            `json:"user,omitempty"`
	TenantID string            `json:"tenant,omitempty"`
	Metadata map[string]string `json:"metadata,omitempty"`
}

func (c Caller) clone() Caller {
	c.Metadata = maps.Clone(c.Metadata)
	return c
}

type callerKey struct{}

// WithCaller returns a context in which calls are made for the caller. The caller is fixed when a
// call is authorized.
func WithCaller(ctx context.Context, c Caller) context.Context {
	c = c.clone()
	return context.WithValue(ctx, callerKey{}, &c)
}

// callerOf returns the caller of a context, which must not be changed.
func callerOf(ctx context.Context) *Caller {
	if c, ok := ctx.Value(callerKey{}).(*Caller); ok {
		return c
	}
	return &nobody
}

// Info says which call is being made. Its methods compute what they return when they are called.
type Info struct {
	p   *prepared
	run *running // nil outside an attempt
}

// infoKey is the key of a *Info, or of a *running in an attempt.
type infoKey struct{}

// CallInfo returns the call that a context given to Check, Preview, Execute, ToModelOutput, a Policy
// or an Approver belongs to. For another context it returns the zero Info, whose methods return zero
// values.
func CallInfo(ctx context.Context) Info {
	return Info{p: callOf(ctx), run: runOf(ctx)}
}

// callOf returns the call that a context belongs to, or nil.
func callOf(ctx context.Context) *prepared {
	switch v := ctx.Value(infoKey{}).(type) {
	case *running:
		return &v.x.prepared
	case *Info:
		return v.p
	}
	return nil
}

// MaxOutputBytes returns how many bytes of text the model gets for the call, as the caps in bytes and,
// at four bytes each, in tokens say, for tools that give their results in pages. Outside Execute and
// ToModelOutput it returns 0.
func (i Info) MaxOutputBytes() int {
	if i.run == nil {
		return 0
	}
	return i.run.room()
}

// Caller returns a copy of the caller that the call was authorized for.
func (i Info) Caller() Caller {
	if i.p == nil {
		return Caller{}
	}
	return i.p.Caller.clone()
}

// Call returns a copy of the call as it came, but for arguments that an Approver has changed. It is
// for an Approver that makes the call again later.
func (i Info) Call() Call {
	if i.p == nil {
		return Call{}
	}
	return Call{i.p.CallID, i.p.called(), append([]byte(nil), i.p.Args...), i.p.Incomplete}
}

// CallID returns the call's id as the model's provider gave it.
func (i Info) CallID() string {
	if i.p == nil {
		return ""
	}
	return i.p.CallID
}

// Tool returns the canonical name of the tool.
func (i Info) Tool() string {
	if i.p == nil {
		return ""
	}
	return i.p.name()
}

// Attempt returns the number of the attempt, from 1. Outside Execute and ToModelOutput it returns 0.
func (i Info) Attempt() int {
	if i.run == nil {
		return 0
	}
	return int(i.run.number)
}

// IdempotencyKey returns the key under which all attempts of the call are one: pass it on to a service
// that takes such keys. Where Caller.RunID and the call's id are known it follows from them, the tool
// and the arguments (see Spec.KeyFields), and so is the same after a restart; else it is random and
// stays with the Prepared. A tool with RetryIdempotent is tried again only if it asked for its key in
// Execute, or if Options.Once is set.
func (i Info) IdempotencyKey() string {
	if i.p == nil {
		return ""
	}
	if i.run != nil {
		return i.run.idempotencyKey()
	}
	return i.p.idempotencyKey()
}

// Args returns the canonical arguments: the validated text with unknown properties left out and
// defaults filled in, keys sorted and every number exact. Equal arguments have equal texts.
func (i Info) Args() []byte {
	if i.p == nil {
		return nil
	}
	return i.p.tool.plan.Canonical(nil, i.p.text())
}
