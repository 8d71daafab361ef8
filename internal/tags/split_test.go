package tags

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		name string
		want []string
		tag  string
	}{
		{"empty", []string{""}, ``},
		{"parts", []string{"a=1", "b", "c="}, `a=1,b,c=`},
		{"escaped", []string{"a=1,2", "b"}, `a=1\,2,b`},
		{"two escapes", []string{"a=,,"}, `a=\,\,`},
		{"backslash and escape", []string{`a=\,b`}, `a=\\,b`},
		{"backslash at the end", []string{"a", `b\`}, `a,b\`},
		{"empty parts", []string{"", "", ""}, `,,`},
		{"braces in a pattern", []string{"pattern=a{1,2}", "x"}, `pattern=a{1,2},x`},
		{"braces elsewhere", []string{"title=a{1", "2}"}, `title=a{1,2}`},
		{"no quantifier", []string{"pattern=a{", "2}"}, `pattern=a{,2}`},
		{"unclosed quantifier", []string{"pattern=a{1", "2"}, `pattern=a{1,2`},
		{"braces at the end", []string{"pattern=a{1"}, `pattern=a{1`},
		{"more than UTF-8", []string{"title=é", "ü"}, `title=é,ü`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, s := range split(nil, tt.tag) {
				got = append(got, s.String())
			}
			require.Equal(t, tt.want, got)
		})
	}
}

// TestSplitEscape pins that escape is the inverse of split, which is what makes
// the second reader see the parts that the first one saw.
func TestSplitEscape(t *testing.T) {
	for _, values := range [][]string{
		{"title=a,b", "enum=,"}, {`pattern=a{1,2},\d`, "x"}, {`a=\,`, `b=\\,c`}, {"a", `b\`},
	} {
		var escaped, got []string
		for _, v := range values {
			escaped = append(escaped, escape(v))
		}
		for _, s := range split(nil, strings.Join(escaped, ",")) {
			got = append(got, s.String())
		}
		require.Equal(t, values, got)
	}
}
