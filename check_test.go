package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

type checkArgs struct {
	City string   `json:"city"`
	Days int      `json:"days,omitempty"`
	Tags []string `json:"tags,omitempty"`
}

// checked returns a tool with a Check, and counts its runs.
func checked(runs *atomic.Int64, check func(context.Context, checkArgs) error) *jig.Tool {
	return jig.MustDefine(jig.Spec[checkArgs, string]{
		Name: "forecast", Description: "Call it in tests.", Check: check,
		Execute: func(_ context.Context, args checkArgs) (string, error) {
			runs.Add(1)
			return strings.Join(append(args.Tags, args.City), " "), nil
		},
	})
}

func TestCheckInvalidArguments(t *testing.T) {
	var runs atomic.Int64
	tool := checked(&runs, func(_ context.Context, args checkArgs) error {
		var wrong []error
		if args.Days > 7 {
			wrong = append(wrong, jig.Invalid("/days", "got 9, want at most 7: no forecast is longer"))
		}
		if args.City == "Atlantis" {
			wrong = append(wrong, fmt.Errorf("secret: %w", jig.Invalid("/city", "no such city")))
		}
		return errors.Join(wrong...)
	})
	got := tool.Call(t.Context(), json.RawMessage(`{"city":"Atlantis","days":9}`))
	require.Equal(t, `The arguments of forecast are invalid and nothing was run:
- "/city": no such city
- "/days": got 9, want at most 7: no forecast is longer
Correct them and call forecast again.`, got.Text())
	require.Equal(t, jig.StatusInvalid, got.Status)
	require.Equal(t, "invalid_arguments", got.Code)
	require.True(t, got.Retryable)
	require.Empty(t, got.Ref)
	require.Zero(t, got.Attempts)
	var invalid *jig.ValidationError
	require.ErrorAs(t, got.Err, &invalid)
	require.Equal(t, []jig.Problem{
		{Pointer: "/city", Keyword: "check", Message: "no such city"},
		{Pointer: "/days", Keyword: "check", Message: "got 9, want at most 7: no forecast is longer"},
	}, invalid.Problems)
	var where *jig.CallError
	require.ErrorAs(t, got.Err, &where)
	require.Equal(t, "check", where.Stage)
	require.Zero(t, runs.Load())
	require.Equal(t, "Oslo", tool.Call(t.Context(), json.RawMessage(`{"city":"Oslo"}`)).Text())
}

func TestCheckErrors(t *testing.T) {
	cause := errors.New("pq: password wrong")
	for _, test := range []struct {
		name      string
		err       error
		status    jig.Status
		code      string
		text      string
		retryable bool
	}{
		{"Errorf", jig.Errorf("no city %q; call list_cities first", "x"), jig.StatusInvalid, "tool_error",
			`no city "x"; call list_cities first`, true},
		{"authored and final", &jig.ToolError{Text: "Closed for good.", Code: "closed", Err: cause},
			jig.StatusFailed, "closed", "Closed for good.", false},
		{"plain", cause, jig.StatusFailed, "error",
			"The arguments of forecast could not be checked, and nothing was run. Reference: ", false},
		{"cancelled by itself", context.Canceled, jig.StatusFailed, "cancelled", "Reference: ", false},
		{"a ValidationError of something else", &jig.ValidationError{
			Problems: []jig.Problem{{Message: "secret"}}}, jig.StatusFailed, "error", "Reference: ", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var runs atomic.Int64
			logger, lines := logTo()
			r := registryOf(t, &jig.Options{Logger: logger}, checked(&runs,
				func(context.Context, checkArgs) error { return test.err }))
			got := r.Call(t.Context(), jig.Call{ID: "1", Name: "forecast", Args: []byte(`{"city":"x"}`)})
			require.Equal(t, test.status, got.Status)
			require.Equal(t, test.code, got.Code)
			require.Contains(t, got.Text(), test.text)
			require.NotContains(t, got.Text(), "password")
			require.NotContains(t, got.Text(), "secret")
			require.Equal(t, test.retryable, got.Retryable)
			require.ErrorIs(t, got.Err, test.err)
			require.Zero(t, runs.Load())
			require.Equal(t, got.Ref != "", strings.Contains(lines.String(), `"stage":"check"`), lines.String())
			require.NotContains(t, lines.String(), "password")
		})
	}
}

