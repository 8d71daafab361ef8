package general

import (
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/require"
)

func TestWarnings(t *testing.T) {
	const tail = ", which is not checked here; the provider may still enforce it"
	tests := []struct {
		name, schema string
		want         []string
	}{
		{"none", `{"pattern":"^[a-z]+$","default":{"pattern":"(?=x)"},"enum":[{"pattern":"("}]}`,
			nil},
		{"look-ahead", `{"properties":{"a":{"pattern":"(?=x)"}}}`,
			[]string{`/properties/a/pattern: "(?=x)" needs look-ahead` + tail}},
		{"look-behind", `{"pattern":"(?<!x)y"}`,
			[]string{`/pattern: "(?<!x)y" needs look-behind` + tail}},
		{"count", `{"pattern":"^.{1,2000}$"}`,
			[]string{`/pattern: "^.{1,2000}$" needs a repeat count over 1000` + tail}},
		{"back-reference", `{"pattern":"(a)\\1"}`,
			[]string{`/pattern: "(a)\\1" needs a back-reference` + tail}},
		{"escape", `{"pattern":"\\u4e00"}`,
			[]string{`/pattern: "\\u4e00" needs the escape "\\u"` + tail}},
		{"named pattern", `{"properties":{"pattern":{"pattern":"(?!x)"}}}`,
			[]string{`/properties/pattern/pattern: "(?!x)" needs look-ahead` + tail}},
		{"key", `{"patternProperties":{"^(?!x)":{}},"additionalProperties":false}`,
			[]string{`/patternProperties/^(?!x): "^(?!x)" needs look-ahead, which is not checked ` +
				`here, so additionalProperties is not checked here either; the provider may still ` +
				`enforce them`}},
		{"newer keyword", `{"items":[{"dependentRequired":{"a":["b"]}}]}`, []string{
			`/items/0/dependentRequired: is not a keyword of draft-07 and is not checked here`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := Compile([]byte(tt.schema))
			require.NoError(t, err)
			require.Equal(t, tt.want, doc.Warnings())
		})
	}
}

