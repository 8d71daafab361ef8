// Package reader holds the arguments of the tool that reads artifacts. A registry tells that tool from
// others by their type, whatever its name is.
package reader

import "reflect"

// Args are the arguments of the tool.
type Args struct {
	Handle string `json:"handle" jsonschema:"maxLength=100" jsonschema_description:"The art: handle, exactly as an earlier result gave it."`
	Offset int    `json:"offset,omitempty" jsonschema:"minimum=0" jsonschema_description:"The byte to start at: the next offset that the page before gave. Leave it out to start at the beginning."`
	Search string `json:"search,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Text to look for, whatever its case. The places where it stands come back, with their offsets, instead of a page."`
}

// ArgsType is the type of Args.
var ArgsType = reflect.TypeFor[Args]()
