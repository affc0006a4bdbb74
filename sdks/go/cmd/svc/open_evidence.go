package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"svc.example/go/internal/examine"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// openEvidence reads a file of one of these kinds, to look into it or to cut it: JSON of the form of its kind, not
// verified. It refuses any other file, with the place of the first fault.
func (s *system) openEvidence(path string, kinds ...report.Kind) (examine.Decoded, []byte, error) {
	text, err := s.readInput(path, maxInput)
	if err != nil {
		return examine.Decoded{}, nil, err
	}
	if err := refuseOther(named(path), text, false); err != nil {
		return examine.Decoded{}, nil, err
	}
	decoded, err := examine.Decode(kernel.Native, text)
	kind := decoded.Kind
	var fault *examine.FormFault
	if errors.As(err, &fault) {
		kind = fault.Kind
	} else if err != nil {
		return decoded, nil, err
	}
	var nouns []string
	for _, one := range kinds {
		nouns = append(nouns, tables.KindNouns[string(one)])
	}
	wanted := strings.Join(nouns, " or ")
	if kind != "" && len(kinds) > 0 && !slices.Contains(kinds, kind) {
		return decoded, nil, refuse(exitInput,
			named(path)+" looks like "+tables.KindNouns[string(kind)]+", and this command reads "+wanted+".", checkFile)
	}
	if fault == nil {
		return decoded, text, nil
	}
	what := "evidence"
	if kind != "" {
		what = tables.KindNouns[string(kind)]
	} else if wanted != "" {
		what = wanted
	}
	return decoded, nil, refuse(exitInput, named(path)+" cannot be read as "+what+": "+faultInWords(fault), fault.Code.Action())
}

// faultInWords returns a fault of a form with its place.
func faultInWords(fault *examine.FormFault) string {
	switch {
	case fault.Offset >= 0:
		return fmt.Sprintf("%s. At byte %d. %s", fault.Code, fault.Offset, fault.Message)
	case fault.Path != "":
		return fmt.Sprintf("%s at %s. %s", fault.Code, fault.Path, fault.Message)
	default:
		return fmt.Sprintf("%s. %s", fault.Code, fault.Message)
	}
}
