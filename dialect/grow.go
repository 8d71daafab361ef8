package dialect

import (
	"encoding/json"
	"slices"

	"github.com/jig-go/jig/internal/scan"
)

// growing is a JSON value that is put together from pieces. What came in one piece keeps its bytes,
// and so do numbers and strings: the halves of a rune or of a surrogate pair may come in two
// pieces.
type growing struct {
	kind   byte     // the first byte of the value; 0: nothing has come
	text   []byte   // the value as it came; of a string what stands between the quotes
	open   bool     // a list or an object that is in values, no longer in text
	keys   []string // of an object, beside values
	values []*growing
}

// labels are the strings that come whole, often again and again: the first one stays. All others
// are continued by what comes later.
var labels = map[string]bool{"role": true, "type": true, "id": true, "name": true}

// add continues the value, which stands under key, with the next piece.
// Requirement: piece is one JSON value, or nothing.
func (g *growing) add(key string, piece json.RawMessage) {
	piece = scan.Trim(piece)
	if len(piece) == 0 {
		return
	}
	switch kind := piece[0]; {
	case kind == 'n' && g.kind != 0:
	case key == "content" && g.kind == '"' && kind == '[' && len(g.text) > 0:
		// Mistral goes on with a list of parts where text was enough before.
		*g = growing{kind: '[', open: true, values: []*growing{textPart(g.render(nil))}}
		g.extend(key, piece)
	case key == "content" && g.kind == '[' && kind == '"':
		g.opened().append(textPart(piece))
	case kind == g.kind && key != "arguments", kind == g.kind && kind == '"':
		g.extend(key, piece)
	default: // arguments that are a value come whole, and are for jig to look into
		g.set(piece)
	}
}

// set makes the value what a piece says.
func (g *growing) set(piece json.RawMessage) {
	if piece[0] == '"' {
		piece = piece[1 : len(piece)-1]
		*g = growing{kind: '"'}
	} else {
		*g = growing{kind: piece[0]}
	}
	g.text = append(g.text, piece...)
}

// extend continues a value with one of its own kind.
func (g *growing) extend(key string, piece json.RawMessage) {
	switch g.kind {
	case '{':
		g.opened()
		for _, m := range members(piece) {
			g.member(m.key).add(m.key, m.value)
		}
	case '[':
		g.opened()
		for _, raw := range items(piece) {
			item := &growing{}
			item.add("", raw)
			g.append(item)
		}
	case '"':
		if !labels[key] || len(g.text) == 0 {
			g.text = append(g.text, piece[1:len(piece)-1]...)
		}
	default:
		g.set(piece)
	}
}

// opened takes a list or an object apart, so that it can grow.
func (g *growing) opened() *growing {
	if g.open || g.kind != '{' && g.kind != '[' {
		return g
	}
	text := g.text
	g.open, g.text = true, nil
	g.extend("", text)
	return g
}

// append adds an item to a list, or continues the last one where both are text.
func (g *growing) append(item *growing) {
	kind := item.label("type")
	if n := len(g.values); n > 0 && (kind == "text" || kind == "thinking") &&
		g.values[n-1].label("type") == kind {
		g.values[n-1].add("", item.render(nil))
		return
	}
	g.values = append(g.values, item)
}

// member returns the member of an object, which is made if it is missing.
func (g *growing) member(key string) *growing {
	if i := slices.Index(g.opened().keys, key); i >= 0 {
		return g.values[i]
	}
	g.keys = append(g.keys, key)
	g.values = append(g.values, &growing{})
	return g.values[len(g.values)-1]
}

// label is the text of a member that is a string without escapes.
func (g *growing) label(key string) string {
	if g.kind != '{' {
		return ""
	}
	if !g.open {
		return textOf(g.text, key)
	}
	if i := slices.Index(g.keys, key); i >= 0 && g.values[i].kind == '"' {
		return string(g.values[i].text)
	}
	return ""
}

// render appends the value as it is by now.
func (g *growing) render(out []byte) []byte {
	switch {
	case g.kind == 0:
		return append(out, "null"...)
	case g.kind == '"':
		return append(append(append(out, '"'), g.text...), '"')
	case !g.open:
		return append(out, g.text...)
	}
	out = append(out, g.kind)
	for i, v := range g.values {
		if i > 0 {
			out = append(out, ',')
		}
		if g.kind == '{' {
			out = append(scan.AppendQuote(out, g.keys[i]), ':')
		}
		out = v.render(out)
	}
	return append(out, g.kind+2) // ] and } are two after [ and {
}

// textPart is the part that a JSON string stands for in a list.
func textPart(text json.RawMessage) *growing {
	g := &growing{}
	g.set(object("type", "text", "text", text))
	return g
}

// items reads a list; nil for anything else.
func items(list json.RawMessage) (out []json.RawMessage) {
	if json.Unmarshal(list, &out) != nil {
		return nil
	}
	return out
}

// argumentText is the text of a call's arguments, which providers send as a string or as a value.
// What is no UTF-8 or half a surrogate pair stays so, for jig to refuse: encoding/json would put
// U+FFFD in its place, and the tool would run with it.
func argumentText(raw json.RawMessage) json.RawMessage {
	raw = given(scan.Trim(raw))
	if len(raw) == 0 || raw[0] != '"' {
		return raw
	}
	return scan.Unquote(raw)
}
