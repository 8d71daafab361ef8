package plan_test

import (
	"reflect"
	"testing"

	"github.com/jig-go/jig/internal/scan"
)

// FuzzDecode reads any bytes as arguments of a few types. What passes the scan must never panic,
// gets one verdict from the plan and the general validator, and survives encoding and the canonical
// form.
func FuzzDecode(f *testing.F) {
	types := []reflect.Type{
		of[fuzzScalars](), of[fuzzTexts](), of[fuzzLists](), of[chain](), of[narrowNest](),
		of[withTwo](), of[page[either[level, any]]](),
	}
	subjects := make([]*subject, len(types))
	for i, typ := range types {
		subjects[i] = newSubject(f, typ)
	}
	seeds := []string{
		`{}`, `{"label":"a","next":{"label":"b","next":null}}`,
		`{"id":1,"note":"x","Extra":2,"ID":3}`,
		`{"i":5.0,"u":300,"f":1e400,"s":"\ud83d\ude00","p":null,"q":"7","d":null}`,
		`{"i":-0,"u":1e2,"f":3.4028235e38,"s":"abc","p":9007199254740993,"q":"-0","d":[{"a":1.50}]}`,
		`{"t":"2024-01-02T03:04:05Z","d":"30s","b":"aGk=","a":"::1","l":"low","u":"http://a/"}`,
		`{"m":{"1":true,"01":false},"s":["a","a"],"a":[1,2],"r":{"b":1,"a":1},"n":{"x":{"y":{}}}}`,
		`{"n":[[],[[]]],"m":[[]],"o":{"a":{}}}`,
		`{"items":[{"left":"low","right":[1e1]}],"next":null}`,
	}
	for _, s := range seeds {
		for i := range types {
			f.Add(uint8(i), []byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		limits := scan.Limits{Bytes: 1 << 16, Depth: 20}
		subject := subjects[int(which)%len(subjects)]
		subject.tryQuick(t, data, limits)
		checked, scanErr := scan.Check(data, limits)
		if scanErr != nil {
			return
		}
		fuzzOne(t, subject, checked)
	})
}

func fuzzOne(t *testing.T, s *subject, checked []byte) {
	found := s.plan.Validate(checked)
	if found.Total == 0 != s.oracle.Valid(checked) {
		t.Fatalf("%v: %s: the plan says %v, the oracle %v", s.typ.Go, checked, found.Problems,
			s.oracle.Problems(checked))
	}
	v := reflect.New(s.typ.Go).Elem()
	decoded := s.plan.Decode(checked, v)
	if decoded.Total < found.Total {
		t.Fatalf("%v: %s: Validate finds %v, Decode %v", s.typ.Go, checked, found.Problems,
			decoded.Problems)
	}
	if decoded.Total > 0 {
		return // a near miss of a declared name, or two names of one map key
	}
	s.tryCanonical(t, checked, v)
	if _, err := s.typ.Append(nil, v); err != nil {
		t.Fatalf("%v: %s: %v", s.typ.Go, checked, err)
	}
}
