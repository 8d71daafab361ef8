package dialect

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jig-go/jig"
)

// all lists the dialects in the order in which Check goes through them.
func all() []Dialect {
	return []Dialect{OpenAIChat, OpenAIResponses, Anthropic, Gemini, GeminiSchema, Bedrock, MCP,
		Mistral, Groq, XAI, DeepSeek, Ollama}
}

// A Verdict is what one provider makes of one tool.
type Verdict struct {
	Dialect string // its name
	Tool    string // canonical
	// Changes are what has to be changed for it to be accepted: none if it is accepted as it is.
	Changes []Change
	// Refused says why it is not accepted, and what can be done; nil means that it is.
	Refused *RefusedError
}

// Check says what each provider makes of a tool that is alone in a request: whether it is accepted
// as it is, accepted with changes, or refused. The verdicts come in the order of the dialects
// above, OpenAIChat first.
func Check(t *jig.Tool) []Verdict {
	var verdicts []Verdict
	for _, d := range all() {
		v := Verdict{Dialect: d.name, Tool: t.Name()}
		made := d.render([]*jig.Tool{t}, &settings{})
		if refused, ok := errors.AsType[*RefusedError](made.err); ok {
			v.Refused = refused
		} else {
			v.Changes = made.report.Changes()
		}
		verdicts = append(verdicts, v)
	}
	return verdicts
}

// lossy reports whether something is no longer said to the provider.
func (v Verdict) lossy() bool {
	for _, c := range v.Changes {
		if c.Lossy {
			return true
		}
	}
	return false
}

// String returns the verdict in one line, or in several for a tool that is refused.
func (v Verdict) String() string {
	head := v.Dialect + ": " + v.Tool + ": "
	switch {
	case v.Refused != nil:
		return head + "refused\n" + v.Refused.Error()
	case len(v.Changes) == 0:
		return head + "accepted as it is"
	case v.lossy():
		return head + "accepted with " + counted(len(v.Changes), "change") + ", some of them lossy"
	}
	return head + "accepted with " + counted(len(v.Changes), "change")
}

// Table checks tools and returns a table in Markdown: a line for each provider, with how many of
// the tools it accepts as they are, and the names of those that it accepts with changes, whose
// number stands beside them, or not at all.
func Table(tools ...*jig.Tool) string {
	type line struct {
		asIs             int
		changed, refused []string
	}
	lines := make([]line, len(all()))
	for _, t := range tools {
		for i, v := range Check(t) {
			switch l, name := &lines[i], "`"+v.Tool+"`"; {
			case v.Refused != nil:
				l.refused = append(l.refused, name)
			case len(v.Changes) == 0:
				l.asIs++
			default:
				l.changed = append(l.changed, fmt.Sprintf("%s (%d)", name, len(v.Changes)))
			}
		}
	}
	var out strings.Builder
	out.WriteString("| dialect | as it is | with changes | refused |\n|---|---|---|---|\n")
	for i, d := range all() {
		l := lines[i]
		fmt.Fprintf(&out, "| %s | %d | %s | %s |\n", d.name, l.asIs, strings.Join(l.changed, ", "),
			strings.Join(l.refused, ", "))
	}
	return out.String()
}
