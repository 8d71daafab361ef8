package dialect

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

func (anthropic) stream() accumulator { return &anthropicStream{} }

// An anthropicStream puts the events of a streamed message together: message_start, for each block
// content_block_start, content_block_delta and content_block_stop, then message_delta and
// message_stop.
type anthropicStream struct {
	blocks sequence[streamedBlock]
	reason string
	ended  bool
}

type anthropicEvent struct {
	Type    string
	Index   int
	Block   json.RawMessage `json:"content_block"`
	Delta   json.RawMessage
	Message struct{ Content []json.RawMessage }
}

func (s *anthropicStream) add(event json.RawMessage) error {
	var e anthropicEvent
	if err := readBody(event, &e); err != nil {
		return err
	}
	switch e.Type {
	case "message_start":
		if s.blocks.list != nil || s.ended {
			return errors.New("a second message; use one Stream for each response")
		}
		for i, raw := range e.Message.Content {
			_ = s.blocks.begin(i, &streamedBlock{start: raw}) // the first of their index
		}
	case "content_block_start":
		return s.begin(e)
	case "content_block_delta":
		return s.extend(e)
	case "message_delta":
		s.finish(e.Delta)
	case "message_stop":
		s.ended = true
	}
	return nil // content_block_stop and ping say nothing, and new kinds of events may come
}

func (s *anthropicStream) begin(e anthropicEvent) error {
	if !isObject(e.Block) {
		return fmt.Errorf("block %d starts without a block", e.Index)
	}
	return s.blocks.begin(e.Index, &streamedBlock{start: e.Block})
}

func (s *anthropicStream) extend(e anthropicEvent) error {
	b := s.blocks.find(e.Index)
	if b == nil {
		return fmt.Errorf("a piece of block %d, which has not started", e.Index)
	}
	for _, m := range members(e.Delta) {
		if m.key != "type" {
			b.extend(m)
		}
	}
	return nil
}

func (s *anthropicStream) finish(delta json.RawMessage) {
	var d struct {
		StopReason string `json:"stop_reason"`
	}
	if json.Unmarshal(delta, &d) == nil && d.StopReason != "" {
		s.reason = d.StopReason
	}
}

func (s *anthropicStream) turn() (Turn, error) {
	m := anthropicMessage{}
	for i, b := range s.blocks.list {
		if !s.ended && i == len(s.blocks.list)-1 && b.isUnsigned() {
			break
		}
		if err := m.add(b.whole()); err != nil {
			return Turn{}, fmt.Errorf("block %d: %w", s.blocks.indexes[i], err)
		}
	}
	return m.turn(anthropicFinishes, s.reason, s.ended), nil
}

// A streamedBlock is one block of a message that comes in pieces.
type streamedBlock struct {
	start json.RawMessage // the block as it began
	texts []streamedText  // in the order in which they began
	cited []json.RawMessage
	input pieces // the arguments
}

// A streamedText is a member of a block that grows.
type streamedText struct {
	key  string
	text pieces
}

// extend adds a member of a delta: partial_json is a piece of the input, citation one of citations,
// and any other string (text, thinking, signature) a piece of the member with that name.
func (b *streamedBlock) extend(m member) {
	switch {
	case m.key == "partial_json":
		b.input.add(m.value)
	case m.key == "citation":
		b.cited = append(b.cited, m.value)
	case m.value[0] == '"':
		b.grow(m.key, m.value)
	}
}

func (b *streamedBlock) grow(key string, piece json.RawMessage) {
	i := slices.IndexFunc(b.texts, func(t streamedText) bool { return t.key == key })
	if i < 0 {
		i = len(b.texts)
		b.texts = append(b.texts, streamedText{key: key})
		b.texts[i].text.add(memberOf(b.start, key))
	}
	b.texts[i].text.add(piece)
}

// whole returns the block as a response that is not streamed has it, and the text of the arguments,
// nil where they did not come in pieces.
func (b *streamedBlock) whole() (block json.RawMessage, args []byte) {
	block = b.start
	for _, t := range b.texts {
		block = with(block, t.key, t.text.quoted())
	}
	if len(b.cited) > 0 {
		var list []json.RawMessage
		if json.Unmarshal(memberOf(block, "citations"), &list) != nil {
			list = nil // it began with null, or without
		}
		block = with(block, "citations", array(append(list, b.cited...)))
	}
	if args = b.input.text(); isBlank(string(args)) {
		return block, nil
	}
	return with(block, "input", historyInput(args)), args
}

// isUnsigned reports whether a block is a thought without its signature, which comes last. Where
// the stream broke off before it, no history may have the thought.
func (b *streamedBlock) isUnsigned() bool {
	whole, _ := b.whole()
	return textOf(whole, "type") == "thinking" && textOf(whole, "signature") == ""
}

// pieces are strings of JSON, one after the other. What stands between the quotes is kept as it
// came: the halves of a rune or of a surrogate pair may come in two pieces.
type pieces []byte

func (p *pieces) add(piece json.RawMessage) {
	if len(piece) >= 2 && piece[0] == '"' {
		*p = append(*p, piece[1:len(piece)-1]...)
	}
}

func (p pieces) quoted() json.RawMessage {
	return slices.Concat([]byte{'"'}, []byte(p), []byte{'"'})
}

func (p pieces) text() []byte { return argumentText(p.quoted()) }
