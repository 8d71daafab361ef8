package jig_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// corpusMends counts the mends of an outcome and requires that what each replaced can be had back from
// what it put in its place.
func corpusMends(t *testing.T, o jig.Outcome, args json.RawMessage, count func(kind string)) {
	t.Helper()
	for _, m := range o.Repairs {
		if m.Kind == "unknown_property" || m.Kind == "tool_name" {
			continue
		}
		count(m.Kind)
		if strings.Contains(m.Before+m.After, "…") {
			continue // shortened
		}
		back := ""
		switch m.Kind {
		case "single_item":
			back = strings.TrimSuffix(strings.TrimPrefix(m.After, "["), "]")
		case "number_text", "boolean_text", "json_text", "encoded_arguments":
			back = asText(t, json.RawMessage(m.After))
		}
		require.Equal(t, m.Before, back, "%s: %+v", args, m)
	}
}

// asText is the JSON string of a value's text.
func asText(t *testing.T, value json.RawMessage) string {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(string(value)))
	return strings.TrimSuffix(out.String(), "\n")
}

// asText makes an accepted call again with each of its values that is no string written as text, and
// once with the arguments as a whole. Where that is mended, the arguments are those of the call.
func (r *corpusReport) asText(
	t *testing.T, registry *jig.Registry, file string, c jig.Call, canonical string,
) {
	t.Helper()
	try := func(args string, kinds ...string) {
		o := registry.Call(t.Context(), jig.Call{ID: c.ID, Name: c.Name, Args: json.RawMessage(args)})
		verdict, _ := corpusVerdict(o)
		for _, m := range o.Repairs {
			if m.Kind == "tool_name" {
				continue
			}
			require.Contains(t, kinds, m.Kind, args)
			require.Equal(t, canonical, o.Text(), args)
			verdict = "mended: " + m.Kind
		}
		r.texts.add(file, verdict)
	}
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(canonical), &members))
	try(asText(t, json.RawMessage(canonical)), "encoded_arguments")
	for name, value := range members {
		if value[0] == '"' {
			continue
		}
		members[name] = json.RawMessage(asText(t, value))
		changed, err := json.Marshal(members)
		require.NoError(t, err)
		try(string(changed), "number_text", "boolean_text", "json_text")
		members[name] = value
	}
}
