package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jig-go/jig/internal/bench/measure"
)

// TestRatios compares the peers of a round with the baseline of that round and program alone.
func TestRatios(t *testing.T) {
	var in bytes.Buffer
	write := json.NewEncoder(&in)
	for _, c := range []struct {
		program string
		round   int
		peer    string
		ns      float64
	}{
		{"bench", 1, measure.Baseline, 100}, {"bench", 1, "jig", 50},
		{"bench", 2, measure.Baseline, 1000}, {"bench", 2, "jig", 700},
		{"bench", 3, measure.Baseline, 100}, {"bench", 3, "jig", 60},
		{"genkit", 1, measure.Baseline, 10}, {"genkit", 1, "firebase/genkit", 200},
	} {
		record := measure.Record{Program: c.program, Round: c.round, Kind: "call", Peer: c.peer,
			Tool: "small", Case: measure.Valid, Cost: measure.Cost{NS: c.ns}}
		if err := write.Encode(record); err != nil {
			t.Fatal(err)
		}
		record.Kind = "peer"
		if err := write.Encode(record); err != nil {
			t.Fatal(err)
		}
	}
	res, err := readResults(&in)
	if err != nil {
		t.Fatal(err)
	}
	for peer, want := range map[string]string{"jig": "0.60", "firebase/genkit": "20",
		measure.Baseline: "1", "nobody": ""} {
		if got := res.ratio(peer, "small", measure.Valid); got != want {
			t.Errorf("ratio(%s) = %q, want %q", peer, got, want)
		}
	}
	base := key{kind: "call", peer: measure.Baseline, tool: "small", kase: measure.Valid}
	if got, _ := res.median(base, nanoseconds); got != 100 {
		t.Errorf("the baseline took %v ns, want 100: genkit's rounds do not count", got)
	}
	if res.rounds != 3 || len(res.peers) != 3 {
		t.Errorf("got %d rounds of %d peers, want 3 of 3", res.rounds, len(res.peers))
	}
}

// TestReport measures all curves once, for an instant, and writes everything.
func TestReport(t *testing.T) {
	var records bytes.Buffer
	program := measure.New("bench", peers(), &records)
	few := points{sizes: []int{200, 2000}, depths: []int{1, 8}, callers: []int{1, 4},
		tools: []int{2, 20}}
	small := map[string]func() error{"scale": func() error { return scale(program, few) }}
	for _, do := range []string{"calls", "scale"} {
		if err := program.Main([]string{"-round", "1", "-slice", "1us", do}, small); err != nil {
			t.Fatal(err)
		}
	}
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	files := []string{"README.md", "docs/benchmark.md"}
	for _, name := range files {
		text := "before\n" + startMark + "old\n" + endMark + "after\n"
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := report(&records, io.Discard, root); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"before\n" + startMark, endMark + "after\n", "| jig |",
			"| straightforward stack"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
		if strings.Contains(string(text), "old\n") {
			t.Errorf("%s holds the old table", name)
		}
	}
	for _, name := range []string{"size", "tools", "depth", "parallel"} {
		checkSVG(t, filepath.Join(root, "docs", "bench-"+name+".svg"))
	}
}

// checkSVG checks that a drawing is well-formed, and has a curve of jig and one of the baseline in
// each of two panels, beside those of the legend.
func checkSVG(t *testing.T, name string) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	curves := 0
	for d := xml.NewDecoder(file); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "polyline" {
			curves++
		}
	}
	if curves < 6 {
		t.Errorf("%s has %d lines, want at least 6", name, curves)
	}
}

func TestUnits(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{duration(950), "950 ns"}, {duration(1234), "1.23 µs"}, {duration(56_789), "56.8 µs"},
		{duration(2e6), "2.00 ms"}, {size(2048), "2.00 KB"}, {size(100), "100 B"},
		{unit("ns", "µs")(1e4), "10 µs"}, {unit("B", "KB", "MB")(1e6), "1 MB"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}
