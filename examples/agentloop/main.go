// Command agentloop is a complete small agent: a loop that asks a model, makes the calls of its turn,
// and gives back the results, until the model has answered. The model is a script behind a server on
// loopback, so that the program needs no key and prints the same every time.
//
// Its turns show reads in parallel, a turn with invalid arguments that the model repairs, a write that
// a person approves, a call that is denied, and a terminal answer that ends the run.
package main

import (
	"context"
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

	messages := []message{{Role: "user", Text: "Order 7 arrived broken. Please pay it back."}}
	for turn := 1; turn <= maxTurns; turn++ {
		calls, err := model.ask(ctx, registry, messages)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "turn %d\n", turn)
		// One outcome for each call, in order, whatever happens.
		outcomes := session.CallAll(ctx, calls)
		for i, o := range outcomes {
			fmt.Fprintf(out, "  %s %s\n    %s: %s\n", calls[i].Name, calls[i].Args, o.Status, indent(o.Text()))
			messages = append(messages, message{Role: "tool", CallID: o.CallID, Text: o.Text(),
				IsError: o.IsError()})
		}
		for _, o := range outcomes {
			if r, ok := answer.From(o); ok {
				fmt.Fprintf(out, "answer: %s (%d cents)\n", r.Summary, r.RefundedCents)
				return nil
			}
		}
	}
	return errors.New("the model gave no answer")
}
