package svc

import (
	"context"

	"svc.example/go/internal/kernel"
	"svc.example/go/internal/together"
)

// verifyGroup verifies files, each as [VerifyFile], and checks the signatures of all of them together.
func verifyGroup(ctx context.Context, names []string, options Options) []Result {
	results := make([]Result, len(names))
	works := make([]func(kernel.Kernel), len(names))
	for i, name := range names {
		works[i] = func(k kernel.Kernel) {
			report, err := verifyFile(ctx, name, options, k)
			results[i] = Result{name, report, err}
		}
	}
	if len(works) == 1 {
		works[0](kernel.Native)
	} else {
		together.Run(kernel.Native, works)
	}
	return results
}
