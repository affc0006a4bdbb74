package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/internal/examine"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// fileOperand and fileOption name the one file of a command: the word behind it, or --file, which scripts use.
var (
	fileOperand = cmdline.Operand{Name: "file", About: "the file; - for standard input"}
	fileOption  = cmdline.Option{Name: "file", Value: "<path>", About: "the same"}
)

// fileOf returns the file of such a command.
func fileOf(call *cmdline.Call) (string, error) {
	switch {
	case len(call.Operands) == 0 && !call.Has("file"):
		return "", &cmdline.Error{Path: call.Path, Message: "missing required argument 'file'"}
	case len(call.Operands) > 0 && call.Has("file"):
		return "", &cmdline.Error{Path: call.Path, Message: "the file is given twice"}
	case call.Has("file"):
		return call.Value("file"), nil
	default:
		return call.Operands[0], nil
	}
}

// An openedFile is evidence that has the form of its kind; of what it says nothing is verified.
type openedFile struct {
	examine.Decoded
	bytes []byte
}

// openEvidence opens a file that is of one of these kinds, or of any if none is named, to look into it or to cut it. It
// refuses any other file with the place of the first fault.
func (s *system) openEvidence(path string, kinds ...report.Kind) (*openedFile, error) {
	bytes, err := s.readInput(path, maxInput)
	if err != nil {
		return nil, err
	}
	if err := refuseOther(named(path), bytes, false); err != nil {
		return nil, err
	}
	decoded, err := examine.Decode(kernel.Native, bytes)
	var fault *examine.FormFault
	if err != nil && !errors.As(err, &fault) {
		return nil, err
	}
	kind := decoded.Kind
	if fault != nil {
		kind = fault.Kind
	}
	nouns := make([]string, len(kinds))
	for i, one := range kinds {
		nouns[i] = tables.KindNouns[string(one)]
	}
	wanted := strings.Join(nouns, " or ")
	if kind != "" && len(kinds) > 0 && !slices.Contains(kinds, kind) {
		return nil, refuse(exitInput,
			fmt.Sprintf("%s looks like %s, and this command reads %s.", named(path), tables.KindNouns[string(kind)], wanted), checkFile)
	}
	if fault == nil {
		return &openedFile{decoded, bytes}, nil
	}
	what := wanted
	if kind != "" {
		what = tables.KindNouns[string(kind)]
	} else if what == "" {
		what = "evidence"
	}
	return nil, refuse(exitInput, fmt.Sprintf("%s cannot be read as %s: %s", named(path), what, faultInWords(fault)), fault.Code.Action())
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
