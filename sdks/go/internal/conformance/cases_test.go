package conformance_test

import (
	"testing"

	"svc.example/go/internal/kernel"
	"svc.example/go/internal/kerneltest"
)

func TestCases(t *testing.T) { kerneltest.Cases(t, kernel.Native) }
