package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/internal/clip"
)

// shownSchema returns the schema of T as a model sees it.
func shownSchema[T any](t *testing.T) string {
	t.Helper()
	schema, err := jig.SchemaFor[T]()
	require.NoError(t, err)
	return string(schema.JSON())
}

// callWith calls a tool that echoes its arguments, and returns what came of it.
func callWith[Args any](t *testing.T, args string) jig.Outcome {
	t.Helper()
	spec := echoSpec[Args]("x")
	spec.Repair = jig.RepairOff // the verdict on the arguments as they are
	return jig.MustDefine(spec).Call(t.Context(), json.RawMessage(args))
}

// complaints returns what Validate says of a value, one `"pointer": message` a line.
func complaints(t *testing.T, schema *jig.Schema, value string) string {
	t.Helper()
	err := schema.Validate(json.RawMessage(value))
	if err == nil {
		return ""
	}
	var wrong *jig.ValidationError
	require.ErrorAs(t, err, &wrong)
	return err.Error()
}

func TestSchemaForWithoutTool(t *testing.T) {
	schema, err := jig.SchemaFor[[]int]()
	require.NoError(t, err)
	require.Equal(t, `{"type":"array","items":{"type":"integer"}}`, string(schema.JSON()))
	require.Equal(t, `"/1": got string "x", want integer`, complaints(t, schema, `[1,"x"]`))

	_, err = jig.SchemaFor[chan int]()
	require.EqualError(t, err,
		"jig: schema: T: a chan has no JSON form; leave the field out with `json:\"-\"`")
}

func TestSchemaImmutable(t *testing.T) {
	schema, err := jig.SchemaFor[inventory]()
	require.NoError(t, err)
	before := string(schema.JSON())
	copied := schema.JSON()
	for i := range copied {
		copied[i] = 'x'
	}
	marshalled, err := schema.MarshalJSON()
	require.NoError(t, err)
	marshalled[0] = 'x'

	spec := echoSpec[inventory]("stock")
	spec.Schema, spec.Strict = schema, true
	strict := jig.MustDefine(spec)
	require.Equal(t, before, string(schema.JSON()))
	require.NotEqual(t, before, string(strict.InputSchema().JSON()))

	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			strict.Call(context.Background(), json.RawMessage(`{"sku":"AB","bogus":1}`))
			if err := schema.Validate(json.RawMessage(`{"sku":1}`)); err == nil {
				t.Error(`Validate({"sku":1}) = nil, want problems`)
			}
		})
	}
	group.Wait()
	require.Equal(t, before, string(schema.JSON()))
}

func TestValidationErrorText(t *testing.T) {
	type args struct {
		List []int8 `json:"list"`
	}
	schema, err := jig.SchemaFor[args]()
	require.NoError(t, err)
	list := func(n int) string {
		return `{"list":[` + strings.TrimSuffix(strings.Repeat("999,", n), ",") + `]}`
	}
	require.Equal(t, 10, strings.Count(complaints(t, schema, list(10)), "want at most 127"))
	require.NotContains(t, complaints(t, schema, list(10)), "more")

	text := complaints(t, schema, list(12))
	require.Equal(t, 10, strings.Count(text, "want at most 127"))
	require.True(t, strings.HasSuffix(text, "\nand 2 more"), text)

	var wrong *jig.ValidationError
	require.True(t, errors.As(schema.Validate(json.RawMessage(list(1500))), &wrong))
	require.Len(t, wrong.Problems, 1000)
	require.True(t, strings.HasSuffix(wrong.Error(), "\nand 1490 more"), wrong.Error())
}

func TestProblemsSameEachTime(t *testing.T) {
	t.Parallel()
	schema, err := jig.SchemaFor[inventory]()
	require.NoError(t, err)
	byHand := jig.MustParseSchema(`{"properties":{"a":{"type":"integer"},
		"b":{"anyOf":[{"type":"string","minLength":3},{"type":"array","maxItems":1}]},
		"c":{"type":"object","patternProperties":{"^x":{"type":"string"}},"additionalProperties":false},
		"d":{"allOf":[{"minimum":3},{"maximum":1}]}},
		"required":["a","e","f"],"dependentRequired":{"b":["g","h"]}}`)
	const value = `{"width":300,"height":"x","sku":"a","tags":{"k":1,"l":2},"rows":[{},{"width":-1}],` +
		`"when":"yesterday","after":5,"tree":{"sub":[{"name":1}]},"b":[1,2],"a":1.5,` +
		`"c":{"x1":1,"y":2,"z":3},"d":2}`
	first, firstByHand := complaints(t, schema, value), complaints(t, byHand, value)
	require.Equal(t, `"/after": got number 5, want string
"/height": got string "x", want number
"/rows/0/width": missing, want integer
"/rows/1/width": got -1, want at least 0
"/sku": got "a", want text that matches ^[A-Z]{2,4}$
"/tags/k": got number 1, want string
"/tags/l": got number 2, want string
"/tree/name": missing, want string
"/tree/sub/0/name": got number 1, want string
"/when": got "yesterday", want a date-time such as "2006-01-02T15:04:05Z"
and 1 more`, first)
	for range 1000 {
		require.Equal(t, first, complaints(t, schema, value))
		require.Equal(t, firstByHand, complaints(t, byHand, value))
	}
	for _, text := range []string{first, firstByHand} {
		for _, word := range []string{"time.", "uint8", "int64", "float", "struct", "Go ", "unmarshal",
			"decod", "json:", "file://", ".go", "schema", "jsonschema", "inventory", "folder"} {
			require.NotContains(t, text, word)
		}
	}
}

// TestProblemPointer shows pointers as text: in quotes, and shortened in the middle.
func TestProblemPointer(t *testing.T) {
	for _, pointer := range []string{"/plain", "/a b", "/~0", `/"`, `/\`, "/Zoë", "/\x7f", "/\n", "/\xff",
		"/" + strings.Repeat("n", 199), "/" + strings.Repeat("n", 200), strings.Repeat("é", 101)} {
		want := strconv.Quote(clip.Middle(pointer, 200)) + ": is wrong"
		require.Equal(t, want, jig.Problem{Pointer: pointer, Message: "is wrong"}.String())
	}
	require.Equal(t, "is wrong", jig.Problem{Message: "is wrong"}.String())
}
