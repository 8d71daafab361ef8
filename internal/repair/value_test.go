package repair

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/jig-go/jig/internal/scan"
)

func TestNumber(t *testing.T) {
	for _, s := range []string{
		"5", "5.0", "-1e3", "0", "-0", "0.10", "1E+2", "9007199254740993", "1e9999",
		strings.Repeat("1", 1000),
	} {
		got, ok := Number(s)
		assert.True(t, ok, "Number(%q)", s)
		assert.Equal(t, s, string(got))
	}
	for _, s := range []string{
		"", " ", " 5", "5 ", "5\n", bom + "5", "0x5", "+5", "05", "-05", "1_000", "1,000", "NaN",
		"Infinity", "-", "5.", ".5", "5e", "1e99999", "5%", "٥", "５",
		"true", "null", `"5"`, "[5]", "{}",
		"5 6", "five", strings.Repeat("1", 1001), "5\x00",
	} {
		got, ok := Number(s)
		assert.False(t, ok, "Number(%q)", s)
		assert.Nil(t, got)
	}
}

func TestBool(t *testing.T) {
	for _, s := range []string{"true", "false"} {
		got, ok := Bool(s)
		assert.True(t, ok, "Bool(%q)", s)
		assert.Equal(t, s, string(got))
	}
	for _, s := range []string{
		"", "True", "FALSE", " true", "true ", "1", "0", "yes", "null", "truefalse",
	} {
		got, ok := Bool(s)
		assert.False(t, ok, "Bool(%q)", s)
		assert.Nil(t, got)
	}
}

func TestValue(t *testing.T) {
	for _, test := range []struct {
		name, s string
		want    scan.Kind
		json    string // "" if refused
	}{
		{"object", `{"a":1.0}`, scan.Object, `{"a":1.0}`},
		{"array", `["a"]`, scan.Array, `["a"]`},
		{"white space", " \r\n[ 1 ]\t", scan.Array, `[ 1 ]`},
		{"byte order mark", bom + `[]`, scan.Array, `[]`},
		{"string of it inside", `["{}"]`, scan.Array, `["{}"]`},
		{"array for object", `[]`, scan.Object, ""},
		{"object for array", `{}`, scan.Array, ""},
		{"encoded twice", `"[]"`, scan.Array, ""},
		{"null", `null`, scan.Object, ""},
		{"two", `{} {}`, scan.Object, ""},
		{"prose", `see []`, scan.Array, ""},
		{"broken", `[1,]`, scan.Array, ""},
		{"cut off", `{"a":1`, scan.Object, ""},
		{"key given twice", `{"a":1,"\u0061":2}`, scan.Object, ""},
		{"empty", ``, scan.Object, ""},
		{"number", `5`, scan.Number, ""},
		{"string", `"a"`, scan.String, ""},
		{"no kind", ``, 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := Value(test.s, test.want)
			assert.Equal(t, test.json != "", ok, "Value(%q)", test.s)
			assert.Equal(t, test.json, string(got), "Value(%q)", test.s)
		})
	}
}
