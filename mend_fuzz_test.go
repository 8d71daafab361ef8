package jig_test

import (
	"context"
	"encoding/json"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

type mendFuzzArgs struct {
	mendArgs
	At   time.Time         `json:"at,omitzero"`
	For  time.Duration     `json:"for,omitempty"`
	Big  *big.Int          `json:"big,omitempty"`
	Num  json.Number       `json:"num,omitempty"`
	Byte []byte            `json:"byte,omitempty"`
	Deep map[int]mendInner `json:"deep,omitempty"`
	Raw  json.RawMessage   `json:"raw,omitempty"`
	Page int               `json:"page,omitempty" jsonschema:"default=1"`
}

var mendSeeds = []string{
	`{"int":"5","bool":"true","list":"[\"a\"]"}`, `{"one":"a","ints":3,"maybe":"7"}`, `"{\"int\":\"1\"}"`,
	`{"object":"{\"n\":\"3\",\"next\":\"{}\"}"}`, `{"text":"01234","any":"[1]","raw":"{}"}`, `" "`,
	`{"map":{"a":"1"},"deep":{"1":"{\"n\":\"2\"}"}}`, `{"for":"1m30s","at":"2026-01-02T03:04:05Z","big":"12"}`,
	`{'int':1,}`, "```\n{\"int\":\"2\"}\n```", `{"num":"1.50","byte":"aGk=","page":null}`, `{"ints":"[\"1\"]"}`,
}

// FuzzMend calls a tool in every mode. What is valid as sent is never changed; what is mended meets the
// schema as a call of its own, unmended, with the same arguments.
func FuzzMend(f *testing.F) {
	for _, seed := range mendSeeds {
		f.Add([]byte(seed))
	}
	tools := map[jig.RepairMode]*jig.Tool{}
	for _, mode := range []jig.RepairMode{jig.RepairSafe, jig.RepairLenient, jig.RepairOff} {
		tools[mode] = mendTool[mendFuzzArgs](mode, nil)
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		sent := tools[jig.RepairOff].Call(t.Context(), args)
		for mode, tool := range tools {
			got := tool.Call(t.Context(), args)
			mended := false
			for _, repair := range got.Repairs {
				mended = mended || repair.Kind != "unknown_property"
			}
			switch {
			case sent.Status == jig.StatusOK:
				require.False(t, mended, "%s: %q is valid as sent, and was mended", mode, args)
				require.Equal(t, sent.Text(), got.Text())
			case got.Status == jig.StatusOK:
				require.True(t, mended, "%s: %q is not valid as sent, and nothing was mended", mode, args)
				again := tools[jig.RepairOff].Call(t.Context(), json.RawMessage(got.Text()))
				require.Equal(t, jig.StatusOK, again.Status, "%q: %s", args, again.Text())
				require.Equal(t, got.Text(), again.Text())
			default:
				require.Equal(t, jig.StatusInvalid, got.Status)
				require.Empty(t, got.Repairs)
			}
		}
	})
}

// FuzzCanonicalArguments checks that what Execute decodes is what was canonicalised: the canonical
// text, sent as a call, fills the same value and is its own canonical text.
func FuzzCanonicalArguments(f *testing.F) {
	for _, seed := range mendSeeds {
		f.Add([]byte(seed))
	}
	f.Add([]byte(`{"any":{"b":1.50,"a":[9007199254740993,null]},"page":null,"zzz":1,"deep":{"-1":{"n":5e0}}}`))
	var seen *mendFuzzArgs
	tool := jig.MustDefine(jig.Spec[mendFuzzArgs, string]{
		Name: "probe", Description: "Call it in tests.", Repair: jig.RepairLenient,
		Execute: func(ctx context.Context, args mendFuzzArgs) (string, error) {
			seen = &args
			return string(jig.CallInfo(ctx).Args()), nil
		},
	})
	f.Fuzz(func(t *testing.T, args []byte) {
		seen = nil
		got := tool.Call(context.Background(), args)
		if seen == nil || got.Cut != nil {
			return
		}
		first := seen
		again := tool.Call(context.Background(), json.RawMessage(got.Text()))
		require.Equal(t, jig.StatusOK, again.Status, "%q: %s", args, again.Text())
		require.Empty(t, again.Repairs, "%q", args)
		require.Equal(t, got.Text(), again.Text(), "%q", args)
		require.True(t, reflect.DeepEqual(first, seen), "%q: %+v, %+v", args, first, seen)
	})
}
