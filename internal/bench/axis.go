package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// An axis maps values to pixels, by their logarithms.
type axis struct {
	low, high float64 // values
	from, to  float64 // pixels
}

// axisOf fits an axis to a coordinate of the curves. That of y begins and ends at a power of ten.
func axisOf(lines []curve, coordinate int, from, to float64) axis {
	a := axis{low: math.Inf(1), high: math.Inf(-1), from: from, to: to}
	for _, c := range lines {
		for _, p := range c.points {
			a.low, a.high = min(a.low, p[coordinate]), max(a.high, p[coordinate])
		}
	}
	if a.low > a.high {
		a.low, a.high = 1, 10 // no points
	}
	if coordinate == 1 || a.low == a.high {
		a.low = math.Pow(10, math.Floor(math.Log10(a.low)))
		a.high = math.Pow(10, math.Ceil(math.Log10(max(a.high, a.low*1.01))))
	}
	return a
}

func (a axis) at(v float64) float64 {
	return a.from + (a.to-a.from)*math.Log(v/a.low)/math.Log(a.high/a.low)
}

// decades returns the powers of ten on the axis.
func (a axis) decades() []float64 {
	var all []float64
	for v := a.low; v <= a.high*1.001; v *= 10 {
		all = append(all, v)
	}
	return all
}

// marks returns the x of all points.
func (a axis) marks(lines []curve) []float64 {
	var all []float64
	for _, c := range lines {
		for _, p := range c.points {
			all = append(all, p[0])
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// unit returns how to write a power of ten in the units, each a thousand of the one before.
func unit(units ...string) func(float64) string {
	return func(v float64) string {
		i := 0
		for v >= 999 && i < len(units)-1 {
			v, i = v/1000, i+1
		}
		return fmt.Sprintf("%.3g %s", v, units[i])
	}
}

func sortPoints(points [][2]float64) {
	slices.SortFunc(points, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
}
