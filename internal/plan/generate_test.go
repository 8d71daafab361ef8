package plan_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/jig-go/jig/internal/tree"
)

// A value is a JSON value that is made for a schema and can be changed before it is written.
type value struct {
	node  *tree.Node // the schema it was made for; nil: any
	raw   string     // of a scalar
	list  []*value   // of an array; of an object in the order of keys
	keys  []string   // of an object
	shape byte       // '[', '{' or 0
}

func (v *value) String() string {
	if v.shape == 0 {
		return v.raw
	}
	parts := make([]string, len(v.list))
	for i, item := range v.list {
		parts[i] = item.String()
		if v.shape == '{' {
			parts[i] = quoted(v.keys[i]) + ":" + parts[i]
		}
	}
	closer := map[byte]string{'[': "]", '{': "}"}[v.shape]
	return string(v.shape) + strings.Join(parts, ",") + closer
}

// all returns v and every value inside it.
func (v *value) all() []*value {
	out := []*value{v}
	for _, item := range v.list {
		out = append(out, item.all()...)
	}
	return out
}

func quoted(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}

// A maker makes values for schemas. It draws from one seeded source, so that a run repeats itself.
type maker struct {
	*rand.Rand
	root *tree.Node
}

func (m *maker) chance(percent int) bool { return m.IntN(100) < percent }

func pick[T any](m *maker, list []T) T { return list[m.IntN(len(list))] }

// samples are good texts of the types with a text form, by Go type.
var samples = map[string][]string{
	"time.Time": {"2024-02-29T12:00:00Z", "1999-12-31T23:59:59.25+02:00",
		"0001-01-01T00:00:00Z"},
	"time.Duration": {"1m30s", "250ms", "0s", "-2h0m0.5s", "1.5µs"},
	"url.URL":       {"https://example.com/a?b=c#d", "/path", "mailto:a@example.com"},
	"netip.Addr":    {"192.0.2.1", "2001:db8::1", "::ffff:10.0.0.1"},
	"netip.Prefix":  {"10.0.0.0/8", "2001:db8::/32"},
	"net.IP":        {"192.0.2.1", "2001:db8::1"},
	"big.Float":     {"1.5", "-3e10"},
	"big.Rat":       {"1/3", "-7"},
	"bytes":         {"", "aGVsbG8=", "AAEC", "/+8="},
	"bool":          {"true", "false"},
	"string":        {`"a"`, `""`, `"x\ny"`},
	"level":         {"low", "high"},
	"decimal":       {"1.50", "-3"},
	"hex":           {"00", "ff10"},
}

// patterns are the patterns that the tests use, with texts that match.
var patterns = map[string][]string{
	"^[a-z]{1,3}$": {"a", "xyz"},
	"^[A-Z]+$":     {"A", "ABCDEF"},
	"b":            {"abc", "b"},
}

func (m *maker) make(n *tree.Node, depth int) *value {
	if ref, ok := n.String("$ref"); ok {
		return m.make(m.root.At(strings.TrimPrefix(ref, "#")), depth)
	}
	if union := n.Get("anyOf"); union != nil {
		if depth > 6 {
			return m.make(union.List[len(union.List)-1], depth)
		}
		return m.make(pick(m, union.List), depth)
	}
	if list := n.Values("enum"); len(list) > 0 {
		return &value{node: n, raw: string(pick(m, list))}
	}
	types := n.Types()
	if len(types) == 0 {
		return m.anything(depth)
	}
	name := types[0]
	if slices.Contains(types, "null") && (depth > 6 || m.chance(25)) {
		name = "null"
	}
	switch name {
	case "boolean":
		return &value{node: n, raw: pick(m, []string{"true", "false"})}
	case "integer", "number":
		return &value{node: n, raw: m.number(n, name)}
	case "string":
		return &value{node: n, raw: quoted(m.text(n))}
	case "array":
		return m.array(n, depth)
	case "object":
		return m.object(n, depth)
	}
	return &value{node: n, raw: "null"}
}

var anyTexts = []string{
	"null", "true", "0", "-0.0", "5.0", "1e2", "9007199254740993", "0.1", `"x"`, `""`,
	`"a<b&\u2028"`,
	"[]", "{}", `[1,[2,{"wwww":null,"qqqq":1.50}]]`, `{"wwww":1e0,"qqqq":[null]}`,
}

