package measure

import (
	"fmt"
	"strconv"
	"strings"
)

// A Case is one call of one tool.
type Case struct {
	Tool, Kind string // Kind is valid, invalid or unknown
	Input      Input
	Want       string   // the result of a valid call
	Wrong      []string // the fields that are wrong, for a call that is not valid
}

// The kinds of a Case.
const (
	Valid   = "valid"
	Invalid = "invalid"
	Unknown = "unknown"
)

// An Input is the arguments of a call, as bytes and as text: a peer takes what it takes, and pays
// for no conversion that its callers do not need.
type Input struct {
	Raw  []byte
	Text string
}

func input(text string) Input { return Input{Raw: []byte(text), Text: text} }

// Cases returns the calls of a tool. encoding/json decodes each of them into the struct without an
// error: what is wrong with the others only a schema tells.
func Cases(tool string) []Case {
	switch tool {
	case "small":
		return smallCases()
	case "medium":
		return mediumCases()
	}
	return bulkCases()
}

func smallCases() []Case {
	const valid = `{"city":"Heidelberg","days":3,"unit":"celsius"}`
	return []Case{
		{"small", Valid, input(valid), `{"city":"Heidelberg","high":23,"low":7,"unit":"celsius"}`, nil},
		{"small", Invalid, input(`{"city":"","days":30,"unit":"kelvin"}`), "",
			[]string{"city", "days", "unit"}},
		{"small", Unknown, input(strings.TrimSuffix(valid, "}") + `,"colour":"red"}`), "",
			[]string{"colour"}},
	}
}

func mediumCases() []Case {
	var items, lines []string
	total := 0.0
	for i := range 10 {
		price, quantity := float64(i)+0.25, i+1
		items = append(items, fmt.Sprintf(`{"sku":"SKU-%04d","title":"Folding chair, model %d",`+
			`"quantity":%d,"price":%v,"taxable":%v}`, i, i, quantity, price, i%2 == 0))
		lines = append(lines, fmt.Sprintf(`{"amount":%v,"sku":"SKU-%04d"}`,
			price*float64(quantity), i))
		total += price * float64(quantity)
	}
	valid := `{"order_id":"ORD-2026-000123","customer":"Ada Brandt","email":"ada@example.org",` +
		`"phone":"+49 6221 000000","currency":"EUR","channel":"web","priority":3,` +
		`"weight_grams":12500,"warehouse":9007199254740993,"attempts":1,"discount":2.5,"tax":19.25,` +
		`"total":412.75,"express":true,"gift":false,"insured":true,` +
		`"created_at":"2026-03-01T09:30:00Z","deliver_after":"2026-03-04T08:00:00+01:00",` +
		`"deliver_before":"2026-03-06T18:00:00Z","note":"Please ring twice. The bell at the gate ` +
		`does not work, the one at the door does. Leave it with the neighbour otherwise.",` +
		`"reference":"PO 4711","tags":["garden","spring","repeat"],` +
		`"labels":{"campaign":"spring","source":"newsletter","segment":"b2c","agent":"none"},` +
		`"address":{"name":"Ada Brandt","street":"Am Deich 61","postal_code":"28199",` +
		`"city":"Bremen","country":"DE"},"items":[` + strings.Join(items, ",") + `]}`
	want := `{"customer":"Ada Brandt","due_at":"2026-03-06T18:00:00Z","lines":[` +
		strings.Join(lines, ",") + `],"order_id":"ORD-2026-000123","status":"placed","total":` +
		strconv.FormatFloat(total, 'f', -1, 64) + `}`
	invalid := strings.NewReplacer(`"order_id":"ORD-2026-000123",`, ``, `"EUR"`, `"XYZ"`,
		`"priority":3`, `"priority":12`, `"country":"DE"`, `"country":"Narnia"`,
		`"quantity":4,`, `"quantity":0,`).Replace(valid)
	return []Case{
		{"medium", Valid, input(valid), want, nil},
		{"medium", Invalid, input(invalid), "",
			[]string{"order_id", "currency", "priority", "country", "quantity"}},
		{"medium", Unknown, input(strings.TrimSuffix(valid, "}") + `,"colour":"red"}`), "",
			[]string{"colour"}},
	}
}

// Rows returns the arguments of the bulk tool with n rows, and its result.
func Rows(n int) (Input, string) {
	var rows, skipped []string
	accepted, total := 0, 0.0
	for i := range n {
		line, quantity, price := i+1, i%50, float64(i%40)+0.5
		rows = append(rows, fmt.Sprintf(`{"line":%d,"sku":"SKU-%06d","quantity":%d,"price":%v}`,
			line, i, quantity, price))
		if quantity == 0 {
			skipped = append(skipped, strconv.Itoa(line))
			continue
		}
		accepted++
		total += price * float64(quantity)
	}
	return input(`{"rows":[` + strings.Join(rows, ",") + `]}`),
		fmt.Sprintf(`{"accepted":%d,"skipped":[%s],"total":%s}`, accepted,
			strings.Join(skipped, ","), strconv.FormatFloat(total, 'f', -1, 64))
}

func bulkCases() []Case {
	valid, want := Rows(1000)
	invalid := strings.NewReplacer(`"line":100,`, `"line":0,`,
		`"sku":"SKU-000300"`, `"sku":"a stock keeping unit that is too long"`,
		`"SKU-000555","quantity":5,`, `"SKU-000555","quantity":99999,`,
		`"SKU-000701","quantity":1,"price":21.5`, `"SKU-000701","quantity":1,"price":-1`).
		Replace(valid.Text)
	unknown := strings.Replace(valid.Text, `{"line":500,`, `{"colour":"red","line":500,`, 1)
	return []Case{
		{"bulk", Valid, valid, want, nil},
		{"bulk", Invalid, input(invalid), "", []string{"line", "sku", "quantity", "price"}},
		{"bulk", Unknown, input(unknown), "", []string{"colour"}},
	}
}

// Nested returns the arguments of the tool that takes a Node, n nodes deep, and its result.
func Nested(n int) (Input, string) {
	return input(strings.Repeat(`{"value":1,"child":`, n-1) + `{"value":1}` +
		strings.Repeat("}", n-1)), fmt.Sprintf(`{"depth":%d}`, n)
}