// TestRelax pins that a pattern which cannot run never makes a schema refuse what it accepts.
func TestRelax(t *testing.T) {
	const a = `{"pattern":"^(?!a)"}` // "b" is valid, "a" is not
	tests := []struct{ name, schema, good string }{
		{"not", `{"not":` + a + `}`, `"a"`},
		{"not behind a reference", `{"not":{"allOf":[{"$ref":"#/$defs/a"}]},"$defs":{"a":` + a + `}}`,
			`"a"`},
		{"if", `{"if":` + a + `,"then":{"minLength":9}}`, `"a"`},
		{"oneOf", `{"oneOf":[` + a + `,{"const":"a"}]}`, `"a"`},
		{"oneOf beside anyOf and allOf",
			`{"oneOf":[` + a + `,{"const":"a"}],"anyOf":[{}],"allOf":[{}]}`, `"a"`},
		{"oneOf in oneOf", `{"oneOf":[{"oneOf":[` + a + `,{"const":"a"}]},{"const":"a"}]}`, `"a"`},
		{"reference into oneOf", `{"oneOf":[` + a + `,{"const":"a"}],
			"$defs":{"x":{"$ref":"#/oneOf/1"}},"$ref":"#/$defs/x"}`, `"a"`},
		{"maxContains", `{"contains":` + a + `,"maxContains":1}`, `["a","b"]`},
		{"additional", `{"patternProperties":{"^(?!a)":{}},"additionalProperties":false}`, `{"b":1}`},
		{"unevaluated", `{"allOf":[{"patternProperties":{"^(?!a)":{}}}],
			"unevaluatedProperties":false}`, `{"b":1}`},
		{"unevaluated behind oneOf", `{"oneOf":[{"properties":{"k":` + a + `}},{"required":["z"]}],
			"unevaluatedProperties":false}`, `{"k":"b"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := Compile([]byte(tt.schema))
			require.NoError(t, err)
			require.NotEmpty(t, doc.Warnings())
			require.True(t, judge(t, doc, []byte(tt.good)), "Valid(%s)", tt.good)
		})
	}
}

// TestFormatInEveryDraft pins that neither $schema nor the library's own table decides.
func TestFormatInEveryDraft(t *testing.T) {
	drafts := []string{""}
	for uri := range draftURLs {
		drafts = append(drafts, `"$schema":"https://`+uri+`#",`)
	}
	for _, draft := range drafts {
		for name := range formats {
			doc, err := Compile([]byte(`{` + draft + `"format":"` + name + `"}`))
			require.NoError(t, err)
			require.False(t, judge(t, doc, []byte(`"~ (%"`)), "%s %s", draft, name)
			require.True(t, judge(t, doc, []byte(`5`)), "%s %s", draft, name)
		}
		for name := range jsonschema.Formats {
			if _, ours := Format(name); !ours {
				doc, err := Compile([]byte(`{` + draft + `"format":"` + name + `"}`))
				require.NoError(t, err)
				require.True(t, judge(t, doc, []byte(`"~ (%"`)), "%s %s", draft, name)
			}
		}
		doc, err := Compile([]byte(`{` + draft + `"contentEncoding":"base64",` +
			`"contentMediaType":"application/json"}`))
		require.NoError(t, err)
		require.True(t, judge(t, doc, []byte(`"~"`)), draft)
	}
}

func TestFormat(t *testing.T) {
	tests := []struct {
		name      string
		good, bad []string
	}{
		{"date-time", []string{"2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123+02:00"},
			[]string{"yesterday", "2026-01-02t03:04:05z", "2026-01-02T03:04:05", "2026-02-30T00:00:00Z",
				"2026-01-02T3:04:05Z", "2026-01-02T03:04:05,5Z"}},
		{"date", []string{"2024-02-29"}, []string{"2023-02-29", "2023-2-9", "", "2023-02-09Z"}},
		{"time", []string{"03:04:05Z", "03:04:05.5-08:00"},
			[]string{"03:04:05", "3:04:05Z", "03:04:05z", "23:59:60Z", "01:02:03+24:00"}},
		{"duration", []string{"P1D", "PT1H30M", "P1Y2M3DT4H5M6S", "P2W"},
			[]string{"", "P", "PT", "P1DT", "P1W1D", "P1Y2D", "PT1D", "1h"}},
		{"email", []string{"a.b+c@example.com", `"a b"@example.com`, "a@[127.0.0.1]", "a@[IPv6:::1]",
			`"a@b"@example.com`},
			[]string{"2962", "@x.y", "a@", "a..b@x.y", "a b@x.y", "a@[1.2.3]", "a@[::1]", "a@x_y",
				strings.Repeat("a", 65) + "@x.y"}},
		{"hostname", []string{"example.com", "a", "xn--4gbwdl.xn--wgbh1c", "1a"},
			[]string{"", "-a", "a-", "a..b", "a_b", "a.", strings.Repeat("a", 64),
				strings.Repeat("a.", 127) + "a"}},
		{"ipv4", []string{"127.0.0.1"}, []string{"127.0.0", "127.0.0.256", "127.0.0.01", "::1"}},
		{"ipv6", []string{"::1", "::ffff:1.2.3.4"}, []string{"::1%eth0", "1.2.3.4", "12345::"}},
		{"ip", []string{"::1", "1.2.3.4"}, []string{"fe80::1%a", "a", ""}},
		{"uri", []string{"https://a.b/c?d#e", "mailto:a@b.c", "http://[::1]:8080/", "urn:x:y"},
			[]string{"/a", "a b:c", "http://a b", "http://a/\\", "http://a/%zz", "x:/#a#b", "a:/[x"}},
		{"uri-reference", []string{"/a?b#c", "", "../x"}, []string{"\\\\a", "//a@b@c/", "é"}},
		{"uuid", []string{"2eb8aa08-aa98-11ea-b4aa-73b441d16380",
			"2EB8AA08-AA98-11EA-B4AA-73B441D16380"},
			[]string{"2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638", "{}"}},
		{"json-pointer", []string{"", "/a~1b/~0/"}, []string{"a", "/~", "/~2"}},
		{"relative-json-pointer", []string{"0", "1/a", "2#"}, []string{"", "01", "-1", "1#a", "/a"}},
		{"regex", []string{"^a+$", ""}, []string{"(", "(?=a)"}},
		{"go-duration", []string{"1h30m", "-1.5s", "0"}, []string{"", "1", "1d"}},
		{"base64", []string{"", "YQ==", "YWJj"}, []string{"YQ", "YQ==\n", "Y\nQ==", "_-=="}},
	}
	require.Len(t, formats, len(tests))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			check, ok := Format(tt.name)
			require.True(t, ok)
			for _, s := range tt.good {
				require.True(t, check(s), "%q", s)
			}
			for _, s := range tt.bad {
				require.False(t, check(s), "%q", s)
			}
		})
	}
	_, ok := Format("iri")
	require.False(t, ok)
}

// TestCompileWith pins that formats can be added for one document.
func TestCompileWith(t *testing.T) {
	const schema = `{"properties":{"a":{"format":"even"},"b":{"format":"date"}}}`
	even := map[string]func(string) bool{"even": func(s string) bool { return len(s)%2 == 0 }}
	doc, err := CompileWith([]byte(schema), even)
	require.NoError(t, err)
	a, err := doc.Sub("/properties/a")
	require.NoError(t, err)
	require.True(t, a.Valid([]byte(`"ab"`)))
	require.False(t, a.Valid([]byte(`"abc"`)))
	require.True(t, a.Valid([]byte(`3`)))
	b, err := doc.Sub("/properties/b")
	require.NoError(t, err)
	require.False(t, b.Valid([]byte(`"ab"`)))
	plain, err := Compile([]byte(schema))
	require.NoError(t, err)
	a, err = plain.Sub("/properties/a")
	require.NoError(t, err)
	require.True(t, a.Valid([]byte(`"abc"`)))
}
