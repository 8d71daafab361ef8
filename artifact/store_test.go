package artifact_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/artifact"
)

func key(c string) string { return strings.Repeat(c, 64) }

func text(s string) jig.Artifact { return jig.Artifact{MIME: "text/plain", Data: []byte(s)} }

func TestStoresKeepWhatTheyAreGiven(t *testing.T) {
	dir, err := artifact.OpenDir(filepath.Join(t.TempDir(), "new", "folder"), nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, dir.Close()) }()
	for name, store := range map[string]jig.ArtifactStore{"memory": artifact.NewMemory(nil), "dir": dir} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			_, err := store.Get(ctx, key("a"))
			require.ErrorIs(t, err, jig.ErrNoArtifact)
			for _, want := range []jig.Artifact{text("x"), text("other"),
				{MIME: "application/json", Data: []byte(`{"a":"\u0000"}`)}} {
				k := key("b")
				if want.MIME != "text/plain" {
					k = key("c")
				}
				require.NoError(t, store.Put(ctx, k, want))
				got, err := store.Get(ctx, k)
				require.NoError(t, err)
				require.Equal(t, want, got)
			}
			_, err = store.Get(ctx, "../"+key("b"))
			require.ErrorIs(t, err, jig.ErrNoArtifact)
			var wg sync.WaitGroup
			for i := range 20 {
				wg.Go(func() {
					k := key(string("0123456789abcdef"[i%16]))
					_ = store.Put(ctx, k, text("y"))
					_, _ = store.Get(ctx, k)
				})
			}
			wg.Wait()
		})
	}
}

func TestMemoryLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		m := artifact.NewMemory(&artifact.MemoryOptions{MaxBytes: 10, TTL: time.Minute})
		has := func(c string) bool {
			_, err := m.Get(ctx, key(c))
			return err == nil
		}
		require.NoError(t, m.Put(ctx, key("a"), text("12345")))
		time.Sleep(30 * time.Second)
		require.NoError(t, m.Put(ctx, key("b"), text("12345")))
		require.True(t, has("a") && has("b"))
		require.NoError(t, m.Put(ctx, key("c"), text("1"))) // the oldest makes room
		require.False(t, has("a"))
		require.True(t, has("b") && has("c"))
		require.EqualError(t, m.Put(ctx, key("d"), text("12345678901")), "artifact: got 11 bytes, want at most 10")
		require.True(t, has("b") && has("c"))
		time.Sleep(time.Minute - 1)
		require.True(t, has("b") && has("c"))
		time.Sleep(time.Nanosecond)
		require.False(t, has("b") || has("c"))
		require.NoError(t, m.Put(ctx, key("e"), text("1234567890")))
		require.True(t, has("e"))
	})
}

func TestDirLimits(t *testing.T) {
	ctx := t.Context()
	folder := t.TempDir()
	d, err := artifact.OpenDir(folder, &artifact.DirOptions{MaxBytes: 10, TTL: time.Hour})
	require.NoError(t, err)
	defer func() { require.NoError(t, d.Close()) }()
	has := func(c string) bool {
		_, err := d.Get(ctx, key(c))
		return err == nil
	}
	age := func(c string, by time.Duration) {
		at := time.Now().Add(-by)
		require.NoError(t, os.Chtimes(filepath.Join(folder, key(c)+".txt"), at, at))
	}
	foreign := filepath.Join(folder, "mine.txt")
	require.NoError(t, os.WriteFile(foreign, []byte("not an artifact"), 0o600))
	require.NoError(t, d.Put(ctx, key("a"), text("12345")))
	info, err := os.Stat(filepath.Join(folder, key("a")+".txt"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	age("a", 59*time.Minute)
	require.NoError(t, d.Put(ctx, key("b"), text("12345")))
	require.True(t, has("a") && has("b"))
	require.NoError(t, d.Put(ctx, key("c"), text("1")))
	require.False(t, has("a"))
	require.True(t, has("b") && has("c"))
	age("b", time.Hour)
	require.False(t, has("b"))
	require.NoError(t, d.Put(ctx, key("d"), text("1")))
	require.NoFileExists(t, filepath.Join(folder, key("b")+".txt"))
	require.True(t, has("c") && has("d"))
	require.EqualError(t, d.Put(ctx, key("e"), text("12345678901")), "artifact: got 11 bytes, want at most 10")
	require.EqualError(t, d.Put(ctx, "../x", text("1")), "artifact: the key is not one of jig's")
	require.FileExists(t, foreign)

	// It outlives the store.
	again, err := artifact.OpenDir(folder, nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, again.Close()) }()
	got, err := again.Get(ctx, key("c"))
	require.NoError(t, err)
	require.Equal(t, text("1"), got)
}
