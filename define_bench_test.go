package jig_test

import (
	"context"
	"testing"

	"github.com/jig-go/jig"
)

// BenchmarkDefine measures the definition of a tool, which a program makes once for each tool when it
// starts: with -benchtime 1x in a fresh process, the first one.
func BenchmarkDefine(b *testing.B) {
	b.Run("small", define(runSmall))
	b.Run("medium", define(runMedium))
}

func define[A, R any](run func(context.Context, A) (R, error)) func(*testing.B) {
	return func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := jig.Define(jig.Spec[A, R]{Name: "t", Description: "Measures.", Execute: run}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
