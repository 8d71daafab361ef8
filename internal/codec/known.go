package codec

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"reflect"
	"strconv"
	"time"

	"github.com/jig-go/jig/internal/scan"
)

// text says how a Text or Quoted type is written as a string.
type text struct {
	parse func(v reflect.Value, s string) error // fills v
	form  func(v reflect.Value) (string, error) // writes v
	want  string                                // what a right value is, for a message
	plain bool                                  // form calls no method of a type of others
	// What the schema says of the string. The rest is checked by parse.
	pattern, format, description, encoding string
	enum                                   []string
}

// DurationPattern matches what time.Duration's String writes and time.ParseDuration reads: signs,
// whole and fractional numbers and units. A bare number has no unit and does not match.
const DurationPattern = `^-?([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`

var timeText = text{
	parse: func(v reflect.Value, s string) error {
		return v.Addr().Interface().(*time.Time).UnmarshalText([]byte(s))
	},
	form: func(v reflect.Value) (string, error) {
		b, err := v.Interface().(time.Time).MarshalText()
		return string(b), err
	},
	plain:  true,
	want:   `a date-time such as "2006-01-02T15:04:05Z"`,
	format: "date-time",
}

var durationText = text{
	parse: func(v reflect.Value, s string) error {
		d, err := time.ParseDuration(s)
		v.SetInt(int64(d))
		return err
	},
	form: func(v reflect.Value) (string, error) {
		return time.Duration(v.Int()).String(), nil
	},
	plain:       true,
	want:        `a duration such as "1m30s"`,
	pattern:     DurationPattern,
	description: `Duration such as "1m30s" or "250ms".`,
}

// base64Text is the form of byte slices. Providers drop contentEncoding, so the description says it.
var base64Text = text{
	parse: func(v reflect.Value, s string) error {
		b, err := base64.StdEncoding.Strict().DecodeString(s)
		v.SetBytes(b)
		return err
	},
	form: func(v reflect.Value) (string, error) {
		return base64.StdEncoding.EncodeToString(v.Bytes()), nil
	},
	plain:       true,
	want:        "base64",
	encoding:    "base64",
	description: "Base64-encoded bytes.",
}

var urlText = text{
	parse: func(v reflect.Value, s string) error {
		u, err := url.Parse(s)
		if err == nil {
			v.Set(reflect.ValueOf(*u))
		}
		return err
	},
	form: func(v reflect.Value) (string, error) {
		u := v.Interface().(url.URL)
		return u.String(), nil
	},
	plain:       true,
	want:        `a URL such as "https://example.com/path"`,
	description: "URL.",
}

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
	rawType      = reflect.TypeFor[json.RawMessage]()
	numberType   = reflect.TypeFor[json.Number]()
	urlType      = reflect.TypeFor[url.URL]()
	bigIntType   = reflect.TypeFor[big.Int]()
)

// known fills in the types of the standard library whose form their methods do not tell, or tell
// differently from what a model can be asked for. The others with text methods (netip.Addr, net.IP,
// big.Float ...) need no entry.
func known(typ *Type) bool {
	switch typ.Go {
	case timeType:
		typ.Kind, typ.text = Text, &timeText
	case durationType:
		typ.Kind, typ.text = Text, &durationText
	case urlType:
		typ.Kind, typ.text = Text, &urlText
	case rawType:
		typ.Kind = Raw
	case numberType:
		typ.Kind = Number
	case bigIntType:
		typ.Kind = BigInt
	default:
		return false
	}
	return true
}

// methods says which of the four methods a type or a pointer to it has.
type methods struct{ marshalJSON, unmarshalJSON, marshalText, unmarshalText bool }

// methodless reports whether neither a type nor a pointer to it has methods. One of Go's own, or one that
// is spelled out where it stands, has none, so that no pointer type is looked up, but for a struct, which
// has those of what it embeds. Requirement: t is no interface and no pointer.
func methodless(t reflect.Type) bool {
	return t.PkgPath() == "" && t.Kind() != reflect.Struct || reflect.PointerTo(t).NumMethod() == 0
}

