package jig

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/jig-go/jig/internal/tags"
	"github.com/jig-go/jig/internal/tree"
)

// selfDescriber is a type that gives its own schema, with a value or a pointer receiver.
type selfDescriber interface{ JSONSchema() *Schema }

// maxAsking bounds how many askings of one type may be under way. A method that reflects its own
// type asks itself again without end, and a stack that overflows ends the process.
const maxAsking = 200

var asking sync.Map // reflect.Type -> *atomic.Int64

// ownSchema returns the schema that a type gives itself by a method JSONSchema() *jig.Schema, or by
// that of github.com/invopop/jsonschema; nil if it has neither.
func ownSchema(t reflect.Type) (*tree.Node, error) {
	if hook := tags.Unsupported(t); hook != "" {
		return nil, fmt.Errorf("type %s has a method %s, which is not supported; give it a method "+
			"JSONSchema() *jig.Schema instead", t, hook)
	}
	counter, _ := asking.LoadOrStore(t, new(atomic.Int64))
	under := counter.(*atomic.Int64)
	defer under.Add(-1)
	if under.Add(1) > maxAsking {
		return nil, fmt.Errorf("the method JSONSchema of %s reflects %[1]s itself, which asks it again", t)
	}
	schema, err := askForSchema(t)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the method JSONSchema of %s gives no usable schema: %w", t, err)
	case schema == nil:
		return nil, nil
	}
	if problem := unusable(schema); problem != "" {
		return nil, fmt.Errorf("the method JSONSchema of %s gives no usable schema: %s", t, problem)
	}
	return schema.root, promoted(t, schema)
}

// unusable says why a schema cannot become part of another one, whose references and draft are its
// own; empty if it can.
func unusable(s *Schema) string {
	if s.document != nil {
		if document, err := s.document(); err == nil && document.Draft() != "2020-12" {
			return "it is written in " + document.Draft() + "; write it in draft 2020-12"
		}
	}
	return foreignReference(s.root)
}

func foreignReference(n *tree.Node) string {
	for _, keyword := range []string{"$ref", "$dynamicRef"} {
		ref, ok := n.String(keyword)
		if ok && (keyword != "$ref" || ref != "#" && !strings.HasPrefix(ref, "#/")) {
			return fmt.Sprintf("its %s %q is no JSON pointer into itself, such as #/$defs/name", keyword, ref)
		}
	}
	for _, child := range n.Children() {
		if problem := foreignReference(child); problem != "" {
			return problem
		}
	}
	return ""
}

// promoted refuses a method that a struct has from an embedded type only: that method knows nothing of
// the struct's other fields.
func promoted(t reflect.Type, schema *Schema) error {
	if t.Kind() != reflect.Struct || t.NumField() < 2 {
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.Anonymous {
			continue
		}
		embedded := f.Type
		if embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		own, err := askForSchema(embedded)
		if err == nil && own != nil && bytes.Equal(own.JSON(), schema.JSON()) {
			return fmt.Errorf("the method JSONSchema of %s is that of the embedded %s, which says nothing "+
				"of the other fields; give %[1]s a method of its own, or make %[2]s a field with a name",
				t, embedded)
		}
	}
	return nil
}

// askForSchema calls the method; it returns nil for a type without one.
func askForSchema(t reflect.Type) (*Schema, error) {
	if d, ok := reflect.New(t).Interface().(selfDescriber); ok {
		if schema := d.JSONSchema(); schema != nil && schema.root != nil {
			return schema, nil
		}
		return nil, errors.New("it returns no schema")
	}
	raw, ok, err := tags.Own(t)
	if !ok || err != nil {
		return nil, err
	}
	return ParseSchema(raw)
}
