package jig

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/internal/general"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// oddText panics in every method.
type oddText struct{ _ int }

func (oddText) MarshalText() ([]byte, error) { panic("marshal") }
func (*oddText) UnmarshalText([]byte) error  { panic("unmarshal") }

// TestDefineContainsPanics pins that a panic in a method of a type is a problem of the definition.
func TestDefineContainsPanics(t *testing.T) {
	type withDefault struct {
		T oddText `json:"t,omitempty" jsonschema:"default=x"`
	}
	_, err := Define(Spec[withDefault, NoResult]{Name: "x", Description: "d",
		Execute: func(context.Context, withDefault) (NoResult, error) { return NoResult{}, nil }})
	require.EqualError(t, err, `jig: tool "x": Args.T: the default value "x" is refused by the `+
		`field's own schema: got "x", want text that this field can read`)
	_, err = SchemaFor[withDefault]()
	require.EqualError(t, err, "jig: schema: withDefault.T: the default value \"x\" is refused by the "+
		"field's own schema: got \"x\", want text that this field can read")

	type plain struct {
		T oddText `json:"t"`
	}
	_, err = Define(Spec[plain, NoResult]{Name: "x", Description: "d", Examples: []plain{{}},
		Execute: func(context.Context, plain) (NoResult, error) { return NoResult{}, nil }})
	require.EqualError(t, err, `jig: tool "x": Examples[0]: a method of its type panicked: marshal`)
}

// Types of every kind that no fuzzer can build, since they have names.
type (
	selfStruct  struct{ Next, Other *selfStruct }
	selfMap     map[string]selfMap
	selfSlice   []selfSlice
	selfPointer *selfPointer
	selfFunc    func(selfFunc) selfFunc
	selfArray   [2]*selfArray
	selfKey     struct{ M *map[selfKey]int }
	ping        struct{ Pong map[string][]pong }
	pong        struct{ Ping *ping }
	box[T any]  struct {
		Item  T       `json:"item"`
		Boxes *box[T] `json:"boxes,omitempty"`
	}
	hiddenPart struct{ Part int }
	embedding  struct {
		*hiddenPart
		ping
	}
	level  int
	custom struct{ N int }
)

func (l level) MarshalText() ([]byte, error) { return []byte(strconv.Itoa(int(l))), nil }
func (l *level) UnmarshalText(b []byte) error {
	n, err := strconv.Atoi(string(b))
	*l = level(n)
	return err
}
func (custom) MarshalJSON() ([]byte, error) { return []byte("7"), nil }
func (*custom) UnmarshalJSON([]byte) error  { return nil }

var namedTypes = []reflect.Type{
	reflect.TypeFor[selfStruct](), reflect.TypeFor[selfMap](), reflect.TypeFor[selfSlice](),
	reflect.TypeFor[selfPointer](), reflect.TypeFor[selfFunc](), reflect.TypeFor[selfArray](),
	reflect.TypeFor[selfKey](), reflect.TypeFor[ping](), reflect.TypeFor[box[pong]](),
	reflect.TypeFor[box[[]string]](), reflect.TypeFor[embedding](), reflect.TypeFor[level](),
	reflect.TypeFor[custom](), reflect.TypeFor[oddText](), reflect.TypeFor[time.Time](),
	reflect.TypeFor[time.Duration](), reflect.TypeFor[url.URL](), reflect.TypeFor[netip.Addr](),
	reflect.TypeFor[big.Int](), reflect.TypeFor[big.Float](), reflect.TypeFor[json.Number](),
	reflect.TypeFor[json.RawMessage](), reflect.TypeFor[error](), reflect.TypeFor[any](),
	reflect.TypeFor[fmt.Stringer](), reflect.TypeFor[unsafe.Pointer](), reflect.TypeFor[NoResult](),
	reflect.TypeFor[Output](), reflect.TypeFor[reflect.Value](), reflect.TypeFor[[]byte](),
}

var basicTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](),
	reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](),
	reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[complex64](),
	reflect.TypeFor[complex128](), reflect.TypeFor[string](),
}

var tagParts = []string{
	"", "minimum=1", "maximum=9", "minLength=2", "maxLength=4", "pattern=^[a-z]{1,3}$", "enum=1",
	"enum=2", "default=1", "default=a", "nullable", "required", "uniqueItems=true", "minItems=1",
	"maxItems=2", "multipleOf=3", "format=date-time", "format=uuid", "title=T", "description=D",
	"minimun=3", "exclusiveMinimum=0", "enum=a", "example=1", "free text", "default=null", "default=[]",
}

// A source turns fuzz bytes into decisions; spent, it always decides for the first.
type source struct{ data []byte }

func (s *source) pick(n int) int {
	if len(s.data) == 0 {
		return 0
	}
	b := s.data[0]
	s.data = s.data[1:]
	return int(b) % n
}

