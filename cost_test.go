package jig_test

import (
	"context"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// TestCallAllocations bounds how often a valid call allocates. The bulk call has one string in each
// row, which is copied so that it does not keep the argument text alive.
func TestCallAllocations(t *testing.T) {
	reg := benchRegistry(t)
	most := map[string]float64{"small": 8, "medium": 70, "bulk": 1050, "rows": 1050}
	for _, s := range benchShapes() {
		requireAllocations(t, most[s.name], s.name, func() {
			reg.Call(context.Background(), jig.Call{ID: "c1", Name: s.name, Args: s.text})
		})
	}
}

// TestCallAllocationsUnderAContextThatEnds has what a tool's goroutine needs from a pool.
func TestCallAllocationsUnderAContextThatEnds(t *testing.T) {
	reg := benchRegistry(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	text := smallText()
	requireAllocations(t, 4, "small", func() {
		reg.Call(ctx, jig.Call{ID: "c1", Name: "small", Args: text})
	})
}

// requireAllocations requires that f allocates at most so often.
func requireAllocations(t *testing.T, most float64, what string, f func()) {
	t.Helper()
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	require.LessOrEqual(t, testing.AllocsPerRun(20, f), most, what)
}

// TestRefusalAllocations bounds how often a refusal allocates, and how much: the text, the list of problems
// and what the Outcome says of them, where there are few, and nothing for each row that is right.
func TestRefusalAllocations(t *testing.T) {
	reg := benchRegistry(t)
	most := map[string]float64{"small": 3, "medium": 50, "bulk/last row": 1020, "bulk/every row": 1020}
	for _, r := range refusals() {
		requireAllocations(t, most[r.name], r.name, func() {
			reg.Call(context.Background(), jig.Call{ID: "c1", Name: r.tool, Args: r.text})
		})
	}
}

// TestDefinitionsAllocations bounds how often listing the definitions allocates.
func TestDefinitionsAllocations(t *testing.T) {
	reg := benchRegistry(t)
	requireAllocations(t, 1, "definitions", func() {
		for d := range reg.Definitions() {
			runtime.KeepAlive(d.Name)
		}
	})
}

// TestParallelCallersDoNotWait shows that callers in parallel wait for no lock of jig's and block each
// other nowhere: no stack in the profiles of mutexes and of blocking is inside jig.
func TestParallelCallersDoNotWait(t *testing.T) {
	reg := benchRegistry(t)
	call := func(text []byte) {
		o := reg.Call(context.Background(), jig.Call{ID: "c1", Name: "small", Args: text})
		if o.Status != jig.StatusOK {
			t.Error(o)
		}
	}
	// A collection empties the pools, and to fill them again takes a lock of package sync.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	call(smallText())
	defer runtime.SetMutexProfileFraction(runtime.SetMutexProfileFraction(1))
	runtime.SetBlockProfileRate(1)
	defer runtime.SetBlockProfileRate(0)
	var group sync.WaitGroup
	for range 64 {
		group.Go(func() {
			for range 200 {
				call(smallText())
			}
		})
	}
	group.Wait()
	require.Empty(t, jigFrames(runtime.MutexProfile), "mutexes")
	require.Empty(t, jigFrames(runtime.BlockProfile), "blocking")
}

// jigFrames returns the functions of jig in the stacks of a profile, but for those that waited in the
// runtime, whose heap has locks of its own, and those of goroutines that other tests left behind.
func jigFrames(profile func([]runtime.BlockProfileRecord) (int, bool)) (out []string) {
	n, _ := profile(nil)
	records := make([]runtime.BlockProfileRecord, n+100)
	n, _ = profile(records)
	for i := range records[:n] {
		var found []string
		heap, ours := false, false
		frames := runtime.CallersFrames(records[i].Stack())
		for more := true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			heap = heap || strings.HasPrefix(f.Function, "runtime.unlock") ||
				strings.HasPrefix(f.Function, "runtime.malloc") || f.Function == "runtime.newobject"
			ours = ours || strings.Contains(f.Function, ".TestParallelCallersDoNotWait.")
			if strings.HasPrefix(f.Function, "github.com/jig-go/jig.") ||
				strings.HasPrefix(f.Function, "github.com/jig-go/jig/internal/") {
				found = append(found, f.Function)
			}
		}
		if ours && !heap {
			out = append(out, found...)
		}
	}
	return out
}
