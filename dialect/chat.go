package dialect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/jig-go/jig"
)

// chat is the wire of OpenAI's Chat Completions and of those who follow it.
type chat struct {
	// flag says that a definition can ask for strict. xAI has no flag: there every tool is strict.
	flag bool
	// single says that a request can ask for one call at a time. DeepSeek cannot.
	single bool
	mint   func() string
}

func (c chat) definition(f form) json.RawMessage {
	return object("type", "function", "function", object("name", f.name,
		"description", f.description, "parameters", f.schema,
		"strict", onlyTrue(f.strict && c.flag)))
}

func (chat) tools(list []json.RawMessage) json.RawMessage { return array(list) }

func (c chat) choice(choice Choice, name string) (json.RawMessage, error) {
	if choice.mode != "only" {
		return object("tool_choice", cmp.Or(choice.mode, "auto")), nil
	}
	one := object("type", "function", "function", object("name", name))
	if !c.single {
		return object("tool_choice", one), nil
	}
	return object("tool_choice", one, "parallel_tool_calls", false), nil
}

func (chat) results(outcomes []jig.Outcome) []json.RawMessage {
	out := make([]json.RawMessage, len(outcomes))
	for i, o := range outcomes {
		out[i] = object("role", "tool", "tool_call_id", o.CallID, "content", answerText(o))
	}
	return out
}

func (chat) user(text string) json.RawMessage { return object("role", "user", "content", text) }

// A chatChoice is one of the answers of a response, or a piece of it in a stream.
type chatChoice struct {
	Index          int
	Message, Delta json.RawMessage
	FinishReason   word `json:"finish_reason"`
}

func (c chat) turn(response json.RawMessage) (Turn, error) {
	var body struct{ Choices []chatChoice }
	if err := readBody(response, &body); err != nil {
		return Turn{}, err
	}
	if len(body.Choices) == 0 || given(body.Choices[0].Message) == nil {
		return Turn{}, noResponse("choices[0].message", response)
	}
	return c.read(body.Choices[0].Message, string(body.Choices[0].FinishReason))
}

// chatFinishes are the finish reasons of OpenAI, Mistral (model_length, error) and DeepSeek
// (insufficient_system_resource), read 2026-11. The empty one is that of a stream that broke off.
var chatFinishes = map[string]Finish{
	"": FinishCut, "stop": FinishStop, "tool_calls": FinishCalls, "function_call": FinishCalls,
	"length": FinishCut, "model_length": FinishCut, "error": FinishCut,
	"insufficient_system_resource": FinishCut, "content_filter": FinishRefused,
	"refusal": FinishRefused,
}

// A chatMessage is what a model said.
type chatMessage struct {
	Role, Refusal word
	Content       json.RawMessage
	ToolCalls     json.RawMessage   `json:"tool_calls"`
	FunctionCall  json.RawMessage   `json:"function_call"`
	ExecutedTools []json.RawMessage `json:"executed_tools"` // Groq's own tools
}

// read makes a turn of a message. It is the same for a whole response and for a stream.
func (c chat) read(message json.RawMessage, reason string) (Turn, error) {
	var m chatMessage
	if err := json.Unmarshal(message, &m); err != nil {
		return Turn{}, fmt.Errorf("message: %w", err)
	}
	if given(m.FunctionCall) != nil {
		return Turn{}, errors.New("the message has a function_call, which has no id and cannot be " +
			"answered; send the tools in the field tools, not functions")
	}
	if m.Role == "" { // some leave it out, which no history may
		message = with(message, "role", quote("assistant"))
	}
	t := Turn{Reason: reason, Hosted: m.ExecutedTools}
	t.Text = chatText(m.Content) + string(m.Refusal)
	read := func(item json.RawMessage) (json.RawMessage, error) { return c.call(&t, item) }
	message, err := historyCalls(message, m.ToolCalls, read)
	if err != nil {
		return Turn{}, fmt.Errorf("tool_calls: %w", err)
	}
	t.Messages = []json.RawMessage{message}
	t.Finish = finishOf(chatFinishes, reason, len(t.Calls))
	if m.Refusal != "" && t.Finish == FinishStop {
		t.Finish = FinishRefused
	}
	return t, nil
}

// chatCall is an item of tool_calls.
type chatCall struct {
	ID, Type word
	Function struct {
		Name      word
		Arguments json.RawMessage
	}
}

// call reads an item of tool_calls into t, and returns it for the history.
func (c chat) call(t *Turn, item json.RawMessage) (json.RawMessage, error) {
	var call chatCall
	if err := json.Unmarshal(item, &call); err != nil {
		return nil, err
	}
	if call.Type != "" && call.Type != "function" {
		t.Hosted = append(t.Hosted, item)
		return item, nil
	}
	// Mistral's SDK has the text null for a missing id.
	id := string(call.ID)
	if id == "" || id == "null" {
		id = c.mint()
		item = with(item, "id", quote(id))
	}
	if call.Type == "" { // some leave it out, and OpenAI wants it
		item = with(item, "type", quote("function"))
	}
	t.Calls = append(t.Calls, jig.Call{ID: id, Name: string(call.Function.Name),
		Args: argumentText(call.Function.Arguments)})
	return withFunction(item, call, true), nil
}

// withFunction is an item of tool_calls whose function a history may hold.
func withFunction(item json.RawMessage, c chatCall, asText bool) json.RawMessage {
	was := memberOf(item, "function")
	made := historyCall(was, string(c.Function.Name), "arguments", c.Function.Arguments, asText)
	if bytes.Equal(made, was) {
		return item
	}
	return with(item, "function", made)
}

// chatText is the text of a content: a string, or a list of parts.
func chatText(content json.RawMessage) string {
	if text, ok := unquoted(content); ok {
		return text
	}
	var text strings.Builder
	for _, part := range items(content) {
		if textOf(part, "type") == "text" {
			text.WriteString(textOf(part, "text"))
		}
	}
	return text.String()
}
