package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

var update = flag.Bool("update", false, "rewrite the goldens in testdata")

// golden compares got with a file below testdata, or rewrites the file under -update.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(name, got, 0o644))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got),
		"if the change is meant, run: go test ./examples/quickstart -update")
}

func TestRun(t *testing.T) {
	var first, second bytes.Buffer
	require.NoError(t, run(t.Context(), &first))
	require.NoError(t, run(t.Context(), &second))
	require.Equal(t, first.String(), second.String(), "two runs differ")
	golden(t, "output.golden", first.Bytes())
}

// TestRefused pins the block that README shows: one call with several problems.
func TestRefused(t *testing.T) {
	reg := openDesk(t)
	c := jig.Call{ID: "call_01", Name: "update_address", Args: json.RawMessage(`{"order_id":"1008",` +
		`"address":{"name":"Ada Brandt","street":"Am Deich 61","town":"Bremen","country":"Germany"}}`)}
	var out bytes.Buffer
	printCall(&out, c, reg.Call(t.Context(), c))
	golden(t, "refused.golden", bytes.TrimPrefix(out.Bytes(), []byte("\n")))
}

// TestConversation checks that the conversation shows what it is meant to show.
func TestConversation(t *testing.T) {
	reg := openDesk(t)
	conversation, err := readTranscript(conversationJSON)
	require.NoError(t, err)
	codes := map[string]int{}
	var repaired, cut int
	for _, c := range conversation.Completions {
		turn, err := wire.Turn(reg, c)
		require.NoError(t, err)
		for _, o := range reg.CallAll(t.Context(), turn.Calls) {
			codes[o.Code]++
			repaired += len(o.Repairs)
			if o.Cut != nil {
				cut++
			}
			require.NotContains(t, o.Text(), "cost_cents")
			require.NotContains(t, o.Text(), "margin")
			require.NotContains(t, o.Text(), "dial tcp")
		}
	}
	require.Equal(t, map[string]int{
		"": 7, "invalid_arguments": 5, "incomplete": 1, "unknown_tool": 1, "no_approver": 1,
		"no_order": 1, "gone": 1, "error": 1,
	}, codes)
	require.Equal(t, 2, repaired)
	require.Equal(t, 1, cut)
}

func TestReadTranscript(t *testing.T) {
	_, err := readTranscript([]byte(`[`))
	require.ErrorContains(t, err, "conversation: ")
}

func openDesk(t *testing.T) *jig.Registry {
	t.Helper()
	reg, err := newRegistry(io.Discard)
	require.NoError(t, err)
	return reg
}

func TestStateEnum(t *testing.T) {
	reg := openDesk(t)
	tool, ok := reg.Lookup("find_orders")
	require.True(t, ok)
	var schema struct {
		Properties struct {
			State struct{ Enum []State }
		}
	}
	require.NoError(t, json.Unmarshal(tool.InputSchema().JSON(), &schema))
	require.Equal(t, states, schema.Properties.State.Enum)
}

// TestEffects keeps what the tools declare in view of a reviewer.
func TestEffects(t *testing.T) {
	want := map[string]string{
		"find_orders": "read, unset", "get_order": "read, unset", "export_lines": "read, unset",
		"update_address": "write, unset", "hold_order": "write, unset",
		"cancel_order": "destructive, unset", "refund_order": "destructive, always",
		"message_customer": "external-message, unset",
	}
	got := map[string]string{}
	for d := range openDesk(t).Definitions() {
		got[d.Name] = d.Effect.String() + ", " + d.Approval.String()
	}
	require.Equal(t, want, got)
}

func TestMessageCustomer(t *testing.T) {
	orders := testStore(t)
	var to []string
	d := &desk{orders: orders, mail: func(_ context.Context, c Customer, text string) error {
		to = append(to, c.Email+": "+text)
		return nil
	}}
	o := d.messageCustomer().Call(t.Context(), json.RawMessage(`{"order_id":"1010","text":"Hello."}`))
	require.Equal(t, jig.StatusOK, o.Status, "%v", o)
	require.Equal(t, "done", o.Text())
	require.Equal(t, []string{"tz@studio.example: Hello."}, to)

	o = d.messageCustomer().Call(t.Context(), json.RawMessage(`{"order_id":"1999","text":"Hello."}`))
	require.Equal(t, "no_order", o.Code)
	require.Len(t, to, 1)
}

func TestExplain(t *testing.T) {
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"no order", errNoOrder, "No order has this id. Call find_orders first."},
		{"hold", errHold, "A hold ends in the future and at most 30 days from now. " +
			"Ask the user for another date."},
		{"refund", &refundError{11300}, "At most 11300 cents can be refunded. " +
			"Ask the user before you send less than asked for."},
	} {
		t.Run(test.name, func(t *testing.T) {
			var authored *jig.ToolError
			require.ErrorAs(t, explain(test.err), &authored)
			require.Equal(t, test.want, authored.Text)
			require.True(t, authored.Retryable)
		})
	}
	require.NoError(t, explain(nil))
	require.Equal(t, io.EOF, explain(io.EOF))
}
