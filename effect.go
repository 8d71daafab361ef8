package jig

import (
	"errors"
	"strconv"
)

// ErrDenied is in the chain of Outcome.Err when a call was not allowed to run.
var ErrDenied = errors.New("denied")

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

func nameOf(names []string, kind string, i uint8) string {
	if int(i) < len(names) {
		return names[i]
	}
	return kind + "(" + strconv.Itoa(int(i)) + ")"
}
