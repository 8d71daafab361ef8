package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jig-go/jig"
)

// A whole program: one tool, a registry, what a model is told, and two of its calls.
func Example() {
	type Refund struct {
		OrderID string `json:"orderId" jsonschema:"pattern=^ord_[a-z0-9]+$" jsonschema_description:"As list_orders returns it."`
		Cents   int    `json:"cents" jsonschema:"minimum=1" jsonschema_description:"How much to pay back."`
	}
	refund := jig.MustDefine(jig.Spec[Refund, string]{
		Name:        "refund_order",
		Description: "Pays money back for one order. Call it once for each order, after list_orders.",
		Effect:      jig.EffectWrite,
		Examples:    []Refund{{OrderID: "ord_7f", Cents: 1250}},
		Execute: func(_ context.Context, args Refund) (string, error) {
			return fmt.Sprintf("Refunded %d cents of %s.", args.Cents, args.OrderID), nil
		},
	})

	var registry jig.Registry
	if err := registry.Add(refund); err != nil {
		panic(err)
	}
	for definition := range registry.Definitions() {
		fmt.Println(definition.Name + ": " + definition.Description)
	}

	ctx := context.Background()
	right := registry.Call(ctx, jig.Call{ID: "call_1", Name: "refund_order",
		Args: json.RawMessage(`{"orderId":"ord_7f","cents":1250}`)})
	fmt.Println(right.Status, right.Text())

	wrong := registry.Call(ctx, jig.Call{ID: "call_2", Name: "refund_order",
		Args: json.RawMessage(`{"orderID":"ord_7f","cents":0}`)})
	fmt.Println(wrong.Status, wrong.Text())
	// Output:
	// refund_order: Pays money back for one order. Call it once for each order, after list_orders.
	//
	// Examples:
	// 1. {"orderId":"ord_7f","cents":1250}
	// ok Refunded 1250 cents of ord_7f.
	// invalid The arguments of refund_order are invalid and nothing was run:
	// - "/cents": got 0, want at least 1
	// - "/orderID": not a property here; did you mean "orderId"?
	// - "/orderId": missing, want string
	// Correct them and call refund_order again.
}

// Define says everything that is wrong with a tool at once, each time with the field.
func ExampleDefine() {
	type Search struct {
		Query string `json:"query" jsonschema:"What to look for, in plain words"`
		Limit int    `json:"limit" jsonschema:"minimum=1,default=10"`
	}
	_, err := jig.Define(jig.Spec[Search, []string]{Name: "search docs"})

	var wrong *jig.DefineError
	if errors.As(err, &wrong) {
		for _, problem := range wrong.Problems {
			fmt.Println(problem.Pointer)
		}
	}
	// Output:
	// Name
	// Description
	// Execute
	// Args.Query
	// Args.Query
	// Args.Limit
}

// A schema can be had without a tool, for code that ships its own list of tools.
func ExampleSchemaFor() {
	type Forecast struct {
		City string  `json:"city" jsonschema_description:"City name, in English."`
		Days int8    `json:"days,omitempty" jsonschema:"minimum=1,maximum=14,default=3"`
		Unit *string `json:"unit,omitempty" jsonschema:"enum=celsius,enum=fahrenheit"`
	}
	schema, err := jig.SchemaFor[Forecast]()
	if err != nil {
		panic(err)
	}
	fmt.Println(string(schema.JSON()))
	fmt.Println(schema.Validate(json.RawMessage(`{"city":"Oslo","days":30}`)))
	// Output:
	// {"type":"object","properties":{"city":{"type":"string","description":"City name, in English."},"days":{"type":"integer","minimum":1,"maximum":14,"default":3},"unit":{"type":["string","null"],"enum":["celsius","fahrenheit",null]}},"required":["city"]}
	// "/days": got 30, want at most 14
}

// A tool whose schema comes from elsewhere takes its arguments as they are.
func ExampleParseSchema() {
	schema, err := jig.ParseSchema(json.RawMessage(`{
		"type": "object",
		"properties": {"sql": {"type": "string", "maxLength": 4000}},
		"required": ["sql"],
		"additionalProperties": false
	}`))
	if err != nil {
		panic(err)
	}
	query := jig.MustDefine(jig.Spec[json.RawMessage, string]{
		Name:        "query",
		Description: "Runs one read-only query. Call describe_tables first.",
		Schema:      schema,
		Effect:      jig.EffectRead,
		Execute: func(_ context.Context, args json.RawMessage) (string, error) {
			return "got " + string(args), nil
		},
	})
	fmt.Println(query.Call(context.Background(), json.RawMessage(`{"sql":"select 1"}`)).Text())

	_, err = jig.ParseSchema(json.RawMessage(`{"type":"dict"}`))
	fmt.Println(err)
	// Output:
	// got {"sql":"select 1"}
	// jig: schema: /type: type "dict" is not a JSON Schema type; use "object"
}
