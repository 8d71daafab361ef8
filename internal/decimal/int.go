package decimal

import (
	"math"
	"strconv"
)

// maxPlain is the number of digits that always fit in an int64 and a uint64.
const maxPlain = 18

// FromInt64 returns the Number of value v.
func FromInt64(v int64) Number {
	// Negating the uint64 is right for the smallest int64 too.
	if v < 0 {
		return fromDigits(true, -uint64(v))
	}
	return fromDigits(false, uint64(v))
}

// FromUint64 returns the Number of value v.
func FromUint64(v uint64) Number { return fromDigits(false, v) }

func fromDigits(neg bool, magnitude uint64) Number {
	return normal(neg, strconv.FormatUint(magnitude, 10), "", 0)
}

// Int64 returns n as an int64, and false when n has a fraction or is out of
// range.
func (n Number) Int64() (int64, bool) {
	m, ok := n.magnitude()
	switch {
	case !ok:
		return 0, false
	case n.neg && m <= 1<<63:
		return -int64(m), true // 1<<63 becomes math.MinInt64, its own negation
	case !n.neg && m <= math.MaxInt64:
		return int64(m), true
	}
	return 0, false
}

// Uint64 returns n as a uint64, and false when n has a fraction, is negative
// or is out of range.
func (n Number) Uint64() (uint64, bool) {
	if n.neg {
		return 0, false
	}
	return n.magnitude()
}

// magnitude returns |n|, and false when it is no uint64.
func (n Number) magnitude() (uint64, bool) {
	if n.digits == "" {
		return 0, true
	}
	// 20 is the number of digits of the largest uint64. Checking it first
	// bounds the loop.
	if n.exp < 0 || n.point() > 20 {
		return 0, false
	}
	m, err := strconv.ParseUint(n.digits, 10, 64)
	if err != nil {
		return 0, false
	}
	for range n.exp {
		if m > math.MaxUint64/10 {
			return 0, false
		}
		m *= 10 // cannot overflow: the last digit added is 0
	}
	return m, true
}

// ParseInt64 returns the value of a JSON number that is a whole number, such
// as 5, 5.0 or 1e2. It returns false for any other text and for a number out
// of range.
func ParseInt64(text []byte) (int64, bool) {
	if floor, ceil, ok := Around(text); ok {
		if floor != ceil {
			return 0, false
		}
		return floor, true
	}
	n, ok := Parse(text)
	if !ok {
		return 0, false
	}
	return n.Int64()
}

// ParseUint64 is ParseInt64 for a uint64.
func ParseUint64(text []byte) (uint64, bool) {
	if neg, m, rest, ok := plain(text); ok && len(rest) == 0 && !neg {
		return m, true
	}
	n, ok := Parse(text)
	if !ok {
		return 0, false
	}
	return n.Uint64()
}

// Around returns the largest integer that is at most a JSON number, and the smallest that is at least it.
// It returns false for a number with an exponent or more than 18 digits before the point, and for any
// other text.
func Around(text []byte) (floor, ceil int64, ok bool) {
	neg, magnitude, rest, ok := plain(text)
	nonzero, whole := fraction(rest)
	if !ok || !whole {
		return 0, 0, false
	}
	floor, ceil = int64(magnitude), int64(magnitude)
	if nonzero {
		ceil++
	}
	if neg {
		return -ceil, -floor, true
	}
	return floor, ceil, true
}

// fraction reads a point and the digits after it, or nothing, to the end of the text.
func fraction(text []byte) (nonzero, ok bool) {
	if len(text) == 0 {
		return false, true
	}
	if text[0] != '.' || len(text) == 1 {
		return false, false
	}
	for _, c := range text[1:] {
		if c-'0' > 9 {
			return false, false
		}
		nonzero = nonzero || c != '0'
	}
	return nonzero, true
}

// plain reads the integer that text starts with, of few enough digits to need no range check, and
// returns what follows. It is the fast path: nearly all numbers of real texts start with one.
func plain(text []byte) (neg bool, magnitude uint64, rest []byte, ok bool) {
	if len(text) > 0 && text[0] == '-' {
		neg, text = true, text[1:]
	}
	n := 0
	for n < len(text) && n < maxPlain && text[n]-'0' <= 9 {
		magnitude = magnitude*10 + uint64(text[n]-'0')
		n++
	}
	return neg, magnitude, text[n:], n == 1 || n > 1 && text[0] != '0'
}

// Fixed returns n as m / 10^scale with the smallest scale, and false where m has more than 18 digits.
func (n Number) Fixed() (m int64, scale int, ok bool) {
	scale = max(0, -n.exp)
	whole := n
	whole.exp += scale
	if whole.point() > maxPlain {
		return 0, 0, false
	}
	m, ok = whole.Int64()
	return m, scale, ok
}
