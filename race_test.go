//go:build race

package jig_test

// raceEnabled says that the race detector, which allocates, is on.
const raceEnabled = true
