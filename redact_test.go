package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// The values that no text may show.
const (
	secretText   = "hunter2secret"
	secretNumber = "86753091"
)

type redactLogin struct {
	User     string            `json:"user"`
	Password string            `json:"password" jig:"redact" jsonschema:"minLength=20"`
	PIN      uint16            `json:"pin,omitempty" jig:"redact"`
	Role     string            `json:"role,omitempty" jig:"redact" jsonschema:"enum=hunter,enum=gatherer"`
	Keys     map[string]uint16 `json:"keys,omitempty" jig:"redact"`
	One      []uint16          `json:"one,omitempty" jig:"redact" jsonschema:"maxItems=1"`
}

type redactTagged struct {
	Login  redactLogin   `json:"login"`
	Logins []redactLogin `json:"logins,omitempty"`
	Next   *redactTagged `json:"next,omitempty"`
	Note   string        `json:"note,omitempty" jsonschema:"maxLength=3"`
}

// redactPlain is the same without tags.
type redactPlain struct {
	Login struct {
		User     string            `json:"user"`
		Password string            `json:"password" jsonschema:"minLength=20"`
		PIN      uint16            `json:"pin,omitempty"`
		Role     string            `json:"role,omitempty" jsonschema:"enum=hunter,enum=gatherer"`
		Keys     map[string]uint16 `json:"keys,omitempty"`
		One      []uint16          `json:"one,omitempty" jsonschema:"maxItems=1"`
	} `json:"login"`
	Note string `json:"note,omitempty" jsonschema:"maxLength=3"`
}

var redactPaths = []string{"login.password", "login.pin", "login.role", "login.keys", "login.one"}

func redactTool[Args any](mode jig.RepairMode, schema *jig.Schema, redact []string) *jig.Tool {
	return jig.MustDefine(jig.Spec[Args, string]{
		Name: "login", Description: "Call it in tests.", Repair: mode, Schema: schema, Redact: redact,
		Execute: func(context.Context, Args) (string, error) { return "", errors.New("plain") },
	})
}

// redactTools has tools with the same secrets, said in each way there is.
func redactTools(mode jig.RepairMode) map[string]*jig.Tool {
	plain, err := jig.SchemaFor[redactPlain]()
	if err != nil {
		panic(err)
	}
	union := jig.MustParseSchema(`{"type":"object","properties":{"login":{"anyOf":[` +
		`{"type":"object","properties":{"user":{"type":"string"},"password":{"type":"string","minLength":20},` +
		`"pin":{"type":"integer","maximum":65535},"role":{"enum":["hunter","gatherer"]},` +
		`"keys":{"type":"object","additionalProperties":{"type":"integer","maximum":65535}}},` +
		`"required":["user","password"]},{"type":"array"}]}}}`)
	return map[string]*jig.Tool{
		"tags":             redactTool[redactTagged](mode, nil, nil),
		"paths":            redactTool[redactPlain](mode, nil, redactPaths),
		"a whole object":   redactTool[redactPlain](mode, nil, []string{"login"}),
		"a raw schema":     redactTool[json.RawMessage](mode, plain, redactPaths),
		"a schema's union": redactTool[json.RawMessage](mode, union, redactPaths),
	}
}

// TestRedactedArgumentsAreNeverShown sends secrets in the right and in wrong places, and looks for
// them in whatever a model, a log or a printed value shows.
func TestRedactedArgumentsAreNeverShown(t *testing.T) {
	for _, mode := range []jig.RepairMode{jig.RepairSafe, jig.RepairLenient, jig.RepairOff} {
		for name, tool := range redactTools(mode) {
			t.Run(name+" "+mode.String(), func(t *testing.T) {
				for _, args := range []string{
					`{"login":{"user":"a","password":"hunter2secret"}}`,
					`{"login":{"user":"a","password":86753091}}`,
					`{"login":{"user":"a","password":"hunter2secret-hunter2secret","pin":86753091}}`,
					`{"login":{"user":"a","password":"hunter2secret-hunter2secret","pin":"86753091"}}`,
					`{"login":{"user":"a","password":"hunter2secret-hunter2secret","pin":"86"}}`,
					`{"login":{"user":"a","password":"hunter2secret-hunter2secret","role":"hunter2secret"}}`,
					`{"login":{"user":"a","password":"x","keys":{"hunter2secret":86753091}}}`,
					`{"login":{"user":"a","password":"x","keys":{"a":"86753091"}}}`,
					`{"login":{"user":"a","password":"hunter2secret-hunter2secret","one":8}}`,
					`{"login":"{\"user\":\"a\",\"password\":\"hunter2secret\"}"}`,
					`{"login":"{\"user\":\"a\",\"password\":\"hunter2secret-hunter2secret\"}"}`,
					`"{\"login\":{\"user\":\"a\",\"password\":\"hunter2secret\"}}"`,
					`"{\"login\":{\"user\":\"a\",\"password\":\"hunter2secret-hunter2secret\"}}"`,
					`{"login":{"user":"a","password":hunter2secret}}`,
					`{"login":{"keys":{"hunter2secret":1,"hunter2secret":2}}}`,
					`{"login":{"keys":{"hunter2secret":x}}}`, `{"login":{"keys":{"86753091":x}}}`,
					`{"login":{"user":"a","password":"a" hunter2secret}}`,
					`{"login":{"user":"a","password":"x"}} hunter2secret`,
					`{'login':{'user':'a','password':'hunter2secret-hunter2secret'},}`,
					`{"login":["hunter2secret"]}`, `["hunter2secret"]`, `"hunter2secret"`,
					`{"login":{"user":"a","password":"hunter2secret`,
				} {
					logger, lines := logTo()
					r := registryOf(t, &jig.Options{Logger: logger}, tool)
					prepared := r.Prepare(jig.Call{Name: "login", Args: []byte(args)})
					got := r.Call(t.Context(), jig.Call{Name: "login", Args: []byte(args)})
					wire, err := json.Marshal(got)
					require.NoError(t, err)
					logger.Info("all", "outcome", got, "prepared", prepared)
					for _, text := range []string{got.Text(), mendLines(got.Repairs), string(wire),
						fmt.Sprintf("%v %+v %#v %v", got, got, prepared, got.Err), lines.String()} {
						require.NotContains(t, text, secretText, args)
						require.NotContains(t, text, secretNumber, args)
					}
				}
			})
		}
	}
}

