package codec

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type (
	folder struct {
		Name string    `json:"name"`
		Sub  []*folder `json:"sub,omitempty"`
	}
	left  struct{ Right *right }
	right struct{ Left []left }
	byKey struct {
		More map[string][]byKey `json:"more,omitempty"`
	}
	seq         []seq
	dict        map[string]dict
	self        *self
	selfOne     *selfTwo
	selfTwo     *selfOne
	handle      *[]handle
	page[T any] struct {
		Items []T      `json:"items"`
		Next  *page[T] `json:"next"`
	}
	inLine   struct{ Inner, Other struct{ F *folder } }
	narrowed struct {
		S seq `json:"s" jsonschema:"minItems=1"`
	}
	endless []struct {
		Kids endless `jsonschema:"minItems=1"`
	}
	Näme struct{ Next *Näme }
)

// twins returns two types of one name.
func twins() (a, b reflect.Type) {
	type Config struct{ Next *Config }
	first := of[Config]()
	{
		type Config struct{ Child []Config }
		return first, of[Config]()
	}
}

func TestRecursiveTypes(t *testing.T) {
	tests := []struct {
		name string
		typ  reflect.Type
		want string
	}{
		{"root", of[folder](),
			`{"type":"object","properties":{"name":{"type":"string"},"sub":{"type":"array",` +
				`"items":{"anyOf":[{"$ref":"#/$defs/folder"},{"type":"null"}]}}},` +
				`"required":["name"],"$defs":{"folder":{"type":"object",` +
				`"properties":{"name":{"type":"string"},"sub":{"type":"array",` +
				`"items":{"anyOf":[{"$ref":"#/$defs/folder"},{"type":"null"}]}}},` +
				`"required":["name"]}}}`},
		{"twice", of[struct{ A, B folder }](),
			`{"type":"object","properties":{"A":{"$ref":"#/$defs/folder"},` +
				`"B":{"$ref":"#/$defs/folder"}},"required":["A","B"],` +
				`"$defs":{"folder":{"type":"object","properties":{"name":{"type":"string"},` +
				`"sub":{"type":"array","items":{"anyOf":[{"$ref":"#/$defs/folder"},` +
				`{"type":"null"}]}}},"required":["name"]}}}`},
		{"mutual", of[struct{ L left }](),
			`{"type":"object","properties":{"L":{"$ref":"#/$defs/left"}},"required":["L"],` +
				`"$defs":{"left":{"type":"object",` +
				`"properties":{"Right":{"anyOf":[{"$ref":"#/$defs/right"},{"type":"null"}]}},` +
				`"required":["Right"]},"right":{"type":"object",` +
				`"properties":{"Left":{"type":"array","items":{"$ref":"#/$defs/left"}}},` +
				`"required":["Left"]}}}`},
		{"mutual root", of[left](),
			`{"type":"object","properties":{"Right":{"anyOf":[{"$ref":"#/$defs/right"},` +
				`{"type":"null"}]}},"required":["Right"],"$defs":{"right":{"type":"object",` +
				`"properties":{"Left":{"type":"array","items":{"$ref":"#/$defs/left"}}},` +
				`"required":["Left"]},"left":{"type":"object",` +
				`"properties":{"Right":{"anyOf":[{"$ref":"#/$defs/right"},{"type":"null"}]}},` +
				`"required":["Right"]}}}`},
		{"map of slices", of[struct{ B byKey }](),
			`{"type":"object","properties":{"B":{"$ref":"#/$defs/byKey"}},"required":["B"],` +
				`"$defs":{"byKey":{"type":"object","properties":{"more":{"type":"object",` +
				`"additionalProperties":{"type":"array","items":{"$ref":"#/$defs/byKey"}}}}}}}`},
		{"slice", of[struct{ S seq }](),
			`{"type":"object","properties":{"S":{"$ref":"#/$defs/seq"}},"required":["S"],` +
				`"$defs":{"seq":{"type":"array","items":{"$ref":"#/$defs/seq"}}}}`},
		{"map", of[struct{ D dict }](),
			`{"type":"object","properties":{"D":{"$ref":"#/$defs/dict"}},"required":["D"],` +
				`"$defs":{"dict":{"type":"object",` +
				`"additionalProperties":{"$ref":"#/$defs/dict"}}}}`},
		{"pointer to itself in a slice", of[struct{ H handle }](),
			`{"type":"object","properties":{"H":{"type":["array","null"],` +
				`"items":{"anyOf":[{"$ref":"#/$defs/handle"},{"type":"null"}]}}},` +
				`"required":["H"],"$defs":{"handle":{"type":["array","null"],` +
				`"items":{"$ref":"#/$defs/handle"}}}}`},
		{"nullable", of[struct{ F *folder }](),
			`{"type":"object","properties":{"F":{"anyOf":[{"$ref":"#/$defs/folder"},` +
				`{"type":"null"}]}},"required":["F"],"$defs":{"folder":{"type":"object",` +
				`"properties":{"name":{"type":"string"},"sub":{"type":"array",` +
				`"items":{"anyOf":[{"$ref":"#/$defs/folder"},{"type":"null"}]}}},` +
				`"required":["name"]}}}`},
		{"described", of[struct {
			F *folder `jsonschema_description:"top"`
		}](),
			`{"type":"object","properties":{"F":{"anyOf":[{"$ref":"#/$defs/folder"},` +
				`{"type":"null"}],"description":"top"}},"required":["F"],` +
				`"$defs":{"folder":{"type":"object","properties":{"name":{"type":"string"},` +
				`"sub":{"type":"array","items":{"anyOf":[{"$ref":"#/$defs/folder"},` +
				`{"type":"null"}]}}},"required":["name"]}}}`},
		{"generic", of[struct{ P page[folder] }](),
			`{"type":"object","properties":{"P":{"$ref":"#/$defs/page_folder"}},` +
				`"required":["P"],"$defs":{"page_folder":{"type":"object",` +
				`"properties":{"items":{"type":"array","items":{"$ref":"#/$defs/folder"}},` +
				`"next":{"anyOf":[{"$ref":"#/$defs/page_folder"},{"type":"null"}]}},` +
				`"required":["items","next"]},"folder":{"type":"object",` +
				`"properties":{"name":{"type":"string"},"sub":{"type":"array",` +
				`"items":{"anyOf":[{"$ref":"#/$defs/folder"},{"type":"null"}]}}},` +
				`"required":["name"]}}}`},
		{"generic of generic", of[struct{ P page[page[string]] }](),
			`{"type":"object","properties":{"P":{"$ref":"#/$defs/page_page_string"}},` +
				`"required":["P"],"$defs":{"page_page_string":{"type":"object",` +
				`"properties":{"items":{"type":"array","items":{"$ref":"#/$defs/page_string"}},` +
				`"next":{"anyOf":[{"$ref":"#/$defs/page_page_string"},{"type":"null"}]}},` +
				`"required":["items","next"]},"page_string":{"type":"object",` +
				`"properties":{"items":{"type":"array","items":{"type":"string"}},` +
				`"next":{"anyOf":[{"$ref":"#/$defs/page_string"},{"type":"null"}]}},` +
				`"required":["items","next"]}}}`},
		{"generic of a map", of[struct{ P page[map[string]*int] }](),
			`{"type":"object","properties":{"P":{"$ref":"#/$defs/page_map_string_int"}},` +
				`"required":["P"],"$defs":{"page_map_string_int":{"type":"object",` +
				`"properties":{"items":{"type":"array","items":{"type":"object",` +
				`"additionalProperties":{"type":["integer","null"]}}},` +
				`"next":{"anyOf":[{"$ref":"#/$defs/page_map_string_int"},{"type":"null"}]}},` +
				`"required":["items","next"]}}}`},
		{"narrowed by a tag", of[narrowed](),
			`{"type":"object","properties":{"s":{"type":"array",` +
				`"items":{"$ref":"#/$defs/seq"},"minItems":1}},"required":["s"],` +
				`"$defs":{"seq":{"type":"array","items":{"$ref":"#/$defs/seq"}}}}`},
		{"name outside of ASCII", of[struct{ N Näme }](),
			`{"type":"object","properties":{"N":{"$ref":"#/$defs/N_me"}},"required":["N"],` +
				`"$defs":{"N_me":{"type":"object",` +
				`"properties":{"Next":{"anyOf":[{"$ref":"#/$defs/N_me"},{"type":"null"}]}},` +
				`"required":["Next"]}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			shown, _, problems := schemaOf(tt.typ, Arguments)
			require.Empty(t, problems)
			require.Equal(t, tt.want, shown)
			for _, ref := range regexp.MustCompile(`#/\$defs/([^"]*)`).FindAllStringSubmatch(shown,
				-1) {
				require.Regexp(t, `^[A-Za-z0-9_-]+$`, ref[1])
				require.Equal(t, 1, strings.Count(shown, `"`+ref[1]+`":{`), "%s is defined once",
					ref[1])
			}
		})
	}
}

