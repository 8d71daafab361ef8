package jig_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// The three shapes of arguments that calls are measured with.

type smallArgs struct {
	Path  string `json:"path" jsonschema:"minLength=1,maxLength=200"`
	Mode  string `json:"mode" jsonschema:"enum=read,enum=write,enum=append"`
	Limit int    `json:"limit" jsonschema:"minimum=1,maximum=1000"`
}

type smallResult struct {
	Path  string `json:"path"`
	Lines int    `json:"lines"`
	More  bool   `json:"more"`
}

type benchAddress struct {
	Street  string `json:"street" jsonschema:"maxLength=100"`
	City    string `json:"city" jsonschema:"maxLength=100"`
	Zip     string `json:"zip" jsonschema:"minLength=4,maxLength=10"`
	Country string `json:"country" jsonschema:"enum=CH,enum=DE,enum=AT,enum=FR"`
}

type benchItem struct {
	SKU      string  `json:"sku" jsonschema:"minLength=3,maxLength=20"`
	Quantity int     `json:"quantity" jsonschema:"minimum=1,maximum=1000"`
	Price    float64 `json:"price" jsonschema:"minimum=0"`
	Gift     bool    `json:"gift"`
}

type mediumArgs struct {
	ID        int64             `json:"id" jsonschema:"minimum=1"`
	Customer  string            `json:"customer" jsonschema:"minLength=1"`
	Email     string            `json:"email" jsonschema:"maxLength=100"`
	Phone     string            `json:"phone,omitempty"`
	Status    string            `json:"status" jsonschema:"enum=open,enum=paid,enum=sent,enum=done"`
	Priority  int               `json:"priority" jsonschema:"minimum=1,maximum=5"`
	Total     float64           `json:"total" jsonschema:"minimum=0"`
	Discount  float64           `json:"discount" jsonschema:"minimum=0,maximum=1"`
	Currency  string            `json:"currency" jsonschema:"enum=CHF,enum=EUR,enum=USD"`
	Express   bool              `json:"express"`
	Insured   bool              `json:"insured"`
	Gift      bool              `json:"gift"`
	Billing   benchAddress      `json:"billing"`
	Shipping  *benchAddress     `json:"shipping,omitempty"`
	Items     []benchItem       `json:"items" jsonschema:"minItems=1,maxItems=100"`
	Tags      []string          `json:"tags"`
	Labels    map[string]string `json:"labels"`
	CreatedAt time.Time         `json:"created_at"`
	DueAt     time.Time         `json:"due_at"`
	Warehouse string            `json:"warehouse"`
	Carrier   string            `json:"carrier"`
	Weight    float64           `json:"weight"`
	Boxes     int32             `json:"boxes"`
	Notes     string            `json:"notes" jsonschema:"maxLength=1000"`
	Source    string            `json:"source"`
}

type mediumResult struct {
	ID     int64   `json:"id"`
	Total  float64 `json:"total"`
	Items  int     `json:"items"`
	Status string  `json:"status"`
}

type benchRow struct {
	ID    int64   `json:"id"`
	Name  string  `json:"name" jsonschema:"maxLength=40"`
	Count int     `json:"count" jsonschema:"minimum=0"`
	Price float64 `json:"price"`
}

type bulkArgs struct {
	Rows []benchRow `json:"rows" jsonschema:"maxItems=10000"`
}

type bulkResult struct {
	Rows  int     `json:"rows"`
	Total float64 `json:"total"`
}

func smallText() []byte { return []byte(`{"path":"src/main.go","mode":"read","limit":200}`) }

func mediumText() []byte {
	items := make([]string, 10)
	for i := range items {
		items[i] = fmt.Sprintf(`{"sku":"SKU-%04d","quantity":%d,"price":%d.95,"gift":%t}`, i, i+1, 10+i, i%2 == 0)
	}
	return []byte(`{"id":9007199254740993,"customer":"Zoë Müller","email":"zoe@example.com",
"phone":"+41 44 123 45 67","status":"open","priority":3,"total":199.5,"discount":0.05,"currency":"CHF",
"express":true,"insured":false,"gift":false,
"billing":{"street":"Bahnhofstrasse 1","city":"Zürich","zip":"8001","country":"CH"},
"shipping":{"street":"Rue du Lac 7","city":"Genève","zip":"1200","country":"CH"},
"items":[` + strings.Join(items, ",") + `],"tags":["new","vip","web"],
"labels":{"team":"north","campaign":"spring","channel":"web"},
"created_at":"2026-03-01T09:30:00Z","due_at":"2026-03-31T00:00:00+02:00","warehouse":"ZRH-2",
"carrier":"post","weight":12.75,"boxes":2,"notes":"Leave at the door.\nRing twice.","source":"shop"}`)
}

