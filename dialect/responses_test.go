package dialect

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

func TestResponsesDefinition(t *testing.T) {
	f := form{name: "billing__refund", description: "If a < b.",
		schema: json.RawMessage(`{"type":"object","properties":{}}`)}
	head := `{"type":"function","name":"billing__refund","description":"If a < b.",` +
		`"parameters":{"type":"object","properties":{}},`
	require.Equal(t, head+`"strict":false}`, string(responses{}.definition(f)),
		"without the field the API would make the schema strict")
	f.strict, f.deferred = true, true
	require.Equal(t, head+`"strict":true,"defer_loading":true}`, string(responses{}.definition(f)))
	require.Equal(t, `[]`, string(responses{}.tools(nil)))
}

func TestResponsesChoice(t *testing.T) {
	for choice, want := range map[Choice]string{
		Auto: `{"tool_choice":"auto"}`, None: `{"tool_choice":"none"}`,
		Required: `{"tool_choice":"required"}`,
		Only("billing.refund"): `{"tool_choice":{"type":"function","name":"billing__refund"},` +
			`"parallel_tool_calls":false}`,
	} {
		got, err := OpenAIResponses.Choice(wireRegistry(t), choice)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
}

// responsesOf is a whole response with some items.
func responsesOf(status, details string, items ...string) string {
	return `{"id":"resp_1","object":"response","status":"` + status + `","error":null,` +
		`"incomplete_details":` + details + `,"output":[` + strings.Join(items, ",") + `]}`
}

// responsesCall is an item that is a call.
func responsesCall(id, name, args, status string) string {
	return `{"type":"function_call","id":"fc_` + id + `","call_id":"` + id + `","name":` + jsonText(name) +
		`,"arguments":` + jsonText(args) + `,"status":"` + status + `"}`
}

func TestResponsesTurn(t *testing.T) {
	reasoning := `{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"xyz"}`
	words := `{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":` +
		`[{"type":"output_text","text":"I look.","annotations":[]}]}`
	oslo := responsesCall("call_1", "billing__refund", `{"city":"Oslo"}`, "completed")
	tests := []struct {
		name, status, details string
		items                 []string
		text                  string
		calls                 []string
		finish                Finish
		reason                string
	}{
		{"words", "completed", "null", []string{words}, "I look.", nil, FinishStop, "completed"},
		{"a call after words and thoughts", "completed", "null", []string{reasoning, words, oslo}, "I look.",
			[]string{`call_1 billing.refund {"city":"Oslo"}`}, FinishCalls, "completed"},
		{"cut off", "incomplete", `{"reason":"max_output_tokens"}`, []string{oslo,
			responsesCall("call_2", "x", ``, "incomplete"), responsesCall("call_3", "x", `{`, "incomplete")}, "",
			[]string{`call_1 billing.refund {"city":"Oslo"}`, `call_2 x !`, `call_3 x { !`}, FinishCut,
			"max_output_tokens"},
		{"cut off for a new reason", "incomplete", `{"reason":"bored"}`, []string{oslo}, "",
			[]string{`call_1 billing.refund {"city":"Oslo"} !`}, FinishCut, "bored"},
		{"filtered", "incomplete", `{"reason":"content_filter"}`, []string{words}, "I look.", nil,
			FinishRefused, "content_filter"},
		{"refused", "completed", "null", []string{`{"type":"message","role":"assistant","content":` +
			`[{"type":"refusal","refusal":"I cannot."}]}`}, "I cannot.", nil, FinishRefused, "completed"},
		{"not there yet", "in_progress", "null", []string{}, "", nil, FinishCut, "in_progress"},
	}
	mended := strings.NewReplacer(`"arguments":""`, `"arguments":"{}"`,
		`"arguments":"{"`, `"arguments":"{\"INVALID_JSON\":\"{\"}"`)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			body := responsesOf(test.status, test.details, test.items...)
			turn := wireTurn(t, OpenAIResponses, body)
			require.Equal(t, test.calls, wireCalls(turn))
			require.Equal(t, test.text, turn.Text)
			require.Equal(t, test.finish, turn.Finish)
			require.Equal(t, test.reason, turn.Reason)
			require.Equal(t, mended.Replace(strings.Join(test.items, "\n")),
				strings.Join(wireTexts(turn.Messages), "\n"))
			require.Equal(t, turn, wireStream(t, OpenAIResponses,
				`{"type":"response.`+test.status+`","response":`+body+`}`))
		})
	}
}

