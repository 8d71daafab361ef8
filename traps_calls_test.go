package jig_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// TestTrapsNothingForOptional sends what models send for "nothing", for every kind of property.
func TestTrapsNothingForOptional(t *testing.T) {
	type all struct {
		Text  string            `json:"text,omitempty"`
		Int   int               `json:"int,omitzero"`
		Bool  bool              `json:"bool,omitempty"`
		Enum  string            `json:"enum,omitempty" jsonschema:"enum=a,enum=b"`
		Time  time.Time         `json:"time,omitzero"`
		Wait  time.Duration     `json:"wait,omitempty"`
		Bytes []byte            `json:"bytes,omitempty"`
		List  []string          `json:"list,omitempty"`
		Map   map[string]string `json:"map,omitempty"`
		Part  ticketPart        `json:"part,omitzero"`
		PText *string           `json:"ptext,omitempty"`
		PInt  *int              `json:"pint,omitempty"`
		PPart *ticketPart       `json:"ppart,omitempty"`
		PTime *time.Time        `json:"ptime,omitempty"`
	}
	type deep struct {
		Rows []map[string]all `json:"rows"`
	}
	takesBlank := map[string]string{"text": `""`, "ptext": `""`, "bytes": `""`}
	keys := []string{"text", "int", "bool", "enum", "time", "wait", "bytes", "list", "map", "part", "ptext", "pint",
		"ppart", "ptime"}
	for _, strict := range []bool{false, true} {
		spec := echoSpec[deep]("x")
		spec.Strict = strict
		tool := jig.MustDefine(spec)
		for _, key := range keys {
			call := func(value string) jig.Outcome {
				return tool.Call(t.Context(), json.RawMessage(`{"rows":[{"k":{"`+key+`":`+value+`}}]}`))
			}
			got := call("null")
			require.Equal(t, deep{[]map[string]all{{"k": {}}}}, got.Value, "%s: %s", key, got.Text())
			require.Empty(t, got.Repairs)
			// A blank is what the type can read, or it is refused; no mode drops it.
			require.Equal(t, takesBlank[key] != "", call(`""`).Status == jig.StatusOK, key)
			got = call(`"null"`)
			require.Equal(t, key == "text" || key == "ptext" || key == "bytes", got.Status == jig.StatusOK, key)
			if key == "text" {
				require.Equal(t, "null", got.Value.(deep).Rows[0]["k"].Text)
			}
		}
	}
	type must struct {
		Text string            `json:"text"`
		Int  int               `json:"int"`
		List []string          `json:"list"`
		Map  map[string]string `json:"map"`
		Part ticketPart        `json:"part"`
		Ptr  *int              `json:"ptr"`
	}
	got := callWith[must](t, `{"text":null,"int":null,"list":null,"map":null,"part":null,"ptr":null}`)
	require.Equal(t, 5, strings.Count(got.Text(), ": got null, want "), got.Text())
	require.Equal(t, 6, strings.Count(callWith[must](t, `{}`).Text(), ": missing, want "))
}

func TestTrapsBlankArgumentsInEveryForm(t *testing.T) {
	open := jig.MustParseSchema(`{"type":"object","properties":{"a":{"type":"string"}}}`)
	for _, blank := range []string{"", " ", "\n\t\r ", "\ufeff", "{}", " { } ", "null", "\ufeffnull", `""`, `"{}"`} {
		for name, tool := range map[string]*jig.Tool{
			"nothing": mendTool[struct{}](jig.RepairSafe, nil), "optional": mendTool[mendArgs](jig.RepairSafe, nil),
			"map": mendTool[map[string]any](jig.RepairSafe, open), "raw": mendTool[json.RawMessage](jig.RepairSafe, open),
		} {
			got := tool.Call(t.Context(), json.RawMessage(blank))
			require.Equal(t, "{}", got.Text(), "%s: %q", name, blank)
		}
		got := ticketTools()[jig.RepairSafe]["strict struct"].Call(t.Context(), json.RawMessage(blank))
		require.Equal(t, jig.StatusInvalid, got.Status, "%q", blank)
		if blank != "null" && blank != "\ufeffnull" {
			require.Contains(t, got.Text(), `"/title": missing, want string`, "%q", blank)
		}
	}
	neverRuns(t, "[]", "invalid_arguments")
	neverRuns(t, "false", "invalid_arguments")
	neverRuns(t, "0", "invalid_arguments")
}

// readPanics and its kin panic while arguments are read.
type (
	readPanics    struct{}
	textPanics    struct{}
	pointerPanics struct{ *time.Location }
)

func (*readPanics) JSONSchema() *jig.Schema { return jig.MustParseSchema(`{"type":"string"}`) }
func (*readPanics) UnmarshalJSON(b []byte) error {
	if string(b) == `"x"` {
		panic(rudeValue{})
	}
	return nil
}
func (*textPanics) UnmarshalText([]byte) error      { panic(nil) }
func (textPanics) MarshalText() ([]byte, error)     { return nil, nil }
func (p *pointerPanics) UnmarshalText([]byte) error { *p.Location = time.Location{}; return nil }
func (pointerPanics) MarshalText() ([]byte, error)  { return nil, nil }

// TestTrapsEveryCallIsAnswered has a turn in which everything goes wrong.
func TestTrapsEveryCallIsAnswered(t *testing.T) {
	type args struct {
		Read    *readPanics           `json:"read,omitempty"`
		Text    []textPanics          `json:"text,omitempty"`
		Pointer *pointerPanics        `json:"pointer,omitempty"`
		Key     map[textPanicsKey]int `json:"key,omitempty"`
	}
	r := registryOf(t, nil, mendTool[args](jig.RepairLenient, nil))
	var calls []jig.Call
	for i, text := range []string{
		`{}`, ``, `{`, `}`, `[]`, `nope`, `{"read":1}`, `{"read":"x"}`, `{"text":["x","y"]}`, `{"pointer":"x"}`,
		`{"key":{"k":1}}`, "\xff", "\x00", `"`, `{"read":"x"}{}`, `{}`,
	} {
		calls = append(calls, jig.Call{ID: fmt.Sprint("call_", i/2), Name: "probe", Args: []byte(text)}) // ids repeat
		calls = append(calls, jig.Call{ID: "", Name: fmt.Sprintf("gone%d\x00", i), Args: []byte(text)})
	}
	outcomes := r.CallAll(t.Context(), calls)
	require.Len(t, outcomes, len(calls))
	ran := 0
	for i, o := range outcomes {
		require.Equal(t, calls[i].ID, o.CallID)
		require.NotEmpty(t, o.Text())
		if o.Status == jig.StatusOK {
			ran++
			continue
		}
		require.Error(t, o.Err)
		for _, word := range []string{"goroutine", "panic", "textPanics", "Location", "nil pointer"} {
			require.NotContains(t, o.Text(), word)
		}
	}
	require.Equal(t, 3, ran)
}

// textPanicsKey is a map key that panics while it is read.
type textPanicsKey string

func (*textPanicsKey) UnmarshalText([]byte) error { panic("secret") }
