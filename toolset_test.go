package jig_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

func TestAddConflicts(t *testing.T) {
	spec := func(name string) jig.Spec[struct{}, string] {
		return jig.Spec[struct{}, string]{Name: name, Description: "Call it in tests.",
			Execute: func(context.Context, struct{}) (string, error) { return "", nil }}
	}
	refund := jig.MustDefine(spec("refund"))
	again := jig.MustDefine(spec("refund"))
	odd := jig.MustDefine(spec("billing__refund"))
	billing := jig.MustDefine(spec("billing"))
	long := jig.MustDefine(spec(repeat("abcdefghij", 6)))
	at := func(tool *jig.Tool) string { return tool.DefinedAt() }
	require.Regexp(t, `^[^/]+/toolset_test\.go:\d+$`, at(refund))
	require.NotEqual(t, at(refund), at(again))
	for _, test := range []struct {
		name      string
		err       func(r *jig.Registry) error
		duplicate bool
		want      string
	}{
		{"the same name", func(r *jig.Registry) error { return r.Add(named("other"), again) }, true,
			fmt.Sprintf(`jig: duplicate tool: tool "refund" defined at %s conflicts with the tool "refund" `+
				`defined at %s`, at(again), at(refund))},
		{"in a group", func(r *jig.Registry) error {
			return r.Group("first", named("other"), again)
		}, true, fmt.Sprintf(`jig: duplicate tool: tool "first.refund" defined at %s conflicts with the tool `+
			`"first.refund" defined at %s`, at(again), at(refund))},
		{"the name on wires", func(r *jig.Registry) error {
			require.NoError(t, r.Group("billing", refund))
			return r.Add(named("other"), odd)
		}, true, fmt.Sprintf(`jig: duplicate tool: tool "billing__refund" defined at %s conflicts with the name `+
			`"billing__refund" that the wire has for "billing.refund" defined at %s`, at(odd), at(refund))},
		{"the name on wires, the other way", func(r *jig.Registry) error {
			require.NoError(t, r.Add(odd))
			return r.Group("billing", named("other"), refund)
		}, true, fmt.Sprintf(`jig: duplicate tool: tool "billing.refund" defined at %s conflicts with the name `+
			`"billing__refund" that the wire has for "billing__refund" defined at %s`, at(refund), at(odd))},
		{"a tool named like a group", func(r *jig.Registry) error {
			require.NoError(t, r.Group("billing", refund))
			return r.Add(named("other"), billing)
		}, true, fmt.Sprintf(`jig: duplicate tool: tool "billing" defined at %s conflicts with the group of the `+
			`tool "billing.refund" defined at %s`, at(billing), at(refund))},
		{"a group named like a tool", func(r *jig.Registry) error {
			require.NoError(t, r.Add(billing))
			return r.Group("billing", named("other"), refund)
		}, true, fmt.Sprintf(`jig: duplicate tool: tool "billing.other" defined at %s conflicts with the tool `+
			`with the name of its group, "billing" defined at %s`, at(named("other")), at(billing))},
		{"65 characters with the group", func(r *jig.Registry) error {
			return r.Group("abc", named("other"), long)
		}, false, fmt.Sprintf(`jig: tool "abc__%s" defined at %s: the name with its group is 65 characters long, `+
			`want at most 64`, long.Name(), at(long))},
		{"nil", func(r *jig.Registry) error { return r.Add(named("other"), nil) }, false,
			"jig: add: a tool is nil or was not made by Define"},
		{"zero", func(r *jig.Registry) error { return r.Add(named("other"), &jig.Tool{}) }, false,
			"jig: add: a tool is nil or was not made by Define"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var r jig.Registry
			require.NoError(t, r.Add(named("first_of_all")))
			if test.name == "the same name" {
				require.NoError(t, r.Add(refund))
			}
			if test.name == "in a group" {
				require.NoError(t, r.Group("first", refund))
			}
			err := test.err(&r)
			require.EqualError(t, err, test.want)
			if test.duplicate {
				require.ErrorIs(t, err, jig.ErrDuplicate)
			}
			for _, name := range namesOf(&r) { // all or none
				require.NotContains(t, name, "other")
			}
		})
	}
	var r jig.Registry
	require.NoError(t, r.Group("ab", long), "64 characters pass")
}

