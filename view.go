package jig

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/near"
	"github.com/jig-go/jig/internal/path"
	"github.com/jig-go/jig/internal/project"
	"github.com/jig-go/jig/internal/tree"
)

// A view is what Define made of the output fields of a Spec.
type view struct {
	shown      *codec.Type         // writes what the model may see of a result; nil for Output
	direct     bool                // a result only has to be encoded, see directView
	pure       bool                // no code of others runs to make what is sent
	shallow    bool                // shown writes JSON of few levels, whatever the value
	guess      *lengthGuess        // of the JSON; shared by copies
	inFull     *codec.Type         // writes all of it, for the schema by hand; nil without one
	projection *project.Projection // nil without Project
	redaction  *project.Projection // nil without Redact
	schema     *Schema             // of what is sent; nil where that is not known, or is text
}

// outputType is a Result that is the model's view already.
var outputType = reflect.TypeFor[Output]()

// dynamicView reports whether only the call tells what the model's view holds. Requirement: view.shown is
// settled.
func (t *Tool) dynamicView() bool { return t.toModelOutput != nil || t.view.shown == nil }

// defineResult settles how a result becomes the model's view, in these steps: the types that write it,
// the schema given by hand, the paths, the schema of what is sent.
func (t *Tool) defineResult() []Problem {
	if t.result != outputType {
		typ, wrong := codec.Of(t.result, "Result", codec.Results)
		if len(wrong) > 0 {
			return definitionProblems(wrong)
		}
		t.view.shown, t.view.shallow, t.view.guess = typ, typ.Shallow(), &lengthGuess{}
	}
	problems := t.checkOutputSchema()
	project, wrong := t.compilePaths("Project", t.project, func(steps []path.Step) string {
		if t.dynamicView() {
			return ""
		}
		return lacking(t.view.shown, "Result", steps)
	})
	t.view.projection = project
	problems = append(problems, wrong...)
	redact, wrong := t.compilePaths("Redact", t.redact, func(steps []path.Step) string {
		if t.dynamicView() || t.argsType == nil {
			return ""
		}
		inArgs, inResult := lacking(t.argsType, "Args", steps), lacking(t.view.shown, "Result", steps)
		if inArgs == "" && !t.plan.Leads(steps) { // the type takes anything, and the schema does not
			inArgs = "Args has no such place in its schema"
		}
		if inArgs == "" || inResult == "" {
			return ""
		}
		return inArgs + "; " + inResult
	})
	t.view.redaction = redact
	t.view.pure = !t.dynamicView() && t.view.inFull == nil && t.view.shown.Pure()
	t.view.direct = t.directView()
	if problems = append(problems, wrong...); len(problems) > 0 {
		return problems
	}
	return t.sentSchema()
}

// directView reports whether a result only has to be encoded.
func (t *Tool) directView() bool {
	guarded := t.view.inFull != nil || t.view.projection != nil || t.view.redaction != nil
	return !guarded && !t.dynamicView() && t.view.shown.Kind != codec.String &&
		t.result.Kind() != reflect.Interface && t.result != reflect.TypeFor[NoResult]()
}

// checkOutputSchema checks the schema given by hand.
func (t *Tool) checkOutputSchema() []Problem {
	refuse := func(message string) []Problem { return []Problem{{Pointer: "OutputSchema", Message: message}} }
	switch {
	case t.outputSchema == nil:
		return nil
	case t.outputSchema.root == nil:
		return refuse("is the zero Schema; make one with ParseSchema, MustParseSchema or SchemaFor")
	case t.result == outputType:
		return refuse("has nothing to check: Result is Output, which is what the model reads already")
	case t.result == reflect.TypeFor[NoResult]():
		return refuse("has nothing to check: Result is NoResult")
	}
	typ, wrong := codec.InFull(t.result, "Result")
	t.view.inFull = typ
	return definitionProblems(wrong)
}

