// Package strict shapes a JSON Schema to what one provider takes, and proves that it does.
//
// Rewrite changes a schema in place until a profile has nothing against it, and says each
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
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/jig-go/jig/internal/near"
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

// Err says what is wrong with the profile itself, such as a status that does not exist. Rewrite and
// Check require that nothing is.
func (p Profile) Err() error {
	var wrong, odd []string // only what is odd is sorted and worded: Err is asked with every schema
	for key, said := range p.Keywords {
		if !knownKey(key) || !slices.Contains(statuses, said) {
			odd = append(odd, key)
		}
	}
	slices.Sort(odd)
	for _, key := range odd {
		if err := keyError(key); err != "" {
			wrong = append(wrong, err)
		}
		field := "Keywords[" + strconv.Quote(key) + "]"
		wrong = append(wrong, oneOf(field, p.Keywords[key], statuses)...)
	}
	wrong = append(wrong, oneOf("Ignored", cmp.Or(p.Ignored, "keep"), policies)...)
	wrong = append(wrong, oneOf("Unknown", cmp.Or(p.Unknown, "keep"), policies)...)
	if _, err := compiled(p.KeyPattern); err != nil {
		wrong = append(wrong, "KeyPattern: "+err.Error())
	}
	for _, b := range []struct {
		field string
		limit int
	}{
		{"MaxProperties", p.MaxProperties}, {"MaxDepth", p.MaxDepth},
		{"MaxEnumValues", p.MaxEnumValues}, {"MaxEnumChars", p.MaxEnumChars},
		{"MaxChars", p.MaxChars}, {"MaxTools", p.MaxTools}, {"MaxStrict", p.MaxStrict},
		{"MaxOptional", p.MaxOptional}, {"MaxUnions", p.MaxUnions},
		{"MaxDescription", p.MaxDescription}, {"AdviseDescription", p.AdviseDescription},
	} {
		if b.limit < 0 {
			wrong = append(wrong, fmt.Sprintf("%s: got %d, want 0 for none, or more", b.field,
				b.limit))
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("profile %q: %s", p.Name, strings.Join(wrong, "; "))
}

var (
	statuses = []string{"ok", "ignored", "avoid", "rejected", "unknown"}
	policies = []string{"keep", "move", "mention"}
)

// oneOf says that a field has none of the values that it may have.
func oneOf(field, got string, want []string) []string {
	if slices.Contains(want, got) {
		return nil
	}
	last := len(want) - 1
	return []string{fmt.Sprintf("%s: got %q, want %s or %s%s", field, got,
		strings.Join(want[:last], ", "), want[last], meant(got, want))}
}

// knownKey reports whether an entry of a profile may have this name.
func knownKey(key string) bool {
	_, ok := keywords[key]
	return status(key) == key && (ok || slices.Contains(Pseudo, key))
}

// keyError says that no entry of a profile has this name.
func keyError(key string) string {
	if knownKey(key) {
		return ""
	}
	if name := status(key); name != key {
		return fmt.Sprintf("Keywords[%q]: the entry for it is %q", key, name)
	}
	names := slices.Clone(Pseudo)
	for _, f := range facts {
		names = append(names, f.key)
	}
	return fmt.Sprintf("Keywords[%q]: neither a keyword of JSON Schema nor a pseudo keyword%s", key,
		meant(key, names))
}

// meant asks for the nearest name, where one is near.
func meant(got string, names []string) string {
	if near := near.Names(got, names); len(near) > 0 {
		return fmt.Sprintf("; did you mean %q?", near[0])
	}
	return ""
}

// patterns holds the compiled KeyPatterns: there are few, and each is asked for with every schema.
var patterns sync.Map

func compiled(pattern string) (*regexp.Regexp, error) {
	if known, ok := patterns.Load(pattern); ok {
		return known.(*regexp.Regexp), nil
	}
	out, err := regexp.Compile(pattern)
	if err == nil {
		patterns.Store(pattern, out)
	}
	return out, err
}

// key returns the compiled KeyPattern. The empty one matches every name.
func (p *Profile) key() *regexp.Regexp {
	pattern, err := compiled(p.KeyPattern)
	if err != nil {
		panic("jig: internal error: a profile was not checked: " + err.Error())
	}
	return pattern
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
