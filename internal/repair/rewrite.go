package repair

import "github.com/jig-go/jig/internal/scan"

// rewrite mends trailing commas, single quotes and raw control characters. It changes only what no
// JSON text can have in that place, and leaves every other fault for scan.Check to find.
func rewrite(src []byte) (dst []byte, done mends) {
	r := rewriter{src: src, dst: make([]byte, 0, len(src)+len(src)/8)}
	for p := 0; p < len(src); {
		switch c := src[p]; c {
		case '"', '\'':
			p = r.text(p)
		case ',':
			p = r.comma(p)
		case ' ', '\t', '\r', '\n':
			r.dst = append(r.dst, c)
			p++
		default:
			r.write(c)
			p++
		}
	}
	return r.dst, r.done
}

// rewriter copies src to dst. Its methods take the offset to read at and return the one after what
// they read.
type rewriter struct {
	src, dst []byte
	last     byte // the last one written that is no white space, 0 before the first
	done     mends
}

// write writes a byte that is no white space.
func (r *rewriter) write(c byte) {
	r.dst = append(r.dst, c)
	r.last = c
}

// comma drops the comma between an item and the end of its container. Where no item is before it,
// as in [,], something may be missing.
func (r *rewriter) comma(p int) int {
	next := p + 1
	for next < len(r.src) && isSpace(r.src[next]) {
		next++
	}
	if next < len(r.src) && (r.src[next] == ']' || r.src[next] == '}') && r.afterItem() {
		r.done |= trailingComma
		return p + 1
	}
	r.write(',')
	return p + 1
}

// afterItem reports whether an item may have ended before this point.
func (r *rewriter) afterItem() bool {
	switch r.last {
	case 0, '[', '{', ',', ':':
		return false
	}
	return true
}

// text copies a string in quotes of either kind.
func (r *rewriter) text(p int) int {
	quote := r.src[p]
	if quote == '\'' {
		r.done |= singleQuotes
	}
	r.write('"')
	for p++; p < len(r.src); {
		switch c := r.src[p]; {
		case c == quote:
			r.write('"')
			return p + 1
		case c == '\\':
			p = r.escape(p, quote)
		case c == '"':
			r.quoted(c)
			p++
		case c < ' ':
			r.done |= controlCharacter
			r.quoted(c)
			p++
		default:
			r.dst = append(r.dst, c)
			p++
		}
	}
	return p
}

// escape copies a backslash and the byte after it as they are, but for \' in single quotes. A raw
// control character after a backslash must not become an escape: \ and a newline would come out as
// \\n, a backslash and an n. As it is, scan.Check refuses it.
func (r *rewriter) escape(p int, quote byte) int {
	if p+1 == len(r.src) {
		r.dst = append(r.dst, '\\')
		return p + 1
	}
	c := r.src[p+1]
	if c != '\'' || quote != '\'' {
		r.dst = append(r.dst, '\\')
	}
	r.dst = append(r.dst, c)
	return p + 2
}

// quoted writes the escape of c, without the quotes that AppendQuote puts around it.
func (r *rewriter) quoted(c byte) {
	var buf [8]byte // fits "\u0000"
	quoted := scan.AppendQuote(buf[:0], []byte{c})
	r.dst = append(r.dst, quoted[1:len(quoted)-1]...)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
