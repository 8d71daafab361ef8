package path

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	member := func(name string) Step { return Step{Kind: Member, Name: name} }
	items := func(from, to int) Step { return Step{Kind: Items, From: from, To: to} }
	tests := []struct {
		text string
		want []Step
	}{
		{"id", []Step{member("id")}},
		{"ship.city", []Step{member("ship"), member("city")}},
		{"items[].sku", []Step{member("items"), items(0, -1), member("sku")}},
		{"items[0:3].sku", []Step{member("items"), items(0, 3), member("sku")}},
		{"items[2]", []Step{member("items"), items(2, 3)}},
		{"items[2:]", []Step{member("items"), items(2, -1)}},
		{"items[:2]", []Step{member("items"), items(0, 2)}},
		{"rows[][]", []Step{member("rows"), items(0, -1), items(0, -1)}},
		{"[].sku", []Step{items(0, -1), member("sku")}},
		{"meta.*", []Step{member("meta"), {Kind: AllMembers}}},
		{"*", []Step{{Kind: AllMembers}}},
		{"*.id", []Step{{Kind: AllMembers}, member("id")}},
		{`meta."odd.name"`, []Step{member("meta"), member("odd.name")}},
		{`"a\"]b"[]`, []Step{member(`a"]b`), items(0, -1)}},
		{`""`, []Step{member("")}},
		{"@id.$ref-x", []Step{member("@id"), member("$ref-x")}},
	}
	for _, tt := range tests {
		got, err := Parse(tt.text)
		require.NoError(t, err, tt.text)
		require.Equal(t, tt.want, got, tt.text)
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", `path "": at byte 0: want a name; write one with other characters as a JSON string`},
		{"a.", `path "a.": at byte 2: want a name; write one with other characters as a JSON string`},
		{"a..b", `path "a..b": at byte 2: want a name; write one with other characters as a JSON string`},
		{" a", `path " a": at byte 0: want a name; write one with other characters as a JSON string`},
		{"a[", `path "a[": at byte 1: the [ has no ]`},
		{"a]", `path "a]": at byte 1: want . or [`},
		{"a[x]", `path "a[x]": at byte 1: "x" is no index`},
		{"a[-1]", `path "a[-1]": at byte 1: "-1" is no index`},
		{"a[3:3]", `path "a[3:3]": at byte 1: the range [3:3] is empty`},
		{"a[]b", `path "a[]b": at byte 3: want . or [`},
		{`"a`, `path "\"a": at byte 0: the quoted name does not end`},
		{`"\q"`, `path "\"\\q\"": at byte 0: the quoted name is no JSON string`},
		{"a*", `path "a*": at byte 1: want . or [`},
	}
	for _, tt := range tests {
		_, err := Parse(tt.text)
		require.EqualError(t, err, tt.want, tt.text)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"items[0:3].sku", `meta."odd.name"`, "[][].*", "a..b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		steps, err := Parse(text)
		if err == nil {
			require.NotEmpty(t, steps)
		}
		again, err2 := Parse(text)
		require.Equal(t, steps, again)
		require.Equal(t, err, err2)
	})
}
