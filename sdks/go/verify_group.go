package svc

import (
	"context"
	"iter"

	"svc.example/go/internal/ed25519x"
	"svc.example/go/internal/kernel"
)

// verifyGroup verifies files, each as [VerifyFile]. A file has few signatures, and a batch of them is checked in a
// quarter of the time: so each file is examined up to its next signatures, and those of all files are checked together.
func verifyGroup(ctx context.Context, names []string, options Options) []Result {
	results := make([]Result, len(names))
	if len(names) == 1 {
		results[0] = verifyNamed(ctx, names[0], options, kernel.Native)
		return results
	}
	var asking []*question
	for i, name := range names {
		asked := iter.Seq[*question](func(yield func(*question) bool) {
			results[i] = verifyNamed(ctx, name, options, &askingKernel{kernel.Native, yield})
		})
		next, stop := iter.Pull(asked)
		defer stop()
		if q, ok := next(); ok {
			q.next = next
			asking = append(asking, q)
		}
	}
	for len(asking) > 0 {
		asking = answered(asking)
	}
	return results
}

func verifyNamed(ctx context.Context, name string, options Options, k kernel.Kernel) Result {
	r, err := verifyFile(ctx, name, options, k)
	return Result{name, r, err}
}

// A question is signatures at which the examination of a file waits.
type question struct {
	items    []ed25519x.Item
	verdicts []bool
	// failure is what the check panicked with.
	failure any
	// next continues the examination, up to its next question; ok is false at its end.
	next func() (q *question, ok bool)
}

// answered answers questions, and returns those that come next.
func answered(asking []*question) (next []*question) {
	var items []ed25519x.Item
	for _, q := range asking {
		items = append(items, q.items...)
	}
	verdicts, failure := checked(items)
	for _, q := range asking {
		if q.failure = failure; failure == nil {
			count := len(q.items)
			q.verdicts, verdicts = verdicts[:count], verdicts[count:]
		}
		if following, ok := q.next(); ok {
			following.next = q.next
			next = append(next, following)
		}
	}
	return next
}

func checked(items []ed25519x.Item) (verdicts []bool, failure any) {
	defer func() { failure = recover() }()
	return kernel.Native.VerifyBatch(items), nil
}

// An askingKernel is a kernel that has somebody else check its signatures.
type askingKernel struct {
	kernel.Kernel
	ask func(*question) bool
}

func (k *askingKernel) VerifyBatch(items []ed25519x.Item) []bool {
	q := &question{items: items}
	k.ask(q)
	if q.failure != nil {
		panic(q.failure)
	}
	return q.verdicts
}

func (k *askingKernel) Verify(publicKey, message, signature []byte) bool {
	return k.VerifyBatch([]ed25519x.Item{{PublicKey: publicKey, Message: message, Signature: signature}})[0]
}
