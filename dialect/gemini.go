package dialect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/internal/scan"
)

// gemini is generateContent with parametersJsonSchema (discovery revision 20260816, read
// 2026-11-29).
type gemini struct{}

// definition has the description always: the Developer API wants one.
func (gemini) definition(f form) json.RawMessage {
	return object("name", f.name, "description", f.description, "parametersJsonSchema", f.schema)
}

func (gemini) tools(list []json.RawMessage) json.RawMessage {
	return array([]json.RawMessage{object("functionDeclarations", array(list))})
}

func (gemini) choice(c Choice, name string) (json.RawMessage, error) {
	config := object("mode", "AUTO")
	switch c.mode {
	case "none":
		config = object("mode", "NONE")
	case "required":
		config = object("mode", "ANY")
	case "only":
		config = object("mode", "ANY", "allowedFunctionNames", []json.RawMessage{quote(name)})
	}
	return object("toolConfig", object("functionCallingConfig", config)), nil
}

func (gemini) user(text string) json.RawMessage {
	return object("role", "user", "parts", []json.RawMessage{object("text", text)})
}

type geminiResponse struct {
	Candidates []struct {
		Index        int
		Content      struct{ Parts []json.RawMessage }
		FinishReason word
	}
	PromptFeedback struct{ BlockReason word }
}

// A geminiChunk is a response, or one chunk of a streamed one, which has the same form.
type geminiChunk struct {
	parts  []json.RawMessage
	reason string // why it ended; empty if it goes on
	// blocked says that the question was refused, and reason says why.
	blocked bool
}

func readGemini(body json.RawMessage) (geminiChunk, error) {
	var r geminiResponse
	if err := readBody(body, &r); err != nil {
		return geminiChunk{}, err
	}
	for _, c := range r.Candidates {
		if c.Index == 0 { // the others are other answers to the same question
			return geminiChunk{parts: c.Content.Parts, reason: string(c.FinishReason)}, nil
		}
	}
	reason := string(r.PromptFeedback.BlockReason)
	return geminiChunk{reason: reason, blocked: reason != ""}, nil
}

func (gemini) turn(response json.RawMessage) (Turn, error) {
	whole, err := readGemini(response)
	if err != nil {
		return Turn{}, err
	}
	if whole.parts == nil && whole.reason == "" {
		return Turn{}, noResponse("candidates[0]", response)
	}
	return whole.turn()
}

// geminiIDs begins the ids of calls that came without one.
const geminiIDs = "call_"

type geminiPart struct {
	Text         word
	FunctionCall json.RawMessage
	// What Google runs itself, and what came of it.
	ExecutableCode, CodeExecutionResult, ToolCall, ToolResponse json.RawMessage
}

func (p *geminiPart) isHosted() bool {
	return p.ExecutableCode != nil || p.CodeExecutionResult != nil || p.ToolCall != nil ||
		p.ToolResponse != nil
}

// geminiFinishes has only what is clear: what the model may not say is refused, and the rest is
// other.
var geminiFinishes = map[string]Finish{
	"STOP": FinishStop, "MAX_TOKENS": FinishCut,
	"SAFETY": FinishRefused, "RECITATION": FinishRefused, "BLOCKLIST": FinishRefused,
	"PROHIBITED_CONTENT": FinishRefused, "SPII": FinishRefused,
	"IMAGE_SAFETY": FinishRefused, "JAILBREAK": FinishRefused, "MODEL_ARMOR": FinishRefused,
}

// turn reads all parts of a response. Its end is for a stream to judge.
func (c geminiChunk) turn() (Turn, error) {
	t := Turn{Reason: c.reason}
	history := []json.RawMessage{}
	for i, raw := range c.parts {
		raw, err := t.addGemini(raw)
		if err != nil {
			return Turn{}, fmt.Errorf("parts[%d]: %w", i, err)
		}
		// A part goes back as it came, with its thoughtSignature. One that says nothing is left
		// out.
		if !isEmptyText(raw) {
			history = append(history, raw)
		}
	}
	if t.Finish = finishOf(geminiFinishes, c.reason, len(t.Calls)); c.blocked {
		t.Finish = FinishRefused
	}
	if len(history) > 0 {
		t.Messages = []json.RawMessage{object("role", "model", "parts", history)}
	}
	return t, nil
}

// addGemini reads a part, and returns it for the history.
func (t *Turn) addGemini(raw json.RawMessage) (json.RawMessage, error) {
	var p geminiPart
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, err
	}
	switch {
	case given(p.FunctionCall) != nil:
		call, err := t.callGemini(p.FunctionCall)
		if err != nil || bytes.Equal(call, p.FunctionCall) {
			return raw, err
		}
		return with(raw, "functionCall", call), nil
	case p.isHosted():
		t.Hosted = append(t.Hosted, raw)
	case !isThought(raw):
		t.Text += string(p.Text)
	}
	return raw, nil
}

