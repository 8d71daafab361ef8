// Package repair mends what a language model wrote nearly right, where that loses nothing.
//
// Text mends broken JSON text; Number, Bool and Value read a string that stands for a value of
// another kind. All of them come after a failure: what was right is not theirs to touch, and
// whether a mend is wanted at all is for the caller to know.
//
// A mend is lossless when there is one way only to read the text and every string, number and key
// comes out as it was written. Text therefore knows these mends and no others:
//
//   - code_fence: a Markdown fence of backticks around the value, with nothing but white space
//     outside. A word in the fence's first line is its language.
//   - control_token: marks of a chat template before or after the value, such as <|im_end|>.
//   - trailing_comma: one comma between the last item and the } or ].
//   - single_quotes: strings in single quotes, keys too. \' in one is a quote; " stands for itself.
//   - control_character: raw control characters in a string, such as a newline, become escapes.
//
// Wrappers go first: tokens, then one fence, then tokens again inside it. The others follow in one
// pass over the text.
//
// # What this package does not do
//
// It never completes a text that is cut off, not even one closing quote: the missing part may be
// the one that matters, and executing the rest has destroyed files. A fence without its end counts
// as cut off. It does not choose between two values, look for a value in prose, quote bare keys,
// translate Python's True and None, or drop comments.
package repair

import (
	"math"

	"github.com/jig-go/jig/internal/scan"
)

// The kinds of mends that Text makes, in the order in which it lists them.
const (
	CodeFence        = "code_fence"
	ControlToken     = "control_token"
	TrailingComma    = "trailing_comma"
	SingleQuotes     = "single_quotes"
	ControlCharacter = "control_character"
)

// Text mends broken JSON text. It returns one JSON value that passes scan.Check, which may be a
// part of raw, and the kinds of mends it took, each once and in the order of their constants. It
// returns nil when mending does not help, and raw itself with no kinds when raw is valid.
//
// Neither size nor depth of the result is limited, and escapes make it longer than raw, so that the
// caller checks it once more with its own limits.
func Text(raw []byte) (mended []byte, kinds []string) {
	// No mend of today could complete a text. That Truncated ends it all, here and below, holds for
	// those of tomorrow too.
	_, err := check(raw)
	switch {
	case err == nil:
		return raw, nil
	case err.Code == scan.Truncated:
		return nil, nil
	}
	text, done := unwrap(raw)
	checked, err := check(text)
	if err != nil {
		if err.Code == scan.Truncated {
			return nil, nil
		}
		rewritten, inner := rewrite(text)
		if checked, err = check(rewritten); err != nil {
			return nil, nil
		}
		done |= inner
	}
	return checked, done.kinds()
}

// maxDepth keeps scan's recursion off the limit of the stack. It is far above any sane limit.
const maxDepth = 10_000

func check(text []byte) ([]byte, *scan.Error) {
	return scan.Check(text, scan.Limits{Bytes: math.MaxInt, Depth: maxDepth})
}

// mends is a set of kinds, which makes their order independent of where the faults are.
type mends uint8

const (
	codeFence mends = 1 << iota
	controlToken
	trailingComma
	singleQuotes
	controlCharacter
)

// kindNames has the kinds in the order of the bits of mends.
var kindNames = [...]string{CodeFence, ControlToken, TrailingComma, SingleQuotes, ControlCharacter}

// kinds returns the names of the set's members.
func (m mends) kinds() []string {
	var names []string
	for i, name := range kindNames {
		if m&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}
