package dialect

import (
	"cmp"
	"encoding/json"
	"slices"
)

// responsesStream puts the events of a streamed response together. The last event has the whole
// response, which is then all that counts; the pieces are for a stream that broke off.
type responsesStream struct {
	items []*responsesItem
	body  json.RawMessage // of the last event
}

// A responsesItem is an item of the output while it comes in.
type responsesItem struct {
	index int
	id    string
	value growing
	whole json.RawMessage // once it has come
}

func (responses) stream() accumulator { return &responsesStream{} }

// A responsesEvent has the fields of all events that matter here.
type responsesEvent struct {
	Type                         string
	OutputIndex                  *int   `json:"output_index"`
	ItemID                       string `json:"item_id"`
	ContentIndex                 int    `json:"content_index"`
	Item, Part, Delta, Arguments json.RawMessage
	Response                     json.RawMessage
}

func (s *responsesStream) add(event json.RawMessage) error {
	var e responsesEvent
	if err := readBody(event, &e); err != nil {
		return err
	}
	if e.ItemID == "" {
		e.ItemID = textOf(e.Item, "id")
	}
	switch e.Type {
	case "response.completed", "response.incomplete", "response.cancelled", "response.failed":
		return s.end(e)
	case "response.output_item.added":
		s.item(e).value.add("", e.Item)
	case "response.output_item.done":
		s.item(e).whole = given(e.Item)
	case "response.content_part.added":
		part := s.part(e, "")
		*part = growing{}
		part.add("", e.Part)
	case "response.output_text.delta":
		s.part(e, "output_text").member("text").add("text", e.Delta)
	case "response.refusal.delta":
		s.part(e, "refusal").member("refusal").add("refusal", e.Delta)
	case "response.function_call_arguments.delta":
		s.item(e).value.member("arguments").add("arguments", e.Delta)
	case "response.function_call_arguments.done":
		if e.Arguments != nil {
			*s.item(e).value.member("arguments") = growing{}
			s.item(e).value.member("arguments").add("arguments", e.Arguments)
		}
	}
	return nil
}

// end takes the last event, which may be an error.
func (s *responsesStream) end(e responsesEvent) error {
	var body responsesBody
	if err := readBody(e.Response, &body); err != nil {
		return err
	}
	if e.Type == "response.failed" {
		return providerError("", "failed without a message")
	}
	s.body = e.Response
	return nil
}

// item returns the item that an event is about, which is made if it is new.
func (s *responsesStream) item(e responsesEvent) *responsesItem {
	for _, item := range s.items {
		if e.OutputIndex != nil && item.index == *e.OutputIndex ||
			e.OutputIndex == nil && item.id == e.ItemID {
			return item
		}
	}
	made := &responsesItem{id: e.ItemID, value: growing{kind: '{', open: true}}
	switch n := len(s.items); {
	case e.OutputIndex != nil:
		made.index = *e.OutputIndex
	case n > 0:
		made.index = s.items[n-1].index + 1
	}
	s.items = append(s.items, made)
	return made
}

// part returns a part of a message, which is made with the type if it is new.
func (s *responsesStream) part(e responsesEvent, kind string) *growing {
	content := s.item(e).value.member("content").opened()
	if content.kind != '[' {
		*content = growing{kind: '[', open: true}
	}
	// A part that is missing in between is no part of what came; an index is not to fill memory.
	if e.ContentIndex < 0 || e.ContentIndex >= len(content.values) {
		made := &growing{kind: '{', open: true}
		made.member("type").add("type", quote(kind))
		content.values = append(content.values, made)
		return made
	}
	return content.values[e.ContentIndex]
}

func (s *responsesStream) turn() (Turn, error) {
	var body responsesBody
	if s.body != nil && json.Unmarshal(s.body, &body) == nil && len(body.Output) > 0 {
		return responses{}.turn(s.body)
	}
	// Some leave the output of the last event empty.
	whole := s.body
	if whole == nil {
		whole = object("status", "in_progress")
	}
	t, err := responses{}.turn(with(whole, "output", array(s.output())))
	markBroken(t)
	return t, err
}

// output is the items in their order. Of one that has not ended, words and calls are kept; all else
// is refused in a history when it is not whole.
func (s *responsesStream) output() []json.RawMessage {
	out := []json.RawMessage{}
	for _, item := range slices.SortedStableFunc(slices.Values(s.items),
		func(a, b *responsesItem) int { return cmp.Compare(a.index, b.index) }) {
		kind := item.value.label("type")
		switch {
		case item.whole != nil:
			out = append(out, item.whole)
		case kind == "function_call", kind == "message":
			out = append(out, item.value.render(nil))
		}
	}
	return out
}
