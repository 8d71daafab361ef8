package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/scan"
)

// A fault is what a provider answers when it refuses a request or breaks off: an error of OpenAI's
// form, with its fields at the top as Mistral has them, or as a text alone as Ollama has it.
type fault struct {
	Error, Object, Type, Message, Code, Param, Detail json.RawMessage
	// Failed is the call that Groq found to be wrong, as the model wrote it.
	Failed json.RawMessage `json:"failed_generation"`
	// Groq's is why it broke off a stream.
	Groq struct{ Error json.RawMessage } `json:"x_groq"`
}

// readBody reads a response, or an event of one. The error is the provider's own, where the body is
// one.
func readBody(body json.RawMessage, into any) error {
	var f fault
	// A stream has many events, and few of them have the words that an error has.
	if bytes.Contains(body, []byte(`"error"`)) || bytes.Contains(body, []byte(`"detail"`)) {
		_ = json.Unmarshal(body, &f) // what is no JSON is found below
	}
	if text := f.text(); text != "" {
		return providerError("", text)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("got %q, want JSON of the API, an event without its prefix data: %w",
			clip.Middle(string(body), 200), err)
	}
	return nil
}

// text is what the fault says, or "" if it is none.
func (f fault) text() string {
	if given(f.Error) == nil {
		f.Error = f.Groq.Error
	}
	switch raw := scan.Trim(given(f.Error)); {
	case len(raw) > 0 && raw[0] == '{':
		var inner fault
		if json.Unmarshal(raw, &inner) != nil {
			return string(raw)
		}
		return inner.words()
	case len(raw) > 0 && string(raw) != `""`:
		f.Message = raw
		return f.words()
	case plainJSON(f.Object) == "error", plainJSON(f.Type) == "error", given(f.Detail) != nil:
		return f.words()
	}
	return ""
}

// words puts the parts of a fault together: message (type, code, param).
func (f fault) words() string {
	var marks []string
	for _, raw := range []json.RawMessage{f.Type, f.Code, f.Param} {
		if text := plainJSON(raw); text != "" && text != "error" {
			marks = append(marks, text)
		}
	}
	out := plainJSON(f.Message) + plainJSON(f.Detail)
	if out == "" {
		out = "without a message"
	}
	if len(marks) > 0 {
		out += " (" + strings.Join(marks, ", ") + ")"
	}
	if failed := plainJSON(f.Failed); failed != "" {
		out += "; the model wrote: " + clip.Middle(failed, 500)
	}
	return out
}

// plainJSON is a value for people: a string without its quotes, nothing for null.
func plainJSON(raw json.RawMessage) string {
	if text, ok := unquoted(raw); ok {
		return text
	}
	return string(given(raw))
}

// noResponse is the error for a body that lacks what every response has.
func noResponse(what string, body json.RawMessage) error {
	return fmt.Errorf("got %q, want a whole response, which has %s",
		clip.Middle(string(body), 200), what)
}
