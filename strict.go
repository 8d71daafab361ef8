package jig

import (
	"errors"
	"fmt"
	"sync"

	"github.com/jig-go/jig/internal/general"
	"github.com/jig-go/jig/internal/strict"
	"github.com/jig-go/jig/internal/tree"
)

// Tighten returns the schema in the words that a provider takes, by its profile, and each change
// that this took, in the order of the schema. The schema itself does not change.
//
// Rewriting goes through properties, items, map values, branches and definitions alike. An object
// is closed where the profile asks for it; all properties are required and the optional ones
// nullable where it asks for that, and null means absent then (see [Schema]). allOf is merged,
// oneOf becomes anyOf where the branches exclude one another, references are written out where they
// cannot stay, and a constraint without a keyword there is said in the description:
//
//	Days ahead. (default: 10, minimum: 1, maximum: 30)
//
// What then is not said in keywords has a [Change] that is Lossy. The base schema, which a tool
// checks its arguments by, still enforces it.
//
// What cannot be said at all, such as a map where every object has to be closed, is no change but
// the error: a *[DefineError] with every such place, as a JSON pointer into this schema, and what
// to write instead. With Profile.Lossy it is a Change where there is any form of it.
//
// A profile that is wrong itself, such as in a keyword or a status that does not exist, is an error
// that says so.
//
// Most users export their tools by package dialect, which has the profiles; Tighten is for code
// that talks to a provider which dialect does not know.
func (s *Schema) Tighten(p Profile) (*Schema, []Change, error) {
	rules := strict.Profile(p)
	if s.root == nil {
		return nil, nil, errors.New("jig: the zero Schema has nothing to tighten")
	}
	if err := rules.Err(); err != nil {
		return nil, nil, fmt.Errorf("jig: %w", err)
	}
	root := s.root.Clone()
	changes, problems := strict.Rewrite(rules, root)
	if len(problems) == 0 {
		problems = strict.Proof(rules, root)
	}
	if len(problems) > 0 {
		return nil, nil, &DefineError{Problems: strictProblems(problems), alone: true}
	}
	list := make([]Change, len(changes))
	for i, c := range changes {
		list[i] = Change(c)
	}
	return s.rewritten(root, rules), list, nil
}

// rewritten makes the schema of a rewritten root. It shows nullable:true as it is written there,
// and checks by what that means. Most are sent and check nothing, so it compiles when it is asked.
func (s *Schema) rewritten(root *tree.Node, rules strict.Profile) *Schema {
	plain := strict.Plain(rules, root)
	if s.document == nil {
		out := newSchema(plain, s.typ, nil)
		out.text = shownText(root)
		return out
	}
	text := plain.Append(nil, tree.Form{Enforced: true, Identity: true})
	out := newSchema(plain, nil, sync.OnceValues(func() (*general.Document, error) {
		document, err := general.Compile(text)
		if err != nil {
			panic("jig: internal error: a tightened schema does not compile: " + err.Error())
		}
		return document, nil
	}))
	out.text = shownText(root)
	return out
}

// neutral closes every object that declares properties and changes nothing else. Making optional
// properties required and nullable is a rule of single providers, and harms others.
var neutral = strict.Profile{Name: "strict", Closed: true, Keywords: map[string]string{
	"additionalProperties_true": "ok", "additionalProperties_schema": "ok",
	"additionalProperties_missing": "ok",
}}

// tighten brings a schema into the neutral strict form: closed at the root and in properties, items,
// prefixItems, map values, branches and $defs, with allOf merged. Maps keep their value schema.
func tighten(root *tree.Node) []Problem {
	_, problems := strict.Rewrite(neutral, root)
	if root.Bool == nil && !root.Has("properties") && !root.Has("additionalProperties") {
		// Every provider wants properties at the root. That it is a map and no empty object has to
		// be known when it is tightened for one of them.
		root.Set(tree.Member{Key: "additionalProperties", Node: tree.Literal(true),
			Enforced: true})
	}
	return strictProblems(problems)
}

func strictProblems(list []strict.Problem) []Problem {
	var out []Problem
	for _, p := range list {
		out = append(out, Problem{Pointer: p.Pointer, Keyword: p.Keyword, Message: p.Message})
	}
	return out
}
