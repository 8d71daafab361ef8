package plan_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/jig-go/jig/internal/plan"
	"github.com/jig-go/jig/internal/scan"
)

// mendSchemas have a place for each way of mending; the second leaves some of it to the general
// validator, and of the third the problems tell whether there is anything to mend.
var mendSchemas = []string{
	`{"type":"object","properties":{"i":{"type":"integer"},"n":{"type":["number","null"]},
		"b":{"type":"boolean"},"s":{"type":"string"},"e":{"enum":["a",1]},"l":{"type":"array","maxItems":1,
		"items":{"type":"string"}},"m":{"type":"array","items":{"type":"integer"}},"o":{"$ref":"#"}},
		"additionalProperties":{"type":"array","items":{"type":["boolean","object"]}}}`,
	`{"type":["object","boolean"],"properties":{"u":{"anyOf":[{"type":"integer"},{"type":"string"}]},
		"t":{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":{"type":"boolean"}},
		"a":{"allOf":[{"type":"integer"}],"type":"integer"},"r":{"type":"object","properties":{
		"x":{"type":"number","not":{"const":3}}}}},"patternProperties":{"^p":{"type":"integer"}}}`,
	`{"type":"object","properties":{"i":{"type":"integer","maximum":9},"n":{"anyOf":[{"type":"object",
		"properties":{"b":{"type":"boolean"}},"required":["b"],"additionalProperties":false},
		{"type":"null"}]},"e":{"type":"string","enum":["1","a"]},"l":{"type":"array","maxItems":1,
		"items":{"type":"string","minLength":2}},"m":{"type":"array","uniqueItems":true,"items":{
		"type":"integer"}},"o":{"$ref":"#"},"never":false},"minProperties":1,
		"additionalProperties":{"type":"array","items":{"type":["boolean","object"]}}}`,
}

// FuzzMend mends any JSON by a few schemas. A value that the plan accepts is never changed; a place is
// changed only where the plan refuses the kind of its value, which keeps declared strings as they
// are; a change says what it replaced; and mending twice changes nothing more.
func FuzzMend(f *testing.F) {
	plans := make([]*plan.Plan, len(mendSchemas))
	for i, schema := range mendSchemas {
		plans[i] = compile(f, schema, nil)
	}
	for _, seed := range []string{
		`{"i":"5","n":"1.5","b":"true","s":"5","e":"1","l":"a","m":3,"o":"{\"i\":\"5\"}","x":"[true]"}`,
		`"{\"i\":1}"`, `" "`, `"true"`, `{"u":"5","t":["1","2","true"],"a":"7","r":"{\"x\":\"3\"}","p":"1"}`,
		`{"o":{"o":{"o":"{}"}},"m":"[1, \"2\"]","l":["\"a\""]}`, `{"i":"5.0","n":"null","b":"TRUE"}`,
	} {
		for i := range plans {
			f.Add(uint8(i), false, []byte(seed))
			f.Add(uint8(i), true, []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, lenient bool, data []byte) {
		checked, scanErr := scan.Check(data, scan.Limits{Bytes: 1 << 12, Depth: 20})
		if scanErr != nil {
			return
		}
		mendOne(t, plans[int(which)%len(plans)], checked, lenient)
	})
}

func mendOne(t *testing.T, p *plan.Plan, checked []byte, lenient bool) {
	found := p.Validate(checked)
	mended, mends := p.Mend(checked, lenient)
	if len(mends) == 0 && !bytes.Equal(mended, checked) {
		t.Fatalf("%s: became %s without a record", checked, mended)
	}
	if found.Total == 0 && len(mends) > 0 {
		t.Fatalf("%s: is accepted, and became %s", checked, mended)
	}
	if len(mends) > 0 && !found.Mendable {
		t.Fatalf("%s: became %s, though the problems are %v", checked, mended, found.Problems)
	}
	top := ""
	for i, m := range mends {
		if i > 0 && strings.HasPrefix(m.Pointer+"/", top+"/") {
			continue // inside of what was a string
		}
		top = m.Pointer
		if found.Total <= 1000 && !refusesKind(found, m.Pointer) {
			t.Fatalf("%s: %+v, and the problems are %v", checked, m, found.Problems)
		}
		lossless(t, m)
	}
	if _, err := scan.Check(mended, scan.Limits{Bytes: 1 << 20, Depth: 1 << 12}); err != nil {
		t.Fatalf("%s: became %s: %v", checked, mended, err)
	}
	if again, more := p.Mend(mended, lenient); len(more) > 0 || !bytes.Equal(again, mended) {
		t.Fatalf("%s: became %s, and that %s", checked, mended, again)
	}
}

func refusesKind(found plan.Result, pointer string) bool {
	for _, problem := range found.Problems {
		// What the general validator says of a union's closest form has a place inside it.
		if problem.Pointer == pointer && problem.Keyword == "type" {
			return true
		}
	}
	return false
}

// lossless undoes a mend that is shown in full and has no other inside.
func lossless(t *testing.T, m plan.Mend) {
	if strings.Contains(m.Before+m.After, "…") {
		return
	}
	text := string(scan.AppendQuote(nil, m.After))
	back := text
	if m.Kind == plan.SingleItem {
		back = strings.TrimSuffix(strings.TrimPrefix(m.After, "["), "]")
	}
	same := string(scan.Unquote([]byte(text))) == m.After // the text itself survives
	switch m.Kind {
	case plan.SingleItem:
		same = back == m.Before
	case plan.NumberText, plan.BooleanText:
		same = string(scan.Unquote([]byte(m.Before))) == m.After
	}
	if !same {
		t.Fatalf("%+v loses something", m)
	}
}
