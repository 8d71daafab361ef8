package codec

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/internal/tree"
)

type guardedInner struct {
	Seen   int    `json:"seen"`
	Secret string `json:"secret" jig:"redact"`
}

type guarded struct {
	ID       int            `json:"id"`
	Token    *string        `json:"token" jig:"redact" jsonschema_description:"For the store."`
	Cost     float64        `json:"cost,omitempty" jig:"hidden"`
	Inner    guardedInner   `json:"inner"`
	List     []guardedInner `json:"list"`
	Any      any            `json:"any"`
	guardedE `jig:"hidden"`
}

type guardedE struct{ Deep string }

type tagsOnly struct {
	S string `jig:"redact"`
}

func (tagsOnly) MarshalJSON() ([]byte, error) { return []byte(`"s3cret"`), nil }

type writesTags struct{ In []*guardedInner }

func (*writesTags) MarshalText() ([]byte, error) { return nil, nil }

type readsText struct{ S string }

func (*readsText) UnmarshalText([]byte) error { return nil }

func TestGuardedFields(t *testing.T) {
	v := guarded{ID: 1, Token: new("t0ken"), Cost: 7, Inner: guardedInner{2, "s3cret"},
		List: []guardedInner{{3, "s3cret"}}, Any: map[string]any{"x": []any{&guardedInner{4, "s3cret"}}},
		guardedE: guardedE{"deep"}}
	const want = `{"id":1,"token":"[redacted]","inner":{"seen":2,"secret":"[redacted]"},` +
		`"list":[{"seen":3,"secret":"[redacted]"}],"any":{"x":[{"seen":4,"secret":"[redacted]"}]}}`
	typ, problems := Of(reflect.TypeFor[guarded](), "Result", Results)
	require.Empty(t, problems)
	got, err := typ.Append(nil, reflect.ValueOf(v))
	require.NoError(t, err)
	require.Equal(t, want, string(got))
	got, err = Marshal(v)
	require.NoError(t, err)
	require.Equal(t, want, string(got))

	node, _, problems := typ.Schema("Result", Results)
	require.Empty(t, problems)
	require.Equal(t, `{"type":"object","properties":{"id":{"type":"integer"},`+
		`"token":{"type":"string","description":"For the store."},"inner":{"type":"object","properties":`+
		`{"seen":{"type":"integer"},"secret":{"type":"string"}},"required":["seen","secret"]},`+
		`"list":{"type":"array","items":{"type":"object","properties":{"seen":{"type":"integer"},`+
		`"secret":{"type":"string"}},"required":["seen","secret"]}},"any":{}},`+
		`"required":["id","token","inner","list","any"]}`, string(node.Append(nil, tree.Form{})))

	full, problems := InFull(reflect.TypeFor[guarded](), "Result")
	require.Empty(t, problems)
	got, err = full.Append(nil, reflect.ValueOf(v))
	require.NoError(t, err)
	require.Contains(t, string(got), `{"id":1,"token":"t0ken","cost":7,"inner":{"seen":2,"secret":"s3cret"}`)
	require.Contains(t, string(got), `"Deep":"deep"`)
}

func TestGuardTagsRefused(t *testing.T) {
	for _, test := range []struct {
		name string
		t    reflect.Type
		mode Mode
		want []Problem
	}{
		{"unknown", reflect.TypeFor[struct {
			S string `jig:"secret"`
		}](), Results, []Problem{{"T.S", `jig tag "secret" is not known; want "redact" or "hidden"`}}},
		{"hidden argument", reflect.TypeFor[struct {
			S string `jig:"hidden"`
		}](), Arguments, []Problem{{"T.S", `jig tag "hidden" is for results; an argument that no model may ` +
			`see is no argument`}}},
		{"own JSON", reflect.TypeFor[struct{ A []tagsOnly }](), Results, []Problem{{"T.A[]",
			"type codec.tagsOnly writes its own JSON or text, so that the jig tag of its field S has no " +
				"effect; put the tag on the field that holds the codec.tagsOnly"}}},
		{"own text, tag further inside", reflect.TypeFor[writesTags](), Results, []Problem{{"T",
			"type codec.writesTags writes its own JSON or text, so that the jig tag of its field In.Secret " +
				"has no effect; put the tag on the field that holds the codec.writesTags"}}},
		{"text that is only read", reflect.TypeFor[struct{ R readsText }](), Results, []Problem{{"T.R",
			"type codec.readsText has UnmarshalText and no MarshalText, so that a value cannot be written " +
				"as it is read; add a MarshalText"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, problems := Of(test.t, "T", test.mode)
			require.Equal(t, test.want, problems)
		})
	}
}

func TestMendedJSON(t *testing.T) {
	for raw, want := range map[string]string{
		"[\"a\xffb\"]":                `["a` + "\ufffd" + `b"]`,
		`["\ud800"]`:                  `["` + "\ufffd" + `"]`,
		`["\udc00\ud83d\ude00"]`:      `["` + "\ufffd\U0001f600" + `"]`,
		`["\ud83d\ud83d\ude00\\ud8"]`: `["` + "\ufffd\U0001f600" + `\\ud8"]`,
		`["\ud83d\u0041\\\ud83dx"]`:   `["` + "\ufffd" + `A\\` + "\ufffd" + `x"]`,
	} {
		got, err := appendJSON(nil, []byte(raw))
		require.NoError(t, err, raw)
		require.Equal(t, want, string(got), raw)
	}
	for _, raw := range []string{`["\ud800"`, `["\ud8"]`, "{\"a\":1,\"a\":\"\xff\"}", `\ud800`, "\xff\\"} {
		_, err := appendJSON(nil, []byte(raw))
		require.Error(t, err, raw)
	}
}
