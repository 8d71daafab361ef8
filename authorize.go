package jig

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"github.com/jig-go/jig/internal/canon"
	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/plan"
	"github.com/jig-go/jig/internal/scan"
)

// Authorize decides whether a prepared call may run, and fixes the caller. In this order: the tool's
// Check; Options.Policy; and where the policy or the tool's Approval wants somebody's consent, the
// tool's Preview and Options.Approver. Without an Approver such a call is denied. A settled call
// passes untouched. If the context has ended nobody is asked, and the call is skipped.
func (r *Registry) Authorize(ctx context.Context, prep Prepared) Prepared {
	p := r.admit(ctx, prep)
	if p.Failure != nil {
		return Prepared{p}
	}
	q := *p
	authorized := r.authorize(ctx, &q)
	authorized.fixKey()
	return Prepared{authorized}
}

// authorize is Authorize for a call that nothing else holds yet. It may leave the key to be fixed.
func (r *Registry) authorize(ctx context.Context, p *prepared) *prepared {
	p.Caller, p.Authorized = callerOf(ctx), false
	if r.options.Policy == nil && p.tool.check == nil && !p.tool.needsConsent() && ctx.Err() == nil {
		p.Authorized = true // as most calls are
		return p
	}
	return r.gate(ctx, p)
}

// maxEdits is how often an Approver may change the arguments of one call.
const maxEdits = 20

// gate decides about a call, once more for each time that an Approver edits it. What it returns is
// settled, or authorized. Requirement: nothing else holds p yet.
func (r *Registry) gate(ctx context.Context, p *prepared) *prepared {
	for range maxEdits {
		p.fixKey() // whoever is asked may ask for it
		allowed, reason, asks := r.consult(ctx, p)
		if p = allowed; p.Failure != nil {
			return p
		}
		if !asks && !p.tool.needsConsent() {
			p.Authorized = true
			return p
		}
		answered, edited := r.ask(ctx, p, reason)
		if p = answered; !edited {
			return p
		}
	}
	p.Failure = denied(codeDenied, deniedText(p.name(), "its arguments were changed too often"))
	return p
}

// consult runs the tool's Check and the policy. It returns the call as the policy wants it, settled
// where it may not run, and whether somebody has to be asked, and why.
func (r *Registry) consult(ctx context.Context, p *prepared) (_ *prepared, reason string, asks bool) {
	if ctx.Err() != nil {
		p.Failure = skipped(ctx.Err())
		return p, "", false
	}
	if p.Failure = r.check(ctx, p); p.Failure != nil || r.options.Policy == nil {
		return p, "", false
	}
	return r.judged(ctx, p)
}

// judged is what the policy says about a call, in the form of consult.
func (r *Registry) judged(ctx context.Context, p *prepared) (_ *prepared, reason string, asks bool) {
	d, f := r.decided(ctx, p, "a policy", r.timeoutOf(p.tool), func(ctx context.Context) Decision {
		return r.options.Policy(ctx, PolicyRequest{Tool: p.tool, CallID: p.CallID,
			Caller: p.Caller.clone(), Args: p.canonical()})
	})
	if f != nil {
		p.Failure = f
		return p, "", false
	}
	switch d.kind {
	case decisionAllow, decisionAsk, decisionRewrite:
	default:
		p.Failure = r.refusal(p, d.reason)
		return p, "", false
	}
	if d.args != nil || d.kind == decisionRewrite {
		if p = r.rewritten(ctx, p, d.args); p.Failure != nil {
			return p, "", false
		}
		if p.Failure = r.check(ctx, p); p.Failure != nil && p.Failure.Status == StatusInvalid {
			p.Failure = invalidRewrite(p, p.Failure.Problems)
		}
	}
	return p, d.reason, d.kind == decisionAsk
}

// ask gets somebody's consent. It returns the call settled or authorized, or edited: with other
// arguments, about which nobody has decided.
func (r *Registry) ask(ctx context.Context, p *prepared, reason string) (_ *prepared, edited bool) {
	who := p.tool.approval
	if who == ApprovalNever { // the policy asks all the same
		who = ApprovalUnset
	}
	if r.options.Approver == nil || who == ApprovalRequester && p.Caller.UserID == "" {
		p.Failure = denied(codeNoApprover, p.name()+" needs the approval of a person, and nobody can be "+
			"asked here. It was not run. Do not call it again; tell the user.")
		return p, false
	}
	request := ApprovalRequest{Tool: p.tool, CallID: p.CallID, Caller: p.Caller.clone(), Who: who,
		Reason: reason, Args: p.shownArgs(), Digest: p.digest()}
	if request.Preview, p.Failure = r.preview(ctx, p); p.Failure != nil {
		return p, false
	}
	d, f := r.decided(ctx, p, "an approver", 0, func(ctx context.Context) Decision {
		return r.options.Approver.Approve(ctx, request)
	})
	switch {
	case f != nil:
		p.Failure = f
	case d.kind == decisionAllow:
		p.Authorized = true
	case d.kind == decisionPending && d.ticket != "":
		p.Failure = pending(p, d.ticket)
	case d.kind == decisionRewrite:
		q := r.rewritten(ctx, p, d.args)
		if q.Failure == nil {
			// It is another call from here on.
			q.Args, q.amend().Mended, q.Nonce = string(q.text()), nil, nil
		}
		return q, q.Failure == nil
	default:
		p.Failure = r.refusal(p, d.reason)
	}
	return p, false
}

