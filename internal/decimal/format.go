package decimal

import "strconv"

// Bounds of plain notation on Number.point, those of ECMAScript's
// Number::toString: from 0.000001 to 21 digits before the point.
const (
	minPoint = -6 // exclusive
	maxPoint = 21 // inclusive
)

// Append appends the canonical text of n: the shortest exact digits, in plain
// notation where ECMAScript would use it, else as 1.5e-7 or 1e21. Unlike
// RFC 8785 it never rounds, and it writes no plus sign. Equal numbers have
// equal texts.
func (n Number) Append(dst []byte) []byte {
	if n.digits == "" {
		return append(dst, '0')
	}
	if n.neg {
		dst = append(dst, '-')
	}
	switch point := n.point(); {
	case point <= minPoint || point > maxPoint:
		return n.appendScientific(dst)
	case point <= 0:
		dst = append(dst, "0."...)
		dst = appendZeros(dst, -point)
		return append(dst, n.digits...)
	case point >= len(n.digits):
		dst = append(dst, n.digits...)
		return appendZeros(dst, n.exp)
	default:
		dst = append(dst, n.digits[:point]...)
		dst = append(dst, '.')
		return append(dst, n.digits[point:]...)
	}
}

// String returns the canonical text of n.
func (n Number) String() string { return string(n.Append(nil)) }

// largestExponent is the largest exponent that JSON text may have within jig's limits. What is written
// here is read again, so that it stays within them.
const largestExponent = 9999

// appendScientific appends the digits of n, one before the point, and the exponent. Where that would
// be beyond largestExponent, zeros take up the rest, as they must have where n was read.
func (n Number) appendScientific(dst []byte) []byte {
	switch exponent := n.point() - 1; {
	case exponent > largestExponent:
		written := min(n.exp, largestExponent)
		dst = appendZeros(append(dst, n.digits...), n.exp-written)
		return strconv.AppendInt(append(dst, 'e'), int64(written), 10)
	case exponent < -largestExponent:
		dst = append(dst, "0."...)
		dst = appendZeros(dst, -(n.point() + largestExponent))
		return append(append(dst, n.digits...), "e-9999"...)
	}
	dst = append(dst, n.digits[0])
	if len(n.digits) > 1 {
		dst = append(dst, '.')
		dst = append(dst, n.digits[1:]...)
	}
	dst = append(dst, 'e')
	return strconv.AppendInt(dst, int64(n.point()-1), 10)
}

func appendZeros(dst []byte, count int) []byte {
	for range count {
		dst = append(dst, '0')
	}
	return dst
}
