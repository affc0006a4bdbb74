// Package schema holds values against the schemas of the protocol's objects, by the keywords that they use. It says
// where a value breaks its schema; what that is called in a report is decided by the examination.
package schema

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"svc.example/go/internal/beside"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
)

// A Fault is a place where a value breaks a schema.
type Fault struct {
	Keyword Keyword
	// Path is the JSON Pointer to the value that breaks it; for a member that is missing or not allowed, to that member.
	Path string
	// Value is what is there; missing for a missing member.
	Value jsonx.Value
}

// A Keyword is a kind of fault.
type Keyword uint8

// The kinds of faults.
const (
	Type Keyword = iota
	Const
	Enum
	Range
	Form
	Items
	Missing
	Unknown
	Name
)

// Check returns the places where a value breaks the schema of a number, at most [tables.MaxSchemaErrors]; none if it
// holds. So many workers share long arrays; their number changes nothing.
func Check(number int, value jsonx.Value, workers int) []Fault {
	c := checker{workers: workers}
	c.check(number, value)
	return c.faults
}

type checker struct {
	faults  []Fault
	path    []step
	workers int
}

// longArray is the number of elements from which workers share an array.
const longArray = 4096

// A step leads from a value to one inside of it: by a name, or by an index where that is missing.
type step struct {
	name  jsonx.Value
	index int
}

func (c *checker) isFull() bool { return len(c.faults) >= tables.MaxSchemaErrors }

func (c *checker) add(keyword Keyword, value jsonx.Value, tail string) {
	if c.isFull() {
		return
	}
	var path strings.Builder
	for _, one := range c.path {
		path.WriteByte('/')
		if one.name.Exists() {
			text, _ := one.name.Text()
			path.WriteString(Escape(text))
		} else {
			path.WriteString(itoa(one.index))
		}
	}
	path.WriteString(tail)
	c.faults = append(c.faults, Fault{keyword, path.String(), value})
}

func (c *checker) check(number int, value jsonx.Value) {
	s := &tables.Schemas[number-1]
	kind := value.Kind()
	if s.Types != 0 && s.Types&typeOf(value, kind) == 0 {
		c.add(Type, value, "")
	}
	if s.HasMinimum || s.HasMaximum {
		if !isInRange(s, value, kind) {
			c.add(Range, value, "")
		}
	}
	if kind == jsonx.String && (s.Format != 0 || s.MaxLength != 0) {
		text, _ := value.TextBytes()
		if (s.Format != 0 && !Matches(s.Format, text)) || (s.MaxLength != 0 && utf8.RuneCount(text) > s.MaxLength) {
			c.add(Form, value, "")
		}
	}
	if s.Const != "" && string(value.Canonical()) != s.Const {
		c.add(Const, value, "")
	}
	if s.Enum != nil && !contains(s.Enum, value.Canonical()) {
		c.add(Enum, value, "")
	}
	switch kind {
	case jsonx.Array:
		c.array(s, value)
	case jsonx.Object:
		c.object(s, value)
	}
}

func (c *checker) array(s *tables.Schema, value jsonx.Value) {
	if value.Len() < s.MinItems || (s.HasMaxItems && value.Len() > s.MaxItems) {
		c.add(Items, value, "")
	}
	if s.Items == 0 {
		return
	}
	if c.workers > 1 && value.Len() >= longArray {
		c.share(s.Items, value)
		return
	}
	c.elements(s.Items, value.Elements())
}

// elements holds some elements of an array, with their indexes, against their schema.
func (c *checker) elements(number int, elements iter.Seq2[int, jsonx.Value]) {
	c.path = append(c.path, step{})
	for index, item := range elements {
		if c.isFull() {
			break
		}
		c.path[len(c.path)-1].index = index
		c.check(number, item)
	}
	c.path = c.path[:len(c.path)-1]
}

