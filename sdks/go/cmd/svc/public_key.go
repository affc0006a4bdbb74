package main

import (
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
	inGroups    = regexp.MustCompile(`^(?i)[0-9a-f\s]+$`)
	onlyHex     = regexp.MustCompile(`^(?i)[0-9a-f]+$`)
	lowerHex    = regexp.MustCompile(`^[0-9a-f]+$`)
	fingerprint = regexp.MustCompile(`^(?i)ed25519-[0-9a-f]*$`)
	fileOfKey   = regexp.MustCompile(`(?i)\.(pem|pub|key|hex|txt|json|der)$`)
	verifierKey = regexp.MustCompile(`^[^+\s]+\+(?i:[0-9a-f]{8})\+[A-Za-z0-9+/]+=*$`)
	base64Key   = regexp.MustCompile(`^[A-Za-z0-9+/_-]{43}=?$`)
)

// parsePublicKeyHex returns a raw Ed25519 public key in hex, also one that is given in groups. It refuses anything else
// with what it looks like. A value is never repeated in a message: it may be a private key.
func parsePublicKeyHex(given string) (string, error) {
	text := given
	// Fingerprints are shown in groups, and keys are read out so.
	if inGroups.MatchString(given) {
		text = strings.Join(strings.Fields(given), "")
	}
	if len(text) == keyDigits && lowerHex.MatchString(text) {
		return text, nil
	}
	what, action := mistakeIn(text)
	return "", refuse(exitUsage, "--public-key-hex: "+what, action)
}

// mistakeIn says what is given in place of a key, and what to do.
func mistakeIn(text string) (what, action string) {
	switch {
	case text == "":
		return "the key is empty.", giveHex + " Is a variable unset?"
	case strings.Contains(text, "PRIVATE KEY"):
		return "this is a private key in PEM.", "Keep it secret; it is not needed here. " + giveHex
	case strings.Contains(text, "-----BEGIN"):
		return "this is a key in PEM, not in hex.", giveHex
	case strings.HasPrefix(text, "ssh-"):
		return "this is an SSH key, not hex.", giveHex
	case fingerprint.MatchString(text):
		return "this is a key's fingerprint, not the key.", giveHex + " A fingerprint is only for comparing."
	case len(text) >= 2 && strings.EqualFold(text[:2], "0x"):
		return "the key starts with 0x.", "Leave the 0x out."
	case onlyHex.MatchString(text):
		return mistakeInHex(text)
	case exists(text):
		return "this is a file, not a key.", giveHex + " The key stands inside the file."
	case fileOfKey.MatchString(text):
		return "this looks like the name of a file, not a key.", giveHex + " The key stands inside the file."
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
	if len(text) == keyDigits {
		return "the key has uppercase hex digits.", "Write the same key in lowercase."
	}
	long := ""
	if len(text) == 2*keyDigits {
		long = " That is the length of a signature, or of a private key."
	}
	return fmt.Sprintf("the key has %d characters and must have %d.%s", len(text), keyDigits, long), giveHex + " Was all of it copied?"
}