// decided runs a policy or an approver. Whatever it does but return a decision in time denies, and
// if the caller's context ends meanwhile the call is skipped.
func (r *Registry) decided(ctx context.Context, p *prepared, what string, timeout time.Duration,
	decide func(context.Context) Decision) (Decision, *failure) {
	if ctx.Err() != nil {
		return Decision{}, skipped(ctx.Err())
	}
	var d Decision
	g := r.guard(ctx, p, what, timeout, func(ctx context.Context) error {
		d = decide(ctx)
		return nil
	})
	if g.err == nil {
		return d, nil
	}
	if ctx.Err() != nil && !g.panicked {
		return Decision{}, skipped(ctx.Err())
	}
	f := denied(codeTimeout, "")
	if f.cause = g.err; g.panicked {
		f.Code = codePanic
	}
	f.Ref = p.reference()
	f.Text = p.name() + " was not run: it could not be decided whether it may. Reference: " + f.Ref + "."
	r.exposed(f)
	r.log(ctx, p, f)
	return Decision{}, f
}

// preview returns what an approver is shown beside the arguments.
func (r *Registry) preview(ctx context.Context, p *prepared) (string, *failure) {
	switch {
	case p.tool.preview == nil:
		return "", nil
	case ctx.Err() != nil:
		return "", skipped(ctx.Err())
	}
	var text string
	g := r.guard(ctx, p, "a preview", r.timeoutOf(p.tool), func(ctx context.Context) (err error) {
		text, err = p.tool.preview(ctx, p.ownArgs())
		return err
	})
	if noError(g.err) {
		return clip.Valid(text), nil
	}
	return "", r.failedBefore(ctx, p, g, stageAuthorize, "shown for approval")
}

// rewritten returns a copy of the call with other arguments, which are validated like any and not
// mended, or settled where they are invalid.
func (r *Registry) rewritten(ctx context.Context, p *prepared, raw json.RawMessage) *prepared {
	q := *p
	q.amend().Repairs = append(slices.Clone(p.repairs()), Repair{Kind: "rewrite"})
	q.Failure = r.replaceArgs(ctx, &q, raw)
	return &q
}

func (r *Registry) replaceArgs(ctx context.Context, p *prepared, raw json.RawMessage) (f *failure) {
	defer r.containReading(ctx, p, &f)
	checked, err := scan.Check(raw, r.limits())
	if err != nil {
		return invalidRewrite(p, p.tool.textProblems(err))
	}
	g := p.tool.read(bytes.Clone(checked), nil)
	if !g.ok() {
		return invalidRewrite(p, g.found.Problems)
	}
	own := p.amend()
	own.checked = p.tool.plan.Canonical(nil, g.checked)
	own.Mended, p.args = own.checked, &arguments{value: g.args}
	return nil
}

// canonical returns the canonical arguments.
func (p *prepared) canonical() []byte { return p.tool.plan.Canonical(nil, p.text()) }

// shownArgs returns the canonical arguments with the redacted values replaced.
func (p *prepared) shownArgs() []byte {
	shown := p.tool.plan.Hide(nil, p.canonical(), p.tool.argsType)
	if p.tool.view.redaction != nil {
		shown = p.tool.view.redaction.Redact(nil, shown, plan.Redacted)
	}
	return shown
}

// digest stands for all that an approval is about.
func (p *prepared) digest() string {
	caller := *p.Caller
	caller.RunID = ""
	rest, err := json.Marshal(caller)
	if err != nil {
		panic("jig: internal error: a Caller has no JSON: " + err.Error())
	}
	text := scan.AppendQuote([]byte{'['}, p.fingerprint())
	text = scan.AppendQuote(append(text, ','), p.Caller.RunID)
	text = canon.Append(append(text, ','), rest)
	text = append(append(append(text, ','), p.canonical()...), ']')
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// refusal is for a call that a policy or an approver said no to.
func (r *Registry) refusal(p *prepared, reason string) *failure {
	f := denied(codeDenied, deniedText(p.name(), reason))
	text, _ := r.room(p.tool).cut(Text(f.Text)) // what a host carries to another process is small
	f.Text = text.Text()
	return f
}

func deniedText(tool, reason string) string {
	if reason == "" {
		return tool + " was not allowed to run. Do not call it again with these arguments; tell the user."
	}
	return tool + " was not allowed to run: " + clip.Valid(reason)
}

func invalidRewrite(p *prepared, problems []Problem) *failure {
	f := denied(codeInvalidRewrite, p.name()+" was not allowed to run: its arguments were replaced by "+
		"others that are invalid. Do not call it again; tell the user.")
	f.Problems = problems
	return f
}

// pending is for a call whose approval is awaited. The ticket is for the host alone.
func pending(p *prepared, ticket string) *failure {
	return &failure{Status: StatusPending, Code: codePending, Stage: stageAuthorize, Ticket: ticket,
		Text: p.name() + " waits for the approval of a person and has not run yet. Its outcome will be " +
			"told later. Do not call it again; tell the user that it waits."}
}
