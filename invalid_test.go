package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// A keeper keeps the bytes that it is given.
type keeper struct{ bytes []byte }

func (k *keeper) UnmarshalText(b []byte) error {
	if string(b) == "panic" {
		panic("keeper")
	}
	k.bytes = b
	return nil
}
func (k keeper) MarshalText() ([]byte, error) { return k.bytes, nil }

type refusedArgs struct {
	Kept  keeper               `json:"kept,omitzero"`
	Mode  string               `json:"mode" jsonschema:"enum=read,enum=write"`
	Rates map[string]int       `json:"rates,omitempty"`
	Lines []map[string]int     `json:"lines,omitempty"`
	Times map[string]time.Time `json:"times,omitempty"`
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
		{`{"mode":"read","times":{"é":"x"}}`, 1, `"/times/é": got "x", want a date-time`},
		{`{"mode":"x","times":{"a/b~\"\\":"x","` + "\u2028" + `":""}}`, 3, `"/times/a~1b~0\"\\": got "x"`},
		{`{"mode":"read","times":{"` + long + `":"x"}}`, 1, `"/times/longlong`},
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

// TestRefusalIsCut shows which caps hold for the text of a refusal.
func TestRefusalIsCut(t *testing.T) {
	define := func(limit int) *jig.Tool {
		return jig.MustDefine(jig.Spec[refusedArgs, string]{Name: "refuse", Description: "Refuses.",
			MaxOutputBytes: limit, Execute: func(context.Context, refusedArgs) (string, error) { return "", nil }})
	}
	registry := func(o jig.Options, limit int) *jig.Registry {
		o.Key = []byte("the same for all")
		r := jig.NewRegistry(&o)
		require.NoError(t, r.Add(define(limit)))
		return r
	}
	call := jig.Call{Name: "refuse", Args: json.RawMessage(`{"mode":"` + strings.Repeat("m", 80) +
		`","rates":{"` + strings.Repeat("r", 150) + `":"x"}}`)}
	whole := registry(jig.Options{}, 0)
	text := whole.Call(context.Background(), call).Text()
	require.Greater(t, len(text), 300)
	for name, r := range map[string]*jig.Registry{
		"bytes":  registry(jig.Options{MaxOutputBytes: 256}, 0),
		"tokens": registry(jig.Options{MaxOutputTokens: 64}, 0),
		"tool":   registry(jig.Options{}, 256),
	} {
		for _, o := range []jig.Outcome{r.Call(context.Background(), call),
			r.Render(r.Prepare(call), jig.Executed{}), r.Render(whole.Prepare(call), jig.Executed{})} {
			require.NotNil(t, o.Cut, name)
			require.LessOrEqual(t, len(o.Text()), 256, name)
			require.Equal(t, len(text), o.Cut.OriginalBytes, name)
		}
		o := whole.Render(r.Prepare(call), jig.Executed{})
		require.Nil(t, o.Cut, name)
		require.Equal(t, text, o.Text(), name)
	}
}

// TestArgumentsAreTheCallersAgain shows that the caller may write over the text of the arguments once a call
// is prepared, whatever became of it.
func TestArgumentsAreTheCallersAgain(t *testing.T) {
	got := ""
	r := registryOf(t, nil, jig.MustDefine(jig.Spec[refusedArgs, string]{Name: "refuse", Description: "Refuses.",
		Repair: jig.RepairLenient, Execute: func(ctx context.Context, args refusedArgs) (string, error) {
			got = fmt.Sprint(args) + string(args.Kept.bytes)
			return "", nil
		}}))
	for _, args := range []string{`{"mode":"read","kept":"me"}`, ` {"mode":"read"} `, `{"mode":"read","unknown":1}`,
		` {"mode":"read","lines":[{"a":"1"}]}`, "```json\n{\"mode\":\"read\"}\n```", `{"mode":"raed"}`, `{"mode":`,
		`{"mode":"read","rates":{"` + strings.Repeat("long", 40) + `":1}}`} {
		own := []byte(args)
		prepared := r.Prepare(jig.Call{Name: "refuse", Args: own})
		want, err := json.Marshal(prepared)
		require.NoError(t, err)
		copy(own, strings.Repeat("x", len(own)))
		after, err := json.Marshal(prepared)
		require.NoError(t, err)
		require.Equal(t, string(want), string(after), args)
		got = ""
		o := r.Render(prepared, r.Execute(t.Context(), r.Authorize(t.Context(), prepared)))
		first := got
		again := r.Call(t.Context(), jig.Call{Name: "refuse", Args: []byte(args)})
		require.Equal(t, again.Text(), o.Text())
		require.Equal(t, again.Status, o.Status)
		require.Equal(t, first, got)
		require.NotContains(t, got, "x")
	}
}

// TestBrokenTextComesFirst shows that text which is no JSON is what is wrong, also where a type of the author
// panics before the place.
func TestBrokenTextComesFirst(t *testing.T) {
	tool := jig.MustDefine(jig.Spec[refusedArgs, string]{Name: "refuse", Description: "Refuses.",
		Execute: func(context.Context, refusedArgs) (string, error) { return "", nil }})
	for args, want := range map[string]error{
		`{"kept":"panic","mode":"read"}`: jig.ErrPanic,
		`{"kept":"panic","mode":"read"`:  jig.ErrIncomplete,
	} {
		require.ErrorIs(t, tool.Call(t.Context(), []byte(args)).Err, want, args)
	}
	for _, args := range []string{`{"kept":"panic","mode":"read"} x`, `{"kept":"panic","kept":"b"}`, `{"kept":"panic","n":01}`} {
		o := tool.Call(t.Context(), []byte(args))
		require.Equal(t, "invalid_arguments", o.Code, args)
	}
}

// TestDefaultsDropNothing shows that a property too many is told of only where it was sent.
func TestDefaultsDropNothing(t *testing.T) {
	type inner struct {
		X int `json:"x,omitempty"`
	}
	type args struct {
		A inner `json:"a,omitzero"`
		N int   `json:"n,omitempty"`
	}
	tool := jig.MustDefine(jig.Spec[args, int]{Name: "add", Description: "Adds.",
		Schema: jig.MustParseSchema(`{"type":"object","properties":{"n":{"type":"integer"},"a":{"type":"object",
			"properties":{"x":{"type":"integer"}},"default":{"x":7,"zzz":1}}}}`),
		Execute: func(_ context.Context, args args) (int, error) { return args.A.X + args.N, nil }})
	for text, want := range map[string][]jig.Repair{
		`{"n":1}`:                 nil,
		`{"n":1,"u":1}`:           {{Pointer: "/u", Kind: "unknown_property"}},
		`{"n":1,"a":null,"u":{}}`: {{Pointer: "/u", Kind: "unknown_property"}},
	} {
		o := tool.Call(t.Context(), []byte(text))
		require.Equal(t, "8", o.Text(), text)
		require.Equal(t, want, o.Repairs, text)
	}
}
