package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/run"
)

// A session stops a model that goes round in circles.
func ExampleNew() {
	registry := jig.NewRegistry(nil)
	err := registry.Add(jig.MustDefine(jig.Spec[struct {
		Path string `json:"path"`
	}, string]{
		Name: "read_file", Description: "Read a file.", Effect: jig.EffectRead,
		Execute: func(context.Context, struct {
			Path string `json:"path"`
		}) (string, error) {
			return "", jig.Errorf("There is no such file.")
		},
	}))
	if err != nil {
		panic(err)
	}
	s := run.New(registry, &run.Options{MaxIdentical: 2})
	for range 3 {
		for _, o := range s.CallAll(context.Background(), []jig.Call{
			{ID: "1", Name: "read_file", Args: json.RawMessage(`{"path":"a.txt"}`)},
		}) {
			fmt.Println(o.Status, o.Text())
		}
	}
	// Output:
	// failed There is no such file.
	// failed This same call has now failed 2 times. It will not be run again: do something else, or tell the user.
	// There is no such file.
	// denied Not run: this same call has failed 2 times already. Do not make it again; try something else, or tell the user.
}

// A saga undoes what had been done when a later call fails.
func ExampleSession_Saga() {
	registry := jig.NewRegistry(nil)
	err := registry.Add(
		jig.MustDefine(jig.Spec[struct{}, string]{
			Name: "reserve", Description: "Reserve a seat.", Effect: jig.EffectWrite,
			Execute: func(ctx context.Context, _ struct{}) (string, error) {
				jig.Compensate(ctx, func(context.Context) error {
					fmt.Println("seat released")
					return nil
				})
				return "seat 12", nil
			},
		}),
		jig.MustDefine(jig.Spec[struct{}, string]{
			Name: "pay", Description: "Pay for the seat.", Effect: jig.EffectWrite,
			Execute: func(context.Context, struct{}) (string, error) {
				return "", &jig.ToolError{Text: "The card was declined.", Err: errors.New("code 51")}
			},
		}),
	)
	if err != nil {
		panic(err)
	}
	s := run.New(registry, nil)
	for _, o := range s.Saga(context.Background(), []jig.Call{{ID: "1", Name: "reserve"}, {ID: "2", Name: "pay"}}) {
		fmt.Println(o.Status, o.Text())
	}
	// Output:
	// seat released
	// rolled_back reserve did run and was undone: another call of the batch failed.
	// failed The card was declined.
}
