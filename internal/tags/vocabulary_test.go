package tags

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNear(t *testing.T) {
	names := wordNames()
	tests := []struct{ want, word string }{
		{"minimum", "minimun"},
		{"minimum", "MINIMUM"},
		{"maxLength", "maxLenght"},
		{"enum", "enums"},
		{"", "colour"},
		{"", "ab"},
		{"", ""},
		{"", "The city's name"},
	}
	for _, tt := range tests {
		got := near(tt.word, names)
		require.Equal(t, tt.want, got, "near(%q) = %q, want %q", tt.word, got, tt.want)
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		want int
		a, b string
	}{
		{0, "", ""},
		{3, "", "abc"},
		{3, "abc", ""},
		{1, "abc", "abd"},
		{1, "abc", "bc"},
		{3, "kitten", "sitting"},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, distance(tt.a, tt.b), "distance(%q, %q)", tt.a, tt.b)
	}
}

// TestVocabularyKeys pins that no schema keyword has two words, which would put
// it into a schema twice.
func TestVocabularyKeys(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range vocabulary {
		require.False(t, seen[w.key], w.key)
		seen[w.key] = true
		require.NotContains(t, structural, w.key)
		require.NotContains(t, refused, w.name)
		require.NotContains(t, annotations, w.key)
	}
}