func (s *source) text() string {
	n := min(s.pick(16), len(s.data))
	text := string(s.data[:n])
	s.data = s.data[n:]
	return text
}

// typ builds a type. Requirement of reflect: map keys are comparable.
func (s *source) typ(depth int) reflect.Type {
	if depth == 0 {
		return basicTypes[s.pick(len(basicTypes))]
	}
	switch s.pick(16) {
	case 0:
		return reflect.SliceOf(s.typ(depth - 1))
	case 1:
		return reflect.PointerTo(s.typ(depth - 1))
	case 2:
		return reflect.ArrayOf(s.pick(4), s.typ(depth-1))
	case 3:
		key := s.typ(depth - 1)
		if !key.Comparable() {
			key = reflect.TypeFor[string]()
		}
		return reflect.MapOf(key, s.typ(depth-1))
	case 4:
		return reflect.FuncOf([]reflect.Type{s.typ(depth - 1)}, nil, false)
	case 5:
		return reflect.ChanOf(reflect.BothDir, s.typ(depth-1))
	case 6, 7:
		return s.structure(depth)
	case 8:
		return namedTypes[s.pick(len(namedTypes))]
	}
	return basicTypes[s.pick(len(basicTypes))]
}

func (s *source) structure(depth int) reflect.Type {
	fields := make([]reflect.StructField, s.pick(5))
	for i := range fields {
		fields[i] = reflect.StructField{Name: "F" + strconv.Itoa(i), Type: s.typ(depth - 1), Tag: s.tag()}
	}
	return reflect.StructOf(fields)
}

func (s *source) tag() reflect.StructTag {
	names := []string{"", "a", "b", "-", "-,", "x/y", "type", "$ref", s.text()}
	options := []string{"", ",omitempty", ",omitzero", ",string", ",omitempty,string"}
	name := names[s.pick(len(names))] + options[s.pick(len(options))]
	parts := []string{tagParts[s.pick(len(tagParts))], tagParts[s.pick(len(tagParts))]}
	switch s.pick(6) {
	case 0:
		return reflect.StructTag(fmt.Sprintf("json:%q", name))
	case 1:
		return reflect.StructTag(s.text())
	case 2:
		parts = append(parts, s.text())
	}
	return reflect.StructTag(fmt.Sprintf("json:%q jsonschema:%q", name, strings.Join(parts, ",")))
}

var (
	jsonNumbers = []string{"0", "1", "2", "-1", "1.5", "5.0", "1e2", "255", "256", "-129", "3.5e38",
		"9007199254740993", "9223372036854775808", "18446744073709551616", "-0"}
	jsonTexts = []string{`""`, `"a"`, `"abc"`, `"1m30s"`, `"2006-01-02T15:04:05Z"`, `"AAAA"`, `"12"`,
		`"true"`, `"192.0.2.1"`, `"<&>"`, `"https://example.com"`}
	jsonValues = []string{"null", "true", "1", `"a"`, "[]", "{}", "[1]", `{"a":1}`}
)

// value writes a value that has much in common with what the schema n asks for.
func (s *source) value(root, n *tree.Node, depth int) string {
	if target := n.Referred(root); target != nil {
		n = target
	}
	if m := n.Get("anyOf"); m != nil && len(m.List) > 0 {
		return s.value(root, m.List[s.pick(len(m.List))], depth)
	}
	if values := n.Values("enum"); len(values) > 0 && s.pick(3) > 0 {
		return string(values[s.pick(len(values))])
	}
	types := n.Types()
	if len(types) == 0 || depth == 0 || s.pick(12) == 11 {
		return jsonValues[s.pick(len(jsonValues))]
	}
	switch types[s.pick(len(types))] {
	case "null":
		return "null"
	case "boolean":
		return "true"
	case "integer", "number":
		return jsonNumbers[s.pick(len(jsonNumbers))]
	case "string":
		return jsonTexts[s.pick(len(jsonTexts))]
	case "array":
		items := make([]string, s.pick(4))
		for i := range items {
			items[i] = s.value(root, child(n, "items"), depth-1)
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	return s.object(root, n, depth)
}

func child(n *tree.Node, keyword string) *tree.Node {
	if m := n.Get(keyword); m != nil && m.Node != nil {
		return m.Node
	}
	return &tree.Node{}
}

func (s *source) object(root, n *tree.Node, depth int) string {
	var members []string
	add := func(name, value string) {
		members = append(members, string(scan.AppendQuote(nil, name))+":"+value)
	}
	if m := n.Get("properties"); m != nil {
		for _, p := range m.Named {
			switch s.pick(6) {
			case 4:
			case 5:
				add(p.Name, "null")
			default:
				add(p.Name, s.value(root, p.Node, depth-1))
			}
		}
	} else {
		for i := range s.pick(3) {
			add(strconv.Itoa(i), s.value(root, child(n, "additionalProperties"), depth-1))
		}
	}
	if s.pick(8) == 7 {
		add("some other property that nobody declares", "1")
	}
	return "{" + strings.Join(members, ",") + "}"
}

// FuzzDefine defines tools with arbitrary argument and result types. Define says what is wrong, or
// gives a tool whose schema, decoder and an independent validator agree about values.
func FuzzDefine(f *testing.F) {
	f.Add([]byte(nil), true)
	for i := range namedTypes {
		f.Add([]byte{1, 8, byte(i), 0, 0, 0, 0, 8, byte(i)}, i%2 == 0)
	}
	f.Add([]byte{4, 9, 1, 1, 1, 2, 3, 0, 3, 0, 9, 0, 6, 2, 1, 2, 9, 16, 5, 5, 5, 9, 2, 2, 3, 4}, true)
	f.Add([]byte(strings.Repeat("\x06\x04\x09\x02\x01", 20)), false)
	f.Fuzz(func(t *testing.T, data []byte, strict bool) {
		// Longer types show the same, and take the time of a thousand short ones.
		checkDefine(t, data[:min(len(data), 300)], strict)
	})
}

// TestDefineArbitraryTypes is the same for a fixed choice of types.
func TestDefineArbitraryTypes(t *testing.T) {
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 1))
		data := make([]byte, 200)
		for i := range data {
			data[i] = byte(random.UintN(256))
		}
		checkDefine(t, data, seed%2 == 0)
	}
}

