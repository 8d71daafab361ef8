package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/jig-go/jig"
)

type orderArgs struct {
	ID int `json:"id" jsonschema:"minimum=1"`
}

type order struct {
	ID       int    `json:"id"`
	Customer string `json:"customer"`
	Cents    int    `json:"cents"`
	Card     string `json:"card" jig:"redact"`
}

// findOrder only reads: calls of one turn run in parallel.
func findOrder() *jig.Tool {
	return jig.MustDefine(jig.Spec[orderArgs, order]{
		Name: "find_order", Description: "Look up an order by its id. Call it before anything is changed.",
		Effect: jig.EffectRead,
		Execute: func(_ context.Context, args orderArgs) (order, error) {
			if args.ID > 8 {
				return order{}, jig.Errorf("No order has the id %d.", args.ID)
			}
			return order{args.ID, "c-1", 300 * args.ID, "4111 1111 1111 1111"}, nil
		},
	})
}

type refundArgs struct {
	ID    int `json:"id" jsonschema:"minimum=1"`
	Cents int `json:"cents" jsonschema:"minimum=1,maximum=10000"`
}

// refund writes, and needs the consent of the user.
func refund() *jig.Tool {
	return jig.MustDefine(jig.Spec[refundArgs, string]{
		Name: "refund", Description: "Pay an order back, in whole or in part.", Strict: true,
		Effect: jig.EffectWrite, Approval: jig.ApprovalRequester,
		Preview: func(_ context.Context, args refundArgs) (string, error) {
			return fmt.Sprintf("pay back %d.%02d for order %d", args.Cents/100, args.Cents%100, args.ID), nil
		},
		Execute: func(ctx context.Context, args refundArgs) (string, error) {
			// The key goes on to the payment service, which then pays once.
			_ = jig.CallInfo(ctx).IdempotencyKey()
			return fmt.Sprintf("%d cents are on their way", args.Cents), nil
		},
	})
}

type customerArgs struct {
	Customer string `json:"customer"`
}

// deleteCustomer is destructive: the policy asks about each call.
func deleteCustomer() *jig.Tool {
	return jig.MustDefine(jig.Spec[customerArgs, jig.NoResult]{
		Name: "delete_customer", Description: "Delete a customer and all that is known of them.",
		Effect: jig.EffectDestructive,
		Execute: func(context.Context, customerArgs) (jig.NoResult, error) {
			return jig.NoResult{}, nil
		},
	})
}

// A result is the answer of the run.
type result struct {
	Summary       string `json:"summary" jsonschema:"maxLength=200"`
	RefundedCents int    `json:"refundedCents"`
}

var report = jig.AnswerSpec[result]{
	Name: "report", Description: "Report what was done. Call exactly once, ends the run.", Terminal: true,
}

// person is an Approver that stands for somebody at a prompt: they allow what is not destructive.
type person struct{ out io.Writer }

func (p person) Approve(_ context.Context, r jig.ApprovalRequest) jig.Decision {
	asked := r.Preview
	if asked == "" {
		asked = r.Tool.Name() + " " + string(r.Args)
	}
	answer := "yes"
	if r.Tool.Effect() == jig.EffectDestructive {
		answer = "no"
	}
	_, _ = fmt.Fprintf(p.out, "  ? %s, may I %s? %s\n", r.Caller.UserID, asked, answer)
	if answer == "no" {
		return jig.Deny("the user said no")
	}
	return jig.Allow()
}

func indent(text string) string { return strings.ReplaceAll(text, "\n", "\n    ") }
