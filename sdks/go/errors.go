package svc

import (
	"errors"
	"fmt"

	"svc.example/go/report"
)

// Errors of a verification, for [errors.Is].
var (
	// ErrRejected says that something does not hold, or that required evidence is not there.
	ErrRejected = errors.New("svc: rejected")
	// ErrUntrusted says that nothing that was checked is broken, but that trust does not reach every signer.
	ErrUntrusted = errors.New("svc: untrusted")
	// ErrTooLarge says that the input has more bytes than Options.MaxBytes.
	ErrTooLarge = errors.New("svc: the input is too large")
	// ErrInternal says that this package itself failed: there is no verdict.
	ErrInternal = errors.New("svc: internal error")
)

// A VerdictError is a verdict other than verified. It is [ErrRejected] or [ErrUntrusted] for [errors.Is].
type VerdictError struct {
	// Report is never nil in an error of this package.
	Report *Report
}

// Error says the verdict and the first problem.
func (e *VerdictError) Error() string {
	if e.Report == nil {
		return "svc: no verdict"
	}
	if len(e.Report.Problems) == 0 {
		return "svc: " + string(e.Report.Verdict)
	}
	first := e.Report.Problems[0]
	return fmt.Sprintf("svc: %s: %s at %q: %s", e.Report.Verdict, first.Code, first.Path, first.Message)
}

// Is says whether target is the error of the verdict.
func (e *VerdictError) Is(target error) bool {
	if e.Report == nil {
		return false
	}
	switch e.Report.Verdict {
	case report.Rejected:
		return target == ErrRejected
	case report.Untrusted:
		return target == ErrUntrusted
	default:
		return false
	}
}

// errorOf returns the error of a verdict; nil for verified.
func errorOf(r *Report) error {
	if r.Verdict == report.Verified {
		return nil
	}
	return &VerdictError{r}
}
