package jig_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// planted is what each tool of the leak test has and nobody but the host may see.
const planted = "hunter2"

type (
	leakInner struct {
		Seen   string
		Secret string `jig:"redact"`
		Hidden string `jig:"hidden"`
	}
	leakResult struct {
		ID    int
		Inner leakInner
		Any   any
		Plain string
		Rows  []string
	}
	leakMarshaler struct{ panics bool }
	leakError     struct {
		Secret string `json:"secret"`
	}
)

func (e leakError) Error() string { return e.Secret }

func (m leakMarshaler) MarshalJSON() ([]byte, error) {
	if m.panics {
		panic(planted)
	}
	return nil, errors.New(planted)
}

var errDSN = fmt.Errorf("query: %w", errors.New("dial postgres://app:"+planted+"@db/orders"))

// leaks are tools that each have the secret in one place. A tool's own fields are set by change.
func leaks() map[string]func(*jig.Spec[struct{}, leakResult]) {
	give := func(r leakResult, err error) func(context.Context, struct{}) (leakResult, error) {
		return func(context.Context, struct{}) (leakResult, error) { return r, err }
	}
	type spec = jig.Spec[struct{}, leakResult]
	type shape = func(context.Context, leakResult) (jig.Output, error)
	plain := leakResult{ID: 1, Plain: planted}
	shaped := func(r leakResult, f shape) func(*spec) {
		return func(s *spec) { s.Execute, s.ToModelOutput = give(r, nil), f }
	}
	long := make([]string, 500)
	return map[string]func(*spec){
		"hidden field":   func(s *spec) { s.Execute = give(leakResult{Inner: leakInner{Hidden: planted}}, nil) },
		"redacted field": func(s *spec) { s.Execute = give(leakResult{Inner: leakInner{Secret: planted}}, nil) },
		"hidden field in any": func(s *spec) {
			s.Execute = give(leakResult{Any: map[string]any{"x": []any{&leakInner{Hidden: planted}}}}, nil)
		},
		"redacted field in any": func(s *spec) {
			s.Execute = give(leakResult{Any: []*leakInner{{Secret: planted}}}, nil)
		},
		"unprojected field": func(s *spec) { s.Execute, s.Project = give(plain, nil), []string{"ID", "Inner"} },
		"redacted path":     func(s *spec) { s.Execute, s.Redact = give(plain, nil), []string{"Plain"} },
		"redacted path in any": func(s *spec) {
			s.Execute = give(leakResult{Any: map[string]any{"list": []any{map[string]string{"k": planted}}}}, nil)
			s.Redact = []string{"Any.list[].k"}
		},
		"error in any": func(s *spec) {
			s.Execute = give(leakResult{Any: &fs.PathError{Op: "open", Path: planted, Err: errDSN}}, nil)
		},
		"error in a result": func(s *spec) {
			s.Execute = give(leakResult{Any: map[string]error{"e": leakError{Secret: planted}}}, nil)
		},
		"failing ToModelOutput": shaped(plain, func(_ context.Context, r leakResult) (jig.Output, error) {
			return jig.Text(r.Plain), errors.New(r.Plain)
		}),
		"authored error of ToModelOutput": shaped(plain, func(_ context.Context, r leakResult) (jig.Output, error) {
			return jig.Output{}, &jig.ToolError{Text: r.Plain, Code: r.Plain}
		}),
		"panic in ToModelOutput": shaped(plain, func(_ context.Context, r leakResult) (jig.Output, error) { panic(r.Plain) }),
		"broken JSON of ToModelOutput": shaped(plain, func(_ context.Context, r leakResult) (jig.Output, error) {
			return jig.Output{Parts: []jig.Part{{Text: r.Plain}, {JSON: []byte(`["` + r.Plain)}}}, nil
		}),
		"unprojected view": func(s *spec) {
			shaped(plain, func(_ context.Context, r leakResult) (jig.Output, error) {
				return jig.JSON(map[string]string{"a": "x", "b": r.Plain})
			})(s)
			s.Project = []string{"a"}
		},
		"text where paths are": func(s *spec) {
			shaped(plain, func(_ context.Context, r leakResult) (jig.Output, error) { return jig.Text(r.Plain), nil })(s)
			s.Project = []string{"ID"}
		},
		"redacted path of a view": func(s *spec) {
			shaped(plain, func(_ context.Context, r leakResult) (jig.Output, error) {
				return jig.JSON([]any{map[string]string{"b": r.Plain}})
			})(s)
			s.Redact = []string{"[].b"}
		},
		"panic in Execute": func(s *spec) {
			s.Execute = func(context.Context, struct{}) (leakResult, error) { panic(errDSN) }
		},
		"wrapped DSN error": func(s *spec) { s.Execute = give(leakResult{}, errDSN) },
		"error in an authored text": func(s *spec) {
			s.Execute = give(leakResult{}, jig.Errorf("No rows: %v, %+v", errDSN, []error{errDSN}))
		},
		"cause of an authored error": func(s *spec) {
			s.Execute = give(leakResult{}, &jig.ToolError{Text: "No rows.", Err: errDSN})
		},
		"result beside an error":    func(s *spec) { s.Execute = give(plain, errors.New("no")) },
		"marshaler that fails":      func(s *spec) { s.Execute = give(leakResult{Any: leakMarshaler{}}, nil) },
		"marshaler that panics":     func(s *spec) { s.Execute = give(leakResult{Any: leakMarshaler{true}}, nil) },
		"no JSON form, at a secret": func(s *spec) { s.Execute = give(leakResult{Any: map[string]any{planted: math.NaN()}}, nil) },
		"value that the schema by hand refuses": func(s *spec) {
			s.Execute = give(leakResult{Plain: planted}, nil)
			s.OutputSchema = jig.MustParseSchema(`{"type":"object","properties":{"Plain":{"enum":["x"]}}}`)
		},
		"stored, redacted": func(s *spec) {
			s.Execute = give(leakResult{Rows: long, Inner: leakInner{Secret: planted}, Plain: planted}, nil)
			s.Redact, s.Overflow = []string{"Plain"}, jig.OverflowStore
		},
		"stored, unprojected": func(s *spec) {
			s.Execute = give(leakResult{Rows: long, Plain: planted, Inner: leakInner{Hidden: planted}}, nil)
			s.Project, s.Overflow = []string{"Rows", "Inner"}, jig.OverflowStore
		},
		"too large to be shown": func(s *spec) {
			s.Execute, s.Overflow = give(leakResult{Rows: append(long, planted)}, nil), jig.OverflowError
		},
		"reported progress": func(s *spec) {
			s.Execute = func(ctx context.Context, _ struct{}) (leakResult, error) {
				jig.ReportProgress(ctx, map[string]any{"step": leakInner{"x", planted, planted}, "err": errDSN})
				return leakResult{Inner: leakInner{Secret: planted}}, nil
			}
		},
		"attached file": func(s *spec) {
			s.Execute = func(ctx context.Context, _ struct{}) (leakResult, error) {
				jig.Attach(ctx, jig.Attachment{Name: planted, Data: []byte(planted)})
				return leakResult{}, nil
			}
		},
	}
}

