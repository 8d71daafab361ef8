package clip

import (
	"bytes"
	"strconv"
)

// A doc is the outline of a JSON text: where its arrays and their elements are.
// Objects and scalars need no outline, since only arrays are cut.
type doc struct {
	raw    []byte
	arrays []array // in the order of their opening brackets
	ends   []int32 // offsets just past the elements, those of one array in a row
}

// An array is raw[start:end], brackets included. Offsets are 32 bits wide because
// a text of many short elements has one for each of them.
type array struct {
	start, end int32
	first      int32 // ends[first] belongs to the first element
	n          int32 // number of elements, a marker not counted
	next       int32 // the first of doc.arrays that starts after this one's end
	omitted    int   // elements that an earlier cut left out, by its marker
}

func (a *array) span() int  { return int(a.end - a.start) }
func (a *array) total() int { return a.omitted + int(a.n) }

// A frame is an open bracket during the scan.
type frame struct {
	array   int32 // index in doc.arrays, or -1 for an object
	pending int   // length of scanner.pending when the bracket opened
}

type scanner struct {
	doc
	open    []frame
	pending []int32 // ends of the elements of all arrays that are still open
}

// scan outlines raw. It reports false when brackets do not match. It finds no
// other mistakes, since raw is valid JSON by contract.
func scan(raw []byte) (*doc, bool) {
	s := scanner{doc: doc{raw: raw}}
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			i = stringEnd(raw, i)
		case '{':
			s.open = append(s.open, frame{array: -1})
		case '[':
			s.open = append(s.open, frame{int32(len(s.arrays)), len(s.pending)})
			s.arrays = append(s.arrays, array{start: int32(i)})
		case ',':
			if n := len(s.open); n > 0 && s.open[n-1].array >= 0 {
				s.pending = append(s.pending, int32(i))
			}
		case '}', ']':
			if !s.close(i) {
				return nil, false
			}
		}
	}
	return &s.doc, len(s.open) == 0
}

// stringEnd returns the offset of the quote that closes the one at raw[i].
func stringEnd(raw []byte, i int) int {
	for i++; i < len(raw) && raw[i] != '"'; i++ {
		if raw[i] == '\\' {
			i++
		}
	}
	return i
}

// close ends the innermost bracket at raw[i] and reports whether it is of the
// same kind.
func (s *scanner) close(i int) bool {
	if len(s.open) == 0 {
		return false
	}
	f := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	if (f.array >= 0) != (s.raw[i] == ']') {
		return false
	}
	if f.array < 0 {
		return true
	}
	a := &s.arrays[f.array]
	a.end, a.next, a.first = int32(i+1), int32(len(s.arrays)), int32(len(s.ends))
	commas := len(s.pending) - f.pending
	if commas > 0 || len(bytes.TrimSpace(s.raw[a.start+1:i])) > 0 {
		s.pending = append(s.pending, int32(i))
	}
	s.ends = append(s.ends, s.pending[f.pending:]...)
	a.n = int32(len(s.pending) - f.pending)
	s.pending = s.pending[:f.pending]
	s.fold(a)
	return true
}

// fold recognizes the marker of an earlier cut in a's last element and takes it
// out of the elements, so that totals add up over several cuts.
func (s *scanner) fold(a *array) {
	if a.n == 0 {
		return
	}
	start := a.start + 1
	if a.n > 1 {
		start = s.ends[a.first+a.n-2] + 1
	}
	omitted, total := parseMarker(s.raw[start:s.ends[a.first+a.n-1]])
	// A marker whose sum does not fit this array is the tool's own data.
	if omitted > 0 && omitted == total-int(a.n-1) {
		a.n--
		a.omitted = omitted
	}
}

// The parts of a marker, which stands for the elements left out of an array.
const (
	omittedPart = `{"omitted":`
	totalPart   = `,"total":`
	closingPart = `}`
)

func appendMarker(out []byte, omitted, total int) []byte {
	out = append(out, omittedPart...)
	out = strconv.AppendInt(out, int64(omitted), 10)
	out = append(out, totalPart...)
	out = strconv.AppendInt(out, int64(total), 10)
	return append(out, closingPart...)
}

// markerLen returns the length of what appendMarker appends.
func markerLen(omitted, total int) int {
	return len(omittedPart+totalPart+closingPart) + digits(omitted) + digits(total)
}

func digits(n int) int {
	d := 1
	for ; n >= 10; n /= 10 {
		d++
	}
	return d
}

// parseMarker undoes appendMarker. It returns zeros when b is not a marker.
func parseMarker(b []byte) (omitted, total int) {
	rest, ok := bytes.CutPrefix(b, []byte(omittedPart))
	if !ok {
		return 0, 0
	}
	left, right, _ := bytes.Cut(bytes.TrimSuffix(rest, []byte(closingPart)), []byte(totalPart))
	omitted, err1 := strconv.Atoi(string(left))
	total, err2 := strconv.Atoi(string(right))
	// Comparing with the canonical form refuses signs and leading zeros.
	if err1 != nil || err2 != nil || !bytes.Equal(appendMarker(nil, omitted, total), b) {
		return 0, 0
	}
	return omitted, total
}
