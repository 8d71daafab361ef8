package strict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jig-go/jig/internal/tree"
)

// Rewrite changes a schema in place until it obeys the profile. It returns each change, in the order of
// the schema, and what cannot be expressed without loss: with such a problem the schema is refused, and
// the tree is of no use. Pointers lead into the schema that was given.
func Rewrite(p Profile, root *tree.Node) ([]Change, []Problem) {
	r := newRewriter(p, root)
	r.rewrite()
	return sorted(r.changes), sorted(r.problems)
}

func newRewriter(p Profile, root *tree.Node) *rewriter {
	p.Required = p.Required || p.refuses("required_partial")
	size := root.Count()
	return &rewriter{p: p, root: root, restricts: p.restricts(), keeps: p.keeps(),
		places: make([]place, 0, size), origin: make(map[*tree.Node]int, size),
		target: map[*tree.Node]*tree.Node{}, done: map[*tree.Node]bool{}}
}

func (r *rewriter) rewrite() {
	r.locate(r.root, place{})
	r.resolve()
	r.rename()
	if r.composed {
		r.path, r.opened = make([]int, len(r.places)), map[*tree.Node]bool{}
		r.expand(r.root, false)
		r.cutCycles()
	}
	if len(r.problems) > 0 {
		return // references and branches are not what the rest expects
	}
	r.typeRoot()
	r.checkRoot()
	r.visit(r.root)
	if r.newer {
		r.root.Delete("$schema") // not while its members are being visited
	}
	r.relink()
}

// Proof returns what Check still has against a schema that Rewrite made, as it is sent: without $id
// and the like. A root without properties is none of it: whoever sends it leaves the schema out
// where none may be empty.
func Proof(p Profile, root *tree.Node) []Problem {
	sent, _ := tree.Parse(root.Append(nil, tree.Form{})) // what was written can be read
	return slices.DeleteFunc(check(p, sent), func(p Problem) bool {
		return p.Pointer == "" && p.Keyword == "properties_empty"
	})
}

// A rewriter rewrites one schema in place, in these steps: it notes where each schema stands and
// what each reference leads to, writes out references and joins allOf, rewrites every schema from
// the inside out, and points the remaining references at where their targets stand then.
type rewriter struct {
	p         Profile
	restricts bool // p.restricts(), which is asked for every schema
	keeps     bool // likewise
	root      *tree.Node
	places    []place                   // of the schemas as given, in the order of the text
	origin    map[*tree.Node]int        // where a schema stood; that of a copy is its original's
	composed  bool                      // there is a reference, or an allOf
	refs      []*tree.Node              // schemas with a $ref
	target    map[*tree.Node]*tree.Node // what a schema with a $ref refers to
	anchors   map[string]*tree.Node     // by name
	path      []int                     // by place: how often expand is inside of a schema from there
	opened    map[*tree.Node]bool       // by expand
	done      map[*tree.Node]bool       // by visit
	loops     map[*tree.Node]bool       // what leads back to itself, once asked
	copied    int                       // schemas that were copied
	newer     bool                      // there is something of a newer draft than $schema may name
	asked     []string                  // the questions around the whole, as text; see asks
	toAsk     *int                      // how many more may be asked
	changes   []placed[Change]
	problems  []placed[Problem]
}

// A place is where a schema stands: a step below the place of the schema around it. Places are known
// by their index; the root's is 0.
type place struct {
	above int
	step  tree.Step
}

// pointer returns the JSON pointer that leads to a place.
func (r *rewriter) pointer(at int) string {
	if at == 0 {
		return ""
	}
	p := &r.places[at]
	return r.pointer(p.above) + p.step.Pointer()
}

// placed is what was found at a place.
type placed[T comparable] struct {
	what T
	at   int
}

// sorted returns what was found in the order of the places. Each is there once, also where a definition
// was copied twice.
func sorted[T comparable](list []placed[T]) (out []T) {
	slices.SortStableFunc(list, func(a, b placed[T]) int { return a.at - b.at })
	start := 0 // of those at this place
	for i, p := range list {
		if i > 0 && p.at != list[i-1].at {
			start = len(out)
		}
		if !slices.Contains(out[start:], p.what) {
			out = append(out, p.what)
		}
	}
	return out
}

// locate notes where n and the schemas inside it stand, and which of them are more than their own
// keywords.
func (r *rewriter) locate(n *tree.Node, p place) {
	at := len(r.places)
	r.places = append(r.places, p)
	r.origin[n] = at
	if n.Has("$ref") {
		r.refs = append(r.refs, n)
	}
	r.composed = r.composed || len(r.refs) > 0 || n.Has("$dynamicRef") || n.Has("allOf")
	for step, child := range n.Children() {
		r.locate(child, place{at, step})
	}
}

