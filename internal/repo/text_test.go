package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestText checks what is written for people.
func TestText(t *testing.T) {
	t.Run("no machine paths", func(t *testing.T) {
		for _, name := range files(t, ".md", ".go") {
			text := read(t, name)
			// The names are put together here so that this file holds neither.
			for _, folder := range []string{"work", "root"} {
				if strings.Contains(text, "/"+folder+"/") {
					t.Errorf("%s holds a path of a machine: /%s/", name, folder)
				}
			}
		}
	})
	t.Run("readme code", func(t *testing.T) {
		readme, err := os.ReadFile(filepath.Join(root, "README.md"))
		require.NoError(t, err)
		problems := readmeProblems(string(readme), func(name string) (string, error) {
			text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			return string(text), err
		})
		for _, problem := range problems {
			t.Errorf("README.md: %s", problem)
		}
	})
}

// A block of README that is taken from a file is marked by a comment on the line before its fence:
//
//	<!-- code: examples/quickstart/main.go -->
//
// The file marks the part that is shown, where it is not the whole, by two comments on lines of
// their own. Tabs that all lines of the part share are dropped.
const (
	codeMark  = "<!-- code: "
	partStart = "// readme: start"
	partEnd   = "// readme: end"
)

// readmeProblems returns what is wrong with the marked blocks of readme. It needs at least one.
func readmeProblems(readme string, open func(name string) (string, error)) []string {
	var problems []string
	marks := 0
	lines := strings.Split(readme, "\n")
	for i, line := range lines {
		name, ok := strings.CutPrefix(line, codeMark)
		if !ok {
			continue
		}
		marks++
		name = strings.TrimSuffix(name, " -->")
		if err := compareBlock(lines[i+1:], name, open); err != nil {
			problems = append(problems, fmt.Sprintf("line %d: %s: %v", i+1, name, err))
		}
	}
	if marks == 0 {
		problems = append(problems, "no block is marked by "+codeMark+"PATH -->")
	}
	return problems
}

// compareBlock compares the fenced block that lines start with with what the file shows.
func compareBlock(lines []string, name string, open func(name string) (string, error)) error {
	if len(lines) == 0 || !strings.HasPrefix(lines[0], "```") {
		return errors.New("no fenced block on the next line")
	}
	end := slices.Index(lines[1:], "```")
	if end < 0 {
		return errors.New("the fenced block has no end")
	}
	text, err := open(name)
	if err != nil {
		return err
	}
	want, err := shownPart(text)
	if err != nil {
		return err
	}
	got := lines[1 : end+1]
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			return fmt.Errorf("line %d of the block is missing: %q", i+1, want[i])
		case i >= len(want):
			return fmt.Errorf("line %d of the block is not in the file: %q", i+1, got[i])
		case got[i] != want[i]:
			return fmt.Errorf("line %d of the block is %q, want %q", i+1, got[i], want[i])
		}
	}
	return nil
}

// shownPart returns the lines of a file that README shows.
func shownPart(text string) ([]string, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	start, end := -1, -1
	for i, line := range lines {
		switch strings.TrimSpace(line) {
		case partStart:
			if start >= 0 {
				return nil, fmt.Errorf("a second %q", partStart)
			}
			start = i
		case partEnd:
			if end >= 0 {
				return nil, fmt.Errorf("a second %q", partEnd)
			}
			end = i
		}
	}
	switch {
	case start < 0 && end < 0:
		return lines, nil
	case start < 0 || end < start:
		return nil, fmt.Errorf("want one %q before one %q", partStart, partEnd)
	}
	return unindent(lines[start+1 : end]), nil
}

// unindent drops the tabs that all lines share, blank ones aside.
func unindent(lines []string) []string {
	shared := -1
	for _, line := range lines {
		tabs := len(line) - len(strings.TrimLeft(line, "\t"))
		if line != "" && (shared < 0 || tabs < shared) {
			shared = tabs
		}
	}
	var out []string
	for _, line := range lines {
		if line != "" {
			line = line[shared:]
		}
		out = append(out, line)
	}
	return out
}

func TestReadmeProblems(t *testing.T) {
	sources := map[string]string{
		"whole.go": "package a\n\nfunc A() {}\n",
		"part.go": "package a\n\nfunc A() {\n" +
			"\t// readme: start\n\tif x {\n\n\t\ty()\n\t}\n\t// readme: end\n}\n",
		"half.go": "package a\n// readme: start\n",
	}
	open := func(name string) (string, error) {
		text, ok := sources[name]
		if !ok {
			return "", fs.ErrNotExist
		}
		return text, nil
	}
	for _, test := range []struct {
		name, readme string
		want         []string
	}{
		{"whole file", "# jig\n<!-- code: whole.go -->\n```go\npackage a\n\nfunc A() {}\n```\n", nil},
		{"part", "<!-- code: part.go -->\n```go\nif x {\n\n\ty()\n}\n```\n", nil},
		{"no mark", "# jig\n```go\npackage a\n```\n",
			[]string{"no block is marked by <!-- code: PATH -->"}},
		{"other text", "<!-- code: whole.go -->\n```go\npackage b\n```\n",
			[]string{`line 1: whole.go: line 1 of the block is "package b", want "package a"`}},
		{"too short", "<!-- code: whole.go -->\n```go\npackage a\n```\n",
			[]string{`line 1: whole.go: line 2 of the block is missing: ""`}},
		{"too long", "<!-- code: whole.go -->\n```go\npackage a\n\nfunc A() {}\nmore\n```\n",
			[]string{`line 1: whole.go: line 4 of the block is not in the file: "more"`}},
		{"no block", "<!-- code: whole.go -->\n\ntext",
			[]string{"line 1: whole.go: no fenced block on the next line"}},
		{"no end of block", "<!-- code: whole.go -->\n```go\nx",
			[]string{"line 1: whole.go: the fenced block has no end"}},
		{"no file", "<!-- code: gone.go -->\n```go\n```\n",
			[]string{"line 1: gone.go: file does not exist"}},
		{"half a part", "<!-- code: half.go -->\n```go\n```\n",
			[]string{`line 1: half.go: want one "// readme: start" before one "// readme: end"`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := readmeProblems(test.readme, open); !slices.Equal(got, test.want) {
				t.Errorf("readmeProblems(%s) = %q, want %q", test.name, got, test.want)
			}
		})
	}
}
