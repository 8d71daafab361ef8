package strict

import (
	"bytes"
	"slices"
	"strings"

	"github.com/jig-go/jig/internal/decimal"
	"github.com/jig-go/jig/internal/tree"
)

// words moves into the description what the profile does not take, says there too what the provider
// ignores, and leaves out what is no keyword of JSON Schema. The wording and its order are fixed,
// since prompts are cached by their bytes.
func (r *rewriter) words(n *tree.Node) {
	if n.Bool != nil {
		return
	}
	r.exclusiveBounds(n)
	for _, f := range facts {
		m := n.Get(f.key)
		if m == nil || m.Enforced || f.key == "enum" || f.traits&worded == 0 {
			continue
		}
		why, how := r.wayOf(*m)
		if !r.asks(*m) {
			how = move
		}
		if how == mention && r.say(n, *m) {
			r.change(n, why, Added, false, m.Key+" is said in the description too")
		}
		if how == move {
			r.moveWord(n, *m, why)
		}
	}
	for _, m := range shown(n, func(m *tree.Member) bool {
		return r.p.gone(status(m.Key)) && !(structural | worded).of(m.Key)
	}) {
		n.Delete(m.Key)
		r.change(n, status(m.Key), Dropped, false, m.Key+" is left out; it checks nothing")
	}
}

func (r *rewriter) moveWord(n *tree.Node, m tree.Member, why string) {
	n.Delete(m.Key)
	if m.Key == "title" {
		if n.Has("description") {
			r.change(n, why, Dropped, false, "title is left out; there is a description")
			return
		}
		title, _ := m.String()
		describe(n, title)
		r.change(n, why, Moved, false, "title is the description")
		return
	}
	r.say(n, m)
	if annotation(m.Key) {
		r.change(n, why, Moved, false, m.Key+" is said in the description")
		return
	}
	r.change(n, why, Moved, true, m.Key+" is said in the description; jig alone checks it")
}

// wayOf returns what becomes of a keyword with its value, and for which entry of the profile.
func (r *rewriter) wayOf(m tree.Member) (why string, how way) {
	list := []string{m.Key}
	switch m.Key {
	case "minItems":
		if v, ok := decimal.Parse(m.Raw); ok && v.Cmp(one) > 0 {
			list = append(list, "minItems_gt1")
		}
	case "pattern":
		pattern, _ := m.String()
		list = append(list, patternFeatures(pattern)...)
	case "format":
		name, _ := m.String()
		if r.p.Formats != nil && !slices.Contains(r.p.Formats, name) {
			list = append(list, "format_unlisted")
		}
	}
	for _, key := range list {
		if w := r.p.way(key); w > how || why == "" {
			why, how = key, w
		}
	}
	return why, how
}

var one, _ = decimal.Parse("1")

// say adds a keyword to the description, once, and reports whether it did.
func (r *rewriter) say(n *tree.Node, m tree.Member) bool {
	said, _ := n.String("description")
	value := (&tree.Node{Members: []tree.Member{m}}).Append(nil, tree.Form{})
	value = bytes.TrimSuffix(value, []byte("}"))
	_, text, _ := strings.Cut(string(value), ":")
	words := m.Key + ": " + text
	if strings.Contains(said, words) {
		return false
	}
	describe(n, joinWords(said, words))
	return true
}

// describe sets the description, a new one after the type.
func describe(n *tree.Node, text string) {
	if !n.Has("description") {
		n.InsertAfter("type", tree.Member{Key: "description"})
	}
	n.SetString("description", text)
}

// joinWords adds to the bracket at the end of a description that lists keywords, or opens one.
func joinWords(said, words string) string {
	if said == "" {
		return words
	}
	if i := strings.LastIndex(said, " ("); i >= 0 && strings.HasSuffix(said, ")") &&
		startsWord(said[i+2:]) {
		return said[:len(said)-1] + ", " + words + ")"
	}
	if startsWord(said) {
		return said + ", " + words
	}
	return said + " (" + words + ")"
}

func startsWord(text string) bool {
	key, _, found := strings.Cut(text, ": ")
	return found && worded.of(key)
}

// join puts two sentences beside each other.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// exclusiveBounds writes the flags that stood beside minimum and maximum in draft-04 as bounds.
func (r *rewriter) exclusiveBounds(n *tree.Node) {
	for _, pair := range flags {
		flag, bound := n.Get(pair[0]), n.Get(pair[1])
		if flag == nil || !r.restricts ||
			string(flag.Raw) != "true" && string(flag.Raw) != "false" {
			continue
		}
		if string(flag.Raw) == "false" || bound == nil {
			n.Delete(pair[0])
		} else {
			flag.Raw = bound.Raw
			n.Delete(pair[1])
		}
		r.newer = true // than draft-04
		r.change(n, pair[0], Rewritten, false, "it is a bound of its own, as since draft-06")
	}
}

// asks reports whether what a keyword asks can stay as it is. A question cannot be rewritten, so a
// profile that takes the keyword may not take the schema in it.
func (r *rewriter) asks(m tree.Member) bool {
	if m.Node == nil || tightened.of(m.Key) || !r.restricts {
		return true
	}
	text := string(m.Node.Append(nil, tree.Form{Enforced: true, Identity: true}))
	if slices.Contains(r.asked, text) {
		return true // it contains itself, and is being looked at
	}
	if len(r.asked) == 0 {
		r.toAsk = new(maxAsked)
	}
	if *r.toAsk--; *r.toAsk < 0 {
		return false
	}
	root := &tree.Node{Members: []tree.Member{{Key: "type", Raw: []byte(`"array"`)},
		{Key: "items", Node: m.Node}}}
	for _, m := range r.root.Members {
		if definitions(m.Key) {
			root.Set(m)
		}
	}
	p := r.p
	p.Lossy = false
	inner := newRewriter(p, root.Clone())
	inner.asked, inner.toAsk = append(slices.Clip(r.asked), text), r.toAsk
	inner.rewrite()
	return len(inner.problems) == 0 && !slices.ContainsFunc(inner.changes, func(c placed[Change]) bool {
		return c.what.Action != Dropped // of definitions that this question has no use for
	})
}

// maxAsked bounds the questions inside one question that are looked at: those of definitions that refer to
// one another are met on very many ways.
const maxAsked = 100

// questions refuses the keywords that the profile does not take and that no wording says.
func (r *rewriter) questions(n *tree.Node) {
	for _, m := range shown(n, func(m *tree.Member) bool {
		return question.of(m.Key) && (r.p.gone(status(m.Key)) || !r.asks(*m))
	}) {
		key := status(m.Key)
		if r.lose(n, key, "%s cannot be said; say it in the description, and check it in Check",
			m.Key) {
			n.Delete(m.Key)
			if m.Key == "if" { // without it the others ask nothing
				n.Delete("then")
				n.Delete("else")
			}
			r.change(n, key, Dropped, true, m.Key+" is left out; jig alone checks it")
		}
	}
}
