module svc.example/go/cmd/svc

go 1.26

require (
	svc.example/go v0.5.0
	svc.example/go/wasmkernel v0.5.0
)

replace (
	svc.example/go => ../../
	svc.example/go/wasmkernel => ../../wasmkernel
)
