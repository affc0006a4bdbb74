package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"svc.example/go/cmd/svc/internal/cmdline"
)

// maxSlips is how many digits a person may have heard or typed wrongly.
const maxSlips = 2

// keyOfCall returns the signer's key of a call; empty where it gives none. In the place of the key it may give its
// fingerprint, which a person has heard, and a file that carries it. The file is trusted for nothing: its key counts
// because it fits.
func (s *system) keyOfCall(call *cmdline.Call) (string, error) {
	if !call.Has("fingerprint") && !call.Has("file") {
		return call.Value("public-key-hex"), nil
	}
	if !call.Has("fingerprint") || !call.Has("file") || call.Has("public-key-hex") {
		return "", refuse(exitUsage, "--fingerprint and --file go together, in the place of --public-key-hex.",
			"Give the fingerprint that you got, and a file that carries the key.")
	}
	wanted := plainHex(call.Value("fingerprint"))
	if len(wanted) != keyDigits || !lowerHex.MatchString(wanted) {
		return "", refuse(exitUsage,
			fmt.Sprintf("--fingerprint: a fingerprint has 64 hex digits, and this has %d characters.", len([]rune(wanted))),
			"Have all of it read out: anybody can make a key whose fingerprint begins like another's.")
	}
	path := call.Value("file")
	_, text, err := s.openEvidence(path)
	if err != nil {
		return "", err
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return "", err
	}
	keys := keysIn(value)
	for _, key := range keys {
		if fingerprintOf(key) == wanted {
			return key, nil
		}
	}
	for _, key := range keys {
		if slips := slipsBetween(wanted, fingerprintOf(key)); len(slips) <= maxSlips {
			digits := "digit"
			if len(slips) > 1 {
				digits = "digits"
			}
			return "", refuse(exitRejected,
				fmt.Sprintf(`"%s" carries a key whose fingerprint differs in %s %s.`, path, digits, strings.Join(slips, " and ")),
				"Nothing was changed. Compare that place again.")
		}
	}
	return "", refuse(exitRejected, fmt.Sprintf(`"%s" carries no key with that fingerprint.`, path),
		"Nothing was changed. The service may mean another key: ask it, and not the sender of the file.")
}

// keysIn returns every public key that evidence carries.
func keysIn(value any) (found []string) {
	switch value := value.(type) {
	case []any:
		for _, one := range value {
			found = append(found, keysIn(one)...)
		}
	case map[string]any:
		for name, one := range value {
			if text, ok := one.(string); ok && name == "public_key_hex" && len(text) == keyDigits && lowerHex.MatchString(text) {
				found = append(found, text)
			} else {
				found = append(found, keysIn(one)...)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// slipsBetween returns the digits, from 1, in which two texts of one length differ.
func slipsBetween(left, right string) (digits []string) {
	for i := range left {
		if left[i] != right[i] {
			digits = append(digits, strconv.Itoa(i+1))
		}
	}
	return digits
}
