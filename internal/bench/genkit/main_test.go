package main

import (
	"io"
	"testing"

	"github.com/jig-go/jig/internal/bench/measure"
)

func TestPeers(t *testing.T) { measure.CheckPeers(t, peers()) }

// TestRound makes one short round of everything.
func TestRound(t *testing.T) {
	program := measure.New("genkit", peers(), io.Discard)
	if err := program.Main([]string{"-slice", "1us", "calls"}, nil); err != nil {
		t.Fatal(err)
	}
}
