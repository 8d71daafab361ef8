package artifact

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jig-go/jig"
)

// MemoryOptions are the limits of a Memory. The zero MemoryOptions is the default.
type MemoryOptions struct {
	// MaxBytes bounds all artifacts together; the oldest make room for new ones. Zero means 64 MiB.
	MaxBytes int
	// TTL is how long an artifact is kept. Zero means an hour.
	TTL time.Duration
}

// A Memory keeps artifacts in the process. It is safe for concurrent use.
type Memory struct {
	options MemoryOptions

	mu    sync.Mutex
	bytes int
	items map[string]*list.Element
	order *list.List // of memoryItem, the oldest first
}

type memoryItem struct {
	key     string
	a       jig.Artifact
	expires time.Time
}

var _ jig.ArtifactStore = (*Memory)(nil)

// NewMemory returns an empty store; nil means the defaults.
func NewMemory(options *MemoryOptions) *Memory {
	m := &Memory{items: map[string]*list.Element{}, order: list.New()}
	if options != nil {
		m.options = *options
	}
	if m.options.MaxBytes <= 0 {
		m.options.MaxBytes = 64 << 20
	}
	if m.options.TTL <= 0 {
		m.options.TTL = time.Hour
	}
	return m
}

// Put keeps an artifact and drops what has expired, and the oldest where room is needed. The error is
// for an artifact that is larger than the whole store.
func (m *Memory) Put(_ context.Context, key string, a jig.Artifact) error {
	if len(a.Data) > m.options.MaxBytes {
		return fmt.Errorf("artifact: got %d bytes, want at most %d", len(a.Data), m.options.MaxBytes)
	}
	now := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	if old := m.items[key]; old != nil {
		m.drop(old)
	}
	for e := m.order.Front(); e != nil; e = m.order.Front() {
		if now.Before(e.Value.(memoryItem).expires) && m.bytes+len(a.Data) <= m.options.MaxBytes {
			break
		}
		m.drop(e)
	}
	m.items[key] = m.order.PushBack(memoryItem{key, a, now.Add(m.options.TTL)})
	m.bytes += len(a.Data)
	return nil
}

// Get returns an artifact that has not expired. The data is the store's: nobody may change it.
func (m *Memory) Get(_ context.Context, key string) (jig.Artifact, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.items[key]
	if e == nil {
		return jig.Artifact{}, jig.ErrNoArtifact
	}
	item := e.Value.(memoryItem)
	if !time.Now().Before(item.expires) {
		m.drop(e)
		return jig.Artifact{}, jig.ErrNoArtifact
	}
	return item.a, nil
}

func (m *Memory) drop(e *list.Element) {
	item := m.order.Remove(e).(memoryItem)
	delete(m.items, item.key)
	m.bytes -= len(item.a.Data)
}
