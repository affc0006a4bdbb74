package svc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"svc.example/go/internal/kernel"
)

// panickingReader is a reader whose own code fails.
type panickingReader struct{}

func (panickingReader) Read([]byte) (int, error) { panic("a nil pointer in somebody's reader") }

// lyingReader says that it read more than there was room for.
type lyingReader struct{ count int }

func (l lyingReader) Read(into []byte) (int, error) { return len(into) + l.count, nil }

// trickle gives one byte at a time, with nothing between.
type trickle struct {
	text []byte
	at   int
}

func (r *trickle) Read(into []byte) (int, error) {
	r.at++
	if r.at%2 == 0 {
		return 0, nil
	}
	if len(r.text) == 0 {
		return 0, io.EOF
	}
	into[0], r.text = r.text[0], r.text[1:]
	return 1, nil
}

// No panic leaves the package, whatever the caller hands in: nil, zero structs, readers that fail or lie.
func TestNoPanicLeaves(t *testing.T) {
	var nilBuffer *bytes.Buffer
	var nilContext context.Context
	for name, err := range map[string]error{
		"a nil context of Verify":       second(Verify(nilContext, strings.NewReader("{}"), Options{})),
		"a nil context of VerifyBytes":  second(VerifyBytes(nilContext, nil, Options{})),
		"a nil context of VerifyFile":   second(VerifyFile(nilContext, "x", Options{})),
		"a nil context of CrossCheck":   second(CrossCheck(nilContext, nil, Options{}, kernel.Native)),
		"no second kernel":              second(CrossCheck(t.Context(), nil, Options{}, nil)),
		"a nil reader":                  second(Verify(t.Context(), nil, Options{})),
		"a pointer that is nil":         second(Verify(t.Context(), nilBuffer, Options{})),
		"a reader that panics":          second(Verify(t.Context(), panickingReader{}, Options{})),
		"a reader that counts too much": second(Verify(t.Context(), lyingReader{1}, Options{})),
		"a reader that counts too far":  second(Verify(t.Context(), lyingReader{math.MinInt}, Options{})),
		"a missing file":                second(VerifyFile(t.Context(), t.TempDir()+"/none", Options{})),
		"a folder":                      second(VerifyFile(t.Context(), t.TempDir(), Options{})),
		"no policy":                     second(ParseTrustPolicy(nil)),
		"no key":                        second(PinKeys("")),
		"an uppercase key":              second(PinKeys(strings.Repeat("AB", 32))),
		"no evidence":                   second(Decode(nil)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		var verdict *VerdictError
		if errors.As(err, &verdict) {
			t.Errorf("%s: a verdict: %v", name, err)
		}
	}
	if err := second(Verify(t.Context(), panickingReader{}, Options{})); !errors.Is(err, ErrInternal) {
		t.Error(err)
	}
	for result := range VerifyAll(nilContext, []string{"x"}, Options{}) {
		if result.Err == nil {
			t.Error("VerifyAll without a context")
		}
	}
	// Zero structs say something, and are no verdict.
	zero := &VerdictError{}
	if zero.Error() == "" || errors.Is(zero, ErrRejected) || errors.Is(zero, ErrUntrusted) {
		t.Error(zero)
	}
	_ = (&PolicyError{}).Error() + (&DecodeError{}).Error() + (&RefusalError{}).Error()
}

func second[T any](_ T, err error) error { return err }

// A slow reader gives what its bytes give.
func TestTrickle(t *testing.T) {
	good := fixtureCalled(t, "receipt/good")
	trust, err := ParseTrustPolicy(good.trust)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(t.Context(), &trickle{text: good.bytes}, Options{Trust: trust}); err != nil {
		t.Error(err)
	}
}

// endingContext ends after it was looked at so many times.
type endingContext struct {
	context.Context
	left int
}

func (c *endingContext) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// A context that ends in any stage ends the verification with its error, and never with a verdict.
func TestCancelledInEachStage(t *testing.T) {
	for _, name := range []string{"bundle/good", "truth-package/good", "ivc-epoch/good", "fork/good-two-pinned"} {
		fixture := fixtureCalled(t, name)
		trust, err := readTrustPolicy(fixture.trust)
		if err != nil {
			t.Fatal(err)
		}
		stages := 0
		for ; ; stages++ {
			ctx := &endingContext{t.Context(), stages}
			r, err := Verify(ctx, bytes.NewReader(fixture.bytes), Options{Trust: trust, Kind: fixture.kind, Links: fixture.links})
			if ctx.left >= 0 {
				break
			}
			if r != nil || !errors.Is(err, context.Canceled) {
				t.Fatalf("%s, ended at look %d: %+v, %v", name, stages, r, err)
			}
		}
		if stages < 3 {
			t.Errorf("%s: the context is looked at %d times only", name, stages)
		}
	}
}
