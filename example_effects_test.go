package jig_test

import (
	"context"
	"fmt"
	"time"

	"github.com/jig-go/jig"
)

func ExampleCompensate() {
	type args struct {
		Seat string `json:"seat"`
	}
	book := jig.MustDefine(jig.Spec[args, string]{
		Name: "book_seat", Description: "Books a seat, once the user has chosen one.", Effect: jig.EffectWrite,
		Execute: func(ctx context.Context, a args) (string, error) {
			fmt.Println("holding", a.Seat)
			jig.Compensate(ctx, func(context.Context) error {
				fmt.Println("releasing", a.Seat)
				return nil
			})
			return "", jig.Errorf("Seat %s needs a ticket. Call buy_ticket first.", a.Seat)
		},
	})
	var reg jig.Registry
	_ = reg.Add(book)
	o := reg.Call(context.Background(), jig.Call{ID: "1", Name: "book_seat", Args: []byte(`{"seat":"12A"}`)})
	fmt.Println(o.Text())
	// Output:
	// holding 12A
	// releasing 12A
	// Seat 12A needs a ticket. Call buy_ticket first.
}

// A charge is tried again under one idempotency key, which goes to the payment service.
func ExampleRetryPolicy() {
	type args struct {
		Order string `json:"order"`
	}
	var keys []string
	charge := jig.MustDefine(jig.Spec[args, string]{
		Name: "charge_order", Description: "Charges an order, once the user has confirmed it.",
		Effect: jig.EffectWrite, Retry: jig.RetryIdempotent,
		Execute: func(ctx context.Context, a args) (string, error) {
			keys = append(keys, jig.CallInfo(ctx).IdempotencyKey())
			if len(keys) == 1 {
				return "", &jig.ToolError{Text: "The bank does not answer.", Transient: true}
			}
			return "charged " + a.Order, nil
		},
	})
	reg := jig.NewRegistry(&jig.Options{
		Retry: jig.RetryPolicy{MaxAttempts: 3, Backoff: func(int) time.Duration { return time.Millisecond }},
		Once:  &jig.MemoryOnce{},
	})
	_ = reg.Add(charge)
	ctx := jig.WithCaller(context.Background(), jig.Caller{RunID: "run-1", UserID: "ada"})
	call := jig.Call{ID: "1", Name: "charge_order", Args: []byte(`{"order":"7"}`)}
	o := reg.Call(ctx, call)
	fmt.Println(o.Text(), "in", o.Attempts, "attempts, one key:", keys[0] == keys[1])
	fmt.Println(reg.Call(ctx, call).Text(), "and not charged again:", len(keys) == 2)
	// Output:
	// charged 7 in 2 attempts, one key: true
	// charged 7 and not charged again: true
}
