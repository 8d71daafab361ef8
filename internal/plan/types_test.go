//lint:file-ignore SA5008,U1000 odd tags and fields that nothing reads are what these types are for

package plan_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/big"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// Named kinds, with and without methods.
type (
	name     string
	count    int
	small    int8
	flag     bool
	ratio    float32
	names    []name
	grid     [2][2]small
	byName   map[name]count
	anything any
	blob     []byte
	raw      = json.RawMessage
	pair     [2]string
	empty    struct{}
)

// level is written as text, by methods on the value and on the pointer.
type level int

func (l level) MarshalText() ([]byte, error) { return []byte([]string{"low", "high"}[l]), nil }

func (l *level) UnmarshalText(b []byte) error {
	switch string(b) {
	case "low":
		*l = 0
	case "high":
		*l = 1
	default:
		return errors.New("want low or high")
	}
	return nil
}

// decimal has JSON methods whose JSON is its text in quotes.
type decimal struct{ text string }

func (d decimal) MarshalText() ([]byte, error) { return []byte(d.text), nil }
func (d decimal) MarshalJSON() ([]byte, error) { return []byte(`"` + d.text + `"`), nil }

func (d *decimal) UnmarshalText(b []byte) error {
	if _, ok := new(big.Rat).SetString(string(b)); !ok || strings.ContainsAny(string(b), "eE/") {
		return errors.New("want a decimal")
	}
	d.text = string(b)
	return nil
}

func (d *decimal) UnmarshalJSON(b []byte) error { return errors.New("never called") }

type hexed []byte

func (h hexed) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(h)), nil }

func (h *hexed) UnmarshalText(b []byte) (err error) {
	*h, err = hex.DecodeString(string(b))
	return err
}

// Recursive types.
type (
	chain struct {
		Next  *chain `json:"next,omitempty"`
		Label string `json:"label"`
	}
	tree2 struct {
		Kids []tree2 `json:"kids,omitempty"`
	}
	forest map[string]forest
	nest   []nest
	link   *[]link
	ping   struct {
		Pong *pong `json:"pong"`
	}
	pong struct {
		Ping []ping `json:"ping"`
	}
	deep struct {
		By map[string][]*deep `json:"by,omitempty"`
	}
	page[T any] struct {
		Items []T      `json:"items"`
		Next  *page[T] `json:"next,omitempty"`
	}
	either[A, B any] struct {
		Left  *A `json:"left"`
		Right *B `json:"right"`
	}
	narrowNest struct {
		N nest   `json:"n" jsonschema:"minItems=1,maxItems=2"`
		M *nest  `json:"m" jsonschema:"minItems=1"`
		O forest `json:"o,omitempty" jsonschema:"title=forest"`
	}
)

// Embedding.
type (
	base struct {
		ID   int    `json:"id"`
		Note string `json:"note,omitempty"`
	}
	Base2  struct{ Extra, ID int }
	inner  struct{ Deep bool }
	middle struct {
		inner
		Shallow string
	}
	scalar int
	Due    struct{ time.Time }
	Shape  struct {
		Width  float64 `jsonschema:"minimum=0"`
		Height float64 `jsonschema:"minimum=0"`
	}
)

type (
	withBase    struct{ base }
	withPointer struct{ *Base2 }
	withTwo     struct {
		base
		*Base2
	}
	withMiddle struct {
		middle
		inner
	}
	withNamed struct {
		base `json:"base"`
	}
	withExported struct {
		*Base2 `json:"b2,omitempty"`
	}
	withScalar struct {
		scalar
		Z int
	}
	withShadow struct {
		base
		ID string
	}
	withOptional struct {
		*Shape
		Due Due
	}
)

// What FuzzDecode fills.
type (
	fuzzScalars struct {
		I int     `json:"i" jsonschema:"minimum=-5,multipleOf=5"`
		U uint8   `json:"u"`
		F float32 `json:"f"`
		S string  `json:"s" jsonschema:"minLength=1,maxLength=3"`
		P *int64  `json:"p" jsonschema:"enum=1,enum=9007199254740993"`
		Q int     `json:"q,string,omitempty"`
		D any     `json:"d"`
		B big.Int `json:"b,omitzero"`
	}
	fuzzTexts struct {
		T time.Time     `json:"t"`
		D time.Duration `json:"d,omitempty" jsonschema:"default=1m"`
		B []byte        `json:"b,omitempty"`
		A netip.Addr    `json:"a,omitzero"`
		L *level        `json:"l,omitempty"`
		U url.URL       `json:"u"`
	}
	fuzzLists struct {
		M map[int8]bool  `json:"m,omitempty"`
		S []string       `json:"s" jsonschema:"uniqueItems=true,enum=a,enum=b"`
		A [2]uint        `json:"a"`
		R raw            `json:"r"`
		N forest         `json:"n,omitempty"`
		T map[level]int  `json:"t,omitempty"`
		O map[string]any `json:"o,omitempty"`
	}
)
