package clip

import (
	"fmt"
	"strings"
)

// Text returns s cut to at most limit bytes, and what was cut. About three
// quarters of the room go to the head and one to the tail, since errors and sums
// tend to stand at the end; a marker between them states the totals:
//
//	[... 48112 of 52100 bytes left out ...]
//
// The cuts are made at line ends where these are near. A limit too small for the
// marker and something beside it gives a plain head of s.
func Text(s string, limit int) (string, *Cut) {
	s = Valid(s)
	if len(s) <= limit {
		return s, nil
	}
	out := cutText(s, limit)
	return out, &Cut{Original: len(s), Kept: len(out)}
}

// cutText is Text for an s that does not fit.
func cutText(s string, limit int) string {
	// The widest marker is reserved, so that its number may depend on the cuts.
	marker := textMarker(len(s), len(s))
	if limit < 2*len(marker) {
		return s[:before(s, limit)]
	}
	room := limit - len(marker)
	tailRoom := room / 4
	head := s[:headEnd(s, room-tailRoom)]
	tail := s[tailStart(s, tailRoom):]
	marker = textMarker(len(s)-len(head)-len(tail), len(s))
	if strings.HasSuffix(head, "\n") {
		marker = marker[1:] // the head has ended its line already
	}
	return head + marker + tail
}

func textMarker(left, total int) string {
	return fmt.Sprintf("\n[... %d of %d bytes left out ...]\n", left, total)
}

// headEnd returns where a head of at most room bytes ends: after the last line
// end within the last fifth of the room, else at the last place that allows a cut.
func headEnd(s string, room int) int {
	from := room - room/5
	if i := strings.LastIndexByte(s[from:room], '\n'); i >= 0 {
		return from + i + 1
	}
	return before(s, room)
}

// tailStart is headEnd for the tail: it returns the start of the first line that
// begins within the first fifth of the room.
func tailStart(s string, room int) int {
	from := len(s) - room
	// The byte before the tail counts too: a line may begin right at from.
	if i := strings.IndexByte(s[from-1:from+room/5], '\n'); i >= 0 {
		return from + i
	}
	return after(s, from)
}

// Head returns the longest head of s that has at most limit bytes and ends between two characters.
func Head(s string, limit int) string {
	s = Valid(s)
	if len(s) <= limit {
		return s
	}
	return s[:before(s, limit)]
}
