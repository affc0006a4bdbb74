package jsonx

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// Raw is canonical JSON that [Encode] writes as it stands.
type Raw []byte

// A Member is one member of an object that [Encode] writes.
type Member struct {
	Name  string
	Value any
}

// Members is an object for [Encode], in any order.
type Members []Member

// Encode returns J of a Go value: nil, a bool, a string, an integer or float64, a [Value], [Raw], a []any, []string,
// map[string]any or [Members]. It returns an error for other types, for text that is not UTF-8, for numbers that are
// not finite or, as integers, not exact as a double, for a name that appears twice, and past 64 levels.
func Encode(value any) ([]byte, error) {
	return appendValue(nil, value, 0)
}

func appendValue(dst []byte, value any, depth int) ([]byte, error) {
	switch v := value.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		if v {
			return append(dst, "true"...), nil
		}
		return append(dst, "false"...), nil
	case string:
		if !utf8.ValidString(v) {
			return nil, errors.New("a text that is not UTF-8")
		}
		return appendString(dst, v), nil
	case int:
		return appendInteger(dst, int64(v))
	case int64:
		return appendInteger(dst, v)
	case uint64:
		if v > MaxInteger {
			return nil, fmt.Errorf("%d is beyond 2^53-1", v)
		}
		return appendInteger(dst, int64(v))
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%v is no JSON number", v)
		}
		return appendNumber(dst, v), nil
	case Raw:
		return append(dst, v...), nil
	case Value:
		if !v.Exists() {
			return nil, errors.New("a value that is missing")
		}
		return append(dst, v.Canonical()...), nil
	case []string:
		return appendArray(dst, v, depth+1)
	case []any:
		return appendArray(dst, v, depth+1)
	case map[string]any:
		members := make(Members, 0, len(v))
		for name, one := range v {
			members = append(members, Member{name, one})
		}
		return appendMembers(dst, members, depth+1)
	case Members:
		return appendMembers(dst, slices.Clone(v), depth+1)
	default:
		return nil, fmt.Errorf("a value of type %T", value)
	}
}

func appendInteger(dst []byte, value int64) ([]byte, error) {
	if value > MaxInteger || value < -MaxInteger {
		return nil, fmt.Errorf("%d is beyond 2^53-1", value)
	}
	return appendNumber(dst, float64(value)), nil
}

var errTooDeep = errors.New("more than 64 arrays and objects inside of each other")

func appendArray[T any](dst []byte, values []T, depth int) (out []byte, err error) {
	if depth > MaxDepth {
		return nil, errTooDeep
	}
	dst = append(dst, '[')
	for i, one := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = appendValue(dst, one, depth); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
}

// appendMembers sorts the members.
func appendMembers(dst []byte, members Members, depth int) (out []byte, err error) {
	if depth > MaxDepth {
		return nil, errTooDeep
	}
	slices.SortFunc(members, func(l, r Member) int { return CompareNames(l.Name, r.Name) })
	dst = append(dst, '{')
	for i, one := range members {
		if i > 0 {
			if one.Name == members[i-1].Name {
				return nil, fmt.Errorf("two members are called %q", one.Name)
			}
			dst = append(dst, ',')
		}
		if dst, err = appendValue(dst, one.Name, depth); err != nil {
			return nil, err
		}
		dst = append(dst, ':')
		if dst, err = appendValue(dst, one.Value, depth); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}
