package jig

import (
	"errors"
	"fmt"
	"reflect"
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
	return schema.root, nil
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
