package main

import (
	"context"
	"encoding/json"

	"charm.land/fantasy"
	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/toolrunner"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"

	"github.com/jig-go/jig/internal/bench/measure"
)

// eino decodes and encodes with sonic.
var eino = measure.Peer{
	Name:   "cloudwego/eino",
	Module: "github.com/cloudwego/eino",
	Path:   "InferTool, InvokableRun; decodes and encodes with sonic",
	List:   listEino,
	Define: map[string]func() measure.Call{
		"small":  func() measure.Call { return defineEino(measure.SmallTool) },
		"medium": func() measure.Call { return defineEino(measure.MediumTool) },
		"bulk":   func() measure.Call { return defineEino(measure.BulkTool) },
	},
}

func einoTool[Args, Result any](t measure.Tool[Args, Result]) tool.InvokableTool {
	inferred, err := utils.InferTool(t.Name, t.Description, t.Execute)
	if err != nil {
		panic(err)
	}
	return inferred
}

func defineEino[Args, Result any](t measure.Tool[Args, Result]) measure.Call {
	inferred := einoTool(t)
	return func(in measure.Input) measure.Answer {
		text, err := inferred.InvokableRun(context.Background(), in.Text)
		if err != nil {
			return measure.Refuse(err)
		}
		return measure.Answer{Text: text}
	}
}

func listEino(n int) func() int {
	var all []tool.InvokableTool
	for i := range n {
		all = append(all, einoTool(measure.MediumTool.Named(toolName(i))))
	}
	return func() int {
		size := 0
		for _, t := range all {
			info, err := t.Info(context.Background())
			if err != nil {
				panic(err)
			}
			schema, err := info.ToJSONSchema()
			if err != nil {
				panic(err)
			}
			size += len(info.Name) + len(info.Desc) + jsonSize(schema)
		}
		return size
	}
}

// charm is charm.land/fantasy. Its handler writes the text of the result itself.
var charm = measure.Peer{
	Name:   "charm.land/fantasy",
	Module: "charm.land/fantasy",
	Path:   "NewAgentTool, Run; the handler encodes with encoding/json",
	List:   listCharm,
	Define: map[string]func() measure.Call{
		"small":  func() measure.Call { return defineCharm(measure.SmallTool) },
		"medium": func() measure.Call { return defineCharm(measure.MediumTool) },
		"bulk":   func() measure.Call { return defineCharm(measure.BulkTool) },
	},
}

func charmTool[Args, Result any](t measure.Tool[Args, Result]) fantasy.AgentTool {
	return fantasy.NewAgentTool(t.Name, t.Description,
		func(ctx context.Context, args Args, _ fantasy.ToolCall) (fantasy.ToolResponse, error) {
			text, err := run(ctx, t, args)
			if err != nil {
				return fantasy.ToolResponse{}, err
			}
			return fantasy.NewTextResponse(text), nil
		})
}

func defineCharm[Args, Result any](t measure.Tool[Args, Result]) measure.Call {
	agentTool := charmTool(t)
	return func(in measure.Input) measure.Answer {
		response, err := agentTool.Run(context.Background(),
			fantasy.ToolCall{ID: "call_1", Name: t.Name, Input: in.Text})
		if err != nil {
			return measure.Refuse(err)
		}
		return measure.Answer{Text: response.Content, Refused: response.IsError}
	}
}

func listCharm(n int) func() int {
	var all []fantasy.AgentTool
	for i := range n {
		all = append(all, charmTool(measure.MediumTool.Named(toolName(i))))
	}
	return func() int {
		size := 0
		for _, t := range all {
			size += jsonSize(t.Info())
		}
		return size
	}
}

// toolRunner is anthropic-sdk-go's. Its handler writes the text of the result itself.
var toolRunner = measure.Peer{
	Name:   "anthropic-sdk-go toolrunner",
	Module: "github.com/anthropics/anthropic-sdk-go/v2",
	Path:   "NewBetaToolFromJSONSchema, Execute; the handler encodes with encoding/json",
	List:   listRunner,
	Define: map[string]func() measure.Call{
		"small":  func() measure.Call { return defineRunner(measure.SmallTool) },
		"medium": func() measure.Call { return defineRunner(measure.MediumTool) },
		"bulk":   func() measure.Call { return defineRunner(measure.BulkTool) },
	},
}

func runnerTool[Args, Result any](t measure.Tool[Args, Result]) anthropic.BetaTool {
	type content = anthropic.BetaToolResultBlockParamContentUnion
	betaTool, err := toolrunner.NewBetaToolFromJSONSchema(t.Name, t.Description,
		func(ctx context.Context, args Args) (content, error) {
			text, err := run(ctx, t, args)
			return content{OfText: &anthropic.BetaTextBlockParam{Text: text}}, err
		})
	if err != nil {
		panic(err)
	}
	return betaTool
}

func defineRunner[Args, Result any](t measure.Tool[Args, Result]) measure.Call {
	betaTool := runnerTool(t)
	return func(in measure.Input) measure.Answer {
		content, err := betaTool.Execute(context.Background(), in.Raw)
		if err != nil {
			return measure.Refuse(err)
		}
		return measure.Answer{Text: content[0].OfText.Text}
	}
}

func listRunner(n int) func() int {
	var all []anthropic.BetaTool
	for i := range n {
		all = append(all, runnerTool(measure.MediumTool.Named(toolName(i))))
	}
	return func() int {
		size := 0
		for _, t := range all {
			size += len(t.Name()) + len(t.Description()) + jsonSize(t.InputSchema())
		}
		return size
	}
}

// run runs a tool and encodes its result, for peers that leave that to the handler.
func run[Args, Result any](
	ctx context.Context, t measure.Tool[Args, Result], args Args,
) (string, error) {
	result, err := t.Execute(ctx, args)
	if err != nil {
		return "", err
	}
	raw, err := json.Marshal(result)
	return string(raw), err
}
