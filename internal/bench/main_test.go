package main

import (
	"bytes"
	"testing"

	"github.com/bytedance/sonic"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/internal/bench/measure"
)

func TestPeers(t *testing.T) { measure.CheckPeers(t, peers()) }

// TestSonic shows that eino is measured with the real sonic: on a platform or Go version that it
// does not know it falls back to encoding/json, and says so here alone.
func TestSonic(t *testing.T) {
	if sonic.APIKind != sonic.UseSonicJSON {
		t.Skip("sonic has no code for this platform; eino runs on encoding/json here")
	}
}

// TestSchemas compares the schemas that peers are given with those that jig makes.
func TestSchemas(t *testing.T) {
	for _, test := range []struct {
		tool *jig.Tool
		want []byte
	}{
		{jigTool(measure.SmallTool, true), measure.SmallTool.Schema},
		{jigTool(measure.MediumTool, true), measure.MediumTool.Schema},
		{jigTool(measure.BulkTool, true), measure.BulkTool.Schema},
		{jigTool(measure.NodeTool, true), measure.NodeTool.Schema},
	} {
		if got := test.tool.InputSchema().JSON(); !bytes.Equal(got, test.want) {
			t.Errorf("%s: measure/schema has %s, jig makes %s", test.tool.Name(), test.want, got)
		}
	}
}

// TestVerdicts pins what jig and the straightforward stack say about the calls that are not valid.
// All others report what they do.
func TestVerdicts(t *testing.T) {
	for _, test := range []struct {
		peer             measure.Peer
		invalid, unknown measure.Verdict
	}{
		{jigPeers()[0], measure.Verdict{Refused: 3, Named: 12, Wrong: 12},
			measure.Verdict{Refused: 3, Named: 3, Wrong: 3}},
		{stack, measure.Verdict{Refused: 3, Named: 12, Wrong: 12},
			measure.Verdict{Refused: 3, Named: 3, Wrong: 3}},
		{measure.JSON, measure.Verdict{Wrong: 12}, measure.Verdict{Wrong: 3}},
	} {
		if got := test.peer.Judge(measure.Invalid); got != test.invalid {
			t.Errorf("%s: Judge(invalid) = %+v, want %+v", test.peer.Name, got, test.invalid)
		}
		if got := test.peer.Judge(measure.Unknown); got != test.unknown {
			t.Errorf("%s: Judge(unknown) = %+v, want %+v", test.peer.Name, got, test.unknown)
		}
	}
}
