package tables

import "slices"

// A Verdict is the word and the tone of a verdict: good, warn or bad.
type Verdict struct{ Verdict, Word, Tone string }

// A Count is the noun of what a check counts.
type Count struct{ Check, One, Many string }

// A Step is one step of the ladder of a report.
type Step struct {
	ID string
	// When says which objects can take it.
	When Sentence
	// Marks are shown, shown_in_part and not_shown: the one that is met counts.
	Marks []Sentence
	// Clauses that are met stand joined by a semicolon and a blank.
	Clauses []Sentence
}

// Say returns the texts whose conditions are met. `values` holds the sides of a report; one that is missing meets no
// condition. A number is more if it is not among the other values of its dimension.
func Say(sentences []Sentence, dimensions []Dimension, values map[string]string) (said []string) {
	for _, one := range sentences {
		isMet := len(one.When) == 0
		for _, condition := range one.When {
			isMet = isMet || condition.isMet(dimensions, values)
		}
		if isMet {
			said = append(said, one.Text)
		}
	}
	return said
}

func (c Condition) isMet(dimensions []Dimension, values map[string]string) bool {
	for _, one := range c {
		value, ok := values[one.Name]
		if !ok {
			return false
		}
		if !slices.Contains(one.Values, value) && !(slices.Contains(one.Values, "more") && isMore(dimensions, one.Name, value)) {
			return false
		}
	}
	return true
}

// isMore says whether a number is not among the values of a dimension.
func isMore(dimensions []Dimension, name, value string) bool {
	for _, digit := range []byte(value) {
		if digit < '0' || '9' < digit {
			return false
		}
	}
	for _, one := range dimensions {
		if one.Name == name {
			return value != "" && !slices.Contains(one.Values, value)
		}
	}
	return false
}

// IsDistrust says whether a code leaves evidence unbroken, and only says that trust does not reach its signer.
func IsDistrust(code string) bool { return slices.Contains(Distrust, code) }