// callGemini reads a functionCall. In the history it stays without an id, which the API does not
// need.
func (t *Turn) callGemini(raw json.RawMessage) (json.RawMessage, error) {
	var call struct {
		ID, Name          word
		Args, PartialArgs json.RawMessage
		WillContinue      bool
	}
	if err := json.Unmarshal(raw, &call); err != nil {
		return nil, err
	}
	if call.WillContinue || call.PartialArgs != nil {
		return nil, errors.New("the arguments of a call come in parts; leave " +
			"streamFunctionCallArguments out of the request")
	}
	t.Calls = append(t.Calls, jig.Call{ID: cmp.Or(string(call.ID), mintID(geminiIDs)),
		Name: string(call.Name), Args: arguments(call.Args)})
	if call.Args == nil {
		call.Args = json.RawMessage("{}") // they may be left out
	}
	return historyCall(raw, string(call.Name), "args", call.Args, false), nil
}

// isEmptyText reports whether a part is a text, or a thought, without content and without more,
// such as a signature.
func isEmptyText(part json.RawMessage) bool {
	text, more := geminiText(part)
	return !more && text == ""
}

// geminiText is the text of a part, and whether the part holds more than a text or a thought.
func geminiText(part json.RawMessage) (text string, more bool) {
	for _, m := range members(part) {
		switch m.key {
		case "text":
			text, _ = unquoted(m.value)
		case "thought":
		default:
			more = true
		}
	}
	return text, more
}

// results answers all calls in one turn: the API counts.
func (gemini) results(outcomes []jig.Outcome) []json.RawMessage {
	parts := make([]json.RawMessage, len(outcomes))
	for i, o := range outcomes {
		id := o.CallID
		if isMinted(geminiIDs, id) { // the API does not know it
			id = ""
		}
		key, files := "output", geminiFiles(o)
		if isFailure(o) {
			key = "error"
		}
		parts[i] = object("functionResponse", object("id", optional(id), "name", historyName(o.Tool),
			"response", object(key, geminiValue(o)), "parts", listed(files)))
	}
	return []json.RawMessage{object("role", "user", "parts", parts)}
}

// geminiTypes are the types of data that a functionResponse takes, from Gemini 3 on.
var geminiTypes = map[string]bool{
	"image/png": true, "image/jpeg": true, "image/webp": true,
	"application/pdf": true, "text/plain": true,
}

func geminiFiles(o jig.Outcome) []json.RawMessage {
	var files []json.RawMessage
	for _, p := range o.Output.Parts {
		if len(p.Data) > 0 && geminiTypes[mediaType(p)] {
			files = append(files, object("inlineData", object("mimeType", mediaType(p), "data", p.Data)))
		}
	}
	return files
}

// geminiValue is what a model reads of an outcome: one JSON value as it is, all else as text. That
// text names the files beside it, too.
func geminiValue(o jig.Outcome) json.RawMessage {
	parts := o.Output.Parts
	if len(parts) == 1 && parts[0].JSON != nil && !isFailure(o) && isSafeForGemini(parts[0].JSON) {
		return parts[0].JSON
	}
	texts := make([]string, len(parts))
	for i, p := range parts {
		if texts[i] = partText(p); len(p.Data) > 0 && geminiTypes[mediaType(p)] {
			texts[i] = jig.Output{Parts: []jig.Part{p}}.Text()
		}
	}
	return quote(strings.Join(texts, "\n"))
}

// isSafeForGemini reports whether a value arrives as it is. Gemini 3 takes $ref and $defs for
// references to the files of the response, and the API holds numbers as doubles.
func isSafeForGemini(raw json.RawMessage) bool {
	checked, err := scan.Check(raw, scan.Limits{Bytes: len(raw), Depth: maxResultDepth})
	if err != nil {
		return false
	}
	c := scan.NewCursor(checked)
	return isSafeValue(&c)
}

// maxResultDepth is far beyond what a tool may return; jig has checked that before.
const maxResultDepth = 1000

func isSafeValue(c *scan.Cursor) bool {
	switch kind := c.Kind(); kind {
	case scan.Number:
		return isDouble(string(c.Number()))
	case scan.Array, scan.Object:
		if !c.Enter() {
			return true
		}
		for more := true; more; more = c.More() {
			if kind == scan.Object {
				if key := string(c.Key()); key == "$ref" || key == "$defs" {
					return false
				}
			}
			if !isSafeValue(c) {
				return false
			}
		}
	default:
		c.Skip()
	}
	return true
}

// isDouble reports whether a number survives as a double: a whole one exactly, any other nearly.
func isDouble(text string) bool {
	if strings.ContainsAny(text, ".eE") {
		_, err := strconv.ParseFloat(text, 64)
		return err == nil // and no 1e400
	}
	const exact = 1 << 53
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && n >= -exact && n <= exact
}