func TestCheckPanics(t *testing.T) {
	for name, check := range map[string]func(context.Context, checkArgs) error{
		"panic":  func(context.Context, checkArgs) error { panic("secret") },
		"goexit": func(context.Context, checkArgs) error { runtime.Goexit(); return nil },
	} {
		var runs atomic.Int64
		got := registryOf(t, nil, checked(&runs, check)).Call(t.Context(),
			jig.Call{Name: "forecast", Args: []byte(`{"city":"x"}`)})
		require.Equal(t, jig.StatusFailed, got.Status, name)
		require.Equal(t, "panic", got.Code)
		require.ErrorIs(t, got.Err, jig.ErrPanic)
		require.NotContains(t, got.Text(), "secret")
		require.Zero(t, runs.Load())
	}
}

func TestCheckIsBounded(t *testing.T) {
	stuck := make(chan struct{})
	defer close(stuck)
	var runs atomic.Int64
	tool := checked(&runs, func(context.Context, checkArgs) error { <-stuck; return nil })
	logger := slog.New(slog.DiscardHandler)
	r := registryOf(t, &jig.Options{Timeout: 20 * time.Millisecond, Logger: logger}, tool)
	got := r.Call(context.Background(), jig.Call{Name: "forecast", Args: []byte(`{"city":"x"}`)})
	require.Equal(t, jig.StatusFailed, got.Status)
	require.Equal(t, "timeout", got.Code)
	require.ErrorIs(t, got.Err, jig.ErrTimeout)
	require.Contains(t, got.Text(),
		"The arguments of forecast could not be checked in time (20ms), and nothing was run.")

	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	got = registryOf(t, nil, tool).Call(ctx, jig.Call{Name: "forecast", Args: []byte(`{"city":"x"}`)})
	require.Equal(t, "cancelled", got.Code)
	require.ErrorIs(t, got.Err, context.Canceled)

	got = registryOf(t, nil, tool).Call(ctx, jig.Call{Name: "forecast", Args: []byte(`{"city":"x"}`)})
	require.Equal(t, jig.StatusSkipped, got.Status, "on a context that is done nothing starts")
	require.Zero(t, runs.Load())
}

// TestCheckRunsBeforeApproval shows that nobody is asked about a call that Check refuses.
func TestCheckRunsBeforeApproval(t *testing.T) {
	tool := jig.MustDefine(jig.Spec[checkArgs, string]{
		Name: "forecast", Description: "Call it in tests.", Approval: jig.ApprovalAlways,
		Check: func(_ context.Context, args checkArgs) error {
			if args.City == "" {
				return jig.Invalid("/city", "is empty")
			}
			return nil
		},
		Execute: func(context.Context, checkArgs) (string, error) { return "", nil },
	})
	require.Equal(t, jig.StatusInvalid, tool.Call(t.Context(), []byte(`{"city":""}`)).Status)
	require.Equal(t, jig.StatusDenied, tool.Call(t.Context(), []byte(`{"city":"x"}`)).Status)
}

// TestCheckHasArgumentsOfItsOwn shows that what Check changes never reaches Execute, and what it is
// told about the call.
func TestCheckHasArgumentsOfItsOwn(t *testing.T) {
	var runs atomic.Int64
	var seen string
	r := registryOf(t, nil, checked(&runs, func(ctx context.Context, args checkArgs) error {
		info := jig.CallInfo(ctx)
		seen = fmt.Sprint(info.Tool(), " ", info.CallID(), " ", info.Caller().UserID, " ", string(info.Args()))
		args.Tags[0] = "changed"
		return nil
	}))
	ctx := jig.WithCaller(t.Context(), jig.Caller{UserID: "ann"})
	got := r.Call(ctx, jig.Call{ID: "7", Name: "forecast", Args: []byte(`{"tags":["a"],"city":"Oslo"}`)})
	require.Equal(t, "a Oslo", got.Text())
	require.Equal(t, `forecast 7 ann {"city":"Oslo","tags":["a"]}`, seen)
}

