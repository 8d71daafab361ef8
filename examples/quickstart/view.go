package main

import (
	"context"
	"time"

	"github.com/jig-go/jig"
)

// An orderView is what a model sees of an Order: no costs, and no email address.
type orderView struct {
	ID              string     `json:"id"`
	State           State      `json:"state"`
	PlacedAt        time.Time  `json:"placed_at"`
	Customer        string     `json:"customer"`
	ShipTo          Address    `json:"ship_to"`
	CarrierNote     string     `json:"carrier_note,omitempty"`
	HoldUntil       *time.Time `json:"hold_until,omitempty"`
	Lines           []lineView `json:"lines"`
	TotalCents      int64      `json:"total_cents"`
	RefundableCents int64      `json:"refundable_cents"`
}

type lineView struct {
	SKU        string `json:"sku"`
	Name       string `json:"name"`
	Quantity   int64  `json:"quantity"`
	PriceCents int64  `json:"price_cents"`
}

// showOrder is the ToModelOutput of the tools that return an order.
func showOrder(_ context.Context, o Order) (jig.Output, error) {
	view := orderView{
		ID: o.ID, State: o.State, PlacedAt: o.PlacedAt, Customer: o.Customer.Name, ShipTo: o.ShipTo,
		CarrierNote: o.CarrierNote, HoldUntil: o.HoldUntil,
		TotalCents: o.TotalCents(), RefundableCents: o.RefundableCents(),
	}
	for _, l := range o.Lines {
		view.Lines = append(view.Lines, lineView{l.SKU, l.Name, l.Quantity, l.PriceCents})
	}
	return jig.JSON(view)
}

// A foundView is what a model sees of a search.
type foundView struct {
	Orders []summary `json:"orders"`
	More   int       `json:"more"` // orders beyond the limit
}

type summary struct {
	ID         string    `json:"id"`
	State      State     `json:"state"`
	PlacedAt   time.Time `json:"placed_at"`
	Customer   string    `json:"customer"`
	TotalCents int64     `json:"total_cents"`
}

func summarize(f found) foundView {
	view := foundView{More: f.more}
	for _, o := range f.orders {
		view.Orders = append(view.Orders,
			summary{o.ID, o.State, o.PlacedAt, o.Customer.Name, o.TotalCents()})
	}
	return view
}
