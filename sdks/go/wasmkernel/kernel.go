// Package wasmkernel is the second kernel of the Go SDK: the compiled kernel, the same bytes that the TypeScript and
// Python SDKs run and that anybody can rebuild, in wazero. It is slower than Go's own; two kernels that agree are a
// cross-check.
package wasmkernel

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"sync"

	"github.com/tetratelabs/wazero"
)

//go:embed kernel.wasm
var kernelWasm []byte

// maxIdle is the number of instances that wait for the next call.
const maxIdle = 8

// A Kernel is the compiled kernel, loaded. It is safe for concurrent use. Each call has its own instance.
type Kernel struct {
	// The interface of kernels has no context: this one ends the calls.
	ctx     context.Context
	runtime wazero.Runtime
	code    wazero.CompiledModule
	mutex   sync.Mutex
	idle    []*instance
}

// New compiles the kernel, which takes about a tenth of a second, and checks its hash first. When ctx ends, calls stop
// with a panic that the SDK returns as an internal error.
func New(ctx context.Context) (*Kernel, error) {
	sum := sha256.Sum256(kernelWasm)
	if got := hex.EncodeToString(sum[:]); got != SHA256 {
		return nil, fmt.Errorf("wasmkernel: the embedded kernel was changed: its SHA-256 is %s", got)
	}
	config := wazero.NewRuntimeConfig().WithCloseOnContextDone(ctx.Done() != nil)
	k := &Kernel{ctx: ctx, runtime: wazero.NewRuntimeWithConfig(ctx, config)}
	code, err := k.runtime.CompileModule(ctx, kernelWasm)
	if err != nil {
		return nil, fmt.Errorf("wasmkernel: %w", err)
	}
	k.code = code
	first, err := k.start()
	if err != nil {
		return nil, fmt.Errorf("wasmkernel: %w", err)
	}
	k.give(first)
	return k, nil
}

// Close ends all instances and gives back what they hold. Calls behind it fail.
func (k *Kernel) Close(ctx context.Context) error { return k.runtime.Close(ctx) }

// Name returns "wasm".
func (k *Kernel) Name() string { return "wasm" }

// SHA256 returns [SHA256].
func (k *Kernel) SHA256() string { return SHA256 }
