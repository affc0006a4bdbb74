package svc

import (
	"context"
	"errors"
	"fmt"

	"svc.example/go/internal/examine"
	"svc.example/go/internal/kernel"
)

// A Kernel computes for a verification; the module wasmkernel has one that was compiled apart.
type Kernel = kernel.Kernel

// CrossCheck verifies the same bytes with this package's kernel and another one (protocol section 16). The report is
// that of this package's kernel where the two differ in nothing but the verifier; otherwise, and where a kernel fails,
// it is rejected with the one problem kernels_disagree. Errors are those of [VerifyBytes].
func CrossCheck(ctx context.Context, text []byte, options Options, other Kernel) (r *Report, err error) {
	defer recovered(&err)
	if ctx == nil || other == nil {
		return nil, errors.New("svc: CrossCheck needs a context and a kernel")
	}
	first, err := verify(ctx, text, options, kernel.Native)
	if err != nil {
		return nil, err
	}
	second, err := verify(ctx, text, options, other)
	if err != nil && !errors.Is(err, ErrInternal) {
		return nil, err
	}
	if err == nil && examine.Agree(first, second) {
		return first, errorOf(first)
	}
	report := examine.Disagreement(first)
	return report, fmt.Errorf("svc: the kernels go and %s disagree: %w", other.Name(), errorOf(report))
}
