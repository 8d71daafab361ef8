package tags

import (
	"encoding/json"
	"reflect"

	"github.com/invopop/jsonschema"
)

// invopop's hooks: methods by which a type says its own schema.
type (
	ownHook      interface{ JSONSchema() *jsonschema.Schema }
	extendHook   interface{ JSONSchemaExtend(*jsonschema.Schema) }
	aliasHook    interface{ JSONSchemaAlias() any }
	propertyHook interface{ JSONSchemaProperty(string) any }
)

// Own returns the schema that a type gives itself by invopop's JSONSchema method, with a value or a
// pointer receiver, as JSON; ok is false for a type without one. It panics where the method does.
func Own(t reflect.Type) (schema json.RawMessage, ok bool, err error) {
	hook, ok := reflect.New(t).Interface().(ownHook)
	if !ok {
		return nil, false, nil
	}
	schema, err = json.Marshal(hook.JSONSchema())
	return schema, true, err
}

// Unsupported returns the name of a hook of invopop that a type has and that changes a schema in
// ways a decoder cannot follow, or "".
func Unsupported(t reflect.Type) string {
	switch reflect.New(t).Interface().(type) {
	case extendHook:
		return "JSONSchemaExtend"
	case aliasHook:
		return "JSONSchemaAlias"
	case propertyHook:
		return "JSONSchemaProperty"
	}
	return ""
}
