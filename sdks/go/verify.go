package svc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"svc.example/go/internal/examine"
	"svc.example/go/internal/kernel"
	"svc.example/go/report"
)

// DefaultMaxBytes is the greatest length of an input unless [Options] says otherwise: 1 GiB.
const DefaultMaxBytes = 1 << 30

// A Report is what a verification found.
type Report = report.Report

// Options say what is verified, and under which trust. The zero Options trust nobody and find the kind from the
// members.
type Options struct {
	// Trust is the verifier's policy.
	Trust TrustPolicy
	// Kind is the kind asked for; empty where it is found from the members.
	Kind report.Kind
	// Links are consistency evidence and earlier epochs, handed in beside the object; each is one JSON text.
	Links [][]byte
	// MaxBytes bounds the length of the input in bytes; 0 for [DefaultMaxBytes].
	MaxBytes int64
	// Workers is how many goroutines check signatures; 0 and 1 for none beside the caller's. It never changes a verdict.
	Workers int
}

// Verify reads evidence to its end and verifies it. The error is nil only for the verdict verified. Otherwise it is a
// [*VerdictError] beside the report; or, without a report, [ErrTooLarge], [ErrInternal], that of the reader or ctx.
func Verify(ctx context.Context, r io.Reader, options Options) (found *Report, err error) {
	defer recovered(&err)
	if ctx == nil || r == nil {
		return nil, errors.New("svc: Verify needs a context and a reader")
	}
	text, err := readAll(ctx, r, 0, options.maxBytes())
	if err != nil {
		return nil, err
	}
	return VerifyBytes(ctx, text, options)
}

// VerifyFile verifies the file of a name, as [Verify].
func VerifyFile(ctx context.Context, name string, options Options) (*Report, error) {
	if ctx == nil {
		return nil, errors.New("svc: VerifyFile needs a context")
	}
	return verifyFile(ctx, name, options, kernel.Native)
}

func verifyFile(ctx context.Context, name string, options Options, k kernel.Kernel) (*Report, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	text, err := readAll(ctx, file, info.Size(), options.maxBytes())
	if err != nil {
		return nil, err
	}
	return verdictOf(verify(ctx, text, options, k))
}

// VerifyBytes verifies evidence, as [Verify]. The bytes must not change before it returns.
func VerifyBytes(ctx context.Context, text []byte, options Options) (*Report, error) {
	if ctx == nil {
		return nil, errors.New("svc: VerifyBytes needs a context")
	}
	return verdictOf(verify(ctx, text, options, kernel.Native))
}

// verdictOf returns a report with the error of its verdict.
func verdictOf(r *Report, err error) (*Report, error) {
	if err != nil {
		return nil, err
	}
	return r, errorOf(r)
}

// verify returns the report; a verdict is never an error.
func verify(ctx context.Context, text []byte, options Options, k kernel.Kernel) (r *Report, err error) {
	defer recovered(&err)
	if int64(len(text)) > options.maxBytes() {
		return nil, fmt.Errorf("%w: %d bytes, %d are allowed", ErrTooLarge, len(text), options.maxBytes())
	}
	if options.Kind != "" && !examine.IsKind(options.Kind) {
		return nil, fmt.Errorf("svc: there is no kind %q", options.Kind)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return examine.Verify(examine.Input{
		Bytes: text, Kind: options.Kind, Policy: options.Trust.orNobody(), Links: options.Links,
		Kernel: k, Workers: options.Workers, Context: ctx,
	})
}

func (o Options) maxBytes() int64 {
	if o.MaxBytes <= 0 {
		return DefaultMaxBytes
	}
	return o.MaxBytes
}

// readAll reads at most so many bytes, and looks at ctx between reads. expected is the length that the bytes probably
// have; 0 where nobody knows.
func readAll(ctx context.Context, r io.Reader, expected, most int64) ([]byte, error) {
	const (
		emptyReads = 100
		pieceBytes = 64 << 10
	)
	// One more, so that the end is found without growing.
	room := expected + 1
	if expected <= 0 || expected > most {
		room = pieceBytes
	}
	text := make([]byte, 0, room)
	for idle := 0; ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(text) == cap(text) {
			text = append(text, 0)[:len(text)]
		}
		n, err := r.Read(text[len(text):cap(text)])
		if n < 0 || n > cap(text)-len(text) {
			return nil, errors.New("svc: the reader returned an impossible count")
		}
		text = text[:len(text)+n]
		if int64(len(text)) > most {
			return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, most)
		}
		if errors.Is(err, io.EOF) {
			return text, nil
		}
		if err != nil {
			return nil, err
		}
		if idle++; n > 0 {
			idle = 0
		}
		if idle == emptyReads {
			return nil, io.ErrNoProgress
		}
	}
}
