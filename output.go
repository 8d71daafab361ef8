package jig

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/scan"
)

// Output is what the model reads of a result.
type Output struct {
	Parts []Part
}

// A Part is one piece of an Output: text, or a JSON value.
type Part struct {
	Text string          `json:",omitempty"` // used when JSON is nil
	JSON json.RawMessage `json:",omitempty"`
}

// UnmarshalJSON reads a part. encoding/json escapes <, > and & in a JSON value on its way out; here
// they come back as they were, so that the model reads the same bytes in every process.
func (p *Part) UnmarshalJSON(data []byte) error {
	type plain Part
	if err := json.Unmarshal(data, (*plain)(p)); err != nil {
		return err
	}
	if p.JSON == nil {
		return nil
	}
	checked, err := scan.Check(p.JSON, scan.Limits{Bytes: len(p.JSON), Depth: maxValueDepth})
	if err != nil {
		return err
	}
	p.JSON = scan.Compact(nil, checked)
	return nil
}

// Text returns an Output of one text, which the model reads verbatim.
func Text(text string) Output { return Output{Parts: []Part{{Text: text}}} }

// JSON returns an Output of one value, encoded as tool results are: compact, without HTML escapes,
// nil slices as [], a time.Duration as "1m30s". The usual way to shape a result is to return
// jig.JSON(view) from ToModelOutput. The error says which part of the value has no JSON form.
func JSON(v any) (Output, error) {
	raw, err := codec.Marshal(v)
	if err != nil {
		return Output{}, err
	}
	return Output{Parts: []Part{{JSON: raw}}}, nil
}

// The texts for results that have none.
const (
	emptyText = "(no output)"
	doneText  = "done"
)

// Text returns the parts as one text, one below the other.
func (o Output) Text() string {
	texts := make([]string, len(o.Parts))
	for i, p := range o.Parts {
		texts[i] = p.text()
	}
	return strings.Join(texts, "\n")
}

func (p Part) text() string {
	if p.JSON != nil {
		return string(p.JSON)
	}
	return p.Text
}

func (p Part) size() int {
	if p.JSON != nil {
		return len(p.JSON)
	}
	return len(p.Text)
}

// clone returns a copy that shares nothing which can be changed.
func (o Output) clone() Output {
	parts := slices.Clone(o.Parts)
	for i := range parts {
		parts[i].JSON = bytes.Clone(parts[i].JSON)
	}
	return Output{Parts: parts}
}

// encodeResult is the model's view of a result without a ToModelOutput: a string as it is, all else
// as JSON.
func encodeResult(typ *codec.Type, v reflect.Value) (Output, error) {
	switch {
	case v.Type() == reflect.TypeFor[NoResult]():
		return Text(doneText), nil
	case typ.Kind == codec.String:
		return Text(v.String()), nil
	case typ.Kind == codec.Any && v.Elem().IsValid() && v.Elem().Kind() == reflect.String:
		// The string's type may have a form of its own.
		inner, problems := codec.Of(v.Elem().Type(), "Result", codec.Results)
		if len(problems) == 0 && inner.Kind == codec.String {
			return Text(v.Elem().String()), nil
		}
	}
	raw, err := typ.Append(nil, v)
	if err != nil {
		return Output{}, err
	}
	return Output{Parts: []Part{{JSON: raw}}}, nil
}

// settleOutput makes an Output of an author fit to be sent: valid UTF-8, compact JSON, never empty.
func settleOutput(o Output) (Output, error) {
	out := Output{Parts: make([]Part, 0, len(o.Parts))}
	size := 0
	for i, p := range o.Parts {
		size += p.size()
		if p.JSON == nil {
			out.Parts = append(out.Parts, Part{Text: clip.Valid(p.Text)})
			continue
		}
		checked, err := scan.Check(p.JSON, scan.Limits{Bytes: len(p.JSON), Depth: maxValueDepth})
		if err != nil {
			return Output{}, fmt.Errorf("part %d: %w", i, err)
		}
		out.Parts = append(out.Parts, Part{JSON: scan.Compact(nil, checked)})
	}
	if size == 0 {
		return Text(emptyText), nil
	}
	return out, nil
}

// A Cut says that an output was larger than the cap.
type Cut struct {
	OriginalBytes int // size of the whole text
	KeptBytes     int // size of what the model reads, marker included
	OmittedItems  int `json:",omitempty"` // array elements left out of JSON
}

func (c *Cut) clone() *Cut {
	if c == nil {
		return nil
	}
	d := *c
	return &d
}

// capOutput makes the text of an Output fit limit bytes, markers included. What fits is returned as
// it is. JSON stays valid JSON.
func capOutput(o Output, limit int) (Output, *Cut) {
	whole := len(o.Text())
	if whole <= limit {
		return o, nil
	}
	cut := &Cut{OriginalBytes: whole}
	out := Output{Parts: make([]Part, len(o.Parts))}
	if level := waterLevel(o.Parts, limit); len(o.Parts) == 1 || level >= minOutputBytes {
		for i, p := range o.Parts {
			var omitted int
			out.Parts[i], omitted = capPart(p, min(level, limit))
			cut.OmittedItems += omitted
		}
	} else {
		// Too many parts for markers of their own: they become one text.
		text, _ := clip.Text(o.Text(), limit)
		out = Text(text)
	}
	cut.KeptBytes = len(out.Text())
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

func capPart(p Part, limit int) (Part, int) {
	if p.JSON == nil {
		text, _ := clip.Text(p.Text, limit)
		return Part{Text: text}, 0
	}
	raw, cut := clip.JSON(p.JSON, limit)
	if cut == nil {
		return p, 0
	}
	return Part{JSON: bytes.Clone(raw)}, cut.Omitted
}
