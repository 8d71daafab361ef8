//go:build unix

package jig_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// A refusal is arguments that a tool refuses and encoding/json takes.
type refusal struct {
	name, tool string
	text       []byte
	accept     func([]byte) error
}

func refusals() []refusal {
	medium := mediumText()
	for _, change := range [][2]string{
		{`"status":"open"`, `"status":"opne"`}, {`"priority":3`, `"priority":9`},
		{`"quantity":4`, `"quantity":0`}, {`"zip":"1200"`, `"zip":"12"`},
	} {
		medium = bytes.Replace(medium, []byte(change[0]), []byte(change[1]), 1)
	}
	last := bytes.Replace(bulkText(1000), []byte(`"count":49,"price":9.25}]`), []byte(`"count":-1,"price":9.25}]`), 1)
	all := bytes.ReplaceAll(bulkText(1000), []byte(`"count":`), []byte(`"count":-1`))
	return []refusal{
		{"small", "small", []byte(`{"path":"","mode":"raed","limit":5000}`), accept[smallArgs]},
		{"medium", "medium", medium, accept[mediumArgs]},
		{"bulk/last row", "bulk", last, accept[bulkArgs]},
		{"bulk/every row", "bulk", all, accept[bulkArgs]},
	}
}

func accept[A any](text []byte) error {
	var args A
	return json.Unmarshal(text, &args)
}

// BenchmarkRefusal measures what it takes to refuse a call with all that is wrong with it, in units of
// what encoding/json takes to accept the same arguments.
func BenchmarkRefusal(b *testing.B) {
	reg := benchRegistry(b)
	for _, r := range refusals() {
		call := func() jig.Outcome {
			return reg.Call(context.Background(), jig.Call{ID: "c1", Name: r.tool, Args: r.text})
		}
		require.Equal(b, jig.StatusInvalid, call().Status)
		require.NoError(b, r.accept(r.text))
		b.Run(r.name, ratio(func() { call() }, func() { _ = r.accept(r.text) }))
	}
}
