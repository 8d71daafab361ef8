package repo

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite api.txt and testdata/gomods.txt")

// root is the repository, seen from this package's folder, where go test runs.
const root = "../.."

// files returns the files of the whole tree, nested modules too, that end in one of the suffixes.
// The paths are relative to root, with slashes, in lexical order.
func files(t *testing.T, suffixes ...string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		if slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(name, s) }) {
			rel, err := filepath.Rel(root, name)
			if err != nil {
				return err
			}
			found = append(found, filepath.ToSlash(rel))
		}
		return nil
	})
	require.NoError(t, err)
	return found
}

// goFiles returns the Go files of the tree that the go command could build: those below a testdata
// folder are data.
func goFiles(t *testing.T) []string {
	t.Helper()
	return slices.DeleteFunc(files(t, ".go"), func(name string) bool {
		return slices.Contains(strings.Split(name, "/"), "testdata")
	})
}

// moduleFolders returns the folders that hold a go.mod, "." for the core.
func moduleFolders(t *testing.T) []string {
	t.Helper()
	var folders []string
	for _, name := range files(t, "go.mod") {
		if path.Base(name) == "go.mod" {
			folders = append(folders, path.Dir(name))
		}
	}
	slices.Sort(folders)
	return folders
}

// inModule reports whether name lies in the folder, and in no module nested below it.
// Requirement: folders is what moduleFolders returned.
func inModule(name, folder string, folders []string) bool {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if slices.Contains(folders, dir) {
			return dir == folder
		}
		if dir == "." {
			return false
		}
	}
}

// parse parses one file of the tree. Nothing here type-checks: the rules must hold, and be
// reported, in a tree that does not compile.
func parse(t *testing.T, name string, mode parser.Mode) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, mode)
	require.NoError(t, err)
	return file
}

// read returns the text of one file of the tree.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(text)
}

// golden compares lines with a golden file of the tree, or rewrites it under -update. It reports
// each line that is new or gone.
func golden(t *testing.T, name string, got []string) {
	t.Helper()
	if *update {
		var text strings.Builder
		for _, line := range got {
			text.WriteString(line + "\n")
		}
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text.String()), 0o644))
		return
	}
	want := slices.Collect(strings.Lines(read(t, name)))
	for i := range want {
		want[i] = strings.TrimSuffix(want[i], "\n")
	}
	if slices.Equal(want, got) {
		return
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Errorf("%s: not in the golden: %s", name, line)
		}
	}
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("%s: only in the golden: %s", name, line)
		}
	}
	t.Errorf("%s differs; if the change is meant, run: go test ./internal/repo -update", name)
}

func TestInModule(t *testing.T) {
	folders := []string{".", "contrib/jigmcp"}
	for _, test := range []struct {
		name, folder string
		want         bool
	}{
		{"tool.go", ".", true},
		{"run/session.go", ".", true},
		{"contrib/jigmcp/x.go", ".", false},
		{"contrib/jigmcp/deep/x.go", "contrib/jigmcp", true},
		{"contrib/other/x.go", ".", true},
	} {
		if got := inModule(test.name, test.folder, folders); got != test.want {
			t.Errorf("inModule(%q, %q) = %v, want %v", test.name, test.folder, got, test.want)
		}
	}
}
