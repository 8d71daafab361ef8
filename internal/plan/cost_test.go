package plan_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestManyUnknownNames shows that names are worded only where a problem is kept, and that those of
// an open struct are compared a bounded number of times.
func TestManyUnknownNames(t *testing.T) {
	t.Parallel()
	var fields []reflect.StructField
	var declared []string
	for i := range 100 {
		name := fmt.Sprintf("field%03d", i)
		declared = append(declared, fmt.Sprintf("%q:{}", name))
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i),
			Type: reflect.TypeFor[string](), Tag: reflect.StructTag(`json:"` + name + `,omitempty"`)})
	}
	props := `{"type":"object","properties":{` + strings.Join(declared, ",") + `}`
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, `,"fxxlq%05x":1`, i)
	}
	many := check(t, "{"+b.String()[1:]+"}")
	empty := check(t, "["+strings.Repeat("{},", 30_000)+"{}]")
	closed := compile(t, props+`,"additionalProperties":false}`, nil)
	all := strings.NewReplacer(":{}", "").Replace(strings.Join(declared, ","))
	array := compile(t, `{"items":`+props+`,"required":[`+all+`]}}`, nil)
	open := compile(t, props+`}`, reflect.StructOf(fields))

	found := closed.Validate(many)
	require.Equal(t, 20_000, found.Total)
	require.Len(t, found.Problems, 1000)
	require.Equal(t, 100*30_001, array.Validate(empty).Total)
	filled := open.Decode(many, reflect.New(reflect.StructOf(fields)).Elem())
	require.Zero(t, filled.Total)
	require.Len(t, filled.Dropped, 20_000)

	// A typo among many others is found all the same.
	typo := check(t, `{"Field_007":"a",`+b.String()[1:]+"}")
	require.Equal(t, 1, open.Decode(typo, reflect.New(reflect.StructOf(fields)).Elem()).Total)
}

func TestManyWrongValues(t *testing.T) {
	var values []string
	for i := range 100 {
		values = append(values, fmt.Sprintf(`"value%03d"`, i))
	}
	p := compile(t, `{"items":{"enum":[`+strings.Join(values, ",")+`]}}`, nil)
	wrong := check(t, "["+strings.Repeat(`"valxq1",`, 20_000)+"0]")
	require.Equal(t, 20_001, p.Validate(wrong).Total)
}

// TestLongNames shows that pointers do not repeat long names in full.
func TestLongNames(t *testing.T) {
	p := compile(t, `{"additionalProperties":{"items":{"type":"integer"}}}`, nil)
	long := strings.Repeat("k", 1<<19)
	found := p.Validate(check(t, `{"`+long+`":["a","b"]}`))
	require.Equal(t, 2, found.Total)
	for _, problem := range found.Problems {
		require.Less(t, len(problem.Pointer), 210)
	}
}
