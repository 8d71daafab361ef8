package jig_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

type modelSearchArgs struct {
	Query string   `json:"query"`
	Limit int      `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50"`
	Small uint8    `json:"small,omitempty"`
	ID    int64    `json:"id,omitempty"`
	Tags  []string `json:"tags,omitempty"`
	Sort  string   `json:"sort,omitempty" jsonschema:"enum=newest,enum=oldest"`
	Deep  bool     `json:"deep,omitempty"`
}

type modelNoteArgs struct {
	Text string `json:"text"`
}

// modelInput is what a model sent to a tool.
type modelInput struct {
	about, tool, args string
	incomplete        bool
}

// modelInputs are the forms in which arguments arrive, right and wrong.
var modelInputs = []modelInput{
	{about: "nothing, where nothing is needed", tool: "ping", args: ``},
	{about: "nothing, where something is", tool: "search", args: ``},
	{about: "white space", tool: "ping", args: " \n"},
	{about: "null", tool: "ping", args: `null`},
	{about: "null, where something is needed", tool: "search", args: `null`},
	{about: "an empty string", tool: "ping", args: `""`},
	{about: "an empty string, where something is needed", tool: "search", args: `""`},
	{about: "null as a string", tool: "ping", args: `"null"`},
	{about: "an empty array", tool: "ping", args: `[]`},
	{about: "an empty object as a string", tool: "ping", args: `"{}"`},
	{about: "the arguments as a string", tool: "search", args: `"{\"query\":\"x\",\"limit\":3}"`},
	{about: "the arguments as a string, twice", tool: "search", args: `"\"{\\\"query\\\":\\\"x\\\"}\""`},
	{about: "a wrapper", tool: "search", args: `{"args":{"query":"x"}}`},
	{about: "a wrapper, for a tool without arguments", tool: "ping", args: `{"args":{}}`},
	{about: "an array as a string", tool: "search", args: `{"query":"x","tags":"[\"a\"]"}`},
	{about: "the same for a string", tool: "note", args: `{"text":"[\"a\"]"}`},
	{about: "digits for a string", tool: "note", args: `{"text":"01234"}`},
	{about: "a number for a string", tool: "note", args: `{"text":1234}`},
	{about: "a number as a string", tool: "search", args: `{"query":"x","limit":"5"}`},
	{about: "a number as a string, with a unit", tool: "search", args: `{"query":"x","limit":"5 items"}`},
	{about: "a boolean as a string", tool: "search", args: `{"query":"x","deep":"true"}`},
	{about: "a boolean as a number", tool: "search", args: `{"query":"x","deep":1}`},
	{about: "5.0 for an integer", tool: "search", args: `{"query":"x","limit":5.0}`},
	{about: "5.5 for an integer", tool: "search", args: `{"query":"x","limit":5.5}`},
	{about: "300 for 8 bits", tool: "search", args: `{"query":"x","small":300}`},
	{about: "2^53+1", tool: "search", args: `{"query":"x","id":9007199254740993}`},
	{about: "2^53+1 as a string", tool: "search", args: `{"query":"x","id":"9007199254740993"}`},
	{about: "invented keys, where there are none", tool: "ping", args: `{"reason":"to be sure"}`},
	{about: "an invented key", tool: "search", args: `{"query":"x","page_token":"t"}`},
	{about: "an invented key, strict", tool: "strict", args: `{"query":"x","page_token":"t"}`},
	{about: "a typo", tool: "search", args: `{"query":"x","limt":3}`},
	{about: "another case of a key", tool: "search", args: `{"Query":"x"}`},
	{about: "both cases of a key", tool: "search", args: `{"query":"x","QUERY":"y"}`},
	{about: "another case of an enum value", tool: "search", args: `{"query":"x","sort":"Newest"}`},
	{about: "null for what is optional", tool: "search", args: `{"query":"x","limit":null,"tags":null}`},
	{about: "a key twice", tool: "search", args: `{"query":"x","query":"y"}`},
	{about: "a code fence", tool: "search", args: "```json\n{\"query\":\"x\"}\n```"},
	{about: "a code fence, lenient", tool: "lenient", args: "```json\n{\"query\":\"x\"}\n```"},
	{about: "a control token", tool: "search", args: `{"query":"x"}<|call|>`},
	{about: "a control token, lenient", tool: "lenient", args: `{"query":"x"}<|call|>`},
	{about: "a trailing comma", tool: "search", args: `{"query":"x",}`},
	{about: "a trailing comma, lenient", tool: "lenient", args: `{"query":"x",}`},
	{about: "single quotes, lenient", tool: "lenient", args: `{'query':'it"s'}`},
	{about: "a raw newline, lenient", tool: "lenient", args: "{\"query\":\"a\nb\"}"},
	{about: "one tag, not in an array", tool: "search", args: `{"query":"x","tags":"a"}`},
	{about: "one tag, not in an array, lenient", tool: "lenient", args: `{"query":"x","tags":"a"}`},
	{about: "two values", tool: "lenient", args: `{"query":"x"}{"query":"y"}`},
	{about: "prose", tool: "lenient", args: `Sure! {"query":"x"}`},
	{about: "cut off", tool: "search", args: `{"query":"x","tags":["a`},
	{about: "cut off, lenient", tool: "lenient", args: `{"query":"x","tags":["a`},
	{about: "cut off, and the host knows", tool: "search", args: `{"query":"x"}`, incomplete: true},
	{about: "cut off before it began", tool: "ping", args: ``, incomplete: true},
	{about: "five problems at once", tool: "strict",
		args: `{"qurey":"x","limit":0,"sort":"best","tags":[1,"a"]}`},
	{about: "the name in another case", tool: "Search", args: `{"query":"x"}`},
	{about: "a name that is nearly right", tool: "serch", args: `{"query":"x"}`},
}

