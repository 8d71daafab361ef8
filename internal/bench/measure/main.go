package measure

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// A Record is one line that a program writes. Its Kind says what was measured:
//
//   - peer: what the peer is and what it refuses;
//   - call: one call of a case of a tool;
//   - cold, define: defining a tool, the first time in a process and again;
//   - list, relist: listing 100 definitions, the first time and again;
//   - size, tools, depth, parallel: a call, against X;
//   - held: the memory that a registry of X tools holds, in Bytes for each.
type Record struct {
	Program string
	Round   int
	Kind    string
	Peer    string
	Tool    string  `json:",omitempty"`
	Case    string  `json:",omitempty"`
	X       float64 `json:",omitempty"`
	Cost

	Version, Path    string   `json:",omitempty"` // of a peer
	Invalid, Unknown *Verdict `json:",omitempty"` // of a peer
}

// Listed is how many definitions are listed.
const Listed = 100

// A Program is one of the benchmark programs, for one round.
type Program struct {
	Name  string
	Peers []Peer
	Round int
	Slice time.Duration
	out   *json.Encoder
}

// New returns a program that writes its records to w.
func New(name string, peers []Peer, w io.Writer) *Program {
	return &Program{Name: name, Peers: peers, out: json.NewEncoder(w)}
}

// Main runs the program with the arguments: flags, then what to do, which extra adds to.
func (p *Program) Main(args []string, extra map[string]func() error) error {
	flags := flag.NewFlagSet(p.Name, flag.ContinueOnError)
	flags.IntVar(&p.Round, "round", 0, "number of the round")
	flags.DurationVar(&p.Slice, "slice", 25*time.Millisecond, "CPU time of one measurement")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch do := flags.Arg(0); do {
	case "calls":
		return p.calls()
	case "cold":
		return p.cold()
	case "define":
		return p.defineOne(flags.Arg(1), flags.Arg(2))
	default:
		if f := extra[do]; f != nil {
			return f()
		}
		return fmt.Errorf("%s: got %q, want calls, cold or define", p.Name, do)
	}
}

// Write writes one record of this program and round.
func (p *Program) Write(r Record) error {
	r.Program, r.Round = p.Name, p.Round
	return p.out.Encode(r)
}

// calls makes one round of everything that a process can do more than once.
func (p *Program) calls() error {
	for _, peer := range p.Peers {
		invalid, unknown := peer.Judge(Invalid), peer.Judge(Unknown)
		if err := p.Write(Record{Kind: "peer", Peer: peer.Name, Version: peer.version(),
			Path: peer.Path, Invalid: &invalid, Unknown: &unknown}); err != nil {
			return err
		}
	}
	for _, tool := range toolNames {
		for _, c := range Cases(tool) {
			if err := p.callAll(c); err != nil {
				return err
			}
		}
		for _, peer := range p.shuffled() {
			if define, ok := peer.Define[tool]; ok && peer.Kinds == nil {
				cost := Loop(p.Slice, func() { define() })
				if err := p.Write(Record{Kind: "define", Peer: peer.Name, Tool: tool,
					Cost: cost}); err != nil {
					return err
				}
			}
		}
	}
	return p.list()
}

// callAll makes one call to all peers in turn, in an order that differs from round to round.
func (p *Program) callAll(c Case) error {
	for _, peer := range p.shuffled() {
		define, ok := peer.Define[c.Tool]
		if !ok || !peer.measures(c.Kind) {
			continue
		}
		call := define()
		cost := Loop(p.Slice, func() { call(c.Input) })
		if err := p.Write(Record{Kind: "call", Peer: peer.Name, Tool: c.Tool, Case: c.Kind,
			Cost: cost}); err != nil {
			return err
		}
	}
	return nil
}

func (p *Program) list() error {
	for _, peer := range p.shuffled() {
		if peer.List == nil {
			continue
		}
		list := peer.List(Listed)
		first := Once(func() { list() })
		if err := p.Write(Record{Kind: "list", Peer: peer.Name, Cost: first}); err != nil {
			return err
		}
		again := Loop(p.Slice, func() { list() })
		if err := p.Write(Record{Kind: "relist", Peer: peer.Name, Cost: again}); err != nil {
			return err
		}
	}
	return nil
}

// cold defines each tool of each peer in a process of its own.
func (p *Program) cold() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for _, peer := range p.shuffled() {
		for tool := range peer.Define {
			if peer.Kinds != nil {
				continue
			}
			cmd := exec.Command(self, "-round", strconv.Itoa(p.Round), "define", peer.Name, tool)
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil {
				return fmt.Errorf("define %s of %s: %w", tool, peer.Name, err)
			}
			var r Record
			if err := json.Unmarshal(out, &r); err != nil {
				return err
			}
			if err := p.Write(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// defineOne defines one tool, as the first thing that this process does with a peer.
func (p *Program) defineOne(name, tool string) error {
	for _, peer := range p.Peers {
		if define, ok := peer.Define[tool]; ok && peer.Name == name {
			cost := Once(func() { define() })
			return p.Write(Record{Kind: "cold", Peer: name, Tool: tool, Cost: cost})
		}
	}
	return fmt.Errorf("no peer %q with the tool %q", name, tool)
}

// shuffled returns the peers in an order of this round.
func (p *Program) shuffled() []Peer {
	order := make([]Peer, len(p.Peers))
	random := rand.New(rand.NewPCG(uint64(p.Round), uint64(len(p.Peers))))
	for i, j := range random.Perm(len(p.Peers)) {
		order[i] = p.Peers[j]
	}
	return order
}
