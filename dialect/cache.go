package dialect

import (
	"runtime"
	"slices"
	"sync"
	"weak"

	"github.com/jig-go/jig"
)

// A shelf keeps what Tools made of one registry, by dialect and options.
type shelf map[shelfKey]*listing

type shelfKey struct{ dialect, options string }

// maxShelf bounds a shelf: a host that passes other options each time would fill it.
const maxShelf = 64

// shelves holds a shelf for each registry that is alive.
var (
	shelvesMu sync.RWMutex
	shelves   = map[weak.Pointer[jig.Registry]]shelf{}
)

// listed returns the listing of a registry. Tools never change, so that one from before is right
// while the registry has the very same tools.
func (d Dialect) listed(r *jig.Registry, options []Option) *listing {
	key := shelfKey{dialect: d.name}
	var s *settings
	if len(options) > 0 {
		s = choose(options)
		key.options = s.key()
	}
	at := weak.Make(r)
	shelvesMu.RLock()
	made := shelves[at][key]
	shelvesMu.RUnlock()
	if made != nil && made.fresh(r) {
		return made
	}
	if s == nil {
		s = &settings{}
	}
	made = d.render(slices.Collect(r.All()), s)
	keep(r, at, key, made)
	return made
}

// fresh reports whether a registry still has the tools from which the listing was made.
func (l *listing) fresh(r *jig.Registry) bool {
	c := comparers.Get().(*comparer)
	defer comparers.Put(c)
	c.rest, c.same = l.tools, true
	r.All()(c.next)
	return c.same && len(c.rest) == 0
}

// A comparer compares the tools of a registry with a list. It is kept, since All may return any
// function: the body of a loop over it and what that holds go to the heap, four allocations for
// each listing from before.
type comparer struct {
	rest []*jig.Tool
	same bool
	next func(*jig.Tool) bool
}

var comparers = sync.Pool{New: func() any {
	c := &comparer{}
	c.next = func(t *jig.Tool) bool {
		if c.same = len(c.rest) > 0 && c.rest[0] == t; c.same {
			c.rest = c.rest[1:]
		}
		return c.same
	}
	return c
}}

// keep puts a listing on the shelf of its registry, which goes when the registry goes.
func keep(r *jig.Registry, at weak.Pointer[jig.Registry], key shelfKey, made *listing) {
	shelvesMu.Lock()
	defer shelvesMu.Unlock()
	own := shelves[at]
	if own == nil {
		own = shelf{}
		shelves[at] = own
		runtime.AddCleanup(r, discard, at)
	}
	if len(own) >= maxShelf {
		clear(own)
	}
	own[key] = made
}

func discard(at weak.Pointer[jig.Registry]) {
	shelvesMu.Lock()
	defer shelvesMu.Unlock()
	delete(shelves, at)
}
