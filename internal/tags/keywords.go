package tags

import (
	"slices"
	"strconv"
	"strings"
)

// readKeywords reads the jsonschema tag.
func (p *parser) readKeywords(text string) {
	if !p.usable(keywordTag, text) {
		return
	}
	var room [4]part
	parts := split(room[:0], text)
	p.asks = make([]ask, 0, len(parts))
	// Whether default=null is a value depends on nullable, which may come after.
	p.nullable = slices.Contains(parts, part{key: nullableWord, bare: true})
	// So does how the other parts are read on the type.
	p.readType(parts)
	last := ""
	for _, s := range parts {
		if p.readPart(s, last) {
			last = s.key
		}
	}
}

// readPart reads one part and reports whether its key is a word. last is the
// key of the part before, which tells what an unknown part was cut from.
func (p *parser) readPart(s part, last string) bool {
	w := lookup(s.key)
	switch {
	case s.bare && s.key == "":
		p.problemf("the jsonschema tag has an empty part; remove the extra comma")
	case slices.Contains(refused, s.key):
		p.problemf("%s %s", s.key, byHand)
	case s.key == typeWord && !s.bare:
	case s.key == requiredWord || s.key == nullableWord:
		p.readMark(s)
	case w == nil && s.key != descriptionWord && s.key != typeWord:
		p.unknown(s, last)
		return false
	case s.bare:
		p.problemf("%s has no value; write %[1]s=...", s.key)
	case strings.TrimSpace(s.value) == "":
		p.problemf("%s= is empty; give it a value or remove it", s.key)
	case w == nil:
		p.readDescriptionPart(s.value)
	default:
		p.readWord(w, s.value)
	}
	return true
}

// readType reads type=, which says what the JSON is where the Go type does not.
func (p *parser) readType(parts []part) {
	for _, s := range parts {
		if s.key != typeWord || s.bare {
			continue
		}
		kind, ok := typeKinds[s.value]
		switch {
		case !ok:
			p.problemf("type=%s is no JSON type; use string, integer, number, boolean, array or object",
				oneLine(s.value))
		case p.target.Kind == Any:
			p.target.Kind, p.typ = kind, s.value
		case p.target.Kind != kind:
			p.problemf("type=%s does not fit %s", s.value, p.target)
		}
	}
}

// readMark reads required and nullable, the two parts without a value.
func (p *parser) readMark(s part) {
	if !s.bare {
		p.problemf("%s takes no value; write %[1]s alone", s.key)
		return
	}
	if s.key == requiredWord {
		p.required = true
	}
}

func (p *parser) readDescriptionPart(text string) {
	if p.description != "" && p.description != text {
		p.problemf("description is given twice with different texts; keep one")
	}
	p.description = text
}

// commaWords are the keywords whose values may well hold a comma.
var commaWords = []string{"title", "pattern", "default", "example"}

// unknown explains a part that is no keyword. Most of them are text behind a
// comma, and what to write instead depends on the part that the comma cut.
func (p *parser) unknown(s part, last string) {
	key := strings.TrimSpace(s.key)
	shown := strings.TrimSpace(s.String())
	names := wordNames()
	switch {
	case key != s.key && slices.Contains(names, key):
		p.problemf("jsonschema tag part %q has a space around its keyword; remove it", s.String())
	case last == "enum" && s.bare:
		p.problemf("jsonschema tag part %q is not a known keyword; "+
			"repeat enum= for each value", shown)
	case slices.Contains(commaWords, last) && s.bare:
		p.problemf(`jsonschema tag part %q is not a known keyword; write a comma in %s= as \\, `+
			`or put free text into a jsonschema_description tag`, shown, last)
	case near(key, names) != "":
		p.problemf("%q is not a known keyword; did you mean %q?", key, near(key, names))
	case s.bare || strings.ContainsAny(key, " \t"):
		p.problemf("jsonschema tag part %q is not a known keyword; "+
			"put free text into a jsonschema_description tag", shown)
	default:
		p.problemf("%q is not a known keyword; put free text into a jsonschema_description tag, "+
			"an annotation of your own into jsonschema_extras", key)
	}
}

// readWord reads the value of a keyword that the vocabulary knows.
func (p *parser) readWord(w *word, text string) {
	kind, items, ok := p.place(w, text)
	if !ok {
		p.problemf("%s does not fit %s", w.name, p.target)
		return
	}
	v, list, problem := p.read(w, kind, text)
	if problem != "" {
		p.problemf("%s", problem)
		return
	}
	p.add(ask{
		word: w, key: w.key, items: items, list: list, values: []value{v},
		gap: p.gap(w, kind, v, list),
	})
}

// place returns where a keyword belongs: the kind of that node, and whether it
// is the items. A keyword that fits both nodes of an array belongs to the array
// itself, but an example that is no array can only be one of an item.
func (p *parser) place(w *word, text string) (kind Kind, items, ok bool) {
	t := p.target
	itemExample := w.name == "example" && !strings.HasPrefix(text, "[")
	switch {
	case w.fits.has(t.Kind) && (t.Kind != Array || !itemExample):
		return t.Kind, false, true
	case t.Kind == Array && w.fits.has(t.Elem):
		return t.Elem, true, true
	default:
		return 0, false, false
	}
}

// gap reports whether invopop has no reading of this value, or a wrong one. Its
// gaps are the same in every version that this package is tested with.
func (p *parser) gap(w *word, kind Kind, v value, list bool) bool {
	isArray := p.target.Kind == Array
	switch {
	case strings.HasSuffix(v.text, `\`):
		return true // it would escape the comma behind it
	case isArray && w.name != "title" && strings.Contains(v.text, "="):
		return true // on arrays a part with two "=" is dropped
	case w.class == classTrue && w.name != "uniqueItems":
		return isArray || kind != String // readOnly is read on strings, or put on the items
	case w.class != classTyped && w.class != classMany:
		return false
	case v.json == "null":
		return true
	case w.name == "default" && isArray:
		// Its default is a list of texts, whatever the type of the items.
		return !list || p.target.Elem != String
	case kind == Boolean:
		return w.name != "default"
	default:
		return kind == Any || kind == Array || kind == Object
	}
}

// add merges an ask with what was asked before for the same key and place.
func (p *parser) add(a ask) {
	prior := p.find(a.key, a.items)
	switch {
	case prior == nil:
		p.asks = append(p.asks, a)
	case prior.list && a.list:
		p.extend(prior, a)
	case prior.list != a.list || prior.values[0].json != a.values[0].json:
		p.problemf("%s is given twice with different values: %s and %s", a.word.name,
			oneLine(prior.values[0].text), oneLine(a.values[0].text))
	}
}

// extend appends the value of a to the list of prior.
func (p *parser) extend(prior *ask, a ask) {
	v := a.values[0]
	if a.word.name == "enum" {
		for _, old := range prior.values {
			if equalJSON(old.json, v.json) {
				p.problemf("enum=%s is given twice", oneLine(v.text))
				return
			}
		}
	}
	prior.values = append(prior.values, v)
	prior.gap = prior.gap || a.gap
}

// oneLine returns the text as it is if all of it can be seen, else quoted: a
// problem is one line, whatever the tag holds.
func oneLine(text string) string {
	hidden := func(r rune) bool { return !strconv.IsPrint(r) }
	if strings.ContainsFunc(text, hidden) {
		return strconv.Quote(text)
	}
	return text
}