func TestAddHasOneWinner(t *testing.T) {
	var r jig.Registry
	var wait sync.WaitGroup
	errs := make([]error, 50)
	for i := range errs {
		tool := named("send")
		wait.Go(func() { errs[i] = r.Add(named(fmt.Sprint("own_", i)), tool) })
	}
	wait.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		require.ErrorIs(t, err, jig.ErrDuplicate)
	}
	require.Equal(t, 1, won)
	require.Len(t, namesOf(&r), 2)
}

func TestUnknownTool(t *testing.T) {
	var r jig.Registry
	require.NoError(t, r.Add(named("search"), named("read_file"), named("read_files"), named("Stop")))
	require.NoError(t, r.Group("crm", named("look_up")))
	const all = `; the tools are "search", "read_file", "read_files", "Stop", "crm.look_up"`
	for _, test := range []struct{ name, want string }{
		{"serch", `unknown tool: "serch"; did you mean "search"?`},
		{"read_fil", `unknown tool: "read_fil"; did you mean "read_file" or "read_files"?`},
		{"functions.search", `unknown tool: "functions.search"` + all},
		{"look_up", `unknown tool: "look_up"` + all},
		{"read file", `unknown tool: "read file"; did you mean "read_file" or "read_files"?`},
		{"sеarch", `unknown tool: "sеarch"; did you mean "search"?`}, // a Cyrillic letter
		{"search\n", `unknown tool: "search\n"; did you mean "search"?`},
		{"", `unknown tool: ""` + all},
		{"._-", `unknown tool: "._-"` + all},
		{"a\x00\x1b[2J\u202e\xff", `unknown tool: "a\x00\x1b[2J\u202e�"` + all},
		{string(make([]byte, 30)), `unknown tool: "` + repeat(`\x00`, 30) + `"` + all},
		{repeat("long", 1000), `unknown tool: "` + repeat("long", 9) + `lon…ng` + repeat("long", 9) + `"` + all},
	} {
		t.Run(fmt.Sprintf("%.20q", test.name), func(t *testing.T) {
			got := r.Call(t.Context(), jig.Call{ID: "7", Name: test.name, Args: []byte("{")})
			require.Equal(t, test.want, got.Text())
			require.Equal(t, "7", got.CallID)
			require.Equal(t, test.name, got.Tool)
			require.Equal(t, jig.StatusInvalid, got.Status)
			require.Equal(t, "unknown_tool", got.Code)
			require.True(t, got.Retryable)
			require.ErrorIs(t, got.Err, jig.ErrUnknownTool)
			require.Empty(t, got.Repairs)
		})
	}
}

func repeat(s string, n int) string {
	out := ""
	for range n {
		out += s
	}
	return out
}

func TestUnknownToolListsTwenty(t *testing.T) {
	var r jig.Registry
	want := `unknown tool: "zzzzzz"; the tools are `
	for i := range 25 {
		require.NoError(t, r.Add(named(fmt.Sprintf("t%02d_longer", i))))
		if i < 20 {
			want += fmt.Sprintf(`"t%02d_longer", `, i)
		}
	}
	want = want[:len(want)-2] + " and 5 more"
	require.Equal(t, want, r.Call(t.Context(), jig.Call{Name: "zzzzzz"}).Text())
}

func TestNamesThatDifferInCaseAndSeparators(t *testing.T) {
	var r jig.Registry
	require.NoError(t, r.Add(named("read_file"), named("a_b"), named("ab")))
	require.NoError(t, r.Group("crm", named("look_up")))
	for _, test := range []struct{ name, want string }{
		{"READ_FILE", "read_file"},
		{"readFile", "read_file"},
		{"read-file", "read_file"},
		{"read.file", "read_file"},
		{"crm__look_up", "crm.look_up"},
		{"CRM.lookUp", "crm.look_up"},
		{"crm_look_up", "crm.look_up"},
		{"a_b", "a_b"},
		{"A-B", ""}, // two tools
		{"read_file ", ""},
		{"read_fi1e", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := r.Call(t.Context(), jig.Call{Name: test.name})
			if test.want == "" {
				require.Equal(t, "unknown_tool", got.Code)
				return
			}
			require.Equal(t, test.want, got.Text())
			require.Equal(t, test.want, got.Tool)
			if test.name == test.want {
				require.Empty(t, got.Repairs)
			} else {
				require.Equal(t, []jig.Repair{{Kind: "tool_name", Before: test.name, After: test.want}}, got.Repairs)
			}
		})
	}
}
