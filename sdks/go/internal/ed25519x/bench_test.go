package ed25519x_test

import (
	"crypto/ed25519"
	"testing"

	"svc.example/go/internal/ed25519x"
)

// BenchmarkBatch verifies batches of 1,024 by one key, and BenchmarkLoop the same with the standard library.
func BenchmarkBatch(b *testing.B) {
	items := signed(2048, 1)
	for b.Loop() {
		for _, ok := range ed25519x.VerifyBatch(items) {
			if !ok {
				b.Fatal("a good signature")
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2048, "ns/signature")
}

func BenchmarkLoop(b *testing.B) {
	items := signed(2048, 1)
	for b.Loop() {
		for _, item := range items {
			if !ed25519.Verify(item.PublicKey, item.Message, item.Signature) {
				b.Fatal("a good signature")
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2048, "ns/signature")
}

func BenchmarkOne(b *testing.B) {
	item := signed(1, 1)[0]
	for b.Loop() {
		if !ed25519x.Verify(item.PublicKey, item.Message, item.Signature) {
			b.Fatal("a good signature")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/signature")
}

// BenchmarkAllWrong is a batch in which every equation fails.
func BenchmarkAllWrong(b *testing.B) {
	items := signed(2048, 1)
	for i := range items {
		items[i].Message = []byte("other")
	}
	for b.Loop() {
		for _, ok := range ed25519x.VerifyBatch(items) {
			if ok {
				b.Fatal("a wrong signature")
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2048, "ns/signature")
}
