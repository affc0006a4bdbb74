package examine

import (
	"errors"
	"fmt"
	"slices"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/report"
)

// A Refusal says why a producer makes nothing: a code of docs/conformance.md.
type Refusal struct {
	Code string
	// Offset is that of a fault of JSON; -1 for any other.
	Offset int
	// Reason is a sentence for people; empty where the code says all.
	Reason string
	// Report is that of a result that does not hold; nil otherwise.
	Report *report.Report
}

func (r *Refusal) Error() string { return "svc: " + r.Code }

func refusal(code string) *Refusal { return &Refusal{Code: code, Offset: -1} }

// missing says that an object lacks what a call names.
func missing(code, format string, values ...any) *Refusal {
	return &Refusal{Code: code, Offset: -1, Reason: fmt.Sprintf(format, values...)}
}

// source reads what a producer is given: JSON, the kind, the form, in this order.
func source(k kernel.Kernel, wire []byte, kinds ...report.Kind) (object jsonx.Value, kind report.Kind, err error) {
	d, err := Decode(k, wire)
	var fault *FormFault
	switch {
	case errors.As(err, &fault) && fault.Offset >= 0:
		return object, "", &Refusal{Code: string(fault.Code), Offset: fault.Offset}
	case err != nil && fault == nil:
		return object, "", err
	case fault != nil && !slices.Contains(kinds, fault.Kind), fault == nil && !slices.Contains(kinds, d.Kind):
		return object, "", refusal("unsupported_object")
	case fault != nil:
		return object, "", refusal("malformed")
	}
	return d.Value, d.Kind, nil
}

// hold encodes what was made, and refuses what does not hold.
func hold(k kernel.Kernel, made any, kind report.Kind) ([]byte, *report.Report, error) {
	text, err := jsonx.Encode(made)
	if err != nil {
		return nil, nil, err
	}
	r, err := Verify(Input{Bytes: text, Kind: kind, Policy: NobodyTrusted(), Kernel: k})
	if err != nil {
		return nil, nil, err
	}
	if r.Verdict == report.Rejected {
		return nil, nil, &Refusal{Code: "rejected", Offset: -1, Report: r}
	}
	return text, r, nil
}

// without returns an object without members, and with others in their place.
func without(object jsonx.Value, drop []string, add jsonx.Members) jsonx.Raw {
	return jsonx.NewEdit(drop, add).Append(nil, object)
}
