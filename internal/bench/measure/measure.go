// Package measure is what the two benchmark programs share: the tools, the calls, the loop that
// measures, and the records that it writes. It is a module of its own without dependencies, since
// no build can hold all peers: genkit and anthropic-sdk-go need different versions of
// invopop/jsonschema.
package measure

import (
	"runtime"
	"runtime/metrics"
	"syscall"
	"time"
)

// A Cost is what one call cost.
type Cost struct {
	NS, Bytes, Allocs float64
}

// Loop measures the process CPU time of f, what it allocates and the garbage collection that this
// causes. It calls f for at least the CPU time slice, and goes on to the end of a collection (or to
// four slices, if f allocates too little for one), so that f pays for its garbage in full.
func Loop(slice time.Duration, f func()) Cost {
	batch := warm(slice/20, f)
	calls := 0
	cost := once(func() {
		start, collected := cpu(), collections()
		for {
			for range batch {
				f()
			}
			calls += batch
			spent, now := cpu()-start, collections()
			if spent >= 4*slice || spent >= slice && now != collected {
				return
			}
			collected = now
		}
	})
	return cost.Over(calls)
}

// Over returns the cost of one of n calls that cost c together.
func (c Cost) Over(n int) Cost {
	return Cost{NS: c.NS / float64(n), Bytes: c.Bytes / float64(n), Allocs: c.Allocs / float64(n)}
}

// Once measures one call of f, which has not run before: the clock is exact to a microsecond.
func Once(f func()) Cost { return once(f) }

func once(f func()) Cost {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := cpu()
	f()
	spent := cpu() - start
	runtime.ReadMemStats(&after)
	return Cost{
		NS:     float64(spent),
		Bytes:  float64(after.TotalAlloc - before.TotalAlloc),
		Allocs: float64(after.Mallocs - before.Mallocs),
	}
}

// warm calls f until it is warm, and returns how many calls take about the CPU time.
func warm(want time.Duration, f func()) int {
	for n := 1; ; n *= 2 {
		start := cpu()
		for range n {
			f()
		}
		if cpu()-start >= want || n >= 1<<20 {
			return n
		}
	}
}

// cpu returns the CPU time of this process, all threads, in user and kernel mode. Wall time would
// count what other processes do to a shared machine.
func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic("measure: internal error: " + err.Error())
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func collections() uint64 {
	sample := [1]metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(sample[:])
	return sample[0].Value.Uint64()
}
