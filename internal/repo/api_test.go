package repo

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAPI compares the exported names of the core's public packages with api.txt, so that a change
// of the surface is seen in review as a change of that file.
func TestAPI(t *testing.T) {
	packages := map[string][]*ast.File{}
	folders := moduleFolders(t)
	for _, name := range goFiles(t) {
		public := !slices.Contains(strings.Split(name, "/"), "internal")
		if !public || strings.HasSuffix(name, "_test.go") || !inModule(name, ".", folders) {
			continue
		}
		file := parse(t, name, parser.SkipObjectResolution)
		if file.Name.Name == "main" {
			continue
		}
		pkg := path.Join("jig", path.Dir(name))
		packages[pkg] = append(packages[pkg], file)
	}
	var lines []string
	for pkg, files := range packages {
		lines = append(lines, apiLines(pkg, files)...)
	}
	slices.Sort(lines)
	golden(t, "api.txt", lines)
}

// apiLines returns one line for each exported name of a package, in the form of the Go project's
// own api files, sorted. Names of parameters are left out: to rename one changes nothing.
func apiLines(pkg string, files []*ast.File) []string {
	a := api{pkg: pkg}
	for _, file := range files {
		ast.Inspect(file, dropParamNames)
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				a.function(d)
			case *ast.GenDecl:
				a.general(d)
			}
		}
	}
	slices.Sort(a.lines)
	return slices.Compact(a.lines) // files for two systems may declare one name each
}

type api struct {
	pkg   string
	lines []string
}

func (a *api) add(format string, args ...any) {
	a.lines = append(a.lines, "pkg "+a.pkg+", "+fmt.Sprintf(format, args...))
}

func (a *api) function(d *ast.FuncDecl) {
	if !d.Name.IsExported() {
		return
	}
	if d.Recv == nil {
		a.add("func %s%s%s", d.Name.Name, typeParams(d.Type.TypeParams), signature(d.Type))
		return
	}
	recv := d.Recv.List[0].Type
	if ast.IsExported(baseName(recv)) {
		a.add("method (%s) %s%s", types.ExprString(recv), d.Name.Name, signature(d.Type))
	}
}

func (a *api) general(d *ast.GenDecl) {
	var carried ast.Expr // the type of a constant whose line repeats the one above
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			a.typeSpec(s)
		case *ast.ValueSpec:
			if s.Type != nil || len(s.Values) > 0 {
				carried = s.Type
			}
			a.values(d.Tok, s, carried)
		}
	}
}

// values adds constants and variables. A type that only the value tells is not printed, a literal
// of a constant is: what is written to a log or to JSON is a promise too.
func (a *api) values(tok token.Token, s *ast.ValueSpec, typ ast.Expr) {
	for i, name := range s.Names {
		if !name.IsExported() {
			continue
		}
		line := tok.String() + " " + name.Name
		if typ != nil {
			line += " " + types.ExprString(typ)
		}
		if i < len(s.Values) && tok == token.CONST {
			if lit, ok := s.Values[i].(*ast.BasicLit); ok {
				line += " = " + lit.Value
			}
		}
		a.add("%s", line)
	}
}

func (a *api) typeSpec(s *ast.TypeSpec) {
	if !s.Name.IsExported() {
		return
	}
	head := "type " + s.Name.Name + typeParams(s.TypeParams)
	if s.Assign.IsValid() {
		head += " ="
	}
	switch typ := s.Type.(type) {
	case *ast.StructType:
		a.add("%s struct", head)
		a.fields("type "+s.Name.Name+" struct", typ.Fields)
	case *ast.InterfaceType:
		a.add("%s interface", head)
		a.fields("type "+s.Name.Name+" interface", typ.Methods)
	default:
		a.add("%s %s", head, types.ExprString(typ))
	}
}

