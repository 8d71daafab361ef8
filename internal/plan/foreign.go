package plan

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jig-go/jig/internal/canon"
	"github.com/jig-go/jig/internal/general"
	"github.com/jig-go/jig/internal/scan"
	"github.com/jig-go/jig/internal/tree"
)

// maxBranchDepth bounds how deep unions inside unions are explained.
const maxBranchDepth = 4

// maxUnions bounds the unions that are explained: a text shows fewer problems.
const maxUnions = 20

// maxExplained bounds the bytes of the values that unions are explained for: every branch judges
// them once more.
const maxExplained = 1 << 18

// findings words what the general validator found in raw, which stands at the current place, as the
// plan would have.
func (d *run) findings(s *general.Schema, f general.Finding, raw []byte, depth int) {
	at := append(slices.Clone(d.path), stepsTo(raw, f.Instance)...)
	value := sample{valueAt(raw, f.Instance), d.plan.secrets.hides(at)}
	switch {
	case len(f.Missing) > 0:
		for _, name := range f.Missing {
			if d.refusesAt(append(slices.Clone(at), step{name: name, index: -1}), f.Keyword) {
				d.because(sayForeignName(d.words, f.Keyword))
			}
		}
	case f.Keyword == "anyOf" || f.Keyword == "oneOf":
		d.union(s, f, raw, value, depth)
	case d.refusesAt(at, f.Keyword):
		d.because(sayForeign(d.words, f.Keyword, value, d.keyword(f)))
	}
}

// sayForeignName words a name that a keyword misses or refuses.
func sayForeignName(dst []byte, keyword string) []byte {
	switch keyword {
	case "required", "dependentRequired", "dependencies":
		return sayMissing(dst, nil)
	case "propertyNames":
		return sayName(dst)
	}
	return sayUnlisted(dst)
}

// union explains anyOf and oneOf by the branch that is closest: of those of the value's kind, the
// one with the fewest problems.
func (d *run) union(s *general.Schema, f general.Finding, raw []byte, value sample, depth int) {
	at := append(slices.Clone(d.path), stepsTo(raw, f.Instance)...)
	meant, told := d.told(f, value.raw, at)
	if told {
		return
	}
	var branches [][]general.Finding
	d.unions++
	d.explained += len(value.raw)
	if d.unions <= maxUnions && d.explained <= maxExplained && depth < maxBranchDepth {
		branches = s.Branches(f, value.raw)
	}
	fits := 0
	best, bestRank := -1, [3]int{}
	var kinds []string
	for i, branch := range branches {
		rank := rankOf(branch)
		if meant >= 0 && i != meant {
			rank[1] = math.MaxInt // its property says that it is not the one
		}
		if len(branch) == 0 {
			fits++
		}
		if rank[0] > 0 {
			kinds = append(kinds, d.typesOf(branch)...)
		}
		if best < 0 || slices.Compare(rank[:], bestRank[:]) < 0 {
			best, bestRank = i, rank
		}
	}
	if fits == 0 && best >= 0 && (bestRank[0] == 0 || len(kinds) == 0) {
		d.closestBranch(s, branches[best], value.raw, at, depth)
		return
	}
	if !d.refusesAt(at, f.Keyword) {
		return
	}
	switch {
	case fits > 1:
		d.because(sayTwoForms(d.words, value))
	case fits == 1 || best < 0:
		d.because(sayNoForm(d.words, value))
	default:
		d.because(sayType(d.words, value, strings.Join(slices.Compact(kinds), " or ")))
	}
}

// closestBranch records what a branch finds in raw, which stands at the place at.
func (d *run) closestBranch(
	s *general.Schema, branch []general.Finding, raw []byte, at []step, depth int,
) {
	inner := *d // it writes on in the same words
	inner.path, inner.found, inner.total, inner.closest = at, nil, 0, true
	for _, f := range branch {
		inner.findings(s, f, raw, depth+1)
	}
	d.unions, d.explained, d.words = inner.unions, inner.explained, inner.words
	for _, f := range inner.found {
		if d.total++; len(d.found) < maxProblems {
			d.found = append(d.found, f)
		}
	}
}

// told says what is wrong with the property that tells the branches of a union apart. Where
// nothing is, it returns the branch that the value is meant for, or -1.
func (d *run) told(f general.Finding, raw []byte, at []step) (meant int, told bool) {
	u := d.unionOf(f)
	if u == nil || u.property == "" || kindOf(raw) != scan.Object {
		return -1, false
	}
	at = append(slices.Clone(at), step{name: u.property, index: -1})
	got := memberOf(raw, u.property)
	if got == nil {
		if u.required && d.refusesAt(at, "required") {
			d.because(sayWanted(d.words, u.values.words().listed))
		}
		return -1, u.required
	}
	if i, ok := u.choice[string(canon.Append(nil, got))]; ok {
		return i, false
	}
	if d.refusesAt(at, "enum") {
		d.because(sayAmong(d.words, sample{got, d.plan.secrets.hides(at)}, u.values.words()))
	}
	return -1, true
}

