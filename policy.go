package jig

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/jig-go/jig/internal/scan"
)

// Errors of calls that did not get past the gate.
var (
	// ErrDenied is in the chain of Outcome.Err when a call was not allowed to run.
	ErrDenied = errors.New("denied")
	// ErrPending is in the chain of Outcome.Err when a call waits for its approval.
	ErrPending = errors.New("approval is pending")
)

// A Policy decides about each call before it runs, after its arguments were validated and checked.
// It can ask for more than the tool's Approval does and never for less. It runs under the tool's
// timeout. A nil Policy allows. A Policy that panics or does not return in time denies, and so does
// the zero Decision. It is safe for concurrent use.
type Policy func(context.Context, PolicyRequest) Decision

// A PolicyRequest is what a Policy decides about.
type PolicyRequest struct {
	Tool   *Tool
	CallID string
	Caller Caller
	// Args are the canonical arguments, in clear: what Execute will get.
	Args json.RawMessage
}

// An Approver asks whoever may consent to a call: a user at a prompt, or a store that hands out a
// ticket. Approve may wait as long as its context lasts; an answer that comes later is dropped. An
// Approver that panics denies, and so does the zero Decision. It is safe for concurrent use.
type Approver interface {
	Approve(context.Context, ApprovalRequest) Decision
}

// An ApprovalRequest is what an Approver shows. An Approver that makes the call again later finds
// it, in clear, in the [CallInfo] of its context.
type ApprovalRequest struct {
	Tool   *Tool
	CallID string
	Caller Caller
	// Who has to answer: for ApprovalRequester the user Caller.UserID, for ApprovalAlways anyone the
	// host lets decide, and so for ApprovalUnset, where the policy asks. That the answer came from
	// that person is for the host to check.
	Who    Approval
	Reason string // why the policy asks; empty where the tool's Approval does
	// Args are the canonical arguments with the redacted values replaced.
	Args    json.RawMessage
	Preview string // what the tool's Preview says; empty without one
	// Digest is the SHA-256, in hexadecimal, of the JSON array of fingerprint, run, the rest of the
	// caller and the canonical arguments in clear: an approval is for these bytes and no others.
	Digest string
}

// A Decision is the answer of a Policy or an Approver. The zero Decision denies.
type Decision struct {
	kind   decisionKind
	reason string
	args   json.RawMessage // with decisionAsk too, where a policy rewrote before another one asked
	ticket string
}

type decisionKind uint8

const (
	decisionDeny decisionKind = iota
	decisionAllow
	decisionAsk
	decisionRewrite
	decisionPending
)

var decisionNames = []string{"deny", "allow", "ask", "rewrite", "pending"}

// String returns deny, allow, ask, rewrite or pending.
func (d Decision) String() string { return nameOf(decisionNames, "Decision", uint8(d.kind)) }

// Allow lets the call run.
func Allow() Decision { return Decision{kind: decisionAllow} }

// Deny refuses the call. The model reads the reason; empty gives a fixed sentence.
func Deny(reason string) Decision { return Decision{kind: decisionDeny, reason: reason} }

// Ask sends the call to the Approver. From an Approver it denies.
func Ask() Decision { return Decision{kind: decisionAsk} }

// Because returns the decision with a reason: after Ask the one that an Approver is shown.
func (d Decision) Because(reason string) Decision {
	d.reason = reason
	return d
}

// Rewrite lets the call run with other arguments, which are validated and checked like any, and not
// mended; a rewrite that is invalid denies. The tool's own Approval still holds. From an Approver it
// is a new question: the policy decides about the new arguments, and the Approver is asked again.
func Rewrite(args json.RawMessage) Decision {
	return Decision{kind: decisionRewrite, args: slices.Clone(args)}
}

// Pending says that the answer comes later, under the ticket. From a Policy it denies, and so does
// an empty ticket.
func Pending(ticket string) Decision { return Decision{kind: decisionPending, ticket: ticket} }

