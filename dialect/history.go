package dialect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/jig-go/jig/internal/scan"
)

// What a model writes is not always what its provider takes back: a name that it made up has a dot
// or a blank, arguments were cut off. A history with such a call is refused, and with it every
// later request of the conversation (vercel/ai#17769 and anomalyco/opencode#48750 for names;
// vllm-project/vllm#43995 and anthropics/claude-code#6696 for arguments; read 2026-11). So the
// history gets the call in a form that all take, and Turn.Calls what the model wrote.

// historyCall is a call as a history may hold it. Its arguments, which the model wrote as written,
// stand under key: as the text of an object, or as an object. What is right keeps its bytes.
func historyCall(call json.RawMessage, name, key string, written json.RawMessage,
	asText bool) json.RawMessage {
	if legal := historyName(name); legal != name {
		call = with(call, "name", quote(legal))
	}
	args, isText := argumentText(written), len(written) > 0 && written[0] == '"'
	if isText == asText && isHistoryInput(args) {
		return call
	}
	input := historyInput(args)
	if asText {
		input = quote(string(input))
	}
	return with(call, key, input)
}

// historyCalls reads the list of calls of a message by call, and returns the message for the
// history, with what call makes of each. An empty list is left out: OpenAI refuses it.
func historyCalls(message, list json.RawMessage,
	call func(json.RawMessage) (json.RawMessage, error)) (json.RawMessage, error) {
	if list == nil {
		return message, nil
	}
	var kept []json.RawMessage
	if err := json.Unmarshal(list, &kept); err != nil {
		return nil, err
	}
	kept = slices.DeleteFunc(kept, func(item json.RawMessage) bool { return given(item) == nil })
	same := len(kept) > 0
	for i, item := range kept {
		made, err := call(item)
		if err != nil {
			return nil, err
		}
		kept[i], same = made, same && bytes.Equal(made, item)
	}
	if same {
		return message, nil
	}
	return with(message, "tool_calls", listed(kept)), nil
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// historyName is a name as all providers take it in a history: one to 64 letters, digits, _ and -.
func historyName(name string) string {
	name = notInName.ReplaceAllString(dotless(name), "_")
	return cmp.Or(name[:min(len(name), 64)], "_")
}

// isHistoryInput reports whether arguments are an object that a history may hold.
func isHistoryInput(args []byte) bool { return isObject(args) && utf8.Valid(args) }

// historyInput is what stands for arguments in the history, where they have to be an object: one
// in a string is taken out of it, none are {}, and those that were cut off or are broken go as text
// under INVALID_JSON, so that the model reads what it wrote. No provider demands that key; clients
// of Anthropic's fine-grained tool streaming use it for the same.
func historyInput(args []byte) json.RawMessage {
	text, isText := unquoted(scan.Trim(args))
	switch {
	case isHistoryInput(args):
		return args
	case isText && isHistoryInput([]byte(text)):
		return json.RawMessage(text)
	case isBlank(string(args)), string(args) == "null", isText && isBlank(text):
		return json.RawMessage("{}")
	}
	return object("INVALID_JSON", string(args))
}
