package dialect

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/jig-go/jig"
)

func TestGeminiDefinition(t *testing.T) {
	require.Equal(t, `{"name":"a","description":"A < b.","parametersJsonSchema":{"type":"object"}}`,
		string(gemini{}.definition(form{name: "a", description: "A < b.", strict: true,
			schema: json.RawMessage(`{"type":"object"}`)})))
	require.Equal(t, `[{"functionDeclarations":[{},{}]}]`,
		string(gemini{}.tools([]json.RawMessage{object(), object()})))
}

func TestGeminiChoice(t *testing.T) {
	for _, d := range []Dialect{Gemini, GeminiSchema} {
		require.Equal(t, []string{
			`{"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}}}`,
			`{"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}}`,
			`{"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}}`,
			`{"toolConfig":{"functionCallingConfig":{"mode":"ANY",` +
				`"allowedFunctionNames":["billing__refund"]}}}`,
		}, choicesOf(t, d))
	}
}

// geminiBody is a response, or a chunk of one where the reason is empty.
func geminiBody(reason, parts string) string {
	if reason != "" {
		reason = fmt.Sprintf(`,"finishReason":%q`, reason)
	}
	return `{"candidates":[{"content":{"role":"model","parts":[` + parts + `]}` + reason + `,"index":0}],"modelVersion":"g"}`
}

