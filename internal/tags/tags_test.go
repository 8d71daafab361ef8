package tags

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// keywordsOf is a struct tag that holds only a jsonschema tag.
func keywordsOf(text string) reflect.StructTag {
	return reflect.StructTag(fmt.Sprintf("%s:%q", keywordTag, text))
}

func extrasOf(text string) reflect.StructTag {
	return reflect.StructTag(fmt.Sprintf("%s:%q", extrasTag, text))
}

// parse reads the tags of one field alone.
func parse(tag reflect.StructTag, t Target) (Result, []string) {
	read := Parse([]Field{{tag, t}})[0]
	return read.Result, read.Problems
}

// show writes keywords as a schema would hold them.
func show(list []Keyword) string {
	var b strings.Builder
	for i, k := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s:%s", k.Key, k.Value)
	}
	return b.String()
}

var (
	anything = Target{}
	text     = Target{Kind: String}
	integer  = Target{Kind: Integer}
	float    = Target{Kind: Number}
	boolean  = Target{Kind: Boolean}
	object   = Target{Kind: Object}
)

func arrayOf(k Kind) Target { return Target{Kind: Array, Elem: k} }

func TestParseNode(t *testing.T) {
	tests := []struct {
		name   string
		want   string
		tag    string
		target Target
	}{
		{"nothing", ``, ``, text},
		{"title", `title:"A title"`, `title=A title`, object},
		{"title with comma", `title:"A, B"`, `title=A\, B`, integer},
		{"title with html", `title:"a<b&c"`, `title=a<b&c`, text},
		{"title with equals", `title:"a=b=c"`, `title=a=b=c`, arrayOf(String)},
		{"title that ends in a backslash", `title:"a\\" format:"x"`, `format=x,title=a\`, text},

		{"type on anything", `pattern:"^a" minLength:3`, `minLength=3,type=string,pattern=^a`, anything},
		{"type that the field has", `minimum:1`, `type=integer,minimum=1`, integer},

		// invopop takes the word behind the escaped comma for its own part.
		{"escaped nullable", `title:"a,nullable"`, `title=a\,nullable`, text},
		{"escaped required", `title:"a,required"`, `title=a\,required`, text},

		{"lengths", `minLength:0 maxLength:10`, `maxLength=10,minLength=0`, text},
		{"format", `format:"email"`, `format=email`, text},
		{"string enum", `enum:["a","b,c","1"]`, `enum=a,enum=b\,c,enum=1`, text},
		{"enum apart", `title:"t" enum:["a","b\\"]`, `enum=a,title=t,enum=b\`, text},
		{"string default", `default:"5"`, `default=5`, text},
		{"string examples", `examples:["x","y"]`, `example=x,example=y`, text},
		{"string null is a text", `default:"null"`, `default=null`,
			Target{Kind: String, Nullable: true}},
		{"read only", `readOnly:true`, `readOnly=true`, text},
		{"write only integer", `writeOnly:true`, `writeOnly=true`, integer},
		{"read only array", `readOnly:true`, `readOnly=true`, arrayOf(String)},

		{"quantifier", `pattern:"^[a-z]{1,3}$"`, `pattern=^[a-z]{1,3}$`, text},
		{"open quantifier", `pattern:"^a{2,}$"`, `pattern=^a{2,}$`, text},
		{"escaped quantifier", `pattern:"^a{1,3}$"`, `pattern=^a{1\,3}$`, text},
		{"two quantifiers", `format:"x" pattern:"a{1,2}b{3,4}"`,
			`pattern=a{1,2}b{3,4},format=x`, text},
		{"quantifier and comma", `pattern:"a{1,2},b"`, `pattern=a{1,2}\,b`, text},
		{"pattern with equals", `pattern:"^a=b$"`, `pattern=^a=b$`, text},

		{"bounds", `minimum:0 maximum:1e2`, `minimum=0,maximum=1e2`, integer},
		{"open bounds", `exclusiveMinimum:-1.5 exclusiveMaximum:1.50`,
			`exclusiveMinimum=-1.5,exclusiveMaximum=1.50`, float},
		{"step", `multipleOf:0.01`, `multipleOf=0.01`, float},
		{"one value between", `minimum:3 maximum:3`, `minimum=3,maximum=3`, integer},
		{"exact integers", `enum:[9007199254740993,18446744073709551616]`,
			`enum=9007199254740993,enum=18446744073709551616`, integer},
		{"exact bound", `maximum:9223372036854775807`, `maximum=9223372036854775807`, integer},
		{"exact fraction", `default:0.1000000000000000055511151231257827`,
			`default=0.1000000000000000055511151231257827`, float},
		{"integral float", `default:5.0`, `default=5.0`, integer},
		{"zero default", `default:0`, `default=0`, float},
		{"number examples", `examples:[1,2.5]`, `example=1,example=2.5`, float},

		{"true", `default:true`, `default=true`, boolean},
		{"false", `default:false`, `default=false`, boolean},
		{"boolean enum", `enum:[true]`, `enum=true`, boolean},

		{"item counts", `minItems:1 maxItems:3 uniqueItems:true`,
			`uniqueItems=true,minItems=1,maxItems=3`, arrayOf(Object)},
		{"array default as JSON", `default:["a","b"]`, `default=["a"\, "b"]`, arrayOf(String)},
		{"array default as parts", `default:["a","b,c"]`,
			`default=a,default=b\,c`, arrayOf(String)},
		{"integer array default", `default:[1,2]`, `default=1,default=2`, arrayOf(Integer)},
		{"empty array default", `default:[]`, `default=[]`, arrayOf(Boolean)},
		{"array example", `examples:[["a"]]`, `example=["a"]`, arrayOf(String)},
		{"object default", `default:{"a":1.0}`, `default={"a": 1.0}`, object},
		{"object example", `examples:[{}]`, `example={}`, object},

		{"null default", `default:null`, `default=null`, Target{Kind: Integer, Nullable: true}},
		{"null default by part", `default:null`, `default=null,nullable`, object},
		{"nullable enum stays", `enum:["a"]`, `enum=a`, Target{Kind: String, Nullable: true}},

		{"any default", `default:"x"`, `default="x"`, anything},
		{"any enum", `enum:[1,"a",null,[1]]`, `enum=1,enum="a",enum=null,enum=[1]`, anything},
		{"any title", `title:"T"`, `title=T`, anything},
		{"any example", `examples:[{"a":1}]`, `example={"a":1}`, anything},

		{"the same twice", `minimum:3`, `minimum=3,minimum=3`, integer},
		{"all of a string", `title:"T" format:"f" pattern:"p" minLength:1 maxLength:2 ` +
			`readOnly:true writeOnly:true enum:["e"] default:"d" examples:["x"]`,
			`example=x,default=d,enum=e,writeOnly=true,readOnly=true,maxLength=2,minLength=1,` +
				`pattern=p,format=f,title=T`, text},
		{"all of a number", `title:"T" multipleOf:1 minimum:1 exclusiveMinimum:0 maximum:8 ` +
			`exclusiveMaximum:9 enum:[5] default:5 examples:[6]`,
			`example=6,default=5,enum=5,exclusiveMaximum=9,maximum=8,exclusiveMinimum=0,` +
				`minimum=1,multipleOf=1,title=T`, float},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, problems := parse(keywordsOf(tt.tag), tt.target)
			require.Empty(t, problems)
			require.Equal(t, tt.want, show(got.Node))
			require.Empty(t, got.Items)
		})
	}
}

func TestParseItems(t *testing.T) {
	tests := []struct {
		name  string
		node  string
		items string
		tag   string
		elem  Kind
	}{
		{"enum of strings", ``, `enum:["a","b"]`, `enum=a,enum=b`, String},
		{"enum of integers", ``, `enum:[1,9007199254740993]`,
			`enum=1,enum=9007199254740993`, Integer},
		{"enum of booleans", ``, `enum:[true]`, `enum=true`, Boolean},
		{"enum of anything", ``, `enum:["a",1]`, `enum="a",enum=1`, Any},
		{"text", ``, `format:"f" pattern:"^a{1,2}$" minLength:1 maxLength:2`,
			`maxLength=2,minLength=1,pattern=^a{1,2}$,format=f`, String},
		{"bounds", ``, `multipleOf:2 minimum:2 maximum:8`,
			`maximum=8,minimum=2,multipleOf=2`, Integer},
		{"both nodes", `title:"T" minItems:1 default:["a"]`, `enum:["a"]`,
			`title=T,enum=a,default=a,minItems=1`, String},
		{"examples", ``, `examples:["a","b"]`, `example=a,example=b`, String},
		{"examples of both", `examples:[[1,2]]`, `examples:[1]`,
			`example=[1\,2],example=1`, Integer},

		// invopop drops a part with a second "=" on an array, and only there.
		{"equals in pattern", ``, `pattern:"^a=b$"`, `pattern=^a=b$`, String},
		{"equals in enum", ``, `enum:["x","a=b"]`, `enum=x,enum=a=b`, String},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, problems := parse(keywordsOf(tt.tag), arrayOf(tt.elem))
			require.Empty(t, problems)
			require.Equal(t, tt.node, show(got.Node))
			require.Equal(t, tt.items, show(got.Items))
		})
	}
}

func TestParseDescription(t *testing.T) {
	long := "If true, remove sub-folders too; \"all\" of them,required,nullable\nLine \\2 <b>"
	tests := []struct {
		name string
		want string
		tag  string
	}{
		{"free text", long, fmt.Sprintf("%s:%q", descriptionTag, long)},
		{"part", "Days, at most", `jsonschema:"description=Days\\, at most"`},
		{"part with equals", "a=b", `jsonschema:"description=a=b"`},
		{"both the same", "City", `jsonschema:"description=City" jsonschema_description:"City"`},
		{"none", "", `json:"city" jsonschema:"title=City"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, target := range []Target{text, anything, object, arrayOf(Any)} {
				got, problems := parse(reflect.StructTag(tt.tag), target)
				require.Empty(t, problems)
				require.Equal(t, tt.want, got.Description)
				require.False(t, got.Required)
				require.False(t, got.Nullable)
			}
		})
	}
}

