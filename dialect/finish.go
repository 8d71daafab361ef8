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
func providerError(kind, message string) error {
	if kind != "" {
		kind += ": "
	}
	return fmt.Errorf("the provider answered with an error: %s%s", kind, message)
}
