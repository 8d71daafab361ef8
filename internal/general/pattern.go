package general

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
)

// A patternFault says why a pattern does not run here.
type patternFault struct {
	needs  string // what this package lacks; empty when broken is set
	broken string // what is wrong with the pattern in every dialect
}

// patternError reports why Go's regexp refuses a pattern, or nil when it does not. JSON Schema
// patterns are ECMA-262 expressions, so a refusal is often a want of ours and not a mistake of
// the author's.
func patternError(pattern string) *patternFault {
	_, err := regexp.Compile(pattern)
	if err == nil {
		return nil
	}
	fault, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return &patternFault{broken: "it does not parse"}
	}
	if needs := lacking(fault, pattern); needs != "" {
		return &patternFault{needs: needs}
	}
	return &patternFault{broken: fault.Code.String()}
}

// lacking names the feature a pattern uses that only other dialects have, or "".
func lacking(fault *syntax.Error, pattern string) string {
	switch fault.Code {
	case syntax.ErrInvalidPerlOp, syntax.ErrInvalidNamedCapture:
		return lackingGroup(fault.Expr)
	case syntax.ErrInvalidRepeatSize:
		return lackingRepeat(fault.Expr)
	case syntax.ErrInvalidEscape:
		if len(fault.Expr) > 1 && strings.ContainsRune("123456789k", rune(fault.Expr[1])) {
			return "a back-reference"
		}
		return "the escape " + quote(fault.Expr)
	case syntax.ErrInvalidCharRange:
		if strings.HasPrefix(strings.ToLower(fault.Expr), `\p`) {
			return "the class " + quote(fault.Expr)
		}
	case syntax.ErrInvalidRepeatOp:
		if len(fault.Expr) == 2 && fault.Expr[1] == '+' {
			return "a possessive quantifier"
		}
	case syntax.ErrMissingBracket:
		// ECMA-262 reads [] as nothing and [^] as anything.
		if strings.Contains(pattern, "[]") || strings.Contains(pattern, "[^]") {
			return "an empty class"
		}
	case syntax.ErrLarge, syntax.ErrNestingDepth:
		return "more room than an expression may take"
	}
	return ""
}

func lackingGroup(expr string) string {
	switch {
	case strings.HasPrefix(expr, "(?="), strings.HasPrefix(expr, "(?!"):
		return "look-ahead"
	case strings.HasPrefix(expr, "(?<="), strings.HasPrefix(expr, "(?<!"):
		return "look-behind"
	case strings.HasPrefix(expr, "(?>"):
		return "an atomic group"
	}
	return "the group " + quote(expr)
}

// lackingRepeat tells a count over RE2's limit of 1,000 from bounds the wrong way round.
func lackingRepeat(expr string) string {
	low, high, ranged := strings.Cut(strings.Trim(expr, "{}?"), ",")
	least, err1 := strconv.Atoi(low)
	most, err2 := strconv.Atoi(high)
	if ranged && high != "" && err1 == nil && err2 == nil && least > most {
		return ""
	}
	return "a repeat count over 1000"
}