// CautiousPolicy asks for tools whose effect is destructive, external-message or unknown, unless
// their Approval is never, and allows the others.
func CautiousPolicy(_ context.Context, r PolicyRequest) Decision {
	switch effect := r.Tool.effect; {
	case r.Tool.approval == ApprovalNever, effect == EffectRead, effect == EffectWrite:
		return Allow()
	default:
		return Ask().Because("the effect of " + r.Tool.Name() + " is " + effect.String())
	}
}

// ReadOnlyPolicy denies every tool that is not ReadOnly. To hide such tools from the model, use
// Filter(ReadOnly) instead.
func ReadOnlyPolicy(_ context.Context, r PolicyRequest) Decision {
	if ReadOnly(r.Tool) {
		return Allow()
	}
	return Deny("only tools that read are allowed here")
}

// When returns a Policy that gives the decision for the tools for which applies returns true, and
// allows the others. [ReadOnly], [HasEffect], [HasTag] and [HasName] say which tools those are.
func When(applies func(*Tool) bool, d Decision) Policy {
	return func(_ context.Context, r PolicyRequest) Decision {
		if applies(r.Tool) {
			return d
		}
		return Allow()
	}
}

// AllOf returns a Policy that wants the consent of all policies, in order: the first denial ends it,
// a rewrite is what those after it see, and the call is asked about if any of them asks. It allows
// where all of them do.
func AllOf(policies ...Policy) Policy {
	policies = slices.Clone(policies)
	return func(ctx context.Context, r PolicyRequest) Decision {
		all := Allow()
		for _, p := range policies {
			if p == nil {
				continue
			}
			d := p(ctx, r)
			if d.kind == decisionDeny || d.kind == decisionPending {
				return d
			}
			if d.args != nil || d.kind == decisionRewrite {
				canonical := r.Tool.canonical(d.args)
				if canonical == nil {
					return d // which is invalid, and denies
				}
				all.args, r.Args = d.args, canonical
			}
			all = all.with(d)
		}
		return all
	}
}

// with is the stricter of two decisions, and the first reason to ask.
func (d Decision) with(next Decision) Decision {
	switch {
	case d.kind == decisionAsk:
		if d.reason == "" {
			d.reason = next.reason
		}
	case next.kind == decisionAsk:
		d.kind, d.reason = decisionAsk, next.reason
	case next.kind == decisionRewrite:
		d.kind = decisionRewrite
	}
	return d
}

// canonical returns the canonical form of arguments, or nil where they are invalid.
func (t *Tool) canonical(raw json.RawMessage) []byte {
	checked, err := scan.Check(raw, scan.Limits{Bytes: len(raw), Depth: maxValueDepth})
	if err != nil || t.plan.Validate(checked).Total > 0 {
		return nil
	}
	return t.plan.Canonical(nil, checked)
}

// ReadOnly reports whether a tool only reads. It is for Filter and for When.
func ReadOnly(t *Tool) bool { return t.effect == EffectRead }

// HasEffect returns a function, for Filter and for When, that reports whether a tool has one of the
// effects.
func HasEffect(effects ...Effect) func(*Tool) bool {
	effects = slices.Clone(effects)
	return func(t *Tool) bool { return slices.Contains(effects, t.effect) }
}

// HasTag returns a function, for Filter and for When, that reports whether a tool has one of the
// tags.
func HasTag(tags ...string) func(*Tool) bool {
	tags = slices.Clone(tags)
	return func(t *Tool) bool {
		return slices.ContainsFunc(tags, func(tag string) bool { return slices.Contains(t.tags, tag) })
	}
}

// HasName returns a function, for Filter and for When, that reports whether a tool has one of the
// canonical names.
func HasName(names ...string) func(*Tool) bool {
	names = slices.Clone(names)
	return func(t *Tool) bool { return slices.Contains(names, t.Name()) }
}
