package run_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/run"
)

// A host that does not wait: the call is pending, the answer comes later, and the call runs once.
func ExampleTickets() {
	type refundArgs struct {
		Order string `json:"order"`
		Cents int    `json:"cents"`
	}
	tickets := run.NewTickets(nil)
	tools := jig.NewRegistry(&jig.Options{Policy: jig.CautiousPolicy, Approver: tickets})
	_ = tools.Add(jig.MustDefine(jig.Spec[refundArgs, string]{
		Name: "refund", Description: "Pay money back for one order.", Effect: jig.EffectWrite,
		Approval: jig.ApprovalAlways,
		Execute: func(_ context.Context, args refundArgs) (string, error) {
			return fmt.Sprintf("refunded %d cents of %s", args.Cents, args.Order), nil
		},
	}))
	ctx := jig.WithCaller(context.Background(), jig.Caller{RunID: "run-7", UserID: "ann"})
	pending := tools.Call(ctx, jig.Call{ID: "call-1", Name: "refund",
		Args: json.RawMessage(`{"order":"ord_7f","cents":1250}`)})
	fmt.Println(pending.Status)

	// Later, in the handler of a button:
	question, err := tickets.Ticket(ctx, pending.Ticket)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s %s\n", question.Tool, question.Args)
	fmt.Println(tickets.Resume(ctx, tools, pending.Ticket, jig.Allow()).Text())
	fmt.Println(tickets.Resume(ctx, tools, pending.Ticket, jig.Allow()).Text())
	// Output:
	// pending
	// refund {"cents":1250,"order":"ord_7f"}
	// refunded 1250 cents of ord_7f
	// Nothing was run: the approval is unknown, was used before, or has expired.
}
