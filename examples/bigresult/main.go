// Command bigresult shows what becomes of a result that is too large for a model: an order of 500 lines
// is shrunk by ToModelOutput, projected, redacted and capped, and where it may not be cut it is stored
// and read back in pages. It needs no model and no key.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/artifact"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) error {
	store := artifact.NewMemory(nil)
	reg := jig.NewRegistry(&jig.Options{MaxOutputBytes: 2000, Artifacts: store})
	if err := reg.Add(showOrder(), summarizeOrder(), exportOrder(), artifact.Reader(store)); err != nil {
		return err
	}
	// A handle is good for the run and the user it was made for.
	ctx = jig.WithCaller(ctx, jig.Caller{RunID: "run-1", UserID: "ada"})
	p := printer{out: out, handles: map[string]string{}}
	call := func(title, name, args string) jig.Outcome {
		o := reg.Call(ctx, jig.Call{ID: "call-" + name, Name: name, Args: json.RawMessage(args)})
		p.print(title, o)
		return o
	}

	call("projected and capped: rows are left out, and the JSON stays JSON", "show_order", `{"id":500}`)
	call("shrunk by ToModelOutput: all of it fits", "summarize_order", `{"id":500}`)
	stored := call("stored: the model gets the beginning and a handle", "export_order", `{"id":500}`)
	read := func(more string) string { return `{"handle":"` + stored.Cut.Handle + `"` + more + `}` }
	call("the first page", "read_artifact", read(""))
	call("the end of it", "read_artifact", read(`,"offset":28000`))
	call("what it is looking for", "read_artifact", read(`,"search":"sku-0499"`))
	call("a handle that was made up", "read_artifact", `{"handle":"art:AAAAAAAAAAAAAAAAAAAAAAAAAA"}`)
	return p.err
}

// handle matches what differs from run to run.
var handle = regexp.MustCompile(`art:[A-Z2-7]{26}`)

type printer struct {
	out     io.Writer
	handles map[string]string
	err     error
}

// print shows an outcome as the model reads it, and beside it what the host knows.
func (p *printer) print(title string, o jig.Outcome) {
	text := handle.ReplaceAllStringFunc(o.Text(), func(h string) string {
		if p.handles[h] == "" {
			p.handles[h] = fmt.Sprintf("art:<handle %d>", len(p.handles)+1)
		}
		return p.handles[h]
	})
	cut := "not cut"
	if o.Cut != nil {
		cut = fmt.Sprintf("%d of %d bytes, %d items left out", o.Cut.KeptBytes, o.Cut.OriginalBytes, o.Cut.OmittedItems)
	}
	_, err := fmt.Fprintf(p.out, "== %s: %s\n-- %s, %s\n%s\n\n", o.Tool, title, o.Status, cut, strings.TrimSuffix(text, "\n"))
	if err != nil {
		p.err = err
	}
}
