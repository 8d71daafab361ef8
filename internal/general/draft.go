package general

import (
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// A draft is one edition of JSON Schema.
type draft struct {
	name string
	year int // orders the editions; drafts before 2019 count 4, 6 and 7
	lib  *jsonschema.Draft
}

var (
	draft2020 = draft{"2020-12", 2020, jsonschema.Draft2020}
	draft2019 = draft{"2019-09", 2019, jsonschema.Draft2019}
	draft07   = draft{"draft-07", 7, jsonschema.Draft7}
	draft06   = draft{"draft-06", 6, jsonschema.Draft6}
	draft04   = draft{"draft-04", 4, jsonschema.Draft4}
)

// draftURLs maps a $schema value, without scheme and empty fragment, to its draft.
var draftURLs = map[string]draft{
	"json-schema.org/draft/2020-12/schema": draft2020,
	"json-schema.org/draft/2019-09/schema": draft2019,
	"json-schema.org/draft-07/schema":      draft07,
	"json-schema.org/draft-06/schema":      draft06,
	"json-schema.org/draft-04/schema":      draft04,
}

// anyDraft is the $schema value that once meant "whatever is newest". It says nothing, so it
// counts as absent.
const anyDraft = "json-schema.org/schema"

// guesses is the order in which a schema without $schema is read. Tuple-form items fails in
// 2020-12 and passes in draft-07; boolean exclusiveMinimum passes in draft-04 only.
var guesses = []draft{draft2020, draft07, draft04}

// candidates returns the drafts to try for a schema, best first.
func candidates(root any) ([]draft, error) {
	object, ok := root.(map[string]any)
	if !ok {
		return guesses, nil
	}
	value, ok := object["$schema"]
	if !ok {
		return guesses, nil
	}
	text, ok := value.(string)
	if !ok {
		return nil, fmt.Errorf("/$schema: must be a string that names a draft")
	}
	name := trimDraftURL(text)
	if name == anyDraft {
		return guesses, nil
	}
	if d, ok := draftURLs[name]; ok {
		return []draft{d}, nil
	}
	return nil, fmt.Errorf("/$schema: %s is not a known draft; known are 2020-12, 2019-09, "+
		"draft-07, draft-06 and draft-04", quote(text))
}

func trimDraftURL(text string) string {
	text = strings.TrimSuffix(strings.TrimSuffix(text, "/"), "#")
	text = strings.TrimPrefix(text, "http://")
	return strings.TrimPrefix(text, "https://")
}

// since tells in which edition a keyword first has a meaning. An older draft ignores it in
// silence, which the author of the schema should hear about.
var since = map[string]int{
	"const": 6, "contains": 6, "propertyNames": 6,
	"if":                7,
	"dependentRequired": 2019, "dependentSchemas": 2019,
	"minContains": 2019, "maxContains": 2019,
	"unevaluatedProperties": 2019, "unevaluatedItems": 2019,
	"prefixItems": 2020, "$dynamicRef": 2020,
}

// isMetaSchema reports whether an absolute URI names a schema of the standard itself, which
// the validator carries and never fetches.
func isMetaSchema(uri string) bool {
	name := trimDraftURL(uri)
	_, ok := draftURLs[name]
	return ok || name == anyDraft ||
		strings.HasPrefix(name, "json-schema.org/draft/2019-09/meta/") ||
		strings.HasPrefix(name, "json-schema.org/draft/2020-12/meta/")
}
