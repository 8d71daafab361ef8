package jig_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

type transferArgs struct {
	To     string  `json:"to"`
	Cents  int     `json:"cents" jsonschema:"minimum=1"`
	Pin    string  `json:"pin,omitempty" jig:"redact"`
	Note   string  `json:"note,omitempty" jsonschema:"default=none"`
	Extras []extra `json:"extras,omitempty"`
}

type extra struct {
	Code  string `json:"code" jig:"redact"`
	Place string `json:"place,omitempty"`
}

// transferSpec is of a tool that needs somebody's approval and says what it got.
func transferSpec() jig.Spec[transferArgs, string] {
	return jig.Spec[transferArgs, string]{
		Name: "transfer", Description: "Call it in tests.", Effect: jig.EffectWrite,
		Approval: jig.ApprovalAlways, Redact: []string{"extras[].place"},
		Execute: func(ctx context.Context, args transferArgs) (string, error) {
			return fmt.Sprintf("%d to %s", args.Cents, args.To), nil
		},
	}
}

var transferCall = jig.Call{ID: "call-1", Name: "transfer", Args: json.RawMessage(
	`{"to":"bob","cents":5e2,"pin":"secret","extras":[{"place":"secret","code":"secret"}],"zzzzzzz":1}`)}

func transferContext(ctx context.Context) context.Context {
	return jig.WithCaller(ctx, jig.Caller{RunID: "run-1", UserID: "ann", TenantID: "acme",
		Metadata: map[string]string{"b": "<2>", "a": "1"}})
}

func TestApproverSeesWhatWillRun(t *testing.T) {
	spec := transferSpec()
	spec.Preview = func(ctx context.Context, args transferArgs) (string, error) {
		require.Equal(t, "ann", jig.CallInfo(ctx).Caller().UserID)
		text := fmt.Sprintf("Pays %d cents to %s, %s.\xff", args.Cents, args.To, args.Note)
		args.Extras[0].Code = "changed" // in arguments of its own
		return text, nil
	}
	tool := jig.MustDefine(spec)
	var requests []jig.ApprovalRequest
	r := registryOf(t, &jig.Options{Approver: asked(&requests),
		Policy: deciding(jig.Ask().Because("a new payee"))}, tool)
	o := r.Call(transferContext(t.Context()), transferCall)
	require.Equal(t, "500 to bob", o.Text())
	require.Len(t, requests, 1)

	// The value is fixed: tickets that are stored somewhere depend on it. It is the SHA-256 of
	hashed := `["` + tool.Fingerprint() + `","run-1",` +
		`{"metadata":{"a":"1","b":"<2>"},"tenant":"acme","user":"ann"},` +
		`{"cents":500,"extras":[{"code":"secret","place":"secret"}],"note":"none","pin":"secret","to":"bob"}]`
	sum := sha256.Sum256([]byte(hashed))
	require.Equal(t, jig.ApprovalRequest{
		Tool: tool, CallID: "call-1", Who: jig.ApprovalAlways, Reason: "a new payee",
		Caller: jig.Caller{RunID: "run-1", UserID: "ann", TenantID: "acme",
			Metadata: map[string]string{"a": "1", "b": "<2>"}},
		Args: json.RawMessage(`{"cents":500,"extras":[{"code":"[redacted]","place":"[redacted]"}],` +
			`"note":"none","pin":"[redacted]","to":"bob"}`),
		Preview: "Pays 500 cents to bob, none.\uFFFD",
		Digest:  hex.EncodeToString(sum[:]),
	}, requests[0])
}