// TestCheckedCallsTravel shows a call that Check settled, and one that it let pass, as JSON: Check
// runs where the call is authorized and nowhere else.
func TestCheckedCallsTravel(t *testing.T) {
	var runs, checks atomic.Int64
	r := registryOf(t, nil, checked(&runs, func(_ context.Context, args checkArgs) error {
		checks.Add(1)
		if args.City == "Atlantis" {
			return jig.Invalid("/city", "no such city")
		}
		return nil
	}))
	bad := r.Authorize(t.Context(), preparedOf(t, r.Prepare(
		jig.Call{Name: "forecast", Args: []byte(`{"city":"Atlantis"}`)})))
	want := r.Render(bad, r.Execute(t.Context(), bad))
	again := preparedOf(t, bad)
	require.Equal(t, jig.StatusInvalid, again.Status())
	got := r.Render(again, r.Execute(t.Context(), again))
	require.Equal(t, want.Text(), got.Text())
	var invalid *jig.ValidationError
	require.ErrorAs(t, got.Err, &invalid)
	require.Len(t, invalid.Problems, 1)
	require.EqualValues(t, 1, checks.Load())

	good := preparedOf(t, r.Authorize(t.Context(), r.Prepare(
		jig.Call{Name: "forecast", Args: []byte(`{"city":"Oslo"}`)})))
	require.Equal(t, jig.StatusOK, r.Render(good, r.Execute(t.Context(), good)).Status)
	require.EqualValues(t, 2, checks.Load())
	require.EqualValues(t, 1, runs.Load())
}

// repairLine is the last line of an outcome that says stop.
const repairLine = "\nDo not call probe again with these arguments; tell the user what is missing."

func TestRepairOnce(t *testing.T) {
	bad, good := jig.Call{ID: "1", Name: "probe", Args: []byte(`{"n":"x"}`)},
		jig.Call{ID: "2", Name: "probe", Args: []byte(`{"n":1}`)}
	type nArgs struct {
		N int `json:"n"`
	}
	const problem = "The arguments of probe are invalid and nothing was run:\n" +
		`- "/n": got string "x", want integer`
	for _, test := range []struct {
		name   string
		mode   jig.RepairMode
		first  jig.Call
		answer *jig.Call // nil: ask returns false
		asked  int
		runs   int64
		status jig.Status
		text   string
	}{
		{"valid at once", jig.RepairSafe, good, nil, 0, 1, jig.StatusOK, `{"n":1}`},
		{"corrected", jig.RepairSafe, bad, &good, 1, 1, jig.StatusOK, `{"n":1}`},
		{"corrected with mending off", jig.RepairOff, bad, &good, 1, 1, jig.StatusOK, `{"n":1}`},
		{"wrong twice", jig.RepairSafe, bad, &bad, 1, 0, jig.StatusInvalid, problem + repairLine},
		{"given up", jig.RepairSafe, bad, nil, 1, 0, jig.StatusInvalid, problem + repairLine},
		{"never", jig.RepairNever, bad, &good, 0, 0, jig.StatusInvalid, problem + repairLine},
		{"cut off", jig.RepairSafe, jig.Call{Name: "probe", Args: []byte(`{"n":`)}, nil, 1, 0,
			jig.StatusInvalid, "The arguments of probe were cut off before they were complete, and nothing " +
				"was run." + repairLine},
		{"unknown tool", jig.RepairSafe, jig.Call{Name: "prode"}, nil, 1, 0, jig.StatusInvalid,
			`unknown tool: "prode"; did you mean "probe"?` + "\nDo not call it again; tell the user."},
	} {
		t.Run(test.name, func(t *testing.T) {
			var runs atomic.Int64
			r := registryOf(t, nil, jig.MustDefine(jig.Spec[nArgs, string]{
				Name: "probe", Description: "Call it in tests.", Repair: test.mode,
				Execute: func(ctx context.Context, _ nArgs) (string, error) {
					runs.Add(1)
					return string(jig.CallInfo(ctx).Args()), nil
				},
			}))
			asked := 0
			got := r.RepairOnce(t.Context(), test.first, func(_ context.Context, o jig.Outcome) (jig.Call, bool) {
				asked++
				require.Equal(t, jig.StatusInvalid, o.Status)
				require.True(t, o.Retryable)
				require.Equal(t, test.first.ID, o.CallID)
				require.Zero(t, runs.Load(), "nothing has run in between")
				if test.answer == nil {
					return jig.Call{}, false
				}
				return *test.answer, true
			})
			require.Equal(t, test.status, got.Status)
			require.Equal(t, test.text, got.Text())
			require.Equal(t, test.asked, asked)
			require.Equal(t, test.runs, runs.Load())
			require.False(t, got.Retryable)
			require.Equal(t, got.Status != jig.StatusOK, got.Err != nil)
		})
	}
}

