package measure

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestBaseline(t *testing.T) {
	CheckPeers(t, []Peer{JSON})
	for _, kind := range []string{Invalid, Unknown} {
		if got := JSON.Judge(kind).Refused; got != 0 {
			t.Errorf("Judge(%s).Refused = %d, want 0: the baseline has to accept all calls", kind, got)
		}
	}
}

// TestCases checks the sizes that the tools are named for.
func TestCases(t *testing.T) {
	var fields map[string]any
	if err := json.Unmarshal(Cases("medium")[0].Input.Raw, &fields); err != nil {
		t.Fatal(err)
	}
	if len(fields) != 25 {
		t.Errorf("the medium call has %d fields, want 25", len(fields))
	}
	if size := len(Cases("bulk")[0].Input.Raw); size < 55_000 || size > 65_000 {
		t.Errorf("the bulk call has %d bytes, want about 60 KB", size)
	}
	for _, tool := range toolNames {
		cases := Cases(tool)
		for _, c := range cases[1:] {
			if c.Input.Text == cases[0].Input.Text || len(c.Wrong) == 0 {
				t.Errorf("the %s call of %s has nothing wrong", c.Kind, tool)
			}
		}
	}
}

func TestLoop(t *testing.T) {
	var kept [][]byte
	const size = 1 << 10
	cost := Loop(2*time.Millisecond, func() { kept = [][]byte{make([]byte, size)} })
	if cost.NS <= 0 || cost.Allocs < 1.9 || cost.Allocs > 2.5 || cost.Bytes < size {
		t.Errorf("Loop = %+v, want two allocations of %d bytes together", cost, size)
	}
	if len(kept) != 1 {
		t.Error("the function did not run")
	}
}

func TestNamed(t *testing.T) {
	const text = `- "/items/3/quantity": got 0; days`
	if got := named(text, []string{"quantity", "day", "days", "item"}); got != 2 {
		t.Errorf("named = %d, want 2", got)
	}
}

// TestRecords runs the program on the baseline alone, and reads what it wrote.
func TestRecords(t *testing.T) {
	var out bytes.Buffer
	program := New("test", []Peer{JSON}, &out)
	for _, args := range []string{"-slice 1us -round 7 calls", "define encoding/json small"} {
		if err := program.Main(strings.Fields(args), nil); err != nil {
			t.Fatal(err)
		}
	}
	kinds := map[string]int{}
	for d := json.NewDecoder(&out); d.More(); {
		var r Record
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		kinds[r.Kind]++
	}
	for kind, want := range map[string]int{"peer": 1, "call": 9, "define": 3, "cold": 1} {
		if kinds[kind] != want {
			t.Errorf("%d records of kind %s, want %d", kinds[kind], kind, want)
		}
	}
	if err := program.Main([]string{"nonsense"}, nil); err == nil {
		t.Error("Main(nonsense) = nil, want an error")
	}
}
