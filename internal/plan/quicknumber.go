package plan

import (
	"math"
	"reflect"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/decimal"
)

// A numberReader holds the bounds of numbers of few digits.
type numberReader struct {
	least, most int64   // of integers, and of what their type holds
	low, high   limited // of floats
}

// newNumberReader returns the bounds of a rule, nil for none, and of a type. It reports false where it
// cannot hold them.
func newNumberReader(r *numberRule, t *codec.Type) (*numberReader, bool) {
	n := &numberReader{}
	if t.Kind != codec.Float {
		n.least, n.most = integersOf(t)
		if r != nil {
			n.least, n.most = max(n.least, r.low), min(n.most, r.high)
		}
		return n, r == nil || r.simple
	}
	switch {
	case r == nil:
		return n, true
	case r.multiple != nil || r.min != nil && r.above != nil || r.max != nil && r.below != nil:
		return nil, false
	}
	return n, n.low.take(r.min, false, -1) && n.low.take(r.above, true, -1) &&
		n.high.take(r.max, false, 1) && n.high.take(r.below, true, 1)
}

// integersOf returns the least and the largest int64 that a type holds.
func integersOf(t *codec.Type) (least, most int64) {
	bits := t.Go.Bits() // an int may have 32
	if t.Kind == codec.Uint {
		return 0, int64(min(uint64(1)<<bits-1, math.MaxInt64))
	}
	most = math.MaxInt64 >> (64 - bits)
	return -most - 1, most
}

// Numbers of few digits. A float is read as m / 10^scale with |m| < 10^floatDigits and
// scale <= floatScale, so that a float64 holds both parts exactly and their quotient is the nearest
// float there is. Any integer of intDigits fits an int64.
const (
	intDigits   = 18
	floatDigits = 15
	floatScale  = 12
)

var powers = [floatScale + 1]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12}

// A limited is a bound m / 10^scale. It is not set where all floats of few digits are within the bound.
// Invariant: |m| <= maxLimit and scale <= limitScale, so that cmp stays within an int64.
type limited struct {
	set, open bool // open: the bound itself is not allowed
	m         int64
	scale     int
}

const (
	maxLimit   = 1_000_000
	limitScale = 3
)

// take takes a bound, nil for none, on one side: -1 from below, 1 from above. It reports false for one
// that a limited cannot hold.
func (l *limited) take(d *bound, open bool, side int) bool {
	if d == nil || d.Cmp(decimal.FromInt64(int64(side)*1e15))*side >= 0 {
		return true
	}
	m, scale, ok := d.Fixed()
	*l = limited{set: true, open: open, m: m, scale: scale}
	return ok && m <= maxLimit && m >= -maxLimit && scale <= limitScale
}

// cmp compares m / 10^scale with the limit.
func (l *limited) cmp(m int64, scale int) int {
	a, b := m*powers[l.scale], l.m*powers[scale]
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// hold reports whether m / 10^scale is within the bounds.
func (n *numberReader) hold(m int64, scale int) bool {
	if l := &n.low; l.set {
		if c := l.cmp(m, scale); c < 0 || c == 0 && l.open {
			return false
		}
	}
	if l := &n.high; l.set {
		if c := l.cmp(m, scale); c > 0 || c == 0 && l.open {
			return false
		}
	}
	return true
}

// digitsAt reads digits that go on with m, up to the one at last, and returns the offset after them.
func digitsAt(data []byte, p, last int, m int64) (int64, int) {
	for p < len(data) && data[p]-'0' <= 9 && p <= last {
		m = m*10 + int64(data[p]-'0')
		p++
	}
	return m, p
}

// integer reads an integer without fraction and exponent. Those, and long ones, are for the rule.
func (q *quick) integer(r *reader, p, depth int, v reflect.Value) (int, bool) {
	data, at := q.data, p
	negative := data[p] == '-'
	if negative {
		p++
	}
	first := p
	m, p := digitsAt(data, p, first+intDigits, 0)
	switch digits := p - first; {
	case digits == 0 || digits > 1 && data[first] == '0', // no number
		digits > intDigits, p < len(data) && (data[p] == '.' || data[p]|0x20 == 'e'):
		return q.byRule(r, at, depth, v)
	}
	if negative {
		m = -m
	}
	if m < r.num.least || m > r.num.most {
		return q.outOfRange(r, at, p, depth, m, v)
	}
	if r.typ.Kind == codec.Uint {
		v.SetUint(uint64(m))
	} else {
		v.SetInt(m)
	}
	return p, true
}

// outOfRange says what is wrong with the integer m, which ends at end.
func (q *quick) outOfRange(r *reader, p, end, depth int, m int64, v reflect.Value) (int, bool) {
	rule := r.rule.some().num // simple, as that of every readInteger
	d := q.here(q.level(depth))
	if d == nil || rule == nil || m >= rule.low && m <= rule.high { // it is the type that cannot hold it
		return q.explain(r, p, end, depth, v)
	}
	d.integerBounds(rule, m, m, q.data[p:end:end])
	return end, true
}

// float reads a number of few digits without an exponent, and leaves others to the rule.
func (q *quick) float(r *reader, p, depth int, v reflect.Value) (int, bool) {
	data, at := q.data, p
	negative := data[p] == '-'
	if negative {
		p++
	}
	first := p
	m, p := digitsAt(data, p, first+floatDigits, 0)
	digits, scale := p-first, 0
	if digits == 0 || digits > 1 && data[first] == '0' {
		return q.byRule(r, at, depth, v) // no number
	}
	if p < len(data) && data[p] == '.' && digits <= floatDigits {
		p++
		point := p
		m, p = digitsAt(data, p, point+floatDigits-digits, m)
		if scale = p - point; scale == 0 {
			return at, false
		}
		digits += scale
	}
	if digits > floatDigits || scale > floatScale || p < len(data) && data[p]|0x20 == 'e' {
		return q.byRule(r, at, depth, v)
	}
	if negative {
		m = -m
	}
	if !r.num.hold(m, scale) {
		return q.explain(r, at, p, depth, v)
	}
	v.SetFloat(float64(m) / float64(powers[scale]))
	return p, true
}
