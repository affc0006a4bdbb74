package client

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"svc.example/go/internal/jsonx"
)

const (
	// maxLevels is the most levels that a service takes in a request (protocol section 2).
	maxLevels = 64
	// maxPointers is the longest chain of pointers that is followed to one value; only a circle is longer.
	maxPointers = 1000
)

var (
	errorType         = reflect.TypeFor[error]()
	marshalerType     = reflect.TypeFor[json.Marshaler]()
	textMarshalerType = reflect.TypeFor[encoding.TextMarshaler]()
	numberType        = reflect.TypeFor[json.Number]()
	isWord            = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`).MatchString
)

// A walk goes through a value as encoding/json does, and finds the first that JSON would change: encoding/json puts
// another value in its place, or leaves it out, in silence.
type walk struct {
	// path are the names that lead to the value, texts and ints.
	path []any
	// readsOwn says that it also looks at what types write themselves. A type is asked for that a second time, so this is
	// done only if the whole text is refused.
	readsOwn bool
}

// refusal says what is wrong with the value that the walk has come to.
func (w *walk) refusal(format string, given ...any) *Error {
	var pointer, shown strings.Builder
	for i, name := range w.path {
		text := fmt.Sprint(name)
		pointer.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(text))
		_, isText := name.(string)
		switch {
		case i == 0:
			shown.WriteString(text)
		case isText && isWord(text):
			shown.WriteString("." + text)
		case isText:
			shown.WriteString("[" + strconv.Quote(text) + "]")
		default:
			shown.WriteString("[" + text + "]")
		}
	}
	where := shown.String()
	if where == "" {
		where = "What was given"
	}
	message := where + " " + fmt.Sprintf(format, given...) + "."
	failure := newError(CodePayloadNotJSON, message, 0)
	failure.Detail, _ = json.Marshal(map[string]any{"problems": []map[string]string{{"path": pointer.String(), "message": message}}})
	return failure
}

// value looks at a value with all that is in it, and returns nil if JSON carries it unchanged. isText says that its
// number is written as a text.
func (w *walk) value(value reflect.Value, isText bool) *Error {
	for range maxPointers {
		if kind := value.Kind(); !value.IsValid() || ((kind == reflect.Pointer || kind == reflect.Interface) && value.IsNil()) {
			return nil
		}
		if writesItself(value) {
			return w.own(value)
		}
		if value.Type().Implements(errorType) && value.Kind() != reflect.Interface {
			return w.refusal("is an error, a %v, of which JSON would keep little or nothing. Give the text of its Error()", value.Type())
		}
		if value.Kind() != reflect.Pointer && value.Kind() != reflect.Interface {
			return w.plain(value, isText)
		}
		value = value.Elem()
	}
	return w.refusal("is a pointer that leads to itself")
}

// writesItself says whether encoding/json asks the type of a value for its text.
func writesItself(value reflect.Value) bool {
	if value.Kind() == reflect.Interface {
		return false
	}
	kind := value.Type()
	return hasMethod(kind) || (value.CanAddr() && hasMethod(reflect.PointerTo(kind)))
}

func hasMethod(kind reflect.Type) bool {
	return kind.Implements(marshalerType) || kind.Implements(textMarshalerType)
}

// plain looks at a value that encoding/json writes by its kind.
func (w *walk) plain(value reflect.Value, isText bool) *Error {
	kind := value.Type()
	if kind.Name() != "" && hasMethod(reflect.PointerTo(kind)) {
		return w.refusal("is of the type %v, which says only by a pointer how it reads. Give a pointer to it", kind)
	}
	switch value.Kind() {
	case reflect.Bool:
		return nil
	case reflect.String:
		return w.text(value, kind)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if number := value.Int(); !isText && (number > jsonx.MaxInteger || number < -jsonx.MaxInteger) {
			return w.tooLarge(strconv.FormatInt(number, 10))
		}
		return nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if number := value.Uint(); !isText && number > jsonx.MaxInteger {
			return w.tooLarge(strconv.FormatUint(number, 10))
		}
		return nil
	case reflect.Float32, reflect.Float64:
		return w.float(value.Float(), isText)
	case reflect.Slice, reflect.Array:
		if element := kind.Elem(); element.Kind() == reflect.Uint8 && !hasMethod(element) && !hasMethod(reflect.PointerTo(element)) {
			return w.refusal("is bytes, a %v, which JSON does not have. Give a text, such as base64", kind)
		}
	case reflect.Map:
		if kind.Key().Kind() != reflect.String {
			return w.refusal("is a map whose members are named by the type %v, and names are texts. Give a map[string]", kind.Key())
		}
	case reflect.Struct:
		if fault := shapeOf(kind).fault; fault != "" {
			return w.refusal("%s. Give each field a different name, or give a map", fault)
		}
	default:
		return w.refusal("is of the type %v, which JSON does not have", kind)
	}
	if len(w.path) >= maxLevels {
		return w.refusal("contains itself, or is more than %d levels deep", maxLevels)
	}
	return w.members(value)
}

func (w *walk) text(value reflect.Value, kind reflect.Type) *Error {
	switch {
	case !utf8.ValidString(value.String()):
		return w.refusal("is a text that is not UTF-8")
	case kind != numberType:
		return nil
	case value.Len() == 0:
		return w.refusal("is an empty json.Number, which would be recorded as 0")
	}
	if number := refusedNumber([]byte(value.String())); number != "" {
		return w.tooLarge(number)
	}
	return nil
}

func (w *walk) float(number float64, isText bool) *Error {
	switch {
	case math.IsNaN(number) || math.IsInf(number, 0):
		return w.refusal("is %v, which JSON does not have", number)
	case isText:
		return nil
	case number == 0 && math.Signbit(number):
		return w.refusal("is -0, which would be recorded as 0. Give 0")
	case number == math.Trunc(number) && math.Abs(number) > jsonx.MaxInteger:
		return w.tooLarge(strconv.FormatFloat(number, 'g', -1, 64))
	}
	return nil
}

func (w *walk) tooLarge(number string) *Error {
	return w.refusal("is %s: -0 would be recorded as 0, and integers beyond 2^53-1 look like their neighbours. Give it as a text", number)
}

// members looks at all that is in a value.
func (w *walk) members(value reflect.Value) *Error {
	switch value.Kind() {
	case reflect.Map:
		for each := value.MapRange(); each.Next(); {
			name := each.Key().String()
			if !utf8.ValidString(name) {
				return w.refusal("has a member whose name is not UTF-8")
			}
			if failure := w.member(name, each.Value(), false); failure != nil {
				return failure
			}
		}
	case reflect.Struct:
		for _, one := range shapeOf(value.Type()).fields {
			inner, err := value.FieldByIndexErr(one.index)
			if err != nil {
				// A nil pointer stands for the embedded struct.
				continue
			}
			if failure := w.member(one.name, inner, one.isText); failure != nil {
				return failure
			}
		}
	default:
		for i := range value.Len() {
			if failure := w.member(i, value.Index(i), false); failure != nil {
				return failure
			}
		}
	}
	return nil
}

func (w *walk) member(name any, value reflect.Value, isText bool) *Error {
	w.path = append(w.path, name)
	failure := w.value(value, isText)
	w.path = w.path[:len(w.path)-1]
	return failure
}

// own looks at a value whose type says how it reads.
func (w *walk) own(value reflect.Value) *Error {
	if !hasMethod(value.Type()) {
		value = value.Addr()
	}
	if name := spokenForBy(value); name != "" {
		return w.refusal("is of the type %v, which reads as its embedded %s: JSON would leave its other fields out. Name that field", value.Type(), name)
	}
	if !w.readsOwn {
		return nil
	}
	if own, ok := value.Interface().(json.Marshaler); ok {
		text, err := own.MarshalJSON()
		if err == nil {
			err = faultOf(text)
		}
		if err != nil {
			return w.refusal("is of the type %v, whose JSON cannot be sent unchanged: %v", value.Type(), err)
		}
		return nil
	}
	if text, err := value.Interface().(encoding.TextMarshaler).MarshalText(); err != nil || !utf8.Valid(text) {
		return w.refusal("is of the type %v, whose text is not UTF-8", value.Type())
	}
	return nil
}

// spokenForBy returns the name of the embedded field whose method a struct has as if it were the struct's,
// if the struct has other fields; and an empty text otherwise.
func spokenForBy(value reflect.Value) string {
	if value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	if value.Kind() != reflect.Struct || value.NumField() < 2 {
		return ""
	}
	for i := range value.NumField() {
		one := value.Type().Field(i)
		if !one.Anonymous || !one.IsExported() || !(hasMethod(one.Type) || hasMethod(reflect.PointerTo(one.Type))) {
			continue
		}
		inner := value.Field(i)
		if inner.CanAddr() {
			inner = inner.Addr()
		}
		embedded, err := json.Marshal(inner.Interface())
		if whole, failure := json.Marshal(value.Interface()); err == nil && failure == nil && string(whole) == string(embedded) {
			return one.Name
		}
	}
	return ""
}
