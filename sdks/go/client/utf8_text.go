package client

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"unicode/utf8"
)

// hasReplacement says whether JSON text has U+FFFD in it, which encoding/json writes for bytes that are no UTF-8, as an
// escape or as it stands.
func hasReplacement(text []byte) bool {
	return bytes.Contains(text, []byte("\uFFFD")) || bytes.Contains(text, []byte(`\ufffd`))
}

// isUTF8 says whether every text of a value that encoding/json has written is UTF-8. It looks into what such a value
// can hold, and at what its types write themselves.
func isUTF8(value reflect.Value) bool {
	if !value.IsValid() {
		return true
	}
	if value.CanInterface() && !(value.Kind() == reflect.Pointer && value.IsNil()) {
		switch own := value.Interface().(type) {
		case json.Marshaler:
			text, err := own.MarshalJSON()
			return err != nil || utf8.Valid(text)
		case encoding.TextMarshaler:
			text, err := own.MarshalText()
			return err != nil || utf8.Valid(text)
		}
	}
	switch value.Kind() {
	case reflect.String:
		return utf8.ValidString(value.String())
	case reflect.Pointer, reflect.Interface:
		return isUTF8(value.Elem())
	case reflect.Slice, reflect.Array:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			return true
		}
		for i := range value.Len() {
			if !isUTF8(value.Index(i)) {
				return false
			}
		}
	case reflect.Map:
		for each := value.MapRange(); each.Next(); {
			if !isUTF8(each.Key()) || !isUTF8(each.Value()) {
				return false
			}
		}
	case reflect.Struct:
		for i := range value.NumField() {
			if !isUTF8(value.Field(i)) {
				return false
			}
		}
	}
	return true
}
