package dialect

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/jig-go/jig"
)

// bedrock is the Converse API (read 2026-11-29).
type bedrock struct{}

func (bedrock) definition(f form) json.RawMessage {
	return object("toolSpec", object("name", f.name, "description", optional(f.description),
		"strict", onlyTrue(f.strict), "inputSchema", object("json", f.schema)))
}

// tools writes toolConfig.tools.
func (bedrock) tools(list []json.RawMessage) json.RawMessage { return array(list) }

// choice writes toolConfig.toolChoice; it stands beside toolConfig.tools.
func (bedrock) choice(c Choice, name string) (json.RawMessage, error) {
	choice := object("auto", object())
	switch c.mode {
	case "none":
		return nil, errors.New("the API cannot say that no tool may be called; leave toolConfig out, " +
			"or where the messages hold tool calls keep it with Auto")
	case "required":
		choice = object("any", object())
	case "only":
		choice = object("tool", object("name", name))
	}
	return object("toolConfig", object("toolChoice", choice)), nil
}

func (bedrock) user(text string) json.RawMessage {
	return object("role", "user", "content", []json.RawMessage{object("text", text)})
}

func (bedrock) turn(response json.RawMessage) (Turn, error) {
	var body struct {
		Output struct {
			Message *struct{ Content []json.RawMessage }
		}
		StopReason word
		Kind       word `json:"__type"`
		Message    word
	}
	if err := readBody(response, &body); err != nil {
		return Turn{}, err
	}
	if body.Output.Message == nil && body.Message != "" {
		return Turn{}, providerError(string(body.Kind), string(body.Message))
	}
	if body.Output.Message == nil {
		return Turn{}, noResponse("output.message", response)
	}
	m := bedrockMessage{}
	for i, raw := range body.Output.Message.Content {
		if err := m.add(raw, nil); err != nil {
			return Turn{}, fmt.Errorf("content[%d]: %w", i, err)
		}
	}
	return m.turn(bedrockFinishes, string(body.StopReason), true), nil
}

// A bedrockMessage is the model's own message, block by block.
type bedrockMessage struct{ blockMessage }

type bedrockContent struct {
	Text, ToolUse, ToolResult, CitationsContent json.RawMessage
}

// add reads one block. args is the text of its arguments where that came in pieces.
func (m *bedrockMessage) add(raw json.RawMessage, args []byte) error {
	var block bedrockContent
	if err := json.Unmarshal(raw, &block); err != nil {
		return err
	}
	switch {
	case given(block.ToolUse) != nil:
		return m.call(raw, block.ToolUse, args)
	case given(block.ToolResult) != nil: // of a tool that runs there
		m.made.Hosted = append(m.made.Hosted, raw)
	}
	if text, ok := unquoted(block.Text); ok {
		m.text.WriteString(text)
		if isBlank(text) {
			return nil // a blank text is refused in the history
		}
	}
	for _, c := range items(memberOf(block.CitationsContent, "content")) {
		m.text.WriteString(textOf(c, "text"))
	}
	m.history = append(m.history, raw)
	return nil
}

func (m *bedrockMessage) call(raw, use json.RawMessage, args []byte) error {
	var call struct {
		ID         word `json:"toolUseId"`
		Name, Type word
		Input      json.RawMessage
	}
	if err := json.Unmarshal(use, &call); err != nil {
		return err
	}
	if isHosted(string(call.Type)) {
		m.made.Hosted = append(m.made.Hosted, raw)
		m.history = append(m.history, raw)
		return nil
	}
	if args == nil {
		args = call.Input
	}
	id, name := string(call.ID), string(call.Name)
	if id == "" {
		id = mintID("tooluse_")
		use = with(use, "toolUseId", quote(id))
	}
	m.made.Calls = append(m.made.Calls, jig.Call{ID: id, Name: name, Args: arguments(args)})
	use = historyCall(use, name, "input", call.Input, false)
	m.history = append(m.history, object("toolUse", use))
	return nil
}

var bedrockFinishes = map[string]Finish{
	"end_turn": FinishStop, "stop_sequence": FinishStop, "tool_use": FinishCalls,
	"max_tokens": FinishCut, "model_context_window_exceeded": FinishCut,
	"guardrail_intervened": FinishRefused, "content_filtered": FinishRefused,
}

// results answers all calls in one message.
func (bedrock) results(outcomes []jig.Outcome) []json.RawMessage {
	blocks := make([]json.RawMessage, len(outcomes))
	for i, o := range outcomes {
		status := "success"
		if isFailure(o) {
			status = "error"
		}
		blocks[i] = object("toolResult", object("toolUseId", o.CallID, "status", status,
			"content", bedrockParts(o)))
	}
	return []json.RawMessage{object("role", "user", "content", blocks)}
}

func bedrockParts(o jig.Outcome) []json.RawMessage {
	out := []json.RawMessage{}
	for i, p := range o.Output.Parts {
		switch {
		case len(p.Data) > 0 && pictures[mediaType(p)]:
			out = append(out, object("image", object("format", strings.TrimPrefix(mediaType(p), "image/"),
				"source", object("bytes", p.Data))))
		case len(p.Data) > 0 && mediaType(p) == "application/pdf":
			out = append(out, object("document", object("format", "pdf",
				"name", documentName(p.Name, o.CallID, i), "source", object("bytes", p.Data))))
		case isObject(p.JSON): // models refuse other JSON here, so that goes as text
			out = append(out, object("json", p.JSON))
		case !isBlank(partText(p)): // a blank text is refused
			out = append(out, object("text", partText(p)))
		}
	}
	return out
}

var notInDocumentName = regexp.MustCompile(`[^A-Za-z0-9()\[\]-]+`)

// maxDocumentName is the length of a name that Converse takes (DocumentBlock, read 2026-11-29).
const maxDocumentName = 200

// documentName is a name that Converse takes, and no other document of the conversation has:
// letters, digits, single spaces, hyphens, parentheses and brackets. What makes it unique stands at
// the end, and the name before it is cut to fit.
func documentName(name, call string, part int) string {
	legal := func(s string) string { return notInDocumentName.ReplaceAllString(s, " ") }
	call = strings.NewReplacer("_", "-", ".", "-", ":", "-").Replace(call)
	unique := legal(" " + call + " " + strconv.Itoa(part+1))
	name = legal(cmp.Or(name, "document"))
	name = name[:min(len(name), max(0, maxDocumentName-len(unique)))]
	return strings.TrimSuffix(name, " ") + unique
}
