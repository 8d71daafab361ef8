package repo

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ruleCounts says how many rules each chapter of docs/behaviour.md has. A rule is added here and
// there in one change, and none is ever renumbered.
var ruleCounts = []struct {
	chapter string
	rules   int
}{
	{"N", 5}, {"R", 12}, {"H", 8}, {"X", 4}, {"T", 7}, {"A", 11}, {"E", 8},
	{"O", 9}, {"P", 7}, {"B", 8}, {"G", 2}, {"W", 5}, {"L", 2},
}

// openAreas are the areas of work that a rule without a test, or its unbuilt rest, may wait for.
var openAreas = []string{
	"foundation", "reflection", "schemas", "arguments", "output", "effects", "providers", "adapters", "kit",
}

// What the test cell of a row may say, and what a row with a test needs.
const (
	testForms = "`TestName`, `TestName/sub_case` or open: area"
	needValue = "a row with a test says in its last cell which value the test expects"
)

var (
	ruleID     = regexp.MustCompile(`^[A-Z][0-9]+$`)
	cellBorder = regexp.MustCompile(`(?:^|[^\\])\|`) // a bar that no backslash escapes
	testName   = regexp.MustCompile(`^(Test|Fuzz|Example)[A-Za-z0-9_]*(/[^/]+)*$`)
)

// TestBehaviourTable holds docs/behaviour.md to its promise: every rule has one row, in order, and
// each row names tests that exist or says which area of work it waits for.
func TestBehaviourTable(t *testing.T) {
	for _, problem := range tableProblems(read(t, "docs/behaviour.md"), testFuncs(t)) {
		t.Errorf("docs/behaviour.md: %s", problem)
	}
}

// testFuncs maps each test function of the tree to the string literals of the files that declare
// one of that name.
func testFuncs(t *testing.T) map[string][]string {
	t.Helper()
	funcs := map[string][]string{}
	for _, name := range goFiles(t) {
		if strings.HasSuffix(name, "_test.go") {
			collectTests(parse(t, name, parser.SkipObjectResolution), funcs)
		}
	}
	return funcs
}

func collectTests(file *ast.File, funcs map[string][]string) {
	var literals []string
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				literals = append(literals, text)
			}
		}
		return true
	})
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && testName.MatchString(fn.Name.Name) {
			funcs[fn.Name.Name] = append(funcs[fn.Name.Name], literals...)
		}
	}
}

// tableProblems returns what is wrong with the table in doc, in the order of its rows.
func tableProblems(doc string, funcs map[string][]string) []string {
	var problems []string
	want := ruleIDs()
	var got []string
	for line := range strings.Lines(doc) {
		cells := tableCells(line)
		if len(cells) == 0 || !ruleID.MatchString(cells[0]) {
			continue
		}
		id := cells[0]
		if !slices.Contains(want, id) {
			problems = append(problems, id+": not a rule")
		} else if slices.Contains(got, id) {
			problems = append(problems, id+": a second row")
		} else if len(got) > 0 && slices.Index(want, id) < slices.Index(want, got[len(got)-1]) {
			problems = append(problems, fmt.Sprintf("%s: stands after %s", id, got[len(got)-1]))
		}
		got = append(got, id)
		if len(cells) != 4 {
			problems = append(problems,
				fmt.Sprintf("%s: got %d cells, want 4: id, rule, test, value", id, len(cells)))
			continue
		}
		for _, problem := range rowProblems(cells[1], cells[2], cells[3], funcs) {
			problems = append(problems, id+": "+problem)
		}
	}
	for _, id := range want {
		if !slices.Contains(got, id) {
			problems = append(problems, id+": no row")
		}
	}
	return problems
}

func ruleIDs() []string {
	var ids []string
	for _, c := range ruleCounts {
		for n := range c.rules {
			ids = append(ids, fmt.Sprintf("%s%d", c.chapter, n+1))
		}
	}
	return ids
}

// tableCells returns the cells of one line of a table, and nil for any other line.
func tableCells(line string) []string {
	line = strings.TrimSpace(line)
	if len(line) < 2 || line[0] != '|' || !strings.HasSuffix(line, "|") {
		return nil
	}
	var cells []string
	start := 1
	for _, at := range cellBorder.FindAllStringIndex(line, -1) {
		if at[1] > start {
			cells = append(cells, strings.TrimSpace(line[start:at[1]-1]))
			start = at[1]
		}
	}
	return cells
}

