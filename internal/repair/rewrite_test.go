package repair

import "testing"

func TestTextCommas(t *testing.T) {
	const one = "trailing_comma"
	testMends(t, []mend{
		{"array", `[1,]`, `[1]`, one},
		{"object", `{"a":1,}`, `{"a":1}`, one},
		{"white space stays", "{\"a\": 1 ,\n}", "{\"a\": 1 \n}", one},
		{"several", `{"a":[1,{"b":"",},],}`, `{"a":[1,{"b":""}]}`, one},
		{"in a string too", `[",]",]`, `[",]"]`, one},
		{"after a literal", `[null,]`, `[null]`, one},

		{"nothing before", `[,]`, "", ""},
		{"nothing before in object", `{,}`, "", ""},
		{"two", `[1,,]`, "", ""},
		{"two apart", "[1, ,\n]", "", ""},
		{"leading", `[,1]`, "", ""},
		{"in the middle", `[1,,2]`, "", ""},
		{"no value", `{"a":,}`, "", ""},
		{"no colon", `{"a",}`, "", ""},
		{"after the value", `{"a":1},`, "", ""},
		{"after the value and before a closer", `1,]`, "", ""},
	})
}

func TestTextSingleQuotes(t *testing.T) {
	const one = "single_quotes"
	testMends(t, []mend{
		{"keys and values", `{'a': 'b', 'c': ['d']}`, `{"a": "b", "c": ["d"]}`, one},
		{"mixed", `{"a": 'b', 'c': "d'e"}`, `{"a": "b", "c": "d'e"}`, one},
		{"whole text", `'a'`, `"a"`, one},
		{"empty", `['']`, `[""]`, one},
		{"escaped single", `['it\'s']`, `["it's"]`, one},
		{"raw double", `['say "a"']`, `["say \"a\""]`, one},
		{"escaped double", `['say \"a\"']`, `["say \"a\""]`, one},
		{"backslash at the end", `['a\\']`, `["a\\"]`, one},
		{"backslash and quote", `['a\\\'b']`, `["a\\'b"]`, one},
		{"escapes stay", `['\n\/\u00e9\ud83d\ude00']`, `["\n\/\u00e9\ud83d\ude00"]`, one},
		{"faults in it", `['[1,] // <|end|>']`, `["[1,] // <|end|>"]`, one},
		{"runes", `['é😀']`, `["é😀"]`, one},

		{"apostrophe", `['it's']`, "", ""},
		{"apostrophe before a comma", `['the dogs' bone', 'x']`, "", ""},
		{"doubled", `['it''s']`, "", ""},
		{"other escape", `['\xe9']`, "", ""},
		{"single escape in double quotes", `["it\'s",]`, "", ""},
		{"other quotes", `{‘a’: “b”}`, "", ""},
		{"backticks", "{`a`: 1}", "", ""},
		{"mixed ends", `["a']`, "", ""},
		{"lone half", `['\ud83d']`, "", ""},
	})
}

func TestTextControlCharacters(t *testing.T) {
	const one = "control_character"
	testMends(t, []mend{
		{"newline", "[\"a\nb\"]", `["a\nb"]`, one},
		{"windows newline", "[\"a\r\nb\"]", `["a\r\nb"]`, one},
		{"tab in a key", "{\"a\tb\":1}", `{"a\tb":1}`, one},
		{"others", "[\"\x00\x08\x0c\x1b\x1f\"]", `["\u0000\b\f\u001b\u001f"]`, one},
		{"in single quotes", "['\n\"']", `["\n\""]`, "single_quotes control_character"},
		{"after an escaped backslash", "[\"\\\\\n\"]", `["\\\n"]`, one},
		{"delete needs no escape", "[\"\x7f\n\"]", "[\"\x7f\\n\"]", one},

		{"escaped newline", "[\"a\\\nb\"]", "", ""},
		{"in an escape", "[\"\\u00\n41\"]", "", ""},
		{"between surrogates", "[\"\\ud83d\n\\ude00\"]", "", ""},
		{"outside", "[1,\x0b2]", "", ""},
		{"after the value", "{}\x00", "", ""},
		{"missing quote", "{\"a\":\"x\n,\"b\":\"y\"}", "", ""},
	})
}
