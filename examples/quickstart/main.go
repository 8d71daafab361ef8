// Command quickstart runs the tools of an order desk against a recorded conversation.
//
// It needs no key and no network, and prints the same bytes on every run: first the definitions as
// a model gets them, then each call of the conversation with what the model reads in return, last
// what the host's log has. The model of the conversation makes the mistakes that models make, and
// mostly puts them right at its next turn.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/dialect"
)

// wire is how the provider of the conversation writes tools, calls and results.
var wire = dialect.OpenAIChat

//go:embed data/orders.json
var ordersJSON []byte

//go:embed data/conversation.json
var conversationJSON []byte

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

// run is the program:
//
//   - open the desk: the orders, and a mail server that cannot be reached;
//   - register the tools;
//   - print the definitions;
//   - replay the conversation, on behalf of a caller;
//   - print the host's log.
func run(ctx context.Context, w io.Writer) error {
	var out, hostLog bytes.Buffer
	reg, err := newRegistry(&hostLog)
	if err != nil {
		return err
	}
	conversation, err := readTranscript(conversationJSON)
	if err != nil {
		return err
	}
	if err := printDefinitions(&out, reg); err != nil {
		return err
	}
	// Reference ids follow from run and call, so that they are the same on every run.
	ctx = jig.WithCaller(ctx, jig.Caller{RunID: "quickstart", UserID: "desk-1"})
	if err := replay(ctx, &out, reg, conversation); err != nil {
		return err
	}
	fmt.Fprintf(&out, "\n=== The host's log ===\n\n%s", &hostLog)
	_, err = w.Write(out.Bytes())
	return err
}

// newRegistry returns a registry with the tools of a desk that is open at a fixed time.
func newRegistry(hostLog io.Writer) (*jig.Registry, error) {
	openAt := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	orders, err := openStore(ordersJSON, func() time.Time { return openAt })
	if err != nil {
		return nil, err
	}
	d := &desk{orders: orders, mail: noMailServer}
	reg := jig.NewRegistry(&jig.Options{Timeout: 10 * time.Second, Logger: newLogger(hostLog)})
	return reg, reg.Add(d.tools()...)
}

// noMailServer is how sending fails without a network.
func noMailServer(context.Context, Customer, string) error {
	return errors.New("dial tcp 10.0.7.25:587: connect: network is unreachable")
}

// newLogger leaves out the time, which would differ from run to run, and the Go type of an error.
func newLogger(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey || a.Key == "error_type" {
				return slog.Attr{}
			}
			return a
		},
	}))
}

// printDefinitions prints what the model gets of each tool, and what that costs.
func printDefinitions(w io.Writer, reg *jig.Registry) error {
	text, report, err := wire.Tools(reg)
	if err != nil {
		return err
	}
	var tools []struct {
		Function struct {
			Name, Description string
			Strict            bool
			Parameters        json.RawMessage
		}
	}
	if err := json.Unmarshal(text, &tools); err != nil {
		return err
	}
	fmt.Fprint(w, "=== The definitions, as the model gets them ===\n")
	for _, t := range tools {
		f := t.Function
		fmt.Fprintf(w, "\n--- %s, strict: %t ---\n%s\n%s\n", f.Name, f.Strict, f.Description, f.Parameters)
	}
	fmt.Fprintf(w, "\n=== What was changed for the provider, and what it costs ===\n\n%s", report)
	return nil
}

// replay answers each turn of the conversation and prints it.
func replay(ctx context.Context, w io.Writer, reg *jig.Registry, t transcript) error {
	fmt.Fprint(w, "\n=== The conversation ===\n")
	for _, m := range t.Messages {
		fmt.Fprintf(w, "\n%s: %s\n", m.Role, m.Content)
	}
	for _, response := range t.Completions {
		turn, err := wire.Turn(reg, response)
		if err != nil {
			return err
		}
		if turn.Text != "" {
			fmt.Fprintf(w, "\nassistant: %s\n", turn.Text)
		}
		for i, o := range reg.CallAll(ctx, turn.Calls) {
			printCall(w, turn.Calls[i], o)
		}
	}
	return nil
}

// printCall prints a call, what became of it, and, marked by a bar, what the model reads.
func printCall(w io.Writer, c jig.Call, o jig.Outcome) {
	head := fmt.Sprintf("%s %s %s", c.ID, c.Name, c.Args)
	fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(head))
	status := string(o.Status)
	if o.Code != "" {
		status += ", " + o.Code
	}
	if o.Retryable {
		status += ", may try again"
	}
	fmt.Fprintf(w, "  %s\n", status)
	for _, r := range o.Repairs {
		fmt.Fprintf(w, "  put right: %s %s\n", r.Kind, r.Pointer+r.After)
	}
	if o.Cut != nil {
		fmt.Fprintf(w, "  cut: %d of %d bytes, %d items left out\n",
			o.Cut.KeptBytes, o.Cut.OriginalBytes, o.Cut.OmittedItems)
	}
	printForHost(w, o.Value)
	for line := range strings.Lines(o.Text()) {
		fmt.Fprintf(w, "  | %s\n", strings.TrimSuffix(line, "\n"))
	}
}

// printForHost prints what the host has of a result and the model has not.
func printForHost(w io.Writer, value any) {
	switch v := value.(type) {
	case Order:
		if v.ID != "" {
			fmt.Fprintf(w, "  for the host: a margin of %d cents\n", v.MarginCents())
		}
	case []row:
		fmt.Fprintf(w, "  for the host: all %d lines\n", len(v))
	}
}