// fields adds the exported fields of a struct or methods of an interface. An interface with an
// unexported method says so: nobody else can implement it.
func (a *api) fields(head string, list *ast.FieldList) {
	for _, field := range list.List {
		if len(field.Names) == 0 {
			if name := baseName(field.Type); name == "" || ast.IsExported(name) {
				a.add("%s, embedded %s", head, types.ExprString(field.Type))
			}
		}
		for _, name := range field.Names {
			method, isMethod := field.Type.(*ast.FuncType)
			isMethod = isMethod && strings.HasSuffix(head, "interface")
			switch {
			case !name.IsExported():
				if isMethod {
					a.add("%s, unexported methods", head)
				}
			case isMethod:
				a.add("%s, %s%s", head, name.Name, signature(method))
			default:
				a.add("%s, %s %s", head, name.Name, types.ExprString(field.Type))
			}
		}
	}
}

// signature returns the parameters and results of a function.
func signature(typ *ast.FuncType) string {
	return strings.TrimPrefix(types.ExprString(typ), "func")
}

func typeParams(list *ast.FieldList) string {
	if list == nil {
		return ""
	}
	var groups []string
	for _, field := range list.List {
		var names []string
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
		groups = append(groups, strings.Join(names, ", ")+" "+types.ExprString(field.Type))
	}
	return "[" + strings.Join(groups, ", ") + "]"
}

// baseName returns the name of the type that a receiver or an embedded field stands for, or
// nothing for a constraint such as ~int | ~string.
func baseName(expr ast.Expr) string {
	switch x := expr.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.ParenExpr:
		return baseName(x.X)
	case *ast.StarExpr:
		return baseName(x.X)
	case *ast.IndexExpr:
		return baseName(x.X)
	case *ast.IndexListExpr:
		return baseName(x.X)
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return ""
}

// dropParamNames rewrites func(a, b int) as func(int, int), for ast.Inspect.
func dropParamNames(n ast.Node) bool {
	fn, ok := n.(*ast.FuncType)
	if !ok {
		return true
	}
	for _, list := range []*ast.FieldList{fn.Params, fn.Results} {
		if list == nil {
			continue
		}
		var fields []*ast.Field
		for _, field := range list.List {
			for range max(1, len(field.Names)) {
				fields = append(fields, &ast.Field{Type: field.Type})
			}
		}
		list.List = fields
	}
	return true
}

func TestAPILines(t *testing.T) {
	const source = `package sample

const ( A Kind = iota; B; c )
const Name, limit = "x", 3
var ErrX = errors.New("x")
var Ready, quiet bool
type Kind int
type Alias = map[string]Kind
type Spec[Args, Result any, K ~int | ~string] struct {
	Name, Title string
	Execute func(ctx context.Context, args Args) (res Result, err error)
	hidden int
	*Base[Args]
	plain
}
type Gate interface {
	fmt.Stringer
	Pass(ctx context.Context, more ...Kind) (ok bool)
	sealed()
}
type Hook func(a, b int)
func Define[Args, Result any](s Spec[Args, Result]) (*Tool, error) { return nil, nil }
func (s *Spec[A, R]) Do(f func(x, y int) struct{ Z chan<- int }) {}
func (Kind) String() string { return "" }
func (p plain) Lost() {}
func helper() {}
`
	want := []string{
		`const A Kind`,
		`const B Kind`,
		`const Name = "x"`,
		`func Define[Args, Result any](Spec[Args, Result]) (*Tool, error)`,
		`method (*Spec[A, R]) Do(func(int, int) struct{Z chan<- int})`,
		`method (Kind) String() string`,
		`type Alias = map[string]Kind`,
		`type Gate interface`,
		`type Gate interface, Pass(context.Context, ...Kind) bool`,
		`type Gate interface, embedded fmt.Stringer`,
		`type Gate interface, unexported methods`,
		`type Hook func(int, int)`,
		`type Kind int`,
		`type Spec struct, Execute func(context.Context, Args) (Result, error)`,
		`type Spec struct, Name string`,
		`type Spec struct, Title string`,
		`type Spec struct, embedded *Base[Args]`,
		`type Spec[Args, Result any, K ~int | ~string] struct`,
		`var ErrX`,
		`var Ready bool`,
	}
	file, err := parser.ParseFile(token.NewFileSet(), "sample.go", source, 0)
	require.NoError(t, err)
	for i := range want {
		want[i] = "pkg sample, " + want[i]
	}
	require.Equal(t, want, apiLines("sample", []*ast.File{file}))
}