func TestResponsesMintsIDs(t *testing.T) {
	turn := wireTurn(t, OpenAIResponses, responsesOf("completed", "null",
		`{"type":"function_call","name":"get_weather","arguments":"{}"}`))
	require.Regexp(t, `^call_jig[A-Z2-7]{26}$`, turn.Calls[0].ID)
	require.Equal(t, []string{`{"type":"function_call","name":"get_weather","arguments":"{}","call_id":"` +
		turn.Calls[0].ID + `"}`}, wireTexts(turn.Messages))
}

func TestResponsesHosted(t *testing.T) {
	var hosted []string
	for _, kind := range []string{"web_search_call", "file_search_call", "code_interpreter_call",
		"image_generation_call", "mcp_call", "mcp_list_tools", "mcp_approval_request", "computer_call",
		"custom_tool_call", "shell_call", "tool_search_call"} {
		hosted = append(hosted, `{"type":"`+kind+`","id":"x","name":"get_weather","arguments":"{}"}`)
	}
	turn := wireTurn(t, OpenAIResponses, responsesOf("completed", "null", hosted...))
	require.Empty(t, turn.Calls)
	require.Equal(t, hosted, wireTexts(turn.Hosted))
	require.Equal(t, hosted, wireTexts(turn.Messages), "the history has them")
	require.Equal(t, FinishStop, turn.Finish)
}

func TestResponsesErrors(t *testing.T) {
	failed := `{"id":"resp_1","status":"failed","error":{"code":"server_error","message":"Sorry."},` +
		`"output":[]}`
	want := "jig/dialect: openai-responses: the provider answered with an error: Sorry. (server_error)"
	_, err := OpenAIResponses.Turn(wireRegistry(t), json.RawMessage(failed))
	require.EqualError(t, err, want)
	for _, event := range []string{`{"type":"response.failed","response":` + failed + `}`,
		`{"type":"error","code":"server_error","message":"Sorry.","param":null}`,
		`{"type":"error","error":{"code":"server_error","message":"Sorry."}}`} {
		err := OpenAIResponses.Stream(wireRegistry(t)).Add(json.RawMessage(event))
		require.EqualError(t, err, want, event)
	}
	for _, body := range []string{``, `{}`, `null`, `{"status":"failed","output":[]}`,
		`{"output":[1]}`, `{"output":{}}`} {
		_, err := OpenAIResponses.Turn(wireRegistry(t), json.RawMessage(body))
		require.ErrorContains(t, err, "jig/dialect: openai-responses: ", body)
	}
}

func TestResponsesResults(t *testing.T) {
	want := sampleAnswers()
	want[4] = `[{"type":"input_text","text":"two files"},` +
		`{"type":"input_image","image_url":"data:image/png;base64,iVBORw==","detail":"auto"},` +
		`{"type":"input_file","filename":"b_1.pdf","file_data":"data:application/pdf;base64,JVBERg=="},` +
		`{"type":"input_text","text":"[application/zip \"c.zip\", 3 bytes: not shown, ` +
		`this API takes no such part in a result]"}]`
	want = append(want, `[{"type":"input_file","filename":"file.pdf",`+
		`"file_data":"data:application/pdf;base64,JVBERg=="},`+
		`{"type":"input_file","filename":"a.csv","file_data":"data:text/csv;base64,YSxi"},`+
		`{"type":"input_text","text":"{\"n\":1.0}"}]`)
	for i, output := range want {
		want[i] = fmt.Sprintf(`{"type":"function_call_output","call_id":"c%d","output":%s}`, i+1, output)
	}
	outcomes := append(sampleOutcomes(), jig.Outcome{CallID: "c7", Status: jig.StatusOK,
		Output: jig.Output{Parts: []jig.Part{{MIME: "application/pdf", Data: []byte("%PDF")},
			{Name: "a.csv", MIME: "text/csv; charset=utf-8", Data: []byte("a,b")},
			{JSON: json.RawMessage(`{"n":1.0}`)}}}})
	require.Equal(t, want, wireTexts(OpenAIResponses.Results(outcomes)))
}

// responsesEvents are the events of a response with one call, whose arguments come in pieces.
func responsesEvents(id, name string, pieces []string) []string {
	whole := responsesCall(id, name, strings.Join(pieces, ""), "completed")
	events := []string{
		`{"type":"response.created","response":` + responsesOf("in_progress", "null") + `}`,
		`{"type":"response.output_item.added","output_index":0,"item":` +
			responsesCall(id, name, "", "in_progress") + `}`,
	}
	for _, p := range pieces {
		events = append(events, `{"type":"response.function_call_arguments.delta","item_id":"fc_`+id+
			`","output_index":0,"delta":`+jsonText(p)+`}`)
	}
	return append(events, `{"type":"response.function_call_arguments.done","item_id":"fc_`+id+
		`","output_index":0,"arguments":`+jsonText(strings.Join(pieces, ""))+`}`,
		`{"type":"response.output_item.done","output_index":0,"item":`+whole+`}`,
		`{"type":"response.completed","response":`+responsesOf("completed", "null", whole)+`}`)
}

