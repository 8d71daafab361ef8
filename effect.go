package jig

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Effect says what a call may change. The zero Effect is EffectUnknown, which nobody counts as read
// and every policy treats like EffectDestructive. Effects are names, not a scale: nothing orders
// them, and none follows from Approval.
type Effect uint8

// The effects.
const (
	// EffectUnknown claims nothing: the author did not say.
	EffectUnknown Effect = iota
	// EffectRead inspects state without changing it.
	EffectRead
	// EffectWrite creates or changes state.
	EffectWrite
	// EffectDestructive deletes or irreversibly alters state.
	EffectDestructive
	// EffectExternalMessage communicates with another person or an outside audience.
	EffectExternalMessage
)

var effectNames = []string{"unknown", "read", "write", "destructive", "external-message"}

// String returns the effect's name: unknown, read, write, destructive or external-message.
func (e Effect) String() string { return nameOf(effectNames, "Effect", uint8(e)) }

// MarshalText returns the effect's name, and an error for a number that is no effect.
func (e Effect) MarshalText() ([]byte, error) { return nameText(effectNames, "effect", uint8(e)) }

// UnmarshalText takes the name of an effect and nothing else.
func (e *Effect) UnmarshalText(text []byte) error {
	i, err := namedBy(effectNames, "effect", text)
	*e = Effect(i)
	return err
}

// Approval says whose consent a call needs. The zero Approval is ApprovalUnset.
type Approval uint8

// The approvals.
const (
	// ApprovalUnset leaves the decision to the host.
	ApprovalUnset Approval = iota
	// ApprovalNever says that no human is needed, whatever the effect.
	ApprovalNever
	// ApprovalRequester asks the user on whose behalf the run acts. A host that has no way to ask
	// denies the call.
	ApprovalRequester
	// ApprovalAlways asks for every call afresh. A host that has no way to ask denies the call.
	ApprovalAlways
)

var approvalNames = []string{"unset", "never", "requester", "always"}

// String returns the approval's name: unset, never, requester or always.
func (a Approval) String() string { return nameOf(approvalNames, "Approval", uint8(a)) }

// MarshalText returns the approval's name, and an error for a number that is no approval.
func (a Approval) MarshalText() ([]byte, error) {
	return nameText(approvalNames, "approval", uint8(a))
}

// UnmarshalText takes the name of an approval and nothing else.
func (a *Approval) UnmarshalText(text []byte) error {
	i, err := namedBy(approvalNames, "approval", text)
	*a = Approval(i)
	return err
}

// Retry says whether a call that failed may be made again without anybody asking for it. The zero
// Retry is RetryUnset.
type Retry uint8

// The retries.
const (
	// RetryUnset claims nothing, and counts as RetryNever.
	RetryUnset Retry = iota
	// RetryNever says that an attempt is the only one, whatever became of it.
	RetryNever
	// RetryIdempotent says that attempts under one idempotency key take effect once.
	RetryIdempotent
	// RetrySafe says that a further attempt does no harm, also without a key.
	RetrySafe
)

var retryNames = []string{"unset", "never", "idempotent", "safe"}

// String returns the retry's name: unset, never, idempotent or safe.
func (r Retry) String() string { return nameOf(retryNames, "Retry", uint8(r)) }

// MarshalText returns the retry's name, and an error for a number that is no retry.
func (r Retry) MarshalText() ([]byte, error) { return nameText(retryNames, "retry", uint8(r)) }

// UnmarshalText takes the name of a retry and nothing else.
func (r *Retry) UnmarshalText(text []byte) error {
	i, err := namedBy(retryNames, "retry", text)
	*r = Retry(i)
	return err
}

func nameOf(names []string, kind string, i uint8) string {
	if int(i) < len(names) {
		return names[i]
	}
	return kind + "(" + strconv.Itoa(int(i)) + ")"
}

func nameText(names []string, kind string, i uint8) ([]byte, error) {
	if int(i) < len(names) {
		return []byte(names[i]), nil
	}
	return nil, fmt.Errorf("jig: %s: got the number %d, want at most %d", kind, i, len(names)-1)
}

// namedBy returns the place of a name, and 0 beside an error.
func namedBy(names []string, kind string, text []byte) (uint8, error) {
	i := slices.Index(names, string(text))
	if i < 0 {
		return 0, fmt.Errorf("jig: %s: got %q, want one of %s", kind, text, strings.Join(names, ", "))
	}
	return uint8(i), nil
}
