package dialect

import "fmt"

// finishOf reads a provider's word for why the model stopped. Some say stop where calls wait for
// their results, so that the calls decide between the two.
func finishOf(known map[string]Finish, reason string, calls int) Finish {
	f, ok := known[reason]
	switch {
	case !ok:
		return FinishOther
	case f == FinishStop && calls > 0:
		return FinishCalls
	case f == FinishCalls && calls == 0:
		return FinishOther
	}
	return f
}

// providerError is an answer that holds an error in place of a message.
func providerError(dialect, kind, message string) error {
	if kind != "" {
		kind += ": "
	}
	return fmt.Errorf("jig/dialect: %s: the provider answered with an error: %s%s",
		dialect, kind, message)
}

// markLast marks the last call of a turn that was cut off or refused, on wires whose calls come one
// after the other: it may lack arguments, or have none yet, and must not run as a call without.
func markLast(t Turn) {
	if n := len(t.Calls); n > 0 && (t.Finish == FinishCut || t.Finish == FinishRefused) {
		t.Calls[n-1].Incomplete = true
	}
}
