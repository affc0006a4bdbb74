package together

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"testing"

	"svc.example/go/internal/ed25519x"
	"svc.example/go/internal/kernel"
)

// countingKernel counts the calls that reach it, and panics at the one of a number.
type countingKernel struct {
	kernel.Kernel
	calls, failing int
}

func (k *countingKernel) VerifyBatch(items []ed25519x.Item) []bool {
	if k.calls++; k.calls == k.failing {
		panic(&kernel.Stopped{Cause: errors.New("no more")})
	}
	return k.Kernel.VerifyBatch(items)
}

func itemOf(number int, isGood bool) ed25519x.Item {
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	message := fmt.Appendf(nil, "message %d", number)
	signature := ed25519.Sign(key, message)
	if !isGood {
		signature[40] ^= 1
	}
	return ed25519x.Item{PublicKey: key.Public().(ed25519.PublicKey), Message: message, Signature: signature}
}

// Each work has its own answers, whatever the number of its questions; those that wait at once share one call.
func TestEachHasItsAnswers(t *testing.T) {
	const most = 9
	k := &countingKernel{Kernel: kernel.Native}
	var works []func(kernel.Kernel)
	ended := 0
	for work := range most {
		works = append(works, func(k kernel.Kernel) {
			// The work of number n asks n times, for n signatures at a time; one of three is wrong.
			for range work {
				var items []ed25519x.Item
				for i := range work {
					items = append(items, itemOf(i, i%3 != work%3))
				}
				for i, ok := range k.VerifyBatch(items) {
					if ok != (i%3 != work%3) {
						t.Errorf("work %d, signature %d: %v", work, i, ok)
					}
				}
			}
			one := itemOf(work, work%2 == 0)
			if k.Verify(one.PublicKey, one.Message, one.Signature) != (work%2 == 0) {
				t.Errorf("work %d: one signature", work)
			}
			if answers := k.VerifyBatch(nil); len(answers) != 0 {
				t.Errorf("work %d: %v of nothing", work, answers)
			}
			ended++
		})
	}
	Run(k, works)
	// The last work asks most often.
	if ended != most || k.calls != most+1 {
		t.Errorf("%d ended, %d calls", ended, k.calls)
	}
	Run(k, nil)
}

// A kernel that fails fails in each work that waited for it, and in no other.
func TestFailureReachesEachWork(t *testing.T) {
	k := &countingKernel{Kernel: kernel.Native, failing: 2}
	var failed, ended int
	work := func(questions int) func(kernel.Kernel) {
		return func(k kernel.Kernel) {
			defer func() {
				if stopped, ok := recover().(*kernel.Stopped); ok && stopped != nil {
					failed++
				}
			}()
			for range questions {
				k.VerifyBatch([]ed25519x.Item{itemOf(1, true)})
			}
			ended++
		}
	}
	Run(k, []func(kernel.Kernel){work(1), work(2), work(3)})
	if failed != 2 || ended != 1 {
		t.Errorf("%d failed, %d ended", failed, ended)
	}
}
