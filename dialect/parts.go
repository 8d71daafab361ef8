package dialect

import (
	"mime"
	"strings"

	"github.com/jig-go/jig"
)

// isFailure reports whether the model reads an outcome as an error. A pending call is none: its
// text says that it waits.
func isFailure(o jig.Outcome) bool { return o.IsError() && o.Status != jig.StatusPending }

// mediaType is the type of a file as APIs spell it: in lower case, without parameters.
func mediaType(p jig.Part) string {
	kind, _, _ := mime.ParseMediaType(p.MIME)
	if kind == "image/jpg" { // no such type is registered, and Anthropic refuses it
		return "image/jpeg"
	}
	return kind
}

// standIn names an image or a file in text, for a wire that does not take it:
// [image/png "chart.png", 5120 bytes: not shown, this API takes no such part in a result].
func standIn(p jig.Part) string {
	label := jig.Output{Parts: []jig.Part{p}}.Text()
	return strings.TrimSuffix(label, "]") +
		": not shown, this API takes no such part in a result]"
}

// partText is a part as text; of an image or a file, its stand-in.
func partText(p jig.Part) string {
	if len(p.Data) > 0 {
		return standIn(p)
	}
	return jig.Output{Parts: []jig.Part{p}}.Text()
}

// plainText is what the model reads of an outcome where a result is text.
func plainText(o jig.Outcome) string {
	texts := make([]string, len(o.Output.Parts))
	for i, p := range o.Output.Parts {
		texts[i] = partText(p)
	}
	return strings.Join(texts, "\n")
}

// answerText is plainText for a wire without an error flag: a failure goes as {"error":"…"}.
func answerText(o jig.Outcome) string {
	text := plainText(o)
	if isFailure(o) {
		return string(object("error", text))
	}
	return text
}
