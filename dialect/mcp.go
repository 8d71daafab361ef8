package dialect

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/jig-go/jig"
)

// mcp is the server's side of the Model Context Protocol, revision 2026-07-28: the tools of a
// tools/list result, tools/call requests and their results.
type mcp struct{}

func (mcp) definition(f form) json.RawMessage {
	return object("name", f.name, "title", optional(f.title),
		"description", optional(f.description), "inputSchema", f.schema,
		"outputSchema", f.output, "annotations", annotations(f))
}

// annotations has only what the author said: for the rest a client applies the protocol's defaults.
func annotations(f form) json.RawMessage {
	h := f.hints
	made := object("title", optional(f.title), "readOnlyHint", hinted(h.ReadOnly),
		"destructiveHint", hinted(h.Destructive), "idempotentHint", hinted(h.Idempotent),
		"openWorldHint", hinted(h.OpenWorld))
	if string(made) == "{}" {
		return nil
	}
	return made
}

func hinted(h jig.Hint) json.RawMessage {
	if h == jig.HintUnset {
		return nil
	}
	return json.RawMessage(h.String())
}

// tools writes result.tools.
func (mcp) tools(list []json.RawMessage) json.RawMessage { return array(list) }

func (mcp) choice(c Choice, _ string) (json.RawMessage, error) {
	if c == Auto {
		return object(), nil
	}
	return nil, errors.New("a server has no say in which tools a model calls; list those that may be " +
		"called, with Registry.Filter, and leave the choice to the client")
}

// user writes a PromptMessage.
func (mcp) user(text string) json.RawMessage {
	return object("role", "user", "content", object("type", "text", "text", text))
}

type mcpRequest struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
}

// turn reads a tools/call request, or its params alone.
func (mcp) turn(request json.RawMessage) (Turn, error) {
	var r mcpRequest
	if err := readBody(request, &r); err != nil {
		return Turn{}, err
	}
	if r.Method != "" && r.Method != "tools/call" {
		return Turn{}, fmt.Errorf("got method %q, want tools/call", r.Method)
	}
	if r.Params == nil {
		r.Params = request
	}
	return mcpTurn(r)
}

func mcpTurn(r mcpRequest) (Turn, error) {
	var params struct {
		Name      string
		Arguments json.RawMessage
	}
	if err := json.Unmarshal(r.Params, &params); err != nil {
		return Turn{}, fmt.Errorf("params: %w", err)
	}
	if params.Name == "" {
		return Turn{}, errors.New("the request names no tool; give a tools/call request or its " +
			"params")
	}
	call := jig.Call{ID: requestID(r.ID), Name: params.Name, Args: arguments(params.Arguments)}
	return Turn{Calls: []jig.Call{call}, Finish: FinishCalls, Reason: "tools/call"}, nil
}

// requestID is the id of a JSON-RPC request, a string or a number.
func requestID(raw json.RawMessage) string {
	if s, ok := unquoted(raw); ok && s != "" {
		return s
	}
	if id := strings.Trim(string(given(raw)), `"`); id != "" {
		return id
	}
	return mintID("call_")
}

// stream takes the one request that is the whole turn.
func (mcp) stream() accumulator { return &mcpStream{} }

type mcpStream struct {
	made Turn
	got  bool
}

func (s *mcpStream) add(event json.RawMessage) (err error) {
	if s.got {
		return errors.New("each request is a turn of its own; use one Stream for each")
	}
	if s.made, err = (mcp{}).turn(event); err == nil {
		s.got = true
	}
	return err
}

func (s *mcpStream) turn() (Turn, error) {
	if !s.got {
		return Turn{Finish: FinishCut}, nil
	}
	return s.made, nil
}

// results writes a CallToolResult for each call, to be sent as the result of its request. That an
// unknown tool is a JSON-RPC error (-32602) is for the server to say, which looks the name up
// before it calls; of what comes here the model reads which tools there are.
func (mcp) results(outcomes []jig.Outcome) []json.RawMessage {
	out := make([]json.RawMessage, len(outcomes))
	for i, o := range outcomes {
		content := make([]json.RawMessage, len(o.Output.Parts))
		for j, p := range o.Output.Parts {
			content[j] = mcpContent(p)
		}
		out[i] = object("resultType", "complete", "content", content,
			"structuredContent", structured(o), "isError", onlyTrue(isFailure(o)))
	}
	return out
}

// structured is the output where that is one JSON value, as the tool's outputSchema wants it.
// Clients of revisions before 2026-07-28 take an object only; a server that speaks to them leaves
// out both the outputSchema and the structuredContent of tools that return something else, whose
// text is beside it.
func structured(o jig.Outcome) json.RawMessage {
	if isFailure(o) || len(o.Output.Parts) != 1 {
		return nil
	}
	return o.Output.Parts[0].JSON
}

func mcpContent(p jig.Part) json.RawMessage {
	kind, _, _ := strings.Cut(p.MIME, "/")
	switch {
	case len(p.Data) == 0:
		return object("type", "text", "text", partText(p))
	case kind == "image" || kind == "audio":
		return object("type", kind, "data", p.Data, "mimeType", p.MIME)
	}
	return object("type", "resource", "resource", object(
		"uri", "attachment:"+url.PathEscape(p.Name), "mimeType", p.MIME, "blob", p.Data))
}
