package strict

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jig-go/jig/internal/tree"
)

// rename writes $defs for definitions, its name before 2019, where that is refused.
func (r *rewriter) rename() {
	old := r.root.Get("definitions")
	if old == nil || old.Named == nil || !r.p.gone("definitions") {
		return
	}
	entries := old.Named
	r.root.Delete("definitions")
	if m := r.root.Get("$defs"); m != nil {
		for _, e := range entries {
			e.Name = free(m.Named, e.Name)
			m.Named = append(m.Named, e)
		}
	} else {
		r.root.Set(tree.Member{Key: "$defs", Named: entries})
	}
	r.change(r.root, "definitions", Rewritten, false, "definitions are under $defs")
}

// free returns the name, or one made from it that is not in the table.
func free(table []tree.Named, name string) string {
	for i := 2; ; i++ {
		if !slices.ContainsFunc(table, func(e tree.Named) bool { return e.Name == name }) {
			return name
		}
		name = strings.TrimSuffix(name, "_"+strconv.Itoa(i-1)) + "_" + strconv.Itoa(i)
	}
}

// resolve notes what the references lead to.
func (r *rewriter) resolve() {
	if len(r.refs) > 0 {
		r.anchor()
	}
	for _, n := range r.refs {
		if target := r.refers(n); target != nil {
			r.target[n] = target
		}
	}
}

// anchor notes the schemas that have a name. Where one inside has an $id, names and pointers count
// from there, and none is known.
func (r *rewriter) anchor() {
	r.anchors = map[string]*tree.Node{}
	for n := range inOrder(r.root) {
		if name, ok := n.String("$anchor"); ok {
			r.anchors[name] = n
		}
		if n.Has("$id") && n != r.root {
			clear(r.anchors)
			return
		}
	}
}

// refers returns the schema that n refers to, by a JSON pointer or by its name, or nil. relink
// writes the pointer for the name.
func (r *rewriter) refers(n *tree.Node) *tree.Node {
	ref, _ := n.String("$ref")
	id, _ := r.root.String("$id")
	inside := &tree.Node{}
	inside.SetString("$ref", strings.TrimPrefix(ref, id))
	if target := inside.Referred(r.root); target != nil {
		return target
	}
	name, _ := strings.CutPrefix(strings.TrimPrefix(ref, id), "#")
	return r.anchors[name]
}

// expand writes out the references that cannot stay, and joins allOf, in n and in what it leads to.
// A question is a schema that is not closed, since that would change the answer.
func (r *rewriter) expand(n *tree.Node, question bool) {
	if r.opened[n] {
		return
	}
	r.opened[n] = true
	inside := []int{r.origin[n]}
	r.path[inside[0]]++
	for again := true; again; { // what comes out may be a reference, or an allOf, itself
		for at, ok := r.inline(n); ok; at, ok = r.inline(n) {
			inside = append(inside, at)
			r.path[at]++
		}
		again = !question && r.join(n)
	}
	for step, child := range n.Children() {
		if r.follows(step.Key) || !tightened.of(step.Key) {
			r.expand(child, question || !tightened.of(step.Key))
		}
	}
	if target := r.target[n]; target != nil {
		r.expand(target, false)
	}
	for _, at := range inside {
		r.path[at]--
	}
}

// inline writes out the reference of n where it cannot stay, and returns where its target stood; ok
// is false where there was nothing to do.
func (r *rewriter) inline(n *tree.Node) (at int, ok bool) {
	target := r.target[n]
	if target == nil {
		if n.Has("$ref") || n.Has("$dynamicRef") {
			r.unreachable(n)
		}
		return 0, false
	}
	keyword := r.unsaid(n)
	if keyword == "" {
		return 0, false
	}
	if r.path[r.origin[target]] > 0 || keyword == "$ref_siblings" && r.loop(target) {
		r.cycle(n, target, keyword)
		return 0, false
	}
	if r.copied > maxCopied {
		r.refuse(n, keyword, "too many schemas come out of writing out the references; use fewer "+
			"definitions that refer to definitions")
		return 0, false
	}
	ref, _ := n.String("$ref")
	if !r.write(n, target, keyword) {
		return 0, false
	}
	r.change(n, keyword, Rewritten, false, quote(ref)+" is written out in place")
	return r.origin[target], true
}

// unreachable refuses a reference that does not lead to a schema inside this one. A profile that
// restricts anything takes none, since what it leads to can be neither rewritten nor kept.
func (r *rewriter) unreachable(n *tree.Node) {
	if r.p.Closed {
		r.refuse(n, "$ref", "strict closes every object, and what this reference leads to cannot "+
			"be closed; put that schema under $defs and refer to it by its JSON pointer")
	} else if r.restricts {
		r.refuse(n, "$ref_external", "this reference leads to no schema inside this one, or not by a "+
			"JSON pointer; put that schema under $defs and refer to it by its JSON pointer")
	}
}

