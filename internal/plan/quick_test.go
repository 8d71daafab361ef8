package plan_test

import (
	"reflect"
	"testing"

	"github.com/jig-go/jig/internal/plan"
	"github.com/jig-go/jig/internal/scan"
)

// tryQuick compares Quick with scan.Check and Decode on any text: what it accepts they accept, with
// the same value. It returns whether it accepted the text.
func (s *subject) tryQuick(t *testing.T, data []byte, limits scan.Limits) bool {
	t.Helper()
	v := reflect.New(s.typ.Go).Elem()
	quick, ok := s.plan.Quick(data, limits, v)
	checked, scanErr := scan.Check(data, limits)
	w := reflect.New(s.typ.Go).Elem()
	var found plan.Result
	if scanErr == nil {
		found = s.plan.Decode(checked, w)
	}
	switch {
	case !ok && !v.IsZero():
		t.Fatalf("%v: %s: Quick gives up and leaves %+v", s.typ.Go, data, v)
	case !ok:
		return false
	case scanErr != nil:
		t.Fatalf("%v: %s: Quick accepts what Check refuses: %v", s.typ.Go, data, scanErr)
	case found.Total > 0 || len(found.Dropped) > 0:
		t.Fatalf("%v: %s: Quick accepts what Decode does not: %v, dropped %v", s.typ.Go, data,
			found.Problems, found.Dropped)
	case string(quick) != string(checked):
		t.Fatalf("%v: Quick returns %s, Check %s", s.typ.Go, quick, checked)
	case !reflect.DeepEqual(v.Interface(), w.Interface()):
		t.Fatalf("%v: %s: Quick gives %+v, Decode %+v", s.typ.Go, data, v, w)
	}
	return true
}
