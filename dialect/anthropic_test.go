package dialect

import (
	"encoding/json"
	"fmt"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

func TestAnthropicDefinition(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		form       form
	}{
		{"plain", `{"name":"a","description":"A < b.","input_schema":{"type":"object"}}`,
			form{name: "a", description: "A < b.", schema: json.RawMessage(`{"type":"object"}`)}},
		{"everything", `{"name":"a","description":"A.","strict":true,"input_schema":{},` +
			`"input_examples":[{"x":1},{"x":2}],"defer_loading":true}`,
			form{name: "a", title: "T", description: "A.", schema: json.RawMessage(`{}`), strict: true,
				deferred: true, examples: []json.RawMessage{json.RawMessage(`{"x":1}`), json.RawMessage(`{"x":2}`)}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, string(anthropic{}.definition(tt.form)))
		})
	}
	require.Equal(t, `[]`, string(anthropic{}.tools([]json.RawMessage{})))
	require.Equal(t, `[{},{}]`, string(anthropic{}.tools([]json.RawMessage{object(), object()})))
}

func TestAnthropicChoice(t *testing.T) {
	require.Equal(t, []string{
		`{"tool_choice":{"type":"auto"}}`,
		`{"tool_choice":{"type":"none"}}`,
		`{"tool_choice":{"type":"any"}}`,
		`{"tool_choice":{"type":"tool","name":"billing__refund","disable_parallel_tool_use":true}}`,
	}, choicesOf(t, Anthropic))
	_, err := Anthropic.Choice(wireRegistry(t), Only("ship"))
	require.ErrorIs(t, err, jig.ErrUnknownTool)
}

