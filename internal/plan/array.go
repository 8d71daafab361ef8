package plan

import (
	"reflect"

	"github.com/jig-go/jig/internal/codec"
	"github.com/jig-go/jig/internal/scan"
)

// container checks an array or object as a whole, and reads past one that is refused. It looks at the
// text only where something asks for it, so that nesting costs no second reading.
func (d *run) container(r *rule, t *codec.Type, v reflect.Value, kind scan.Kind) bool {
	fits := !v.IsValid() || takenBy(t.Kind).has(kind)
	if r.enum == nil && fits {
		return true
	}
	ahead := d.cur
	raw := ahead.Skip()
	ok := d.constant(r, raw)
	if ok && !fits {
		d.unfit(r, raw)
		ok = false
	}
	if !ok {
		d.cur = ahead
	}
	return ok
}

func (d *run) array(r *rule, t *codec.Type, v reflect.Value) {
	start := d.cur
	if !d.container(r, t, v, scan.Array) {
		return
	}
	before := d.total
	n := d.items(r.arr, v)
	if r.arr != nil {
		d.sizes(r.arr, start, n)
	}
	if v.IsValid() && v.Kind() == reflect.Array && n != v.Len() && d.total == before {
		d.unfit(r, start.Skip())
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
			item = d.slot(v)
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

// slot returns a zero place for the next item of the slice v. All share the last one where something was
// refused: nobody reads them then.
func (d *run) slot(v reflect.Value) reflect.Value {
	n := v.Len()
	if d.total > 0 && n > 0 {
		n--
	} else {
		v.Grow(1)
		v.SetLen(n + 1)
	}
	item := v.Index(n)
	item.SetZero()
	return item
}

func (d *run) sizes(a *arrayRule, start scan.Cursor, n int) {
	whole := start
	if n < a.min {
		d.outside("minItems", whole.Skip(), atLimit("minItems", a.min))
	} else if a.max >= 0 && n > a.max {
		d.outside("maxItems", whole.Skip(), atLimit("maxItems", a.max))
	}
	if !a.unique {
		return
	}
	seen := map[string]int{}
	for i, more := 0, start.Enter(); more; i, more = i+1, start.More() {
		// Items are equal when they mean the same, also where one says null for absent.
		key := string(a.item(i).rewritten(start.Skip(), (*property).filled, nil))
		if first, ok := seen[key]; ok {
			if d.refuses("uniqueItems") {
				d.because(sayEqual(d.words, first, i))
			}
			return
		}
		seen[key] = i
	}
}
