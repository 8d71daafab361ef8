package tags

import "github.com/jig-go/jig/internal/decimal"

// A limit is a pair of keywords that may leave no value between them.
type limit struct {
	low, high string
	open      bool // equal bounds leave nothing either
}

var limits = []limit{
	{"minLength", "maxLength", false},
	{"minItems", "maxItems", false},
	{"minimum", "maximum", false},
	{"minimum", "exclusiveMaximum", true},
	{"exclusiveMinimum", "maximum", true},
	{"exclusiveMinimum", "exclusiveMaximum", true},
}

// checkBounds names the bounds that no value meets, on the node and on the
// items. A schema that refuses everything is legal, and never what was meant.
func (p *parser) checkBounds() {
	if len(p.asks) < 2 {
		return // one bound alone contradicts nothing
	}
	for _, items := range []bool{false, true} {
		if items && p.target.Kind != Array {
			break // there are none
		}
		for _, l := range limits {
			low, high := p.find(l.low, items), p.find(l.high, items)
			if low == nil || high == nil {
				continue
			}
			p.checkLimit(l, low.values[0].text, high.values[0].text)
		}
	}
}

// compareNumbers compares two numbers exactly. Requirement: both were read as numbers.
func compareNumbers(a, b string) int {
	x, okX := decimal.Parse([]byte(a))
	y, okY := decimal.Parse([]byte(b))
	if !okX || !okY {
		return rational(a).Cmp(rational(b)) // a text of many digits
	}
	return x.Cmp(y)
}

func (p *parser) checkLimit(l limit, low, high string) {
	order := compareNumbers(low, high)
	switch {
	case order > 0:
		p.problemf("%s=%s is greater than %s=%s", l.low, low, l.high, high)
	case order == 0 && l.open:
		p.problemf("%s=%s and %s=%s leave no number", l.low, low, l.high, high)
	}
}
