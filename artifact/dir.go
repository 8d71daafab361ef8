package artifact

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jig-go/jig"
)

// DirOptions are the limits of a Dir. The zero DirOptions is the default.
type DirOptions struct {
	// MaxBytes bounds all artifacts together; the oldest make room for new ones. Zero means 1 GiB.
	MaxBytes int64
	// TTL is how long an artifact is kept. Zero means a day.
	TTL time.Duration
}

// A Dir keeps each artifact as a file in one folder, which nobody but the owner can read. It outlives
// the process. Files that it did not write are left alone. It is safe for concurrent use; several
// processes may share the folder.
type Dir struct {
	options DirOptions
	root    *os.Root
	mu      sync.Mutex // held by Put
}

var _ jig.ArtifactStore = (*Dir)(nil)

// OpenDir returns a store in a folder, which is made if it is not there; nil options mean the defaults.
func OpenDir(folder string, options *DirOptions) (*Dir, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	d := &Dir{root: root}
	if options != nil {
		d.options = *options
	}
	if d.options.MaxBytes <= 0 {
		d.options.MaxBytes = 1 << 30
	}
	if d.options.TTL <= 0 {
		d.options.TTL = 24 * time.Hour
	}
	return d, nil
}

// Close releases the folder. The files stay.
func (d *Dir) Close() error { return d.root.Close() }

// endings are the file names' endings by media type.
var endings = []struct{ ending, mime string }{
	{".json", "application/json"}, {".txt", "text/plain"}, {".bin", "application/octet-stream"},
}

func endingOf(mime string) string {
	for _, e := range endings {
		if e.mime == mime {
			return e.ending
		}
	}
	return ".bin"
}

// isKey reports whether a key is one of jig's, so that no other text becomes a file name.
func isKey(key string) bool {
	return len(key) == 64 && strings.Trim(key, "0123456789abcdef") == ""
}

// Put writes an artifact, whole or not at all. It lists the folder to drop what has expired, and the
// oldest where room is needed. A media type other than application/json and text/plain is not kept.
func (d *Dir) Put(_ context.Context, key string, a jig.Artifact) error {
	switch {
	case !isKey(key):
		return errors.New("artifact: the key is not one of jig's")
	case int64(len(a.Data)) > d.options.MaxBytes:
		return fmt.Errorf("artifact: got %d bytes, want at most %d", len(a.Data), d.options.MaxBytes)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.makeRoom(int64(len(a.Data))); err != nil {
		return err
	}
	part := key + ".part"
	if err := d.root.WriteFile(part, a.Data, 0o600); err != nil {
		_ = d.root.Remove(part)
		return err
	}
	return d.root.Rename(part, key+endingOf(a.MIME))
}

// makeRoom removes files that have expired, and the oldest until size more bytes fit.
func (d *Dir) makeRoom(size int64) error {
	entries, err := fs.ReadDir(d.root.FS(), ".")
	if err != nil {
		return err
	}
	var files []fs.FileInfo
	for _, e := range entries {
		ending := path.Ext(e.Name())
		if !isKey(strings.TrimSuffix(e.Name(), ending)) || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // another process removed it
		}
		if err != nil {
			return err
		}
		files = append(files, info)
		size += info.Size()
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range files {
		if !d.expired(info) && size <= d.options.MaxBytes {
			break
		}
		if err := d.root.Remove(info.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		size -= info.Size()
	}
	return nil
}

func (d *Dir) expired(info fs.FileInfo) bool { return time.Since(info.ModTime()) >= d.options.TTL }

// Get reads an artifact that has not expired.
func (d *Dir) Get(_ context.Context, key string) (jig.Artifact, error) {
	if !isKey(key) {
		return jig.Artifact{}, jig.ErrNoArtifact
	}
	for _, e := range endings {
		info, err := d.root.Stat(key + e.ending)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return jig.Artifact{}, err
		}
		if d.expired(info) {
			break
		}
		data, err := d.root.ReadFile(key + e.ending)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		return jig.Artifact{MIME: e.mime, Data: data}, err
	}
	return jig.Artifact{}, jig.ErrNoArtifact
}
