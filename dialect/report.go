package dialect

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/jig-go/jig"
)

// A Report says what Tools did to the definitions, and what they cost. It never changes, and its
// text is the same from run to run.
type Report struct {
	dialect       string
	strict, loose string // the names of the profiles that were used; empty if none was
	changes       []Change
	notes         []Note
	costs         []Cost
}

// A Change is one place where the schema of a tool says something in another way than the tool's
// own, or no longer.
type Change struct {
	Tool string // canonical
	jig.Change
}

// A Note is what a reader should know and no schema shows, such as examples that were left out.
type Note struct {
	Tool string // canonical; empty if it is about the whole request
	Text string
}

// Dialect returns the name of the dialect.
func (r *Report) Dialect() string { return r.dialect }

// Profiles returns the names of the profiles by which schemas were written, that of strict tools
// first.
func (r *Report) Profiles() []string {
	names := slices.DeleteFunc([]string{r.strict, r.loose}, func(s string) bool { return s == "" })
	return slices.Compact(names)
}

// Changes returns every change and loss, in the order of the tools.
func (r *Report) Changes() []Change { return slices.Clone(r.changes) }

// Notes returns the notes, in the order of the tools; those on the whole request are last.
func (r *Report) Notes() []Note { return slices.Clone(r.notes) }

// Costs returns the cost of each definition, in the order of the tools.
func (r *Report) Costs() []Cost { return slices.Clone(r.costs) }

// Total returns the cost of all definitions together; its Tool is empty.
func (r *Report) Total() Cost {
	var total Cost
	for _, c := range r.costs {
		total = total.plus(c)
	}
	return total
}

// String returns the report as a text of three tables: costs, changes and notes. An empty one is
// left out.
func (r *Report) String() string {
	total := r.Total()
	out := fmt.Sprintf("%s: %s, %d bytes, about %d tokens; profile %s\n", r.dialect,
		counted(len(r.costs), "tool"), total.Total, total.Tokens(),
		strings.Join(r.Profiles(), " and "))
	if len(r.costs) == 0 {
		out = r.dialect + ": no tools\n"
	}
	return out + section("", r.costLines(total)) + section("changes:\n", r.changeLines()) +
		section("notes:\n", r.noteLines())
}

func (r *Report) costLines(total Cost) [][]string {
	if len(r.costs) == 0 {
		return nil
	}
	lines := [][]string{{"tool", "name", "description", "examples", "schema", "frame", "bytes", "tokens"}}
	total.Tool = "total"
	for _, c := range append(r.Costs(), total) {
		line := []string{c.Tool}
		for _, n := range []int{c.Name, c.Description, c.Examples, c.Schema, c.Frame, c.Total,
			c.Tokens()} {
			line = append(line, fmt.Sprint(n))
		}
		lines = append(lines, line)
	}
	return lines
}

func (r *Report) changeLines() [][]string {
	var lines [][]string
	for _, c := range r.changes {
		action := c.Action
		if c.Lossy && action != "moved" { // which always is
			action += ", lossy"
		}
		lines = append(lines, []string{c.Tool, fmt.Sprintf("%q", c.Pointer), c.Keyword, action, c.Message})
	}
	return lines
}

func (r *Report) noteLines() [][]string {
	var lines [][]string
	for _, n := range r.notes {
		tool := n.Tool
		if tool == "" {
			tool = "(all)"
		}
		lines = append(lines, []string{tool, n.Text})
	}
	return lines
}

// section aligns lines in columns below a heading; no lines are no section.
func section(head string, lines [][]string) string {
	if len(lines) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString("\n" + head)
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, line := range lines {
		fmt.Fprintln(w, strings.Join(line, "\t"))
	}
	_ = w.Flush() // to memory
	return out.String()
}

// counted returns a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
