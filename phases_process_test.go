package jig_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// phaseVariable names, in the environment of a process that a test started, the one phase to run.
const phaseVariable = "JIG_TEST_PHASE"

func TestMain(m *testing.M) {
	if phase := os.Getenv(phaseVariable); phase != "" {
		if err := runPhase(phase, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	m.Run()
}

// phaseState is what goes from process to process.
type phaseState struct {
	Calls    []phaseCall
	Prepared []jig.Prepared `json:",omitempty"`
	Executed []jig.Executed `json:",omitempty"`
	Outcomes []phaseOutcome `json:",omitempty"`
}

// phaseCall is a Call whose arguments need not be JSON.
type phaseCall struct {
	ID, Name   string
	Args       []byte
	Incomplete bool
}

// phaseOutcome is an Outcome with what JSON does not carry of its error.
type phaseOutcome struct {
	Outcome   jig.Outcome
	Sentinels []string
	Invalid   *jig.ValidationError
	Authored  *jig.ToolError
	HasErr    bool
}

func runPhase(phase string, in io.Reader, out io.Writer) error {
	var s phaseState
	if err := json.NewDecoder(in).Decode(&s); err != nil {
		return err
	}
	r := phaseRegistry()
	for i, c := range s.Calls {
		switch phase {
		case "prepare":
			s.Prepared = append(s.Prepared, r.Prepare(jig.Call{ID: c.ID, Name: c.Name, Args: c.Args,
				Incomplete: c.Incomplete}))
		case "authorize":
			s.Prepared[i] = r.Authorize(phaseContext(), s.Prepared[i])
		case "execute":
			s.Executed = append(s.Executed, r.Execute(context.Background(), s.Prepared[i]))
		case "render":
			s.Outcomes = append(s.Outcomes, observed(r.Render(s.Prepared[i], s.Executed[i])))
		}
	}
	return json.NewEncoder(out).Encode(s)
}

func phaseContext() context.Context {
	return jig.WithCaller(context.Background(), jig.Caller{RunID: "run", UserID: "ann"})
}

func observed(o jig.Outcome) phaseOutcome {
	p := phaseOutcome{Outcome: o, HasErr: o.Err != nil}
	for _, sentinel := range []error{jig.ErrUnknownTool, jig.ErrDenied, jig.ErrIncomplete, jig.ErrTimeout,
		jig.ErrPanic, jig.ErrOutput, jig.ErrSkipped, context.Canceled} {
		if errors.Is(o.Err, sentinel) {
			p.Sentinels = append(p.Sentinels, sentinel.Error())
		}
	}
	p.Invalid, _ = errors.AsType[*jig.ValidationError](o.Err)
	if authored, ok := errors.AsType[*jig.ToolError](o.Err); ok {
		c := *authored
		c.Err, p.Authored = nil, &c // the cause stays in the process
		if o.Cut != nil {
			c.Text = o.Text() // and so does what the cap left out
		}
	}
	p.Outcome.Err, p.Outcome.Value, p.Outcome.Duration = nil, nil, 0
	return p
}

type phaseResult struct {
	Text string
	Rows []string
}

func phaseRegistry() *jig.Registry {
	silent := slog.New(slog.DiscardHandler)
	r := jig.NewRegistry(&jig.Options{Key: []byte("a key that the processes share"), Logger: silent})
	spec := func(name string, run func() (phaseResult, error)) jig.Spec[pathArgs, phaseResult] {
		return jig.Spec[pathArgs, phaseResult]{Name: name, Description: "Call it in tests.",
			MaxOutputBytes: 256,
			Execute:        func(context.Context, pathArgs) (phaseResult, error) { return run() }}
	}
	fail := func(err error) func() (phaseResult, error) {
		return func() (phaseResult, error) { return phaseResult{"secret", nil}, err }
	}
	good := func() (phaseResult, error) { return phaseResult{"a < b & c \u2028 \"d\"", []string{"<x>"}}, nil }
	shaped := spec("shaped", good)
	shaped.ToModelOutput = func(ctx context.Context, r phaseResult) (jig.Output, error) {
		view, err := jig.JSON(r.Rows)
		return jig.Output{Parts: append(view.Parts, jig.Part{Text: "for " + jig.CallInfo(ctx).Caller().UserID})}, err
	}
	unshaped := spec("unshaped", good)
	unshaped.ToModelOutput = func(context.Context, phaseResult) (jig.Output, error) {
		return jig.Output{}, errors.New("secret")
	}
	shatter := spec("shatter", good)
	shatter.ToModelOutput = func(context.Context, phaseResult) (jig.Output, error) { panic("secret") }
	ask := spec("ask", good)
	ask.Approval = jig.ApprovalRequester
	for _, s := range []jig.Spec[pathArgs, phaseResult]{
		spec("ok", good), shaped, unshaped, shatter, ask,
		spec("plain", fail(errors.New("secret"))),
		spec("authored", fail(jig.Errorf("Call list first: %v.", errors.New("secret")))),
		spec("own_code", fail(&jig.ToolError{Text: strings.Repeat("Wait. ", 100), Code: "timeout"})),
		spec("explode", func() (phaseResult, error) { panic("secret") }),
		spec("late", fail(fmt.Errorf("deep: %w", context.DeadlineExceeded))),
		spec("long", func() (phaseResult, error) {
			return phaseResult{"t", strings.Split(strings.Repeat("row<>&,", 500), ",")}, nil
		}),
	} {
		if err := r.Add(jig.MustDefine(s)); err != nil {
			panic(err)
		}
	}
	return r
}

// phaseCalls are calls of every kind of ending.
func phaseCalls() []jig.Call {
	good := []byte(`{"path":"<&>","other":1}`)
	calls := []jig.Call{
		{ID: "invalid", Name: "ok", Args: []byte(`{"path":["` + strings.Repeat(`\u003c`, 90) + `"]}`)},
		{ID: "many", Name: "ok", Args: []byte(`{"path":[` + strings.Repeat("1,", 99) + `1],"pat":"` +
			strings.Repeat("y", 99) + `"}`)},
		{ID: "unknown", Name: "okay\n" + strings.Repeat("y", 200), Args: good},
		{ID: "incomplete", Name: "ok", Args: good, Incomplete: true},
		{ID: "truncated", Name: "ok", Args: good[:9]},
		{ID: "no JSON", Name: "ok", Args: []byte("\xff\x00")},
		{ID: "folded", Name: "O-K", Args: good},
	}
	for _, name := range []string{"ok", "shaped", "unshaped", "shatter", "ask", "plain", "authored",
		"own_code", "explode", "late", "long"} {
		calls = append(calls, jig.Call{ID: name + " 1", Name: name, Args: good})
	}
	return calls
}

func TestFourPhasesInFourProcesses(t *testing.T) {
	t.Parallel()
	var first phaseState
	for _, c := range phaseCalls() {
		first.Calls = append(first.Calls, phaseCall{c.ID, c.Name, c.Args, c.Incomplete})
	}
	state, err := json.Marshal(first)
	require.NoError(t, err)
	for _, phase := range []string{"prepare", "authorize", "execute", "render"} {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), phaseVariable+"="+phase)
		cmd.Stdin, cmd.Stderr = bytes.NewReader(state), os.Stderr
		state, err = cmd.Output()
		require.NoError(t, err, phase)
		if phase == "execute" {
			require.NotContains(t, string(state), "secret")
		}
	}
	var got phaseState
	require.NoError(t, json.Unmarshal(state, &got))
	r := phaseRegistry()
	for i, c := range phaseCalls() {
		want := observed(r.Call(phaseContext(), c))
		require.Equal(t, want, got.Outcomes[i], c.ID)
		require.Equal(t, want.Outcome.Status != jig.StatusOK, want.HasErr, c.ID)
		require.Equal(t, c.ID, want.Outcome.CallID)
		require.LessOrEqual(t, len(want.Outcome.Text()), 256)
	}
}
