package clip

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// A value is a decoded JSON value that keeps order, doubled keys and numbers as
// they are written. It knows nothing of how JSON finds its way through the text.
type value struct {
	kind    byte // '[', '{', or 's' for a scalar
	scalar  any
	keys    []string
	items   []value
	omitted int // what a marker at the end of an array says
}

func decode(t *testing.T, raw []byte) value {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	v := decodeNext(t, d)
	require.Equal(t, int64(len(bytes.TrimSpace(raw))), d.InputOffset(), "one value")
	return v
}

func decodeNext(t *testing.T, d *json.Decoder) value {
	t.Helper()
	token, err := d.Token()
	require.NoError(t, err)
	delim, ok := token.(json.Delim)
	if !ok {
		return value{kind: 's', scalar: token}
	}
	v := value{kind: byte(delim)}
	for d.More() {
		if v.kind == '{' {
			key, err := d.Token()
			require.NoError(t, err)
			v.keys = append(v.keys, key.(string))
		}
		v.items = append(v.items, decodeNext(t, d))
	}
	_, err = d.Token()
	require.NoError(t, err)
	return v.folded()
}

// folded moves a marker from the elements of v to v.omitted.
func (v value) folded() value {
	n := len(v.items) - 1
	if v.kind != '[' || n < 0 {
		return v
	}
	omitted, total, ok := v.items[n].marker()
	if ok && omitted > 0 && total-n == omitted {
		v.items, v.omitted = v.items[:n], omitted
	}
	return v
}

func (v value) marker() (omitted, total int, ok bool) {
	if v.kind != '{' || strings.Join(v.keys, ",") != "omitted,total" {
		return 0, 0, false
	}
	var n [2]int
	for i, item := range v.items {
		number, _ := item.scalar.(json.Number)
		m, err := strconv.Atoi(string(number))
		if err != nil || strconv.Itoa(m) != string(number) {
			return 0, 0, false
		}
		n[i] = m
	}
	return n[0], n[1], true
}

func (v value) total() int { return len(v.items) + v.omitted }

// omissions adds up all markers in v.
func (v value) omissions() int {
	sum := v.omitted
	for _, item := range v.items {
		sum += item.omissions()
	}
	return sum
}

// requireShortened holds out against v: the same but for ends of arrays.
func requireShortened(t *testing.T, v, out value) {
	t.Helper()
	require.Equal(t, v.kind, out.kind)
	require.Equal(t, v.scalar, out.scalar)
	require.Equal(t, v.keys, out.keys)
	require.LessOrEqual(t, len(out.items), len(v.items))
	if v.kind == '[' {
		require.Equal(t, v.total(), out.total(), "omitted and kept add up")
	} else {
		require.Len(t, out.items, len(v.items))
	}
	for i, item := range out.items {
		requireShortened(t, v.items[i], item)
	}
}

// leastSize returns the length of raw with each outermost array made as short as
// it can be.
func leastSize(t *testing.T, raw []byte) int {
	t.Helper()
	size, depth, start := 0, 0, 0
	for i := 0; i < len(raw); i++ {
		switch {
		case raw[i] == '"':
			from := i
			for i++; raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				size += i - from
			}
		case raw[i] == '[':
			if depth == 0 {
				start = i
			}
			depth++
		case raw[i] == ']':
			depth--
			if depth == 0 {
				total := strconv.Itoa(decode(t, raw[start:i+1]).total())
				size += min(i+1-start, len(`[{"omitted":,"total":}]`)+2*len(total)) - 1
			}
		}
		if depth == 0 {
			size++
		}
	}
	return size
}

// checkJSON holds what JSON returned for the valid, compact raw against its
// promises. The limit is at least 256.
func checkJSON(t *testing.T, raw []byte, limit int, got []byte, cut *Cut) {
	t.Helper()
	require.True(t, utf8.Valid(got))
	require.True(t, json.Valid(got))
	if len(raw) <= limit {
		require.Equal(t, string(raw), string(got))
		require.Nil(t, cut)
		return
	}
	require.LessOrEqual(t, len(got), limit)
	again, cutAgain := JSON(got, limit)
	require.Equal(t, string(got), string(again))
	require.Nil(t, cutAgain)
	require.NotNil(t, cut)
	require.Equal(t, len(raw), cut.Original)
	require.Equal(t, len(got), cut.Kept)

	if leastSize(t, raw) > limit {
		require.Zero(t, cut.Omitted)
		checkPreview(t, raw, limit, got)
		return
	}
	out := decode(t, got)
	requireShortened(t, decode(t, raw), out)
	require.Equal(t, out.omissions(), cut.Omitted)
	require.Positive(t, cut.Omitted)
}

func checkPreview(t *testing.T, raw []byte, limit int, got []byte) {
	t.Helper()
	var p, earlier struct {
		Preview *string `json:"preview"`
		Bytes   int     `json:"bytes"`
	}
	require.NoError(t, json.Unmarshal(got, &p))
	require.NotNil(t, p.Preview)
	// A control character takes six bytes, and no cut moves further than the window.
	require.Greater(t, len(got), limit-window*2-12, "the room is used")
	if p.Bytes == len(raw) && strings.HasPrefix(string(raw), *p.Preview) {
		return
	}
	require.NoError(t, json.Unmarshal(raw, &earlier), "only a preview has another size")
	require.Equal(t, earlier.Bytes, p.Bytes)
	require.True(t, strings.HasPrefix(*earlier.Preview, *p.Preview))
}

// shape builds a larger value around a given one, since a fuzzer seldom finds
// its way beyond the smallest cap by itself.
func shape(raw string, times, kind uint8) string {
	n := int(times)
	switch kind % 6 {
	case 1:
		return list(raw, n)
	case 2:
		return `{"rows":` + list(raw, n) + `,"next":` + raw + `}`
	case 3:
		return list(`{"a":`+raw+`,"b":`+list(raw, n%17)+`}`, n%23)
	case 4:
		return list(list(raw, n%19), n%13)
	case 5:
		return strings.TrimSuffix(list(raw, n), "]") + `,{"omitted":1000,"total":` +
			strconv.Itoa(1000+n) + `}]`
	}
	return raw
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`null`), uint16(0), uint8(200), uint8(1))
	f.Add([]byte(`{"id":1,"tags":["a","b"]}`), uint16(0), uint8(99), uint8(2))
	f.Add([]byte(`{"a":[1,2,3],"a":"城"}`), uint16(700), uint8(99), uint8(3))
	f.Add([]byte(`[[],{},"",0]`), uint16(44), uint8(255), uint8(4))
	f.Add([]byte(`[1,{"omitted":5,"total":6}]`), uint16(9), uint8(77), uint8(4))
	f.Add([]byte(`"]\"[\\"`), uint16(1), uint8(77), uint8(5))
	f.Add([]byte(`"`+strings.Repeat("<\\n城", 99)+`"`), uint16(3), uint8(0), uint8(0))
	earlier := `{"preview":"` + strings.Repeat("a", 900) + `","bytes":4000}`
	f.Add([]byte(earlier), uint16(0), uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, extra uint16, times, kind uint8) {
		if !json.Valid(data) {
			return
		}
		var compact bytes.Buffer
		require.NoError(t, json.Compact(&compact, data))
		raw := []byte(shape(Valid(compact.String()), times, kind))
		if !json.Valid(raw) {
			return // nested deeper than the decoder allows
		}
		limit := 256 + int(extra)%4000
		got, cut := JSON(raw, limit)
		checkJSON(t, raw, limit, got, cut)
	})
}
