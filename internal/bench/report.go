package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/jig-go/jig/internal/bench/measure"
)

// A key is one thing that was measured, in as many rounds as there were.
type key struct {
	kind, peer, tool, kase string
	x                      float64
}

// Results are all records of a run.
type results struct {
	peers  []measure.Record // in the order of reports, genkit's after those of this program
	costs  map[key][]measure.Cost
	ratios map[key][]float64 // CPU time over the baseline's in the same round
	rounds int
}

func readResults(r io.Reader) (*results, error) {
	type group struct {
		program string
		round   int
		key     // without the peer
	}
	res := &results{costs: map[key][]measure.Cost{}, ratios: map[key][]float64{}}
	groups := map[group][]measure.Record{}
	for d := json.NewDecoder(r); d.More(); {
		var record measure.Record
		if err := d.Decode(&record); err != nil {
			return nil, err
		}
		if record.Kind == "peer" {
			res.addPeer(record)
			continue
		}
		g := group{record.Program, record.Round, keyOf(record)}
		g.peer = ""
		groups[g] = append(groups[g], record)
		if record.Program == "bench" || record.Peer != measure.Baseline {
			k := keyOf(record)
			res.costs[k] = append(res.costs[k], record.Cost)
		}
		if record.Kind == "call" {
			res.rounds = max(res.rounds, record.Round)
		}
	}
	for _, records := range groups {
		res.addRatios(records)
	}
	if len(res.peers) == 0 {
		return nil, errors.New("report: no records")
	}
	return res, nil
}

func keyOf(r measure.Record) key { return key{r.Kind, r.Peer, r.Tool, r.Case, r.X} }

// addPeer keeps the first record of each peer.
func (res *results) addPeer(record measure.Record) {
	same := func(r measure.Record) bool { return r.Peer == record.Peer }
	if !slices.ContainsFunc(res.peers, same) {
		res.peers = append(res.peers, record)
	}
}

// addRatios compares the peers of one program and round with the baseline among them.
func (res *results) addRatios(records []measure.Record) {
	for _, base := range records {
		if base.Peer != measure.Baseline || base.NS == 0 {
			continue
		}
		for _, r := range records {
			if r.Peer != measure.Baseline {
				res.ratios[keyOf(r)] = append(res.ratios[keyOf(r)], r.NS/base.NS)
			}
		}
	}
}

// median returns the median of a part of the costs, and false if there are none.
func (res *results) median(k key, part func(measure.Cost) float64) (float64, bool) {
	var values []float64
	for _, c := range res.costs[k] {
		values = append(values, part(c))
	}
	return median(values)
}

func median(values []float64) (float64, bool) {
	if len(values) == 0 {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle], true
	}
	return (sorted[middle-1] + sorted[middle]) / 2, true
}

func nanoseconds(c measure.Cost) float64 { return c.NS }
func allocBytes(c measure.Cost) float64  { return c.Bytes }
func allocs(c measure.Cost) float64      { return c.Allocs }

// report reads the records of a run and prints its tables. With a root, it writes them into
// README.md and docs/benchmark.md there, and the plots beside the latter.
func report(records io.Reader, out io.Writer, root string) error {
	res, err := readResults(records)
	if err != nil {
		return err
	}
	short, long := res.summary(), res.tables()
	fmt.Fprintln(out, short+"\n"+long)
	if root == "" {
		return nil
	}
	for name, text := range map[string]string{"README.md": short, "docs/benchmark.md": long} {
		if err := replaceMarked(filepath.Join(root, filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	for _, p := range res.plots() {
		name := filepath.Join(root, "docs", "bench-"+p.name+".svg")
		if err := os.WriteFile(name, []byte(p.svg()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// The generated part of a file stands between these lines.
const (
	startMark = "<!-- bench:start -->\n"
	endMark   = "<!-- bench:end -->\n"
)

func replaceMarked(name, text string) error {
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), startMark)
	_, after, ended := strings.Cut(rest, endMark)
	if !ok || !ended {
		return fmt.Errorf("%s: want one line %q before one %q", name, startMark, endMark)
	}
	return os.WriteFile(name, []byte(before+startMark+text+endMark+after), 0o644)
}

// where says when, with what and on what was measured.
func where() string {
	text := fmt.Sprintf("Measured %s, %s, %s/%s, %d cores", time.Now().UTC().Format("2006-01-02"),
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	// The rest is for Linux; elsewhere the files are not there, and it is left out.
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		name, value, _ := strings.Cut(line, ":")
		if strings.TrimSpace(name) == "model name" {
			text += " (" + strings.TrimSpace(value) + ")"
			break
		}
	}
	load, _ := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(load)); len(fields) > 2 {
		text += ", load average " + fields[2]
	}
	return text
}
