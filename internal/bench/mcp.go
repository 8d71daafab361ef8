package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	mark3labs "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jig-go/jig/internal/bench/measure"
)

// goSDK is the official SDK. Its AddTool wraps the typed handler with its validation of arguments
// and results. What is called is the server's method handler, as its middleware gets it: everything
// that the server does to a call but the transport and the JSON-RPC envelope.
var goSDK = measure.Peer{
	Name:   "modelcontextprotocol/go-sdk",
	Module: "github.com/modelcontextprotocol/go-sdk",
	Path:   "AddTool with the schema; tools/call through the server's method handler, no transport",
	List:   listSDK,
	Define: map[string]func() measure.Call{
		"small":  func() measure.Call { return defineSDK(measure.SmallTool) },
		"medium": func() measure.Call { return defineSDK(measure.MediumTool) },
		"bulk":   func() measure.Call { return defineSDK(measure.BulkTool) },
	},
}

// An sdkServer is a server, and the way into it.
type sdkServer struct {
	server  *mcp.Server
	handler mcp.MethodHandler
	session func() *mcp.ServerSession // connects when it is first called
}

func newSDKServer() *sdkServer {
	s := &sdkServer{server: mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "v1"}, nil)}
	s.server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		s.handler = next
		return next
	})
	s.session = sync.OnceValue(func() *mcp.ServerSession {
		ctx := context.Background()
		near, far := mcp.NewInMemoryTransports()
		session, err := s.server.Connect(ctx, near, nil)
		if err != nil {
			panic(err)
		}
		client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "v1"}, nil)
		if _, err := client.Connect(ctx, far, nil); err != nil {
			panic(err)
		}
		return session
	})
	return s
}

func addSDK[Args, Result any](s *sdkServer, t measure.Tool[Args, Result]) {
	mcp.AddTool(s.server, &mcp.Tool{Name: t.Name, Description: t.Description,
		InputSchema: json.RawMessage(t.Schema)},
		func(ctx context.Context, _ *mcp.CallToolRequest, args Args) (
			*mcp.CallToolResult, Result, error,
		) {
			result, err := t.Execute(ctx, args)
			return nil, result, err
		})
}

func defineSDK[Args, Result any](t measure.Tool[Args, Result]) measure.Call {
	s := newSDKServer()
	addSDK(s, t)
	return func(in measure.Input) measure.Answer {
		result, err := s.handler(context.Background(), "tools/call", &mcp.CallToolRequest{
			Session: s.session(),
			Params:  &mcp.CallToolParamsRaw{Name: t.Name, Arguments: in.Raw},
		})
		if err != nil {
			return measure.Refuse(err)
		}
		called := result.(*mcp.CallToolResult)
		text := called.Content[0].(*mcp.TextContent).Text
		return measure.Answer{Text: text, Refused: called.IsError}
	}
}

func listSDK(n int) func() int {
	s := newSDKServer()
	for i := range n {
		addSDK(s, measure.MediumTool.Named(toolName(i)))
	}
	session := s.session()
	return func() int {
		result, err := s.handler(context.Background(), "tools/list",
			&mcp.ListToolsRequest{Session: session, Params: &mcp.ListToolsParams{}})
		if err != nil {
			panic(err)
		}
		return jsonSize(result)
	}
}

// mcpGo is mark3labs/mcp-go, which validates where the server has an option for it. The only
// exported way through that validation takes a JSON-RPC message, so both variants read one.
func mcpGo(name, path string, options ...server.ServerOption) measure.Peer {
	return measure.Peer{
		Name:   name,
		Module: "github.com/mark3labs/mcp-go",
		Path:   path,
		List:   func(n int) func() int { return listMCPGo(n, options) },
		Define: map[string]func() measure.Call{
			"small":  func() measure.Call { return defineMCPGo(measure.SmallTool, options) },
			"medium": func() measure.Call { return defineMCPGo(measure.MediumTool, options) },
			"bulk":   func() measure.Call { return defineMCPGo(measure.BulkTool, options) },
		},
	}
}

func addMCPGo[Args, Result any](s *server.MCPServer, t measure.Tool[Args, Result]) {
	s.AddTool(mark3labs.NewToolWithRawSchema(t.Name, t.Description, t.Schema),
		mark3labs.NewStructuredToolHandler(
			func(ctx context.Context, _ mark3labs.CallToolRequest, args Args) (Result, error) {
				return t.Execute(ctx, args)
			}))
}

func defineMCPGo[Args, Result any](
	t measure.Tool[Args, Result], options []server.ServerOption,
) measure.Call {
	s := server.NewMCPServer("bench", "v1", options...)
	addMCPGo(s, t)
	head := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,`+
		`"arguments":`, t.Name)
	return func(in measure.Input) measure.Answer {
		message := make([]byte, 0, len(head)+len(in.Raw)+2)
		message = append(append(append(message, head...), in.Raw...), "}}"...)
		response := s.HandleMessage(context.Background(), message)
		answer, ok := response.(mark3labs.JSONRPCResponse)
		if !ok {
			return measure.Answer{Text: fmt.Sprint(response), Refused: true}
		}
		called := answer.Result.(*mark3labs.CallToolResult)
		text := called.Content[0].(mark3labs.TextContent).Text
		return measure.Answer{Text: text, Refused: called.IsError}
	}
}

func listMCPGo(n int, options []server.ServerOption) func() int {
	s := server.NewMCPServer("bench", "v1", options...)
	for i := range n {
		addMCPGo(s, measure.MediumTool.Named(toolName(i)))
	}
	message := json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	return func() int { return jsonSize(s.HandleMessage(context.Background(), message)) }
}