func TestRedactedTexts(t *testing.T) {
	tool := redactTool[redactTagged](jig.RepairLenient, nil, nil)
	for args, want := range map[string]string{
		`{"login":{"user":"a","password":"hunter2secret"},"note":"long"}`: `- "/login/password": ` +
			`got [redacted], want at least 20` + "\n" + `- "/note": got 4 characters "long", want at most 3`,
		`{"login":{"user":"a","password":5,"pin":70000,"role":"Hunter"}}`: `- "/login/password": ` +
			`got number [redacted], want string` + "\n" + `- "/login/pin": got [redacted], want at most 65535` +
			"\n" + `- "/login/role": got [redacted], want one of "hunter", "gatherer"`,
		`{"login":{"user":"a"},"next":{"login":{"user":1,"password":true}}}`: `- "/login/password": ` +
			`missing, want string` + "\n" + `- "/next/login/password": got boolean [redacted], want string` +
			"\n" + `- "/next/login/user": got number 1, want string`,
		`{"login":{"user":"a","password":"hunter2secret-hunter2secret","keys":{"hunter2secret":-1}}}`: `- ` +
			`"/login/keys/[redacted]": got [redacted], want at least 0`,
		`{"login":{"user":"a","password":hunter2secret}}`: `- "/login/password": invalid JSON at byte 32`,
	} {
		got := tool.Call(t.Context(), json.RawMessage(args))
		require.Equal(t, "The arguments of login are invalid and nothing was run:\n"+want+
			"\nCorrect them and call login again.", got.Text())
	}
	got := registryOf(t, nil, tool).Call(t.Context(), jig.Call{Name: "login", Args: []byte(
		`{"login":{"user":"a","password":"hunter2secret-hunter2secret","pin":"86","one":8},}`)})
	require.Equal(t, jig.StatusFailed, got.Status)
	require.Equal(t, " trailing_comma: [redacted] -> [redacted]\n"+
		"/login/pin number_text: [redacted] -> [redacted]\n"+
		"/login/one single_item: [redacted] -> [redacted]", mendLines(got.Repairs))

	schema, err := jig.SchemaFor[redactTagged]()
	require.NoError(t, err)
	require.EqualError(t, schema.Validate([]byte(`{"login":{"user":"a","password":"hunter2secret"}}`)),
		`"/login/password": got [redacted], want at least 20`)
	require.NotContains(t, string(schema.JSON()), `"redact"`)
}

// TestRedactedArgumentsReachTheTool shows that redaction changes no value.
func TestRedactedArgumentsReachTheTool(t *testing.T) {
	tool := jig.MustDefine(jig.Spec[redactLogin, string]{Name: "login", Description: "Call it in tests.",
		Execute: func(ctx context.Context, args redactLogin) (string, error) {
			return fmt.Sprint(len(args.Password), args.PIN), nil
		}})
	got := tool.Call(t.Context(), json.RawMessage(
		`{"user":"a","password":"hunter2secret-hunter2secret","pin":7}`))
	require.Equal(t, "27 7", got.Text())
}

func TestRedactPathsAreChecked(t *testing.T) {
	define := func(redact string) error {
		_, err := jig.Define(jig.Spec[json.RawMessage, struct {
			ID string `json:"id"`
		}]{Name: "login", Description: "Call it in tests.", Redact: []string{redact},
			Schema: jig.MustParseSchema(`{"type":"object","properties":{"login":{"type":"object","properties":` +
				`{"password":{"type":"string"}},"additionalProperties":false},"any":{}},"additionalProperties":false}`),
			Execute: func(context.Context, json.RawMessage) (v struct {
				ID string `json:"id"`
			}, err error) {
				return v, nil
			}})
		return err
	}
	for _, good := range []string{"login.password", "login", "id", "any.x[].y", "*", "login.*"} {
		require.NoError(t, define(good), good)
	}
	for _, bad := range []string{"login.pasword", "pin", "login[]", "login.password.x"} {
		err := define(bad)
		require.Error(t, err, bad)
		require.Contains(t, err.Error(), "Redact[0]: ")
		require.Contains(t, err.Error(), "Args has no such place in its schema", bad)
	}
}
