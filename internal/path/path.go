// Package path reads paths that name places inside a JSON value.
//
//	id                 a member
//	ship.city          a member of a member
//	items[].sku        a member of every item
//	items[0:3]         the first three items; [2] is the third alone, [2:] all from the third on
//	[].sku             a member of every item of a value that is an array itself
//	meta.*             every member
//	meta."odd.name"    a member whose name is written as a JSON string
//
// A path says nothing about whether the place exists.
package path

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/jig-go/jig/internal/scan"
)

// Kind is what a Step selects.
type Kind uint8

// The kinds.
const (
	Member     Kind = iota // the member called Name
	AllMembers             // every member of an object
	Items                  // the items from From on, up to To
)

// A Step is one level of a path.
type Step struct {
	Kind     Kind
	Name     string // of Member
	From, To int    // of Items: To is exclusive; negative means to the end
}

// Parse reads a path. The error says at which byte it is wrong.
func Parse(text string) ([]Step, error) {
	p := parser{text: text}
	for p.err == nil {
		switch {
		case p.at < len(text) && text[p.at] == '[':
			p.items()
		case len(p.steps) == 0:
			p.member()
		case p.at == len(text):
			return p.steps, nil
		case text[p.at] == '.':
			p.at++
			p.member()
		default:
			p.fail("want . or [")
		}
	}
	return nil, p.err
}

type parser struct {
	text  string
	at    int
	steps []Step
	err   error
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("path %q: at byte %d: %s", p.text, p.at, fmt.Sprintf(format, args...))
	}
}

// special are the bytes that end a bare name.
const special = `.[]*"`

func (p *parser) member() {
	rest := p.text[p.at:]
	switch {
	case strings.HasPrefix(rest, `"`):
		p.quoted(rest)
	case strings.HasPrefix(rest, "*"):
		p.at++
		p.steps = append(p.steps, Step{Kind: AllMembers})
	default:
		end := strings.IndexAny(rest, special)
		if end < 0 {
			end = len(rest)
		}
		name := rest[:end]
		if name == "" || name != strings.TrimSpace(name) {
			p.fail("want a name; write one with other characters as a JSON string")
			return
		}
		p.at += end
		p.steps = append(p.steps, Step{Kind: Member, Name: name})
	}
}

// quoted reads a name that is written as a JSON string.
func (p *parser) quoted(rest string) {
	end := 1
	for end < len(rest) && rest[end] != '"' {
		if rest[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(rest) {
		p.fail("the quoted name does not end")
		return
	}
	raw, err := scan.Check([]byte(rest[:end+1]), scan.Limits{Bytes: len(rest), Depth: 1})
	if err != nil {
		p.fail("the quoted name is no JSON string")
		return
	}
	p.at += end + 1
	p.steps = append(p.steps, Step{Kind: Member, Name: string(scan.Unquote(raw))})
}

func (p *parser) items() {
	inside, _, ok := strings.Cut(p.text[p.at+1:], "]")
	if !ok {
		p.fail("the [ has no ]")
		return
	}
	step := Step{Kind: Items, To: -1}
	from, to, isRange := strings.Cut(inside, ":")
	step.From = p.index(from, 0)
	switch {
	case isRange:
		step.To = p.index(to, -1)
	case inside != "":
		step.To = step.From + 1
	}
	if step.To >= 0 && step.To <= step.From {
		p.fail("the range [%s] is empty", inside)
	}
	p.at += len(inside) + 2
	p.steps = append(p.steps, step)
}

// index reads one end of a range.
func (p *parser) index(text string, none int) int {
	if text == "" {
		return none
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		p.fail("%q is no index", text)
	}
	return int(n)
}
