package jig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/jig-go/jig/internal/clip"
	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/scan"
)

// Output is what the model reads of a result. A tool whose Result is Output shapes it in Execute.
type Output struct {
	Parts []Part
}

// A Part is one piece of an Output: exactly one of Text, JSON and Data.
type Part struct {
	Text string          `json:",omitempty"`
	JSON json.RawMessage `json:",omitempty"`
	// Name is that of a file, for people and models. It is shortened to 80 bytes.
	Name string `json:",omitempty"`
	// MIME is the media type of Text or Data, such as image/png. For Data, empty means
	// application/octet-stream.
	MIME string `json:",omitempty"`
	// Data is an image or a file. A provider that does not take its type is told of it in text. The
	// cap does not count Data: all Data of an output together may have 5 MiB, and a part that is
	// too much is left out whole, with a note in its place.
	Data []byte `json:",omitempty"`
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
// nil slices as [], a time.Duration as "1m30s", fields tagged jig:"redact" replaced and those tagged
// jig:"hidden" left out. The usual way to shape a result is to return jig.JSON(view) from
// ToModelOutput. The error says which part of the value has no JSON form.
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

// Text returns the parts as one text, one below the other. Data is named, not shown.
func (o Output) Text() string {
	if len(o.Parts) == 1 {
		return o.Parts[0].text()
	}
	texts := make([]string, len(o.Parts))
	for i, p := range o.Parts {
		texts[i] = p.text()
	}
	return strings.Join(texts, "\n")
}

// size is len(o.Text()).
func (o Output) size() int {
	n := max(0, len(o.Parts)-1)
	for i := range o.Parts {
		n += o.Parts[i].size()
	}
	return n
}

func (p Part) text() string {
	switch {
	case len(p.Data) > 0:
		return p.label("")
	case p.JSON != nil:
		return string(p.JSON)
	}
	return p.Text
}

func (p *Part) size() int {
	switch {
	case len(p.Data) > 0:
		return len(p.label(""))
	case p.JSON != nil:
		return len(p.JSON)
	}
	return len(p.Text)
}

// label names Data in text: [image/png "chart.png", 5120 bytes].
func (p Part) label(note string) string {
	out := "[" + clip.Middle(p.MIME, 80)
	if p.Name != "" {
		out += " " + clip.Middle(strconv.Quote(p.Name), 84)
	}
	return out + ", " + strconv.Itoa(len(p.Data)) + " bytes" + note + "]"
}

// clone returns a copy that shares nothing which can be changed.
func (o Output) clone() Output {
	parts := slices.Clone(o.Parts)
	for i := range parts {
		parts[i].JSON = bytes.Clone(parts[i].JSON)
		parts[i].Data = bytes.Clone(parts[i].Data)
	}
	return Output{Parts: parts}
}

// textOf returns the text that the model gets of a result which it does not get as JSON: a string, and
// no result at all.
func (t *Tool) textOf(v reflect.Value) (text string, ok bool) {
	switch typ := t.view.shown; typ.Kind {
	case codec.String:
		return v.String(), true
	case codec.Any:
		if v = v.Elem(); !v.IsValid() || v.Kind() != reflect.String {
			return "", false
		}
		// The string's type may have a form of its own.
		inner, problems := codec.Of(v.Type(), "Result", codec.Results)
		return v.String(), len(problems) == 0 && inner.Kind == codec.String
	case codec.Struct:
		return doneText, len(typ.Fields) == 0 && t.result == reflect.TypeFor[NoResult]()
	}
	return "", false
}

const (
	// JSON of up to maxShort bytes, and of up to guessStep, is kept in one piece of memory with its part: the
	// allocator has sizes for both.
	maxShort, guessStep = 48, 64
	// maxDirect bounds the JSON that is written where it stays. Longer JSON is copied there.
	maxDirect = 512
	// maxBuffer is the largest buffer for longer JSON that is kept for later calls.
	maxBuffer = 1 << 20
)

// buffers are those in which long results are encoded.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// A lengthGuess is how long the next JSON of a tool probably is: as long as its last. It goes in steps, so
// that calls in parallel seldom write to it.
type lengthGuess struct{ length atomic.Int32 }

// saw notes the length of one.
func (g *lengthGuess) saw(n int) {
	switch {
	case n <= maxShort:
		n = maxShort
	case n > maxDirect:
		n = maxDirect + 1
	default:
		n = (n + guessStep - 1) / guessStep * guessStep
	}
	if n := int32(n); n != g.length.Load() {
		g.length.Store(n)
	}
}

// jsonOutput encodes a result and guards it.
func (t *Tool) jsonOutput(v reflect.Value) (Output, error) {
	n := int(t.view.guess.length.Load())
	if n > maxDirect {
		return t.longOutput(v)
	}
	parts, raw := jsonRoom(n)
	raw, err := t.appendResult(raw, v)
	if err != nil {
		return Output{}, err
	}
	t.view.guess.saw(len(raw))
	parts[0].JSON = raw[:len(raw):len(raw)]
	return t.guard(Output{Parts: parts}, true)
}

// jsonRoom returns a part and room for its JSON of n bytes.
func jsonRoom(n int) ([]Part, []byte) {
	switch {
	case n <= maxShort:
		short := &struct {
			parts [1]Part
			raw   [maxShort]byte
		}{}
		return short.parts[:], short.raw[:0]
	case n <= guessStep:
		short := &struct {
			parts [1]Part
			raw   [guessStep]byte
		}{}
		return short.parts[:], short.raw[:0]
	}
	return make([]Part, 1), make([]byte, 0, n)
}

// longOutput is jsonOutput with a copy of what is encoded, which leaves no room unused.
func (t *Tool) longOutput(v reflect.Value) (Output, error) {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	raw, err := t.appendResult((*buffer)[:0], v)
	if err != nil {
		return Output{}, err
	}
	if cap(raw) > cap(*buffer) && cap(raw) <= maxBuffer {
		*buffer = raw
	}
	t.view.guess.saw(len(raw))
	if t.view.projection == nil { // which makes new parts, that keep nothing of raw
		raw = bytes.Clone(raw)
	}
	return t.guard(Output{Parts: []Part{{JSON: raw}}}, true)
}

// appendResult appends the JSON of a result, as the model may see it.
func (t *Tool) appendResult(dst []byte, v reflect.Value) ([]byte, error) {
	raw, err := t.view.shown.Append(dst, v)
	// The encoder writes compact JSON. The check is for depth, which a Part has to be read back with.
	if err == nil && !t.view.shallow {
		_, err = codec.CheckJSON(raw)
	}
	return raw, err
}

// settleOutput makes an Output of an author fit to be sent: valid UTF-8, compact JSON, one kind of
// content in a part, never empty.
func settleOutput(o Output) (Output, error) {
	out := Output{Parts: make([]Part, 0, len(o.Parts))}
	size := 0
	for i, p := range o.Parts {
		settled, err := settlePart(p)
		if err != nil {
			return Output{}, fmt.Errorf("part %d: %w", i, err)
		}
		size += settled.size()
		out.Parts = append(out.Parts, settled)
	}
	if size == 0 {
		return Text(emptyText), nil
	}
	return out, nil
}

func settlePart(p Part) (Part, error) {
	out := Part{Name: clip.Middle(p.Name, 80)}
	if p.MIME != "" {
		if _, _, err := mime.ParseMediaType(p.MIME); err != nil {
			return Part{}, errors.New("its MIME is not a media type such as image/png")
		}
		out.MIME = p.MIME
	}
	switch {
	case p.Text != "" && (p.JSON != nil || len(p.Data) > 0), p.JSON != nil && len(p.Data) > 0:
		return Part{}, errors.New("it has more than one of Text, JSON and Data")
	case len(p.Data) > 0:
		out.Data = bytes.Clone(p.Data)
		if out.MIME == "" {
			out.MIME = "application/octet-stream"
		}
	case p.JSON != nil:
		checked, err := codec.CheckJSON(p.JSON)
		if err != nil {
			return Part{}, err
		}
		out.JSON = scan.Compact(nil, checked)
	default:
		out.Text = clip.Valid(p.Text)
	}
	return out, nil
}
