package clip

import (
	"math"
	"sort"
)

// cutArrays returns raw with its arrays cut so that it fits, and the number of
// elements the markers count. It returns nil when arrays cannot make it fit.
//
// All arrays share one allowance, the largest with which the whole fits. It
// bounds an array's own bytes, which exclude the arrays inside it. Bounding all
// its bytes would always name the outermost array the largest, and throw away
// whole records where a shorter list inside each of them is enough.
func cutArrays(raw []byte, limit int) ([]byte, int) {
	if len(raw) > math.MaxInt32 {
		return nil, 0
	}
	d, ok := scan(raw)
	if !ok || len(d.arrays) == 0 {
		return nil, 0
	}
	p := &plan{doc: d, kept: make([]int32, len(d.arrays))}
	// Sizes grow with the allowance, so both searches may bisect.
	tooMuch := sort.Search(limit+1, func(n int) bool { return p.size(n, 0) > limit })
	if tooMuch == 0 {
		return nil, 0
	}
	// One byte more for all arrays is too much. Giving it to the first ones alone
	// uses the room left over when many arrays have elements of the same size.
	raised := sort.Search(len(d.arrays), func(n int) bool {
		return p.size(tooMuch-1, n+1) > limit
	})
	n := p.size(tooMuch-1, raised)
	return p.appendRange(make([]byte, 0, n), 0, len(raw), 0), p.omitted
}

// whole marks an array that stays as it is, with everything in it.
const whole = -1

// A plan says how many elements each array keeps under an allowance.
type plan struct {
	*doc
	allowance int     // own bytes that an array may have
	raised    int     // the first arrays, this many, may have one byte more
	kept      []int32 // per array, elements to keep, or whole; stale inside those dropped
	omitted   int     // sum of the markers written so far
}

// size makes the plan for an allowance and returns how long the text becomes.
func (p *plan) size(allowance, raised int) int {
	p.allowance, p.raised = allowance, raised
	n := len(p.raw)
	for i := 0; i < len(p.arrays); i = int(p.arrays[i].next) {
		n += p.sizeArray(i) - p.arrays[i].span()
	}
	return n
}

// sizeArray plans array i and the arrays in what it keeps, and returns its length.
func (p *plan) sizeArray(i int) int {
	a := &p.arrays[i]
	limit := p.allowance
	if i < p.raised {
		limit++
	}
	k, own := int32(whole), a.span()
	if own > limit {
		k, own = p.choose(i, limit)
	}
	p.kept[i] = k
	if k <= 0 {
		return own
	}
	last := p.ends[a.first+k-1]
	for j := i + 1; j < int(a.next) && p.arrays[j].start < last; j = int(p.arrays[j].next) {
		own += p.sizeArray(j)
	}
	return own
}

// choose returns how many elements of array i to keep so that its own bytes,
// marker included, are at most limit, and the own bytes that result. When nothing
// satisfies the limit it drops all elements, unless the marker would be longer.
func (p *plan) choose(i, limit int) (kept int32, own int) {
	a := &p.arrays[i]
	least := len("[]") + markerLen(a.total(), a.total())
	if a.n == 0 || least >= a.span() {
		return whole, a.span()
	}
	own = least
	widest := len(",") + markerLen(a.total(), a.total())
	j, inner := i+1, 0 // inner counts the bytes of arrays in the first k elements
	for k := 1 + p.surplus(i, limit-widest); k <= a.n; k++ {
		end := p.ends[a.first+k-1]
		for ; j < int(a.next) && p.arrays[j].start < end; j = int(p.arrays[j].next) {
			inner += p.arrays[j].span()
		}
		size := int(end-a.start) + len("]") - inner
		if size > limit {
			break // and with more elements it only grows
		}
		if size += a.markerSize(k); size <= limit {
			kept, own = k, size
		}
	}
	return kept, own
}

// surplus returns how many leading elements of array i need no look, since one
// more fits in room as well. It saves time on long arrays of scalars, and is 0
// for an array with others inside, whose elements have to be measured.
func (p *plan) surplus(i, room int) int32 {
	a := &p.arrays[i]
	if int(a.next) != i+1 {
		return 0
	}
	n := sort.Search(int(a.n), func(k int) bool {
		return int(p.ends[int(a.first)+k]-a.start)+len("]") > room
	})
	return int32(max(n-1, 0))
}

// markerSize returns the length of the marker that k elements kept call for, with
// the comma before it. It is 0 when none is left out.
func (a *array) markerSize(k int32) int {
	omitted := a.total() - int(k)
	if omitted == 0 {
		return 0
	}
	return len(",") + markerLen(omitted, a.total())
}

// appendRange appends raw[from:to] as planned. The arrays in it start at index j.
func (p *plan) appendRange(out []byte, from, to, j int) []byte {
	for j < len(p.arrays) && int(p.arrays[j].start) < to {
		a := &p.arrays[j]
		out = append(out, p.raw[from:a.start]...)
		out = p.appendArray(out, j)
		from, j = int(a.end), int(a.next)
	}
	return append(out, p.raw[from:to]...)
}

// appendArray appends array i as planned and counts what its markers omit.
func (p *plan) appendArray(out []byte, i int) []byte {
	a, k := &p.arrays[i], p.kept[i]
	if k == whole {
		for j := i; j < int(a.next); j++ {
			p.omitted += p.arrays[j].omitted
		}
		return append(out, p.raw[a.start:a.end]...)
	}
	out = append(out, '[')
	if k > 0 {
		out = p.appendRange(out, int(a.start)+1, int(p.ends[a.first+k-1]), i+1)
	}
	if omitted := a.total() - int(k); omitted > 0 {
		if k > 0 {
			out = append(out, ',')
		}
		out = appendMarker(out, omitted, a.total())
		p.omitted += omitted
	}
	return append(out, ']')
}
