package jig_test

import (
	"context"
	"encoding/json"
	"maps"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// The tests of the traps_ files show whole kinds of mistakes that tool definitions, calls and
// results invite, where the tests of the parts show their rules.

// shelf is generic and recursive, so that each of its instances is a definition.
type shelf[K comparable, V any] struct {
	Of   map[K]V      `json:"of,omitempty"`
	Next *shelf[K, V] `json:"next,omitempty"`
}

type (
	crate      struct{ Next *crate }
	crate_2    struct{ Next *crate_2 } // what a second crate could be called
	crateÄ     struct{ Next *crateÄ }
	crateÖ     struct{ Next *crateÖ }
	shop       struct{ Staff []shop_staff }
	shop_staff struct{ Shops []shop }
)

// wellFormed checks what holds for every schema: no null and no literal true or false where a
// schema stands, names and references that each provider takes, and an object root.
func wellFormed(t *testing.T, schema []byte) (definitions []string) {
	t.Helper()
	var root map[string]any
	require.NoError(t, json.Unmarshal(schema, &root))
	require.Equal(t, "object", root["type"], "%s", schema)
	require.IsType(t, map[string]any{}, root["properties"])
	require.NotContains(t, string(schema), "$schema")
	require.NotContains(t, string(schema), "$id")
	defs, _ := root["$defs"].(map[string]any)
	var walk func(at string, node any)
	walk = func(at string, node any) {
		object, ok := node.(map[string]any)
		require.True(t, ok, "%s: got %v, want an object schema in %s", at, node, schema)
		for key, value := range object {
			require.NotNil(t, value, "%s/%s", at, key)
			switch key {
			case "properties", "$defs":
				for name, sub := range value.(map[string]any) {
					walk(at+"/"+key+"/"+name, sub)
				}
			case "items":
				walk(at+"/items", value)
			case "additionalProperties":
				if value != false {
					walk(at+"/"+key, value)
				}
			case "anyOf":
				for _, sub := range value.([]any) {
					walk(at+"/anyOf", sub)
				}
			case "$ref":
				name, ok := strings.CutPrefix(value.(string), "#/$defs/")
				require.True(t, ok, value)
				require.Contains(t, defs, name)
				require.Len(t, object, 1, "%s: a reference stands alone", at)
			}
		}
	}
	walk("", root)
	for name := range maps.Keys(defs) {
		require.Regexp(t, regexp.MustCompile(`^[A-Za-z0-9_-]+$`), name)
		definitions = append(definitions, name)
	}
	return definitions
}

// inputOf returns the schema of a tool with these arguments.
func inputOf[Args any](t *testing.T, strict bool) []byte {
	t.Helper()
	spec := echoSpec[Args]("x")
	spec.Strict = strict
	tool, err := jig.Define(spec)
	require.NoError(t, err)
	return tool.InputSchema().JSON()
}

func TestTrapsDefinitionNames(t *testing.T) {
	type inFunction struct{ Next *inFunction }
	type instances struct {
		Text      shelf[string, string]                `json:"text"`
		OtherWay  shelf[int, map[string]int]           `json:"otherWay"`
		Foreign   shelf[netip.Addr, url.URL]           `json:"foreign"`
		Nested    shelf[string, shelf[int8, *big.Int]] `json:"nested"`
		Pointer   shelf[string, *string]               `json:"pointer"`
		Array     shelf[string, [3]int]                `json:"array"`
		Array4    shelf[string, [4]int]                `json:"array4"`
		Slices    shelf[string, [][]string]            `json:"slices"`
		Anonymous shelf[string, struct {
			A int `json:"a,omitempty"`
		}] `json:"anonymous"`
		OtherAnonymous shelf[string, struct {
			B any `json:"b,omitempty"`
		}] `json:"otherAnonymous"`
		Any   shelf[string, any]        `json:"any"`
		Local shelf[string, inFunction] `json:"local"`
		First crate                     `json:"first"`
		Taken crate_2                   `json:"taken"`
	}
	type second = struct {
		First crate  `json:"first"`
		A     crateÄ `json:"a"`
		O     crateÖ `json:"o"`
		S     shop   `json:"s"`
	}
	require.Len(t, wellFormed(t, inputOf[instances](t, false)), 16)
	require.Len(t, wellFormed(t, inputOf[second](t, true)), 5)
	type crate struct{ Kids []crate } // of the same name as one outside
	type crates struct {
		Taken  crate_2                     `json:"taken"`
		Own    crate                       `json:"own"`
		Second second                      `json:"second"`
		Both   shelf[string, crate]        `json:"both"`
		More   shelf[string, second]       `json:"more"`
		Again  map[string]map[string]crate `json:"again"`
	}
	for _, strict := range []bool{false, true} {
		schema := inputOf[crates](t, strict)
		require.Len(t, wellFormed(t, schema), 9, "%s", schema)
		require.Equal(t, string(schema), string(inputOf[crates](t, strict)))
	}
	outcome := callWith[crates](t, `{"taken":{"Next":null},"own":{"Kids":[{"Kids":[]}]},"second":`+
		`{"first":{"Next":{"Next":null}},"a":{"Next":null},"o":{"Next":null},"s":{"Staff":[]}},`+
		`"both":{"of":{"k":{"Kids":[]}}},"more":{},"again":{}}`)
	require.Equal(t, jig.StatusOK, outcome.Status, outcome.Text())
	require.Len(t, outcome.Value.(crates).Own.Kids, 1)
	require.NotNil(t, outcome.Value.(crates).Second.First.Next)
	outcome = callWith[crates](t, strings.Replace(outcome.Text(), `"Kids":[{`, `"Next":[{`, 1))
	require.Equal(t, jig.StatusInvalid, outcome.Status, "the shape of the other type of that name")
}

// Types whose root refers to itself, in each way that a struct can.
type (
	byPointer struct {
		N    int        `json:"n"`
		Self *byPointer `json:"self,omitempty"`
	}
	bySlice struct {
		N    int       `json:"n"`
		Self []bySlice `json:"self,omitempty"`
	}
	byMap struct {
		N    int              `json:"n"`
		Self map[string]byMap `json:"self,omitempty"`
	}
	byEmbedding struct {
		byPart
		N int `json:"n"`
	}
	byPart struct {
		Self []*byEmbedding `json:"self,omitempty"`
	}
	byTwo struct {
		N    int           `json:"n"`
		Self []map[int]way `json:"self,omitempty"`
	}
	way struct {
		N    int     `json:"n"`
		Self []byTwo `json:"self,omitempty"`
	}
)

func checkRecursion[Args any](t *testing.T, open, closed string) {
	t.Run(reflect.TypeFor[Args]().Name(), func(t *testing.T) {
		for _, strict := range []bool{false, true} {
			require.NotEmpty(t, wellFormed(t, inputOf[Args](t, strict)))
		}
		nest := func(leaf string) string {
			for range 5 {
				leaf = `{"n":1,"self":` + open + leaf + closed + `}`
			}
			return leaf
		}
		outcome := callWith[Args](t, nest(`{"n":1}`))
		require.Equal(t, nest(`{"n":1}`), outcome.Text())
		outcome = callWith[Args](t, nest(`{"n":"1"}`))
		require.Equal(t, jig.StatusInvalid, outcome.Status)
		require.Contains(t, outcome.Text(), `/n": got string "1", want integer`)
	})
}

func TestTrapsRecursiveRoots(t *testing.T) {
	checkRecursion[byPointer](t, "", "")
	checkRecursion[bySlice](t, "[", "]")
	checkRecursion[byMap](t, `{"k":`, "}")
	checkRecursion[byTwo](t, `[{"7":{"n":2,"self":[`, "]}}]")
	outcome := callWith[byEmbedding](t, `{"n":1,"self":[{"n":2,"self":[{"n":3}]}]}`)
	require.Equal(t, `{"self":[{"self":[{"n":3}],"n":2}],"n":1}`, outcome.Text())
}

// TestTrapsOddResults shows that a result nobody can write is an error with its place, while the
// other tools of the program stay usable.
func TestTrapsOddResults(t *testing.T) {
	refuse := func(err error, want string) {
		t.Helper()
		require.ErrorContains(t, err, want)
		require.NotEmpty(t, wrongIn(t, err))
	}
	type stream struct {
		Rows []map[string]struct{ Feed <-chan int }
	}
	type pair[T any] struct{ A, B T }
	_, err := jig.Define(jig.Spec[struct{}, stream]{Name: "a", Description: "d"})
	refuse(err, "Result.Rows[][].Feed: a chan has no JSON form")
	_, err = jig.Define(jig.Spec[struct{}, *pair[func()]]{Name: "a", Description: "d"})
	refuse(err, "Result.B: a func has no JSON form")
	_, err = jig.Define(jig.Spec[struct{}, map[string][2]complex64]{Name: "a", Description: "d"})
	refuse(err, "Result[][]: a complex64 has no JSON form")
	_, err = jig.Define(jig.Spec[struct{}, map[[2]int]string]{Name: "a", Description: "d"})
	refuse(err, "Result: a map key of type [2]int has no JSON form")
	got := resultOf(t, map[string][]byMap{"a": {{N: 1, Self: map[string]byMap{"b": {N: 2}}}}})
	require.Equal(t, `{"a":[{"n":1,"self":{"b":{"n":2}}}]}`, got.Text())
}

// sharedHook returns one schema, however many fields ask.
type sharedHook string

var theSharedSchema = jig.MustParseSchema(`{"type":"string","minLength":2}`)

func (sharedHook) JSONSchema() *jig.Schema { return theSharedSchema }

func TestTrapsSharedSchemas(t *testing.T) {
	type args struct {
		A sharedHook   `json:"a" jsonschema_description:"First."`
		B *sharedHook  `json:"b" jsonschema_description:"Second."`
		C sharedHook   `json:"c"`
		D []sharedHook `json:"d" jsonschema_description:"All."`
	}
	const want = `{"type":"object","properties":{` +
		`"a":{"type":"string","description":"First.","minLength":2},` +
		`"b":{"type":["string","null"],"description":"Second.","minLength":2},` +
		`"c":{"type":"string","minLength":2},"d":{"type":"array","description":"All.",` +
		`"items":{"type":"string","minLength":2}}},"required":["a","b","c","d"]`
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if got := string(inputOf[args](t, false)); got != want+"}" {
				t.Errorf("got %s", got)
			}
			if got := string(inputOf[args](t, true)); got != want+`,"additionalProperties":false}` {
				t.Errorf("got %s", got)
			}
		})
	}
	group.Wait()
	require.Equal(t, `{"type":"string","minLength":2}`, string(theSharedSchema.JSON()))
}

