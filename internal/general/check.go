package general

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// checks holds, per keyword, what to say about a value the keyword cannot have. Each refuses
// only what the meta-schemas refuse too; it runs after a document failed to compile.
var checks = map[string]func(value any, d draft) string{
	"type":     checkType,
	"required": checkRequired,
	"enum": func(value any, _ draft) string {
		return need[[]any](value, "an array of the allowed values")
	},
	"minLength": checkLength, "maxLength": checkLength,
	"minItems": checkLength, "maxItems": checkLength,
	"minProperties": checkLength, "maxProperties": checkLength,
	"minimum": checkNumber, "maximum": checkNumber, "multipleOf": checkMultiple,
	"exclusiveMinimum": checkExclusive, "exclusiveMaximum": checkExclusive,
	"pattern": checkString, "format": checkString,
	"title": checkString, "description": checkString,
	"uniqueItems": func(value any, _ draft) string { return need[bool](value, "true or false") },
}

// kindOf names the JSON kind of a value with its article.
func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case json.Number:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "an array"
	}
	return "an object"
}

func need[T any](value any, want string) string {
	if _, ok := value.(T); ok {
		return ""
	}
	return "must be " + want + ", not " + kindOf(value)
}

func isSchema(value any, d draft) bool {
	switch value.(type) {
	case map[string]any:
		return true
	case bool:
		return d.year > 4
	}
	return false
}

func schemaForm(d draft) string {
	if d.year > 4 {
		return "an object, true or false"
	}
	return "an object"
}

// checkHolder looks at the value of a keyword that holds schemas, not at the schemas.
func checkHolder(keyword string, at position, value any, d draft) string {
	list, isList := value.([]any)
	_, isBool := value.(bool)
	switch {
	case at&inSelf == 0 && at&inMap != 0:
		return need[map[string]any](value, "an object whose values are schemas")
	case at&inSelf == 0 && at&inList != 0:
		if isList && len(list) == 0 {
			return "must hold at least one schema"
		}
		return need[[]any](value, "an array of schemas")
	case keyword == "items" && isList:
		if d.year >= 2020 {
			return "must be one schema in 2020-12; the schemas of a tuple go into prefixItems"
		}
		return ""
	case isBool && d.year == 4 && strings.HasPrefix(keyword, "additional"):
		return ""
	case !isSchema(value, d):
		return "must be a schema (" + schemaForm(d) + "), not " + kindOf(value)
	}
	return ""
}

func checkString(value any, _ draft) string { return need[string](value, "a string") }

func checkNumber(value any, _ draft) string { return need[json.Number](value, "a number") }

func checkMultiple(value any, _ draft) string {
	if number, ok := value.(json.Number); ok {
		if exact, ok := rational(number); ok && exact.Sign() <= 0 {
			return "must be greater than 0"
		}
	}
	return need[json.Number](value, "a number")
}

func checkExclusive(value any, d draft) string {
	if d.year == 4 {
		return need[bool](value, "true or false in draft-04")
	}
	if _, ok := value.(bool); ok {
		return "must be a number; true and false belong to draft-04"
	}
	return need[json.Number](value, "a number")
}

func checkLength(value any, _ draft) string {
	const want = "a whole number, 0 or more"
	number, ok := value.(json.Number)
	if !ok {
		return need[json.Number](value, want)
	}
	if exact, ok := rational(number); ok && exact.IsInt() && exact.Sign() >= 0 {
		return ""
	}
	return "must be " + want + ", not " + string(number)
}

func checkRequired(value any, d draft) string {
	const want = "an array of property names"
	list, ok := value.([]any)
	if !ok {
		text := need[[]any](value, want)
		if _, ok := value.(bool); ok {
			text += "; the object that holds the property lists its name"
		}
		return text
	}
	if len(list) == 0 && d.year == 4 {
		return "must hold at least one name in draft-04"
	}
	var seen []string
	for _, item := range list {
		name, ok := item.(string)
		if !ok {
			return "must be " + want + "; it holds " + kindOf(item)
		}
		if slices.Contains(seen, name) {
			return "lists " + quote(name) + " twice"
		}
		seen = append(seen, name)
	}
	return ""
}

var typeNames = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

func checkType(value any, _ draft) string {
	switch value := value.(type) {
	case string:
		return checkTypeName(value)
	case []any:
		if len(value) == 0 {
			return "must name at least one type"
		}
		var seen []string
		for _, item := range value {
			name, ok := item.(string)
			if !ok {
				return "must be a type name or an array of type names; it holds " + kindOf(item)
			}
			if text := checkTypeName(name); text != "" {
				return text
			}
			if slices.Contains(seen, name) {
				return "lists " + quote(name) + " twice"
			}
			seen = append(seen, name)
		}
		return ""
	}
	return "must be a type name or an array of type names, not " + kindOf(value)
}

func checkTypeName(name string) string {
	if slices.Contains(typeNames, name) {
		return ""
	}
	return fmt.Sprintf("type %s is not a JSON Schema type; %s", quote(name), typeAdvice(name))
}

// pseudoTypes maps type names of programming languages and of other schema languages, in lower
// case, to what JSON Schema calls them.
var pseudoTypes = map[string]string{
	"dict": "object", "dictionary": "object", "map": "object", "hash": "object",
	"struct": "object", "hashmap": "object", "record": "object",
	"float": "number", "float32": "number", "float64": "number", "double": "number",
	"decimal": "number", "numeric": "number",
	"int": "integer", "int32": "integer", "int64": "integer", "long": "integer",
	"uint": "integer", "short": "integer", "byte": "integer",
	"str": "string", "text": "string", "char": "string", "varchar": "string",
	"bool": "boolean",
	"list": "array", "tuple": "array", "set": "array", "arraylist": "array",
	"sequence": "array", "slice": "array", "vector": "array",
	"none": "null", "nil": "null", "undefined": "null", "nulltype": "null",
}

func typeAdvice(name string) string {
	lower := strings.ToLower(strings.TrimSpace(name))
	// list[str], List<String>, map<string, int>, float(2)
	head, _, generic := strings.Cut(strings.NewReplacer("<", "[", "(", "[").Replace(lower), "[")
	head = strings.TrimSpace(head)
	base := pseudoTypes[head]
	if slices.Contains(typeNames, head) {
		base = head
	}
	switch {
	case strings.HasSuffix(lower, "[]"):
		return `use "array" and describe the elements in items`
	case lower == "any" || lower == "mixed" || lower == "unknown":
		return "leave type out to accept any value"
	case strings.HasPrefix(lower, "date") || lower == "time" || lower == "timestamp":
		return `use "string" with a format`
	case strings.ContainsAny(lower, "|,") && !generic:
		return "list several types in an array"
	case base == "array" && generic:
		return `use "array" and describe the elements in items`
	case base != "":
		return "use " + quote(base)
	}
	return "use one of " + strings.Join(typeNames, ", ")
}