// maxCopied bounds the schemas that come out of writing out references: definitions that each refer
// to two others double at every level.
const maxCopied = 20_000

// copy returns a copy of a schema that is known to the rewriter as n is.
func (r *rewriter) copy(n *tree.Node) *tree.Node {
	c := n.Clone()
	r.adopt(c, n)
	return c
}

// adopt makes c, and what is inside it, known as its original n.
func (r *rewriter) adopt(c, n *tree.Node) {
	r.copied++
	r.origin[c] = r.origin[n]
	if target := r.target[n]; target != nil {
		r.target[c] = target
	}
	var of []*tree.Node
	for _, child := range n.Children() {
		of = append(of, child)
	}
	i := 0
	for _, child := range c.Children() {
		r.adopt(child, of[i])
		i++
	}
}

// made makes a new schema known as standing where n stands.
func (r *rewriter) made(c, n *tree.Node) *tree.Node {
	r.origin[c] = r.origin[n]
	return c
}

// become gives n the content of another schema. What refers to n finds it there.
func (r *rewriter) become(n, other *tree.Node) {
	withheld := n.Withheld
	*n = *other
	n.Withheld = withheld
	delete(r.target, n)
	if target := r.target[other]; target != nil {
		r.target[n] = target
	}
}

func (r *rewriter) change(n *tree.Node, keyword, action string, lossy bool, message string) {
	at := r.origin[n]
	r.changes = append(r.changes, placed[Change]{Change{Pointer: r.pointer(at), Keyword: keyword,
		Action: action, Message: message, Lossy: lossy}, at})
}

func (r *rewriter) refuse(n *tree.Node, keyword, message string, args ...any) {
	at := r.origin[n]
	r.problems = append(r.problems, placed[Problem]{Problem{Pointer: r.pointer(at), Keyword: keyword,
		Message: fmt.Sprintf(message, args...)}, at})
}

// lose reports whether a keyword may be lost: where the caller asked for a lossy form, and where
// the provider does nothing with it. Elsewhere it is a problem.
func (r *rewriter) lose(n *tree.Node, keyword, message string, args ...any) bool {
	if r.p.Lossy || r.p.harmless(keyword) {
		return true
	}
	r.refuse(n, keyword, message, args...)
	return false
}

// visit rewrites a schema: the ones inside it first, since a schema that has been made nullable no
// longer looks like what it was.
func (r *rewriter) visit(n *tree.Node) {
	if r.done[n] {
		return
	}
	if r.composed || !r.keeps { // else each is met but once
		r.done[n] = true
	}
	if r.keeps {
		if r.closable(n) {
			r.inside(n)
			r.object(n)
		}
		return
	}
	r.literal(n)
	if n.Bool != nil || !r.closable(n) {
		return
	}
	r.tuple(n)
	r.union(n)
	if n != r.root && n.Has("properties") { // its branches may count on them
		r.siblings(n)
	}
	r.nullBranches(n)
	r.inside(n)
	r.values(n)
	r.object(n)
	r.array(n)
	r.questions(n)
	r.words(n)
	r.null(n) // n may be a branch of itself then
	r.nullBranch(n)
	r.siblings(n)
}

// inside rewrites the schemas inside n, and what it refers to, which may stand where nothing else leads.
func (r *rewriter) inside(n *tree.Node) {
	for step, child := range n.Children() {
		if r.follows(step.Key) && !(tree.IsLiteral(step.Key) && plainly(child)) {
			r.visit(child)
		}
	}
	if target := r.target[n]; target != nil {
		r.visit(target)
	}
}

// closable reports whether an object can be closed, where it has to be; if it cannot, that is a problem.
func (r *rewriter) closable(n *tree.Node) bool {
	if !r.p.Closed {
		return true
	}
	key := r.splitProperties(n)
	if key != "" {
		r.refuse(n, key, "strict closes every object, and this object declares properties both under "+
			"%s and elsewhere; declare them in one place", key)
	}
	return key == ""
}

// plainly reports whether a schema says no more than true or false.
func plainly(n *tree.Node) bool { return n.Bool != nil || len(n.Members) == 0 }

