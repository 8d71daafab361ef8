package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/dialect"
)

// wire is the provider that the example talks to; any other of package dialect is this one line.
var wire = dialect.Anthropic

// A model is a client of the provider.
type model struct{ url string }

// startModel starts the scripted provider on loopback.
func startModel() (*model, func()) {
	server := httptest.NewServer(&provider{})
	return &model{server.URL}, server.Close
}

// ask sends the conversation and the tools, and reads the model's turn.
func (m *model) ask(
	ctx context.Context, registry *jig.Registry, messages []json.RawMessage,
) (dialect.Turn, error) {
	tools, _, err := wire.Tools(registry)
	if err != nil {
		return dialect.Turn{}, err
	}
	body, err := json.Marshal(map[string]any{
		"model": "scripted", "max_tokens": 1024, "tools": tools, "messages": messages,
	})
	if err != nil {
		return dialect.Turn{}, err
	}
	response, err := m.post(ctx, body)
	if err != nil {
		return dialect.Turn{}, err
	}
	return wire.Turn(registry, response)
}

func (m *model) post(ctx context.Context, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("the provider refused the request: %s", text)
	}
	return text, err
}

// script is what the model says, turn by turn.
var script = [][]block{
	{use("a1", "find_order", `{"id":7}`), use("a2", "find_order", `{"id":"8"}`),
		use("a3", "find_order", `{"id":9}`)},
	{use("b1", "refund", `{"id":7,"cents":"all of it","reason":"broken"}`)},
	{use("c1", "refund", `{"id":7,"cents":2100}`),
		use("c2", "delete_customer", `{"customer":"c-1"}`)},
	{use("d1", "find_order", `{"id":1}`),
		use("d2", "report", `{"summary":"Order 7 was paid back.","refundedCents":2100}`)},
}

// A block is one part of a message of the wire: of the model a tool_use, of the host a tool_result.
type block struct {
	Type      string          `json:"type"`
	ID        string          `json:"id,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
}

func use(id, name, input string) block {
	return block{Type: "tool_use", ID: id, Name: name, Input: json.RawMessage(input)}
}

// A provider plays the script. Like the real one it refuses a request in which a call has not
// exactly one result.
type provider struct {
	mu   sync.Mutex
	turn int
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	results, err := resultsIn(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var want []string
	for _, b := range slices.Concat(script[:p.turn]...) {
		want = append(want, b.ID)
	}
	if !slices.Equal(want, results) || p.turn == len(script) {
		http.Error(w, fmt.Sprintf("got results for %q, want %q", results, want), http.StatusBadRequest)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"type": "message", "role": "assistant",
		"content": script[p.turn], "stop_reason": "tool_use"})
	p.turn++
}

// resultsIn returns the ids of the calls that a request has results for, in order.
func resultsIn(body io.Reader) ([]string, error) {
	var request struct {
		Messages []struct{ Content []block }
	}
	if err := json.NewDecoder(body).Decode(&request); err != nil {
		return nil, err
	}
	var ids []string
	for _, m := range request.Messages {
		for _, b := range m.Content {
			if b.Type == "tool_result" {
				ids = append(ids, b.ToolUseID)
			}
		}
	}
	return ids, nil
}
