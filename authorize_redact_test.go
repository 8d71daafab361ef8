package jig_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

type vault struct {
	Key   string            `json:"key" jig:"redact"`
	Deep  *vault            `json:"deep,omitempty"`
	List  []vault           `json:"list,omitempty"`
	Named map[string]vault  `json:"named,omitempty"`
	Whole map[string]string `json:"whole,omitempty" jig:"redact"`
	Any   any               `json:"any,omitempty"`
	Place string            `json:"place,omitempty"`
}

// shownTo returns what an approver is shown of the arguments.
func shownTo[Args any](t *testing.T, spec jig.Spec[Args, string], args string) string {
	t.Helper()
	spec.Name, spec.Description, spec.Approval = "probe", "Call it in tests.", jig.ApprovalAlways
	spec.Execute = func(context.Context, Args) (string, error) { return "", nil }
	var requests []jig.ApprovalRequest
	r := registryOf(t, &jig.Options{Approver: asked(&requests)}, jig.MustDefine(spec))
	o := r.Call(t.Context(), jig.Call{Name: "probe", Args: []byte(args)})
	require.Equal(t, jig.StatusOK, o.Status, o.Text())
	return string(requests[0].Args)
}

func TestApproverSeesNoSecrets(t *testing.T) {
	const args = `{"key":"s","deep":{"key":"s","any":{"key":1}},"list":[{"key":"s","place":"p"}],` +
		`"named":{"n":{"key":"s","list":[{"key":"s"}]}},"whole":{"k":"s"},"any":[{"key":"a"}],"place":"s"}`
	const hidden = `{"any":[{"key":"a"}],"deep":{"any":{"key":1},"key":"[redacted]"},"key":"[redacted]",` +
		`"list":[{"key":"[redacted]","place":"p"}],"named":{"n":{"key":"[redacted]","list":[{"key":"[redacted]"}]}},`
	for name, test := range map[string]struct{ got, want string }{
		"tags": {shownTo(t, jig.Spec[vault, string]{}, args),
			hidden + `"place":"s","whole":"[redacted]"}`},
		"tags and paths": {shownTo(t, jig.Spec[vault, string]{Redact: []string{"place", "list[].place", "named.*.list"}}, args),
			`{"any":[{"key":"a"}],"deep":{"any":{"key":1},"key":"[redacted]"},"key":"[redacted]",` +
				`"list":[{"key":"[redacted]","place":"[redacted]"}],` +
				`"named":{"n":{"key":"[redacted]","list":"[redacted]"}},"place":"[redacted]","whole":"[redacted]"}`},
		"arguments without a type of their own": {shownTo(t, jig.Spec[json.RawMessage, string]{
			Schema: schemaOf[vault](t)}, args), hidden + `"place":"s","whole":"[redacted]"}`},
		"a schema by hand": {shownTo(t, jig.Spec[vault, string]{Schema: jig.MustParseSchema(
			`{"anyOf":[{"type":"object","properties":{"key":{"type":"string"},"deep":{"type":"object"}}},` +
				`{"type":"object","required":["no"]}]}`)}, `{"key":"s","deep":{"key":"s","place":"p"}}`),
			`{"deep":{"key":"[redacted]","place":"p"},"key":"[redacted]"}`},
		"paths alone": {shownTo(t, jig.Spec[map[string]any, string]{Redact: []string{"a.b"},
			Schema: jig.MustParseSchema(`{"type":"object","properties":{"a":{}}}`)}, `{"a":{"b":"s","c":1},"b":2}`),
			`{"a":{"b":"[redacted]","c":1},"b":2}`},
		"nothing to hide": {shownTo(t, jig.Spec[anyArgs, string]{}, `{"v":[1,{"a":null}]}`), `{"v":[1,{"a":null}]}`},
	} {
		require.Equal(t, test.want, test.got, name)
	}
}

func schemaOf[T any](t *testing.T) *jig.Schema {
	t.Helper()
	schema, err := jig.SchemaFor[T]()
	require.NoError(t, err)
	return schema
}
