package dialect

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

func (bedrock) stream() accumulator { return &bedrockStream{} }

// A bedrockStream puts the events of ConverseStream together, each as {"contentBlockDelta":{...}}:
// messageStart, for each block contentBlockStart (not for text), contentBlockDelta and
// contentBlockStop, then messageStop and metadata.
type bedrockStream struct {
	blocks sequence[bedrockBlock]
	reason string
	ended  bool
}

func (s *bedrockStream) add(event json.RawMessage) error {
	list := members(event)
	if list == nil {
		return errors.New("the event is no JSON object")
	}
	for _, m := range list {
		if err := s.event(m.key, m.value); err != nil {
			return err
		}
	}
	return nil
}

type bedrockEvent struct {
	Index               int `json:"contentBlockIndex"`
	Start               json.RawMessage
	Delta               bedrockDelta
	StopReason, Message word
}

type bedrockDelta struct {
	Text             json.RawMessage
	ToolUse          struct{ Input json.RawMessage }
	ReasoningContent struct {
		Text, Signature json.RawMessage
		RedactedContent []byte
	}
	Citation   json.RawMessage
	ToolResult []json.RawMessage
}

func (s *bedrockStream) event(kind string, value json.RawMessage) error {
	isError := strings.HasSuffix(kind, "Exception")
	switch kind {
	case "contentBlockStart", "contentBlockDelta", "messageStop":
	default:
		if !isError {
			return nil // messageStart, contentBlockStop, metadata, and new kinds
		}
	}
	var e bedrockEvent
	if err := json.Unmarshal(value, &e); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	switch {
	case isError:
		return providerError(kind, string(e.Message))
	case kind == "messageStop":
		s.reason, s.ended = string(e.StopReason), true
	case kind == "contentBlockStart":
		return s.blocks.begin(e.Index, &bedrockBlock{start: e.Start})
	default:
		s.extend(e)
	}
	return nil
}

// extend continues the block of an event; of a text that is its begin, too.
func (s *bedrockStream) extend(e bedrockEvent) {
	b := s.blocks.find(e.Index)
	if b == nil {
		b = &bedrockBlock{}
		_ = s.blocks.begin(e.Index, b) // the first of its index
	}
	b.extend(e.Delta)
}

func (s *bedrockStream) turn() (Turn, error) {
	m := bedrockMessage{}
	for i, b := range s.blocks.list {
		raw, args := b.whole()
		// A thought has its signature at the end: where the stream broke off before it, no history
		// may have the thought.
		unsigned := len(b.reasoning) > 0 && len(b.signature) == 0
		if raw == nil || !s.ended && i == len(s.blocks.list)-1 && unsigned {
			continue
		}
		if err := m.add(raw, args); err != nil {
			return Turn{}, fmt.Errorf("block %d: %w", s.blocks.indexes[i], err)
		}
	}
	return m.turn(bedrockFinishes, s.reason, s.ended), nil
}

// A bedrockBlock is one block of a message that comes in pieces.
type bedrockBlock struct {
	start     json.RawMessage // such as {"toolUse":{...}}; nil for a text
	text      pieces
	input     pieces // the arguments
	reasoning pieces
	signature pieces
	redacted  []byte
	cited     []json.RawMessage
	results   []json.RawMessage // of a tool that runs there
}

func (b *bedrockBlock) extend(d bedrockDelta) {
	b.text.add(d.Text)
	b.input.add(d.ToolUse.Input)
	b.reasoning.add(d.ReasoningContent.Text)
	b.signature.add(d.ReasoningContent.Signature)
	b.redacted = append(b.redacted, d.ReasoningContent.RedactedContent...)
	if given(d.Citation) != nil {
		b.cited = append(b.cited, d.Citation)
	}
	b.results = append(b.results, d.ToolResult...)
}

// whole returns the block as Converse has it, and the text of its arguments; nil where it is empty.
func (b *bedrockBlock) whole() (block json.RawMessage, args []byte) {
	for _, m := range members(b.start) {
		switch m.key {
		case "toolUse":
			args = arguments(b.input.text())
			return object(m.key, with(m.value, "input", historyInput(args))), args
		case "toolResult":
			return object(m.key, with(m.value, "content", array(b.results))), nil
		}
	}
	return b.said(), nil
}

// said is a block that is no tool's.
func (b *bedrockBlock) said() json.RawMessage {
	switch {
	case len(b.redacted) > 0:
		return object("reasoningContent", object("redactedContent", b.redacted))
	case len(b.signature) > 0:
		return reasoning("text", b.reasoning.quoted(), "signature", b.signature.quoted())
	case len(b.reasoning) > 0:
		return reasoning("text", b.reasoning.quoted())
	case len(b.cited) > 0:
		text := []json.RawMessage{object("text", b.text.quoted())}
		return object("citationsContent", object("content", text, "citations", b.cited))
	case len(b.text) > 0:
		return object("text", b.text.quoted())
	}
	return nil
}

func reasoning(pairs ...any) json.RawMessage {
	return object("reasoningContent", object("reasoningText", object(pairs...)))
}