func TestAnthropicTurn(t *testing.T) {
	for _, tt := range []struct{ name, reason, content, want string }{
		{"parallel calls, the name mapped back, numbers kept", "tool_use",
			`{"type":"text","text":"Two."},{"type":"tool_use","id":"toolu_1",` +
				`"name":"billing__refund","input":{"order": 9007199254740993}},` +
				`{"type":"tool_use","id":"toolu_2","name":"other","input":{}}`,
			`calls "tool_use"
call toolu_1 billing.refund {"order": 9007199254740993}
call toolu_2 other {}
text "Two."
message {"role":"assistant","content":[AS SENT]}`},
		{"no id, no input", "tool_use",
			`{"type":"tool_use","name":"a"},{"type":"tool_use","id":null,"name":"b","input":null}`,
			`calls "tool_use"
call MINTED a {}
call MINTED b {}
message {"role":"assistant","content":[{"type":"tool_use","name":"a","id":"MINTED","input":{}},` +
				`{"type":"tool_use","id":"MINTED","name":"b","input":{}}]}`},
		{"cut off", "max_tokens", `{"type":"tool_use","id":"1","name":"a","input":{}},` +
			`{"type":"tool_use","id":"2","name":"b","input":{}}`,
			`cut "max_tokens"
call 1 a {}
call 2 b {} !
message {"role":"assistant","content":[AS SENT]}`},
		{"context window", "model_context_window_exceeded", `{"type":"text","text":"So"}`,
			`cut "model_context_window_exceeded"
text "So"
message {"role":"assistant","content":[AS SENT]}`},
		{"refused in a call", "refusal", `{"type":"tool_use","id":"1","name":"a","input":{}}`,
			`refused "refusal"
call 1 a {} !
message {"role":"assistant","content":[AS SENT]}`},
		{"refused without a word", "refusal", ``, `refused "refusal"`},
		{"thinking is kept, a blank text is not", "end_turn",
			`{"type":"thinking","thinking":"Hm.","signature":"s=="},` +
				`{"type":"redacted_thinking","data":"x"},{"type":"text","text":"\n"}`,
			`stop "end_turn"
text "\n"
message {"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"s=="},` +
				`{"type":"redacted_thinking","data":"x"}]}`},
		{"hosted", "pause_turn",
			`{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"q"}},` +
				`{"type":"web_search_tool_result","tool_use_id":"s","content":[]},` +
				`{"type":"mcp_tool_use","id":"m","name":"x","server_name":"s","input":{}},` +
				`{"type":"mcp_tool_result","tool_use_id":"m","content":[]},` +
				`{"type":"text","text":"Done."}`,
			`other "pause_turn"
text "Done."
hosted {"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"q"}}
hosted {"type":"web_search_tool_result","tool_use_id":"s","content":[]}
hosted {"type":"mcp_tool_use","id":"m","name":"x","server_name":"s","input":{}}
hosted {"type":"mcp_tool_result","tool_use_id":"m","content":[]}
message {"role":"assistant","content":[AS SENT]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			turn := wireTurn(t, Anthropic, `{"type":"message","role":"assistant","content":[`+
				tt.content+`],"stop_reason":"`+tt.reason+`"}`)
			require.Equal(t, tt.want, asSent(turn, tt.content))
		})
	}
}

func TestAnthropicErrors(t *testing.T) {
	require.Equal(t, `anthropic: the provider answered with an error: Overloaded (overloaded_error)
anthropic: got "{\"id\":1}", want a whole response, which has content
anthropic: content[0]: json: cannot unmarshal number into Go value of type dialect.anthropicBlock`,
		errorsOf(t, Anthropic,
			`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},`+
				`"request_id":"r"}`,
			`{"id":1}`, `{"content":[7]}`))
	s := Anthropic.Stream(wireRegistry(t))
	require.EqualError(t, s.Add(json.RawMessage(`{"type":"error",`+
		`"error":{"type":"overloaded_error","message":"Overloaded"}}`)),
		"jig/dialect: anthropic: the provider answered with an error: Overloaded (overloaded_error)")
	require.EqualError(t, s.Add(json.RawMessage(`{"type":"content_block_delta","index":3,`+
		`"delta":{}}`)),
		"jig/dialect: anthropic: a piece of block 3, which has not started")
	for _, e := range []string{anthropicStart, anthropicStop} {
		require.NoError(t, s.Add(json.RawMessage(e)))
	}
	require.EqualError(t, s.Add(json.RawMessage(anthropicStart)),
		"jig/dialect: anthropic: a second message; use one Stream for each response")
}

const (
	anthropicStart = `{"type":"message_start","message":{"id":"msg_1","role":"assistant",` +
		`"content":[],"stop_reason":null}}`
	anthropicStop = `{"type":"message_stop"}`
)

func anthropicDelta(index int, delta string) string {
	return fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, index, delta)
}

func anthropicBlockStart(index int, block string) string {
	return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, index, block)
}

func TestAnthropicStream(t *testing.T) {
	end := `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},` +
		`"usage":{"output_tokens":9}}`
	events := []string{
		anthropicStart, `{"type":"ping"}`,
		anthropicBlockStart(0, `{"type":"thinking","thinking":"","signature":""}`),
		anthropicDelta(0, `{"type":"thinking_delta","thinking":"Hm"}`),
		anthropicDelta(0, `{"type":"thinking_delta","thinking":"."}`),
		anthropicDelta(0, `{"type":"signature_delta","signature":"s=="}`),
		`{"type":"content_block_stop","index":0}`,
		anthropicBlockStart(1, `{"type":"text","text":""}`),
		anthropicDelta(1, `{"type":"text_delta","text":"Tw"}`),
		anthropicDelta(1, `{"type":"citations_delta","citation":{"type":"page_location",`+
			`"cited_text":"x"}}`),
		anthropicDelta(1, `{"type":"text_delta","text":"o."}`),
		anthropicBlockStart(2, `{"type":"tool_use","id":"toolu_1","name":"billing__refund",`+
			`"input":{}}`),
		anthropicDelta(2, `{"type":"input_json_delta","partial_json":""}`),
		anthropicDelta(2, `{"type":"input_json_delta","partial_json":"{\"order\": 90071992"}`),
		anthropicDelta(2, `{"type":"input_json_delta","partial_json":"54740993}"}`),
		anthropicBlockStart(3, `{"type":"tool_use","id":"toolu_2","name":"other","input":{}}`),
		anthropicDelta(3, `{"type":"input_json_delta","partial_json":""}`),
		end, anthropicStop,
	}
	whole, err := Anthropic.Turn(wireRegistry(t), json.RawMessage(`{"role":"assistant","content":[`+
		`{"type":"thinking","thinking":"Hm.","signature":"s=="},`+
		`{"type":"text","text":"Two.","citations":[{"type":"page_location","cited_text":"x"}]},`+
		`{"type":"tool_use","id":"toolu_1","name":"billing__refund",`+
		`"input":{"order": 9007199254740993}},`+
		`{"type":"tool_use","id":"toolu_2","name":"other","input":{}}],"stop_reason":"tool_use"}`))
	require.NoError(t, err)
	require.Equal(t, turnText(whole), turnText(wireStream(t, Anthropic, events...)))

	cut := wireStream(t, Anthropic, events[:14]...) // within the arguments
	require.Equal(t, `cut ""
