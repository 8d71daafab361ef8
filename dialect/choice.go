package dialect

import (
	"encoding/json"
	"fmt"

	"github.com/jig-go/jig"
)

// A Choice says which tools a model may or must call. The zero Choice is Auto.
type Choice struct{ mode, tool string }

// The choices that name no tool.
var (
	Auto     = Choice{}                 // the model decides
	None     = Choice{mode: "none"}     // no tool may be called
	Required = Choice{mode: "required"} // some tool has to be called
)

// Only is the choice of one tool, by its canonical name: the model has to call it. Where the wire
// can say it, it is also asked to call it once.
func Only(tool string) Choice { return Choice{mode: "only", tool: tool} }

// Choice returns the fields of a request that say c, as a JSON object to be merged into the
// request. For Gemini and Bedrock they are inside toolConfig; that of Bedrock holds the tools too.
// The error says what a provider cannot say, and what to do instead, or that there is no such tool.
func (d Dialect) Choice(r *jig.Registry, c Choice) (json.RawMessage, error) {
	name := ""
	if c.mode == "only" {
		t, ok := r.Lookup(c.tool)
		if !ok {
			return nil, d.failed(fmt.Errorf("choice: %w: %q", jig.ErrUnknownTool, c.tool))
		}
		name = d.wireName(t.Name())
	}
	fields, err := d.api().choice(c, name)
	if err != nil {
		return nil, d.failed(err)
	}
	return fields, nil
}
