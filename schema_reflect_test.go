package jig_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

type folder struct {
	Name string    `json:"name"`
	Sub  []*folder `json:"sub,omitempty"`
}

type page[T any] struct {
	Items []T `json:"items"`
}

type husband struct {
	Wife *wife `json:"wife,omitempty"`
}

type wife struct {
	Husband *husband `json:"husband,omitempty"`
}

type dimensions struct {
	Width  uint8   `json:"width"`
	Height float32 `json:"height,omitzero"`
}

type inventory struct {
	dimensions
	SKU   string            `json:"sku" jsonschema:"pattern=^[A-Z]{2\\,4}$"`
	Tags  map[string]string `json:"tags,omitempty"`
	Rows  []dimensions      `json:"rows"`
	When  time.Time         `json:"when"`
	After time.Duration     `json:"after"`
	Extra any               `json:"extra,omitempty"`
	Tree  *folder           `json:"tree"`
}

func TestSchemaTwoFields(t *testing.T) {
	type args struct {
		City         string  `json:"city"`
		ForecastDays float64 `json:"forecastDays"`
	}
	require.Equal(t, `{"type":"object","properties":{"city":{"type":"string"},`+
		`"forecastDays":{"type":"number"}},"required":["city","forecastDays"]}`, shownSchema[args](t))
}

func TestSchemaNoArguments(t *testing.T) {
	const want = `{"type":"object","properties":{}}`
	type named struct{}
	require.Equal(t, want, shownSchema[struct{}](t))
	require.Equal(t, want, shownSchema[named](t))
	require.Equal(t, want, shownSchema[*named](t))
	require.Equal(t, want, string(jig.MustDefine(echoSpec[struct{}]("x")).InputSchema().JSON()))
	for _, args := range []string{"", "  ", "null", "{}"} {
		require.Equal(t, jig.StatusOK, callWith[struct{}](t, args).Status, args)
	}
}

func TestSchemaFieldOrder(t *testing.T) {
	require.Equal(t, `{"type":"object","properties":{`+
		`"width":{"type":"integer","minimum":0,"maximum":255},"height":{"type":"number"},`+
		`"sku":{"type":"string","pattern":"^[A-Z]{2,4}$"},`+
		`"tags":{"type":"object","additionalProperties":{"type":"string"}},`+
		`"rows":{"type":"array","items":{"type":"object","properties":{`+
		`"width":{"type":"integer","minimum":0,"maximum":255},"height":{"type":"number"}},`+
		`"required":["width"]}},`+
		`"when":{"type":"string","format":"date-time"},`+
		`"after":{"type":"string","description":"Duration such as \"1m30s\" or \"250ms\".",`+
		`"pattern":"^-?([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$"},`+
		`"extra":{},"tree":{"anyOf":[{"$ref":"#/$defs/folder"},{"type":"null"}]}},`+
		`"required":["width","sku","rows","when","after","tree"],`+
		`"$defs":{"folder":{"type":"object","properties":{"name":{"type":"string"},`+
		`"sub":{"type":"array","items":{"anyOf":[{"$ref":"#/$defs/folder"},{"type":"null"}]}}},`+
		`"required":["name"]}}}`, shownSchema[inventory](t))
}

type deep struct {
	Shadowed string `json:"shadowed"`
	Both     string
	Tagged   string `json:"tagged"`
	Page     int    `json:"page"`
}

type other struct {
	Both   int // ambiguous with that of deep
	Tagged string
}

type hidden int

// fieldRules has a field for each of encoding/json's rules.
type fieldRules struct {
	deep
	*Exported
	other
	hidden
	Shadowed int    `json:"shadowed"`
	Dash     string `json:"-"`
	//lint:ignore SA5008 the name of this field is a dash
	RealDash string `json:"-,"`
	Odd      string `json:"a$%-/b"`
	//lint:ignore SA5008 a name that encoding/json does not take
	BadTag  string `json:"a\"b"`
	Plain   string
	Quoted  int `json:"quoted,string"`
	private string
}

// Exported is embedded by pointer.
type Exported struct {
	FromPointer string `json:"fromPointer,omitempty"`
}