func checkDefine(t *testing.T, data []byte, strict bool) {
	s := &source{data}
	d := definition{
		name: "x", plain: "d", args: s.structure(4), result: s.typ(3), strict: strict,
		execute: func(context.Context, any) (any, error) { return nil, nil },
	}
	tool, err := define(d)
	if err != nil {
		checkDefineError(t, d, err)
		return
	}
	again, err := define(d)
	require.NoError(t, err)
	require.Equal(t, tool.Fingerprint(), again.Fingerprint())
	require.Equal(t, string(tool.input.JSON()), string(again.input.JSON()))
	for range 4 {
		checkVerdicts(t, tool, s.value(tool.input.root, tool.input.root, 6))
	}
}

func checkDefineError(t *testing.T, d definition, err error) {
	t.Helper()
	var wrong *DefineError
	if !errors.As(err, &wrong) || len(wrong.Problems) == 0 {
		t.Fatalf("define(%s) = %v, want a *DefineError with problems", d.args, err)
	}
	for _, p := range wrong.Problems {
		if p.Message == "" || p.Pointer == "" {
			t.Errorf("define(%s): got the problem %+v, want a place and a message", d.args, p)
		}
	}
}

// checkVerdicts compares the schema, the decoder and an independent validator. The last cannot
// parse as Go types do, so that it may accept more where there are such types.
func checkVerdicts(t *testing.T, tool *Tool, value string) {
	t.Helper()
	oracle, texts := tree.Oracle(tool.input.root)
	document, err := general.Compile(oracle)
	require.NoError(t, err, "%s", oracle)
	whole, err := document.Sub("")
	require.NoError(t, err)

	checked, scanErr := scan.Check([]byte(value), scan.Limits{Bytes: len(value), Depth: 100})
	require.Nil(t, scanErr)
	var accepted, decoded bool
	if contain("value", func() []Problem {
		accepted = tool.input.Validate(checked) == nil
		decoded = tool.plan.Decode(checked, reflect.New(tool.args).Elem()).Total == 0
		return nil
	}) != nil {
		return // a method of the type panicked, which Prepare contains as well
	}
	valid := whole.Valid(checked)
	if accepted != decoded || accepted && !valid || !accepted && valid && len(texts) == 0 {
		t.Fatalf("%s\nschema %s\nvalue %s: Validate %v, Decode %v, general %v, want one verdict",
			tool.args, oracle, value, accepted, decoded, valid)
	}
	if !accepted {
		return
	}
	canonical := tool.plan.Canonical(nil, checked)
	require.NoError(t, tool.input.Validate(canonical), "%s as canonical %s", value, canonical)
	require.Equal(t, string(canonical), string(tool.plan.Canonical(nil, canonical)), value)
}

// TestIsLocalName compares the check of a name with the pattern that messages show.
func TestIsLocalName(t *testing.T) {
	pattern := regexp.MustCompile(localName)
	ends := []string{"", strings.Repeat("a", 61), strings.Repeat("9", 63)}
	good := 0
	for a := range 256 {
		for _, b := range []string{"", "a", "Z", "_", "-", "0", ".", " ", "é", "\n", "\x00"} {
			for _, c := range ends {
				name := string([]byte{byte(a)}) + b + c
				require.Equal(t, pattern.MatchString(name), isLocalName(name), "%q", name)
				if isLocalName(name) {
					good++
				}
			}
		}
	}
	require.Greater(t, good, 500)
}
