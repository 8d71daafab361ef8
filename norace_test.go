//go:build !race

package jig_test

const raceEnabled = false