// inClear are the fields of an Outcome that are for the host alone.
var inClear = map[string]bool{"Value": true, "Err": true, "Attachments": true}

// texts appends every string and byte slice that v holds, found by reflection.
func texts(out *bytes.Buffer, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		fmt.Fprintln(out, v.String())
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			texts(out, v.Elem())
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			fmt.Fprintln(out, string(v.Bytes()))
			return
		}
		for i := range v.Len() {
			texts(out, v.Index(i))
		}
	case reflect.Map:
		for iter := v.MapRange(); iter.Next(); {
			texts(out, iter.Key())
			texts(out, iter.Value())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type() != reflect.TypeFor[jig.Outcome]() || !inClear[v.Type().Field(i).Name] {
				texts(out, v.Field(i))
			}
		}
	}
}

// TestNothingLeaks plants a secret in one place after the other and looks for it wherever anything
// comes out of a call.
func TestNothingLeaks(t *testing.T) {
	require.GreaterOrEqual(t, len(leaks()), 20)
	for name, plant := range leaks() {
		t.Run(name, func(t *testing.T) {
			store := &memoryStore{}
			logger, lines := logTo()
			var out bytes.Buffer
			options := &jig.Options{Logger: logger, Artifacts: store, Timeout: time.Minute, MaxOutputBytes: 1000,
				Progress: func(_ context.Context, p jig.Progress) { texts(&out, reflect.ValueOf(p)) }}
			spec := jig.Spec[struct{}, leakResult]{Name: "probe", Description: "Call it in tests."}
			plant(&spec)
			r := registryOf(t, options, jig.MustDefine(spec))
			p := r.Authorize(t.Context(), r.Prepare(jig.Call{ID: "1", Name: "probe"}))
			e := r.Execute(t.Context(), p)
			o := r.Render(p, e)

			host := fmt.Sprintf("%v %+v", o.Err, o.Value)
			for _, a := range o.Attachments {
				host += string(a.Data)
			}
			if !strings.Contains(name, "in any") { // there the secret is behind a pointer
				require.Contains(t, host, planted, "the host sees all")
			}

			texts(&out, reflect.ValueOf(o))
			for _, v := range []any{o, e, o.Output} {
				raw, err := json.Marshal(v)
				require.NoError(t, err)
				out.Write(raw)
			}
			for _, v := range []any{o, e, p, []any{o, e, p}, &o, &e, struct {
				O jig.Outcome
				E jig.Executed
			}{o, e}} {
				fmt.Fprintf(&out, "%v %+v %#v\n", v, v, v)
				slog.New(slog.NewTextHandler(&out, nil)).Info("call", "v", v)
				slog.New(slog.NewJSONHandler(&out, nil)).Info("call", "v", v)
			}
			for key, a := range store.items {
				fmt.Fprintln(&out, key, a.MIME, string(a.Data))
			}
			out.WriteString(lines.String())
			require.NotContains(t, out.String(), planted)
			if spec.Overflow == jig.OverflowStore {
				require.Len(t, store.items, 1)
			}
		})
	}
}

