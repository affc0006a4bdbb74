"""The compiled kernel: `kernel.wasm`, the committed bytes, run by `wasmtime`."""
