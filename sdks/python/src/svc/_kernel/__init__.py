"""Two kernels with one interface: strict JSON, canonical bytes, hash trees, Ed25519, inflating (sections 1 to 3, 15)."""
