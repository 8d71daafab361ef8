package plan_test

import (
	"fmt"
	"math/big"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/plan"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// tryQuick compares Quick with scan.Check and Decode on any text: what it reads they read, with the same
// value or the same problems. It returns whether it accepted the text as it is.
func (s *subject) tryQuick(t *testing.T, data []byte, limits scan.Limits) bool {
	t.Helper()
	v := reflect.New(s.typ.Go).Elem()
	found, copied, ok := s.plan.Quick(data, limits, v)
	if copied != "" && (copied != string(data) || len(data) > 64) {
		t.Fatalf("%v: %s: Quick copies %q", s.typ.Go, data, copied)
	}
	got := plan.EndAs[plan.Problem](found)
	checked, scanErr := scan.Check(data, limits)
	w := reflect.New(s.typ.Go).Elem()
	var want plan.Result
	if scanErr == nil {
		want = s.plan.Decode(checked, w)
	}
	switch {
	case !ok && !v.IsZero():
		t.Fatalf("%v: %s: Quick gives up and leaves %+v", s.typ.Go, data, v)
	case !ok:
		require.Zero(t, got)
		return false
	case scanErr != nil:
		t.Fatalf("%v: %s: Quick reads what Check refuses: %v", s.typ.Go, data, scanErr)
	case !reflect.DeepEqual(got, want):
		t.Fatalf("%v: %s: Quick finds %+v, Decode %+v", s.typ.Go, data, got, want)
	case got.Total == 0 && !reflect.DeepEqual(v.Interface(), w.Interface()):
		t.Fatalf("%v: %s: Quick gives %+v, Decode %+v", s.typ.Go, data, v, w)
	}
	return got.Total == 0 && len(got.Dropped) == 0
}

type quickNumbers struct {
	I int64   `json:"i,omitempty" jsonschema:"minimum=-3,maximum=1000"`
	S int8    `json:"s,omitempty"`
	U uint64  `json:"u,omitempty"`
	F float64 `json:"f,omitempty" jsonschema:"minimum=-0.5,exclusiveMaximum=2.25"`
	G float64 `json:"g,omitempty"`
	H float32 `json:"h,omitempty"`
}

// TestQuickNumbers compares Quick with Decode on numbers at the limits of types, of bounds and of what
// Quick reads by itself.
func TestQuickNumbers(t *testing.T) {
	s := newSubject(t, of[quickNumbers]())
	limits := scan.Limits{Bytes: 1 << 20, Depth: 64}
	for _, number := range []string{"0", "-0", "00", "01", "-", "", "1.", ".5", "1e1", "1.e1", "-0.0",
		"0.5", "-0.5", "-0.51", "-0.5000000000001", "2.25", "2.2499999999999", "2.249999999999999",
		"2.24999999999999999", "-3", "-4", "1000", "1001", "127", "128", "-128", "-129", "0.1", "0.3",
		"9007199254740993", "999999999999999999", "9223372036854775807", "9223372036854775808",
		"-9223372036854775808", "18446744073709551615", "18446744073709551616", "123456789012345",
		"12345678901234.5", "0.000000000001", "0.0000000000001", "1234567890123456.5", "1e400",
		"3.4028235e38", "16777217", "99.95", "1.0", "5.0"} {
		for _, name := range []string{"i", "s", "u", "f", "g", "h"} {
			s.tryQuick(t, fmt.Appendf(nil, `{"%s":%s}`, name, number), limits)
			s.tryQuick(t, fmt.Appendf(nil, `{"%s": %s }`, name, number), limits)
		}
	}
}

type quickIntegers struct {
	I8  int8   `json:"i8,omitempty"`
	I32 int32  `json:"i32,omitempty"`
	I64 int64  `json:"i64,omitempty"`
	U8  uint8  `json:"u8,omitempty"`
	U32 uint32 `json:"u32,omitempty"`
	U64 uint64 `json:"u64,omitempty"`
}

// TestQuickHeedsTypes compares Quick with Decode on integers that a schema by hand allows and a type may
// not hold.
func TestQuickHeedsTypes(t *testing.T) {
	typ, problems := codec.Of(of[quickIntegers](), "Args", codec.Arguments)
	require.Empty(t, problems)
	var properties []string
	for _, f := range typ.Fields {
		properties = append(properties, f.Key()+`{"type":"integer"}`)
	}
	node, ok := tree.Parse([]byte(`{"type":"object","properties":{` + strings.Join(properties, ",") + `}}`))
	require.True(t, ok)
	p, err := plan.Compile(node, typ, nil)
	require.NoError(t, err)
	s := &subject{typ: typ, plan: p}
	limits := scan.Limits{Bytes: 1 << 10, Depth: 2}
	for _, test := range []struct{ name, least, most string }{
		{"i8", "-128", "127"}, {"i32", "-2147483648", "2147483647"},
		{"i64", "-9223372036854775808", "9223372036854775807"},
		{"u8", "0", "255"}, {"u32", "0", "4294967295"}, {"u64", "0", "18446744073709551615"},
	} {
		try := func(number string) bool {
			return s.tryQuick(t, fmt.Appendf(nil, `{"%s":%s}`, test.name, number), limits)
		}
		least, _ := new(big.Int).SetString(test.least, 10)
		most, _ := new(big.Int).SetString(test.most, 10)
		require.True(t, try(test.least), test.name)
		require.True(t, try(test.most), test.name)
		require.False(t, try(least.Sub(least, big.NewInt(1)).String()), test.name)
		require.False(t, try(most.Add(most, big.NewInt(1)).String()), test.name)
	}
}

// TestQuickReadsCommonValues shows that Quick does not leave to Decode what is common.
func TestQuickReadsCommonValues(t *testing.T) {
	type inner struct {
		ID   int      `json:"id"`
		Tags []string `json:"tags"`
	}
	type outer struct {
		At    time.Time         `json:"at"`
		Mode  string            `json:"mode" jsonschema:"enum=a,enum=b"`
		Items []inner           `json:"items" jsonschema:"minItems=1"`
		Names map[string]string `json:"names"`
		Next  *inner            `json:"next,omitempty"`
		Rate  float64           `json:"rate,omitempty" jsonschema:"minimum=0,maximum=1,default=0.5"`
		Extra any               `json:"extra,omitempty"`
	}
	s := newSubject(t, of[outer]())
	const start = `{"at":"2026-01-02T03:04:05Z","mode":"b","items":[{"id":1,"tags":["x","\u00e9"]}],"names":{"k":"v"}`
	limits := scan.Limits{Bytes: 1 << 20, Depth: 4}
	for _, end := range []string{"}", `,"next":null}`, `,"next":{"tags":[],"id":2},"rate":0.25}`,
		` , "rate" : null , "extra" : {"a":[1,{}]} } `} {
		require.True(t, s.tryQuick(t, []byte(start+end), limits), end)
	}
	for _, end := range []string{"", "}x", `,"mode":"a"}`, `,"other":1}`, `,"rate":2}`, `,"extra":[[[[]]]]}`} {
		require.False(t, s.tryQuick(t, []byte(start+end), limits), end)
	}
}

// TestQuickFindsProblems shows what Quick finds without a second pass, and where it leaves that to Decode.
func TestQuickFindsProblems(t *testing.T) {
	type inner struct {
		ID   int               `json:"id" jsonschema:"maximum=9"`
		Tags map[string]string `json:"tags,omitempty"`
		Deep *inner            `json:"deep,omitempty"`
	}
	type outer struct {
		Mode  string             `json:"mode" jsonschema:"enum=a,enum=b"`
		Items []inner            `json:"items"`
		Rates map[string]float64 `json:"rates,omitempty"`
		Rate  *float64           `json:"rate,omitempty" jsonschema:"maximum=1"`
		Few   []int              `json:"few,omitempty" jsonschema:"minItems=2,maxItems=3"`
		Extra struct {
			Any map[string]any `json:"any"`
		} `json:"extra,omitzero"`
	}
	s := newSubject(t, of[outer]())
	const start = `{"mode":"a","items":[{"id":1},{"id":2`
	for _, test := range []struct{ text, want string }{
		{`{"mode":"c","items":[]}`, "/mode enum"},
		{start + `},{"id":10}]}`, "/items/2/id maximum"},
		{start + `},{"id":1.5}]}`, "/items/2/id type"},
		{start + `},{"id":"x"}]}`, "/items/2/id type"},
		{start + `},{"id":null}]}`, "/items/2/id type"},
		{start + `},7,[8],{"id":1e1}]}`, "/items/2 type, /items/3 type, /items/4/id maximum"},
		{start + `,"tags":{"a/b":3,"c":"d","~":{"e":[]}}}]}`, "/items/1/tags/a~1b type, /items/1/tags/~0 type"},
		{start + `}],"rates":{"":true,"x":1}}`, "/rates/ type"},
		{start + `,"tags":{"a":1,"b":2}},{"tags":{"a":1},"id":{}},{"id":1,"tags":{"a":1}}]}`,
			"/items/1/tags/a type, /items/1/tags/b type, /items/2/id type, /items/2/tags/a type, /items/3/tags/a type"},
		{start + `}],"rate":2}`, "/rate maximum"},
		{start + `}],"extra":{"any":[]}}`, "/extra/any type"},
		{`{"mode":"c","other":null}`, "/items required, /mode enum, /other dropped"},
		{start + `}],"zoo":{"a":[]},"other":[]}`, "/other dropped, /zoo dropped"},
		{start + `}],"few":[]}`, "/few minItems"},
		{start + `}],"few":[1]}`, "/few minItems"},
		{start + `}],"few":[1,"2",3,4]}`, "/few maxItems, /few/1 type"},
		{`{"mod":"c","items":[{"tags":{}},{"id":1,"Deep":{}}]}`,
			"/items/0/id required, /items/1/Deep additionalProperties, /mod additionalProperties, /mode required"},
		{start + `,"deep":{"id":3,"deep":{"id":11}}}]}`, "/items/1/deep/deep/id maximum"},
	} {
		quick, _, ok := s.plan.Quick([]byte(test.text), scan.Limits{Bytes: 1 << 20, Depth: 64},
			reflect.New(s.typ.Go).Elem())
		require.True(t, ok, test.text)
		found := plan.EndAs[plan.Problem](quick)
		var got []string
		for _, p := range found.Problems {
			got = append(got, p.Pointer+" "+p.Keyword)
		}
		for _, pointer := range found.Dropped {
			got = append(got, pointer+" dropped")
		}
		require.Equal(t, test.want, strings.Join(got, ", "), test.text)
		s.tryQuick(t, []byte(test.text), scan.Limits{Bytes: 1 << 20, Depth: 64})
	}
	deep := func(levels int) string {
		return start + strings.Repeat(`,"deep":{"id":3`, levels) + `,"deep":{"id":11}` +
			strings.Repeat("}", levels+1) + "]}"
	}
	for text, want := range map[string]bool{
		deep(12): true, deep(13): false, // the object, the list and the item are levels as well
		`{"mode":"c","items":[]`:                   false, // cut off
		`{"mode":"c","items":[],"mode":"a"}`:       false,
		`{"mode":"c","items":[],"oth\u0065r":"a"}`: false,
		`{"mode":"c","items":[],"x":1,"x":2}`:      false,
		`{"mode":"c","items":[],"x":1,"y" 2}`:      false,
		`{"mode":"c","items":[{"id":01}]}`:         false,
		`{"mode":"c","items":[{"id":10}]} x`:       false,
		`{"mode":"c","items":["\ud800"]}`:          false,
		`{"mode":"c","items":[{"a":1,"a":2}]}`:     false,
		`{"mode":"c","items":[[{"a":1,"a":2}]]}`:   false,
		`null`:                                     false, `[]`: false, `"{}"`: false,
	} {
		_, _, ok := s.plan.Quick([]byte(text), scan.Limits{Bytes: 1 << 20, Depth: 64}, reflect.New(s.typ.Go).Elem())
		require.Equal(t, want, ok, text)
		s.tryQuick(t, []byte(text), scan.Limits{Bytes: 1 << 20, Depth: 64})
	}
}

// TestQuickTakesLittleForWrongValues bounds the memory for many wrong values: a long name around them is
// copied once, and no items are kept that nobody will read.
func TestQuickTakesLittleForWrongValues(t *testing.T) {
	type names struct {
		Lists map[string][]int `json:"lists"`
	}
	type items struct {
		List []struct {
			Room [1000]int64 `json:"room"`
		} `json:"list"`
	}
	for _, test := range []struct {
		typ         reflect.Type
		start, item string
	}{
		{of[names](), `{"lists":{"` + strings.Repeat("n", 400_000) + `":[1`, `,"x"`},
		{of[items](), `{"list":[0`, ",0"},
	} {
		s := newSubject(t, test.typ)
		text := []byte(test.start + strings.Repeat(test.item, 100_000) + "]}")
		if strings.Contains(test.start, "lists") {
			text = append(text, '}')
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		found, _, ok := s.plan.Quick(text, scan.Limits{Bytes: 1 << 20, Depth: 4}, reflect.New(s.typ.Go).Elem())
		runtime.ReadMemStats(&after)
		require.True(t, ok)
		require.GreaterOrEqual(t, found.Total(), 100_000)
		found.End()
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16*len(text)))
	}
}