func bulkText(rows int) []byte {
	list := make([]string, rows)
	for i := range list {
		list[i] = fmt.Sprintf(`{"id":%d,"name":"row number %d","count":%d,"price":%d.25}`, 100000+i, i, i%50, i%90)
	}
	return []byte(`{"rows":[` + strings.Join(list, ",") + `]}`)
}

func runSmall(_ context.Context, a smallArgs) (smallResult, error) {
	return smallResult{Path: a.Path, Lines: a.Limit, More: true}, nil
}

func runMedium(_ context.Context, a mediumArgs) (mediumResult, error) {
	return mediumResult{ID: a.ID, Total: a.Total, Items: len(a.Items), Status: a.Status}, nil
}

func runBulk(_ context.Context, a bulkArgs) (bulkResult, error) {
	out := bulkResult{Rows: len(a.Rows)}
	for i := range a.Rows {
		out.Total += a.Rows[i].Price
	}
	return out, nil
}

// runRows gives back what it is given, for the cost of the encoder.
func runRows(_ context.Context, a bulkArgs) (bulkArgs, error) { return a, nil }

func benchTool[A, R any](tb testing.TB, name string, run func(context.Context, A) (R, error)) *jig.Tool {
	tool, err := jig.Define(jig.Spec[A, R]{Name: name, Description: "Measures.", Execute: run})
	require.NoError(tb, err)
	return tool
}

func benchRegistry(tb testing.TB) *jig.Registry {
	reg := jig.NewRegistry(&jig.Options{MaxOutputBytes: 1 << 20})
	require.NoError(tb, reg.Add(benchTool(tb, "small", runSmall), benchTool(tb, "medium", runMedium),
		benchTool(tb, "bulk", runBulk), benchTool(tb, "rows", runRows)))
	return reg
}

// plain is the same call by encoding/json, without any check.
func plain[A, R any](run func(context.Context, A) (R, error)) func(context.Context, []byte) ([]byte, error) {
	return func(ctx context.Context, raw []byte) ([]byte, error) {
		var args A
		if err := json.Unmarshal(raw, &args); err != nil {
			return nil, err
		}
		result, err := run(ctx, args)
		if err != nil {
			return nil, err
		}
		return json.Marshal(result)
	}
}

type benchShape struct {
	name  string
	text  []byte
	plain func(context.Context, []byte) ([]byte, error)
}

func benchShapes() []benchShape {
	return []benchShape{
		{"small", smallText(), plain(runSmall)},
		{"medium", mediumText(), plain(runMedium)},
		{"bulk", bulkText(1000), plain(runBulk)},
		{"rows", bulkText(1000), plain(runRows)},
	}
}

// TestBenchShapes shows that both sides of the benchmarks do the same.
func TestBenchShapes(t *testing.T) {
	reg := benchRegistry(t)
	for _, s := range benchShapes() {
		o := reg.Call(context.Background(), jig.Call{ID: "c1", Name: s.name, Args: s.text})
		require.Equal(t, jig.StatusOK, o.Status, "%s: %s", s.name, o.Text())
		want, err := s.plain(context.Background(), s.text)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, []byte(o.Text())), s.name)
	}
}

// A refusal is arguments that a tool refuses and encoding/json takes.
type refusal struct {
	name, tool string
	text       []byte
	accept     func([]byte) error
}

func refusals() []refusal {
	medium := mediumText()
	for _, change := range [][2]string{
		{`"status":"open"`, `"status":"opne"`}, {`"priority":3`, `"priority":9`},
		{`"quantity":4`, `"quantity":0`}, {`"zip":"1200"`, `"zip":"12"`},
	} {
		medium = bytes.Replace(medium, []byte(change[0]), []byte(change[1]), 1)
	}
	last := bytes.Replace(bulkText(1000), []byte(`"count":49,"price":9.25}]`), []byte(`"count":-1,"price":9.25}]`), 1)
	all := bytes.ReplaceAll(bulkText(1000), []byte(`"count":`), []byte(`"count":-1`))
	return []refusal{
		{"small", "small", []byte(`{"path":"","mode":"raed","limit":5000}`), accept[smallArgs]},
		{"medium", "medium", medium, accept[mediumArgs]},
		{"bulk/last row", "bulk", last, accept[bulkArgs]},
		{"bulk/every row", "bulk", all, accept[bulkArgs]},
	}
}

func accept[A any](text []byte) error {
	var args A
	return json.Unmarshal(text, &args)
}

func BenchmarkCall(b *testing.B) {
	reg := benchRegistry(b)
	cancellable, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, s := range benchShapes() {
		call := func(ctx context.Context) func(*testing.B) {
			return func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if o := reg.Call(ctx, jig.Call{ID: "c1", Name: s.name, Args: s.text}); o.Err != nil {
						b.Fatal(o.Err)
					}
				}
			}
		}
		b.Run(s.name+"/jig", call(context.Background()))
		b.Run(s.name+"/cancellable", call(cancellable))
		b.Run(s.name+"/json", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.plain(context.Background(), s.text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
