package repo

import (
	"bytes"
	"encoding/json"
	"go/parser"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Why a vendor's module is refused, where several share the reason.
const (
	wireReason      = "dialect writes the wire format with the standard library alone"
	cloudReason     = "brings a cloud's client and identity stack into every user's build"
	frameworkReason = "an agent framework: jig is wrapped by it, not built on it"
	mcpReason       = "an MCP server wraps a registry, from a module of its own"
)

// vendors maps a module path, or the start of one that ends in a slash, to the reason why the core
// does without it. What needs one lives in examples/, contrib/ or internal/bench/, in a module of
// its own.
var vendors = map[string]string{
	"charm.land/fantasy":                 frameworkReason,
	"cloud.google.com/":                  cloudReason,
	"github.com/Azure/":                  cloudReason,
	"github.com/anthropics/":             wireReason,
	"github.com/aws/":                    cloudReason,
	"github.com/cloudwego/":              frameworkReason,
	"github.com/cohere-ai/":              wireReason,
	"github.com/firebase/genkit":         frameworkReason,
	"github.com/gage-technologies/":      wireReason,
	"github.com/google/generative-ai-go": wireReason,
	"github.com/mark3labs/mcp-go":        mcpReason,
	"github.com/mistralai/":              wireReason,
	"github.com/modelcontextprotocol/":   mcpReason,
	"github.com/ollama/":                 wireReason,
	"github.com/openai/":                 wireReason,
	"github.com/sashabaranov/go-openai":  wireReason,
	"github.com/tmc/langchaingo":         frameworkReason,
	"go.opentelemetry.io/":               "tracing is middleware, from a module of its own",
	"go.temporal.io/":                    "a durable host calls the phases, from a module of its own",
	"google.golang.org/adk":              frameworkReason,
	"google.golang.org/api":              cloudReason,
	"google.golang.org/genai":            wireReason,
	"google.golang.org/grpc":             "jig speaks no protocol; only a vendor's client would bring it",
	"trpc.group/":                        frameworkReason,
}

// vendorReason returns why a module or package path is refused, or nothing.
func vendorReason(name string) string {
	for prefix, reason := range vendors {
		if strings.HasPrefix(name+"/", strings.TrimSuffix(prefix, "/")+"/") {
			return reason
		}
	}
	return ""
}

// TestModules compares the modules that the core's packages and tests are built from with
// testdata/modules.txt, where each has its reason. Versions are not compared: the core must build
// with more than one of invopop/jsonschema, and a module that only one of them needs is marked.
func TestModules(t *testing.T) {
	allowed := allowedModules(t)
	built := usedModules(t, "-deps")
	tested := usedModules(t, "-deps", "-test")
	for _, module := range tested {
		scope, ok := allowed[module]
		switch {
		case vendorReason(module) != "":
			t.Errorf("module %s is refused: %s", module, vendorReason(module))
		case !ok:
			t.Errorf("module %s is new: say why the core needs it in docs/decisions.md and modules.txt",
				module)
		case strings.HasPrefix(scope, "test") && slices.Contains(built, module):
			t.Errorf("module %s is for tests only, and a package that is no test needs it", module)
		case strings.HasPrefix(scope, "build") && !slices.Contains(built, module):
			t.Errorf("module %s is needed by tests only: its scope is test", module)
		}
	}
	for module, scope := range allowed {
		if !strings.HasSuffix(scope, "?") && !slices.Contains(tested, module) {
			t.Errorf("module %s is in the golden list, and nothing needs it", module)
		}
	}
}

// allowedModules reads the golden list: module, scope, reason. The scope is build or test; with a
// question mark, the module may be absent.
func allowedModules(t *testing.T) map[string]string {
	t.Helper()
	allowed := map[string]string{}
	for line := range strings.Lines(read(t, "internal/repo/testdata/modules.txt")) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		require.Greater(t, len(fields), 2, "modules.txt: got %q, want module, scope and reason", line)
		require.Contains(t, []string{"build", "build?", "test", "test?"}, fields[1],
			"modules.txt: scope of %s", fields[0])
		require.NotContains(t, allowed, fields[0], "modules.txt: listed twice")
		allowed[fields[0]] = fields[1]
	}
	return allowed
}

// usedModules asks the go command for the modules of the packages in the core's build, without the
// core itself. It needs no more than what the build needs: go list -m all would fetch the go.mod
// of modules that nothing is built from.
func usedModules(t *testing.T, flags ...string) []string {
	t.Helper()
	args := append([]string{"list"}, flags...)
	args = append(args, "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "./...")
	modules := strings.Fields(string(runGo(t, args...)))
	slices.Sort(modules)
	return slices.Compact(modules)
}

// runGo runs the go command in the root of the core module, as a user's build would see it.
func runGo(t *testing.T, args ...string) []byte {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOWORK=off")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "go %s: %s", strings.Join(args, " "), &stderr)
	return out
}

// TestGoMod checks the core's go.mod itself: no vendor in it, used or not, and no replace or
// exclude, which a user's build would not see.
func TestGoMod(t *testing.T) {
	var mod struct {
		Require          []struct{ Path string }
		Replace, Exclude []any
	}
	require.NoError(t, json.Unmarshal(runGo(t, "mod", "edit", "-json"), &mod))
	require.Empty(t, mod.Replace, "replace in go.mod")
	require.Empty(t, mod.Exclude, "exclude in go.mod")
	for _, r := range mod.Require {
		if reason := vendorReason(r.Path); reason != "" {
			t.Errorf("go.mod requires %s, which is refused: %s", r.Path, reason)
		}
	}
}

// TestModuleList compares the folders that are modules with testdata/gomods.txt: a nested module
// is a decision, and .ci/run finds and tests each.
func TestModuleList(t *testing.T) {
	golden(t, "internal/repo/testdata/gomods.txt", moduleFolders(t))
}

// TestNoVendorImports keeps vendors' SDKs and frameworks out of everything but the adapters, the
// examples and the benchmark.
func TestNoVendorImports(t *testing.T) {
	for _, name := range goFiles(t) {
		outside := slices.ContainsFunc([]string{"examples/", "contrib/", "internal/bench/"},
			func(dir string) bool { return strings.HasPrefix(name, dir) })
		if outside {
			continue
		}
		for _, spec := range parse(t, name, parser.ImportsOnly).Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			if reason := vendorReason(imported); reason != "" {
				t.Errorf("%s imports %s, which is refused here: %s", name, imported, reason)
			}
		}
	}
}

func TestVendorReason(t *testing.T) {
	for _, test := range []struct {
		name string
		want bool
	}{
		{"github.com/openai/openai-go/v3", true},
		{"github.com/aws/aws-sdk-go-v2/service/bedrockruntime", true},
		{"google.golang.org/genai", true},
		{"cloud.google.com/go/vertexai", true},
		{"google.golang.org/genaiutil", false},
		{"github.com/invopop/jsonschema", false},
		{"encoding/json", false},
	} {
		if got := vendorReason(test.name) != ""; got != test.want {
			t.Errorf("vendorReason(%q) refuses: %v, want %v", test.name, got, test.want)
		}
	}
}
