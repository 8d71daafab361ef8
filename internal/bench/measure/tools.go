package measure

import (
	"context"
	"embed"
	"time"
)

// A Tool is what every peer defines: the same types, the same function, the same text.
type Tool[Args, Result any] struct {
	Name, Description string
	Schema            []byte // of Args, closed: what jig makes of it, for peers that are given one
	Execute           func(context.Context, Args) (Result, error)
}

// Named returns the tool under another name.
func (t Tool[Args, Result]) Named(name string) Tool[Args, Result] {
	t.Name = name
	return t
}

// The results list their fields in the order of their names, since peers that pass a result through
// a map write it sorted. That way all write the same bytes.
type (
	// Small has three fields, with bounds and an enum.
	Small struct {
		City string `json:"city" jsonschema:"minLength=1,maxLength=80"`
		Days int    `json:"days" jsonschema:"minimum=1,maximum=14"`
		Unit string `json:"unit" jsonschema:"enum=celsius,enum=fahrenheit"`
	}
	// SmallResult is what the small tool returns.
	SmallResult struct {
		City string `json:"city"`
		High int    `json:"high"`
		Low  int    `json:"low"`
		Unit string `json:"unit"`
	}

	// Medium has 25 fields: an enum here and there, a nested struct, items, a map, times.
	Medium struct {
		OrderID       string            `json:"order_id" jsonschema:"minLength=1,maxLength=40"`
		Customer      string            `json:"customer" jsonschema:"minLength=1,maxLength=80"`
		Email         string            `json:"email" jsonschema:"maxLength=200"`
		Phone         string            `json:"phone,omitempty" jsonschema:"maxLength=40"`
		Currency      string            `json:"currency" jsonschema:"enum=EUR,enum=USD,enum=GBP"`
		Channel       string            `json:"channel" jsonschema:"enum=web,enum=store,enum=phone"`
		Priority      int               `json:"priority" jsonschema:"minimum=0,maximum=9"`
		WeightGrams   int               `json:"weight_grams" jsonschema:"minimum=0"`
		Warehouse     int64             `json:"warehouse"`
		Attempts      int               `json:"attempts,omitempty" jsonschema:"minimum=0"`
		Discount      float64           `json:"discount" jsonschema:"minimum=0,maximum=100"`
		Tax           float64           `json:"tax" jsonschema:"minimum=0"`
		Total         float64           `json:"total" jsonschema:"minimum=0"`
		Express       bool              `json:"express"`
		Gift          bool              `json:"gift"`
		Insured       bool              `json:"insured"`
		CreatedAt     time.Time         `json:"created_at"`
		DeliverAfter  time.Time         `json:"deliver_after"`
		DeliverBefore time.Time         `json:"deliver_before"`
		Note          string            `json:"note,omitempty" jsonschema:"maxLength=2000"`
		Reference     string            `json:"reference,omitempty" jsonschema:"maxLength=80"`
		Tags          []string          `json:"tags" jsonschema:"maxItems=20"`
		Labels        map[string]string `json:"labels"`
		Address       Address           `json:"address"`
		Items         []Item            `json:"items" jsonschema:"minItems=1,maxItems=100"`
	}
	// Address is where a Medium goes.
	Address struct {
		Name       string `json:"name" jsonschema:"minLength=1"`
		Street     string `json:"street" jsonschema:"minLength=1"`
		PostalCode string `json:"postal_code" jsonschema:"maxLength=12"`
		City       string `json:"city" jsonschema:"minLength=1"`
		Country    string `json:"country" jsonschema:"enum=DE,enum=FR,enum=GB,enum=US"`
	}
	// Item is one line of a Medium.
	Item struct {
		SKU      string  `json:"sku" jsonschema:"minLength=1,maxLength=40"`
		Title    string  `json:"title" jsonschema:"maxLength=120"`
		Quantity int     `json:"quantity" jsonschema:"minimum=1,maximum=999"`
		Price    float64 `json:"price" jsonschema:"minimum=0"`
		Taxable  bool    `json:"taxable"`
	}
	// MediumResult is what the medium tool returns.
	MediumResult struct {
		Customer string       `json:"customer"`
		DueAt    time.Time    `json:"due_at"`
		Lines    []ResultLine `json:"lines"`
		OrderID  string       `json:"order_id"`
		Status   string       `json:"status"`
		Total    float64      `json:"total"`
	}
	// ResultLine is one line of a MediumResult.
	ResultLine struct {
		Amount float64 `json:"amount"`
		SKU    string  `json:"sku"`
	}

	// Bulk has rows: 1,000 of them are about 60 KB.
	Bulk struct {
		Rows []Row `json:"rows" jsonschema:"minItems=1,maxItems=100000"`
	}
	// Row is one row of a Bulk.
	Row struct {
		Line     int     `json:"line" jsonschema:"minimum=1"`
		SKU      string  `json:"sku" jsonschema:"minLength=1,maxLength=20"`
		Quantity int     `json:"quantity" jsonschema:"minimum=0,maximum=10000"`
		Price    float64 `json:"price" jsonschema:"minimum=0"`
	}
	// BulkResult is what the bulk tool returns.
	BulkResult struct {
		Accepted int     `json:"accepted"`
		Skipped  []int   `json:"skipped"`
		Total    float64 `json:"total"`
	}

	// Node nests in itself.
	Node struct {
		Value int   `json:"value" jsonschema:"minimum=0"`
		Child *Node `json:"child,omitempty"`
	}
	// Depth is what the tool that takes a Node returns.
	Depth struct {
		Depth int `json:"depth"`
	}
)