func TestSchemaFieldRules(t *testing.T) {
	require.Equal(t, `{"type":"object","properties":{"tagged":{"type":"string"},`+
		`"page":{"type":"integer"},"fromPointer":{"type":"string"},"Tagged":{"type":"string"},`+
		`"shadowed":{"type":"integer"},"-":{"type":"string"},"a$%-/b":{"type":"string"},`+
		`"BadTag":{"type":"string"},"Plain":{"type":"string"},`+
		`"quoted":{"type":"string","pattern":"^(0|-?[1-9][0-9]*)$"}},`+
		`"required":["tagged","page","Tagged","shadowed","-","a$%-/b","BadTag","Plain","quoted"]}`,
		shownSchema[fieldRules](t))

	all := `{"tagged":"t","page":1,"fromPointer":"p","Tagged":"T","shadowed":2,"-":"dash",` +
		`"a$%-/b":"odd","BadTag":"bad","Plain":"plain","quoted":"-7"}`
	outcome := callWith[fieldRules](t, all)
	require.Equal(t, jig.StatusOK, outcome.Status, outcome.Text())
	require.Equal(t, fieldRules{
		deep: deep{Tagged: "t", Page: 1}, Exported: &Exported{"p"}, other: other{Tagged: "T"},
		hidden: 0, private: "", Shadowed: 2, RealDash: "dash", Odd: "odd", BadTag: "bad", Plain: "plain", Quoted: -7,
	}, outcome.Value)
	require.Equal(t, all, outcome.Text())

	// What encoding/json would not set is not set here either, and case matters.
	for _, unknown := range []string{"Dash", "hidden", "private", "Both", "deep"} {
		outcome := callWith[fieldRules](t, strings.Replace(all, `{`, `{"`+unknown+`":"x",`, 1))
		if outcome.Status == jig.StatusOK {
			require.Equal(t, all, outcome.Text(), unknown)
		}
	}
	outcome = callWith[fieldRules](t, strings.Replace(all, `"page"`, `"PAGE"`, 1))
	require.Contains(t, outcome.Text(), `"/PAGE": not a property here; did you mean "page"?`)
}

func TestSchemaUnsettableField(t *testing.T) {
	type args struct {
		*deep
	}
	_, err := jig.SchemaFor[args]()
	require.Contains(t, wrongIn(t, err), `args.Page: the field is inside an embedded pointer to the `+
		`unexported jig_test.deep, which cannot be set; embed the struct itself or export its type`)
}

func TestSchemaOptionalAndNullable(t *testing.T) {
	type args struct {
		Owner    *string `json:"owner,omitempty" jsonschema_description:"Person responsible, or null."`
		Required *int    `json:"required"`
		Zero     int     `json:"zero,omitzero"`
		Level    *string `json:"level" jsonschema:"enum=low,enum=high"`
		List     *[]int8 `json:"list"`
		Inline   *struct {
			X bool `json:"x"`
		} `json:"inline" jsonschema_description:"A point."`
		Tree   *folder           `json:"tree" jsonschema_description:"The root."`
		Slice  []string          `json:"slice"`
		Map    map[string]bool   `json:"map"`
		Marked string            `json:"marked" jsonschema:"nullable"`
		Nested []*string         `json:"nested"`
		Values map[string]*uint8 `json:"values"`
	}
	for name, want := range map[string]string{
		"owner":    `{"type":["string","null"],"description":"Person responsible, or null."}`,
		"required": `{"type":["integer","null"]}`,
		"zero":     `{"type":"integer"}`,
		"level":    `{"type":["string","null"],"enum":["low","high",null]}`,
		"list":     `{"type":["array","null"],"items":{"type":"integer","minimum":-128,"maximum":127}}`,
		"inline": `{"type":["object","null"],"description":"A point.",` +
			`"properties":{"x":{"type":"boolean"}},"required":["x"]}`,
		"tree": `{"anyOf":[{"$ref":"#/$defs/folder"},{"type":"null"}],` +
			`"description":"The root."}`,
		"slice":  `{"type":"array","items":{"type":"string"}}`,
		"map":    `{"type":"object","additionalProperties":{"type":"boolean"}}`,
		"marked": `{"type":["string","null"]}`,
		"nested": `{"type":"array","items":{"type":["string","null"]}}`,
	} {
		require.Contains(t, shownSchema[args](t), `"`+name+`":`+want+`,`, name)
	}
	require.Contains(t, shownSchema[args](t), `,"values":{"type":"object","additionalProperties":`+
		`{"type":["integer","null"],"minimum":0,"maximum":255}}},"required":["required","level",`+
		`"list","inline","tree","slice","map","marked","nested","values"],"$defs":`)
	require.True(t, strings.HasPrefix(shownSchema[*args](t), `{"type":"object","properties":`))
}

