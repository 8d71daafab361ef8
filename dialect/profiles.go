package dialect

import (
	"bytes"
	_ "embed" // profiles.json
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/jig-go/jig"
)

//go:embed profiles.json
var profilesText []byte

// profiles reads the embedded profiles once. A field that jig.Profile does not have is a mistake in
// the file.
var profiles = sync.OnceValue(func() []jig.Profile {
	var list []jig.Profile
	decoder := json.NewDecoder(bytes.NewReader(profilesText))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&list); err != nil {
		panic(fmt.Sprintf("jig: internal error: profiles.json: %v", err))
	}
	return list
})

// ProfileNames returns the names of the profiles that ProfileOf knows: one for each provider and
// mode, such as openai_chat_strict.
func ProfileNames() []string {
	var names []string
	for _, p := range profiles() {
		names = append(names, p.Name)
	}
	return names
}

// ProfileOf returns a copy of the rules of a provider in one mode, and whether there are any.
//
// Most users need none: a Dialect uses its own. It is for code that knows of a provider which has
// moved since Profile.Date: it changes an entry and hands the copy to WithProfile.
func ProfileOf(name string) (jig.Profile, bool) {
	i := slices.IndexFunc(profiles(), func(p jig.Profile) bool { return p.Name == name })
	if i < 0 {
		return jig.Profile{}, false
	}
	p := profiles()[i]
	p.Keywords = maps.Clone(p.Keywords)
	p.Formats = slices.Clone(p.Formats)
	return p, true
}
