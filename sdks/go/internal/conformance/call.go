package conformance

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"slices"
	"unicode/utf8"

	"svc.example/go/internal/jsonx"
)

// A Call is one request of a known operation. The methods that read a member refuse the request, by a panic that the
// server turns into an answer, if the member is not of their form.
type Call struct {
	*Server
	members map[string]jsonx.Value
}

// An operation has the members of its request, all but `id` and `op`, and makes an answer without `id`.
type operation struct {
	required, optional []string
	answer             func(c *Call) jsonx.Members
}

// A refusal is what a function panics with to end a request.
type refusal struct{ answer jsonx.Members }

func refuse(code, message string) { panic(&refusal{failed(code, message)}) }

func failed(code, message string) jsonx.Members {
	// A message may repeat bytes of the request, cut anywhere.
	if !utf8.ValidString(message) {
		message = string([]rune(message))
	}
	return append(answered(false), jsonx.Member{Name: "code", Value: code}, jsonx.Member{Name: "message", Value: message})
}

func answered(ok bool, more ...jsonx.Member) jsonx.Members {
	return append(jsonx.Members{{Name: "ok", Value: ok}}, more...)
}

// syntax returns the answer to a text that is not JSON by protocol section 2.
func syntax(err error) jsonx.Members {
	var fault *jsonx.SyntaxError
	if !errors.As(err, &fault) {
		return failed("internal_error", err.Error())
	}
	return append(failed(string(fault.Code), err.Error()), jsonx.Member{Name: "offset", Value: fault.Offset})
}

// close refuses a request with a member that the operation does not have, or without one that it needs.
func (c *Call) close(o operation, besides ...string) {
	for name := range c.members {
		if !slices.Contains(o.required, name) && !slices.Contains(o.optional, name) && !slices.Contains(besides, name) {
			refuse("malformed_request", "unknown member "+name)
		}
	}
	for _, name := range o.required {
		if !c.Has(name) {
			refuse("malformed_request", "no member "+name)
		}
	}
}

// Has says whether a member is there.
func (c *Call) Has(name string) bool { return c.members[name].Exists() }

// Value returns a member as it stands; the zero Value if it is not there.
func (c *Call) Value(name string) jsonx.Value { return c.members[name] }

// Text returns a member that is a text.
func (c *Call) Text(name string) string { return textOf(c.members[name], name) }

// Bytes returns a member that is standard base64 with padding, canonical.
func (c *Call) Bytes(name string) []byte {
	text := c.Text(name)
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	// The decoder passes over newlines.
	if err != nil || base64.StdEncoding.EncodedLen(len(data)) != len(text) {
		refuse("malformed_request", name+" is not canonical base64")
	}
	return data
}

// Hex returns a member that is lowercase hex.
func (c *Call) Hex(name string) []byte { return hexOf(c.members[name], name) }

// HexList returns a member that is an array of lowercase hex.
func (c *Call) HexList(name string) [][]byte {
	list := c.members[name]
	if list.Kind() != jsonx.Array {
		refuse("malformed_request", name+" is no array")
	}
	out := make([][]byte, 0, list.Len())
	for _, one := range list.Elements() {
		out = append(out, hexOf(one, name))
	}
	return out
}

// Size returns a member that is a size or an index: 0 to 2^53-1, as a number or as its decimal digits. A larger one,
// which comes as digits, is refused as `malformed`.
func (c *Call) Size(name string) uint64 {
	value := c.members[name]
	if number, ok := value.Int(); ok && number >= 0 {
		return uint64(number)
	}
	text, _ := value.Text()
	if text == "" || (text[0] == '0' && text != "0") {
		refuse("malformed_request", name+" is no size")
	}
	size := uint64(0)
	for _, digit := range []byte(text) {
		if digit < '0' || '9' < digit {
			refuse("malformed_request", name+" is no size")
		}
		if size <= jsonx.MaxInteger {
			size = size*10 + uint64(digit-'0')
		}
	}
	if size > jsonx.MaxInteger {
		refuse("malformed", name+" is beyond 2^53-1")
	}
	return size
}

func textOf(value jsonx.Value, name string) string {
	text, ok := value.Text()
	if !ok {
		refuse("malformed_request", name+" is no text")
	}
	return text
}

func hexOf(value jsonx.Value, name string) []byte {
	text := textOf(value, name)
	data, err := hex.DecodeString(text)
	if err != nil || hex.EncodeToString(data) != text {
		refuse("malformed_request", name+" is not lowercase hex")
	}
	return data
}
