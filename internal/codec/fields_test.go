//lint:file-ignore SA5008,U1000 odd tags and fields that nothing reads are what these types are for

package codec

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Types that the cases below embed.
type (
	Exported   struct{ A, B int }
	unexported struct{ A, C int }
	tagged     struct {
		X int `json:"A"`
	}
	other  struct{ A int }
	nested struct {
		unexported
		D int
	}
	Outer struct {
		Exported
		E int
	}
	scalar    int
	Scalar    int
	words     []string
	Words     []string
	AnyValued any
	Table     map[string]int
	hidden    struct{ a, b int } //nolint:unused // the point is that nobody reads them
	Left      struct {
		Exported
		L int
	}
	Right struct {
		Exported
		R int
	}
	selfA struct {
		*SelfB
		V int
	}
	SelfB struct {
		*SelfA
		W int
	}
	SelfA struct {
		*SelfB
		V int
	}
	Generic[T any] struct{ Of T }
)

// fieldCases are structs whose fields encoding/json chooses by one of its rules.
func fieldCases() map[string]any {
	return map[string]any{
		"plain": struct {
			A int
			B string
		}{},
		"no fields": struct{}{},
		"unexported field": struct {
			A int
			b int
		}{},
		"renamed": struct {
			A int `json:"x"`
		}{},
		"left out": struct {
			A int `json:"-"`
			B int
		}{},
		"named dash": struct {
			A int `json:"-,"`
		}{},
		"dash with option": struct {
			A int `json:"-,omitempty"`
		}{},
		"options only": struct {
			A int `json:",omitempty"`
		}{},
		"unknown option": struct {
			A int `json:"a,inline"`
		}{},
		"spaced option": made(field("A", `json:"a, omitempty"`)),
		"odd but valid name": struct {
			A int `json:"!#$%&()*+-./:;<=>?@[]^_{|}~ "`
		}{},
		"letters of other scripts": struct {
			A int `json:"ключ"`
			B int `json:"鍵"`
			C int `json:"é"`
		}{},
		"quote in name": struct {
			A int "json:\"a\\\"b\""
		}{},
		"backslash in name": struct {
			A int "json:\"a\\\\b\""
		}{},
		"apostrophe in name": struct {
			A int `json:"it's"`
		}{},
		"control character in name": struct {
			A int "json:\"a\tb\""
		}{},
		"emoji in name": struct {
			A int `json:"😀"`
		}{},
		"empty tag": struct {
			A int `json:""`
		}{},
		"another tag": struct {
			A int `yaml:"x"`
		}{},
		"malformed tag":   made(field("A", `json:x`)),
		"two of one name": made(field("A", `json:"x"`), field("B", `json:"x"`), field("C", "")),
		"tagged like another field": struct {
			A int `json:"B"`
			B int
		}{},
		"names that differ in case": struct {
			A int `json:"x"`
			B int `json:"X"`
		}{},
		"string option": struct {
			A int    `json:",string"`
			B string `json:",string"`
			C bool   `json:",string"`
		}{},
		"string option on a pointer": struct {
			A *int `json:",string"`
		}{},
		"string option that is void": struct {
			A []int    `json:",string"`
			B Exported `json:",string"`
		}{},
		"embedded": struct{ Exported }{},
		"embedded beside": struct {
			Z int
			Exported
			Y int
		}{},
		"embedded unexported":    struct{ unexported }{},
		"embedded pointer":       struct{ *Exported }{},
		"embedded twice over":    struct{ Outer }{},
		"embedded in unexported": struct{ nested }{},
		"embedded with a name": struct {
			Exported `json:"e"`
		}{},
		"embedded unexported with a name": struct {
			unexported `json:"u"`
		}{},
		"embedded with an option": struct {
			Exported `json:",omitempty"`
		}{},
		"embedded left out": struct {
			Exported `json:"-"`
			Z        int
		}{},
		"embedded pointer with a name": struct {
			*Exported `json:"e"`
		}{},
		"embedded exported scalar": struct{ Scalar }{},
		"embedded unexported scalar": struct {
			scalar
			Z int
		}{},
		"embedded pointer to unexported scalar": struct {
			*scalar
			Z int
		}{},
		"embedded exported slice": struct{ Words }{},
		"embedded unexported slice": struct {
			words
			Z int
		}{},
		"embedded map":       struct{ Table }{},
		"embedded interface": struct{ AnyValued }{},
		"embedded interface with a name": struct {
			AnyValued `json:"any"`
		}{},
		"embedded without exported fields": struct {
			hidden
			Z int
		}{},
		"embedded generic": struct{ Generic[int] }{},
		"shadowed": struct {
			A string
			Exported
		}{},
		"shadowed by tag": struct {
			S string `json:"A"`
			Exported
		}{},
		"ambiguous": struct {
			Exported
			unexported
		}{},
		"ambiguous but tagged": struct {
			tagged
			other
		}{},
		"ambiguous with two tags": made(embedded[T1](), embedded[T2](), field("C", "")),
		"ambiguity hides the deeper": struct {
			Exported
			unexported
			Outer
		}{},
		"one struct on two ways": struct {
			Left
			Right
		}{},
		"shallower wins over tag": struct {
			A int
			tagged
		}{},
		"one struct twice in depth": struct {
			Outer
			Exported
		}{},
		"recursive through pointers": SelfA{},
	}
}

