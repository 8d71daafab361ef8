package jigblob_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	"gocloud.dev/blob/memblob"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/artifact"
	jigblob "github.com/jig-go/jig/contrib/blob"
)

// buckets returns one of each driver.
func buckets(t *testing.T) map[string]*blob.Bucket {
	t.Helper()
	file, err := fileblob.OpenBucket(t.TempDir(), &fileblob.Options{NoTempDir: true})
	require.NoError(t, err)
	all := map[string]*blob.Bucket{"memory": memblob.OpenBucket(nil), "file": file}
	t.Cleanup(func() {
		for _, bucket := range all {
			require.NoError(t, bucket.Close())
		}
	})
	return all
}

// TestStore stores an output on one machine and reads it back on another.
func TestStore(t *testing.T) {
	text := strings.Repeat("a line of the report\n", 200)
	for name, bucket := range buckets(t) {
		t.Run(name, func(t *testing.T) {
			machine := func() *jig.Registry {
				store := jigblob.New(bucket, nil)
				r := jig.NewRegistry(&jig.Options{MaxOutputBytes: 1000, Artifacts: store})
				require.NoError(t, r.Add(artifact.Reader(store), jig.MustDefine(jig.Spec[struct{}, string]{
					Name: "export", Description: "Call it in tests.", Overflow: jig.OverflowStore,
					Execute: func(context.Context, struct{}) (string, error) { return text, nil },
				})))
				return r
			}
			ada := jig.WithCaller(t.Context(), jig.Caller{RunID: "run", UserID: "ada"})
			handle := machine().Call(ada, jig.Call{Name: "export"}).Cut.Handle
			read := jig.Call{Name: "read_artifact", Args: []byte(`{"handle":"` + handle + `"}`)}
			got := machine().Call(ada, read)
			require.True(t, strings.HasPrefix(got.Text(), "[bytes 0 to 882 of 4200; next offset 882]\na line of"), got.Text())
			eve := jig.WithCaller(t.Context(), jig.Caller{RunID: "run", UserID: "eve"})
			require.Equal(t, "tool_error", machine().Call(eve, read).Code)
			a, err := jig.ReadArtifact(ada, jigblob.New(bucket, nil), handle)
			require.NoError(t, err)
			require.Equal(t, jig.Artifact{MIME: "text/plain", Data: []byte(text)}, a)
		})
	}
}

func TestStoreLimits(t *testing.T) {
	for name, bucket := range buckets(t) {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			s := jigblob.New(bucket, &jigblob.Options{Prefix: "p/", MaxBytes: 3, TTL: time.Nanosecond})
			require.Error(t, s.Put(ctx, "k", jig.Artifact{MIME: "text/plain", Data: []byte("four")}))
			_, err := s.Get(ctx, "k")
			require.ErrorIs(t, err, jig.ErrNoArtifact)
			require.NoError(t, s.Put(ctx, "k", jig.Artifact{MIME: "text/plain", Data: []byte("abc")}))
			data, err := bucket.ReadAll(ctx, "p/k")
			require.NoError(t, err)
			require.Equal(t, "abc", string(data))
			time.Sleep(time.Millisecond)
			_, err = s.Get(ctx, "k")
			require.ErrorIs(t, err, jig.ErrNoArtifact)
		})
	}
}

// TestStoreReportsItsBucket tells a bucket that is out of order from an artifact that is not there.
func TestStoreReportsItsBucket(t *testing.T) {
	folder := t.TempDir()
	bucket, err := fileblob.OpenBucket(folder, &fileblob.Options{NoTempDir: true})
	require.NoError(t, err)
	s := jigblob.New(bucket, nil)
	require.NoError(t, os.Mkdir(filepath.Join(folder, "artifact"), 0o700))
	require.NoError(t, bucket.Close())
	_, err = s.Get(t.Context(), "k")
	require.Error(t, err)
	require.NotErrorIs(t, err, jig.ErrNoArtifact)
}
