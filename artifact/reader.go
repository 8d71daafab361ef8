// Package artifact keeps outputs that were too large for a model, and lets the model read them.
//
// A tool with jig.OverflowStore keeps an output over the cap in Options.Artifacts and gives the model
// a handle. [Memory] and [Dir] are such stores. [Reader] is the ready tool that reads a handle:
//
//	store := artifact.NewMemory(nil)
//	reg := jig.NewRegistry(&jig.Options{Artifacts: store})
//	err := reg.Add(export, artifact.Reader(store))
//
// What is stored is what the model may read: after ToModelOutput, Project and redaction. A handle is
// good for the run, user and tenant of the call that it was made in (jig.WithCaller), and until the
// store drops the artifact.
package artifact

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/reader"
)

// Reader returns the tool read_artifact, which reads what is in store page by page, and searches it. A
// page is as long as the cap of the call allows, so that none is ever cut or stored again. The store is
// that of Options.Artifacts. WithName and Group give the tool another name; the texts about stored
// outputs follow.
func Reader(store jig.ArtifactStore) *jig.Tool {
	if store == nil {
		panic("jig: artifact.Reader(nil): give it the store of Options.Artifacts")
	}
	return jig.MustDefine(jig.Spec[reader.Args, string]{
		Name:  "read_artifact",
		Title: "Read a stored output",
		Description: "Reads an output that was too large to be shown and was stored under an art: handle. " +
			"Call it when you need more of such an output than its beginning. It returns one page, with the " +
			"offset of the next; with search, it returns the places of a text, which is faster than reading " +
			"every page.",
		Effect:   jig.EffectRead,
		Approval: jig.ApprovalNever,
		Execute: func(ctx context.Context, args reader.Args) (string, error) {
			return read(ctx, store, args)
		},
	})
}

func read(ctx context.Context, store jig.ArtifactStore, args reader.Args) (string, error) {
	a, err := jig.ReadArtifact(ctx, store, args.Handle)
	switch {
	case errors.Is(err, jig.ErrNoArtifact):
		return "", jig.Errorf("Nothing is stored under this handle here. Use a handle exactly as a result " +
			"of this run gave it. If it did, the output has expired: make it again.")
	case err != nil:
		return "", err
	}
	text := clip.Valid(string(a.Data))
	if args.Offset > len(text) {
		return "", jig.Errorf("The offset %d is past the end: the output has %d bytes.", args.Offset, len(text))
	}
	limit := jig.CallInfo(ctx).MaxOutputBytes()
	if args.Search != "" {
		return search(text, args, limit), nil
	}
	return page(text, args.Offset, limit), nil
}

// headRoom is more than the first line of a page or of a list of places takes.
const headRoom = 110

// page returns the text from offset on, as far as it fits, under a line that says what it is.
func page(text string, offset, limit int) string {
	for offset > 0 && offset < len(text) && !utf8.RuneStart(text[offset]) {
		offset--
	}
	body := clip.Head(text[offset:], limit-headRoom)
	// A page ends with a line, where one ends in its last fifth.
	if end := strings.LastIndexByte(body, '\n') + 1; offset+len(body) < len(text) && end > len(body)*4/5 {
		body = body[:end]
	}
	next := offset + len(body)
	if next == len(text) {
		return fmt.Sprintf("[bytes %d to %d of %d; this is the end]\n%s", offset, next, len(text), body)
	}
	return fmt.Sprintf("[bytes %d to %d of %d; next offset %d]\n%s", offset, next, len(text), next, body)
}

// around is how many bytes of text are shown on each side of a place.
const around = 40

// search returns the places of a text from an offset on, as far as they fit.
func search(text string, args reader.Args, limit int) string {
	haystack, needle := lower(text), lower(args.Search)
	room := limit - headRoom
	var lines []string
	next := -1 // where to go on, if not all fit
	for from := args.Offset; ; {
		i := strings.Index(haystack[from:], needle)
		if i < 0 {
			break
		}
		at := from + i
		line := fmt.Sprintf("offset %d: %s", at, surroundings(text, at, len(needle)))
		if room -= len(line) + 1; room < 0 {
			next = at
			break
		}
		lines = append(lines, line)
		from = at + len(needle)
	}
	places := "places"
	if len(lines) == 1 {
		places = "place"
	}
	head := fmt.Sprintf("[%d %s in %d bytes, from offset %d", len(lines), places, len(text), args.Offset)
	if next >= 0 {
		head += fmt.Sprintf("; more: search again from offset %d", next)
	}
	return strings.Join(append([]string{head + "]"}, lines...), "\n")
}

// surroundings is the text around a place, in one line. A long needle is shortened.
func surroundings(text string, at, length int) string {
	from, to := max(0, at-around), min(len(text), at+min(length, around)+around)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	oneLine := func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}
	return strings.Map(oneLine, text[from:to])
}

// lower folds the case of ASCII letters alone, so that every offset stays.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