func TestGeminiTurn(t *testing.T) {
	for _, tt := range []struct{ name, reason, parts, want string }{
		{"parallel calls, the name mapped back, numbers and the signature kept", "STOP",
			`{"text":"Hm.","thought":true},{"text":"Two."},{"functionCall":{"id":"f1",` +
				`"name":"billing__refund","args":{"order": 9007199254740993}},` +
				`"thoughtSignature":"s=="},{"functionCall":{"name":"other"}}`,
			`calls "STOP"
call f1 billing.refund {"order": 9007199254740993}
call MINTED other {}
text "Two."
message {"role":"model","parts":[AS SENT]}`},
		{"cut off", "MAX_TOKENS", `{"functionCall":{"id":"f1","name":"a","args":{}}}`,
			`cut "MAX_TOKENS"
call f1 a {} !
message {"role":"model","parts":[AS SENT]}`},
		{"refused", "SAFETY", `{"text":"So"}`, `refused "SAFETY"
text "So"
message {"role":"model","parts":[AS SENT]}`},
		{"malformed", "MALFORMED_FUNCTION_CALL", ``, `other "MALFORMED_FUNCTION_CALL"`},
		{"hosted", "STOP", `{"executableCode":{"language":"PYTHON","code":"1+1"}},` +
			`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"2"}},{"text":"2."}`,
			`stop "STOP"
text "2."
hosted {"executableCode":{"language":"PYTHON","code":"1+1"}}
hosted {"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"2"}}
message {"role":"model","parts":[AS SENT]}`},
		{"an empty text, and one with a signature", "STOP",
			`{"text":"2."},{"text":""},{"text":"","thoughtSignature":"s=="}`,
			`stop "STOP"
text "2."
message {"role":"model","parts":[{"text":"2."},{"text":"","thoughtSignature":"s=="}]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, d := range []Dialect{Gemini, GeminiSchema} {
				body := geminiBody(tt.reason, tt.parts)
				require.Equal(t, tt.want, asSent(wireTurn(t, d, body), tt.parts))
				require.Equal(t, tt.want, asSent(wireStream(t, d, body), tt.parts), "one chunk")
			}
		})
	}
}

func TestGeminiBlocked(t *testing.T) {
	body := json.RawMessage(`{"promptFeedback":{"blockReason":"OTHER"}}`)
	turn, err := Gemini.Turn(wireRegistry(t), body)
	require.NoError(t, err)
	require.Equal(t, `refused "OTHER"`, turnText(turn))
	require.Equal(t, `refused "OTHER"`, turnText(wireStream(t, Gemini, string(body))))
}

func TestGeminiErrors(t *testing.T) {
	require.Equal(t, `gemini: the provider answered with an error: Unknown name "const" (400)
gemini: got "{}", want a whole response, which has candidates[0]
gemini: parts[0]: the arguments of a call come in parts; leave streamFunctionCallArguments out of the request`,
		errorsOf(t, Gemini, `{"error":{"code":400,"message":"Unknown name \"const\"",`+
			`"status":"INVALID_ARGUMENT"}}`, `{}`,
			geminiBody("", `{"functionCall":{"name":"a","partialArgs":[{"jsonPath":"$.x",`+
				`"stringValue":"y"}],"willContinue":true}}`)))
}

func TestGeminiStream(t *testing.T) {
	call := `{"functionCall":{"id":"f1","name":"billing__refund",` +
		`"args":{"order": 9007199254740993}},"thoughtSignature":"s=="}`
	chunks := []string{
		geminiBody("", `{"text":"H","thought":true}`), geminiBody("", `{"text":"m.",`+
			`"thought":true}`),
		geminiBody("", `{"text":"T"}`), geminiBody("", `{"text":"w"}`), geminiBody("",
			`{"text":"o."}`),
		geminiBody("", call), `{"usageMetadata":{"totalTokenCount":9}}`, geminiBody("STOP",
			`{"text":"","thoughtSignature":"e=="}`),
	}
	whole, err := Gemini.Turn(wireRegistry(t), json.RawMessage(geminiBody("STOP",
		`{"text":"Hm.","thought":true},{"text":"Two."},`+call+`,{"text":"","thoughtSignature":"e=="}`)))
	require.NoError(t, err)
	require.Equal(t, turnText(whole), turnText(wireStream(t, Gemini, chunks...)))

	cut := wireStream(t, Gemini, chunks[5])
	require.Equal(t, `cut ""
call f1 billing.refund {"order": 9007199254740993} !
message {"role":"model","parts":[`+call+`]}`, turnText(cut))
	require.Equal(t, `cut ""`, turnText(wireStream(t, Gemini)), "no chunk at all")
	signed := wireStream(t, Gemini, geminiBody("", `{"text":"a","thoughtSignature":"s=="}`), geminiBody("STOP",
		`{"text":"b"}`))
	require.Equal(t, `stop "STOP"
text "ab"
message {"role":"model","parts":[{"text":"a","thoughtSignature":"s=="},{"text":"b"}]}`, turnText(signed))
}

func TestGeminiRecorded(t *testing.T) {
	t.Parallel()
	part := func(c wireCall) string { return `{"functionCall":{"name":"` + c.name + `","args":` + c.args + `}}` }
	wholeRecorded(t, Gemini, "", func(c wireCall) string { return geminiBody("STOP", part(c)) })
	count := 0
	for _, c := range recorded(t) {
		if json.Valid([]byte(c.args)) {
			checkRecorded(t, wireStream(t, Gemini, geminiBody("", part(c)), geminiBody("STOP", "")), "", c)
			count++
		}
	}
	t.Logf("gemini: %d recorded calls in chunks", count)
}

func TestGeminiResults(t *testing.T) {
	require.Equal(t, `{"role":"user","parts":[`+
		`{"functionResponse":{"id":"c1","name":"billing__refund","response":{"output":"a < b"}}},`+
		`{"functionResponse":{"id":"c2","name":"look",`+
		`"response":{"output":"{\"n\":9007199254740993}"}}},`+
		`{"functionResponse":{"id":"c3","name":"look","response":{"error":"look failed."}}},`+
		`{"functionResponse":{"id":"c4","name":"look",`+
		`"response":{"output":"look waits for the approval of a person."}}},`+
		`{"functionResponse":{"id":"c5","name":"look",`+
		`"response":{"output":"two files\n[image/png \"a.png\", 4 bytes]\n`+
		`[application/pdf \"b_1.pdf\", 4 bytes]\n[application/zip \"c.zip\", 3 bytes: not shown,`+
		` this API takes no such part in a result]"},`+
		`"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw=="}},`+
		`{"inlineData":{"mimeType":"application/pdf","data":"JVBERg=="}}]}},`+
		`{"functionResponse":{"id":"c6","name":"look","response":{"output":[1,"x"]}}}]}`,
		messagesOf(Gemini, sampleOutcomes()...))
	require.Equal(t, `{"role":"user",`+
		`"parts":[{"text":"The call c1 of billing__refund was pending. Its result: a < b"}]}`,
		string(Gemini.Resumed(sampleOutcomes()[0])))
}

func TestGeminiResultValues(t *testing.T) {
	for _, tt := range []struct{ json, want string }{
		{`{"a":{"b":[1.5,-9007199254740992,1e3]}}`, `{"a":{"b":[1.5,-9007199254740992,1e3]}}`},
		{`7`, `7`}, {`null`, `null`}, {`[]`, `[]`},
		{`{"type":"object","a":[{"$ref":"#/$defs/x"}]}`, `"{\"type\":\"object\",` +
			`\"a\":[{\"$ref\":\"#/$defs/x\"}]}"`},
		{`{"$defs":{}}`, `"{\"$defs\":{}}"`},
		{`[1e400]`, `"[1e400]"`}, {`[-0,0.1,1E-400]`, `[-0,0.1,1E-400]`},
		{`[9007199254740993]`, `"[9007199254740993]"`},
		{`[123456789012345678901234567890]`, `"[123456789012345678901234567890]"`},
	} {
		require.Equal(t, `{"role":"user","parts":[{"functionResponse":{"id":"c","name":"a",`+
			`"response":{"output":`+tt.want+`}}}]}`,
			messagesOf(Gemini, jig.Outcome{CallID: "c", Tool: "a", Status: jig.StatusOK,
				Output: jig.Output{Parts: []jig.Part{{JSON: json.RawMessage(tt.json)}}}}))
	}
}

// TestGeminiMintedIDs shows that an id which the API never saw does not go there, and that a result
// has the name that the model wrote.
func TestGeminiMintedIDs(t *testing.T) {
	turn, err := Gemini.Turn(wireRegistry(t), json.RawMessage(geminiBody("STOP",
		`{"functionCall":{"name":"billing__refund","args":{"city":"Oslo"}}},`+
			`{"functionCall":{"name":"Billing-Refund","args":{"city":"Bodø"}}},`+
			`{"functionCall":{"name":"no.such"}}`)))
	require.NoError(t, err)
	outcomes := wireRegistry(t).CallAll(t.Context(), turn.Calls)
	require.Equal(t, `{"role":"user","parts":[{"functionResponse":{"name":"billing__refund",`+
		`"response":{"output":"Oslo"}}},`+
		`{"functionResponse":{"name":"Billing-Refund","response":{"output":"Bodø"}}},`+
		`{"functionResponse":{"name":"no__such",`+
		`"response":{"error":"unknown tool: \"no.such\"; the tools are \"get_weather\",`+
		` \"billing.refund\""}}}]}`,
		messagesOf(Gemini, outcomes...))
}
