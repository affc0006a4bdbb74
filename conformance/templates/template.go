// An implementation for the conformance kit to grow from: go run template.go. Go 1.22 or newer, the standard library
// alone. It answers one JSON object a line, in order, until the input ends.
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
)

const protocol = "SVC-PROOFSTREAM-001"

// A request has at most 32 MiB; members keep their text until an operation reads them.
const maxLine = 32<<20 + 1

type object = map[string]any

// operations by name. Each gets the line of its request, and returns an answer without its id.
var operations = map[string]func(line []byte) object{
	"hello":       hello,
	"merkle.root": merkleRoot,
}

func hello([]byte) object {
	return object{
		"ok": true, "implementation": "template.go", "version": "0",
		"kernel_sha256": nil, "protocol": protocol, "ops": []string{},
	}
}

// merkleRoot is the worked example, not complete yet: the root of one leaf (RFC 6962: a zero byte before its data).
func merkleRoot(line []byte) object {
	var request struct {
		Leaves []string `json:"leaves"`
	}
	if json.Unmarshal(line, &request) != nil {
		return object{"ok": false, "code": "malformed_request"}
	}
	if len(request.Leaves) != 1 {
		return object{"ok": false, "code": "unsupported_op"}
	}
	leaf, err := hex.DecodeString(request.Leaves[0])
	if err != nil {
		return object{"ok": false, "code": "malformed_request"}
	}
	hash := sha256.Sum256(append([]byte{0}, leaf...))
	root := hex.EncodeToString(hash[:])
	return object{"ok": true, "root": root, "frontier": []string{root}}
}

func answer(line []byte) object {
	var request struct {
		ID json.RawMessage `json:"id"`
		Op string          `json:"op"`
	}
	if json.Unmarshal(line, &request) != nil {
		return object{"id": nil, "ok": false, "code": "json_malformed", "offset": 0}
	}
	result := object{"ok": false, "code": "unsupported_op"}
	if operation, known := operations[request.Op]; known {
		result = operation(line)
	}
	result["id"] = request.ID
	return result
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, maxLine)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			// Written line by line: the runner waits for an answer.
			if out.Encode(answer(line)) != nil {
				return
			}
		}
		if err != nil {
			if err != io.EOF {
				os.Exit(66)
			}
			return
		}
	}
}
