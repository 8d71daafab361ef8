package jig_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// FuzzCap runs any text, and as JSON where it is some, through the caps, and compares what comes out
// with what went in.
func FuzzCap(f *testing.F) {
	f.Add([]byte(`{"rows":[1,2,3],"next":"tok"}`), uint16(256), uint16(0))
	f.Add([]byte(`[[`+strings.Repeat(`{"a":"é","b":[1,2]},`, 60)+`1]]`), uint16(300), uint16(90))
	f.Add([]byte(strings.Repeat(`"世😀\u0000`, 100)), uint16(256), uint16(64))
	f.Add([]byte(`{"a":"`+strings.Repeat("x", 500)+`"}`), uint16(260), uint16(0))
	f.Add([]byte(`[`+strings.Repeat(`1,`, 400)+`{"omitted":5,"total":405}]`), uint16(256), uint16(0))
	f.Fuzz(func(t *testing.T, data []byte, limit, tokens uint16) {
		cap := max(256, int(limit))
		r := jig.NewRegistry(&jig.Options{MaxOutputBytes: cap, MaxOutputTokens: int(tokens)})
		var out jig.Output
		if err := r.Add(jig.MustDefine(jig.Spec[struct{}, int]{
			Name: "give", Description: "Call it in tests.",
			Execute:       func(context.Context, struct{}) (int, error) { return 7, nil },
			ToModelOutput: func(context.Context, int) (jig.Output, error) { return out, nil },
		})); err != nil {
			t.Fatal(err)
		}
		outputs := []jig.Output{jig.Text(string(data))}
		if json.Valid(data) {
			outputs = append(outputs, jig.Output{Parts: []jig.Part{{JSON: data}}})
		}
		for _, out = range outputs {
			first := r.Call(t.Context(), jig.Call{Name: "give"})
			if first.Status != jig.StatusOK {
				require.NotNil(t, out.Parts[0].JSON) // a key twice, for instance
				continue
			}
			checkCapped(t, out, first, cap, int(tokens))
			out = first.Output
			again := r.Call(t.Context(), jig.Call{Name: "give"})
			require.Equal(t, first.Output, again.Output, "capping twice")
			require.Nil(t, again.Cut)
		}
	})
}

func checkCapped(t *testing.T, in jig.Output, o jig.Outcome, limit, tokens int) {
	t.Helper()
	text := o.Text()
	require.LessOrEqual(t, len(text), limit)
	require.True(t, utf8.ValidString(text))
	if tokens > 0 {
		require.LessOrEqual(t, (len(text)+3)/4, max(tokens, 64))
	}
	raw := o.Output.Parts[0].JSON
	if in.Parts[0].JSON == nil {
		if o.Cut == nil && text != "(no output)" {
			require.Equal(t, strings.ToValidUTF8(in.Parts[0].Text, "\ufffd"), text)
		}
		return
	}
	require.True(t, json.Valid(raw))
	var was, is any
	require.NoError(t, decodeExactly(in.Parts[0].JSON, &was))
	require.NoError(t, decodeExactly(raw, &is))
	switch {
	case o.Cut == nil:
		require.Equal(t, was, is)
	case strings.HasPrefix(text, `{"preview":`) && o.Cut.OmittedItems == 0:
	default:
		require.Equal(t, o.Cut.OmittedItems, compareCut(t, was, is))
	}
}

func decodeExactly(raw []byte, v *any) error {
	d := json.NewDecoder(strings.NewReader(strings.ToValidUTF8(string(raw), "\ufffd")))
	d.UseNumber()
	return d.Decode(v)
}

// compareCut checks that is was cut from was, and returns how many elements its markers count.
func compareCut(t *testing.T, was, is any) int {
	t.Helper()
	omitted := 0
	switch was := was.(type) {
	case map[string]any:
		is, ok := is.(map[string]any)
		require.True(t, ok)
		require.Len(t, is, len(was))
		for key, v := range was {
			omitted += compareCut(t, v, is[key])
		}
	case []any:
		is, ok := is.([]any)
		require.True(t, ok)
		earlier := 0
		if n, total := marker(was); n > 0 && n == total-len(was)+1 {
			earlier, was = n, was[:len(was)-1]
		}
		if n, total := marker(is); n > 0 && total == len(was)+earlier && n == total-len(is)+1 {
			omitted, is = n, is[:len(is)-1]
		} else {
			require.Zero(t, earlier)
			require.Len(t, is, len(was))
		}
		for i := range is {
			omitted += compareCut(t, was[i], is[i])
		}
	default:
		require.Equal(t, was, is)
	}
	return omitted
}

// marker reads the last element of an array as the marker of a cut.
func marker(list []any) (omitted, total int) {
	if len(list) == 0 {
		return 0, 0
	}
	m, ok := list[len(list)-1].(map[string]any)
	if !ok || len(m) != 2 {
		return 0, 0
	}
	_, _ = fmt.Sscan(fmt.Sprint(m["omitted"]), &omitted)
	_, _ = fmt.Sscan(fmt.Sprint(m["total"]), &total)
	return omitted, total
}

// BenchmarkView encodes, projects and caps results of three sizes: the time grows with the size, and
// what is allocated with what is kept.
func BenchmarkView(b *testing.B) {
	type row struct {
		ID   int    `json:"id"`
		Text string `json:"text"`
		Cost int    `json:"cost"`
	}
	for _, size := range []int{1 << 10, 60 << 10, 5 << 20} {
		rows := make([]row, size/120)
		for i := range rows {
			rows[i] = row{i, strings.Repeat("x", 90), i}
		}
		spec := jig.Spec[struct{}, []row]{Name: "rows", Description: "Call it in tests.",
			Execute: func(context.Context, struct{}) ([]row, error) { return rows, nil }}
		for _, project := range [][]string{nil, {"[].id", "[].text"}, {"[0:5].id"}} {
			spec.Project = project
			r := registryOf(b, nil, jig.MustDefine(spec))
			b.Run(fmt.Sprintf("%dKB/%v", size>>10, project), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					if o := r.Call(context.Background(), jig.Call{Name: "rows"}); o.IsError() {
						b.Fatal(o.Err)
					}
				}
			})
		}
	}
}
