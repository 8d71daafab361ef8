package run_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/run"
)

// A kind is a tool of the model-based test, and what the model knows of it.
type kind struct {
	name    string
	effect  jig.Effect
	settled string // how a call ends that never runs: status and code
	failed  string // how a call ends that runs, or "" for ok
	answer  bool
}

var kinds = []kind{
	{name: "read", effect: jig.EffectRead},
	{name: "slow", effect: jig.EffectRead},
	{name: "ignore", effect: jig.EffectRead, failed: "failed timeout"},
	{name: "panic", effect: jig.EffectRead, failed: "failed panic"},
	{name: "exit", effect: jig.EffectWrite, failed: "failed panic"},
	{name: "write", effect: jig.EffectWrite},
	{name: "delete", effect: jig.EffectDestructive},
	{name: "fail", effect: jig.EffectUnknown, failed: "failed error"},
	{name: "cancel", effect: jig.EffectWrite, failed: "failed cancelled"},
	{name: "deny", effect: jig.EffectWrite, settled: "denied denied"},
	{name: "pending", effect: jig.EffectWrite, settled: "pending pending"},
	{name: "gone", settled: "invalid unknown_tool"},
	{name: "broken", effect: jig.EffectWrite, settled: "invalid invalid_arguments"},
	{name: "finish", effect: jig.EffectRead, answer: true},
	{name: "finish", effect: jig.EffectRead, answer: true, settled: "invalid invalid_arguments"},
}

// A world is where the calls of one batch take place.
type world struct {
	mu      sync.Mutex
	started []int
	undone  []int
	stop    context.CancelFunc
	stopped bool
	late    []int // started after the stop
	spans   map[int][]string
}

func (w *world) tools(t *testing.T) []*jig.Tool {
	answer, err := jig.DefineAnswer(jig.AnswerSpec[numberArgs]{Name: "finish", Description: "Ends the run.",
		Terminal: true})
	require.NoError(t, err)
	tools := []*jig.Tool{answer.Tool()}
	for _, k := range kinds {
		if k.name == "gone" || k.answer {
			continue
		}
		spec := jig.Spec[numberArgs, string]{Name: k.name, Description: "Call it in tests.", Effect: k.effect,
			Execute: func(ctx context.Context, args numberArgs) (string, error) { return w.execute(ctx, k, args.N) }}
		switch k.name {
		case "ignore":
			spec.Timeout = time.Second
		case "deny", "pending":
			spec.Approval = jig.ApprovalAlways
		}
		tools = append(tools, jig.MustDefine(spec))
	}
	return tools
}

func (w *world) execute(ctx context.Context, k kind, n int) (string, error) {
	w.mu.Lock()
	w.started = append(w.started, n)
	if w.stopped {
		w.late = append(w.late, n)
	}
	w.mu.Unlock()
	if k.effect != jig.EffectRead {
		jig.Compensate(ctx, func(context.Context) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.undone = append(w.undone, n)
			return nil
		})
	}
	switch k.name {
	case "slow":
		time.Sleep(time.Second)
	case "ignore":
		time.Sleep(time.Hour)
	case "panic":
		panic("boom")
	case "exit":
		runtime.Goexit()
	case "fail":
		return "", errors.New("no luck")
	case "cancel":
		w.mu.Lock()
		w.stopped = true
		w.mu.Unlock()
		w.stop()
		<-ctx.Done()
		return "", ctx.Err()
	}
	return "fine", nil
}

func (w *world) Approve(_ context.Context, r jig.ApprovalRequest) jig.Decision {
	if r.Tool.Name() == "pending" {
		return jig.Pending("ticket")
	}
	return jig.Deny("no")
}

// watch notes start and end of each call. The number of the call is its place in the batch.
func (w *world) watch(next jig.Handler) jig.Handler {
	return func(ctx context.Context, c jig.Call) jig.Outcome {
		n := placeOf(c)
		note := func(line string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.spans[n] = append(w.spans[n], line)
		}
		note("start")
		o := next(ctx, c)
		note(string(o.Status))
		return o
	}
}

// placeOf reads the place back from the arguments, also from invalid ones.
func placeOf(c jig.Call) int {
	digits := slices.DeleteFunc(slices.Clone([]byte(c.Args)), func(b byte) bool { return b < '0' || b > '9' })
	n, _ := strconv.Atoi(string(digits))
	return n
}

// A prediction is what the model says about a batch.
type prediction struct {
	outcomes        []string
	started, undone []int
}

// answersOf predicts the terminal answers, which are made first, and returns whether one is accepted.
func (p *prediction) answersOf(batch []kind) bool {
	for i, k := range batch {
		if k.answer && k.settled != "" {
			p.outcomes[i] = k.settled
		} else if k.answer {
			p.outcomes[i] = "ok"
			for j := range batch {
				if p.outcomes[j] == "" {
					p.outcomes[j] = "skipped answered"
				}
			}
			return true
		}
	}
	return false
}

