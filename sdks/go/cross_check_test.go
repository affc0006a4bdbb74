package svc

import (
	"errors"
	"testing"

	"svc.example/go/internal/ed25519x"
	"svc.example/go/internal/kernel"
	"svc.example/go/report"
)

// lyingKernel says of every signature that it does not verify.
type lyingKernel struct{ Kernel }

func (lyingKernel) VerifyBatch(items []ed25519x.Item) []bool { return make([]bool, len(items)) }

// failingKernel cannot check signatures.
type failingKernel struct{ Kernel }

func (failingKernel) VerifyBatch([]ed25519x.Item) []bool { panic("out of memory") }

func TestCrossCheck(t *testing.T) {
	good := fixtureCalled(t, "receipt/good")
	trust, err := ParseTrustPolicy(good.trust)
	if err != nil {
		t.Fatal(err)
	}
	options := Options{Trust: trust}
	if r, err := CrossCheck(t.Context(), good.bytes, options, kernel.Native); err != nil || !r.OK {
		t.Errorf("the same kernel: %v", err)
	}
	for _, other := range []Kernel{lyingKernel{kernel.Native}, failingKernel{kernel.Native}} {
		r, err := CrossCheck(t.Context(), good.bytes, options, other)
		if !errors.Is(err, ErrRejected) || r == nil || r.OK || len(r.Problems) != 1 || r.Problems[0].Code != report.CodeKernelsDisagree {
			t.Errorf("%T: %v, %+v", other, err, r)
			continue
		}
		for _, check := range r.Checks {
			if check.Status != report.CannotEvaluate {
				t.Errorf("%T: %s is %s", other, check.ID, check.Status)
			}
		}
	}
	if _, err := VerifyBytes(t.Context(), good.bytes, options); err != nil {
		t.Error(err)
	}
}

// A kernel that fails gives an internal error and no verdict.
func TestInternal(t *testing.T) {
	good := fixtureCalled(t, "receipt/good")
	trust, err := readTrustPolicy(good.trust)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := verify(t.Context(), good.bytes, Options{Trust: trust}, failingKernel{kernel.Native}); r != nil || !errors.Is(err, ErrInternal) {
		t.Errorf("%v, %v", r, err)
	}
}
