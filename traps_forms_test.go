package jig_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

// Types with a text form of their own, of each kind of Go.
type (
	textBool   bool
	textArray  [4]byte
	textSlice  []int
	textMap    map[string]int
	textStruct struct{ a, b int }
	textFloat  float64
)

func (v textBool) MarshalText() ([]byte, error)   { return fmt.Appendf(nil, "is %t", bool(v)), nil }
func (v *textBool) UnmarshalText(b []byte) error  { return scanText(b, "is %t", (*bool)(v)) }
func (v textFloat) MarshalText() ([]byte, error)  { return fmt.Appendf(nil, "%g kg", float64(v)), nil }
func (v *textFloat) UnmarshalText(b []byte) error { return scanText(b, "%g kg", (*float64)(v)) }
func (v textArray) MarshalText() ([]byte, error)  { return fmt.Appendf(nil, "%x", v[:]), nil }
func (v *textArray) UnmarshalText(b []byte) error {
	var s []byte
	err := scanText(b, "%x", &s)
	copy(v[:], s)
	return err
}
func (v textSlice) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%d items", len(v)), nil }
func (v *textSlice) UnmarshalText(b []byte) error {
	var n int
	err := scanText(b, "%d items", &n)
	*v = make(textSlice, n)
	return err
}
func (v textMap) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%d keys", v["n"]), nil }
func (v *textMap) UnmarshalText(b []byte) error {
	var n int
	err := scanText(b, "%d keys", &n)
	*v = textMap{"n": n}
	return err
}
func (v textStruct) MarshalText() ([]byte, error)  { return fmt.Appendf(nil, "%d/%d", v.a, v.b), nil }
func (v *textStruct) UnmarshalText(b []byte) error { return scanText(b, "%d/%d", &v.a, &v.b) }

func scanText(b []byte, format string, into ...any) error {
	_, err := fmt.Sscanf(string(b), format, into...)
	return err
}

// embedsTime has, by promotion, the form of what it embeds, whatever else it has.
type (
	embedsTime    struct{ time.Time }
	embedsPointer struct{ *big.Int }
	embedsMore    struct {
		embedsTime
		Note string
	}
	embedsAddr struct{ netip.Addr }
)

// places has a type where each kind of place is.
type places[T any] struct {
	V    T            `json:"v"`
	Opt  T            `json:"opt,omitzero"`
	Ptr  *T           `json:"ptr"`
	List []T          `json:"list"`
	Two  [2]T         `json:"two"`
	Map  map[string]T `json:"map"`
	In   struct {
		V T `json:"v"`
	} `json:"in"`
}

// everywhere calls a tool with one value in every place of places.
func everywhere[T any](t *testing.T, value string) jig.Outcome {
	t.Helper()
	wellFormed(t, inputOf[places[T]](t, false))
	wellFormed(t, inputOf[places[T]](t, true))
	return callWith[places[T]](t, strings.ReplaceAll(
		`{"v":#,"opt":#,"ptr":#,"list":[#,#],"two":[#,#],"map":{"k":#},"in":{"v":#}}`, "#", value))
}

// checkForm checks that a value travels through every place as it was sent, and that each of the
// wrong ones is refused in all nine places, by the schema and not by a decoder later.
func checkForm[T any](t *testing.T, good string, wrong ...string) {
	t.Helper()
	t.Run(reflect.TypeFor[T]().String(), func(t *testing.T) {
		outcome := everywhere[T](t, good)
		require.Equal(t, jig.StatusOK, outcome.Status, outcome.Text())
		require.Equal(t, 9, strings.Count(outcome.Text(), good), outcome.Text())
		for _, value := range wrong {
			outcome := everywhere[T](t, value)
			require.Equal(t, jig.StatusInvalid, outcome.Status, value)
			require.Equal(t, 9, strings.Count(outcome.Text(), "\n- "), outcome.Text())
		}
	})
}

func TestTrapsOwnFormsInEveryPlace(t *testing.T) {
	checkForm[textBool](t, `"is true"`, `true`, `"true"`, `{}`)
	checkForm[textFloat](t, `"1.5 kg"`, `1.5`, `"heavy"`)
	checkForm[textArray](t, `"00ff00ff"`, `[0,255,0,255]`, `"not hex"`)
	checkForm[textSlice](t, `"3 items"`, `[1,2,3]`, `""`)
	checkForm[textMap](t, `"2 keys"`, `{"n":2}`, `"keys"`)
	checkForm[textStruct](t, `"1/2"`, `{}`, `{"a":1,"b":2}`, `12`)
	checkForm[embedsTime](t, `"2026-03-04T05:06:07Z"`, `{}`, `"tomorrow"`, `{"Time":"2026-03-04T05:06:07Z"}`)
	checkForm[embedsMore](t, `"2026-03-04T05:06:07Z"`, `{"Note":"x"}`)
	checkForm[embedsAddr](t, `"2001:db8::1"`, `{}`, `"300.1.1.1"`)
	checkForm[netip.Addr](t, `"192.0.2.7"`, `{}`, `"host"`)
	checkForm[netip.Prefix](t, `"10.0.0.0/8"`, `{}`, `"10.0.0.0/99"`)
	checkForm[net.IP](t, `"2001:db8::2"`, `"::g"`, `[1,2,3,4]`)
	checkForm[net.IP](t, `"192.0.2.7"`, `"192.0.2.700"`)
	checkForm[url.URL](t, `"https://example.com/a?b=c%20d"`, `"%zz"`, `{"Host":"example.com"}`)
	checkForm[big.Int](t, `123456789012345678901234567890`, `"1"`, `1.5`, `{}`)
	checkForm[json.Number](t, `1.25`, `"1.25"`, `"abc"`)
	checkForm[time.Duration](t, `"1m30s"`, `30`, `30000000000`, `"30"`, `"1 minute"`)
	checkForm[[]byte](t, `"AQIDBA=="`, `"not base64!"`, `"AQIDBA"`, `[1,2,3]`)
	checkForm[[2]uint8](t, `[1,2]`, `"AQI="`, `[1]`, `[1,256]`)
	checkForm[struct {
		K []struct {
			V map[string]struct {
				W *struct{ X bool }
			}
		}
	}](t, `{"K":[{"V":{"a":{"W":{"X":true}}}}]}`, `{"K":[{"V":{"a":{"W":{"X":1}}}}]}`, `{}`)
	for _, value := range []string{`{"a":[1,null]}`, `"text"`, `9007199254740993`, `[true]`} {
		require.Equal(t, 9, strings.Count(everywhere[any](t, value).Text(), value))
		require.Equal(t, 9, strings.Count(everywhere[json.RawMessage](t, value).Text(), value))
	}
	_, err := jig.Define(echoSpec[embedsMore]("x")) // its promoted methods make it text, not an object
	require.Len(t, wrongIn(t, err), 1)
	require.ErrorContains(t, err, "has its own JSON or text form")
	_, err = jig.SchemaFor[embedsPointer]() // the form of big.Int is nobody's to know under another name
	require.ErrorContains(t, err, "has its own UnmarshalJSON, and nothing says which JSON it reads")
}
