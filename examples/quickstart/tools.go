package main

import (
	"context"
	"errors"
	"time"

	"github.com/jig-go/jig"
)

// A desk is what the tools work on.
type desk struct {
	orders *store
	mail   func(ctx context.Context, to Customer, text string) error
}

// tools returns the tools of the desk, first those that only read.
func (d *desk) tools() []*jig.Tool {
	return []*jig.Tool{
		d.findOrders(), d.getOrder(), d.exportLines(),
		d.updateAddress(), d.holdOrder(), d.cancelOrder(), d.refundOrder(), d.messageCustomer(),
	}
}

// refusals words the store's errors for the model: what is wrong, and what to do about it.
var refusals = []struct {
	err       error
	code      string
	retryable bool // other arguments may do
	text      string
}{
	{errNoOrder, "no_order", true, "No order has this id. Call find_orders first."},
	{errGone, "gone", false, "The parcel has left the house, so the order stays as it is. " +
		"Tell the user; a refund is possible."},
	{errCancelled, "cancelled", false, "The order is cancelled already. Do not call this again."},
	{errUnpaid, "unpaid", false, "The order was not paid, so there is nothing to refund."},
}

// explain returns the error that the model may read in place of a refusal of the store. Any other
// error stays as it is, and the model reads a fixed sentence instead.
func explain(err error) error {
	for _, r := range refusals {
		if errors.Is(err, r.err) {
			return &jig.ToolError{Text: r.text, Err: err, Code: r.code, Retryable: r.retryable}
		}
	}
	if errors.Is(err, errHold) {
		return jig.Errorf("A hold ends in the future and at most %d days from now. "+
			"Ask the user for another date.", maxHold/(24*time.Hour))
	}
	if e, ok := errors.AsType[*refundError](err); ok {
		return jig.Errorf("At most %d cents can be refunded. "+
			"Ask the user before you send less than asked for.", e.leftCents)
	}
	return err
}

type findArgs struct {
	Customer     string        `json:"customer,omitempty" jsonschema_description:"Part of the name or email."`
	State        State         `json:"state,omitempty" jsonschema:"enum=placed,enum=paid,enum=packed,enum=shipped,enum=delivered,enum=cancelled"`
	PlacedWithin time.Duration `json:"placed_within,omitempty" jsonschema_description:"Greatest age of an order, such as 72h."`
	Limit        int           `json:"limit,omitempty" jsonschema:"minimum=1,maximum=20,default=5"`
}

// found is the result of find_orders: the newest orders, and how many more there are.
type found struct {
	orders []Order
	more   int
}

func (d *desk) findOrders() *jig.Tool {
	return jig.MustDefine(jig.Spec[findArgs, found]{
		Name: "find_orders",
		Description: "Finds orders, the newest first. Call it whenever you do not have the id of an " +
			"order; the other tools need one.",
		Effect: jig.EffectRead,
		Examples: []findArgs{
			{Customer: "lindqvist"},
			{State: StateShipped, PlacedWithin: 14 * 24 * time.Hour, Limit: 20},
			{Customer: "@studio.example", State: StatePlaced},
		},
		Execute: func(_ context.Context, args findArgs) (found, error) {
			all := d.orders.find(query{args.Customer, args.State, args.PlacedWithin})
			n := min(args.Limit, len(all))
			return found{all[:n], len(all) - n}, nil
		},
		ToModelOutput: func(_ context.Context, f found) (jig.Output, error) {
			return jig.JSON(summarize(f))
		},
	})
}

// orderArgs is embedded by the arguments of every tool that works on one order.
type orderArgs struct {
	OrderID string `json:"order_id" jsonschema:"pattern=^[0-9]{4}$"`
}

func (d *desk) getOrder() *jig.Tool {
	return jig.MustDefine(jig.Spec[orderArgs, Order]{
		Name: "get_order",
		Description: "Returns one order with its address, its lines and what can still be refunded. " +
			"Call it before you change or refund an order.",
		Effect: jig.EffectRead,
		Execute: func(_ context.Context, args orderArgs) (Order, error) {
			o, err := d.orders.order(args.OrderID)
			return o, explain(err)
		},
		ToModelOutput: showOrder,
	})
}

// A row is one line of the export.
type row struct {
	OrderID    string `json:"order_id"`
	SKU        string `json:"sku"`
	Quantity   int64  `json:"quantity"`
	PriceCents int64  `json:"price_cents"`
}

func (d *desk) exportLines() *jig.Tool {
	return jig.MustDefine(jig.Spec[struct{}, []row]{
		Name: "export_lines",
		Description: "Exports the lines of all orders, the newest order first. The list is long and " +
			"you see its head only; the user gets the whole.",
		Effect:         jig.EffectRead,
		MaxOutputBytes: 512,
		Execute: func(context.Context, struct{}) ([]row, error) {
			var rows []row
			for _, o := range d.orders.find(query{}) {
				for _, l := range o.Lines {
					rows = append(rows, row{o.ID, l.SKU, l.Quantity, l.PriceCents})
				}
			}
			return rows, nil
		},
	})
}