// TestRepairOnceAsksAboutArgumentsOnly shows failures that are never asked about, and that what Check
// says of the arguments is.
func TestRepairOnceAsksAboutArgumentsOnly(t *testing.T) {
	call := jig.Call{Name: "forecast", Args: []byte(`{"city":"x"}`)}
	never := func(context.Context, jig.Outcome) (jig.Call, bool) {
		t.Error("asked")
		return jig.Call{}, false
	}
	failed := jig.MustDefine(jig.Spec[checkArgs, string]{Name: "forecast", Description: "x",
		Execute: func(context.Context, checkArgs) (string, error) { return "", jig.Errorf("again") }})
	got := registryOf(t, nil, failed).RepairOnce(t.Context(), call, never)
	require.Equal(t, jig.StatusFailed, got.Status)
	require.True(t, got.Retryable)
	denied := jig.MustDefine(jig.Spec[checkArgs, string]{Name: "forecast", Description: "x",
		Approval: jig.ApprovalAlways,
		Execute:  func(context.Context, checkArgs) (string, error) { return "", nil }})
	got = registryOf(t, nil, denied).RepairOnce(t.Context(), call, never)
	require.Equal(t, jig.StatusDenied, got.Status)

	var runs atomic.Int64
	r := registryOf(t, nil, checked(&runs, func(_ context.Context, args checkArgs) error {
		if args.City == "x" {
			return jig.Errorf("no such city")
		}
		return nil
	}))
	got = r.RepairOnce(t.Context(), call, func(_ context.Context, o jig.Outcome) (jig.Call, bool) {
		require.Equal(t, "no such city", o.Text())
		return jig.Call{Name: "forecast", Args: []byte(`{"city":"Oslo"}`)}, true
	})
	require.Equal(t, "Oslo", got.Text())
}

func TestRepairOncePanicInAsk(t *testing.T) {
	var runs atomic.Int64
	r := registryOf(t, nil, probe[checkArgs](&runs))
	got := r.RepairOnce(t.Context(), jig.Call{ID: "1", Name: "probe", Args: []byte(`{}`)},
		func(context.Context, jig.Outcome) (jig.Call, bool) { panic("secret") })
	require.Equal(t, jig.StatusFailed, got.Status)
	require.Equal(t, "panic", got.Code)
	require.Equal(t, "1", got.CallID)
	require.Equal(t, "The arguments of probe could not be corrected, and nothing was run. Reference: "+
		got.Ref+".", got.Text())
	require.ErrorIs(t, got.Err, jig.ErrPanic)
	require.False(t, got.Retryable)
	require.Zero(t, runs.Load())
}
