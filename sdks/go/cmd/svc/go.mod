module svc.example/go/cmd/svc

go 1.26

require (
	svc.example/go v0.5.0
	svc.example/go/wasmkernel v0.5.0
)

require (
	filippo.io/edwards25519 v1.2.0 // indirect
	github.com/tetratelabs/wazero v1.12.0 // indirect
	golang.org/x/sys v0.44.0 // indirect
)

replace (
	svc.example/go => ../../
	svc.example/go/wasmkernel => ../../wasmkernel
)
