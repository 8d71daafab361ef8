//lint:file-ignore SA5008,U1000 odd tags and fields that nothing reads are what these types are for

package plan_test

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func oddTypes() []reflect.Type {
	type base struct{ Other string } // of one name with the one outside
	return []reflect.Type{
		of[empty](), of[withBase](), of[withPointer](), of[withTwo](), of[withMiddle](),
		of[withNamed](),
		of[withExported](), of[withScalar](), of[withShadow](), of[withOptional](),
		of[chain](), of[tree2](), of[ping](), of[pong](), of[deep](), of[narrowNest](),
		of[page[string]](), of[page[chain]](), of[page[page[int]]](), of[page[map[string]int]](),
		of[either[string, level]](), of[either[chain, tree2]](), of[either[[]byte, any]](),
		of[either[[2]int8, map[int]bool]](), of[either[page[string], page[int]]](),
		of[struct{ F forest }](), of[struct{ N nest }](), of[struct{ L link }](),
		of[struct{ F *forest }](), of[struct{ N *nest }](), of[struct{ N []nest }](),
		of[struct{ A, B chain }](), of[struct{ A, B Shape }](), of[struct{ A, B page[string] }](),
		of[struct {
			A base
			B withBase
		}](), of[struct{ Due Due }](), of[struct{ Due *Due }](),
		of[struct {
			N name
			C count
			S small
			F flag
			R ratio
		}](),
		of[struct {
			N *name
			C *count
			S *small
			F *flag
			R *ratio
		}](),
		of[struct {
			Ns names
			G  grid
			By byName
			A  anything
			B  blob
		}](),
		of[struct {
			Ns *names
			G  *grid
			By *byName
			A  *anything
			B  *blob
		}](),
		of[struct {
			R raw
			P pair
			E empty
		}](), of[struct {
			R *raw
			P *pair
			E *empty
		}](),
		of[struct{ M map[string]anything }](), of[struct{ M map[name]any }](),
		of[struct{ M map[name]raw }](), of[struct{ M map[string]*any }](),
		of[struct{ M map[level]int }](), of[struct{ M map[netip.Addr]level }](),
		of[struct{ M map[small]names }](), of[struct{ M map[uint64]any }](),
		of[struct{ M map[count]*chain }](), of[struct{ M map[int8]map[uint8]string }](),
		of[struct {
			M map[string]map[string]map[string]bool
		}](),
		of[struct {
			L level
			P *level
			S []level
			A [2]level
		}](),
		of[struct {
			D decimal
			P *decimal
			M map[string]decimal
		}](),
		of[struct {
			H hexed
			S []hexed
		}](), of[struct {
			B []small
			U []uint8
			A [3]uint8
		}](),
		of[struct {
			B [][]byte
			C []*[]byte
		}](), of[struct {
			N net.IP
			P netip.Prefix
			A netip.Addr
		}](),
		of[struct {
			F big.Float
			R *big.Rat
			I big.Int
			J *big.Int
		}](), of[struct {
			U url.URL
			V *url.URL
		}](),
		of[struct {
			T time.Time
			P *time.Time
			D time.Duration
			E *time.Duration
		}](),
		of[struct {
			T []time.Time
			D map[string]time.Duration
		}](),
		of[struct {
			N json.Number
			P *json.Number
			S []json.Number
		}](),
		of[struct {
			S []any
			M []map[string]any
			N [][]any
		}](),
		of[struct {
			P **int
			Q ***string
			R **chain
		}](), of[struct {
			S []*int
			M map[string]**bool
		}](),
		of[struct {
			A [0]int
			B [1][1]any
			C [2]*string
		}](),
		of[struct{ A [2]struct{ X int8 } }](), of[struct {
			A []struct{ X *struct{ Y []int } }
		}](),
		of[struct {
			O *struct {
				K string `json:"k,omitempty"`
			} `json:"o,omitempty"`
		}](),
		of[struct {
			I int    `json:",string"`
			U *uint8 `json:",string"`
			B bool   `json:",string,omitempty"`
		}](),
		of[struct {
			F *float32 `json:",string"`
			S string   `json:",string"`
			G float64  `json:",string"`
		}](),
		of[struct {
			C count `json:",string"`
			N *name `json:",string,omitzero"`
		}](),
		of[struct {
			A int `json:"-"`
			B int `json:"-,"`
			C int `json:"a b"`
			D int `json:"é/~"`
		}](),
		of[struct {
			A int `json:"\"x\""`
			B int `json:"x\\y"`
			C int `json:"<&>"`
			D int `json:"$ref"`
		}](),
		of[struct {
			Type, Properties, Required string
			Ref                        int   `json:"$ref"`
			Items                      []int `json:"items"`
		}](),
		of[struct {
			Z time.Time `json:",omitzero"`
			E [2]int    `json:",omitzero"`
			S Shape     `json:",omitzero"`
		}](),
		of[struct {
			M map[string]int `json:",omitempty"`
			S []int          `json:",omitempty"`
			A any            `json:",omitempty"`
		}](),
		of[struct {
			E []string `jsonschema:"enum=a,enum=b,minItems=1,uniqueItems=true"`
		}](),
		of[struct {
			E []*string `jsonschema:"enum=a,enum=b"`
			F *string   `jsonschema:"enum=a,enum=b"`
		}](),
		of[struct {
			E [2]string `jsonschema:"maxLength=2"`
			F [3]*int   `jsonschema:"maximum=4"`
		}](),
		of[struct {
			N *int8 `json:",omitempty" jsonschema:"minimum=-3,maximum=3"`
			M uint8 `jsonschema:"exclusiveMaximum=9"`
		}](),
		of[struct {
			F float32     `jsonschema:"multipleOf=0.25"`
			N json.Number `jsonschema:"minimum=1"`
		}](),
		of[struct {
			I *big.Int `jsonschema:"minimum=-5"`
			J big.Int  `jsonschema:"multipleOf=7"`
		}](),
		of[struct {
			M int64  `jsonschema:"maximum=9007199254740993"`
			U uint64 `jsonschema:"minimum=18446744073709551614"`
		}](),
		of[struct {
			P string  `jsonschema:"pattern=^[a-z]{1,3}$"`
			Q *string `json:",omitempty" jsonschema:"pattern=b"`
		}](),
		of[struct {
			S string `jsonschema:"minLength=2,maxLength=2"`
			A any    `jsonschema:"enum=true,enum=7"`
		}](),
		of[struct {
			A *any          `json:",omitempty" jsonschema:"enum=true,enum=7"`
			D time.Duration `jsonschema:"enum=1m30s"`
		}](),
		of[struct {
			S Shape  `jsonschema_description:"a, b"`
			N *chain `jsonschema_description:"c, d"`
		}](),
		of[struct{ B page[struct{ K []byte }] }](), of[struct {
			X struct{ base }
			Y struct{ *Base2 }
		}](),
	}
}

func of[T any]() reflect.Type { return reflect.TypeFor[T]() }

// TestOddTypes compares the plan with the general validator on types that are easy to get wrong.
func TestOddTypes(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	types := oddTypes()
	require.GreaterOrEqual(t, len(types), 80)
	var c tally
	for _, typ := range types {
		newSubject(t, typ).run(t, random, 60, &c)
	}
	c.check(t)
}
