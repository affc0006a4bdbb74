package ordered

import (
	"bytes"

	"svc.example/go/internal/jsonx"
)

// step is the indentation of each level.
const step = "  "

// Text returns a value on several lines, as JavaScript's JSON.stringify does with an indentation of two blanks, and a
// line end: the file stays the same whichever svc wrote it last.
func Text(value any) ([]byte, error) {
	out, err := appendText(nil, value, "\n")
	if err != nil {
		return nil, err
	}
	return append(out, '\n'), nil
}

func appendText(out []byte, value any, line string) ([]byte, error) {
	var err error
	switch v := value.(type) {
	case *Object:
		if len(v.members) == 0 {
			return append(out, "{}"...), nil
		}
		out = append(out, '{')
		for at, one := range v.members {
			out = separated(out, at, line+step)
			if out, err = appendText(out, one.Name, ""); err != nil {
				return nil, err
			}
			out = append(out, ": "...)
			if out, err = appendText(out, one.Value, line+step); err != nil {
				return nil, err
			}
		}
		return append(append(out, line...), '}'), nil
	case []any:
		if len(v) == 0 {
			return append(out, "[]"...), nil
		}
		out = append(out, '[')
		for at, one := range v {
			out = separated(out, at, line+step)
			if out, err = appendText(out, one, line+step); err != nil {
				return nil, err
			}
		}
		return append(append(out, line...), ']'), nil
	default:
		text, err := jsonx.Encode(plain(value))
		return append(out, text...), err
	}
}

func separated(out []byte, at int, line string) []byte {
	if at > 0 {
		out = append(out, ',')
	}
	return append(out, line...)
}

// Line returns a value on one line, its members in their order.
func Line(value any) ([]byte, error) {
	var out bytes.Buffer
	switch v := value.(type) {
	case *Object:
		out.WriteByte('{')
		for at, one := range v.members {
			if at > 0 {
				out.WriteByte(',')
			}
			name, err := Line(one.Name)
			if err != nil {
				return nil, err
			}
			text, err := Line(one.Value)
			if err != nil {
				return nil, err
			}
			out.Write(name)
			out.WriteByte(':')
			out.Write(text)
		}
		out.WriteByte('}')
	case []any:
		out.WriteByte('[')
		for at, one := range v {
			if at > 0 {
				out.WriteByte(',')
			}
			text, err := Line(one)
			if err != nil {
				return nil, err
			}
			out.Write(text)
		}
		out.WriteByte(']')
	default:
		return jsonx.Encode(plain(value))
	}
	return out.Bytes(), nil
}