// TestDigest changes one thing at a time: what is another question has another digest.
func TestDigest(t *testing.T) {
	digest := func(spec jig.Spec[transferArgs, string], caller jig.Caller, args string) string {
		t.Helper()
		var requests []jig.ApprovalRequest
		r := registryOf(t, &jig.Options{Approver: asked(&requests)}, jig.MustDefine(spec))
		o := r.Call(jig.WithCaller(t.Context(), caller), jig.Call{ID: "1", Name: spec.Name, Args: []byte(args)})
		require.Equal(t, jig.StatusOK, o.Status, o.Text())
		return requests[0].Digest
	}
	caller := jig.Caller{RunID: "run", UserID: "ann", TenantID: "acme", Metadata: map[string]string{"k": "v"}}
	const args = `{"to":"bob","cents":500,"extras":[{"code":"a","place":"x"}]}`
	want := digest(transferSpec(), caller, args)
	for _, same := range []string{
		`{"extras":[{"place":"x","code":"a"}],"cents":500,"to":"bob"}`,
		` {"to":"b\u006fb","cents":5.00e2,"note":null,"pin":null,"extras":[{"code":"a","place":"x"}]}`,
		`{"to":"bob","cents":"500","note":"none","unknown_thing":1,"extras":[{"code":"a","place":"x"}]}`,
	} {
		require.Equal(t, want, digest(transferSpec(), caller, same), same)
	}
	seen := map[string]string{want: "the base"}
	differs := func(what, got string) {
		t.Helper()
		require.Empty(t, seen[got], what)
		seen[got] = what
	}
	for _, other := range []string{
		`{"to":"bob","cents":501,"extras":[{"code":"a","place":"x"}]}`,
		`{"to":"bob","cents":500,"extras":[{"code":"b","place":"x"}]}`, // redacted, one nested value
		`{"to":"bob","cents":500,"extras":[{"code":"a","place":"y"}]}`,
		`{"to":"bob","cents":500,"extras":[{"code":"a"}]}`,
		`{"to":"bob","cents":500}`,
	} {
		differs(other, digest(transferSpec(), caller, other))
	}
	for i, change := range []func(*jig.Caller){
		func(c *jig.Caller) { c.RunID = "other" }, func(c *jig.Caller) { c.UserID = "other" },
		func(c *jig.Caller) { c.TenantID = "other" }, func(c *jig.Caller) { c.Metadata = nil },
		func(c *jig.Caller) { c.RunID, c.UserID = "", "run" },
	} {
		other := caller
		change(&other)
		differs(fmt.Sprint("caller ", i), digest(transferSpec(), other, args))
	}
	for i, change := range []func(*jig.Spec[transferArgs, string]){
		func(s *jig.Spec[transferArgs, string]) { s.Name = "move" },
		func(s *jig.Spec[transferArgs, string]) { s.Strict = true },
		func(s *jig.Spec[transferArgs, string]) { s.Effect = jig.EffectDestructive },
		func(s *jig.Spec[transferArgs, string]) { s.Approval = jig.ApprovalRequester },
		func(s *jig.Spec[transferArgs, string]) { s.Retry = jig.RetrySafe },
	} {
		other := transferSpec()
		change(&other)
		differs(fmt.Sprint("tool ", i), digest(other, caller, args))
	}
}