func TestParseMarks(t *testing.T) {
	got, problems := parse(keywordsOf("required,minimum=1"), integer)
	require.Empty(t, problems)
	require.True(t, got.Required)
	require.False(t, got.Nullable)
	require.Equal(t, "minimum:1", show(got.Node))

	got, problems = parse(keywordsOf("title=T,nullable"), object)
	require.Empty(t, problems)
	require.True(t, got.Nullable)
	require.False(t, got.Required)
	require.Equal(t, `title:"T"`, show(got.Node))
}

// TestParseNoTag pins that fields without the three tags cost no more than lists of all.
func TestParseNoTag(t *testing.T) {
	for _, tag := range []reflect.StructTag{
		"", `json:"a,omitempty" jig:"key"`, `validate:"min=3"`,
	} {
		got, problems := parse(tag, text)
		require.Zero(t, got)
		require.Nil(t, problems)
	}
	fields := slices.Repeat([]Field{{`json:"a,omitempty"`, text}}, 20)
	require.Equal(t, 2.0, testing.AllocsPerRun(10, func() { Parse(fields) }))
}

// TestParseParallel runs under -race: a reading shares nothing with another.
func TestParseParallel(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			tag := keywordsOf(fmt.Sprintf("title=T%d,enum=a,enum=b,minItems=1", i%4))
			got, problems := parse(tag, arrayOf(String))
			want := fmt.Sprintf(`title:"T%d" minItems:1`, i%4)
			if len(problems) > 0 || show(got.Node) != want || show(got.Items) != `enum:["a","b"]` {
				t.Errorf("parse(%s) = %v, %q, want %s", tag, got, problems, want)
			}
		})
	}
	wg.Wait()
}

func TestTargetString(t *testing.T) {
	require.Equal(t, "a number", float.String())
	require.Equal(t, "an array of integers", arrayOf(Integer).String())
	require.Equal(t, "a field of any type", anything.String())
}
