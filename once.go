package jig

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jig-go/jig/internal/scan"
)

// Errors of an [OnceStore], in the chain of Outcome.Err of a call that was not run because of them.
var (
	// ErrInFlight says that the same call is being made already.
	ErrInFlight = errors.New("the same call is in flight")
	// ErrKeyReused says that the idempotency key was used for another call.
	ErrKeyReused = errors.New("the idempotency key was used for another call")
)

// A OnceStore remembers calls by their idempotency keys, so that none is made twice: see
// [Info.IdempotencyKey]. [MemoryOnce] serves one process. A store has to be safe for concurrent
// use, and how long it remembers is its own affair.
type OnceStore interface {
	// Claim takes a key for the call that digest stands for. It returns what Complete was given for
	// the key, or nil if the key was free and is claimed now. The error is ErrInFlight, wrapped or
	// not, for a key that is claimed and not completed, and ErrKeyReused for one with another digest.
	// For one key at most one Claim returns nil until Release; exactly that one makes the call.
	Claim(ctx context.Context, key, digest string) (done json.RawMessage, err error)
	// Complete keeps what became of a call: an Executed, which holds what the model may see.
	Complete(ctx context.Context, key string, done json.RawMessage) error
	// Release frees a key whose call did not start, or failed and may be made again.
	Release(ctx context.Context, key string) error
}

// MemoryOnce is a [OnceStore] for one process. The zero value is ready to use. It keeps everything:
// a host that runs for long uses one for each run or session.
type MemoryOnce struct {
	mu    sync.Mutex
	calls map[string]*onceCall
}

type onceCall struct {
	digest string
	done   json.RawMessage // nil: in flight
}

// Claim takes a key or returns what is known of it.
func (m *MemoryOnce) Claim(_ context.Context, key, digest string) (json.RawMessage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.calls[key]
	switch {
	case c == nil:
		if m.calls == nil {
			m.calls = map[string]*onceCall{}
		}
		m.calls[key] = &onceCall{digest: digest}
		return nil, nil
	case c.digest != digest:
		return nil, ErrKeyReused
	case c.done == nil:
		return nil, ErrInFlight
	}
	return bytes.Clone(c.done), nil
}

// Complete keeps what became of a call.
func (m *MemoryOnce) Complete(_ context.Context, key string, done json.RawMessage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.calls[key]
	if c == nil {
		return fmt.Errorf("jig: once store: the key %q is not claimed", key)
	}
	c.done = append(json.RawMessage{}, done...) // never nil
	return nil
}

// Release frees a key that is claimed and not completed.
func (m *MemoryOnce) Release(_ context.Context, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := m.calls[key]; c != nil && c.done == nil {
		delete(m.calls, key)
	}
	return nil
}

// storeLimit bounds what has to be written to a store when a call has ended.
const storeLimit = 10 * time.Second

// onceOnly makes a call under the once store.
func (x *execution) onceOnly(ctx context.Context, e *executed) *executed {
	store, key := x.owner.options.Once, x.idempotencyKey()
	done, g := x.claim(ctx, store, key)
	switch {
	case g.err == nil && done == nil:
	case g.err == nil:
		var stored Executed
		if err := json.Unmarshal(done, &stored); err != nil {
			return x.broken(ctx, guarded{err: err})
		}
		return stored.e
	case is(g.err, ErrInFlight):
		return &executed{Failure: conflict(codeConflict, g.err,
			"Not run: the same call is being made already. Do not make it again; wait for its result.")}
	case is(g.err, ErrKeyReused):
		return &executed{Failure: conflict(codeKeyReused, g.err, "Not run: this call was made before "+
			"with other arguments. Make a new call for other arguments.")}
	default:
		return x.broken(ctx, g)
	}
	ended := false
	defer func() {
		if !ended { // the tool ended the caller's goroutine: what became of the call is not known
			x.complete(ctx, store, key, x.goneFailure())
		}
	}()
	x.start(ctx, e)
	ended = true
	switch again := e.Failure != nil && x.mayRepeat(&e.attempt); {
	case e.Attempts == 0:
		x.release(ctx, store, key)
	case again && e.late == nil:
		x.release(ctx, store, key)
	case again: // the key stays claimed while the tool is running
		late := e.late
		go func() {
			<-late
			x.release(ctx, store, key)
		}()
	default:
		return x.complete(ctx, store, key, e)
	}
	return e
}

