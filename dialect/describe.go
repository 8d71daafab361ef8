package dialect

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/internal/examples"
	"github.com/jig-go/jig/internal/strict"
)

// describe writes the description and the examples: into the description, or, if native, apart.
func (s *shaped) describe(native bool) {
	plain, bound := s.tool.Plain(), s.profile.MaxDescription
	shown := s.fitting()
	if bound > 0 && len(plain) > bound {
		s.refuse(jig.Problem{Keyword: "description", Message: fmt.Sprintf("the description is %d "+
			"bytes long, and at most %d are taken; shorten it", len(plain), bound)})
	}
	if native && len(shown) > 0 {
		s.form.description, s.form.examples = plain, shown
		return
	}
	fitting := examples.Fit(plain, shown, bound)
	if left := len(shown) - len(fitting); left > 0 {
		s.note("%d of %s left out, from the end: a description may have %d bytes", left,
			counted(len(shown), "example"), bound)
	}
	s.form.description = examples.Append(plain, fitting)
	if advised := s.profile.AdviseDescription; advised > 0 && len(s.form.description) > advised {
		s.note("the description has %d bytes with its examples, and %d or fewer are advised",
			len(s.form.description), advised)
	}
}

func (s *shaped) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// fitting returns the examples as they are valid by the schema that is sent: with null for each
// absent property where every property is required, and without those that a loss of the schema
// made wrong.
func (s *shaped) fitting() []json.RawMessage {
	list := s.tool.Examples()
	if s.sent == nil || len(list) == 0 {
		return list
	}
	if s.profile.Required {
		root := parsed(s.sent)
		for i, raw := range list {
			list[i] = strict.WithNulls(root, raw)
		}
	}
	if !slices.ContainsFunc(s.changes, func(c jig.Change) bool { return c.Lossy }) {
		return list
	}
	var valid []json.RawMessage
	for i, raw := range list {
		if err := s.sent.Validate(raw); err != nil {
			s.note("example %d is left out, since the schema that is sent refuses it: %s", i+1,
				strings.ReplaceAll(err.Error(), "\n", "; "))
			continue
		}
		valid = append(valid, raw)
	}
	return valid
}
