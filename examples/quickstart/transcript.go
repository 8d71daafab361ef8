package main

import (
	"encoding/json"
	"fmt"
)

// A transcript is a conversation in the wire format of OpenAI's chat completions: the messages that
// opened it, and the responses of the model in order, as they came.
type transcript struct {
	Messages    []message         `json:"messages"`
	Completions []json.RawMessage `json:"completions"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func readTranscript(data []byte) (transcript, error) {
	var t transcript
	if err := json.Unmarshal(data, &t); err != nil {
		return t, fmt.Errorf("conversation: %w", err)
	}
	return t, nil
}