// unionOf returns what is known of the union that a finding is about, or nil.
func (d *run) unionOf(f general.Finding) *union {
	at, ok := strings.CutSuffix(f.Schema, "/"+f.Keyword)
	if !ok || d.plan.schema == nil {
		return nil
	}
	n := d.plan.schema.At(at)
	if n == nil || !n.Has(f.Keyword) {
		return nil
	}
	return d.plan.unions[n.Get(f.Keyword)]
}

// rankOf says how far a branch is: whether the value itself is of another kind, whether a property
// that tells the branches apart has another value, and how many problems there are.
func rankOf(branch []general.Finding) [3]int {
	var rank [3]int
	for _, f := range branch {
		switch {
		case f.Instance == "" && f.Keyword == "type":
			rank[0] = 1
		case f.Keyword == "const":
			rank[1]++
		}
		rank[2] += max(1, len(f.Missing))
	}
	return rank
}

// typesOf returns the types that a branch wants instead.
func (d *run) typesOf(branch []general.Finding) []string {
	for _, f := range branch {
		if f.Instance == "" && f.Keyword == "type" {
			return []string{typeNames(d.keyword(f))}
		}
	}
	return nil
}

// keyword returns the schema's text of the keyword that was not met, or nil.
func (d *run) keyword(f general.Finding) []byte {
	at, ok := strings.CutSuffix(f.Schema, "/"+tree.Escape(f.Keyword))
	if !ok || d.plan.schema == nil {
		return nil
	}
	n := d.plan.schema.At(at)
	if n == nil || !n.Has(f.Keyword) {
		return nil
	}
	if bound, ok := strings.CutPrefix(f.Keyword, "exclusive"); ok && isTrue(n, f.Keyword) {
		// In draft-04 the limit stands in minimum or maximum.
		if m := n.Get(strings.ToLower(bound)); m != nil {
			return m.Raw
		}
	}
	return n.Get(f.Keyword).Raw
}

// sayForeign words a keyword of the general validator, whose text in the schema is want.
func sayForeign(dst []byte, keyword string, v sample, want []byte) []byte {
	switch keyword {
	case "type":
		return sayType(dst, v, typeNames(want))
	case "enum", "const":
		return sayAmong(dst, v, enumFrom(keyword, want).words())
	case "pattern":
		return sayPattern(dst, v, string(scan.Unquote(cmpText(want))))
	case "format":
		return sayFormat(dst, v, formatWant(string(scan.Unquote(cmpText(want)))))
	case "minContains", "maxContains", "contains":
		return sayContains(dst, v)
	case "uniqueItems":
		return sayUnique(dst, v)
	case "not":
		return sayNot(dst, v)
	case "propertyNames":
		return sayName(dst)
	case "false", "properties", "items": // the schema false stands in their place
		return sayNothing(dst)
	case "additionalItems", "unevaluatedItems":
		return sayTooMany(dst, v)
	}
	if relation := relation(keyword); relation != "" {
		return sayBound(dst, v, relation+" "+quote(want))
	}
	return sayOther(dst, v, cmp.Or(keyword, "the schema"))
}

// cmpText is a keyword's text, or an empty string for one that is not known.
func cmpText(raw []byte) []byte {
	if len(raw) < 2 || raw[0] != '"' {
		return []byte(`""`)
	}
	return raw
}

func typeNames(want []byte) string {
	if len(want) == 0 {
		return "another type"
	}
	text := strings.Trim(string(want), `[]`)
	return strings.ReplaceAll(strings.ReplaceAll(text, `"`, ""), ",", " or ")
}

func enumFrom(keyword string, want []byte) *enumRule {
	if len(want) == 0 {
		return &enumRule{keyword: keyword}
	}
	return enumOf(&tree.Node{Members: []tree.Member{{Key: keyword, Raw: want}}})
}

// stepsTo returns the steps of a JSON pointer into raw.
func stepsTo(raw []byte, pointer string) []step {
	var out []step
	c := scan.NewCursor(raw)
	for _, token := range strings.Split(pointer, "/")[1:] {
		s := step{name: unescape(token), index: -1}
		if c.Kind() == scan.Array {
			if i, err := strconv.Atoi(token); err == nil {
				s = step{index: i}
			}
		}
		out = append(out, s)
		if !descend(&c, token) {
			c = scan.NewCursor([]byte("null"))
		}
	}
	return out
}

// valueAt returns the text of the value at a JSON pointer into raw, or null where there is none.
func valueAt(raw []byte, pointer string) []byte {
	c := scan.NewCursor(raw)
	for _, token := range strings.Split(pointer, "/")[1:] {
		if !descend(&c, token) {
			return []byte("null")
		}
	}
	return c.Skip()
}

// descend moves to the member or item that a reference token of a JSON pointer names.
func descend(c *scan.Cursor, token string) bool {
	object := c.Kind() == scan.Object
	if !object && c.Kind() != scan.Array {
		return false
	}
	for i, more := 0, c.Enter(); more; i, more = i+1, c.More() {
		if object {
			if tree.Escape(string(c.Key())) == token {
				return true
			}
		} else if strconv.Itoa(i) == token {
			return true
		}
		c.Skip()
	}
	return false
}
