// Command genkit measures genkit beside encoding/json, for the program in the folder above. It is a
// module of its own since genkit does not build with the invopop/jsonschema that
// anthropic-sdk-go needs.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"

	"github.com/jig-go/jig/internal/bench/measure"
)

func main() {
	program := measure.New("genkit", peers(), os.Stdout)
	if err := program.Main(os.Args[1:], nil); err != nil {
		fmt.Fprintln(os.Stderr, "genkit:", err)
		os.Exit(1)
	}
}

func peers() []measure.Peer {
	return []measure.Peer{measure.JSON, {
		Name:   "firebase/genkit",
		Module: "github.com/firebase/genkit/go",
		Path:   "DefineTool, RunRaw, with json.Unmarshal to any before and json.Marshal after",
		List:   list,
		Define: map[string]func() measure.Call{
			"small":  func() measure.Call { return define(measure.SmallTool) },
			"medium": func() measure.Call { return define(measure.MediumTool) },
			"bulk":   func() measure.Call { return define(measure.BulkTool) },
		},
	}}
}

func add[Args, Result any](t measure.Tool[Args, Result]) *ai.ToolDef[Args, Result] {
	return genkit.DefineTool(instance, t.Name, t.Description,
		func(ctx *ai.ToolContext, args Args) (Result, error) { return t.Execute(ctx, args) })
}

// instance is made once: Init waits for signals, in a goroutine that does not end.
var (
	instance = genkit.Init(context.Background())
	defined  atomic.Int64
)

// define makes a call as a model plugin of genkit does: RunRaw takes and returns what encoding/json
// makes of an any.
func define[Args, Result any](t measure.Tool[Args, Result]) measure.Call {
	ctx := context.Background()
	// A name can be taken once.
	tool := add(t.Named(fmt.Sprintf("%s_%d", t.Name, defined.Add(1))))
	return func(in measure.Input) measure.Answer {
		var args any
		if err := json.Unmarshal(in.Raw, &args); err != nil {
			return measure.Refuse(err)
		}
		result, err := tool.RunRaw(ctx, args)
		if err != nil {
			return measure.Refuse(err)
		}
		raw, err := json.Marshal(result)
		if err != nil {
			return measure.Refuse(err)
		}
		return measure.Answer{JSON: raw}
	}
}

func list(n int) func() int {
	var all []*ai.ToolDef[measure.Medium, measure.MediumResult]
	for i := range n {
		all = append(all, add(measure.MediumTool.Named(fmt.Sprintf("tool_%05d_%d", i, defined.Add(1)))))
	}
	return func() int {
		size := 0
		for _, tool := range all {
			raw, err := json.Marshal(tool.Definition())
			if err != nil {
				panic(err)
			}
			size += len(raw)
		}
		return size
	}
}