// unsaid returns the pseudo keyword for which the reference of n cannot stay, or "".
func (r *rewriter) unsaid(n *tree.Node) string {
	ref, _ := n.String("$ref")
	switch {
	case r.p.gone("$ref_local") || r.p.gone("$defs"):
		return "$ref_local"
	case ref == "#" && r.p.gone("$ref_root_hash"):
		return "$ref_root_hash"
	case n == r.root && r.restricts: // some read type and properties of the root alone
		return "$ref_root"
	case r.p.gone("$ref_siblings") && showsMore(n, "$ref", "$defs", "definitions"):
		return "$ref_siblings"
	}
	return ""
}

// write puts a copy of the target where n refers to it; n's own descriptions win over the copy's.
func (r *rewriter) write(n, target *tree.Node, keyword string) bool {
	out := r.copy(target)
	if out.Bool != nil {
		out = &tree.Node{Text: out.Text}
		if !*target.Bool {
			out.Members = []tree.Member{{Key: "not", Node: &tree.Node{}}}
		}
	}
	n.Delete("$ref")
	if reason := r.merge(out, n, true, r.p.Lossy); reason != "" {
		r.refuse(n, keyword, "what this reference leads to and what stands beside it cannot be "+
			"joined: %s; write one schema", reason)
		return false
	}
	r.become(n, out)
	return true
}

// cycle deals with a reference that cannot stay and cannot be written out, since it leads back.
func (r *rewriter) cycle(n, target *tree.Node, keyword string) {
	if keyword != "$ref_siblings" || r.p.gone("recursion") {
		if r.lose(n, "recursion", recursive, quotedRef(n)) {
			r.asText(n, "recursion", label(n))
		}
		return
	}
	for _, m := range shown(n, but("$ref")) {
		if annotation(m.Key) {
			continue
		}
		if !r.lose(n, keyword, "%s stands beside a reference to a schema that contains itself; "+
			"put it into that schema", m.Key) {
			return
		}
		n.Delete(m.Key)
		r.change(n, keyword, Dropped, true, m.Key+" is left out; jig alone checks it")
	}
	if r.p.gone("anyOf") || r.p.gone("anyOf_siblings") {
		ref := *n.Get("$ref")
		n.Members = []tree.Member{ref}
		r.change(n, keyword, Dropped, false, "what stands beside the reference is left out")
		return
	}
	inner := r.made(&tree.Node{Members: []tree.Member{*n.Get("$ref")}}, n)
	r.target[inner] = target
	delete(r.target, n)
	r.opened[inner] = true
	r.expand(target, false)
	*n.Get("$ref") = tree.Member{Key: "anyOf", List: []*tree.Node{inner}}
	r.change(n, keyword, Rewritten, false, "the reference stands in an anyOf of its own")
}

const recursive = "the schema contains itself here, by %s; refer to the nested value by an id, " +
	"or declare as many levels as are needed"

// quotedRef returns how problems name what n refers to.
func quotedRef(n *tree.Node) string {
	ref, _ := n.String("$ref")
	return quote(ref)
}

// label returns a word for what n refers to.
func label(n *tree.Node) string {
	ref, _ := n.String("$ref")
	if name := ref[strings.LastIndexByte(ref, '/')+1:]; name != "" && name != "#" {
		return name
	}
	return "an object like the whole"
}

// asText makes n a string that holds the value as JSON text. Where a schema declares an array or an
// object, jig reads such text as the value that it stands for.
func (r *rewriter) asText(n *tree.Node, keyword, what string) {
	said, _ := n.String("description")
	out := typed("string")
	out.SetString("description", join(said, "JSON text of "+what+"."))
	r.become(n, out)
	r.change(n, keyword, Rewritten, true, "the value is asked for as JSON text in a string")
}

// loop reports whether a schema leads back to itself.
func (r *rewriter) loop(n *tree.Node) bool {
	if found, known := r.loops[n]; known {
		return found
	}
	if r.loops == nil {
		r.loops = map[*tree.Node]bool{}
	}
	r.loops[n] = r.reaches(n, n, map[*tree.Node]bool{})
	return r.loops[n]
}