// share has each worker hold a part of an array against the schema of its elements. The faults are in the order of
// the elements, as if one had found them.
func (c *checker) share(number int, array jsonx.Value) {
	// However many there are, a part is long enough to be worth a goroutine.
	count := min(c.workers, 2*array.Len()/longArray)
	parts := make([]checker, count)
	works := make([]func(), count)
	for i := range parts {
		parts[i].path = slices.Clone(c.path)
		elements := array.ElementsOf(i*array.Len()/count, (i+1)*array.Len()/count)
		works[i] = func() { parts[i].elements(number, elements) }
	}
	beside.All(c.workers, works...)
	for i := range parts {
		c.faults = append(c.faults, parts[i].faults...)
	}
	c.faults = c.faults[:min(len(c.faults), tables.MaxSchemaErrors)]
}

func (c *checker) object(s *tables.Schema, value jsonx.Value) {
	if s.Properties == nil && s.Additional == 0 && s.Names == 0 && !s.Closed {
		return
	}
	var few [64]bool
	seen := few[:min(len(s.Properties), len(few))]
	if len(s.Properties) > len(few) {
		seen = make([]bool, len(s.Properties))
	}
	c.path = append(c.path, step{})
	last := len(c.path) - 1
	var unknown []string
	for name, member := range value.Members() {
		if c.isFull() {
			break
		}
		text, _ := name.TextBytes()
		c.path[last].name = name
		at := place(s.Properties, text)
		switch {
		case at >= 0:
			seen[at] = true
			c.check(s.Properties[at].Schema, member)
		case s.Closed:
			unknown = append(unknown, string(text))
		case s.Additional != 0:
			c.check(s.Additional, member)
		}
		if s.Names != 0 && !c.isName(s.Names, name) {
			parent := c.path[:last]
			c.path, parent = parent, c.path
			c.add(Name, value, "")
			c.path = parent
		}
	}
	c.path = c.path[:last]
	for _, name := range s.Required {
		if at := place(s.Properties, []byte(name)); at < 0 || !seen[at] {
			c.add(Missing, jsonx.Value{}, "/"+Escape(name))
		}
	}
	for _, dependent := range s.Dependent {
		if at := place(s.Properties, []byte(dependent.Name)); at < 0 || !seen[at] {
			continue
		}
		for _, name := range dependent.Needs {
			if at := place(s.Properties, []byte(name)); at < 0 || !seen[at] {
				c.add(Missing, jsonx.Value{}, "/"+Escape(name))
			}
		}
	}
	for _, name := range unknown {
		c.add(Unknown, jsonx.Value{}, "/"+Escape(name))
	}
}

func (c *checker) isName(number int, name jsonx.Value) bool {
	names := checker{}
	names.check(number, name)
	return len(names.faults) == 0
}

func place(properties []tables.Property, name []byte) int {
	for i := range properties {
		if properties[i].Name == string(name) {
			return i
		}
	}
	return -1
}

func contains(list []string, text []byte) bool {
	for _, one := range list {
		if one == string(text) {
			return true
		}
	}
	return false
}

func typeOf(value jsonx.Value, kind jsonx.Kind) uint8 {
	switch kind {
	case jsonx.Null:
		return tables.Null
	case jsonx.Bool:
		return tables.Boolean
	case jsonx.String:
		return tables.String
	case jsonx.Array:
		return tables.Array
	case jsonx.Object:
		return tables.Object
	case jsonx.Number:
		if isWhole(value) {
			return tables.Number | tables.Integer
		}
		return tables.Number
	default:
		return 0
	}
}

// isWhole says whether a number is a mathematical integer, of any size.
func isWhole(value jsonx.Value) bool {
	if _, ok := value.Int(); ok {
		return true
	}
	number, _ := value.Float()
	return number == float64(int64(number)) || number >= 1<<53 || number <= -(1<<53)
}

func isInRange(s *tables.Schema, value jsonx.Value, kind jsonx.Kind) bool {
	if kind != jsonx.Number {
		return true
	}
	if number, ok := value.Int(); ok {
		return (!s.HasMinimum || number >= s.Minimum) && (!s.HasMaximum || number <= s.Maximum)
	}
	number, _ := value.Float()
	return (!s.HasMinimum || number >= float64(s.Minimum)) && (!s.HasMaximum || number <= float64(s.Maximum))
}