// TestOrderOfTheGate notes who is asked, in which order.
func TestOrderOfTheGate(t *testing.T) {
	var order []string
	note := func(who string) { order = append(order, who) }
	spec := transferSpec()
	spec.Check = func(_ context.Context, args transferArgs) error {
		note("check")
		if args.To == "nobody" {
			return jig.Invalid("/to", "no such account")
		}
		return nil
	}
	spec.Preview = func(context.Context, transferArgs) (string, error) { note("preview"); return "", nil }
	spec.Execute = func(context.Context, transferArgs) (string, error) { note("execute"); return "done", nil }
	var policy, answer jig.Decision
	r := registryOf(t, &jig.Options{
		Policy: func(context.Context, jig.PolicyRequest) jig.Decision { note("policy"); return policy },
		Approver: approving(func(context.Context, jig.ApprovalRequest) jig.Decision {
			note("approver")
			return answer
		}),
	}, jig.MustDefine(spec))
	for _, test := range []struct {
		name, args     string
		policy, answer jig.Decision
		want           string
		status         jig.Status
	}{
		{"all of them", `{"to":"bob","cents":1}`, jig.Allow(), jig.Allow(),
			"check policy preview approver execute", jig.StatusOK},
		{"invalid", `{"to":"bob","cents":0}`, jig.Allow(), jig.Allow(), "", jig.StatusInvalid},
		{"refused by Check", `{"to":"nobody","cents":1}`, jig.Allow(), jig.Allow(), "check", jig.StatusInvalid},
		{"denied by the policy", `{"to":"bob","cents":1}`, jig.Deny(""), jig.Allow(), "check policy",
			jig.StatusDenied},
		{"denied by the approver", `{"to":"bob","cents":1}`, jig.Allow(), jig.Deny(""),
			"check policy preview approver", jig.StatusDenied},
		{"rewritten", `{"to":"bob","cents":1}`, jig.Rewrite(json.RawMessage(`{"to":"eve","cents":2}`)), jig.Allow(),
			"check policy check preview approver execute", jig.StatusOK},
		{"pending", `{"to":"bob","cents":1}`, jig.Allow(), jig.Pending("t"),
			"check policy preview approver", jig.StatusPending},
	} {
		order, policy, answer = nil, test.policy, test.answer
		o := r.Call(t.Context(), jig.Call{ID: "1", Name: "transfer", Args: []byte(test.args)})
		require.Equal(t, test.want, strings.Join(order, " "), test.name)
		require.Equal(t, test.status, o.Status, test.name)
	}
}

func TestGateDecisions(t *testing.T) {
	const (
		no  = "transfer was not allowed to run. Do not call it again with these arguments; tell the user."
		bad = "transfer was not allowed to run: its arguments were replaced by others that are invalid. " +
			"Do not call it again; tell the user."
	)
	rewrite := func(args string) jig.Decision { return jig.Rewrite(json.RawMessage(args)) }
	long := strings.Repeat("long ", 100)
	for _, test := range []struct {
		name, code, text string
		policy           jig.Decision
		answer           jig.Decision
	}{
		{"allowed", "", "500 to bob", jig.Allow(), jig.Allow()},
		{"denied", "denied", no, jig.Deny(""), jig.Allow()},
		{"denied with a reason", "denied", "transfer was not allowed to run: use the bank's page\uFFFD.",
			jig.Deny("use the bank's page\xff."), jig.Allow()},
		{"zero", "denied", no, jig.Decision{}, jig.Allow()},
		{"a ticket from a policy", "denied", no, jig.Pending("ticket"), jig.Allow()},
		{"a long reason", "denied", "... [", jig.Deny(long), jig.Allow()},
		{"rewritten", "", "7 to eve", rewrite(`{"to":"eve","cents":7}`), jig.Allow()},
		{"rewritten to what is invalid", "invalid_rewrite", bad, rewrite(`{"to":"eve","cents":0}`), jig.Allow()},
		{"not mended", "invalid_rewrite", bad, rewrite(`{"to":"eve","cents":"7"}`), jig.Allow()},
		{"refused by Check", "invalid_rewrite", bad, rewrite(`{"to":"nobody","cents":7}`), jig.Allow()},
		{"a key twice", "invalid_rewrite", bad, rewrite(`{"to":"eve","to":"bob","cents":7}`), jig.Allow()},
		{"no JSON", "invalid_rewrite", bad, rewrite(`{"to`), jig.Allow()},
		{"nothing", "invalid_rewrite", bad, jig.Rewrite(nil), jig.Allow()},
		{"denied by the approver", "denied", "transfer was not allowed to run: not today", jig.Allow(),
			jig.Deny("not today")},
		{"zero of the approver", "denied", no, jig.Allow(), jig.Decision{}},
		{"asked back", "denied", no, jig.Allow(), jig.Ask()},
		{"no ticket", "denied", no, jig.Allow(), jig.Pending("")},
		{"edited into what is invalid", "invalid_rewrite", bad, jig.Allow(), rewrite(`{"to":"eve"}`)},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec := transferSpec()
			spec.MaxOutputBytes = 256
			spec.Check = func(_ context.Context, args transferArgs) error {
				if args.To == "nobody" {
					return jig.Invalid("/to", "no such account")
				}
				return nil
			}
			r := registryOf(t, &jig.Options{Policy: deciding(test.policy), Key: []byte("key"),
				Approver: approving(func(context.Context, jig.ApprovalRequest) jig.Decision { return test.answer }),
			}, jig.MustDefine(spec))
			prepared := r.Authorize(t.Context(), r.Prepare(transferCall))
			o := r.Render(prepared, r.Execute(t.Context(), prepared))
			require.Equal(t, test.code, o.Code)
			require.LessOrEqual(t, len(o.Text()), 256)
			if test.name == "a long reason" {
				require.Contains(t, o.Text(), "not allowed to run: long long")
			} else {
				require.Equal(t, test.text, o.Text())
			}
			require.False(t, o.Retryable)
			require.Empty(t, o.Ticket)
			require.Equal(t, test.code != "", errors.Is(o.Err, jig.ErrDenied))
			require.Equal(t, test.code != "", o.Status == jig.StatusDenied)
			require.Equal(t, test.policy.String() == "rewrite" || test.answer.String() == "rewrite",
				o.Repairs[len(o.Repairs)-1].Kind == "rewrite")
			// The same in another process.
			text, err := json.Marshal(prepared)
			require.NoError(t, err)
			var other jig.Prepared
			require.NoError(t, json.Unmarshal(text, &other))
			require.Equal(t, observed(o), observed(r.Render(other, r.Execute(t.Context(), other))))
		})
	}
}

