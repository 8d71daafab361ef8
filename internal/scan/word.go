package scan

import "math/bits"

// Strings are read a word at a time: most of their bytes stand for themselves, and eight of them
// are told apart from the others by a few operations on one word.
const (
	wordSize = 8
	ones     = 0x0101010101010101
	highBits = 0x8080808080808080
)

// special has the high bit of a byte set where that byte of w is not plain. Bytes after the first
// such one may be marked by mistake, since a subtraction borrows from them; none before it is.
func special(w uint64) uint64 {
	quote, escape := w^ones*'"', w^ones*'\\'
	return (w | (w - ones*' ') | (quote - ones) | (escape - ones)) & highBits
}

// plainEnd returns the offset of the first byte at or after p that does not stand for itself in a
// string.
func plainEnd[T ~string | ~[]byte](data T, p int) int {
	for len(data)-p >= wordSize {
		if marks := special(word(data, p)); marks != 0 {
			return p + bits.TrailingZeros64(marks)/wordSize
		}
		p += wordSize
	}
	for p < len(data) && plain[data[p]] {
		p++
	}
	return p
}

// word returns the word at p, which the compiler reads by one load.
func word[T ~string | ~[]byte](data T, p int) uint64 {
	w := data[p : p+wordSize]
	return uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
		uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
}
