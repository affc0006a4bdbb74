package main

import (
	"fmt"
	"reflect"
	"strings"

	"svc.example/go/report"
)

// A difference is the place where two reports first differ, as a JSON Pointer, and the JSON there; null for nothing.
type difference struct {
	Path   string     `json:"path"`
	Values [2]*string `json:"values"`
}

// quote returns the value of one side, cut to what a message quotes.
func (d *difference) quote(side int) string {
	if d.Values[side] == nil {
		return "nothing"
	}
	return cut(*d.Values[side], longestQuote)
}

// differenceOf returns where two reports first differ but for their verifier, in the order of their members; nil if
// nowhere.
func differenceOf(left, right *report.Report) *difference {
	a, b := *left, *right
	a.Verifier, b.Verifier = report.Verifier{}, report.Verifier{}
	return differenceAt("", reflect.ValueOf(a), reflect.ValueOf(b))
}

// differenceAt compares two values of the same type. The zero Value is a missing one.
func differenceAt(path string, left, right reflect.Value) *difference {
	if left.IsValid() && right.IsValid() {
		if reflect.DeepEqual(left.Interface(), right.Interface()) {
			return nil
		}
		switch left.Kind() {
		case reflect.Struct:
			return differenceOfMembers(path, left, right)
		case reflect.Slice:
			for i := range max(left.Len(), right.Len()) {
				if found := differenceAt(fmt.Sprintf("%s/%d", path, i), element(left, i), element(right, i)); found != nil {
					return found
				}
			}
			return nil
		case reflect.Pointer:
			if !left.IsNil() && !right.IsNil() {
				return differenceAt(path, left.Elem(), right.Elem())
			}
		}
	} else if !left.IsValid() && !right.IsValid() {
		return nil
	}
	return &difference{path, [2]*string{textOf(left), textOf(right)}}
}

func differenceOfMembers(path string, left, right reflect.Value) *difference {
	for i := range left.NumField() {
		name, option, _ := strings.Cut(left.Type().Field(i).Tag.Get("json"), ",")
		a, b := left.Field(i), right.Field(i)
		if option == "omitempty" {
			a, b = orNone(a), orNone(b)
		}
		if found := differenceAt(path+"/"+name, a, b); found != nil {
			return found
		}
	}
	return nil
}

// orNone returns no value for one that JSON leaves out.
func orNone(value reflect.Value) reflect.Value {
	if value.IsZero() {
		return reflect.Value{}
	}
	return value
}

func element(list reflect.Value, i int) reflect.Value {
	if i < list.Len() {
		return list.Index(i)
	}
	return reflect.Value{}
}

func textOf(value reflect.Value) *string {
	if !value.IsValid() {
		return nil
	}
	// A member of a report is always JSON.
	text, _ := marshal(value.Interface())
	said := string(text)
	return &said
}
