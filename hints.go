package jig

// A Hint is an answer that may be missing: what an author did not say is neither true nor false.
type Hint uint8

// The hints.
const (
	HintUnset Hint = iota // the author did not say
	HintFalse
	HintTrue
)

var hintNames = []string{"unset", "false", "true"}

// String returns unset, false or true.
func (h Hint) String() string { return nameOf(hintNames, "Hint", uint8(h)) }

// Hints are a tool's facts in the words of the Model Context Protocol's tool annotations
// (https://modelcontextprotocol.io/specification, schema 2025-11-25, read 2026-08). A wire leaves an
// unset hint out, so that a client applies the protocol's own default.
type Hints struct {
	ReadOnly    Hint // readOnlyHint: the tool changes nothing
	Destructive Hint // destructiveHint: it may delete or irreversibly alter; about tools that do change
	Idempotent  Hint // idempotentHint: a call that is repeated changes nothing more
	OpenWorld   Hint // openWorldHint: it reaches people or systems outside
}

// Hints derives the annotations from Effect and Retry. Nothing is claimed that those do not say.
func (t *Tool) Hints() Hints {
	var h Hints
	switch t.effect {
	case EffectRead:
		h.ReadOnly = HintTrue
	case EffectWrite:
		h.ReadOnly, h.Destructive = HintFalse, HintFalse
	case EffectDestructive:
		h.ReadOnly, h.Destructive = HintFalse, HintTrue
	case EffectExternalMessage:
		h.ReadOnly, h.OpenWorld = HintFalse, HintTrue
	}
	switch t.retry {
	case RetrySafe, RetryIdempotent:
		h.Idempotent = HintTrue
	case RetryNever:
		h.Idempotent = HintFalse
	}
	return h
}
