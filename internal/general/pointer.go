package general

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

var (
	tokenEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
	tokenUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// join appends one raw name to an RFC 6901 pointer.
func join(pointer, name string) string {
	return pointer + "/" + tokenEscaper.Replace(name)
}

// tokens splits a pointer into its raw names.
func tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	parts := strings.Split(pointer[1:], "/")
	for i, part := range parts {
		parts[i] = tokenUnescaper.Replace(part)
	}
	return parts
}

// parent drops the last n tokens of a pointer.
func parent(pointer string, n int) string {
	for ; n > 0; n-- {
		pointer = pointer[:max(strings.LastIndexByte(pointer, '/'), 0)]
	}
	return pointer
}

// lastName returns the raw last name of a pointer.
func lastName(pointer string) string {
	return tokenUnescaper.Replace(pointer[strings.LastIndexByte(pointer, '/')+1:])
}

// lookup returns the value at a pointer.
func lookup(value any, pointer string) (any, bool) {
	if pointer != "" && pointer[0] != '/' {
		return nil, false
	}
	for _, name := range tokens(pointer) {
		switch container := value.(type) {
		case map[string]any:
			next, ok := container[name]
			if !ok {
				return nil, false
			}
			value = next
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(container) || strconv.Itoa(i) != name {
				return nil, false
			}
			value = container[i]
		default:
			return nil, false
		}
	}
	return value, true
}

// fromFragment turns the percent-encoded pointer of a URI fragment into a plain one.
func fromFragment(fragment string) string {
	parts := strings.Split(fragment, "/")
	for i, part := range parts {
		if plain, err := url.PathUnescape(part); err == nil {
			parts[i] = plain
		}
	}
	return strings.Join(parts, "/")
}

// toFragment is the inverse of fromFragment, in the spelling the validator uses for its keys.
func toFragment(pointer string) string {
	parts := strings.Split(pointer, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}

// maxQuoted bounds how much of a schema's own text an error repeats.
const maxQuoted = 80

// quote returns s quoted on one line and shortened.
func quote(s string) string {
	if runes := []rune(s); len(runes) > maxQuoted {
		s = string(runes[:maxQuoted]) + "..."
	}
	return strconv.Quote(s)
}

// show returns a pointer fit for one line of text. Names may hold line breaks.
func show(pointer string) string {
	if !strings.ContainsFunc(pointer, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return pointer
	}
	quoted := strconv.Quote(pointer)
	return quoted[1 : len(quoted)-1]
}
