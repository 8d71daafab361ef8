package dialect

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// chatStream puts the chunks of a streamed chat completion together: to the message that a whole
// response would have, which is then read as such.
type chatStream struct {
	wire    chat
	begun   bool
	message growing
	calls   []*chatPiece // in the order in which they began
	reason  string
}

// A chatPiece is a call that grows.
type chatPiece struct {
	index int
	value growing
}

func (c chat) stream() accumulator { return &chatStream{wire: c} }

func (s *chatStream) add(event json.RawMessage) error {
	var chunk struct{ Choices []chatChoice }
	if err := readBody(event, &chunk); err != nil {
		return err
	}
	for _, choice := range chunk.Choices { // none in the chunk that has the usage
		if choice.Index != 0 {
			continue // of the second answer of a request for several
		}
		if err := s.extend(choice.Delta); err != nil {
			return fmt.Errorf("delta: %w", err)
		}
		s.reason = cmp.Or(string(choice.FinishReason), s.reason)
	}
	return nil
}

func (s *chatStream) extend(delta json.RawMessage) error {
	if given(delta) == nil {
		return nil
	}
	if !s.begun { // some leave out the role, which no history may
		s.message.add("", json.RawMessage(`{"role":"assistant"}`))
		s.begun = true
	}
	for _, m := range members(delta) {
		if m.key != "tool_calls" {
			s.message.member(m.key).add(m.key, m.value)
			continue
		}
		for _, item := range items(m.value) {
			if err := s.call(item); err != nil {
				return err
			}
		}
	}
	return nil
}

// call takes a piece of a call, or a whole one.
func (s *chatStream) call(item json.RawMessage) error {
	if given(item) == nil {
		return nil
	}
	var head struct {
		chatCall
		Index *int
	}
	if err := json.Unmarshal(item, &head); err != nil {
		return err
	}
	piece := s.find(head.chatCall, head.Index)
	for _, m := range members(item) {
		if m.key != "index" { // which a whole response does not have
			piece.member(m.key).add(m.key, m.value)
		}
	}
	return nil
}

// find returns the call that a piece belongs to: by its index, or where there is none by its id. A
// piece without either, or with the id that a call lacks so far, goes on with the last call. One
// with an id and a name that the call of its index does not have begins another: some number every
// call 0.
func (s *chatStream) find(c chatCall, index *int) *growing {
	begins := c.ID != "" && c.Function.Name != ""
	for _, p := range slices.Backward(s.calls) {
		id := word(p.value.label("id"))
		switch {
		case index != nil && *index == p.index && !(begins && id != "" && id != c.ID),
			index == nil && c.ID != "" && c.ID == id,
			index == nil && c.Function.Name == "" && (c.ID == "" || id == ""):
			return &p.value
		}
	}
	p := &chatPiece{value: growing{kind: '{', open: true}}
	switch n := len(s.calls); {
	case index != nil:
		p.index = *index
	case n > 0:
		p.index = s.calls[n-1].index + 1
	}
	if len(s.calls) == 0 {
		*s.message.member("tool_calls") = growing{kind: '[', open: true}
	}
	s.calls = append(s.calls, p)
	return &p.value
}

func (s *chatStream) turn() (Turn, error) {
	if !s.begun {
		return Turn{Finish: FinishCut}, nil
	}
	if len(s.calls) > 0 {
		list := s.message.member("tool_calls")
		list.values = nil
		for _, p := range slices.SortedStableFunc(slices.Values(s.calls), func(a, b *chatPiece) int {
			return cmp.Compare(a.index, b.index)
		}) {
			list.values = append(list.values, &p.value)
		}
	}
	t, err := s.wire.read(s.message.render(nil), s.reason)
	markBroken(t)
	return t, err
}

// markBroken marks the calls of a stream that broke off which may not have ended: several may be
// under way at a time, and one whose arguments had not begun must not run as a call without
// arguments.
func markBroken(t Turn) {
	if t.Finish != FinishCut && t.Finish != FinishRefused {
		return
	}
	for i, c := range t.Calls {
		t.Calls[i].Incomplete = c.Incomplete || !json.Valid(c.Args)
	}
}