// TestTwoTypesOfOneName pins that definitions belong to types and not to names.
func TestTwoTypesOfOneName(t *testing.T) {
	a, b := twins()
	typ := reflect.StructOf([]reflect.StructField{{Name: "A", Type: a}, {Name: "B", Type: b}})
	shown, _, problems := schemaOf(typ, Arguments)
	require.Empty(t, problems)
	require.Equal(t, `{"type":"object","properties":{"A":{"$ref":"#/$defs/Config"},`+
		`"B":{"$ref":"#/$defs/Config_2"}},"required":["A","B"],"$defs":{`+
		`"Config":{"type":"object","properties":{"Next":{"anyOf":[{"$ref":"#/$defs/Config"},`+
		`{"type":"null"}]}},"required":["Next"]},`+
		`"Config_2":{"type":"object","properties":{"Child":{"type":"array",`+
		`"items":{"$ref":"#/$defs/Config_2"}}},"required":["Child"]}}}`, shown)
}

// TestSchemaIsStable makes one schema many times.
func TestSchemaIsStable(t *testing.T) {
	for _, typ := range []reflect.Type{of[inLine](), of[struct{ P page[page[left]] }]()} {
		_, want, _ := schemaOf(typ, Arguments)
		for range 100 {
			_, got, _ := schemaOf(typ, Arguments)
			require.Equal(t, want, got)
		}
	}
}

