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
)

// A message is one entry of the conversation, on a wire of the example's own.
type message struct {
	Role    string `json:"role"` // user, tool
	CallID  string `json:"call_id,omitempty"`
	Text    string `json:"text"`
	IsError bool   `json:"is_error,omitempty"`
}

type request struct {
	Tools    []tool    `json:"tools"`
	Messages []message `json:"messages"`
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
}

type wireCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // JSON as text, or what the model takes for it
}

// script is what the model says, turn by turn.
var script = [][]wireCall{
	{{"a1", "find_order", `{"id": 7}`}, {"a2", "find_order", `{"id": "8"}`}, {"a3", "find_order", `{"id": 9}`}},
	{{"b1", "refund", `{"id": 7, "cents": "all of it", "reason": "broken"}`}},
	{{"c1", "refund", `{"id": 7, "cents": 2100}`}, {"c2", "delete_customer", `{"customer": "c-1"}`}},
	{{"d1", "find_order", `{"id": 1}`}, {"d2", "report", `{"summary": "Order 7 was paid back.", "refundedCents": 2100}`}},
}

// A model is a client of the provider.
type model struct{ url string }

// startModel starts the scripted provider on loopback.
func startModel() (*model, func()) {
	server := httptest.NewServer(&provider{})
	return &model{server.URL}, server.Close
}

// ask sends the conversation and the tools, and returns the calls of the model's turn.
func (m *model) ask(ctx context.Context, registry *jig.Registry, messages []message) ([]jig.Call, error) {
	r := request{Messages: messages}
	for d := range registry.Definitions() {
		r.Tools = append(r.Tools, tool{d.WireName, d.Description, d.InputSchema.JSON()})
	}
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
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
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the provider refused the request: %s", text)
	}
	var turn []wireCall
	if err := json.Unmarshal(text, &turn); err != nil {
		return nil, err
	}
	calls := make([]jig.Call, len(turn))
	for i, c := range turn {
		calls[i] = jig.Call{ID: c.ID, Name: c.Name, Args: json.RawMessage(c.Arguments)}
	}
	return calls, nil
}

// A provider plays the script. Like the real ones it refuses a request in which a call has not
// exactly one result.
type provider struct {
	mu   sync.Mutex
	turn int
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var got request
	if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var want, results []string
	for _, turn := range script[:p.turn] {
		for _, c := range turn {
			want = append(want, c.ID)
		}
	}
	for _, m := range got.Messages {
		if m.Role == "tool" {
			results = append(results, m.CallID)
		}
	}
	if !slices.Equal(want, results) || p.turn == len(script) {
		http.Error(w, fmt.Sprintf("got results for %q, want %q", results, want), http.StatusBadRequest)
		return
	}
	_ = json.NewEncoder(w).Encode(script[p.turn])
	p.turn++
}
