package jsonx

import "fmt"

// A Code says why bytes are not the JSON of protocol section 2.
type Code string

// The codes of protocol section 2, as they are in reports.
const (
	InvalidUnicode Code = "invalid_unicode"
	Malformed      Code = "json_malformed"
	DuplicateName  Code = "duplicate_name"
	LossyNumber    Code = "lossy_number"
	TooDeep        Code = "too_deep"
	// TooLarge is not in section 2: the text is larger than [Limits] allow, or than this program can hold.
	TooLarge Code = "too_large"
)

// A SyntaxError is the first error of a text: ill-formed UTF-8 anywhere, then errors in text order.
type SyntaxError struct {
	Code Code
	// Offset is where the error stands, in bytes from 0, as protocol section 2 says for each code.
	Offset int
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s at byte %d", e.Code, e.Offset)
}

// EndsEarly says whether a parser that stopped before these bytes ran out of them: at the end, or in the middle of a
// last character.
func EndsEarly(left []byte) bool {
	if len(left) == 0 {
		return true
	}
	length := 0
	switch lead := left[0]; {
	case lead >= 0xf0:
		length = 4
	case lead >= 0xe0:
		length = 3
	case lead >= 0xc0:
		length = 2
	}
	return len(left) < length
}
