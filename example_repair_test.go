package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jig-go/jig"
)

// Check sees arguments that are valid by the schema, and says what only code can tell.
func ExampleInvalid() {
	type bookArgs struct {
		From   int `json:"from"`
		To     int `json:"to"`
		Guests int `json:"guests"`
	}
	book := jig.MustDefine(jig.Spec[bookArgs, string]{
		Name: "book_room", Description: "Book a room once the user has confirmed the days.",
		Check: func(_ context.Context, args bookArgs) error {
			var wrong []error
			if args.To <= args.From {
				wrong = append(wrong, jig.Invalid("/to", fmt.Sprintf("got day %d, want one after from", args.To)))
			}
			if args.Guests > 4 {
				wrong = append(wrong, jig.Invalid("/guests", "no room is that large, want at most 4"))
			}
			return errors.Join(wrong...)
		},
		Execute: func(context.Context, bookArgs) (string, error) { return "booked", nil },
	})
	fmt.Println(book.Call(context.Background(), json.RawMessage(`{"from":9,"to":3,"guests":12}`)).Text())
	// Output:
	// The arguments of book_room are invalid and nothing was run:
	// - "/guests": no room is that large, want at most 4
	// - "/to": got day 3, want one after from
	// Correct them and call book_room again.
}

// The model gets one turn to correct what it sent.
func ExampleRegistry_RepairOnce() {
	type sumArgs struct {
		Numbers []int `json:"numbers"`
	}
	var tools jig.Registry
	_ = tools.Add(jig.MustDefine(jig.Spec[sumArgs, int]{
		Name: "sum", Description: "Add numbers.", Effect: jig.EffectRead,
		Execute: func(_ context.Context, args sumArgs) (total int, err error) {
			for _, n := range args.Numbers {
				total += n
			}
			return total, nil
		},
	}))
	call := jig.Call{ID: "1", Name: "sum", Args: json.RawMessage(`{"numbers":"one and two"}`)}
	outcome := tools.RepairOnce(context.Background(), call,
		func(_ context.Context, invalid jig.Outcome) (jig.Call, bool) {
			fmt.Println(invalid.Text()) // goes to the model, whose next call this is:
			return jig.Call{ID: "2", Name: "sum", Args: json.RawMessage(`{"numbers":[1,2]}`)}, true
		})
	fmt.Println(outcome.Text())
	// Output:
	// The arguments of sum are invalid and nothing was run:
	// - "/numbers": got string "one and two", want array
	// Correct them and call sum again.
	// 3
}