// TestExposeErrorsAndLogCauses has what a host can ask for, and what stays masked all the same.
func TestExposeErrorsAndLogCauses(t *testing.T) {
	for _, test := range []struct {
		name          string
		plant         string
		shown, logged string // empty: neither the model nor the log has the cause
	}{
		{"plain error", "wrapped DSN error", "Error: query: dial postgres://app:hunter2@db/orders",
			`"cause":"query: dial postgres://app:hunter2@db/orders"`},
		{"panic", "panic in Execute", "Error: panic: query: dial postgres://app:hunter2@db/orders",
			`"cause":"panic: query: dial postgres://app:hunter2@db/orders"`},
		{"ToModelOutput", "failing ToModelOutput", "", ""},
		{"panic in ToModelOutput", "panic in ToModelOutput", "", ""},
		{"encoding", "no JSON form, at a secret", "", ""},
	} {
		for _, on := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%t", test.name, on), func(t *testing.T) {
				logger, lines := logTo()
				spec := jig.Spec[struct{}, leakResult]{Name: "probe", Description: "Call it in tests.", Effect: jig.EffectRead}
				leaks()[test.plant](&spec)
				got := registryOf(t, &jig.Options{Logger: logger, ExposeErrors: on, LogCauses: on}, jig.MustDefine(spec)).
					Call(t.Context(), jig.Call{ID: "1", Name: "probe"})
				require.False(t, got.Retryable && got.Code != "tool_error")
				if !on || test.shown == "" {
					require.NotContains(t, got.Text()+lines.String(), planted)
					return
				}
				require.Equal(t, "probe failed; the details are not available here. Reference: "+got.Ref+".\n"+test.shown, got.Text())
				require.Contains(t, lines.String(), test.logged)
				require.Contains(t, lines.String(), got.Ref)
			})
		}
	}
	// An error whose text cannot be had is a line all the same.
	logger, lines := logTo()
	var none *secretError
	got := registryOf(t, &jig.Options{Logger: logger, ExposeErrors: true, LogCauses: true},
		failing("bad", jig.EffectRead, fmt.Errorf("x: %w", &panicError{none}))).Call(t.Context(), jig.Call{ID: "1", Name: "bad"})
	require.Contains(t, got.Text(), "Reference: "+got.Ref+".")
	require.Contains(t, lines.String(), got.Ref)
}

// TestStacksOfInnerCalls are for the host alone, whatever a tool makes of them.
func TestStacksOfInnerCalls(t *testing.T) {
	inner := registryOf(t, &jig.Options{Logger: quiet}, runOf("inner", func(context.Context, struct{}) (string, error) {
		panic(fmt.Errorf("broken: %w", errors.New("pipe")))
	}))
	broken := func(t *testing.T) error { return inner.Call(t.Context(), jig.Call{Name: "inner"}).Err }
	for name, err := range map[string]error{
		"as it is": broken(t), "wrapped": fmt.Errorf("inner: %w", broken(t)), "joined": errors.Join(broken(t), broken(t)),
	} {
		logger, lines := logTo()
		got := registryOf(t, &jig.Options{Logger: logger, ExposeErrors: true, LogCauses: true},
			failing("outer", jig.EffectRead, err)).Call(t.Context(), jig.Call{ID: "1", Name: "outer"})
		require.Contains(t, got.Text(), "panic: broken: pipe", name)
		require.NotContains(t, got.Text()+lines.String(), "goroutine ", name)
		require.Contains(t, got.Err.Error(), "goroutine ", name)
	}
}

type panicError struct{ inner *secretError }

func (e *panicError) Error() string { return e.inner.Hidden } // dereferences nil
