module svc.example/go

go 1.26

// Points and scalars of edwards25519: multi-scalar multiplication, which the standard library keeps to itself.
require filippo.io/edwards25519 v1.2.0