// A pile grows by each text that it reads.
type pile struct{ text string }

func (p pile) MarshalText() ([]byte, error) { return []byte(p.text), nil }
func (p *pile) UnmarshalText(b []byte) error {
	p.text += string(b)
	return nil
}

// TestQuickFillsDefaultsOnce shows that a default is read once, also where null means absent and the rules
// finish the object.
func TestQuickFillsDefaultsOnce(t *testing.T) {
	type args struct {
		T pile   `json:"t,omitempty" jsonschema:"default=x"`
		U pile   `json:"u,omitempty" jsonschema:"default=y"`
		V string `json:"v,omitempty"`
	}
	s := newSubject(t, of[args]())
	limits := scan.Limits{Bytes: 1 << 10, Depth: 4}
	for _, text := range []string{`{}`, `{"t":null}`, `{"t":null,"other":1}`, `{"other":1,"u":"z","t":null,"v":null}`} {
		s.tryQuick(t, []byte(text), limits)
		v := reflect.New(s.typ.Go)
		found, _, ok := s.plan.Quick([]byte(text), limits, v.Elem())
		found.End()
		require.True(t, ok)
		require.Equal(t, "x", v.Interface().(*args).T.text, text)
	}
}

// TestQuickSharesShortText of up to 64 bytes, and only where it has a string that stands for itself.
func TestQuickSharesShortText(t *testing.T) {
	s := newSubject(t, of[struct {
		S string `json:"s"`
	}]())
	short := `{"s":"` + strings.Repeat("x", 64-len(`{"s":""}`)) + `"}`
	for _, test := range []struct{ name, text, want string }{
		{"as long as may be", short, short},
		{"a byte longer", short + " ", ""},
		{"wide", `{"s":"é"}`, `{"s":"é"}`},
		{"escaped", `{"s":"\n"}`, ""},
	} {
		_, copied, ok := s.plan.Quick([]byte(test.text), scan.Limits{Bytes: 1 << 20, Depth: 9},
			reflect.New(s.typ.Go).Elem())
		require.True(t, ok, test.name)
		require.Equal(t, test.want, copied, test.name)
	}
}
