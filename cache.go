package jig

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/jig-go/jig/internal/scan"
)

// A CacheStore keeps what reads with a Spec.CacheTTL returned to the model, for Options.Cache. It
// has to be safe for concurrent use. A key has 64 characters of 0-9a-f. What it stands for is one
// tool with its arguments, caller and limits: a store needs no check of its own.
type CacheStore interface {
	// Get returns what Set was given, or nil if that is nothing, or too old. A call whose Get returns
	// an error is made as if there were nothing.
	Get(ctx context.Context, key string) (json.RawMessage, error)
	// Set keeps a value for the time to live. It holds what the model may see and no more.
	Set(ctx context.Context, key string, value json.RawMessage, ttl time.Duration) error
}

// cacheVersion changes when the meaning of a key or the form of a value does.
const cacheVersion = 1

// usesCache reports whether the cache serves the call.
func (x *execution) usesCache() bool {
	return x.owner.options.Cache != nil && x.tool.effect == EffectRead && x.tool.cacheTTL > 0
}

// cacheKey returns the key of a call that the cache serves. It covers whatever makes the model's view, as
// far as it can be told, and the caller without its run.
func (x *execution) cacheKey() string {
	p, t := &x.prepared, x.tool
	m := x.owner.room(t)
	text := append([]byte{'['}, strconv.Itoa(cacheVersion)...)
	text = scan.AppendQuote(append(text, ','), t.Fingerprint())
	for _, list := range [][]string{t.project, t.redact} {
		text = append(text, ',', '[')
		for i, path := range list {
			if i > 0 {
				text = append(text, ',')
			}
			text = scan.AppendQuote(text, path)
		}
		text = append(text, ']')
	}
	for _, n := range []int{m.bytes, m.tokens, int(t.overflow)} {
		text = strconv.AppendInt(append(text, ','), int64(n), 10)
	}
	text = p.tool.plan.Canonical(append(text, ','), p.text())
	text = scan.AppendQuote(append(text, ','), p.Caller.UserID)
	text = scan.AppendQuote(append(text, ','), p.Caller.TenantID)
	for _, name := range slices.Sorted(maps.Keys(p.Caller.Metadata)) {
		text = scan.AppendQuote(append(text, ','), name)
		text = scan.AppendQuote(append(text, ','), p.Caller.Metadata[name])
	}
	sum := sha256.Sum256(append(text, ']'))
	return hex.EncodeToString(sum[:])
}

// cached answers a call from the cache, or makes it and keeps what came of it.
func (x *execution) cached(ctx context.Context, key string, e *executed) *executed {
	store := x.owner.options.Cache
	var found json.RawMessage // written before the guard returns without an error, or never read
	g := x.owner.guard(ctx, &x.prepared, "a cache", x.owner.timeoutOf(x.tool), func(ctx context.Context) error {
		raw, err := store.Get(ctx, key)
		if err == nil {
			found = raw
		}
		return err
	})
	switch {
	case g.panicked:
		return x.broken(ctx, g)
	case g.err != nil:
		x.storeFailed(ctx, g.err)
	case found != nil:
		if known := hit(found); known != nil {
			return known
		}
	}
	e = x.make(ctx, e)
	if !cacheable(e) {
		return e
	}
	raw, err := json.Marshal(Executed{cachedOf(e)})
	if err == nil {
		err = apart(ctx, storeLimit, func(ctx context.Context) error {
			return store.Set(ctx, key, raw, x.tool.cacheTTL)
		})
	}
	return x.stored(ctx, e, err)
}

// hit reads what was kept, and returns nil for what is not of ours.
func hit(raw json.RawMessage) *executed {
	var kept Executed
	if err := json.Unmarshal(raw, &kept); err != nil || !kept.e.Cached || kept.e.Failure != nil ||
		len(kept.e.Output.Parts) == 0 {
		return nil
	}
	return cachedOf(kept.e)
}

// cachedOf is the part of e that a hit has.
func cachedOf(e *executed) *executed {
	return &executed{attempt: attempt{reply: reply{Output: e.Output, Cut: e.Cut}}, Cached: true}
}

// handleShape is that of a handle of an artifact.
var handleShape = regexp.MustCompile(handlePrefix + `[A-Z2-7]{26}`)

// cacheable reports whether what came of a call may be shown to other runs: no error, nothing that
// a hit would lack, and no handle, since that belongs to its run.
func cacheable(e *executed) bool {
	if e.Failure != nil || e.Attempts == 0 || len(e.attachments) > 0 ||
		e.Cut != nil && e.Cut.Handle != "" {
		return false
	}
	return !slices.ContainsFunc(e.Output.Parts, func(p Part) bool {
		return handleShape.MatchString(p.Text) || handleShape.MatchString(p.Name) ||
			handleShape.Match(p.JSON) || handleShape.Match(p.Data)
	})
}
