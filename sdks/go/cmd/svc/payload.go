package main

import (
	"errors"
	"fmt"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/internal/examine"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/render"
	"svc.example/go/report"
)

// verifyReceiptCommand verifies a receipt. A receipt and its payload often come apart, since somebody may be allowed to
// see that an event was recorded, and not its content: --payload joins them before they are verified (protocol section
// 7).
func (s *system) verifyReceiptCommand() *cmdline.Command {
	return s.fileCommand(fileCheck{
		name: "verify", kind: report.KindReceipt,
		about:   "Verify one receipt on this machine alone; no connection is opened.",
		example: "svc receipts verify loan-1005.receipt.json --trust acme.trust.json",
		options: []cmdline.Option{
			{Name: "payload", Value: "<path>", About: "the payload that the receipt leaves out, with its salt or bare"},
			{Name: "salt", Value: "<hex>", About: "the salt of a bare payload, 32 lowercase hex characters", Check: checkHex(32, "A salt")},
		},
		paths: func(call *cmdline.Call) [][2]string { return [][2]string{{"--payload", call.Value("payload")}} },
		words: func(call *cmdline.Call) (words []string) {
			if path := call.Value("payload"); path != "" {
				words = append(words, "--payload "+render.ShellWord(path))
			}
			if salt := call.Value("salt"); salt != "" {
				words = append(words, "--salt "+salt)
			}
			return words
		},
		prepare: s.addPayload,
	})
}

// checkHex returns the check of a value of so many lowercase hexadecimal digits.
func checkHex(length int, what string) func(string) error {
	return func(text string) error {
		switch {
		case len(text) == length && lowerHex.MatchString(text):
			return nil
		case len(text) == length && onlyHex.MatchString(text):
			return cmdline.Fault("Write it in lowercase.")
		default:
			return cmdline.Fault(fmt.Sprintf("%s is %d lowercase hex characters.", what, length))
		}
	}
}

// addPayload returns a receipt with the payload of --payload. Bytes that are no receipt do not change: the verifier
// finds their fault.
func (s *system) addPayload(call *cmdline.Call, kernels []kernel.Kernel, receipt []byte) ([]byte, error) {
	path := call.Value("payload")
	if !call.Has("payload") {
		if call.Has("salt") {
			return nil, refuse(exitUsage, "--salt goes with a payload, and none is given.", "Give the payload with --payload.")
		}
		return receipt, nil
	}
	text, err := s.readInput(path, maxInput)
	if err != nil {
		return nil, err
	}
	if err := refuseOther(named(path), text, false); err != nil {
		return nil, err
	}
	entry, err := readPayload(call, kernels, path, text)
	if err != nil {
		return nil, err
	}
	tree, err := readByAll(kernels, "payload", receipt)
	var fault *jsonx.SyntaxError
	if errors.As(err, &fault) || (err == nil && examine.KindOf(tree.Root()) != report.KindReceipt) {
		return receipt, nil
	} else if err != nil {
		return nil, err
	}
	whole := entry
	for name, value := range tree.Root().Members() {
		member, _ := name.Text()
		if member == "payload" || member == "payload_salt" {
			return nil, refuse(exitUsage, "The receipt carries its payload already, and --payload gives another.", "Leave --payload out.")
		}
		whole[member] = value
	}
	return jsonx.Encode(map[string]any(whole))
}

// readPayload returns the members that a receipt leaves out.
func readPayload(call *cmdline.Call, kernels []kernel.Kernel, path string, text []byte) (members, error) {
	tree, err := readByAll(kernels, "payload", text)
	var fault *jsonx.SyntaxError
	if errors.As(err, &fault) {
		return nil, refuse(exitInput,
			fmt.Sprintf("%s is not JSON as svc reads it: %s at byte %d.", named(path), fault.Code, fault.Offset),
			"Check that it is the file you meant; a cut download looks like this.")
	} else if err != nil {
		return nil, err
	}
	value, isEntry := tree.Root(), false
	if value.Kind() == jsonx.Object {
		isEntry = value.Len() == 2 && value.Get("payload").Exists() && value.Get("payload_salt").Exists()
	}
	switch {
	case isEntry && !call.Has("salt"):
		return members{"payload": value.Get("payload"), "payload_salt": value.Get("payload_salt")}, nil
	case !isEntry && call.Has("salt"):
		return members{"payload": value, "payload_salt": call.Value("salt")}, nil
	case isEntry:
		return nil, refuse(exitUsage, named(path)+" holds the salt already.", "Leave --salt out.")
	default:
		return nil, refuse(exitUsage, named(path)+" is a bare payload: it does not have exactly the members payload and payload_salt.",
			"Give its salt with --salt; without it nobody can tell whether the payload is the one that was recorded.")
	}
}
