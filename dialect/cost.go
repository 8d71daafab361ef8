package dialect

import "encoding/json"

// A Cost is what one definition weighs, in bytes of the text that the model reads.
type Cost struct {
	Tool        string // canonical
	Name        int
	Description int // without examples
	Examples    int // in the description or in the wire's own field
	Schema      int
	Frame       int // everything else: keys, quotes and escapes, flags, the schema of the result
	Total       int // of the definition as it is sent
}

// Tokens estimates how many tokens Total is: a quarter of the bytes, rounded up.
func (c Cost) Tokens() int { return (c.Total + 3) / 4 }

// costOf weighs one definition, whose description without examples is plain.
func costOf(f form, plain string, definition json.RawMessage) Cost {
	c := Cost{Name: len(f.name), Description: len(plain), Schema: len(f.schema),
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
