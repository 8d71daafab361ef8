package main

import (
	"bytes"
	"context"
	"encoding/json"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/jig-go/jig/internal/bench/measure"
)

// jsonV2 decodes and encodes as encoding/json/v2 does, and checks nothing else.
var jsonV2 = measure.Peer{
	Name:   "json/v2",
	Module: "github.com/go-json-experiment/json",
	Path:   "Unmarshal, the function, Marshal",
	Define: map[string]func() measure.Call{
		"small":  func() measure.Call { return defineV2(measure.SmallTool) },
		"medium": func() measure.Call { return defineV2(measure.MediumTool) },
		"bulk":   func() measure.Call { return defineV2(measure.BulkTool) },
	},
}

func defineV2[Args, Result any](t measure.Tool[Args, Result]) measure.Call {
	return func(in measure.Input) measure.Answer {
		var args Args
		if err := jsonv2.Unmarshal(in.Raw, &args); err != nil {
			return measure.Refuse(err)
		}
		result, err := t.Execute(context.Background(), args)
		if err != nil {
			return measure.Refuse(err)
		}
		raw, err := jsonv2.Marshal(result)
		if err != nil {
			return measure.Refuse(err)
		}
		return measure.Answer{JSON: raw}
	}
}

// stack is what one writes without a library for tools.
var stack = measure.Peer{
	Name:   "straightforward stack",
	Module: "github.com/santhosh-tekuri/jsonschema/v6",
	Path:   "santhosh-tekuri/jsonschema on a decoded any, then as " + measure.Baseline,
	Define: map[string]func() measure.Call{
		"small":  func() measure.Call { return defineStack(measure.SmallTool) },
		"medium": func() measure.Call { return defineStack(measure.MediumTool) },
		"bulk":   func() measure.Call { return defineStack(measure.BulkTool) },
	},
}

func defineStack[Args, Result any](t measure.Tool[Args, Result]) measure.Call {
	compiled := compile(t.Schema)
	decoded := measure.DefineJSON(t)
	return func(in measure.Input) measure.Answer {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(in.Raw))
		if err != nil {
			return measure.Refuse(err)
		}
		if err := compiled.Validate(value); err != nil {
			return measure.Refuse(err)
		}
		return decoded(in)
	}
}

func compile(schema json.RawMessage) *jsonschema.Schema {
	const url = "mem:///args.json"
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		panic(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(url, document); err != nil {
		panic(err)
	}
	return compiler.MustCompile(url)
}
