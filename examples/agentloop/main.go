// Command agentloop is a complete small agent: a loop that asks a model, makes the calls of its turn,
// and gives back the results, until the model has answered. It speaks Anthropic's wire by package
// dialect; the model is a script behind a server on loopback, so that the program needs no key and
// prints the same every time.
//
// Its turns show reads in parallel, a turn with invalid arguments that the model repairs, a write that
// a person approves, a call that is denied, and a terminal answer that ends the run.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/run"
)

func main() {
	if err := agent(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const maxTurns = 10

// question is the message that opens the conversation.
var question = json.RawMessage(`{"role":"user","content":[{"type":"text",` +
	`"text":"Order 7 arrived broken. Please pay it back."}]}`)

// agent runs the loop and prints what happens.
func agent(ctx context.Context, out io.Writer) error {
	answer, err := jig.DefineAnswer(report)
	if err != nil {
		return err
	}
	registry := jig.NewRegistry(&jig.Options{
		Policy:   jig.CautiousPolicy, // asks for what deletes, speaks to others, or does not say
		Approver: person{out},
	})
	if err := registry.Add(findOrder(), refund(), deleteCustomer(), answer.Tool()); err != nil {
		return err
	}
	model, stop := startModel()
	defer stop()
	session := run.New(registry, &run.Options{
		Caller: jig.Caller{RunID: "run-1", UserID: "ada"}, MaxCalls: 20,
	})

	messages := []json.RawMessage{question}
	for number := 1; number <= maxTurns; number++ {
		turn, err := model.ask(ctx, registry, messages)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "turn %d\n", number)
		// One outcome for each call, in order, whatever happens.
		outcomes := session.CallAll(ctx, turn.Calls)
		for i, o := range outcomes {
			c := turn.Calls[i]
			fmt.Fprintf(out, "  %s %s\n    %s: %s\n", c.Name, c.Args, o.Status, indent(o.Text()))
		}
		messages = append(append(messages, turn.Messages...), wire.Results(outcomes)...)
		for _, o := range outcomes {
			if r, ok := answer.From(o); ok {
				fmt.Fprintf(out, "answer: %s (%d cents)\n", r.Summary, r.RefundedCents)
				return nil
			}
		}
	}
	return errors.New("the model gave no answer")
}