// independent is the model of CallAll.
func independent(batch []kind, hold bool) prediction {
	p := prediction{outcomes: make([]string, len(batch))}
	if p.answersOf(batch) {
		return p
	}
	cancelled, held := false, false
	for i, k := range batch {
		invalid := k.name == "gone" || k.name == "broken"
		switch {
		case p.outcomes[i] != "":
		case held:
			p.outcomes[i] = "skipped held"
		case cancelled && !invalid:
			p.outcomes[i] = "skipped not_started"
		case k.settled != "":
			p.outcomes[i] = k.settled
			held = hold && k.name == "pending"
		default:
			p.started = append(p.started, i)
			if p.outcomes[i] = "ok"; k.failed != "" {
				p.outcomes[i] = k.failed
				if k.effect != jig.EffectRead {
					p.undone = append(p.undone, i)
				}
			}
			cancelled = cancelled || k.name == "cancel"
		}
	}
	return p
}

// together is the model of Saga.
func together(batch []kind) prediction {
	p := prediction{outcomes: make([]string, len(batch))}
	if p.answersOf(batch) {
		return p
	}
	allowed := true
	for i, k := range batch {
		if k.settled != "" {
			p.outcomes[i] = k.settled
			allowed = allowed && k.answer
		}
	}
	failed := -1
	for i, k := range batch {
		switch {
		case p.outcomes[i] != "":
		case !allowed || failed >= 0:
			p.outcomes[i] = "skipped batch"
		default:
			p.started = append(p.started, i)
			if p.outcomes[i] = "ok"; k.failed != "" {
				p.outcomes[i], failed = k.failed, i
			}
		}
	}
	if failed < 0 {
		return p
	}
	for _, i := range slices.Backward(p.started) {
		if batch[i].effect != jig.EffectRead {
			p.undone = append(p.undone, i)
		}
		if p.outcomes[i] == "ok" {
			p.outcomes[i] = "rolled_back rolled_back"
		}
	}
	return p
}

// TestRandomBatches compares random batches with a plain model, in independent and in saga mode: one
// outcome for each call in order, one start and one end in the middleware, nothing started that should
// not be, and undos once and in reverse. The bubble ends only when no goroutine is left.
func TestRandomBatches(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 50
	}
	for seed := range rounds {
		for _, mode := range []string{"registry", "session", "saga"} {
			synctest.Test(t, func(t *testing.T) {
				randomBatch(t, mode, uint64(seed))
				time.Sleep(2 * time.Hour) // of the bubble: those that ignore their context return meanwhile
			})
			if t.Failed() {
				t.Fatalf("seed %d, %s", seed, mode)
			}
		}
	}
}

func randomBatch(t *testing.T, mode string, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 6))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := &world{stop: cancel, spans: map[int][]string{}}
	some := kinds
	if seed%3 == 0 { // more often than chance would have it, all goes far
		some = kinds[:9]
	}
	batch := make([]kind, rng.IntN(9))
	calls := make([]jig.Call, len(batch))
	names := make([]string, len(batch))
	for i := range batch {
		batch[i] = some[rng.IntN(len(some))]
		args := `{"n":%d}`
		if batch[i].name == "broken" || batch[i].answer && batch[i].settled != "" {
			args = `{"n":"no %d"}`
		}
		names[i] = batch[i].name
		calls[i] = callOf(strconv.Itoa(rng.IntN(4)), batch[i].name, fmt.Sprintf(args, i))
	}
	options := &jig.Options{HoldPending: rng.IntN(2) == 0, MaxParallel: rng.IntN(4), Approver: w,
		Middleware: []jig.Middleware{w.watch}}
	r := registryOf(t, options, w.tools(t)...)
	var outcomes []jig.Outcome
	want := independent(batch, options.HoldPending)
	switch mode {
	case "registry":
		outcomes = r.CallAll(ctx, calls)
	case "session":
		outcomes = run.New(r, nil).CallAll(ctx, calls)
	case "saga":
		outcomes, want = run.New(r, nil).Saga(ctx, calls), together(batch)
	}
	got := make([]string, len(outcomes))
	for i, o := range outcomes {
		if got[i] = string(o.Status); o.Code != "" {
			got[i] += " " + o.Code
		}
		require.Equal(t, calls[i].ID, o.CallID)
		require.Equal(t, o.IsError(), o.Err != nil)
		require.Equal(t, []string{"start", string(o.Status)}, w.spans[i])
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	require.Equal(t, want.outcomes, got, names)
	require.Equal(t, want.started, sortedIf(mode != "saga", w.started), names)
	require.Equal(t, want.undone, w.undone, names)
	require.Empty(t, w.late)
}

// sortedIf sorts what runs in parallel.
func sortedIf(sort bool, list []int) []int {
	if sort {
		slices.Sort(list)
	}
	return list
}
