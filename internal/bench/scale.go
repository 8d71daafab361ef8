package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/internal/bench/measure"
)

// points says where the curves are measured.
type points struct {
	sizes, depths, callers, tools []int
}

// The largest call is just below the default limit of 1 MiB, the deepest at that of 64.
var allPoints = points{
	sizes:   []int{1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1_000_000},
	depths:  []int{1, 2, 4, 8, 16, 32, 64},
	callers: []int{1, 2, 4, 8, 16, 32, 64},
	tools:   []int{10, 100, 1000, 10_000},
}

// scale measures all curves once.
func scale(p *measure.Program, at points) error {
	return errors.Join(scaleSize(p, at.sizes), scaleDepth(p, at.depths),
		scaleParallel(p, at.callers), scaleTools(p, at.tools))
}

// A way is one curve of a plot.
type way struct {
	name string
	call measure.Call
}

func ways[Args, Result any](t measure.Tool[Args, Result]) []way {
	return []way{
		{"jig", defineJig(context.Background(), t, true)},
		{measure.Baseline, measure.DefineJSON(t)},
		{stack.Name, defineStack(t)},
	}
}

func scaleSize(p *measure.Program, sizes []int) error {
	for _, size := range sizes {
		in, want := sized(size)
		if err := curves(p, "size", len(in.Raw), ways(measure.BulkTool), in, want); err != nil {
			return err
		}
	}
	return nil
}

// sized returns bulk arguments of about the size.
func sized(size int) (measure.Input, string) {
	n := size / 60
	in, _ := measure.Rows(n)
	return measure.Rows(n * size / len(in.Raw))
}

func scaleDepth(p *measure.Program, depths []int) error {
	for _, depth := range depths {
		in, want := measure.Nested(depth)
		if err := curves(p, "depth", depth, ways(measure.NodeTool), in, want); err != nil {
			return err
		}
	}
	return nil
}

// curves measures one point of each curve.
func curves(
	p *measure.Program, kind string, x int, ways []way, in measure.Input, want string,
) error {
	for _, w := range ways {
		if got := w.call(in); got.Refused || got.String() != want {
			return fmt.Errorf("%s at %d: %s: got %s, want %s", kind, x, w.name, got, want)
		}
		cost := measure.Loop(p.Slice, func() { w.call(in) })
		if err := p.Write(measure.Record{Kind: kind, Peer: w.name, X: float64(x),
			Cost: cost}); err != nil {
			return err
		}
	}
	return nil
}

// scaleParallel measures the CPU time of one call while many are made at a time.
func scaleParallel(p *measure.Program, callers []int) error {
	in := measure.Cases("medium")[0].Input
	for _, n := range callers {
		for _, w := range ways(measure.MediumTool) {
			const turns = 16 // calls of each caller between two meetings
			cost := measure.Loop(p.Slice, func() {
				var all sync.WaitGroup
				for range n {
					all.Go(func() {
						for range turns {
							w.call(in)
						}
					})
				}
				all.Wait()
			})
			cost = cost.Over(n * turns)
			if err := p.Write(measure.Record{Kind: "parallel", Peer: w.name, X: float64(n),
				Cost: cost}); err != nil {
				return err
			}
		}
	}
	return nil
}

// scaleTools measures a call by name among many tools, and the memory that the tools hold. The
// baseline holds its tools in a map.
func scaleTools(p *measure.Program, counts []int) error {
	for _, n := range counts {
		before := held()
		registry := manyJig(n)
		if err := toolsPoint(p, "jig", n, held()-before,
			callJig(context.Background(), registry, toolName(n/2))); err != nil {
			return err
		}
		before = held()
		plain := map[string]measure.Call{}
		for i := range n {
			plain[toolName(i)] = measure.DefineJSON(measure.SmallTool.Named(toolName(i)))
		}
		bytes, name := held()-before, toolName(n/2)
		if err := toolsPoint(p, measure.Baseline, n, bytes,
			func(in measure.Input) measure.Answer { return plain[name](in) }); err != nil {
			return err
		}
	}
	return nil
}

// manyJig returns a registry of n tools, each defined by itself.
func manyJig(n int) *jig.Registry {
	var tools jig.Registry
	all := make([]*jig.Tool, n)
	for i := range all {
		all[i] = jigTool(measure.SmallTool.Named(toolName(i)), true)
	}
	if err := tools.Add(all...); err != nil {
		panic(err)
	}
	return &tools
}

func toolsPoint(p *measure.Program, name string, n int, bytes int64, call measure.Call) error {
	c := measure.Cases("small")[0]
	if err := curves(p, "tools", n, []way{{name, call}}, c.Input, c.Want); err != nil {
		return err
	}
	return p.Write(measure.Record{Kind: "held", Peer: name, X: float64(n),
		Cost: measure.Cost{Bytes: max(0, float64(bytes)/float64(n))}})
}

// held returns the bytes of the heap that are in use.
func held() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // what finalizers and pools held
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
