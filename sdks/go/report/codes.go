package report

import "slices"

// A Code says why a check does not hold: one cause, one code. Codes are stable.
type Code string

type codeRow struct {
	code       Code
	check      CheckID
	onlyVaults bool
	convicts   bool
	meaning    string
	action     string
}

// Codes returns every code, in the order of the table of verdicts.
func Codes() []Code {
	list := make([]Code, len(codes))
	for i, row := range codes {
		list[i] = row.code
	}
	return list
}

func (c Code) row() codeRow {
	for _, row := range codes {
		if row.code == c {
			return row
		}
	}
	return codeRow{code: c}
}

// IsKnown says whether the code is one of this version's.
func (c Code) IsKnown() bool { return c.row().meaning != "" }

// Check returns the check that finds the code first; empty for an unknown code.
func (c Code) Check() CheckID { return c.row().check }

// Meaning says in one sentence what is wrong; empty for an unknown code.
func (c Code) Meaning() string { return c.row().meaning }

// Action says what a person does next; empty for an unknown code.
func (c Code) Action() string { return c.row().action }

// Convicts says whether the code can convict the holder of a key, because what it contradicts is sealed.
func (c Code) Convicts() bool { return c.row().convicts }

// Rank returns the place of a role in the list of signers.
func (r Role) Rank() int { return slices.Index(roles, r) }
