package dialect

import "encoding/json"

// A Cost is what one definition weighs, in bytes of the text that the model reads. [Tokens] of a
// number of bytes is an estimate of what they cost.
type Cost struct {
	Tool        string // canonical
	Name        int
	Description int // without examples
	Examples    int // in the description or in the wire's own field
	Schema      int
	Frame       int // everything else: keys, quotes and escapes, flags, the schema of the result
	Total       int // of the definition as it is sent
}

// Tokens estimates how many tokens a number of bytes of JSON or English is: a quarter, rounded up.
func Tokens(bytes int) int { return (bytes + 3) / 4 }

// costOf weighs one definition, whose description without examples is plain.
func (d Dialect) costOf(f form, plain string, definition json.RawMessage) Cost {
	c := Cost{Name: len(f.name), Description: len(plain), Schema: len(d.sent(f.schema)),
		Total: len(definition)}
	c.Examples = len(f.description) - len(plain)
	if f.examples != nil {
		c.Examples = 0
		for _, raw := range f.examples {
			c.Examples += len(raw)
		}
	}
	c.Frame = c.Total - c.Name - c.Description - c.Examples - c.Schema
	return c
}

// sent is a schema as the wire writes it: GeminiSchema has a form of its own.
func (d Dialect) sent(schema json.RawMessage) json.RawMessage {
	if _, ok := d.wire.(geminiSchema); ok {
		return schemaMessage(schema)
	}
	return schema
}

// plus adds up two costs.
func (c Cost) plus(other Cost) Cost {
	c.Name += other.Name
	c.Description += other.Description
	c.Examples += other.Examples
	c.Schema += other.Schema
	c.Frame += other.Frame
	c.Total += other.Total
	return c
}
