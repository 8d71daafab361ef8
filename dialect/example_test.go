package dialect_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/dialect"
)

type refundArgs struct {
	OrderID string `json:"orderId" jsonschema:"pattern=^ord_[a-z0-9]+$"`
	Note    string `json:"note,omitempty" jsonschema:"maxLength=200"`
}

var refund = jig.MustDefine(jig.Spec[refundArgs, string]{
	Name: "refund_order", Description: "Pays one order back.", Strict: true, Effect: jig.EffectWrite,
	Execute: func(_ context.Context, args refundArgs) (string, error) {
		return "Refunded " + args.OrderID + ".", nil
	},
})

type tagArgs struct {
	Tags map[string]string `json:"tags"`
}

var tagOrder = jig.MustDefine(jig.Spec[tagArgs, jig.NoResult]{
	Name: "tag_order", Description: "Sets tags of the order.", Strict: true, Effect: jig.EffectWrite,
	Execute: func(context.Context, tagArgs) (jig.NoResult, error) { return jig.NoResult{}, nil },
})

// A whole turn: what the request has, what the model answers, and what the next request has more.
// The response stands here in place of a provider.
func Example() {
	var registry jig.Registry
	if err := registry.Group("billing", refund); err != nil {
		panic(err)
	}
	provider := dialect.Anthropic
	tools, _, err := provider.Tools(&registry)
	if err != nil {
		panic(err)
	}
	choice, err := provider.Choice(&registry, dialect.Only("billing.refund_order"))
	if err != nil {
		panic(err)
	}
	fmt.Printf("tools: %s\nchoice: %s\n", tools, choice)

	response := json.RawMessage(`{"type":"message","role":"assistant","stop_reason":"tool_use",` +
		`"content":[{"type":"tool_use","id":"toolu_01","name":"billing__refund_order",` +
		`"input":{"orderId":"ord_7f"}}]}`)
	turn, err := provider.Turn(&registry, response)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s: %s %s\n", turn.Finish, turn.Calls[0].Name, turn.Calls[0].Args)

	history := turn.Messages
	if turn.Finish == dialect.FinishCalls {
		outcomes := registry.CallAll(context.Background(), turn.Calls)
		history = append(history, provider.Results(outcomes)...)
	}
	for _, message := range history {
		fmt.Printf("message: %s\n", message)
	}
	// Output:
	// tools: [{"name":"billing__refund_order","description":"Pays one order back.","strict":true,"input_schema":{"type":"object","properties":{"orderId":{"type":"string","pattern":"^ord_[a-z0-9]+$"},"note":{"type":"string","description":"maxLength: 200"}},"required":["orderId"],"additionalProperties":false}}]
	// choice: {"tool_choice":{"type":"tool","name":"billing__refund_order","disable_parallel_tool_use":true}}
	// calls: billing.refund_order {"orderId":"ord_7f"}
	// message: {"role":"assistant","content":[{"type":"tool_use","id":"toolu_01","name":"billing__refund_order","input":{"orderId":"ord_7f"}}]}
	// message: {"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_01","content":[{"type":"text","text":"Refunded ord_7f."}]}]}
}

// One registry, and what two providers are told. OpenAI wants every property, so that the optional
// one takes null; Anthropic does not, and neither takes maxLength from a strict tool.
func ExampleDialect_Tools() {
	var registry jig.Registry
	if err := registry.Add(refund); err != nil {
		panic(err)
	}
	for _, provider := range []dialect.Dialect{dialect.OpenAIChat, dialect.Anthropic} {
		tools, report, err := provider.Tools(&registry)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s\n", tools)
		for _, c := range report.Changes() {
			fmt.Printf("  %s %s: %s %s\n", c.Tool, c.Pointer, c.Keyword, c.Action)
		}
	}
	// Output:
	// [{"type":"function","function":{"name":"refund_order","description":"Pays one order back.","parameters":{"type":"object","properties":{"orderId":{"type":"string","pattern":"^ord_[a-z0-9]+$"},"note":{"type":["string","null"],"description":"maxLength: 200"}},"required":["orderId","note"],"additionalProperties":false},"strict":true}}]
	//   refund_order /properties/note: maxLength moved
	//   refund_order /properties/note: required_partial rewritten
	// [{"name":"refund_order","description":"Pays one order back.","strict":true,"input_schema":{"type":"object","properties":{"orderId":{"type":"string","pattern":"^ord_[a-z0-9]+$"},"note":{"type":"string","description":"maxLength: 200"}},"required":["orderId"],"additionalProperties":false}}]
	//   refund_order /properties/note: maxLength moved
}

// A map has no strict form at OpenAI. The error says so for all tools at once, and names the ways out.
func ExampleDialect_Tools_refused() {
	var registry jig.Registry
	if err := registry.Add(refund, tagOrder); err != nil {
		panic(err)
	}
	_, _, err := dialect.OpenAIResponses.Tools(&registry)
	if refused, ok := errors.AsType[*dialect.RefusedError](err); ok {
		fmt.Println(refused)
	}
	_, report, err := dialect.OpenAIResponses.Tools(&registry, dialect.Loose("tag_order"))
	fmt.Println(report.Profiles(), err)
	// Output:
	// jig/dialect: openai-responses: tool "tag_order": "/properties/tags": a map from any name to a value stands here, which cannot be said; write a list of objects with a key and a value, or declare the properties
	// jig/dialect: openai-responses: to send without strict, pass dialect.Loose("tag_order"); to leave out of "tag_order" what the provider has no words for, pass dialect.Lossy()
	// [openai_responses_strict openai_responses_nonstrict] <nil>
}

// What each provider makes of a tool, before anything is sent.
func ExampleCheck() {
	for _, verdict := range dialect.Check(tagOrder) {
		fmt.Println(verdict.Dialect, verdict.Refused == nil, len(verdict.Changes))
	}
	// Output:
	// openai-chat false 0
	// openai-responses false 0
	// anthropic false 0
	// gemini true 0
	// gemini-schema false 0
	// bedrock false 0
	// mcp true 0
	// mistral true 0
	// groq false 0
	// xai true 0
	// deepseek false 0
	// ollama true 3
}
