// Package dialect speaks the wire formats of providers: tool definitions out, calls in, results
// out.
//
// A [Dialect] is one provider's API, such as [OpenAIResponses] or [Anthropic]. It makes no request:
// a host sends one as it likes, with the JSON that the dialect wrote, and hands the response back.
// A turn goes like this; the package example is a whole program:
//
//   - [Dialect.Tools] writes the definitions of a registry, and reports what it changed;
//   - [Dialect.Choice] writes the fields that say which tools may or must be called, if they matter;
//   - the host sends the request;
//   - [Dialect.Turn] reads the calls out of the response, or a [Stream] puts them together;
//   - [jig.Registry.CallAll] makes the calls: one outcome for each, in order;
//   - Turn.Messages and then [Dialect.Results] are what the history gets, for the next request.
//
// # What a provider takes
//
// What each provider takes is data, a [jig.Profile] for each mode, with the day on which it was
// read. A schema is rewritten by it: constraints that the provider has no keyword for move into
// descriptions, where OpenAI wants every property required the optional ones take null, and so on.
// Each such step is a [Change] of the [Report]. What a tool accepts never changes by it: jig checks
// every call by the tool's own schema, and null for an optional property means absent.
//
// What cannot be said without loss is a [RefusedError], with every reason in one text, before
// anything is sent: one tool that is refused would take the whole request with it. [Loose] sends a
// tool without strict and [Lossy] accepts the loss; neither happens unasked. [Check] says
// beforehand what each provider makes of a tool, and [WithProfile] passes rules that are newer than
// this package.
//
// A strict tool is flagged on a wire that has a flag for it. Gemini, MCP, Ollama and xAI have none:
// there the schema is tightened all the same, and jig refuses what the provider let through.
//
// # Names
//
// A grouped tool is billing.refund; on wires that refuse dots it is billing__refund, and a call by
// that name is one of billing.refund again. Choice, Turn, options and reports all speak canonical
// names.
//
// # What the package does not do
//
// It has no client, keeps no history, counts no tokens but by an estimate, and retries nothing. It
// knows the tools of a request, and nothing about models: which of them takes a forced choice,
// strict tools or images is for the host to know. Tools that the provider runs itself are read
// apart, as Turn.Hosted, and never run here.
package dialect

import (
	"encoding/json"
	"fmt"

	"github.com/jig-go/jig"
)

// A Dialect is the wire format of one provider's API. It is safe for concurrent use. The zero
// Dialect is none: its methods panic.
type Dialect struct {
	name string
	// strict and loose are the names of the profiles for tools that are strict and that are not.
	strict, loose string
	wire          wire

	// What some have and others have not.
	dots      bool // names may have dots
	noEmpty   bool // a schema without properties is refused, and left out
	allOrNone bool // strict has to be on every tool of a request or on none
	examples  bool // definitions have a field for examples
	deferred  bool // definitions can be loaded later
	// The mark for the provider's cache is a field of a definition, or an entry of its own.
	cacheField, cacheEntry string
}

// The dialects, read 2026-11-29.
var (
	OpenAIChat = Dialect{
		name:   "openai-chat",
		strict: "openai_chat_strict", loose: "openai_chat_nonstrict",
		wire: &chat{flag: true, single: true, mint: mintCall},
	}
	OpenAIResponses = Dialect{
		name:   "openai-responses",
		strict: "openai_responses_strict", loose: "openai_responses_nonstrict",
		wire:     responses{},
		deferred: true,
	}
	Anthropic = Dialect{
		name:   "anthropic",
		strict: "anthropic_strict", loose: "anthropic_nonstrict",
		wire:     anthropic{},
		examples: true, deferred: true, cacheField: "cache_control",
	}
	Gemini = Dialect{
		name:   "gemini",
		strict: "gemini_parametersJsonSchema", loose: "gemini_parametersJsonSchema",
		wire: gemini{},
	}
	GeminiSchema = Dialect{
		name:   "gemini-schema",
		strict: "gemini_parameters_developer_api", loose: "gemini_parameters_developer_api",
		wire:    geminiSchema{},
		noEmpty: true,
	}
	Bedrock = Dialect{
		name:   "bedrock",
		strict: "bedrock_converse_strict", loose: "bedrock_converse_nonstrict",
		wire:       bedrock{},
		cacheEntry: `{"cachePoint":{"type":"default"}}`,
	}
	MCP = Dialect{
		name:   "mcp",
		strict: "mcp_2026-07-28", loose: "mcp_2026-07-28",
		wire: mcp{},
		dots: true,
	}
	Mistral = Dialect{
		name:   "mistral",
		strict: "mistral", loose: "mistral",
		wire: &chat{flag: true, single: true, mint: mintMistral},
	}
	Groq = Dialect{
		name:   "groq",
		strict: "groq_strict", loose: "groq_tools",
		wire: &chat{flag: true, single: true, mint: mintCall},
	}
	XAI = Dialect{
		name:   "xai",
		strict: "xai", loose: "xai",
		wire: &chat{single: true, mint: mintCall},
	}
	DeepSeek = Dialect{
		name:   "deepseek",
		strict: "deepseek_strict", loose: "deepseek_nonstrict",
		wire:      &chat{flag: true, mint: mintCall},
		allOrNone: true,
	}
	Ollama = Dialect{
		name:   "ollama",
		strict: "ollama_native", loose: "ollama_native",
		wire: ollama{},
	}
)

// String returns the name of the dialect, such as openai-chat; empty for the zero Dialect.
func (d Dialect) String() string { return d.name }

// api returns the wire. The zero Dialect has none.
func (d Dialect) api() wire {
	if d.wire == nil {
		panic("jig/dialect: the zero Dialect is none; use one of this package's, such as " +
			"dialect.OpenAIChat")
	}
	return d.wire
}

// failed puts the dialect before what its wire says.
func (d Dialect) failed(err error) error { return fmt.Errorf("jig/dialect: %s: %w", d.name, err) }

// A wire is how one provider writes definitions, calls and results. Names in it are wire names, and
// its errors do not name the provider.
type wire interface {
	// definition writes one tool.
	definition(f form) json.RawMessage
	// tools joins definitions to the value that the request has for its tools.
	tools(list []json.RawMessage) json.RawMessage
	// choice writes the fields of a request that say which tools may be called; name is the wire
	// name of the one tool, if there is one.
	choice(c Choice, name string) (json.RawMessage, error)
	// turn reads a whole response. Missing ids are minted.
	turn(response json.RawMessage) (Turn, error)
	// stream returns an empty accumulator.
	stream() accumulator
	// results writes the messages that answer calls.
	results(outcomes []jig.Outcome) []json.RawMessage
	// user writes a message of the user.
	user(text string) json.RawMessage
}

// An accumulator puts the events of one streamed response together.
type accumulator interface {
	// add reads one event.
	add(event json.RawMessage) error
	// turn returns what has come so far; a response that has not ended is cut off.
	turn() (Turn, error)
}

// A form is one tool as it goes on the wire.
type form struct {
	name, title, description string
	schema                   json.RawMessage   // obeys the profile; nil if it is not sent
	output                   json.RawMessage   // the schema of the result, or nil
	strict                   bool              // asked for, and not made loose
	examples                 []json.RawMessage // for the provider's own field, or nil
	hints                    jig.Hints
	deferred                 bool // loaded when the model looks for it
}
