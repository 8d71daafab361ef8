package dialect

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jig-go/jig"
)

// anthropic is the Messages API (POST /v1/messages, read 2026-11-29).
type anthropic struct{}

func (anthropic) definition(f form) json.RawMessage {
	return object("name", f.name, "description", optional(f.description),
		"strict", onlyTrue(f.strict), "input_schema", f.schema,
		"input_examples", listed(f.examples), "defer_loading", onlyTrue(f.deferred))
}

func (anthropic) tools(list []json.RawMessage) json.RawMessage { return array(list) }

func (anthropic) choice(c Choice, name string) (json.RawMessage, error) {
	choice := object("type", "auto")
	switch c.mode {
	case "none":
		choice = object("type", "none")
	case "required":
		choice = object("type", "any")
	case "only":
		choice = object("type", "tool", "name", name, "disable_parallel_tool_use", true)
	}
	return object("tool_choice", choice), nil
}

func (anthropic) user(text string) json.RawMessage {
	return object("role", "user", "content", text)
}

func (anthropic) turn(response json.RawMessage) (Turn, error) {
	var body struct {
		Content    []json.RawMessage
		StopReason word `json:"stop_reason"`
	}
	if err := readBody(response, &body); err != nil {
		return Turn{}, err
	}
	if body.Content == nil {
		return Turn{}, noResponse("content", response)
	}
	m := anthropicMessage{}
	for i, raw := range body.Content {
		if err := m.add(raw, nil); err != nil {
			return Turn{}, fmt.Errorf("content[%d]: %w", i, err)
		}
	}
	return m.turn(anthropicFinishes, string(body.StopReason), true), nil
}

// An anthropicMessage is the model's own message, block by block.
type anthropicMessage struct{ blockMessage }

type anthropicBlock struct {
	Type, ID, Name, Text word
	Input                json.RawMessage
}

// add reads one block. args is the text of its arguments where that came in pieces.
func (m *anthropicMessage) add(raw json.RawMessage, args []byte) error {
	var block anthropicBlock
	if err := json.Unmarshal(raw, &block); err != nil {
		return err
	}
	if args == nil {
		args = block.Input
	}
	switch {
	case block.Type == "tool_use":
		id, name := string(block.ID), string(block.Name)
		if id == "" {
			id = mintID("toolu_")
			raw = with(raw, "id", quote(id))
		}
		m.made.Calls = append(m.made.Calls, jig.Call{ID: id, Name: name, Args: arguments(args)})
		raw = historyCall(raw, name, "input", block.Input, false)
	case isHosted(string(block.Type)):
		m.made.Hosted = append(m.made.Hosted, raw)
	case block.Type == "text":
		m.text.WriteString(string(block.Text))
		if isBlank(string(block.Text)) {
			return nil // the API sends blank texts and refuses them in the history
		}
	}
	m.history = append(m.history, raw)
	return nil
}

// isHosted reports whether a block is of a tool that the provider runs itself: server_tool_use,
// mcp_tool_use and their results, such as web_search_tool_result.
func isHosted(kind string) bool {
	return kind != "tool_use" && strings.HasSuffix(kind, "tool_use") ||
		kind != "tool_result" && strings.HasSuffix(kind, "tool_result")
}

var anthropicFinishes = map[string]Finish{
	"end_turn": FinishStop, "stop_sequence": FinishStop, "tool_use": FinishCalls,
	"max_tokens": FinishCut, "model_context_window_exceeded": FinishCut, "refusal": FinishRefused,
}

// results answers all calls in one message: the API wants the results of a turn at its start.
func (anthropic) results(outcomes []jig.Outcome) []json.RawMessage {
	blocks := make([]json.RawMessage, len(outcomes))
	for i, o := range outcomes {
		blocks[i] = object("type", "tool_result", "tool_use_id", o.CallID,
			"content", listed(anthropicContent(o)), "is_error", onlyTrue(isFailure(o)))
	}
	return []json.RawMessage{object("role", "user", "content", blocks)}
}

func anthropicContent(o jig.Outcome) []json.RawMessage {
	var out []json.RawMessage
	for _, p := range o.Output.Parts {
		switch {
		// A result with is_error may hold text only.
		case len(p.Data) > 0 && !isFailure(o) && pictures[mediaType(p)]:
			out = append(out, object("type", "image", "source", anthropicSource(p)))
		case len(p.Data) > 0 && !isFailure(o) && mediaType(p) == "application/pdf":
			out = append(out, object("type", "document", "source", anthropicSource(p),
				"title", optional(p.Name)))
		case !isBlank(partText(p)): // a blank text is refused
			out = append(out, object("type", "text", "text", partText(p)))
		}
	}
	return out
}

// pictures are the types of images that Anthropic and Bedrock take.
var pictures = map[string]bool{
	"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true,
}

func anthropicSource(p jig.Part) json.RawMessage {
	return object("type", "base64", "media_type", mediaType(p), "data", p.Data)
}
