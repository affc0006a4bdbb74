module svc.example/go/bench

go 1.26

require svc.example/go v0.5.0

require filippo.io/edwards25519 v1.2.0 // indirect

replace svc.example/go => ../../sdks/go

tool (
	svc.example/go/bench
	svc.example/go/bench/hello
)
