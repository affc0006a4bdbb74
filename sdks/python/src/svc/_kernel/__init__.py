"""Two kernels with one interface: strict JSON, canonical bytes, hash trees, Ed25519, inflating."""
