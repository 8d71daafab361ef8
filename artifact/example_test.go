package artifact_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/artifact"
)

// A tool whose output may not be cut stores it, and the model reads it page by page.
func ExampleReader() {
	store := artifact.NewMemory(nil)
	reg := jig.NewRegistry(&jig.Options{MaxOutputBytes: 256, Artifacts: store})
	err := reg.Add(artifact.Reader(store), jig.MustDefine(jig.Spec[struct{}, string]{
		Name: "read_log", Description: "Returns today's log.", Effect: jig.EffectRead, Overflow: jig.OverflowStore,
		Execute: func(context.Context, struct{}) (string, error) { return strings.Repeat("all is well\n", 100), nil },
	}))
	if err != nil {
		panic(err)
	}
	ctx := jig.WithCaller(context.Background(), jig.Caller{RunID: "run-1"})
	stored := reg.Call(ctx, jig.Call{Name: "read_log"})
	page := reg.Call(ctx, jig.Call{Name: "read_artifact",
		Args: []byte(`{"handle":"` + stored.Cut.Handle + `","offset":1188}`)})
	fmt.Print(page.Text())
	// Output:
	// [bytes 1188 to 1200 of 1200; this is the end]
	// all is well
}
