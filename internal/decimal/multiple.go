package decimal

import "math/big"

// MultipleOf reports whether n is a whole multiple of m, exactly. 0 is a
// multiple of every number but 0, and nothing is a multiple of 0.
func (n Number) MultipleOf(m Number) bool {
	if m.digits == "" {
		return false
	}
	if n.digits == "" {
		return true
	}
	// With a and b the digits and s the difference of the exponents, the
	// question is whether b divides a * 10^s.
	s := n.exp - m.exp
	if s < 0 {
		// a does not end in 0, so it is no multiple of 10.
		return false
	}
	if len(n.digits)+s <= maxPlain && len(m.digits) <= maxPlain {
		a, _ := Number{digits: n.digits, exp: s}.magnitude()
		b, _ := Number{digits: m.digits}.magnitude()
		return a%b == 0
	}
	a, _ := new(big.Int).SetString(n.digits, 10)
	b, _ := new(big.Int).SetString(m.digits, 10)
	// 10^s helps only with the factors 2 and 5 of b, and b has fewer of them
	// than bits. Without this bound 1e9999 and 1e-9999 would make a number of
	// 20,000 digits.
	s = min(s, b.BitLen())
	a.Mul(a, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(s)), nil))
	return a.Rem(a, b).Sign() == 0
}
