package dialect

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jig-go/jig"
)

// ollama is the native wire of Ollama (POST /api/chat).
type ollama struct{}

// definition has no strict: the server does not know the word.
func (ollama) definition(f form) json.RawMessage { return chat{}.definition(f) }

func (ollama) tools(list []json.RawMessage) json.RawMessage { return chat{}.tools(list) }

// choice can say auto only, by saying nothing.
func (ollama) choice(choice Choice, name string) (json.RawMessage, error) {
	switch choice.mode {
	case "":
		return object(), nil
	case "none":
		return nil, errors.New("choice: the API cannot forbid calls; leave tools " +
			"out of the request")
	case "only":
		return nil, fmt.Errorf("choice: the API cannot demand a call of %s; send "+
			"the tools of Registry.Filter that keeps this one, say in the prompt that it has to be "+
			"called, and ask again where the turn has no call", name)
	}
	return nil, errors.New("choice: the API cannot demand a call; say in the " +
		"prompt that a tool has to be called, and ask again where the turn has no call")
}

func (ollama) user(text string) json.RawMessage { return chat{}.user(text) }

// results name the tool. An id goes along where the model gave one: minted ones are not in the
// history, where they would point at.
func (ollama) results(outcomes []jig.Outcome) []json.RawMessage {
	out := make([]json.RawMessage, len(outcomes))
	for i, o := range outcomes {
		id := optional(o.CallID)
		if isMinted("call_", o.CallID) {
			id = nil
		}
		out[i] = object("role", "tool", "tool_name", historyName(o.Tool), "tool_call_id", id,
			"content", answerText(o))
	}
	return out
}

// An ollamaChunk is a response, or a line of a streamed one.
type ollamaChunk struct {
	Message json.RawMessage
	Done    bool
	Reason  string `json:"done_reason"`
}

func (w ollama) turn(response json.RawMessage) (Turn, error) {
	var body ollamaChunk
	if err := readBody(response, &body); err != nil {
		return Turn{}, err
	}
	if given(body.Message) == nil {
		return Turn{}, noResponse("message", response)
	}
	return w.read(body)
}

// ollamaFinishes are the done reasons. Servers before 2024-07 gave none at the end of a response.
var ollamaFinishes = map[string]Finish{"": FinishStop, "stop": FinishStop, "length": FinishCut}

func (ollama) read(body ollamaChunk) (Turn, error) {
	var m struct {
		Content word
		Calls   json.RawMessage `json:"tool_calls"`
	}
	if err := json.Unmarshal(body.Message, &m); err != nil {
		return Turn{}, fmt.Errorf("message: %w", err)
	}
	t := Turn{Text: string(m.Content), Reason: body.Reason}
	message, err := historyCalls(body.Message, m.Calls, t.addOllama)
	if err != nil {
		return Turn{}, fmt.Errorf("tool_calls: %w", err)
	}
	t.Messages = []json.RawMessage{message}
	t.Finish = FinishCut
	if body.Done {
		t.Finish = finishOf(ollamaFinishes, body.Reason, len(t.Calls))
	}
	return t, nil
}

// addOllama reads a call, and returns it for the history, which stays without an id.
func (t *Turn) addOllama(item json.RawMessage) (json.RawMessage, error) {
	var c chatCall
	if err := json.Unmarshal(item, &c); err != nil {
		return nil, err
	}
	t.Calls = append(t.Calls, jig.Call{ID: cmp.Or(string(c.ID), mintCall()),
		Name: string(c.Function.Name), Args: argumentText(c.Function.Arguments)})
	return withFunction(item, c, false), nil
}

// ollamaStream puts the lines of a streamed response together. Calls come whole.
type ollamaStream struct {
	begun   bool
	message growing
	last    ollamaChunk
}

func (ollama) stream() accumulator { return &ollamaStream{} }

func (s *ollamaStream) add(event json.RawMessage) error {
	var chunk ollamaChunk
	if err := readBody(event, &chunk); err != nil {
		return err
	}
	if given(chunk.Message) != nil {
		s.begun = true
		s.message.add("", chunk.Message)
	}
	if chunk.Done {
		s.last = chunk
	}
	return nil
}

func (s *ollamaStream) turn() (Turn, error) {
	if !s.begun {
		return Turn{Finish: FinishCut}, nil
	}
	whole := s.last
	whole.Message = s.message.render(nil)
	return ollama{}.read(whole)
}
