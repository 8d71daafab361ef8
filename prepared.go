package jig

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"runtime/debug"
	"sync"

	"github.com/jig-go/jig/internal/canon"
	"github.com/jig-go/jig/internal/plan"
	"github.com/jig-go/jig/internal/scan"
)

// wireVersion is the version of the JSON of Prepared and Executed.
const wireVersion = 1

// A Prepared is a call that was understood, or is settled already because it could not be. It is a
// capability: Execute runs it only after Authorize has marked it. It holds the arguments in clear.
//
// Its JSON is sealed under Options.Key. What was edited, sealed under another key, or prepared for
// another definition of the tool is denied. Whoever reads the JSON can read the arguments.
type Prepared struct{ p *prepared }

// prepared is never changed once a Prepared holds it.
type prepared struct {
	CallID     string   `json:"-"`
	Args       string   `json:"-"`                 // as the call has them
	Caller     *Caller  `json:"caller"`            // never nil
	Nonce      *nonce   `json:"nonce,omitempty"`   // the idempotency key, where none can be derived; see fixKey
	Failure    *failure `json:"failure,omitempty"` // set: the call is settled
	Authorized bool     `json:"authorized"`
	Incomplete bool     `json:"-"` // of the call

	// In the process that prepared it:
	owner *Registry  // whose key seals it
	tool  *Tool      // nil when settled before it was found
	args  *arguments // decoded; nil when settled, and where they travel beside it
	rare  *rare      // nil: nothing of it
}

// nobody is the caller of calls that nobody is known to make.
var nobody Caller

// sealedBody is the canonical JSON of a call and the seal that came with it.
type sealedBody struct{ body, seal []byte }

// Status returns how the call ended, or "" for one that is not settled.
func (p Prepared) Status() Status {
	if p.p == nil || p.p.Failure == nil {
		return ""
	}
	return p.p.Failure.Status
}

// Format prints tool and status only: a Prepared holds the arguments in clear.
func (p Prepared) Format(s fmt.State, _ rune) {
	_, _ = io.WriteString(s, p.summary())
}

// LogValue is tool and status only: a Prepared holds the arguments in clear. Inside a slice or a
// struct a handler that writes JSON takes MarshalJSON instead, with the arguments in base64.
func (p Prepared) LogValue() slog.Value { return slog.StringValue(p.summary()) }

func (p Prepared) summary() string {
	switch {
	case p.p == nil:
		return "Prepared()"
	case p.Status() != "":
		return "Prepared(" + plainName(p.p.name()) + " " + string(p.Status()) + ")"
	}
	return "Prepared(" + plainName(p.p.name()) + ")"
}

// A wireBody is a prepared as it travels.
type wireBody struct {
	Call        wireCall `json:"call"`
	Tool        string   `json:"tool"`
	Fingerprint string   `json:"fingerprint,omitempty"`
	*prepared
	*rare
}

// A wireCall is a Call whose argument text, which need not be JSON, travels as base64.
type wireCall struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Args       []byte `json:"args"`
	Incomplete bool   `json:"incomplete,omitempty"`
}

func (p *prepared) wireCall() wireCall {
	return wireCall{p.CallID, p.called(), append([]byte(nil), p.Args...), p.Incomplete}
}

type wirePrepared struct {
	Version int             `json:"v"`
	Body    json.RawMessage `json:"body"`
	Seal    []byte          `json:"seal"`
}

// MarshalJSON returns the call with its arguments in clear, under a seal.
func (p Prepared) MarshalJSON() ([]byte, error) {
	if p.p == nil {
		return nil, errors.New("jig: a zero Prepared has no JSON")
	}
	s := p.p.sealed()
	if s == nil {
		raw, err := json.Marshal(wireBody{p.p.wireCall(), p.p.name(), p.p.fingerprint(), p.p, p.p.rare})
		if err != nil {
			return nil, err
		}
		body := canon.Append(nil, raw)
		s = &sealedBody{body, sealOf(body, p.p.owner.key())}
	}
	return json.Marshal(wirePrepared{wireVersion, s.body, s.seal})
}

// sealOf is a MAC of the canonical body, so that white space and escapes, which JSON encoders
// change on the way, do not break the seal.
func sealOf(body, key []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(body)
	return mac.Sum(nil)
}

