package dialect

import (
	"crypto/rand"
	"strings"
)

// mintMark begins the id of every call that got one here, after the provider's own prefix. With the
// prefix and 26 letters an id stays below 40 bytes, the least that an API took (OpenAI Chat, 2025).
const mintMark = "jig"

// randomLetters is the length of rand.Text.
const randomLetters = 26

// mintID returns a random id for a call that came without one: mintID("call_") is call_jigW4X….
func mintID(prefix string) string { return prefix + mintMark + rand.Text() }

// isMinted reports whether an id was made by mintID(prefix), so that a wire on which ids are
// optional need not send it.
func isMinted(prefix, id string) bool {
	rest, ok := strings.CutPrefix(id, prefix+mintMark)
	return ok && len(rest) == randomLetters
}

// mintCall is an id in the form of OpenAI and those who follow it.
func mintCall() string { return mintID("call_") }

// mintMistral is an id of Mistral's form: nine letters and digits, neither more nor fewer
// (mistral-common's validator, read 2026-11).
func mintMistral() string { return rand.Text()[:9] }