// compilePaths parses the paths of a Spec field; lacking says why there is no such place.
func (t *Tool) compilePaths(field string, texts []string, lacking func([]path.Step) string) (
	*project.Projection, []Problem) {
	var paths [][]path.Step
	var problems []Problem
	for i, text := range texts {
		at := field + "[" + strconv.Itoa(i) + "]"
		steps, err := path.Parse(text)
		if err != nil {
			problems = append(problems, Problem{Pointer: at, Message: err.Error()})
			continue
		}
		if why := lacking(steps); why != "" {
			problems = append(problems, Problem{Pointer: at, Message: strconv.Quote(text) + ": " + why})
		}
		paths = append(paths, steps)
	}
	if len(paths) == 0 {
		return nil, problems
	}
	return project.Compile(paths), problems
}

// lacking says why values of a type have no place for a path, or "". The Go path of the type is at.
func lacking(typ *codec.Type, at string, steps []path.Step) string {
	if len(steps) == 0 {
		return ""
	}
	typ, _ = typ.Base()
	step, rest := steps[0], steps[1:]
	switch typ.Kind {
	case codec.Any, codec.Raw, codec.Custom:
		return "" // it holds what it holds
	case codec.Slice, codec.Array:
		if step.Kind != path.Items {
			return at + " is an array; write [] for its items"
		}
		return lacking(typ.Elem, at+"[]", rest)
	case codec.Map:
		if step.Kind == path.Items {
			return at + " is an object and has no items"
		}
		return lacking(typ.Elem, at+"[]", rest)
	case codec.Struct:
		return lackingField(typ, at, step, rest)
	}
	return at + " is no object and no array: nothing is inside it"
}

func lackingField(typ *codec.Type, at string, step path.Step, rest []path.Step) string {
	switch step.Kind {
	case path.Items:
		return at + " is an object and has no items"
	case path.AllMembers:
		first := at + " has no properties"
		for i := range typ.Fields {
			f := &typ.Fields[i]
			why := lacking(f.Type, f.Path, rest)
			if why == "" {
				return ""
			}
			if i == 0 {
				first = why
			}
		}
		return first
	}
	f := typ.Field(step.Name)
	switch {
	case f == nil:
		return at + " has no property " + strconv.Quote(step.Name) + nearestFields(typ, step.Name)
	case f.Hidden:
		return f.Path + ` is tagged jig:"hidden", so that no model sees it`
	case f.Redact && len(rest) > 0:
		return f.Path + ` is tagged jig:"redact", so that nothing is inside it`
	}
	return lacking(f.Type, f.Path, rest)
}

// nearestFields says which properties may have been meant: the near ones, else the first ten.
func nearestFields(typ *codec.Type, name string) string {
	var names []string
	for _, f := range typ.Fields {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	}
	if hits := near.Names(name, names); len(hits) > 0 {
		return "; did you mean " + quoteAll(hits, " or ") + "?"
	}
	if len(names) == 0 {
		return ", nor any other"
	}
	return "; it has " + quoteAll(names[:min(len(names), 10)], ", ")
}

// sentSchema settles the schema of what the model gets: the one by hand, or the reflected one where there
// is none or where tags guard fields of the result, with what Project and Redact leave of it.
func (t *Tool) sentSchema() []Problem {
	if t.dynamicView() || t.result == reflect.TypeFor[NoResult]() {
		return nil
	}
	root, problems := t.encodedSchema()
	if root == nil {
		return problems
	}
	ok := true
	if t.view.projection != nil {
		_, nullable := t.view.shown.Base()
		if root, ok = t.view.projection.Schema(root); ok && nullable {
			root = tree.Nullable(root)
		}
	}
	if ok && t.view.redaction != nil {
		root, ok = t.view.redaction.RedactedSchema(root)
	}
	if ok {
		t.view.schema = newSchema(root, nil, nil)
	}
	return nil
}

