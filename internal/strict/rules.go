package strict

import (
	"iter"
	"slices"

	"github.com/jig-go/jig/internal/tree"
)

// A way is what becomes of a keyword.
type way uint8

const (
	keep    way = iota // it stays
	mention            // it stays, and the description says it too
	move               // it goes: said in other words, in the description, or refused
)

// way returns what becomes of a keyword or pseudo keyword.
func (p *Profile) way(key string) way {
	policy := p.Unknown
	switch p.Keywords[key] {
	case "ok":
		return keep
	case "rejected", "avoid":
		return move
	case "ignored":
		policy = p.Ignored
	}
	switch policy {
	case "move":
		return move
	case "mention":
		return mention
	}
	return keep
}

// gone reports whether a keyword or pseudo keyword must not go out.
func (p *Profile) gone(key string) bool { return p.way(key) == move }

// refuses reports whether the profile says by name that a keyword must not go out.
func (p *Profile) refuses(key string) bool {
	return p.Keywords[key] == "rejected" || p.Keywords[key] == "avoid"
}

// refusesOpen reports whether an object may not be open in the way of this pseudo keyword. Where
// every object has to be closed, the profile has to say which may not.
func (p *Profile) refusesOpen(key string) bool {
	return p.gone(key) || p.Closed && p.Keywords[key] != "ok"
}

// harmless reports whether the provider takes the keyword and does nothing with it, so that its
// loss changes nothing there.
func (p *Profile) harmless(key string) bool { return p.Keywords[key] == "ignored" }

// restricts reports whether there is anything that the profile refuses. The neutral profile does
// not: what stands unused in a schema stays there.
func (p *Profile) restricts() bool {
	for key := range p.Keywords {
		if p.refuses(key) {
			return true
		}
	}
	return p.Required || p.Ignored == "move" || p.Unknown == "move"
}

// keeps reports whether the profile takes every keyword as it is, so that all there is to do is to
// close objects and to make properties nullable.
func (p *Profile) keeps() bool {
	return !p.restricts() && p.Ignored != "mention" && p.Unknown != "mention"
}

// shown returns a copy of the members that a provider sees and that are wanted.
func shown(n *tree.Node, wanted func(*tree.Member) bool) (list []tree.Member) {
	for i := range n.Members {
		if m := &n.Members[i]; seen(m) && wanted(m) {
			list = append(list, *m)
		}
	}
	return list
}

// seen reports whether a provider sees a member.
func seen(m *tree.Member) bool { return !m.Enforced && !unshown.of(m.Key) }

// but wants all members but those with the keys.
func but(keys ...string) func(*tree.Member) bool {
	return func(m *tree.Member) bool { return !slices.Contains(keys, m.Key) }
}

// showsMore reports whether a provider sees a member with another key than these.
func showsMore(n *tree.Node, keys ...string) bool {
	more := but(keys...)
	return slices.ContainsFunc(n.Members, func(m tree.Member) bool { return seen(&m) && more(&m) })
}

// follows reports whether the rewriter goes on to the schemas under a keyword. Definitions of a
// restricting profile are reached by what refers to them, and go where nothing does.
func (r *rewriter) follows(key string) bool {
	switch {
	case definitions(key):
		return !r.restricts
	case key == "allOf": // closed objects have none
		return !r.p.Closed
	case key == "additionalProperties":
		return !r.p.refusesOpen("additionalProperties_schema")
	}
	return tightened.of(key) && !(r.p.gone(status(key)) && branching.of(key))
}

// raw makes a member that holds plain JSON.
func raw(key, text string) tree.Member { return tree.Member{Key: key, Raw: []byte(text)} }

func typed(name string) *tree.Node {
	n := &tree.Node{}
	n.SetString("type", name)
	return n
}

// open reports whether a member is absent, or the schema true, or {} which means the same.
func open(m *tree.Member) bool {
	switch {
	case m == nil:
		return true
	case m.Node == nil:
		return false
	case m.Node.Bool != nil:
		return *m.Node.Bool
	}
	return len(m.Node.Members) == 0
}

// never reports whether a member is the schema false.
func never(m *tree.Member) bool {
	return m != nil && m.Node != nil && m.Node.Bool != nil && !*m.Node.Bool
}

// inOrder visits n and every schema inside it, in the order of the text.
func inOrder(n *tree.Node) iter.Seq[*tree.Node] {
	return func(yield func(*tree.Node) bool) { each(n, yield) }
}

func each(n *tree.Node, yield func(*tree.Node) bool) bool {
	if !yield(n) {
		return false
	}
	for _, child := range n.Children() {
		if !each(child, yield) {
			return false
		}
	}
	return true
}