// methodsOf returns which of them a type has. Requirement: as for methodless.
func methodsOf(t reflect.Type) methods {
	if methodless(t) {
		return methods{}
	}
	p := reflect.PointerTo(t)
	return methods{
		marshalJSON:   p.Implements(reflect.TypeFor[json.Marshaler]()),
		unmarshalJSON: p.Implements(reflect.TypeFor[json.Unmarshaler]()),
		marshalText:   p.Implements(reflect.TypeFor[encoding.TextMarshaler]()),
		unmarshalText: p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()),
	}
}

// quotesText reports whether the JSON of a type with JSON methods is its text in quotes, as that of
// decimals and ids is. The zero value shows which; a type that cannot write it is not one of them.
func quotesText(t reflect.Type, m methods) (yes bool) {
	if !m.unmarshalText || !m.marshalText {
		return false
	}
	if !m.marshalJSON {
		return true
	}
	defer func() {
		if recover() != nil {
			yes = false
		}
	}()
	v := reflect.New(t).Interface()
	text, err := v.(encoding.TextMarshaler).MarshalText()
	if err != nil {
		return false
	}
	raw, err := v.(json.Marshaler).MarshalJSON()
	return err == nil && string(raw) == string(scan.AppendQuote(nil, text))
}

// textOf is the form of a type with its own text methods.
func textOf(m methods) *text {
	t := &text{
		parse: func(v reflect.Value, s string) error {
			return v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(s))
		},
		form: func(v reflect.Value) (string, error) {
			b, err := addressable(v).Interface().(encoding.TextMarshaler).MarshalText()
			return string(b), err
		},
		want: "text that this field can read",
	}
	if !m.marshalText {
		t.form = func(v reflect.Value) (string, error) {
			return "", fmt.Errorf("type %s has UnmarshalText and no MarshalText, so that a value "+
				"cannot be written; add a MarshalText", v.Type())
		}
	}
	return t
}

// addressable returns a pointer to v, or to a copy of it, so that methods with a pointer receiver
// are found.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v.Addr()
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p
}

// quotedText is the form of a field with the ",string" option: the JSON text of the value as the
// content of a string, as encoding/json writes it.
func quotedText(elem *Type) *text {
	t := &text{
		parse: func(v reflect.Value, s string) error { return parseQuoted(elem, v, s) },
		form: func(v reflect.Value) (string, error) {
			b, err := elem.Append(nil, v)
			return string(b), err
		},
	}
	switch elem.Kind {
	case Bool:
		t.enum = []string{"true", "false"}
		t.want = `"true" or "false"`
	case Int:
		// -0 is left out: as a map key it would be a second name for 0.
		t.pattern, t.want = `^(0|-?[1-9][0-9]*)$`, `an integer in a string, such as "42"`
	case Uint:
		t.pattern, t.want = `^(0|[1-9][0-9]*)$`, `an integer in a string, such as "42"`
	case Float:
		t.pattern = `^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`
		t.want = `a number in a string, such as "1.5"`
	case String:
		t.want = `a JSON string inside a string, such as "\"text\""`
		t.description = "A JSON string, quotes included, inside this string."
	}
	return t
}

func parseQuoted(elem *Type, v reflect.Value, s string) error {
	checked, err := scan.Check([]byte(s), scan.Limits{Bytes: len(s) + 1, Depth: 1})
	if err != nil {
		return err
	}
	if len(checked) != len(s) {
		return strconv.ErrSyntax
	}
	c := scan.NewCursor(checked)
	switch kind := c.Kind(); {
	case elem.Kind == Bool && kind == scan.Bool:
		v.SetBool(c.Bool())
	case elem.Kind == String && kind == scan.String:
		v.SetString(c.Text())
	case kind == scan.Number && elem.FillNumber(v, c.Number()):
	default:
		return strconv.ErrSyntax
	}
	return nil
}

// nilReader reports whether a struct reads text by the method of an embedded pointer, which is nil in
// a new value, so that no text can be read.
func nilReader(t reflect.Type, x *text) (yes bool) {
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Pointer &&
			f.Type.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
			defer func() { yes = recover() != nil }()
			_ = x.parse(reflect.New(t).Elem(), "")
		}
	}
	return false
}
