package repair

import "testing"

func TestTextFence(t *testing.T) {
	testMends(t, []mend{
		{"language", "```json\n{\"a\":1}\n```", `{"a":1}`, "code_fence"},
		{"no language", "```\n{\"a\":1}\n```", `{"a":1}`, "code_fence"},
		{"other language", "```tool_call\n{\"a\":1}\n```", `{"a":1}`, "code_fence"},
		{"upper case", "```JSON\n[]\n```", `[]`, "code_fence"},
		{"white space", " \n```json \t\r\n\r\n {\"a\":1} \r\n ```\n\n", `{"a":1}`, "code_fence"},
		{"one line", "```json {\"a\":1} ```", `{"a":1}`, "code_fence"},
		{"one line without spaces", "```json{\"a\":1}```", `{"a":1}`, "code_fence"},
		{"one line without language", "```[1]```", `[1]`, "code_fence"},
		{"more ticks", "`````json\n[]\n`````", `[]`, "code_fence"},
		{"string of ticks", "```\n\"```\"\n```", "\"```\"", "code_fence"},
		{"raw ticks on their own line", "```\n{\"a\":\"\n```\n\"}\n```", "{\"a\":\"\\n```\\n\"}",
			"code_fence control_character"},
		{"literal", "```\ntrue\n```", `true`, "code_fence"},
		{"literal in one line", "```null```", `null`, "code_fence"},
		{"number in one line", "```-5```", `-5`, "code_fence"},

		{"literal for a language", "```true\n5\n```", "", ""},
		{"number for a language", "```5\n6\n```", "", ""},
		{"language after a space", "``` json\n[]\n```", "", ""},
		{"other language in one line", "```yaml [1]```", "", ""},
		{"other language in the line of the value", "```yaml [1]\n```", "", ""},
		{"two words", "```json pretty\n[]\n```", "", ""},
		{"two ticks", "``[]``", "", ""},
		{"longer end", "```\n[]\n````", "", ""},
		{"longer start", "````\n[]\n```", "", ""},
		{"prose before", "Here:\n```json\n[]\n```", "", ""},
		{"prose after", "```json\n[]\n```\nDone.", "", ""},
		{"prose inside", "```json\nHere: []\n```", "", ""},
		{"two fences", "```json\n{}\n```\n```json\n{}\n```", "", ""},
		{"nested fences", "````\n```json\n{}\n```\n````", "", ""},
		{"nothing inside", "```json\n```", "", ""},
		{"only ticks", "``````", "", ""},
		{"tildes", "~~~\n[]\n~~~", "", ""},
	})
}

func TestTextTokens(t *testing.T) {
	const one = "control_token"
	tests := []mend{
		{"several", `<|message|> <|tool_call|>[1]` + "\n<|call|><|end|>", `[1]`, one},
		{"deepseek", "<｜tool▁call▁begin｜>{}<｜tool▁call▁end｜><｜end▁of▁sentence｜>", `{}`, one},
		{"bar on one side", `<|tool_call>{}<tool_call|>`, `{}`, one},
		{"digits", `[]<|reserved_special_token_0|>`, `[]`, one},
		{"in a string too", `{"a":"<|end|>"}<|end|>`, `{"a":"<|end|>"}`, one},
		{"string", `"</s>"</s>`, `"</s>"`, one},
		{"number", `12<|end|>`, `12`, one},
		{"outside of a fence", "<s>```\n{}\n```</s>", `{}`, "code_fence control_token"},
		{"inside of a fence", "```json\n{}<|end|>\n```", `{}`, "code_fence control_token"},

		{"between two values", `{}<|sep|>{}`, "", ""},
		{"inside the value", `{"a":<|end|>1}`, "", ""},
		{"with prose", `<|channel|>commentary<|message|>{}`, "", ""},
		{"no name", `<||>{}`, "", ""},
		{"no bars", `<end>{}`, "", ""},
		{"space in the name", `<|the end|>{}`, "", ""},
		{"quote in the name", `<|"|>{}`, "", ""},
		{"reasoning", `<think></think>{}`, "", ""},
		{"letter case", `{}[/inst]`, "", ""},
		{"two brackets", `{}[[/INST]]`, "", ""},
		{"only tokens", `<|call|></s>`, "", ""},
	}
	for _, token := range append([]string{"<|call|>", "<|END_OF_TURN_TOKEN|>"}, tokens...) {
		tests = append(tests, mend{token, "[1]" + token, `[1]`, one},
			mend{token + " first", token + "[1]", `[1]`, one},
			mend{token + " as item", `[1,` + token + `]`, "", ""})
	}
	testMends(t, tests)
}
