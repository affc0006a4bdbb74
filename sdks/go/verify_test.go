package svc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"svc.example/go/internal/kernel"
	"svc.example/go/report"
)

func fixtureCalled(t *testing.T, name string) fixture {
	t.Helper()
	for _, one := range readFixtures(t) {
		if one.name == name {
			return one
		}
	}
	t.Fatalf("no fixture %s", name)
	return fixture{}
}

// Options without trust trust nobody; every verdict but verified is an error that carries the report.
func TestVerdictsAreErrors(t *testing.T) {
	good := fixtureCalled(t, "receipt/good")
	trust, err := ParseTrustPolicy(good.trust)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct {
		name    string
		bytes   []byte
		options Options
		want    error
		verdict report.Verdict
	}{
		{"trusted", good.bytes, Options{Trust: trust}, nil, report.Verified},
		{"nobody trusted", good.bytes, Options{}, ErrUntrusted, report.Untrusted},
		{"edited", bytes.Replace(good.bytes, []byte("loan-1001"), []byte("loan-1009"), 1), Options{Trust: trust}, ErrRejected, report.Rejected},
		{"no JSON", []byte("{"), Options{Trust: trust}, ErrRejected, report.Rejected},
		{"nothing", nil, Options{}, ErrRejected, report.Rejected},
	} {
		got, err := VerifyBytes(t.Context(), one.bytes, one.options)
		if !errors.Is(err, one.want) || got == nil || got.Verdict != one.verdict {
			t.Errorf("%s: %v, %+v", one.name, err, got)
		}
		var verdict *VerdictError
		if one.want != nil && (!errors.As(err, &verdict) || verdict.Report != got) {
			t.Errorf("%s: the error %v does not carry the report", one.name, err)
		}
	}
}

// silentReader returns nothing and no error, for ever.
type silentReader struct{}

func (silentReader) Read([]byte) (int, error) { return 0, nil }

// endlessReader never ends.
type endlessReader struct{}

func (endlessReader) Read(into []byte) (int, error) { return len(into), nil }

// Readers that fail, say nothing or never end give an error and no report.
func TestReaders(t *testing.T) {
	fails := errors.New("the disk fails")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, one := range []struct {
		name   string
		ctx    context.Context
		reader io.Reader
		want   error
	}{
		{"fails in the middle", t.Context(), io.MultiReader(bytes.NewReader([]byte("{")), failing{fails}), fails},
		{"silent", t.Context(), silentReader{}, io.ErrNoProgress},
		{"endless", t.Context(), endlessReader{}, ErrTooLarge},
		{"cancelled", ended, bytes.NewReader([]byte("{}")), context.Canceled},
	} {
		got, err := Verify(one.ctx, one.reader, Options{MaxBytes: 1 << 20})
		if got != nil || !errors.Is(err, one.want) {
			t.Errorf("%s: %v, %v", one.name, got, err)
		}
	}
	if _, err := Verify(t.Context(), nil, Options{}); err == nil {
		t.Error("a nil reader is no error")
	}
	if _, err := VerifyBytes(t.Context(), []byte("{}"), Options{MaxBytes: 1}); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	if _, err := VerifyBytes(t.Context(), []byte("{}"), Options{Kind: "nothing"}); err == nil {
		t.Error("an unknown kind is no error")
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// The number of workers never changes a report.
func TestWorkers(t *testing.T) {
	for _, one := range readFixtures(t) {
		trust, err := readTrustPolicy(one.trust)
		if err != nil {
			t.Fatal(err)
		}
		var texts [2][]byte
		for i, workers := range []int{1, 4} {
			got, err := verify(t.Context(), one.bytes, Options{Trust: trust, Kind: one.kind, Links: one.links, Workers: workers}, kernel.Native)
			if err != nil {
				t.Fatal(err)
			}
			if texts[i], err = json.Marshal(got); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(texts[0], texts[1]) {
			t.Errorf("%s: two reports", one.name)
		}
	}
}
