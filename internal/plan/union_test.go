package plan_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// recursiveUnion is a tree of conditions: all and any hold others, eq is a leaf.
const recursiveUnion = `{"type":"object","properties":{"where":{"$ref":"#/$defs/e"}},"$defs":{"e":` +
	`{"anyOf":[{"type":"object","properties":{"op":{"const":"and"},"args":{"type":"array",` +
	`"items":{"$ref":"#/$defs/e"}}},"required":["op","args"]},{"type":"object","properties":` +
	`{"op":{"const":"or"},"args":{"type":"array","items":{"$ref":"#/$defs/e"}}},"required":` +
	`["op","args"]},{"type":"object","properties":{"op":{"const":"eq"},"field":{"type":"string"},` +
	`"note":{"type":"string"}},"required":["op","field"]}]}}}`

func condition(levels int, leaf string) string {
	return `{"where":` + strings.Repeat(`{"op":"and","args":[`, levels) + leaf +
		strings.Repeat(`]}`, levels) + `}`
}

// TestRecursiveUnion shows that the time does not double with each level of nesting.
func TestRecursiveUnion(t *testing.T) {
	t.Parallel()
	p := compile(t, recursiveUnion, nil)
	require.Empty(t, p.Validate(check(t, condition(28, `{"op":"eq","field":"a"}`))).Problems)
	require.NotEmpty(t, p.Validate(check(t, condition(28, `{"op":"eq"}`))).Problems)
}

// TestExplainedBytes shows that large values are not judged again and again to explain them.
func TestExplainedBytes(t *testing.T) {
	branch := `{"type":"object","properties":{"a":{"type":"array"}},"required":["b"]}`
	p := compile(t, `{"anyOf":[`+strings.Repeat(branch+`,`, 49)+branch+`]}`, nil)
	big := check(t, `{"a":[1,"`+strings.Repeat("x", 1<<19)+`"]}`)
	require.Equal(t, ` anyOf: got object, which is none of the allowed forms`,
		lines(p.Validate(big).Problems))
	small := check(t, `{"a":[1]}`)
	require.Equal(t, `/b required: closest form: missing`, lines(p.Validate(small).Problems))
}

const contact = `{"type":"object","anyOf":[{"properties":{"kind":{"const":"email"},"address":` +
	`{"type":"string"},"note":{"type":"string"}},"required":["kind","address"],` +
	`"additionalProperties":false},{"$ref":"#/$defs/sms"}],"$defs":{"sms":{"properties":{"kind":` +
	`{"enum":["sms","text"]},"number":{"type":["string","null"]},"next":{"$ref":"#"}},` +
	`"required":["kind"]}}}`

// TestNullInUnions shows that null means absent by the branch that a value is meant for, and by
// patternProperties.
func TestNullInUnions(t *testing.T) {
	const oneObject = `{"properties":{"p":{"oneOf":[{"type":"string"},{"type":"array","items":{"type":` +
		`"object","properties":{"a":{"type":"integer"}},"additionalProperties":false}}]}}}`
	const pattern = `{"patternProperties":{"^p":{"properties":{"a":{"type":"string"}},` +
		`"additionalProperties":{"type":"string"}}},"additionalProperties":{"properties":` +
		`{"b":{"type":"string"}}}}`
	const both = `{"properties":{"e":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":` +
		`{"k":{"enum":["a","b"]},"e":{"$ref":"#/$defs/n"}},"anyOf":[{"properties":{"k":{"const":"a"},` +
		`"x":{"type":"string"},"e":{"$ref":"#/$defs/n"}}},{"properties":{"k":{"const":"b"}}}]}}}`
	deep := strings.Repeat(`{"k":"a","x":null,"e":`, 60) + `{"k":"b"}` + strings.Repeat("}", 60)
	for _, tt := range []struct{ name, schema, text, want string }{
		{"const", contact, `{"kind":"email","address":"a","note":null}`, `{"address":"a","kind":"email"}`},
		{"behind a reference", contact, `{"kind":"sms","number":null,"next":null}`,
			`{"kind":"sms","number":null}`},
		{"inside", contact, `{"kind":"text","next":{"kind":"email","address":"a","note":null}}`,
			`{"kind":"text","next":{"address":"a","kind":"email"}}`},
		{"the other branch keeps it", contact, `{"kind":"sms","note":null}`, `{"kind":"sms","note":null}`},
		{"required", contact, `{"kind":"email","address":null}`, ""},
		{"by kind", oneObject, `{"p":[{"a":null},{}]}`, `{"p":[{},{}]}`},
		{"pattern", pattern, `{"p1":{"a":null},"x":{"b":null,"a":null}}`, `{"p1":{},"x":{"a":null}}`},
		{"not a pattern's", pattern, `{"p1":{"b":null}}`, ""},
		{"both ways, deep", both, `{"e":` + deep + `}`, strings.ReplaceAll(`{"e":`+
			strings.Repeat(`{"e":`, 60)+`{"k":"b"}`+strings.Repeat(`,"k":"a"}`, 60)+`}`, " ", "")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := compile(t, tt.schema, nil)
			found := p.Validate(check(t, tt.text))
			require.Equal(t, tt.want == "", found.Total > 0, "%v", found.Problems)
			if tt.want != "" {
				require.Equal(t, tt.want, string(p.Canonical(nil, check(t, tt.text))))
			}
		})
	}
}