// TestTrapsPropertiesNamedLikeKeywords takes words of JSON Schema as names of fields.
func TestTrapsPropertiesNamedLikeKeywords(t *testing.T) {
	type inner struct {
		Type     string `json:"type"`
		Required []bool `json:"required"`
	}
	type args struct {
		Properties inner            `json:"properties"`
		Items      []inner          `json:"items"`
		Enum       *inner           `json:"enum"`
		Ref        string           `json:"$ref"`
		Defs       map[string]inner `json:"$defs"`
		AnyOf      any              `json:"anyOf"`
		Additional bool             `json:"additionalProperties"`
		Default    int              `json:"default,omitempty" jsonschema:"default=3"`
		Inline     inner            `json:"meta,inline"`
	}
	const one = `{"type":"null","required":[true]}`
	const sent = `{"properties":` + one + `,"items":[` + one + `],"enum":` + one + `,"$ref":"#/x","$defs":{"a":` +
		one + `},"anyOf":{"type":1},"additionalProperties":false,"default":3,"meta":` + one + `}`
	for _, strict := range []bool{false, true} {
		spec := echoSpec[args]("x")
		spec.Strict = strict
		tool := jig.MustDefine(spec)
		require.Equal(t, sent, tool.Call(t.Context(), json.RawMessage(sent)).Text())
		schema := string(tool.InputSchema().JSON())
		closed := 0
		if strict {
			closed = 6
		}
		require.Equal(t, closed, strings.Count(schema, `"additionalProperties":false`), schema)
		for _, wrong := range []string{
			strings.Replace(sent, `"meta":`+one, `"type":"x","required":[]`, 1), // not flattened
			strings.Replace(sent, `"properties":{"type":"null",`, `"properties":{`, 1),
			strings.Replace(sent, `"$defs":{"a":`, `"$defs":{"a":1,"b":`, 1),
		} {
			require.NotEqual(t, sent, wrong)
			got := tool.Call(context.Background(), json.RawMessage(wrong))
			require.Equal(t, jig.StatusInvalid, got.Status, wrong)
		}
	}
}

// TestTrapsPatternsOfOtherEngines names the field whose pattern Go cannot run.
func TestTrapsPatternsOfOtherEngines(t *testing.T) {
	const place = `Args.Rows[].Code: pattern `
	for name, got := range map[string][]string{
		"look-ahead": refused[struct {
			Rows []struct {
				Code string `jsonschema:"pattern=^(?!x)"`
			}
		}](t),
		"back reference": refused[struct {
			Rows []struct {
				Code string `jsonschema:"pattern=^(a)\\1$"`
			}
		}](t),
		"too many repeats": refused[struct {
			Rows []struct {
				Code string `jsonschema:"pattern=^[a-z]{1,2000}$"`
			}
		}](t),
		"a set cut at its comma": refused[struct {
			Rows []struct {
				Code string `jsonschema:"pattern=^[a,b]$"`
			}
		}](t),
	} {
		require.NotEmpty(t, got, name)
		require.True(t, strings.HasPrefix(got[0], place), "%s: %s", name, got)
	}
}