// TestEditedArgumentsAreANewQuestion lets an approver change the arguments: policy and approver
// decide about the new ones.
func TestEditedArgumentsAreANewQuestion(t *testing.T) {
	var seen []string
	digests := map[string]bool{}
	edits := []string{`{"to":"eve","cents":7}`, `{"to":"eve","cents":8}`}
	r := registryOf(t, &jig.Options{
		Policy: func(_ context.Context, r jig.PolicyRequest) jig.Decision {
			require.Equal(t, "1", r.CallID)
			seen = append(seen, "policy "+string(r.Args))
			if strings.Contains(string(r.Args), "mallory") {
				return jig.Deny("not to mallory")
			}
			return jig.Allow()
		},
		Approver: approving(func(ctx context.Context, r jig.ApprovalRequest) jig.Decision {
			seen = append(seen, "approver "+string(jig.CallInfo(ctx).Call().Args))
			digests[r.Digest] = true
			if len(edits) == 0 {
				return jig.Allow()
			}
			edit := edits[0]
			edits = edits[1:]
			return jig.Rewrite(json.RawMessage(edit))
		}),
	}, jig.MustDefine(transferSpec()))
	const first = `{"to":"bob","cents":1}`
	o := r.Call(t.Context(), jig.Call{ID: "1", Name: "transfer", Args: []byte(first)})
	require.Equal(t, "8 to eve", o.Text())
	require.Equal(t, []string{
		`policy {"cents":1,"note":"none","to":"bob"}`, "approver " + first,
		`policy {"cents":7,"note":"none","to":"eve"}`, `approver {"cents":7,"note":"none","to":"eve"}`,
		`policy {"cents":8,"note":"none","to":"eve"}`, `approver {"cents":8,"note":"none","to":"eve"}`,
	}, seen)
	require.Len(t, digests, 3)

	edits = []string{`{"to":"mallory","cents":7}`}
	o = r.Call(t.Context(), jig.Call{ID: "1", Name: "transfer", Args: []byte(first)})
	require.Equal(t, "transfer was not allowed to run: not to mallory", o.Text())

	for range 1000 {
		edits = append(edits, first)
	}
	o = r.Call(t.Context(), jig.Call{ID: "1", Name: "transfer", Args: []byte(first)})
	require.Equal(t, "transfer was not allowed to run: its arguments were changed too often", o.Text())
	require.Equal(t, jig.StatusDenied, o.Status)
}

