package trustfile

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"svc.example/go/cmd/svc/internal/ordered"
)

const maxNameCharacters = 64

var (
	kidForm = regexp.MustCompile(`^ed25519-[0-9a-f]{16}$`)
	keyForm = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// NamesFile returns the file with a person's names for the keys of a trust file: a JSON object from kid to name. A
// trust policy is closed and has no place for them. No verdict depends on it.
func NamesFile(trustFile string) string { return trustFile + ".names" }

// ParseNames reads names from the bytes of their file.
func ParseNames(file string, text []byte) (*ordered.Object, error) {
	value, err := ordered.Parse(text)
	names, isObject := value.(*ordered.Object)
	if err == nil && isObject && areNames(names) {
		return names, nil
	}
	return nil, refuse(fmt.Sprintf(`"%s" does not hold names of keys: it must be a JSON object from key identifiers to texts.`, file),
		"Correct it, or delete it: it holds nothing but names.")
}

func areNames(names *ordered.Object) bool {
	for _, one := range names.Members() {
		if _, isText := one.Value.(string); !isText || !kidForm.MatchString(one.Name) {
			return false
		}
	}
	return true
}

// ParseName returns a name for a key: 1 to 64 characters on one line that hide nothing, and unlike a key or its
// identifier.
func ParseName(text string) (string, error) {
	isFit := strings.TrimSpace(text) != "" && utf8.ValidString(text) &&
		utf8.RuneCountInString(text) <= maxNameCharacters && !strings.ContainsFunc(text, isUnfit)
	if isFit && !kidForm.MatchString(text) && !keyForm.MatchString(text) {
		return text, nil
	}
	return "", refuse("--name: this cannot be the name of a key.",
		fmt.Sprintf(`Give 1 to %d characters on one line that do not look like a key, as in --name "acme 2026".`, maxNameCharacters))
}

// isUnfit says whether a character controls, formats or separates.
func isUnfit(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }

// IsKID says whether a text is the identifier of a key.
func IsKID(text string) bool { return kidForm.MatchString(text) }

// IsKey says whether a text is a raw public key in hex.
func IsKey(text string) bool { return keyForm.MatchString(text) }
