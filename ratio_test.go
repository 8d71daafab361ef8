//go:build unix

package jig_test

import (
	"context"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/jig-go/jig"
)

// BenchmarkRatio measures what a call costs in units of the same call by encoding/json: the process
// CPU time of both in the same rounds, and the median over the rounds. It is steadier than times are
// on a machine that others use as well.
func BenchmarkRatio(b *testing.B) {
	reg := benchRegistry(b)
	cancellable, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, s := range benchShapes() {
		ours := func(ctx context.Context) func() {
			return func() {
				if o := reg.Call(ctx, jig.Call{ID: "c1", Name: s.name, Args: s.text}); o.Err != nil {
					b.Fatal(o.Err)
				}
			}
		}
		theirs := func() {
			if _, err := s.plain(context.Background(), s.text); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(s.name, ratio(ours(context.Background()), theirs))
		b.Run(s.name+"/cancellable", ratio(ours(cancellable), theirs))
	}
}

// ratio runs both sides for a while in each round.
func ratio(ours, theirs func()) func(*testing.B) {
	return func(b *testing.B) {
		const round = 20 * time.Millisecond
		calls := 1
		for cpuTime(theirs, calls) < round {
			calls *= 2
		}
		var ratios, times []float64
		for b.Loop() {
			plain := cpuTime(theirs, calls)
			took := cpuTime(ours, calls)
			ratios = append(ratios, float64(took)/float64(plain))
			times = append(times, float64(took.Nanoseconds())/float64(calls))
		}
		b.ReportMetric(median(ratios), "x")
		b.ReportMetric(median(times), "cpu-ns/call")
		b.ReportMetric(0, "ns/op")
	}
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// cpuTime is the CPU time that the process takes while the calls are made.
func cpuTime(call func(), times int) time.Duration {
	start := processTime()
	for range times {
		call()
	}
	return processTime() - start
}

func processTime() time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		panic(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
