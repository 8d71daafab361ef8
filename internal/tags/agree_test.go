package tags

import (
	"reflect"
	"testing"

	"github.com/invopop/jsonschema"
	"github.com/stretchr/testify/require"
)

// TestAgreed pins that what is usual needs no look at the JSON of invopop's schema. What it takes is
// compared with that look by checkAgreed.
func TestAgreed(t *testing.T) {
	tests := []struct {
		name   string
		want   bool
		tag    string
		target Target
	}{
		{"string", true, `minLength=0,maxLength=3,pattern=^a\,b,format=f,title=<é>,enum=a,enum=b,readOnly=true`, text},
		{"number", true, `minimum=-1,exclusiveMaximum=1e3,multipleOf=0.5,default=1,example=2`, float},
		{"boolean", true, `title=T,default=false`, boolean},
		{"array", true, `minItems=1,maxItems=2,uniqueItems=true,enum=a,default=a,default=b`, arrayOf(String)},
		{"other digits", true, `enum=9007199254740993,enum=1.0`, float},
		{"gap", true, `title=T,default=["a"]`, arrayOf(String)},
		{"nullable behind a comma", false, `title=a\,nullable`, text},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tag := keywordsOf(tt.tag) + ` jsonschema_description:"D" jsonschema_extras:"x-a=b,x-a=c,deprecated=true"`
			p := read(tag, tt.target)
			require.Empty(t, p.problems)
			field, ok := p.reflected(p.fieldTag()).Properties.Get(fieldName)
			require.True(t, ok)
			require.Equal(t, tt.want, p.agreed(field))
		})
	}
}

// TestAgreedDiffers pins that nothing is taken that was not asked for, or of which a part is missing.
func TestAgreedDiffers(t *testing.T) {
	length := uint64(3)
	right := func() *jsonschema.Schema { return &jsonschema.Schema{Type: "string", MaxLength: &length} }
	tests := []struct {
		name   string
		want   bool
		change func(*jsonschema.Schema)
	}{
		{"same", true, func(*jsonschema.Schema) {}},
		{"lost", false, func(s *jsonschema.Schema) { s.MaxLength = nil }},
		{"added", false, func(s *jsonschema.Schema) { s.Title = "T" }},
		{"described", false, func(s *jsonschema.Schema) { s.Description = "D" }},
		{"extra", false, func(s *jsonschema.Schema) { s.Extras = map[string]any{"x": "y"} }},
		{"twice", false, func(s *jsonschema.Schema) { s.Extras = map[string]any{"maxLength": &length} }},
		{"unknown value", false, func(s *jsonschema.Schema) { s.Extras = map[string]any{"x": 1} }},
		{"on the items", false, func(s *jsonschema.Schema) { s.Items = right() }},
		{"choice", false, func(s *jsonschema.Schema) { s.OneOf = []*jsonschema.Schema{right()} }},
		{"literal", false, func(s *jsonschema.Schema) { *s = *jsonschema.TrueSchema }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := right()
			tt.change(s)
			require.Equal(t, tt.want, read(keywordsOf("maxLength=3"), text).agreed(s))
		})
	}
	_, ok := appendRead(nil, []any{reflect.ValueOf(1)})
	require.False(t, ok)
}