func TestPolicyAndApproverPanics(t *testing.T) {
	for _, test := range []struct {
		name string
		run  func() jig.Decision
	}{
		{"panic", func() jig.Decision { panic("secret") }},
		{"nil", func() jig.Decision { panic(nil) }},
		{"an error", func() jig.Decision { panic(jig.Errorf("secret")) }},
		{"Goexit", func() jig.Decision { runtime.Goexit(); return jig.Allow() }},
	} {
		for _, who := range []string{"policy", "approver"} {
			t.Run(who+" "+test.name, func(t *testing.T) {
				logger, lines := logTo()
				options := &jig.Options{Logger: logger}
				if who == "policy" {
					options.Policy = func(context.Context, jig.PolicyRequest) jig.Decision { return test.run() }
					options.Approver = approving(func(context.Context, jig.ApprovalRequest) jig.Decision {
						return jig.Allow()
					})
				} else {
					options.Approver = approving(func(context.Context, jig.ApprovalRequest) jig.Decision {
						return test.run()
					})
				}
				r := registryOf(t, options, jig.MustDefine(transferSpec()))
				contexts := []context.Context{t.Context()}
				if test.name != "Goexit" {
					contexts = append(contexts, context.Background()) // on this goroutine
				}
				for _, ctx := range contexts {
					o := r.Call(ctx, transferCall)
					require.Equal(t, "transfer was not run: it could not be decided whether it may. Reference: "+
						o.Ref+".", o.Text())
					require.Equal(t, jig.StatusDenied, o.Status)
					require.Equal(t, "panic", o.Code)
					require.False(t, o.Retryable)
					require.Zero(t, o.Attempts)
					require.ErrorIs(t, o.Err, jig.ErrDenied)
					require.ErrorIs(t, o.Err, jig.ErrPanic)
					require.Contains(t, o.Err.Error(), "goroutine ") // the stack, for the host
					require.NotContains(t, lines.String(), "secret")
					require.Contains(t, lines.String(), `"ref":"`+o.Ref+`"`)
				}
			})
		}
	}
	var none *nilApprover
	o := registryOf(t, &jig.Options{Approver: none}, jig.MustDefine(transferSpec())).Call(t.Context(), transferCall)
	require.Equal(t, "panic", o.Code)
	require.Equal(t, jig.StatusDenied, o.Status)
}

type nilApprover struct{ answer jig.Decision }

func (a *nilApprover) Approve(context.Context, jig.ApprovalRequest) jig.Decision { return a.answer }

func TestPreviewFailures(t *testing.T) {
	cause := errors.New("secret")
	for _, test := range []struct {
		name   string
		run    func() (string, error)
		status jig.Status
		code   string
		text   string
	}{
		{"plain", func() (string, error) { return "shown", cause }, jig.StatusFailed, "error", ""},
		{"panic", func() (string, error) { panic("secret") }, jig.StatusFailed, "panic", ""},
		{"Goexit", func() (string, error) { runtime.Goexit(); return "", nil }, jig.StatusFailed, "panic", ""},
		{"authored", func() (string, error) { return "", &jig.ToolError{Text: "Closed.", Err: cause} },
			jig.StatusFailed, "tool_error", "Closed."},
		{"for the model to correct", func() (string, error) { return "", jig.Errorf("Call list_accounts first.") },
			jig.StatusInvalid, "tool_error", "Call list_accounts first."},
	} {
		t.Run(test.name, func(t *testing.T) {
			logger, lines := logTo()
			spec := transferSpec()
			spec.Preview = func(context.Context, transferArgs) (string, error) { return test.run() }
			var requests []jig.ApprovalRequest
			r := registryOf(t, &jig.Options{Approver: asked(&requests), Logger: logger}, jig.MustDefine(spec))
			o := r.Call(t.Context(), transferCall)
			require.Equal(t, test.status, o.Status)
			require.Equal(t, test.code, o.Code)
			if test.text == "" {
				test.text = "The arguments of transfer could not be shown for approval, and nothing was run. " +
					"Reference: " + o.Ref + "."
				require.Contains(t, lines.String(), o.Ref)
			}
			require.Equal(t, test.text, o.Text())
			require.Empty(t, requests)
			require.Zero(t, o.Attempts)
			require.NotContains(t, lines.String(), "secret")
		})
	}
	// Where nobody is asked it does not run.
	spec := transferSpec()
	spec.Approval = jig.ApprovalNever
	spec.Preview = func(context.Context, transferArgs) (string, error) { panic("asked") }
	o := registryOf(t, &jig.Options{Policy: jig.CautiousPolicy}, jig.MustDefine(spec)).Call(t.Context(), transferCall)
	require.Equal(t, "500 to bob", o.Text())
}

