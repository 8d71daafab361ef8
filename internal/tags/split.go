package tags

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A part is one piece of a tag between unescaped commas. Its value is
// unescaped.
type part struct {
	key   string
	value string
	bare  bool // there is no "="; key is the whole part
}

func (s part) String() string {
	if s.bare {
		return s.key
	}
	return s.key + "=" + s.value
}

// quantifierKey starts the one kind of part in which an unescaped comma can
// belong to the value.
const quantifierKey = "pattern="

// split appends the parts of a tag: it cuts it at its unescaped commas. A backslash and a comma stand for
// a comma, and there is no way to write a backslash that ends a part: that is
// invopop's rule, kept so that both read the same parts. A pattern such as
// ^[a-z]{1,3}$ is the exception, since cutting it leaves a pattern that
// compiles and refuses every good value.
func split(parts []part, tag string) []part {
	if !strings.ContainsAny(tag, `\{`) { // nothing but commas divides it
		for text := range strings.SplitSeq(tag, ",") {
			parts = append(parts, newPart(text))
		}
		return parts
	}
	var text strings.Builder
	for i := 0; i < len(tag); {
		rest := tag[i:]
		switch {
		case strings.HasPrefix(rest, `\,`):
			text.WriteByte(',')
			i += 2
		case rest[0] == ',':
			parts = append(parts, newPart(text.String()))
			text.Reset()
			i++
		default:
			n := 1
			if strings.HasPrefix(text.String(), quantifierKey) {
				n = max(n, quantifier(rest))
			}
			text.WriteString(rest[:n])
			i += n
		}
	}
	return append(parts, newPart(text.String()))
}

// quantifier returns the length of the {n,} or {n,m} that s starts with, or 0.
func quantifier(s string) int {
	if s[0] != '{' {
		return 0
	}
	i := skipDigits(s, 1)
	if i == 1 || i == len(s) || s[i] != ',' {
		return 0
	}
	i = skipDigits(s, i+1)
	if i == len(s) || s[i] != '}' {
		return 0
	}
	return i + 1
}

func skipDigits(s string, i int) int {
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return i
}

func newPart(text string) part {
	key, value, found := strings.Cut(text, "=")
	return part{key: key, value: value, bare: !found}
}

// escape writes a value so that split, and invopop, read it back.
func escape(s string) string { return strings.ReplaceAll(s, ",", `\,`) }

// A pair is one of the three in a tag, if it is there.
type pair struct {
	given bool
	ok    bool   // it is a Go string
	text  string // without the quotes
}

// pairs are the three of one tag.
type pairs struct{ keywords, description, extras pair }

// of returns the pair of a key, or nil for a key that is not one of the three.
func (p *pairs) of(key string) *pair {
	switch key {
	case keywordTag:
		return &p.keywords
	case descriptionTag:
		return &p.description
	case extrasTag:
		return &p.extras
	}
	return nil
}

// readTag reads the three pairs as reflect.StructTag does, and names what that
// would lose without a word: a tag that is no Go string, a key that is not one
// of the three, and a key given twice.
func (p *parser) readTag(tag string) (out pairs) {
	for rest := strings.TrimLeft(tag, " "); rest != ""; {
		key, quoted, after, ok := cutPair(rest)
		if !ok {
			if mentionsSchema(rest) {
				p.problemf(`the struct tag is malformed at %q; `+
					`write key:"value" pairs with spaces between`, rest)
			}
			break
		}
		if strings.HasPrefix(strings.ToLower(key), keywordTag) {
			p.readPair(&out, key, quoted)
		}
		rest = strings.TrimLeft(after, " ")
	}
	return out
}

// readPair reads one pair whose key starts like ours. Of a key that is given
// twice the first counts.
func (p *parser) readPair(out *pairs, key, quoted string) {
	to := out.of(key)
	if to == nil {
		known := []string{keywordTag, descriptionTag, extrasTag}
		p.problemf("tag key %q is not known; did you mean %q?", key, closest(key, known))
		return
	}
	text, err := strconv.Unquote(quoted)
	if to.given {
		p.problemf("the %s tag is given twice and Go reads only the first; join them", key)
	} else {
		*to = pair{given: true, ok: err == nil, text: text}
	}
	if err != nil {
		// The usual cause is a pattern such as ^\d+$ in a raw string: Go treats
		// the tag as absent.
		p.problemf(`the %s tag is not a Go string; write \\ for each backslash`, key)
	}
}

// cutPair cuts the first key:"value" pair off a tag, by reflect.StructTag's
// own rules. Requirement: tag is not empty and starts with no space.
func cutPair(tag string) (key, quoted, after string, ok bool) {
	i := strings.IndexFunc(tag, func(r rune) bool {
		return r <= ' ' || r == ':' || r == '"' || r == 0x7f
	})
	if i <= 0 || !strings.HasPrefix(tag[i:], `:"`) {
		return "", "", "", false
	}
	key, tag = tag[:i], tag[i+1:]
	for j := 1; j < len(tag); j++ {
		switch tag[j] {
		case '\\':
			j++
		case '"':
			return key, tag[:j+1], tag[j+1:], true
		}
	}
	return "", "", "", false
}

// usable reports whether the text of a tag can be cut into parts, and says so
// if not. An empty tag says nothing, which is no problem.
func (p *parser) usable(key, text string) bool {
	if !utf8.ValidString(text) {
		// JSON would replace the bad bytes, and the schema would say something
		// that nobody wrote.
		p.problemf("the %s tag is not valid UTF-8", key)
		return false
	}
	return text != ""
}
