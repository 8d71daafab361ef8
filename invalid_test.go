package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

type refusedArgs struct {
	Mode  string           `json:"mode" jsonschema:"enum=read,enum=write"`
	Rates map[string]int   `json:"rates,omitempty"`
	Lines []map[string]int `json:"lines,omitempty"`
}

// TestRefusalIsOfItsProblems compares the text of a refusal, which shares memory with its problems, with what
// the schema says of the same arguments.
func TestRefusalIsOfItsProblems(t *testing.T) {
	tool := jig.MustDefine(jig.Spec[refusedArgs, string]{Name: "refuse", Description: "Refuses.",
		Execute: func(context.Context, refusedArgs) (string, error) { return "", nil }})
	many := func(n int) string {
		var lines []string
		for i := range n {
			lines = append(lines, fmt.Sprintf(`{"a%d":true}`, i))
		}
		return `{"mode":"read","lines":[` + strings.Join(lines, ",") + `]}`
	}
	long := strings.Repeat("long", 60)
	for _, test := range []struct {
		args  string
		count int
		first string
	}{
		{`{"mode":"raed"}`, 1, `"/mode": got "raed", want one of "read", "write"; did you mean "read"?`},
		{`{"mode":"x","rates":{"a":null,"b":0.5}}`, 3, `"/mode": got "x", want one of "read", "write"`},
		{`{}`, 1, `"/mode": missing, want one of "read", "write"`},
		{`{"mode":"read","rates":{"é":[]}}`, 1, `"/rates/é": got array of 0 items, want integer`},
		{`{"mode":"read","rates":{"a/b~\"\\":[]}}`, 1, `"/rates/a~1b~0\"\\": got array of 0 items, want integer`},
		{`{"mode":"read","rates":{"` + long + `":[]}}`, 1, `"/rates/longlong`},
		{`{"mode":"read","lines":[{"` + long + `":{"":1}},{"":7.5}]}`, 2, `"/lines/0/longlong`},
		{`[]`, 1, "got array of 0 items, want object"},
		{many(10), 10, `"/lines/0/a0": got boolean true, want integer`},
		{many(11), 11, `"/lines/0/a0": got boolean true, want integer`},
		{many(1001), 1000, `"/lines/0/a0": got boolean true, want integer`},
	} {
		o := tool.Call(context.Background(), json.RawMessage(test.args))
		require.Equal(t, jig.StatusInvalid, o.Status, test.args)
		want, ok := errors.AsType[*jig.ValidationError](tool.InputSchema().Validate([]byte(test.args)))
		require.True(t, ok, test.args)
		got, ok := errors.AsType[*jig.ValidationError](o.Err)
		require.True(t, ok, test.args)
		require.Equal(t, want, got, test.args)
		require.Len(t, got.Problems, test.count)
		require.Contains(t, got.Error(), test.first)
		lines := strings.Split(want.Error(), "\n")
		require.Equal(t, "The arguments of refuse are invalid and nothing was run:\n- "+
			strings.Join(lines, "\n- ")+"\nCorrect them and call refuse again.", o.Text())
	}
}
