package repair

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig/internal/canon"
	"github.com/jig-go/jig/internal/scan"
)

func seeds() []string {
	return []string{
		`{"a":[1,2.50,-0],"b":{"c":null},"e":"it's \u00e9\n\"\\\/"}`,
		"{'a':'it\\'s \"b\"',}",
		"```json\n{\"a\":\"x\ny\",}\n```", "<|call|>[1,]<|end|>",
		"[\"\\\n\",'\\\"']", "'a'b'", "5<|e|>",
		"[\"\\ud83d\\ude00\",'\\ud83d']", bom + "```{}```",
		"[,]", "[1,,]", "{'a':1,\"a\":2}", "``````", "\xef\xbb",
		"<s>```js\n\"```\"```</s>", "<｜a▁b｜>{}", "{\"a\":\"b<|end|>", "[1[/INST]",
		"```true\n```",
	}
}

// FuzzText holds what is true of every text. The strings are compared with a reading by regular
// expressions, which has nothing in common with the one that mends.
func FuzzText(f *testing.F) {
	for _, seed := range seeds() {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		before := bytes.Clone(raw)
		_, strict := check(raw)
		got, kinds := Text(raw)
		require.Equal(t, before, raw, "Text changed its input")
		switch {
		case strict == nil:
			require.Equal(t, raw, got, "Text changed what was valid")
			require.Empty(t, kinds)
			checkPrefixes(t, raw)
		case got == nil:
			require.Empty(t, kinds)
			return
		default:
			require.NotEmpty(t, kinds)
			require.NotEqual(t, scan.Truncated, strict.Code, "Text completed %q to %q", raw, got)
		}
		require.True(t, json.Valid(bytes.TrimPrefix(got, []byte(bom))), "Text(%q) = %q", raw, got)
		_, err := check(got)
		require.Nil(t, err)
		again, more := Text(got)
		require.Equal(t, got, again, "Text is not idempotent")
		require.Empty(t, more)
		require.Equal(t, looseStrings(raw), stringsOf(got), "Text(%q) = %q", raw, got)
		require.Contains(t, skeleton(raw), skeleton(got), "Text(%q) = %q", raw, got)
	})
}

// checkPrefixes fails if a part of a valid text is mended. A part may be valid, such as 1 of 12.
func checkPrefixes(t *testing.T, valid []byte) {
	t.Helper()
	for i := range min(len(valid), 300) {
		part := valid[:i]
		if got, kinds := Text(part); got != nil {
			require.Empty(t, kinds, "Text(%q) = %q", part, got)
			require.Equal(t, part, got)
		}
	}
}

var (
	looseString  = regexp.MustCompile(`(?s)"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`)
	looseEscape  = regexp.MustCompile(`(?s)\\.`)
	control      = regexp.MustCompile(`[\x00-\x1f]`)
	spaces       = regexp.MustCompile(`[ \t\r\n]+`)
	looseTrailer = regexp.MustCompile(`,([\]}])`)
)

// looseStrings returns what the strings of a text stand for, as encoding/json sees them once their
// quotes and control characters are those of JSON.
func looseStrings(raw []byte) (found []string) {
	for _, text := range looseString.FindAllString(string(raw), -1) {
		body := text[1 : len(text)-1]
		if text[0] == '\'' {
			body = looseEscape.ReplaceAllStringFunc(body, func(escape string) string {
				switch escape {
				case `\'`:
					return `\u0027`
				case `\"`:
					return `\u0022`
				}
				return escape
			})
			body = strings.ReplaceAll(body, `"`, `\"`)
		}
		body = control.ReplaceAllStringFunc(body, func(c string) string {
			quoted, _ := json.Marshal(c)
			return string(quoted[1 : len(quoted)-1])
		})
		var decoded string
		if err := json.Unmarshal([]byte(`"`+body+`"`), &decoded); err != nil {
			decoded = "error: " + err.Error()
		}
		found = append(found, decoded)
	}
	return found
}

// skeleton returns a text with its strings emptied, and without white space and trailing commas.
func skeleton(raw []byte) string {
	text := looseString.ReplaceAllString(string(raw), `""`)
	text = spaces.ReplaceAllString(text, "")
	return looseTrailer.ReplaceAllString(text, "$1")
}

// FuzzDamage damages a valid text in each way that can be mended, and wants the same value back and
// all damage named.
func FuzzDamage(f *testing.F) {
	for i, seed := range seeds() {
		f.Add([]byte(seed), uint64(i))
		f.Add([]byte(seed), uint64(i)<<32)
	}
	f.Fuzz(func(t *testing.T, doc []byte, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 1))
		checked, err := check(doc)
		if err != nil {
			checked = randomValue(nil, rng, 4)
		}
		d := damager{rng: rng}
		body, text := d.damage(checked)
		got, kinds := Text(text)
		require.NotNil(t, got, "Text(%q), out of %q", text, checked)
		require.True(t, canon.Equal(checked, got), "Text(%q) = %q, want %q", text, got, checked)
		require.Equal(t, stringsOf(checked), stringsOf(got))
		require.Equal(t, d.done.kinds(), kinds, "Text(%q)", text)
		if c := checked[0]; c != '[' && c != '{' {
			return
		}
		cut := rng.IntN(len(body))
		got, kinds = Text(body[:cut])
		require.Nil(t, got, "Text(%q) = %q, %q", body[:cut], got, kinds)
	})
}

