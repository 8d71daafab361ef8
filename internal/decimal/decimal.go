// Package decimal holds the exact value of a JSON number.
//
// A JSON number is a decimal fraction of any length. A float64 keeps about 16
// digits of it, so 9007199254740993 and 9007199254740992 become one number:
// enough to refund the wrong order. This package reads the text itself and
// compares, divides and prints numbers to the last digit.
//
// It has no arithmetic beyond what validating and canonical JSON need.
package decimal

import (
	"cmp"
	"strings"
)

// Bounds of Parse. They are wider than what a checked JSON text can hold and
// stand here so that no caller can make the methods below expensive.
const (
	maxText     = 20_000 // bytes of number text
	maxExponent = 20_000 // absolute value of the written exponent
)

// Number is an exact decimal number. The zero Number is 0.
// Numbers of equal value are equal under ==.
type Number struct {
	neg    bool   // false when digits is empty: there is no negative zero
	digits string // without leading and trailing zeros; empty means 0
	exp    int    // the value is digits * 10^exp; 0 when digits is empty
}

// Parse returns the value of a JSON number, and false when text is not one.
// It also returns false for text longer than 20,000 bytes and for an exponent
// beyond ±20,000.
func Parse[T ~string | ~[]byte](text T) (Number, bool) {
	if len(text) > maxText {
		return Number{}, false
	}
	p, ok := split(text)
	if !ok {
		return Number{}, false
	}
	exp, ok := exponent(text[p.exp:])
	if !ok {
		return Number{}, false
	}
	whole, frac := string(text[p.whole:p.wholeEnd]), string(text[p.frac:p.fracEnd])
	return normal(p.neg, whole, frac, exp), true
}

// normal builds the Number ±whole.frac * 10^exp.
func normal(neg bool, whole, frac string, exp int) Number {
	frac = strings.TrimRight(frac, "0")
	digits := strings.TrimLeft(whole, "0")
	switch {
	case digits == "":
		digits = strings.TrimLeft(frac, "0")
	case frac != "":
		digits += frac
	}
	exp -= len(frac)
	significant := strings.TrimRight(digits, "0")
	if significant == "" {
		return Number{}
	}
	exp += len(digits) - len(significant)
	return Number{neg: neg, digits: significant, exp: exp}
}

// parts holds the offsets of the parts of a number text.
type parts struct {
	neg             bool
	whole, wholeEnd int
	frac, fracEnd   int // empty when there is no fraction
	exp             int // after the e; the length of the text when there is none
}

// split checks text against the number grammar of RFC 8259 section 6, all but
// the digits of the exponent, which exponent reads.
func split[T ~string | ~[]byte](text T) (p parts, ok bool) {
	i := 0
	if i < len(text) && text[i] == '-' {
		p.neg = true
		i++
	}
	p.whole = i
	i = skipDigits(text, i)
	p.wholeEnd = i
	size := p.wholeEnd - p.whole
	if size == 0 || size > 1 && text[p.whole] == '0' {
		return p, false
	}
	if i < len(text) && text[i] == '.' {
		p.frac = i + 1
		i = skipDigits(text, i+1)
		p.fracEnd = i
		if p.frac == p.fracEnd {
			return p, false
		}
	}
	p.exp = i
	if i < len(text) {
		p.exp++
		// A text that ends in e has an empty exponent, which exponent could
		// not tell from an absent one.
		return p, text[i]|0x20 == 'e' && p.exp < len(text)
	}
	return p, true
}

// exponent returns the value of the exponent's text, 0 when it is empty.
func exponent[T ~string | ~[]byte](text T) (int, bool) {
	if len(text) == 0 {
		return 0, true
	}
	i, neg := 0, text[0] == '-'
	if neg || text[0] == '+' {
		i++
	}
	if i == len(text) || skipDigits(text, i) != len(text) {
		return 0, false
	}
	exp := 0
	for ; i < len(text); i++ {
		exp = exp*10 + int(text[i]-'0')
		if exp > maxExponent {
			return 0, false
		}
	}
	if neg {
		exp = -exp
	}
	return exp, true
}

// skipDigits returns the offset of the first byte at or after i that is no
// digit.
func skipDigits[T ~string | ~[]byte](text T, i int) int {
	for i < len(text) && text[i]-'0' <= 9 {
		i++
	}
	return i
}

// Cmp returns -1, 0 or 1 as n is less than, equal to or greater than m.
func (n Number) Cmp(m Number) int {
	if c := cmp.Compare(n.sign(), m.sign()); c != 0 {
		return c
	}
	// Both have one sign, so neither or both are zero.
	c := cmp.Compare(n.point(), m.point())
	if c == 0 {
		// With the first digits at one place and no trailing zeros, the order
		// of the digit strings is that of the values.
		c = strings.Compare(n.digits, m.digits)
	}
	if n.neg {
		return -c
	}
	return c
}

// sign returns -1, 0 or 1.
func (n Number) sign() int {
	switch {
	case n.digits == "":
		return 0
	case n.neg:
		return -1
	}
	return 1
}

// point returns the place of the decimal point: |n| is 0.digits * 10^point.
func (n Number) point() int { return len(n.digits) + n.exp }

// IsInt reports whether n is a whole number, however it was written.
func (n Number) IsInt() bool { return n.exp >= 0 }
