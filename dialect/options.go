package dialect

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jig-go/jig"
)

// An Option changes what Tools sends. What a dialect has no way to do is an error of Tools.
type Option func(*settings)

// settings are the options together. Equal settings are equal as JSON, which is how the cache finds
// them.
type settings struct {
	AllLoose bool          `json:",omitempty"`
	Loose    []string      `json:",omitempty"` // canonical names
	Lossy    bool          `json:",omitempty"`
	Native   bool          `json:",omitempty"` // examples in the wire's own field
	Cache    bool          `json:",omitempty"`
	Deferred []string      `json:",omitempty"` // canonical names
	Profiles []jig.Profile `json:",omitempty"`
}

// Loose sends the tools with these canonical names without strict; with no names, all of them. What
// a tool accepts is the same, and jig checks it: the provider alone promises less. A name that no
// tool has is an error.
func Loose(names ...string) Option {
	names = slices.Clone(names)
	return func(s *settings) {
		s.AllLoose = s.AllLoose || len(names) == 0
		s.Loose = append(s.Loose, names...)
	}
}

// Lossy leaves out of a schema what the provider has no words for, such as the values of a map.
// Each loss is a Change of the report. Without it such a schema is refused.
func Lossy() Option { return func(s *settings) { s.Lossy = true } }

// WithProfile replaces the rules by which schemas are written. A profile that closes every object
// (Profile.Closed) is for the tools that are strict, any other for those that are not; a dialect
// with one profile for both takes it for both. So [ProfileOf] azure_openai_strict replaces the
// strict profile of OpenAIChat, and gemini_parameters_vertex the only one of GeminiSchema.
func WithProfile(p jig.Profile) Option {
	return func(s *settings) { s.Profiles = append(s.Profiles, p) }
}

// NativeExamples sends examples in the provider's own field for them, input_examples of Anthropic,
// and no longer in the description. A dialect without such a field keeps them in the description,
// and its report says so.
func NativeExamples() Option { return func(s *settings) { s.Native = true } }

// CacheControl marks the end of the definitions as a place up to which the provider caches the
// prompt: cache_control on the last tool that is not deferred for Anthropic, a cachePoint for
// Bedrock.
func CacheControl() Option { return func(s *settings) { s.Cache = true } }

// DeferLoading sends the tools with these canonical names as ones that the model looks for before
// they are loaded: defer_loading of Anthropic and OpenAIResponses. The request has to have the
// provider's tool for that search too. A name that no tool has is an error.
func DeferLoading(names ...string) Option {
	names = slices.Clone(names)
	return func(s *settings) { s.Deferred = append(s.Deferred, names...) }
}

// choose applies the options.
func choose(options []Option) *settings {
	s := &settings{}
	for _, option := range options {
		option(s)
	}
	return s
}

// key is the same for equal settings.
func (s *settings) key() string {
	text, err := json.Marshal(s)
	if err != nil { // strings, numbers and bools
		panic("jig: internal error: " + err.Error())
	}
	return string(text)
}

// ephemeral is the value of Dialect.cacheField: the one kind of cache there is.
const ephemeral = `{"type":"ephemeral"}`

// check says what of the settings the dialect cannot do, or what names no tool.
func (d Dialect) check(s *settings, tools []*jig.Tool) error {
	switch {
	case s.Cache && d.cacheField+d.cacheEntry == "":
		return errors.New("CacheControl: this wire has no mark for it; leave the option out")
	case len(s.Deferred) > 0 && !d.deferred:
		return errors.New("DeferLoading: this wire cannot load a tool later; leave the option out, " +
			"or send a Filter of the registry")
	}
	if err := known("Loose", s.Loose, tools); err != nil {
		return err
	}
	if err := known("DeferLoading", s.Deferred, tools); err != nil {
		return err
	}
	if s.Cache && len(tools) > 0 && !slices.ContainsFunc(tools, func(t *jig.Tool) bool {
		return !slices.Contains(s.Deferred, t.Name())
	}) {
		return errors.New("CacheControl: every tool is deferred, and a deferred one cannot carry " +
			"the mark")
	}
	return nil
}

// known says which name that was given to an option no tool has.
func known(option string, names []string, tools []*jig.Tool) error {
	for _, name := range names {
		if !slices.ContainsFunc(tools, func(t *jig.Tool) bool { return t.Name() == name }) {
			return fmt.Errorf("%s: %w: %q", option, jig.ErrUnknownTool, name)
		}
	}
	return nil
}

// profiles returns the rules for strict tools and for the others.
func (d Dialect) profiles(s *settings) (strict, loose jig.Profile, err error) {
	strict, known := ProfileOf(d.strict)
	loose, also := ProfileOf(d.loose)
	if !known || !also {
		panic("jig: internal error: no profile " + d.strict + " or " + d.loose)
	}
	given := map[*jig.Profile]string{}
	for _, p := range s.Profiles {
		place := &loose
		if p.Closed && d.strict != d.loose {
			place = &strict
		}
		if before := given[place]; before != "" {
			return strict, loose, fmt.Errorf("WithProfile: %q and %q are for the same tools; pass one",
				before, p.Name)
		}
		given[place] = p.Name
		*place = p
	}
	if d.strict == d.loose {
		strict = loose
	}
	strict.Lossy, loose.Lossy = strict.Lossy || s.Lossy, loose.Lossy || s.Lossy
	return strict, loose, nil
}

// isLoose reports whether a tool that may be strict goes out without.
func (s *settings) isLoose(t *jig.Tool) bool {
	return s.AllLoose || slices.Contains(s.Loose, t.Name())
}

// quoted lists names for a text.
func quoted(names []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(list, ", ")
}
