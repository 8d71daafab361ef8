package jig_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

func TestAttach(t *testing.T) {
	data := []byte("hunter2")
	tool := runOf("render", func(ctx context.Context, _ struct{}) (string, error) {
		jig.Attach(ctx, jig.Attachment{Name: "hunter2.pdf", MIME: "application/pdf", Data: data})
		data[0] = 'X' // what was given is a copy
		jig.Attach(ctx, jig.Attachment{Name: "b"})
		if len(data) == 0 {
			return "", errors.New("x")
		}
		return "done", nil
	})
	r := registryOf(t, nil, tool)
	p := r.Authorize(t.Context(), r.Prepare(jig.Call{ID: "1", Name: "render"}))
	e := r.Execute(t.Context(), p)
	got := r.Render(p, e)
	require.Equal(t, []jig.Attachment{{"hunter2.pdf", "application/pdf", []byte("hunter2")}, {Name: "b"}}, got.Attachments)
	require.Equal(t, "done", got.Text())
	raw, err := json.Marshal([]any{got, e, got.Output})
	require.NoError(t, err)
	require.NotContains(t, string(raw)+fmt.Sprintf("%v %+v %#v %v", got, got, got, e), "hunter2")
	require.Equal(t, `Attachment("b" "" 0 bytes)`, fmt.Sprintf("%+v", got.Attachments[1]))
	require.NotContains(t, fmt.Sprintf("%x %#v", got.Attachments[0].Data[:0], got.Attachments[0]), "hunter2\"}")
	jig.Attach(t.Context(), jig.Attachment{Name: "outside"}) // dropped

	// A failed call keeps what it attached.
	failed := registryOf(t, nil, runOf("render", func(ctx context.Context, _ struct{}) (string, error) {
		jig.Attach(ctx, jig.Attachment{Name: "log.txt"})
		return "", errors.New("x")
	})).Call(t.Context(), jig.Call{Name: "render"})
	require.Len(t, failed.Attachments, 1)
}

func TestLateAttachmentsAndReportsAreDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reports := 0
		r := registryOf(t, &jig.Options{Timeout: time.Second, Progress: func(context.Context, jig.Progress) { reports++ }},
			runOf("slow", func(ctx context.Context, _ struct{}) (string, error) {
				jig.Attach(ctx, jig.Attachment{Name: "in time"})
				jig.ReportProgress(ctx, 1)
				time.Sleep(time.Minute)
				jig.Attach(ctx, jig.Attachment{Name: "late"})
				jig.ReportProgress(ctx, 2)
				return "", nil
			}))
		got := r.Call(context.Background(), jig.Call{Name: "slow"})
		require.Equal(t, "timeout", got.Code)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		require.Equal(t, []jig.Attachment{{Name: "in time"}}, got.Attachments)
		require.Equal(t, 1, reports)
	})
}

func TestReportProgress(t *testing.T) {
	type step struct {
		Done   int    `json:"done"`
		Secret string `json:"secret" jig:"redact"`
		Hidden string `json:"hidden" jig:"hidden"`
	}
	tool := runOf("work", func(ctx context.Context, _ struct{}) (string, error) {
		jig.ReportProgress(ctx, step{1, "hunter2", "hunter2"})
		jig.ReportProgress(ctx, strings.Repeat("x", 10_000))
		jig.ReportProgress(ctx, make([]int, 10_000))
		jig.ReportProgress(ctx, math.NaN())  // no JSON form
		jig.ReportProgress(ctx, panicJSON{}) // a method that panics
		for i := range 2000 {
			jig.ReportProgress(ctx, i)
		}
		return "done", nil
	})
	var got []jig.Progress
	keep := func(ctx context.Context, p jig.Progress) {
		require.Equal(t, "ada", jig.CallInfo(ctx).Caller().UserID)
		got = append(got, p)
		if len(got)%2 == 0 {
			panic("a listener that fails")
		}
	}
	ctx := jig.WithCaller(t.Context(), jig.Caller{UserID: "ada"})
	o := registryOf(t, &jig.Options{Progress: keep}, tool).Call(ctx, jig.Call{ID: "1", Name: "work"})
	require.Equal(t, "done", o.Text())
	require.Len(t, got, 998) // of the first thousand, two have no form
	require.Equal(t, jig.Progress{CallID: "1", Tool: "work", Value: []byte(`{"done":1,"secret":"[redacted]"}`)}, got[0])
	for _, p := range got {
		require.True(t, json.Valid(p.Value))
		require.LessOrEqual(t, len(p.Value), 4<<10)
	}
	// Without a listener it is dropped, and outside a call too.
	require.Equal(t, "done", registryOf(t, nil, tool).Call(ctx, jig.Call{Name: "work"}).Text())
	jig.ReportProgress(ctx, 1)
}

func TestMaxOutputBytesOfACall(t *testing.T) {
	tool := runOf("room", func(ctx context.Context, _ struct{}) (string, error) {
		return fmt.Sprint(jig.CallInfo(ctx).MaxOutputBytes()), nil
	})
	for want, options := range map[string]*jig.Options{"51200": nil, "300": {MaxOutputBytes: 300},
		"400": {MaxOutputBytes: 500, MaxOutputTokens: 100}, "500": {MaxOutputBytes: 500, MaxOutputTokens: 1000}} {
		require.Equal(t, want, registryOf(t, options, tool).Call(t.Context(), jig.Call{Name: "room"}).Text())
	}
	require.Zero(t, jig.CallInfo(t.Context()).MaxOutputBytes())
}
