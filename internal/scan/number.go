package scan

// Bounds of a number's text. Converting 1e1000001 exactly would take a number
// of a million digits.
const (
	maxNumber         = 1000 // characters
	maxExponentDigits = 4    // without leading zeros, so at most 9999
)

// number reads a number.
func (s source) number(p int) (int, *Error) {
	end, exp, err := s.numberText(p)
	if end-p > maxNumber {
		return p, longNumber(p)
	}
	if err != nil {
		return p, err
	}
	for exp < end && s.data[exp] == '0' {
		exp++
	}
	if end-exp > maxExponentDigits {
		return p, largeExponent(p)
	}
	return end, nil
}

// numberText reads a number of any size. It returns the offset where it
// stopped, failed or not, and that of the exponent's digits, which is the end
// when there is none.
func (s source) numberText(p int) (end, exp int, err *Error) {
	if s.data[p] == '-' {
		p++
	}
	first := p
	if p, err = s.digits(p); err != nil {
		return p, p, err
	}
	if s.data[first] == '0' && p > first+1 {
		return p, p, s.syntax(first, "want a number without leading zeros")
	}
	if p < len(s.data) && s.data[p] == '.' {
		if p, err = s.digits(p + 1); err != nil {
			return p, p, err
		}
	}
	if p == len(s.data) || s.data[p]|0x20 != 'e' {
		return p, p, nil
	}
	p++
	if p < len(s.data) && (s.data[p] == '+' || s.data[p] == '-') {
		p++
	}
	end, err = s.digits(p)
	return end, p, err
}

// digits reads one or more digits.
func (s source) digits(p int) (int, *Error) {
	first := p
	for p < len(s.data) && s.data[p]-'0' <= 9 {
		p++
	}
	switch {
	case p > first:
		return p, nil
	case p == len(s.data):
		return p, truncated(p)
	}
	return p, s.syntax(p, "want a digit")
}
