package dialect

import (
	"encoding/json"
	"slices"
	"strings"
)

func (gemini) stream() accumulator { return &geminiStream{} }

// A geminiStream puts the chunks of streamGenerateContent together. Each is a response of its own
// with the next parts; the last has the finish reason.
type geminiStream struct {
	parts []*geminiPiece
	last  geminiChunk // the one that had the reason to end
}

// A geminiPiece is a part, and how its text goes on in later chunks.
type geminiPiece struct {
	part json.RawMessage
	rest strings.Builder
}

func (s *geminiStream) add(event json.RawMessage) error {
	chunk, err := readGemini(event)
	if err != nil {
		return err
	}
	if chunk.reason != "" {
		s.last = chunk
	}
	for i, part := range chunk.parts {
		if i > 0 || len(s.parts) == 0 || !s.parts[len(s.parts)-1].goesOn(part) {
			s.parts = append(s.parts, &geminiPiece{part: part})
		}
	}
	return nil
}

// goesOn adds the first part of the next chunk, if that goes on with the same text or thought.
// Parts with a signature stay apart, since it is of that part.
func (p *geminiPiece) goesOn(next json.RawMessage) bool {
	_, more := geminiText(p.part)
	text, moreNext := geminiText(next)
	if more || moreNext || isThought(p.part) != isThought(next) {
		return false
	}
	p.rest.WriteString(text)
	return true
}

func isThought(part json.RawMessage) bool {
	return slices.ContainsFunc(members(part), func(m member) bool {
		return m.key == "thought" && string(m.value) == "true"
	})
}

func (p *geminiPiece) whole() json.RawMessage {
	if p.rest.Len() == 0 {
		return p.part
	}
	text, _ := geminiText(p.part)
	return with(p.part, "text", quote(text+p.rest.String()))
}

func (s *geminiStream) turn() (Turn, error) {
	whole := s.last
	whole.parts = make([]json.RawMessage, len(s.parts))
	for i, p := range s.parts {
		whole.parts[i] = p.whole()
	}
	t, err := whole.turn()
	if err == nil && whole.reason == "" {
		t.Finish = FinishCut
	}
	return t, err
}
