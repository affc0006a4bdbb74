package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

const (
	// keyDigits is how many hexadecimal digits a public key has.
	keyDigits = 64
	giveHex   = "Give the raw Ed25519 public key as 64 lowercase hex characters."
)

var (
	inGroups    = regexp.MustCompile(`^(?i)[0-9a-f\s:]+$`)
	betweenHex  = regexp.MustCompile(`[\s:]`)
	inPEM       = regexp.MustCompile(`^\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]*)-----END PUBLIC KEY-----\s*$`)
	onlyHex     = regexp.MustCompile(`^(?i)[0-9a-f]+$`)
	lowerHex    = regexp.MustCompile(`^[0-9a-f]+$`)
	fingerprint = regexp.MustCompile(`^(?i)ed25519-[0-9a-f]*$`)
	fileOfKey   = regexp.MustCompile(`(?i)\.(pem|pub|key|hex|txt|json|der)$`)
	verifierKey = regexp.MustCompile(`^[^+\s]+\+(?i:[0-9a-f]{8})\+[A-Za-z0-9+/]+=*$`)
	base64Key   = regexp.MustCompile(`^[A-Za-z0-9+/_-]{43}=?$`)
)

// parsePublicKeyHex returns a raw Ed25519 public key in hex, also one with 0x before it, in groups, with colons, in
// uppercase or in PEM. It refuses anything else with what it looks like. A value is never repeated in a message: it may
// be a private key.
func parsePublicKeyHex(given string) (string, error) {
	text := rawKeyIn(given)
	if text == "" {
		text = plainHex(given)
	}
	if len(text) == keyDigits && lowerHex.MatchString(text) {
		return text, nil
	}
	what, action := mistakeIn(text)
	return "", refuse(exitUsage, "--public-key-hex: "+what, action)
}

// plainHex returns hexadecimal digits without what people put before and between them; any other text as it is.
func plainHex(given string) string {
	digits := strings.TrimSpace(given)
	if len(digits) >= 2 && strings.EqualFold(digits[:2], "0x") {
		digits = digits[2:]
	}
	if !inGroups.MatchString(digits) {
		return given
	}
	return strings.ToLower(betweenHex.ReplaceAllString(digits, ""))
}

// rawKeyIn returns the raw key of a public key in PEM, in hex; empty for any other text.
func rawKeyIn(given string) string {
	found := inPEM.FindStringSubmatch(given)
	if found == nil {
		return ""
	}
	der, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(found[1]), ""))
	if err != nil || !bytes.HasPrefix(der, spkiPrefix) || 2*(len(der)-len(spkiPrefix)) != keyDigits {
		return ""
	}
	return hex.EncodeToString(der[len(spkiPrefix):])
}

// mistakeIn says what is given in place of a key, and what to do.
func mistakeIn(text string) (what, action string) {
	switch {
	case text == "":
		return "the key is empty.", giveHex + " Is a variable unset?"
	case strings.Contains(text, "PRIVATE KEY"):
		return "this is a private key in PEM.", "Keep it secret; it is not needed here. " + giveHex
	case strings.Contains(text, "-----BEGIN"):
		return "this PEM holds no whole public key of Ed25519.", giveHex
	case strings.HasPrefix(text, "ssh-"):
		return "this is an SSH key, not hex.", giveHex
	case fingerprint.MatchString(text):
		return "this is a key's fingerprint, not the key.", giveHex + " A fingerprint is only for comparing."
	case onlyHex.MatchString(text):
		return mistakeInHex(text)
	case exists(text):
		return "this is a file, not a key.", giveHex + " The key is inside the file."
	case fileOfKey.MatchString(text):
		return "this looks like the name of a file, not a key.", giveHex + " The key is inside the file."
	case verifierKey.MatchString(text):
		return "this is a verifier key of a signed note (name+id+key), not hex.", giveHex
	case base64Key.MatchString(text):
		return "this looks like base64, not hex.", giveHex
	}
	at := 0
	for i, r := range []rune(text) {
		if r > unicode.MaxASCII || !onlyHex.MatchString(string(r)) {
			at = i + 1
			break
		}
	}
	return fmt.Sprintf("character %d of the key is not a hex digit.", at), giveHex
}

func mistakeInHex(text string) (what, action string) {
	long := ""
	if len(text) == 2*keyDigits {
		long = " That is the length of a signature, or of a private key."
	}
	return fmt.Sprintf("the key has %d characters and must have %d.%s", len(text), keyDigits, long), giveHex + " Was all of it copied?"
}
