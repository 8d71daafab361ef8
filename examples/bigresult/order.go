package main

import (
	"context"
	"fmt"

	"github.com/jig-go/jig"
)

type orderArgs struct {
	ID int `json:"id" jsonschema:"minimum=1" jsonschema_description:"Number of the order."`
}

// An order is what the shop's own code works with.
type order struct {
	ID       int    `json:"id"`
	Customer string `json:"customer"`
	Card     string `json:"card" jig:"redact"`
	Margin   int    `json:"margin" jig:"hidden"`
	Lines    []line `json:"lines"`
}

type line struct {
	SKU      string `json:"sku"`
	Quantity int    `json:"quantity"`
	Cents    int    `json:"cents"`
	Shelf    string `json:"shelf"`
}

func loadOrder(_ context.Context, args orderArgs) (order, error) {
	o := order{ID: args.ID, Customer: "Ada Brandt", Card: "4111 1111 1111 1111", Margin: 31}
	for i := range args.ID {
		o.Lines = append(o.Lines, line{fmt.Sprintf("SKU-%04d", i), i%7 + 1, 100 + i*13%900, fmt.Sprintf("A%d", i%40)})
	}
	return o, nil
}

// showOrder gives the model the lines without their shelves. A field that the order gets one day is not
// in the list, and so not shown.
func showOrder() *jig.Tool {
	return jig.MustDefine(jig.Spec[orderArgs, order]{
		Name: "show_order", Description: "Shows one order. Call it for questions about its lines.",
		Effect: jig.EffectRead, Execute: loadOrder,
		Project: []string{"id", "customer", "card", "lines[].sku", "lines[].quantity", "lines[].cents"},
	})
}

// summarizeOrder answers the question that is asked most with a few numbers.
func summarizeOrder() *jig.Tool {
	type summary struct {
		ID       int `json:"id"`
		Lines    int `json:"lines"`
		Pieces   int `json:"pieces"`
		Cents    int `json:"cents"`
		Dearest  line
		Cheapest line
	}
	return jig.MustDefine(jig.Spec[orderArgs, order]{
		Name: "summarize_order", Description: "Sums up one order. Call it for totals.",
		Effect: jig.EffectRead, Execute: loadOrder,
		ToModelOutput: func(_ context.Context, o order) (jig.Output, error) {
			s := summary{ID: o.ID, Lines: len(o.Lines), Dearest: o.Lines[0], Cheapest: o.Lines[0]}
			for _, l := range o.Lines {
				s.Pieces += l.Quantity
				s.Cents += l.Quantity * l.Cents
				if l.Cents > s.Dearest.Cents {
					s.Dearest = l
				}
				if l.Cents < s.Cheapest.Cents {
					s.Cheapest = l
				}
			}
			return jig.JSON(s)
		},
	})
}

// exportOrder may not lose a line: what does not fit is stored.
func exportOrder() *jig.Tool {
	return jig.MustDefine(jig.Spec[orderArgs, order]{
		Name: "export_order", Description: "Exports one order, every line of it.",
		Effect: jig.EffectRead, Execute: loadOrder, Overflow: jig.OverflowStore,
	})
}
