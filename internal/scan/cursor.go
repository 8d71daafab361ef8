package scan

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of values. The zero Kind means that there is no value.
const (
	Null Kind = iota + 1
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"none", "null", "boolean", "number", "string", "array", "object"}

// String returns the kind's name as JSON Schema spells it.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[0]
}

// kinds maps the first byte of a value to its kind.
var kinds = func() (table [256]Kind) {
	for c := '0'; c <= '9'; c++ {
		table[c] = Number
	}
	table['-'] = Number
	table['n'], table['t'], table['f'] = Null, Bool, Bool
	table['"'], table['['], table['{'] = String, Array, Object
	return table
}()

// Cursor walks text that has passed Check. Copying a Cursor saves its
// position.
//
// Each method that reads a value skips the white space before it. It must be
// the method for that value's kind, as Kind tells it; what a wrong one reads,
// or whether it panics, is not defined.
//
//	if c.Enter() {
//		for more := true; more; more = c.More() {
//			key := c.Key() // in an object
//			...            // read or Skip the value
//		}
//	}
type Cursor struct {
	data []byte
	pos  int
}

// NewCursor returns a Cursor before the value of checked, which is a result of
// Check or the whole text of a value inside one.
func NewCursor(checked []byte) Cursor { return Cursor{data: checked} }

// Offset returns the position in the text given to NewCursor.
func (c *Cursor) Offset() int { return c.pos }

// Kind returns the kind of the next value without reading it. It is 0 where no
// value follows, such as after the last one.
func (c *Cursor) Kind() Kind {
	c.space()
	if c.pos == len(c.data) {
		return 0
	}
	return kinds[c.data[c.pos]]
}

// Skip reads a value of any kind and returns its text, a part of the input.
func (c *Cursor) Skip() []byte {
	c.space()
	start := c.pos
	switch c.data[start] {
	case '"':
		c.pos, _ = stringEnd(c.data, start)
	case '{', '[':
		c.pos = containerEnd(c.data, start)
	case 't', 'n':
		c.pos += len("true")
	case 'f':
		c.pos += len("false")
	default:
		c.pos = numberEnd(c.data, start)
	}
	return c.data[start:c.pos:c.pos]
}

// Null reads a null.
func (c *Cursor) Null() {
	c.space()
	c.pos += len("null")
}

// Bool reads true or false.
func (c *Cursor) Bool() bool {
	c.space()
	if c.data[c.pos] == 't' {
		c.pos += len("true")
		return true
	}
	c.pos += len("false")
	return false
}

// Number reads a number and returns its text, a part of the input.
func (c *Cursor) Number() []byte {
	c.space()
	start := c.pos
	c.pos = numberEnd(c.data, start)
	return c.data[start:c.pos:c.pos]
}

// RawString reads a string and returns its text with the quotes, a part of the
// input.
func (c *Cursor) RawString() []byte {
	raw, _ := c.rawString()
	return raw
}

// Bytes reads a string and returns it decoded. The result is a part of the
// input when the string has no escapes, so it must not be changed.
func (c *Cursor) Bytes() []byte {
	raw, escaped := c.rawString()
	if escaped {
		return Unquote(raw)
	}
	return raw[1 : len(raw)-1 : len(raw)-1]
}

// Text reads a string and returns it decoded. The result does not keep the
// input alive.
func (c *Cursor) Text() string {
	raw, escaped := c.rawString()
	body := raw[1 : len(raw)-1]
	if !escaped {
		return string(body)
	}
	var buf [128]byte // spares most strings the second copy on the heap
	return string(appendUnquoted(buf[:0], body))
}

// Enter reads the start of an array or object. For an empty one it reads the
// end too and returns false.
func (c *Cursor) Enter() bool {
	c.space()
	c.pos++
	c.space()
	if b := c.data[c.pos]; b == ']' || b == '}' {
		c.pos++
		return false
	}
	return true
}

// More reads what follows an item of an array or object. It returns true when
// that is a comma, and false when it is the end.
func (c *Cursor) More() bool {
	c.space()
	c.pos++
	return c.data[c.pos-1] == ','
}

// Key reads a key with its colon and returns it decoded, like Bytes.
func (c *Cursor) Key() []byte {
	key := c.Bytes()
	c.space()
	c.pos++
	return key
}

// rawString is RawString and reports whether the string has escapes.
func (c *Cursor) rawString() (raw []byte, escaped bool) {
	c.space()
	start := c.pos
	c.pos, escaped = stringEnd(c.data, start)
	return c.data[start:c.pos:c.pos], escaped
}

func (c *Cursor) space() { c.pos = skipSpace(c.data, c.pos) }

// stringEnd returns the offset after the string at p and whether it has
// escapes.
func stringEnd(data []byte, p int) (end int, escaped bool) {
	p++
	for {
		p = plainEnd(data, p)
		switch data[p] {
		case '"':
			return p + 1, escaped
		case '\\':
			escaped = true
			p += 2 // the second byte may be a quote
		default:
			p++ // a byte of a rune outside of ASCII
		}
	}
}

// numberEnd returns the offset after the number at p.
func numberEnd(data []byte, p int) int {
	for p < len(data) {
		switch c := data[p]; {
		case c-'0' <= 9, c == '.', c == '-', c == '+', c|0x20 == 'e':
			p++
		default:
			return p
		}
	}
	return p
}

// containerEnd returns the offset after the array or object at p. It counts
// levels instead of calling itself.
func containerEnd(data []byte, p int) int {
	for depth := 0; ; {
		switch data[p] {
		case '"':
			p, _ = stringEnd(data, p)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return p + 1
			}
		}
		p++
	}
}