// literal writes true and false as the objects that every form shows for them.
func (r *rewriter) literal(n *tree.Node) {
	if m := n.Get("enum"); m != nil && string(m.Raw) == "[]" && n != r.root && r.restricts {
		r.become(n, r.made(tree.Literal(false), n)) // it takes none of no values
	}
	if n.Bool == nil || n == r.root || !r.restricts {
		return
	}
	lossy := !*n.Bool && r.p.gone("not")
	if lossy && !r.lose(n, "boolean_schema", "nothing is accepted here; leave it out") {
		return
	}
	if !*n.Bool && !lossy {
		n.Members = []tree.Member{{Key: "not", Node: &tree.Node{}}}
	}
	if lossy || r.p.gone("boolean_schema") {
		r.change(n, "boolean_schema", Rewritten, lossy, fmt.Sprintf("%t is an object", *n.Bool))
	}
	n.Bool = nil
}

// typeRoot says that arguments are an object, which is all that a root without a type can be.
func (r *rewriter) typeRoot() {
	if r.restricts && r.root.Bool == nil && !r.root.Has("type") && !r.root.Has("$ref") {
		r.root.Members = slices.Insert(r.root.Members, 0, raw("type", `"object"`))
		r.change(r.root, "typeless_schema", Added, false, "arguments are an object")
	}
}

// checkRoot refuses what may not stand at the root.
func (r *rewriter) checkRoot() {
	for _, key := range []string{"anyOf", "oneOf"} { // expand has joined allOf
		if !r.root.Has(key) || !r.p.gone("root_"+key) && !r.besides(key) && !r.openRoot(key) {
			continue
		}
		if r.lose(r.root, "root_"+key, "%s stands at the root, where only an object with "+
			"properties may stand; wrap the union in a property, or declare all properties in one "+
			"object, as optional ones", key) {
			r.flatten(key)
		}
	}
	for _, key := range []string{"enum", "const"} {
		if m := r.root.Get(key); m != nil && r.p.refuses("root_"+key) {
			r.say(r.root, *m)
			r.root.Delete(key)
			r.change(r.root, "root_"+key, Moved, true, key+" is said in the description; jig "+
				"alone checks it")
		}
	}
	if r.root.Has("not") && !r.p.gone("not") && r.p.refuses("root_not") &&
		r.lose(r.root, "root_not", "not stands at the root, where it is refused; put it into a "+
			"property, or check it in Check") {
		r.root.Delete("not")
		r.change(r.root, "root_not", Dropped, true, "not is left out; jig alone checks it")
	}
}

// besides reports whether a union cannot stand at the root since its type does, beside it.
func (r *rewriter) besides(key string) bool {
	return r.p.gone("anyOf_siblings") && !r.p.gone("anyOf") &&
		(key == "anyOf" || key == "oneOf" && r.p.gone("oneOf"))
}

// openRoot reports whether the root would stay open for what the branches of a union declare, where every
// object has to be closed.
func (r *rewriter) openRoot(key string) bool {
	return r.p.Closed && r.p.refusesOpen("additionalProperties_missing") &&
		!r.root.Has("properties") && r.declares(r.root, key, nil)
}

// flatten joins the branches of a union at the root into one object that accepts them all: every
// property of theirs, required where all of them require it.
func (r *rewriter) flatten(key string) {
	root := r.root
	branches := root.Get(key).List
	root.Delete(key)
	var all []tree.Named
	for _, branch := range branches {
		branch = r.meant(branch)
		if m := branch.Get("properties"); m != nil {
			all = append(all, m.Named...)
		}
		if r.elsewhere(branch) {
			r.refuse(root, "root_"+key, "%s stands at the root, with unions inside; wrap it in a "+
				"property", key)
		}
	}
	for _, e := range all {
		if !r.offer(root, e) {
			r.refuse(root, "root_"+key, "%s stands at the root, and its branches declare %s "+
				"differently; wrap the union in a property", key, quote(e.Name))
			return
		}
	}
	r.change(root, "root_"+key, Rewritten, true, "the properties of all branches are offered at "+
		"once; jig alone enforces "+key)
}

// offer adds an optional property to an object, and reports whether that says nothing else of one
// that is there.
func (r *rewriter) offer(n *tree.Node, e tree.Named) bool {
	if old := n.Property(e.Name); old != nil {
		return same(old, e.Node)
	}
	m := n.Get("properties")
	if m == nil {
		n.Set(tree.Member{Key: "properties", Named: []tree.Named{}})
		m = n.Get("properties")
	}
	m.Named = append(m.Named, e)
	if never(n.Get("additionalProperties")) {
		n.Delete("additionalProperties")
	}
	return true
}

// meant returns the schema that a schema refers to, else itself.
func (r *rewriter) meant(n *tree.Node) *tree.Node {
	for range 100 {
		target := r.target[n]
		if target == nil {
			break
		}
		n = target
	}
	return n
}

func quote(s string) string {
	if len(s) > 60 {
		s = s[:60] + "..."
	}
	return fmt.Sprintf("%q", strings.ToValidUTF8(s, ""))
}
