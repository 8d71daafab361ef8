package repo

import (
	"go/parser"
	"path"
	"strings"
	"testing"
)

// TestPackageDocs checks that each package says what it is for, once, in a doc comment that starts
// as godoc wants it. A licence header that touches the package clause is such a comment too, and
// fails here.
func TestPackageDocs(t *testing.T) {
	type pkg struct {
		name string
		docs []string // of its files, where there is one
	}
	packages := map[string]*pkg{} // by folder
	for _, name := range goFiles(t) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file := parse(t, name, parser.PackageClauseOnly|parser.ParseComments)
		folder := path.Dir(name)
		if packages[folder] == nil {
			packages[folder] = &pkg{name: file.Name.Name}
		}
		if file.Doc != nil {
			packages[folder].docs = append(packages[folder].docs, file.Doc.Text())
		}
	}
	for folder, p := range packages {
		want := "Package " + p.name + " "
		if p.name == "main" {
			want = "Command " + path.Base(folder) + " "
		}
		switch {
		case len(p.docs) != 1:
			t.Errorf("%s: got %d package doc comments, want 1", folder, len(p.docs))
		case !strings.HasPrefix(p.docs[0], want):
			first, _, _ := strings.Cut(p.docs[0], "\n")
			t.Errorf("%s: package doc starts %q, want %q", folder, first, want)
		}
	}
}
