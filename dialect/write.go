package dialect

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jig-go/jig/internal/scan"
)

// object writes a JSON object of keys and values in turn. A string is quoted without HTML escapes,
// a json.RawMessage is written as it is, and a nil one, or a nil list of them, is left out with its
// key. encoding/json would compact what a provider or a model wrote, and escape it.
func object(pairs ...any) json.RawMessage {
	out := []byte{'{'}
	for i := 0; i < len(pairs); i += 2 {
		value := encoded(pairs[i+1])
		if value == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(scan.AppendQuote(out, pairs[i].(string)), ':')
		out = append(out, value...)
	}
	return append(out, '}')
}

func encoded(v any) json.RawMessage {
	switch v := v.(type) {
	case string:
		return quote(v)
	case []byte:
		return quote(base64.StdEncoding.EncodeToString(v))
	case bool:
		return fmt.Append(nil, v)
	case json.RawMessage:
		return v
	case []json.RawMessage:
		if v == nil {
			return nil
		}
		return array(v)
	}
	panic(fmt.Sprintf("jig/dialect: internal error: %T in an object", v))
}

// listed is a list for object, and nothing where it is empty.
func listed(list []json.RawMessage) json.RawMessage {
	if len(list) == 0 {
		return nil
	}
	return array(list)
}

// isBlank reports whether a text has white space only.
func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// optional is s for object, and nothing where s is empty.
func optional(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	return quote(s)
}

// onlyTrue is true for object, and nothing else.
func onlyTrue(b bool) json.RawMessage {
	if !b {
		return nil
	}
	return json.RawMessage("true")
}

func quote(s string) json.RawMessage { return scan.AppendQuote(nil, s) }

// array writes a JSON array, [] for nil.
func array(list []json.RawMessage) json.RawMessage {
	out := []byte{'['}
	for i, raw := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, raw...)
	}
	return append(out, ']')
}

// A member is one key of an object with its value as it was written.
type member struct {
	key   string
	value json.RawMessage
}

// members reads an object in its order; nil for anything else. The values are parts of object.
func members(object json.RawMessage) []member {
	if !isObject(object) {
		return nil
	}
	out := []member{}
	c := scan.NewCursor(object) // which wants no more than valid JSON
	for more := c.Enter(); more; more = c.More() {
		key := string(c.Key())
		out = append(out, member{key, c.Skip()})
	}
	return out
}

// memberOf is the value of a member; nil where there is none.
func memberOf(object json.RawMessage, key string) json.RawMessage {
	for _, m := range members(object) {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// textOf is a member that is a string; empty where there is none.
func textOf(object json.RawMessage, key string) string {
	text, _ := unquoted(memberOf(object, key))
	return text
}

// with is an object with one member set: in its place, or at the end.
func with(o json.RawMessage, key string, value json.RawMessage) json.RawMessage {
	list := members(o)
	if i := slices.IndexFunc(list, func(m member) bool { return m.key == key }); i >= 0 {
		list[i].value = value
	} else {
		list = append(list, member{key, value})
	}
	pairs := make([]any, 0, 2*len(list))
	for _, m := range list {
		pairs = append(pairs, m.key, m.value)
	}
	return object(pairs...)
}

// given is what a member holds; nothing where it is null or not there.
func given(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// arguments are those of a call; a call without any has none to write, or null.
func arguments(raw json.RawMessage) json.RawMessage {
	if len(scan.Trim(given(raw))) == 0 {
		return json.RawMessage("{}")
	}
	return bytes.Clone(raw)
}

// unquoted is the text of a JSON string; false for another value.
func unquoted(raw json.RawMessage) (string, bool) {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// A word is a string of a provider's. Anything else reads as an empty one, so that a block of a
// kind that is new, with a field of the same name, does not cost the turn.
type word string

func (w *word) UnmarshalJSON(raw []byte) error {
	text, _ := unquoted(raw)
	*w = word(text)
	return nil
}

// isObject reports whether raw is a whole JSON object.
func isObject(raw json.RawMessage) bool {
	raw = scan.Trim(raw)
	return len(raw) > 0 && raw[0] == '{' && json.Valid(raw)
}
