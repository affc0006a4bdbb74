package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"svc.example/go/internal/jsonx"
)

// textOf writes a program's value as JSON text. It refuses a value that JSON cannot carry unchanged (docs/sdk-guide.md
// states the rule): the service would seal another one. path are the names that lead to the value in the request.
func textOf(value any, path ...any) ([]byte, error) {
	looking := walk{path: path}
	if failure := looking.value(reflect.ValueOf(value), false); failure != nil {
		return nil, failure
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	text := bytes.TrimSuffix(out.Bytes(), []byte("\n"))
	if err == nil {
		err = faultOf(text)
	}
	if err == nil && !hasReplacement(text) {
		return text, nil
	}
	looking.readsOwn = true
	if failure := looking.value(reflect.ValueOf(value), false); failure != nil {
		return nil, failure
	}
	if err != nil {
		return nil, looking.refusal("cannot be sent unchanged as JSON: %v", err)
	}
	return text, nil
}

// hasReplacement says whether JSON text has U+FFFD in it, which encoding/json writes for bytes that are no UTF-8, as an
// escape or as it stands.
func hasReplacement(text []byte) bool {
	return bytes.Contains(text, []byte("\uFFFD")) || bytes.Contains(text, []byte(`\ufffd`))
}

// faultOf says why a text is no JSON that every program reads alike.
func faultOf(text []byte) error {
	if _, err := jsonx.Parse(text, jsonx.Limits{}); err != nil {
		return err
	}
	if number := refusedNumber(text); number != "" {
		return fmt.Errorf("it holds the number %s: -0 would be recorded as 0, and integers beyond 2^53-1 look like their neighbours; give it as a text", number)
	}
	return nil
}

// refusedNumber returns the first number of accepted JSON that another program could take for another one.
func refusedNumber(text []byte) string {
	for at := 0; at < len(text); {
		switch c := text[at]; {
		case c == '"':
			for at++; text[at] != '"'; at++ {
				if text[at] == '\\' {
					at++
				}
			}
			at++
		case c == '-' || ('0' <= c && c <= '9'):
			end := at
			for end < len(text) && bytes.IndexByte([]byte("+-.eE0123456789"), text[end]) >= 0 {
				end++
			}
			number := string(text[at:end])
			value, _ := strconv.ParseFloat(number, 64)
			if (value == 0 && c == '-') || (value == math.Trunc(value) && math.Abs(value) > jsonx.MaxInteger) {
				return number
			}
			at = end
		default:
			at++
		}
	}
	return ""
}

// eventTexts returns each event as JSON text.
func eventTexts(events []EventInput) ([]json.RawMessage, error) {
	texts := make([]json.RawMessage, 0, len(events))
	for i, event := range events {
		text, err := textOf(event, "events", i)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// listText returns an object with a list of texts.
func listText(name string, texts []json.RawMessage) []byte {
	length := len(name) + 8
	for _, one := range texts {
		length += len(one) + 1
	}
	out := make([]byte, 0, length)
	out = append(out, `{"`+name+`":[`...)
	for i, one := range texts {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, one...)
	}
	return append(out, "]}"...)
}

// EncodeEvent returns an event as the JSON text that is sent, on one line. The error is an [*Error], payload_not_json,
// for a value that JSON cannot carry unchanged.
func EncodeEvent(event EventInput) (json.RawMessage, error) { return textOf(event) }