call toolu_1 billing.refund {"order": 90071992 !
text "Two."
message {"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"s=="},{"type":"text","text":"Two.","citations":[{"type":"page_location","cited_text":"x"}]},{"type":"tool_use","id":"toolu_1","name":"billing__refund","input":{"INVALID_JSON":"{\"order\": 90071992"}}]}`,
		turnText(cut))
	require.Equal(t, FinishCut, wireStream(t, Anthropic, events[:len(events)-1]...).Finish, "without message_stop")
	require.Equal(t, `cut ""`, turnText(wireStream(t, Anthropic)), "no event at all")
}

// anthropicEvents is a streamed message with one call.
func anthropicEvents(c wireCall, pieces []string) []string {
	name, _ := json.Marshal(c.name)
	events := []string{anthropicStart, anthropicBlockStart(0, `{"type":"tool_use",`+
		`"id":"toolu_1","name":`+string(name)+`,"input":{}}`)}
	for _, p := range pieces {
		events = append(events, anthropicDelta(0, `{"type":"input_json_delta","partial_json":`+jsonText(p)+`}`))
	}
	return append(events, `{"type":"content_block_stop","index":0}`,
		`{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`, anthropicStop)
}

func TestAnthropicRecorded(t *testing.T) {
	t.Parallel()
	splitRecorded(t, Anthropic, "toolu_1", anthropicEvents)
	wholeRecorded(t, Anthropic, "toolu_1", func(c wireCall) string {
		return fmt.Sprintf(`{"content":[{"type":"tool_use","id":"toolu_1","name":%q,`+
			`"input":%s}],"stop_reason":"tool_use"}`,
			c.name, c.args)
	})
}

func TestAnthropicResults(t *testing.T) {
	require.Equal(t, `{"role":"user","content":[`+
		`{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"a < b"}]},`+
		`{"type":"tool_result","tool_use_id":"c2","content":[{"type":"text",`+
		`"text":"{\"n\":9007199254740993}"}]},`+
		`{"type":"tool_result","tool_use_id":"c3","content":[{"type":"text",`+
		`"text":"look failed."}],"is_error":true},`+
		`{"type":"tool_result","tool_use_id":"c4","content":[{"type":"text",`+
		`"text":"look waits for the approval of a person."}]},`+
		`{"type":"tool_result","tool_use_id":"c5","content":[{"type":"text","text":"two files"},`+
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw=="}},`+
		`{"type":"document","source":{"type":"base64","media_type":"application/pdf",`+
		`"data":"JVBERg=="},"title":"b_1.pdf"},`+
		`{"type":"text",`+
		`"text":"[application/zip \"c.zip\", 3 bytes: not shown,`+
		` this API takes no such part in a result]"}]},`+
		`{"type":"tool_result","tool_use_id":"c6","content":[{"type":"text",`+
		`"text":"[1,\"x\"]"}]}]}`,
		messagesOf(Anthropic, sampleOutcomes()...))
	require.Equal(t, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c"}]}`,
		messagesOf(Anthropic, jig.Outcome{CallID: "c", Status: jig.StatusOK, Output: jig.Text(" ")}), "no blank text")
	require.Equal(t, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c",`+
		`"content":[{"type":"text","text":`+
		`"[image/png, 1 bytes: not shown, this API takes no such part in a result]"}],`+
		`"is_error":true}]}`,
		messagesOf(Anthropic, jig.Outcome{CallID: "c", Status: jig.StatusFailed,
			Output: jig.Output{Parts: []jig.Part{{Data: []byte("x"), MIME: "image/png"}}}}), "errors hold text only")
	require.Nil(t, Anthropic.Results(nil))
}

// TestAnthropicResumed shows that a pending call has one result, and its outcome comes as text.
func TestAnthropicResumed(t *testing.T) {
	require.Equal(t, `{"role":"user",`+
		`"content":"The call c1 of billing__refund was pending. Its result: a < b"}`,
		string(Anthropic.Resumed(sampleOutcomes()[0])))
}

// FuzzAnthropicStream gives a stream random events, and random arguments in two pieces.
func FuzzAnthropicStream(f *testing.F) {
	f.Add(`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use"}}`,
		`{"a":"é😀"}`, 7)
	f.Add(`{"type":"content_block_delta","index":0,"delta":{"text":7,"citation":null}}`, ``, 0)
	f.Add(`{"type":"message_start","message":{"content":[1,null,{"type":"text"}]}}`, `{"a"`, 2)
	f.Fuzz(func(t *testing.T, event, args string, at int) {
		s := Anthropic.wire.stream()
		for _, e := range []string{event, anthropicStart, event, anthropicDelta(0, `{"text":"x"}`), event} {
			_ = s.add(json.RawMessage(e))
			_, _ = s.turn()
		}
		if !utf8.ValidString(args) || len(args) == 0 {
			return
		}
		at = min(max(at, 0), len(args))
		call := wireCall{"a", args}
		one := wireStream(t, Anthropic, anthropicEvents(call, []string{args})...)
		two := wireStream(t, Anthropic, anthropicEvents(call, []string{args[:at], args[at:]})...)
		require.Equal(t, turnText(one), turnText(two))
		if !isBlank(args) {
			require.Equal(t, args, string(one.Calls[0].Args))
		}
		for _, m := range one.Messages {
			require.True(t, json.Valid(m), string(m))
		}
	})
}
