// Command bench measures jig beside its peers. run.sh builds it and says what to measure; README.md
// says how to read it.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/mark3labs/mcp-go/server"

	"github.com/jig-go/jig/internal/bench/measure"
)

func main() {
	defer cancel()
	if len(os.Args) > 1 && os.Args[1] == "report" {
		root := ""
		if len(os.Args) > 2 {
			root = os.Args[2]
		}
		fail(report(os.Stdin, os.Stdout, root))
		return
	}
	program := measure.New("bench", peers(), os.Stdout)
	fail(program.Main(os.Args[1:], map[string]func() error{
		"scale": func() error { return scale(program, allPoints) },
	}))
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// peers returns all peers but genkit, in the order of reports.
func peers() []measure.Peer {
	return append(jigPeers(), measure.JSON, jsonV2, eino, charm, toolRunner,
		mcpGo("mark3labs/mcp-go", "NewStructuredToolHandler; HandleMessage with a tools/call message"),
		mcpGo("mark3labs/mcp-go, validating", "the same, WithInputSchemaValidation",
			server.WithInputSchemaValidation()),
		goSDK, stack)
}

// toolName names one of many tools.
func toolName(i int) string { return fmt.Sprintf("tool_%05d", i) }

// jsonSize returns how many bytes the JSON of v has.
func jsonSize(v any) int {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return len(raw)
}
