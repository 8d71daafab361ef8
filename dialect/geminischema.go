package dialect

import "encoding/json"

// geminiSchema is generateContent with parameters, the Schema message. That is no JSON Schema, but
// what its profile leaves of one is both: one type, null as nullable, anyOf alone (read
// 2026-11-29).
type geminiSchema struct{ gemini }

func (geminiSchema) definition(f form) json.RawMessage {
	return object("name", f.name, "description", f.description, "parameters", f.schema)
}