// TestGateIsBounded gives each of those who stand before Execute an hour that nobody has.
func TestGateIsBounded(t *testing.T) {
	for _, test := range []struct {
		who       string
		cancelled bool // the caller cancels after 3s; else the tool's timeout of 5s has to end it
		after     time.Duration
		status    jig.Status
		code      string
	}{
		{"policy", false, 5 * time.Second, jig.StatusDenied, "timeout"},
		{"preview", false, 5 * time.Second, jig.StatusFailed, "timeout"},
		{"policy", true, 3 * time.Second, jig.StatusSkipped, "not_started"},
		{"approver", true, 3 * time.Second, jig.StatusSkipped, "not_started"},
		{"preview", true, 3 * time.Second, jig.StatusFailed, "cancelled"},
		{"approver", false, time.Hour, jig.StatusOK, ""}, // a person takes the time it takes
	} {
		t.Run(fmt.Sprint(test.who, " ", test.cancelled), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				wait := func(who string) {
					if who == test.who {
						time.Sleep(time.Hour)
					}
				}
				logger, lines := logTo()
				spec := transferSpec()
				spec.Timeout = 5 * time.Second
				spec.Preview = func(context.Context, transferArgs) (string, error) { wait("preview"); return "", nil }
				r := registryOf(t, &jig.Options{Logger: logger,
					Policy: func(context.Context, jig.PolicyRequest) jig.Decision { wait("policy"); return jig.Allow() },
					Approver: approving(func(context.Context, jig.ApprovalRequest) jig.Decision {
						wait("approver")
						return jig.Allow()
					}),
				}, jig.MustDefine(spec))
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				if test.cancelled {
					time.AfterFunc(3*time.Second, cancel)
				}
				start := time.Now()
				o := r.Call(ctx, transferCall)
				require.Equal(t, test.after, time.Since(start))
				require.Equal(t, test.status, o.Status)
				require.Equal(t, test.code, o.Code)
				if test.code == "timeout" && test.who == "policy" {
					require.ErrorIs(t, o.Err, jig.ErrTimeout)
					require.ErrorIs(t, o.Err, jig.ErrDenied)
				}
				if test.status != jig.StatusOK {
					require.Zero(t, o.Attempts)
					time.Sleep(2 * time.Hour)
					synctest.Wait()
					require.Contains(t, lines.String(), test.who+" returned after it was given up")
				}
			})
		})
	}
}

