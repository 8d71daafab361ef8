// Package plan compiles a JSON Schema, together with the Go type that its values are decoded into,
// into one structure that checks a value while it fills the Go value.
//
// A Plan without a Go type only checks. Where a schema uses keywords that the plan does not know,
// the value at that place is handed whole to the general validator, which decides alone.
package plan

import (
	"reflect"
	"sync"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/general"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// A Plan is a compiled schema. It never changes, but for words that are made when they are first needed,
// and is safe for concurrent use.
type Plan struct {
	root   *rule
	quick  *reader                 // of root; nil: Decode is as good
	schema *tree.Node              // for messages; may be nil
	unions map[*tree.Member]*union // by the anyOf or oneOf
	// secrets says which values no message may show; nil: none.
	secrets *secrets
	// blind says that Decode may miss a value of a refused kind, since something else is refused, or
	// somebody else judges, around it.
	blind bool
	// faults are defaults and Go types that contradict the schema, by JSON pointer into it.
	faults []Problem
}

// A rule checks, and fills, the values at one place of a schema.
type rule struct {
	typ   *codec.Type // what to fill; nil: check only
	never bool        // the schema false
	open  bool        // accepts everything: nothing to check below
	kinds kinds       // the JSON kinds that are accepted
	enum  *enumRule
	num   *numberRule
	str   *stringRule
	value *tree.Value // what only the Go type can say; nil: nothing
	arr   *arrayRule
	obj   *objectRule
	// orNull is the other branch of {"anyOf":[X,{"type":"null"}]}; the rule has no other part then.
	orNull *rule
	unions []*union // what is known of those that the general validator judges
	// general decides the verdict for the whole value; the other parts only fill then.
	general *general.Schema
	want    string  // the wanted type, for messages
	holds   bool    // a property somewhere below is marked as secret
	reader  *reader // what Decode reads by, once it is made
}

// kinds is a set of JSON kinds. An integer is a number here.
type kinds uint8

const (
	allKinds kinds = 1<<(scan.Object+1) - 1
	integral kinds = 1 << 7 // numbers have to be integers
)

func (k kinds) has(kind scan.Kind) bool { return k&(1<<kind) != 0 }

// An objectRule checks the members of an object.
type objectRule struct {
	props    []property
	index    map[string]int // by name, into props
	required []string       // required names that are not declared
	extra    *rule          // of the values of undeclared members; nil: anything
	closed   bool           // undeclared members are refused
	keys     *rule          // of all member names; nil: anything
	min, max int            // number of members; -1: no limit
	// patterns and rest are of the values of undeclared members, where the general validator judges.
	patterns []patternRule
	rest     *rule // where no pattern matches; nil: anything
	names    declaredNames
}

// A property is one declared member of an object.
type property struct {
	name       string
	rule       *rule
	field      *codec.Field // the field of a struct that it fills; nil: none
	required   bool
	secret     bool   // marked: no message shows its value
	withheld   bool   // may not be sent: it is in no index, and never named in a message
	nullAbsent bool   // null means absent: the property is optional and does not accept null
	def        []byte // the default, checked; nil: none
}

// An arrayRule checks the items of an array.
type arrayRule struct {
	prefix   []*rule // of the first items, one each
	items    *rule   // of the others; nil: anything
	min, max int     // -1: no limit
	unique   bool
}

// item returns the rule of the item at an index, or nil for anything.
func (a *arrayRule) item(i int) *rule {
	switch {
	case a == nil:
		return nil
	case i < len(a.prefix):
		return a.prefix[i]
	}
	return a.items
}

// A Result says what Decode found.
type Result = ResultOf[Problem]

// A ResultOf is a Result with the problems in the caller's own type, so that none has to be copied.
type ResultOf[P alike] struct {
	Problems []P      // sorted by pointer, keyword and message; at most maxProblems
	Total    int      // how many problems there are in all
	Dropped  []string // pointers of unknown members that were left out, sorted
	// Mendable says, of a refused value, that Mend may be able to change something. It changes values of
	// refused kinds only, of which a value that is wrong otherwise has none.
	Mendable bool
}

// More returns how many problems are only counted.
func (r ResultOf[P]) More() int { return r.Total - len(r.Problems) }

// alike are the types that are made as Problem is.
type alike interface {
	~struct{ Pointer, Keyword, Message string }
}

// maxProblems bounds the problems that are kept of one value. A message shows fewer still.
const maxProblems = 1000

// Decode checks one value and fills v with it; the zero Value only checks. Members that the Go type
// does not know are refused where they are close to a declared name that is absent, and dropped
// otherwise. After problems v holds anything.
// Requirement: checked passed scan.Check, and v is settable and of the plan's Go type.
func (p *Plan) Decode(checked []byte, v reflect.Value) Result {
	return DecodeAs[Problem](p, checked, v)
}

// DecodeAs is p.Decode with the problems in another type.
func DecodeAs[P alike](p *Plan, checked []byte, v reflect.Value) ResultOf[P] {
	return runAs[P](p, p.root, checked, v, true)
}

// Validate checks one value by the schema alone.
func (p *Plan) Validate(checked []byte) Result { return ValidateAs[Problem](p, checked) }

// ValidateAs is p.Validate with the problems in another type.
func ValidateAs[P alike](p *Plan, checked []byte) ResultOf[P] {
	return runAs[P](p, p.root, checked, reflect.Value{}, false)
}

// maxWords is the largest buffer for the words of problems that is kept for later runs. It holds those of
// maxProblems problems of the usual length.
const maxWords = 64 << 10

// runRule reads one value by a rule of the plan.
func (p *Plan) runRule(r *rule, checked []byte, v reflect.Value, typos bool) Result {
	return runAs[Problem](p, r, checked, v, typos)
}

// runAs is runRule with the problems in another type.
func runAs[P alike](p *Plan, r *rule, checked []byte, v reflect.Value, typos bool) ResultOf[P] {
	d := p.start(typos)
	d.cur = scan.NewCursor(checked)
	d.value(r, v)
	return EndAs[P](d.finished())
}

// start returns a run that has found nothing yet.
func (p *Plan) start(typos bool) *run {
	d := runs.Get().(*run)
	d.plan, d.typos = p, typos
	return d
}

// free ends a run. It keeps nothing of the value alive but a copy of some of its words.
func (d *run) free() {
	if d.strange {
		clear(d.path[:cap(d.path)])
	}
	if cap(d.words) > maxWords {
		d.words = nil
	}
	*d = run{path: d.path[:0], trail: d.trail[:0], seen: d.seen[:0], found: d.found[:0], words: d.words[:0]}
	runs.Put(d)
}

var runs = sync.Pool{New: func() any { return &run{path: make([]step, 0, maxTrail)} }}

// Faults returns the defaults that their own schema refuses and the places where schema and Go
// type contradict each other.
func (p *Plan) Faults() []Problem { return p.faults }
