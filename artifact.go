package jig

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/reader"
	"github.com/jig-go/jig/internal/scan"
)

// ErrNoArtifact is returned for a handle under which nothing is stored for the run and the user of
// the call: one that was made up, belongs to others, or has expired.
var ErrNoArtifact = errors.New("no artifact has this handle here")

// An Artifact is an output that was too large for the model: redacted, projected text.
type Artifact struct {
	MIME string // application/json or text/plain
	Data []byte
}

// An ArtifactStore keeps the outputs of tools with OverflowStore. Package artifact has two, and
// contrib/blob one for hosts on more than one machine. It must be safe for concurrent use.
//
// A key has 64 characters of 0-9a-f. It is made of a handle and of the run, user and tenant that the
// handle is for, so that a store needs no check of its own, and whoever lists its keys learns no
// handle.
type ArtifactStore interface {
	// Put keeps an artifact. It may keep a's Data, which nobody changes.
	Put(ctx context.Context, key string, a Artifact) error
	// Get returns what was put. The error is ErrNoArtifact, wrapped or not, where that is nothing,
	// or no longer anything.
	Get(ctx context.Context, key string) (Artifact, error)
}

// ReadArtifact returns what is stored under a handle for the caller of ctx. Most users add
// artifact.Reader to their registry; ReadArtifact is for tools that read artifacts themselves, and for
// hosts, with a context from [WithCaller].
func ReadArtifact(ctx context.Context, store ArtifactStore, handle string) (Artifact, error) {
	caller := callerOf(ctx)
	if info := CallInfo(ctx); info.p != nil {
		caller = info.p.Caller
	}
	return store.Get(ctx, artifactKey(*caller, handle))
}

const handlePrefix = "art:"

// artifactKey hashes a handle with what it is scoped to.
func artifactKey(c Caller, handle string) string {
	text := scan.AppendQuote([]byte{'['}, handle)
	for _, s := range []string{c.RunID, c.UserID, c.TenantID} {
		text = scan.AppendQuote(append(text, ','), s)
	}
	sum := sha256.Sum256(append(text, ']'))
	return hex.EncodeToString(sum[:])
}

// previewRunes is how much of a stored output the model gets at once.
const previewRunes = 200

// store keeps an output in the artifact store and returns what the model gets in its place. Data stays
// in the output: the cap does not count it.
func (r *Registry) store(ctx context.Context, p *prepared, o Output, m room) (Output, *Cut, error) {
	text, mime := o.Text(), "text/plain"
	if len(o.Parts) == 1 && o.Parts[0].JSON != nil {
		mime = "application/json"
	}
	handle := handlePrefix + rand.Text()
	err := r.options.Artifacts.Put(ctx, artifactKey(*p.Caller, handle), Artifact{mime, []byte(text)})
	if err != nil {
		return Output{}, nil, err
	}
	note := "[" + strconv.Itoa(len(text)) + " bytes stored as " + handle
	if name := r.readerName(); name != "" {
		note += "; read them with " + name
	} else {
		note += "; the rest cannot be read"
	}
	note += ". They begin:]\n"
	out, left := Output{Parts: make([]Part, 1)}, m.about()-len(note)
	for _, part := range o.Parts {
		if len(part.Data) > 0 {
			out.Parts = append(out.Parts, part)
			left -= part.size() + len("\n")
		}
	}
	out.Parts[0].Text = note + preview(text, left)
	out, _ = m.cut(out) // a note is short, but what counts as a token is the host's
	return out, &Cut{OriginalBytes: len(text), KeptBytes: out.size(), Handle: handle}, nil
}

// preview is a head of previewRunes runes and at most limit bytes.
func preview(text string, limit int) string {
	n := 0
	for i := range text {
		if n == previewRunes {
			text = text[:i]
			break
		}
		n++
	}
	return clip.Head(text, limit)
}

// readerName returns the name of the tool that reads artifacts, or "".
func (r *Registry) readerName() string {
	for t := range r.All() {
		if t.args == reader.ArgsType {
			return t.Name()
		}
	}
	return ""
}
