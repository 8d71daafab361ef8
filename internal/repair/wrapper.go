package repair

import (
	"bytes"
	"slices"
	"strings"
)

// bom is the UTF-8 byte order mark.
const bom = "\xef\xbb\xbf"

// space is what JSON takes for white space.
const space = " \t\r\n"

// unwrap takes off what stands around a value: tokens, one fence, and tokens inside the fence.
// Without any of them it returns raw as it is.
func unwrap(raw []byte) (text []byte, done mends) {
	text, done = cutTokens(bytes.TrimPrefix(raw, []byte(bom)))
	if body, ok := cutFence(text); ok {
		var inner mends
		text, inner = cutTokens(body)
		done |= codeFence | inner
	}
	if done == 0 {
		// A byte order mark alone is no wrapper: taking it off here would let pass a second one.
		return raw, 0
	}
	return text, done
}

// fenceTick is what a fence is made of, minFence how many of them it needs.
// https://spec.commonmark.org/0.31.2/#fenced-code-blocks
const (
	fenceTick = "`"
	minFence  = 3
)

// cutFence returns what a fence encloses. Both of its ends have to be there and equally long: a
// text without the second one may be cut off. The end need not be on a line of its own, as models
// write a short value in one line.
//
// Requirement: text has no white space around it.
func cutFence(text []byte) (body []byte, ok bool) {
	rest := bytes.TrimLeft(text, fenceTick)
	size := len(text) - len(rest)
	body = bytes.TrimRight(rest, fenceTick)
	if size < minFence || len(rest)-len(body) != size {
		return nil, false
	}
	return cutLanguage(body)
}

// cutLanguage takes the language off the first line of a fence's body. A value is no language:
// where something follows "true" there are two values, not one in the language true. In the line of
// the value only json is a language, as any other word could be prose.
func cutLanguage(body []byte) (rest []byte, ok bool) {
	rest = bytes.TrimLeftFunc(body, isLanguage)
	switch word := string(body[:len(body)-len(rest)]); {
	case word == "", word == "true", word == "false", word == "null", !isLetter(rune(word[0])):
		return body, true
	case strings.EqualFold(word, "json"):
		return rest, true
	}
	line, _, found := bytes.Cut(rest, []byte("\n"))
	return rest, found && len(bytes.Trim(line, space)) == 0
}

// isLanguage reports whether r may be in the name of a language, such as json5, tool_call or c++.
func isLanguage(r rune) bool {
	return isWord(r) || r == '-' || r == '+' || r == '.'
}

func isWord(r rune) bool { return isLetter(r) || '0' <= r && r <= '9' || r == '_' }

func isLetter(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' }

// tokens are the control tokens besides those with bars. None can start or end a JSON value.
// They are from the chat templates of Llama 2 and Mistral (the square ones and <s>), Gemma (<bos>,
// <eos> and the turns), and Hermes and Qwen (the calls).
var tokens = []string{
	"[INST]", "[/INST]", "[TOOL_CALLS]", "[ARGS]", "<s>", "</s>",
	"<bos>", "<eos>", "<start_of_turn>", "<end_of_turn>",
	"<tool_call>", "</tool_call>", "<tool_calls>", "</tool_calls>",
	"<function_call>", "</function_call>",
}

// bars mark the other control tokens, of which there are too many for a list: a name in angle
// brackets that has a bar on both sides, as <|im_end|>, or on one, as Gemma 4's <tool_call|>. The
// wide bar (U+FF5C) is DeepSeek's, with ▁ (U+2581) between words: <｜tool▁call▁end｜>.
const bars = "|｜"

// cutTokens takes off the control tokens around text, and all white space there. It finishes with
// one side before the other, which keeps it linear: a long text that is no token is looked at once.
func cutTokens(text []byte) (rest []byte, done mends) {
	rest = bytes.Trim(text, space)
	for n := leadingToken(rest); n > 0; n = leadingToken(rest) {
		rest, done = bytes.TrimLeft(rest[n:], space), controlToken
	}
	for n := trailingToken(rest); n > 0; n = trailingToken(rest) {
		rest, done = bytes.TrimRight(rest[:len(rest)-n], space), controlToken
	}
	return rest, done
}

// leadingToken returns the length of the token at the start of text, 0 if there is none.
func leadingToken(text []byte) int {
	closer := byte('>')
	if len(text) > 0 && text[0] == '[' {
		closer = ']'
	}
	if end := bytes.IndexByte(text, closer) + 1; isToken(text[:end]) {
		return end
	}
	return 0
}

// trailingToken returns the length of the token at the end of text, 0 if there is none.
func trailingToken(text []byte) int {
	opener := byte('<')
	if len(text) > 0 && text[len(text)-1] == ']' {
		opener = '['
	}
	if start := bytes.LastIndexByte(text, opener); start >= 0 && isToken(text[start:]) {
		return len(text) - start
	}
	return 0
}

// isToken reports whether text is one control token.
func isToken(text []byte) bool {
	if slices.Contains(tokens, string(text)) {
		return true
	}
	inner, opened := bytes.CutPrefix(text, []byte("<"))
	inner, closed := bytes.CutSuffix(inner, []byte(">"))
	if !opened || !closed {
		return false
	}
	name := bytes.TrimRightFunc(bytes.TrimLeftFunc(inner, isBar), isBar)
	barred := len(inner) - len(name)
	return barred > 0 && len(name) > 0 && len(bytes.TrimLeftFunc(name, isTokenName)) == 0
}

func isBar(r rune) bool { return strings.ContainsRune(bars, r) }

func isTokenName(r rune) bool { return isWord(r) || r == '▁' }
