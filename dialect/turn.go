package dialect

import (
	"encoding/json"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/internal/scan"
)

// A Turn is what a model answered.
type Turn struct {
	// Calls are the calls that the host has to answer, in the order of the response, under the
	// canonical names of the tools. A name that no tool has stays as it is. Each has an id: where
	// the provider gave none, one was minted at random.
	Calls []jig.Call
	// Text is what the model says beside its calls.
	Text string
	// Finish is why the model stopped, and Reason the provider's own word for it.
	Finish Finish
	Reason string
	// Hosted are the blocks of tools that the provider runs itself, as it wrote them, and those
	// that are no function calls, such as calls of free-form tools. Nothing here runs or answers
	// them: of the second kind a host that offered such a tool has to answer each in the provider's
	// own form.
	Hosted []json.RawMessage
	// Messages are what the history has to hold before the results: the model's own message, as it
	// was sent, with minted ids written in where the wire needs them.
	Messages []json.RawMessage
}

// A Finish is why a model stopped.
type Finish string

// The reasons to stop.
const (
	FinishStop    Finish = "stop"    // the model has said what it had to say
	FinishCalls   Finish = "calls"   // the model waits for the results of its calls
	FinishCut     Finish = "cut"     // a limit, or a stream that ended early; the last call is Incomplete
	FinishRefused Finish = "refused" // the provider or the model refused
	FinishOther   Finish = "other"   // see Reason
)

// Turn reads a whole response of the provider: the body as it came. r tells which names the calls
// may have. The error says that the body is no such response, or what error the provider reports.
func (d Dialect) Turn(r *jig.Registry, response json.RawMessage) (Turn, error) {
	t, err := d.api().turn(response)
	if err != nil {
		return Turn{}, d.failed(err)
	}
	return named(r, t), nil
}

// A Stream puts the events of one streamed response together. The zero Stream is none: a Stream
// comes from [Dialect.Stream]. It is not safe for concurrent use.
type Stream struct {
	dialect  Dialect
	registry *jig.Registry
	events   accumulator
}

// Stream returns an empty Stream.
func (d Dialect) Stream(r *jig.Registry) *Stream { return &Stream{d, r, d.api().stream()} }

// Add reads the data of one event, in the order in which they came: what follows data: in a stream
// of server-sent events, or a line of newline-delimited JSON. The error says that the event is none
// of this wire, or what error the provider reports; what came before is kept. Events that say
// nothing, such as [DONE], may be left out or not.
func (s *Stream) Add(event json.RawMessage) error {
	if isNoEvent(event) {
		return nil
	}
	if err := s.events.add(event); err != nil {
		return s.dialect.failed(err)
	}
	return nil
}

// isNoEvent reports whether the data of an event says nothing: it is empty, or the word that ends
// the streams of OpenAI, and those of gateways in front of others.
func isNoEvent(event json.RawMessage) bool {
	event = scan.Trim(event)
	return len(event) == 0 || string(event) == "[DONE]"
}

// Turn returns what has come so far. A response that has not ended is cut off.
func (s *Stream) Turn() (Turn, error) {
	t, err := s.events.turn()
	if err != nil {
		return Turn{}, s.dialect.failed(err)
	}
	return named(s.registry, t), nil
}

// named gives the calls the canonical names of their tools, and marks the last call of a turn that
// was cut off or refused: it may lack arguments, or have none yet, and must not run as a call
// without.
func named(r *jig.Registry, t Turn) Turn {
	for i, c := range t.Calls {
		t.Calls[i].Name = canonicalName(r, c.Name)
	}
	if n := len(t.Calls); n > 0 && (t.Finish == FinishCut || t.Finish == FinishRefused) {
		t.Calls[n-1].Incomplete = true
	}
	return t
}

// canonicalName is the name of the tool that has this one on a wire; where none has, it stays.
// Most tools have the same name on every wire, and are not searched for.
func canonicalName(r *jig.Registry, name string) string {
	if _, ok := r.Lookup(name); ok {
		return name
	}
	for tool := range r.All() {
		if dotless(tool.Name()) == name {
			return tool.Name()
		}
	}
	return name
}