// wide doubles at each level, so that inlining it would not end.
type wide[T any] struct{ A, B T }

func TestEndlessSchemas(t *testing.T) {
	type w4 = wide[wide[wide[wide[int]]]]
	type w16 = wide[wide[wide[wide[wide[wide[wide[wide[wide[wide[wide[wide[w4]]]]]]]]]]]]
	long := of[int]()
	for range 200 {
		long = reflect.SliceOf(long)
	}
	tests := []struct {
		name string
		typ  reflect.Type
		want []Problem
	}{
		{"pointer to itself", of[struct{ P self }](), []Problem{{"Args.P",
			"a pointer that points to itself (codec.self) has no JSON form; use a pointer to a struct"}}},
		{"pointers to each other", of[struct{ P []selfOne }](), []Problem{{"Args.P[]",
			"a pointer that points to itself (codec.selfOne) has no JSON form; use a pointer to a struct"}}},
		{"tags inside itself", of[struct{ E endless }](), []Problem{{"Args.E[].Kids",
			"a type that contains itself takes no such keywords inside itself; leave them out of the " +
				"jsonschema tag"}}},
		{"doubling", of[w16](), []Problem{{"Args" + strings.Repeat(".A", 15) + ".B",
			"the schema has more than 20000 nodes; use fewer nested types"}}},
		{"deep slices", long, []Problem{{"Args" + strings.Repeat("[]", 101),
			"the type is nested deeper than 100 levels; use fewer nested types"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, problems := schemaOf(tt.typ, Arguments)
			require.Equal(t, tt.want, problems)
		})
	}
}

// TestPure asks of types, and of what is inside them, whether writing a value calls a method of theirs.
func TestPure(t *testing.T) {
	tests := []struct {
		typ  reflect.Type
		want bool
	}{
		{of[struct {
			Rows []map[int]*string
			At   time.Time
		}](), true},
		{of[amount](), false},
		{of[[]map[string]*amount](), false},
		{of[struct{ M map[amount]int }](), false},
		{of[struct{ V any }](), false},
		{of[struct{ E error }](), false},
		{of[struct {
			N int `json:",omitzero"`
		}](), false},
	}
	for _, tt := range tests {
		typ, problems := Of(tt.typ, "T", Results)
		require.Empty(t, problems)
		require.Equal(t, tt.want, typ.Pure(), "%s", tt.typ)
	}
}

func TestShallow(t *testing.T) {
	type plain struct {
		Name string
		Rows []struct{ N int }
		At   map[string]*float64
	}
	tests := []struct {
		typ  reflect.Type
		want bool
	}{
		{of[plain](), true},
		{of[string](), true},
		{of[[]plain](), true},
		{of[folder](), false},
		{of[[]folder](), false},
		{of[left](), false},
		{of[dict](), false},
		{of[struct{ V any }](), false},
		{of[struct{ V json.RawMessage }](), false},
		{of[struct{ V *onlyOut }](), false},
	}
	for _, tt := range tests {
		typ, problems := Of(tt.typ, "T", Results)
		require.Empty(t, problems)
		require.Equal(t, tt.want, typ.Shallow(), "%s", tt.typ)
	}
}