// encodedSchema is the schema of a result as the encoder writes it, or nil where no schema says it.
func (t *Tool) encodedSchema() (*tree.Node, []Problem) {
	root, _, wrong := t.view.shown.Schema("Result", codec.Results)
	if len(wrong) > 0 {
		return nil, definitionProblems(wrong)
	}
	switch t.view.shown.Kind {
	case codec.String:
		return nil, nil // the model gets the text itself
	case codec.Any, codec.Raw, codec.Custom:
		root = nil
	}
	if t.outputSchema != nil && !t.view.shown.Guarded() {
		return t.outputSchema.root, nil
	}
	return root, nil
}

// modelOutput is the model's view of a result: checked against the schema by hand, shaped, projected
// and redacted, in this order. Whatever goes wrong, nothing of the result is returned.
func (t *Tool) modelOutput(ctx context.Context, result any) (Output, error) {
	v := t.resultValue(result)
	if err := t.checkResult(v); err != nil {
		return Output{}, err
	}
	if t.dynamicView() {
		output, err := t.shapedOutput(ctx, result)
		if !noError(err) {
			return Output{}, err
		}
		if output, err = settleOutput(output); err != nil {
			return Output{}, err
		}
		return t.guard(output, false)
	}
	text, ok := t.textOf(v)
	if !ok {
		return t.jsonOutput(v)
	}
	output, err := t.guard(Text(text), true)
	if err != nil {
		return Output{}, err
	}
	return settleOutput(output)
}

// resultValue is a result as a value of the type that Spec says.
func (d *definition) resultValue(result any) reflect.Value {
	if d.result.Kind() != reflect.Interface {
		return reflect.ValueOf(result)
	}
	v := reflect.New(d.result).Elem()
	if result != nil {
		v.Set(reflect.ValueOf(result))
	}
	return v
}

// shapedOutput is what the author makes of a result.
func (t *Tool) shapedOutput(ctx context.Context, result any) (Output, error) {
	if t.toModelOutput != nil {
		return t.toModelOutput(ctx, result)
	}
	return result.(Output), nil
}

// guard applies Project and Redact. A part that Project cannot vouch for fails the whole output; null,
// which is what an encoded nil pointer is, has nothing in it. No part keeps memory of o where Project acts.
func (t *Tool) guard(o Output, encoded bool) (Output, error) {
	if t.view.projection == nil && t.view.redaction == nil {
		return o, nil
	}
	return t.guardParts(o, encoded)
}

// guardParts is guard where there is something to apply.
func (t *Tool) guardParts(o Output, encoded bool) (Output, error) {
	out, size := Output{Parts: slices.Clone(o.Parts)}, 0
	for i := range out.Parts {
		p := &out.Parts[i]
		if t.view.projection != nil {
			if err := t.projectPart(p, encoded); err != nil {
				return Output{}, fmt.Errorf("part %d: %w", i, err)
			}
		}
		if t.view.redaction != nil && p.JSON != nil {
			p.JSON = t.view.redaction.Redact(nil, p.JSON, codec.Redacted)
		}
		size += p.size()
	}
	if size == 0 { // the paths lead nowhere in what was there
		return Text(emptyText), nil
	}
	return out, nil
}

// projectPart cuts a part down to what Project names.
func (t *Tool) projectPart(p *Part, encoded bool) error {
	switch {
	case p.JSON == nil && len(p.Data) == 0 && p.Text == emptyText:
		return nil // nothing was there
	case p.JSON == nil:
		return errors.New("it is not JSON, so that Project can select nothing from it")
	case encoded && string(p.JSON) == "null":
		p.JSON = []byte("null")
		return nil
	}
	kept, ok := t.view.projection.Append(nil, p.JSON)
	if !ok {
		return errors.New("it is no object and no array, so that Project can select nothing from it")
	}
	p.JSON = kept
	return nil
}

// checkResult checks a result against the schema by hand.
func (t *Tool) checkResult(result reflect.Value) error {
	if t.view.inFull == nil {
		return nil
	}
	raw, err := t.view.inFull.Append(nil, result)
	if err != nil {
		return err
	}
	if err := t.outputSchema.Validate(json.RawMessage(raw)); err != nil {
		return fmt.Errorf("the result is not what OutputSchema says: %w", err)
	}
	return nil
}