// modelTools returns a registry with the tools of modelInputs.
func modelTools(t *testing.T) *jig.Registry {
	search := func(name string, strict bool, mode jig.RepairMode) *jig.Tool {
		return jig.MustDefine(jig.Spec[modelSearchArgs, string]{
			Name: name, Description: "Call it in tests.", Strict: strict, Repair: mode,
			Execute: func(ctx context.Context, _ modelSearchArgs) (string, error) {
				return string(jig.CallInfo(ctx).Args()), nil
			},
		})
	}
	return registryOf(t, nil,
		search("search", false, jig.RepairSafe), search("strict", true, jig.RepairSafe),
		search("lenient", false, jig.RepairLenient),
		runOf("ping", func(ctx context.Context, _ struct{}) (string, error) {
			return string(jig.CallInfo(ctx).Args()), nil
		}),
		runOf("note", func(ctx context.Context, _ modelNoteArgs) (string, error) {
			return string(jig.CallInfo(ctx).Args()), nil
		}))
}

// TestWhatModelsSend is one golden to read: what models really send, and what comes of it.
func TestWhatModelsSend(t *testing.T) {
	r := modelTools(t)
	var out strings.Builder
	out.WriteString("What models really send, and what comes of it. Where a call is ok, the text is its\n" +
		"canonical arguments. strict and lenient are search under Strict and RepairLenient.\n")
	for _, in := range modelInputs {
		got := r.Call(t.Context(), jig.Call{Name: in.tool, Args: []byte(in.args), Incomplete: in.incomplete})
		fmt.Fprintf(&out, "\n# %s\n%s %s\n", in.about, in.tool, in.args)
		fmt.Fprintf(&out, "=> %s %s", got.Status, got.Code)
		if got.Retryable {
			out.WriteString(" retryable")
		}
		out.WriteByte('\n')
		for _, repair := range got.Repairs {
			change := repair.Before + " -> " + repair.After
			if repair.Kind == "unknown_property" {
				change = "left out"
			}
			fmt.Fprintf(&out, "   %s at %q: %s\n", repair.Kind, repair.Pointer,
				strings.ReplaceAll(change, "\n", "\\n"))
		}
		for line := range strings.Lines(got.Text()) {
			out.WriteString("   | " + strings.TrimSuffix(line, "\n") + "\n")
		}
		require.Equal(t, got.Status == jig.StatusInvalid, got.Retryable, in.about)
	}
	corpusGolden(t, "what-models-send.golden", strings.ReplaceAll(out.String(), " \n", "\n"))
}