// T1 and T2 have one tag.
type (
	T1 struct {
		X int `json:"A"`
	}
	T2 struct {
		Y int `json:"A"`
	}
)

// made returns a struct that go vet would not let pass as a literal.
func made(fields ...reflect.StructField) any {
	return reflect.Zero(reflect.StructOf(fields)).Interface()
}

func field(name string, tag reflect.StructTag) reflect.StructField {
	return reflect.StructField{Name: name, Type: reflect.TypeFor[int](), Tag: tag}
}

func embedded[T any]() reflect.StructField {
	t := reflect.TypeFor[T]()
	return reflect.StructField{Name: t.Name(), Type: t, Anonymous: true}
}

// TestFields compares the fields with those that encoding/json writes and sets.
func TestFields(t *testing.T) {
	cases := fieldCases()
	require.GreaterOrEqual(t, len(cases), 50)
	for name, zero := range cases {
		t.Run(name, func(t *testing.T) {
			typ := reflect.TypeOf(zero)
			v := reflect.New(typ).Elem()
			fill(v, 0)
			raw, err := json.Marshal(v.Interface())
			require.NoError(t, err)
			back := reflect.New(typ)
			require.NoError(t, json.Unmarshal(raw, back.Interface()))
			again, err := json.Marshal(back.Interface())
			require.NoError(t, err)
			require.Equal(t, string(raw), string(again), "encoding/json sets what it writes")

			var names []string
			for _, f := range jsonFields(typ) {
				names = append(names, f.name)
			}
			require.Equal(t, keysOf(t, raw), sorted(names))

			walked, problems := Of(typ, "T", Results)
			if len(problems) > 0 {
				require.Contains(t, problems[0].Message, "has no effect",
					"the one rule that is stricter")
				return
			}
			ours, err := walked.Append(nil, v)
			require.NoError(t, err)
			require.JSONEq(t, string(raw), string(ours))
		})
	}
}

func sorted(list []string) []string {
	list = append([]string{}, list...)
	slices.Sort(list)
	return list
}

func keysOf(t *testing.T, object []byte) []string {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(object, &members))
	keys := []string{}
	for key := range members {
		keys = append(keys, key)
	}
	return sorted(keys)
}

// fill sets everything that can be set to something that no option leaves out.
func fill(v reflect.Value, depth int) {
	if !v.CanSet() && v.Kind() != reflect.Struct || depth > 4 {
		return
	}
	switch v.Kind() {
	case reflect.Int:
		v.SetInt(7)
	case reflect.String:
		v.SetString("s")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Interface:
		v.Set(reflect.ValueOf("any"))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth+1)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("k"), reflect.ValueOf(1))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), depth+1)
		}
	}
}

// TestFieldOrder pins that embedded fields stand in place.
func TestFieldOrder(t *testing.T) {
	var names []string
	for _, f := range jsonFields(reflect.TypeOf(struct {
		Z int
		Outer
		Y int
		unexported
	}{})) {
		names = append(names, fmt.Sprint(f.name, f.index))
	}
	// A of unexported is shallower than A of Exported inside Outer.
	require.Equal(t, []string{"Z[0]", "B[1 0 1]", "E[1 1]", "Y[2]", "A[3 0]", "C[3 1]"}, names)
}

// TestUnsettableFields names the fields that encoding/json shows and can never set.
func TestUnsettableFields(t *testing.T) {
	tests := []struct {
		name string
		typ  reflect.Type
		want []Problem
	}{
		{"embedded pointer to an unexported struct", reflect.TypeOf(struct{ *unexported }{}),
			[]Problem{
				{"Args.A",
					"the field is inside an embedded pointer to the unexported codec.unexported, " +
						"which cannot be set; embed the struct itself or export its type"},
				{"Args.C",
					"the field is inside an embedded pointer to the unexported codec.unexported, " +
						"which cannot be set; embed the struct itself or export its type"},
			}},
		{"embedded pointer with a name", reflect.TypeOf(struct {
			*unexported `json:"u"`
		}{}), []Problem{{"Args.unexported",
			"an embedded unexported *codec.unexported cannot be set or " +
				"read as a whole; make it a field with a name of its own"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, problems := Of(tt.typ, "Args", Arguments)
			require.Equal(t, tt.want, problems)
		})
	}
}