func (m *maker) anything(depth int) *value {
	switch {
	case depth < 5 && m.chance(15):
		return &value{shape: '[', list: []*value{m.anything(depth + 1), m.anything(depth + 1)}}
	case depth < 5 && m.chance(15):
		return &value{shape: '{', keys: []string{"kkkk"}, list: []*value{m.anything(depth + 1)}}
	}
	return &value{raw: pick(m, anyTexts)}
}

func rat(n *tree.Node, key string) *big.Rat {
	if member := n.Get(key); member != nil {
		r, _ := new(big.Rat).SetString(string(member.Raw))
		return r
	}
	return nil
}

// limits returns inclusive bounds for what is made; open ones are moved in by one.
func limits(n *tree.Node) (low, high *big.Rat) {
	low, high = big.NewRat(-1000, 1), big.NewRat(1000, 1)
	one := big.NewRat(1, 1)
	if r := rat(n, "exclusiveMinimum"); r != nil {
		low = new(big.Rat).Add(r, one)
	}
	if r := rat(n, "exclusiveMaximum"); r != nil {
		high = new(big.Rat).Sub(r, one)
	}
	if r := rat(n, "minimum"); r != nil && (r.Cmp(low) > 0 || !n.Has("exclusiveMinimum")) {
		low = r
	}
	if r := rat(n, "maximum"); r != nil && (r.Cmp(high) < 0 || !n.Has("exclusiveMaximum")) {
		high = r
	}
	return low, high
}

func (m *maker) number(n *tree.Node, kind string) string {
	low, high := limits(n)
	steps := big.NewRat(int64(m.IntN(2000)), 1)
	at := new(big.Rat).SetInt64(int64(m.IntN(40) - 10))
	switch m.IntN(4) {
	case 0:
		at.Set(low)
	case 1:
		at.Set(high)
	case 2:
		at.Add(low, steps)
	}
	if at.Cmp(low) < 0 {
		at.Set(low)
	}
	if at.Cmp(high) > 0 {
		at.Set(high)
	}
	if step := rat(n, "multipleOf"); step != nil {
		count := new(big.Rat).Quo(at, step)
		whole := new(big.Int).Quo(count.Num(), count.Denom())
		at.Mul(step, new(big.Rat).SetInt(whole))
	}
	return m.spell(at, kind)
}

// spell writes a number in one of the forms that mean the same.
func (m *maker) spell(r *big.Rat, kind string) string {
	if !r.IsInt() {
		return r.FloatString(6)
	}
	plain := r.Num().String()
	if len(plain) > 40 {
		f, _ := new(big.Float).SetRat(r).Float64()
		if back, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1,
			64)); ok && back.Cmp(r) == 0 {
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
		return "0"
	}
	if kind == "number" && m.chance(20) && len(plain) < 10 {
		return plain + ".5"
	}
	return plain + pick(m, []string{"", "", "", "", ".0", "e0", ".00E+0"})
}

func (m *maker) text(n *tree.Node) string {
	if n.Text != nil {
		if list := textSamples(n.Text.Type, n); list != nil {
			return pick(m, list)
		}
	}
	if p, ok := n.String("pattern"); ok && patterns[p] != nil {
		return pick(m, patterns[p])
	}
	low, high := 0, 6
	if r := rat(n, "minLength"); r != nil {
		low = int(r.Num().Int64())
		high = max(high, low)
	}
	if r := rat(n, "maxLength"); r != nil {
		high = int(r.Num().Int64())
	}
	out := ""
	for range low + m.IntN(high-low+1) {
		out += pick(m, []string{"a", "b", "é", "語", "😀", "\"", "<", " "})
	}
	return out
}

func textSamples(t reflect.Type, n *tree.Node) []string {
	name := t.String()
	switch {
	case samples[name] != nil:
		return samples[name]
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return samples["bytes"]
	}
	if _, ok := n.String("pattern"); ok && t.Kind() >= reflect.Int && t.Kind() <= reflect.Uintptr {
		return []string{"0", "7", "42"}
	}
	if t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64 {
		return []string{"0", "1.5", "-2e3"}
	}
	for suffix, list := range samples {
		if strings.HasSuffix(name, "."+suffix) {
			return list
		}
	}
	return nil
}

func (m *maker) array(n *tree.Node, depth int) *value {
	v := &value{node: n, shape: '['}
	low, high := 0, 3
	if r := rat(n, "minItems"); r != nil {
		low = int(r.Num().Int64())
		high = max(high, low)
	}
	if r := rat(n, "maxItems"); r != nil {
		high = int(r.Num().Int64())
	}
	count := low + m.IntN(high-low+1)
	if depth > 6 {
		count = low
	}
	items := n.Get("items").Node
	for tries := 0; len(v.list) < count && tries < 30; tries++ {
		item := m.make(items, depth+1)
		same := func(old *value) bool { return old.String() == item.String() }
		if n.Has("uniqueItems") && slices.ContainsFunc(v.list, same) {
			continue
		}
		v.list = append(v.list, item)
	}
	return v
}