// TestNobodyIsAskedOnceTheRunHasEnded gives the gate a context that is done.
func TestNobodyIsAskedOnceTheRunHasEnded(t *testing.T) {
	for _, test := range []string{"before", "in Check", "in the policy", "in Preview"} {
		ctx, cancel := context.WithCancel(t.Context())
		if test == "before" {
			cancel()
		}
		spec := transferSpec()
		spec.Check = func(context.Context, transferArgs) error {
			require.NotEqual(t, "before", test)
			if test == "in Check" {
				cancel()
				<-ctx.Done()
			}
			return nil
		}
		spec.Preview = func(context.Context, transferArgs) (string, error) {
			require.Equal(t, "in Preview", test)
			cancel()
			return "", nil
		}
		spec.Execute = func(context.Context, transferArgs) (string, error) { panic("ran") }
		var requests []jig.ApprovalRequest
		r := registryOf(t, &jig.Options{Approver: asked(&requests),
			Policy: func(context.Context, jig.PolicyRequest) jig.Decision {
				require.Contains(t, []string{"in the policy", "in Preview"}, test)
				if test == "in the policy" {
					cancel()
				}
				return jig.Allow()
			}}, jig.MustDefine(spec))
		o := r.Call(ctx, transferCall)
		require.Contains(t, []jig.Status{jig.StatusSkipped, jig.StatusFailed}, o.Status, test)
		require.Contains(t, []string{"not_started", "cancelled"}, o.Code, test)
		require.Zero(t, o.Attempts)
		require.Empty(t, requests)
		// It is skipped, whatever the tool's approval is and though nobody could be asked.
		o = registryOf(t, nil, jig.MustDefine(spec)).Call(ctx, transferCall)
		require.Equal(t, jig.StatusSkipped, o.Status)
		cancel()
	}
}

func TestAuthorizeSkipsOnceTheRunHasEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var runs atomic.Int64 // no Check, no policy, nobody to be asked
	r := registryOf(t, nil, probe[anyArgs](&runs))
	require.Equal(t, jig.StatusSkipped, r.Authorize(ctx, r.Prepare(jig.Call{Name: "probe"})).Status())
}

func TestPending(t *testing.T) {
	r := registryOf(t, &jig.Options{Key: []byte("key"),
		Approver: approving(func(context.Context, jig.ApprovalRequest) jig.Decision { return jig.Pending("t-1") }),
	}, jig.MustDefine(transferSpec()))
	prepared := r.Authorize(t.Context(), r.Prepare(transferCall))
	require.Equal(t, jig.StatusPending, prepared.Status())
	text, err := json.Marshal(prepared)
	require.NoError(t, err)
	var other jig.Prepared
	require.NoError(t, json.Unmarshal(text, &other))
	for _, p := range []jig.Prepared{prepared, other, r.Authorize(t.Context(), other)} {
		o := r.Render(p, r.Execute(t.Context(), p))
		require.Equal(t, "transfer waits for the approval of a person and has not run yet. Its outcome will "+
			"be told later. Do not call it again; tell the user that it waits.", o.Text())
		require.Equal(t, jig.StatusPending, o.Status)
		require.Equal(t, "pending", o.Code)
		require.Equal(t, "t-1", o.Ticket)
		require.NotContains(t, o.Text()+fmt.Sprintf("%+v", o), "t-1") // the model gets no ticket
		require.True(t, o.IsError())
		require.False(t, o.Retryable)
		require.Zero(t, o.Attempts)
		require.ErrorIs(t, o.Err, jig.ErrPending)
		require.NotErrorIs(t, o.Err, jig.ErrDenied)
	}
}

// TestPendingInABatch holds one call, and gives each its outcome.
func TestPendingInABatch(t *testing.T) {
	tickets := 0
	r := registryOf(t, &jig.Options{
		Approver: approving(func(_ context.Context, r jig.ApprovalRequest) jig.Decision {
			tickets++
			return jig.Pending(fmt.Sprint("t-", tickets))
		}),
	}, jig.MustDefine(transferSpec()), kindOf("look", jig.EffectRead, jig.ApprovalUnset))
	other := transferCall
	other.ID = "call-2"
	outcomes := r.CallAll(transferContext(t.Context()), []jig.Call{
		{ID: "a", Name: "look"}, transferCall, {ID: "b", Name: "gone"}, other, {ID: "c", Name: "look"}})
	var got []string
	for _, o := range outcomes {
		got = append(got, o.CallID+" "+string(o.Status)+" "+o.Ticket)
	}
	require.Equal(t, []string{"a ok ", "call-1 pending t-1", "b invalid ", "call-2 pending t-2", "c ok "}, got)
}