// UnmarshalJSON reads what MarshalJSON wrote. Whether the seal is right is checked when a registry
// is given the Prepared.
func (p *Prepared) UnmarshalJSON(data []byte) error {
	var wire wirePrepared
	if err := json.Unmarshal(data, &wire); err != nil {
		return fmt.Errorf("jig: prepared call: %w", err)
	}
	if wire.Version != wireVersion {
		return fmt.Errorf("jig: prepared call: got version %d, want %d", wire.Version, wireVersion)
	}
	body, scanErr := scan.Check(wire.Body, scan.Limits{Bytes: len(wire.Body), Depth: maxValueDepth})
	if scanErr != nil {
		return fmt.Errorf("jig: prepared call: %w", scanErr)
	}
	q := wireBody{prepared: &prepared{Caller: &Caller{}}, rare: &rare{}}
	if err := json.Unmarshal(body, &q); err != nil {
		return fmt.Errorf("jig: prepared call: %w", err)
	}
	q.rare.sealed = &sealedBody{canon.Append(nil, body), wire.Seal}
	q.rare.called, q.rare.tool, q.rare.fingerprint = q.Call.Name, &q.Tool, q.Fingerprint
	q.CallID, q.Args, q.Incomplete = q.Call.ID, string(q.Call.Args), q.Call.Incomplete
	q.prepared.rare = q.rare
	p.p = q.prepared
	return nil
}

// processKey seals where the host gave no key: calls prepared in this process only.
var processKey = sync.OnceValue(func() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return key
})

// Prepare understands a call: it finds the tool, checks the limits, validates and decodes the
// arguments, and mends them as the tool's [RepairMode] says. It is pure and touches nothing outside.
func (r *Registry) Prepare(c Call) Prepared {
	made := &struct {
		prepared
		arguments
	}{prepared: r.unread(&c)}
	args, found := r.prepare(&made.prepared, &c)
	made.settle(found)
	made.own(c.Args)
	if args != nil {
		made.value, made.args = args, &made.arguments
	}
	return Prepared{&made.prepared}
}

// own copies the argument text, which is the caller's, unless that was done when it was read.
func (p *prepared) own(text []byte) {
	if p.Args == "" {
		p.Args = string(text)
	}
}

// unread is a call of which nothing is known yet. It has no argument text: see own.
func (r *Registry) unread(c *Call) prepared {
	return prepared{CallID: c.ID, Incomplete: c.Incomplete, Caller: &nobody, owner: r}
}

// prepare is Prepare for what unread returned, but for the arguments, which it returns, and for problems that
// it has only found: nil, or what settle takes.
func (r *Registry) prepare(p *prepared, c *Call) (args any, found *plan.Findings) {
	tool, repairs, unknown := r.set().resolve(c.Name)
	if p.tool = tool; unknown != nil || len(repairs) > 0 {
		own := p.amend()
		own.called, own.Repairs = c.Name, repairs
	}
	if unknown != nil {
		p.Failure = unknown
		return nil, nil
	}
	return r.understand(p, c.Args)
}

// settle settles the call by what was found wrong with its arguments, unless that is nil.
func (p *prepared) settle(found *plan.Findings) {
	if found != nil {
		p.Failure = p.tool.invalidFindings(new(failure), found)
	}
}

// understand reads the arguments of a call to a known tool, mended where that is needed and helps: it
// returns them, as a *Args, and sets the text that was read, or returns or sets why it could not.
func (r *Registry) understand(p *prepared, text []byte) (args any, found *plan.Findings) {
	if p.Incomplete {
		p.Failure = p.tool.incompleteArguments(nil)
		return nil, nil
	}
	var ok bool
	if *p.tool.pureArgs {
		args, found, ok = r.quick(p, text)
	} else {
		args, found, ok = r.quickContained(p, text)
	}
	switch {
	case ok && found == nil:
		return args, nil
	case ok && found.Total() > 0 && !found.Mendable():
		p.tool.dropArgs(args)
		return nil, found
	}
	return r.understandAll(p, text, args, found, ok), nil
}

// quickContained is quick where a type's own UnmarshalText may panic: args are nil then, since whether the
// text is in order is looked at before that.
func (r *Registry) quickContained(
	p *prepared, text []byte,
) (args any, found *plan.Findings, ok bool) {
	defer func() { _ = recover() }()
	return r.quick(p, text)
}

// quick reads the arguments in one pass, as nearly all can be. Where it could not, args are zero.
func (r *Registry) quick(p *prepared, text []byte) (args any, found *plan.Findings, ok bool) {
	args = p.tool.newArgs()
	found, p.Args, ok = p.tool.plan.Quick(text, r.limits(), reflect.ValueOf(args).Elem())
	return args, found, ok
}

