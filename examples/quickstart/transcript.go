package main

import (
	"encoding/json"
	"fmt"

	"github.com/jig-go/jig"
)

// A transcript is a conversation in the wire format of OpenAI's chat completions: the messages that
// opened it, and the model's answers in order. The reader knows as much of the format as this
// program needs, and is replaced when package dialect exists.
type transcript struct {
	Messages    []message    `json:"messages"`
	Completions []completion `json:"completions"`
}

type completion struct {
	Choices []struct {
		FinishReason string  `json:"finish_reason"`
		Message      message `json:"message"`
	} `json:"choices"`
}

type message struct {
	Role      string `json:"role"`
	Content   string `json:"content"`
	ToolCalls []struct {
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

func readTranscript(data []byte) (transcript, error) {
	var t transcript
	if err := json.Unmarshal(data, &t); err != nil {
		return t, fmt.Errorf("conversation: %w", err)
	}
	for i, c := range t.Completions {
		if len(c.Choices) != 1 {
			return t, fmt.Errorf("conversation: completion %d has %d choices", i, len(c.Choices))
		}
	}
	return t, nil
}

// turn returns what the model said and the calls that it made. Where the answer ended at the token
// limit, the last call is the one that was being written.
func (c completion) turn() (said string, calls []jig.Call) {
	choice := c.Choices[0]
	for _, t := range choice.Message.ToolCalls {
		args := json.RawMessage(t.Function.Arguments)
		calls = append(calls, jig.Call{ID: t.ID, Name: t.Function.Name, Args: args})
	}
	if n := len(calls); n > 0 && choice.FinishReason == "length" {
		calls[n-1].Incomplete = true
	}
	return choice.Message.Content, calls
}
