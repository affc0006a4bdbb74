package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/internal/examine"
	"svc.example/go/internal/foreign"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

func trustOptions() []cmdline.Option {
	return []cmdline.Option{
		{Name: "public-key-hex", Value: "<key>", About: "a public key that you trust, 64 lowercase hex characters; repeatable", IsRepeatable: true},
		{Name: "trust", Value: "<path>", About: "a trust policy (JSON)"},
	}
}

// members are those of a trust policy: values of the file, or values that [jsonx.Encode] takes.
type members map[string]any

// readTrust returns the policy of --trust with the keys of --public-key-hex beside its signers; nil if the call names
// nobody. Every kernel that will verify reads it, and must read the same.
func (s *system) readTrust(call *cmdline.Call, kernels []kernel.Kernel) (members, error) {
	pins := []any{}
	var seen []string
	for _, given := range call.Values("public-key-hex") {
		key, err := parsePublicKeyHex(given)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(seen, key) {
			seen = append(seen, key)
			raw, _ := hex.DecodeString(key)
			pins = append(pins, jsonx.Members{{Name: "kid", Value: examine.KIDOf(raw)}, {Name: "public_key_hex", Value: key}})
		}
	}
	if !call.Has("trust") {
		if len(pins) == 0 {
			return nil, nil
		}
		return members{"signers": pins}, nil
	}
	file := call.Value("trust")
	text, err := s.readInput(file, maxInput)
	if err != nil {
		return nil, err
	}
	policy, err := parseTrustFile(kernels, file, text)
	if err != nil {
		return nil, err
	}
	read := members{}
	for name, value := range policy.Members() {
		member, _ := name.Text()
		read[member] = value
	}
	if len(pins) > 0 {
		signers := []any{}
		for _, one := range policy.Get("signers").Elements() {
			signers = append(signers, one)
		}
		read["signers"] = append(signers, pins...)
	}
	return read, nil
}

// parseTrustFile returns the policy of a trust file as it is written. It refuses a file that is no trust policy, with
// its first fault. `file` is the name, - for standard input.
func parseTrustFile(kernels []kernel.Kernel, file string, text []byte) (policy jsonx.Value, err error) {
	name := `"` + file + `"`
	if file == "-" {
		name = "from standard input"
	}
	if other := foreign.Recognize(text, false); other != "" {
		action := `A trust policy is JSON in UTF-8, without a byte-order mark; "svc trust --help" keeps one.`
		if len(text) == 0 {
			action = checkFile
		}
		return policy, refuse(exitUsage, "The trust file "+name+" is "+tables.OtherFormats[string(other)], action)
	}
	tree, err := readByAll(kernels, "trust", text)
	var fault *jsonx.SyntaxError
	if errors.As(err, &fault) {
		line, column := lineAndColumn(text, fault.Offset)
		return policy, refuse(exitUsage,
			fmt.Sprintf("The trust file %s is not JSON as svc reads it: %s at line %d, byte %d.", name, fault.Code, line, column),
			report.Code(fault.Code).Meaning())
	} else if err != nil {
		return policy, err
	}
	faults := examine.ReadPolicy(tree.Root()).Faults()
	if len(faults) == 0 {
		return tree.Root(), nil
	}
	if kind := examine.KindOf(tree.Root()); kind != "" {
		return policy, refuse(exitUsage,
			"The trust file "+name+" looks like "+tables.KindNouns[string(kind)]+", which is evidence and says nothing of whom you trust.",
			"Name it as the file, and give your own trust policy with --trust.")
	}
	place, more := strings.TrimPrefix(faults[0].Path, "trust:"), ""
	if place != "" {
		place = " at " + place
	}
	if len(faults) > 1 {
		more = fmt.Sprintf(" (and %d more)", len(faults)-1)
	}
	return policy, refuse(exitUsage,
		fmt.Sprintf("The trust file %s is no trust policy: %s%s%s. %s", name, faults[0].Code, place, more, faults[0].Message),
		"Correct the file; protocol section 16 names every member of a trust policy.")
}

// readByAll parses JSON with each kernel, which must all read the same. `what` names it. The error is a
// [*jsonx.SyntaxError] for a text that is not JSON.
func readByAll(kernels []kernel.Kernel, what string, text []byte) (*jsonx.Tree, error) {
	var trees []*jsonx.Tree
	var faults []error
	for _, k := range kernels {
		tree, err := k.ParseJSON(text, jsonx.Limits{})
		var fault *jsonx.SyntaxError
		if err != nil && !errors.As(err, &fault) {
			return nil, err
		}
		trees, faults = append(trees, tree), append(faults, err)
	}
	for i := range trees {
		isSame := fmt.Sprint(faults[i]) == fmt.Sprint(faults[0])
		if isSame && trees[i] != nil {
			isSame = bytes.Equal(trees[i].Canonical(), trees[0].Canonical())
		}
		if !isSame {
			return nil, refuse(exitInternal, "The kernels do not read your "+what+" the same, so one of them is wrong.",
				"There is no verdict. Please report this, with the "+what+" file if you may share it.")
		}
	}
	return trees[0], faults[0]
}

// lineAndColumn returns where a byte stands, both from 1; columns count bytes.
func lineAndColumn(text []byte, offset int) (line, column int) {
	before := text[:min(offset, len(text))]
	return bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}