// mayRepeat reports whether a call that failed may be made again under its key: by a host that
// makes it again, since here no attempt is left.
func (x *execution) mayRepeat(a *attempt) bool {
	switch x.tool.retry {
	case RetrySafe, RetryIdempotent:
		return !a.ran && !a.panicked && (x.owner.options.Retry.worthwhile(a.timely()) || a.ended != nil)
	}
	return false
}

// claim asks the store. A claim that comes when nobody waits for it any more is given back.
func (x *execution) claim(
	ctx context.Context, store OnceStore, key string,
) (json.RawMessage, guarded) {
	var done json.RawMessage // written before the guard returns without an error, or never read
	var settled atomic.Bool  // by whoever comes second: the claim or the end of the wait
	g := x.owner.guard(ctx, &x.prepared, "a once store", x.owner.timeoutOf(x.tool), func(ctx context.Context) error {
		found, err := store.Claim(ctx, key, x.digest())
		switch {
		case err != nil:
			return err
		case found != nil:
			done = found
		case !settled.CompareAndSwap(false, true):
			x.release(ctx, store, key)
		}
		return nil
	})
	if g.err != nil && !settled.CompareAndSwap(false, true) {
		x.release(ctx, store, key)
	}
	if g.err != nil {
		return nil, g
	}
	return done, g
}

// digest stands for what a key is used for: one with which other arguments, or another user's, come
// is refused, so that no result reaches anybody else.
func (x *execution) digest() string {
	p := &x.prepared
	text := []byte{'['}
	for _, s := range []string{p.name(), p.Caller.RunID, p.Caller.UserID, p.Caller.TenantID} {
		text = append(scan.AppendQuote(text, s), ',')
	}
	sum := sha256.Sum256(append(p.tool.plan.Canonical(text, p.text()), ']'))
	return hex.EncodeToString(sum[:])
}

// complete keeps what became of a call. A store that fails leaves the key claimed, so that the call
// is not made again; one that panics makes the call a failed one.
func (x *execution) complete(
	ctx context.Context, store OnceStore, key string, e *executed,
) *executed {
	kept := *e
	raw, err := json.Marshal(Executed{&kept})
	if err == nil {
		err = apart(ctx, storeLimit, func(ctx context.Context) error {
			return store.Complete(ctx, key, raw)
		})
	}
	return x.stored(ctx, e, err)
}

// stored is e, unless storing it panicked.
func (x *execution) stored(ctx context.Context, e *executed, err error) *executed {
	switch {
	case err == nil:
		return e
	case e.Failure != nil || !is(err, ErrPanic):
		x.storeFailed(ctx, err)
		return e
	}
	failed := *e
	failed.reply = reply{value: e.value, err: err, ran: true, panicked: true}
	x.fail(ctx, &failed)
	return &failed
}

func (x *execution) release(ctx context.Context, store OnceStore, key string) {
	err := apart(ctx, storeLimit, func(ctx context.Context) error { return store.Release(ctx, key) })
	if err != nil {
		x.storeFailed(ctx, err)
	}
}

// storeFailed writes a line about a store that failed and takes nothing from the call.
func (x *execution) storeFailed(ctx context.Context, err error) {
	x.owner.line(ctx, slog.LevelWarn, "jig: a store failed", slog.String("tool", x.name()),
		slog.String("call", x.CallID), slog.String("error_type", errorType(err)))
}

// conflict is for a call that the once store knows and that is not run.
func conflict(code string, cause error, text string) *failure {
	return &failure{Status: StatusSkipped, Code: code, Stage: stageExecute, Text: text, cause: cause}
}
