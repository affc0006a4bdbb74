package wasmkernel

import "math"

// pieceSize is the length of the pieces in which a stream is passed; all but the last must have 1,000 bytes.
const pieceSize = 1 << 16

// Inflate is [inflate.Inflate] of the package internal/inflate.
func (k *Kernel) Inflate(packed []byte, size uint32, take func(piece []byte)) (ok bool) {
	return with(k, func(i *instance) bool {
		for begin := math.Float64bits(float64(size)); ; begin = math.Float64bits(-1) {
			piece := packed[:min(len(packed), pieceSize)]
			read := i.call("inflate", [][]byte{piece}, begin, uint64(len(packed)))
			if read == refused {
				return false
			}
			if content := i.output(); len(content) > 0 {
				take(content)
			}
			// All of the rest is read exactly if the stream has ended.
			if packed = packed[read:]; len(packed) == 0 {
				return true
			}
		}
	})
}