// damager breaks valid texts. It notes in done what there is to mend.
type damager struct {
	rng  *rand.Rand
	done mends
}

// damage returns a broken form of a checked text, without wrappers and with them.
func (d *damager) damage(checked []byte) (body, wrapped []byte) {
	c := scan.NewCursor(checked)
	body = d.value(nil, &c)
	inner := d.withTokens(string(body))
	if d.rng.IntN(3) > 0 {
		return body, []byte(inner)
	}
	d.done |= codeFence
	tick := strings.Repeat("`", 3+d.rng.IntN(2))
	language := d.pick("\n", "json\n", "json ", "JSON \r\n", "tool_call\n", " ")
	return body, []byte(d.withTokens(tick + language + inner + d.pick("", "\n") + tick))
}

func (d *damager) withTokens(text string) string {
	for range d.rng.IntN(3) {
		token := d.pick("<|call|>", "</s>", "[/INST]", "<｜tool▁call▁end｜>", "<tool_call|>")
		space := d.pick("", " ", "\r\n")
		if d.done |= controlToken; d.rng.IntN(2) > 0 {
			text = token + space + text
		} else {
			text += space + token
		}
	}
	return text
}

func (d *damager) value(dst []byte, c *scan.Cursor) []byte {
	kind := c.Kind()
	switch kind {
	case scan.String:
		return d.text(dst, c.Text())
	case scan.Array, scan.Object:
	default:
		return append(dst, c.Skip()...)
	}
	open, closer := byte('['), byte(']')
	if kind == scan.Object {
		open, closer = '{', '}'
	}
	dst = append(dst, open)
	for more := c.Enter(); more; {
		if kind == scan.Object {
			dst = append(d.text(dst, string(c.Key())), d.pick(":", " : ")...)
		}
		dst = d.value(dst, c)
		if more = c.More(); more {
			dst = append(dst, d.pick(",", ", ", "\n,")...)
		} else if d.rng.IntN(4) == 0 {
			d.done |= trailingComma
			dst = append(dst, d.pick(",", " ,\n")...)
		}
	}
	return append(dst, closer)
}

// text writes a string with quotes and escapes that are chosen anew.
func (d *damager) text(dst []byte, s string) []byte {
	quote := '"'
	if d.rng.IntN(2) == 0 {
		d.done |= singleQuotes
		quote = '\''
	}
	dst = append(dst, byte(quote))
	for _, r := range s {
		switch {
		case r == quote || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ' && d.rng.IntN(2) == 0:
			d.done |= controlCharacter
			dst = append(dst, byte(r))
		case r == '\'':
			dst = append(dst, d.pick(`'`, `\u0027`)...)
		case r == '"':
			dst = append(dst, d.pick(`"`, `\"`, `\u0022`)...)
		default:
			quoted := scan.AppendQuote(nil, string(r))
			dst = append(dst, quoted[1:len(quoted)-1]...)
		}
	}
	return append(dst, byte(quote))
}

func (d *damager) pick(from ...string) string { return from[d.rng.IntN(len(from))] }

// pieces are texts in which a fault would be seen where there is none.
var pieces = []string{
	"'", `"`, `\`, `\'`, `\"`, `\n`, "\n", "\x00", "\t", "```", "```json\n", "<|end|>", "</s>",
	",]", ",}", "[/INST]", "//", "a", "é", "😀", ":", ", ", "{", "[", "\u007f", "\ufeff", "",
}

func randomText(rng *rand.Rand) (s string) {
	for range rng.IntN(5) {
		s += pieces[rng.IntN(len(pieces))]
	}
	return s
}

// randomValue appends a valid value that is at most depth levels deep.
func randomValue(dst []byte, rng *rand.Rand, depth int) []byte {
	switch n := rng.IntN(9); {
	case n < 2:
		return append(dst, []string{"null", "true", "-0", "2.50", "1E-3"}[rng.IntN(5)]...)
	case n < 4 || depth == 0:
		return scan.AppendQuote(dst, randomText(rng))
	case n < 6:
		dst = append(dst, '[')
		for i := range rng.IntN(4) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = randomValue(dst, rng, depth-1)
		}
		return append(dst, ']')
	}
	dst = append(dst, '{')
	for i := range rng.IntN(4) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = scan.AppendQuote(dst, randomText(rng)+string(rune('0'+i)))
		dst = randomValue(append(dst, ':'), rng, depth-1)
	}
	return append(dst, '}')
}

// TestDamage runs FuzzDamage's check often enough to meet each piece in each place.
func TestDamage(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(5000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		checked := randomValue(nil, rng, 5)
		d := damager{rng: rng}
		_, text := d.damage(checked)
		got, kinds := Text(text)
		require.NotNil(t, got, "Text(%q), out of %q", text, checked)
		require.True(t, canon.Equal(checked, got), "Text(%q) = %q, want %q", text, got, checked)
		require.Equal(t, d.done.kinds(), kinds, "Text(%q)", text)
		for _, kind := range kinds {
			seen[kind]++
		}
	}
	for _, kind := range kindNames {
		require.Greater(t, seen[kind], 500, kind)
	}
}
