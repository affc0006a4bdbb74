package examine

import (
	"errors"
	"slices"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/report"
)

// A Refusal says why a producer makes nothing.
type Refusal = examination.Refusal

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
		return object, "", examination.Refuse("unsupported_object")
	case fault != nil:
		return object, "", examination.Refuse("malformed")
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
