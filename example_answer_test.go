package jig_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"

	"github.com/jig-go/jig"
)

type rating struct {
	Score  int    `json:"score" jsonschema:"minimum=1,maximum=5"`
	Reason string `json:"reason"`
}

// A terminal answer tool lets the model say that it is done. Its arguments are the answer.
func ExampleDefineAnswer() {
	finish, err := jig.DefineAnswer(jig.AnswerSpec[rating]{
		Name:        "finish",
		Description: "Give the review. Call exactly once, ends the run.",
		Terminal:    true,
	})
	if err != nil {
		panic(err)
	}
	var registry jig.Registry
	if err := registry.Add(finish.Tool()); err != nil {
		panic(err)
	}
	calls := []jig.Call{
		{ID: "1", Name: "finish", Args: json.RawMessage(`{"score":9,"reason":"good"}`)},
		{ID: "2", Name: "finish", Args: json.RawMessage(`{"score":5,"reason":"good"}`)},
	}
	for _, o := range registry.CallAll(context.Background(), calls) {
		fmt.Println(o.CallID, o.Status, o.Text())
		if r, ok := finish.From(o); ok {
			fmt.Println(r.Score, r.Reason)
		}
	}
	// Output:
	// 1 invalid The arguments of finish are invalid and nothing was run:
	// - "/score": got 9, want at most 5
	// Correct them and call finish again.
	// 2 ok done
	// 5 good
}

// The forced pattern: the provider was told to call this tool, and nothing else is in the turn.
func ExampleAnswer_Extract() {
	answer, err := jig.DefineAnswer(jig.AnswerSpec[rating]{
		Name: "review", Description: "Give the review.",
	})
	if err != nil {
		panic(err)
	}
	calls := []jig.Call{{Name: "review", Args: json.RawMessage(`{"score":"4","reason":"short"}`)}}
	fmt.Println(answer.Extract(context.Background(), calls))
	fmt.Println(answer.Extract(context.Background(), nil))
	// Output:
	// {4 short} <nil>
	// {0 } jig: review: no answer: it was not called
}

// A middleware stands around every call. This one closes the tools at night; the line of the log has
// sizes, and neither arguments nor results.
func ExampleMiddleware() {
	night := true
	closed := func(next jig.Handler) jig.Handler {
		return func(ctx context.Context, c jig.Call) jig.Outcome {
			if night {
				return jig.Outcome{Status: jig.StatusDenied, Code: "closed",
					Output: jig.Text("Not run: the shop is closed until eight.")}
			}
			return next(ctx, c)
		}
	}
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey || a.Key == "duration" {
				return slog.Attr{}
			}
			return a
		}}))
	registry := jig.NewRegistry(&jig.Options{
		Middleware: []jig.Middleware{jig.LogCalls(logger), closed},
	})
	fmt.Println(registry.Call(context.Background(), jig.Call{ID: "1", Name: "buy"}).Text())
	// Output:
	// level=WARN msg="jig: tool call" call=1 tool=buy status=denied code=closed ref="" attempts=0 args_bytes=0 output_bytes=40
	// Not run: the shop is closed until eight.
}
