package jig

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/jig-go/jig/internal/scan"
)

// idempotencyKey returns the key under which further attempts of a call are the same call. Where run
// and call are known it follows from them, from the tool and the arguments that make the key, so that
// it is the same after a restart; else it is the random one. Requirement: fixKey was called.
func (p *prepared) idempotencyKey() string {
	if p.Caller.RunID == "" || p.CallID == "" {
		return p.Nonce.String()
	}
	text := scan.AppendQuote([]byte{'['}, p.Caller.RunID)
	text = scan.AppendQuote(append(text, ','), p.CallID)
	text = scan.AppendQuote(append(text, ','), p.name())
	text = p.appendKeyArgs(append(text, ','))
	sum := sha256.Sum256(append(text, ']'))
	return hex.EncodeToString(sum[:])
}

// fixKey gives a call a random key where none can be derived, unless it has one.
func (p *prepared) fixKey() {
	if p.Nonce == nil && (p.Caller.RunID == "" || p.CallID == "") {
		p.Nonce = &nonce{}
	}
}

// A nonce is a random key that is drawn when it is first asked for: most calls need none. A nil nonce
// is empty.
type nonce struct{ text atomic.Pointer[string] }

// String returns the key, the same each time.
func (n *nonce) String() string {
	if n == nil {
		return ""
	}
	if text := n.text.Load(); text != nil {
		return *text
	}
	text := rand.Text()
	n.text.CompareAndSwap(nil, &text)
	return *n.text.Load()
}

// MarshalText returns the key.
func (n *nonce) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText takes a key.
func (n *nonce) UnmarshalText(text []byte) error {
	key := string(text)
	n.text.Store(&key)
	return nil
}

// idempotencyKey is that of the call, for the tool: several goroutines of it may ask.
func (r *running) idempotencyKey() string {
	r.x.mu.Lock()
	r.x.fixKey()
	if extras := r.extra(); extras != nil {
		extras.keyRead = true
	}
	r.x.mu.Unlock()
	return r.x.idempotencyKey()
}

// usesKey reports whether the tool has asked for its key. Requirement: every attempt has ended.
func (x *execution) usesKey() bool {
	return x.extras != nil && x.extras.keyRead
}

// appendKeyArgs appends the canonical arguments that make the key.
func (p *prepared) appendKeyArgs(dst []byte) []byte {
	if len(p.tool.keyFields) == 0 {
		return p.tool.plan.Canonical(dst, p.text())
	}
	var args map[string]json.RawMessage
	if err := json.Unmarshal(p.tool.plan.Canonical(nil, p.text()), &args); err != nil {
		panic("jig: internal error: canonical arguments are no object: " + err.Error())
	}
	dst = append(dst, '{')
	for _, name := range p.tool.keyFields { // sorted
		if value, ok := args[name]; ok {
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ',')
			}
			dst = append(scan.AppendQuote(dst, name), ':')
			dst = append(dst, value...)
		}
	}
	return append(dst, '}')
}

// checkKeyFields refuses names that are no arguments, and sorts the others.
func (t *Tool) checkKeyFields() []Problem {
	var out []Problem
	for i, name := range t.keyFields {
		at := "KeyFields[" + strconv.Itoa(i) + "]"
		switch {
		case slices.Contains(t.keyFields[:i], name):
			out = append(out, Problem{Pointer: at, Message: "names " + strconv.Quote(name) + " again"})
		case t.input != nil && t.input.root.Property(name) == nil:
			out = append(out, Problem{Pointer: at, Message: "the arguments have no property " +
				strconv.Quote(name) + "; want the name of one, as in JSON"})
		}
	}
	if len(out) == 0 {
		slices.Sort(t.keyFields)
	}
	return out
}
