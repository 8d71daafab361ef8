package main

import (
	"context"
	"time"

	"github.com/jig-go/jig"
)

type addressArgs struct {
	orderArgs
	Address     Address `json:"address" jsonschema_description:"The whole new address."`
	CarrierNote *string `json:"carrier_note" jsonschema_description:"Note for the carrier, null for none."`
}

func (d *desk) updateAddress() *jig.Tool {
	note := "Leave it with the porter."
	return jig.MustDefine(jig.Spec[addressArgs, Order]{
		Name: "update_address",
		Description: "Replaces the address and the note for the carrier. It works until the parcel " +
			"is shipped. Do not guess a part of an address; ask the user.",
		Strict: true,
		Effect: jig.EffectWrite,
		Examples: []addressArgs{
			{orderArgs: orderArgs{"1003"}, Address: Address{Name: "Mei Tanaka", Company: "Tanaka Ceramics",
				Street: "Rue Garibaldi 12", City: "Lyon", PostalCode: "69006", Country: "FR"}},
			{orderArgs: orderArgs{"1001"}, CarrierNote: &note, Address: Address{Name: "Luis Ortega",
				Street: "Calle Mayor 2", City: "Madrid", PostalCode: "28013", Country: "ES"}},
			{orderArgs: orderArgs{"1006"}, Address: Address{Name: "Tomasz Zielinski",
				Street: "ul. Długa 40", City: "Gdańsk", PostalCode: "80-827", Country: "PL"}},
		},
		Execute: func(_ context.Context, args addressArgs) (Order, error) {
			o, err := d.orders.setAddress(args.OrderID, args.Address, textOf(args.CarrierNote))
			return o, explain(err)
		},
		ToModelOutput: showOrder,
	})
}

type holdArgs struct {
	orderArgs
	Until time.Time `json:"until" jsonschema_description:"When the parcel may leave."`
}

func (d *desk) holdOrder() *jig.Tool {
	return jig.MustDefine(jig.Spec[holdArgs, Order]{
		Name: "hold_order",
		Description: "Keeps a parcel in the house until a time, at most 30 days from now. Call it " +
			"after update_address where the user wants both.",
		Effect: jig.EffectWrite,
		Execute: func(_ context.Context, args holdArgs) (Order, error) {
			o, err := d.orders.hold(args.OrderID, args.Until)
			return o, explain(err)
		},
		ToModelOutput: showOrder,
	})
}

type cancelArgs struct {
	orderArgs
	Reason string `json:"reason" jsonschema:"enum=customer_request,enum=out_of_stock,enum=fraud"`
}

func (d *desk) cancelOrder() *jig.Tool {
	return jig.MustDefine(jig.Spec[cancelArgs, Order]{
		Name: "cancel_order",
		Description: "Cancels an order whose parcel is still in the house. It cannot be taken back, " +
			"and refunds nothing: call refund_order afterwards for an order that was paid.",
		Strict: true,
		Effect: jig.EffectDestructive,
		Execute: func(_ context.Context, args cancelArgs) (Order, error) {
			o, err := d.orders.cancel(args.OrderID, args.Reason)
			return o, explain(err)
		},
		ToModelOutput: showOrder,
	})
}

type refundArgs struct {
	orderArgs
	AmountCents int64   `json:"amount_cents" jsonschema:"minimum=1"`
	Reason      string  `json:"reason" jsonschema:"enum=damaged,enum=late,enum=wrong_item,enum=goodwill"`
	Note        *string `json:"note" jsonschema_description:"For the accounts department, null for none."`
}

// refundOrder moves money, so that each call needs a person's consent. This program cannot ask
// anybody, and jig denies the call.
func (d *desk) refundOrder() *jig.Tool {
	note := "Promised on the phone."
	return jig.MustDefine(jig.Spec[refundArgs, Order]{
		Name: "refund_order",
		Description: "Gives back a part of what was paid, at most refundable_cents of get_order. " +
			"Call it once for each refund that the user asked for.",
		Strict:   true,
		Effect:   jig.EffectDestructive,
		Approval: jig.ApprovalAlways,
		Examples: []refundArgs{
			{orderArgs: orderArgs{"1003"}, AmountCents: 3200, Reason: "damaged"},
			{orderArgs: orderArgs{"1005"}, AmountCents: 1500, Reason: "late", Note: &note},
			{orderArgs: orderArgs{"1001"}, AmountCents: 31800, Reason: "wrong_item"},
		},
		Execute: func(_ context.Context, args refundArgs) (Order, error) {
			o, err := d.orders.refund(args.OrderID, Refund{
				AmountCents: args.AmountCents, Reason: args.Reason, Note: textOf(args.Note),
			})
			return o, explain(err)
		},
		ToModelOutput: showOrder,
	})
}

type messageArgs struct {
	orderArgs
	Text string `json:"text" jsonschema:"minLength=1,maxLength=1000"`
}

func (d *desk) messageCustomer() *jig.Tool {
	return jig.MustDefine(jig.Spec[messageArgs, jig.NoResult]{
		Name: "message_customer",
		Description: "Sends an email to the customer of an order. Call it after the change that it " +
			"tells of has succeeded.",
		Effect: jig.EffectExternalMessage,
		Execute: func(ctx context.Context, args messageArgs) (jig.NoResult, error) {
			o, err := d.orders.order(args.OrderID)
			if err != nil {
				return jig.NoResult{}, explain(err)
			}
			return jig.NoResult{}, d.mail(ctx, o.Customer, args.Text)
		},
	})
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
