package scan

import (
	"encoding/binary"
	"math/bits"
)

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
func plainEnd(data []byte, p int) int {
	for len(data)-p >= wordSize {
		if marks := special(binary.LittleEndian.Uint64(data[p:])); marks != 0 {
			return p + bits.TrailingZeros64(marks)/wordSize
		}
		p += wordSize
	}
	for p < len(data) && plain[data[p]] {
		p++
	}
	return p
}
