package main

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/jig-go/jig/internal/bench/measure"
)

// A plot is one file: panels side by side with the same x axis. Both axes are logarithmic.
type plot struct {
	name, title, xTitle string
	panels              []panel
	x                   func(float64) string
}

// A panel is one diagram of a plot.
type panel struct {
	title string
	y     func(float64) string
	lines []curve
}

// A curve is one line of a panel.
type curve struct {
	name   string
	points [][2]float64
}

// plots are those of docs/benchmark.md.
func (res *results) plots() []plot {
	count := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	bytes := func(x float64) string {
		if x < 1e6 {
			return fmt.Sprintf("%.0f KB", x/1024)
		}
		return fmt.Sprintf("%.0f MB", x/1e6)
	}
	both := func(kind string) []panel {
		return []panel{
			{"CPU time of a call", unit("ns", "µs", "ms", "s"), res.curves(kind, nanoseconds)},
			{"allocated by a call", unit("B", "KB", "MB", "GB"), res.curves(kind, allocBytes)},
		}
	}
	memory := unit("B", "KB", "MB", "GB")
	byTools := both("tools")
	byTools[1] = panel{"memory held for each tool", memory, res.curves("held", allocBytes)}
	return []plot{
		{"size", "A call against the size of its arguments", "argument text", both("size"), bytes},
		{"tools", "A call by name, and memory, against the tools in a registry", "tools",
			byTools, count},
		{"depth", "A call against how deep its arguments nest", "nested objects",
			both("depth"), count},
		{"parallel", "A call against how many callers there are at a time", "parallel callers",
			both("parallel"), count},
	}
}

// curves returns what was measured of a kind, by peer, in the order of colours.
func (res *results) curves(kind string, part func(measure.Cost) float64) []curve {
	var all []curve
	for _, name := range []string{"jig", measure.Baseline, stack.Name} {
		c := curve{name: name}
		for k := range res.costs {
			if k.kind != kind || k.peer != name {
				continue
			}
			if y, ok := res.median(k, part); ok && y > 0 {
				c.points = append(c.points, [2]float64{k.x, y})
			}
		}
		sortPoints(c.points)
		if len(c.points) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// The measures of a drawing, in pixels.
const (
	panelWidth  = 420
	panelHeight = 310
	left        = 64 // of the axes in a panel
	right       = 28
	top         = 76
	bottom      = 48
)

// The background is drawn, so that the text is legible wherever the file is shown.
const style = `<style>
text{font:12px system-ui,sans-serif;fill:#1f2328}
.title{font-size:14px;font-weight:600}
.back{fill:#ffffff}.grid{stroke:#d1d9e0}.axis{stroke:#59636e}
.c0{color:#0969da}.c1{color:#bc4c00}.c2{color:#59636e}
polyline{fill:none;stroke:currentColor;stroke-width:2}
circle{fill:currentColor}
.p1{stroke-dasharray:7 4}.p2{stroke-dasharray:2 4}
@media (prefers-color-scheme: dark){
text{fill:#e6edf3}.back{fill:#0d1117}.grid{stroke:#30363d}.axis{stroke:#9198a1}
.c0{color:#58a6ff}.c1{color:#f0883e}.c2{color:#9198a1}
}
</style>
`

// svg draws the plot.
func (p plot) svg() string {
	width := panelWidth * len(p.panels)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" `+
		`width="%[1]d" height="%[2]d">`+"\n", width, panelHeight)
	fmt.Fprintf(&b, "<title>%s</title>\n%s", html.EscapeString(p.title), style)
	fmt.Fprintf(&b, `<rect class="back" width="%d" height="%d"/>`+"\n", width, panelHeight)
	text(&b, left, 20, "start", "title", p.title)
	if len(p.panels) > 0 {
		legend(&b, p.panels[0].lines)
	}
	for i, panel := range p.panels {
		fmt.Fprintf(&b, `<g transform="translate(%d 0)">`+"\n", i*panelWidth)
		panel.draw(&b, p.x, p.xTitle)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func legend(b *strings.Builder, lines []curve) {
	x := left
	for i, c := range lines {
		fmt.Fprintf(b, `<polyline class="c%d p%[1]d" points="%d,36 %d,36"/>`+"\n", i, x, x+26)
		text(b, x+32, 40, "start", "", c.name)
		x += 52 + 7*len(c.name)
	}
}

func (p panel) draw(b *strings.Builder, xLabel func(float64) string, xTitle string) {
	x, y := axisOf(p.lines, 0, left, panelWidth-right), axisOf(p.lines, 1, panelHeight-bottom, top)
	text(b, left, top-10, "start", "", p.title)
	for _, v := range y.decades() {
		at := y.at(v)
		fmt.Fprintf(b, `<path class="grid" d="M%d %.1fH%d"/>`+"\n", left, at, panelWidth-right)
		text(b, left-6, int(at)+4, "end", "", p.y(v))
	}
	for _, v := range x.marks(p.lines) {
		at := x.at(v)
		fmt.Fprintf(b, `<path class="grid" d="M%.1f %dV%d"/>`+"\n", at, top, panelHeight-bottom)
		text(b, int(at), panelHeight-bottom+16, "middle", "", xLabel(v))
	}
	fmt.Fprintf(b, `<path class="axis" fill="none" d="M%d %dV%dH%d"/>`+"\n", left, top,
		panelHeight-bottom, panelWidth-right)
	text(b, (left+panelWidth-right)/2, panelHeight-12, "middle", "", xTitle)
	for i, c := range p.lines {
		var points []string
		for _, point := range c.points {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x.at(point[0]), y.at(point[1])))
		}
		fmt.Fprintf(b, `<polyline class="c%d p%[1]d" points="%s"/>`+"\n", i,
			strings.Join(points, " "))
		for _, point := range c.points {
			fmt.Fprintf(b, `<circle class="c%d" cx="%.1f" cy="%.1f" r="3"/>`+"\n", i,
				x.at(point[0]), y.at(point[1]))
		}
	}
}

func text(b *strings.Builder, x, y int, anchor, class, s string) {
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="%s" class="%s">%s</text>`+"\n", x, y, anchor,
		class, html.EscapeString(s))
}
