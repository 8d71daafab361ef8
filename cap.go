package jig

import (
	"bytes"
	"sort"
	"strconv"

	"github.com/jig-go/jig/internal/clip"
)

// An OverflowMode says what becomes of an output that is larger than the cap. The zero OverflowMode is
// OverflowTruncate.
type OverflowMode uint8

// The modes.
const (
	// OverflowTruncate cuts the output: JSON stays valid JSON, text says what is left out.
	OverflowTruncate OverflowMode = iota
	// OverflowError shows nothing of the output and asks the model for less. The outcome is failed,
	// with the code too_large, and Retryable if the tool only reads.
	OverflowError
	// OverflowStore keeps the whole output in Options.Artifacts and shows the model its beginning
	// with a handle, which the tool made by artifact.Reader reads.
	OverflowStore
)

var overflowNames = []string{"truncate", "error", "store"}

// String returns the mode's name: truncate, error or store.
func (m OverflowMode) String() string { return nameOf(overflowNames, "OverflowMode", uint8(m)) }

// A Cut says that an output was larger than the cap, and what was done about it.
type Cut struct {
	OriginalBytes int    // size of the whole text
	KeptBytes     int    // size of what the model reads, marker included
	OmittedItems  int    `json:",omitempty"` // array elements left out of JSON
	OmittedParts  int    `json:",omitempty"` // parts with Data that were left out
	Handle        string `json:",omitempty"` // under which the whole was stored
}

func (c *Cut) clone() *Cut {
	if c == nil {
		return nil
	}
	d := *c
	return &d
}

// A room is how much text the model gets for a call.
type room struct {
	bytes  int
	tokens int // zero: any number
	count  func(string) int
}

// minOutputTokens is the smallest token cap, that of the smallest byte cap.
const minOutputTokens = minOutputBytes / 4

func (r *Registry) room(t *Tool) room {
	m := room{bytes: r.outputCap(t), count: r.options.CountTokens}
	if r.options.MaxOutputTokens > 0 {
		m.tokens = max(r.options.MaxOutputTokens, minOutputTokens)
	}
	return m
}

// countTokens counts as the host says. Without a count, or with one that panics, four bytes are a token.
func (m room) countTokens(text string) (n int) {
	defer func() {
		if recover() != nil {
			n = estimateTokens(text)
		}
	}()
	if m.count == nil {
		return estimateTokens(text)
	}
	return m.count(text)
}

func estimateTokens(text string) int { return (len(text) + 3) / 4 }

// fits reports whether the model may have all of the output.
func (m room) fits(o Output) bool {
	return o.size() <= m.bytes && (m.tokens == 0 || m.countTokens(o.Text()) <= m.tokens)
}

// about is the number of bytes that fit, as far as the number of bytes tells.
func (m room) about() int {
	if m.tokens > 0 {
		return min(m.bytes, 4*m.tokens)
	}
	return m.bytes
}

// cut makes an output fit. What fits is returned as it is.
func (m room) cut(o Output) (Output, *Cut) {
	limit := m.bytes
	out, cut := capOutput(o, limit)
	if m.tokens == 0 {
		return out, cut
	}
	// Bytes say how many tokens there are only roughly, so the byte cap shrinks until the count is met.
	for range 20 {
		text := out.Text()
		n := m.countTokens(text)
		if n <= m.tokens {
			return out, cut
		}
		if limit = min(limit, len(text)) * m.tokens / n * 19 / 20; limit < minOutputBytes/4 {
			break
		}
		out, cut = capOutput(o, limit)
	}
	text := o.Text()
	n := sort.Search(m.bytes, func(n int) bool {
		head, _ := clip.Text(text, n+1)
		return m.countTokens(head) > m.tokens
	})
	head, _ := clip.Text(text, n)
	return Text(head), &Cut{OriginalBytes: len(text), KeptBytes: len(head)}
}

// capOutput makes the text of an Output fit limit bytes, markers included. What fits is returned as
// it is. JSON stays valid JSON.
func capOutput(o Output, limit int) (Output, *Cut) {
	whole := o.size()
	if whole <= limit {
		return o, nil
	}
	cut := &Cut{OriginalBytes: whole}
	out := Output{Parts: make([]Part, len(o.Parts))}
	level := waterLevel(o.Parts, limit)
	if level >= minOutputBytes || len(o.Parts) == 1 && len(o.Parts[0].Data) == 0 {
		for i, p := range o.Parts {
			var omitted int
			out.Parts[i], omitted = capPart(p, min(level, limit))
			cut.OmittedItems += omitted
		}
	} else {
		// Too many parts for markers of their own: they become one text, in which Data is named.
		text, _ := clip.Text(o.Text(), limit)
		out = Text(text)
		for _, p := range o.Parts {
			if len(p.Data) > 0 {
				cut.OmittedParts++
			}
		}
	}
	cut.KeptBytes = out.size()
	return out, cut
}

// waterLevel returns the largest size to which every larger part can be cut so that all parts, one
// below the other, fit the limit.
func waterLevel(parts []Part, limit int) int {
	room := limit - (len(parts) - 1)
	low, high := 0, limit
	for low < high {
		level := (low + high + 1) / 2
		sum := 0
		for _, p := range parts {
			sum += min(p.size(), level)
		}
		if sum <= room {
			low = level
		} else {
			high = level - 1
		}
	}
	return low
}

// capPart cuts one part. The label of Data is shorter than any limit it is given.
func capPart(p Part, limit int) (Part, int) {
	switch {
	case len(p.Data) > 0:
		return p, 0
	case p.JSON == nil:
		p.Text, _ = clip.Text(p.Text, limit)
		return p, 0
	}
	raw, cut := clip.JSON(p.JSON, limit)
	if cut == nil {
		return p, 0
	}
	p.JSON = bytes.Clone(raw)
	return p, cut.Omitted
}

// maxDataBytes bounds the Data of all parts of an output together.
const maxDataBytes = 5 << 20

// dropData replaces the parts whose Data is too much by notes, and returns how many it replaced.
func dropData(o Output) (Output, int) {
	total, dropped := 0, 0
	for i := range o.Parts {
		p := &o.Parts[i]
		if total+len(p.Data) <= maxDataBytes {
			total += len(p.Data)
			continue
		}
		if dropped == 0 {
			o = Output{Parts: append([]Part(nil), o.Parts...)}
		}
		dropped++
		o.Parts[i] = Part{Text: p.label(" left out: files of a result have room for " +
			strconv.Itoa(maxDataBytes) + " bytes in all")}
	}
	return o, dropped
}

// tooLargeError is an output over the cap where the tool wants that to be an error.
type tooLargeError struct{ size, limit int }

func (e *tooLargeError) Error() string {
	return "the output has " + strconv.Itoa(e.size) + " bytes, and about " + strconv.Itoa(e.limit) + " fit"
}

// tooLarge is for a tool whose output may not be cut.
func tooLarge(p *prepared, e *tooLargeError) *failure {
	f := &failure{Status: StatusFailed, Code: codeTooLarge, Stage: stageOutput, cause: e,
		Retryable: p.tool.effect == EffectRead}
	f.Text = p.name() + " did run, and its result is too large to be shown: " + e.Error() + "."
	if f.Retryable {
		f.Text += " Call it again with arguments that ask for less."
	} else {
		f.Text += " Do not assume that it did nothing."
	}
	return f
}
