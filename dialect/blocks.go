package dialect

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A blockMessage is the model's own message on wires where that is a list of blocks.
type blockMessage struct {
	made    Turn
	text    strings.Builder
	history []json.RawMessage
}

// turn is the turn of the message. One that has not ended is cut off.
func (m *blockMessage) turn(known map[string]Finish, reason string, ended bool) Turn {
	t := m.made
	t.Text, t.Reason = m.text.String(), reason
	if t.Finish = finishOf(known, reason, len(t.Calls)); !ended {
		t.Finish = FinishCut
	}
	if len(m.history) > 0 { // a message without content is refused
		t.Messages = []json.RawMessage{object("role", "assistant", "content", m.history)}
	}
	return t
}

// A sequence is the blocks of a streamed message, in the order in which they began.
type sequence[Block any] struct {
	list    []*Block
	indexes []int // of the blocks in list, as the events have them
}

// find returns the block with the index, or nil.
func (s *sequence[Block]) find(index int) *Block {
	if i := slices.Index(s.indexes, index); i >= 0 {
		return s.list[i]
	}
	return nil
}

// begin adds a block.
func (s *sequence[Block]) begin(index int, b *Block) error {
	if s.find(index) != nil {
		return fmt.Errorf("block %d starts twice; use one Stream for each response", index)
	}
	s.list, s.indexes = append(s.list, b), append(s.indexes, index)
	return nil
}