func (r *rewriter) reaches(from, goal *tree.Node, seen map[*tree.Node]bool) bool {
	if seen[from] {
		return false
	}
	seen[from] = true
	if next := r.target[from]; next != nil && (next == goal || r.reaches(next, goal, seen)) {
		return true
	}
	for step, child := range from.Children() {
		if !definitions(step.Key) && (child == goal || r.reaches(child, goal, seen)) {
			return true
		}
	}
	return false
}

// cutCycles refuses, or cuts, the references by which a schema contains itself.
func (r *rewriter) cutCycles() {
	if r.p.gone("recursion") {
		r.cut(r.root, map[*tree.Node]int{})
	}
}

const (
	entered = iota + 1
	left
)

func (r *rewriter) cut(n *tree.Node, state map[*tree.Node]int) {
	state[n] = entered
	for step, child := range n.Children() {
		if !definitions(step.Key) && state[child] == 0 {
			r.cut(child, state)
		}
	}
	if target := r.target[n]; target != nil {
		switch state[target] {
		case 0:
			r.cut(target, state)
		case entered:
			if r.lose(n, "recursion", recursive, quotedRef(n)) {
				r.asText(n, "recursion", label(n))
			}
		}
	}
	state[n] = left
}

// relink points every reference at where its target stands now, and leaves out the definitions to
// which nothing refers.
func (r *rewriter) relink() {
	if r.restricts {
		r.tidy()
	}
	for again := len(r.target) > 0; again; {
		again = false
		pointers := map[*tree.Node]string{}
		stand(r.root, "", pointers)
		for n := range inOrder(r.root) {
			if again = r.point(n, pointers); again {
				break
			}
		}
	}
}

// stand notes where n and the schemas inside it stand.
func stand(n *tree.Node, pointer string, pointers map[*tree.Node]string) {
	if _, known := pointers[n]; known {
		return
	}
	pointers[n] = pointer
	for step, child := range n.Children() {
		stand(child, pointer+step.Pointer(), pointers)
	}
}

// point makes the reference of n lead to its target, and reports whether the target had to be put
// under $defs for that, since it stood nowhere any more.
func (r *rewriter) point(n *tree.Node, pointers map[*tree.Node]string) bool {
	target := r.target[n]
	if target == nil || n.Referred(r.root) == target {
		return false
	}
	if pointer, ok := pointers[target]; ok {
		n.SetString("$ref", "#"+(&url.URL{Fragment: pointer}).EscapedFragment())
		return false
	}
	if !r.root.Has("$defs") {
		at := len(r.root.Members)
		if at > 0 && r.root.Members[at-1].Key == "additionalProperties" {
			at-- // which is last
		}
		r.root.Members = slices.Insert(r.root.Members, at,
			tree.Member{Key: "$defs", Named: []tree.Named{}})
	}
	m := r.root.Get("$defs")
	name := free(m.Named, definitionName(r.pointer(r.origin[target])))
	m.Named = append(m.Named, tree.Named{Name: name, Node: target})
	n.SetString("$ref", "#/$defs/"+name)
	r.change(n, "$ref", Rewritten, false, "what it refers to is under $defs")
	return true
}

var odd = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// definitionName makes a name for a definition out of where it stood.
func definitionName(pointer string) string {
	name := odd.ReplaceAllString(pointer[strings.LastIndexByte(pointer, '/')+1:], "_")
	if name == "" {
		return "root"
	}
	return name
}

// tidy leaves out the definitions that nothing refers to, which a provider would read, and may
// refuse.
func (r *rewriter) tidy() {
	used := map[*tree.Node]bool{}
	r.use(r.root, used)
	for n := range inOrder(r.root) {
		for _, key := range []string{"$defs", "definitions"} {
			m := n.Get(key)
			if m == nil {
				continue
			}
			if m.Named == nil { // not all in it are schemas, so that no reference into it was taken
				if r.p.gone(key) {
					r.change(n, key, Dropped, false, key+" holds something else than schemas")
					n.Delete(key)
				}
				continue
			}
			m.Named = slices.DeleteFunc(m.Named, func(e tree.Named) bool {
				if !used[e.Node] {
					r.change(e.Node, key, Dropped, false, fmt.Sprintf("nothing refers to %s",
						quote(e.Name)))
				}
				return !used[e.Node]
			})
			if len(m.Named) == 0 {
				n.Delete(key)
			}
		}
	}
}

// use notes what n leads to. A definition is in use with what is inside it, at any depth.
func (r *rewriter) use(n *tree.Node, used map[*tree.Node]bool) {
	if used[n] {
		return
	}
	used[n] = true
	for step, child := range n.Children() {
		if !definitions(step.Key) {
			r.use(child, used)
		}
	}
	if target := r.target[n]; target != nil {
		r.use(target, used)
	}
}
