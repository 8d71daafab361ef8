package tags

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParse checks what holds for any tag: Parse returns, says the same each
// time, and accepts only what it can write as JSON. It is also the search for
// parts that invopop reads otherwise than this package: every such part has to
// be a known gap, so that no user meets "was not understood".
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`title=a\,nullable,required`, `enum=a,enum=b\,c`, `pattern=^[a-z]{1,3}$,minLength=1`,
		`minimum=1,maximum=2e1,multipleOf=0.5`, `default=["a"\,1]`, `default=a,default=b=c`,
		`uniqueItems=true,minItems=1,example=[]`, `readOnly=true,example=x,format=f`,
		`default={"a":null},nullable`, `enum=true`, `-`, `x-a=b\,c,x-a=d,deprecated=true`, `a=b\`,
		`description=d,title=<>&`, `enum=9007199254740993,default=-0`,
	} {
		f.Add(seed, "Free, text", seed, uint8(len(seed)), uint8(1), false)
		f.Add(seed, "", "", uint8(Array), uint8(len(seed)), true)
	}
	f.Fuzz(func(t *testing.T, keywords, desc, extras string, kind, elem uint8, null bool) {
		target := Target{Kind: Kind(kind % uint8(Object+1)), Nullable: null}
		if target.Kind == Array {
			target.Elem = Kind(elem % uint8(Object+1))
		}
		quoted := fmt.Sprintf("%s:%q %s:%q", keywordTag, keywords, extrasTag, extras)
		if desc != "" {
			quoted += fmt.Sprintf(" %s:%q", descriptionTag, desc)
		}
		for _, tag := range []string{keywords, "jsonschema" + keywords, quoted} {
			checkParse(t, reflect.StructTag(tag), target)
		}
	})
}

// TestParseGenerated is the same search over tags that are mostly right, which a
// fuzzer seldom writes.
func TestParseGenerated(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	values := []string{
		"a", "b", "1", "2.0", "-3", "true", "false", "null", `"a"`, "[]", `["a"\,"b"]`, "{}", "a=b",
		`a\,b`, `a\,nullable`, `a\`, "a{1,2}", "<é>", "0", "9007199254740993", "1e3",
	}
	names := wordNames()
	accepted := 0
	for range 2000 {
		var parts []string
		for range 1 + random.IntN(3) {
			parts = append(parts, pick(names)+"="+pick(values))
		}
		tag := fmt.Sprintf("%s:%q %s:%q", keywordTag, strings.Join(parts, ","),
			extrasTag, "x-"+pick(values)+"="+pick(values))
		target := Target{Kind: Kind(random.IntN(int(Object) + 1)), Nullable: random.IntN(2) == 0}
		if target.Kind == Array {
			target.Elem = Kind(random.IntN(int(Object) + 1))
		}
		if checkParse(t, reflect.StructTag(tag), target) {
			accepted++
		}
	}
	require.Greater(t, accepted, 100)
}

// checkParse reports whether the tag was accepted.
func checkParse(t *testing.T, tag reflect.StructTag, target Target) bool {
	t.Helper()
	got, problems := parse(tag, target)
	again, problemsAgain := parse(tag, target)
	require.Equal(t, got, again)
	require.Equal(t, problems, problemsAgain)
	for _, problem := range problems {
		require.NotEmpty(t, problem)
		require.NotContains(t, problem, "\n")
		require.NotContains(t, problem, "understood", "parse(%s)", tag)
	}
	if len(problems) > 0 {
		require.Zero(t, got)
	}
	checkPairs(t, tag)
	checkCompared(t, tag, target)
	checkAll(t, Reading{got, problems}, Field{tag, target})
	if target.Kind != Array {
		require.Empty(t, got.Items)
	}
	for _, list := range [][]Keyword{got.Node, got.Items} {
		checkKeywords(t, list)
	}
	return len(problems) == 0
}

// checkAll shows that other fields beside it change nothing of what is read of one.
func checkAll(t *testing.T, want Reading, f Field) {
	t.Helper()
	behindComma := Field{keywordsOf(`title=a\,nullable`), text}
	all := Parse([]Field{f, {`json:"a"`, text}, behindComma, {keywordsOf("nonsense"), text}, f})
	require.Equal(t, want, all[0])
	require.Zero(t, all[1])
	require.Equal(t, `"a,nullable"`, string(all[2].Result.Node[0].Value))
	require.Len(t, all[3].Problems, 1)
	require.Equal(t, want, all[4])
}

// checkPairs shows that the pairs of a tag are read as reflect reads them.
func checkPairs(t *testing.T, tag reflect.StructTag) {
	t.Helper()
	read := (&parser{}).readTag(string(tag))
	for _, key := range []string{keywordTag, descriptionTag, extrasTag} {
		want, ok := tag.Lookup(key)
		require.Equal(t, want, read.of(key).text, "%s of %s", key, tag)
		require.Equal(t, ok, read.of(key).ok, "%s of %s", key, tag)
	}
}

// checkCompared shows that invopop reads what Parse accepts as Parse does, whether Parse asks it or not.
func checkCompared(t *testing.T, tag reflect.StructTag, target Target) {
	t.Helper()
	if p := read(tag, target); len(p.problems) == 0 {
		compare([]*parser{p})
		require.Empty(t, p.problems, "%s", tag)
	}
}

func checkKeywords(t *testing.T, list []Keyword) {
	t.Helper()
	seen := map[string]bool{}
	for _, k := range list {
		require.True(t, json.Valid(k.Value), "%s:%s", k.Key, k.Value)
		require.False(t, seen[k.Key], k.Key)
		seen[k.Key] = true
		if k.Key == "enum" || k.Key == "examples" {
			require.True(t, strings.HasPrefix(string(k.Value), "["))
		}
	}
}
