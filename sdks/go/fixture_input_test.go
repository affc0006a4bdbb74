package svc

import (
	"encoding/base64"
	"encoding/json"
)

// inputOf returns the bytes that a fixture verifies.
func inputOf(file []byte) (input []byte, ok bool) {
	var fields struct {
		Input       *string `json:"input"`
		InputBase64 string  `json:"input_base64"`
	}
	if json.Unmarshal(file, &fields) != nil {
		return nil, false
	}
	if fields.Input != nil {
		return []byte(*fields.Input), true
	}
	input, err := base64.StdEncoding.DecodeString(fields.InputBase64)
	return input, err == nil
}
