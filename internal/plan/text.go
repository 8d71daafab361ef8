package plan

import (
	"reflect"
	"unicode/utf8"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/scan"
)

func (d *run) text(r *rule, t *codec.Type, v reflect.Value) {
	d.textOf(r, t, v, d.cur.RawString())
}

// textOf is text for a string that was read.
func (d *run) textOf(r *rule, t *codec.Type, v reflect.Value, raw []byte) {
	b := scan.Unquote(raw)
	if r.enum != nil {
		if _, ok := r.enum.text(b); !ok {
			d.unlisted(r.enum, raw)
			return
		}
	}
	filled := false // a failure to fill v is the failure of the text check
	if r.str != nil {
		before := d.total
		d.characters(r.str, b, raw)
		if d.total > before {
			return // one complaint: what the Go type reads is what the keywords say
		}
		filled = v.IsValid() && r.str.text != nil && r.str.text.Type == t.Go
		if text := r.str.text; text != nil && !filled && !text.Valid(string(b)) {
			d.unreadable("format", raw, text.Want)
			return
		}
	}
	switch {
	case !v.IsValid(), d.total > 0 && t.Kind == codec.String: // nothing to fill, or nobody will read it
	case t.FillString(v, string(b)):
	case filled && d.quiet == 0:
		d.unreadable("format", raw, r.str.text.Want)
	default:
		d.unfit(r, raw)
	}
}

// characters checks a string by the keywords.
func (d *run) characters(r *stringRule, b, raw []byte) {
	if r.min >= 0 || r.max >= 0 {
		n := utf8.RuneCount(b)
		if n < r.min {
			d.outside("minLength", raw, r.wantMin)
		}
		if r.max >= 0 && n > r.max {
			d.outside("maxLength", raw, r.wantMax)
		}
	}
	if r.pattern != nil && !r.pattern.Match(b) {
		d.unmatched(r, b, raw)
	}
	if r.format != nil && !r.format(string(b)) {
		d.unreadable("format", raw, formatWant(r.name))
	}
}

// unmatched records a string that does not match the pattern.
func (d *run) unmatched(r *stringRule, b, raw []byte) {
	if t := r.text; t != nil && t.Want != fieldText && !t.Valid(string(b)) {
		d.unreadable("pattern", raw, t.Want) // more help than a pattern made for the type
	} else if d.refuses("pattern") {
		d.because(sayPattern(d.words, d.sample(raw), r.pattern.String()))
	}
}

// unreadable records a string that has not the wanted form.
func (d *run) unreadable(keyword string, raw []byte, want string) {
	if d.refuses(keyword) {
		d.because(sayFormat(d.words, d.sample(raw), want))
	}
}
