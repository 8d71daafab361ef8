package main

import (
	"context"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/dialect"
	"github.com/jig-go/jig/internal/bench/measure"
)

const jigPath = "Registry.Call with default options and strict tools"

// cancellable is a context that can end, and does not.
var cancellable, cancel = context.WithCancel(context.Background())

// jigPeers are jig with everything on, under a context that cannot end and under one that can, and
// with the default for unknown fields, which is to drop them.
func jigPeers() []measure.Peer {
	type define = map[string]func() measure.Call
	strict := func(ctx context.Context) define {
		return define{
			"small":  func() measure.Call { return defineJig(ctx, measure.SmallTool, true) },
			"medium": func() measure.Call { return defineJig(ctx, measure.MediumTool, true) },
			"bulk":   func() measure.Call { return defineJig(ctx, measure.BulkTool, true) },
		}
	}
	ctx := context.Background()
	return []measure.Peer{
		{Name: "jig", Path: jigPath, List: listJig, Define: strict(ctx)},
		{Name: "jig, cancellable context", Path: jigPath, Kinds: []string{measure.Valid},
			Define: strict(cancellable)},
		{Name: "jig, open objects", Path: "the same with tools that are not strict",
			Kinds: []string{measure.Unknown}, Define: define{
				"small":  func() measure.Call { return defineJig(ctx, measure.SmallTool, false) },
				"medium": func() measure.Call { return defineJig(ctx, measure.MediumTool, false) },
				"bulk":   func() measure.Call { return defineJig(ctx, measure.BulkTool, false) },
			}},
	}
}

func jigTool[Args, Result any](t measure.Tool[Args, Result], strict bool) *jig.Tool {
	return jig.MustDefine(jig.Spec[Args, Result]{Name: t.Name, Description: t.Description,
		Strict: strict, Effect: jig.EffectRead, Execute: t.Execute})
}

func defineJig[Args, Result any](
	ctx context.Context, t measure.Tool[Args, Result], strict bool,
) measure.Call {
	var tools jig.Registry
	if err := tools.Add(jigTool(t, strict)); err != nil {
		panic(err)
	}
	return callJig(ctx, &tools, t.Name)
}

func callJig(ctx context.Context, tools *jig.Registry, name string) measure.Call {
	return func(in measure.Input) measure.Answer {
		outcome := tools.Call(ctx, jig.Call{ID: "call_1", Name: name, Args: in.Raw})
		part := outcome.Output.Parts[0]
		return measure.Answer{Text: part.Text, JSON: part.JSON, Refused: outcome.IsError()}
	}
}

// listJig writes the definitions as an MCP server lists them.
func listJig(n int) func() int {
	var tools jig.Registry
	for i := range n {
		if err := tools.Add(jigTool(measure.MediumTool.Named(toolName(i)), true)); err != nil {
			panic(err)
		}
	}
	return func() int {
		text, _, err := dialect.MCP.Tools(&tools)
		if err != nil {
			panic(err)
		}
		return len(text)
	}
}
