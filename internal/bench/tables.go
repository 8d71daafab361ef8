package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jig-go/jig/internal/bench/measure"
)

var tools = []string{"small", "medium", "bulk"}

// summary is the table of README.md.
func (res *results) summary() string {
	head := []string{"", "refuses invalid arguments", "unknown fields",
		"small", "medium", "bulk", "small, invalid", "medium, invalid", "bulk, invalid"}
	var rows [][]string
	for _, p := range res.peers {
		row := []string{title(p), verdict(p.Invalid), refuses(p.Unknown)}
		for _, kind := range []string{measure.Valid, measure.Invalid} {
			for _, tool := range tools {
				row = append(row, res.ratio(p.Peer, tool, kind))
			}
		}
		if p.Peer != "jig, open objects" {
			rows = append(rows, row)
		}
	}
	return fmt.Sprintf("Process CPU time of one call over what encoding/json takes to decode, run "+
		"and encode the same call\nwithout a check; medians of %d rounds.\n%s.\n\n", res.rounds,
		where()) + table(head, rows)
}

// tables are those of docs/benchmark.md.
func (res *results) tables() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Medians of %d rounds. %s.\n\n", res.rounds, where())
	b.WriteString("### CPU time of a call over encoding/json's\n\nHalf of the rounds lie between the " +
		"numbers in brackets.\n\n" + res.ratioTable())
	for _, kind := range []string{measure.Valid, measure.Invalid, measure.Unknown} {
		fmt.Fprintf(&b, "\n### One call, %s: CPU time, bytes, allocations\n\n", kind)
		b.WriteString(res.costTable("call", kind))
	}
	b.WriteString("\n### Defining a tool, the first time in a process\n\n")
	b.WriteString(res.costTable("cold", ""))
	b.WriteString("\n### Defining it again\n\n" + res.costTable("define", ""))
	fmt.Fprintf(&b, "\n### Listing %d definitions\n\n", measure.Listed)
	b.WriteString(res.listTable())
	b.WriteString("\n### What was called\n\n" + res.pathTable())
	return b.String()
}

func (res *results) ratioTable() string {
	head := []string{""}
	kinds := []string{measure.Valid, measure.Invalid, measure.Unknown}
	for _, kind := range kinds {
		for _, tool := range tools {
			head = append(head, tool+", "+kind)
		}
	}
	var rows [][]string
	for _, p := range res.peers {
		row := []string{p.Peer}
		for _, kind := range kinds {
			for _, tool := range tools {
				row = append(row, res.ratio(p.Peer, tool, kind)+res.spread(p.Peer, tool, kind))
			}
		}
		rows = append(rows, row)
	}
	return table(head, rows)
}

// costTable has the costs of all peers for all tools.
func (res *results) costTable(kind, kase string) string {
	var rows [][]string
	for _, p := range res.peers {
		row := []string{p.Peer}
		found := false
		for _, tool := range tools {
			cell := res.cost(key{kind: kind, peer: p.Peer, tool: tool, kase: kase})
			row, found = append(row, cell), found || cell != ""
		}
		// The baseline and json/v2 define nothing.
		if found && (kind == "call" || p.Peer != measure.Baseline && p.Peer != jsonV2.Name) {
			rows = append(rows, row)
		}
	}
	return table(append([]string{""}, tools...), rows)
}

func (res *results) listTable() string {
	var rows [][]string
	for _, p := range res.peers {
		first := res.cost(key{kind: "list", peer: p.Peer})
		again := res.cost(key{kind: "relist", peer: p.Peer})
		if first != "" {
			rows = append(rows, []string{p.Peer, first, again})
		}
	}
	return table([]string{"", "first time", "again"}, rows)
}

func (res *results) pathTable() string {
	var rows [][]string
	for _, p := range res.peers {
		rows = append(rows, []string{title(p), p.Path, verdict(p.Invalid), refuses(p.Unknown)})
	}
	return table([]string{"", "path", "refuses invalid arguments", "unknown fields"}, rows)
}

// title is the name of a peer with its version, which stands before what its variant is called.
func title(p measure.Record) string {
	name, variant, ok := strings.Cut(p.Peer, ",")
	if p.Version != "" {
		name += " " + p.Version
	}
	if ok {
		name += "," + variant
	}
	return name
}

// verdict says what a peer made of invalid calls. It comes from its answers, not from its
// documentation.
func verdict(v *measure.Verdict) string {
	switch {
	case v == nil || v.Wrong == 0:
		return ""
	case v.Refused == 0:
		return "no"
	case v.Refused < len(tools):
		return fmt.Sprintf("%d calls of %d", v.Refused, len(tools))
	case v.Named == v.Wrong:
		return "yes, names every wrong field"
	}
	return fmt.Sprintf("yes, names %d of %d wrong fields", v.Named, v.Wrong)
}

func refuses(v *measure.Verdict) string {
	switch {
	case v == nil || v.Wrong == 0:
		return ""
	case v.Refused == 0:
		return "accepted"
	case v.Refused < len(tools):
		return fmt.Sprintf("refused in %d of %d", v.Refused, len(tools))
	}
	return "refused"
}

func (res *results) ratio(peer, tool, kind string) string {
	if peer == measure.Baseline {
		return "1"
	}
	value, ok := median(res.ratios[key{kind: "call", peer: peer, tool: tool, kase: kind}])
	if !ok {
		return ""
	}
	return factor(value)
}

// spread is where the middle half of the ratios lies.
func (res *results) spread(peer, tool, kind string) string {
	ratios := res.ratios[key{kind: "call", peer: peer, tool: tool, kase: kind}]
	if len(ratios) < 4 {
		return ""
	}
	sorted := slices.Sorted(slices.Values(ratios))
	n := len(sorted)
	return fmt.Sprintf(" (%s–%s)", factor(sorted[n/4]), factor(sorted[n-1-n/4]))
}

func factor(v float64) string {
	if v < 10 {
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

func (res *results) cost(k key) string {
	ns, ok := res.median(k, nanoseconds)
	if !ok {
		return ""
	}
	bytes, _ := res.median(k, allocBytes)
	count, _ := res.median(k, allocs)
	return fmt.Sprintf("%s, %s, %.0f", duration(ns), size(bytes), count)
}

// table writes a Markdown table.
func table(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(head)
	b.WriteString("|---" + strings.Repeat("|---", len(head)-1) + "|\n")
	for _, row := range rows {
		line(row)
	}
	return b.String()
}

// duration and size write a number with three digits and its unit.
func duration(ns float64) string { return scaled(ns, 1000, "ns", "µs", "ms", "s") }
func size(bytes float64) string  { return scaled(bytes, 1024, "B", "KB", "MB", "GB") }

func scaled(v, step float64, units ...string) string {
	i := 0
	for v >= step && i < len(units)-1 {
		v, i = v/step, i+1
	}
	digits := 0
	switch {
	case i == 0 || v >= 100:
	case v >= 10:
		digits = 1
	default:
		digits = 2
	}
	return fmt.Sprintf("%.*f %s", digits, v, units[i])
}