//go:embed schema/*.json
var schemas embed.FS

// schema returns the input schema of the tool with the name.
func schema(name string) []byte {
	text, err := schemas.ReadFile("schema/" + name + ".json")
	if err != nil {
		panic("measure: internal error: " + err.Error())
	}
	return text
}

// The tools. None looks up anything: what is measured is the way to the function and back.
var (
	SmallTool = Tool[Small, SmallResult]{
		Name: "forecast", Description: "Returns the weather of the next days in one city.",
		Schema: schema("small"),
		Execute: func(_ context.Context, a Small) (SmallResult, error) {
			return SmallResult{City: a.City, High: 20 + a.Days, Low: 10 - a.Days, Unit: a.Unit}, nil
		},
	}
	MediumTool = Tool[Medium, MediumResult]{
		Name: "place_order", Description: "Places one order and returns what it costs, line by line.",
		Schema: schema("medium"), Execute: placeOrder,
	}
	BulkTool = Tool[Bulk, BulkResult]{
		Name: "import_rows", Description: "Imports rows of stock and returns what was taken.",
		Schema: schema("bulk"), Execute: importRows,
	}
	NodeTool = Tool[Node, Depth]{
		Name: "measure_depth", Description: "Returns how deep the nodes nest.",
		Schema: schema("node"),
		Execute: func(_ context.Context, a Node) (Depth, error) {
			depth := 1
			for n := a.Child; n != nil; n = n.Child {
				depth++
			}
			return Depth{Depth: depth}, nil
		},
	}
)

func placeOrder(_ context.Context, a Medium) (MediumResult, error) {
	result := MediumResult{Customer: a.Customer, DueAt: a.DeliverBefore, OrderID: a.OrderID,
		Status: "placed", Lines: make([]ResultLine, len(a.Items))}
	for i, item := range a.Items {
		amount := item.Price * float64(item.Quantity)
		result.Lines[i] = ResultLine{Amount: amount, SKU: item.SKU}
		result.Total += amount
	}
	return result, nil
}

func importRows(_ context.Context, a Bulk) (BulkResult, error) {
	result := BulkResult{Skipped: []int{}}
	for _, row := range a.Rows {
		if row.Quantity == 0 {
			result.Skipped = append(result.Skipped, row.Line)
			continue
		}
		result.Accepted++
		result.Total += row.Price * float64(row.Quantity)
	}
	return result, nil
}
