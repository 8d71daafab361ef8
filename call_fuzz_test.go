package jig_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// FuzzCall calls a few tools with any bytes as arguments, by name or by another case of it.
func FuzzCall(f *testing.F) {
	for _, seed := range []string{
		"", " ", "null", "null ", "{}", `{"query":"x"}`, `{"query":"x","limit":null}`, `{"query":"x","Limit":3}`,
		`{"query":"x","cursor":[1,{"a":null}]}`, `{"a":9007199254740993,"b":{"c":[1.50,"x"]}}`,
		`{"id":"ord_1","amount":1e2,"currency":"EUR","reason":"late"}`, `{"at":"2026-01-02T03:04:05Z"}`,
		`{"items":[{"sku":"a","n":1},{"sku":"b"}],"next":{"next":{"name":"x"}}}`, `{"query":"\ud83d"}`,
		"\xef\xbb\xbf{}", `{"query":1e1000001}`, `{"a":1,"a":2}`, `[]`, `{"query":"x"}}`, `{"query":"`,
	} {
		for tool := range fuzzTools {
			f.Add(uint8(tool), []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, args []byte) {
		target := fuzzTools[int(which)%len(fuzzTools)]
		var runs atomic.Int64
		r := registryOf(t, &jig.Options{MaxOutputBytes: 256}, target.define(&runs))
		outcomes := r.CallAll(t.Context(), []jig.Call{{ID: "1", Name: "probe", Args: args}})
		require.Len(t, outcomes, 1)
		o := outcomes[0]
		require.Equal(t, "1", o.CallID)
		require.True(t, utf8.ValidString(o.Text()))
		require.LessOrEqual(t, len(o.Text()), 256)
		require.NotEmpty(t, o.Text())
		require.Equal(t, o.Status != jig.StatusOK, o.Err != nil)
		require.Contains(t, []jig.Status{jig.StatusOK, jig.StatusInvalid}, o.Status)
		if o.Status == jig.StatusOK {
			require.EqualValues(t, 1, runs.Load())
		} else {
			require.Zero(t, runs.Load())
		}
		agreesWithSchema(t, r, o, args)
	})
}

// agreesWithSchema compares the verdict on one JSON value with that of the schema alone. Calls alone
// take null for no arguments, and refuse a key that looks like a typo, nesting beyond their limit,
// and equal items where the items differ in keys only that are dropped.
func agreesWithSchema(t *testing.T, r *jig.Registry, o jig.Outcome, args []byte) {
	if !json.Valid(args) || string(bytes.TrimSpace(args)) == "null" {
		return
	}
	for _, repair := range o.Repairs {
		if repair.Kind != "unknown_property" {
			return // what was mended is not what was sent
		}
	}
	tool, _ := r.Lookup("probe")
	invalid := tool.InputSchema().Validate(args)
	for _, stricter := range []string{"did you mean", "nested too deeply", "want all items different"} {
		if invalid == nil && strings.Contains(fmt.Sprint(o.Err), stricter) {
			return
		}
	}
	require.Equal(t, invalid == nil, o.Status == jig.StatusOK, "%q: %v, %v", args, invalid, o.Err)
}

type fuzzItem struct {
	SKU string `json:"sku"`
	N   uint8  `json:"n,omitempty" jsonschema:"default=1"`
}

type fuzzNode struct {
	Name string    `json:"name,omitempty"`
	Next *fuzzNode `json:"next,omitempty"`
}

type fuzzNested struct {
	Items []fuzzItem           `json:"items,omitempty" jsonschema:"maxItems=3,uniqueItems=true"`
	Next  fuzzNode             `json:"next,omitzero"`
	At    time.Time            `json:"at,omitzero"`
	Map   map[int8]fuzzItem    `json:"map,omitempty"`
	Any   any                  `json:"any,omitempty"`
	Raw   map[string]time.Time `json:"raw,omitempty"`
}

// fuzzSpec defines a tool that counts its runs and reads back its canonical arguments.
type fuzzSpec struct {
	define func(runs *atomic.Int64) *jig.Tool
}

func fuzzTool[Args any](strict bool, schema *jig.Schema) fuzzSpec {
	var runs atomic.Pointer[atomic.Int64]
	define := sync.OnceValue(func() *jig.Tool {
		return jig.MustDefine(jig.Spec[Args, string]{
			Name: "probe", Description: "Call it in tests.", Strict: strict, Schema: schema,
			Execute: func(ctx context.Context, _ Args) (string, error) {
				runs.Load().Add(1)
				return string(jig.CallInfo(ctx).Args()), nil
			},
		})
	})
	return fuzzSpec{func(counter *atomic.Int64) *jig.Tool {
		runs.Store(counter)
		return define()
	}}
}

var fuzzTools = []fuzzSpec{
	fuzzTool[refundArgs](true, nil),
	fuzzTool[searchArgs](false, nil),
	fuzzTool[fuzzNested](false, nil),
	fuzzTool[fuzzNested](true, nil),
	fuzzTool[json.RawMessage](false, jig.MustParseSchema(`{"type":"object","properties":{
		"a":{"type":"integer","minimum":1},"b":{"type":"object","properties":{"c":{"type":"array",
		"items":{"anyOf":[{"type":"number"},{"type":"string"}]}}},"additionalProperties":false}}}`)),
	fuzzTool[map[string]any](false, jig.MustParseSchema(`{"type":"object","properties":{
		"a":{"type":"integer"},"b":{"not":{"type":"null"}}},"patternProperties":{"^x":{"type":"string"}}}`)),
}
