package wasmkernel

import (
	"encoding/binary"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"svc.example/go/internal/kernel"
)

const (
	// refused is what an export returns for an input of another layout, and for one without an answer.
	refused = 1<<32 - 1
	// maxMemory is the memory in bytes past which an instance is not used again: it never shrinks.
	maxMemory = 48 << 20
)

// An instance runs one call at a time. An input is copied to the address that `reserve` returns, and the answer is read
// from `output`.
type instance struct {
	kernel *Kernel
	module api.Module
}

func (k *Kernel) start() (*instance, error) {
	module, err := k.runtime.InstantiateModule(k.ctx, k.code, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, err
	}
	return &instance{k, module}, nil
}

func (k *Kernel) take() *instance {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if last := len(k.idle) - 1; last >= 0 {
		one := k.idle[last]
		k.idle = k.idle[:last]
		return one
	}
	one, err := k.start()
	if err != nil {
		panic(&kernel.Stopped{Cause: err})
	}
	return one
}

func (k *Kernel) give(one *instance) {
	if one.module.Memory().Size() <= maxMemory {
		k.mutex.Lock()
		defer k.mutex.Unlock()
		if len(k.idle) < maxIdle {
			k.idle = append(k.idle, one)
			return
		}
	}
	_ = one.module.Close(k.ctx)
}

// with calls a function with an instance. An instance that has stopped in the middle is not used again.
func with[T any](k *Kernel, use func(i *instance) T) T {
	one := k.take()
	isWhole := false
	defer func() {
		if !isWhole {
			_ = one.module.Close(k.ctx)
		}
	}()
	result := use(one)
	isWhole = true
	k.give(one)
	return result
}

// call runs an export with an input, which is put together from pieces, and returns its number.
func (i *instance) call(name string, input [][]byte, arguments ...uint64) uint32 {
	length := 0
	for _, piece := range input {
		length += len(piece)
	}
	if uint64(length) >= refused {
		i.fail(fmt.Errorf("an input of %d bytes", length))
	}
	at := i.number("reserve", uint64(length))
	for _, piece := range input {
		if !i.module.Memory().Write(at, piece) {
			i.fail(fmt.Errorf("no room for %d bytes", length))
		}
		at += uint32(len(piece))
	}
	return i.number(name, arguments...)
}

// answer does what call does, and returns a copy of the output. It panics if the kernel refuses the input.
func (i *instance) answer(name string, input [][]byte, arguments ...uint64) []byte {
	if i.call(name, input, arguments...) == refused {
		i.fail(fmt.Errorf("%s refused its input", name))
	}
	return i.output()
}

func (i *instance) output() []byte { return i.read(i.number("output"), i.number("output_length")) }

func (i *instance) read(at, length uint32) []byte {
	view, ok := i.module.Memory().Read(at, length)
	if !ok {
		i.fail(fmt.Errorf("an output outside of the memory"))
	}
	return append([]byte(nil), view...)
}

func (i *instance) number(name string, arguments ...uint64) uint32 {
	results, err := i.module.ExportedFunction(name).Call(i.kernel.ctx, arguments...)
	if err != nil {
		i.fail(fmt.Errorf("%s: %w", name, err))
	}
	if len(results) == 0 {
		return 0
	}
	return uint32(results[0])
}

func (i *instance) fail(cause error) { panic(&kernel.Stopped{Cause: cause}) }

// lengthsOf returns the lengths of byte strings as a layout has them.
func lengthsOf(texts [][]byte) []byte {
	out := make([]byte, 0, 4*len(texts))
	for _, text := range texts {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(text)))
	}
	return out
}
