// Package jigblob keeps artifacts in a bucket: jig.Options.Artifacts for hosts on more than one
// machine. The bucket is one of gocloud.dev/blob, which has drivers for the clouds, for folders and
// for memory.
package jigblob

import (
	"context"
	"errors"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/jig-go/jig"
)

// Options are the limits of a Store. The zero Options is the default.
type Options struct {
	// Prefix stands before every key in the bucket. Empty means "artifact/".
	Prefix string
	// MaxBytes bounds one artifact. Zero means 64 MiB.
	MaxBytes int
	// TTL is how long an artifact can be read. Zero means a day. Nothing removes what has expired: give
	// the bucket a lifecycle rule for the prefix.
	TTL time.Duration
}

// A Store keeps artifacts in a bucket. It is safe for concurrent use.
type Store struct {
	bucket  *blob.Bucket
	options Options
}

var _ jig.ArtifactStore = (*Store)(nil)

// New returns a store in a bucket, which stays the caller's to close; nil options mean the defaults.
func New(bucket *blob.Bucket, options *Options) *Store {
	s := &Store{bucket: bucket}
	if options != nil {
		s.options = *options
	}
	if s.options.Prefix == "" {
		s.options.Prefix = "artifact/"
	}
	if s.options.MaxBytes <= 0 {
		s.options.MaxBytes = 64 << 20
	}
	if s.options.TTL <= 0 {
		s.options.TTL = 24 * time.Hour
	}
	return s
}

// errTooLarge is returned for an artifact over Options.MaxBytes.
var errTooLarge = errors.New("jigblob: the artifact is larger than MaxBytes")

// Put writes an artifact.
func (s *Store) Put(ctx context.Context, key string, a jig.Artifact) error {
	if len(a.Data) > s.options.MaxBytes {
		return errTooLarge
	}
	return s.bucket.WriteAll(ctx, s.options.Prefix+key, a.Data, &blob.WriterOptions{ContentType: a.MIME})
}

// Get reads an artifact that has not expired, by the bucket's time of writing.
func (s *Store) Get(ctx context.Context, key string) (jig.Artifact, error) {
	attributes, err := s.bucket.Attributes(ctx, s.options.Prefix+key)
	if err != nil {
		return jig.Artifact{}, missing(err)
	}
	if time.Since(attributes.ModTime) >= s.options.TTL {
		return jig.Artifact{}, jig.ErrNoArtifact
	}
	data, err := s.bucket.ReadAll(ctx, s.options.Prefix+key)
	if err != nil {
		return jig.Artifact{}, missing(err)
	}
	return jig.Artifact{MIME: attributes.ContentType, Data: data}, nil
}

// missing turns the bucket's error for what is not there into jig's.
func missing(err error) error {
	if gcerrors.Code(err) == gcerrors.NotFound {
		return jig.ErrNoArtifact
	}
	return err
}