// rowProblems checks what follows the id of a row. The test cell is a list, split by commas, of
// test names in backquotes, and at most one `open: area`.
func rowProblems(rule, tests, value string, funcs map[string][]string) []string {
	var problems []string
	if rule == "" {
		problems = append(problems, "the rule is empty")
	}
	named, open := 0, 0
	for item := range strings.SplitSeq(tests, ",") {
		item = strings.TrimSpace(item)
		if area, ok := strings.CutPrefix(item, "open: "); ok {
			open++
			if !slices.Contains(openAreas, area) {
				problems = append(problems,
					fmt.Sprintf("unknown area %q, want one of %v", area, openAreas))
			}
			continue
		}
		name := strings.Trim(item, "`")
		if item != "`"+name+"`" || !testName.MatchString(name) {
			problems = append(problems, fmt.Sprintf("got test %q, want %s", item, testForms))
			continue
		}
		named++
		if problem := testProblem(name, funcs); problem != "" {
			problems = append(problems, problem)
		}
	}
	if open > 1 {
		problems = append(problems, "more than one open area")
	}
	if named > 0 && value == "" {
		problems = append(problems, needValue)
	}
	return problems
}

// testProblem says what is wrong with one test name, or nothing. The parts after a slash must be
// strings of the file, where go test prints a space as an underscore.
func testProblem(name string, funcs map[string][]string) string {
	parts := strings.Split(name, "/")
	literals, ok := funcs[parts[0]]
	if !ok {
		return fmt.Sprintf("no test function %s", parts[0])
	}
	for _, sub := range parts[1:] {
		isSub := func(s string) bool { return strings.ReplaceAll(s, " ", "_") == sub }
		if !slices.ContainsFunc(literals, isSub) {
			return fmt.Sprintf("no string %q beside %s", sub, parts[0])
		}
	}
	return ""
}

func TestRowProblems(t *testing.T) {
	funcs := map[string][]string{"TestName": {"too long", "dots"}, "FuzzCall": nil}
	for _, test := range []struct {
		name, tests, value string
		want               []string
	}{
		{"open", "open: foundation", "", nil},
		{"one test", "`TestName`", "64 runes", nil},
		{"sub case", "`TestName/too_long`, `FuzzCall`", "64 runes", nil},
		{"test and rest", "`TestName/dots`, open: providers", "a__b", nil},
		{"nothing", "", "", []string{`got test "", want ` + testForms}},
		{"unknown area", "open: later", "",
			[]string{`unknown area "later", want one of ` + fmt.Sprint(openAreas)}},
		{"two areas", "open: kit, open: output", "", []string{"more than one open area"}},
		{"no such test", "`TestGone`", "x", []string{"no test function TestGone"}},
		{"no such sub case", "`TestName/gone`", "x", []string{`no string "gone" beside TestName`}},
		{"no backquotes", "TestName", "x", []string{`got test "TestName", want ` + testForms}},
		{"no value", "`TestName`", "", []string{needValue}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := rowProblems("a rule", test.tests, test.value, funcs); !slices.Equal(got, test.want) {
				t.Errorf("rowProblems(%q, %q) = %q, want %q", test.tests, test.value, got, test.want)
			}
		})
	}
}

func TestTableProblems(t *testing.T) {
	var whole strings.Builder
	whole.WriteString("| id | rule | test | value |\n|---|---|---|---|\n")
	for _, id := range ruleIDs() {
		fmt.Fprintf(&whole, "| %s | a \\| b | open: kit | |\n", id)
	}
	row := func(id string) string { return "| " + id + " | a \\| b | open: kit | |\n" }
	for _, test := range []struct {
		name, old, new string
		want           []string
	}{
		{"whole", "", "", nil},
		{"missing", row("H3"), "", []string{"H3: no row"}},
		{"twice", row("H3"), row("H3") + row("H3"), []string{"H3: a second row"}},
		{"order", row("L1") + row("L2"), row("L2") + row("L1"), []string{"L1: stands after L2"}},
		{"unknown", row("L2"), row("L2") + row("L3"), []string{"L3: not a rule"}},
		{"cells", row("H3"), "| H3 | a | b | open: kit | |\n",
			[]string{"H3: got 5 cells, want 4: id, rule, test, value"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc := strings.Replace(whole.String(), test.old, test.new, 1)
			if got := tableProblems(doc, nil); !slices.Equal(got, test.want) {
				t.Errorf("tableProblems(%s) = %q, want %q", test.name, got, test.want)
			}
		})
	}
}
