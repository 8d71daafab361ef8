package scan

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
)

// benchInputs are texts of the sizes that tool calls have.
func benchInputs() []struct {
	name string
	data []byte
} {
	medium := `{"query":"open invoices of last month","filters":{"status":["open","overdue"],
		"min_total":100.5,"customer":{"id":9007199254740993,"name":"Zo\u00eb Müller \"Z\""}},
		"page":2,"per_page":50,"sort":[{"field":"due","order":"asc"},{"field":"total","order":"desc"}],
		"note":"` + strings.Repeat("a line of plain prose, then another. ", 12) + `","dry_run":false}`
	var items []string
	for i := range 400 {
		items = append(items, fmt.Sprintf(
			`{"id":%d,"name":"item number %d","price":%d.95,"tags":["a","bb","ccc"],"ok":true,`+
				`"text":"some words about the item\nand a second line"}`, i, i, i*3))
	}
	return []struct {
		name string
		data []byte
	}{
		{"small", []byte(`{"path":"src/main.go","line":42,"recursive":true}`)},
		{"medium", []byte(medium)},
		{"60KB", []byte(`{"items":[` + strings.Join(items, ",") + `]}`)},
	}
}

// walk reads every value and counts them.
func walk(c *Cursor) (count int) {
	switch c.Kind() {
	case Null:
		c.Null()
	case Bool:
		c.Bool()
	case Number:
		c.Number()
	case String:
		c.RawString() // jsontext does not decode before it is asked either
	default:
		object := c.Kind() == Object
		for more := c.Enter(); more; more = c.More() {
			if object {
				c.Key()
			}
			count += walk(c)
		}
	}
	return count + 1
}

func BenchmarkCheck(b *testing.B) {
	for _, in := range benchInputs() {
		b.Run(in.name, func(b *testing.B) {
			b.SetBytes(int64(len(in.data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Check(in.data, testLimits); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCheckAndWalk(b *testing.B) {
	for _, in := range benchInputs() {
		b.Run(in.name, func(b *testing.B) {
			b.SetBytes(int64(len(in.data)))
			b.ReportAllocs()
			for b.Loop() {
				checked, err := Check(in.data, testLimits)
				if err != nil {
					b.Fatal(err)
				}
				c := NewCursor(checked)
				walk(&c)
			}
		})
	}
}

// BenchmarkJSONText reads the same texts with the alternative that this
// package was measured against.
func BenchmarkJSONText(b *testing.B) {
	for _, in := range benchInputs() {
		b.Run(in.name, func(b *testing.B) {
			b.SetBytes(int64(len(in.data)))
			b.ReportAllocs()
			var r bytes.Reader
			d := jsontext.NewDecoder(&r)
			for b.Loop() {
				r.Reset(in.data)
				d.Reset(&r)
				for {
					if _, err := d.ReadToken(); err == io.EOF {
						break
					} else if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkJSONTextBuffer spares jsontext the copy into its buffer.
func BenchmarkJSONTextBuffer(b *testing.B) {
	for _, in := range benchInputs() {
		b.Run(in.name, func(b *testing.B) {
			b.SetBytes(int64(len(in.data)))
			b.ReportAllocs()
			for b.Loop() {
				d := jsontext.NewDecoder(bytes.NewBuffer(in.data))
				for {
					if _, err := d.ReadToken(); err == io.EOF {
						break
					} else if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func TestCheckDoesNotAllocate(t *testing.T) {
	for _, in := range benchInputs() {
		require.Zero(t, testing.AllocsPerRun(100, func() {
			checked, _ := Check(in.data, testLimits)
			c := NewCursor(checked)
			walk(&c)
		}), in.name)
	}
}

var testLimits = Limits{Bytes: 1 << 20, Depth: 64}