// TestResponsesRecorded builds responses and streams around every recorded call, with its arguments
// split at every byte: a stream that broke off before the arguments are there as a whole, and one
// that went on, with and without the output in its last event.
func TestResponsesRecorded(t *testing.T) {
	calls := recorded(t)
	t.Parallel()
	streams := 0
	for _, c := range calls {
		want := []jig.Call{{ID: "call_1", Name: c.name, Args: json.RawMessage(c.args)}}
		item := responsesCall("call_1", c.name, c.args, "completed")
		whole := wireTurn(t, OpenAIResponses, responsesOf("completed", "null", item))
		require.Equal(t, want, whole.Calls)
		require.Equal(t, FinishCalls, whole.Finish)
		cut := wireTurn(t, OpenAIResponses, responsesOf("in_progress", "null",
			responsesCall("call_1", c.name, c.args, "in_progress")))
		want[0].Incomplete = true
		require.Equal(t, want, cut.Calls)
		require.Equal(t, FinishCut, cut.Finish)
		splits(c.args, func(pieces []string) {
			streams++
			events := responsesEvents("call_1", c.name, pieces)
			sameTurn(t, cut, OpenAIResponses, events[:len(pieces)+2])
			sameTurn(t, whole, OpenAIResponses, events)
			events[len(events)-1] = `{"type":"response.completed","response":` +
				responsesOf("completed", "null") + `}`
			sameTurn(t, whole, OpenAIResponses, events)
		})
	}
	t.Logf("%d recorded calls, %d streams", len(calls), streams)
}

func TestResponsesStreamCut(t *testing.T) {
	require.Equal(t, Turn{Finish: FinishCut, Reason: "in_progress"}, wireStream(t, OpenAIResponses))
	reasoning := `{"type":"reasoning","id":"rs_1","summary":[]}`
	message := `{"type":"message","id":"msg_1","role":"assistant","status":"in_progress","content":[]}`
	added := func(index int, item string) string {
		return fmt.Sprintf(`{"type":"response.output_item.added","output_index":%d,"item":%s}`, index, item)
	}
	text := func(piece string) string {
		return `{"type":"response.output_text.delta","output_index":1,"content_index":0,"delta":` +
			jsonText(piece) + `}`
	}
	args := func(index int, piece string) string {
		return fmt.Sprintf(`{"type":"response.function_call_arguments.delta","output_index":%d,"delta":%s}`,
			index, jsonText(piece))
	}
	turn := wireStream(t, OpenAIResponses,
		added(0, reasoning), `{"type":"response.output_item.done","output_index":0,"item":`+reasoning+`}`,
		added(1, message), `{"type":"response.content_part.added","output_index":1,"content_index":0,`+
			`"part":{"type":"output_text","text":"","annotations":[]}}`, text("I l"), text("ook."),
		added(2, responsesCall("call_1", "billing__refund", "", "in_progress")),
		added(3, responsesCall("call_2", "get_weather", "", "in_progress")),
		args(3, `{"city":`), args(2, `{"ci`), args(2, `ty":1}`),
		added(4, `{"type":"reasoning","id":"rs_2","summary":[]}`),
		`{"type":"response.web_search_call.searching","output_index":9}`)
	require.Equal(t, FinishCut, turn.Finish)
	require.Equal(t, "I look.", turn.Text)
	require.Equal(t, []string{`call_1 billing.refund {"city":1} !`, `call_2 get_weather {"city": !`},
		wireCalls(turn))
	require.Equal(t, []string{reasoning,
		strings.Replace(message, `[]`, `[{"type":"output_text","text":"I look.","annotations":[]}]`, 1),
		responsesCall("call_1", "billing__refund", `{"city":1}`, "in_progress"),
		responsesCall("call_2", "get_weather", `{"INVALID_JSON":"{\"city\":"}`, "in_progress"),
	}, wireTexts(turn.Messages), "without the thought that is not whole")

	turn = wireStream(t, OpenAIResponses, `{"type":"response.output_item.added","item":`+message+`}`,
		`{"type":"response.output_text.delta","item_id":"msg_1","delta":"Hi"}`,
		`{"type":"response.refusal.delta","item_id":"msg_1","content_index":1,"delta":"No"}`)
	require.Equal(t, "HiNo", turn.Text)
}