func (m *maker) object(n *tree.Node, depth int) *value {
	v := &value{node: n, shape: '{'}
	required := n.Strings("required")
	if p := n.Get("properties"); p != nil {
		for _, e := range p.Named {
			must := slices.Contains(required, e.Name)
			switch {
			case must || depth <= 6 && m.chance(60):
				v.set(e.Name, m.make(e.Node, depth+1))
			case m.chance(20):
				v.set(e.Name, &value{node: e.Node, raw: "null"})
			}
		}
		m.Shuffle(len(v.keys), func(i, j int) {
			v.keys[i], v.keys[j] = v.keys[j], v.keys[i]
			v.list[i], v.list[j] = v.list[j], v.list[i]
		})
		return v
	}
	names := []string{"", "a", "b c", "é~/"}
	if keys := n.Get("propertyNames"); keys != nil {
		names = textSamples(keys.Node.Text.Type, keys.Node)
	}
	elem := &tree.Node{}
	if m := n.Get("additionalProperties"); m != nil {
		elem = m.Node
	}
	for _, name := range names {
		if depth <= 6 && m.chance(50) {
			v.set(name, m.make(elem, depth+1))
		}
	}
	return v
}

func (v *value) set(key string, item *value) {
	v.keys = append(v.keys, key)
	v.list = append(v.list, item)
}

// numbers lie at the edges of Go's types and of JSON.
var numbers = []string{
	"0", "-0.0", "1.5", "50e-1", "1e2", "-1", "127", "128", "-129", "255", "256", "300", "65536",
	"2147483648", "4294967296", "9007199254740993", "9223372036854775807", "9223372036854775808",
	"-9223372036854775809", "18446744073709551615", "18446744073709551616", "3.5e38", "1e400",
	"-1e400", "1e-400", "3.4028235e38", "1.7976931348623157e308", "1e999", "1e998",
}

// mutate changes one place of v, in a way that may or may not break its schema.
func (m *maker) mutate(v *value) {
	at := pick(m, v.all())
	switch choice := m.IntN(10); {
	case choice == 0:
		*at = value{node: at.node, raw: "null"}
	case choice < 3:
		*at = *m.anything(4)
	case choice == 3 && at.shape == 0:
		at.raw = pick(m, numbers)
	case at.shape == '{':
		m.mutateObject(at)
	case at.shape == '[':
		m.mutateArray(at)
	default:
		m.mutateScalar(at)
	}
}

func (m *maker) mutateObject(v *value) {
	switch n := len(v.keys); {
	case n == 0 || m.chance(30):
		v.set(fmt.Sprintf("unknownMember%d", m.Uint64()), m.anything(4))
	case m.chance(50):
		i := m.IntN(n)
		v.keys, v.list = slices.Delete(v.keys, i, i+1), slices.Delete(v.list, i, i+1)
	default:
		v.list[m.IntN(n)] = &value{raw: "null"}
	}
}

func (m *maker) mutateArray(v *value) {
	switch n := len(v.list); {
	case n > 0 && m.chance(40):
		v.list = v.list[:n-1]
	case n > 0 && m.chance(50):
		v.list = append(v.list, v.list[0])
	default:
		v.list = append(v.list, m.anything(4))
	}
}

func (m *maker) mutateScalar(v *value) {
	if v.node == nil {
		v.raw = pick(m, numbers)
		return
	}
	var keys []string
	for _, key := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
		if r := rat(v.node, key); r != nil && r.IsInt() && len(r.Num().String()) < 40 {
			keys = append(keys, key)
		}
	}
	if len(keys) > 0 && m.chance(70) {
		r := rat(v.node, pick(m, keys))
		v.raw = new(big.Rat).Add(r, big.NewRat(int64(m.IntN(3)-1), 1)).Num().String()
		return
	}
	if length := rat(v.node, pick(m, []string{"minLength", "maxLength"})); length != nil {
		v.raw = quoted(strings.Repeat("é", max(0, int(length.Num().Int64())+m.IntN(3)-1)))
		return
	}
	v.raw = pick(m, []string{`""`, `"zzz"`, "true", "7", "1.5", `"1"`, `"2024-01-01"`, `"30"`,
		"[]"})
}
