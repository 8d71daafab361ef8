// Package strict shapes a JSON Schema to what one provider takes, and proves that it does.
//
// Rewrite changes a private copy of a schema until a profile has nothing against it, and says each
// change; Check, which shares nothing with it but the profile, says what a provider would refuse.
//
// A keyword that moves into the description is said there in one wording, its value as compact JSON
// and the keywords in a fixed order, so that the text is the same on every run:
//
//	Days ahead. (default: 10, minimum: 1, maximum: 30)
//
// Without a description the brackets are left out.
package strict

import (
	"regexp"
	"sync"
)

// A Profile is what one provider takes in one mode, as data. Its fields are described at
// jig.Profile, which has the same ones.
type Profile struct {
	Name   string
	Date   string
	Source string

	Closed           bool
	Required         bool
	Nullable         bool
	Keywords         map[string]string
	Ignored, Unknown string
	Formats          []string
	Lossy            bool
	KeyPattern       string

	MaxProperties, MaxDepth, MaxEnumValues, MaxEnumChars, MaxChars int
	MaxTools, MaxStrict, MaxOptional, MaxUnions                    int
	MaxDescription, AdviseDescription                              int
}

// names holds the compiled KeyPatterns: there are few, and each is asked for with every schema.
var names sync.Map

// key returns the compiled KeyPattern.
func (p *Profile) key() (*regexp.Regexp, error) {
	if known, ok := names.Load(p.KeyPattern); ok {
		return known.(*regexp.Regexp), nil
	}
	pattern, err := regexp.Compile(p.KeyPattern)
	if err == nil {
		names.Store(p.KeyPattern, pattern)
	}
	return pattern, err
}

// A Change is one thing that Rewrite changed. Its fields are described at jig.Change.
type Change struct {
	Pointer string
	Keyword string
	Action  string
	Message string
	Lossy   bool
}

// The actions of a Change.
const (
	Added     = "added"     // the keyword was written where there was none
	Rewritten = "rewritten" // said in other keywords, with the same meaning
	Moved     = "moved"     // said in the description now, and checked by jig alone
	Dropped   = "dropped"   // not said any more
)

// A Problem is one thing that a provider refuses.
type Problem struct {
	Pointer string // into the schema
	Keyword string // a keyword or a pseudo keyword of the profile
	Message string // what is wrong and what to write instead
}