func TestDefaultOnRequiredField(t *testing.T) {
	type args struct {
		Limit int `json:"limit" jsonschema:"default=10"`
	}
	_, err := jig.Define(echoSpec[args]("x"))
	require.EqualError(t, err, `jig: tool "x": Args.Limit: a default on a required field never `+
		`applies; add omitempty to its json tag`)
}

func TestSchemaRecursion(t *testing.T) {
	const tree = `{"type":"object","properties":{"name":{"type":"string"},` +
		`"sub":{"type":"array","items":{"anyOf":[{"$ref":"#/$defs/folder"},{"type":"null"}]}}},` +
		`"required":["name"]`
	require.Equal(t, tree+`,"$defs":{"folder":`+tree+`}}}`, shownSchema[folder](t))
	require.Equal(t, `{"type":"object","properties":{"items":{"type":"array",`+
		`"items":{"$ref":"#/$defs/folder"}}},"required":["items"],"$defs":{"folder":`+tree+`}}}`,
		shownSchema[page[folder]](t))

	const (
		w = `{"type":"object","properties":{"husband":{"anyOf":[{"$ref":"#/$defs/husband"},{"type":"null"}]}}}`
		h = `{"type":"object","properties":{"wife":{"anyOf":[{"$ref":"#/$defs/wife"},{"type":"null"}]}}`
	)
	require.Equal(t, h+`,"$defs":{"wife":`+w+`,"husband":`+h+`}}}`, shownSchema[husband](t))

	outcome := callWith[folder](t, `{"name":"a","sub":[{"name":"b","sub":[null]},{}]}`)
	require.Contains(t, outcome.Text(), `"/sub/1/name": missing, want string`)
	require.Contains(t, callWith[inventory](t, `{}`).Text(),
		`"/tree": missing, want object or null`)
	outcome = callWith[folder](t, `{"name":"a","sub":[{"name":"b"}]}`)
	require.Equal(t, folder{Name: "a", Sub: []*folder{{Name: "b"}}}, outcome.Value)
}

type nodeOf[K comparable, V any] struct {
	Key  K                        `json:"key"`
	Next *nodeOf[K, V]            `json:"next,omitempty"`
	Same map[string]*nodeOf[K, K] `json:"same,omitempty"`
}

func TestSchemaDefinitionNames(t *testing.T) {
	type twice struct {
		A page[time.Time]           `json:"a"`
		B page[time.Time]           `json:"b"`
		C nodeOf[string, time.Time] `json:"c"`
		D nodeOf[string, folder]    `json:"d"`
	}
	text := shownSchema[twice](t)
	require.Equal(t, 2, strings.Count(text,
		`{"type":"object","properties":{"items":{"type":"array","items":{"type":"string",`+
			`"format":"date-time"}}},"required":["items"]}`)) // the second use is no cycle
	var document struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal([]byte(text), &document))
	require.Len(t, document.Defs, 3)
	for name := range document.Defs {
		require.Regexp(t, `^[A-Za-z0-9_-]+$`, name)
		require.Contains(t, text, `"#/$defs/`+name+`"`)
	}
	require.Contains(t, document.Defs, "nodeOf_string_Time")
	require.Contains(t, document.Defs, "nodeOf_string_string")
	require.Contains(t, document.Defs, "nodeOf_string_folder")
	require.Equal(t, text, shownSchema[twice](t))
}

func TestSchemaSameTypeName(t *testing.T) {
	type node struct {
		X    string `json:"x"`
		Next *node  `json:"next,omitempty"`
	}
	type first = node
	{
		type node struct {
			Y    int   `json:"y"`
			Next *node `json:"next,omitempty"`
		}
		type both struct {
			A first `json:"a"`
			B node  `json:"b"`
		}
		require.Equal(t, `{"type":"object","properties":{"a":{"$ref":"#/$defs/node"},`+
			`"b":{"$ref":"#/$defs/node_2"}},"required":["a","b"],"$defs":{`+
			`"node":{"type":"object","properties":{"x":{"type":"string"},`+
			`"next":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}},"required":["x"]},`+
			`"node_2":{"type":"object","properties":{"y":{"type":"integer"},`+
			`"next":{"anyOf":[{"$ref":"#/$defs/node_2"},{"type":"null"}]}},"required":["y"]}}}`,
			shownSchema[both](t))
		outcome := callWith[both](t, `{"a":{"x":"s"},"b":{"y":1}}`)
		require.Equal(t, both{A: first{X: "s"}, B: node{Y: 1}}, outcome.Value)
	}
}
