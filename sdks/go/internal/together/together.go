// Package together has the signatures of several works checked in common batches, which takes a quarter of the time of
// checking each alone (protocol section 3). It changes no answer.
package together

import (
	"iter"

	"svc.example/go/internal/ed25519x"
	"svc.example/go/internal/kernel"
)

// Run does works, in turns and in the caller's goroutine: each up to its next signatures, which are then checked
// together with those of all others. Each gets its own kernel, which answers as k, and must not use it in another
// goroutine. It returns when all have ended.
func Run(k kernel.Kernel, works []func(kernel.Kernel)) {
	var asking []*question
	for _, work := range works {
		next, stop := iter.Pull(func(yield func(*question) bool) { work(&askingKernel{k, yield}) })
		defer stop()
		if q, ok := next(); ok {
			q.next = next
			asking = append(asking, q)
		}
	}
	for len(asking) > 0 {
		asking = answered(k, asking)
	}
}

// A question is signatures at which a work waits.
type question struct {
	items    []ed25519x.Item
	verdicts []bool
	// failure is what the check panicked with.
	failure any
	// next continues the work, up to its next question; ok is false at its end.
	next func() (q *question, ok bool)
}

// answered answers questions, and returns those that come next.
func answered(k kernel.Kernel, asking []*question) (next []*question) {
	var items []ed25519x.Item
	for _, q := range asking {
		items = append(items, q.items...)
	}
	verdicts, failure := checked(k, items)
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

func checked(k kernel.Kernel, items []ed25519x.Item) (verdicts []bool, failure any) {
	defer func() { failure = recover() }()
	return k.VerifyBatch(items), nil
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
