// Package tables holds what all implementations share, as Go data: forms of text, schemas, kinds, limits, sentences and
// the service's errors. The files *_gen.go are generated; this one says what their rows mean.
package tables

// A Format is the number of a form of text; 0 stands for no form.
type Format uint8

// A FormatRow is one form of text.
type FormatRow struct {
	// Name is the name in the table of formats.
	Name string
	// Pattern is for a whole text, and counts code points.
	Pattern string
	// MaxCharacters is a further bound in code points; 0 for none.
	MaxCharacters int
	// Rule names what no pattern decides: real-date or origin; empty for none.
	Rule string
}

// Types of values, as bits.
const (
	Object = 1 << iota
	Array
	String
	Integer
	Boolean
	Null
	Number
)

// A Schema is a JSON Schema with the keywords in use. Members that refer to other schemas hold their numbers, from 1;
// 0 refers to no schema.
type Schema struct {
	// Types are the bits of the types allowed; 0 allows all.
	Types uint8
	// Const is the canonical JSON of the one value allowed; empty for none.
	Const string
	// Enum holds the canonical JSON of the values allowed; nil for no such list.
	Enum                     []string
	Minimum, Maximum         int64
	HasMinimum, HasMaximum   bool
	MinItems, MaxItems       int
	HasMaxItems              bool
	MaxLength                int
	Format                   Format
	Required                 []string
	Dependent                []Dependent
	Items, Additional, Names int
	Properties               []Property
	// Closed says that no other members than the properties are allowed.
	Closed bool
}

// A Dependent is a member that needs others beside it.
type Dependent struct {
	Name  string
	Needs []string
}

// A Property is a member of an object and the number of its schema.
type Property struct {
	Name   string
	Schema int
}

// A SchemaName is the number of a schema that has a name.
type SchemaName struct {
	Name   string
	Schema int
}

// SchemaOf returns the number of a schema by its name, and panics for an unknown name.
func SchemaOf(name string) int {
	for _, one := range SchemaNames {
		if one.Name == name {
			return one.Schema
		}
	}
	panic("tables: no schema is called " + name)
}

// A KindRow says how a kind is recognised.
type KindRow struct {
	Kind, Noun string
	IsJSON     bool
	// Schemas are the names of its schemas, the usual one first.
	Schemas []string
	// CheckLists are the names of its lists of checks.
	CheckLists []string
	// Marks are lists of members, of which one must be there whole; none where most of its members tell it.
	Marks [][]string
	// MaxBytes is the greatest length of an object; 0 for no bound.
	MaxBytes int
}

// KindOf returns the row of a kind; nil for none.
func KindOf(kind string) *KindRow {
	for i := range Kinds {
		if Kinds[i].Kind == kind {
			return &Kinds[i]
		}
	}
	return nil
}

// A CheckList is the checks of one kind, in order. That of no kind has an empty name.
type CheckList struct {
	Name   string
	Checks []string
}

// ChecksOf returns the checks of a list, in order.
func ChecksOf(list string) []string {
	for _, one := range CheckLists {
		if one.Name == list {
			return one.Checks
		}
	}
	panic("tables: no list of checks is called " + list)
}

// A Sentence is in a report where one of its conditions is met, or always without any.
type Sentence struct {
	Text string
	When []Condition
}

// A Condition is met if each dimension has one of its values.
type Condition []Dimension

// A Dimension is one side of a report, and the values of which it must have one.
type Dimension struct {
	Name   string
	Values []string
}

// A ServiceError is a code of the service's refusals.
type ServiceError struct {
	Code      string
	Status    int
	Retryable bool
	Meaning   string
	Action    string
}