// understandAll is understand for all that the quick pass leaves. It has read the text if ok is set.
func (r *Registry) understandAll(
	p *prepared, sent []byte, args any, found *plan.Findings, ok bool,
) (read any) {
	defer r.containReading(context.Background(), p, &p.Failure)
	if args == nil {
		args = p.tool.newArgs()
	}
	g := reading{checked: scan.Trim(sent), args: args, found: plan.EndAs[Problem](found)}
	if !ok {
		text, mends, f := r.argumentText(p, sent)
		if f != nil {
			p.Failure = f
			return nil
		}
		g = p.tool.readInto(args, text, mends)
	}
	if g = p.tool.attempts(g, r.limits()); !g.ok() {
		p.Failure = p.tool.invalidArguments(g.found.Problems, g.found.More())
		return nil
	}
	own := p.amend()
	if string(g.checked) != string(scan.Trim(sent)) {
		own.checked = bytes.Clone(g.checked) // it may be a part of the caller's text
	}
	if len(g.mends) > 0 {
		own.Mended = own.checked
	}
	own.Repairs = append(append(own.Repairs, g.mends...), g.dropped()...)
	return g.args
}

// reread reads arguments that were understood before, here or in another process, without mending
// them any further. What was mended and dropped is in p.repairs already.
func (r *Registry) reread(ctx context.Context, p *prepared) (f *failure) {
	defer r.containReading(ctx, p, &f)
	text := p.mended()
	if p.Incomplete {
		f = p.tool.incompleteArguments(nil)
	} else if text == nil {
		text, _, f = r.argumentText(p, []byte(p.Args))
	} else if _, err := scan.Check(text, r.limits()); err != nil {
		f = p.tool.invalidArguments(p.tool.textProblems(err), 0)
	}
	if f != nil {
		return f
	}
	g := p.tool.read(text, nil)
	if !g.ok() {
		return p.tool.invalidArguments(g.found.Problems, g.found.More())
	}
	p.amend().checked, p.args = text, &arguments{value: g.args}
	return nil
}

// containReading turns a panic while arguments are read, in a type's own UnmarshalText, into a
// failure.
func (r *Registry) containReading(ctx context.Context, p *prepared, f **failure) {
	if v := recover(); v != nil {
		*f = unreadable(p, &panicError{v, debug.Stack()})
		r.log(ctx, p, *f)
	}
}

// argumentText returns the arguments as one JSON value within the limits. Blank text is an empty
// object, and so is null where nothing is required; text that was cut off never is. Text that is
// not JSON is mended where the tool is lenient.
func (r *Registry) argumentText(p *prepared, sent []byte) (text []byte, mends []Repair, f *failure) {
	checked, err := scan.Check(sent, r.limits())
	if err != nil {
		if text, mends := p.tool.mendText(sent, err); text != nil {
			var again *scan.Error
			if checked, again = scan.Check(text, r.limits()); again == nil {
				return checked, mends, nil
			}
			err = again
		}
	}
	switch {
	case err == nil:
	case err.Code == scan.Empty:
		return []byte("{}"), nil, nil
	case err.Code == scan.Truncated:
		return nil, nil, p.tool.incompleteArguments(p.tool.textProblems(err))
	default:
		return nil, nil, p.tool.invalidArguments(p.tool.textProblems(err), 0)
	}
	if string(checked) == "null" && p.tool.plan.Validate([]byte("{}")).Total == 0 {
		return []byte("{}"), nil, nil
	}
	return checked, nil, nil
}

// genuine returns a Prepared that was made under this registry's key and not changed since; any
// other comes back denied.
func (r *Registry) genuine(prep Prepared) *prepared {
	p := prep.p
	if p == nil {
		return &prepared{owner: r, Caller: &nobody,
			Failure: notRun("it was not prepared")}
	}
	s := p.sealed()
	if s == nil && bytes.Equal(p.owner.key(), r.key()) ||
		s != nil && hmac.Equal(s.seal, sealOf(s.body, r.key())) {
		return p
	}
	return r.refuse(p, "it was not prepared here, or was changed since")
}

// refuse settles a Prepared that cannot be trusted. Of what it says only the call is kept, which
// names the outcome.
func (r *Registry) refuse(p *prepared, why string) *prepared {
	tool := p.name()
	return &prepared{CallID: p.CallID, Args: p.Args, Incomplete: p.Incomplete, owner: r, Caller: &nobody,
		Failure: notRun(why), rare: &rare{called: p.called(), tool: &tool}}
}

// admit returns a genuine Prepared for the tool as this registry has it now, with its arguments
// decoded. One from JSON, or from another registry, is read again for this registry's tool.
func (r *Registry) admit(ctx context.Context, prep Prepared) *prepared {
	p := r.genuine(prep)
	if p.Failure != nil {
		return p
	}
	tool, ok := r.Lookup(p.name())
	if !ok || tool.Fingerprint() != p.fingerprint() {
		return r.refuse(p, "the tool is not the one it was prepared for")
	}
	if p.args != nil && p.tool == tool {
		return p
	}
	q := *p
	if q.owner, q.tool = r, tool; q.rare != nil {
		q.amend().sealed = nil
	}
	q.Failure = r.reread(ctx, &q)
	return &q
}
