module svc.example/go/wasmkernel

go 1.26

require (
	// It runs the compiled kernel, in Go alone.
	github.com/tetratelabs/wazero v1.12.0
	svc.example/go v0.5.0
)

require (
	filippo.io/edwards25519 v1.2.0 // indirect
	golang.org/x/sys v0.44.0 // indirect
)

replace svc.example/go => ../
