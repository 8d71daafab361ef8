package plan

import (
	"reflect"
	"strconv"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// fits reports a schema whose values the Go type can never hold. What the branches of unions say is
// looked at once their rules are finished.
func (c *compiler) fits(r *rule, at *place) {
	base := r.base()
	if base == nil || whole(base) {
		return
	}
	c.fit(r, base, at, allKinds)
	if r.general != nil {
		c.settle = append(c.settle, func() { c.fitBranches(r, base, r.kinds, fitted{}) })
	}
}

// fitted holds the pairs of rule and type that were looked at, which ends recursion.
type fitted map[taggedRule]bool

// fitBranches compares the branches of r's unions with the type that r fills. Only kinds that r
// itself lets through count.
func (c *compiler) fitBranches(r *rule, base *codec.Type, through kinds, seen fitted) {
	for _, u := range r.unions {
		for i, b := range u.branches {
			c.fitBelow(b.some(), base, u.at+"/"+strconv.Itoa(i), through, seen)
		}
	}
}

// fitBelow compares a rule that fills nothing with the type that values of it are read into.
func (c *compiler) fitBelow(r *rule, t *codec.Type, pointer string, through kinds, seen fitted) {
	base, _ := t.Base()
	at := taggedRule{r, base}
	if seen[at] || r.never || whole(base) {
		return
	}
	seen[at] = true
	c.fit(r, base, &place{keyword: pointer}, through)
	c.fitBranches(r, base, through&r.kinds, seen)
	if r.obj == nil || base.Kind != codec.Struct {
		return
	}
	for _, p := range r.obj.props {
		at := pointer + "/properties/" + tree.Escape(p.name)
		if f := base.Field(p.name); f == nil {
			c.fault(at, "properties", sayNoField)
		} else {
			c.fitBelow(p.rule.some(), f.Type, at, allKinds, seen)
		}
	}
}

const sayNoField = "the struct has no field with this JSON name"

// fit compares the kinds and values that a rule names with a type.
func (c *compiler) fit(r *rule, base *codec.Type, at *place, through kinds) {
	takes := takenBy(base.Kind) | 1<<scan.Null
	if r.want != "" && r.kinds&through&^takes&^integral != 0 {
		c.fault(at.pointer(), "type", "the schema's type is %s, and the Go field takes %s",
			r.want, kindName(takenBy(base.Kind)))
		return
	}
	if r.enum == nil {
		return
	}
	for _, value := range r.enum.values {
		kind := kindOf(value)
		if (r.kinds & through).has(kind) && (!takes.has(kind) || !holds(base, kind, value)) {
			c.fault(at.pointer(), r.enum.keyword, "the Go field cannot hold the value %s", quote(value))
		}
	}
}

// holds reports whether a number or text can be read into the type, and is true for other kinds.
func holds(t *codec.Type, kind scan.Kind, value []byte) bool {
	if t.Kind == codec.String && kind == scan.String {
		return true
	}
	v := reflect.New(t.Go).Elem()
	switch kind {
	case scan.Number:
		return t.FillNumber(v, value)
	case scan.String:
		return t.FillString(v, string(scan.Unquote(value)))
	}
	return true
}

// takenBy returns the JSON kind that fills a Go kind.
func takenBy(k codec.Kind) kinds {
	switch k {
	case codec.Bool:
		return 1 << scan.Bool
	case codec.Int, codec.Uint, codec.Float, codec.Number, codec.BigInt:
		return 1 << scan.Number
	case codec.String, codec.Text, codec.Quoted:
		return 1 << scan.String
	case codec.Slice, codec.Array:
		return 1 << scan.Array
	case codec.Map, codec.Struct:
		return 1 << scan.Object
	}
	return allKinds
}

func kindName(k kinds) string {
	for kind := scan.Null; kind <= scan.Object; kind++ {
		if k == 1<<kind {
			return kind.String()
		}
	}
	return "anything"
}