// TestNullInUnionsFills shows that Go values are filled as if the member was not there.
func TestNullInUnionsFills(t *testing.T) {
	var args map[string]string
	p := compile(t, contact, reflect.TypeOf(args))
	found := p.Decode(check(t, `{"kind":"email","address":"a","note":null}`),
		reflect.ValueOf(&args).Elem())
	require.Empty(t, found.Problems)
	require.Equal(t, map[string]string{"kind": "email", "address": "a"}, args)
}

// TestDiscriminators shows what is said of the property that tells the branches apart.
func TestDiscriminators(t *testing.T) {
	p := compile(t, contact, nil)
	for text, want := range map[string]string{
		`{"kind":"post"}`:  `/kind enum: got "post", want one of "email", "sms", "text"`,
		`{"kind":7}`:       `/kind enum: got number 7, want one of "email", "sms", "text"`,
		`{"address":"a"}`:  `/kind required: missing, want one of "email", "sms", "text"`,
		`{"address":null}`: `/kind required: missing, want one of "email", "sms", "text"`,
		`{"kind":"email"}`: `/address required: closest form: missing`,
		`{"kind":"sms","number":1,"next":{"kind":"x"}}`: `/next/kind enum: closest form: got "x", ` +
			`want one of "email", "sms", "text"` + "\n" +
			`/number type: closest form: got number 1, want string or null`,
	} {
		require.Equal(t, want, lines(p.Validate(check(t, text)).Problems), text)
	}
}

// TestUnionsAgree compares the plan with the general validator on random values of unions: without
// null they say the same, and a canonical form has no null that the general validator refuses.
func TestUnionsAgree(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	for _, schema := range []string{contact, strings.Replace(contact, "anyOf", "oneOf", 1)} {
		f := newForeign(t, schema)
		accepted := 0
		for range 3000 {
			if f.try(t, check(t, randomContact(random, 0))) {
				accepted++
			}
		}
		require.Greater(t, accepted, 300)
	}
}

func randomContact(r *rand.Rand, depth int) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	var members []string
	if r.IntN(10) > 0 {
		members = append(members, `"kind":`+pick(`"email"`, `"email"`, `"sms"`, `"text"`, `"post"`, `null`))
	}
	for _, m := range []string{
		`"address":` + pick(`"a"`, `"b"`, `1`, `null`), `"note":` + pick(`"n"`, `null`, `null`),
		`"number":` + pick(`"1"`, `null`, `2`),
	} {
		if r.IntN(2) == 0 {
			members = append(members, m)
		}
	}
	if depth < 3 && r.IntN(3) == 0 {
		members = append(members, `"next":`+pick(`null`, randomContact(r, depth+1)))
	}
	return "{" + strings.Join(members, ",") + "}"
}
