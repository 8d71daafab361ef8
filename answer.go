package jig

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jig-go/jig/internal/near"
)

// Errors of Answer.Extract, beside [ErrIncomplete] for a call that was cut off.
var (
	// ErrNoAnswer says that no call is one of the answer tool.
	ErrNoAnswer = errors.New("no answer")
	// ErrManyAnswers says that several calls are calls of the answer tool.
	ErrManyAnswers = errors.New("more than one answer")
)

// AnswerSpec defines a tool whose arguments are the answer of a run. The fields are those of [Spec].
type AnswerSpec[T any] struct {
	Name, Title string
	// Description says when to call the tool. That of a terminal one says: call exactly once, ends
	// the run.
	Description string
	Strict      bool
	Examples    []T
	Schema      *Schema
	Repair      RepairMode
	// Check refuses an answer with [Invalid] or [Errorf], which the model may then correct. Nil
	// accepts what the schema does.
	Check func(ctx context.Context, answer T) error
	// Terminal says that an accepted answer ends the run: nothing else of its turn runs. The zero
	// value lets the run go on.
	Terminal bool
}

// An Answer is a tool whose arguments are the answer. It writes nothing: its effect is read and its
// approval never. An accepted answer reads "done" for the model and is in Outcome.Answer. An Answer
// never changes and is safe for concurrent use.
type Answer[T any] struct{ tool *Tool }

// DefineAnswer defines an answer tool. The error is a *[DefineError], as that of Define.
//
// Offered among others it lets the model say when it is done: add Tool to a registry, and read the
// answer from the outcome by From. Where the provider is told to call it and nothing else, read the
// answer by Extract.
func DefineAnswer[T any](spec AnswerSpec[T]) (*Answer[T], error) {
	d := Spec[T, NoResult]{
		Name: spec.Name, Title: spec.Title, Description: spec.Description, Strict: spec.Strict,
		Examples: spec.Examples, Schema: spec.Schema, Repair: spec.Repair, Check: spec.Check,
		Effect: EffectRead, Approval: ApprovalNever,
		Execute: func(context.Context, T) (NoResult, error) { return NoResult{}, nil },
	}.erase(callSite(1))
	d.answer, d.terminal = true, spec.Terminal
	tool, err := define(d)
	if err != nil {
		return nil, err
	}
	return &Answer[T]{tool}, nil
}

// Tool returns the tool, to be added to a registry.
func (a *Answer[T]) Tool() *Tool { return a.tool }

// Terminal reports whether an accepted call of the tool ends the run: it is an answer tool that was
// defined so. See [DefineAnswer].
func (t *Tool) Terminal() bool { return t.terminal }

// From returns the answer in an outcome, and whether there is one: of an accepted call of this
// answer tool, bare or in a group.
func (a *Answer[T]) From(o Outcome) (T, bool) {
	var answer T
	own := o.Tool == a.tool.name || strings.HasSuffix(o.Tool, "."+a.tool.name)
	if !own || o.Status != StatusOK || o.Answer == nil {
		return answer, false
	}
	r := a.alone()
	p := r.Prepare(Call{Name: a.tool.Name(), Args: o.Answer}).p
	if p.Failure != nil {
		return answer, false
	}
	return *p.args.value.(*T), true
}

// alone returns a registry with the answer tool only.
func (a *Answer[T]) alone() *Registry {
	r := &Registry{}
	r.set().publish([]*Tool{a.tool})
	return r
}

// Extract returns the answer of a turn in which the model was told to call the answer tool, bare or
// in a group. Without one such call the error is [ErrNoAnswer], with several [ErrManyAnswers], and
// for one that was cut off [ErrIncomplete]. Arguments that the schema or Check refuses give an error
// whose text is what the model should read, with a *[ValidationError] in its chain: the only one
// after which asking again may help. For that put the tool into a registry and use
// Registry.RepairOnce and From. What else Check returns comes back in the chain.
func (a *Answer[T]) Extract(ctx context.Context, calls []Call) (T, error) {
	var answer T
	var own []Call
	for _, c := range calls {
		if a.names(c.Name) {
			own = append(own, c)
		}
	}
	switch {
	case len(own) == 0:
		return answer, fmt.Errorf("jig: %s: %w: it was not called", a.tool.name, ErrNoAnswer)
	case len(own) > 1:
		return answer, fmt.Errorf("jig: %s: %w: it was called %d times", a.tool.name, ErrManyAnswers,
			len(own))
	}
	c := own[0]
	c.Name = a.tool.Name()
	o := a.alone().Call(ctx, c)
	switch {
	case o.Status == StatusOK:
		answer, _ = a.From(o)
		return answer, nil
	case o.Status == StatusInvalid && o.Code != codeIncomplete:
		return answer, refusedAnswer(o)
	}
	return answer, fmt.Errorf("jig: %w", o.Err)
}

// names reports whether a name is that of the answer tool: its own, or one in a group, where case and
// separators count as little as in any call.
func (a *Answer[T]) names(name string) bool {
	own := a.tool.name
	return strings.HasSuffix(name, "."+own) || strings.HasSuffix(name, "__"+own) ||
		near.Fold(name) == near.Fold(own)
}

// refusedAnswer is the error of Extract for arguments that were refused.
func refusedAnswer(o Outcome) error {
	causes := []error{o.Err}
	if _, ok := errors.AsType[*ValidationError](o.Err); !ok { // an authored error of Check
		problem := Problem{Keyword: "check", Message: o.Text()}
		causes = append(causes, &ValidationError{Problems: []Problem{problem}})
	}
	return &answerError{o.Text(), causes}
}

// answerError prints as what the model should read.
type answerError struct {
	text   string
	causes []error
}

func (e *answerError) Error() string   { return e.text }
func (e *answerError) Unwrap() []error { return e.causes }

// withAnswer adds what Outcome.Answer will be to the success of an answer tool: its canonical
// arguments.
func withAnswer(p *prepared, e *executed) *executed {
	if p.tool.answer && e.Failure == nil {
		return e.withAnswerOf(p)
	}
	return e
}

// withAnswerOf is withAnswer where there is one.
func (e *executed) withAnswerOf(p *prepared) *executed {
	c := *e
	c.Answer = p.tool.plan.Canonical(nil, p.text())
	return &c
}
