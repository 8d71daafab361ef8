package strict

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestProfileErr shows each kind of mistake in a profile, and what it was meant to be.
func TestProfileErr(t *testing.T) {
	for _, tt := range []struct {
		name    string
		profile Profile
		want    string
	}{
		{"zero", Profile{}, ""},
		{"all right", Profile{Ignored: "keep", Unknown: "mention", KeyPattern: "^a$", MaxDepth: 1,
			Keywords: map[string]string{"format": "rejected", "root_not": "avoid", "nullable": "ok",
				"x_extension": "unknown", "if_then_else": "ignored"}}, ""},
		{"status", Profile{Keywords: map[string]string{"format": "reject"}}, `Keywords["format"]: ` +
			`got "reject", want ok, ignored, avoid, rejected or unknown; did you mean "rejected"?`},
		{"empty status", Profile{Keywords: map[string]string{"format": ""}}, `Keywords["format"]: ` +
			`got "", want ok, ignored, avoid, rejected or unknown`},
		{"keyword", Profile{Keywords: map[string]string{"minimun": "ok"}}, `Keywords["minimun"]: ` +
			`neither a keyword of JSON Schema nor a pseudo keyword; did you mean "minimum"?`},
		{"pseudo keyword", Profile{Keywords: map[string]string{"root_anyof": "ok"}},
			`Keywords["root_anyof"]: neither a keyword of JSON Schema nor a pseudo keyword; ` +
				`did you mean "root_anyOf"?`},
		{"far from all", Profile{Keywords: map[string]string{"zebra": "ok"}}, `Keywords["zebra"]: ` +
			`neither a keyword of JSON Schema nor a pseudo keyword`},
		{"keyword of another entry", Profile{Keywords: map[string]string{"then": "ok", "x-a": "ok"}},
			`Keywords["then"]: the entry for it is "if_then_else"; ` +
				`Keywords["x-a"]: the entry for it is "x_extension"`},
		{"policies", Profile{Ignored: "mov", Unknown: "drop"}, `Ignored: got "mov", want keep, move ` +
			`or mention; did you mean "move"?; Unknown: got "drop", want keep, move or mention`},
		{"pattern", Profile{KeyPattern: "^[a-z"},
			"KeyPattern: error parsing regexp: missing closing ]: `[a-z`"},
		{"bounds", Profile{MaxDepth: -1, MaxStrict: -2}, `MaxDepth: got -1, want 0 for none, or more; ` +
			`MaxStrict: got -2, want 0 for none, or more`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.profile.Name = "p"
			err := tt.profile.Err()
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, `profile "p": `+tt.want)
		})
	}
}
