package plan

import (
	"reflect"
	"strconv"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/scan"
)

func (d *run) array(r *rule, t *codec.Type, v reflect.Value) {
	ahead := d.cur
	raw := ahead.Skip()
	if !d.constant(r, raw) {
		d.cur = ahead
		return
	}
	if v.IsValid() && t.Kind != codec.Slice && t.Kind != codec.Array {
		d.cur = ahead
		d.unfit(r, raw)
		return
	}
	before := d.total
	n := d.items(r.arr, v)
	if r.arr != nil {
		d.sizes(r.arr, raw, n)
	}
	if v.IsValid() && v.Kind() == reflect.Array && n != v.Len() && d.total == before {
		d.unfit(r, raw)
	}
}

// items reads the items of an array and returns how many there were.
func (d *run) items(a *arrayRule, v reflect.Value) int {
	slice := v.IsValid() && v.Kind() == reflect.Slice
	if slice {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
	n := 0
	d.path = append(d.path, step{})
	for more := d.cur.Enter(); more; more = d.cur.More() {
		d.path[len(d.path)-1].index = n
		item := reflect.Value{}
		switch {
		case slice:
			v.Grow(1)
			v.SetLen(n + 1)
			item = v.Index(n)
			item.SetZero()
		case v.IsValid() && n < v.Len():
			item = v.Index(n)
		}
		if r := a.item(n); r == nil {
			d.cur.Skip()
		} else {
			d.value(r, item)
		}
		n++
	}
	d.path = d.path[:len(d.path)-1]
	return n
}

func (d *run) sizes(a *arrayRule, raw []byte, n int) {
	if n < a.min {
		d.problem("minItems", bounded("minItems", d.sample(raw), strconv.Itoa(a.min)))
	}
	if a.max >= 0 && n > a.max {
		d.problem("maxItems", bounded("maxItems", d.sample(raw), strconv.Itoa(a.max)))
	}
	if !a.unique {
		return
	}
	seen := map[string]int{}
	c := scan.NewCursor(raw)
	for i, more := 0, c.Enter(); more; i, more = i+1, c.More() {
		// Items are equal when they mean the same, also where one says null for absent.
		key := string(a.item(i).rewritten(c.Skip(), true))
		if first, ok := seen[key]; ok {
			d.problem("uniqueItems", equalItems(first, i))
			return
		}
		seen[key] = i
	}
}
