// Package ordered holds JSON as it is written: members keep their order. It is for files of a person, which a change
// must leave as they are but for what the change names. It decodes what the strict parser has accepted, and no other
// text: the standard library's own reader passes over repeated names.
package ordered

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"svc.example/go/internal/jsonx"
)

// An Object is a JSON object. Its values are nil, bool, string, [json.Number], [][any] or *Object. An Object does not
// change: each function that changes one returns a new one.
type Object struct{ members []Member }

// A Member is a name and its value.
type Member struct {
	Name  string
	Value any
}

// New returns an object with these members.
func New(members ...Member) *Object { return &Object{members} }

// Members returns the members in their order. Do not change them.
func (o *Object) Members() []Member { return o.members }

// Len returns the number of members.
func (o *Object) Len() int { return len(o.members) }

// Get returns the value of a member; nil if the member is missing.
func (o *Object) Get(name string) any {
	for _, one := range o.members {
		if one.Name == name {
			return one.Value
		}
	}
	return nil
}

// Text returns a member that is a text, and an empty one for any other.
func (o *Object) Text(name string) string {
	text, _ := o.Get(name).(string)
	return text
}

// List returns the elements of a member that is an array, and nil for any other.
func (o *Object) List(name string) []any {
	list, _ := o.Get(name).([]any)
	return list
}

// Objects returns those elements of a member that are objects.
func (o *Object) Objects(name string) []*Object {
	var found []*Object
	for _, one := range o.List(name) {
		if object, ok := one.(*Object); ok {
			found = append(found, object)
		}
	}
	return found
}

// With returns the object with a member set: in its place, or at the end where it is new.
func (o *Object) With(name string, value any) *Object {
	members := slices.Clone(o.members)
	for at := range members {
		if members[at].Name == name {
			members[at].Value = value
			return &Object{members}
		}
	}
	return &Object{append(members, Member{name, value})}
}

// Without returns the object without a member.
func (o *Object) Without(name string) *Object {
	return &Object{slices.DeleteFunc(slices.Clone(o.members), func(one Member) bool { return one.Name == name })}
}

// Canonical returns J of the object: two objects with the same members in another order have the same.
func (o *Object) Canonical() ([]byte, error) { return jsonx.Encode(plain(o)) }

// Same says whether two objects have the same members, in any order.
func (o *Object) Same(other *Object) bool {
	left, err := o.Canonical()
	if err != nil {
		return false
	}
	right, err := other.Canonical()
	return err == nil && bytes.Equal(left, right)
}

// plain returns a value as [jsonx.Encode] takes it.
func plain(value any) any {
	switch v := value.(type) {
	case *Object:
		members := make(jsonx.Members, 0, len(v.members))
		for _, one := range v.members {
			members = append(members, jsonx.Member{Name: one.Name, Value: plain(one.Value)})
		}
		return members
	case []any:
		list := make([]any, 0, len(v))
		for _, one := range v {
			list = append(list, plain(one))
		}
		return list
	case json.Number:
		return jsonx.Raw(v)
	default:
		return value
	}
}

// Parse reads an object. The error is a [*jsonx.SyntaxError] for a text that is not JSON as the protocol accepts it.
func Parse(text []byte) (any, error) {
	tree, err := jsonx.Parse(text, jsonx.Limits{})
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	value, err := read(decoder)
	if err != nil {
		return nil, errors.Join(errors.New("the two readers of JSON disagree"), err)
	}
	return numbered(value, tree.Root()), nil
}

func read(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			one, err := read(decoder)
			if err != nil {
				return nil, err
			}
			list = append(list, one)
		}
		_, err := decoder.Token()
		return list, err
	case json.Delim('{'):
		object := &Object{}
		for decoder.More() {
			name, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			value, err := read(decoder)
			if err != nil {
				return nil, err
			}
			object.members = append(object.members, Member{name.(string), value})
		}
		_, err := decoder.Token()
		return object, err
	default:
		return token, nil
	}
}

// numbered writes each number as the protocol does: 1.0 is 1, whichever program wrote the file.
func numbered(value any, checked jsonx.Value) any {
	switch v := value.(type) {
	case *Object:
		members := checked.MemberMap()
		for at, one := range v.members {
			v.members[at].Value = numbered(one.Value, members[one.Name])
		}
	case []any:
		for at, one := range checked.Elements() {
			v[at] = numbered(v[at], one)
		}
	case json.Number:
		return json.Number(checked.Canonical())
	}
	return value
}
