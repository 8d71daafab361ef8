package dialect

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/jig-go/jig"
)

// responses is the wire of OpenAI's Responses.
type responses struct{}

// definition always says whether a tool is strict: where the field is missing, the API makes the
// schema strict if it can, and fields that may be left out become required (guide, read 2026-08).
func (responses) definition(f form) json.RawMessage {
	return object("type", "function", "name", f.name, "description", f.description,
		"parameters", f.schema, "strict", f.strict, "defer_loading", onlyTrue(f.deferred))
}

func (responses) tools(list []json.RawMessage) json.RawMessage { return chat{}.tools(list) }

func (responses) choice(choice Choice, name string) (json.RawMessage, error) {
	if choice.mode != "only" {
		return object("tool_choice", cmp.Or(choice.mode, "auto")), nil
	}
	return object("tool_choice", object("type", "function", "name", name),
		"parallel_tool_calls", false), nil
}

func (responses) user(text string) json.RawMessage { return chat{}.user(text) }

func (responses) results(outcomes []jig.Outcome) []json.RawMessage {
	out := make([]json.RawMessage, len(outcomes))
	for i, o := range outcomes {
		out[i] = object("type", "function_call_output", "call_id", o.CallID,
			"output", responsesOutput(o))
	}
	return out
}

// responsesOutput is a text, or a list of parts where there is something to show.
func responsesOutput(o jig.Outcome) json.RawMessage {
	shown := false
	var parts []json.RawMessage
	for _, p := range o.Output.Parts {
		part := responsesPart(p)
		shown = shown || part != nil
		switch {
		case part != nil:
			parts = append(parts, part)
		case partText(p) != "":
			parts = append(parts, object("type", "input_text", "text", partText(p)))
		}
	}
	if !shown || isFailure(o) {
		return quote(answerText(o))
	}
	return array(parts)
}

// responsesFiles are the types of files that the API takes, with the ending by which it knows them
// where a file has no name (guide "File inputs", read 2026-11).
var responsesFiles = map[string]string{
	"application/pdf": ".pdf", "application/json": ".json", "text/plain": ".txt",
	"text/markdown": ".md", "text/html": ".html", "text/xml": ".xml", "text/csv": ".csv",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document":   ".docx",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":         ".xlsx",
	"application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
}

// responsesPart is an image or a file, or nil for what goes as text.
func responsesPart(p jig.Part) json.RawMessage {
	if len(p.Data) == 0 {
		return nil
	}
	kind := mediaType(p)
	url := "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
	if pictures[kind] {
		return object("type", "input_image", "image_url", url, "detail", "auto")
	}
	if ending := responsesFiles[kind]; ending != "" {
		return object("type", "input_file", "filename", cmp.Or(p.Name, "file"+ending),
			"file_data", url)
	}
	return nil
}

// responsesFinishes are the reasons of an incomplete response and the states of others. The empty
// one is that of a stream that broke off.
var responsesFinishes = map[string]Finish{
	"": FinishCut, "queued": FinishCut, "in_progress": FinishCut, "cancelled": FinishCut,
	"incomplete": FinishCut, "max_output_tokens": FinishCut, "content_filter": FinishRefused,
	"completed": FinishStop,
}

// A responsesBody is a whole response.
type responsesBody struct {
	Status     string
	Output     []json.RawMessage
	Incomplete struct{ Reason string } `json:"incomplete_details"`
}

func (w responses) turn(response json.RawMessage) (Turn, error) {
	var body responsesBody
	if err := readBody(response, &body); err != nil {
		return Turn{}, err
	}
	switch {
	case body.Status == "failed":
		return Turn{}, providerError("", "failed without a message")
	case body.Output == nil:
		return Turn{}, noResponse("output", response)
	}
	t := Turn{Reason: cmp.Or(body.Incomplete.Reason, body.Status)}
	refused := false
	for _, item := range body.Output {
		refusal, err := w.item(&t, item)
		if err != nil {
			return Turn{}, fmt.Errorf("output: %w", err)
		}
		refused = refused || refusal
	}
	t.Finish = finishOf(responsesFinishes, t.Reason, len(t.Calls))
	switch {
	case refused && t.Finish == FinishStop:
		t.Finish = FinishRefused
	case body.Status == "incomplete" && t.Finish == FinishOther: // for a reason that is new
		t.Finish = FinishCut
	}
	return t, nil
}

// item reads one item of the output into t, and reports whether it is a refusal. Items that are
// neither the model's words nor calls of functions belong to tools of the provider, or to such that
// the host has to answer in a form of their own, as custom_tool_call, computer_call and
// mcp_approval_request.
func (w responses) item(t *Turn, item json.RawMessage) (refused bool, err error) {
	var head struct{ Type word }
	if err := json.Unmarshal(item, &head); err != nil {
		return false, err
	}
	switch head.Type {
	case "function_call":
		item, err = w.call(t, item)
	case "message":
		refused = w.message(t, item)
	case "reasoning", "compaction":
	default:
		t.Hosted = append(t.Hosted, item)
	}
	t.Messages = append(t.Messages, item)
	return refused, err
}

// call reads a function_call, and returns it for the history.
func (responses) call(t *Turn, item json.RawMessage) (json.RawMessage, error) {
	var call struct {
		ID           word `json:"call_id"`
		Name, Status word
		Arguments    json.RawMessage
	}
	if err := json.Unmarshal(item, &call); err != nil {
		return nil, err
	}
	id, name := string(call.ID), string(call.Name)
	if id == "" {
		id = mintCall()
		item = with(item, "call_id", quote(id))
	}
	t.Calls = append(t.Calls, jig.Call{ID: id, Name: name, Args: argumentText(call.Arguments),
		Incomplete: call.Status == "incomplete" || call.Status == "in_progress"})
	return historyCall(item, name, "arguments", call.Arguments, true), nil
}

func (responses) message(t *Turn, item json.RawMessage) (refused bool) {
	for _, part := range items(memberOf(item, "content")) {
		switch textOf(part, "type") {
		case "output_text":
			t.Text += textOf(part, "text")
		case "refusal":
			t.Text += textOf(part, "refusal")
			refused = true
		}
	}
	return refused
}
